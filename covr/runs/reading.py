"""Reading a run file: every row is checked, and any damage is one error. Nothing is written."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from covr.engine.pieces.packing import unpack
from covr.faults import usage_error
from covr.runs import schema
from covr.runs.contents import Contents, FoundBest, OptionNumbers, PieceRow, Seal
from covr.runs.lock import is_held
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
    """The answers of a finished piece, checked. Raises ModelErrors E704 if they are damaged."""
    with _reading(file) as base:
        found = base.execute(
            "SELECT digest, data, count FROM pieces JOIN answers USING (stage, name) WHERE stage = ? AND name = ?",
            (stage, name),
        ).fetchone()
        if found is None or schema.data_digest(found[1]) != found[0]:
            raise damaged(file, "the answers of a piece are not those that were written")
        answers = list(unpack(found[1]))
    if len(answers) != int(found[2]):
        raise damaged(file, "a piece does not have as many answers as it counts")
    return iter(answers)


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
    total = count = 0
    tables: dict[str, list[tuple[Any, ...]]] = {}
    for table in schema.TABLES:
        tables[table] = base.execute(f"SELECT * FROM {table}").fetchall()
        for row in tables[table]:
            if schema.digest(table, *row[:-1]) != row[-1]:
                raise damaged(file, f"a row of `{table}` is not what was written")
            total, count = (total + schema.number(row[-1])) % schema.MODULUS, count + 1
    (row,) = base.execute("SELECT * FROM seal").fetchall()
    seal = Seal(row[1], schema.number(row[2]), *row[3:7])
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
