"""Places in a text as JavaScript counts them: units of UTF-16 from the text's beginning.

Python counts characters; those beyond the basic plane are two units each, so only texts that have such differ.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

FIRST_WIDE = "\U00010000"  # the first character of two units


class Utf16:
    """The places of one text. Made in time O(length), asked in O(log of the number of wide characters)."""

    def __init__(self, text: str) -> None:
        self._length = len(text)
        self._wide = [] if text.isascii() else [at for at, sign in enumerate(text) if sign >= FIRST_WIDE]
        self._units = [
            at + before for before, at in enumerate(self._wide)
        ]  # where each wide character begins, in units

    def units(self, offset: int) -> int:
        """The units before a character."""
        return offset + bisect_left(self._wide, offset)

    def offset(self, units: int) -> int:
        """The character at a number of units; one behind the text is its end, one before it its beginning. Half a wide
        character is all of it."""
        wide = bisect_right(self._units, units - 1)
        if wide and self._units[wide - 1] == units - 1:
            wide -= 1
            units -= 1
        return min(max(units - wide, 0), self._length)
