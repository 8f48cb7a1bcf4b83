"""A grid of cells as text, with lines between regions, round holes, or no lines at all.

Between two columns of cells is a *gutter*: three characters wide (` | `) if it has a line at any height, otherwise one
blank. Between two rows there is a line of text only if it has a line to draw. So a sudoku is drawn as compactly as
possible, and a jigsaw has room for every wall. Where lines meet, the character depends on which of its four arms are
lines.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import groupby

from attrs import field, frozen

from covr.draw.styled import Line, Part

Cell = tuple[int, int]

# Indexed by arms: up 1, right 2, down 4, left 8.
BOX = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
ASCII = " |-+||++-+-+++++"


@frozen
class Canvas:
    """A grid to be drawn. rows, columns: the ranges of the cells that are drawn.
    text: what is written into a cell, padded to one width, for every cell that belongs to the board.
    style: its style, for cells that have one.
    region: which region a cell is in; None draws no lines. Cells off the board are in no region.
    joined: whether the style of two neighbours also fills the blank between them.
    blank: blanks as wide as a cell.  wide: the gutters that are three characters wide, by the column to their right.
    """

    rows: range
    columns: range
    text: Mapping[Cell, str]
    style: Mapping[Cell, str]
    region: Mapping[Cell, int] | None
    joined: Callable[[Cell, Cell], bool]
    blank: str
    wide: frozenset[int] = field(init=False)

    @wide.default
    def _gutters_with_lines(self) -> frozenset[int]:
        """The columns to whose left a line runs at any height; one past the last column for the right edge."""
        if self.region is None:
            return frozenset()
        edges = range(self.columns.start, self.columns.stop + 1)
        return frozenset(c for c in edges if any(self._right(r, c - 1) for r in self.rows))

    def draw(self, unicode: bool) -> list[Line]:
        """The lines of text, top to bottom."""
        lines: list[list[Part]] = []
        for row in range(self.rows.start, self.rows.stop + 1):
            if self.region is not None and any(self._below(row - 1, c) for c in self.columns):
                lines.append(self._rule(row, BOX if unicode else ASCII))
            if row < self.rows.stop:
                lines.append(self._cells(row, "│" if unicode else "|"))
        return [_merged(line) for line in lines]

    def _wall(self, one: Cell, other: Cell) -> bool:
        """Whether a line runs between two neighbouring cells."""
        if self.region is None:
            return False
        return self.region.get(one, -1) != self.region.get(other, -1)

    def _right(self, row: int, column: int) -> bool:
        return self._wall((row, column), (row, column + 1))

    def _below(self, row: int, column: int) -> bool:
        return self._wall((row, column), (row + 1, column))

    def _cells(self, row: int, bar: str) -> list[Part]:
        parts: list[Part] = []
        for column in range(self.columns.start, self.columns.stop + 1):
            parts += self._gutter(row, column, bar)
            if column < self.columns.stop:
                at = (row, column)
                parts.append(Part(self.text.get(at, self.blank), self.style.get(at, "")))
        return parts

    def _gutter(self, row: int, column: int, bar: str) -> list[Part]:
        edge = column in (self.columns.start, self.columns.stop)
        left, right = (row, column - 1), (row, column)
        if column in self.wide:
            line = bar if self._right(row, column - 1) else " "
            before = [] if column == self.columns.start else [Part(" ")]
            after = [] if column == self.columns.stop else [Part(" ")]
            return [*before, Part(line, "line"), *after]
        if edge:
            return []
        return [Part(" ", self.style.get(left, "") if self.joined(left, right) else "")]

    def _rule(self, row: int, glyphs: str) -> list[Part]:
        """The line of text above a row."""
        text = ""
        for column in range(self.columns.start, self.columns.stop + 1):
            text += self._corner(row, column, glyphs)
            if column < self.columns.stop:
                text += glyphs[10 if self._below(row - 1, column) else 0] * len(self.blank)
        return [Part(text, "line")]

    def _corner(self, row: int, column: int, glyphs: str) -> str:
        right = column < self.columns.stop and self._below(row - 1, column)
        left = column > self.columns.start and self._below(row - 1, column - 1)
        if column not in self.wide:
            edge = column in (self.columns.start, self.columns.stop)
            return "" if edge else glyphs[10 if left and right else 0]
        up = row > self.rows.start and self._right(row - 1, column - 1)
        down = row < self.rows.stop and self._right(row, column - 1)
        corner = glyphs[up + 2 * right + 4 * down + 8 * left]
        before = "" if column == self.columns.start else glyphs[10 if left else 0]
        after = "" if column == self.columns.stop else glyphs[10 if right else 0]
        return before + corner + after


def _merged(parts: list[Part]) -> Line:
    """The parts, with neighbours of the same style joined."""
    return tuple(Part("".join(p.text for p in group), style) for style, group in groupby(parts, key=lambda p: p.style))
