"""Reading a run file: every row is checked, and any damage is one error. Nothing is written."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from covr.engine.pieces.packing import unpack
from covr.faults import usage_error
from covr.runs import schema
from covr.runs.contents import Contents, FoundBest, OptionNumbers, PieceRow, Seal
from covr.runs.lock import is_held
from covr.runs.question import about_fault
from covr.runs.record_faults import damaged, foreign

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
    """The answers of a finished piece, checked, and unpacked while they are read. Raises ModelErrors E704 if they are
    damaged."""
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


def _own_tables(base: sqlite3.Connection, file: Path) -> None:
    """Refuse a file with other tables than those that covr makes: a view in the place of one may have rows without end,
    and a trigger would run when the file is written."""
    kept = [sql for (sql,) in base.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()]
    if sorted("".join(sql.split()) for sql in kept) != sorted("".join(sql.split()) for sql in schema.SCHEMA):
        raise damaged(file, "it has other tables than a run file")


def _rows(base: sqlite3.Connection, file: Path) -> Callable[[str], Iterator[tuple[Any, ...]]]:
    """Reads the rows of a table, whose fields are of the right kinds. All rows that are read together take no more than
    the file: a page that is linked to again and again would be read without end."""
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
