"""Texts and diagnostics: what covr tells a person about a model, each mistake once, with its place and a cure."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache

from attrs import field

from covr.frozen import evolve, frozen

# --- source ----------------------------------------------------------------------------------------------------------
# Texts with their names, and ranges of characters in them.
#
# A `Source` is one text (a model, a library, a data file, a `-D`); a `Span` is a half-open range of character offsets
# into it, from 0. Lines and columns, from 1, are computed when a message is shown.


@frozen
class Source:
    """A text, and the name under which the user knows it.

    name: what messages print: a path as the user gave it, `<stdin>`, `-D clue`.
    text: the whole text, with newlines normalised to `\\n`.
    path: the absolute path for resolving relative names; empty if there is none.
    first: the number of its first line, if the text is a part of a longer one.
    linked: whether it was made from a link, which its data is from.
    remark: what is odd about that link, in words that follow its name; mostly "".
    """

    name: str
    text: str = field(repr=False)
    path: str = field(default="", repr=False, eq=False)
    first: int = field(default=1, repr=False)
    linked: bool = field(default=False, repr=False, eq=False)
    remark: str = field(default="", repr=False, eq=False)

    _starts: list[int] = field(factory=list, init=False, repr=False, eq=False)  # offsets of lines, once they are needed

    @property
    def whole(self) -> object:
        """What it is a part of: the same object for all parts of one text, and itself for a text that is no part."""
        return self

    def place(self, offset: int) -> tuple[int, int]:
        """The line and column (both from 1) of a character offset. Time O(length) once, then O(log lines)."""
        starts = self._lines()
        line = bisect_right(starts, offset)
        return line + self.first - 1, offset - starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line (counted as `place` does), without its newline."""
        starts = self._lines()
        number -= self.first - 1
        if not 0 < number <= len(starts):
            return ""
        end = starts[number] - 1 if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end]

    def _lines(self) -> list[int]:
        if not self._starts:
            self._starts.extend([0, *(found.end() for found in re.finditer("\n", self.text))])
        return self._starts


# A picture, a text, or what stands between two words. Neither blanks nor `#` mean anything inside texts.
_GAPS_AND_TEXTS = re.compile(r'("""(?:[^"]|"(?!""))*""")|("(?!"")(?:[^"\\\n]|\\.)*"?)|(?:\s|#[^\n]*)+')


def _smoothed(found: re.Match[str]) -> str:
    return '"""…"""' if found[1] else found[2] or " "


@frozen
class Span:
    """The characters of `source` from `start` up to, but not including, `end`."""

    source: Source = field(repr=False)
    start: int
    end: int

    @property
    def text(self) -> str:
        """The text of the span."""
        return self.source.text[self.start : self.end]

    @property
    def one_line(self) -> str:
        """The text of the span on one line, without comments; of a picture only its quotes."""
        return _GAPS_AND_TEXTS.sub(_smoothed, self.text).strip()

    @property
    def place(self) -> tuple[int, int]:
        """Line and column of the first character, from 1."""
        return self.source.place(self.start)

    def to(self, other: Span) -> Span:
        """From the start of this span to the end of a later one in the same source."""
        return Span(self.source, self.start, other.end)


# --- diagnostics -----------------------------------------------------------------------------------------------------
# What covr tells a person about a model: a code, a sentence, a place, and what to do about it.
#
# A user's faults are values of `Diagnostic`, which are collected and raised together as `ModelErrors`; any other
# exception is a bug in covr. They are printed in the layout of rustc: the place, the source line, the span underlined.


@frozen
class Diagnostic:
    """An error or a warning about a model.

    code: such as `E102` or `W203`. message: one sentence without a full stop. span: None only if there is no text to
    show.
    notes: further lines below the source (`= note: …`), such as the choice or the call that led there.
    help: what to do about it, or empty.
    word: stands before the code if that is neither `error` nor `warning`, such as `no solution`.
    """

    code: str
    message: str
    span: Span | None = None
    help: str = ""
    notes: tuple[str, ...] = ()
    word: str = ""

    @property
    def is_error(self) -> bool:
        """Whether it is an error; otherwise it is a warning."""
        return self.code.startswith("E")

    def order(self) -> tuple[str, int]:
        """The sort key: by source and place, those without a place first."""
        return ("", 0) if self.span is None else (self.span.source.name, self.span.start)


class ModelErrors(Exception):
    """Every fault that a stage found, in source order. This is the only exception that a user's mistake raises."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        assert self.diagnostics
        super().__init__("\n".join(d.message for d in self.diagnostics))


# --- spelling --------------------------------------------------------------------------------------------------------
# "Did you mean": find the known word that is nearest to an unknown one.


LONGEST = 60  # words longer than this are not compared
WORDS_KEPT = 8  # unknown words whose distances are kept
MOST_KEPT = 4_000  # distances that are kept for each of them
JOINTS = str.maketrans("", "", "_-")  # what joins the parts of a word


def suggest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that `word` was most likely meant to be; None if none is near enough.

    Distance: Damerau–Levenshtein (optimal string alignment), case folded. Near enough is 1 for words of up to four
    letters, 2 up to eight, 3 for longer ones; a single letter is near only to its other case. Of equally near
    candidates the first is returned, or one that differs only in `_` or `-`. Time O(candidates · length²).
    """
    if not word or len(word) > LONGEST:
        return None
    folded = word.casefold()
    bound = near_enough(word)
    bare = folded.translate(JOINTS)
    best, found = 2 * bound + 1, None
    known = compared(folded)
    if len(known) > MOST_KEPT:
        known.clear()
    for candidate in candidates:
        if candidate == word or abs(len(candidate) - len(word)) > bound:
            continue
        other = candidate.casefold()
        far = known.get(other, -1)
        if far < 0:
            far = known[other] = distance(folded, other)
        rank = 2 * far - (other.translate(JOINTS) == bare)
        if rank < best and far < max(len(folded), len(other)):
            best, found = rank, candidate
    return found


def near_enough(word: str) -> int:
    """How far a candidate for a word may be from it. Candidates whose lengths differ by more need not be asked."""
    length = len(word.casefold())
    return 0 if length == 1 else 1 if length <= 4 else 2 if length <= 8 else 3


@lru_cache(maxsize=WORDS_KEPT)
def compared(word: str) -> dict[str, int]:
    """How far words are from this one that were compared with it. In a model that is being edited, one name that was
    lost is looked for at a hundred places, and after every key."""
    return {}


def distance(a: str, b: str) -> int:
    """How many letters must be inserted, deleted, replaced or swapped with a neighbour to turn `a` into `b`."""
    before: list[int] = []
    last = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, last = last, row
    return last[len(b)]


# --- merge repeated --------------------------------------------------------------------------------------------------
# Report an undefined name only once: in full at its first place, with the line numbers of the others. Two faults are
# the same if they have the same sentence and the same file.


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


# --- echoes ----------------------------------------------------------------------------------------------------------
# One mistake gives one message: a word of the language that is taken for a name is reported where that happens first.
#
# Each use of that name fails in its own way, since there the word begins a statement or a clause, so faults of those
# lines are left out. A line that uses the word properly is left out as well; its other faults come once the name is
# mended.


NO_NAME = "is a word of the language and can't be a name"


def without_echoes(faults: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The faults of a text's syntax, in source order, without those that follow from another one's word."""
    patterns: dict[str, re.Pattern[str]] = {}
    found = []
    for fault in faults:
        if fault.span is None or not _echoes(fault, patterns):
            found.append(fault)
        if fault.span is not None and fault.message.endswith(NO_NAME):
            word = fault.span.text
            patterns.setdefault(word, re.compile(rf"\b{re.escape(word)}\b"))
    return found


def _echoes(fault: Diagnostic, patterns: dict[str, re.Pattern[str]]) -> bool:
    assert fault.span is not None
    line = fault.span.source.line(fault.span.place[0])
    return any(word.search(line) for word in patterns.values())


# --- render ----------------------------------------------------------------------------------------------------------
# Diagnostics as people read them: the sentence, the place, the line of the source, the span underlined.
#
#     error[E102]: `queens` is not a family of choices
#      --> queens.cover:4:13
#       |
#     4 | exactly one queens per r
#       |             ^^^^^^
#       = help: did you mean `queen`?
#
# A span over several lines is underlined to the end of its first line; of a wide line only the part around it is shown.
# Tabs and wide characters count. Control characters of a text never reach the terminal.


WIDEST = 120  # how many columns of a source line are shown
BEFORE = 40  # how many columns before the span are kept when a line is cut
LONGEST_ECHO = 4_000  # how many characters of a line are examined
TAB = 4

RED, YELLOW, BLUE, CYAN, BOLD, PLAIN = "\x1b[1;31m", "\x1b[1;33m", "\x1b[1;34m", "\x1b[1;36m", "\x1b[1m", "\x1b[0m"


def render(diagnostic: Diagnostic, *, colour: bool = False) -> str:
    """The diagnostic in the layout above, without a newline at the end. colour: with ANSI codes."""
    paint = painted if colour else plain
    word = diagnostic.word or ("error" if diagnostic.is_error else "warning")
    shade = RED if diagnostic.is_error else YELLOW
    head = paint(f"{word}[{diagnostic.code}]", shade) + paint(f": {clean(diagnostic.message)}", BOLD)
    lines = [head]
    margin = ""
    if diagnostic.span is not None:
        number, column = diagnostic.span.place
        margin = " " * len(str(number))
        bar = paint("|", BLUE)
        text, underline = excerpt(diagnostic.span)
        name = clean(diagnostic.span.source.name)
        lines += [
            f"{margin}{paint('-->', BLUE)} {name}:{number}:{column}",
            f"{margin} {bar}",
            f"{paint(str(number), BLUE)} {bar} {text}".rstrip(),
            f"{margin} {bar} {underline[0]}{paint(underline[1], shade)}",
        ]
    rest = [("note", note) for note in diagnostic.notes]
    if diagnostic.help:
        rest.append(("help", diagnostic.help))
    for kind, said in rest:
        first, *more = said.split("\n")
        lines.append(f"{margin} {paint('=', BLUE)} {paint(kind, CYAN)}: {clean(first)}")
        lines += [f"{margin}   {' ' * len(kind)}  {clean(line)}" for line in more]
    return "\n".join(lines)


def plain(text: str, shade: str) -> str:
    """The text without any colour."""
    return text


def painted(text: str, shade: str) -> str:
    """The text in a colour, as a terminal shows it. shade: an escape sequence."""
    return f"{shade}{text}{PLAIN}" if text else text


def excerpt(span: Span) -> tuple[str, tuple[str, str]]:
    """The source line of a span as shown, and the line below it: the spaces before the carets, and the carets."""
    text = span.source.text
    start = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.start)
    line = text[start : len(text) if end < 0 else end].rstrip("\r")
    first = min(span.start - start, len(line))
    last = max(first, min(span.end - start, len(line)))
    if span.end - start > len(line):
        last = max(first, len(line.rstrip()))
    if len(line) > LONGEST_ECHO:  # what is far from the span is not looked at
        cut = max(0, first - LONGEST_ECHO // 4)
        line = ("…" if cut else "") + line[cut : cut + LONGEST_ECHO // 2] + "…"
        first, last = first - cut + (cut > 0), min(last - cut + (cut > 0), len(line) - 1)
    cells = [cell(char, at, line) for at, char in enumerate(line)]
    low, high = window(cells, first, last)
    before = ("…" if low > 0 else "") + "".join(cells[low:first])
    under = "".join(cells[first : min(last, high)])
    after = "".join(cells[max(first, min(last, high)) : high]) + ("…" if high < len(cells) else "")
    return before + under + after, (" " * width(before), "^" * max(1, width(under)))


def window(cells: list[str], first: int, last: int) -> tuple[int, int]:
    """The part of a line that is shown: all of it, or what is near the span."""
    if sum(map(width, cells[: WIDEST * 4])) <= WIDEST and len(cells) <= WIDEST * 4:
        return 0, len(cells)
    low = max(0, first - BEFORE)
    if last <= WIDEST - 10:
        low = 0
    high, used = low, 0
    while high < len(cells) and used + width(cells[high]) <= WIDEST:
        used += width(cells[high])
        high += 1
    return low, max(high, first)


def cell(char: str, at: int, line: str) -> str:
    """What is printed for a character of the source: spaces for a tab, and nothing that moves the cursor."""
    if char == "\t":
        return " " * TAB
    return char if char.isprintable() else "�"


def shorten(text: str, most: int = 60) -> str:
    """A text, cut to `most` characters for a message."""
    return text if len(text) <= most else text[: most - 1] + "…"


def clean(text: str) -> str:
    """The text of a message without characters that control a terminal."""
    return "".join(c if c.isprintable() else " " if c in "\n\t" else "�" for c in text)


def width(text: str) -> int:
    """The columns a text takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(columns(char) for char in text)


def columns(char: str) -> int:
    """How many columns of a terminal a character takes: 0, 1 or 2."""
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
