"""covr checks itself: whatever answer leaves the engine was looked at by somebody who had no part in finding it.

The first few answers are read by check.py, in Python; from then on by _check.py, which is compiled and says the same.
Neither shares code with a search. An answer that breaks a rule is a mistake of covr: it is raised and never given.

Who calls this: `Search` for all that is given by a search, whichever engine found it (search.py, and through it
parallel.py, portfolio.py, restarts.py, sat.py, solvers.py); piece_search.py for what pieces, processes or a run file
hold; batch.py; sample.py. Searches that only work for one of these leave it to that one. Numbers alone can't be looked
at like this: see `verify` of covr.Options.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from covr.engine.check import check, cost
from covr.engine.kernels.loading import load
from covr.engine.problem import Problem

FEW = 8  # answers, up to which it does not pay to make the compiled checker ready


class Mistake(Exception):
    """covr contradicts itself: the fault is in covr, not in what it was given."""


class Checks:
    """Looks at the answers of a problem. Nothing is made ready before there are some; then it takes time linear in the
    length of the options once, and in that of its options for each answer."""

    def __init__(self, problem: Problem, ceiling: int | None = None) -> None:
        """ceiling: what an answer may cost at most."""
        self._problem, self.ceiling = problem, ceiling
        self._seen = 0
        self._checker: Any = None

    def __call__(self, answers: list[tuple[int, ...]]) -> None:
        """Raises Mistake for the first that is no answer."""
        if self._checker is None:
            self._seen += len(answers)
            if self._seen <= FEW:
                for answer in answers:
                    self._say(answer)
                return
            self._checker = load("_check").Checker(self._problem)
        at = self._checker.first_wrong(answers)
        if at >= 0:
            self._say(answers[at])
            raise Mistake("two checks of an answer contradict each other")

    def batch(self, options: Any, ends: Any, counts: Any, gifts: Any, begin: Any) -> None:
        """Those of a batch; see `first_wrong_of` in _check.py."""
        if self._checker is None:
            self._checker = load("_check").Checker(self._problem)
        at = self._checker.first_wrong_of(options, ends, counts, gifts, begin)
        if at >= 0:
            raise Mistake(f"what was found for record {at + 1} of a batch is no answer")

    def paid(self, answer: Sequence[int]) -> int:
        """What it costs. Raises Mistake where that is above the ceiling."""
        paid = cost(self._problem, answer)
        if self.ceiling is not None and paid > self.ceiling:
            raise Mistake(f"an answer costs {paid} where at most {self.ceiling} was asked for")
        return paid

    def _say(self, answer: Sequence[int]) -> None:
        wrong = check(self._problem, answer)
        if wrong is not None:
            raise Mistake(f"what was found is no answer: {wrong}")
