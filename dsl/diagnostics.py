"""What covr tells a person about a model: one code, one sentence, one place, and what to do.

Faults of the user are values of `Diagnostic`, collected and raised together as `ModelErrors`; any other exception is a
bug in covr. Rendering follows rustc's layout: the place, the source line, the span underlined.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from covr.dsl.source import Span


@frozen
class Diagnostic:
    """code: `E102`, `W203`. message: one sentence without a full stop. span: None only for faults without a text.

    notes: further lines under the source (`= note: …`), e.g. the choice or the call that led there.
    help: what to do about it, or empty.
    word: what stands before the code where that is neither `error` nor `warning`, e.g. `no solution`.
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
    """Every fault a stage found, in source order. The one exception that a user's mistake can raise."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        assert self.diagnostics
        super().__init__("\n".join(d.message for d in self.diagnostics))
