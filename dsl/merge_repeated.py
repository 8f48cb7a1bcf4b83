"""Report an undefined name only once: in full at its first place, with the line numbers of the others.

A name that is misspelt or defined too late is a single mistake, and a screen full of the same sentence would hide the
other faults. Two faults are the same if they have the same sentence and the same file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from covr.dsl.diagnostics import Diagnostic
from covr.frozen import evolve

REPEATED = frozenset(("E101", "E102", "E103", "E108"))
MOST = 5  # how many lines are listed


def merge_repeated(faults: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The faults in their order, without those about a name that has already been reported. Time O(faults)."""
    groups: dict[object, list[Diagnostic]] = {}
    for fault in faults:
        same = fault.code in REPEATED and fault.span is not None
        key = (fault.code, fault.message, id(fault.span.source)) if same and fault.span else id(fault)
        groups.setdefault(key, []).append(fault)
    return [_told(first, again) for first, *again in groups.values()]


def _told(first: Diagnostic, again: Sequence[Diagnostic]) -> Diagnostic:
    own = first.span.place[0] if first.span else 0
    lines = list(dict.fromkeys(fault.span.place[0] for fault in again if fault.span))
    if not lines:
        return first
    others = [line for line in lines if line != own]
    where = f"on {listed(others)}" if others else "further on in this line"
    return evolve(first, notes=(*first.notes, f"also {where}"))


def listed(lines: Sequence[int]) -> str:
    """Line numbers in words: `line 7`, `lines 7 and 9`, `lines 7, 9, 10, 12, 13 and 4 more`."""
    if len(lines) == 1:
        return f"line {lines[0]}"
    if len(lines) > MOST:
        return f"lines {', '.join(map(str, lines[:MOST]))} and {len(lines) - MOST} more"
    return f"lines {', '.join(map(str, lines[:-1]))} and {lines[-1]}"
