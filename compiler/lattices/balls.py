"""Balls, packed as closely as possible: layers of balls in squares, each layer in the hollows of the next.

Cells are (layer, line, column), all even or all odd. The frame of the motions has lines and columns turned by an eighth
of a turn; there a ball touches those at (±1, ±1, 0) in any order, and the motions are those of a cube.
"""

from __future__ import annotations

from itertools import product
from math import sqrt

from covr.compiler.lattices.cubes import AXES
from covr.compiler.lattices.lattice import Cell, Lattice

_STEPS = tuple(sorted([(0, 0, -2), (0, 0, 2), (0, -2, 0), (0, 2, 0), *product((-1, 1), repeat=3)]))
_TURN = ((1, 0, 0), (0, 0, -1), (0, 1, 0))


def _near(at: Cell) -> tuple[Cell, ...]:
    z, r, c = at
    return tuple((z + dz, r + dr, c + dc) for dz, dr, dc in _STEPS)


def _alike(at: Cell) -> bool:
    z, r, c = at
    return z % 2 == r % 2 == c % 2


BALLS = Lattice(
    name="balls",
    rank=5,
    axes=3,
    plain=False,
    holds=_alike,
    rule="of layer, line and column of a ball, all are even or all are odd",
    near=_near,
    steps=_alike,
    generators=(_TURN, AXES, ((-1, 0, 0), (0, 1, 0), (0, 0, 1))),
    turn=_TURN,
    turns=4,
    flips=(
        ((-1, 0, 0), (0, 1, 0), (0, 0, 1)),
        ((1, 0, 0), (0, 0, -1), (0, -1, 0)),
        ((1, 0, 0), (0, 0, 1), (0, 1, 0)),
    ),
    point=lambda at: (at[0], (at[1] + at[2]) // 2, (at[1] - at[2]) // 2),
    at_point=lambda p: (p[0], p[1] + p[2], p[1] - p[2]),
    polygon=lambda at: ((at[1], at[2]),),
    scale=(0.5, 0.5),
)
LAYER = 1 / sqrt(2)
"""The height of a layer above the next, where the distance between the middles of two balls that touch is 1."""
