"""The tables of a run file, and how damage in them is noticed.

    about     key, value           the question and the model (question.py); texts, mostly JSON
    files     name, data           every file that was read for the model
    pieces    stage, name, prefix, weight, state, bound, count, children, nodes, updates, wasted, seconds, digest
    answers   stage, name, data    the packed answers (engine/pieces/packing.py) of a finished piece, whose `digest`
                                   in `pieces` is their checksum
    best      stage, cost, options, seconds    ever better answers, and when they were found
    seal      rows, total, seconds, sessions, written, status

Every row ends with a `sum`, a checksum of its other fields. The seal, one row, holds the number of rows of the tables
above it except `answers`, and the total of their sums modulo 2¹²⁸; it changes with every transaction. So the sums
reveal a flipped bit, and a row that is missing, doubled or older than the seal. Answers are checked when they are read.

A stage is a search. A question may have two stages: for the best value, and for the answers that have it. The state of
a piece is 0 (open), 1 (done) or 2 (cut into `children`). Counts are text, because they may exceed 2⁶³.
"""

from __future__ import annotations

import zlib
from array import array
from hashlib import blake2b
from typing import Any

from covr.engine.pieces.packing import inflated
from covr.engine.pieces.split import Prefix

APPLICATION = 0x636F7672  # "covr", SQLite's application_id
VERSION = 1  # version of the tables, SQLite's user_version

OPEN, DONE, CUT = 0, 1, 2  # the state of a piece
# Times: a prefix has at most this many times the bytes that it takes in a row. Its numbers differ, and so zlib makes a
# third of them at best (measured: 3.15 times, with every second number); zeros would become a thousand times as many.
TIMES = 8
SHORTEST = 64  # bytes that a prefix may have in any case
MODULUS = 1 << 128  # sums of digests are taken modulo this, so that they fit in 16 bytes

TABLES = {
    "about": "key TEXT PRIMARY KEY, value TEXT",
    "files": "name TEXT PRIMARY KEY, data BLOB",
    "pieces": "stage INTEGER, name TEXT, prefix BLOB, weight REAL, state INTEGER, bound INTEGER, count TEXT, "
    "children INTEGER, nodes INTEGER, updates INTEGER, wasted INTEGER, seconds REAL, digest BLOB",
    "best": "stage INTEGER, cost INTEGER, options BLOB, seconds REAL",
}
KEYS = {"about": "", "files": "", "pieces": ", PRIMARY KEY (stage, name)", "best": ", PRIMARY KEY (stage, cost)"}
SCHEMA = [
    *(f"CREATE TABLE {name} ({columns}, sum BLOB{KEYS[name]}) WITHOUT ROWID" for name, columns in TABLES.items()),
    "CREATE TABLE answers (stage INTEGER, name TEXT, data BLOB, PRIMARY KEY (stage, name))",
    "CREATE TABLE seal (one INTEGER PRIMARY KEY, rows INTEGER, total BLOB, seconds REAL, sessions INTEGER, "
    "written REAL, status TEXT, sum BLOB)",
]

# What the fields of a row may be, in the order of its columns without its sum. What counts something is not negative.
COUNT, WHOLE, REAL, TEXT, BYTES = "a count", "a whole number", "a number", "a text", "bytes"
FIELDS = {
    "about": (TEXT, TEXT),
    "files": (TEXT, BYTES),
    "pieces": (
        COUNT, TEXT, BYTES, REAL, COUNT, f"{WHOLE} or none", TEXT, COUNT, COUNT, COUNT, COUNT, REAL, BYTES,
    ),
    "best": (COUNT, WHOLE, BYTES, REAL),
    "seal": (COUNT, COUNT, BYTES, REAL, COUNT, REAL, TEXT),
}  # fmt: skip


def is_kind(value: Any, kind: str) -> bool:
    """Whether a value that was read is of a kind of `FIELDS`."""
    if kind.endswith(" or none"):
        return value is None or is_kind(value, kind.removesuffix(" or none"))
    if kind == REAL:
        return type(value) in (int, float) and 0 <= value < float("inf")
    if kind == COUNT:
        return type(value) is int and value >= 0
    return type(value) is {WHOLE: int, TEXT: str, BYTES: bytes}[kind]


def digest(*fields: Any) -> bytes:
    """A checksum of some fields."""
    return blake2b(repr(fields).encode("utf-8", "surrogatepass"), digest_size=16).digest()


def data_digest(data: bytes) -> bytes:
    """A checksum of bytes."""
    return blake2b(data, digest_size=16).digest()


def number(sum: bytes) -> int:
    """The whole number that the bytes of a sum stand for, little-endian."""
    return int.from_bytes(sum, "little")


def prefix_bytes(prefix: Prefix) -> bytes:
    """A prefix as the bytes that a row holds."""
    return zlib.compress(array("I", [len(prefix.taken), *prefix.taken, *prefix.excluded]).tobytes(), 1)


def prefix_of(data: bytes) -> Prefix:
    """The prefix that the bytes of a row stand for. Raises ValueError for bytes that are no prefix."""
    raw, rest = inflated(data, TIMES * len(data) + SHORTEST)
    numbers = array("I")
    if rest or not raw or len(raw) % numbers.itemsize:
        raise ValueError("a prefix is not what was written")
    numbers.frombytes(raw)
    size = numbers[0]
    if size >= len(numbers):
        raise ValueError("a prefix is cut off")
    return Prefix(tuple(numbers[1 : 1 + size]), tuple(numbers[1 + size :]))
