"""Sticks: the edges of a grid of squares, where line + column is odd, drawn `+-+-+` over `| | |`.

The corners of the grid have an odd line and an odd column. Sticks touch if they share an end.
"""

from __future__ import annotations

from covr.compiler.lattices.lattice import Cell, Lattice


def ends(at: Cell) -> tuple[tuple[int, int], tuple[int, int]]:
    """The two corners of the grid that a stick joins."""
    r, c = at
    return ((r, c - 1), (r, c + 1)) if r % 2 else ((r - 1, c), (r + 1, c))


def _near(at: Cell) -> tuple[Cell, ...]:
    r, c = at
    around = {(y + dy, x + dx) for y, x in ends(at) for dy, dx in ((-1, 0), (0, -1), (0, 1), (1, 0))}
    return tuple(sorted(around - {(r, c)}))


STICKS = Lattice(
    name="sticks",
    rank=4,
    axes=2,
    plain=False,
    holds=lambda at: (at[0] + at[1]) % 2 == 1,
    rule="sticks lie where line + column is odd",
    near=_near,
    steps=lambda step: step[0] % 2 == step[1] % 2 == 0,
    generators=(((0, 1), (-1, 0)), ((1, 0), (0, -1))),
    turn=((0, 1), (-1, 0)),
    turns=4,
    flips=(((-1, 0), (0, 1)), ((1, 0), (0, -1))),
    polygon=ends,
    scale=(0.5, 0.5),
    facing=lambda at: at[0] % 2,
    straight=(((2, 0), (0, 2)),),
)
