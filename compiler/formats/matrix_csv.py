"""A 0/1 matrix in CSV, or as numpy saves it."""

from __future__ import annotations

import ast
import csv
import re
import struct
from collections.abc import Iterator

from covr.compiler.formats.draft import LIMITS, MOST_WORDS, Draft, FormatFault, brief, left_out, note
from covr.engine import Problem

# --- matrix csv ------------------------------------------------------------------------------------------------------
# A 0/1 matrix in CSV: each row is an option, each column an item to be covered exactly once.
#
#     piece,a,b,c          an optional line with names for the columns
#     left,1,0,1           an optional name for the row in the first field
#     right,0,1,0
#
# Commas, semicolons, tabs or white space separate the fields, whichever the first line uses; a line that consists of
# digits only is a row, too (`101`). An empty field stands for 0, and numbers may be floats, as numpy's savetxt writes
# them. Lines that begin with `#` or `//` are comments, and a first line may say how many rows and columns follow. A row
# that contains only 0 covers nothing; it is left out, with a remark.
#
# A first line may also say how many columns follow, and how many of these, the first ones, are secondary, as dlx-cpp
# has it (github.com/jlaire/dlx-cpp). A secondary column is covered at most once. As with Knuth, a row that is in no
# other column is in no answer, and is left out silently.


VALUES = {"0": 0, "1": 1, "": 0, "0.0": 0, "1.0": 1, "false": 0, "true": 1}
FLOAT = re.compile(r"[-+]?\d+(?:\.\d*)?(e[-+]?\d+)?")
LONGEST_NUMBER = 40  # how many characters a number may have


class MatrixRows:
    """The rows of a matrix while it is read. Rows without a 1 are left out, and a remark at the end names them."""

    def __init__(self, columns: list[str], secondary: int = 0) -> None:
        """secondary: how many of the columns, from the first, may stay uncovered."""
        self._draft = Draft()
        self._empty: list[str] = []
        self._secondary = secondary
        for at, name in enumerate(columns):
            self._draft.item(name, int(at >= secondary), 1)

    def add(self, name: str, columns: list[int]) -> None:
        """Add a row by the columns that hold a 1, increasing."""
        if columns:
            if columns[-1] >= self._secondary:
                self._draft.option(name, [(column, 0) for column in columns])
        else:
            self._empty.append(name)

    def problem(self) -> Problem:
        """The problem made of the rows that were added, without those that have no 1."""
        if self._empty:
            note(left_out("row", self._empty))
        return self._draft.problem()


def read_csv(text: str) -> Problem:
    """The problem of a 0/1 matrix; rows and columns without names are named by their numbers. Time linear in the text.
    Raises FormatFault, a ValueError, with the place of the first wrong field."""
    rows, total = [], 0
    for line, fields in _rows(text):
        rows.append((line, fields))
        total += len(fields)
        if total > MOST_WORDS:
            raise FormatFault(line, f"there are more than {MOST_WORDS} fields")
    if not rows:
        raise FormatFault(1, "there are no rows")
    secondary = 0
    if len(rows) > 1 and is_size(rows[0][1], rows[1][1]):
        del rows[0]
    elif len(rows) > 1 and (found := secondary_of(rows[0][1], rows[1][1])) is not None:
        secondary = found
        if secondary:
            note(f"the first line says that {secondary} of {rows[0][1][0]} columns, the first ones, may stay uncovered")
        del rows[0]
    line, first = rows[0]
    header = first if any(value_of(f) is None for f in first[1:]) or _only_name(rows) else []
    body = rows[1:] if header else rows
    named = any(fields and value_of(fields[0]) is None for _, fields in body)
    width = len(first) - named
    if width < 1:
        raise FormatFault(line, "there are no columns")
    names = header[named:] if header else [f"column {k + 1}" for k in range(width)]
    matrix = MatrixRows(names, secondary)
    for number, (line, fields) in enumerate(body, 1):
        if len(fields) != width + named:
            raise FormatFault(line, f"there are {len(fields)} fields where the first line has {len(first)}")
        members = []
        for column, value in enumerate(fields[named:]):
            bit = value_of(value)
            if bit is None:
                raise FormatFault(line, f"`{brief(value)}` in column {column + 1 + named} is neither 0 nor 1")
            if bit:
                members.append(column)
        matrix.add(fields[0] if named else f"row {number}", members)
    return matrix.problem()


def value_of(field: str) -> int | None:
    """The value of a field, 0 or 1; None if it is neither."""
    value = VALUES.get(field)
    if value is not None:
        return value
    lowered = field.lower()
    if len(field) < LONGEST_NUMBER and FLOAT.fullmatch(lowered):
        number = float(lowered)
        return int(number) if number in (0, 1) else None
    return VALUES.get(lowered)


def is_size(first: list[str], second: list[str]) -> bool:
    """Whether a first line says how many rows and columns follow."""
    if len(first) != 2 or not all(part.isascii() and part.isdecimal() and len(part) < 9 for part in first):
        return False
    return _width(second) == int(first[1]) and (_width(second) != 2 or int(first[0]) > 1)


def secondary_of(first: list[str], second: list[str]) -> int | None:
    """How many of the columns are secondary, if a first line says how many columns there are, and perhaps that; None if
    it does not, and if it may be a row itself."""
    if not 1 <= len(first) <= 2 or not all(part.isascii() and part.isdecimal() and len(part) < 9 for part in first):
        return None
    width, secondary = int(first[0]), int(first[1]) if len(first) == 2 else 0
    may_be_row = _width(first) == _width(second) and not "".join(first).strip("01")
    return secondary if width == _width(second) and secondary <= width and not may_be_row else None


def _width(row: list[str]) -> int:
    return len(row[0]) if len(row) == 1 and not row[0].strip("01") else len(row)


def _only_name(rows: list[tuple[int, list[str]]]) -> bool:
    """Whether the first of the rows is the header of a matrix with one column."""
    first = rows[0][1]
    return len(first) == 1 and value_of(first[0]) is None


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    every = enumerate(text.split("\n"), 1)
    lines = [(n, line) for n, line in every if line.strip() and not line.lstrip().startswith(("#", "//"))]
    separator = next((s for s in ",;\t" if lines and s in lines[0][1]), None)
    for number, line in lines:
        if separator is not None:
            try:
                yield number, [field.strip() for field in next(csv.reader([line], delimiter=separator, strict=True))]
            except csv.Error as error:
                from covr.compiler.evaluate.table_readers import csv_fault

                raise FormatFault(number, f"this is not csv: {csv_fault(error)}") from None
        else:
            fields = line.split()
            yield number, list(fields[0]) if len(fields) == 1 and set(fields[0]) <= {"0", "1"} else fields


# --- npy -------------------------------------------------------------------------------------------------------------
# A 0/1 matrix as numpy saves it (`.npy`): each row is an option, each column an item to be covered exactly once.
#
# The header gives the type and the shape of the entries that follow; numpy itself is not needed to read them. Truth
# values, whole numbers and floats of any size and byte order are read, as long as each is 0 or 1. Python objects are
# not.
#
# Source: numpy.lib.format, versions 1 to 3.


MAGIC = b"\x93NUMPY"
# numpy's letter and size for a type → the letter of the module struct.
TYPES = {
    "b1": "B", "i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q",
    "f2": "e", "f4": "f", "f8": "d",
}  # fmt: skip
LONGEST_HEADER = 10_000
LARGEST_NUMBER = 1 << 63  # of a shape: numpy has no larger


def read_npy(data: bytes) -> Problem:
    """The problem of a saved matrix; rows and columns are named by their numbers. Time linear in the file. Raises
    FormatFault, a ValueError, if the data is not such a matrix."""
    kind, order, fortran, (rows, columns), body = _header(data)
    size = struct.calcsize(order + kind)
    if rows * columns * size != len(data) - body:
        wanted = rows * columns * size
        raise FormatFault(1, f"{rows} rows of {columns} want {wanted} bytes, and {len(data) - body} follow")
    if columns < 1:
        raise FormatFault(1, "there are no columns")
    if columns > LIMITS.items or rows > LIMITS.options:
        raise FormatFault(1, f"{rows} rows of {columns} are more than covr takes")
    found = MatrixRows([f"column {k + 1}" for k in range(columns)])
    held: list[list[int]] = [[] for _ in range(rows)]
    view = memoryview(data)[body:]
    for at, (value,) in enumerate(struct.iter_unpack(order + kind, view)):
        if value == 0:
            continue
        row, column = (at % rows, at // rows) if fortran else divmod(at, columns)
        if value != 1:
            raise FormatFault(1, f"{value} in row {row + 1}, column {column + 1} is neither 0 nor 1")
        held[row].append(column)
    for number, columns_ in enumerate(held, 1):
        found.add(f"row {number}", columns_)
    return found.problem()


def _header(data: bytes) -> tuple[str, str, bool, tuple[int, int], int]:
    """Type, byte order, whether columns come first, shape, and where the entries begin."""
    if not data.startswith(MAGIC) or len(data) < 10:
        raise FormatFault(1, "this is no file that numpy saved")
    wide = data[6] >= 2
    begin = 12 if wide else 10
    length = int.from_bytes(data[8:begin], "little")
    if length > LONGEST_HEADER or begin + length > len(data):
        raise FormatFault(1, "the header is cut, or damaged")
    try:
        header = ast.literal_eval(data[begin : begin + length].decode("utf-8").strip())
        descr, fortran, shape = header["descr"], header["fortran_order"], header["shape"]
        order, kind = descr[0], TYPES[descr[1:]]
        rows, columns = shape
        if not type(rows) is type(columns) is int:
            raise TypeError
    except (ValueError, SyntaxError, KeyError, TypeError, IndexError, MemoryError, RecursionError):
        raise FormatFault(1, "only matrices of truth values or numbers are read, with two dimensions") from None
    if order not in "<>|=" or min(rows, columns) < 0 or max(rows, columns) > LARGEST_NUMBER:
        raise FormatFault(1, "the header is damaged")
    return kind, ">" if order == ">" else "<", bool(fortran), (rows, columns), begin + length
