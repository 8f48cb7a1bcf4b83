"""The boards of `python -m benchmarks boards`, ten small ones and some of published size, and other programs' answers
to them as choices of covr's models."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from benchmarks import _board_drawn as drawn
from benchmarks import _board_puzzles as made
from benchmarks import _board_texts as texts
from benchmarks._board_drawn_clingo import DRAWN, chosen
from benchmarks._board_puzzles import Board, Grid, box

Atom = tuple[Any, ...]

# A kakuro with one answer is not found by chance, so this one is written out.
ACROSS = """
   #  #  #  #  #  #  #  #  #  #
   #  #  8  .  .  .  # 10  .  .
   # 28  .  .  .  . 12  .  .  .
  17  .  . 28  .  .  .  .  #  #
  10  .  .  #  # 10  .  .  #  #
   #  3  .  .  #  #  3  .  .  #
   #  # 10  .  .  #  # 17  .  .
   #  # 18  .  .  .  .  3  .  .
  24  .  .  . 20  .  .  .  .  #
   9  .  .  # 12  .  .  .  #  #
"""
DOWN = """
   .  .  . 10 12 19  .  .  3 16
   .  . 18  .  .  .  . 15  .  .
   . 17  .  .  .  . 17  .  .  .
   .  .  .  .  .  .  .  .  .  .
   .  .  . 25  .  .  .  . 18  .
   .  .  .  .  3  .  .  .  .  9
   .  .  .  .  .  6 24  .  .  .
   .  9 17  .  .  .  .  4  .  .
   .  .  .  .  .  .  .  .  .  .
   .  .  .  .  .  .  .  .  .  .
"""


# Squares of their own, without which these two boards would have more answers.
ROOMS = ((9, 1), (1, 10), (3, 10), (4, 6), (1, 6))
CAGES = ((10, 10), (6, 9))

BOARDS: dict[str, Callable[[], Board]] = {
    "slitherlink": lambda: made.slitherlink(10, 58, 0.58),
    "nurikabe": lambda: made.nurikabe(10, 4, 8),
    "masyu": lambda: made.masyu(10, 2, 1),
    "heyawake": lambda: made.heyawake(10, 4, ROOMS),
    "hitori": lambda: made.hitori(10, 2),
    "yajilin": lambda: made.yajilin(10, 1),
    "killer": lambda: made.killer(2, 5, 1, (2, 2, 3, 3, 4), CAGES),
    "kakuro": lambda: Board("kakuro", "kakuro", {"n": 10, "across": _read(ACROSS), "down": _read(DOWN)}),
    "nonogram": lambda: made.nonogram(20, 2),
    "rota": lambda: rota(20, 14, 1),
}

# The same for the large heyawake.
MORE_ROOMS = (
    (11, 20), (19, 20), (18, 7), (20, 18), (16, 19), (1, 19), (16, 16), (20, 5), (7, 11), (1, 5), (2, 19), (11, 18),
    (20, 1), (9, 8), (14, 20), (10, 13), (12, 18), (9, 20), (3, 19), (10, 17), (16, 1), (11, 1), (5, 19), (9, 12),
    (6, 14), (7, 16), (11, 10), (9, 4), (6, 18), (10, 12), (7, 13), (3, 16),
)  # fmt: skip

# As large as boards are published, and square: 37 × 37 has as many squares as 31 × 45, 47 × 47 as 39 × 57, 27 × 27 as
# 20 × 36.
LARGE: dict[str, Callable[[], Board]] = {
    "slitherlink-37": lambda: made.slitherlink(37, 0, 1),
    "yajilin-37": lambda: made.yajilin(37, 0),
    "yajilin-47": lambda: made.yajilin(47, 0),
    "heyawake-20": lambda: made.heyawake(20, 2, MORE_ROOMS),
    "nonogram-40": lambda: made.nonogram(40, 0),
    "nurikabe-20": lambda: Board("nurikabe", "nurikabe", {"n": 20, "clue": _read(texts.NURIKABE_20)}),
    "nurikabe-27": lambda: Board("nurikabe", "nurikabe", {"n": 27, "clue": _read(texts.NURIKABE_27)}),
    "nurikabe-37": lambda: Board("nurikabe", "nurikabe", {"n": 37, "clue": _read(texts.NURIKABE_37)}),
    "hitori-20": lambda: Board("hitori", "hitori", {"number": _read(texts.HITORI_20)}),
}

# The changes after which the boards of _board_drawn.py have one answer.
JIGSAW_TOLD = (
    (9, 6), (8, 5), (7, 4), (7, 5), (8, 3), (8, 6), (3, 7), (6, 7), (3, 2), (9, 8), (8, 8), (6, 5), (7, 8), (3, 9),
    (4, 9), (5, 3), (8, 1), (2, 2), (4, 8), (2, 8), (5, 5), (1, 1), (1, 4), (4, 3), (1, 7), (6, 3), (7, 9), (7, 2),
    (1, 3), (5, 4),
)  # fmt: skip
KAKURO_BLACK = (
    (6, 2), (3, 2), (9, 9), (12, 5), (5, 3), (12, 10), (10, 3), (11, 8), (10, 6), (12, 7), (6, 6), (7, 4), (9, 11),
    (8, 3), (2, 8), (6, 11), (2, 6), (4, 3), (5, 8), (6, 9), (5, 9), (4, 8),
)  # fmt: skip
WATER = (
    (1, 4), (13, 9), (2, 13), (14, 14), (13, 1), (5, 3), (1, 3), (13, 11), (14, 12), (7, 12), (14, 7), (1, 14), (5, 14),
    (1, 11), (3, 12), (6, 1), (11, 14), (2, 1), (6, 4), (7, 9), (2, 4), (11, 11), (14, 1), (14, 5), (3, 14), (7, 4),
    (8, 14),
)  # fmt: skip
DOMINOES = ((7, 36), (28, 16), (10, 31), (38, 30), (38, 13), (12, 31))
STARS = (((8, 5), (9, 5)), ((9, 9), (8, 9)), ((5, 9), (5, 8)))

LARGE |= {
    "numberlink-12": lambda: drawn.numberlink(12, 1, ()),
    "numberlink-16": lambda: drawn.numberlink(16, 1, ((9, 12), (9, 16))),
    "numberlink-20": lambda: drawn.numberlink(20, 1, ()),
    "battleships-14": lambda: drawn.battleships(14, 1, (5, 4, 3, 2, 1), WATER),
    "kakuro-12": lambda: drawn.kakuro(12, 1, KAKURO_BLACK),
    "tents-25": lambda: drawn.tents(25, 26, 0.85),
    "dominosa-9": lambda: drawn.dominosa(9, 1, DOMINOES),
    "star_battle-10": lambda: drawn.star_battle(10, 2, 1, STARS),
    "jigsaw-9": lambda: drawn.jigsaw(9, 2, JIGSAW_TOLD),
    "skyscrapers-8": lambda: drawn.skyscrapers(8, 3),  # has more answers: of some 65 that were drawn, none had one
    "masyu-20": lambda: drawn.masyu(20, 0, ()),
    "fillomino-10": lambda: Board("fillomino", "fillomino", {"n": 10, "clue": _read(texts.FILLOMINO_10), "most": 16}),
    "fillomino-17": lambda: drawn.fillomino(17, 1, 0.5),  # this one and the next have more answers
    "fillomino-37": lambda: drawn.fillomino(37, 1, 0.5),
    "killer-9": lambda: made.killer(3, 3, 1, (2, 3, 3, 4, 4), ((7, 9), (2, 1), (9, 7), (8, 7), (8, 5))),
}


def _read(text: str) -> Grid:
    return {
        (r, c): int(word) if word.isdigit() else word
        for r, line in enumerate(text.split("\n")[1:-1], 1)
        for c, word in enumerate(line.split(), 1)
        if word != "."
    }


def rota(people: int, days: int, seed: int) -> Board:
    """People with different hours; most wish the same few days off."""
    rng = random.Random(seed)
    hours = [rng.choice((56, 64, 72, 80)) for _ in range(people)]
    popular = [d for d in range(1, days + 1) if d % 7 in (6, 0)]
    wishes = set()
    for p in range(1, people + 1):
        wishes |= {(p, d) for d in rng.sample(popular, 3)} | {(p, rng.randint(1, days))}
    data = {"hours": hours, "staff": [4, 4, 3], "days": days, "wishes": wishes}
    return Board("rota", str(Path(__file__).with_name("_board_rota.cover")), data, best=True)


def choices(board: Board, answer: set[Atom]) -> list[str]:
    """An answer that another program gives in atoms, as the choices that covr's model takes for it, by name."""
    by: dict[str, list[tuple[Any, ...]]] = {}
    for name, *arguments in answer:
        by.setdefault(name, []).append(tuple(arguments))
    places = [f"place({r}, {c}, {d})" for (r, c), d in by.get("place", [])]
    return places + list(chosen(board, by) if board.name in DRAWN else _choices(board, by))


def _choices(board: Board, by: dict[str, list[tuple[Any, ...]]]) -> Iterator[str]:
    cells = box(board.data.get("n", 0))
    shaded = {x for (x,) in by.get("shade", [])}
    yield from (f"draw({{{min(pair)}, {max(pair)}}})" for pair in by.get("line", []))
    yield from (f"shade({r}, {c})" for r, c in shaded)
    yield from (f"land({r}, {c})" for (r, c), _ in by.get("land", []))
    yield from (f"work({p}, {d}, {s})" for p, d, s in by.get("work", []))
    if board.name == "nurikabe":
        yield from (f"sea({r}, {c})" for r, c in set(cells) - {x for x, _ in by["land"]})
    elif board.name in ("hitori", "heyawake"):
        yield from (f"keep({r}, {c})" for r, c in set(board.data.get("number", cells)) - shaded)
    elif board.name == "yajilin":
        yield from (f"pass({r}, {c})" for r, c in set(cells) - set(board.data["arrow"]) - shaded)
    elif board.name == "nonogram":
        n = len(board.data["rows"])
        black = set(by.get("picture", []))
        yield from (f"white({r}, {c})" for r, c in set(box(n)) - black)
        for i in range(1, n + 1):
            across = _starts((i, j) in black for j in range(1, n + 1))
            down = _starts((j, i) in black for j in range(1, n + 1))
            yield from (f"across({i}, {k}, {s})" for k, s in across)
            yield from (f"down({i}, {k}, {s})" for k, s in down)


def _starts(line: Iterable[bool]) -> Iterator[tuple[int, int]]:
    """The number of each black block of a line, and where it begins."""
    number, at = 0, 1
    for black, run in groupby(line):
        if black:
            number += 1
            yield number, at
        at += len(list(run))
