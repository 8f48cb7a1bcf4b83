"""A 0/1 matrix as numpy saves it (`.npy`): each row is an option, each column an item to be covered exactly once.

The header gives the type and the shape of the entries that follow; numpy itself is not needed to read them. Truth
values, whole numbers and floats of any size and byte order are read, as long as each is 0 or 1. Python objects are not.

Source: numpy.lib.format, versions 1 to 3.
"""

from __future__ import annotations

import ast
import struct

from covr.compiler.formats.draft import LIMITS
from covr.compiler.formats.fault import FormatFault
from covr.compiler.formats.matrix_csv import MatrixRows
from covr.engine import Problem

MAGIC = b"\x93NUMPY"
# numpy's letter and size for a type → the letter of the module struct.
TYPES = {
    "b1": "B", "i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q",
    "f2": "e", "f4": "f", "f8": "d",
}  # fmt: skip
LONGEST_HEADER = 10_000
LARGEST_NUMBER = 1 << 63  # of a shape: numpy has no larger


def read_npy(data: bytes) -> Problem:
    """The problem of a saved matrix; rows and columns are named by their numbers. Time linear in the file.

    Raises FormatFault, a ValueError, if the data is not such a matrix.
    """
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
