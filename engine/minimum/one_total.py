"""The cheapest answer under one total: knapsacks, and choices of one thing of each kind within a budget.

Where each option is in one item at most, of which at most one or exactly one option is taken, and a single total bounds
a sum, the items, and the options in none, are *stages*, each a choice among a few. Only the sum joins them.

**The price.** With a price y per unit of the sum, a choice of weight w costs c + y·w. The cheapest choice of each
stage, less y times the end of the range, is a bound for all answers (Lagrange); any other choice costs its *regret*
more. The best price is where the sum of the cheapest choices comes into the range. It is rounded to a multiple of
1 / `scale`, and everything is counted in whole numbers of that unit: no rounding can make the bound wrong.

**Passes.** A pass looks for the cheapest answer of those that cost at most so much, at first as little as the bound
allows: the regrets in such an answer add up to no more than the gap between that and the bound. Stage by stage it keeps
for each sum the ways with the least regret, without those that exceed the gap, or whose sum can't come into the range
any more. If a pass finds nothing, the bound rises above what it allowed, and the next one allows twice as much. So what
counts is how far the minimum is from the bound, not how good a first answer is. Stages whose regrets are large come
first, since ways are few there. Where only one end of the range matters, a way is also left out if another one has come
as far at no more cost.

Measured, CPU, things whose worth grows with their weight (benchmarks/_side_instances.py): a knapsack of 100 in 3 ms
instead of 85, of 5000 in 0.4 s. It gives up where more than `MOST` ways are to be kept.

Source: Pisinger, "A minimal algorithm for the 0-1 knapsack problem", Operations Research 45, 1997, and "A minimal
algorithm for the multiple-choice knapsack problem", European Journal of Operational Research 83, 1995, which begin with
the stages of least regret instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from math import gcd
from typing import Any

from covr.engine.base.limits import with_limit_checks
from covr.engine.problem import Problem, Total
from covr.engine.turns import Method, StepKernel
from covr.frozen import frozen

NAME = "one total, sum by sum"
MOST = 200_000  # ways that are kept at a stage: some hundred bytes each
STEP = 300  # work of one way at one stage, in nanoseconds

Choice = tuple[int, int, int]
"""Weight, cost, and the option, or -1 for none."""

Regret = tuple[int, int, int, int]
"""Regret, weight beyond that of the cheapest choice, the option, and the cheapest one."""

Way = tuple[int, Any]
"""The regret so far, and a chain: an option and the one whose place it takes, and the chain before."""


@frozen
class OneTotal:
    """stages: what is to be chosen from, one of each.  low, high: of the sum of their weights, both reached by some
    choice or not passed by any."""

    stages: Sequence[Sequence[Choice]]
    low: int
    high: int


def staged(problem: Problem) -> OneTotal | None:
    """A problem as stages; None where it is not of this kind. Given options are the only choice of their stage. Costs
    are as in the problem. Linear time."""
    if len(problem.sides) != 1 or not isinstance(problem.sides[0], Total) or problem.colours or not any(problem.costs):
        return None
    total = problem.sides[0]
    if len(total.sums) != 1:
        return None
    own = _groups(problem)
    if own is None:
        return None
    weights = dict(total.terms)
    given = set(problem.given)
    stages: list[list[Choice]] = []
    for options, must in with_limit_checks(own):
        choices = [(weights.get(o, 0), problem.costs[o], o) for o in options]
        kept = [choice for choice in choices if choice[2] in given]
        if len(kept) > 1:
            return None  # no answer, which others see at once
        stages.append(kept or [*choices, *([] if must else [(0, 0, -1)])])
    low, high = total.sums[0]
    least, most = (sum([end(w for w, _, _ in stage) for stage in stages if stage]) for end in (min, max))
    return OneTotal(stages, max(low, least), min(high, most))


def _groups(problem: Problem) -> list[tuple[Sequence[int], bool]] | None:
    """The options that exclude each other, with whether one of them is wanted; None where options have more to do with
    each other."""
    held = [False] * problem.options
    found: list[tuple[Sequence[int], bool]] = []
    for i, options in enumerate(with_limit_checks(problem.holders)):
        low, high = problem.low[i], problem.high[i]
        if low <= 0 and high >= len(options):
            continue
        if high != 1 or low > 1 or any(held[o] for o in options):
            return None
        for o in options:
            held[o] = True
        found.append((options, low == 1))
    return [*found, *(((o,), False) for o in range(problem.options) if not held[o])]


class SumKernel(StepKernel):
    """A kernel that finds one answer, the cheapest, and proves it. A stage of a pass is a node."""

    def __init__(self, total: OneTotal, ceiling: int | None) -> None:
        """total: see `staged`.  ceiling: the most that an answer may cost. Time linear, but for finding the price."""
        super().__init__(ceiling)
        self._unit = gcd(*[c for stage in total.stages for _, c, _ in stage]) or 1
        self._stages = [[(w, c // self._unit, o) for w, c, o in stage] for stage in with_limit_checks(total.stages)]
        self._low, self._high = total.low, total.high

    def _search(self) -> Iterator[None]:
        """All passes; it goes on after each stage."""
        if not all(self._stages) or self._low > self._high:
            self._ended = True
            return
        self._set_price()
        dearest = sum([max([c for _, c, _ in stage]) for stage in self._stages])
        allowed, more = -(-self._least // self._scale), 1
        while not self.over:
            most = dearest if self._ceiling is None else min(dearest, self._ceiling // self._unit)
            self._ended = self._ended or allowed > most
            if self._ended:
                return
            self.bound = self._unit * allowed
            top = min(allowed + more - 1, most)
            yield from self._pass(top)
            allowed, more = top + 1, 2 * more

    def _set_price(self) -> None:
        """Find the price, the cheapest choices and the regrets of all others."""
        weight = sum([max([abs(w) for w, _, _ in stage]) for stage in with_limit_checks(self._stages)])
        self._scale = scale = 1 << weight.bit_length()
        self._price = price = self._best_price()
        stages = [[(scale * c + price * w, w, o) for w, c, o in stage] for stage in with_limit_checks(self._stages)]
        cheapest = [min(stage) for stage in with_limit_checks(stages)]
        self._sum = sum([w for _, w, _ in cheapest])
        self._end = self._high if price >= 0 else self._low
        self._least = sum([value for value, _, _ in cheapest]) - price * self._end
        self._cheapest = [o for _, _, o in cheapest]
        others = [
            sorted([(value - best[0], w - best[1], o, best[2]) for value, w, o in stage if o != best[2]])
            for stage, best in with_limit_checks(zip(stages, cheapest, strict=True))
        ]
        self._others = sorted([stage for stage in others if stage], key=lambda stage: -stage[0][0])
        weights = [[w for w, _, _ in stage] for stage in with_limit_checks(self._stages)]
        if price >= 0:  # whether only the end that the price is for can be missed
            self._one_sided = self._low <= sum(map(min, weights))
        else:
            self._one_sided = self._high >= sum(map(max, weights))

    def _best_price(self) -> int:
        """The price nearest to 0 at which the sum of the cheapest choices comes into the range or passes it; below 0
        where too little is chosen without a price."""

        def reached(price: int) -> int:
            total = 0
            for stage in with_limit_checks(self._stages):
                total += min([(self._scale * c + price * w, sign * w) for w, c, _ in stage])[1]
            return sign * total

        sign = 1
        if reached(0) <= self._high:
            sign = -1
            if reached(0) >= self._low:
                return 0
        spread = [
            max([c for _, c, _ in stage]) - min([c for _, c, _ in stage]) for stage in with_limit_checks(self._stages)
        ]
        low, high = 0, self._scale * (1 + max(spread))
        while high - low > 1:
            self.work += STEP * sum(map(len, self._stages))
            middle = (low + high) // 2
            total = reached(sign * middle)
            if (total <= self._high) if sign > 0 else (total >= self._low):
                high = middle
            else:
                low = middle
        return sign * high

    def _pass(self, top: int) -> Iterator[None]:
        """Look for the cheapest answer that costs at most `top` units; it ends the search if there is one."""
        gap = self._scale * top - self._least
        low, high = self._low, self._high
        if self._price > 0:
            low = max(low, high - gap // self._price)
        elif self._price < 0:
            high = min(high, low + gap // -self._price)
        stages = [
            kept for stage in with_limit_checks(self._others) if (kept := [one for one in stage if one[0] <= gap])
        ]
        down, up = (
            [0, *accumulate([end(0, *[w for _, w, _, _ in stage]) for stage in reversed(stages)])] for end in (min, max)
        )
        ways: dict[int, Way] = {self._sum: (0, None)}
        for k, stage in enumerate(stages):
            left = len(stages) - k - 1
            self.work += STEP * len(ways) * (1 + len(stage))
            ways = _further(ways, stage, gap, low - up[left], high - down[left])
            if self._one_sided:
                ways = self._without_worse(ways)
            self.over = len(ways) > MOST
            if self.over or not ways:
                return
            yield
        self._choose({s: way for s, way in ways.items() if low <= s <= high}, top)

    def _without_worse(self, ways: dict[int, Way]) -> dict[int, Way]:
        """The ways, without those that are at least as far from the end that matters as another one which costs no
        more."""
        price, best = self._price, None
        kept: dict[int, Way] = {}
        for s in sorted(ways, reverse=price < 0):
            paid = ways[s][0] - price * s
            if best is None or paid < best:
                best, kept[s] = paid, ways[s]
        return kept

    def _choose(self, ways: dict[int, Way], top: int) -> None:
        """Take the cheapest of whole ways, if it costs at most `top` units."""
        if not ways:
            return
        paid = {s: self._least + regret + self._price * (self._end - s) for s, (regret, _) in ways.items()}
        s = min(paid, key=lambda s: (paid[s], s))
        if paid[s] > self._scale * top:
            return
        taken = set(self._cheapest)
        way = ways[s][1]
        while way is not None:
            (option, instead), way = way
            taken.discard(instead)
            taken.add(option)
        self._answer = sorted(taken - {-1})
        self.bound = self._unit * (paid[s] // self._scale)
        self.answers += 1
        self._ended = True


def _further(ways: dict[int, Way], stage: Sequence[Regret], gap: int, low: int, high: int) -> dict[int, Way]:
    """The ways after one more stage whose sums are from low to high, and whose regrets are no more than the gap."""
    found = {s: way for s, way in ways.items() if low <= s <= high}
    for regret, weight, option, instead in stage:
        for s, (past, taken) in ways.items():
            now, then = past + regret, s + weight
            if now <= gap and low <= then <= high and ((known := found.get(then)) is None or now < known[0]):
                found[then] = now, ((option, instead), taken)
    return found


def method(kernel: SumKernel, given: Sequence[int], whole: Callable[[Sequence[int]], tuple[int, ...]]) -> Method:
    """The kernel as a method. given: options of the problem that every answer takes.  whole: turns the other options of
    an answer into an answer in the caller's numbers."""
    known = frozenset(given)
    return kernel.method(NAME, lambda answer: whole([o for o in answer if o not in known]), 1)
