"""Squares: the board of most puzzles. Cells are plain tuples (line, column)."""

from __future__ import annotations

from covr.compiler.lattices.lattice import Cell, Lattice


def _near(at: Cell) -> tuple[Cell, ...]:
    r, c = at
    return (r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)


def _polygon(at: Cell) -> tuple[tuple[int, int], ...]:
    r, c = at
    return (r, c), (r, c + 1), (r + 1, c + 1), (r + 1, c)


SQUARE = Lattice(
    name="square",
    rank=0,
    axes=2,
    plain=True,
    holds=lambda at: True,
    rule="every place is a square",
    near=_near,
    steps=lambda step: True,
    generators=(((0, 1), (-1, 0)), ((1, 0), (0, -1))),
    turn=((0, 1), (-1, 0)),
    turns=4,
    flips=(((-1, 0), (0, 1)), ((1, 0), (0, -1))),
    polygon=_polygon,
    scale=(1.0, 1.0),
)
