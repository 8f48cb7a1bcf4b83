"""The data of a puzzle as text that `--each` reads back: of one param as they are, of several as the records that
inputs/named_records.py describes. One param is written under its name, too, if one of its lines would be taken for a
comment, such as a row of black squares.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from attrs import evolve

from covr.compiler import FromText
from covr.compiler.evaluate.values import Map, Record, Seq, Value, show_value
from covr.compiler.evaluate.values.showing import show_exactly
from covr.dsl.diagnostics import ModelErrors
from covr.dsl.syntax import Call, Param, ReaderBlock
from covr.inputs.records import COMMENT

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.questions.made_puzzle import MadePuzzle

BLANK = "."


def recorded(puzzle: MadePuzzle, names: Iterable[str]) -> MadePuzzle:
    """The same puzzle with its record, which holds these params, and those that hold its clues."""
    compiled = puzzle.with_clues or puzzle.compiled
    own = [*puzzle.data, *([] if puzzle.param is None else [puzzle.param])]
    data = {name: written(compiled, name) for name in dict.fromkeys([*names, *own])}
    if puzzle.param is not None:
        data[puzzle.param] = puzzle.record
    unread = puzzle.record if puzzle.clues and not own else ""  # clues that are no data of the model
    readable = not unread and all(reads_back(compiled, name, text) for name, text in data.items())
    record = named_record(data)
    bare = [text for text in data.values() if len(data) == 1 and not any(map(COMMENT.fullmatch, text.split("\n")))]
    if bare:
        record = bare[0]
    record += f"\n{unread}" if unread else ""
    return evolve(
        puzzle,
        compiled=compiled,
        line=" / ".join(record.split("\n")),
        record=record,
        param=next(iter(data)) if readable and bare else None,
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
    if (
        isinstance(value, Seq)
        and _reader(compiled, name) == "table"
        and all(isinstance(x, Record) for x in value.items)
    ):
        return "\n".join(" ".join(map(_field, row.items)) for row in value.items if isinstance(row, Record))
    if isinstance(value, Seq) and _reader(compiled, name) == "list":
        return " ".join(map(show_value, value.items))
    return show_exactly(value)


def _field(value: Value) -> str:
    return " ".join(map(show_value, value.items)) if isinstance(value, Seq) else show_value(value)


def _reader(compiled: Compiled, name: str) -> str:
    param = next(d for d in compiled.model.definitions if isinstance(d, Param) and d.name.id == name)
    if isinstance(param.value, ReaderBlock):
        return param.value.name.id
    return param.value.function.id if isinstance(param.value, Call) else ""


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


def reads_back(compiled: Compiled, name: str, text: str) -> bool:
    """Whether a text is read as the value that the param has."""
    with suppress(ModelErrors):
        again = compiled.with_data({name: FromText(text, name, plain=True)})
        value, found = compiled.scope.value(name), again.scope.value(name)
        return value == found and (not isinstance(value, Map) or value.shape == found.shape)  # type: ignore[union-attr]
    return False
