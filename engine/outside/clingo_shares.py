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
from typing import Any

from covr.engine.base.heed import heeded, look
from covr.engine.kernels.loading import load
from covr.engine.outside.clingo_writer import SHORT, Ranges
from covr.engine.problem import Problem
from covr.engine.sides import Connection, Total
from covr.frozen import frozen

Share = tuple[int, int, Total, tuple[int, ...]]  # its number; how many options it has, if any; the total; its options


@frozen
class Shared:
    """An item or a total, whose options are those of disjoint totals, of which each has `times` of its options or none.

    item: the item; None for a total.  total: the total; None for an item.  shares: the totals.
    times: how many options each of them has.  ranges: how many of the shares may be taken.  side, places: vertices of
    the connection such that as many options are taken as vertices are met, if no more than one share is; None and empty
    if there are none.
    """

    item: int | None
    total: Total | None
    shares: tuple[Share, ...]
    times: int
    ranges: Ranges
    side: Connection | None
    places: tuple[int, ...]


def shared(problem: Problem) -> Iterator[Shared]:
    """What is shared out. None is found where there are colours. Time about linear in the length of totals and of
    their options."""
    if problem.colours:
        return
    module = load("_shares")
    look()
    halves: list[Share] = module.all_or_none([side for side in problem.sides if isinstance(side, Total)])
    if not halves:
        return
    dead = {o for i, high in enumerate(problem.high) if not high for o in problem.holders[i]}
    sharing = module.Sharing(problem.starts, problem.members, halves, dead, problem.options)
    look()
    yield from _shared_out([*_items(problem, sharing, dead)], problem, sharing, halves)
    yield from _shared_out([*_totals(problem, halves, dead)], problem, sharing, halves)


@frozen(eq=False)
class _Whole:
    """An item or a total, as in `Shared`. live: its options that an answer may take.  ranges: how many of these may be
    taken.  shares: the numbers of the shares all of whose options are among its options."""

    item: int | None
    total: Total | None
    live: list[int]
    ranges: Ranges
    shares: list[int]


def _items(problem: Problem, sharing: Any, dead: Set[int]) -> Iterator[_Whole]:
    holders = problem.holders
    for i, shares in heeded(sharing.within(SHORT + 1, [len(held) for held in holders]).items()):
        if problem.high[i]:
            live = [o for o in holders[i] if o not in dead] if dead else [*holders[i]]
            yield _Whole(i, None, live, ((problem.low[i], problem.high[i]),), shares)


def _totals(problem: Problem, halves: Sequence[Share], dead: Set[int]) -> Iterator[_Whole]:
    long = [side for side in heeded(problem.sides) if isinstance(side, Total) and len(side.terms) > SHORT]
    around: dict[int, list[tuple[Total, set[int]]]] = {}  # per option, the long totals in which it counts
    for side in heeded(long):
        own = {o for o, c in side.terms if c == 1}
        for o in own if len(own) == len(side.terms) else ():
            around.setdefault(o, []).append((side, own))
    among: dict[int, list[int]] = {}  # per long total, by its identity, the shares
    for k, _, _, options in heeded(halves) if around else ():
        for side, own in around.get(options[0], ()):
            if len(options) < len(own) and own.issuperset(options):
                among.setdefault(id(side), []).append(k)
    for side in long:
        if id(side) in among:
            yield _Whole(None, side, [o for o, _ in side.terms if o not in dead], side.sums, among[id(side)])


def _shared_out(wholes: Sequence[_Whole], problem: Problem, sharing: Any, halves: Sequence[Share]) -> Iterator[Shared]:
    """Those whose shares are disjoint, leave out no option, and want the same number."""
    found: list[tuple[_Whole, Ranges]] = []
    for whole in heeded(wholes):
        each = halves[whole.shares[0]][1]
        if all(halves[k][1] == each for k in whole.shares) and sharing.part(whole.shares, whole.live):
            bounds = [(-(-low // each), high // each) for low, high in whole.ranges]
            found.append((whole, tuple([(low, high) for low, high in bounds if low <= high])))
    single = [whole for whole, few in found if not few or few[-1][1] <= 1]
    standing = _standing(problem, sharing, single)
    for whole, few in found:
        side, places = standing.get(id(whole), (None, ()))
        shares = tuple([halves[k] for k in whole.shares])
        yield Shared(whole.item, whole.total, shares, shares[0][1], few, side, places)


def _standing(
    problem: Problem, sharing: Any, wholes: Sequence[_Whole]
) -> dict[int, tuple[Connection | None, tuple[int, ...]]]:
    """Per item or total, by its identity, the first connection and its vertices where its options stand, one option at
    one vertex and no others; of each share, no two at the same."""
    found: dict[int, tuple[Connection | None, tuple[int, ...]]] = {}
    left = list(wholes)
    for side in heeded(problem.sides):
        if not isinstance(side, Connection) or not left:
            continue
        look()
        sharing.stand(side.places, max([v for _, v in side.places], default=0) + 1)
        for whole in left:
            places = sharing.places(whole.shares, whole.live)
            if places is not None:
                found[id(whole)] = (side, tuple(places))
        sharing.leave(side.places)
        left = [whole for whole in left if id(whole) not in found]
    return found
