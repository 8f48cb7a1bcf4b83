"""The answers of a model, one by one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from covr.compiler import Compiled
from covr.questions.answer import Answer
from covr.questions.options import Options
from covr.questions.run import Run

if TYPE_CHECKING:
    from covr.engine import Counters, Status


class Solutions(Iterator[Answer]):
    """The answers of a model, found one by one as they are asked for.

    complete: whether all answers were returned; false while there may be more, also after a limit.
    """

    def __init__(self, compiled: Compiled, options: Options, limit: int | None) -> None:
        if limit is not None:
            from covr.engine.base.whole import whole

            limit = whole(limit, "limit", 0)
        self._compiled = compiled
        self._run = Run(compiled, options)
        self._answers = self._run.upto(limit)

    def __next__(self) -> Answer:
        found = next(self._answers)
        best = self._run.best
        if best is None:
            return Answer(self._compiled, found)
        return Answer(self._compiled, found, best.bound, best.proved)

    @property
    def complete(self) -> bool:
        return self._run.complete

    @property
    def verified(self) -> bool | None:
        """With the option `verify`: whether another method confirmed that there are no more answers; None before all
        answers are returned."""
        return None if self._run.verified is None else self._run.verified.done

    @property
    def status(self) -> Status:
        """`running`, `exhausted` (that was all), `limit` or `interrupted`."""
        return self._run.status

    @property
    def counters(self) -> Counters:
        """The work so far: nodes, updates and answers."""
        return self._run.counters

    def interrupt(self) -> None:
        """Ask the search to stop; may be called from another thread."""
        self._run.interrupt()
