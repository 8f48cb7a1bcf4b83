"""A file that holds one grid, for a param: `-D clue=@puzzle.sdk`."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from itertools import islice
from typing import Any

from covr.compiler.evaluate.faults import EvalFault
from covr.compiler.evaluate.values import Map, Set, Value
from covr.compiler.grids.games import without_xml
from covr.compiler.grids.places import FoundGrid
from covr.compiler.grids.shape import Shape, decide
from covr.compiler.grids.symbols import OTHER_BLANKS, Takes
from covr.dsl.source import Source, Span

# A comment, on a line of its own or after something; but not a word that is just `#`, which a grid may contain.
COMMENT = re.compile(r"\s*#+\s*|\s*#+\s+\w.*|\s*#[A-Za-z].*")


def read_one(source: Source, rows: int, columns: int, default: Callable[[], Value]) -> Map | None:
    """The only grid of a file; None if the reader `grid` must read the text instead, or say what is wrong with it.

    default: returns the param's default, which shows whether numbers are wanted; it may raise EvalFault.
    Raises EvalFault E307 for several grids.
    """
    wanted = ((n, line) for n, line in enumerate(source.text.split("\n"), 1) if not COMMENT.fullmatch(line))
    lines = list(without_xml(wanted))
    shape = decide(lines, rows, columns, taken_beside(default), whole=True)
    if shape is None:
        return None
    found = list(islice(shape.read(iter(lines)), 1000))
    good = [f for f in found if f.places is not None]
    if len(good) > 1:
        begin = starts_of(source)[good[1].line - 1]
        many = f"{len(good)} grids" if len(found) < 1000 else "many grids"
        raise EvalFault.at(
            Span(source, begin, begin + len(good[1].lines[0][1])),
            "E307",
            f"this holds {many}, and one is wanted",
            help="the second begins here; `covr solve MODEL --each NAME=FILE` solves all of them",
        )
    return map_of(good[0], shape, columns, source, 1) if good and len(found) == 1 else None


def taken_beside(default: Callable[[], Value]) -> Takes:
    """Which values a param takes, as far as its default shows: only numbers, if the default contains numbers; and sets
    of digits, unless some of its numbers have several."""

    @cache
    def values() -> list[Value]:
        try:
            grid = default()
        except EvalFault:  # a default may fail if the params that it depends on have other values
            return []
        return list(grid.entries.values()) if isinstance(grid, Map) else []

    def takes(place: tuple[int, int], value: Value) -> bool:
        if type(value) is int:
            return True
        if isinstance(value, Set):
            return all(type(v) is not int or v < 10 for v in values())
        return not all(type(v) is int for v in values()) if values() else str(value) not in OTHER_BLANKS

    return takes


def map_of(found: FoundGrid, shape: Shape, columns: int, source: Source, first: int) -> Map:
    """A grid that was found, as a value. source: a text whose first line is line `first` of the file."""
    assert found.places is not None
    placed = {(k // columns + 1, k % columns + 1): place for k, place in enumerate(found.places())}
    entries = {key: shape.symbols.value(text) for key, (text, _, _) in placed.items()}
    starts: list[int] = []

    def origin(key: Any) -> Span:
        text, line, column = placed[key]
        if not starts:
            starts.extend(starts_of(source))
        start = starts[line - first] + column
        return Span(source, start, start + max(len(text), 1))

    return Map(
        {key: value for key, value in entries.items() if value is not None}, origin, (len(placed) // columns, columns)
    )


def starts_of(source: Source) -> list[int]:
    """The offset at which each line of a text begins."""
    starts = [0]
    for line in source.text.split("\n")[:-1]:
        starts.append(starts[-1] + len(line) + 1)
    return starts
