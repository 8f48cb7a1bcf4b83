"""Answers come in one by one and are in a file at once: what is reported is never lost, whatever kills the process.

Reading order: rows.py (an answer as rows of a table), lines.py (csv, tsv, JSON lines), database.py (SQLite),
parquet.py (Parquet).

A sink writes an answer before anybody says that it was found. What survives is what the kernel was handed: a kill -9, a
crash or a closed terminal lose nothing that was reported; at a power cut the last second may be lost (SQLite: the last
checkpoint; the file stays whole). A full disk is one error that says how many answers the file holds.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from covr.dsl.diagnostics import ModelErrors
from covr.faults import usage_error

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.questions.answer import Answer
    from covr.questions.run import Run

ENDINGS = (".csv", ".tsv", ".jsonl", ".ndjson", ".db", ".sqlite", ".sqlite3", ".parquet")


class Sink(Protocol):
    """A file of answers. `write` and `close` raise ModelErrors E605 where the file can't be written on."""

    def write(self, answer: Answer, number: int) -> None:
        """Add an answer; when this returns it is in the file."""

    def close(self, run: Run, code: int, answers: int) -> None:
        """The search is over."""


def is_table(file: str) -> bool:
    """Whether a file of that name is for answers rather than for a picture of them."""
    return Path(file).suffix.lower() in ENDINGS


def open_sink(file: str, compiled: Compiled, unique: bool = False) -> Sink:
    """Make or empty the file. unique: whether it is asked if there is only one answer.

    Raises ModelErrors E605 where that can't be done.
    """
    ending = Path(file).suffix.lower()
    try:
        if ending in (".csv", ".tsv"):
            from covr.output.lines import TableSink

            return TableSink(file, compiled, "\t" if ending == ".tsv" else ",")
        if ending in (".jsonl", ".ndjson"):
            from covr.output.lines import JsonSink

            return JsonSink(file, compiled, unique)
        if ending == ".parquet":
            from covr.output.parquet import ParquetSink

            return ParquetSink(file, compiled)
        from covr.output.database import DatabaseSink

        return DatabaseSink(file, compiled)
    except (OSError, ValueError) as error:
        raise cannot(file, "be made", error) from None


def cannot(file: str, what: str, error: Exception, help: str = "") -> ModelErrors:
    """The one error for a file that can't be made or written on."""
    reason = getattr(error, "strerror", None) or str(error)
    return usage_error("E605", f"`{file}` can't {what}: {reason[:1].lower() + reason[1:]}", help=help)


def holds(answers: int) -> str:
    """What a file holds that can't be written on."""
    return f"it holds {answers} answer{'' if answers == 1 else 's'}"
