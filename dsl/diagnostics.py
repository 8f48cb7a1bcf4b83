"""What covr tells a person about a model: a code, a sentence, a place, and what to do about it.

A user's faults are values of `Diagnostic`, which are collected and raised together as `ModelErrors`; any other
exception is a bug in covr. They are printed in the layout of rustc: the place, the source line, the span underlined.
"""

from __future__ import annotations

from collections.abc import Iterable

from covr.dsl.source import Span
from covr.frozen import frozen


@frozen
class Diagnostic:
    """An error or a warning about a model.

    code: such as `E102` or `W203`. message: one sentence without a full stop. span: None only if there is no text to
    show.
    notes: further lines below the source (`= note: …`), such as the choice or the call that led there.
    help: what to do about it, or empty.
    word: stands before the code if that is neither `error` nor `warning`, such as `no solution`.
    """

    code: str
    message: str
    span: Span | None = None
    help: str = ""
    notes: tuple[str, ...] = ()
    word: str = ""

    @property
    def is_error(self) -> bool:
        """Whether it is an error; otherwise it is a warning."""
        return self.code.startswith("E")

    def order(self) -> tuple[str, int]:
        """The sort key: by source and place, those without a place first."""
        return ("", 0) if self.span is None else (self.span.source.name, self.span.start)


class ModelErrors(Exception):
    """Every fault that a stage found, in source order. This is the only exception that a user's mistake raises."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        assert self.diagnostics
        super().__init__("\n".join(d.message for d in self.diagnostics))
