"""Writes each answer to a file at once, so that no reported answer is lost, whatever kills the process.

Reading order: answer_rows.py (an answer as rows of a table), lines.py (csv, tsv, JSON lines), database.py (SQLite),
parquet.py (Parquet).

An answer is handed to the operating system before it is reported as found. So a kill -9, a crash or a closed terminal
loses nothing that was reported. A power cut may lose the last second (with SQLite, what was written since the last
checkpoint; the file itself stays intact). A full disk is one error, which says how many answers the file holds.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from covr.output.file_faults import cannot

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.output.writers import Numbered
    from covr.questions.answer import Answer
    from covr.questions.ending import Ending
    from covr.questions.found import Best

ENDINGS = (".csv", ".tsv", ".jsonl", ".ndjson", ".db", ".sqlite", ".sqlite3", ".parquet")


def is_table(file: str) -> bool:
    """Whether a file of that name holds answers in a table, rather than a picture of them."""
    return Path(file).suffix.lower() in ENDINGS


class AnswerFile:
    """Writes answers into a file, in the format that its name implies; at the end it says how many there are."""

    def __init__(self, file: str, compiled: Compiled, unique: bool = False) -> None:
        """unique: whether the question is if there is exactly one answer."""
        self._file = file
        self._inner = _writer_of(file, compiled, unique)

    def begin(self) -> None:
        """Create or empty the file."""
        try:
            self._inner.begin()
        except (OSError, ValueError) as error:
            raise cannot(self._file, "be made", error) from None

    def improved(self, best: Best) -> None:
        self._inner.improved(best)

    def answer(self, answer: Answer) -> None:
        self._inner.answer(answer)

    def end(self, run: Ending, code: int, shown: int) -> None:
        """Close the file, and say how many answers it holds. That may be more than `shown`, because the file also holds
        answers that were only the best so far."""
        from covr.output.report import remark

        held = self._inner.number
        self._inner.end(run, code, held)
        remark(f"wrote {self._file} ({held} answer{'' if held == 1 else 's'})")


def _writer_of(file: str, compiled: Compiled, unique: bool) -> Numbered:
    ending = Path(file).suffix.lower()
    if ending in (".csv", ".tsv"):
        from covr.output.lines import LineFile, TableWriter

        return TableWriter(compiled, LineFile(file), "\t" if ending == ".tsv" else ",")
    if ending in (".jsonl", ".ndjson"):
        from covr.output.lines import JsonWriter, LineFile

        return JsonWriter(compiled, LineFile(file), unique)
    if ending == ".parquet":
        from covr.output.parquet import ParquetWriter

        return ParquetWriter(compiled, file)
    from covr.output.database import DatabaseWriter

    return DatabaseWriter(compiled, file)
