"""Compares the solutions that a file gives beside its puzzles with what covr finds.

A solution is wrong if it is not an answer, because it changes a clue or breaks a rule. If it is an answer, but not the
one that covr found, the puzzle has several.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from covr.cli.each.faulty import MOST_NUMBERS, spaced
from covr.compiler import Compiled
from covr.compiler.evaluate.values import Map
from covr.dsl.diagnostics import ModelErrors
from covr.inputs.collection import Collection
from covr.inputs.records import InputRecord
from covr.questions.options import Options
from covr.questions.puzzle_batches import Quick
from covr.questions.run import Run

# How a solution in the file compares with the answers: as JSON says it, and below as a sentence.
SAME, ANOTHER, WRONG, OPEN = "same", "another", "wrong", "unknown"
SAID = {
    ANOTHER: "the file has another solution",
    WRONG: "the solution in the file is wrong",
    OPEN: "whether the solution in the file is right is not known",
}


class Beside:
    """Compares solutions as records are answered. Remains empty if the file has no solutions."""

    def __init__(self, compiled: Compiled, collection: Collection, quick: Quick | None, options: Options) -> None:
        self._compiled, self._collection, self._quick, self._options = compiled, collection, quick, options
        self._found: dict[str, list[str]] = {kind: [] for kind in SAID}

    def check(self, record: InputRecord, answers: Sequence[Sequence[int]], lines: Sequence[str]) -> str | None:
        """How a record's solution compares with the answers that were found: SAME, ANOTHER, WRONG or OPEN; None if the
        record has no solution. lines: the answers as lines of text."""
        text = None if record.grid is None else record.grid.solution
        if text is None:
            return None
        kind = SAME if text in lines else self._kind(record, text, answers)
        if kind != SAME:
            self._found[kind].append(self._said(record, text, lines if kind == WRONG else ()))
        return kind

    def _kind(self, record: InputRecord, text: str, answers: Sequence[Sequence[int]]) -> str:
        gives = self._gives(record, text)
        if gives is None or not self._keeps(record):
            return WRONG
        if any(gives <= set(answer) for answer in answers):
            return SAME
        run = Run(self._compiled.with_data(self._data(record)), self._options)
        if run.first() is not None:
            return ANOTHER
        return WRONG if run.complete else OPEN

    def _data(self, record: InputRecord) -> dict[str, object]:
        return {self._collection.name: Map(self._collection.solution(record) or {})}

    def _gives(self, record: InputRecord, text: str) -> frozenset[int] | None:
        """The options that a solution takes; None if the solution is faulty."""
        known = None if self._quick is None else self._quick.gives(text)
        if known is not None:
            return known
        try:
            return frozenset(self._compiled.with_data(self._data(record)).problem.given)
        except ModelErrors:
            return None

    def _keeps(self, record: InputRecord) -> bool:
        """Whether a solution keeps every clue of its puzzle."""
        grid, solution = record.grid, self._collection.solution(record)
        assert grid is not None and grid.flat is not None and solution is not None
        symbols, columns = self._collection.shape, self._collection.columns
        assert symbols is not None
        for k, char in enumerate(grid.flat):
            value = symbols.symbols.value(char)
            if value not in (None, 0, solution.get((k // columns + 1, k % columns + 1))):
                return False
        return True

    def _said(self, record: InputRecord, text: str, lines: Sequence[str]) -> str:
        """The record's number, and the first place where its solution differs from an answer, if one was found."""
        said = str(record.number)
        if len(lines) == 1 and len(lines[0]) == len(text):
            k = next(k for k, (a, b) in enumerate(zip(text, lines[0], strict=True)) if a != b)
            columns = self._collection.columns
            said += f" (row {k // columns + 1}, column {k % columns + 1}: {text[k]} for {lines[0][k]})"
        return said

    @property
    def wrong(self) -> int:
        """How many solutions are wrong."""
        return len(self._found[WRONG])

    def lines(self) -> Iterator[str]:
        """The lines to print when all records have been read."""
        for kind, said in self._found.items():
            if said:
                some = said[: MOST_NUMBERS // 2]
                many = f"{spaced(len(said))} record{'' if len(said) == 1 else 's'}"
                yield f"{SAID[kind]} in {many}: {', '.join(some)}{', …' if len(said) > len(some) else ''}"
