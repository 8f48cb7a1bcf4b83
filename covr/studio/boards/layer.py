"""A layer: a part of the text that can be drawn, and where it stands.

A layer of each kind knows how it is written; what a stroke does to it is in strokes.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from covr.frozen import frozen
from covr.studio.boards.records import Square, Table, named, write_table
from covr.studio.boards.sketch import Sketch, write_sketch


@frozen
class Home:
    """Where a layer is written. name: of the param or constant.  start, end: the characters of the text that are its
    own.  quoted: whether they stand between three quotes; inline: on one line.  indent: before each line of a block;
    close: before the quotes that end it.  given: whether the page gives the value, so that no text is edited."""

    name: str
    start: int
    end: int
    quoted: bool
    inline: bool
    indent: str
    close: str
    given: bool

    def text(self, lines: Sequence[str]) -> str:
        """What is to be written there."""
        if not self.quoted or (self.inline and len(lines) == 1):
            return "\n".join(lines)
        if self.given:
            return "\n".join(lines)
        lead = min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)
        indent = self.indent[: max(0, len(self.indent) - lead)]  # right-justified numbers bring spaces of their own
        return "\n" + "".join(f"{indent}{line}".rstrip() + "\n" for line in lines) + self.close


@frozen
class PictureLayer:
    """A `grid`, an `area` or `pieces`. role: `signs`, `regions` (a letter for each region) or `cells` (on and off) or
    `pieces`.  offered: what may be written in it.  doubled: whether it has places for squares and for what is between
    them, as its definitions say."""

    home: Home
    canvas: Sketch
    role: str
    offered: tuple[str, ...] = ()
    doubled: bool = False

    @property
    def board(self) -> tuple[int, int]:
        """The rows and columns of the board that it belongs to."""
        rows, cols = self.canvas.rows, self.canvas.cols
        return ((rows + 1) // 2, (cols + 1) // 2) if self.doubled else (rows, cols)

    def lines(self) -> list[str]:
        """It as it is written."""
        return write_sketch(self.canvas)


@frozen
class Walls:
    """Borders between squares. form: `list` (`[1, 1, 1, 2]`), `set` (`((1, 1), (1, 2))`) or `table`, with its other
    fields.  pairs: two squares each, with what else is said of them.  table: if it is one.  ordered: whether it matters
    which of the two comes first.  base: of the numbers of squares; 0 where rows and columns are fields."""

    home: Home
    form: str
    pairs: tuple[tuple[Square, Square, tuple[str, ...]], ...]
    table: Table | None
    fields: tuple[str, ...]
    ordered: bool
    base: int

    def lines(self) -> list[str]:
        """It as it is written."""
        if self.form == "list":
            return [f"[{', '.join(f'[{a}, {b}, {c}, {d}]' for (a, b), (c, d), _ in self.pairs)}]"]
        if self.form == "set":
            return [f"{{{', '.join(f'(({a}, {b}), ({c}, {d}))' for (a, b), (c, d), _ in self.pairs)}}}"]
        assert self.table is not None
        records = []
        for one, other, fields in self.pairs:
            squares = [named(one, self.base), named(other, self.base)] if self.base else [*map(str, (*one, *other))]
            records.append((*squares, *fields) if self.base == 0 else (*fields, *squares))
        return write_table(self.table.with_records(tuple(records)))


@frozen
class Paths:
    """Lines and groups of squares: a record for each. fields: the columns before the squares.  look: `bulb`, `arrow`,
    `line` or `group`."""

    home: Home
    table: Table
    base: int
    look: str

    def lines(self) -> list[str]:
        """It as it is written."""
        return write_table(self.table)


@frozen
class Spots:
    """A table in which each record belongs to one place. look: `square`, `corner` (the lower right one of its square)
    or `margin` (its row and column stand in two fields)."""

    home: Home
    table: Table
    base: int
    look: str

    def lines(self) -> list[str]:
        """It as it is written."""
        return write_table(self.table)


@frozen
class Margin:
    """Clues beside the board. sides: for each line of them, on which side it stands (`left`, `right`, `top`,
    `bottom`), how far from the board, and its clues, blank ones as they are written.  form: `list` (of the language),
    `words` (the reader `list`) or `table`.  blank: what a blank is written as."""

    home: Home
    form: str
    sides: tuple[tuple[str, int, tuple[str, ...]], ...]
    table: Table | None
    blank: str
    texts: bool

    def lines(self) -> list[str]:
        """It as it is written."""
        if self.table is not None:
            heads = [record[0] for record in self.table.records]
            records = tuple((head, *clues) for head, (_, _, clues) in zip(heads, self.sides, strict=True))
            return write_table(self.table.with_records(records))
        clues = self.sides[0][2]
        if self.form == "words":
            return [" ".join(clues)]
        return [f"[{', '.join(map(self._written, clues))}]"]

    def _written(self, clue: str) -> str:
        if not self.texts and clue.lstrip("-").isdigit():
            return clue
        return '"' + clue.replace("\\", "\\\\").replace('"', '\\"') + '"'


Layer: TypeAlias = PictureLayer | Walls | Paths | Spots | Margin
