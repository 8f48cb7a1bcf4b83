"""Items and totals whose options are shared out among other totals, each of which takes all or nothing.

In numberlink, two lines meet at a square, each of a path: `exactly 2 draw per x`, and `exactly {0, 2} draw per x, k`.
Clauses about lines alone do not say that a square has one path; a solver has to learn so at each square. So each share,
the lines of a path at a square, gets a literal that tells whether it is taken, and of these the item has one.

Where the options stand in a graph, one of each share at a vertex and none of other items, the shares need nothing else:
as many vertices about the square are met as lines are wanted (`places`). Then a total for each square and path becomes
one literal. Measured, conflicts: numberlinks of 12 to 20 squares, between 494 and 3913 without shares, 31 to 615 with
their literals, 3 to 224 with vertices counted besides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from covr.engine.base.heed import heeded
from covr.engine.outside.clingo_graphs import Graphs
from covr.engine.outside.clingo_writer import SHORT, Ranges
from covr.engine.problem import Problem
from covr.engine.sides import Connection, Total
from covr.frozen import frozen

Share = tuple[int, Total, tuple[int, ...]]  # how many options it has, if any; the total; its options, increasing
NOWHERE = -1  # stands for no vertex, and for several


@frozen
class Shared:
    """An item or a total, whose options are those of disjoint totals, of which each has `times` of its options or none.

    item: the item; None for a total.  total: the total; None for an item.  shares: the totals, each with its options.
    times: how many options each of them has.  ranges: how many of the shares may be taken.  side, places: vertices of
    the connection such that as many options are taken as vertices are met, if no more than one share is; None and empty
    if there are none.
    """

    item: int | None
    total: Total | None
    shares: tuple[tuple[Total, tuple[int, ...]], ...]
    times: int
    ranges: Ranges
    side: Connection | None
    places: tuple[int, ...]


def shared(problem: Problem, graphs: Graphs) -> Iterator[Shared]:
    """What is shared out. None is found where there are colours. Time about linear in the length of totals and of
    their options."""
    if problem.colours:
        return
    halves = [share for side in heeded(problem.sides) if isinstance(side, Total) and (share := _share(side))]
    if not halves:
        return
    dead = {o for i, high in enumerate(problem.high) if not high for o in problem.holders[i]}
    at = _Places(problem, graphs, dead)
    long = [side for side in heeded(problem.sides) if isinstance(side, Total) and len(side.terms) > SHORT]
    around: dict[int, list[tuple[Total, set[int]]]] = {}  # per option, the long totals in which it counts
    for side in long:
        own = {o for o, c in side.terms if c == 1}
        for o in own if len(own) == len(side.terms) else ():
            around.setdefault(o, []).append((side, own))
    holders = [frozenset(held if len(held) > SHORT else ()) for held in problem.holders]
    within: dict[int, list[Share]] = {}  # per item, the totals all of whose options hold it
    among: dict[int, list[Share]] = {}  # the same per total, by its identity
    starts, members = problem.starts, problem.members
    for share in heeded(halves):
        options = share[2]
        first = options[0]
        for i in members[starts[first] : starts[first + 1]]:
            if (held := holders[i]) and held.issuperset(options) and len(options) < len(held):
                if i in within:
                    within[i].append(share)
                else:
                    within[i] = [share]
        for side, own in around.get(first, ()) if around else ():
            if own.issuperset(options) and len(options) < len(own):
                among.setdefault(id(side), []).append(share)
    for i, shares in heeded(within.items()):
        if problem.high[i]:
            yield from _of(i, None, holders[i] - dead, ((problem.low[i], problem.high[i]),), shares, at)
    for side in long:
        if id(side) in among:
            yield from _of(None, side, {o for o, _ in side.terms} - dead, side.sums, among[id(side)], at)


def _share(total: Total) -> Share | None:
    """A total that has so many of its options, or none; None if it is not such a total."""
    if len(total.sums) != 2 or total.sums[0] != (0, 0) or not total.terms:
        return None
    low, high = total.sums[1]
    if low != high:
        return None
    options, weights = zip(*total.terms, strict=True)
    return (low, total, options) if weights.count(1) == len(weights) else None


def _of(
    item: int | None, total: Total | None, live: Set[int], ranges: Ranges, shares: Sequence[Share], at: _Places
) -> Iterator[Shared]:
    """The item or total as shared out; none if the shares are not disjoint, leave out an option, or want different
    numbers. live: its options that an answer may take."""
    each = shares[0][0]
    held = [o for _, _, options in shares for o in options]
    if at.dead:
        held = [o for o in held if o not in at.dead]
    if any(times != each for times, _, _ in shares) or len(held) != len(live) or set(held) != live:
        return
    few = tuple([(-(-low // each), high // each) for low, high in ranges if -(-low // each) <= high // each])
    side, places = (None, ()) if few and few[-1][1] > 1 else at.of(live, shares)
    yield Shared(item, total, tuple([share[1:] for share in shares]), each, few, side, places)


class _Places:
    """Where options stand. dead: options that no answer takes."""

    def __init__(self, problem: Problem, graphs: Graphs, dead: set[int]) -> None:
        self._graphs, self.dead = graphs, dead
        self._sides = [side for side in problem.sides if isinstance(side, Connection)]
        self._own: dict[int, dict[int, int]] = {}

    def of(self, live: Set[int], shares: Sequence[Share]) -> tuple[Connection | None, tuple[int, ...]]:
        """A connection and its vertices where these options stand, one option at one vertex and no others; of each
        share, no two at the same."""
        number = {o: k for k, (_, _, options) in enumerate(shares) for o in options}
        for side in self._sides:
            own, standing = self._own_of(side), self._graphs.standing(side)
            places = {own.get(o, NOWHERE) for o in live}
            if NOWHERE in places:
                continue
            met = [set(standing[v]).difference(self.dead) for v in places]
            if sum(map(len, met)) == len(live) and all(len({number.get(o) for o in at}) == len(at) for at in met):
                return side, tuple(sorted(places))
        return None, ()

    def _own_of(self, side: Connection) -> dict[int, int]:
        """Per option, its vertex; NOWHERE if there are several."""
        if id(side) not in self._own:
            own: dict[int, int] = {}
            for o, v in heeded(side.places):
                own[o] = v if own.get(o, v) == v else NOWHERE
            self._own[id(side)] = own
        return self._own[id(side)]
