"""Cells of tables that a spreadsheet would take for formulas.

A program such as Excel takes a cell that begins with `=`, `+`, `-` or `@`, also in the wide forms of East Asia, or with
blanks or line ends before one of these, for a formula and runs it; and a formula may send the cells beside it to a
stranger. Where a program cuts lines at `;` or at tabs, whatever separates cells here, a part of a cell is a cell of its
own. So such a text is written with an apostrophe before what would run, which means "this is text" to these programs,
and read without it. What stands behind apostrophes gets one more, so that what is written always reads back as it was.
Numbers stay as they are, with their signs.
"""

from __future__ import annotations

import re

_SIGNS = "=+\\-@＝＋－＠"
_CUTS = ";\\t\\r\\n"  # where a program may begin another cell
_NUMBER = rf"[+-]?\d+(?:\.\d+)?(?=[{_CUTS}]|\Z)"
# Where an apostrophe goes, and where one was put: at the beginning of a cell, and behind what may begin another.
_RUNS = re.compile(rf"\A(?='*[{_SIGNS}{_CUTS[1:]}])(?!{_NUMBER})|(?<=[{_CUTS}])(?='*[{_SIGNS}])(?!{_NUMBER})")
_GUARDS = re.compile(rf"\A'(?='*[{_SIGNS}{_CUTS[1:]}])|(?<=[{_CUTS}])'(?='*[{_SIGNS}])")


def guarded(text: str) -> str:
    """A text as a cell that no spreadsheet takes for a formula, as a whole or in part."""
    return _RUNS.sub("'", text)


def unguarded(cell: str) -> str:
    """The text of a cell that `guarded` made; other cells as they are."""
    return _GUARDS.sub("", cell)
