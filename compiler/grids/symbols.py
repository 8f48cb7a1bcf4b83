"""What stands on a line of a file of grids: its columns, the meaning of its characters."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from string import ascii_letters, ascii_uppercase

from attrs import define, evolve, field

from covr.compiler.evaluate.blocks import scalar
from covr.compiler.evaluate.values import Set, Value
from covr.frozen import frozen

# --- places ----------------------------------------------------------------------------------------------------------
# The places of a grid in one line of text: characters, words, fields of a table, with or without rulings.
#
# A place is a pair: the text that stands there, which is empty for a blank field, and its column, counted from 0.


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


# --- symbols ---------------------------------------------------------------------------------------------------------
# What the characters of a grid mean: which of them stand for a blank, and which letters stand for numbers.
#
# A character other than `.` and `_` is a blank only if it cannot be anything else. Likewise, letters are numbers only
# if the model takes numbers and not letters. Where no number of several digits can be meant, the digits of a word are
# the set of what may stand there: grids of candidates.


# Other characters that people write for a blank, the most likely first.
OTHER_BLANKS = "0*-xX?"
# Characters that stand for words of several characters, so that a grid has one character for each place.
POOL = "".join(chr(code) for code in range(33, 127) if chr(code) not in BLANKS)

# Candidates: different digits, in order.
GROUP = re.compile("(?=.)1?2?3?4?5?6?7?8?9?", re.ASCII)

# Whether a model takes a value at a place (row, column, from 1): a number, a text, or a set of digits, and not the
# number that they are together.
Takes = Callable[[tuple[int, int], Value], bool]


@frozen
class Symbols:
    """The meaning of the characters of some grids.

    blank: the character that is a blank besides `.` and `_`, or empty.  numbers: for each letter the number it means.
    wide: whether some places hold words of more than one character.  candidates: whether these are digits that may
    stand there.
    """

    blank: str = ""
    numbers: Mapping[str, str] = field(factory=dict)
    wide: bool = False
    candidates: bool = False
    _codes: dict[str, str] = field(factory=dict, eq=False, init=False)

    def flat(self, text: str) -> str:
        """A grid with one character for each place, with `.` for its blanks."""
        return text.replace(self.blank, ".") if self.blank else text

    def packed(self, words: Iterable[str]) -> str | None:
        """A grid of words as a grid of single characters; None if there are too many different words, or if they are
        candidates."""
        codes, found = self._codes, []
        for word in words:
            if self.is_blank(word):
                found.append(".")
            elif not self.wide:
                found.append(word)
            elif self.candidates and len(word) > 1:
                return None
            else:
                if word not in codes:
                    if len(codes) == len(POOL):
                        return None
                    codes[word] = POOL[len(codes)]
                found.append(codes[word])
        text = "".join(found)
        return text if len(text) == len(found) else None

    def is_blank(self, word: str) -> bool:
        """Whether a place is left blank."""
        return word in NOTHING or not word.strip(BLANKS + self.blank)

    def word(self, character: str) -> str:
        """The word that a character of `flat` or `packed` stands for."""
        if self.wide:
            character = next((word for word, code in self._codes.items() if code == character), character)
        return self.numbers.get(character, character)

    def value(self, word: str) -> Value | None:
        """The value of a word at a place; None for a blank."""
        if self.is_blank(word):
            return None
        if self.candidates and len(word) > 1 and GROUP.fullmatch(word):
            return Set.in_order(tuple(map(int, word)))
        return scalar(self.numbers.get(word, word))

    @property
    def words(self) -> list[str]:
        """A description of these meanings for users."""
        said = [f"`{self.blank}` is blank"] if self.blank else []
        if self.numbers:
            letter = "0" if "0" in self.numbers else "A"
            said.append(f"`{letter}` means {self.numbers[letter]}")
        if self.candidates:
            said.append("several digits are what may stand there")
        return said


def find_symbols(grids: Iterable[list[str]], columns: int, size: int, takes: Takes) -> Symbols:
    """What the words of some grids mean, each grid given row by row. size: the longer side of the grid."""
    first: dict[str, tuple[int, int]] = {}
    grouped = written = 0
    for grid in grids:
        wide_words = [word for word in grid if len(word) > 1]
        written += bool(wide_words)
        grouped += bool(wide_words) and all(GROUP.fullmatch(word) and int(word[-1]) <= size for word in wide_words)
        for at, word in enumerate(grid):
            if word not in first:
                first[word] = (at // columns + 1, at % columns + 1)
    wide = any(len(word) > 1 for word in first)
    letters = {word for word in first if len(word) == 1 and word in ascii_letters}
    blank = ""
    if not first.keys() & NOTHING:
        others = (c for c in OTHER_BLANKS if c in first and (c not in "xX" or letters == {c}))
        refused = [c for c in others if not takes(first[c], scalar(c))]
        if len(refused) > 1 and "0" in refused and letters:
            refused.remove("0")  # of a hexadecimal grid, in which another character is blank
        blank = refused[0] if refused else ""
    letters.discard(blank)
    numbers: dict[str, str] = {}
    if letters and not any(takes(first[letter], letter) for letter in sorted(letters)):
        from_zero = "0" in first and blank != "0" and bool(blank or first.keys() & NOTHING)
        alphabet = _alphabet({c.upper() for c in letters}, bool(first.keys() & set("123456789")), from_zero, size)
        some = min(letters)
        if takes(first[some], int(alphabet[some])):
            numbers = alphabet
    candidates = False
    if written < 2 * grouped and not letters:
        word = next(word for word in first if len(word) > 1 and GROUP.fullmatch(word))
        candidates = takes(first[word], Set.in_order(tuple(map(int, word))))
    return Symbols(blank, numbers, wide, candidates)


def _alphabet(letters: set[str], digits: bool, from_zero: bool, size: int) -> dict[str, str]:
    """The numbers that letters mean: `A` is 1 if the grids have no digits, 10 if they have, and 11 if digits count
    from 0. from_zero: whether `0` occurs in the grids and is not their blank."""
    first = 10 if digits else 1
    found: dict[str, str] = {}
    if digits and from_zero and all(ord(letter) - ord("A") + 11 <= size for letter in letters):
        first = 11
        found = {str(digit): str(digit + 1) for digit in range(10)}
    for k, letter in enumerate(ascii_uppercase, first):
        found[letter] = found[letter.lower()] = str(k)
    return found


# --- inline ----------------------------------------------------------------------------------------------------------
# Collections with a grid on each line, alone or beside other words: a name, a rating, a solution.
#
# The grid is the first run of as many characters as it has places, else that many words, fields of a table, or
# characters with spaces between them. Of several such runs, the one with blanks is the puzzle, and one without blanks
# that agrees with it is its solution.


RUN, PLACES, SPACES = "a run of characters", "words or fields", "spaces are blanks"
BEHIND = re.compile(r"(?<!\s)\s++#.*$")  # a comment after a grid; tried once for each run of spaces
MOST_NAMES = 12  # how many fields of a line are named to the user


@frozen
class Inline:
    """The layout of a file with a grid on each line.

    rows, columns: of the grid.  kind: how its places are written in a line.  pick, solution: which of the runs of a
    line, counted from 0, the puzzle and its solution are.  asked: the separator and the number (from 0) of the field
    that the user asked for, which replaces `pick`.
    fields: words that tell the user what the fields of a line are.  header: the number of a first line that names them,
    or 0.  ambiguity: what else the file might mean.
    """

    rows: int
    columns: int
    kind: str
    symbols: Symbols = field(factory=Symbols)
    pick: int = 0
    solution: int | None = None
    asked: tuple[str, int] | None = None
    fields: tuple[str, ...] = ()
    header: int = 0
    ambiguity: str = ""
    _run: re.Pattern[str] = field(init=False, repr=False, eq=False)

    @_run.default
    def _runs(self) -> re.Pattern[str]:
        return run_of(self.rows * self.columns)

    @property
    def words(self) -> list[str]:
        """A description of the layout for users; empty if each line holds a grid and nothing else."""
        said = []
        if len(self.fields) > 1:
            more = ["…"] if len(self.fields) > MOST_NAMES else []
            said.append("each line: " + ", ".join([*self.fields[:MOST_NAMES], *more]))
        if self.header:
            said.append(f"line {self.header} is a header")
        if self.kind == SPACES:
            said.append("a space is blank, and lines are filled up with them")
        return [*said, *self.symbols.words, *([self.ambiguity] if self.ambiguity else [])]

    def read(self, lines: Iterator[Numbered]) -> Iterator[FoundGrid]:
        """The grid of each line that is not blank; a line without one is yielded as a grid that does not fit."""
        size, symbols = self.rows * self.columns, self.symbols
        whole = self.kind == RUN and self.asked is None and self.pick == 0
        for number, line in lines:
            bare = line.strip()
            if not bare:
                continue
            if whole and len(bare) == size and not symbols.wide and len(bare.split(None, 1)) == 1:
                places = partial(_places_of, bare, number, len(line) - len(line.lstrip()))
                yield FoundGrid(number, "", ((number, line),), symbols.flat(bare), None, places)
            elif len(line) > longest(size):
                yield FoundGrid(number, "", ((number, line),))
            elif number != self.header:
                yield self._found(number, line)

    def _found(self, number: int, line: str) -> FoundGrid:
        if "#" in line:
            line = BEHIND.sub("", line)
        whole = ((number, line),)
        if self.kind == RUN and self.asked is None:
            runs = [(m[0], m.start()) for m in self._run.finditer(line)]
            if not runs:
                return FoundGrid(number, "", whole)
            text, at = runs[min(self.pick, len(runs) - 1)]
            beside = None
            if self.solution is not None and self.solution < len(runs) and len(runs) > self.pick:
                beside = self.symbols.flat(runs[self.solution][0])
            return FoundGrid(number, "", whole, self.symbols.flat(text), beside, partial(_places_of, text, number, at))
        places = self.places(line)
        if places is None:
            return FoundGrid(number, "", whole)
        flat = self.symbols.packed(text for text, _ in places)
        numbered = [(text, number, column) for text, column in places]
        return FoundGrid(number, "", whole, flat, None, lambda: numbered)

    def places(self, line: str) -> list[Place] | None:
        """The places of the grid in a line; None if it holds no grid."""
        size, offset = self.rows * self.columns, 0
        if self.asked is not None:
            parts = fields_of(line, self.asked[0])
            if self.asked[1] >= len(parts):
                return None
            line, offset = parts[self.asked[1]]
        if self.kind == SPACES:
            line = line.rstrip("\r\n")
            if not line.strip() or len(line) > size or (self.asked is not None and len(line) != size):
                return None
            return [(char.strip(), offset + at) for at, char in enumerate(line.ljust(size))]
        found = self._run.search(line)
        if self.kind == RUN and found is not None:
            return [(char, offset + found.start() + at) for at, char in enumerate(found[0])]
        places = places_in(line, size)
        return None if places is None else [(text, offset + at) for text, at in places]


def _places_of(text: str, line: int, column: int) -> list[tuple[str, int, int]]:
    """The places of a run of characters."""
    return [(char, line, column + at) for at, char in enumerate(text)]


def run_of(size: int) -> re.Pattern[str]:
    """A pattern for a run of exactly `size` places."""
    return re.compile(f"(?<![{CELLS}])[{CELLS}]{{{size}}}(?![{CELLS}])")


def fields_of(line: str, separator: str) -> list[tuple[str, int]]:
    """The fields of a line, without quotes, each with the column where it begins. separator: a space means any number
    of spaces."""
    if separator == " ":
        return [(m[0].strip("\"'"), m.start() + (m[0][0] in "\"'")) for m in re.finditer(r"\S+", line)]
    parts = line.split(separator)
    if '"' in line:
        try:
            parts = next(csv.reader([line], delimiter=separator, skipinitialspace=True))
        except csv.Error:
            parts = line.split(separator)
    found, at = [], 0
    for part in parts:
        begin = line.find(part, at) if part else at
        begin = max(begin, 0)
        found.append((part, begin))
        at = begin + len(part) + 1
    return found


# --- columns ---------------------------------------------------------------------------------------------------------
# How the lines of a file hold grids: which run or field of a line is the puzzle, and which is its solution.


MAY_BE_BLANK = frozenset(".0_*-?xX ")
TITLE = re.compile(r"[A-Za-z]{2}")
PUZZLE = re.compile(r"puzzle|quiz|grid|clue|given|board|problem|question|unsolved|initial|start", re.IGNORECASE)
SOLUTION = re.compile(r"solution|solved|answer|result", re.IGNORECASE)
FIELD_SEPARATORS = "\t,;:| "  # what may separate fields; a space means any number of spaces
MOST_WRONG = 0.1  # the largest part of the solutions in a file that may disagree with their puzzles


def decide_inline(sample: Sequence[Numbered], rows: int, columns: int, column: str | None) -> tuple[Inline, int] | None:
    """How lines hold grids, and how many of the lines hold one; None if none does. column: the name or number of the
    field that is wanted, or None. Symbols are found later."""
    size = rows * columns
    filled = [(number, BEHIND.sub("", line) if "#" in line else line) for number, line in sample if line.strip()]
    header = _header(filled, size)
    body = [pair for pair in filled if pair[0] != header]
    if column is not None:
        return _asked(filled, rows, columns, column)
    run = run_of(size)
    found = [(line, [m[0] for m in run.finditer(line)]) for _, line in body]
    alone = [line for _, line in body if len(line.strip()) == size and len(line.split()) == 1]
    fitting = [(line, runs) for line, runs in found if runs]
    if fitting or alone:
        shape = Inline(rows, columns, RUN, header=header)
        if fitting:
            shape = _with_columns(shape, fitting, filled, header)
        return shape, max(len(fitting), len(alone))
    as_places = sum(_has_places(line, size) for _, line in body)
    if as_places:
        return Inline(rows, columns, PLACES, header=header), as_places
    return _with_spaces(body, rows, columns, header)


def _header(filled: Sequence[Numbered], size: int) -> int:
    """The number of the first line if it holds words or a count and the second line holds a grid; otherwise 0."""
    if len(filled) < 2 or not (TITLE.search(filled[0][1]) or filled[0][1].strip().isdecimal()):
        return 0
    run = run_of(size)
    fits = [bool(run.search(line)) or len(line.strip()) == size or _has_places(line, size) for _, line in filled[:2]]
    second = fits[1] or any(len(part) == size for s in ",;\t" for part, _ in fields_of(filled[1][1], s))
    return filled[0][0] if not fits[0] and second else 0


def _has_places(line: str, size: int) -> bool:
    return places_in(line, size) is not None and not _is_text(line)


def _is_text(line: str) -> bool:
    """Whether a line that has as many characters as a grid has places is a sentence instead."""
    return len(re.findall(r"[A-Za-z]{3}", line)) > 1 and " " in line.strip()


def _with_columns(
    shape: Inline, fitting: list[tuple[str, list[str]]], filled: Sequence[Numbered], header: int
) -> Inline:
    """Find out which of several runs is the puzzle and which the solution, and what the other fields are."""
    count = Counter(len(runs) for _, runs in fitting).most_common(1)[0][0]
    columns = list(zip(*(runs for _, runs in fitting if len(runs) == count), strict=True))
    line = next(line for line, runs in fitting if len(runs) == count)
    separator = separator_of(line, columns[0][0])
    names = [name.strip().strip("\ufeff") for name, _ in fields_of(dict(filled)[header], separator)] if header else []
    at = _fields_of_runs(line, separator, [runs[0] for runs in columns])
    titles = [names[k] if 0 <= k < len(names) else "" for k in at]
    signs = [_blank_of(texts) for texts in columns]
    blank = [sum(sign in text for text in texts) if sign else 0 for sign, texts in zip(signs, columns, strict=True)]
    called = [PUZZLE.search(title) is not None and SOLUTION.search(title) is None for title in titles]
    pick = max(range(count), key=lambda k: (called[k], blank[k], -k))
    others = [k for k in range(count) if k != pick]
    named = [k for k in others if SOLUTION.search(titles[k])]
    agreeing = [k for k in others if _agree(columns[pick], columns[k], signs[pick])]
    solution = next(iter(named or agreeing), None)
    left = [k for k in others if k != solution]
    ambiguity = ""
    if left and not titles[pick]:
        ambiguity = f"field {at[pick] + 1} is taken; FILE:{at[left[0]] + 1} takes field {at[left[0]] + 1}"
    known = {} if solution is None else {at[solution]: "solution"}
    words = _field_words(line, separator, names, {**known, at[pick]: "puzzle"})
    return evolve(shape, pick=pick, solution=solution, fields=words, ambiguity=ambiguity)


def _blank_of(texts: Sequence[str]) -> str:
    """The character that is most likely a blank in some grids; empty if there seems to be none."""
    seen = Counter("".join(texts))
    return max(sorted(MAY_BE_BLANK & seen.keys()), key=lambda char: seen[char], default="")


def _agree(puzzles: Sequence[str], solutions: Sequence[str], blank: str) -> bool:
    """Whether nearly all solutions agree with their puzzles and have no blanks."""
    if not blank or any(blank in solution for solution in solutions):
        return False
    wrong = sum(
        any(a != b for a, b in zip(p, s, strict=True) if a != blank) for p, s in zip(puzzles, solutions, strict=True)
    )
    return wrong <= MOST_WRONG * len(puzzles)


def separator_of(line: str, run: str) -> str:
    """The separator of the fields of a line: the one that stands beside its grid."""
    at = line.index(run)
    beside = line[at + len(run) :].lstrip(" \"'")[:1] + line[:at].rstrip(" \"'")[-1:]
    if "\t" in line[at + len(run) :][:1] + line[:at][-1:]:
        return "\t"
    return next((char for char in beside if char in ",;:|"), " ")


def _fields_of_runs(line: str, separator: str, runs: Sequence[str]) -> list[int]:
    """The numbers of the fields in which the runs stand, in order."""
    found, at = [], 0
    parts = fields_of(line, separator)
    for run in runs:
        k = next((k for k in range(at, len(parts)) if run in parts[k][0]), at)
        found.append(k)
        at = k + 1
    return found


def _field_words(line: str, separator: str, names: Sequence[str], known: dict[int, str]) -> tuple[str, ...]:
    """A word for each field of a line: its name, or what it contains."""
    said = []
    for k, (part, _) in enumerate(fields_of(line, separator)):
        if k < len(names) and names[k]:
            name = names[k][:20]
            said.append(name if k not in known or known[k] == name.lower() else f"{name} ({known[k]})")
        elif k in known:
            said.append(known[k])
        elif part.strip():
            said.append("number" if re.fullmatch(r"[-+]?[\d.]+", part.strip()) else "text")
    return tuple(said)


def _asked(filled: Sequence[Numbered], rows: int, columns: int, column: str) -> tuple[Inline, int] | None:
    """The layout for the field with that name or number, if the file has such a field and it holds grids."""
    for separator in FIELD_SEPARATORS:
        names = [text.strip() for text, _ in fields_of(filled[0][1], separator)] if filled else []
        lowered = [name.lower() for name in names]
        if column.lower() in lowered:
            k, header = lowered.index(column.lower()), filled[0][0]
        elif column.isdecimal() and int(column) >= 1:
            k, header = int(column) - 1, _header(filled, rows * columns)
        else:
            continue
        body = [line for number, line in filled if number != header]
        for kind in (RUN, SPACES):
            shape = Inline(rows, columns, kind, asked=(separator, k), header=header)
            fits = sum(shape.places(line) is not None for line in body)
            if fits:
                words = _field_words(body[0], separator, names if header else (), {k: "puzzle"})
                return evolve(shape, fields=words), fits
    return None


def _with_spaces(body: Sequence[Numbered], rows: int, columns: int, header: int) -> tuple[Inline, int] | None:
    """The layout if lines, or fields, have exactly as many characters as the grid has places, spaces included."""
    size = rows * columns
    plain = re.compile("[0-9A-Za-z ]+")
    whole = [line for _, line in body if len(line) == size and plain.fullmatch(line) and not _is_text(line)]
    if whole:
        return Inline(rows, columns, SPACES, header=header), len(whole)
    for separator in (",", ";", "\t"):
        for k in range(max((len(fields_of(line, separator)) for _, line in body[:1]), default=0)):
            parts = [fields_of(line, separator) for _, line in body]
            fits = sum(k < len(p) and len(p[k][0]) == size and " " in p[k][0] and not _is_text(p[k][0]) for p in parts)
            if fits:
                words = _field_words(body[0][1], separator, (), {k: "puzzle"})
                return Inline(rows, columns, SPACES, asked=(separator, k), header=header, fields=words), fits
    return None
