"""A run file: what a long search has found, in SQLite. Whatever kills the process, the file holds only complete pieces.

Every write is one transaction: finished pieces with their answers, the children of pieces that are cut, better answers,
and the seal over all rows. The log (`-wal`) is synchronised with the disk, so that not even a power cut loses what was
reported. Opening a file checks every row (reading.py); any damage is one error, and nothing is written.

A new file is made under another name in the same folder, and renamed when it is complete.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from covr.engine.pieces.ledger import Change, Improved, Learned, Ledger, Task, Totals
from covr.engine.pieces.packing import pack
from covr.engine.pieces.piece_values import PieceBudget
from covr.engine.pieces.split import Prefix
from covr.runs import schema
from covr.runs.contents import Contents, OptionNumbers, PieceRow, Seal, tree_fault
from covr.runs.lock import Lock
from covr.runs.reading import TIMEOUT, identify, must_exist, read_answers, read_contents
from covr.runs.record_faults import damaged, unwritable

JOURNALS = ("-journal", "-wal", "-shm")  # endings of the files that SQLite keeps beside its own


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

    def spent(self, seconds: float) -> None:
        """Add time that others have spent on pieces of the run."""
        self._before += seconds

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
        if pieces and (fault := tree_fault(pieces)) is not None:
            raise damaged(self._record.file, fault)
        try:
            open_ones = [p.task() for p in pieces if p.is_open]
        except ValueError as error:
            raise damaged(self._record.file, str(error)) from None
        self._ledger = Ledger.restore(
            self._minimum, self, contents.totals(stage), self._budget, found[-1].answer if found else None,
            open_ones if pieces else [Task("", Prefix())],
            [(p.name, p.children) for p in pieces if p.state == schema.CUT],
        )  # fmt: skip
        return self._ledger

    def write(self, changes: Sequence[Change], totals: Totals) -> None:
        stage = self._stage
        with self._record._transaction() as to:
            for change in changes:
                if isinstance(change, Learned):
                    to.replace(PieceRow.of(stage, change.task))
                    continue
                if isinstance(change, Improved):
                    fields = (stage, change.best, pack([change.answer]), self._record.seconds)
                    to.add("best", (*fields, schema.digest("best", *fields)))
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
        self._total = (self._total + schema.number(row[-1])) % schema.MODULUS

    def replace(self, piece: PieceRow) -> None:
        """Replace the row of a piece."""
        self._remove("pieces", "stage = ? AND name = ?", (piece.stage, piece.name))
        self.add("pieces", piece.row())

    def about(self, key: str, value: str) -> None:
        """Set a value of the table `about`, whether or not it had one."""
        self._remove("about", "key = ?", (key,))
        self.add("about", (key, value, schema.digest("about", key, value)))

    def _remove(self, table: str, where: str, values: Sequence[Any]) -> None:
        for (old,) in self.execute(f"DELETE FROM {table} WHERE {where} RETURNING sum", values).fetchall():
            self._rows -= 1
            self._total = (self._total - schema.number(old)) % schema.MODULUS

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
        for ending in ("", *JOURNALS):  # of one that was killed here
            with suppress(FileNotFoundError):
                os.unlink(f"{new}{ending}")
        base = sqlite3.connect(new, isolation_level=None)
        with closing(base):
            base.execute(f"PRAGMA application_id = {schema.APPLICATION}")
            base.execute(f"PRAGMA user_version = {schema.VERSION}")
            base.execute("BEGIN")
            for statement in schema.SCHEMA:
                base.execute(statement)
            total, count = 0, 0
            for table, values in (("about", about), ("files", files)):
                for key, value in values.items():
                    sum = schema.digest(table, key, value)
                    base.execute(f"INSERT INTO {table} VALUES (?, ?, ?)", (key, value, sum))
                    total, count = (total + schema.number(sum)) % schema.MODULUS, count + 1
            seal = Seal(count, total, 0.0, 0, time.time(), "new")
            base.execute("INSERT INTO seal VALUES (?, ?, ?, ?, ?, ?, ?, ?)", seal.row())
            base.execute("COMMIT")
            base.execute("PRAGMA journal_mode = WAL")  # before the file has its name: this change has a journal, too
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
        _undo_unfinished(file)
        contents = read_contents(file, thorough=True)
        return RunRecord(file, lock, _connect(file), contents)
    except sqlite3.Error as error:
        lock.release()
        raise unwritable(file, error) from None
    except BaseException:
        lock.release()
        raise


def _undo_unfinished(file: Path) -> None:
    """Let SQLite undo a change whose journal a kill has left behind; a connection that only reads can't."""
    if Path(os.path.realpath(file) + "-journal").exists():
        with closing(sqlite3.connect(file, timeout=TIMEOUT)) as base:
            base.execute("PRAGMA user_version").fetchone()


def _connect(file: Path) -> sqlite3.Connection:
    """Open a connection for writing, to be used by one thread at a time."""
    base = sqlite3.connect(file, isolation_level=None, timeout=TIMEOUT, check_same_thread=False)
    base.execute("PRAGMA journal_mode = WAL")
    base.execute("PRAGMA synchronous = FULL")
    return base
