"""The lines of a table or list, and how squares are named in them.

A table is written a record to a line. Where its squares are numbers, 34 is row 3 and column 4, or 304 where the numbers
have three digits.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

from covr.compiler.evaluate.table_readers import COMMENT, csv_fault
from covr.frozen import frozen
from covr.studio.boards.sketch import Undrawable

Square = tuple[int, int]

DECIMAL = 10  # what the row of a square is multiplied by in its number, on boards of up to nine columns
LONG = 100  # the same on larger boards


@frozen
class Table:
    """A table as it is written. columns: their names; many: whether the last takes the rest of the line.
    header: whether the first line names the columns.  comma: whether fields are parted by commas.
    raw: the line of each record as it is written, which keeps its spaces; empty for a new one."""

    columns: tuple[str, ...]
    many: bool
    header: bool
    comma: bool
    records: tuple[tuple[str, ...], ...]
    raw: tuple[str, ...] = ()

    def with_records(self, records: tuple[tuple[str, ...], ...]) -> Table:
        """The table with other records; those that stay keep how they are written, as long as as many stand there."""
        kept = dict(zip(self.records, self.raw, strict=False))
        raw = tuple(
            kept.get(record) or (self.raw[at] if len(records) == len(self.records) and at < len(self.raw) else "")
            for at, record in enumerate(records)
        )
        return Table(self.columns, self.many, self.header, self.comma, records, raw)

    def place(self, name: str) -> int:
        """Which column has that name."""
        return self.columns.index(name)


def read_table(block: str, columns: Sequence[str], comma: bool) -> Table:
    """The table in a block. columns: as the reader is told them, with the mark of the last; none if the first line
    names them. Raises Undrawable for what is no csv."""
    raw = [] if comma else [line.strip() for line in block.split("\n") if line.strip()]
    if comma:
        if any(map(COMMENT.match, block.split("\n"))):
            raise Undrawable("lines of comment would be lost")
        try:
            lines = [list(map(str.strip, row)) for row in csv.reader(io.StringIO(block)) if any(map(str.strip, row))]
        except csv.Error as fault:
            raise Undrawable(f"this is not csv: {csv_fault(fault)}") from None
    else:
        lines = [line.split() for line in block.split("\n") if line.strip()]
    header = not columns
    if header:
        columns, lines, raw = (lines[0], lines[1:], raw[1:]) if lines else ([], [], [])
    names = tuple(name.removesuffix("…").removesuffix("...") for name in columns)
    many = bool(columns) and names[-1] != columns[-1]
    return Table(names, many, header, comma, tuple(map(tuple, lines)), tuple(raw))


def write_table(table: Table) -> list[str]:
    """Its lines, with the columns below each other. Raises Undrawable for a field that can't be written."""
    names = [*table.columns[:-1], table.columns[-1] + ("…" if table.many else "")]
    rows = [*([names] if table.header else []), *table.records]
    if any(
        '"""' in field or "\n" in field or (not table.comma and field.split() != [field]) for r in rows for field in r
    ):
        raise Undrawable("a field has no spaces")
    if table.comma:
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows(rows)
        return out.getvalue().splitlines()
    aligned = len(table.columns) - (1 if table.many else 0)
    wide = [max((len(row[at]) for row in rows if at < len(row)), default=0) for at in range(aligned)]
    raw = [*([""] if table.header else []), *table.raw]
    return [
        _respaced(raw[number] if number < len(raw) else "", row)
        or " ".join(field.ljust(wide[at]) if at < aligned else field for at, field in enumerate(row)).rstrip()
        for number, row in enumerate(rows)
    ]


def _respaced(raw: str, record: Sequence[str]) -> str:
    """A record in the line of another with as many fields, each in the column of that one where it fits; empty if there
    is no such line."""
    places = [found.span() for found in re.finditer(r"\S+", raw)]
    if len(places) != len(record):
        return ""
    line = ""
    for (start, _), field in zip(places, record, strict=True):
        line = line.ljust(start) + (" " if line and start <= len(line) else "") + field
    return line


def square_of(number: str, base: int) -> Square | None:
    """The square that a number names; None if it names none."""
    if not number.isascii() or not number.isdigit():
        return None
    row, col = divmod(int(number), base)
    return (row, col) if row and col else None


def named(square: Square, base: int) -> str:
    """The number of a square. Raises Undrawable if it has none."""
    row, col = square
    if not (0 < col < base and row > 0):
        raise Undrawable(f"row {row}, column {col} has no number where 34 is row 3, column 4")
    return str(row * base + col)
