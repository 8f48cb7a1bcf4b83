"""What is known of one version of a text, and what compiling it says."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from covr.dsl.diagnostics import Diagnostic, Source
from covr.dsl.service.complete import Cursor, cursor
from covr.dsl.service.document import Analysis
from covr.dsl.service.names import NameTable
from covr.text import quantity

if TYPE_CHECKING:
    from covr.compiler import Compiled

# --- The places of a text as editors and browsers count them ----------------------------------------------------------


# Encoding → the first character of several units, and of how many units more than one a character is.
WIDE: Mapping[str, tuple[str, Callable[[str], int]]] = {
    "utf-8": ("\x80", lambda sign: 1 + (sign >= "\u0800") + (sign >= "\U00010000")),
    "utf-16": ("\U00010000", lambda _: 1),
    "utf-32": (chr(0x10FFFF), lambda _: 0),
}


class TextUnits:
    """The characters of a text in units of an encoding. Time O(length), then O(log of those of several units)."""

    def __init__(self, text: str, encoding: str = "utf-16") -> None:
        self._length = len(text)
        first, more = WIDE[encoding]
        self._wide = [] if text.isascii() else [at for at, sign in enumerate(text) if sign >= first]
        self._more = [0, *accumulate(more(text[at]) for at in self._wide)]
        self._begins = [at + before for at, before in zip(self._wide, self._more, strict=False)]  # in units

    def units(self, offset: int) -> int:
        """The units before a character."""
        return offset + self._more[bisect_left(self._wide, offset)]

    def offset(self, units: int) -> int:
        """The character at a number of units, which is the text's beginning or end for a number outside of it."""
        wide = bisect_right(self._begins, units)
        if wide and units <= self._begins[wide - 1] + self._more[wide] - self._more[wide - 1]:
            return self._wide[wide - 1]  # within a character of several units
        return min(max(units - self._more[wide], 0), self._length)


# --- What is known of one version of a text that is being edited ------------------------------------------------------


class TextState:
    """What is known of one version of a text. It holds until the text changes."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis

    @property
    def text(self) -> str:
        """The text itself."""
        return self.analysis.source.text

    @cached_property
    def names(self) -> NameTable:
        """Every name that means something."""
        return NameTable(self.analysis)

    def cursor(self, offset: int) -> Cursor | None:
        """What stands before a place; None if the text can't be read at all."""
        return cursor(self.analysis, offset) if self.analysis.readable else None


# --- review ----------------------------------------------------------------------------------------------------------
# What compiling a model says about it, as JSON objects: faults, warnings, and how large each statement's part is.


Result = dict[str, Any]


def opened(source: Source) -> Compiled:
    """A model's text, compiled. Raises ModelErrors."""
    from covr.compiler import compile_model
    from covr.inputs.library import checked

    return compile_model(checked(source))


def fault_fields(faults: Sequence[Diagnostic]) -> list[Result]:
    """Faults as JSON objects. at: the offsets of the span in the source called `in`, or None."""
    return [
        {
            "code": d.code,
            "message": d.message,
            "help": d.help,
            "notes": list(d.notes),
            "word": d.word,
            "in": "" if d.span is None else d.span.source.name,
            "at": None if d.span is None else [d.span.start, d.span.end],
        }
        for d in faults
    ]


def review(compiled: Compiled, noted: Any) -> Result:
    """The warnings of `covr check`, and how large what each statement makes is.

    sizes: by the offset where a statement begins: what it makes, in words. whole: the size of the matrix.
    """
    from covr.questions.run import remarks

    faults = fault_fields(remarks(compiled, noted))
    problem = compiled.problem
    whole = f"{problem.items:,} items, {problem.options:,} options"
    sizes: dict[int, str] = {}
    if not compiled.is_matrix:
        lowered = compiled.lowered
        covered = Counter(item for option in range(problem.options) for item in problem.option(option))
        reach: dict[int, list[int]] = {}
        for item, origin in enumerate(lowered.origins):
            reach.setdefault(origin.statement.span.start, []).append(covered[item])
        sizes = {start: in_words(found) for start, found in reach.items()}
        for family in lowered.families.values():
            sizes[family.statement.span.start] = some(len(family.choices), "choice")
    return {"faults": faults, "sizes": sizes, "whole": whole}


def in_words(reached: Sequence[int]) -> str:
    """How many items a rule makes, and how many choices reach one."""
    low, high = min(reached), max(reached)
    choices = some(low, "choice") if low == high else f"{low:,} to {high:,} choices"
    return f"{some(len(reached), 'item')}, {choices} each"


def some(number: int, what: str) -> str:
    """A number of things in words."""
    return quantity(number, what, f"{number:,}")
