"""What a sweep over the items of a core needs to know: which options are decided when, and what that costs.

Items are decided one after another, in the order of prepare/frontier.py. At an item's turn all of its options that are
still open are decided: together, in one step, if at most one of them may be taken, else in a step for each. When the
last option of an item is decided, the item is complete.

An item needs bits from the first step that decides one of its options until it is complete. How many: one that need
only be covered k times k bits, because more is no different; one that has room for k options k bits, unless no more
than k hold it. Together the frontier may have `WIDEST` bits, but how many states there are is bounded by their prices.

The prices y of the items, which may be any whole numbers, make a bound: with rc[o] = cost[o] - (sum of y over the items
of o), every answer costs (sum of rc over its options) + (sum of y[i] times the number of its options that hold i). So
its cost is the sum of

    first                   low[i] y[i], or high[i] y[i] where y[i] < 0, over all items, and all negative rc
    rc[o], or -rc[o]        for each option that is taken with rc > 0, or left with rc < 0
    y[i] > 0                for each option that holds i when i is covered `low[i]` times already
    -y[i] > 0               for each option less than `high[i]` that holds i

all of which but the first are 0 or more, and known at the step that causes them: so what a state has cost is at the
same time a bound for every answer that begins with it. The sweep is shortest with the prices of a linear program.

Source: Puchinger and Stuckey, "Automating branch-and-bound for dynamic programs", 2008; Bergman, Cire, van Hoeve and
Hooker, "Decision Diagrams for Optimization", 2016.
"""

from __future__ import annotations

from collections.abc import Sequence

from covr.engine.base.heed import heeded
from covr.engine.minimum.mixed_core import MixedCore
from covr.engine.prepare.frontier import order_items
from covr.frozen import frozen

WIDEST = 64  # bits of a frontier


@frozen
class SweepPlan:
    """A plan. Prices are in units of the core.

    begin: step k decides the options begin[k]:begin[k+1] of the following lists, of which at most one may be taken.
    number: per option, its number in the core.  block: the bits of which none may be set.  lowest, upper: the lowest
    bits of its items; the others.  price: what it costs to take it, where the others of the step are left.
    over_begin, over_bit, over_price: what it costs in addition, for each bit that is set, likewise as ranges.
    leave: per step, what it costs to leave all of its options.
    must, clear: per step, the bits that must be set after it, and those that are then cleared.  lack_begin, lack_bit,
    lack_price: what it costs after the step, for each bit that is not set.
    first: what every answer costs.  width: how many bits there are.
    """

    begin: Sequence[int]
    number: Sequence[int]
    block: Sequence[int]
    upper: Sequence[int]
    lowest: Sequence[int]
    price: Sequence[int]
    over_begin: Sequence[int]
    over_bit: Sequence[int]
    over_price: Sequence[int]
    leave: Sequence[int]
    must: Sequence[int]
    clear: Sequence[int]
    lack_begin: Sequence[int]
    lack_bit: Sequence[int]
    lack_price: Sequence[int]
    first: int
    width: int


@frozen
class SweepOrder:
    """In which order the options of a core are decided, and the bits of its items.

    steps: per step, the options it decides, of which at most one may be taken.
    done: per step, the items that are complete after it.
    shift, size: per item, its lowest bit, and how many it has.  width: how many bits there are.
    """

    steps: Sequence[Sequence[int]]
    done: Sequence[Sequence[int]]
    shift: Sequence[int]
    size: Sequence[int]
    width: int


def order_sweep(core: MixedCore) -> SweepOrder | None:
    """The order for a core; None where its frontier is wide, or for one with colours, coefficients or no answer. Time
    about (members of options) + (pairs of items that share options)."""
    if core.shades is not None or core.heavy or not core.feasible:
        return None
    order = order_items(core.options, range(core.rows), WIDEST)
    if order is None:
        return None
    rows: list[list[int]] = [[] for _ in range(core.rows)]
    for o, option in heeded(enumerate(core.options)):
        for i in option:
            rows[i].append(o)
    holders = [len(row) for row in rows]
    if any(low > min(high, many) or not high for low, high, many in zip(core.lows, core.highs, holders, strict=False)):
        return None
    size = [low if high >= many else high for low, high, many in zip(core.lows, core.highs, holders, strict=False)]
    decided = bytearray(len(core.options))
    steps = [[o] for o, option in enumerate(core.options) if not option]
    for i in heeded(order, 64):
        own = [o for o in rows[i] if not decided[o]]
        for o in own:
            decided[o] = 1
        steps += [own] if core.highs[i] == 1 and own else [[o] for o in own]
    return _with_bits(core, steps, holders, size)


def _with_bits(
    core: MixedCore, steps: Sequence[Sequence[int]], left: list[int], size: Sequence[int]
) -> SweepOrder | None:
    """The order with these steps; None where the frontier is wide. left: per item, how many options hold it; used up.
    size: per item, how many bits it needs."""
    done: list[list[int]] = []
    shift = [-1] * core.rows
    taken = width = 0
    for step in heeded(steps):
        ready = []
        for i in (i for o in step for i in core.options[o]):
            left[i] -= 1
            if not left[i]:
                ready.append(i)
            if shift[i] < 0 and size[i]:
                shift[i] = _gap(taken, size[i])
                taken |= _mask(shift[i], size[i])
                width = max(width, shift[i] + size[i])
        if width > WIDEST:
            return None
        for i in ready:
            taken &= ~_mask(shift[i], size[i])
        done.append(ready)
    return SweepOrder(steps, done, shift, size, width)


def _mask(shift: int, size: int) -> int:
    """So many bits from the given one on."""
    return (1 << size) - 1 << shift if size else 0


def _gap(taken: int, size: int) -> int:
    """The lowest place where so many bits in a row are free."""
    place = 0
    while taken & _mask(place, size):
        place += 1
    return place


def plan_sweep(core: MixedCore, order: SweepOrder, prices: Sequence[int]) -> SweepPlan:
    """The plan with these prices. prices: per item, in units. Time linear in the core."""
    y = [_useful(core, order, i, price) for i, price in enumerate(prices)]
    rc = [cost * core.unit - sum([y[i] for i in held]) for cost, held in zip(core.costs, core.options, strict=True)]
    first = sum(p * (core.lows[i] if p > 0 else core.highs[i]) for i, p in enumerate(y))
    first += sum(c for c in rc if c < 0)
    begin, over_begin, lack_begin = [0], [0], [0]
    number: list[int] = []
    block, upper, lowest, price = [], [], [], []
    over_bit: list[int] = []
    over_price: list[int] = []
    lack_bit: list[int] = []
    lack_price: list[int] = []
    leave, must, clear = [], [], []
    bits = [_mask(shift, size) for shift, size in zip(order.shift, order.size, strict=True)]
    last = [1 << order.shift[i] + order.size[i] - 1 if order.size[i] else 0 for i in range(core.rows)]
    bounded = [order.size[i] == core.highs[i] for i in range(core.rows)]
    for step, done in heeded(zip(order.steps, order.done, strict=True)):
        skip = sum(max(-rc[o], 0) for o in step)
        for o in step:
            held = core.options[o]
            number.append(o)
            block.append(sum(last[i] for i in held if bounded[i]))
            low = sum(1 << order.shift[i] for i in held if order.size[i])
            lowest.append(low)
            upper.append(sum(bits[i] for i in held) & ~low)
            price.append(skip + rc[o])
            for i in held:
                if y[i] > 0 and not (bounded[i] and core.highs[i] == core.lows[i]):
                    over_bit.append(1 << order.shift[i] + core.lows[i] - 1)
                    over_price.append(y[i])
            over_begin.append(len(over_bit))
        leave.append(skip)
        begin.append(len(number))
        must.append(sum(1 << order.shift[i] + core.lows[i] - 1 for i in done if core.lows[i]))
        clear.append(sum(bits[i] for i in done))
        for i in done:
            if y[i] < 0:
                for k in range(core.lows[i], core.highs[i]):
                    lack_bit.append(1 << order.shift[i] + k)
                    lack_price.append(-y[i])
        lack_begin.append(len(lack_bit))
    return SweepPlan(
        begin, number, block, upper, lowest, price, over_begin, over_bit, over_price, leave, must, clear, lack_begin,
        lack_bit, lack_price, first, order.width,
    )  # fmt: skip


def _useful(core: MixedCore, order: SweepOrder, i: int, price: int) -> int:
    """The price of an item, or 0 where it would add nothing to the bound, or can't be told from its bits."""
    if price > 0:
        return price if core.lows[i] else 0
    return price if order.size[i] == core.highs[i] else 0
