"""What a reader says of a file that is not in its format."""

from __future__ import annotations


class FormatFault(ValueError):
    """`line` counts from 1; the text of the exception begins with it."""

    def __init__(self, line: int, what: str):
        super().__init__(f"line {line}: {what}")
        self.line = line
        self.what = what
