"""Faults: a file does not follow its format, or a problem cannot be expressed in a format."""

from __future__ import annotations


class FormatFault(ValueError):
    """A fault in a file. `line` and `column` count from 1; `width`: how many characters to underline. The text of the
    exception begins with the line."""

    def __init__(self, line: int, what: str, column: int = 1, width: int = 1):
        super().__init__(f"line {line}: {what}")
        self.line = line
        self.what = what
        self.column = column
        self.width = width


class Unwritable(ValueError):
    """The problem cannot be written in the format: the format cannot express it, or it is too large."""
