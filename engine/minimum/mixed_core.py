"""What is left of any problem once the obvious is settled, and in which units its bounds are worked out.

- Given options are taken, and what they exclude goes.
- An option that costs something, or nothing, and that no item with a need holds, goes: answers do without it.
- Where all options that hold an item hold another one too, and taking as many as the first one needs fills the other,
  the other item's further options go (in set partitioning: one row's options are among another's).
- Of items that the same options hold, one stays, with the bounds of all.
- Of options with the same items and colours, of which only one can be taken, the cheapest stays.

Costs are divided by their greatest common divisor. Bounds are whole multiples of 1 / `unit` of what then is 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from math import gcd

from attrs import frozen

from covr.engine.bitsets import members_of
from covr.engine.heed import heeded
from covr.engine.kernels.codes import MIXED_UNBOUNDED as UNBOUNDED
from covr.engine.minimum.mixed_cliques import strengthen
from covr.engine.prepare.residual import Residual, take_given
from covr.engine.problem import Problem

FINEST, COARSEST = 1 << 20, 1 << 6
WHOLE = 1 << 61  # what sums of units stay below
STEEP = 64  # a price may be so many times the largest cost
MOST = 1 << 36  # the largest sum of costs
IMPLIED = 1 << 30  # bits compared to find options that other items' options exclude, at most: a fraction of a second


@frozen(eq=False)
class MixedCore:
    """lows, highs: what each item still needs and may have; the first `rows` of them show no colours.  options: their
    items, increasing.  shades: colours beside, or None.  costs: of options, divided by `gcd`.  numbers: of options in
    the problem.  base: what is paid already.  unit, most: see `_mixed.py`.  feasible: False where there is no answer.
    """

    lows: Sequence[int]
    highs: Sequence[int]
    rows: int
    options: Sequence[Sequence[int]]
    shades: Sequence[Sequence[int]] | None
    costs: Sequence[int]
    numbers: Sequence[int]
    base: int
    gcd: int
    unit: int
    most: int
    feasible: bool

    @property
    def members(self) -> int:
        """How many items its options hold, all together."""
        return sum(map(len, self.options))

    @property
    def dearest(self) -> int:
        """No answer costs more than this."""
        return sum(max(cost, 0) for cost in self.costs)

    def whole(self, cost: int) -> int:
        """What an answer costs in the problem that costs this in the core."""
        return self.base + self.gcd * cost

    def ceiling(self, cost: int) -> int:
        """The most an answer may cost in the core to cost no more than this in the problem; no more than any does, and
        not far below all."""
        return min(max((cost - self.base) // self.gcd, -MOST), self.dearest)

    def barrier(self, ceiling: int) -> int:
        """In units, what bounds must stay below for an answer of at most this cost (in the core) to be possible."""
        return ceiling * self.unit + 1

    def least(self, bound: int) -> int:
        """A bound in units as a cost in the core, rounded up."""
        return -(-bound // self.unit)


def core(problem: Problem) -> MixedCore:
    """Settle the above. Time linear in the length of the options, but for sets of items as whole numbers."""
    residual = take_given(problem)
    costs, need, room = problem.costs, residual.need, residual.room
    needed = [n > 0 for n in need]
    live = [
        o
        for o in heeded(range(problem.options))
        if residual.live[o] and (costs[o] < 0 or True in map(needed.__getitem__, problem.option(o)))
    ]
    live = _without_doubles(problem, _without_implied(problem, residual, live))
    holders = Counter(chain.from_iterable(map(problem.option, live)))
    tinted = set()
    if problem.colours:
        for o in live:
            tinted |= {i for i, c in zip(problem.option(o), problem.option_colours(o), strict=True) if c}
    low, high = list(need), list(room)
    kept = [i for i in range(problem.items) if i not in tinted and (needed[i] or room[i] < holders[i])]
    kept = _merged(problem, live, kept, low, high)
    rows = len(kept)
    kept += sorted(tinted)
    place = [-1] * problem.items
    for k, i in enumerate(kept):
        place[i] = k
    options: list[list[int]] = []
    shades: list[list[int]] = []
    for o in heeded(live):
        if tinted:
            pairs = sorted(
                (place[i], colour)
                for i, colour in zip(problem.option(o), problem.option_colours(o), strict=True)
                if place[i] >= 0 and not (colour and residual.fixed[i] == colour)
            )
            options.append([k for k, _ in pairs])
            shades.append([colour for _, colour in pairs])
        else:
            options.append([k for k in map(place.__getitem__, problem.option(o)) if k >= 0])
    lows = [low[i] for i in kept]
    highs = [high[i] if high[i] < holders[i] else UNBOUNDED for i in kept]
    better = strengthen(lows, highs, rows, options, shades if tinted else None)
    if better is not None:
        later = len(better.lows) - rows
        first = [sum(i < rows for i in options[o]) for o in better.kept]  # of the items that show colours
        if tinted:
            parts = zip(better.kept, better.options, first, strict=True)
            shades = [[0] * len(held) + shades[o][k:] for o, held, k in parts]
        parts = zip(better.kept, better.options, first, strict=True)
        options = [[*held, *(i + later for i in options[o][k:])] for o, held, k in parts]
        live = [live[o] for o in better.kept]
        lows, highs, rows = [*better.lows, *lows[rows:]], [*better.highs, *highs[rows:]], len(better.lows)
    divisor = gcd(*(costs[o] for o in live)) or 1
    own = [costs[o] // divisor for o in live]
    unit, most = units(own, highs, options)
    return MixedCore(
        lows,
        highs,
        rows,
        options,
        shades if tinted else None,
        own,
        live,
        sum(costs[o] for o in problem.given),
        divisor,
        unit,
        most,
        residual.feasible,
    )


def units(costs: Sequence[int], highs: Sequence[int], options: Sequence[Sequence[int]]) -> tuple[int, int]:
    """`unit` and `most` such that no sum of prices and costs passes 63 bits; a unit of 0 where they can't be."""
    total = sum(map(abs, costs))
    dearest = max(map(abs, costs), default=0)
    places = sum(high for high in highs if high < UNBOUNDED) + 2 * sum(map(len, options)) + len(highs) + 1
    unit = FINEST
    while unit >= COARSEST:
        most = (WHOLE - total * unit) // places
        if most >= STEEP * max(dearest, 1) * unit:
            return unit, most
        unit //= 2
    return 0, 0


def _without_implied(problem: Problem, residual: Residual, live: list[int]) -> list[int]:
    """Without options of an item that those of another item fill."""
    if problem.colours:
        return live
    need, room = residual.need, residual.room
    bits = [1 << i for i in range(problem.items)]
    sets = [sum(map(bits.__getitem__, problem.option(o))) for o in live]
    common: dict[int, int] = {}  # per item with a need, the items that all its options hold
    for o, held in heeded(zip(live, sets, strict=True)):
        for i in problem.option(o):
            if need[i] > 0:
                common[i] = common.get(i, held) & held
    tests = [
        (bits[k], bits[i])
        for i, shared in common.items()
        if shared != bits[i]
        for k in members_of(shared)
        if k != i and room[k] <= need[i] and common.get(k) != shared
    ]
    if not tests:
        return live
    if len(live) * len(tests) * problem.items > IMPLIED:
        return live
    lacking: dict[int, int] = {}  # per item that is filled, the items that fill it
    for has, lacks in tests:
        lacking[has] = lacking.get(has, 0) | lacks
    every = sum(lacking)
    return [
        o
        for o, held in heeded(zip(live, sets, strict=True))
        if not held & every or all(held & lacks == lacks for has, lacks in lacking.items() if held & has)
    ]


def _merged(problem: Problem, live: list[int], kept: list[int], low: list[int], high: list[int]) -> list[int]:
    """Of items that the same options hold, the first one, with the bounds of all."""
    rows: dict[int, list[int]] = {i: [] for i in kept}
    for o in heeded(live):
        for i in problem.option(o):
            if i in rows:
                rows[i].append(o)
    first: dict[tuple[int, ...], int] = {}
    for i, row in rows.items():
        k = first.setdefault(tuple(row), i)
        low[k], high[k] = max(low[k], low[i]), min(high[k], high[i])
    return list(first.values())


def _without_doubles(problem: Problem, live: list[int]) -> list[int]:
    """Without the dearer ones of options that hold the same, where only one of these may be taken."""
    best: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
    kept = []
    for o in heeded(live):
        held = tuple(problem.option(o))
        if not any(problem.high[i] == 1 for i in held):
            kept.append(o)
            continue
        shown = tuple(problem.option_colours(o)) if problem.colours else ()
        if problem.colours and not any(problem.high[i] == 1 and not c for i, c in zip(held, shown, strict=True)):
            kept.append(o)
            continue
        other = best.get((held, shown))
        if other is None or problem.costs[o] < problem.costs[other]:
            best[held, shown] = o
    if len(kept) + len(best) == len(live):
        return live
    return sorted([*kept, *best.values()])
