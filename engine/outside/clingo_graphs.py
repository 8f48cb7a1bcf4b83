"""Connections, loops and areas for clingo: graphs that it calls while it searches, or rules."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import accumulate
from typing import Any

from covr.engine.base.alone import Unsuited
from covr.engine.base.limits import with_limit_checks
from covr.engine.kernels.loading import load
from covr.engine.outside.clingo_shares import Literal, RuleWriter, address, addresses, refused
from covr.engine.problem import AreaDemand, Areas, Circuit, Connection, Forest, Problem
from covr.frozen import frozen

# --- clingo graphs ---------------------------------------------------------------------------------------------------
# Hands connections and loops to clingo: as graphs that it calls while it searches (kernels/graphs), where that can be
# done; otherwise as rules, which say what can be reached from a root. Graphs take half of the time, or less: nothing
# has to be derived, and reasons are shorter.
#
# As rules, "hangs together" is said by deriving, from a root, what can be reached from it; a vertex that is met must be
# derived. Since clingo accepts only what has a foundation, vertices that hold each other up in a circle, away from the
# root, are found out (as unfounded sets) while it propagates, and it learns from them.
#
# The root is where every answer is known to stand: at a given option, or, where all options of an item that must be met
# stand in the graph, at the one that is taken; the item with the fewest such places is chosen. So a path of numberlink
# starts at its clue. If the item may be met more than once, the root is the first of these places that is met; if there
# is no such item, the first of all vertices, in the order of numbers.


_INIT, _CONTROL, _HELD = (f"struct clingo_{name} *" for name in ("propagate_init", "propagate_control", "control"))
PROPAGATOR = {  # in the order of `covr_clingo` in _graphs.h
    "clingo_control_register_propagator": f"_Bool(*)({_HELD}, struct clingo_propagator *, void *, _Bool)",
    "clingo_propagate_init_assignment": f"struct clingo_assignment *(*)({_INIT})",
    "clingo_propagate_init_solver_literal": f"_Bool(*)({_INIT}, int32_t, int32_t *)",
    "clingo_propagate_init_add_watch": f"_Bool(*)({_INIT}, int32_t)",
    "clingo_propagate_init_add_clause": f"_Bool(*)({_INIT}, int32_t *, size_t, _Bool *)",
    "clingo_propagate_control_assignment": f"struct clingo_assignment *(*)({_CONTROL})",
    "clingo_assignment_truth_value": "_Bool(*)(struct clingo_assignment *, int32_t, int *)",
    "clingo_propagate_control_add_clause": f"_Bool(*)({_CONTROL}, int32_t *, size_t, int, _Bool *)",
}
CALLED_BACK = {  # what a propagator consists of, in this order
    "init": f"_Bool(*)({_INIT}, void *)",
    "propagate": f"_Bool(*)({_CONTROL}, int32_t *, size_t, void *)",
    "undo": f"void(*)({_CONTROL}, int32_t *, size_t, void *)",
    "check": f"_Bool(*)({_CONTROL}, void *)",
    "decide": "_Bool(*)(uint32_t, struct clingo_assignment *, int32_t, void *, int32_t *)",
}


@cache
def propagator_calls() -> Sequence[int] | None:
    """The addresses of what a propagator needs, in the order of `PROPAGATOR`; None if they are not known."""
    return addresses(PROPAGATOR, CALLED_BACK)


def graph_sides(control: Any) -> Any:
    """Connections and loops that a clingo calls while it searches, `GraphSides` of _graphs.py; None if they are to be
    written as rules."""
    module = load("_graphs")
    known = propagator_calls() if module.COMPILED and hasattr(control, "_rep") else None
    if known is None:
        return None
    graphs = module.GraphSides()
    if not graphs.register(known, address(control)):
        refused()
    control.covr_graphs = [*getattr(control, "covr_graphs", ()), graphs]  # they must live as long as it does
    return graphs


# From a vertex to another one, and back: what must be true to get to the second, and to the first.
Edge = tuple[int, int, Literal, Literal]


class Graphs:
    """Writes the connections and loops of a problem."""

    def __init__(self, problem: Problem, control: Any, writer: RuleWriter, atoms: Sequence[int]) -> None:
        """atoms: per option, its atom."""
        self._problem, self._control, self._write, self._atoms = problem, control, writer, atoms
        self._shared = Counter(id(side.edges) for side in problem.sides if isinstance(side, Connection))
        self._near: dict[int, dict[int, list[int]]] = {}  # per edges that are shared, the higher neighbours of vertices
        self._standing: dict[int, dict[int, list[int]]] = {}
        self._met: dict[int, dict[int, Literal]] = {}

    def standing(self, side: Connection | Forest) -> dict[int, list[int]]:
        """Per vertex, the options that stand there. Made once, in linear time."""
        if id(side) not in self._standing:
            found: dict[int, list[int]] = {}
            for o, v in with_limit_checks(side.places):
                if v in found:
                    found[v].append(o)
                else:
                    found[v] = [o]
            self._standing[id(side)] = found
        return self._standing[id(side)]

    def met(self, side: Connection | Forest) -> dict[int, Literal]:
        """Per vertex, a literal that says whether a taken option stands there. Written once, in linear time."""
        if id(side) not in self._met:
            self._met[id(side)] = self._meeting(self.standing(side))
        return self._met[id(side)]

    def connection(self, side: Connection) -> None:
        """What is met hangs together. Time linear in the length of the side."""
        if self._sides is None:
            met = self.met(side)
            self._reach(met, self._between(side.edges, met), self._roots(self.standing(side)))
        else:
            self._sides.connection(*self._graph(side))

    def forest(self, side: Forest) -> None:
        """What is met has no ring. Time linear in the length of the side. Raises Unsuited where clingo calls no
        graphs."""
        self._called("a forest").forest(*self._graph(side))

    def _graph(self, side: Connection | Forest) -> tuple[array[int], array[int]]:
        """The literals of the vertices, and the ends of the edges."""
        met = self.met(side)
        number = {v: k for k, v in enumerate(met)}
        ends = array("i", [number[w] for u, v, _, _ in self._between(side.edges, met) for w in (u, v)])
        return array("i", [*met.values(), self._condition()]), ends

    def _called(self, what: str) -> Any:
        """The graphs that clingo calls. Raises Unsuited if there are none."""
        if self._sides is None:
            raise Unsuited(f"the engine `clingo` can't hold {what} here: covr's kernels are not compiled")
        return self._sides

    def circuit(self, side: Circuit) -> None:
        """The options that are taken form one loop. Time linear in the length of the side."""
        lines: dict[int, list[int]] = {}
        for o, u, v in with_limit_checks(side.ends):
            for w in (u, v):  # a line from a corner to itself meets it twice
                lines.setdefault(w, []).append(o)
        for options in with_limit_checks(lines.values()):
            ends = Counter(options)
            self._write.within([(self._atoms[o], times) for o, times in ends.items()], ((0, 0), (2, 2)))
        self._write.forbid([-self._atoms[o] for o, _, _ in side.ends])
        lit = self._atoms
        if self._sides is None:
            edges = ((u, v, lit[o], lit[o]) for o, u, v in side.ends if u != v)
            self._reach(self._meeting(lines), edges, self._roots(lines))
            return
        number = {v: k for k, v in enumerate(lines)}
        literals = array("i", [*(lit[o] for o, _, _ in side.ends), self._condition()])
        self._sides.circuit(len(lines), literals, array("i", [number[w] for _, u, v in side.ends for w in (u, v)]))

    @cached_property
    def _sides(self) -> Any:
        """The graphs that clingo calls; None where there are none."""
        return graph_sides(self._control)

    def _condition(self) -> Literal:
        """What must be true so that a side holds; 0 if it always does."""
        when = self._write.when
        if len(when) < 2:
            return when[0] if when else 0
        atom = self._write.new()
        self._write.implied(atom, when)
        return atom

    def areas(self, side: Areas) -> None:
        """The areas of what is taken meet their demands. Time linear in the length of the side. Raises Unsuited as
        `forest`."""
        AreaGraph(side, self._write, self._atoms).hand_over(self._called("areas"), self._condition())

    def _meeting(self, standing: Mapping[int, Sequence[int]]) -> dict[int, Literal]:
        return dict(zip(standing, self._write.one_of_each([*standing.values()], self._atoms), strict=True))

    def _between(self, edges: tuple[tuple[int, int], ...], met: Mapping[int, Literal]) -> Iterator[Edge]:
        """The edges between vertices that may be met. Where several connections share their edges, these are looked
        through once, and not for each of them."""
        if self._shared[id(edges)] == 1:
            yield from ((u, v, met[v], met[u]) for u, v in with_limit_checks(edges) if u in met and v in met)
            return
        if id(edges) not in self._near:
            near: dict[int, list[int]] = {}
            for u, v in with_limit_checks(edges):
                near.setdefault(u, []).append(v)
            self._near[id(edges)] = near
        near = self._near[id(edges)]
        for u in with_limit_checks(sorted(met)):
            yield from ((u, v, met[v], met[u]) for v in near.get(u, ()) if v in met)

    def _roots(self, standing: Mapping[int, Sequence[int]]) -> Roots | None:
        """Few vertices of which every answer meets one, as far as given options and single items tell; None if none are
        known. standing: per vertex, the options that meet it. Time linear in the length of those options."""
        problem = self._problem
        place: dict[int, int] = {}  # per option, its lowest vertex
        for v in with_limit_checks(sorted(standing, reverse=True)):
            place |= dict.fromkeys(standing[v], v)
        given = [place[o] for o in problem.given if o in place]
        if given:
            return Roots([(min(given), None)])
        whole = [
            i for i in with_limit_checks(range(problem.primary)) if all(map(place.__contains__, problem.holders[i]))
        ]
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
        for v in with_limit_checks(met):
            write.forbid([met[v], -reached[v]])
        for u, v, there, back in with_limit_checks(edges):
            write.implied(reached[v], [reached[u], there])
            write.implied(reached[u], [reached[v], back])

    def _first(self, vertices: Sequence[int], met: Mapping[int, Literal], reached: Mapping[int, int]) -> None:
        """The first of these vertices that is met is the root."""
        before = 0  # the atom that is true if a vertex before this one is met
        for v in with_limit_checks(vertices):
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


# --- clingo areas ----------------------------------------------------------------------------------------------------


class AreaGraph:
    """Hands over one `Areas`."""

    def __init__(self, side: Areas, writer: RuleWriter, atoms: Sequence[int]) -> None:
        """atoms: per option, its atom."""
        self._side, self._write, self._atoms = side, writer, atoms
        standing: dict[int, dict[int, None]] = {v: {} for v in side.always}
        for o, v in with_limit_checks(side.places):
            standing.setdefault(v, {})[o] = None
        self._met = {v: writer.one_of([atoms[o] for o in here]) for v, here in standing.items() if here}
        if side.always:
            true = writer.new()
            writer.fact(true)
            self._met |= dict.fromkeys(side.always, true)
        cuts: dict[tuple[int, int], dict[int, None]] = {}
        for o, u, v in side.cuts:
            cuts.setdefault((u, v), {})[o] = None
        self._closed = {edge: writer.one_of([atoms[o] for o in here]) for edge, here in cuts.items()}

    def hand_over(self, sides: Any, condition: Literal) -> None:
        """Add the areas to the graphs of a clingo. condition: what must be true so that they hold, or 0."""
        number = {v: k for k, v in enumerate(self._met)}
        literals = [*self._met.values()]
        doors = {edge: len(literals) + k for k, edge in enumerate(self._closed)}
        literals += self._closed.values()
        others: dict[Literal, int] = {}
        counting: dict[tuple[object, ...], list[AreaDemand]] = {}
        for one in with_limit_checks(self._side.demands):
            counting.setdefault(one.terms, []).append(one)
        flat = []  # as `GraphSides.terms` takes them
        for each in with_limit_checks(counting, 1):
            terms: dict[int, list[tuple[int, int]]] = {}
            for o, v, weight in with_limit_checks(counting[each][0].terms):
                if v in number:
                    own = self._atoms[o] == self._met[v]
                    item = number[v] if own else others.setdefault(self._atoms[o], len(literals) + len(others))
                    terms.setdefault(number[v], []).append((item, weight))
            begin = array("i", accumulate((len(terms.get(k, ())) for k in range(len(number))), initial=0))
            every = [pair for k in range(len(number)) for pair in terms.get(k, ())]
            flat.append((begin, array("i", [item for item, _ in every]), [weight for _, weight in every]))
        edges = [edge for edge in self._side.edges if edge[0] in number and edge[1] in number]
        ends = array("i", [number[v] for edge in edges for v in edge])
        closing = array("i", [doors.get(edge, -1) for edge in edges])
        sides.areas(len(number), array("i", [*literals, *others, condition]), ends, closing)
        for of, demands in zip(flat, counting.values(), strict=True):
            sides.terms(*of)
            for one in with_limit_checks(demands, 16):
                asks = 0 if one.anchors is None else 2 if one.waived else 1
                anchors = array("i", [number[v] for v in one.anchors or () if v in number])
                sides.demand(asks, anchors, one.sums)
