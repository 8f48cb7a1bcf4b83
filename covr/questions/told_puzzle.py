"""A puzzle whose clues are data that rules read, as a `MadePuzzle`: the model with these data, and the data as text."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from covr.compiler import Choice, FromText
from covr.compiler.evaluate.values import Map, Record, Seq, Value, show_value
from covr.compiler.evaluate.values.showing import show_exactly
from covr.dsl.diagnostics import ModelErrors
from covr.dsl.syntax import Call, Param, ReaderBlock
from covr.engine.base.limits import Limits
from covr.engine.dispatch import search
from covr.engine.puzzles.puzzle_attempts import Attempt
from covr.questions.answer import Answer
from covr.questions.made_puzzle import MadePuzzle

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.questions.clue_maker import ClueMaker

BLANK = "."


def told_puzzle(maker: ClueMaker, attempt: Attempt) -> MadePuzzle:
    """The puzzle of an attempt, with the only answer of the model that has its clues as data."""
    puzzle = maker.with_clues(attempt.answer, attempt.clues)
    told = maker.reader.told(attempt.answer)
    (answer,) = search(puzzle.problem, limits=Limits(answers=2))
    clues = []
    for at in attempt.clues:
        spot = maker.spots[at]
        where = spot.key if isinstance(spot.key, tuple) else (spot.key,)
        clues.append(Choice(spot.param, (*where, told[at]), at))
    names = list(dict.fromkeys(spot.param for spot in maker.spots))
    data = {name: written(puzzle, name) for name in names}
    readable = all(_reads_back(puzzle, name, text) for name, text in data.items())
    record = data[names[0]] if len(names) == 1 else "\n\n".join(f"{name}:\n{text}" for name, text in data.items())
    return MadePuzzle(
        compiled=puzzle,
        clues=tuple(clues),
        answer=Answer(puzzle, answer),
        line=record if "\n" not in record else " / ".join(record.split("\n")),
        record=record,
        minimal=attempt.minimal,
        param=names[0] if readable and len(names) == 1 else None,
        grade=attempt.grade,
        data=data if readable else {},
    )


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


def _reads_back(compiled: Compiled, name: str, text: str) -> bool:
    with suppress(ModelErrors):
        again = compiled.with_data({name: FromText(text, name, plain=True)})
        value, found = compiled.scope.value(name), again.scope.value(name)
        return value == found and (not isinstance(value, Map) or value.shape == found.shape)  # type: ignore[union-attr]
    return False
