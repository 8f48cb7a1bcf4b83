"""Writes the puzzles of `covr make` as lines of text or of csv, each as soon as it is made.

The file is created, or emptied, when there is a puzzle to put into it. Until then nothing is changed: where no puzzle
can be made, or a limit comes first, a file of that name is left as it was.
"""

from __future__ import annotations

import csv
import errno
import io
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from covr.inputs.records import MADE
from covr.output.file_faults import cannot

if TYPE_CHECKING:
    from covr.output.lines import LineFile
    from covr.questions.made_puzzle import MadePuzzle

ENDINGS = (".txt", ".csv")


def is_puzzle_table(file: str) -> bool:
    """Whether a file of that name holds puzzles as lines, rather than pictures of them."""
    return Path(file).suffix.lower() in ENDINGS


class PuzzleTable:
    """A file of puzzles as lines."""

    def __init__(self, file: str, graded: bool) -> None:
        """graded: whether puzzles have grades. Raises ModelErrors E605 if it is plain that no such file can be made."""
        self._file, self._graded = file, graded
        self._csv = Path(file).suffix.lower() == ".csv"
        self._lines: LineFile | None = None
        try:
            _try(file)
        except (OSError, ValueError) as error:
            raise cannot(file, "be made", error) from None

    def add(self, puzzle: MadePuzzle, number: int) -> None:
        """Write a puzzle. number: which one it is, from 1. Raises ModelErrors E605 if that fails."""
        from covr.questions.puzzle_records import block

        lines = self._lines or self._open()
        lines.add(_table_row(puzzle) if self._csv else block(puzzle.record, number, puzzle.named), 1)

    def close(self) -> bool:
        """Close the file; whether there is one."""
        if self._lines is not None:
            self._lines.close()
        return self._lines is not None

    def _open(self) -> LineFile:
        from covr.output.lines import LineFile

        lines = LineFile(self._file)
        try:
            lines.open()
        except (OSError, ValueError) as error:
            raise cannot(self._file, "be made", error) from None
        self._lines = lines
        if self._csv:
            lines.add(_row(*MADE, *(["grade"] if self._graded else [])))
        return lines


def _try(file: str) -> None:
    """Raises OSError or ValueError if a file can't be written, without changing anything. What is no ordinary file, a
    pipe for instance, is not opened, because its reader would take that for the end."""
    try:
        there = os.stat(file)
    except FileNotFoundError:
        folder = os.path.dirname(file) or "."
        os.stat(folder)
        if not os.access(folder, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), file) from None
        return
    if stat.S_ISREG(there.st_mode) or stat.S_ISDIR(there.st_mode):
        os.close(os.open(file, os.O_WRONLY))


def _table_row(puzzle: MadePuzzle) -> str:
    """A puzzle with its solution. What is read back stands there as it is, line after line within quotes."""
    grade = [] if puzzle.grade is None else [f"{puzzle.grade:.2f}"]
    return _row(puzzle.record if puzzle.readable else puzzle.line, puzzle.answer.line, len(puzzle), *grade)


def _row(*fields: object) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(fields)
    return text.getvalue()
