"""The lattices by name. A new lattice is one file and one line here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from covr.compiler.lattices.balls import BALLS
from covr.compiler.lattices.cubes import CUBES
from covr.compiler.lattices.hexagons import HEX
from covr.compiler.lattices.lattice import Lattice, LatticeCell
from covr.compiler.lattices.square import SQUARE
from covr.compiler.lattices.sticks import STICKS
from covr.compiler.lattices.triangles import TRIANGLE

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
