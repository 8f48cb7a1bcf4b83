"""A run file: what a long search has found, in SQLite."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from base64 import b85decode, b85encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from covr.dsl.diagnostics import ModelErrors
from covr.engine.pieces.class_pieces import (
    ChainPieces,
    ClassPart,
    ClassPieces,
    Permutation,
    digest_of_chain,
    digest_of_group,
)
from covr.engine.pieces.ledger import Change, Improved, Learned, Ledger, PieceBudget, Task, Totals
from covr.engine.pieces.piece_work import pack, unpack
from covr.engine.pieces.split import Prefix
from covr.engine.problem import Problem
from covr.engine.symmetries import ChainGroup
from covr.faults import usage_error
from covr.runs import contents as schema
from covr.runs.contents import Contents, FoundBest, Lock, OptionNumbers, PieceRow, Seal, is_held, tree_fault
from covr.runs.question import about_fault
from covr.text import reason_of

# --- The errors for a file that is no run file, is damaged, or can't be written ---------------------------------------


def foreign(file: Path) -> ModelErrors:
    """The error for a file that is not a run file (E701)."""
    return usage_error("E701", f"`{file}` is no run file", help="give another name; nothing was changed")


def damaged(file: Path, why: str) -> ModelErrors:
    """The error for a damaged run file (E704). why: the damage in words."""
    return usage_error(
        "E704", f"`{file}` is damaged: {why}",
        help="nothing was changed; go on with a copy that is whole, or begin again with another file",
    )  # fmt: skip


def unwritable(file: Path, error: Exception) -> ModelErrors:
    """The error for a run file that can't be written. What the file holds is not damaged by this."""
    reason = reason_of(error)
    help = f"it holds what was finished before; go on with `covr resume {file}` when there is room"
    if "full" not in reason and "space" not in reason:
        help = ""
    return usage_error("E706", f"`{file}` can't be written: {reason}", help=help)


# --- The parts of a search for one answer of each class (engine/pieces/class_pieces.py), as a run file keeps them -----
# What a finished piece has passed on depends on the parts, which another version of covr might choose differently. So
# they are written down when the run begins, together with a checksum of the group, and read again in every later
# session. A run file of an earlier version has none; its pieces contain all answers, which are then sorted out one by
# one.


KEY = "classes"  # the key in the table `about`


def text_of(classes: ClassPieces) -> str:
    """The value that the table `about` keeps for the parts."""
    parts = [
        [part.sort, part.alone, b85encode(schema.prefix_bytes(part.prefix)).decode("ascii")] for part in classes.parts
    ]
    return json.dumps({"group": classes.digest, "parts": parts})


def classes_of(text: str, group: Sequence[Permutation] | ChainGroup, problem: Problem, file: Path) -> ClassPieces:
    """The parts that a value of the table `about` stands for. group: of the model. Raises ModelErrors E709 if it is
    another one."""
    kept = json.loads(text)
    digest = digest_of_chain(group) if isinstance(group, ChainGroup) else digest_of_group(group)
    if kept["group"] != digest:
        raise usage_error("E709", f"this covr finds other symmetries of the model in `{file}`")
    parts = tuple(ClassPart(schema.prefix_of(b85decode(data)), sort, alone) for sort, alone, data in kept["parts"])
    if isinstance(group, ChainGroup):
        return ChainPieces((), parts, group=group, given=problem.given)
    return ClassPieces(group, parts, problem.given)


# --- Reading a run file: every row is checked, and any damage is one error. Nothing is written ------------------------


TIMEOUT: Final = 10.0  # seconds to wait for the lock of another process


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


def read_answers(file: Path, stage: int, name: str) -> Iterator[OptionNumbers]:
    """The answers of a finished piece, checked and unpacked while they are read. Raises ModelErrors E704."""
    with _reading(file) as base:
        found = base.execute(
            "SELECT digest, data, count FROM pieces JOIN answers USING (stage, name) WHERE stage = ? AND name = ?",
            (stage, name),
        ).fetchone()
        if found is None or schema.data_digest(found[1]) != found[0]:
            raise damaged(file, "the answers of a piece are not those that were written")
    return _answers(file, found[1], int(found[2]))


def _answers(file: Path, data: bytes, count: int) -> Iterator[OptionNumbers]:
    read = 0
    try:
        for answer in unpack(data):
            read += 1
            yield answer
    except ValueError as error:
        raise damaged(file, str(error)) from None
    if read != count:
        raise damaged(file, "a piece does not have as many answers as it counts")


def identify(file: Path) -> None:
    """Check that this is a run file that can be read here. Raises ModelErrors E701, E703, E704, E707."""
    with _reading(file) as base:
        _identify(base, file)


def must_exist(file: Path) -> None:
    """Check that the file exists. Raises ModelErrors E707 if it does not."""
    try:
        there = file.is_file()
    except (OSError, ValueError):
        there = False
    if not there:
        raise usage_error("E707", f"there is no run file `{file}`", help=f"`covr count MODEL --run {file}` makes one")


def _reader(file: Path) -> sqlite3.Connection:
    """Open a file for reading only. If no process writes it and it has no log, reading it makes no log either."""
    log = Path(os.path.realpath(file) + "-wal")
    still = "immutable=1" if not log.exists() and not is_held(file) else "mode=ro"
    base = sqlite3.connect(f"{file.resolve().as_uri()}?{still}", isolation_level=None, timeout=TIMEOUT, uri=True)
    base.execute("PRAGMA cell_size_check = ON")
    return base


@contextmanager
def _reading(file: Path) -> Iterator[sqlite3.Connection]:
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


def _own_tables(base: sqlite3.Connection, file: Path) -> None:
    """Refuse a file with other tables than covr's: a view could have endless rows, and a trigger would run when the
    file is written."""
    kept = [sql for (sql,) in base.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()]
    if sorted("".join(sql.split()) for sql in kept) != sorted("".join(sql.split()) for sql in schema.SCHEMA):
        raise damaged(file, "it has other tables than a run file")


def _rows(base: sqlite3.Connection, file: Path) -> Callable[[str], Iterator[tuple[Any, ...]]]:
    """The rows of a table, whose fields are of the right kinds. In all they may be as long as the file: pages may be
    linked in a circle."""
    most = sum(os.path.getsize(f"{os.path.realpath(file)}{e}") for e in ("", "-wal") if os.path.exists(f"{file}{e}"))
    left = most

    def rows(table: str) -> Iterator[tuple[Any, ...]]:
        nonlocal left
        for row in base.execute(f"SELECT * FROM {table}"):
            left -= sum(len(field) for field in row if isinstance(field, str | bytes))
            if left < 0:
                raise damaged(file, "its rows take more than the file")
            if not all(map(schema.is_kind, row, (*schema.FIELDS[table], schema.BYTES))):
                raise damaged(file, f"a row of `{table}` has fields of other kinds")
            yield row

    return rows


def _identify(base: sqlite3.Connection, file: Path) -> None:
    (application,), (version,) = (base.execute(f"PRAGMA {n}").fetchone() for n in ("application_id", "user_version"))
    if application != schema.APPLICATION:
        raise foreign(file)
    if version > schema.VERSION:
        with suppress(sqlite3.Error):
            (by,) = base.execute("SELECT value FROM about WHERE key = 'covr'").fetchone()
            raise usage_error("E703", f"`{file}` was made by a newer covr ({by})", help="update covr to go on with it")
        raise usage_error("E703", f"`{file}` was made by a newer covr", help="update covr to go on with it")


def _contents(base: sqlite3.Connection, file: Path) -> Contents:
    _own_tables(base, file)
    total = count = 0
    rows = _rows(base, file)
    tables = {table: list(rows(table)) for table in schema.TABLES}
    for table, found in tables.items():
        for row in found:
            if schema.digest(table, *row[:-1]) != row[-1]:
                raise damaged(file, f"a row of `{table}` is not what was written")
            total, count = (total + schema.number(row[-1])) % schema.MODULUS, count + 1
    (row,) = rows("seal")
    seal = Seal(row[1], schema.number(row[2]), *row[3:7])
    if seal.row() != row or (seal.rows, seal.total) != (count, total):
        raise damaged(file, "its rows are not those of its seal")
    pieces: dict[int, list[PieceRow]] = {}
    for p in tables["pieces"]:
        fields = [*p[:6], int(p[6]), *p[7:-1]]
        piece = PieceRow(*fields)
        if (fault := piece.fault) is not None:
            raise damaged(file, fault)
        pieces.setdefault(p[0], []).append(piece)
    best: dict[int, list[FoundBest]] = {}
    for stage, cost, options, seconds, _ in sorted(tables["best"], key=lambda row: -row[1]):
        best.setdefault(stage, []).append(FoundBest(cost, next(unpack(options)), seconds))
    about = {key: value for key, value, _ in tables["about"]}
    if (fault := about_fault(about)) is not None:
        raise damaged(file, fault)
    return Contents(about, {name: data for name, data, _ in tables["files"]}, pieces, best, seal)


# --- record ----------------------------------------------------------------------------------------------------------
# A run file: what a long search has found, in SQLite. Whatever kills the process, the file holds only complete pieces.
#
# Every write is one transaction: finished pieces with their answers, the children of pieces that are cut, better
# answers, and the seal over all rows. The log (`-wal`) is synchronised with the disk, so that not even a power cut
# loses what was reported. Opening a file checks every row; any damage is one error, and nothing is written.
#
# A new file is made under another name in the same folder, and renamed when it is complete.


JOURNALS = ("-journal", "-wal", "-shm")  # endings of the files that SQLite keeps beside its own


class RunRecord:
    """A run file that this process writes, made by `create` or `open_record`; must be closed. contents: when it was
    opened."""

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
    base = sqlite3.connect(file, isolation_level=None, timeout=TIMEOUT, check_same_thread=False)
    base.execute("PRAGMA journal_mode = WAL")
    base.execute("PRAGMA synchronous = FULL")
    return base
