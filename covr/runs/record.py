"""A run file: what a long search has found, in SQLite. Whatever kills the process, the file holds only complete pieces.

Every write is one transaction: finished pieces with their answers, the children of pieces that are cut, better answers,
and the seal over all rows. The log (`-wal`) is synchronised with the disk, so that not even a power cut loses what was
reported. Opening a file checks every row (rows.py); any damage is one error, and nothing is written.

A new file is made under another name in the same folder, and renamed when it is complete.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from covr.dsl.diagnostics import ModelErrors
from covr.engine.pieces.ledger import DIGITS, Change, Ledger, Settled, Task, Totals
from covr.engine.pieces.packing import pack, unpack
from covr.engine.pieces.piece import PieceBudget, PieceResult
from covr.engine.pieces.split import Prefix
from covr.faults import usage_error
from covr.runs import rows
from covr.runs.lock import Lock, is_held

OptionNumbers = tuple[int, ...]
TIMEOUT = 10.0  # seconds to wait for a reader's lock


@frozen
class Seal:
    """The seal of the last transaction: the seconds of all sessions together, the number of sessions, the time of the
    transaction (in seconds since 1970), and the status: `running`, or how the run ended."""

    rows: int
    total: int
    seconds: float
    sessions: int
    written: float
    status: str

    def row(self) -> tuple[Any, ...]:
        """The values for the table, in the order of its columns, with their digest."""
        fields = (self.rows, self.total.to_bytes(16, "little"), self.seconds, self.sessions, self.written, self.status)
        return (1, *fields, rows.digest("seal", *fields))


@frozen
class FoundBest:
    """A better answer, and after how many seconds of the run it was found."""

    cost: int
    answer: OptionNumbers
    seconds: float


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
            if piece.state == rows.OPEN:
                continue
            shares = (kept.get(piece.name, 0.0) / piece.weight,) if piece.state == rows.CUT and piece.weight else ()
            result = PieceResult(
                piece.state == rows.DONE, count=piece.count, bound=piece.bound, nodes=piece.nodes,
                updates=piece.updates, wasted=piece.wasted, seconds=piece.seconds, weights=shares,
            )  # fmt: skip
            totals = totals.plus(Task(piece.name, Prefix(), piece.weight), result)
        found = self.best.get(stage)
        return evolve(totals, best=found[-1].cost) if found else totals


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
        return (*fields, rows.digest("pieces", *fields))

    @property
    def is_open(self) -> bool:
        """Whether the piece is still to be searched."""
        return self.state == rows.OPEN

    @classmethod
    def of(cls, stage: int, task: Task, change: Settled | None = None) -> PieceRow:
        """The row of an open task, or of a settled one with its result. A piece that is not open has no prefix."""
        if change is None:
            prefix = rows.prefix_bytes(task.prefix)
            return cls(stage, task.name, prefix, task.weight, rows.OPEN, task.bound, 0, 0, 0, 0, 0, 0.0, b"")
        r = change.result
        return cls(
            stage, task.name, b"", task.weight, rows.CUT if change.children else rows.DONE, r.bound, r.count,
            len(change.children), r.nodes, r.updates, r.wasted, r.seconds,
            b"" if r.answers is None else rows.data_digest(r.answers),
        )  # fmt: skip


class RunRecord:
    """A run file that this process writes. Made by `create` or `open_record`; must be closed.

    contents: what the file held when it was opened.
    """

    def __init__(self, file: Path, lock: Lock, base: sqlite3.Connection, contents: Contents) -> None:
        self.file, self._lock, self._base, self.contents = file, lock, base, contents
        self._seal = contents.seal
        self._began = time.monotonic()
        self._before = contents.seal.seconds

    @property
    def seconds(self) -> float:
        """The seconds that all sessions took together."""
        return self._before + time.monotonic() - self._began

    def begin(self) -> None:
        """Record that a session begins."""
        self._began = time.monotonic()
        with self._transaction() as change:
            change.sessions = 1

    def end(self, status: str) -> None:
        """Record that the session is over."""
        with self._transaction() as change:
            change.status = status

    def close(self) -> None:
        """Merge the log into the file, and release the lock."""
        with suppress(sqlite3.Error):
            self._base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with suppress(sqlite3.Error):
            self._base.close()
        self._lock.release()

    def put(self, values: Mapping[str, str]) -> None:
        """Set some values of the table `about`."""
        with self._transaction() as change:
            for key, value in values.items():
                change.about(key, value)

    def stage(self, number: int, minimum: bool) -> StageStore:
        """The store for the pieces of a stage. A new stage begins with a single piece."""
        if number not in self.contents.pieces:
            with self._transaction() as change:
                change.add("pieces", PieceRow.of(number, Task("", Prefix())).row())
        return StageStore(self, number, minimum)

    def answers(self, stage: int, name: str) -> Iterator[OptionNumbers]:
        """The answers of a piece. May be called from any thread; see `read_answers`."""
        return read_answers(self.file, stage, name)

    def _transaction(self) -> _Transaction:
        return _Transaction(self)


class StageStore:
    """The store of a ledger (engine/pieces/ledger.py) in a run file."""

    def __init__(self, record: RunRecord, stage: int, minimum: bool) -> None:
        self._record, self._stage, self._minimum = record, stage, minimum
        self._budget: PieceBudget | None = None
        self._ledger: Ledger | None = None

    def ledger(self) -> Ledger:
        """The ledger as the file has it."""
        contents, stage = self._record.contents, self._stage
        pieces = contents.pieces.get(stage, ())
        budget = contents.about.get(f"budget {stage}")
        self._budget = None if budget is None else PieceBudget(*map(int, budget.split()))
        found = contents.best.get(stage, ())
        open_ones = [Task(p.name, rows.prefix_of(p.prefix), p.weight, p.bound) for p in pieces if p.state == rows.OPEN]
        self._ledger = Ledger.restore(
            self._minimum, self, contents.totals(stage), self._budget, found[-1].answer if found else None,
            open_ones if pieces else [Task("", Prefix())],
            [(p.name, p.children) for p in pieces if p.state == rows.CUT],
        )  # fmt: skip
        return self._ledger

    def write(self, changes: Sequence[Change], totals: Totals) -> None:
        stage = self._stage
        with self._record._transaction() as to:
            for change in changes:
                if not isinstance(change, Settled):
                    fields = (stage, change.best, pack([change.answer]), self._record.seconds)
                    to.add("best", (*fields, rows.digest("best", *fields)))
                    continue
                to.replace(PieceRow.of(stage, change.task, change))
                for task in change.children:
                    to.add("pieces", PieceRow.of(stage, task).row())
                if change.result.answers is not None:
                    to.execute("INSERT INTO answers VALUES (?, ?, ?)", (stage, change.task.name, change.result.answers))
            budget = self._ledger.budget if self._ledger is not None else None
            if budget is not None and budget != self._budget:
                to.about(f"budget {stage}", f"{budget.nodes} {budget.answers}")
                self._budget = budget

    def read(self, name: str) -> Iterator[OptionNumbers]:
        """The answers of a piece that is done."""
        return self._record.answers(self._stage, name)


class _Transaction:
    """Changes to a run file, of which all or none are made. Raises ModelErrors E706 if they can't be written."""

    def __init__(self, record: RunRecord) -> None:
        self._record, self._base = record, record._base
        self._rows, self._total = record._seal.rows, record._seal.total
        self.sessions = 0
        self.status = "running"

    def __enter__(self) -> _Transaction:
        self._guarded(lambda: self._base.execute("BEGIN IMMEDIATE"))
        return self

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        if kind is not None:
            self._undo()
            return
        record, old = self._record, self._record._seal
        seal = Seal(
            self._rows, self._total, record.seconds, old.sessions + self.sessions, time.time(), self.status,
        )  # fmt: skip
        self.execute("INSERT OR REPLACE INTO seal VALUES (?, ?, ?, ?, ?, ?, ?, ?)", seal.row())
        self._guarded(lambda: self._base.execute("COMMIT"))
        record._seal = seal

    def add(self, table: str, row: tuple[Any, ...]) -> None:
        self.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
        self._rows += 1
        self._total = (self._total + rows.number(row[-1])) % rows.MODULUS

    def replace(self, piece: PieceRow) -> None:
        """Replace the row of a piece."""
        self._remove("pieces", "stage = ? AND name = ?", (piece.stage, piece.name))
        self.add("pieces", piece.row())

    def about(self, key: str, value: str) -> None:
        """Set a value of the table `about`, whether or not it had one."""
        self._remove("about", "key = ?", (key,))
        self.add("about", (key, value, rows.digest("about", key, value)))

    def _remove(self, table: str, where: str, values: Sequence[Any]) -> None:
        for (old,) in self.execute(f"DELETE FROM {table} WHERE {where} RETURNING sum", values).fetchall():
            self._rows -= 1
            self._total = (self._total - rows.number(old)) % rows.MODULUS

    def execute(self, statement: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        return self._guarded(lambda: self._base.execute(statement, values))

    def _guarded(self, work: Callable[[], sqlite3.Cursor]) -> sqlite3.Cursor:
        try:
            return work()
        except sqlite3.Error as error:
            self._undo()
            raise unwritable(self._record.file, error) from None

    def _undo(self) -> None:
        with suppress(sqlite3.Error):
            if self._base.in_transaction:
                self._base.execute("ROLLBACK")


# --- making and opening ---


def create(file: Path, about: Mapping[str, str], files: Mapping[str, bytes]) -> RunRecord:
    """Make a new run file. Raises ModelErrors E705, E706."""
    lock = Lock(file)
    new = file.with_name(file.name + ".new")
    try:
        with suppress(FileNotFoundError):
            os.unlink(new)
        base = sqlite3.connect(new, isolation_level=None)
        with closing(base):
            base.execute(f"PRAGMA application_id = {rows.APPLICATION}")
            base.execute(f"PRAGMA user_version = {rows.VERSION}")
            base.execute("BEGIN")
            for statement in rows.SCHEMA:
                base.execute(statement)
            total, count = 0, 0
            for table, values in (("about", about), ("files", files)):
                for key, value in values.items():
                    sum = rows.digest(table, key, value)
                    base.execute(f"INSERT INTO {table} VALUES (?, ?, ?)", (key, value, sum))
                    total, count = (total + rows.number(sum)) % rows.MODULUS, count + 1
            seal = Seal(count, total, 0.0, 0, time.time(), "new")
            base.execute("INSERT INTO seal VALUES (?, ?, ?, ?, ?, ?, ?, ?)", seal.row())
            base.execute("COMMIT")
        os.replace(new, file)
        return RunRecord(file, lock, _connect(file), Contents(dict(about), dict(files), {}, {}, seal))
    except (OSError, sqlite3.Error) as error:
        with suppress(OSError):
            os.unlink(new)
        lock.release()
        raise unwritable(file, error) from None


def open_record(file: Path) -> RunRecord:
    """Open a run file to continue it. Raises ModelErrors E701, E703, E704, E705, E706, E707."""
    must_exist(file)
    identify(file)  # first, so that no lock is made beside a file that is not a run file
    lock = Lock(file)
    try:
        contents = read_contents(file, thorough=True)
        return RunRecord(file, lock, _connect(file), contents)
    except sqlite3.Error as error:
        lock.release()
        raise unwritable(file, error) from None
    except BaseException:
        lock.release()
        raise


def must_exist(file: Path) -> None:
    """Check that the file exists. Raises ModelErrors E707 if it does not."""
    try:
        there = file.is_file()
    except (OSError, ValueError):
        there = False
    if not there:
        raise usage_error("E707", f"there is no run file `{file}`", help=f"`covr count MODEL --run {file}` makes one")


def _connect(file: Path) -> sqlite3.Connection:
    """Open a connection for writing, to be used by one thread at a time."""
    base = sqlite3.connect(file, isolation_level=None, timeout=TIMEOUT, check_same_thread=False)
    base.execute("PRAGMA journal_mode = WAL")
    base.execute("PRAGMA synchronous = FULL")
    return base


def _reader(file: Path) -> sqlite3.Connection:
    """Open a file for reading only. If no process writes it and it has no log, reading it makes no log either."""
    log = Path(os.path.realpath(file) + "-wal")
    still = "immutable=1" if not log.exists() and not is_held(file) else "mode=ro"
    base = sqlite3.connect(f"{file.resolve().as_uri()}?{still}", isolation_level=None, timeout=TIMEOUT, uri=True)
    base.execute("PRAGMA cell_size_check = ON")
    return base


def read_contents(file: Path, thorough: bool = False) -> Contents:
    """Read a run file and check it. If another process is writing it, the contents are those of the last transaction.

    thorough: also check SQLite's own structures, as is done before anything is written. Takes time linear in the file.
    Raises ModelErrors E701 for a file that is not a run file, E703 for one made by a newer covr, E704 for a damaged
    one, E707 for one that does not exist.
    """
    with _reading(file) as base:
        _identify(base, file)
        base.execute("BEGIN")
        if thorough and (said := base.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            raise damaged(file, said.splitlines()[-1])
        return _contents(base, file)


def identify(file: Path) -> None:
    """Check that this is a run file that can be read here. Raises ModelErrors E701, E703, E704, E707."""
    with _reading(file) as base:
        _identify(base, file)


@contextmanager
def _reading(file: Path) -> Iterator[sqlite3.Connection]:
    """A connection for reading. Any failure raises ModelErrors."""
    must_exist(file)
    try:
        with closing(_reader(file)) as base:
            yield base
    except sqlite3.DatabaseError as error:
        if "not a database" in str(error):
            raise foreign(file) from None
        if "unable to open" in str(error) or "locked" in str(error):
            raise usage_error("E701", f"`{file}` can't be read: {error}") from None
        raise damaged(file, str(error)) from None
    except (ValueError, TypeError, OverflowError, IndexError, KeyError) as error:
        raise damaged(file, str(error)) from None


def foreign(file: Path) -> ModelErrors:
    """The error for a file that is not a run file (E701)."""
    return usage_error("E701", f"`{file}` is no run file", help="give another name; nothing was changed")


def _identify(base: sqlite3.Connection, file: Path) -> None:
    (application,), (version,) = (base.execute(f"PRAGMA {n}").fetchone() for n in ("application_id", "user_version"))
    if application != rows.APPLICATION:
        raise foreign(file)
    if version > rows.VERSION:
        with suppress(sqlite3.Error):
            (by,) = base.execute("SELECT value FROM about WHERE key = 'covr'").fetchone()
            raise usage_error("E703", f"`{file}` was made by a newer covr ({by})", help="update covr to go on with it")
        raise usage_error("E703", f"`{file}` was made by a newer covr", help="update covr to go on with it")


def _contents(base: sqlite3.Connection, file: Path) -> Contents:
    total = count = 0
    tables: dict[str, list[tuple[Any, ...]]] = {}
    for table in rows.TABLES:
        tables[table] = base.execute(f"SELECT * FROM {table}").fetchall()
        for row in tables[table]:
            if rows.digest(table, *row[:-1]) != row[-1]:
                raise damaged(file, f"a row of `{table}` is not what was written")
            total, count = (total + rows.number(row[-1])) % rows.MODULUS, count + 1
    (row,) = base.execute("SELECT * FROM seal").fetchall()
    seal = Seal(row[1], rows.number(row[2]), *row[3:7])
    if seal.row() != row or (seal.rows, seal.total) != (count, total):
        raise damaged(file, "its rows are not those of its seal")
    pieces: dict[int, list[PieceRow]] = {}
    for p in tables["pieces"]:
        fields = [*p[:6], int(p[6]), *p[7:-1]]
        pieces.setdefault(p[0], []).append(PieceRow(*fields))
    best: dict[int, list[FoundBest]] = {}
    for stage, cost, options, seconds, _ in sorted(tables["best"], key=lambda row: -row[1]):
        best.setdefault(stage, []).append(FoundBest(cost, next(unpack(options)), seconds))
    about = {key: value for key, value, _ in tables["about"]}
    return Contents(about, {name: data for name, data, _ in tables["files"]}, pieces, best, seal)


def read_answers(file: Path, stage: int, name: str) -> Iterator[OptionNumbers]:
    """The answers of a finished piece, checked. Raises ModelErrors E704 if they are damaged."""
    with _reading(file) as base:
        found = base.execute(
            "SELECT digest, data, count FROM pieces JOIN answers USING (stage, name) WHERE stage = ? AND name = ?",
            (stage, name),
        ).fetchone()
        if found is None or rows.data_digest(found[1]) != found[0]:
            raise damaged(file, "the answers of a piece are not those that were written")
        answers = list(unpack(found[1]))
    if len(answers) != int(found[2]):
        raise damaged(file, "a piece does not have as many answers as it counts")
    return iter(answers)


def damaged(file: Path, why: str) -> ModelErrors:
    """The error for a damaged run file (E704). why: the damage in words."""
    return usage_error(
        "E704", f"`{file}` is damaged: {why}",
        help="nothing was changed; go on with a copy that is whole, or begin again with another file",
    )  # fmt: skip


def unwritable(file: Path, error: Exception) -> ModelErrors:
    """The error for a run file that can't be written. What the file holds is not damaged by this."""
    reason = getattr(error, "strerror", None) or str(error)
    help = f"it holds what was finished before; go on with `covr resume {file}` when there is room"
    if "full" not in reason and "space" not in reason:
        help = ""
    return usage_error("E706", f"`{file}` can't be written: {reason[:1].lower() + reason[1:]}", help=help)
