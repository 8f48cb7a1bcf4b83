"""What is raised where a limit leaves a question open, and how a run is asked so that it is."""

from __future__ import annotations

from covr.questions.answer import Answer
from covr.questions.run import Run


class Unfinished(Exception):
    """A limit was hit before the question was decided: the answer is not known.

    found: the answers, or the best answer, found until then.  count: how many were counted, for `count`.
    bound: for a model with a goal, a value that no answer can beat; None if nothing is known.
    """

    def __init__(
        self, message: str, found: tuple[Answer, ...] = (), count: int | None = None, bound: int | None = None
    ) -> None:
        super().__init__(message)
        self.found = found
        self.count = len(found) if count is None else count
        self.bound = bound


def first_of(run: Run) -> tuple[int, ...] | None:
    """The first answer of a run, or a best one; not verified yet. None: it is proved that there is none.

    Raises Unfinished if a limit is reached before.
    """
    found = run.first()
    if found is None:
        if not run.complete:
            raise Unfinished("a limit was hit before an answer was found", bound=run.bound)
        check_verified(run)
    return found


def check_verified(run: Run, found: tuple[Answer, ...] = (), count: int | None = None) -> None:
    """With the option `verify`: raise Unfinished, which holds what was found, if a limit left no time to verify it."""
    if run.verified is not None and not run.verified.done:
        raise Unfinished("a limit was hit before the answer was verified", found, count, run.bound)
