"""Sudokus of f-puzzles: what is read is what is written, and the model's answers are those of the constraints."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from covr.compiler import compile_model
from covr.engine import search
from covr.inputs import library
from covr.links.fpuzzles import SITE, board_of_json, decompress, json_of_board, read_fpuzzles, write_fpuzzles
from covr.links.fpuzzles_parts import DIRECTIONS, SUDOKU, board_of, diagonal
from tests.links.sudoku_checker import Checker, Filled, Json, latin_squares
from tests.shared import examples

SIDE = 4
Strategy = st.SearchStrategy[Any]
squares = st.tuples(st.integers(1, SIDE), st.integers(1, SIDE))
LINES = (
    "thermometer",
    "slowthermometer",
    "renban",
    "nabner",
    "palindrome",
    "modularline",
    "entropicline",
    "betweenline",
)
MARKS = ["even", "odd", "minimum", "maximum"]
AROUND = [(0, 0), (0, 1), (1, 0), (1, 1)]
SUMS = ("doublearrow", "zipperline", "regionsumline")


def _name(place: tuple[int, int]) -> str:
    return f"R{place[0]}C{place[1]}"


@st.composite
def paths(draw: st.DrawFn, least: int, most: int) -> list[str]:
    """A path over squares that touch, at sides or corners, none of them twice."""
    path = [draw(squares)]
    for _ in range(draw(st.integers(least, most)) - 1):
        r, c = path[-1]
        beside = [(i, j) for i in range(r - 1, r + 2) for j in range(c - 1, c + 2) if 1 <= i <= SIDE and 1 <= j <= SIDE]
        path.append(draw(st.sampled_from([x for x in beside if x not in path] or path[-1:])))
    return [_name(x) for x in dict.fromkeys(path)]


def _line(name: str) -> Strategy:
    least = 3 if name in ("doublearrow", "zipperline") else 2
    return paths(least, 4).filter(lambda path: len(path) >= least).map(lambda path: (name, {"lines": [path]}))


@st.composite
def dots(draw: st.DrawFn) -> tuple[str, Json]:
    """A dot between two squares that touch."""
    (r, c), down = draw(squares), draw(st.booleans())
    x, y = (
        ((min(r, SIDE - 1), c), (min(r, SIDE - 1) + 1, c))
        if down
        else ((r, min(c, SIDE - 1)), (r, min(c, SIDE - 1) + 1))
    )
    name = draw(st.sampled_from(["difference", "ratio", "xv"]))
    value = draw(st.sampled_from({"difference": [None, "2", "3"], "ratio": [None, "3", "4"], "xv": ["V", "X"]}[name]))
    entry: Json = {"cells": [_name(x), _name(y)]}
    return name, entry if value is None else {**entry, "value": value}


@st.composite
def outsiders(draw: st.DrawFn) -> tuple[str, Json]:
    """A sum beside the board."""
    name, at, value = (
        draw(st.sampled_from(["sandwichsum", "xsum", "littlekillersum"])),
        draw(st.integers(1, SIDE)),
        draw(st.integers(0, 11)),
    )
    place = draw(st.sampled_from([(0, at), (SIDE + 1, at), (at, 0), (at, SIDE + 1)]))
    if name != "littlekillersum":
        return name, {"cell": _name(place), "value": str(value)}
    ways = [way for way in DIRECTIONS if diagonal(place, way, SIDE)]
    way = draw(st.sampled_from(ways))
    squares = [_name(x) for x in diagonal(place, way, SIDE)]
    return name, {"cell": _name(place), "cells": squares, "direction": way, "value": str(value)}


constraints: Strategy = st.one_of(
    *(_line(name) for name in (*LINES, *SUMS)),
    st.builds(lambda path, k: ("whispers", {"lines": [path], "value": str(k)}), paths(2, 3), st.integers(1, 3)),
    st.builds(lambda path: ("arrow", {"cells": path[:1], "lines": [path]}), paths(2, 3).filter(lambda p: len(p) > 1)),
    st.builds(
        lambda r, c, p: ("arrow", {"cells": [_name((r, c)), _name((r, c + 1))], "lines": [[_name((r, c + 1)), *p]]}),
        st.integers(1, SIDE), st.integers(1, SIDE - 1), paths(3, 5),
    ),
    st.builds(lambda x, y: ("clone", {"cells": [_name(x)], "cloneCells": [_name(y)]}), squares, squares).filter(
        lambda found: found[1]["cells"] != found[1]["cloneCells"]
    ),
    st.builds(lambda path, k: ("killercage", {"cells": path, "value": str(k)}), paths(1, 4), st.integers(2, 9)),
    st.builds(lambda path: ("killercage", {"cells": path}), paths(2, 4)),
    st.builds(lambda path: ("extraregion", {"cells": path}), paths(2, 4)),
    dots(),
    st.builds(lambda kind, x: (kind, {"cell": _name(x)}), st.sampled_from(MARKS), squares),
    st.builds(lambda kind, x: (kind, {"cells": [_name(x)]}), st.sampled_from(["rowindexer", "columnindexer"]), squares),
    st.builds(
        lambda r, c, digits: ("quadruple", {"cells": [_name((r + i, c + j)) for i, j in AROUND], "values": digits}),
        st.integers(1, SIDE - 1), st.integers(1, SIDE - 1), st.lists(st.integers(1, SIDE), min_size=1, max_size=3),
    ),
    outsiders(),
)  # fmt: skip

FLAGS = ("diagonal+", "diagonal-", "antiknight", "antiking", "disjointgroups", "nonconsecutive")
# Regions by square, beside the usual boxes: crooked ones, rows, and one alone.
REGIONS = (None, None, "0001021122312333", "0000111122223333", "0000............")


@st.composite
def puzzles(draw: st.DrawFn) -> Json:
    """A puzzle of side 4 in the form in which it is written."""
    regions = draw(st.sampled_from(REGIONS))
    whole = regions is None or "." not in regions
    rows: list[list[Json]] = [[{} for _ in range(SIDE)] for _ in range(SIDE)]
    for (r, c), digit in draw(st.dictionaries(squares, st.integers(1, SIDE), max_size=2)).items():
        rows[r - 1][c - 1] = (
            {"value": digit, "given": True} if draw(st.booleans()) else {"givenPencilMarks": [digit, digit % SIDE + 1]}
        )
    for r in range(SIDE if regions else 0):
        for c in range(SIDE):
            region = None if regions[SIDE * r + c] == "." else int(regions[SIDE * r + c])
            if region != r // 2 * 2 + c // 2:
                rows[r][c]["region"] = region
    puzzle: Json = {"size": SIDE, "grid": rows}
    for name, entry in draw(st.lists(constraints, max_size=4)):
        if name == "regionsumline" and not whole:
            continue
        puzzle.setdefault(name, []).append(entry)
    for flag in draw(st.sets(st.sampled_from(FLAGS), max_size=1)):
        if flag != "disjointgroups" or whole:
            puzzle[flag] = True
    if negative := draw(st.sampled_from([[], [], [], ["ratio"], ["xv"], ["ratio", "xv"]])):
        puzzle["negative"] = negative
    indexers = {
        name: [{"cells": [s for e in puzzle[name] for s in e["cells"]]}]
        for name in ("rowindexer", "columnindexer")
        if name in puzzle
    }
    return {**puzzle, **indexers}


@cache
def _filled() -> list[Filled]:
    return list(latin_squares(SIDE))


@given(puzzles())
@settings(max_examples=examples(30), deadline=None)
def test_the_answers_are_those_of_the_constraints(puzzle: Json) -> None:
    compiled = compile_model(library.open_model("sudoku_variants"), SUDOKU.params(board_of_json(puzzle)))
    found = []
    for answer in search(compiled.problem):
        choices = [compiled.choice(option) for option in answer]
        digits = {
            (int(str(x.args[0])), int(str(x.args[1]))): int(str(x.args[2])) for x in choices if x.family == "place"
        }
        found.append(tuple(tuple(digits[r, c] for c in range(1, SIDE + 1)) for r in range(1, SIDE + 1)))
    assert sorted(found) == sorted(filled for filled in _filled() if Checker(puzzle, filled).right())


def _normal(puzzle: Json) -> Json:
    """A puzzle but for the square of a circle from which its arrow is drawn."""
    arrows = [(arrow["cells"], [line[1:] for line in arrow["lines"]]) for arrow in puzzle.get("arrow", [])]
    return {**puzzle, "arrow": arrows}


@given(puzzles())
@settings(deadline=None, max_examples=examples(50))
def test_what_is_read_is_what_was_written(puzzle: Json) -> None:
    board = board_of_json(puzzle)
    link = write_fpuzzles(board)
    assert read_fpuzzles(link) == board
    written = json.loads(decompress(link.removeprefix(SITE)))
    assert written == json_of_board(board) == json_of_board(board_of(SUDOKU.params(board)))
    assert _normal(written) == _normal(puzzle)
