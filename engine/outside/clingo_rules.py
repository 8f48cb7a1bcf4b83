"""Writes a problem as rules for clingo: items and totals as weight rules, connections and loops as reachability.

Every option is an atom that may be chosen. "Hangs together" is said by rules that derive, from a root, what can be
reached from it; a vertex that is met must be derived. Since clingo accepts only what has a foundation, vertices that
hold each other up in a circle, away from the root, are found out (as unfounded sets) while it propagates, and it learns
from them. Clauses alone can say so only as often as an answer in pieces has been met (sat_sides.py).

The root is where every answer is known to stand: at a given option, or, where all options of an item that must be met
stand in the graph, at the one that is taken; the item with the fewest such places is chosen. So a path of numberlink
starts at its clue. If the item may be met more than once, the root is the first of these places that is met; if there
is no such item, the first of all vertices, in the order of numbers.

Totals of at most `SHORT` ones, such as "no line or two" at a square, are forbidden sum by sum. Measured, CPU: seven
numberlinks of 10 to 14 squares took 8.2 s as weight rules and 4.7 s so, with fewer conflicts on all but one. One of 16
squares got worse, from 688 conflicts to 2764.

Source: Gebser, Kaminski, Kaufmann and Schaub, "Multi-shot ASP solving with clingo", TPLP 2019, for the interface, which
takes rules as numbers: nothing is written as text or grounded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from covr.engine.base.extras import Unsuited
from covr.engine.base.heed import heeded
from covr.engine.problem import Problem
from covr.engine.sides import Circuit, Connection, Total
from covr.frozen import frozen

SHORT = 4  # options in a total of ones, at most, whose numbers are forbidden one by one
MOST_WEIGHT = 2**31 - 1  # what the coefficients of a total may add up to, signs left out: clingo's numbers have 32 bits

Literal = int  # an atom, or minus an atom
Edge = tuple[int, int, Literal]  # two vertices, and what must be true to go from one to the other
TRUE = 0  # the body without literals stands for what always holds


class Rules:
    """Writes the rules of a problem to clingo's backend. atoms: per option, its atom."""

    def __init__(self, problem: Problem, backend: Any) -> None:
        """Time linear in the length of the options, and of the sides. Raises Unsuited for a total that is too large."""
        self._problem, self._backend = problem, backend
        self._shared = Counter(id(side.edges) for side in problem.sides if isinstance(side, Connection))
        self._near: dict[int, dict[int, list[int]]] = {}  # per edges that are shared, the higher neighbours of vertices
        self.atoms: list[int] = [backend.add_atom() for _ in heeded(range(problem.options))]
        given = set(problem.given)
        free = [self.atoms[o] for o in heeded(range(problem.options)) if o not in given]
        if free:
            backend.add_rule(free, [], True)
        for o in problem.given:
            self._fact(self.atoms[o])
        for i in heeded(range(problem.items), 64):
            self._item(i)
        for side in problem.sides:
            if isinstance(side, Total):
                self._total(side)
            elif isinstance(side, Connection):
                self._connection(side)
            else:
                self._circuit(side)

    def cap(self, most: int) -> None:
        """Forbid answers that cost more than `most`. Raises Unsuited for costs that are too large."""
        terms = [(o, c) for o, c in enumerate(self._problem.costs) if c]
        lowest = sum(c for _, c in terms if c < 0)
        if most < lowest:
            self._forbid([])
        elif terms:
            self._total(Total(tuple(terms), ((lowest, most),), "the cost of an answer"))

    def minimize(self) -> int:
        """Look for the least cost. Returns what clingo's costs, none of which is below 0, are counted from. Raises
        Unsuited for costs that are too large."""
        costs = [(o, c) for o, c in enumerate(self._problem.costs) if c]
        if any(abs(c) > MOST_WEIGHT for _, c in costs):
            raise Unsuited("the engine `clingo` holds costs below 2^31")
        self._backend.add_minimize(0, [(self.atoms[o], c) if c > 0 else (-self.atoms[o], -c) for o, c in costs])
        return sum(c for _, c in costs if c < 0)

    # --- single rules ---

    def _fact(self, atom: int) -> None:
        self._backend.add_rule([atom])

    def _forbid(self, body: Sequence[Literal]) -> None:
        """Not all of these literals are true."""
        self._backend.add_rule([], body)

    def _implied(self, head: int, body: Sequence[Literal]) -> None:
        self._backend.add_rule([head], body)

    def _new(self) -> int:
        atom: int = self._backend.add_atom()
        return atom

    def _reaching(self, bound: int, weighted: Sequence[tuple[Literal, int]]) -> Literal | None:
        """A literal that is true if and only if the weights of the true literals add up to `bound`; None if they
        always do."""
        if bound <= 0:
            return None
        atom = self._new()
        self._backend.add_weight_rule([atom], bound, weighted)
        return atom

    def _one_of(self, literals: Iterable[Literal]) -> int:
        """An atom that is true if and only if one of these literals is."""
        own = list(dict.fromkeys(literals))
        if len(own) == 1 and own[0] > 0:
            return own[0]
        atom = self._new()
        for literal in own:
            self._implied(atom, [literal])
        return atom

    # --- items ---

    def _item(self, i: int) -> None:
        problem = self._problem
        plain: list[Literal] = []
        shades: dict[int, list[Literal]] = {}
        for o, colour in problem.column(i):
            if colour:
                shades.setdefault(colour, []).append(self.atoms[o])
            else:
                plain.append(self.atoms[o])
        plain += [self._one_of(users) for users in shades.values()]
        low, high = problem.low[i], problem.high[i]
        if low == 1:
            self._forbid([-atom for atom in plain])
        elif low > len(plain):
            self._forbid([])
        elif low > 1:
            reached = self._reaching(low, [(atom, 1) for atom in plain])
            assert reached is not None
            self._forbid([-reached])
        if high < len(plain):
            reached = self._reaching(high + 1, [(atom, 1) for atom in plain])
            assert reached is not None
            self._forbid([reached])

    # --- sides ---

    def _table(self, total: Total) -> bool:
        """Forbid the numbers of true options that a short total of ones does not allow, each set of options by itself;
        whether it is such a total."""
        atoms = [self.atoms[o] for o, c in total.terms]
        most = len(atoms)
        if most > SHORT or any(c != 1 for _, c in total.terms):
            return False
        wrong = [not any(low <= held <= high for low, high in total.sums) for held in range(most + 1)]
        for held in (h for h in range(most + 1) if wrong[h]):
            for taken in combinations(atoms, held):
                # Where fewer are wrong as well, only those that are not taken matter, and the other way round.
                body = [] if all(wrong[:held]) else [*taken]
                self._forbid(body + ([] if all(wrong[held:]) else [-a for a in atoms if a not in taken]))
        return True

    def _total(self, total: Total) -> None:
        if self._table(total):
            return
        if sum(abs(c) for _, c in total.terms) > MOST_WEIGHT:
            name = f"the total `{total.name}`" if total.name else "a total"
            raise Unsuited(f"the engine `clingo` can't hold {name}, whose numbers add up to 2^31 or more")
        below = sum(c for _, c in total.terms if c < 0)
        whole = sum(abs(c) for _, c in total.terms)
        weighted = [(self.atoms[o], c) if c > 0 else (-self.atoms[o], -c) for o, c in total.terms]
        # The sum lies in a range if it reaches its beginning and does not reach what follows its end.
        within: list[list[Literal]] = []
        for low, high in total.sums:
            body: list[Literal] = []
            if low - below > whole or high < below:
                continue
            if (least := self._reaching(low - below, weighted)) is not None:
                body.append(least)
            if high - below < whole:
                beyond = self._reaching(high + 1 - below, weighted)
                assert beyond is not None
                body.append(-beyond)
            within.append(body)
        if len(within) == 1:
            for literal in within[0]:
                self._forbid([-literal])
            return
        allowed = []
        for body in within:
            if not body:
                return
            atom = self._new()
            self._implied(atom, body)
            allowed.append(atom)
        self._forbid([-atom for atom in allowed])

    def _connection(self, side: Connection) -> None:
        standing: dict[int, list[int]] = {}
        for o, v in heeded(side.places):
            standing.setdefault(v, []).append(o)
        met = {v: self._one_of(self.atoms[o] for o in options) for v, options in heeded(standing.items())}
        self._reach(met, self._between(side.edges, met), self._roots(standing))

    def _between(self, edges: tuple[tuple[int, int], ...], met: Mapping[int, int]) -> Iterator[Edge]:
        """The edges between vertices that may be met. Where several connections share their edges, these are looked
        through once, and not for each of them."""
        if self._shared[id(edges)] == 1:
            yield from ((u, v, TRUE) for u, v in heeded(edges) if u in met and v in met)
            return
        if id(edges) not in self._near:
            near: dict[int, list[int]] = {}
            for u, v in heeded(edges):
                near.setdefault(u, []).append(v)
            self._near[id(edges)] = near
        near = self._near[id(edges)]
        for u in heeded(sorted(met)):
            yield from ((u, v, TRUE) for v in near.get(u, ()) if v in met)

    def _circuit(self, side: Circuit) -> None:
        lines: dict[int, list[int]] = {}
        for o, u, v in heeded(side.ends):
            for w in {u, v}:
                lines.setdefault(w, []).append(o)
        met = {v: self._one_of(self.atoms[o] for o in options) for v, options in heeded(lines.items())}
        twice = {o for o, u, v in side.ends if u == v}
        for v, options in heeded(lines.items()):
            weighted = [(self.atoms[o], 2 if o in twice else 1) for o in options]
            many = self._reaching(3, weighted)
            both = self._reaching(2, weighted)
            assert many is not None and both is not None
            self._forbid([many])
            self._forbid([met[v], -both])
        self._forbid([-self.atoms[o] for o, _, _ in side.ends])
        edges = ((u, v, self.atoms[o]) for o, u, v in side.ends if u != v)
        self._reach(met, edges, self._roots(lines))

    def _roots(self, standing: Mapping[int, Sequence[int]]) -> Roots | None:
        """Few vertices of which every answer meets one, as far as given options and single items tell; None if none are
        known. standing: per vertex, the options that meet it. Time linear in the length of those options."""
        problem = self._problem
        place: dict[int, int] = {}  # per option, its lowest vertex
        for v in heeded(sorted(standing)):
            for o in standing[v]:
                place.setdefault(o, v)
        given = [place[o] for o in problem.given if o in place]
        if given:
            return Roots([(min(given), None)])
        held: dict[int, int] = {}
        for o in heeded(place):
            for i in problem.option(o):
                if problem.low[i]:
                    held[i] = held.get(i, 0) + 1
        whole = [i for i, times in heeded(held.items()) if times == len(problem.holders[i])]
        if not whole:
            return None
        item = min(whole, key=lambda i: (len({place[o] for o in problem.holders[i]}), problem.high[i], i))
        at = sorted({place[o] for o in problem.holders[item]})
        if len(at) > 1 and problem.high[item] == 1 and not any(colour for _, colour in problem.column(item)):
            return Roots([(place[o], self.atoms[o]) for o in problem.holders[item]])
        return Roots([(v, None) for v in at])

    def _reach(self, met: Mapping[int, int], edges: Iterable[Edge], roots: Roots | None) -> None:
        """All vertices that are met can be reached from the root through vertices that are met, along edges whose
        literal is true (or TRUE). met: per vertex, the atom that says so."""
        reached = {v: self._new() for v in met}
        if roots is None:
            self._first(sorted(met), met, reached)
        elif roots.one:
            for v, atom in roots.places:
                self._implied(reached[v], [met[v] if atom is None else atom])
        else:
            self._first([v for v, _ in roots.places], met, reached)
        for v in heeded(met):
            self._forbid([met[v], -reached[v]])
        for u, v, literal in heeded(edges):
            along = [] if literal == TRUE else [literal]
            self._implied(reached[v], [reached[u], met[v], *along])
            self._implied(reached[u], [reached[v], met[u], *along])

    def _first(self, vertices: Sequence[int], met: Mapping[int, int], reached: Mapping[int, int]) -> None:
        """The first of these vertices that is met is the root."""
        before = 0  # the atom that is true if a vertex before this one is met
        for v in heeded(vertices):
            self._implied(reached[v], [met[v], -before] if before else [met[v]])
            now = self._new()
            self._implied(now, [met[v]])
            if before:
                self._implied(now, [before])
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
