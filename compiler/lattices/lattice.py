"""What a lattice is: its cells, which of them touch, and its motions; and a cell that knows its lattice.

Cells have whole-number coordinates, those of a picture: (line, column), or (layer, line, column) in space. A motion is
a linear map followed by a translation. In some lattices the linear maps are none in these coordinates (a triangle that
points up becomes one that points down), so that a lattice has a second frame: `point` gives the position of a cell in
it, where every motion is a whole-number matrix divided by `divisor`, and `at_point` leads back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import product
from typing import Any, SupportsIndex, TypeAlias, overload

from attrs import field

from covr.frozen import frozen

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
        from covr.compiler.lattices.table import by_name

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
    """A cell that knows its lattice. It comes apart like the tuple of its coordinates, but is not equal to it.

    The tuple itself holds the lattice before the coordinates, so that comparing and hashing need no code of their own;
    what walks, counts and looks up members sees the coordinates alone.
    """

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
