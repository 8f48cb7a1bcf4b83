"""Cells and shapes: boxes, neighbours, motions, orientations, placements, symmetries of an area.

A cell is (row, column) in the plane or (layer, row, column) in space, a shape a set of cells of one kind. A linear
motion permutes the axes and flips some of them: 8 in the plane (4 of them rotations), 48 in space (24 rotations).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import permutations, product
from typing import Final, TypeAlias

from covr.compiler.evaluate.calls import Site
from covr.compiler.evaluate.values import (
    Cell,
    Isometry,
    Piece,
    Rng,
    Seq,
    Set,
    Value,
    abbreviate,
    kind_of,
    size_of,
)

Linear: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]

MOVED: Final = 4  # how many steps it counts as to move a cell and to check that it is one

HOW: Final = ("fixed", "onesided", "free")


# --- arguments --------------------------------------------------------------------------------------------


def shape_of(site: Site, position: int, value: Value) -> list[Cell]:
    """The cells of an argument: a piece, a set or list of cells, or one cell. Raises EvalFault for anything else."""
    if isinstance(value, Piece):
        value = value.cells
    if isinstance(value, tuple):
        value = Set((value,))
    if not isinstance(value, Set | Seq):
        help = ""
        if isinstance(value, str):
            help = "a letter alone does not know its cells: take the piece from its set (`p in pieces`)"
        raise site.fault(position, f"this wants a piece or a set of cells, not {kind_of(value)}", help)
    cells: list[Cell] = []
    if not isinstance(value, Rng):
        cells = [v for v in value if _is_cell(v)]  # type: ignore[misc]
    if len(cells) < size_of(value):
        odd = next(v for v in value if not _is_cell(v))
        raise site.fault(position, f"a cell is (row, column) or (layer, row, column), and {abbreviate(odd)} is neither")
    if len({len(c) for c in cells}) > 1:
        raise site.fault(position, "some of these cells are in the plane and some in space")
    return cells


def _is_cell(value: Value) -> bool:
    return type(value) is tuple and len(value) in (2, 3) and all(type(x) is int for x in value)


def _how(site: Site, args: tuple[Value, ...], position: int, dimension: int) -> str:
    if len(args) <= position:
        return "free" if dimension == 2 else "onesided"
    how = args[position]
    if isinstance(how, str) and str(how) in HOW:
        return str(how)
    raise site.fault(position, f"how a piece may lie is `fixed`, `onesided` or `free`, not {abbreviate(how)}")


# --- motions ----------------------------------------------------------------------------------------------


@cache
def motions(dimension: int, how: str) -> tuple[Linear, ...]:
    """The linear motions that `how` allows: `fixed` only the identity, `onesided` the rotations, `free` all."""
    axes = tuple(range(dimension))
    still = (axes, (1,) * dimension)
    if how == "fixed":
        return (still,)
    every = [(p, s) for p in permutations(axes) for s in product((1, -1), repeat=dimension)]
    if how == "onesided":
        every = [m for m in every if _turns(m)]
    every.remove(still)
    return (still, *every)


def _turns(motion: Linear) -> bool:
    """Whether a motion is a rotation and not a reflection: its determinant is 1."""
    axes, signs = motion
    sign = 1
    for i, a in enumerate(axes):
        sign *= signs[i]
        for b in axes[:i]:
            if b > a:
                sign = -sign
    return sign == 1


def moved(cells: Iterable[Cell], motion: Linear) -> list[Cell]:
    """The cells after a linear motion: their axes permuted and their signs changed. Order is kept."""
    axes, signs = motion
    if len(axes) == 2:
        (a, b), (s, t) = axes, signs
        return [(s * x[a], t * x[b]) for x in cells]
    (a, b, c), (s, t, u) = axes, signs
    return [(s * x[a], t * x[b], u * x[c]) for x in cells]


def pushed(cells: list[Cell], low: int = 1) -> list[Cell]:
    """The cells moved so that the least coordinate of every axis is `low`."""
    by = [low - min(axis) for axis in zip(*cells, strict=True)]
    return [tuple([x + d for x, d in zip(cell, by, strict=True)]) for cell in cells]


def _lying(cells: list[Cell], how: str) -> list[tuple[Cell, ...]]:
    """Every orientation of a shape that `how` allows, each once, pushed to 0 and sorted."""
    if not cells:
        return []
    ways = {tuple(sorted(pushed(moved(cells, m), 0))) for m in motions(len(cells[0]), how)}
    return sorted(ways)


# --- functions --------------------------------------------------------------------------------------------


def box(site: Site, *sides: Value) -> Set:
    """`box(h, w)`, `box(d, h, w)`: every cell of a rectangle or a block, from 1; empty when a side is 0 or less."""
    sizes: list[int] = []
    for position, side in enumerate(sides):
        if not isinstance(side, int):
            raise site.fault(position, f"a side of a box is a whole number, not {kind_of(side)}")
        sizes.append(max(side, 0))
    count = 1
    for size in sizes:
        count *= size
    site.budget.spend(count, site.span)
    if count == 0:
        return Set()
    return Set.in_order(tuple(product(*(range(1, size + 1) for size in sizes))))


def neighbours(site: Site, x: Value) -> Set:
    """`neighbours(x)`: the 4 or 6 cells that share a side with a cell; of a shape, those outside that touch it."""
    cells = shape_of(site, 0, x)
    site.budget.spend(6 * len(cells), site.span)
    near = {(*c[:axis], c[axis] + step, *c[axis + 1 :]) for c in cells for axis in range(len(c)) for step in (-1, 1)}
    return Set(near.difference(cells))


def rotate(site: Site, x: Value, times: Value = 1) -> Value:
    """`rotate(s)`, `rotate(s, k)`: a shape turned k quarter turns clockwise in rows and columns, pushed to 1.

    In space it is turned within its layers. A single cell is turned about (0, 0) and not pushed.
    """
    if not isinstance(times, int):
        raise site.fault(1, f"the number of quarter turns is a whole number, not {kind_of(times)}")
    cells = shape_of(site, 0, x)
    for _ in range(times % 4):
        cells = [(*c[:-2], c[-1], -c[-2]) for c in cells]
    return _shape_like(site, x, cells)


def reflect(site: Site, x: Value, axis: Value | None = None) -> Value:
    """`reflect(s)`: a shape turned over, its columns from right to left, pushed to 1; a cell (r, c) becomes (r, -c).

    `reflect(s, 1)` reverses the first coordinate, and so on.
    """
    cells = shape_of(site, 0, x)
    size = len(cells[0]) if cells else 2
    which = size if axis is None else axis
    if not isinstance(which, int) or not 1 <= which <= size:
        raise site.fault(1, f"a coordinate is a whole number from 1 to {size}, not {abbreviate(which)}")
    return _shape_like(site, x, [(*c[: which - 1], -c[which - 1], *c[which:]) for c in cells])


def translate(site: Site, x: Value, by: Value) -> Value:
    """`translate(s, (dr, dc))`: a shape, or a cell, moved by a step for each axis."""
    cells = shape_of(site, 0, x)
    if not _is_cell(by):
        raise site.fault(1, f"a step is (rows, columns) or (layers, rows, columns), not {abbreviate(by)}")
    assert isinstance(by, tuple)
    if cells and len(cells[0]) != len(by):
        raise site.fault(1, f"a step of {len(by)} numbers does not fit cells of {len(cells[0])}")
    site.budget.spend(len(cells), site.span)
    found = [tuple([x + d for x, d in zip(cell, by, strict=True)]) for cell in cells]
    return found[0] if isinstance(x, tuple) else Set(found)


def _shape_like(site: Site, x: Value, cells: list[Cell]) -> Value:
    site.budget.spend(len(cells), site.span)
    if isinstance(x, tuple):
        return cells[0]
    return Set(pushed(cells)) if cells else Set()


def orientations(site: Site, *args: Value) -> Set:
    """`orientations(piece)`, `orientations(piece, how)`: every way it may lie, each a set of cells pushed to 1.

    how: `fixed` as it is drawn, `onesided` turned, `free` turned and turned over; the default is `free` in the
    plane and `onesided` in space.
    """
    cells = shape_of(site, 0, args[0])
    if not cells:
        return Set()
    how = _how(site, args, 1, len(cells[0]))
    ways = len(motions(len(cells[0]), how))
    site.budget.spend(len(cells) * ways, site.span)
    return Set(Set(pushed(list(way))) for way in _lying(cells, how))


def placements(site: Site, *args: Value) -> Set:
    """`placements(piece, area)`, `placements(piece, area, how)`: every set of cells of the area that it can cover.

    how: as for `orientations`. Cost: orientations × cells of the area, times the piece's size where it fits.
    """
    cells, area = shape_of(site, 0, args[0]), shape_of(site, 1, args[1])
    if not cells or not area:
        return Set()
    if len(cells[0]) != len(area[0]):
        raise site.fault(
            1,
            "the piece is in the plane and the area in space"
            if len(cells[0]) == 2
            else "the piece is in space and the area in the plane",
        )
    how = _how(site, args, 2, len(cells[0]))
    room = frozenset(area)
    found: list[Set] = []
    budget, span = site.budget, site.span
    for way in _lying(cells, how):
        budget.step(len(area), span)
        places = _fitting_2(way, room) if len(way[0]) == 2 else _fitting_3(way, room)
        for place in places:  # built one by one, so that the budget stops it in time
            budget.step(len(place) // 8, span)
            if len(place) == len(way):
                budget.spend(len(place) + 1, span)
                found.append(Set(place))
    return Set(found)


def _fitting_2(way: tuple[Cell, ...], room: frozenset[Cell]) -> Iterator[list[Cell]]:
    """The copies of a plane shape in a room, with its first cell at each cell of the room in turn.

    Of a copy that does not fit, the cells that were tried are yielded too, if they are many, so that they are counted.
    """
    r0, c0 = way[0]
    rest = [(r - r0, c - c0) for r, c in way[1:]]
    for r, c in room:
        place: list[Cell] = [(r, c)]
        for dr, dc in rest:
            cell = (r + dr, c + dc)
            if cell not in room:
                break
            place.append(cell)
        if len(place) > 8 or len(place) == len(way):
            yield place


def _fitting_3(way: tuple[Cell, ...], room: frozenset[Cell]) -> Iterator[list[Cell]]:
    z0, r0, c0 = way[0]
    rest = [(z - z0, r - r0, c - c0) for z, r, c in way[1:]]
    for z, r, c in room:
        place: list[Cell] = [(z, r, c)]
        for dz, dr, dc in rest:
            cell = (z + dz, r + dr, c + dc)
            if cell not in room:
                break
            place.append(cell)
        if len(place) > 8 or len(place) == len(way):
            yield place


def symmetries(site: Site, area: Value) -> Set:
    """`symmetries(area)`: every motion, reflections too, that maps an area onto itself, the identity among them."""
    return _motions_onto(site, area, "free")


def rotations(site: Site, area: Value) -> Set:
    """`rotations(area)`: the rotations among `symmetries(area)`."""
    return _motions_onto(site, area, "onesided")


def _motions_onto(site: Site, area: Value, how: str) -> Set:
    """The motions that map an area, and its bounding box, onto itself."""
    cells = shape_of(site, 0, area)
    if not cells:
        raise site.fault(0, "an empty area has no symmetries")
    room = frozenset(cells)
    dimension = len(cells[0])
    low = [min(axis) for axis in zip(*cells, strict=True)]
    found = []
    tried = motions(dimension, how)
    site.budget.step(MOVED * len(cells) * len(tried), site.span)
    for motion in tried:
        image = moved(cells, motion)
        shift = tuple(least - min(axis) for least, axis in zip(low, zip(*image, strict=True), strict=True))
        isometry = Isometry(*motion, shift)
        if all(tuple([x + d for x, d in zip(cell, shift, strict=True)]) in room for cell in image):
            found.append(isometry)
    return Set(found)
