"""covr checks itself: every answer that leaves the engine is checked by code that had no part in finding it.

The first few answers are checked by check.py, in Python, unless they are long; the others by _check.py, which is
compiled and applies the same rules, but for sides (problem.py), which check.py always checks. Neither shares code with
a search. An answer that breaks a rule is a fault of covr: it raises Mistake, and the answer is not returned.

Called by `Search` for all answers of a search, whichever engine found them (search.py, and through it
parallel.py, portfolio.py, solvers.py); by piece_search.py for answers from pieces, processes or a
run file; by batch.py; by sample.py. A search that works for one of these leaves the check to it. Counts can't be
checked in this way: see `verify` of covr.Options.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from covr.engine.check import check, check_sides, cost
from covr.engine.kernels.loading import load
from covr.engine.problem import Problem

FEW = 2  # answers that are checked in Python: preparing the compiled checker takes as long as checking two to six
LONG = 1000  # options; for longer answers, all together, it pays at once: Python takes 10 ms for so many


class Mistake(Exception):
    """Raised when covr contradicts itself: the fault is in covr, not in its input."""


class Checks:
    """Checks the answers of a problem.

    Preparing the compiled checker, after the first `FEW` answers, takes time linear in the length of the options; each
    answer takes time linear in the length of its own options.
    """

    def __init__(self, problem: Problem, ceiling: int | None = None) -> None:
        """ceiling: the most an answer may cost; None for no limit."""
        self._problem, self.ceiling = problem, ceiling
        self._seen = 0
        self._checker: Any = None

    def __call__(self, answers: list[tuple[int, ...]]) -> None:
        """Check all of these. Raises Mistake for the first that is not an answer."""
        if self._checker is None:
            self._seen += len(answers)
            if self._seen <= FEW and sum(map(len, answers)) <= LONG:
                for answer in answers:
                    self._say(answer)
                return
            self._checker = load("_check").Checker(self._problem)
        at = self._checker.first_wrong(answers)
        if at < 0 and self._problem.sides:
            at = next((k for k, answer in enumerate(answers) if check_sides(self._problem, answer) is not None), -1)
        if at >= 0:
            self._say(answers[at])
            raise Mistake("two checks of an answer contradict each other")

    def batch(self, options: Any, ends: Any, counts: Any, gifts: Any, begin: Any) -> None:
        """Check the answers of a batch; see `first_wrong_of` in _check.py. Raises Mistake for the first that is
        wrong."""
        if self._checker is None:
            self._checker = load("_check").Checker(self._problem)
        at = self._checker.first_wrong_of(options, ends, counts, gifts, begin)
        if at >= 0:
            raise Mistake(f"what was found for record {at + 1} of a batch is no answer")

    def paid(self, answer: Sequence[int]) -> int:
        """The cost of an answer. Raises Mistake if it is above the ceiling."""
        paid = cost(self._problem, answer)
        if self.ceiling is not None and paid > self.ceiling:
            raise Mistake(f"an answer costs {paid} where at most {self.ceiling} was asked for")
        return paid

    def _say(self, answer: Sequence[int]) -> None:
        wrong = check(self._problem, answer)
        if wrong is not None:
            raise Mistake(f"what was found is no answer: {wrong}")
