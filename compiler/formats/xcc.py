"""Exact cover as miniexact reads it: its notation with angle brackets, and its numeric one, which is made for tools.

    < a b c:2 d:1;3 > [ x y ]        p xcc 2 1
    a x:red c;                       2 3 -1 0
    b d;                             1 3 -1 0

On the left: primary items in angle brackets, each with its multiplicity or `low;high` after a colon, secondary ones in
square brackets, then options that end with a semicolon, or with a full stop that stands alone. On the right: the
numbers of primary and of secondary items, then options, which consist of item numbers from 1 and end with 0; a negative
number is the colour of the secondary item before it. `p xc` is the same without colours. A text that begins with
neither is read in Knuth's format, as miniexact does.

Source: the grammar in miniexact's description (github.com/miniexact/miniexact).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice

from covr.compiler.formats.dlx import read_dlx
from covr.compiler.formats.draft import ANY_TIMES, Draft
from covr.compiler.formats.placed_words import MOST_WORDS, Word, filled_lines, shorten
from covr.engine import Problem

COMMENTS = re.compile(r"\A(\s*(#|//|c\s).*\n)+")
TOKEN = re.compile(r"[<>\[\];]|[^\s<>\[\];]+")


def read_xcc(text: str) -> Problem:
    """The problem. Items are named by their names or numbers, options by their text. Time linear in the text.

    Raises FormatFault, a ValueError, with the place of the first wrong word.
    """
    start = COMMENTS.sub("", text).lstrip()
    if start.startswith("<"):
        return _Angles(text).problem()
    if re.match(r"p\s+xcc?\s", start):
        return _numbered(text)
    return read_dlx(text)


class _Angles:
    """Reads the notation with angle brackets, token by token."""

    def __init__(self, text: str) -> None:
        found = (
            Word(match.group(), number, match.start() + 1)
            for number, line in enumerate(text.split("\n"), 1)
            if not line.lstrip().startswith(("#", "//"))
            for match in TOKEN.finditer(line)
        )
        self.left = chain(islice(found, MOST_WORDS), self._too_many(found))
        self.word = next(self.left, None)  # the next one
        self.last = Word("", 1, 1)
        self.draft = Draft()
        self.numbers: dict[str, int] = {}
        self.must: list[bool] = []
        self.colours: dict[str, int] = {}

    def problem(self) -> Problem:
        self.next("the items")
        while (word := self.next("`>`")).text != ">":
            self.primary(word)
        if self.word is not None and self.word.text == "[":
            self.next("the secondary items")
            while (word := self.next("`]`")).text != "]":
                self.item(word, word.text, 0, 1, False)
        while self.word is not None:
            self.option()
        return self.draft.problem()

    def next(self, what: str) -> Word:
        if self.word is None:
            raise self.last.fault(f"the file ends before {what}")
        self.last, self.word = self.word, next(self.left, None)
        return self.last

    @staticmethod
    def _too_many(more: Iterator[Word]) -> Iterator[Word]:
        """What comes after the most words: nothing, or a fault. Raises FormatFault."""
        for word in more:
            raise word.fault(f"there are more than {MOST_WORDS} words")
        yield from ()

    def primary(self, word: Word) -> None:
        name, colon, bound = word.text.partition(":")
        low = high = 1
        if colon:
            low = high = Word(bound, word.line, word.column + len(name) + 1).number()
            if self.word is not None and self.word.text == ";":
                self.next("`;`")
                high = self.next("a multiplicity").number()
            if not low <= high <= ANY_TIMES:
                raise word.fault(f"{low} to {high} is not a range of multiplicities")
        self.item(word, name, low, high, True)

    def item(self, word: Word, name: str, low: int, high: int, must: bool) -> None:
        if not name or ":" in name or name in "<>[];":
            raise word.fault(f"`{shorten(word.text)}` is not an item's name")
        if name in self.numbers:
            raise word.fault(f"the item `{shorten(name)}` is named twice")
        self.numbers[name] = self.draft.item(name, low, high)
        self.must.append(must)

    def option(self) -> None:
        members: dict[int, int] = {}
        words = []
        while (word := self.next("`;`")).text != ";" and (word.text != "." or "." in self.numbers):
            name, colon, colour = word.text.partition(":")
            if name not in self.numbers:
                raise word.fault(f"there is no item `{shorten(name)}`")
            i = self.numbers[name]
            if i in members:
                raise word.fault(f"the item `{shorten(name)}` is in the option twice")
            if colon and (self.must[i] or not colour):
                what = "is primary and has no colours" if self.must[i] else "has an empty colour"
                raise word.fault(f"the item `{shorten(name)}` {what}")
            members[i] = self.colours.setdefault(colour, len(self.colours) + 1) if colon else 0
            words.append(word.text)
        if any(self.must[i] for i in members):
            self.draft.option(" ".join(words), members.items())


def _numbered(text: str) -> Problem:
    lines = filled_lines(text, ("c ", "#", "//"))
    head = next(lines)
    if len(head) < 4:
        raise head[0].fault(f"after `p {head[1].text}` come the numbers of primary and of secondary items")
    primary, secondary = (word.number() for word in head[2:4])
    if primary + secondary > len(text):
        raise head[2].fault(f"{primary + secondary} items are more than the file has room for")
    draft = Draft()
    for i in range(primary + secondary):
        draft.item(str(i + 1), int(i < primary), 1)
    members: dict[int, int] = {}
    last: int | None = None
    word = head[0]
    for word in (w for words in (head[4:], *lines) for w in words):
        number = word.number(signed=True)
        if number == 0:
            if any(i < primary for i in members):
                draft.option(" ".join(f"{i + 1}:{c}" if c else str(i + 1) for i, c in members.items()), members.items())
            members, last = {}, None
        elif number < 0:
            if last is None or last < primary or head[1].text == "xc":
                raise word.fault(f"the colour {-number} follows no secondary item")
            members[last], last = -number, None
        else:
            if number > primary + secondary:
                raise word.fault(f"there is no item {number}: there are {primary + secondary}")
            last = number - 1
            if last in members:
                raise word.fault(f"the item {number} is in the option twice")
            members[last] = 0
    if members:
        raise word.fault("the last option does not end with 0")
    return draft.problem()
