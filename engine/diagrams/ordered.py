"""The best answers of a diagram, and all of them in order."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush

from covr.engine.base.heed import heeded
from covr.engine.diagrams.diagram import Diagram, reachable
from covr.engine.diagrams.restrict import restrict
from covr.frozen import frozen

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
    for k in heeded(range(2, len(level))):
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
    levels = {part.level[k] for k in heeded(range(2, len(part.level))) if seen[k]}
    options = sorted({part.order[v] for v in levels}.difference(taken))[:AT_ONCE]
    worth = {o: 1 << (len(options) - 1 - at) for at, o in enumerate(options)}
    weights = [worth.get(o, 0) for o in part.order] + [0]
    best = array("q", [-1, 0])  # per node, the greatest weight of an answer; -1 if it has none
    level, low, high = part.level, part.low, part.high
    for k in heeded(range(2, len(level))):
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
