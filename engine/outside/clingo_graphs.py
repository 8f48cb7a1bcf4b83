"""Writes connections and loops as rules for clingo: what can be reached from a root.

"Hangs together" is said by rules that derive, from a root, what can be reached from it; a vertex that is met must be
derived. Since clingo accepts only what has a foundation, vertices that hold each other up in a circle, away from the
root, are found out (as unfounded sets) while it propagates, and it learns from them. Clauses alone can say so only as
often as an answer in pieces has been met (sat_sides.py).

The root is where every answer is known to stand: at a given option, or, where all options of an item that must be met
stand in the graph, at the one that is taken; the item with the fewest such places is chosen. So a path of numberlink
starts at its clue. If the item may be met more than once, the root is the first of these places that is met; if there
is no such item, the first of all vertices, in the order of numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from covr.engine.base.heed import heeded
from covr.engine.outside.clingo_writer import Literal, RuleWriter
from covr.engine.problem import Problem
from covr.engine.sides import Circuit, Connection
from covr.frozen import frozen

# From a vertex to another one, and back: what must be true to get to the second, and to the first.
Edge = tuple[int, int, Literal, Literal]


class Graphs:
    """Writes the connections and loops of a problem."""

    def __init__(self, problem: Problem, writer: RuleWriter, atoms: Sequence[int]) -> None:
        """atoms: per option, its atom."""
        self._problem, self._write, self._atoms = problem, writer, atoms
        self._shared = Counter(id(side.edges) for side in problem.sides if isinstance(side, Connection))
        self._near: dict[int, dict[int, list[int]]] = {}  # per edges that are shared, the higher neighbours of vertices
        self._standing: dict[int, dict[int, list[int]]] = {}
        self._met: dict[int, dict[int, Literal]] = {}

    def standing(self, side: Connection) -> dict[int, list[int]]:
        """Per vertex, the options that stand there. Made once, in linear time."""
        if id(side) not in self._standing:
            found: dict[int, list[int]] = {}
            for o, v in heeded(side.places):
                if v in found:
                    found[v].append(o)
                else:
                    found[v] = [o]
            self._standing[id(side)] = found
        return self._standing[id(side)]

    def met(self, side: Connection) -> dict[int, Literal]:
        """Per vertex, a literal that says whether a taken option stands there. Written once, in linear time."""
        if id(side) not in self._met:
            self._met[id(side)] = self._meeting(self.standing(side))
        return self._met[id(side)]

    def connection(self, side: Connection) -> None:
        """What is met hangs together. Time linear in the length of the side."""
        met = self.met(side)
        self._reach(met, self._between(side.edges, met), self._roots(self.standing(side)))

    def circuit(self, side: Circuit) -> None:
        """The options that are taken form one loop. Time linear in the length of the side."""
        lines: dict[int, list[int]] = {}
        for o, u, v in heeded(side.ends):
            for w in (u, v):  # a line from a corner to itself meets it twice
                lines.setdefault(w, []).append(o)
        met = self._meeting(lines)
        for options in heeded(lines.values()):
            ends = Counter(options)
            self._write.within([(self._atoms[o], times) for o, times in ends.items()], ((0, 0), (2, 2)))
        self._write.forbid([-self._atoms[o] for o, _, _ in side.ends])
        lit = self._atoms
        edges = ((u, v, lit[o], lit[o]) for o, u, v in side.ends if u != v)
        self._reach(met, edges, self._roots(lines))

    def _meeting(self, standing: Mapping[int, Sequence[int]]) -> dict[int, Literal]:
        return dict(zip(standing, self._write.one_of_each([*standing.values()], self._atoms), strict=True))

    def _between(self, edges: tuple[tuple[int, int], ...], met: Mapping[int, Literal]) -> Iterator[Edge]:
        """The edges between vertices that may be met. Where several connections share their edges, these are looked
        through once, and not for each of them."""
        if self._shared[id(edges)] == 1:
            yield from ((u, v, met[v], met[u]) for u, v in heeded(edges) if u in met and v in met)
            return
        if id(edges) not in self._near:
            near: dict[int, list[int]] = {}
            for u, v in heeded(edges):
                near.setdefault(u, []).append(v)
            self._near[id(edges)] = near
        near = self._near[id(edges)]
        for u in heeded(sorted(met)):
            yield from ((u, v, met[v], met[u]) for v in near.get(u, ()) if v in met)

    def _roots(self, standing: Mapping[int, Sequence[int]]) -> Roots | None:
        """Few vertices of which every answer meets one, as far as given options and single items tell; None if none are
        known. standing: per vertex, the options that meet it. Time linear in the length of those options."""
        problem = self._problem
        place: dict[int, int] = {}  # per option, its lowest vertex
        for v in heeded(sorted(standing, reverse=True)):
            place |= dict.fromkeys(standing[v], v)
        given = [place[o] for o in problem.given if o in place]
        if given:
            return Roots([(min(given), None)])
        whole = [i for i in heeded(range(problem.primary)) if all(map(place.__contains__, problem.holders[i]))]
        whole = [i for i in whole if problem.holders[i]]
        if not whole:
            return None
        item = min(whole, key=lambda i: (len({place[o] for o in problem.holders[i]}), problem.high[i], i))
        at = sorted({place[o] for o in problem.holders[item]})
        if len(at) > 1 and problem.high[item] == 1 and not any(colour for _, colour in problem.column(item)):
            return Roots([(place[o], self._atoms[o]) for o in problem.holders[item]])
        return Roots([(v, None) for v in at])

    def _reach(self, met: Mapping[int, Literal], edges: Iterable[Edge], roots: Roots | None) -> None:
        """All vertices that are met can be reached from the root. met: per vertex, whether it is."""
        write = self._write
        reached = {v: write.new() for v in met}
        if roots is None:
            self._first(sorted(met), met, reached)
        elif roots.one:
            for v, atom in roots.places:
                write.implied(reached[v], [met[v] if atom is None else atom])
        else:
            self._first([v for v, _ in roots.places], met, reached)
        for v in heeded(met):
            write.forbid([met[v], -reached[v]])
        for u, v, there, back in heeded(edges):
            write.implied(reached[v], [reached[u], there])
            write.implied(reached[u], [reached[v], back])

    def _first(self, vertices: Sequence[int], met: Mapping[int, Literal], reached: Mapping[int, int]) -> None:
        """The first of these vertices that is met is the root."""
        before = 0  # the atom that is true if a vertex before this one is met
        for v in heeded(vertices):
            self._write.implied(reached[v], [met[v], -before] if before else [met[v]])
            now = self._write.new()
            self._write.implied(now, [met[v]])
            if before:
                self._write.implied(now, [before])
            before = now


@frozen
class Roots:
    """Vertices of which every answer meets one. places: each with the atom of an option that stands there, of which
    exactly one is true; or with None, if several of these vertices may be met."""

    places: Sequence[tuple[int, int | None]]

    @property
    def one(self) -> bool:
        """Whether exactly one of them becomes the root by itself."""
        return len(self.places) == 1 or self.places[0][1] is not None
