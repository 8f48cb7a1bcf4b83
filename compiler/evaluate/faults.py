"""A user's fault that is found during evaluation. It ends the evaluation of the expression."""

from __future__ import annotations

from collections.abc import Iterable

from covr.dsl.diagnostics import Diagnostic
from covr.dsl.source import Span
from covr.frozen import evolve

# At most so many calls are listed one by one.
_NOTES = 4
_AGAIN = ", again and again"


class EvalFault(Exception):
    """Carries one Diagnostic. Code that catches it may add notes (`with_note`), and raises it again or collects it."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic

    @classmethod
    def at(cls, span: Span | None, code: str, message: str, help: str = "") -> EvalFault:
        """A fault with one diagnostic: its code, message, place and advice."""
        return cls(Diagnostic(code, message, span, help))

    def with_note(self, note: str) -> EvalFault:
        """The same fault with one more note; of a long chain of calls, only the first few notes are kept.

        A call that repeats is noted only once, so that the call that began the chain can be seen, too.
        """
        notes = self.diagnostic.notes
        if notes and notes[-1].removesuffix(_AGAIN) == note:
            if notes[-1] == note:
                return EvalFault(evolve(self.diagnostic, notes=(*notes[:-1], note + _AGAIN)))
            return self
        if len(notes) > _NOTES:
            return self
        note = "and further calls" if len(notes) == _NOTES else note
        return EvalFault(evolve(self.diagnostic, notes=(*notes, note)))

    def placed(self, span: Span) -> EvalFault:
        """The same fault, at `span` if it has no place yet."""
        if self.diagnostic.span is not None:
            return self
        return EvalFault(evolve(self.diagnostic, span=span))


def did_you_mean(word: str, candidates: Iterable[str]) -> str:
    """A `help:` text that names the most similar candidate; empty if none is similar."""
    from covr.dsl import suggest

    near = suggest(word, candidates)
    return f"did you mean `{near}`?" if near else ""
