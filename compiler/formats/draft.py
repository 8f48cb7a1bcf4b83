"""What readers share: a problem while it is read, its words with their places, faults and remarks."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from itertools import islice, pairwise
from operator import ge

from attrs import field, mutable

from covr.compiler.evaluate.limits import CompileLimits
from covr.dsl.diagnostics import shorten
from covr.engine import MAX_COST, Problem, validate
from covr.engine.base.limits import usual
from covr.engine.problem import Side
from covr.frozen import frozen

# --- fault -----------------------------------------------------------------------------------------------------------
# Faults: a file does not follow its format, or a problem cannot be expressed in a format.


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


# --- remarks ---------------------------------------------------------------------------------------------------------
# What readers say besides the problem: what they left out, and whether the file maximises, which a problem cannot say
# because its costs are minimised. Writers say which programs read what they wrote, if not all do.


class Remarks(list[str]):
    """The remarks of a reader, in order. maximises: whether the file's values are the costs with the opposite sign."""

    maximises = False


_noted: ContextVar[Remarks | None] = ContextVar("noted", default=None)


def note(text: str) -> None:
    """Make a remark about the file that is read or written. It reaches the innermost `listening`, if there is one."""
    noted = _noted.get()
    if noted is not None:
        noted.append(text)


def maximised() -> None:
    """Say that the file maximises the costs of its problem with the opposite sign; to the innermost `listening`."""
    noted = _noted.get()
    if noted is not None:
        noted.maximises = True


@contextmanager
def listening() -> Iterator[Remarks]:
    """Collects the remarks of readers and writers that run inside, in order."""
    noted = Remarks()
    token = _noted.set(noted)
    try:
        yield noted
    finally:
        _noted.reset(token)


def left_out(what: str, names: list[str]) -> str:
    """A sentence such as `3 rows hold nothing and are left out: row 2, row 5, row 9`."""
    count = len(names)
    some = ", ".join(names[:5]) + (", …" if count > 5 else "")
    said = f"1 {what} holds nothing and is" if count == 1 else f"{count} {what}s hold nothing and are"
    return f"{said} left out: {some}"


# --- placed words ----------------------------------------------------------------------------------------------------
# A text as words that know their places, and as the numbers of which most of these formats consist.


DIGITS = 18  # the most digits that a number may have; every number of so many fits into 63 bits
# No matrix within covr's limits has more words; they are counted because each takes far more memory than in the file.
MOST_WORDS = 8_000_000
MOST_IN_A_LINE = 1_000_000
NOT_SPACE = re.compile(r"\S+")


@frozen
class Word:
    """A word of a text. line, column: where it begins, counted from 1."""

    text: str
    line: int
    column: int

    def fault(self, what: str) -> FormatFault:
        """A FormatFault at this word, to be raised."""
        return FormatFault(self.line, what, self.column, len(self.text))

    def number(self, signed: bool = False) -> int:
        """The word as a whole number. Raises FormatFault if it is not one."""
        digits = self.text.removeprefix("-") if signed else self.text
        if not (digits.isascii() and digits.isdigit() and len(digits) <= DIGITS):
            raise self.fault(f"`{brief(self.text)}` is not a whole number")
        return int(self.text)


def brief(text: str) -> str:
    """A word of a file as messages show it."""
    return shorten(text, 40)


def words_of(line: str, number: int) -> Iterator[Word]:
    """The words of a line. number: of the line, from 1."""
    return (Word(m.group(), number, m.start() + 1) for m in NOT_SPACE.finditer(line))


def filled_lines(text: str, comments: tuple[str, ...] = ()) -> Iterator[list[Word]]:
    """The words of every line that has any and does not begin with one of `comments`."""
    total = 0
    for number, line in enumerate(text.split("\n"), 1):
        if not (comments and line.lstrip().startswith(comments)):
            words = list(islice(words_of(line, number), MOST_IN_A_LINE + 1))
            total += len(words)
            if len(words) > MOST_IN_A_LINE:
                raise words[-1].fault(f"there are more than {MOST_IN_A_LINE} words in a line")
            if total > MOST_WORDS:
                raise words[-1].fault(f"there are more than {MOST_WORDS} words")
            if words:
                yield words


class Numbers:
    """The whole numbers of a text, one after another, as in files where line ends mean nothing."""

    def __init__(self, text: str) -> None:
        every = enumerate(text.split("\n"), 1)
        lines = ((n, line) for n, line in every if not line.lstrip().startswith(("#", "//")))
        self._words = islice((word for number, line in lines for word in words_of(line, number)), MOST_WORDS)
        self._size = len(text)
        self.last = Word("", 1, 1)

    def next(self) -> int:
        """The next number. Raises FormatFault at the end of the file."""
        word = next(self._words, None)
        if word is None:
            raise self.last.fault("the file ends before all that its first numbers announce")
        self.last = word
        return word.number()

    def size(self) -> int:
        """The next number as a size. Raises FormatFault if it is larger than the file has room for, since a broken file
        must not exhaust memory."""
        size = self.next()
        if size > self._size:
            raise self.last.fault(f"{size} are more than the file has room for")
        return size

    def index(self, most: int, what: str) -> int:
        """The next number, which must be 1 to `most`, less 1."""
        number = self.next()
        if not 1 <= number <= most:
            raise self.last.fault(f"there is no {what} {number}: there are {most}")
        return number - 1

    def end(self) -> None:
        """Raises FormatFault if more numbers follow."""
        word = next(self._words, None)
        if word is not None:
            raise word.fault("there are more numbers than the first ones announce")


# --- draft -----------------------------------------------------------------------------------------------------------
# A problem while it is being read: its items and options, in the order of the file.
#
# How many entries it may have depends on the memory that a command may use (engine/base/limits.py), not on the limit of
# models. Entries are kept in two arrays, in a tenth of the memory of lists.


LIMITS = CompileLimits()
ANY_TIMES = 2**31 - 1  # "no upper bound" of an item in a file
ENTRY = 400  # bytes: what an entry takes in the end, while it is searched, with the names of its option and item


@lru_cache(1)
def most_entries() -> int:
    """How many entries a matrix may have: as many as there is memory for, and not less than that of a model."""
    return max(LIMITS.entries, (usual() or 0) // ENTRY)


@mutable
class Draft:
    """A problem while it is being read. It must stay within the limits that hold for the matrix of a model.

    names, low, high: for each item.  members, colours: the items of all options, one option after another and in any
    order, with colours (0: none).  starts: where the options begin, and the end.
    costs: for each option, all 0 if nothing costs.  goal: whether there is a goal even if all costs are 0.
    """

    names: list[str] = field(factory=list)
    low: list[int] = field(factory=list)
    high: list[int] = field(factory=list)
    starts: array[int] = field(factory=lambda: array("q", [0]))
    members: array[int] = field(factory=lambda: array("q"))
    colours: array[int] = field(factory=lambda: array("q"))
    option_names: list[str] = field(factory=list)
    costs: list[int] = field(factory=list)
    given: list[int] = field(factory=list)
    goal: bool = False

    @property
    def options(self) -> int:
        """How many options there are so far."""
        return len(self.costs)

    def item(self, name: str, low: int, high: int) -> int:
        """Add an item and return its number. Raises FormatFault if there are too many."""
        if len(self.names) >= LIMITS.items:
            raise FormatFault(1, f"there are more than {LIMITS.items} items")
        self.names.append(name)
        self.low.append(low)
        self.high.append(high)
        return len(self.names) - 1

    def option(self, name: str, members: Iterable[tuple[int, int]], cost: int = 0) -> None:
        """Add an option. members: (item, colour). Raises FormatFault if there are too many options or entries."""
        for item, colour in members:
            self.members.append(item)
            self.colours.append(colour)
        self.starts.append(len(self.members))
        if self.options >= LIMITS.options:
            raise FormatFault(1, f"there are more than {LIMITS.options} options")
        if len(self.members) > most_entries():
            raise FormatFault(1, f"the options hold more than {most_entries()} items together")
        self.option_names.append(name)
        self.costs.append(cost)

    def rows(self) -> Iterator[Iterator[tuple[int, int]]]:
        """The items of each option, with their colours."""
        for start, end in pairwise(self.starts):
            yield zip(self.members[start:end], self.colours[start:end], strict=True)

    def problem(self, sides: Sequence[Side] = ()) -> Problem:
        """The Problem: primary items first, otherwise in the file's order. Raises FormatFault if costs are too
        large."""
        if (spent := sum(map(abs, self.costs))) >= MAX_COST:
            raise FormatFault(1, f"the costs add up to {spent}, and must stay below {MAX_COST}")
        order = sorted(range(len(self.names)), key=lambda i: self.low[i] == 0)
        place = [0] * len(order)
        for k, i in enumerate(order):
            place[i] = k
        members = list(map(place.__getitem__, self.members))  # so that equal numbers are one object
        colours = list(self.colours) if any(self.colours) else []
        for start, end in pairwise(self.starts):
            run = members[start:end]
            if any(map(ge, run, run[1:])):
                pairs = sorted(zip(run, self.colours[start:end], strict=True))
                members[start:end] = [i for i, _ in pairs]
                if colours:
                    colours[start:end] = [c for _, c in pairs]
        problem = Problem(
            low=tuple(self.low[i] for i in order),
            high=tuple(self.high[i] for i in order),
            primary=sum(lo > 0 for lo in self.low),
            starts=list(self.starts),
            members=members,
            colours=colours or (),
            costs=tuple(self.costs) if self.goal or any(self.costs) else (),
            given=tuple(sorted(self.given)),
            sides=tuple(sides),
            item_names=tuple(self.names[i] for i in order),
            option_names=tuple(self.option_names),
        )
        validate(problem)
        return problem
