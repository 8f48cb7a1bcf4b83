"""One mistake gives one message: a word of the language that is taken for a name is reported only where that happens
first.

Each use of that name fails in its own way, since there the word begins a statement or a clause; what is said about
those lines is worth nothing until the name is another. A line that mentions the word properly is left out as well, so
that its other faults are told only once the name is mended. That costs a second run, and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from covr.dsl.diagnostics import Diagnostic

NO_NAME = "is a word of the language and can't be a name"


def without_echoes(faults: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The faults of a text's syntax, in source order, without those that follow from another one's word."""
    told: dict[str, re.Pattern[str]] = {}
    found = []
    for fault in faults:
        if fault.span is None or not _echoes(fault, told):
            found.append(fault)
        if fault.span is not None and fault.message.endswith(NO_NAME):
            word = fault.span.text
            told.setdefault(word, re.compile(rf"\b{re.escape(word)}\b"))
    return found


def _echoes(fault: Diagnostic, told: dict[str, re.Pattern[str]]) -> bool:
    assert fault.span is not None
    line = fault.span.source.line(fault.span.place[0])
    return any(word.search(line) for word in told.values())
