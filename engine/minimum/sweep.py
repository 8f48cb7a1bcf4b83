"""The minimum item by item: sweeps over the frontier, each up to a higher cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from covr.engine.base.limits import ENDLESS
from covr.engine.kernels.header import DONE
from covr.engine.kernels.loading import load
from covr.engine.minimum.mixed_core import MixedCore
from covr.engine.prepare.frontier import SweepOrder, order_options, plan_sweep
from covr.engine.witness import hold_end

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
FINE = 64  # parts of a doubling in which growth is measured, and of the dearest option: a sweep goes on by one at least
MOST_DOUBLINGS = 50  # of the number of states, that are foreseen
SLICE = 1 << 14  # states and options looked at in one step: about a millisecond
STATE = 40  # work, in the units of the tree's kernel (_mixed.py), for a state, and for an option taken


def order_sweep(core: MixedCore) -> SweepOrder | None:
    """The order for a core; None where its frontier is wide, or for one with colours, coefficients or no answer."""
    if core.shades is not None or core.heavy or not core.feasible:
        return None
    return order_options(core.options, core.lows, core.highs)


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
        self._plan = plan_sweep(order, [cost * core.unit for cost in core.costs], prices)
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
        return STATE * (self.states + self.taken)

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
        return max(states - done, 0) * 2 * STATE

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
        step = max(last - least, max(map(abs, self._core.costs), default=0) // FINE, 1)
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
