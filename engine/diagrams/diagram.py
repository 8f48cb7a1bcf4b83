"""All answers of a problem as one zero-suppressed decision diagram."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from heapq import heappop, heappush
from itertools import accumulate
from random import Random

from attrs import field

from covr.engine.base.limits import (
    EVERY,
    Counters,
    Deadline,
    LimitReached,
    Status,
    check_limits,
    with_limit_checks,
)
from covr.engine.checks import Checks
from covr.engine.counting.side_sweep import PackedSweep, TooWide
from covr.engine.kernels.header import LOOK_STEPS
from covr.engine.kernels.loading import load
from covr.engine.prepare.diagram import prepare
from covr.engine.prepare.masks import MASKS_MEMORY
from covr.engine.problem import Problem
from covr.engine.search import Answer
from covr.engine.settings import Settings
from covr.frozen import frozen

# --- diagram ---------------------------------------------------------------------------------------------------------
# All answers of a problem as one zero-suppressed decision diagram.
#
# A node asks about one option: its answers are those of the node `low`, without the option, and those of the node
# `high`, each with the option added. Node 0 has no answer, node 1 the one that takes nothing. Options are asked about
# in the order of `order`; an option that a path skips is not taken. Whatever can be said of a node from the nodes below
# it is said of all answers in time linear in the number of nodes, however many answers there are.
#
# Source: Minato, "Zero-suppressed BDDs for set manipulation in combinatorial problems", DAC 1993; Knuth, TAOCP 7.1.4.


Numbers = Sequence[int]


@frozen(eq=False)
class Diagram:
    """A diagram. Nothing in it changes.

    options: how many options the problem has.  order: the options asked about, each once: its place is its *level*.
    level, low, high: per node; nodes 0 and 1 have the level len(order). Every other node has a greater number than the
    nodes below it and a smaller level, and its `high` is not 0.  root: the node of all answers.
    """

    options: int
    order: tuple[int, ...]
    level: Numbers = field(repr=False)
    low: Numbers = field(repr=False)
    high: Numbers = field(repr=False)
    root: int

    def __len__(self) -> int:
        """How many nodes there are, the nodes 0 and 1 not counted."""
        return len(self.level) - 2

    @cached_property
    def counts(self) -> list[int]:
        """Per node, how many answers it has. A number of any size for each node is kept."""
        found = [0, 1]
        low, high = self.low, self.high
        for k in with_limit_checks(range(2, len(self.level))):
            found.append(found[low[k]] + found[high[k]])
        return found

    @property
    def count(self) -> int:
        """How many answers there are."""
        return self.counts[self.root]

    def per_option(self) -> list[int]:
        """Per option, how many answers take it."""
        counts, low, high = self.counts, self.low, self.high
        ways = [0] * len(self.level)  # per node, how many paths lead from the root to it
        ways[self.root] = 1
        found = [0] * self.options
        for k in with_limit_checks(range(self.root, 1, -1)):
            here = ways[k]
            if here:
                ways[low[k]] += here
                ways[high[k]] += here
                found[self.order[self.level[k]]] += here * counts[high[k]]
        return found

    def __contains__(self, answer: Iterable[int]) -> bool:
        """Whether these options, and no others, are an answer."""
        wanted = set(answer)
        k = self.root
        while k > 1:
            o = self.order[self.level[k]]
            if o in wanted:
                wanted.discard(o)
                k = self.high[k]
            else:
                k = self.low[k]
        return k == 1 and not wanted

    def draw(self, rng: Random) -> tuple[int, ...]:
        """A random answer, as increasing option numbers: each with the chance 1 / count, exactly. Raises ValueError if
        there is none."""
        counts, k = self.counts, self.root
        if not counts[k]:
            raise ValueError("there is no answer to be drawn")
        taken = []
        at = rng.randrange(counts[k])
        while k > 1:
            below = counts[self.low[k]]
            if at < below:
                k = self.low[k]
            else:
                at -= below
                taken.append(self.order[self.level[k]])
                k = self.high[k]
        return tuple(sorted(taken))

    def paths(self) -> Iterator[tuple[int, ...]]:
        """Every answer, as increasing option numbers, in the order of the diagram."""
        waiting: list[tuple[int, tuple[int, ...]]] = [(self.root, ())]
        while waiting:
            k, taken = waiting.pop()
            while k > 1:
                if self.low[k]:
                    waiting.append((self.low[k], taken))
                taken = (*taken, self.order[self.level[k]])
                k = self.high[k]
            if k:
                yield tuple(sorted(taken))

    def fault(self) -> str | None:
        """What is wrong with the diagram; None if it keeps all that this class promises. For diagrams that come from
        outside: linear time."""
        n, bottom = len(self.level), len(self.order)
        if not (n == len(self.low) == len(self.high) >= 2) or not 0 <= self.root < n:
            return "its lists do not fit together"
        if len(set(self.order)) != bottom or any(not 0 <= o < self.options for o in self.order):
            return "its order names an option twice, or one that there is not"
        if self.level[0] != bottom or self.level[1] != bottom:
            return "its ends are not at the bottom"
        for k in with_limit_checks(range(2, n)):
            low, high = self.low[k], self.high[k]
            if not (0 <= low < k and 0 < high < k):
                return f"node {k} leads to a node that is not below it"
            if not 0 <= self.level[k] < min(self.level[low], self.level[high]):
                return f"node {k} is not above the nodes that it leads to"
        return None


class Nodes:
    """Nodes that are being made, from the bottom up."""

    def __init__(self, bottom: int) -> None:
        """bottom: the level of the nodes 0 and 1."""
        self.level = array("i", [bottom, bottom])
        self.low = array("i", [0, 0])
        self.high = array("i", [0, 0])
        self._known: dict[tuple[int, int, int], int] = {}

    def make(self, level: int, low: int, high: int) -> int:
        """The node with these three: an old one, if there is one."""
        if not high:
            return low
        key = (level, low, high)
        k = self._known.get(key)
        if k is None:
            k = self._known[key] = len(self.level)
            self.level.append(level)
            self.low.append(low)
            self.high.append(high)
        return k


def reachable(diagram: Diagram) -> bytearray:
    """Per node, 1 if a path leads from the root to it, else 0."""
    found = bytearray(len(diagram.level))
    found[diagram.root] = 1
    low, high = diagram.low, diagram.high
    for k in with_limit_checks(range(diagram.root, 1, -1)):
        if found[k]:
            found[low[k]] = found[high[k]] = 1
    return found


# --- restrict --------------------------------------------------------------------------------------------------------
# Only the answers that take some options and leave others.


def restrict(diagram: Diagram, wanted: Iterable[int] = (), unwanted: Iterable[int] = ()) -> Diagram:
    """The diagram of the answers with all the wanted options and none of the unwanted ones, in the same order.

    Time linear in the number of nodes. A path that skips a wanted option does not take it; so an edge that passes over
    the level of one is dropped, as is the edge of a node to `low` where its own option is wanted."""
    with_, without = set(wanted), set(unwanted)
    bottom = len(diagram.order)
    must = [o in with_ for o in diagram.order]
    mustnt = [o in without for o in diagram.order]
    before = list(accumulate(must, initial=0))  # per level, how many wanted options lie above it
    nodes = Nodes(bottom)
    level, low, high = diagram.level, diagram.low, diagram.high
    if with_ & without or not with_ <= set(diagram.order):
        return Diagram(diagram.options, diagram.order, nodes.level, nodes.low, nodes.high, 0)
    new = [0] * len(level)
    new[1] = 1
    seen = reachable(diagram)
    for k in with_limit_checks(range(2, len(level))):
        if not seen[k]:
            continue
        here = level[k]
        below, above = low[k], high[k]
        left = new[below] if not must[here] and before[level[below]] == before[here + 1] else 0
        taken = new[above] if not mustnt[here] and before[level[above]] == before[here + 1] else 0
        new[k] = nodes.make(here, left, taken)
    root = new[diagram.root] if before[level[diagram.root]] == 0 else 0
    return Diagram(diagram.options, diagram.order, nodes.level, nodes.low, nodes.high, root)


# --- ordered ---------------------------------------------------------------------------------------------------------
# The best answers of a diagram, and all of them in order.


MOST_SORTED = 50_000  # answers that are sorted at once
AT_ONCE = 60  # options by which answers are divided at once: as many as the bits of a weight


def cheapest(diagram: Diagram, costs: Sequence[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Every answer with its cost, cheapest first; of equal ones, the order is fixed, but nothing else is promised.

    costs: per option, whole numbers of any sign. Time: linear in the nodes for the first, then for each answer as many
    steps as its path has nodes. Memory grows by as much with each answer.

    The cost of the cheapest answer of each node is exact, so the path that looks cheapest is: none is followed in vain.
    """
    bottom: list[int | None] = [None, 0]  # per node, the cost of its cheapest answer; None if it has none
    level, low, high, order = diagram.level, diagram.low, diagram.high, diagram.order
    for k in with_limit_checks(range(2, len(level))):
        left, taken = bottom[low[k]], bottom[high[k]]
        assert taken is not None
        taken += costs[order[level[k]]]
        bottom.append(taken if left is None or taken < left else left)
    start = bottom[diagram.root]
    if start is None:
        return
    # Each entry: the least cost of an answer that begins so, a number that breaks ties, the node, the cost so far, and
    # the options taken, as a linked list.
    heap: list[tuple[int, int, int, int, Taken]] = [(start, 0, diagram.root, 0, None)]
    number = 0
    while heap:
        total, _, k, paid, taken_ = heappop(heap)
        while k > 1:
            left = bottom[low[k]]
            above = bottom[high[k]]
            assert above is not None
            more = paid + costs[order[level[k]]]
            follow = left is not None and paid + left == total
            if follow:
                number += 1
                heappush(heap, (more + above, number, high[k], more, (order[level[k]], taken_)))
                k = low[k]
            else:
                if left is not None:
                    number += 1
                    heappush(heap, (paid + left, number, low[k], paid, taken_))
                taken_ = (order[level[k]], taken_)
                paid = more
                k = high[k]
        yield total, _unlinked(taken_)


Taken = tuple[int, "Taken"] | None  # the last option taken, and those before it


def _unlinked(taken: Taken) -> tuple[int, ...]:
    found = []
    while taken is not None:
        found.append(taken[0])
        taken = taken[1]
    return tuple(sorted(found))


def in_order(diagram: Diagram) -> Iterator[tuple[int, ...]]:
    """Every answer, sorted: answers are compared as lists of increasing option numbers.

    At most `MOST_SORTED` answers are sorted at once. More are divided by the options that come first: s, the smallest
    that some answer takes; t, the smallest that some answer takes beside s; and so on, until few answers take all of
    them. These are the first ones; then come those that take all but the last of these options, and so on. Each of
    these parts takes time linear in the nodes; how many of the options are needed is found by halving."""
    waiting = [_Unlisted(diagram, (), (), (), False)]
    while waiting:
        rest = waiting.pop()
        part = restrict(rest.base, rest.wanted, rest.unwanted) if rest.wanted or rest.unwanted else rest.base
        if part.count <= MOST_SORTED:
            yield from sorted(answer for answer in part.paths() if not (rest.told and answer == rest.taken))
            continue
        if not rest.told and rest.taken in part:
            yield rest.taken
        firsts = _first_options(part, rest.taken)
        many, few = _how_many(part, firsts)
        for j in range(1, many + 1):
            waiting.append(_Unlisted(part, firsts[: j - 1], (firsts[j - 1],), (*rest.taken, *firsts[: j - 1]), True))
            taken = (*rest.taken, *firsts[:j])
            if j < many and taken in part:
                yield taken
        waiting.append(_Unlisted(few, (), (), (*rest.taken, *firsts[:many]), False))


@frozen
class _Unlisted:
    """Answers that are still to be listed: those of `base` with the wanted options and without the unwanted ones. All
    of them take the options of `taken`; the answer that takes nothing else was listed already if `told`."""

    base: Diagram
    wanted: tuple[int, ...]
    unwanted: tuple[int, ...]
    taken: tuple[int, ...]
    told: bool


def _first_options(part: Diagram, taken: Sequence[int]) -> tuple[int, ...]:
    """The smallest option that some answer takes beside those of `taken`; the smallest that some answer takes beside
    both; and so on, among the `AT_ONCE` smallest options. At least one, if there is one. Linear time."""
    seen = reachable(part)
    levels = {part.level[k] for k in with_limit_checks(range(2, len(part.level))) if seen[k]}
    options = sorted({part.order[v] for v in levels}.difference(taken))[:AT_ONCE]
    worth = {o: 1 << (len(options) - 1 - at) for at, o in enumerate(options)}
    weights = [worth.get(o, 0) for o in part.order] + [0]
    best = array("q", [-1, 0])  # per node, the greatest weight of an answer; -1 if it has none
    level, low, high = part.level, part.low, part.high
    for k in with_limit_checks(range(2, len(level))):
        left, right = best[low[k]], best[high[k]] + weights[level[k]]
        best.append(left if left > right else right)
    return tuple(o for o in options if best[part.root] & worth[o])


def _how_many(part: Diagram, firsts: Sequence[int]) -> tuple[int, Diagram]:
    """How many of these options answers must take, so that at most `MOST_SORTED` take them: all, if there are more even
    then. And the answers that do."""
    least, most = 0, len(firsts)
    base, found = part, restrict(part, firsts)
    if found.count > MOST_SORTED:
        return most, found
    while least + 1 < most:
        middle = (least + most) // 2
        tried = restrict(base, firsts[least:middle])
        if tried.count <= MOST_SORTED:
            most, found = middle, tried
        else:
            least, base = middle, tried
    return most, found


# --- exports ---------------------------------------------------------------------------------------------------------
# Diagrams in the formats of other programs: lines of text.


def graphillion(diagram: Diagram) -> Iterator[str]:
    """The format that `setset.loads` of Graphillion reads, if each line ends with a newline: a line `NODE OPTION LOW
    HIGH` for each node, those below first, with B and T for the ends; then a line with a full stop.

    Options are numbered from 1 in the order of the diagram, as Graphillion numbers the members of its universe: option
    1 stands for `order[0]`. Source: `dump` of Graphillion (SAPPOROBDD)."""
    if diagram.root < 2:
        yield "BT"[diagram.root]
        yield "."
        return
    seen = reachable(diagram)
    names = {0: "B", 1: "T"}

    def name(k: int) -> str:
        return names.get(k) or str(2 * k)

    inner = [k for k in range(2, diagram.root + 1) if seen[k]]
    for k in sorted(inner, key=lambda k: (-diagram.level[k], k)):
        yield f"{name(k)} {diagram.level[k] + 1} {name(diagram.low[k])} {name(diagram.high[k])}"
    yield "."


def graphviz(diagram: Diagram, names: Sequence[str]) -> Iterator[str]:
    """A drawing for `dot`: solid edges take the option of the node, dashed ones leave it. names: per option."""
    yield "digraph answers {"
    yield '  0 [shape=box, label="none"];'
    yield '  1 [shape=box, label="answer"];'
    seen = reachable(diagram)
    if diagram.root < 2:
        yield f'  root [label="", shape=point]; root -> {diagram.root};'
    for k in range(diagram.root, 1, -1):
        if seen[k]:
            text = names[diagram.order[diagram.level[k]]].replace("\\", "\\\\").replace('"', '\\"')
            text = "".join(c if c.isprintable() else " " for c in text)
            yield f'  {k} [label="{text}"];'
            if diagram.low[k]:  # edges to the node without an answer are left out
                yield f"  {k} -> {diagram.low[k]} [style=dashed];"
            yield f"  {k} -> {diagram.high[k]};"
    yield "}"


# --- build -----------------------------------------------------------------------------------------------------------
# Makes the diagram of a problem: see kernels/frontiers/_diagram.py for how, and prepare/diagram.py for the order; with
# side conditions, counting/side_sweep.py.


NODE = 150  # bytes for each node of the diagram, about, that counting takes next to building


class TooLarge(Exception):
    """The diagram does not fit in memory. nodes: how many there were.  wanted, most: bytes."""

    def __init__(self, nodes: int, wanted: int, most: int) -> None:
        super().__init__(f"the diagram has more than {nodes} nodes; {wanted} bytes were wanted, {most} are allowed")
        self.nodes, self.wanted, self.most = nodes, wanted, most


class DiagramBuilder:
    """A diagram that is being built. nodes: how many it has so far; may be read from any thread."""

    def __init__(self, problem: Problem, most: int, interpreted: bool = False) -> None:
        """most: bytes that building may take.  interpreted: do not use the compiled kernel.

        Raises Unsuited for a problem in which only some options tell answers apart, and TooLarge where a state of a
        sweep does not fit. May raise LimitReached (limits.py)."""
        self._problem, self._most = problem, most
        try:
            self._sweep = PackedSweep(problem, True, most) if problem.sides else None
        except TooWide:
            raise TooLarge(0, most + 1, most) from None
        self._done_with: Diagram | None = None
        if self._sweep is not None:
            return
        self._input = prepare(problem)
        module = load("_diagram", interpreted)
        self._full, self._done = module.FULL, module.READY
        self._slice = LOOK_STEPS if module.COMPILED else EVERY
        given = self._input
        self._kernel = (
            module.Builder(len(given.numbers), given.width, given.tests, given.fields, given.ends, given.blocks, most)
            if given.feasible
            else None
        )

    @property
    def nodes(self) -> int:
        if self._sweep is not None:
            return self._sweep.states
        return 0 if self._kernel is None else int(self._kernel.size) - 2

    def run(self) -> Diagram:
        """Build it. Raises TooLarge if it does not fit, and LimitReached where whoever is heeded asks for it."""
        while True:
            done = self.step(1)
            if done is not None:
                return done

    def step(self, slices: int) -> Diagram | None:
        """Go on building for so many slices: the diagram, if it is ready by then. Raises as `run` does."""
        if self._sweep is not None and self._done_with is None:
            return self._swept(self._sweep, slices)
        if self._done_with is None and self._kernel is not None:
            code = -1
            for _ in range(slices):
                check_limits()
                code = self._kernel.run(self._slice)
                if code == self._full:
                    raise TooLarge(self.nodes, int(self._kernel.wanted), self._most)
                if code == self._done:
                    break
            else:
                return None
        if self._done_with is None:
            self._done_with = self._made()
        return self._done_with

    def _swept(self, sweep: PackedSweep, slices: int) -> Diagram | None:
        """As `step`, for a problem with sides."""
        for _ in range(slices):
            check_limits()
            over = sweep.run(EVERY)
            if sweep.wanted > self._most:
                raise TooLarge(self.nodes, sweep.wanted, self._most)
            if over:
                self._done_with = _reduced(self._problem, sweep)
                break
        return self._done_with

    def _made(self) -> Diagram:
        """The diagram that the kernel has built."""
        problem, order = self._problem, (*self._problem.given, *self._input.numbers)
        if self._kernel is None:
            ends = array("i", [len(order), len(order)])
            return Diagram(problem.options, order, ends, array("i", [0, 0]), array("i", [0, 0]), 0)
        level, low, high = self._kernel.nodes()
        root = int(self._kernel.root)
        self._kernel = None
        first = len(problem.given)
        if first:
            level = array("i", [v + first for v in level])
            if root:
                for v in range(first - 1, -1, -1):
                    level.append(v)
                    low.append(0)
                    high.append(root)
                    root = len(level) - 1
        return Diagram(problem.options, order, level, low, high, root)


def _reduced(problem: Problem, sweep: PackedSweep) -> Diagram:
    """The diagram of a sweep that has reached its end, from the bottom up. Linear in its states."""
    nodes = Nodes(len(sweep.order))
    lows, highs = sweep.arcs()
    below = array("i", [1])  # the nodes of the states of the layer below; at the bottom all states are one
    for level in range(len(lows) - 1, -1, -1):
        check_limits()
        made = array("i", [0]) * len(lows[level])
        for k, (low, high) in enumerate(zip(lows.pop(), highs.pop(), strict=True)):
            made[k] = nodes.make(level, below[low] if low >= 0 else 0, below[high] if high >= 0 else 0)
        below = made
    root = below[0] if lows or sweep.is_possible else 0
    return Diagram(problem.options, tuple(sweep.order), nodes.level, nodes.low, nodes.high, root)


def build_diagram(problem: Problem, most: int, interpreted: bool = False) -> Diagram:
    """The diagram of a problem: see DiagramBuilder."""
    return DiagramBuilder(problem, most, interpreted).run()


# --- drawer ----------------------------------------------------------------------------------------------------------
# Draws answers uniformly from the diagram of a problem, in the manner of `Drawer` (sample.py), which knows only bounds
# of 1: this one knows any bounds and colours, and no other sides.


def room(settings: Settings) -> int:
    """How many bytes a diagram may take that was not asked for: no more than the memo of a count."""
    return min(settings.memory, MASKS_MEMORY)


class DiagramDrawer:
    """Draws answers, with replacement. name: of this way.  counters, clock: the nodes made, and the time it took."""

    name = "decision diagram"

    def __init__(self, problem: Problem, settings: Settings) -> None:
        """Raises Unsuited for a problem in which only some options tell answers apart. May raise LimitReached
        (limits.py)."""
        self._builder = DiagramBuilder(problem, room(settings), settings.interpreted)
        self._checks = Checks(problem)
        self.clock = Deadline()
        self._diagram: Diagram | None = None
        self._stop = False

    @property
    def counters(self) -> Counters:
        """The work; `answers` is the number of all answers, once they are counted."""
        if self._diagram is None:
            return Counters(nodes=self._builder.nodes)
        return Counters(nodes=len(self._diagram), answers=self._diagram.count)

    def interrupt(self) -> None:
        self._stop = True

    def total(self) -> int:
        """The number of answers. Builds the diagram: raises TooLarge if it does not fit, and LimitReached where whoever
        is heeded asks for it (limits.py)."""
        if self._diagram is None:
            with self.clock:
                self._diagram = self._builder.run()
        return self._diagram.count

    def draw(self, rng: Random) -> Answer:
        """A random answer; all are equally likely. Raises LimitReached if interrupted or where whoever is heeded asks
        for it, and ValueError if there are no answers."""
        self.total()
        assert self._diagram is not None
        if self._stop:
            raise LimitReached(Status.INTERRUPTED)
        check_limits()
        drawn = self._diagram.draw(rng)
        self._checks([drawn])
        return drawn
