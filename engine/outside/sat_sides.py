"""Totals, connections and loops as clauses.

A total becomes a *decision diagram*: a layer for each group of options that exclude each other, and in it a node for
each partial sum, where partial sums that allow the same continuations share a node. A node has a variable, which is
true if the taken options lead there; a node from which no allowed sum can be reached must be false.

That places are connected, or lines one loop, would take too many clauses, so these are written only as they are broken.
At first there are variables for the vertices that are met, and each vertex of a loop is met twice or not at all. When
the solver finds options in several pieces, each piece is told from the largest by a *cut*: two vertices, one in each
piece, can both be met only if one of the vertices between them is met, too (for a loop: one of the lines that leave the
piece). A cut says nothing about any other option, so it holds for every answer.

Sources: Abío, Nieuwenhuis, Oliveras, Rodríguez-Carbonell and Mayer-Eichberger, "A new look at BDDs for pseudo-Boolean
constraints", 2012, for the diagrams; Dantzig, Fulkerson and Johnson, "Solution of a large-scale traveling-salesman
problem", 1954, for the cuts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Protocol

from covr.engine.base.extras import Unsuited
from covr.engine.base.heed import heeded, look
from covr.engine.prepare.totals import GroupedTotal, TotalSums
from covr.engine.problem import Problem
from covr.engine.sides import Circuit, Connection, Total

MOST_SUMS = 300_000  # partial sums, over all layers of a diagram, that a total may have

Clause = list[int]
Transition = tuple[int, tuple[int, ...]]  # what is added to the sum, and the literals of which one is true then

BAD, GOOD = -1, 0  # nodes of a diagram from which no allowed sum, or only allowed sums can be reached


class Writing(Protocol):
    """What clauses are written to."""

    def new(self) -> int:
        """A new variable."""

    def add(self, clause: Clause) -> None:
        """Write a clause."""

    def at_most(self, variables: Clause, room: int) -> None:
        """Write that at most `room` of these are true."""


class SideClauses:
    """The clauses of a problem's sides, and the cuts that answers to the others have broken."""

    def __init__(self, problem: Problem, variables: Mapping[int, int], writing: Writing) -> None:
        """Write everything but the cuts. Raises Unsuited if a total has more than `MOST_SUMS` partial sums.

        variables: the variable of every option that is open; others can't be taken, unless they are given.
        """
        self._problem, self._variables, self._writing = problem, variables, writing
        self._given = set(problem.given)
        self._graphs: list[_Pieces | _Lines] = []
        sums = TotalSums(problem)
        for side in problem.sides:
            if isinstance(side, Total):
                for total in sums.of(side):
                    self._total(total)
            elif isinstance(side, Connection):
                self._graphs.append(_Pieces(side, self))
            else:
                self._graphs.append(_Lines(side, self))

    def cuts(self, taken: Iterable[int]) -> list[Clause]:
        """Clauses that hold for every answer, but not for these options, which meet everything else; none if these
        options are an answer."""
        every = self._given.union(taken)
        return [clause for graph in self._graphs for clause in graph.cuts(every)]

    def can_be(self, option: int) -> bool:
        """Whether an option is given or open."""
        return option in self._variables or option in self._given

    def one_of(self, options: Iterable[int]) -> int:
        """A literal that is true if and only if at least one of these options is taken; 0 if one of them is given."""
        options = set(options)
        if options & self._given:
            return 0
        literals = sorted(self._variables[o] for o in options if o in self._variables)
        if len(literals) == 1:
            return literals[0]
        some = self._writing.new()
        for v in literals:
            self._writing.add([-v, some])
        self._writing.add([-some, *literals])
        return some

    # --- totals ---

    def _total(self, total: GroupedTotal) -> None:
        groups = [g for g in range(len(total.groups)) if total.groups[g].values]
        layers = [self._transitions(total, g) for g in groups]
        layers.sort(key=lambda ways: -max((number for number, _ in ways), default=0))
        root = self._diagram(total.ranges, layers)
        if root == BAD:
            self._writing.add([])
        elif root != GOOD:
            self._writing.add([root])

    def _transitions(self, total: GroupedTotal, group: int) -> list[Transition]:
        """The ways of a group: each number that it can add. If none of the literals is named, none of the group's
        options is taken, or one is given."""
        own = total.groups[group]
        for number, options in own.values:
            if self._given.intersection(options):
                return [(number, ())]
        ways = [
            (number, tuple(self._variables[o] for o in options if o in self._variables))
            for number, options in own.values
        ]
        ways = [(number, literals) for number, literals in ways if literals]
        held = sum(len(options) for _, options in own.values)
        whole = own.item >= 0 and len(self._problem.holders[own.item]) == held
        return ways if whole else [*ways, (own.empty, ())]

    def _diagram(self, ranges: Sequence[tuple[int, int]], layers: Sequence[Sequence[Transition]]) -> int:
        """The node of the first layer. Every node implies, for each way of its group, the node that the way leads
        to."""
        reached: list[list[int]] = [[0]]
        spent = 1
        for ways in layers:
            look()
            reached.append(sorted({x + number for x in reached[-1] for number, _ in ways}))
            spent += len(reached[-1])
            if spent > MOST_SUMS:
                raise Unsuited(f"the engine `sat` can't tell more than {MOST_SUMS} partial sums of a total apart")
        nodes = {x: GOOD if any(low <= x <= high for low, high in ranges) else BAD for x in reached[-1]}
        for ways, sums in zip(reversed(layers), reversed(reached[:-1]), strict=True):
            made: dict[tuple[int, ...], int] = {}
            above: dict[int, int] = {}
            for x in heeded(sums):
                below = tuple(nodes[x + number] for number, _ in ways)
                if below not in made:
                    made[below] = self._node(ways, below)
                above[x] = made[below]
            nodes = above
        return nodes[0]

    def _node(self, ways: Sequence[Transition], below: Sequence[int]) -> int:
        """A node whose ways lead to the nodes `below`."""
        if len(set(below)) <= 1:
            return below[0] if below else BAD
        node = self._writing.new()
        rest = next((to for (_, literals), to in zip(ways, below, strict=True) if not literals), None)
        others: Clause = []  # the literals whose ways lead elsewhere than to `rest`
        for (_, literals), to in zip(ways, below, strict=True):
            if to == rest:
                continue
            others += literals
            if to != GOOD:
                for v in literals:
                    self._writing.add([-node, -v] if to == BAD else [-node, -v, to])
        if rest is not None and rest != GOOD:
            self._writing.add([-node, *others] if rest == BAD else [-node, *others, rest])
        return node


class _Pieces:
    """A connection: its vertices at which an option can stand, with their neighbours among them."""

    def __init__(self, side: Connection, sides: SideClauses) -> None:
        places: dict[int, set[int]] = {}
        for o, v in side.places:
            if sides.can_be(o):
                places.setdefault(v, set()).add(o)
        self._places = places
        self._near: dict[int, set[int]] = {v: set() for v in places}
        for u, v in side.edges:
            if u in places and v in places:
                self._near[u].add(v)
                self._near[v].add(u)
        self._stands = {v: sides.one_of(options) for v, options in heeded(places.items())}

    def cuts(self, taken: Set[int]) -> list[Clause]:
        standing = {v for v, options in self._places.items() if not options.isdisjoint(taken)}
        pieces = _pieces(standing, self._near)
        found: list[Clause] = []
        for piece in pieces[1:]:
            u, w = min(piece), min(pieces[0])
            around = {x for v in piece for x in self._near[v]} - piece
            beyond = _flood(w, self._near, around)
            between = {x for x in around if not self._near[x].isdisjoint(beyond)}
            found.append(_cut(self._stands[u], self._stands[w], [self._stands[x] for x in sorted(between)]))
        return found


class _Lines:
    """A circuit: the lines that can be taken, and the vertices that they meet."""

    def __init__(self, side: Circuit, sides: SideClauses) -> None:
        self._ends = {o: (u, v) for o, u, v in side.ends if sides.can_be(o)}
        self._meet: dict[int, set[int]] = {}
        for o, ends in self._ends.items():
            for v in ends:
                self._meet.setdefault(v, set()).add(o)
        self._literal = {o: sides.one_of((o,)) for o in self._ends}
        self._on = {v: sides.one_of(lines) for v, lines in heeded(self._meet.items())}
        self._write(sides)

    def _write(self, sides: SideClauses) -> None:
        """Write that some line is taken, that each vertex is met twice or not at all, and that a line from a vertex to
        itself is the only one."""
        writing = sides._writing
        short = [o for o, (u, v) in self._ends.items() if u == v]
        proper = [o for o, (u, v) in self._ends.items() if u != v]
        literals = [self._literal[o] for o in self._ends]
        if 0 not in literals:
            writing.add(literals)
        if short:
            some = sides.one_of(proper) if proper else None
            for o in short:
                if some is not None:
                    self._not_both(self._literal[o], some, writing)
            for k, o in enumerate(short):
                for p in short[:k]:
                    self._not_both(self._literal[o], self._literal[p], writing)
        for lines in heeded(self._meet.values()):
            own = sorted(o for o in lines if self._ends[o][0] != self._ends[o][1])
            sure = sum(self._literal[o] == 0 for o in own)
            loose = [v for o in own if (v := self._literal[o])]
            writing.at_most(loose, 2 - sure) if sure <= 2 else writing.add([])
            for o in own:
                others = [self._literal[p] for p in own if p != o]
                if 0 not in others:
                    writing.add([*([-self._literal[o]] if self._literal[o] else []), *others])

    @staticmethod
    def _not_both(one: int, other: int, writing: Writing) -> None:
        """Write that one of two literals is false, where 0 stands for what is true."""
        writing.add([-v for v in (one, other) if v])

    def cuts(self, taken: Set[int]) -> list[Clause]:
        near: dict[int, set[int]] = {}
        for o in self._ends.keys() & taken:
            u, v = self._ends[o]
            near.setdefault(u, set()).add(v)
            near.setdefault(v, set()).add(u)
        pieces = _pieces(near.keys(), near)
        found: list[Clause] = []
        for piece in pieces[1:]:
            lines = {o for v in piece for o in self._meet[v] if not piece.issuperset(self._ends[o])}
            u, w = min(piece), min(pieces[0])
            found.append(_cut(self._on[u], self._on[w], [self._literal[o] for o in sorted(lines)]))
        return found


def _cut(one: int, other: int, between: Sequence[int]) -> Clause:
    """The clause that says: not both of these, unless something between them is true. 0 stands for what is true."""
    assert 0 not in between, "what is given and lies between two pieces joins them"
    return [*[-v for v in (one, other) if v], *between]


def _pieces(vertices: Iterable[int], near: Mapping[int, Set[int]]) -> list[set[int]]:
    """The connected pieces of a part of a graph, the largest first, and of equally large ones that with the lowest
    vertex."""
    left, pieces = set(vertices), []
    while left:
        piece: set[int] = set()
        todo = [min(left)]
        while todo:
            v = todo.pop()
            if v in left:
                left.discard(v)
                piece.add(v)
                todo += near[v]
        pieces.append(piece)
    return sorted(pieces, key=lambda piece: (-len(piece), min(piece)))


def _flood(start: int, near: Mapping[int, Set[int]], walls: Set[int]) -> set[int]:
    """The vertices that can be reached from a vertex without entering the walls."""
    seen, todo = {start}, [start]
    while todo:
        for v in near[todo.pop()]:
            if v not in seen and v not in walls:
                seen.add(v)
                todo.append(v)
    return seen
