"""An answer first: the hard rules alone, by whatever finds first answers, as a method that has turns (mixed.py).

Where a goal is made of wishes, the rules proper are often easy, and a search that looks at costs from the beginning
meets no answer for minutes. So the costs are left out, and every option that can only help to meet a rule is given: the
slack of a wish, or what is taken if something else is. What they meet is left out, too. Any answer of that is an answer
of the problem. Then options that nothing needs are dropped from it, the dearest first, and those that pay are added.
Where the hard rules have no answer, the problem has none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from attrs import evolve

from covr.engine.base.limits import check_limits, with_limit_checks
from covr.engine.kernels.header import FOUND, SLICE
from covr.engine.problem import Problem, Side, Total, options_of
from covr.engine.turns import Method

if TYPE_CHECKING:
    from covr.engine.kernels.loading import Kernel

NAME = "the hard rules first"


def hard(problem: Problem) -> Problem:
    """The problem without costs, with all options given that help. Its answers are answers of the problem, and it has
    one if the problem has. Linear time."""
    given = {*problem.given, *_helpful(problem)}
    return evolve(
        problem,
        costs=(),
        given=tuple(sorted(given)),
        sides=tuple([side for side in with_limit_checks(problem.sides) if not _is_met(side, given)]),
        projection=None,
        witness=None,
    )


def _helpful(problem: Problem) -> list[int]:
    """The options of which no answer breaks a rule by taking one more."""
    holders = [0] * problem.items
    for i in with_limit_checks(problem.members):
        holders[i] += 1
    full = [high < count for high, count in zip(problem.high, holders, strict=True)]
    barred = bytearray(problem.options)
    for side in with_limit_checks(problem.sides):
        if not isinstance(side, Total) or len(side.sums) != 1:
            for o in options_of(side):
                barred[o] = 1
            continue
        ((low, high),) = side.sums
        least, most = _reach(side.terms)
        for o, weight in side.terms:
            if high < most if weight > 0 else low > least:
                barred[o] = 1
    costs = problem.costs
    return [
        o
        for o in with_limit_checks(range(problem.options))
        if not barred[o] and costs[o] >= 0 and not any(full[i] for i in problem.option(o))
    ]


def _reach(terms: Sequence[tuple[int, int]], taken: frozenset[int] | set[int] = frozenset()) -> tuple[int, int]:
    """The least and the greatest sum of answers that take some options."""
    least = most = 0
    for o, weight in terms:
        if weight < 0 or o in taken:
            least += weight
        if weight > 0 or o in taken:
            most += weight
    return least, most


def _is_met(side: Side, taken: set[int]) -> bool:
    """Whether all answers that take some options meet a side."""
    if not isinstance(side, Total):
        return False
    least, most = _reach(side.terms, taken)
    return any(low <= least and most <= high for low, high in side.sums)


class HardRules:
    """A kernel (see loading.py) that finds one answer. over: whether it has; nothing more is to be had then."""

    def __init__(self, problem: Problem, search: Kernel) -> None:
        """search: for the answers of `hard`, with the options given there."""
        self._problem, self._search = problem, search
        self._answer: list[int] = []
        self.over = False
        self.answers = 0
        self.code = -1

    @property
    def nodes(self) -> int:
        """The nodes of the search."""
        return self._search.nodes

    @property
    def updates(self) -> int:
        """The updates of the search."""
        return self._search.updates

    def run(self, nodes: int, answers: int) -> int:
        """Go on for at most so many nodes. DONE: the problem has no answer."""
        self.code = SLICE if self.over else self._search.run(nodes, 1)
        if self.code == FOUND:
            self.over = True
            self._answer = improved(self._problem, self._search.answer())
            self.answers = 1
        return self.code

    def answer(self) -> list[int]:
        """The answer, with the given options."""
        return self._answer


def method(kernel: HardRules, whole: Callable[[Sequence[int]], tuple[int, ...]], works: Callable[[], int]) -> Method:
    """The kernel as a method. whole: turns options of the problem, without those given, into an answer.  works: the
    work of its search."""

    def answer() -> tuple[int, ...]:
        given = frozenset(kernel._problem.given)
        return whole([o for o in kernel.answer() if o not in given])

    return Method(NAME, kernel, kernel.run, answer, looks=True, even=False, works=works)


def improved(problem: Problem, answer: Sequence[int]) -> list[int]:
    """An answer without options that cost something and can be dropped, the dearest first, and with those that pay and
    can be added. Linear time, apart from sorting."""
    taken = set(answer)
    held = [0] * problem.items
    for o in with_limit_checks(answer):
        for i in problem.option(o):
            held[i] += 1
    sums: list[int] = []
    weights: dict[int, list[tuple[int, int]]] = {}  # per option, the totals that it is in, and its weight there
    kept = set(problem.given)  # options that stay as they are
    ranges: list[tuple[tuple[int, int], ...]] = []
    for side in with_limit_checks(problem.sides):
        if not isinstance(side, Total):
            kept.update(options_of(side))
            continue
        for o, weight in side.terms:
            weights.setdefault(o, []).append((len(sums), weight))
        sums.append(sum([weight for o, weight in side.terms if o in taken]))
        ranges.append(side.sums)
    costs = problem.costs
    for o in with_limit_checks(sorted(range(problem.options), key=lambda o: -abs(costs[o]))):
        sign = -1 if costs[o] > 0 else 1
        if costs[o] == 0 or (o in taken) != (sign < 0) or o in kept or any(problem.option_colours(o)):
            continue
        items, own = problem.option(o), weights.get(o, ())
        if any(not problem.low[i] <= held[i] + sign <= problem.high[i] for i in items):
            continue
        if any(not any(low <= sums[k] + sign * w <= high for low, high in ranges[k]) for k, w in own):
            continue
        taken ^= {o}
        for i in items:
            held[i] += sign
        for k, w in own:
            sums[k] += sign * w
    check_limits()
    return sorted(taken)
