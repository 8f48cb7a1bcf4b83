"""The data of a puzzle as text that `--each` reads back: of one param as they are, of several as the records that
inputs/named_records.py describes. One param is written under its name, too, where its text alone would not be read as
it is: a row of black squares may be taken for a comment, the rows of a board of unknown size for one board each, and
signs that are no numbers for blanks or for numbers. Whether that is so is asked of the reader itself.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from attrs import evolve

from covr.compiler import FromText
from covr.compiler.clues import columned, reader_of
from covr.compiler.evaluate.bind import rebind
from covr.compiler.evaluate.cells import guarded
from covr.compiler.evaluate.lattice_pictures import picture_of
from covr.compiler.evaluate.values import Map, Record, Seq, Value, show_value
from covr.compiler.evaluate.values.showing import show_exactly
from covr.compiler.lattices.lattice import LatticeCell
from covr.dsl.diagnostics import ModelErrors
from covr.inputs.collection import open_collection

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.questions.made_puzzle import MadePuzzle

BLANK = "."


def recorded(puzzle: MadePuzzle, names: Iterable[str], named: bool = False) -> MadePuzzle:
    """The same puzzle with its record, which holds these params, and those that hold its clues. named: whether each
    stands under its name, however it would be read without it."""
    compiled = puzzle.with_clues or puzzle.compiled
    own = [*puzzle.data, *([] if puzzle.param is None else [puzzle.param])]
    data = {name: written(compiled, name) for name in dict.fromkeys([*names, *own])}
    if puzzle.param is not None:
        data[puzzle.param] = puzzle.record
    unread = puzzle.record if puzzle.clues and not own else ""  # clues that are no data of the model
    record = named_record(data)
    readable = not unread and bool(data) and _read_from_file(compiled, record, dict.fromkeys(data))
    bare = readable and not named and len(data) == 1 and _stands_alone(compiled, data)
    if bare:
        (record,) = data.values()
    record += f"\n{unread}" if unread else ""
    return evolve(
        puzzle,
        compiled=compiled,
        line=" / ".join(record.split("\n")),
        record=record,
        param=next(iter(data)) if bare else None,
        data=data if readable else {},
    )


def named_record(data: Mapping[str, str]) -> str:
    """Params as one record, each under its name."""
    return "\n".join(f"{name}:\n{text}" if "\n" in text else f"{name}: {text}".rstrip() for name, text in data.items())


def written(compiled: Compiled, name: str) -> str:
    """The value of a param as text, as its reader or `-D` reads it."""
    value = compiled.scope.value(name)
    if isinstance(value, Map) and value.shape is not None:
        return _rows(value, value.shape)
    if isinstance(value, Map) and value.lattice is not None and value.places is not None:
        texts: dict[tuple[int, ...], str] = {}
        for cell in value.places:
            at: Any = cell.at if isinstance(cell, LatticeCell) else cell  # cubes are plain tuples
            texts[at] = show_value(value.entries[cell]) if cell in value.entries else BLANK
        return picture_of(value.lattice, texts)
    reader = reader_of(compiled, name)
    if isinstance(value, Seq) and reader in ("table", "csv") and all(isinstance(x, Record) for x in value.items):
        rows = [row for row in value.items if isinstance(row, Record)]
        return _table(rows, reader == "csv", columned(compiled, name))
    if isinstance(value, Seq) and reader == "list":
        return " ".join(map(show_value, value.items))
    return show_exactly(value)


def _table(rows: Sequence[Record], as_csv: bool, known: bool) -> str:
    """A table as its reader takes it: words, or cells with commas between them, where the words are not enough. known:
    whether the reader knows the columns, which are else named in the first line."""
    names = rows[0].names if rows else ()
    head = [n + "…" * isinstance(value, Seq) for n, value in zip(names, rows[0].items, strict=True)] if rows else []
    lines = [[_field(value) for value in row.items] for row in rows]
    single = [field for row, line in zip(rows, lines, strict=True) for value, field in zip(row.items, line, strict=True)
              if not isinstance(value, Seq)]  # fmt: skip
    if as_csv or (not known and any(field.split() != [field] for field in single)):
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([names, *(map(guarded, line) for line in lines)])
        return text.getvalue().rstrip("\n")
    return "\n".join(" ".join(line) for line in ([] if known else [head]) + lines)


def _field(value: Value) -> str:
    return " ".join(map(show_value, value.items)) if isinstance(value, Seq) else show_value(value)


def _rows(grid: Map, shape: tuple[int, int]) -> str:
    """A grid as its reader takes it: a character for each place, or words of equal width."""
    high, wide = shape
    words = [
        [show_value(grid.entries[r, c]) if (r, c) in grid.entries else BLANK for c in range(1, wide + 1)]
        for r in range(1, high + 1)
    ]
    width = max((len(word) for row in words for word in row), default=1)
    if width == 1:
        return "\n".join("".join(row) for row in words)
    return "\n".join(" ".join(word.rjust(width) for word in row) for row in words)


def block(record: str, number: int, named: bool) -> str:
    """A record as a line, or as a block of lines; blank lines stand between blocks. number: which one it is, from 1.
    named: whether its params stand under their names, as in a block."""
    return ("\n" if number > 1 and (named or "\n" in record) else "") + record + "\n"


def _stands_alone(compiled: Compiled, data: Mapping[str, str]) -> bool:
    """Whether the text of the only param is read as it is, as `-D` gives it and in a file, alone and among others."""
    ((name, text),) = data.items()
    if "#" in text:  # in another puzzle of the same run it may begin a line, which is then a comment
        return False
    return (
        _reads(compiled, {name: FromText(text, name)})
        and _read_from_file(compiled, text, {name: None}, name)
        and _read_from_file(compiled, text, {name: None}, name, 2)
    )


def _read_from_file(compiled: Compiled, record: str, names: Iterable[str], name: str = "", copies: int = 1) -> bool:
    """Whether a file of so many copies of a record holds as many records of the data that these params have. name: as
    `open_collection` takes it."""
    lines = "".join(block(record, number, not name) for number in range(1, copies + 1)).split("\n")[:-1]
    with suppress(ModelErrors):
        collection = open_collection(compiled, name, "the puzzle", lines, None, eager=False)
        found = [collection.values(each) for each in collection.records]
        return len(found) == copies and all(given.keys() == set(names) and _reads(compiled, given) for given in found)
    return False


def _reads(compiled: Compiled, given: Mapping[str, object]) -> bool:
    """Whether data are read as the values that their params have."""
    with suppress(ModelErrors):
        again = rebind(compiled.scope, given)
        return all(_same(compiled.scope.value(name), again.value(name)) for name in given)
    return False


def _same(value: Value, found: Value) -> bool:
    if isinstance(value, Map) and isinstance(found, Map):
        return value == found and (value.shape, value.places) == (found.shape, found.places)
    return bool(value == found)
