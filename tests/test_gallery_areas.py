"""Models of the gallery that rules about areas have made short have the answers of their former texts."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from covr.compiler.compiled import compile_model
from covr.engine import Settings, search
from tests.models import model_of

FILLOMINO = """
let board = frame(clue)
param most = 0 where most >= 0   # no region has more squares; 0 if nothing is said about it
let told = {x for x in clue where clue[x] != "?"}
let around(s) = neighbours(s) & (board - told)
let blank(s) = if around(s) = {} then s else blank(s | around(s))   # the squares that hang together without a number
let room = {x: size(blank({x})) for x in board - told}
let sizes = {x: {d for d in if x in told then {clue[x]} else (1..room[x]) | {clue[y] for y in told}
    where most = 0 or d <= most} for x in board}
let pairs = {(x, y) for x in board, y in neighbours(x) & board}
let sides = {x: {{x, y} for y in neighbours(x) & board} for x in board}

cells x in board
choose own(x, k, d) for k in board, d in sizes[k]
  where k <= x and d in sizes[x] and abs(x[1] - k[1]) + abs(x[2] - k[2]) < d
choose is(x, d) for d in sizes[x]
choose wall(e) for e in edges(board)   # the lines between regions

exactly one own per x
exactly 0 total (if x = k then 1 - d else 1) of own per k, d where k in board and d in sizes[k]   "{k}: {d} squares"
connected own at x per k, d                     "the region of {k} hangs together"
agree own on (e, d) = k for e in sides[x]       "regions of the same size do not touch"
exactly 0 total 1 of own or -1 of is per x, d   "{x} is in a region of {d} squares, or not"
# A line is where sizes differ.
at least 0 total 1 of wall or (if x = a then -1 else 1) of is per (a, b) in pairs, d in sizes[a]
  where e = {a, b} and x in {a, b}
at most 2 total 1 of is or 1 of wall per b in edges(board), q in 1..size(board) where e = b and x in b and d = q
"""

KUROTTO = """
let board = frame(clue)
let far(x, k) = abs(x[1] - k[1]) + abs(x[2] - k[2])
let known = {k for k in cells(clue) where clue[k] != "?"}

cells x in board
choose shade(x) where x not in clue
choose reach(x, k) for k in known where x = k or x not in clue and far(x, k) <= clue[k]

given reach(k, k) for k in known
exactly clue[k] + 1 reach per k in known
if reach(x, k) then shade(x) where x != k
if reach(x, k) and shade(y) then reach(y, k) for y in neighbours(x) & board
exactly 1..size(board) shade
connected reach at x per k
"""

AQUAPELAGO = """
let board = frame(clue)
let corners(x) = {(x[1] + i, x[2] + j) for i, j in {-1, 1}} & board
let far(x, k) = max(abs(x[1] - k[1]), abs(x[2] - k[2]))
let known = {k for k in cells(clue) where clue[k] != "?"}
let slants = {{x, y} for x in board, y in corners(x)}

cells x in board
choose shade(x)
choose keep(x)
choose reach(x, k) for k in known where far(x, k) < max(1, clue[k]) and (x[1] + x[2] - k[1] - k[2]) mod 2 = 0

given shade(k) for k in clue
given reach(k, k) for k in known
exactly one shade or keep per x
if shade(x) then not shade(y) for y in neighbours(x)
if reach(x, k) then shade(x)
if reach(x, k) and shade(y) then reach(y, k) for y in corners(x)
exactly clue[k] reach per k
connected reach at x along slants per k
connected keep at x
at least one shade per w in windows(board, 2, 2) where x in w
"""


def numbers(text: str, family: str) -> set[frozenset[tuple[object, int]]]:
    """The answers of a model, each as the squares and their numbers."""
    compiled = compile_model(model_of(text))
    found = search(compiled.problem, settings=Settings(engine="sides"))
    return {
        frozenset((c.args[0], c.args[-1]) for c in compiled.choices(answer) if c.family == family) for answer in found
    }


def test_fillomino() -> None:
    path = Path(__file__).parents[1] / "models" / "regions" / "fillomino.cover"
    now = path.read_text(encoding="utf-8")
    rest = now[now.index("let board") : now.index("clue clue[x]")]
    rng = random.Random(1)
    answers = 0
    for _ in range(9):
        high, wide = rng.choice(((2, 2), (2, 3), (3, 3), (1, 5)))
        rows = ["".join(rng.choice("1223..?") for _ in range(wide)) for _ in range(high)]
        board = 'param clue = grid """\n' + "\n".join(rows) + '\n"""\n'
        found = numbers(board + rest, "is")
        assert found == numbers(board + FILLOMINO, "own"), rows
        answers += len(found)
    assert answers > 2


@pytest.mark.parametrize(
    ("name", "former", "marks"), [("kurotto", KUROTTO, "......1234?0"), ("aquapelago", AQUAPELAGO, ".........12?")]
)
def test_shading(name: str, former: str, marks: str) -> None:
    path = Path(__file__).parents[1] / "models" / "shading" / f"{name}.cover"
    now = path.read_text(encoding="utf-8")
    rest = re.split(r"^let (?:whole|joined)", now[now.index("let board") :], flags=re.MULTILINE)[0]
    rng = random.Random(7)
    answers = 0
    for _ in range(30):
        high, wide = rng.choice(((2, 2), (2, 3), (3, 3), (1, 5)))
        rows = ["".join(rng.choice(marks) for _ in range(wide)) for _ in range(high)]
        board = 'param clue = grid """\n' + "\n".join(rows) + '\n"""\n'
        found = numbers(board + rest, "shade")
        assert found == numbers(board + former, "shade"), rows
        answers += len(found)
    assert answers > 2
