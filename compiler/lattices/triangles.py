"""Triangles: in each line side by side, pointing up where line + column is even, and down where it is odd.

The frame of the motions holds the middles of the triangles: y in thirds of a triangle's height and x in halves of its
side, from the corner at which the triangle (0, 0) points up.
"""

from __future__ import annotations

from math import sqrt

from covr.compiler.lattices.lattice import Cell, Lattice


def _down(at: Cell) -> int:
    return (at[0] + at[1]) % 2


def _near(at: Cell) -> tuple[Cell, ...]:
    r, c = at
    if _down(at):
        return (r - 1, c), (r, c - 1), (r, c + 1)
    return (r, c - 1), (r, c + 1), (r + 1, c)


def _polygon(at: Cell) -> tuple[tuple[int, int], ...]:
    r, c = at
    if _down(at):
        return (r, c - 1), (r, c + 1), (r + 1, c)
    return (r, c), (r + 1, c + 1), (r + 1, c - 1)


TRIANGLE = Lattice(
    name="triangle",
    rank=3,
    axes=2,
    plain=False,
    holds=lambda at: True,
    rule="every place is a triangle",
    near=_near,
    steps=lambda step: (step[0] + step[1]) % 2 == 0,
    generators=(((1, 3), (-1, 1)), ((2, 0), (0, -2))),
    turn=((1, 3), (-1, 1)),
    turns=6,
    flips=(((-2, 0), (0, 2)), ((2, 0), (0, -2))),
    divisor=2,
    point=lambda at: (3 * at[0] + 2 - _down(at), at[1]),
    at_point=lambda point: (point[0] // 3, point[1]),
    polygon=_polygon,
    scale=(1.5, sqrt(3) / 2),
    facing=_down,
    straight=(((0, 1), (0, 1)), ((1, 0), (0, 1)), ((1, 0), (0, -1))),
)


def hexagon(side: int) -> list[Cell]:
    """The cells of a hexagon with sides of `side` triangles, in lines from 1 and columns from 1 or 2.

    Its upper left corner is one at which a triangle points up, so that the first column may be the second.
    """
    cells = []
    for r in range(1, 2 * side + 1):
        cut = side - r if r <= side else r - side - 1  # columns that are missing at each end
        cells += [(r, c) for c in range(1 + cut, 4 * side - cut)]
    even = _down((1, 1 + side - 1)) == 0  # the first triangle of the first line points up
    return [(r, c if even else c + 1) for r, c in cells]
