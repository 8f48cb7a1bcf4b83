"""A problem as clauses, for python-sat's CaDiCaL."""

from __future__ import annotations

import importlib.util
import random
import weakref
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from threading import Thread, current_thread, main_thread
from typing import Any, Protocol

from attrs import evolve

from covr.engine.base.alone import Unsuited
from covr.engine.base.limits import Counters, Limits, Status, check_limits, with_limit_checks
from covr.engine.prepare.frontier import shuffle
from covr.engine.prepare.masks import take_given
from covr.engine.prepare.sides import GroupedTotal, TotalSums
from covr.engine.problem import Circuit, Connection, Problem, Total
from covr.engine.search import NO_LIMITS, Answer, Search
from covr.engine.settings import Settings

# --- sat sides -------------------------------------------------------------------------------------------------------
# Totals, connections and loops as clauses.
#
# A total becomes a *decision diagram*: a layer for each group of options that exclude each other, and in it a node for
# each partial sum, where partial sums that allow the same continuations share a node. A node has a variable, which is
# true if the taken options lead there; a node from which no allowed sum can be reached must be false.
#
# That places are connected, or lines one loop, would take too many clauses, so these are written only as they are
# broken. At first there are variables for the vertices that are met, and each vertex of a loop is met twice or not at
# all. When the solver finds options in several pieces, each piece is told from the largest by a *cut*: two vertices,
# one in each piece, can both be met only if one of the vertices between them is met, too (for a loop: one of the lines
# that leave the piece). A cut says nothing about any other option, so it holds for every answer.
#
# Sources: Abío, Nieuwenhuis, Oliveras, Rodríguez-Carbonell and Mayer-Eichberger, "A new look at BDDs for pseudo-Boolean
# constraints", 2012, for the diagrams; Dantzig, Fulkerson and Johnson, "Solution of a large-scale traveling-salesman
# problem", 1954, for the cuts.


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
            check_limits()
            reached.append(sorted({x + number for x in reached[-1] for number, _ in ways}))
            spent += len(reached[-1])
            if spent > MOST_SUMS:
                raise Unsuited(f"the engine `sat` can't tell more than {MOST_SUMS} partial sums of a total apart")
        nodes = {x: GOOD if any(low <= x <= high for low, high in ranges) else BAD for x in reached[-1]}
        for ways, sums in zip(reversed(layers), reversed(reached[:-1]), strict=True):
            made: dict[tuple[int, ...], int] = {}
            above: dict[int, int] = {}
            for x in with_limit_checks(sums):
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
        self._stands = {v: sides.one_of(options) for v, options in with_limit_checks(places.items())}

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
        self._on = {v: sides.one_of(lines) for v, lines in with_limit_checks(self._meet.items())}
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
        for lines in with_limit_checks(self._meet.values()):
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


# --- sat -------------------------------------------------------------------------------------------------------------
# A problem as clauses, for a solver that learns: python-sat's CaDiCaL, the optional extra `covr[sat]`.
#
# There is one variable for each option that may be taken. An item with `low` 1 becomes a clause. For an item with
# `high` 1, at most one of its options may be true; this is written as a clause for every pair if there are few options,
# and as a sequential counter if there are many. For other bounds a totalizer counts up to the bound; one that would
# take more than `MOST_CLAUSES` clauses is refused. A coloured item has a variable for each colour, which is implied by
# every option that shows the colour; at most one of these variables and of the item's uncoloured options may be true.
# Totals, connections and loops: see sat.py.
#
# Once an answer is found, a clause excludes it, and all that count as one with it; then the solver continues. So the
# answers do not come in the documented order, but in the same order each time. A seed shuffles the variables and
# clauses, and the values that the solver tries first. `nodes` counts conflicts and answers.
#
# Sources: Sinz, "Towards an optimal CNF encoding of Boolean cardinality constraints", CP 2005; Bailleux and Boufkhad,
# "Efficient CNF encoding of Boolean cardinality constraints", CP 2003; Knuth, TAOCP 7.2.2.2. The totalizer is our own,
# because python-sat's is built in one call, which ignores limits and Ctrl-C, and counts beyond the bound.
# Not worthwhile on 25×25 sudoku: the product encoding, and making the solver try options as false first.


SOLVER = "cadical195"  # python-sat's name of CaDiCaL 1.9.5
PAIRS = 6  # variables: for up to this many, "at most one is true" is written as a clause for every pair
CONFLICTS = 2000  # the most conflicts between two checks of the clock
FEWER = 40_000_000  # conflicts times clauses between two checks, at most: with more clauses each conflict takes longer
MOST_CLAUSES = 5_000_000  # clauses that one bound may take
LOADED = 5000  # clauses that are loaded between two checks of the limits
INSTALLED = importlib.util.find_spec("pysat") is not None


def can_encode(problem: Problem) -> bool:
    """Whether bounds above 1 take few enough clauses."""
    return too_wide(problem) is None


def too_wide(problem: Problem) -> tuple[int, int] | None:
    """The number of options and the bound of the first item whose totalizer would be too large; None if there is none.
    A totalizer takes about as many clauses as the product of the two."""
    held = Counter(with_limit_checks(problem.members))
    for i, (low, high) in enumerate(with_limit_checks(zip(problem.low, problem.high, strict=True))):
        if 1 < low <= held[i] and held[i] * low > MOST_CLAUSES:
            return held[i], low
        if 1 < high < held[i] and held[i] * high > MOST_CLAUSES:
            return held[i], high
    return None


class Clauses:
    """The clauses of a problem. variables: the variable of each live option.  numbers: the options of the variables
    1, 2, …"""

    def __init__(self, problem: Problem, projection: Sequence[int] | None = None) -> None:
        """projection: the options that tell answers apart; None for all. Time linear in the length of the options, plus
        that for bounds above 1."""
        residual = take_given(evolve(problem, sides=()))
        self.clauses: list[Clause] = [] if residual.feasible else [[]]
        self.numbers = [o for o in with_limit_checks(range(problem.options)) if residual.live[o]]
        self.top = len(self.numbers)
        holders: list[Clause] = [[] for _ in range(problem.items)]
        shades: list[dict[int, Clause]] = [{} for _ in range(problem.items)]
        for v, o in enumerate(with_limit_checks(self.numbers), 1):
            for i, c in zip(problem.option(o), problem.option_colours(o), strict=True):
                if not c:
                    holders[i].append(v)
                elif residual.fixed[i] != c:
                    shades[i].setdefault(c, []).append(v)
        for i in with_limit_checks(range(problem.items), 64):
            if shades[i]:
                holders[i] += [self._shade(users) for users in shades[i].values()]
            self._at_least(holders[i], residual.need[i])
            self.at_most(holders[i], residual.room[i])
        self._sides: SideClauses | None = None
        if problem.sides:
            self._sides = SideClauses(problem, {o: v for v, o in enumerate(self.numbers, 1)}, self)
        self._searched = tuple(self.numbers)
        # If every option holds an item that is met exactly once, no answer contains another answer.
        exact = [lo == hi == 1 for lo, hi in with_limit_checks(zip(problem.low, problem.high, strict=True))]
        self.blocked_by_taken = projection is None and all(
            any(exact[i] for i in problem.option(o)) for o in with_limit_checks(self.numbers)
        )
        telling = None if projection is None else set(projection)
        self.telling = [v for v, o in enumerate(self.numbers, 1) if telling is None or o in telling]

    def block(self, taken: set[int]) -> Clause:
        """The clause that excludes the answer with these variables, and those that count as one with it. Empty if that
        leaves none."""
        if self.blocked_by_taken:
            return [-v for v in sorted(taken)]
        return [-v if v in taken else v for v in self.telling]

    def new(self) -> int:
        """A new variable."""
        self.top += 1
        return self.top

    def add(self, clause: Clause) -> None:
        """Write a clause."""
        self.clauses.append(clause)

    def cuts(self, taken: Iterable[int]) -> list[Clause]:
        """Clauses that an answer keeps and these variables break, though they meet all clauses so far; none if they are
        an answer."""
        return [] if self._sides is None else self._sides.cuts(self._searched[v - 1] for v in taken)

    def _shade(self, users: Clause) -> int:
        shown = self.new()
        self.clauses += [[-v, shown] for v in users]
        return shown

    def _at_least(self, variables: Clause, need: int) -> None:
        if need == 1:
            self.clauses.append(variables.copy())
        elif need > len(variables):
            self.clauses.append([])
        elif need > 1:
            self.clauses.append([self._totals(variables, need, least=True)[need - 1]])

    def at_most(self, variables: Clause, room: int) -> None:
        """Write that at most `room` of these variables are true."""
        n = len(variables)
        if room >= n:
            return
        if room <= 0:
            self.clauses += [[-v] for v in variables]
        elif room > 1:
            self.clauses.append([-self._totals(variables, room + 1, least=False)[room]])
        elif n <= PAIRS:
            self.clauses += [[-v, -w] for k, v in enumerate(variables) for w in variables[:k]]
        else:
            before = 0  # whether one of the variables so far is true
            for v in variables[:-1]:
                now = self.new()
                self.clauses.append([-v, now])
                if before:
                    self.clauses += [[-before, now], [-before, -v]]
                before = now
            self.clauses.append([-before, -variables[-1]])

    def _totals(self, variables: Clause, most: int, *, least: bool) -> Clause:
        """Variables that stand for "at least 1, 2, … `most` of these are true". With `least`, such a variable can be
        true only if so many are; without it, it can be false only if fewer are."""
        layer = [[v] for v in variables]
        while len(layer) > 1:
            odd = layer[-1:] if len(layer) % 2 else []
            pairs = zip(layer[::2], layer[1::2], strict=False)
            layer = [self._sum(a, b, most, least) for a, b in pairs] + odd
        return layer[0]

    def _sum(self, a: Clause, b: Clause, most: int, least: bool) -> Clause:
        """The totals of two sets of variables together, from the totals of each. Clauses: about the product of the two
        numbers."""
        total = [self.new() for _ in range(min(len(a) + len(b), most))]
        if least:  # a total of both is reached only if this total of `a` or that total of `b` is
            self.clauses += [[-t, w] for t, w in zip(total[len(a) :], b, strict=False)]
            self.clauses += [[-t, v] for t, v in zip(total[len(b) :], a, strict=False)]
            for i, v in enumerate(a):
                check_limits()
                self.clauses += [[-t, v, w] for t, w in zip(total[i:], b, strict=False)]
        else:  # if both of these totals are reached, so is their sum
            self.clauses += [[-v, t] for v, t in zip(a, total, strict=False)]
            self.clauses += [[-w, t] for w, t in zip(b, total, strict=False)]
            for i, v in enumerate(a):
                check_limits()
                self.clauses += [[-v, -w, t] for t, w in zip(total[i + 1 :], b, strict=False)]
        return total


class SatSearch(Search):
    """A `Search` for every answer by a SAT solver."""

    def __init__(self, problem: Problem, limits: Limits = NO_LIMITS, settings: Settings | None = None) -> None:
        """Raises ValueError if python-sat is not installed, if there is a ceiling, and if a bound or a total would take
        too many clauses. For the time see `Clauses`."""
        settings = settings or Settings()
        if not INSTALLED:
            raise ValueError("the engine `sat` needs the package python-sat: pip install 'covr[sat]'")
        if settings.ceiling is not None:
            raise ValueError("the engine `sat` knows no costs")
        if (wide := too_wide(problem)) is not None:
            raise Unsuited(
                f"the engine `sat` can't count to {wide[1]} among {wide[0]} options: it would take more than "
                f"{MOST_CLAUSES:,} clauses".replace(",", " ")
            )
        from pysat.solvers import Solver  # type: ignore[import-untyped, import-not-found, unused-ignore]

        super().__init__(problem, "all", limits, settings)
        searched, numbers = (problem, None) if settings.seed is None else shuffle(problem, settings.seed)
        self._encoded = Clauses(searched.by_all(), searched.projection)
        if numbers is not None:
            self._encoded.numbers = [numbers[o] for o in self._encoded.numbers]
        self._impossible = any(not clause for clause in self._encoded.clauses)
        self._solver: Any = Solver(name=SOLVER)
        weakref.finalize(self, self._solver.delete)
        for at in range(0, len(self._encoded.clauses), LOADED):
            self._solver.append_formula([c for c in self._encoded.clauses[at : at + LOADED] if c])
            check_limits()
        if settings.seed is not None:
            rng = random.Random(settings.seed)
            self._solver.set_phases([rng.choice((v, -v)) for v in range(1, len(self._encoded.numbers) + 1)])
        self._calls = self._answers = 0

    @property
    def engine(self) -> str:
        return "SAT (CaDiCaL 1.9.5)"

    @property
    def counters(self) -> Counters:
        stats = self._solver.accum_stats() or {}
        return Counters(self._calls + stats.get("conflicts", 0), stats.get("propagations", 0), self._answers)

    def _advance(self, nodes: int, listing: bool = True) -> None:
        if self._ended():
            return
        try:
            with self.clock:
                self._call(min(nodes, max(FEWER // (len(self._encoded.clauses) + 1), 1), CONFLICTS, self._left()))
                if not listing:
                    self.waiting()
        except BaseException:
            self.status = Status.INTERRUPTED
            raise

    def _only_count(self) -> None:
        """Count the answers by finding every one of them."""

    def _left(self) -> int:
        return CONFLICTS if self.limits.nodes is None else self.limits.nodes - self.counters.nodes

    def _call(self, conflicts: int) -> None:
        if conflicts <= 0:
            self.status = Status.LIMIT
            return
        self._calls += 1
        self._solver.conf_budget(conflicts)
        found = False if self._impossible else self._solved()
        if found is None:
            return
        if not found:
            self.status = Status.EXHAUSTED
            return
        own = len(self._encoded.numbers)
        taken = {v for v in self._solver.get_model() if 0 < v <= own}
        if cuts := self._encoded.cuts(taken):
            self._impossible = any(not cut for cut in cuts)
            for cut in cuts:
                self._solver.add_clause(cut) if cut else None
            return
        barred = self._encoded.block(taken)
        if barred:
            self._solver.add_clause(barred)
        self._impossible = not barred
        self._answers += 1
        self._keep(tuple(sorted([*(self._encoded.numbers[v - 1] for v in taken), *self.problem.given])))
        if self._answers == self.limits.answers:
            self.status = Status.SOLVED

    def _solved(self) -> bool | None:
        """Whether there is an answer; None if the budget of conflicts was not enough.

        In the main thread, python-sat would handle Ctrl-C itself and leave the solver unusable, so it is called in
        another thread.
        """
        if current_thread() is not main_thread():
            return self._solver.solve_limited(expect_interrupt=True)  # type: ignore[no-any-return]
        said: list[bool | None] = []
        thread = Thread(target=lambda: said.append(self._solver.solve_limited(expect_interrupt=True)), daemon=True)
        thread.start()
        thread.join()
        return said[0]

    def bar(self, answer: Answer) -> None:
        """Exclude this answer from what is still to be found."""
        place = {o: v for v, o in enumerate(self._encoded.numbers, 1)}
        clause = self._encoded.block({place[o] for o in answer if o in place})
        if clause:
            self._solver.add_clause(clause)
        else:
            self._impossible = True


def start(problem: Problem, goal: str, limits: Limits, settings: Settings) -> SatSearch:
    """As an `Approach` (plan.py)."""
    return SatSearch(problem, limits, settings)
