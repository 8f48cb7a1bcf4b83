"""The places of a grid in one line of text: characters, words, fields of a table, with or without rulings.

A place is a pair: the text that stands there, which is empty for a blank field, and its column, counted from 0.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from attrs import define, field

Numbered = tuple[int, str]  # the number of a line, from 1, and its text
Place = tuple[str, int]

CELLS = "0-9A-Za-z.*_?-"  # the characters of a grid that stands among other words
BARS = "|│┃║¦"
# A line that only separates rows: `---+---+---`, `*-------*`, `.-----.-----.`, `║═══╬═══║`.
RULING = re.compile(r"(?=.*([-=~─━═])\1)[\s|+*:.'`,#\-=~│┃║¦─━═┼╬├┤┌┐└┘╔╗╚╝╠╣╦╩╪╫┬┴╋┏┓┗┛┣┫┳┻╤╧╟╢╥╨]+")
LONGEST_RULING = 1000
# A title above a grid: `Grid 01`, `Puzzle #7:`.
WORDS = "grid|puzzle|board|sudoku|problem|instance|game|case|record|no|nr|number"
HEADER = re.compile(rf"(?<!\s)\s*(?:{WORDS})\.?\s*(?:#\s*)?\d+\s*(?:[:.]\s*)?", re.IGNORECASE)
WRAPPING = re.compile(r"[\[\](){}\"']+")
BLANKS = "._"  # what a grid's reader takes for a blank, whatever else stands there
NOTHING = frozenset(BLANKS) | {""}
SEPARATORS = "\t,;"


@define(eq=False)  # not frozen, since there are hundreds of thousands: three times as fast to make
class FoundGrid:
    """A grid that was found in a file, or lines that stand in the place of one. Nothing in it changes.

    line: the number of its first line.  name: the title above it, or empty.  lines: its own lines, numbered.
    flat: its places row by row, one character each, `.` for a blank; None if it does not have the right places, or if
    some place has more than one character.  solution: the same for a solution that stands beside it.
    places: the text, line number and column of each place, row by row; None if the grid does not fit.
    """

    line: int
    name: str
    lines: tuple[Numbered, ...]
    flat: str | None = None
    solution: str | None = None
    places: Callable[[], list[tuple[str, int, int]]] | None = field(default=None, repr=False)

    @property
    def text(self) -> str:
        """Its lines as one text, as a reader takes it."""
        return self.lines[0][1] if len(self.lines) == 1 else "\n".join(text for _, text in self.lines)

    @property
    def first(self) -> int:
        """The number of the first of its own lines."""
        return self.lines[0][0] if self.lines else self.line

    @property
    def numbered_text(self) -> str:
        """Its lines as one text in which each is as far from the first as in the file: an empty line stands for each
        that is not its own, such as a blank one or a ruling."""
        own = dict(self.lines)
        return "\n".join(own.get(number, "") for number in range(self.first, max(own, default=self.first) + 1))


def longest(count: int) -> int:
    """An upper bound on the characters of a line that holds `count` places."""
    return 100 * count + 10_000


def is_ruling(line: str) -> bool:
    """Whether a line may be one that only separates rows."""
    return len(line) < LONGEST_RULING and RULING.fullmatch(line.strip()) is not None


def places_in(line: str, count: int, spaces: bool = False) -> list[Place] | None:
    """The places of a line, if it has exactly `count`. The first of these readings that gives as many is used: fields
    separated by tabs, commas or semicolons, which may be empty; words; characters without rulings and spaces. None if
    no reading does. spaces: whether a space may be a blank, too."""
    if len(line) > longest(count):
        return None
    plain = line.strip()
    if len(plain) == count and plain.isalnum() and plain.isascii():
        first = line.index(plain)
        return [(char, first + at) for at, char in enumerate(plain)]
    for reading in (_fields, _words, _characters):
        found = reading(line, count)
        if found is not None:
            return found
    return _spaced(line, count) if spaces else None


def _fields(line: str, count: int) -> list[Place] | None:
    for separator in SEPARATORS:
        if separator not in line:
            continue
        places, at = [], 0
        for part in line.split(separator):
            bare = WRAPPING.sub("", part).strip()
            places.append((bare, at + part.find(bare) if bare else at))
            at += len(part) + 1
        if len(places) == count + 1 and not places[-1][0]:
            del places[-1]
        if len(places) == count and all(" " not in text for text, _ in places):
            return places
    return None


def _words(line: str, count: int) -> list[Place] | None:
    bare = WRAPPING.sub(lambda m: " " * len(m[0]), line)
    for bar in BARS:
        bare = bare.replace(bar, " ")
    if any(s in bare for s in ",;"):
        bare = bare.replace(",", " ").replace(";", " ")
    found = [(m[0], m.start()) for m in re.finditer(r"\S+", bare)]
    return found if len(found) == count else None


def _characters(line: str, count: int) -> list[Place] | None:
    found = [(char, at) for at, char in enumerate(line) if not char.isspace() and char not in BARS]
    if len(found) == count:
        return found
    found = [place for place in found if place[0] not in "/+,:;\"'[](){}"]
    return found if len(found) == count else None


def _spaced(line: str, count: int) -> list[Place] | None:
    """A space is a blank: `53  7    `, `|53 | 7 |   |`, `| 5 3   |   7   |       |`."""
    line = line.rstrip("\r\n")
    found = [(char, at) for at, char in enumerate(line) if char == " " or not (char in BARS or char.isspace())]
    found = [(char.strip(), at) for char, at in found]
    if len(found) == count:
        return found
    if not any(bar in line for bar in BARS):
        return None
    inner: list[Place] = []
    for m in re.finditer(f"[^{BARS}]+", line.strip()):
        begin = m.start() + len(line) - len(line.lstrip())
        part = m[0]
        if len(part) % 2 == 0 or part[::2].strip():
            return None
        inner += [(part[k].strip(), begin + k) for k in range(1, len(part), 2)]
    return inner if len(inner) == count else None
