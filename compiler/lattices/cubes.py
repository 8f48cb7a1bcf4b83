"""Cubes: squares stacked in space. Cells are plain tuples (layer, line, column)."""

from __future__ import annotations

from covr.compiler.lattices.lattice import Cell, Lattice


def _near(at: Cell) -> tuple[Cell, ...]:
    z, r, c = at
    return (z - 1, r, c), (z, r - 1, c), (z, r, c - 1), (z, r, c + 1), (z, r + 1, c), (z + 1, r, c)


def _polygon(at: Cell) -> tuple[tuple[int, int], ...]:
    _, r, c = at
    return (r, c), (r, c + 1), (r + 1, c + 1), (r + 1, c)


TURN = ((1, 0, 0), (0, 0, 1), (0, -1, 0))
AXES = ((0, 1, 0), (0, 0, 1), (1, 0, 0))  # layers become lines, lines columns, and columns layers
FLIPS = (
    ((-1, 0, 0), (0, 1, 0), (0, 0, 1)),
    ((1, 0, 0), (0, -1, 0), (0, 0, 1)),
    ((1, 0, 0), (0, 1, 0), (0, 0, -1)),
)

CUBES = Lattice(
    name="cubes",
    rank=1,
    axes=3,
    plain=True,
    holds=lambda at: True,
    rule="every place is a cube",
    near=_near,
    steps=lambda step: True,
    generators=(TURN, AXES, FLIPS[0]),
    turn=TURN,
    turns=4,
    flips=FLIPS,
    polygon=_polygon,
    scale=(1.0, 1.0),
)
