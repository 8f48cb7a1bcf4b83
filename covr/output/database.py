"""SQLite: each answer is a transaction of its own.

    run       one row: covr, model, title, goal, and at the end also status, complete, answers, bound
    answers   answer, text (the answer on one line), and for a model with a goal also cost and proved
    choices   the rows of answer_rows.py

These three tables are made anew; other tables in the file are left alone. While covr writes, new data are in a log
beside the file (`-wal`), which SQLite reads together with it. When covr ends, the log is merged into the file; after a
kill, the next reader does that.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from covr.dsl.diagnostics import ModelErrors
from covr.output import stream
from covr.output.answer_rows import Rows, field
from covr.output.file_faults import cannot, holds
from covr.output.writers import Numbered

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.questions.answer import Answer
    from covr.questions.ending import Ending


class DatabaseWriter(Numbered):
    """Writes a database with three tables. answers: how many answers are committed."""

    def __init__(self, compiled: Compiled, file: str) -> None:
        super().__init__(compiled)
        self._file, self._rows = file, Rows(compiled)
        self._goal = compiled.goal is not None
        self.answers = 0
        marks = ", ".join("?" * len(self._rows.columns))
        self._insert = f"INSERT INTO choices VALUES ({marks})"

    def begin(self) -> None:
        """Open the file and make its three tables anew."""
        from covr import __version__

        compiled = self.compiled
        try:
            self._base = sqlite3.connect(self._file, isolation_level=None, timeout=5)
            self._base.execute("PRAGMA journal_mode=WAL")
            self._base.execute("PRAGMA synchronous=NORMAL")
            self._tables()
            told = (__version__, compiled.model.source.name, compiled.title, compiled.goal)
            self._base.execute("INSERT INTO run (covr, model, title, goal) VALUES (?, ?, ?, ?)", told)
            self._base.execute("COMMIT")
        except sqlite3.Error as error:
            raise cannot(self._file, "be made", error) from None

    def _tables(self) -> None:
        kept = (
            "answer INTEGER PRIMARY KEY, cost, proved INTEGER, text TEXT"
            if self._goal
            else ("answer INTEGER PRIMARY KEY, text TEXT")
        )
        columns = ", ".join(_quoted(name) for name in self._rows.columns)
        self._base.execute("BEGIN IMMEDIATE")
        for name in ("run", "answers", "choices"):
            self._base.execute(f"DROP TABLE IF EXISTS {name}")
        self._base.execute(
            "CREATE TABLE run (covr TEXT, model TEXT, title TEXT, goal TEXT, status TEXT, complete INTEGER, "
            "answers INTEGER, bound)"
        )
        self._base.execute(f"CREATE TABLE answers ({kept})")
        self._base.execute(f"CREATE TABLE choices ({columns})")

    def put(self, answer: Answer, number: int) -> None:
        """Write an answer; it is in the file when this returns."""
        rows = list(self._rows.of(answer, number))
        values: tuple[Any, ...] = (number, *rows[0][1:3], answer.line) if self._goal else (number, answer.line)
        try:
            self._base.execute("BEGIN")
            self._base.execute(f"INSERT INTO answers VALUES ({', '.join('?' * len(values))})", values)
            self._base.executemany(self._insert, rows)
            self._base.execute("COMMIT")
        except sqlite3.Error as error:
            raise self._failed(error) from None
        self.answers += 1

    def end(self, run: Ending, code: int, shown: int) -> None:
        """Write how the run ended, and close the file."""
        try:
            told = (stream.STATUS[code], int(run.complete), shown, field(run.bound))
            self._base.execute("UPDATE run SET status = ?, complete = ?, answers = ?, bound = ?", told)
            self._base.execute("PRAGMA journal_mode=DELETE")
            self._base.close()
        except sqlite3.Error as error:
            raise self._failed(error) from None

    def _failed(self, error: sqlite3.Error) -> ModelErrors:
        """Undo an incomplete transaction; returns the error, which says how many answers are complete."""
        with suppress(sqlite3.Error):
            if self._base.in_transaction:
                self._base.execute("ROLLBACK")
        with suppress(sqlite3.Error):
            self._base.close()
        return cannot(self._file, "be written on", error, holds(self.answers))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
