"""What the characters of a grid mean: which of them stand for a blank, and which letters stand for numbers.

A character other than `.` and `_` is a blank only if it cannot be anything else: the model takes no value that is
written in this way, and no other character in the grids is a blank. Likewise, letters are numbers only if the model
takes numbers and not letters.

Where no number of several digits can be meant, the digits of a word are what may stand there: a set. Programs that help
with sudokus write such grids of candidates.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from string import ascii_letters, ascii_uppercase

from attrs import field

from covr.compiler.evaluate.blocks import scalar
from covr.compiler.evaluate.values import Set, Value
from covr.compiler.grids.places import BLANKS, NOTHING
from covr.frozen import frozen

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
