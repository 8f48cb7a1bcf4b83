"""Notes the comparisons `=` and `!=` that always compare values of different kinds, which is probably not meant.

`3 = [3]` and `3 = "3"` are false and no fault, so a model that compares a number with a list is silently wrong. Only
`covr check` takes notes: outside `noting`, comparisons are compiled without any of this, and cost nothing more.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from attrs import define

from covr.compiler.evaluate.values import Map, Record, Rng, Seq, Set, Value, abbreviate, alike, kind_of, show_value
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.source import Span

_notes: ContextVar[Notes | None] = ContextVar("unlike", default=None)


@define
class Notes:
    """The comparisons evaluated so far: at each place, a pair of unlike values, or None once values were alike."""

    pairs: dict[Span, tuple[Value, Value] | None]

    def add(self, a: Value, b: Value, span: Span) -> None:
        """Note two values that are compared at a place."""
        if self.pairs.get(span, ()) is None:
            return
        if alike(a, b):
            self.pairs[span] = None
        elif span not in self.pairs and is_odd(a, b):
            self.pairs[span] = (a, b)

    def alike(self, span: Span) -> None:
        """Note that values of one kind are, or may be, compared at a place."""
        self.pairs[span] = None

    def remarks(self) -> Iterator[Diagnostic]:
        """A warning (W213) for each comparison in which the values were never of the same kind."""
        for span, pair in self.pairs.items():
            if pair is not None:
                message = f"this compares {kind_of(pair[0])} with {kind_of(pair[1])}, which are never equal"
                yield Diagnostic("W213", message, span, "are values of one kind meant?", (kinds(*pair),))


@contextmanager
def noting() -> Iterator[Notes]:
    """A context in which comparisons are noted that are compiled inside it."""
    notes = Notes({})
    token = _notes.set(notes)
    try:
        yield notes
    finally:
        _notes.reset(token)


def notes() -> Notes | None:
    """The notes that are being taken, or None if none are."""
    return _notes.get()


def is_odd(a: Value, b: Value) -> bool:
    """Whether it is probably a mistake to compare two values of unlike kinds: one of them has members, or they look the
    same (3 and "3"). A number and another text are not: a grid may hold both."""
    many = (Map, Record, Rng, Seq, Set, tuple)
    return isinstance(a, many) or isinstance(b, many) or show_value(a) == show_value(b)


def kinds(a: Value, b: Value) -> str:
    """Two values with their kinds: `3 is a whole number, and [3] is a list`."""
    return f"{abbreviate(a)} is {kind_of(a)}, and {abbreviate(b)} is {kind_of(b)}"
