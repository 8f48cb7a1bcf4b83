"""Boards: what a lattice is, and the six that the language knows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import product
from math import sqrt
from typing import Any, SupportsIndex, TypeAlias, overload

from attrs import field

from covr.frozen import frozen

# --- lattice ---------------------------------------------------------------------------------------------------------
# What a lattice is: its cells, which of them touch, and its motions; and a cell that knows its lattice.
#
# Cells have the whole-number coordinates of a picture: (line, column), or (layer, line, column). A motion is a linear
# map and then a translation. In some lattices these are no linear maps of the coordinates, so a lattice has a second
# frame: `point` gives a cell's position in it, where every motion is a whole-number matrix divided by `divisor`, and
# `at_point` leads back.


Cell: TypeAlias = tuple[int, ...]
Matrix: TypeAlias = tuple[tuple[int, ...], ...]


def _one_class(at: Cell) -> int:
    return 0


@frozen(eq=False, order=False, slots=False)
class Lattice:
    """A lattice. There is one object for each; they are compared by identity.

    name: the word of the language. rank: its position among the lattices. axes: how many coordinates a cell has.
    plain: whether its cells are plain tuples in the language, as those of squares and cubes are.
    holds: whether there is a cell at these coordinates; rule: the same in words, for messages.
    near: the cells that touch a cell.
    steps: whether moving by these coordinates carries cells to cells of the same kind.
    point, at_point: from a cell to its position in the frame of the motions, and back.
    generators: matrices that generate the point group. divisor: by which all matrices are divided.
    turn: the rotation by one step, clockwise as drawn, in lines and columns. turns: how many of them are a full turn.
    flips: for each axis, the reflection that reverses it.
    polygon: the corners of a cell as whole numbers (y, x), y downwards; two corners for a line, one for a ball. Cells
    that touch along a side have both of its corners in common. scale: the lengths of one unit of y and of x, where the
    distance between the middles of two cells that touch is about 1.
    facing: cells with the same number are translates of each other.
    separate: cells with different numbers belong to two copies of the lattice that never touch, and no shape has both.
    straight: the directions of straight runs, each as its step from a cell of each number of `facing`; derived from
    `near` if it is empty.
    """

    name: str
    rank: int
    axes: int
    plain: bool
    holds: Callable[[Cell], bool]
    rule: str
    near: Callable[[Cell], tuple[Cell, ...]]
    steps: Callable[[Cell], bool]
    generators: tuple[Matrix, ...] = field(repr=False)
    turn: Matrix = field(repr=False)
    turns: int
    flips: tuple[Matrix, ...] = field(repr=False)
    polygon: Callable[[Cell], tuple[tuple[int, int], ...]]
    scale: tuple[float, float]
    divisor: int = 1
    point: Callable[[Cell], Cell] = field(default=tuple)
    at_point: Callable[[Cell], Cell] = field(default=tuple)
    facing: Callable[[Cell], int] = _one_class
    separate: Callable[[Cell], int] = _one_class
    straight: tuple[tuple[Cell, ...], ...] = ()

    def __lt__(self, other: object) -> bool:
        return self.rank < other.rank if isinstance(other, Lattice) else NotImplemented

    def __reduce__(self) -> tuple[Any, ...]:

        return by_name, (self.name,)

    def cell(self, at: Cell) -> Cell:
        """The cell at these coordinates, as a value of the language."""
        return at if self.plain else LatticeCell(self, at)

    @cached_property
    def directions(self) -> tuple[tuple[Cell, ...], ...]:
        """The directions of straight runs, one of each pair of opposite ones, as `straight` gives them."""
        start = (0,) * self.axes
        return self.straight or tuple((step,) for step in self.near(start) if step > start)

    # --- motions ------------------------------------------------------------------------------------------

    @cached_property
    def motions(self) -> tuple[Matrix, ...]:
        """The point group: the identity, then the other rotations, then the reflections."""
        still = tuple(tuple(self.divisor * (i == j) for j in range(self.axes)) for i in range(self.axes))
        found = {still: None}
        fresh = [still]
        while fresh:
            products = [self.product(g, m) for m in fresh for g in self.generators]
            fresh = [m for m in dict.fromkeys(products) if m not in found]
            found.update(dict.fromkeys(fresh))
        rest = [m for m in found if m != still]
        return (still, *(m for m in rest if determinant(m) > 0), *(m for m in rest if determinant(m) < 0))

    @cached_property
    def rotations(self) -> tuple[Matrix, ...]:
        """The rotations of the point group, the identity first."""
        return tuple(m for m in self.motions if determinant(m) > 0)

    def allowed(self, how: str) -> tuple[Matrix, ...]:
        """The linear motions that `fixed`, `onesided` or `free` allows, the identity first."""
        if how == "fixed":
            return self.motions[:1]
        return self.rotations if how == "onesided" else self.motions

    def product(self, one: Matrix, other: Matrix) -> Matrix:
        """The matrix of doing `other` first and then `one`."""
        size = range(self.axes)
        return tuple(tuple(sum(one[i][k] * other[k][j] for k in size) // self.divisor for j in size) for i in size)

    def moved(self, cells: Iterable[Cell], motion: Matrix) -> list[Cell]:
        """The cells after a linear motion, in the same order."""
        d, back = self.divisor, self.at_point
        points = map(self.point, cells)
        if self.axes == 2:
            (a, b), (e, f) = motion
            return [back(((a * y + b * x) // d, (e * y + f * x) // d)) for y, x in points]
        (a, b, c), (e, f, g), (h, i, j) = motion
        return [
            back(((a * z + b * y + c * x) // d, (e * z + f * y + g * x) // d, (h * z + i * y + j * x) // d))
            for z, y, x in points
        ]

    def push(self, cells: Iterable[Cell]) -> Cell:
        """The step that moves cells so that the least coordinate of every axis is 1, or 2 where a step to 1 would not
        carry cells to cells. Translates of a shape are moved to the same place."""
        least = [min(axis) for axis in zip(*cells, strict=True)]
        for low in product((1, 2), repeat=self.axes):
            step = tuple([a - b for a, b in zip(low, least, strict=True)])
            if self.steps(step):
                return step
        raise AssertionError(f"{self.name}: no step to 1")

    def pushed(self, cells: list[Cell]) -> list[Cell]:
        """The cells moved by `push`, in the same order."""
        return shifted(cells, self.push(cells))

    def ways(self, cells: list[Cell], how: str) -> list[tuple[Cell, ...]]:
        """Every orientation of a shape that `how` allows, each once, pushed to 1 and sorted."""
        return sorted({tuple(sorted(self.pushed(self.moved(cells, m)))) for m in self.allowed(how)}) if cells else []


def shifted(cells: Iterable[Cell], step: Cell) -> list[Cell]:
    """The cells moved by a step, in the same order."""
    if len(step) == 2:
        dr, dc = step
        return [(r + dr, c + dc) for r, c in cells]
    dz, dr, dc = step
    return [(z + dz, r + dr, c + dc) for z, r, c in cells]


def determinant(matrix: Matrix) -> int:
    """Positive for a rotation, negative for a reflection."""
    if len(matrix) == 2:
        (a, b), (c, d) = matrix
        return a * d - b * c
    (a, b, c), (d, e, f), (g, h, i) = matrix
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


class LatticeCell(tuple[Any, ...]):
    """A cell that knows its lattice. It comes apart like the tuple of its coordinates, but is not equal to it. The
    tuple itself holds the lattice before the coordinates, so that comparing and hashing need no code of their own; what
    walks, counts and looks up members sees the coordinates alone."""

    __slots__ = ()

    def __new__(cls, lattice: Lattice, at: Iterable[int]) -> LatticeCell:
        return super().__new__(cls, (lattice, *at))

    @property
    def lattice(self) -> Lattice:
        """The lattice that the cell belongs to."""
        return tuple.__getitem__(self, 0)  # type: ignore[no-any-return]

    @property
    def at(self) -> Cell:
        """The coordinates as a plain tuple."""
        return tuple.__getitem__(self, slice(1, None))

    def __iter__(self) -> Iterator[int]:
        return iter(self.at)

    def __len__(self) -> int:
        return tuple.__len__(self) - 1

    @overload
    def __getitem__(self, key: SupportsIndex) -> int: ...
    @overload
    def __getitem__(self, key: slice) -> Cell: ...
    def __getitem__(self, key: SupportsIndex | slice) -> int | Cell:
        return self.at[key]

    def __repr__(self) -> str:
        return f"{self.lattice.name}{self.at!r}"

    def __reduce__(self) -> tuple[Any, ...]:
        return LatticeCell, (self.lattice, self.at)


# --- square ----------------------------------------------------------------------------------------------------------
# Squares: the board of most puzzles. Cells are plain tuples (line, column).


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


# --- cubes -----------------------------------------------------------------------------------------------------------
# Cubes: squares stacked in space. Cells are plain tuples (layer, line, column).


def _near_cubes(at: Cell) -> tuple[Cell, ...]:
    z, r, c = at
    return (z - 1, r, c), (z, r - 1, c), (z, r, c - 1), (z, r, c + 1), (z, r + 1, c), (z + 1, r, c)


def _polygon_cubes(at: Cell) -> tuple[tuple[int, int], ...]:
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
    near=_near_cubes,
    steps=lambda step: True,
    generators=(TURN, AXES, FLIPS[0]),
    turn=TURN,
    turns=4,
    flips=FLIPS,
    polygon=_polygon_cubes,
    scale=(1.0, 1.0),
)


# --- hexagons --------------------------------------------------------------------------------------------------------
# Hexagons that stand on a corner: two columns apart in a line, each line shifted by one column from the next.
#
# Cells where line + column is even and where it is odd are two copies of the lattice; a board has cells of one of them.
# The frame of the motions is that of the even ones.


def _near_hexagons(at: Cell) -> tuple[Cell, ...]:
    r, c = at
    return (r - 1, c - 1), (r - 1, c + 1), (r, c - 2), (r, c + 2), (r + 1, c - 1), (r + 1, c + 1)


def _polygon_hexagons(at: Cell) -> tuple[tuple[int, int], ...]:
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
    near=_near_hexagons,
    steps=lambda step: True,
    generators=(((1, 1), (-3, 1)), ((2, 0), (0, -2))),
    turn=((1, 1), (-3, 1)),
    turns=6,
    flips=(((-2, 0), (0, 2)), ((2, 0), (0, -2))),
    divisor=2,
    point=lambda at: (at[0], at[1] - _copy(at)),
    polygon=_polygon_hexagons,
    scale=(1 / (2 * sqrt(3)), 0.5),
    separate=_copy,
)


def hexagon(side: int) -> list[Cell]:
    """The cells of a hexagon with `side` cells along each side, its first line 1 and its first column 1."""
    return [(r, c + abs(side - r)) for r in range(1, 2 * side) for c in range(1, 2 * (2 * side - 1 - abs(side - r)), 2)]


# --- triangles -------------------------------------------------------------------------------------------------------
# Triangles: in each line side by side, pointing up where line + column is even, and down where it is odd.
#
# The frame of the motions holds the middles of the triangles: y in thirds of a triangle's height and x in halves of its
# side, from the corner at which the triangle (0, 0) points up.


def _down(at: Cell) -> int:
    return (at[0] + at[1]) % 2


def _near_triangles(at: Cell) -> tuple[Cell, ...]:
    r, c = at
    if _down(at):
        return (r - 1, c), (r, c - 1), (r, c + 1)
    return (r, c - 1), (r, c + 1), (r + 1, c)


def _polygon_triangles(at: Cell) -> tuple[tuple[int, int], ...]:
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
    near=_near_triangles,
    steps=lambda step: (step[0] + step[1]) % 2 == 0,
    generators=(((1, 3), (-1, 1)), ((2, 0), (0, -2))),
    turn=((1, 3), (-1, 1)),
    turns=6,
    flips=(((-2, 0), (0, 2)), ((2, 0), (0, -2))),
    divisor=2,
    point=lambda at: (3 * at[0] + 2 - _down(at), at[1]),
    at_point=lambda point: (point[0] // 3, point[1]),
    polygon=_polygon_triangles,
    scale=(1.5, sqrt(3) / 2),
    facing=_down,
    straight=(((0, 1), (0, 1)), ((1, 0), (0, 1)), ((1, 0), (0, -1))),
)


def hexagon_of_triangles(side: int) -> list[Cell]:
    """The cells of a hexagon with sides of `side` triangles, in lines from 1 and columns from 1 or 2. Its upper left
    corner is one at which a triangle points up, so that the first column may be the second."""
    cells = []
    for r in range(1, 2 * side + 1):
        cut = side - r if r <= side else r - side - 1  # columns that are missing at each end
        cells += [(r, c) for c in range(1 + cut, 4 * side - cut)]
    even = _down((1, 1 + side - 1)) == 0  # the first triangle of the first line points up
    return [(r, c if even else c + 1) for r, c in cells]


# --- sticks ----------------------------------------------------------------------------------------------------------
# Sticks: the edges of a grid of squares, where line + column is odd, drawn `+-+-+` over `| | |`.
#
# The corners of the grid have an odd line and an odd column. Sticks touch if they share an end.


def ends(at: Cell) -> tuple[tuple[int, int], tuple[int, int]]:
    """The two corners of the grid that a stick joins."""
    r, c = at
    return ((r, c - 1), (r, c + 1)) if r % 2 else ((r - 1, c), (r + 1, c))


def _near_sticks(at: Cell) -> tuple[Cell, ...]:
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
    near=_near_sticks,
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


# --- balls -----------------------------------------------------------------------------------------------------------
# Balls, packed as closely as possible: layers of balls in squares, each layer in the hollows of the next.
#
# Cells are (layer, line, column), all even or all odd. The frame of the motions has lines and columns turned by an
# eighth of a turn; there a ball touches those at (±1, ±1, 0) in any order, and the motions are those of a cube.


_STEPS = tuple(sorted([(0, 0, -2), (0, 0, 2), (0, -2, 0), (0, 2, 0), *product((-1, 1), repeat=3)]))
_TURN = ((1, 0, 0), (0, 0, -1), (0, 1, 0))


def _near_balls(at: Cell) -> tuple[Cell, ...]:
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
    near=_near_balls,
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


# --- table -----------------------------------------------------------------------------------------------------------
# The lattices by name. A new lattice is one file and one line here.


LATTICES: Mapping[str, Lattice] = {lattice.name: lattice for lattice in (SQUARE, CUBES, HEX, TRIANGLE, STICKS, BALLS)}


def by_name(name: str) -> Lattice:
    """The lattice of that name."""
    return LATTICES[name]


def lattice_of(value: Any) -> Lattice | None:
    """The lattice of a cell; None for a value that is no cell. A tuple of two whole numbers is a square, one of three a
    cube."""
    if type(value) is LatticeCell:
        return value.lattice
    if type(value) is tuple and len(value) in (2, 3) and all(type(x) is int for x in value):
        return SQUARE if len(value) == 2 else CUBES
    return None
