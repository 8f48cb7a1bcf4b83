"""A grid of cells as text, with lines between regions, round holes, or no lines at all.

Between two columns of cells is a *gutter*: three characters wide (` | `) if it has a line at any height, otherwise one
blank. Between two rows there is a line of text only if it has a line to draw. So a sudoku is drawn as compactly as
possible, and a jigsaw has room for every wall. Where lines meet, the character depends on which of its four arms are
lines.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import groupby

from attrs import field

from covr.draw.styled import Line, Part, width
from covr.frozen import frozen

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
    blank: blanks as wide as a cell.
    above: what is written above the text of a cell, at its left.
    raised: rows that have room for such texts, though none of their cells has one.
    between: what is written between two cells that touch, the smaller one first: at most three characters.
    spaced: whether there is room between all cells, for lines from one to the next.
    wide: the gutters that are three characters wide, by the column to their right.
    """

    rows: range
    columns: range
    text: Mapping[Cell, str]
    style: Mapping[Cell, str]
    region: Mapping[Cell, int] | None
    joined: Callable[[Cell, Cell], bool]
    blank: str
    above: Mapping[Cell, str] = field(factory=dict)
    raised: frozenset[int] = frozenset()
    between: Mapping[tuple[Cell, Cell], str] = field(factory=dict)
    spaced: bool = False
    wide: frozenset[int] = field(init=False)

    @wide.default
    def _gutters_with_lines(self) -> frozenset[int]:
        """The columns to whose left a line runs at any height; one past the last column for the right edge."""
        edges = range(self.columns.start, self.columns.stop + 1)
        found = {c for c in edges if self.region is not None and any(self._right(r, c - 1) for r in self.rows)}
        found |= {b[1] for a, b in self.between if a[1] != b[1]} | {b[1] + 1 for a, b in self.between if a[1] > b[1]}
        return frozenset(found.union(edges[1:-1] if self.spaced else ()))

    def draw(self, unicode: bool) -> list[Line]:
        """The lines of text, top to bottom."""
        return [line for _, line in self.rows_drawn(unicode)]

    def rows_drawn(self, unicode: bool) -> list[tuple[int | None, Line]]:
        """The lines of text, top to bottom, each with its row; None for a line between rows."""
        lines: list[tuple[int | None, Line]] = []
        written = {b[0] for a, b in self.between if a[0] != b[0]}
        cornered = self.raised.union(r for r, _ in self.above)
        if self.spaced:
            written |= set(self.rows[1:])
        coloured = {r for r, _ in self.style}
        for row in range(self.rows.start, self.rows.stop + 1):
            walled = self.region is not None and any(self._below(row - 1, c) for c in self.columns)
            if row in written or walled:
                lines.append((None, _merged(self._rule(row, BOX if unicode else ASCII))))
            if row in cornered:
                lines.append((None, _merged(self._corners_of(row, "│" if unicode else "|"))))
            if row < self.rows.stop and (self.wide or row in coloured):
                lines.append((row, _merged(self._cells(row, "│" if unicode else "|"))))
            elif row < self.rows.stop:  # as those of a large board are
                lines.append((row, (Part(" ".join([self.text.get((row, c), self.blank) for c in self.columns])),)))
        return lines

    def starts(self) -> dict[int, int]:
        """Column → where its cells begin in a line."""
        found, at = {}, 0
        for column in self.columns:
            edge = column == self.columns.start
            at += (2 if edge else 3) if column in self.wide else (0 if edge else 1)
            found[column] = at
            at += len(self.blank)
        return found

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

    def _corners_of(self, row: int, bar: str) -> list[Part]:
        """The line above a row in which the small texts of its cells stand, between the lines beside the row."""
        parts: list[Part] = []
        for column in range(self.columns.start, self.columns.stop + 1):
            parts += self._gutter(row, column, bar, signs=False)
            if column < self.columns.stop:
                text = self.above.get((row, column), "")
                parts.append(Part(text + " " * (len(self.blank) - width(text)), "given" if text else ""))
        return parts

    def _gutter(self, row: int, column: int, bar: str, signs: bool = True) -> list[Part]:
        """What stands to the left of a cell. signs: what is written between two cells, too."""
        edge = column in (self.columns.start, self.columns.stop)
        left, right = (row, column - 1), (row, column)
        if column in self.wide:
            written = self.between.get((left, right))
            if written is not None and signs:
                return [Part(f"{written:^3}", "given" if written.strip("-─") else "line")]
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
                text += self._side(row, column, glyphs)
        return [Part(text, "line")]

    def _side(self, row: int, column: int, glyphs: str) -> str:
        """What stands above a cell, as wide as a cell."""
        wide = len(self.blank)
        line = glyphs[10 if self._below(row - 1, column) else 0]
        written = self.between.get(((row - 1, column), (row, column)))
        if written is None:
            return line * wide
        before = (wide - len(written)) // 2
        return line * before + written + line * (wide - before - len(written))

    def _corner(self, row: int, column: int, glyphs: str) -> str:
        right = column < self.columns.stop and self._below(row - 1, column)
        left = column > self.columns.start and self._below(row - 1, column - 1)
        if column not in self.wide:
            edge = column in (self.columns.start, self.columns.stop)
            return "" if edge else glyphs[10 if left and right else 0]
        up = row > self.rows.start and self._right(row - 1, column - 1)
        down = row < self.rows.stop and self._right(row, column - 1)
        corner = glyphs[up + 2 * right + 4 * down + 8 * left]
        for pair in (((row - 1, column - 1), (row, column)), ((row - 1, column), (row, column - 1))):
            if pair in self.between:
                return f"{self.between[pair]:^3}"
        before = "" if column == self.columns.start else glyphs[10 if left else 0]
        after = "" if column == self.columns.stop else glyphs[10 if right else 0]
        return before + corner + after


def _merged(parts: list[Part]) -> Line:
    """The parts, with neighbours of the same style joined."""
    return tuple(Part("".join(p.text for p in group), style) for style, group in groupby(parts, key=lambda p: p.style))
