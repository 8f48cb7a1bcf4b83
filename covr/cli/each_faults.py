"""Faulty records of a collection, each kind shown once, and solutions that a file gives."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence

import attrs

from covr.compiler import Compiled
from covr.compiler.evaluate.values import Map
from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.inputs.collection import Collection, InputRecord
from covr.output.streams import report
from covr.puzzles.puzzle_batches import Quick
from covr.questions.options import Options
from covr.questions.run import Run
from covr.text import quantity

# --- faulty ----------------------------------------------------------------------------------------------------------
# Each kind of fault is shown once, where it first occurs, and counted after that. Two faults are of the same kind if
# their messages differ only in numbers and names; a record that visibly has a known fault is not evaluated again.


MOST_SHOWN = 3  # kinds of faults that are shown with their place: with the lines about the others, about a screenful
MOST_NUMBERS = 12  # numbers of records that a line lists
# The parts of a message in which two faults of the same kind may differ.
VARYING = re.compile(r"`[^`]*`|\d[\d,]*|\bplaces?\b|\brows?\b")
# Faults of a grid's reader that depend only on how many words and characters each line has.
OF_SIZE = frozenset({"E301", "E302"})


@attrs.define
class _Kind:
    """A kind of fault. code: of its messages.  shown: whether one message was.  count: of records with it.  first:
    the numbers of the first of them."""

    code: str
    shown: bool
    count: int = 0
    first: list[int] = attrs.field(factory=list)

    def add(self, record: InputRecord) -> None:
        self.count += 1
        if len(self.first) < MOST_NUMBERS + 1:
            self.first.append(record.number)


Signs = tuple[object, ...]


class FaultyRecords:
    """The faults of the records so far. sized: whether every record must be a grid of a known size."""

    def __init__(self, sized: bool) -> None:
        self._sized = sized
        self._kinds: dict[tuple[str, str], _Kind] = {}
        self._seen: dict[Signs, list[_Kind]] = {}
        self._others = _Kind("", False)

    def again(self, record: InputRecord, entries: str = "") -> bool:
        """Whether a record visibly has the same faults as an earlier one; if so, it is counted. entries: characters
        known to be faulty."""
        kinds = self._seen.get(self._signs(record, entries))
        if kinds is None:
            return False
        self._count(record, kinds)
        return True

    def _signs(self, record: InputRecord, entries: str) -> Signs:
        """What decides which faults a record has: the entries that a grid may not have, or, if it is not a grid, how
        many words and characters are in each of its lines. Empty for a grid that may be correct."""
        if entries:
            return ("entries", entries)
        if not self._sized or (record.grid is not None and record.grid.places is not None):
            return ()
        lines = (line for line in record.text.split("\n") if line.strip())
        return tuple((len(words), sum(map(len, words))) for words in (line.split() for line in lines))

    def tell(self, record: InputRecord, errors: ModelErrors, entries: str = "") -> None:
        """Count the faults of a record, and show those of a kind that has not occurred before."""
        kinds: dict[tuple[str, str], _Kind] = {}
        shown = []
        for d in errors.diagnostics:
            key = (d.code, VARYING.sub("", d.message))
            if key not in self._kinds:
                is_shown = sum(kind.shown for kind in self._kinds.values()) < MOST_SHOWN
                self._kinds[key] = _Kind(d.code, is_shown)
                shown += [d] if is_shown else []
            kinds[key] = self._kinds[key]
        known = self._signs(record, entries)
        if known and (entries or {d.code for d in errors.diagnostics} <= OF_SIZE):
            self._seen[known] = list(kinds.values())
        self._count(record, list(kinds.values()))
        sys.stdout.flush()
        report(noted(shown, record))

    def _count(self, record: InputRecord, kinds: list[_Kind]) -> None:
        for kind in kinds:
            kind.add(record)
        if not all(kind.shown for kind in kinds):
            self._others.add(record)

    def lines(self) -> Iterator[str]:
        """The lines to print when all records have been read."""
        for kind in self._kinds.values():
            if kind.shown and kind.count > 1:
                more = kind.count - 1
                yield f"error[{kind.code}] also in {_records(more)}: {_numbers(kind.first[1:], more)}"
        if self._others.count:
            yield f"other errors in {_records(self._others.count)}: {_numbers(self._others.first, self._others.count)}"


def noted(diagnostics: list[Diagnostic], record: InputRecord) -> list[Diagnostic]:
    """The diagnostics, each with a note that names the record they are about."""
    where = f"in record {record.number}" + (f" ({record.name})" if record.name else "")
    return [attrs.evolve(d, notes=(*d.notes, f"{where}, line {record.line}")) for d in diagnostics]


def _records(count: int) -> str:
    return quantity(count, "record", spaced(count))


def _numbers(first: list[int], count: int) -> str:
    shown = ", ".join(map(str, first[:MOST_NUMBERS]))
    return shown + (", …" if count > MOST_NUMBERS else "")


def spaced(number: int) -> str:
    """A number in groups of three digits, which are easier to read: `49 157`."""
    return f"{number:,}".replace(",", " ") if number >= 10_000 else str(number)


# --- beside ----------------------------------------------------------------------------------------------------------
# A solution that a file gives is wrong if it changes a clue or breaks a rule. If it is an answer, but not the one that
# covr found, the puzzle has several.


# How a solution in the file compares with the answers: as JSON says it, and below as a sentence.
SAME, ANOTHER, WRONG, UNDECIDED = "same", "another", "wrong", "unknown"
SAID = {
    ANOTHER: "the file has another solution",
    WRONG: "the solution in the file is wrong",
    UNDECIDED: "whether the solution in the file is right is not known",
}


class Beside:
    """Compares solutions as records are answered. Remains empty if the file has no solutions."""

    def __init__(self, compiled: Compiled, collection: Collection, quick: Quick | None, options: Options) -> None:
        self._compiled, self._collection, self._quick, self._options = compiled, collection, quick, options
        self._found: dict[str, list[str]] = {kind: [] for kind in SAID}

    def check(self, record: InputRecord, answers: Sequence[Sequence[int]], lines: Sequence[str]) -> str | None:
        """How a record's solution compares with the answers found: SAME, ANOTHER, WRONG or UNDECIDED; None without a
        solution. lines: the answers as text."""
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
        return WRONG if run.complete else UNDECIDED

    def _data(self, record: InputRecord) -> dict[str, object]:
        return {self._collection.name: Map(self._collection.solution(record) or {})}

    def _gives(self, record: InputRecord, text: str) -> frozenset[int] | None:
        known = None if self._quick is None else self._quick.gives(text)
        if known is not None:
            return known
        try:
            return frozenset(self._compiled.with_data(self._data(record)).problem.given)
        except ModelErrors:
            return None

    def _keeps(self, record: InputRecord) -> bool:
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
                more = ", …" if len(said) > len(some) else ""
                yield f"{SAID[kind]} in {_records(len(said))}: {', '.join(some)}{more}"
