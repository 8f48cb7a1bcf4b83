"""Collects the faults of independent statements, so that one run reports them all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from covr.compiler.evaluate import EvalFault
from covr.compiler.evaluate.limits import USED_UP, Budget
from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.dsl.source import Span
from covr.dsl.syntax import Statement


class FaultCollector:
    """Collects the faults of independent statements, so that one run reports them all.

    budget: is told which statement is being compiled.
    """

    def __init__(self, budget: Budget | None = None) -> None:
        self.found: list[Diagnostic] = []
        self._budget = budget
        self._span: Span | None = None

    def of(self, statement: Statement) -> FaultCollector:
        """Use as `with faults.of(statement)`: a fault without a place of its own is shown at the statement."""
        self._span = statement.span
        if self._budget is not None:
            self._budget.begin(statement.span)
        return self

    def __enter__(self) -> FaultCollector:
        return self

    def __exit__(self, _type: object, fault: BaseException | None, _trace: object) -> bool:
        if isinstance(fault, EvalFault):
            placed = fault if self._span is None else fault.placed(self._span)
            self.found.append(placed.diagnostic)
            if placed.diagnostic.code in USED_UP:
                self.raise_if_any()
            return True
        return False

    def raise_if_any(self) -> None:
        """Raise ModelErrors with the faults found, if there are any, in source order and without repeats."""
        if self.found:
            from covr.dsl.advice import mended  # only a model with a fault needs it

            raise ModelErrors(sorted(map(mended, dict.fromkeys(self.found)), key=Diagnostic.order))

    @staticmethod
    @contextmanager
    def raising() -> Iterator[None]:
        """Turns an EvalFault that is raised inside into ModelErrors, which callers of the compiler expect."""
        try:
            yield
        except EvalFault as fault:
            from covr.dsl.advice import mended

            raise ModelErrors([mended(fault.diagnostic)]) from None
