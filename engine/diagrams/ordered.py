"""The best answers of a diagram, and all of them in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush

from covr.engine.diagrams.diagram import Diagram, reachable
from covr.engine.diagrams.restrict import restrict
from covr.engine.heed import heeded

MOST_SORTED = 50_000  # answers that are sorted at once


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

    At most `MOST_SORTED` answers are sorted at once. More are divided, by the smallest option that some take, into
    those that take it and, after them, those that do not. Each division takes time linear in the nodes of the part."""
    parts: list[tuple[Diagram, int | None, tuple[int, ...], bool]] = [(diagram, None, (), False)]
    while parts:
        part, left_out, taken, told = parts.pop()
        if left_out is not None:
            part = restrict(part, unwanted=[left_out])
        if part.count <= MOST_SORTED:
            yield from sorted(answer for answer in part.paths() if not (told and answer == taken))
            continue
        if not told and taken in part:
            yield taken
            told = True
        seen = reachable(part)
        levels = {part.level[k] for k in heeded(range(2, len(part.level))) if seen[k]}
        smallest = min({part.order[v] for v in levels}.difference(taken))
        parts.append((part, smallest, taken, told))
        parts.append((restrict(part, wanted=[smallest]), None, (*taken, smallest), False))
