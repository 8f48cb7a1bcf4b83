"""Hexagons that stand on a corner: two columns apart in a line, each line shifted by one column from the next.

A board may begin in an odd or an even column of its first line: where line + column is even and where it is odd are two
copies of the lattice, and a board has cells of one of them only. The frame of the motions is that of the even ones.
"""

from __future__ import annotations

from math import sqrt

from covr.compiler.lattices.lattice import Cell, Lattice


def _near(at: Cell) -> tuple[Cell, ...]:
    r, c = at
    return (r - 1, c - 1), (r - 1, c + 1), (r, c - 2), (r, c + 2), (r + 1, c - 1), (r + 1, c + 1)


def _polygon(at: Cell) -> tuple[tuple[int, int], ...]:
    r, c = at
    y = 3 * r
    return (y - 2, c), (y - 1, c + 1), (y + 1, c + 1), (y + 2, c), (y + 1, c - 1), (y - 1, c - 1)


def _copy(at: Cell) -> int:
    return (at[0] + at[1]) % 2


HEX = Lattice(
    name="hex",
    rank=2,
    axes=2,
    plain=False,
    holds=lambda at: True,
    rule="hexagons stand two columns apart, each line shifted by one",
    near=_near,
    steps=lambda step: True,
    generators=(((1, 1), (-3, 1)), ((2, 0), (0, -2))),
    turn=((1, 1), (-3, 1)),
    turns=6,
    flips=(((-2, 0), (0, 2)), ((2, 0), (0, -2))),
    divisor=2,
    point=lambda at: (at[0], at[1] - _copy(at)),
    polygon=_polygon,
    scale=(1 / (2 * sqrt(3)), 0.5),
    separate=_copy,
)


def hexagon(side: int) -> list[Cell]:
    """The cells of a hexagon with `side` cells along each side, its first line 1 and its first column 1."""
    return [(r, c + abs(side - r)) for r in range(1, 2 * side) for c in range(1, 2 * (2 * side - 1 - abs(side - r)), 2)]
