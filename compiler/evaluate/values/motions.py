"""Motions, what `symmetries(area)` holds: of squares and cubes, and of a lattice."""

from __future__ import annotations

from typing import Any

from covr.compiler.lattices.lattice import Cell, Lattice, Matrix


class Isometry:
    """A motion that carries whole-number cells to whole-number cells: permute the axes, flip some, then shift.

    Cell x goes to the cell whose coordinate a is `signs[a] * x[axes[a]] + shift[a]`.
    """

    __slots__ = ("axes", "shift", "signs")

    def __init__(self, axes: tuple[int, ...], signs: tuple[int, ...], shift: tuple[int, ...]) -> None:
        self.axes = axes
        self.signs = signs
        self.shift = shift

    @property
    def parts(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """The axes, signs and shift, which together identify the motion."""
        return self.axes, self.signs, self.shift

    def apply(self, cell: Cell) -> Cell:
        """The image of a cell."""
        if len(self.axes) == 2:
            (a, b), (s, t), (u, v) = self.axes, self.signs, self.shift
            return s * cell[a] + u, t * cell[b] + v
        return tuple(s * cell[a] + t for a, s, t in zip(self.axes, self.signs, self.shift, strict=True))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Isometry) and self.parts == other.parts

    def __lt__(self, other: object) -> bool:
        return self.parts < other.parts if isinstance(other, Isometry) else NotImplemented

    def order_key(self) -> tuple[Any, ...]:
        """Where it stands among all values (order.py)."""
        return 9, self.parts

    def __hash__(self) -> int:
        return hash(self.parts)

    def __repr__(self) -> str:
        return f"Isometry({self.axes!r}, {self.signs!r}, {self.shift!r})"


class Motion:
    """A motion of a lattice: a matrix of its point group, then a step."""

    __slots__ = ("lattice", "matrix", "step")

    def __init__(self, lattice: Lattice, matrix: Matrix, step: Cell) -> None:
        self.lattice = lattice
        self.matrix = matrix
        self.step = step

    @property
    def parts(self) -> tuple[Lattice, Matrix, Cell]:
        """The lattice, matrix and step, which together identify the motion."""
        return self.lattice, self.matrix, self.step

    def apply(self, cell: Cell) -> Cell:
        """The image of a cell, which knows its lattice like the cell itself."""
        (at,) = self.lattice.moved([tuple(cell)], self.matrix)
        return self.lattice.cell(tuple([x + d for x, d in zip(at, self.step, strict=True)]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Motion) and self.parts == other.parts

    def __lt__(self, other: object) -> bool:
        return self.parts < other.parts if isinstance(other, Motion) else NotImplemented

    def order_key(self) -> tuple[Any, ...]:
        """Where it stands among all values (order.py)."""
        return 10, self.parts

    def __hash__(self) -> int:
        return hash(self.parts)

    def __repr__(self) -> str:
        return f"Motion({self.lattice.name}, {self.matrix!r}, {self.step!r})"
