"""The compression of lz-string, by which f-puzzles and SudokuPad put a puzzle into an address, as base64.

An own page of code, and not the package of that name: it is written in Python, too, so it is no faster; it would be
one more dependency; and it decompresses whatever it is given, while a link of one megabyte can stand for gigabytes.
Here the text may have `most` characters, and so may all entries of the dictionary together, because each is a piece of
the text and one character more.

The code is LZ78 with a dictionary that both sides build: 0 and 1 announce a new character of 8 or 16 bits, 2 is the
end, and each further number an entry. A number has as many bits as the size of the dictionary has, the lowest first.
"""

from __future__ import annotations

from collections.abc import Iterator

from covr.links.board import LinkFault
from covr.links.codes import shortened

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_VALUES = {digit: value for value, digit in enumerate(DIGITS)}
BITS = 6  # bits of a digit, the highest first
SHORT, LONG, END = 0, 1, 2  # a new character of 8 bits, one of 16, and the end
MOST = 1_000_000  # characters of a text: hundreds of times as many as the largest puzzle has


def decompress(packed: str, most: int = MOST) -> str:
    """The text of base64. Raises LinkFault if it is none, is cut off, or has more than so many characters."""
    bits = _Reader(packed.rstrip("="))
    dictionary = ["", "", ""]
    found: list[str] = []
    size = 0
    before = ""
    while True:
        code = bits.read(len(dictionary).bit_length())
        if code == END:
            return _joined(found)
        if code in (SHORT, LONG):
            dictionary.append(chr(bits.read(8 if code == SHORT else 16)))
            code = len(dictionary) - 1
        if code < len(dictionary):
            entry = dictionary[code]
        elif code == len(dictionary) and before:
            entry = before + before[0]
        else:
            raise LinkFault("it is damaged: it is not compressed as f-puzzles and SudokuPad do it")
        size += len(entry)
        if size > most:
            raise LinkFault(f"it stands for a text of more than {most:,} characters")
        found.append(entry)
        if before:
            dictionary.append(before + entry[0])
        before = entry


def compress(text: str) -> str:
    """The base64 of a text, as the sites write it. Takes time and memory in proportion to the text, for usual texts."""
    units = text.encode("utf-16-le", "surrogatepass")
    bits = _Writer()
    codes: dict[str, int] = {}
    fresh: set[str] = set()  # characters that have a code, but were not yet written
    before = ""
    for at in range(0, len(units), 2):
        unit = chr(units[at] + 256 * units[at + 1])
        if unit not in codes:
            codes[unit] = len(codes) + 3
            fresh.add(unit)
        if before + unit in codes:
            before += unit
            continue
        bits.entry(before, codes, fresh)
        codes[before + unit] = len(codes) + 3
        before = unit
    if before:
        bits.entry(before, codes, fresh)
    return bits.finished()


def _joined(units: list[str]) -> str:
    """The text of its UTF-16 units."""
    try:
        return "".join(units).encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeDecodeError:
        raise LinkFault("it is damaged: half a character stands alone in it") from None


class _Reader:
    """Numbers from base64, bit by bit."""

    def __init__(self, packed: str) -> None:
        self._bits = self._each(packed)

    @staticmethod
    def _each(packed: str) -> Iterator[int]:
        for at, digit in enumerate(packed, 1):
            value = _VALUES.get(digit)
            if value is None:
                raise LinkFault(f"`{shortened(digit)}` means nothing at letter {at} of what is compressed")
            for k in reversed(range(BITS)):
                yield value >> k & 1

    def read(self, bits: int) -> int:
        """A number of so many bits. Raises LinkFault at the end."""
        number = 0
        for k in range(bits):
            bit = next(self._bits, None)
            if bit is None:
                raise LinkFault("it is cut off")
            number |= bit << k
        return number


class _Writer:
    """Numbers to base64."""

    def __init__(self) -> None:
        self._bits: list[int] = []
        self._entries = 0
        self._new = 0

    def entry(self, entry: str, codes: dict[str, int], fresh: set[str]) -> None:
        """Write an entry of the dictionary, or a character that is written for the first time."""
        width = self._width()
        self._entries += 1
        if entry not in fresh:
            self._write(codes[entry], width)
            return
        fresh.remove(entry)
        self._new += 1
        short = ord(entry) < 256
        self._write(SHORT if short else LONG, width)
        self._write(ord(entry), 8 if short else 16)

    def finished(self) -> str:
        """The base64. The sites write one bit more than they need, so that there may be a last digit of none."""
        self._write(END, self._width())
        self._bits += [0] * (BITS - len(self._bits) % BITS)
        digits = [
            DIGITS[sum(bit << (BITS - 1 - k) for k, bit in enumerate(self._bits[at : at + BITS]))]
            for at in range(0, len(self._bits), BITS)
        ]
        return "".join(digits) + "=" * (-len(digits) % 4)

    def _width(self) -> int:
        """Bits of the next number: the reader adds an entry for each number but the first, and each new character."""
        return (3 + self._new + max(self._entries - 1, 0)).bit_length()

    def _write(self, number: int, bits: int) -> None:
        self._bits += [number >> k & 1 for k in range(bits)]
