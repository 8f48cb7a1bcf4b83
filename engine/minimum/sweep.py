"""The minimum item by item: sweeps over the frontier, each up to a higher cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from covr.engine.base.limits import with_limit_checks
from covr.engine.kernels.header import DONE
from covr.engine.kernels.loading import load
from covr.engine.minimum.mixed_core import MixedCore
from covr.engine.prepare.frontier import order_items
from covr.engine.witness import hold_end
from covr.frozen import frozen

# --- sweep plan ------------------------------------------------------------------------------------------------------
# What a sweep over the items of a core needs to know: which options are decided when, and what that costs.
#
# Items are decided one after another, in the order of prepare/frontier.py. At an item's turn all of its options that
# are still open are decided: together, in one step, if at most one of them may be taken, else in a step for each. When
# the last option of an item is decided, the item is complete.
#
# An item needs bits from the first step that decides one of its options until it is complete. How many: one that need
# only be covered k times k bits, because more is no different; one that has room for k options k bits, unless no more
# than k hold it. Together the frontier may have `WIDEST` bits, but how many states there are is bounded by their
# prices.
#
# The prices y of the items, which may be any whole numbers, make a bound: with rc[o] = cost[o] - (sum of y over the
# items of o), every answer costs (sum of rc over its options) + (sum of y[i] times the number of its options that hold
# i). So its cost is the sum of
#
#     first                   low[i] y[i], or high[i] y[i] where y[i] < 0, over all items, and all negative rc
#     rc[o], or -rc[o]        for each option that is taken with rc > 0, or left with rc < 0
#     y[i] > 0                for each option that holds i when i is covered `low[i]` times already
#     -y[i] > 0               for each option less than `high[i]` that holds i
#
# all of which but the first are 0 or more, and known at the step that causes them: so what a state has cost is at the
# same time a bound for every answer that begins with it. The sweep is shortest with the prices of a linear program.
#
# Source: Puchinger and Stuckey, "Automating branch-and-bound for dynamic programs", 2008; Bergman, Cire, van Hoeve and
# Hooker, "Decision Diagrams for Optimization", 2016.


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
    for o, option in with_limit_checks(enumerate(core.options)):
        for i in option:
            rows[i].append(o)
    holders = [len(row) for row in rows]
    if any(low > min(high, many) or not high for low, high, many in zip(core.lows, core.highs, holders, strict=False)):
        return None
    size = [low if high >= many else high for low, high, many in zip(core.lows, core.highs, holders, strict=False)]
    decided = bytearray(len(core.options))
    steps = [[o] for o, option in enumerate(core.options) if not option]
    for i in with_limit_checks(order, 64):
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
    for step in with_limit_checks(steps):
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
    for step, done in with_limit_checks(zip(order.steps, order.done, strict=True)):
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


# --- sweep -----------------------------------------------------------------------------------------------------------
# The minimum item by item: sweeps over the frontier, each up to a higher cost, until one meets an answer.
#
# A sweep (kernels/frontiers/_sweep.py) looks at all states of the frontier whose bound is below a cutoff. How many
# there are is not known in advance; it grows by about the same factor with every unit of cost at first, and more slowly
# later. So the first sweep goes just above the bound of the linear program. Each that meets no answer proves a higher
# bound, and the next one goes so far that it should take about `GROWTH` times as many states. An answer that a sweep
# meets is a cheapest one. So all sweeps together take little longer than the last one, and no good answer need be
# known: but if one is, the last sweep goes no further.
#
# Measured: fewest squares that dominate the 14×14 board (47, of which the linear program proves 43): 13 million states
# and 1.6 s for the last sweep if an answer of 47 is known, 32 million and 5 s if none is; seven of eight states are in
# the last sweep or the one before. On 16×16 it takes 71 million states and 12 s to prove 60. Pentominoes 4×15 and 6×10
# with random costs: 0.3 and 5 million states, 0.03 and 0.9 s with no answer known.


ITEM_BY_ITEM = "the minimum item by item"  # what the engine is called

GROWTH = 3  # doublings of the number of states from one sweep to the next, as planned
FEW = 1000  # states; after sweeps of fewer, the next one goes twice as far above the bound, whatever their growth
COARSE = 64  # the second sweep goes at least this fraction of the dearest option higher than the first
FINE = 64  # parts of a doubling in which growth is measured
MOST_DOUBLINGS = 50  # of the number of states, that are foreseen
SLICE = 1 << 14  # states and options looked at in one step: about a millisecond
STATE, TAKEN = 40, 40  # work, in the units of the tree's kernel (_mixed.py), for a state, and for an option taken
ENDLESS = 1 << 62  # work; more than anything that ends


class MinimumSweep:
    """The sweeps over one core. `step` until `done` or `gave_up`."""

    def __init__(
        self,
        core: MixedCore,
        order: SweepOrder,
        prices: Sequence[int],
        ceiling: int,
        memory: int,
        interpreted: bool = False,
    ) -> None:
        """core, order: what is searched, and how.  prices: per item, in units of the core; the better the bound they
        prove, the fewer states there are.  ceiling: the most an answer may cost in the core.  memory: bytes that the
        states may take."""
        self.ceiling = ceiling
        self.found: list[int] | None = None  # a cheapest answer, in the core's numbers
        self.done = False  # whether it is certain that there is no answer below the ceiling, or that `found` is best
        self.gave_up = False  # whether the memory was not enough
        self.bound: int | None = None  # no answer costs less than this in the core
        self._core, self._memory = core, memory
        self._module = load("_sweep", interpreted)
        self._plan = plan_sweep(core, order, prices)
        self._slice = max(1, SLICE * len(order.steps) // (len(order.steps) + len(core.options) + 1))
        self._past_states = self._past_taken = 0  # in sweeps that are over
        self._sweeps: list[tuple[int, int]] = []  # of these, the last cost they looked at and how many states they had
        self._kernel: Any = None
        self._last = 0  # the last cost that the present sweep looks at
        self._begin(core.least(self._plan.first))

    @property
    def states(self) -> int:
        """How many states were treated, in all sweeps."""
        return self._past_states + (0 if self._kernel is None else int(self._kernel.nodes))

    @property
    def taken(self) -> int:
        """How many options were taken, in all sweeps."""
        return self._past_taken + (0 if self._kernel is None else int(self._kernel.updates))

    @property
    def work(self) -> int:
        """The work so far, in the units of the tree's kernel."""
        return STATE * self.states + TAKEN * self.taken

    def fraction(self) -> float:
        """How much of the present sweep is done, from 0 to 1, if it is the last one; else 0."""
        if self.done:
            return 1.0
        return float(self._kernel.fraction()) if self._kernel is not None and self._last >= self.ceiling else 0.0

    def expected(self) -> int:
        """How much work is still to be done, about, if growth goes on to change as in the last sweeps."""
        if not self._sweeps or self._kernel is None:
            return ENDLESS
        done = int(self._kernel.nodes)
        planned, states = self._foreseen(self._last), self._foreseen(self.ceiling)
        if done > planned:  # The more there are above what was foreseen, the less it says.
            part = max(int(self._kernel.fraction() * FINE), 1)
            states = states * min(done * FINE // part, done + done * done // planned) // planned
        return max(states - done, 0) * (STATE + TAKEN)

    def lower(self, ceiling: int) -> None:
        """Find only answers of at most this cost in the core from now on."""
        if ceiling < self.ceiling:
            self.ceiling = ceiling
            if ceiling < self._last:
                self._last = ceiling
                if self._kernel is not None:
                    self._kernel.lower(self._core.barrier(ceiling))

    def step(self) -> None:
        """Go on for one slice."""
        kernel = self._kernel
        if kernel.run(self._slice) != DONE:
            if kernel.is_full:
                self.gave_up, self._kernel = True, None
            return
        if kernel.value is not None:
            if self._core.witness is not None:
                hold_end("item by item: the cheapest answer", False, kernel.value // self._core.unit, self._core.worth)
            self.found = kernel.answer()
            self.bound = kernel.value // self._core.unit
            self.done = True
            return
        if self._core.witness is not None:
            hold_end(f"item by item: the sweep up to {self._last}", False, self._last + 1, self._core.worth)
        self.bound = self._last + 1
        self._past_states += kernel.nodes
        self._past_taken += kernel.updates
        self._sweeps.append((self._last, kernel.nodes))
        self._kernel = None
        self._begin(self._next())

    def _begin(self, last: int) -> None:
        """Begin a sweep up to this cost, or to the ceiling if that is lower."""
        if self._last >= self.ceiling and self._sweeps:
            self.done = True
            return
        self._last = min(last, self.ceiling)
        self._kernel = self._module.SweepKernel(self._plan, self._core.barrier(self._last), self._memory)

    def _next(self) -> int:
        """The last cost of the next sweep."""
        last, states = self._sweeps[-1]
        least = self._core.least(self._plan.first)
        step = max(last - least, max(map(abs, self._core.costs), default=0) // COARSE, 1)
        while states >= FEW and step > 1 and self._foreseen(last + step) > states << GROWTH:
            step = step * 3 // 4
        return last + step

    def _foreseen(self, cost: int) -> int:
        """How many states a sweep up to this cost should have, at least 1."""
        last, states = self._sweeps[-1]
        doublings = min(self._rate(cost) * (cost - last) // FINE // FINE, MOST_DOUBLINGS)
        return max(states, 1) << max(doublings, 0)

    def _rate(self, cost: int) -> int:
        """By how much the number of states should grow for each unit of cost from the last sweep up to this cost, in
        parts of a doubling, `FINE`² to one. What changed between the last two differences is taken to go on, within
        limits."""
        points = [(self._core.barrier(last), _doublings(states)) for last, states in self._sweeps[-3:]]
        if len(points) == 1:  # up to the first bound there is about one state for each step
            points.insert(0, (self._plan.first, _doublings(len(self._plan.leave))))
        (before, few), (last, many) = points[-2:]
        unit = self._core.unit
        rate = FINE * (many - few) * unit // (last - before)
        if len(points) < 3:
            return rate
        older, fewest = points[0]
        earlier = FINE * (few - fewest) * unit // (before - older)
        # The rates are those in the middle between two costs, twice as large here.
        slower = (earlier - rate) * (self._core.barrier(cost) - before) // (last - older)
        return min(max(rate - slower, rate // 2), rate)


def _doublings(number: int) -> int:
    """The logarithm of a number from 1 to the base 2, times `FINE`, rounded up; in whole numbers, so that it is the
    same on every machine."""
    return int(max(number, 1) ** FINE).bit_length()
