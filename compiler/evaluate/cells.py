"""Cells of tables that a spreadsheet would take for formulas.

A program such as Excel takes a cell that begins with `=`, `+`, `-` or `@`, or with a tab or a line end before one of
these, for a formula and runs it; and a formula may send the cells beside it to a stranger. So such a text is written
with an apostrophe before it, which means "this is text" to these programs, and read without it. A text that begins with
apostrophes followed by such a character gets one more apostrophe, so that what is written always reads back as it was.
Numbers stay as they are, with their signs.
"""

from __future__ import annotations

import re

_RUNS = re.compile(r"'*[=+\-@\t\r\n]")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")


def guarded(text: str) -> str:
    """A text as a cell that no spreadsheet takes for a formula."""
    return f"'{text}" if _RUNS.match(text) and not _NUMBER.fullmatch(text) else text


def unguarded(cell: str) -> str:
    """The text of a cell that `guarded` made; other cells as they are."""
    return cell[1:] if cell.startswith("'") and _RUNS.match(cell) else cell
