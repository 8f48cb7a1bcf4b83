"""Linear programs for problems with sides: totals as rows, cuts for connections, and the tree."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from math import gcd
from typing import Any

from attrs import evolve

from covr.engine.base.limits import with_limit_checks
from covr.engine.check import check
from covr.engine.kernels.header import MIXED_UNBOUNDED as UNBOUNDED
from covr.engine.kernels.loading import load
from covr.engine.minimum.mixed_core import COARSEST, MOST_ROWS, HeavyRow, MixedCore, most_of, sided_core
from covr.engine.minimum.mixed_tree import BoundTree, _decisions, kernel_of
from covr.engine.prepare.sides import Terms, at_most, implied, side_arrays, side_names
from covr.engine.problem import MAX_COST, Circuit, Connection, Problem, Side, Total
from covr.engine.witness import hold_rows, hold_watch, watch_sides

# --- sided rows ------------------------------------------------------------------------------------------------------
# Totals as rows of a linear program: lo ≤ sum of coefficients ≤ hi, where lo and hi are the outermost allowed sums.
#
# Gaps between allowed sums are left to the search that watches the tree (sided_tree.py). Three things tighten rows:
#
# - In a total with gaps, the options with the largest coefficient may be a *switch*: each adds more than all others can
#   differ by, so that the sum tells how many of them are taken, and with all of them, or none, the others may add less
#   than they could. That is one row for each bound: `if f(x) then exactly 2 …` is such a total (lower/demands.py of the
#   compiler), and without these rows the program takes f(x) whatever the others are.
#
# - Coefficients are divided by their greatest common divisor, and the bounds rounded to match.
# - Rows "at most hi" are made tighter as `at_most` says (prepare/sides.py). Without this, the linear program opens a
#   depot by the fraction of its room that is used, or not at all.
#
# A row whose coefficients are too large for the kernel is divided by a power of 2 and rounded in the direction that
# allows more; one with two bounds then becomes two rows.
#
# Source: coefficients are lowered as in Savelsbergh, "Preprocessing and probing techniques for mixed integer
# programming", 1994.


LARGEST_ROW = UNBOUNDED // 4  # coefficients of a row add up to less, signs left out


def total_rows(
    sides: Sequence[Side], taken: Collection[int], out: Collection[int], implied: Sequence[int]
) -> Iterator[HeavyRow]:
    """The rows of the totals, in the problem's numbers.

    taken, out: options that all answers take, or none.  implied: per option, one without which it can't be taken, or
    -1. Time linear in the length of the totals, besides sorting.
    """
    for side in with_limit_checks(sides):
        if isinstance(side, Total) and side.sums:
            fixed = sum(c for o, c in side.terms if o in taken)
            terms = [(o, c) for o, c in side.terms if o not in taken and o not in out]
            ranges = [(low - fixed, high - fixed) for low, high in side.sums]
            yield from rows_of(terms, ranges[0][0], ranges[-1][1], implied)
            if len(ranges) > 1 and terms:
                yield from _switched(terms, ranges, implied)


def _switched(terms: Terms, ranges: Sequence[tuple[int, int]], implied: Sequence[int]) -> Iterator[HeavyRow]:
    """The rows of a total with gaps that has a switch; none if it has none."""
    step = max(abs(c) for _, c in terms)
    others = [(o, c) for o, c in terms if abs(c) < step]
    least, most = sum(c for _, c in others if c < 0), sum(c for _, c in others if c > 0)
    if step <= most - least:
        return
    switch = [(o, 1 if c > 0 else -1) for o, c in terms if abs(c) == step]
    for end, sign in ((sum(s for _, s in switch if s > 0), 1), (sum(s for _, s in switch if s < 0), -1)):
        # With the switch at this end, the others add between low and high.
        own = [(max(low - end * step, least), min(high - end * step, most)) for low, high in ranges]
        own = [(low, high) for low, high in own if low <= high]
        if not own:  # it is never at this end
            yield from rows_of([(o, s * sign) for o, s in switch], -len(switch), end * sign - 1, implied)
            continue
        for by, at_least, bound in ((least - own[0][0], True, own[0][0]), (most - own[-1][1], False, own[-1][1])):
            if by:
                row = sorted([*others, *((o, s * sign * by) for o, s in switch)])
                whole = sum(abs(c) for _, c in row)
                shifted = bound + end * sign * by
                low, high = (shifted, whole) if at_least else (-whole, shifted)
                yield from rows_of(row, low, high, implied)


def rows_of(terms: Terms, low: int, high: int, implied: Sequence[int]) -> Iterator[HeavyRow]:
    """The rows that say that a sum is between two bounds; none where it always is."""
    if not terms:
        return
    unit = gcd(*(c for _, c in terms))
    terms, low, high = [(o, c // unit) for o, c in terms], -(-low // unit), high // unit
    least, most = sum(c for _, c in terms if c < 0), sum(c for _, c in terms if c > 0)
    low, high = max(low, least), min(high, most)
    if low <= least and high >= most:
        return
    if low <= least and least == 0:
        yield from _fitted(*at_most(terms, high, implied))
    elif high >= most or low <= least:
        yield from _fitted(terms, low, high)
    elif most - least < LARGEST_ROW:
        yield HeavyRow(low, high, terms)
    else:
        yield from _fitted(terms, low, most)
        yield from _fitted(terms, least, high)


def _fitted(terms: Terms, low: int, high: int) -> Iterator[HeavyRow]:
    """The row, with coefficients small enough for the kernel. At most one of the bounds can be broken."""
    least, most = sum(c for _, c in terms if c < 0), sum(c for _, c in terms if c > 0)
    shift = max((most - least).bit_length() - (LARGEST_ROW - len(terms)).bit_length() + 1, 0)
    if shift and low > least:
        terms, low = [(o, -(-c >> shift)) for o, c in terms], -(-low >> shift)
        high = sum(c for _, c in terms if c > 0)
    elif shift:
        terms, high = [(o, c >> shift) for o, c in terms], high >> shift
        low = sum(c for _, c in terms if c < 0)
    terms = [(o, c) for o, c in terms if c]
    least, most = sum(c for _, c in terms if c < 0), sum(c for _, c in terms if c > 0)
    if terms and (low > least or high < most):
        yield HeavyRow(max(low, least), UNBOUNDED if high >= most else high, terms)


# --- sided cuts ------------------------------------------------------------------------------------------------------
# Rows that hold because something is connected or forms a loop, found where a linear program breaks them.
#
# **Connections.** Let the taken options certainly stand at one of the vertices A, and also at one of the vertices B:
# all options of an item that needs one stand there, or an option that every answer takes. If all ways from A to B lead
# through the vertices S, which may contain vertices of A and B, then an option at S must be taken: the options that
# stand at S add up to at least 1. In place of B there may be any option o, and then they add up to at least x[o]; if
# nothing is certain, some option r is put in place of A, and it is x[o] + x[r] - 1. The S that a solution of the linear
# program breaks most is a least cut in the graph whose vertices have the values of their options as capacities.
#
# **Circuits.** A loop that visits a vertex in a set S and one outside crosses its boundary at least twice: the lines
# between S and the rest add up to at least 2 if vertices on both sides are certainly visited; to 2 x[o] or 2 (x[o] +
# x[r]
# - 1) as above if that is only so when o and r are taken. Besides, two lines meet at a vertex at most, and a line is
#   never alone there.
#
# Rows that values miss by less than `LEAST` are let be. Everything here is proved from the meaning of the statement
# alone, so rows stay valid wherever the search goes.
#
# Source: cuts for loops are those of Dantzig, Fulkerson and Johnson, "Solution of a large-scale traveling-salesman
# problem", 1954; cuts for connections the node separators of Fischetti and others, "Thinning out Steiner trees", 2017.


LEAST = 0.2  # by how much a row must be broken to be worth adding
MOST = 15  # rows that one connection or loop adds at once, and options that stand in for a certain vertex

Values = Sequence[float]  # per option of the problem, its value in the linear program
Cuts = Callable[[Values], Iterator[HeavyRow]]
Weights = dict[int, int]  # per option, its coefficient


def certain(problem: Problem, taken: Collection[int], out: Collection[int]) -> list[list[int]]:
    """Sets of options of which every answer takes at least one: single ones, and those of items that need one."""
    found = [[o] for o in sorted(taken)]
    for i in with_limit_checks(range(problem.primary)):
        held = problem.holders[i]
        if not any(o in taken for o in held):
            found.append([o for o in held if o not in out])
    return found


def cuts_of(problem: Problem, taken: Collection[int], out: Collection[int]) -> list[Cuts]:
    """What finds the broken rows of each connection and each circuit.

    taken, out: options that all answers take, or none. The rows are in the problem's numbers, taken options included.
    """
    sets = certain(problem, taken, out)
    found: list[Cuts] = []
    for side in problem.sides:
        if isinstance(side, Connection):
            found.append(ConnectionCuts(side, sets, taken, out))
        elif isinstance(side, Circuit):
            found.append(CircuitCuts(side, sets, out))
    return found


def _row(low: int, weights: Weights) -> HeavyRow:
    return HeavyRow(low, UNBOUNDED, sorted((o, w) for o, w in weights.items() if w))


def _missing(low: int, weights: Weights, x: Values) -> float:
    """By how much values miss a row "at least low"."""
    return low - sum(w * x[o] for o, w in weights.items())


def _better(rows: Iterable[tuple[float, int, Weights]]) -> Iterator[HeavyRow]:
    """The most broken of some rows, each once."""
    seen: set[tuple[int, tuple[tuple[int, int], ...]]] = set()
    for _, low, weights in sorted(rows, key=lambda row: -row[0])[: 2 * MOST]:
        row = _row(low, weights)
        if (key := (low, tuple(row.terms))) not in seen and len(seen) < MOST:
            seen.add(key)
            yield row


class ConnectionCuts:
    """The cuts of one connection."""

    def __init__(
        self, side: Connection, sets: Sequence[Sequence[int]], taken: Collection[int], out: Collection[int]
    ) -> None:
        """sets: those of `certain`."""
        self.stands: dict[int, list[int]] = {}  # per vertex, the options that can stand there
        self.places: dict[int, list[int]] = {}
        for o, v in with_limit_checks(sorted(set(side.places))):
            if o not in out:
                self.stands.setdefault(v, []).append(o)
                self.places.setdefault(o, []).append(v)
        self.number = {v: k for k, v in enumerate(self.stands)}
        edges = [(self.number[u], self.number[v]) for u, v in side.edges if u in self.number and v in self.number]
        # A vertex is a line from 2k to 2k + 1, and an edge two lines between the ends of one and the begins of another.
        between = [end for u, v in edges for end in ((2 * u + 1, 2 * v), (2 * v + 1, 2 * u))]
        self.tails = [*range(0, 2 * len(self.stands), 2), *(u for u, _ in between)]
        self.heads = [*range(1, 2 * len(self.stands), 2), *(v for _, v in between)]
        self.sure = {v for o in taken for v in self.places.get(o, ())}
        whole = [held for held in sets if held and all(o in self.places for o in held)]
        self.anchors = [sorted({self.places[o][0] for o in held}) for held in whole]

    def __call__(self, x: Values) -> Iterator[HeavyRow]:
        """The rows that the values break."""
        rooms = [UNBOUNDED if v in self.sure else sum(x[o] for o in held) for v, held in self.stands.items()]
        taken = sorted((o for o in self.places if x[o] > LEAST), key=lambda o: (-x[o], o))
        if self.anchors:
            root, first = self.anchors[0], None
            goals: list[tuple[Sequence[int], int | None]] = [(anchor, None) for anchor in self.anchors[1:]]
        elif taken:
            root, first, goals = self.places[taken[0]], taken[0], []
        else:
            return
        rows = list(self._broken(root, first, goals, rooms, x))
        if not rows:
            more = [(self.places[o], o) for o in taken if o != first]
            rows = list(self._broken(root, first, more[:MOST], rooms, x))
        yield from _better(rows)

    def _broken(
        self,
        root: Sequence[int],
        first: int | None,
        goals: Iterable[tuple[Sequence[int], int | None]],
        rooms: Sequence[float],
        x: Values,
    ) -> Iterator[tuple[float, int, Weights]]:
        """Broken rows between the root and each of some goals, each with by how much it is broken.

        first: the option that stands at the root if that is not certain.  goals: vertices, and the option that stands
        there if that is not certain.
        """
        count = len(rooms)
        source, sink = 2 * count, 2 * count + 1
        flows = load("_flow")
        for vertices, option in with_limit_checks(goals, 1):
            free = {self.number[v] for o in (first, option) if o is not None for v in self.places[o]}
            needs = (1.0 if option is None else x[option]) + (0.0 if first is None else x[first] - 1.0)
            if needs <= LEAST:
                continue
            begins, ends = [2 * self.number[v] for v in root], [2 * self.number[v] + 1 for v in vertices]
            tails = [*self.tails, *[source] * len(begins), *ends]
            heads = [*self.heads, *begins, *[sink] * len(ends)]
            there = [UNBOUNDED if k in free else room for k, room in enumerate(rooms)]
            there += [UNBOUNDED] * (len(tails) - count)
            net = flows.Flow(2 * count + 2, tails, heads, there, [0.0] * len(tails))
            flow, near = net.cut(source, sink, needs)
            if flow >= needs - LEAST:
                continue
            weights: Weights = {}
            for v, k in self.number.items():
                if near[2 * k] and not near[2 * k + 1]:
                    weights.update(dict.fromkeys(self.stands[v], 1))
            low = 1
            for o in (first, option):
                if o is not None:
                    weights[o] = weights.get(o, 0) - 1
            low -= (first is not None) + (option is not None)
            missing = _missing(low, weights, x)
            if missing > LEAST:
                yield missing, low, weights


class CircuitCuts:
    """The cuts of one circuit."""

    def __init__(self, side: Circuit, sets: Sequence[Sequence[int]], out: Collection[int]) -> None:
        """sets: those of `certain`."""
        self.ends = {o: (u, v) for o, u, v in side.ends if o not in out}
        corners = sorted({v for pair in self.ends.values() for v in pair})
        self.number = {v: k for k, v in enumerate(corners)}
        self.lines: list[list[int]] = [[] for _ in corners]
        for o, pair in self.ends.items():
            for v in set(pair):
                self.lines[self.number[v]].append(o)
        met = [
            set.intersection(*(set(self.ends[o]) for o in held))
            for held in sets
            if held and set(held) <= self.ends.keys()
        ]
        self.visited = sorted({self.number[v] for shared in met for v in shared})

    def __call__(self, x: Values) -> Iterator[HeavyRow]:
        """The rows that the values break."""
        rows = list(self._lonely(x))
        if not rows:
            rows = list(self._split(x))
        yield from _better(rows)

    def _times(self, o: int) -> int:
        """How often a line meets its first end."""
        u, v = self.ends[o]
        return 2 if u == v else 1

    def _lonely(self, x: Values) -> Iterator[tuple[float, int, Weights]]:
        """Broken rows of single vertices, and the one that says that there is a loop at all."""
        every = dict.fromkeys(self.ends, 1)
        if _missing(1, every, x) > LEAST:
            yield _missing(1, every, x), 1, every
        for lines in with_limit_checks(self.lines, 16):
            weights = {o: self._times(o) for o in lines}
            there = sum(w * x[o] for o, w in weights.items())
            if there > 2 + LEAST:
                yield there - 2, -2, {o: -w for o, w in weights.items()}
            for o, w in weights.items():
                if w == 1 and 2 * x[o] > there + LEAST:
                    yield 2 * x[o] - there, 0, {**weights, o: -1}

    def _split(self, x: Values) -> Iterator[tuple[float, int, Weights]]:
        """Broken rows of sets of vertices."""
        live = [o for o in self.ends if x[o] > 1e-6 and self.ends[o][0] != self.ends[o][1]]
        loops = [o for o in self.ends if x[o] > 1e-6 and self.ends[o][0] == self.ends[o][1]]
        if not live and not loops:
            return
        tails, heads = ([self.number[self.ends[o][end]] for o in live] for end in (0, 1))
        rooms = [x[o] for o in live]
        net = load("_flow").Flow(len(self.number), tails, heads, rooms, rooms)
        first: int | None = None
        if self.visited:
            root = self.visited[0]
        else:
            first = max([*live, *loops], key=lambda o: (x[o], -o))
            root = self.number[self.ends[first][0]]
        done: set[int] = {root}
        sure = set(self.visited)
        for a, lines in with_limit_checks(sorted(enumerate(self.lines), key=lambda pair: pair[0] not in sure), 1):
            if a in done or not lines:
                continue
            option = None if a in sure else max(lines, key=lambda o: (x[o], -o))
            needs = 2.0 if option is None else 2 * x[option]
            if first is not None:
                needs += 2 * x[first] - 2
            if needs <= LEAST:
                continue
            flow, near = net.cut(root, a, needs)
            if flow >= needs - LEAST:
                continue
            done.update(k for k in range(len(near)) if not near[k])
            weights = {o: 1 for o, (u, v) in self.ends.items() if near[self.number[u]] != near[self.number[v]]}
            low = 2
            for one in (first, option):
                if one is not None:
                    weights[one] = weights.get(one, 0) - 2
            low -= 2 * ((first is not None) + (option is not None))
            missing = _missing(low, weights, x)
            if missing > LEAST:
                yield missing, low, weights


# --- sided tree ------------------------------------------------------------------------------------------------------
# Branch and bound over linear programs for problems with sides: the tree of mixed_tree.py with two additions.
#
# - **Rows.** The linear program holds the totals (sided_tree.py). Where a node's solution breaks a row that a
#   connection or a loop implies (sided_tree.py), the row is added, and the node is solved again from the basis that was
#   reached.
# - **A watch.** The kernel for sides (kernels/sides/_sides.py) is told every decision and every option that the tree
#   settles, and what follows from them by gaps in totals, by floods and by ends of paths is settled in the tree. So the
#   two together know all that either of them knows, and a node whose options are all settled is an answer or none.
#
# What did not pay: letting the watch look at costs, too, which took a millisecond a node where totals are long and
# ended few nodes; dropping added rows that do not hold the solution any more, after which they were found anew, again
# and again (the network of 7 by 7 was not proved in 8 s instead of 2); adding rows that are missed by a twentieth
# instead of a fifth (half as long again). Not tried: rows for several parts at once, which would raise the bound of
# networks, whose root is a tenth below the minimum.
#
# Rows are added at most `ROUNDS` times at a node, at the root `ROOT_ROUNDS` times, and no more than a linear program
# may have. What they add to the sums of prices is limited (mixed_core.py), so no bound can overflow.


ROUNDS, ROOT_ROUNDS = 4, 100  # times that rows are added at one node, and at the root


class Watched:
    """A kernel of linear programs that shares all decisions with a kernel for sides. Its methods are those of the
    former; only those that decide something differ."""

    def __init__(self, kernel: Any, watch: Any, core: MixedCore, heard: int, cost: int) -> None:
        """watch: the kernel for sides, at its root.  heard: how many of its decisions the core was made with.
        cost: the work that telling it once counts as."""
        self._kernel, self._watch = kernel, watch
        self._numbers = core.numbers
        self._places = {o: k for k, o in enumerate(core.numbers)}
        self._seen, self._heard = kernel.standing(), heard
        self._marks = [(self._seen, heard)]
        self._core, self._cost, self._told = core, cost, 0
        self._before = watch.labour()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._kernel, name)

    def spent(self) -> int:
        """The work done so far, the watch's included."""
        return int(self._kernel.spent()) + self._told + int(self._watch.labour() - self._before)

    def propagate(self) -> bool:
        """Settle what all bounds force; returns whether an answer is possible. Call it once, first."""
        return bool(self._kernel.propagate()) and self._agree()

    def take(self, option: int) -> bool:
        """Take an option; returns whether an answer is still possible."""
        return bool(self._kernel.take(option)) and self._agree()

    def drop(self, option: int) -> bool:
        """Drop an option; returns whether an answer is still possible."""
        return bool(self._kernel.drop(option)) and self._agree()

    def together(self, one: int, other: int) -> bool:
        """Drop the options that hold just one of two items; returns whether an answer is still possible."""
        return bool(self._kernel.together(one, other)) and self._agree()

    def apart(self, one: int, other: int) -> bool:
        """Drop the options that hold both items; returns whether an answer is still possible."""
        return bool(self._kernel.apart(one, other)) and self._agree()

    def agree(self) -> bool:
        """Exchange what is new; returns whether an answer is still possible."""
        return self._kernel.standing() == self._seen or self._agree()

    def undo(self, size: int) -> None:
        """Free the options settled after the first `size`, in both kernels."""
        self._kernel.undo(size)
        while self._marks[-1][0] > size:
            self._marks.pop()
        self._seen, self._heard = self._marks[-1]
        self._watch.reopen(self._heard)

    def _agree(self) -> bool:
        kernel, watch = self._kernel, self._watch
        while True:
            news = [(self._numbers[o], taken) for o, taken in kernel.settled(self._seen)]
            self._seen = kernel.standing()
            self._told += self._cost
            held = watch.follow(news)
            if self._core.witness is not None:
                kernel.hold_watch(watch)
            if not held:
                return False
            heard = watch.decided(self._heard)
            self._heard = watch.standing()
            for o, taken in heard:
                place = self._places.get(o)
                if place is None:
                    if taken:
                        return False
                elif not (kernel.take(place) if taken else kernel.drop(place)):
                    return False
            if kernel.standing() == self._seen:
                self._marks.append((self._seen, self._heard))
                return True


class CuttingTree(BoundTree):
    """The search; see the module."""

    def __init__(self, core: MixedCore, module: Any, ceiling: int, looks: Any, problem: Problem, watch: Any) -> None:
        """core, module, ceiling, looks: as for `BoundTree`.  problem: the whole problem.  watch: the kernel for sides,
        at its root; the core was made with what it has decided there. It knows nothing of costs."""
        self._problem, self._watch, self._heard = problem, watch, watch.standing()
        self._module, self._looks = module, looks
        root = watch.decided(0)
        self._taken = {o for o, taken in root if taken}
        self._out = {o for o, taken in root if not taken}
        given = set(problem.given)
        self.also = sorted(self._taken - given)
        self._cuts = cuts_of(problem, self._taken, self._out)
        self._added = 0  # rows so far: how much work it was
        self._rounds = 0  # at this node
        self._node: Any = None
        super().__init__(core, module, ceiling, looks)

    def _made(self, module: Any, looks: Any) -> Any:
        kernel = super()._made(module, looks)
        return Watched(kernel, self._watch, self._core, self._heard, len(self._problem.members) + self._problem.options)

    def step(self) -> None:
        """Go on with the current node for one slice."""
        super().step()
        # What the bound settled is news for the watch. It may settle more; then the node is solved again.
        if not self.done and not self._kernel.agree():
            self._next()

    def _is_answer(self, options: list[int]) -> bool:
        return check(self._problem, self._whole(options)) is None

    def _whole(self, options: Iterable[int]) -> list[int]:
        """The options of an answer, in the problem's numbers."""
        return sorted([*self._taken, *(self._core.numbers[o] for o in options)])

    def _tightened(self, values: list[tuple[int, float]]) -> bool:
        if not self._cuts:
            return False
        if self._node is not self._path:
            self._node, self._rounds = self._path, 0
        if self._rounds >= (ROUNDS if self._path is not None else ROOT_ROUNDS):
            return False
        self._rounds += 1
        self._aside += self._kernel._cost
        x = [0.0] * self._problem.options
        for o in self._whole(self._kernel.taken()):
            x[o] = 1.0
        for k, value in values:
            x[self._core.numbers[k]] = value
        rows = [own for cuts in self._cuts for row in cuts(x) if (own := self._in_core(row)) is not None]
        if self._core.witness is not None:
            hold_rows(rows, self._core.witness, "linear programs, a row of a connection or loop")
        return bool(rows) and self._add(rows)

    def _in_core(self, row: HeavyRow) -> HeavyRow | None:
        """A row "at least" in the core's numbers; None if it holds whatever is taken."""
        place = self._kernel._places
        low = row.low - sum(w for o, w in row.terms if o in self._taken)
        terms = sorted((place[o], w) for o, w in row.terms if o in place)
        least = sum(min(w, 0) for _, w in terms)
        return HeavyRow(low, row.high, terms) if terms and low > least else None

    def _add(self, rows: Sequence[HeavyRow]) -> bool:
        """Go on at this node with these rows, too. Returns False if there is no room for them."""
        core = self._core
        heavy = [*core.heavy, *rows]
        most = most_of(core.costs, core.highs, core.options, heavy, core.unit)
        if most == 0 or core.rows + len(heavy) > MOST_ROWS:
            self._cuts = []
            return False
        self._added += len(rows)
        self._core = evolve(core, heavy=heavy, most=most)
        old = self._kernel
        kernel = kernel_of(self._core, self._module, self.ceiling)
        if self._looks is not None:
            kernel.heed(self._looks)
        kernel.adopt(old._kernel)
        settled = old.settled(0)[: self._base]
        self._watch.reopen(self._heard)
        self._aside += old.spent()
        if self._path is None:
            self.root = None  # what the root proves will be known when it is solved again
        self._kernel = Watched(kernel, self._watch, self._core, self._heard, old._cost)
        held = self._kernel.propagate() and all(
            self._kernel.take(o) if taken else self._kernel.drop(o) for o, taken in settled
        )
        if not held:
            self._open.clear()
            self._next_ones.clear()
            self.done = True
            return True
        self._base = self._kernel.standing()
        if not all(self._decide(decision) for decision in _decisions(self._path)):
            self._next()
        return True


def plant(problem: Problem, ceiling: int | None, interpreted: bool, looks: Any) -> tuple[MixedCore, CuttingTree] | None:
    """The core of a problem with sides, and a tree for it; None if the linear program would be too large, or its costs.

    ceiling: the most that an answer may cost in the problem; None for no limit.
    """
    watch = load("_sides", interpreted).Sides(problem, side_arrays(problem), False, False, MAX_COST)
    if problem.witness is not None:
        watch_sides(watch, problem, side_names(problem))
    feasible = watch.restart()
    needs = implied(problem)
    while True:
        decided = watch.decided(0) if feasible else []
        taken, out = {o for o, way in decided if way}, {o for o, way in decided if not way}
        pure = evolve(problem, sides=(), given=tuple(sorted(taken | set(problem.given))))
        needed = [-1 if p in taken else p for p in needs]
        rows = list(total_rows(problem.sides, taken, out, needed))
        if problem.witness is not None:
            hold_watch(watch)
            hold_rows(rows, problem.witness, "linear programs, a row of the totals")
        core = sided_core(pure, out, rows)
        if core.unit < COARSEST or core.rows + len(core.heavy) > MOST_ROWS:
            return None
        # Rows may show that an option is in no answer, and more may follow from that.
        known = taken | out | set(core.numbers)
        gone = [(o, False) for o in range(problem.options) if o not in known]
        if not feasible or not gone:
            break
        feasible = watch.follow(gone)
    core = evolve(core, feasible=core.feasible and feasible)
    top = core.dearest if ceiling is None else core.ceiling(ceiling)
    return core, CuttingTree(core, load("_mixed", interpreted), top, looks, problem, watch)
