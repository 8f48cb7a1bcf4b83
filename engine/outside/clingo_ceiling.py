"""What a ceiling of the costs says together with totals that have one value.

If as many white queens as black ones are wanted, and more than 14 in all, then there are 8 white ones at least, and 8
black ones. A solver that learns from either condition alone does not see that: the cost and such a total are added up,
or subtracted, so that many options no longer count, and what is left is divided by what divides all coefficients.

Measured, conflicts until more than 7 peaceable queens of each side are refuted on 7 by 7: 139 813 with both sums, 3.5
s, and not in 1 195 000 with the cost and the total. Cores prove that no more than 12 fit after 200 000. With every
second call for cores, 389 892; with those a quarter as long, 200 487. To forbid answers that one of the 15 symmetries
makes smaller leaves 15 392 of 140 628; that is not done here.

Source: Gomory's cutting planes; Chvátal, "Edmonds polytopes and a hierarchy of combinatorial problems", Discrete
Mathematics 4, 1973.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import gcd

from covr.engine.base.heed import heeded
from covr.engine.outside.clingo_rules import MOST_WEIGHT
from covr.engine.problem import Problem
from covr.engine.sides import Total
from covr.frozen import frozen

TRIED = 2  # multiples of a total
MOST_SUMS = 20


@frozen
class CostSum:
    """A sum of options that is low where an answer is cheap. terms: options, each with its coefficient.
    shift, divisor: where an answer costs no more than c, the sum is at most (c + shift) / divisor."""

    terms: tuple[tuple[int, int], ...]
    shift: int
    divisor: int

    def most(self, ceiling: int) -> int:
        """The most that the sum comes to in an answer that costs no more than `ceiling`."""
        return (ceiling + self.shift) // self.divisor


def cost_sums(problem: Problem) -> list[CostSum]:
    """Sums of few options that costs and totals give. Time linear in the options for each total that has one value."""
    found: dict[CostSum, None] = {}
    if any(problem.costs):
        for side in heeded(problem.sides):
            if isinstance(side, Total) and side.exact is not None:
                found |= dict.fromkeys(_of(problem, side, side.exact))
                if len(found) >= MOST_SUMS:
                    break
    return list(found)[:MOST_SUMS]


def _of(problem: Problem, total: Total, value: int) -> Iterator[CostSum]:
    costs = problem.costs
    paid = sum(map(bool, costs))
    multiples = Counter([-costs[o] // c for o, c in total.terms if costs[o] and costs[o] % c == 0])
    for times, _ in sorted(multiples.items(), key=lambda pair: (-pair[1], pair[0]))[:TRIED]:
        added = dict(total.terms)
        sums = [(o, cost + times * added.get(o, 0)) for o, cost in enumerate(costs)]
        terms = tuple([(o, c) for o, c in sums if c])
        if terms and 4 * len(terms) <= 3 * paid and sum([abs(c) for _, c in terms]) <= MOST_WEIGHT:
            divisor = gcd(*[c for _, c in terms])
            yield CostSum(tuple([(o, c // divisor) for o, c in terms]), times * value, divisor)


__all__ = ["CostSum", "cost_sums"]
