"""Answers written to a file at once: lines, SQLite, Parquet."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covr import __version__
from covr.dsl.diagnostics import ModelErrors
from covr.faults import usage_error, whole_file
from covr.output import writers
from covr.output.streams import remark
from covr.output.writers import JsonWriter, LineFile, Numbered, Rows, TableWriter, cannot, field, holds
from covr.text import quantity

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.questions.answer import Answer
    from covr.questions.run import Best
    from covr.questions.verify import Ending

# --- parquet ---------------------------------------------------------------------------------------------------------
# A Parquet file can be read only when it is complete. So rows go to the journal `FILE.part`, each as a JSON list on a
# line, after a line with the columns. When the search ends, they are written to FILE and the journal is removed. After
# a kill, the journal holds every answer that was reported; covr does not overwrite it.


GROUP = 50_000  # rows in a row group of the Parquet file


class ParquetWriter(Numbered):
    """Writes a Parquet file with the rows of writers.py: whole numbers as int64, everything else as text."""

    def __init__(self, compiled: Compiled, file: str) -> None:
        super().__init__(compiled)
        self._file, self._journal = file, f"{file}.part"
        self._rows = Rows(compiled)
        self._lines = LineFile(self._journal)

    def begin(self) -> None:
        try:
            import pyarrow  # type: ignore[import-untyped, import-not-found, unused-ignore]
        except ImportError:
            what = f"`{self._file}` needs pyarrow, which is not installed"
            raise usage_error("E605", what, help="pip install 'covr[parquet]'") from None
        if os.path.exists(self._journal):
            what = f"`{self._journal}` is there already: the answers of a run that was killed"
            raise usage_error("E605", what, help="move it away, or remove it")
        rows = self._rows
        whole = dict(zip(rows.indices, rows.whole_numbers(), strict=True))
        whole |= {"answer": True, "cost": True, "choice": False}
        kinds = {True: pyarrow.int64(), False: pyarrow.string()}
        fields = [(n, pyarrow.bool_() if n == "proved" else kinds[whole[n]]) for n in rows.columns]
        self._schema: Any = pyarrow.schema(fields)
        self._lines.open()
        self._lines.add(json.dumps(rows.columns) + "\n")

    def put(self, answer: Answer, number: int) -> None:
        rows = self._rows.of(answer, number)
        self._lines.add("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), 1)

    def end(self, run: Ending, code: int, shown: int) -> None:
        import pyarrow
        from pyarrow import parquet

        self._lines.close()
        try:
            with whole_file(self._file) as file, parquet.ParquetWriter(file, self._schema) as writer:
                for rows in self._groups():
                    columns = zip(*rows, strict=True)
                    arrays = [_array(pyarrow, c, f.type) for c, f in zip(columns, self._schema, strict=True)]
                    writer.write_table(pyarrow.Table.from_arrays(arrays, schema=self._schema))
            os.unlink(self._journal)
        except (OSError, pyarrow.ArrowException) as error:
            help = f"`{self._journal}` holds all {self._lines.answers} answers"
            raise cannot(self._file, "be written", error, help) from None

    def _groups(self) -> Iterator[list[list[Any]]]:
        with Path(self._journal).open(encoding="utf-8") as file:
            next(file)
            while group := [json.loads(line) for line in islice(file, GROUP)]:
                yield group


def _array(pyarrow: Any, column: tuple[Any, ...], kind: Any) -> Any:
    if kind == pyarrow.string():
        return pyarrow.array([None if v is None else str(v) for v in column], kind)
    if kind == pyarrow.bool_():
        return pyarrow.array([bool(v) for v in column], kind)
    return pyarrow.array(column, kind)


# --- database --------------------------------------------------------------------------------------------------------
# Each answer is a transaction of its own.
#
#     run       one row: covr, model, title, goal, and at the end also status, complete, answers, bound
#     answers   answer, text (the answer on one line), and for a model with a goal also cost and proved
#     choices   the rows of writers.py
#
# These tables are made anew; others in the file are left alone. New data are in a log beside the file (`-wal`), which
# is merged into it at the end; after a kill, the next reader does that.


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
        compiled = self.compiled
        try:
            self._base = sqlite3.connect(self._file, isolation_level=None, timeout=5)
            self._base.execute("PRAGMA journal_mode=WAL")
            self._base.execute("PRAGMA synchronous=NORMAL")
            self._tables()
            row = (__version__, compiled.model.source.name, compiled.title, compiled.goal)
            self._base.execute("INSERT INTO run (covr, model, title, goal) VALUES (?, ?, ?, ?)", row)
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
        try:
            row = (writers.STATUS[code], int(run.complete), shown, field(run.bound))
            self._base.execute("UPDATE run SET status = ?, complete = ?, answers = ?, bound = ?", row)
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


# --- answer files ----------------------------------------------------------------------------------------------------
# An answer is handed to the operating system before it is reported, so that a kill loses none. A power cut may lose the
# last second (with SQLite, what was written since the last checkpoint). A full disk is one error.


ENDINGS = (".csv", ".tsv", ".jsonl", ".ndjson", ".db", ".sqlite", ".sqlite3", ".parquet")


class AnswerFile:
    """Writes answers into a file, in the format that its name implies; at the end it says how many there are."""

    def __init__(self, file: str, compiled: Compiled, unique: bool = False) -> None:
        """unique: whether the question is if there is exactly one answer."""
        self._file = file
        self._inner = _writer_of(file, compiled, unique)

    def begin(self) -> None:
        try:
            self._inner.begin()
        except (OSError, ValueError) as error:
            raise cannot(self._file, "be made", error) from None

    def improved(self, best: Best) -> None:
        self._inner.improved(best)

    def answer(self, answer: Answer) -> None:
        self._inner.answer(answer)

    def end(self, run: Ending, code: int, shown: int) -> None:
        """Close the file, and say how many answers it holds, those among them that were only the best so far."""
        held = self._inner.number
        self._inner.end(run, code, held)
        remark(f"wrote {self._file} ({quantity(held, 'answer')})")


def _writer_of(file: str, compiled: Compiled, unique: bool) -> Numbered:
    ending = Path(file).suffix.lower()
    if ending in (".csv", ".tsv"):
        return TableWriter(compiled, LineFile(file), "\t" if ending == ".tsv" else ",")
    if ending in (".jsonl", ".ndjson"):
        return JsonWriter(compiled, LineFile(file), unique)
    if ending == ".parquet":
        return ParquetWriter(compiled, file)

    return DatabaseWriter(compiled, file)
