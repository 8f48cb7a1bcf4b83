"""What a run file holds: its tables, its contents as values, and the lock on it."""

from __future__ import annotations

import os
import time
import zlib
from array import array
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

from attrs import evolve

from covr.engine.pieces.ledger import DIGITS, MOST_CHILDREN, PieceResult, Settled, Task, Totals
from covr.engine.pieces.piece_work import inflated
from covr.engine.pieces.split import Prefix
from covr.faults import usage_error
from covr.frozen import frozen
from covr.text import reason_of

# --- The tables of a run file, and how damage in them is noticed ------------------------------------------------------
#     about     key, value           the question and the model (question.py); texts, mostly JSON
#     files     name, data           every file that was read for the model
#     pieces    stage, name, prefix, weight, state, bound, count, children, nodes, updates, wasted, seconds, digest
#     answers   stage, name, data    the packed answers (engine/pieces/piece_work.py) of a finished piece, whose
#                                    `digest` in `pieces` is their checksum
#     best      stage, cost, options, seconds    ever better answers, and when they were found
#     seal      rows, total, seconds, sessions, written, status
#
# Every row ends with a `sum`, a checksum of its other fields. The seal, one row, holds the number of rows of the tables
# above it except `answers`, and the total of their sums modulo 2¹²⁸; it changes with every transaction. So the sums
# reveal a flipped bit, and a row that is missing, doubled or older than the seal. Answers are checked when they are
# read.
#
# A stage is a search. A question may have two stages: for the best value, and for the answers that have it. The state
# of a piece is 0 (open), 1 (done) or 2 (cut into `children`). Counts are text, because they may exceed 2⁶³.


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


# --- What a run file holds, as frozen values: its seal, the rows of its pieces, its better answers; and all of it -----


OptionNumbers = tuple[int, ...]
HEX = "0123456789abcdef"  # the digits of the names of pieces


@frozen
class Seal:
    """The seal of the last transaction: seconds and number of all sessions, its time since 1970, and `running` or how
    the run ended."""

    rows: int
    total: int
    seconds: float
    sessions: int
    written: float
    status: str

    def row(self) -> tuple[Any, ...]:
        """The values for the table, in the order of its columns, with their digest."""
        fields = (self.rows, self.total.to_bytes(16, "little"), self.seconds, self.sessions, self.written, self.status)
        return (1, *fields, digest("seal", *fields))


@frozen
class FoundBest:
    """A better answer, and after how many seconds of the run it was found."""

    cost: int
    answer: OptionNumbers
    seconds: float


@frozen
class PieceRow:
    """A row of the table `pieces`."""

    stage: int
    name: str
    prefix: bytes
    weight: float
    state: int
    bound: int | None
    count: int
    children: int
    nodes: int
    updates: int
    wasted: int
    seconds: float
    digest: bytes

    def row(self) -> tuple[Any, ...]:
        """The values for the table, in the order of its columns, with their digest."""
        fields = (
            self.stage, self.name, self.prefix, self.weight, self.state, self.bound, str(self.count), self.children,
            self.nodes, self.updates, self.wasted, self.seconds, self.digest,
        )  # fmt: skip
        return (*fields, digest("pieces", *fields))

    @property
    def fault(self) -> str | None:
        """What is wrong with a row whose fields are of the right kinds; None for one that covr writes."""
        if self.count < 0:
            return "a piece has a count below 0"
        known = self.state in (OPEN, DONE, CUT)
        if not known or (self.state == CUT) != bool(self.children):
            return "a piece is neither open nor done nor cut"
        if self.children > MOST_CHILDREN or len(self.name) % DIGITS or not set(self.name) <= set(HEX):
            return "a piece has a name that no piece has"
        return None

    def task(self) -> Task:
        """An open piece as a task. Raises ValueError if its prefix is damaged."""
        return Task(self.name, prefix_of(self.prefix), self.weight, self.bound)

    @property
    def is_open(self) -> bool:
        """Whether the piece is still to be searched."""
        return self.state == OPEN

    @classmethod
    def of(cls, stage: int, task: Task, change: Settled | None = None) -> PieceRow:
        """The row of an open task, or of a settled one with its result. A piece that is not open has no prefix."""
        if change is None:
            prefix = prefix_bytes(task.prefix)
            return cls(stage, task.name, prefix, task.weight, OPEN, task.bound, 0, 0, 0, 0, 0, 0.0, b"")
        r = change.result
        return cls(
            stage, task.name, b"", task.weight, CUT if change.children else DONE, r.bound, r.count,
            len(change.children), r.nodes, r.updates, r.wasted, r.seconds,
            b"" if r.answers is None else data_digest(r.answers),
        )  # fmt: skip


def tree_fault(pieces: Sequence[PieceRow]) -> str | None:
    """What is wrong with the pieces of a stage as a tree: each but the first must be a part of a cut one, and no part
    missing."""
    wrong = "its pieces do not fit together"
    if sum(piece.children for piece in pieces) != len(pieces) - 1:
        return wrong
    there = {piece.name for piece in pieces}
    parts = {f"{p.name}{k:0{DIGITS}x}" for p in pieces for k in range(p.children)} | {""}
    return None if there == parts else wrong


@frozen
class Contents:
    """Everything in a run file except the answers. pieces: per stage, the rows of the table `pieces`."""

    about: Mapping[str, str]
    files: Mapping[str, bytes]
    pieces: Mapping[int, Sequence[PieceRow]]
    best: Mapping[int, Sequence[FoundBest]]
    seal: Seal

    def totals(self, stage: int) -> Totals:
        """The totals of the pieces of a stage."""
        totals = Totals()
        pieces = self.pieces.get(stage, ())
        kept: dict[str, float] = {}  # per piece that is cut, the weight of its children
        for piece in pieces:
            if piece.name:
                kept[piece.name[:-DIGITS]] = kept.get(piece.name[:-DIGITS], 0.0) + piece.weight
        for piece in pieces:
            if piece.state == OPEN:
                continue
            shares = (kept.get(piece.name, 0.0) / piece.weight,) if piece.state == CUT and piece.weight else ()
            result = PieceResult(
                piece.state == DONE, count=piece.count, bound=piece.bound, nodes=piece.nodes,
                updates=piece.updates, wasted=piece.wasted, seconds=piece.seconds, weights=shares,
            )  # fmt: skip
            totals = totals.plus(Task(piece.name, Prefix(), piece.weight), result)
        found = self.best.get(stage)
        return evolve(totals, best=found[-1].cost) if found else totals


# --- Lets only one process at a time work on a run file, by a lock that ends with the process that holds it -----------
# The lock is on a file beside the run file, `FILE.lock`, which holds the process number; SQLite's own locks on the run
# file are independent of it. When the run ends, the lock file is removed; after a kill it remains, unlocked, and the
# next process takes it over.


PID_DIGITS = 10  # of the number of a process there are fewer, on every system
TRIES, WAIT = 6, 0.05  # tries, and seconds between them: a process that only checks the lock holds it for a moment

try:
    import fcntl
except ImportError:  # Windows: a byte of the file is locked
    fcntl = None  # type: ignore[assignment]


class Lock:
    """The lock on a run file. Released by `release`, or when the process ends."""

    def __init__(self, file: Path) -> None:
        """Take the lock. Raises ModelErrors E705 if another process has it, E706 if it can't be made."""
        self._path = beside(file)
        for attempt in range(TRIES):
            try:
                handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
            except OSError as error:
                raise usage_error("E706", f"`{file}` can't be written: {reason_of(error)}") from None
            if _take(handle) and _is_it(handle, self._path):
                self._handle: int | None = handle
                with suppress(OSError):
                    os.ftruncate(handle, 0)
                    os.write(handle, f"{os.getpid()}\n".encode())
                return
            os.close(handle)
            if attempt < TRIES - 1:
                time.sleep(WAIT)
        number = holder(file)
        who = f"process {number}" if number else "another process"
        raise usage_error(
            "E705", f"{who} is at work on `{file}`",
            help=f"`covr status {file}` says how far it is; wait for it, or stop it, and go on then",
        )  # fmt: skip

    def release(self) -> None:
        """Release the lock and remove its file."""
        if self._handle is not None:
            with suppress(OSError):
                os.unlink(self._path)
            os.close(self._handle)
            self._handle = None
            if fcntl is None:  # Windows removes no open file: neither this one before it is closed, nor another's
                with suppress(OSError):
                    os.unlink(self._path)


def beside(file: Path) -> Path:
    """The path of a run file's lock; links to the run file are resolved first."""
    real = Path(os.path.realpath(file))
    return real.with_name(real.name + ".lock")


def is_held(file: Path) -> bool:
    """Whether a process is at work on a run file."""
    try:
        handle = os.open(beside(file), os.O_RDWR)
    except OSError:
        return False
    try:
        return not _take(handle)
    finally:
        os.close(handle)


def holder(file: Path) -> int | None:
    """The number of the process that holds, or last held, the lock of a run file; None if that is not known."""
    try:
        handle = os.open(beside(file), os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        try:
            return process_number(os.read(handle, PID_DIGITS + 1).decode("ascii").strip())
        finally:
            os.close(handle)
    except (OSError, ValueError):
        return None


def process_number(text: object) -> int:
    """The number of a process that a file tells. Raises ValueError for anything else."""
    if type(text) is not str or not (
        text.isascii() and text.isdecimal() and 0 < len(text) < PID_DIGITS and int(text) > 0
    ):
        raise ValueError("this is no number of a process")
    return int(text)


def _take(handle: int) -> bool:
    try:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            import msvcrt  # type: ignore[import-not-found, unused-ignore]

            os.lseek(handle, 1 << 20, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]
            os.lseek(handle, 0, os.SEEK_SET)
    except OSError:
        return False
    return True


def _is_it(handle: int, path: Path) -> bool:
    """Whether the locked file still has its name; the process that held the lock before may have removed it."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except OSError:
        return False
