"""A puzzle as it was read from a link: its kind, its size, and what stands on the board, layer by layer.

A layer maps places to what stands there. Places are written as the models write them: a cell is (row, column), from 1;
a corner is (row, column), from 1, up to height + 1 and width + 1; a border is the pair of the cells on its two sides,
of which one may lie outside the board; a place in the margin is a cell outside the board, such as (0, 3). A value is a
number, a word, `"?"` for a clue whose number is kept secret, or a tuple of these. What is blank is not in the layer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import field

from covr.frozen import frozen

Value = int | str | tuple[Any, ...]
Place = tuple[Any, ...]
Cell = tuple[int, int]
Layer = Mapping[Place, Value]

SECRET = "?"  # a clue that is there, but does not say its number
MOST_CELLS = 10_000  # no puzzle that people share is nearly as large; a sheet of 100 by 100 is read
LONGEST = 1_000_000  # characters of a link or file


class LinkFault(Exception):
    """What is wrong with a link or file, in words that follow `the link can't be read:`. help: a line of advice.

    The words are one line, whatever of the link they repeat: signs that can't be printed are shown as `�`.
    """

    help = ""

    def __init__(self, words: str) -> None:
        super().__init__("".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in words))


class Variant(LinkFault):
    """The puzzle has a rule that the model of its kind has not."""


@frozen
class Board:
    """A puzzle, perhaps with an answer. kind: its name in links. flag: the letters before the size of an address.

    layers: what stands on the board; layers without anything are left out, so that equal puzzles are equal values.
    remark: what is odd about the link that it was read from, in words that follow its name; mostly "".
    """

    kind: str
    height: int
    width: int
    flag: str
    layers: Mapping[str, Layer]
    remark: str = field(default="", eq=False)

    def layer(self, name: str) -> Layer:
        """What stands in that layer, perhaps nothing."""
        return self.layers.get(name, {})

    def only(self, names: frozenset[str]) -> Board:
        """The same board with these layers alone."""
        kept = {name: layer for name, layer in self.layers.items() if name in names}
        return Board(self.kind, self.height, self.width, self.flag, kept)


class BoardDraft:
    """A board while it is read: parts of the decoder write into its layers."""

    def __init__(self, kind: str, height: int, width: int, flag: str = "") -> None:
        """Raises LinkFault for a board that is no board, or larger than any that is read."""
        if height < 1 or width < 1:
            raise LinkFault(f"a board of {height} rows and {width} columns is none")
        if height * width > MOST_CELLS:
            raise LinkFault(f"a board of {height} rows and {width} columns is too large: {MOST_CELLS:,} cells at most")
        self.kind, self.height, self.width, self.flag = kind, height, width, flag
        self.layers: dict[str, dict[Place, Value]] = {}
        self.remark = ""

    def layer(self, name: str) -> dict[Place, Value]:
        """What stands in that layer by now, to be read and written."""
        return self.layers.setdefault(name, {})

    def board(self) -> Board:
        """The finished value."""
        filled = {name: layer for name, layer in self.layers.items() if layer}
        return Board(self.kind, self.height, self.width, self.flag, filled, self.remark)
