"""Refuses a model with totals, `if … then`, `connected`, `loop` or `answers by` where they can't be handled, before any
work begins and with the place of the statement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.dsl.syntax import AnswersBy

if TYPE_CHECKING:
    from covr.compiler import Compiled


def refuse_told(compiled: Compiled, who: str) -> None:
    """Raises ModelErrors (E505) for a model with `answers by`. who: what can't handle it, as the beginning of a
    sentence."""
    by = compiled.model.all(AnswersBy)
    if by:
        help = "`covr solve`, `covr count`, `covr sample` and `covr test` count answers by families"
        raise ModelErrors([Diagnostic("E505", f"{who} can't tell answers apart by some families", by[0].span, help)])


def refuse_sided(compiled: Compiled, who: str) -> None:
    """Raises ModelErrors (E505) for a model with side conditions, at the first statement that makes one.

    who: what can't handle them, as the beginning of a sentence. A matrix that has sides but comes from no statements is
    left to the engine, which refuses it without naming a place.
    """
    origins = compiled.lowered.side_origins
    if not compiled.problem.sides or not origins:
        return
    span = origins[0].statement.span
    help = "the engine `sides` searches it: `covr solve`, `covr count`, `covr why`"
    raise ModelErrors([Diagnostic("E505", f"{who} can't hold what this statement says", span, help)])
