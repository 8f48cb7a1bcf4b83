"""Cells, shapes and areas: boxes, neighbours, motions, placements, regions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress, product
from typing import Final

from covr.compiler import lattices
from covr.compiler.evaluate.calls import Site
from covr.compiler.evaluate.limits import EvalFault
from covr.compiler.evaluate.values import (
    Isometry,
    Map,
    Motion,
    Piece,
    Rng,
    Seq,
    Set,
    Truth,
    Value,
    abbreviate,
    kind_of,
    set_of_copies,
    truth,
)
from covr.compiler.lattices import CUBES, HEX, LATTICES, SQUARE, TRIANGLE, Cell, Lattice, Matrix, lattice_of, shifted
from covr.frozen import frozen

# --- geometry --------------------------------------------------------------------------------------------------------
# Cells and shapes: boxes, neighbours, motions, orientations, placements, symmetries of an area.
#
# A cell is (row, column) in the plane, (layer, row, column) in space, or a cell of another lattice; a shape is a set of
# cells of one lattice. What is done to cells, the lattice says (see compiler/lattices); here the arguments are checked.


MOVED: Final = 4  # how many steps it counts as to move a cell and to check that it is one

SPARSE: Final = 16  # an area is sparse if there are so many numbers for each of its cells; see `_Numbers`
ONE: Final = ord("1")
DIGITS: Final = bytes.maketrans(b"01", bytes((0, 1)))

HOW: Final = ("fixed", "onesided", "free")


# --- arguments --------------------------------------------------------------------------------------------


@frozen
class CellShape:
    """The cells of an argument, as plain coordinates, and their lattice. single: the argument is one cell."""

    lattice: Lattice
    cells: list[Cell]
    single: bool = False


def shape_of(site: Site, position: int, value: Value) -> CellShape:
    """An argument that is a piece, a set or list of cells, or one cell. Raises EvalFault for anything else, and for
    cells of several lattices."""
    single = isinstance(value, tuple)
    if isinstance(value, Piece):
        value = value.cells
    if isinstance(value, tuple):
        value = Set((value,))
    if not isinstance(value, Set | Seq):
        help = ""
        if isinstance(value, str):
            help = "a letter alone does not know its cells: take the piece from its set (`p in pieces`)"
        raise site.fault(position, f"this wants a piece or a set of cells, not {kind_of(value)}", help)
    if isinstance(value, Rng):
        found: dict[Lattice | None, Value] = dict.fromkeys([None], value.low) if value.size else {}
    else:
        found = {lattice_of(v): v for v in value}
    if None in found:
        odd = found[None] if isinstance(value, Rng) else next(v for v in value if lattice_of(v) is None)
        raise site.fault(position, f"a cell is (row, column) or (layer, row, column), and {abbreviate(odd)} is neither")
    lattices = [lattice for lattice in found if lattice is not None]
    if {SQUARE, CUBES} == set(lattices):
        raise site.fault(position, "some of these cells are in the plane and some in space")
    if len(lattices) > 1:
        one, other = lattices[:2]
        raise site.fault(
            position, f"these cells are of two lattices: {show_kind(one)} and {show_kind(other)}, which do not mix"
        )
    lattice = lattices[0] if lattices else SQUARE
    cells: list[Cell] = list(value) if lattice.plain else [v.at for v in value]  # type: ignore[arg-type, union-attr]
    if len({lattice.separate(at) for at in cells}) > 1:
        raise site.fault(position, f"{lattice.rule}: these cells do not lie on one board")
    return CellShape(lattice, cells, single)


def show_kind(lattice: Lattice) -> str:
    """What a message calls the cells of a lattice."""
    return f"`{lattice.name}`"


def lattice_named(site: Site, position: int, value: Value) -> Lattice:
    """A lattice given by its name, such as `hex`. Raises EvalFault for anything else."""
    found = LATTICES.get(str(value)) if isinstance(value, str) else None
    if found is None:
        names = ", ".join(f"`{name}`" for name in LATTICES)
        raise site.fault(position, f"a lattice is one of {names}, not {abbreviate(value)}")
    return found


def _how(site: Site, args: tuple[Value, ...], position: int, dimension: int) -> str:
    if len(args) <= position:
        return "free" if dimension == 2 else "onesided"
    how = args[position]
    if isinstance(how, str) and str(how) in HOW:
        return str(how)
    raise site.fault(position, f"how a piece may lie is `fixed`, `onesided` or `free`, not {abbreviate(how)}")


# --- cells ------------------------------------------------------------------------------------------------


def cell(site: Site, name: str, *coordinates: Value) -> Cell:
    """`hex(r, c)`, `triangle(r, c)`, `sticks(r, c)`, `balls(z, r, c)`: a cell of a lattice. Raises EvalFault if there
    is none at these coordinates."""
    lattice = LATTICES[name]
    at: list[int] = []
    for position, x in enumerate(coordinates):
        if not isinstance(x, int):
            raise site.fault(position, f"a coordinate is a whole number, not {kind_of(x)}")
        at.append(x)
    if not lattice.holds(tuple(at)):
        raise EvalFault.at(site.span, "E206", f"{lattice.rule}; at {tuple(at)} there is none")
    return lattice.cell(tuple(at))


def hexagon(site: Site, side: Value, lattice: Value = "hex") -> Set:
    """`hexagon(n)`: a hexagon with n hexagons along each side; `hexagon(n, triangle)`: of triangles, n on each side."""
    if not isinstance(side, int) or side < 1:
        raise site.fault(0, f"the side of a hexagon is a whole number from 1, not {abbreviate(side)}")
    made = lattice_named(site, 1, lattice)
    if made not in (HEX, TRIANGLE):
        raise site.fault(1, f"a hexagon consists of cells of `hex` or `triangle`, not of {show_kind(made)}")
    site.budget.count_values(6 * side * side, site.span)
    found = lattices.hexagon(side) if made is HEX else lattices.hexagon_of_triangles(side)
    return Set.in_order(tuple([made.cell(at) for at in found]))


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
    site.budget.count_values(count, site.span)
    if count == 0:
        return Set()
    return Set.in_order(tuple(product(*(range(1, size + 1) for size in sizes))))


def neighbours(site: Site, x: Value) -> Set:
    """`neighbours(x)`: the cells that touch a cell; of a shape, those outside that touch it."""
    own = lattice_of(x) if type(x) is tuple else None
    if own is not None and own.plain:  # as most models ask
        touching = sorted(own.near(x))  # type: ignore[arg-type]
        site.budget.count_values(len(touching), site.span)
        return Set.in_order(tuple(touching))
    shape = shape_of(site, 0, x)
    lattice, cells = shape.lattice, shape.cells
    site.budget.count_values(sum(len(lattice.near(at)) for at in cells[:1]) * len(cells), site.span)
    near = {n for at in cells for n in lattice.near(at)}
    return Set(map(lattice.cell, near.difference(cells)))


# --- motions ----------------------------------------------------------------------------------------------


def rotate(site: Site, x: Value, times: Value = 1) -> Value:
    """`rotate(s)`, `rotate(s, k)`: a shape turned k steps clockwise in rows and columns, pushed to 1: quarter turns, or
    sixths where the lattice has six. In space it is turned within its layers. A single cell is turned about (0, 0) and
    not pushed."""
    if not isinstance(times, int):
        raise site.fault(1, f"the number of quarter turns is a whole number, not {kind_of(times)}")
    shape = shape_of(site, 0, x)
    cells = shape.cells
    for _ in range(times % shape.lattice.turns):
        cells = _mapped(shape, cells, shape.lattice.turn)
    return _shape_like(site, shape, cells)


def _mapped(shape: CellShape, cells: list[Cell], motion: Matrix) -> list[Cell]:
    """Cells after a linear motion. A single hexagon whose line + column is odd stays one of that kind."""
    moved = shape.lattice.moved(cells, motion)
    if shape.single and shape.lattice.separate(cells[0]):
        moved = [(r, c + 1) for r, c in moved]
    return moved


def reflect(site: Site, x: Value, axis: Value | None = None) -> Value:
    """`reflect(s)`: a shape turned over, its columns from right to left, pushed to 1; a cell (r, c) becomes (r, -c).
    `reflect(s, 1)` reverses the first coordinate, and so on."""
    shape = shape_of(site, 0, x)
    size = shape.lattice.axes
    which = size if axis is None else axis
    if not isinstance(which, int) or not 1 <= which <= size:
        raise site.fault(1, f"a coordinate is a whole number from 1 to {size}, not {abbreviate(which)}")
    return _shape_like(site, shape, _mapped(shape, shape.cells, shape.lattice.flips[which - 1]))


def translate(site: Site, x: Value, by: Value) -> Value:
    """`translate(s, (dr, dc))`: a shape, or a cell, moved by a step for each axis."""
    shape = shape_of(site, 0, x)
    if not isinstance(by, tuple) or lattice_of(by) not in (SQUARE, CUBES):
        raise site.fault(1, f"a step is (rows, columns) or (layers, rows, columns), not {abbreviate(by)}")
    if shape.cells and shape.lattice.axes != len(by):
        raise site.fault(1, f"a step of {len(by)} numbers does not fit cells of {shape.lattice.axes}")
    if shape.cells and not shape.lattice.steps(by):
        raise site.fault(1, f"a step of {abbreviate(by)} carries no {show_kind(shape.lattice)} to one of its kind")
    site.budget.count_values(len(shape.cells), site.span)
    found = [shape.lattice.cell(at) for at in shifted(shape.cells, by)]
    return found[0] if shape.single else Set(found)


def _shape_like(site: Site, shape: CellShape, cells: list[Cell]) -> Value:
    site.budget.count_values(len(cells), site.span)
    if shape.single:
        return shape.lattice.cell(cells[0])
    return Set(map(shape.lattice.cell, shape.lattice.pushed(cells))) if cells else Set()


def orientations(site: Site, *args: Value) -> Set:
    """`orientations(piece)`, `orientations(piece, how)`: every way it may lie, each a set of cells pushed to 1. how:
    `fixed` as it is drawn, `onesided` turned, `free` turned and turned over; the default is `free` in the plane and
    `onesided` in space."""
    shape = shape_of(site, 0, args[0])
    if not shape.cells:
        return Set()
    lattice = shape.lattice
    how = _how(site, args, 1, lattice.axes)
    site.budget.count_values(len(shape.cells) * len(lattice.allowed(how)), site.span)
    return Set(Set(map(lattice.cell, way)) for way in lattice.ways(shape.cells, how))


def shape(site: Site, *args: Value) -> Value:
    """`shape(piece)`, `shape(piece, how)`: the first of its orientations, which congruent pieces share."""
    found = orientations(site, *args)
    return found if not found else found.ordered[0]


# --- placements -------------------------------------------------------------------------------------------


def placements(site: Site, *args: Value) -> Set:
    """`placements(piece, area)`, `placements(piece, area, how)`: every set of cells of the area that it can cover. how:
    as for `orientations`. A piece of squares in an area in space is turned in space. Cost: orientations × cells of the
    area, times the piece's size where it fits."""
    piece, area = shape_of(site, 0, args[0]), shape_of(site, 1, args[1])
    if not piece.cells or not area.cells:
        return Set()
    lattice, cells = area.lattice, piece.cells
    if piece.lattice is SQUARE and lattice is CUBES:
        cells = [(1, r, c) for r, c in cells]
    elif piece.lattice is not lattice:
        raise site.fault(1, _unlike(piece.lattice, lattice))
    how = _how(site, args, 2, lattice.axes)
    return _placed(site, lattice, lattice.ways(cells, how), area.cells)


def _placed(site: Site, lattice: Lattice, ways: list[tuple[Cell, ...]], area: list[Cell]) -> Set:
    """Every copy of some shapes of one size inside an area, in documented order.

    Two copies that begin at one cell are in the order of their shapes, compared by the steps from the first cell; so
    everything is sorted by numbers. A cell is one number here, in the order of cells: `_Numbers`. In an area that is
    not `SPARSE`, these are the bits of one whole number, and the cells that a shape may begin at are found by shifting
    it by each step of the shape.
    """
    numbers = _Numbers.of(area, ways)
    room = dict(zip(numbers.of_all(area), map(lattice.cell, area), strict=True))
    starts: dict[int, list[int]] = {}
    for n, facing in sorted(zip(room, map(lattice.facing, area), strict=True)):
        starts.setdefault(facing, []).append(n)
    least, most = min(room), max(room)
    dense = most - least < SPARSE * len(room)
    line = [room.get(n) for n in range(least, most + 1)] if dense else []
    everywhere = _bits([n - least for n in room], len(line))
    shapes = sorted((_steps(numbers.of_all(way)), way[0]) for way in ways)
    found: dict[int, Set] = {}
    for rank, (steps, first) in enumerate(shapes):
        site.budget.step(len(room), site.span)
        fitting = starts.get(lattice.facing(first), [])
        if dense:
            bits = _bits([n - least for n in fitting], len(line))
            for step in steps[1:]:
                site.budget.step(bits.bit_count() // 8, site.span)
                bits &= everywhere >> step
            taken = _flags(bits)
            fitting = list(compress(range(least, most + 1), taken))
            columns = [list(compress(line[step:], taken)) for step in steps]
        else:
            for step in steps[1:]:
                site.budget.step(len(fitting) // 8, site.span)
                fitting = [n for n in fitting if n + step in room]
            columns = [[room[n + step] for n in fitting] for step in steps]
        site.budget.count_values(len(fitting) * (len(steps) + 1), site.span)
        copies = Set.all_in_order(zip(*columns, strict=True))
        found.update(zip([n * len(shapes) + rank for n in fitting], copies, strict=True))
    return set_of_copies(tuple(map(found.__getitem__, sorted(found))))


def _steps(cells: list[int]) -> list[int]:
    """How far each of some numbered cells is from the first."""
    return [n - cells[0] for n in cells]


def _bits(numbers: list[int], size: int) -> int:
    """A whole number that has these bits, each less than `size`. Time linear in `size`."""
    digits = bytearray(b"0") * size
    for n in numbers if size else ():
        digits[-1 - n] = ONE
    return int(digits or b"0", 2)


def _flags(bits: int) -> bytes:
    """The bits of a whole number from the lowest on, each a byte 0 or 1. Time linear in their number."""
    return f"{bits:b}"[::-1].encode().translate(DIGITS)


@frozen
class _Numbers:
    """Whole numbers for cells, in the order of the cells, such that a step is a difference: also the cells just outside
    an area that a shape reaches have numbers of their own. sides: how many numbers each axis but the first takes."""

    sides: tuple[int, ...]

    @classmethod
    def of(cls, area: list[Cell], shapes: list[tuple[Cell, ...]]) -> _Numbers:
        """Numbers for an area, and for shapes that are moved about in it."""
        reach = max(max(axis) - min(axis) + 1 for shape in shapes for axis in zip(*shape, strict=True))
        return cls(tuple([max(axis) - min(axis) + 1 + 2 * reach for axis in zip(*area, strict=True)][1:]))

    def of_all(self, cells: Sequence[Cell]) -> list[int]:
        """The numbers of some cells."""
        found = [at[0] for at in cells]
        for axis, side in enumerate(self.sides, 1):
            found = [n * side + at[axis] for n, at in zip(found, cells, strict=True)]
        return found


def _unlike(piece: Lattice, area: Lattice) -> str:
    """Why a piece of one lattice does not lie in an area of another."""
    if (piece, area) == (CUBES, SQUARE):
        return "the piece is in space and the area in the plane"
    return f"the piece consists of {show_kind(piece)} cells and the area of {show_kind(area)} cells"


# --- symmetries -------------------------------------------------------------------------------------------


def symmetries(site: Site, area: Value) -> Set:
    """`symmetries(area)`: every motion, reflections too, that maps an area onto itself, the identity among them."""
    return _motions_onto(site, area, "free")


def rotations(site: Site, area: Value) -> Set:
    """`rotations(area)`: the rotations among `symmetries(area)`."""
    return _motions_onto(site, area, "onesided")


def _motions_onto(site: Site, area: Value, how: str) -> Set:
    """The motions that map an area, and its bounding box, onto itself."""
    shape = shape_of(site, 0, area)
    if not shape.cells:
        raise site.fault(0, "an empty area has no symmetries")
    lattice = shape.lattice
    room = frozenset(shape.cells)
    low = [min(axis) for axis in zip(*shape.cells, strict=True)]
    found: list[Isometry | Motion] = []
    tried = lattice.allowed(how)
    site.budget.step(MOVED * len(room) * len(tried), site.span)
    for motion in tried:
        image = lattice.moved(shape.cells, motion)
        step = tuple(least - min(axis) for least, axis in zip(low, zip(*image, strict=True), strict=True))
        if lattice.steps(step) and room.issuperset(shifted(image, step)):
            found.append(_isometry(motion, step) if lattice.plain else Motion(lattice, motion, step))
    return Set(found)


def _isometry(motion: Matrix, step: Cell) -> Isometry:
    """A motion of squares or cubes: each row of its matrix has one number that is not 0."""
    axes = tuple(next(a for a, x in enumerate(row) if x) for row in motion)
    return Isometry(axes, tuple(sum(row) for row in motion), step)


# --- regions ---------------------------------------------------------------------------------------------------------
# `regions(area, k)`: every connected set of up to k cells of an area. They are counted before any is built.
#
# Each region is found once, from its first cell in order, by Redelmeier's algorithm ("Counting polyominoes: yet another
# attack", 1981): a cell that was passed over is not looked at again below.


def regions(site: Site, area: Value, most: Value) -> Set:
    """`regions(area, k)`: the sets of one to k cells of the area that hang together, as cells touch in their lattice.
    Time and values O(cells of all regions). Raises EvalFault E210, before anything is built, if there are too many."""
    shape = shape_of(site, 0, area)
    if not isinstance(most, int):
        raise site.fault(1, f"the number of cells of a region is a whole number, not {kind_of(most)}")
    cells = sorted(shape.cells)
    number = {cell: n for n, cell in enumerate(cells)}
    near = [[number[other] for other in shape.lattice.near(cell) if other in number] for cell in cells]
    size = min(most, len(cells))
    _check_count(site, near, size)
    named = [shape.lattice.cell(cell) for cell in cells]
    return Set([Set(map(named.__getitem__, region)) for region in connected(near, size)])


def _check_count(site: Site, near: Sequence[Sequence[int]], size: int) -> None:
    """Count the regions and their cells, and spend them. Raises EvalFault E210 as soon as there are too many."""
    budget = site.budget
    left = budget.limits.values - budget.values
    values = 0
    for count, region in enumerate(connected(near, size)):
        values += len(region) + 1
        budget.step(1, site.span)
        if values > left:
            message = (
                f"there are more than {count:,} regions of up to {size} cells here, "
                f"and the limit `values` ({budget.limits.values:,}) has no room for more"
            )
            help = "ask for smaller regions, or for those of a part of the area"
            raise EvalFault.at(site.span, "E210", message, help)
    budget.count_values(values, site.span)


def connected(near: Sequence[Sequence[int]], most: int) -> Iterator[tuple[int, ...]]:
    """Every connected set of 1 to `most` vertices, each once. near: the neighbours of each vertex."""
    for first in range(len(near) if most > 0 else 0):
        todo: list[tuple[tuple[int, ...], list[int], frozenset[int]]] = [
            ((first,), [n for n in near[first] if n > first], frozenset((first, *near[first])))
        ]
        while todo:
            region, untried, met = todo.pop()
            yield region
            if len(region) == most:
                continue
            for at, vertex in enumerate(untried):
                fresh = [n for n in near[vertex] if n > first and n not in met]
                todo.append(((*region, vertex), untried[at + 1 :] + fresh, met.union(fresh)))


# --- areas -----------------------------------------------------------------------------------------------------------
# What an area consists of: its straight runs, its pairs of neighbours, the rectangles inside it, the frame of a grid.
#
# An area is a set of cells in the plane or in space, as in geometry.py. Everything is a set of cells or of sets of
# cells, so that it can be used like the result of `placements`.


def frame(site: Site, grid: Value) -> Set:
    """`frame(g)`: every place of the picture of a grid, blank or not: a box, or the cells of a lattice."""
    if not isinstance(grid, Map):
        raise site.fault(0, f"`frame` wants a grid, not {kind_of(grid)}")
    if grid.places is not None:
        return grid.places
    if grid.shape is None:
        raise site.fault(0, "this map has no picture, so that the number of its rows and columns is not known")
    return box(site, *grid.shape)


def runs(site: Site, area: Value) -> Set:
    """`runs(area)`: the straight runs of two cells or more that cannot be made longer, each a set of cells. Time and
    values O(cells)."""
    shape = shape_of(site, 0, area)
    lattice, room = shape.lattice, frozenset(shape.cells)
    site.budget.step(len(shape.cells), site.span)
    found: list[Set] = []
    for steps in lattice.directions:
        after = {at: there for at in shape.cells if (there := _next(at, steps[lattice.facing(at)], 1)) in room}
        for first in after.keys() - after.values():
            run = [first]
            while run[-1] in after:
                run.append(after[run[-1]])
            site.budget.count_values(len(run) + 1, site.span)
            found.append(Set(map(lattice.cell, run)))
    return Set(found)


def edges(site: Site, area: Value) -> Set:
    """`edges(area)`: the pairs of cells of the area that touch, each a set of two. Time and values O(cells)."""
    shape = shape_of(site, 0, area)
    lattice, room = shape.lattice, frozenset(shape.cells)
    if shape.cells:
        site.budget.count_values(3 * len(lattice.near(shape.cells[0])) * len(shape.cells) // 2, site.span)
    near = ((cell, other) for cell in room for other in lattice.near(cell) if cell < other)
    return Set([Set.in_order((lattice.cell(a), lattice.cell(b))) for a, b in near if b in room])


def windows(site: Site, area: Value, *sides: Value) -> Set:
    """`windows(area, h, w)`, in space `windows(area, d, h, w)`: the rectangles of this size inside the area, each a set
    of cells; none if a side is 0 or less. Time and values O(cells · size of a window)."""
    shape = shape_of(site, 0, area)
    cells = shape.cells
    if not shape.lattice.plain:
        raise site.fault(0, f"a window consists of squares or cubes, and these cells are of `{shape.lattice.name}`")
    for position, side in enumerate(sides, 1):
        if not isinstance(side, int):
            raise site.fault(position, f"a side of a window is a whole number, not {kind_of(side)}")
    sizes = [side for side in sides if isinstance(side, int)]
    if cells and len(cells[0]) != len(sizes):
        where = "in the plane, and a window there has 2" if len(cells[0]) == 2 else "in space, and a window there has 3"
        raise site.fault(len(sizes), f"the area is {where} sides, not {len(sizes)}")
    if min(sizes) < 1:
        return Set()
    room = frozenset(cells)
    low, high = ([f(axis) for axis in zip(*cells, strict=True)] if cells else [] for f in (min, max))
    if any(size > b - a + 1 for size, a, b in zip(sizes, low, high, strict=False)):
        return Set()
    found: list[Set] = []
    for first in cells:
        window: list[Cell] = []
        for cell in _block(first, sizes):
            if cell not in room:
                break
            window.append(cell)
        else:
            site.budget.count_values(len(window) + 1, site.span)
            found.append(Set.in_order(tuple(window)))
            continue
        site.budget.step(1 + len(window) // 8, site.span)
    return Set(found)


def rectangles(site: Site, area: Value, count: Value | None = None) -> Set:
    """`rectangles(area)`: every rectangle of squares inside the area, each a set of cells; `rectangles(area, k)`: those
    of k squares. Time and values O(cells of all rectangles)."""
    shape = shape_of(site, 0, area)
    if not shape.lattice.plain or shape.lattice.axes != 2:
        raise site.fault(0, f"a rectangle consists of squares, and these cells are of `{shape.lattice.name}`")
    if count is not None and not isinstance(count, int):
        raise site.fault(1, f"the number of squares of a rectangle is a whole number, not {kind_of(count)}")
    room = frozenset(shape.cells)
    found: list[Set] = []
    for r, c in shape.cells:
        width = len(room)  # as wide as all lines down to this one allow
        for height in range(1, len(room) + 1):
            width = _free(room, (r + height - 1, c), width if count is None else min(width, count // height))
            site.budget.step(1 + width, site.span)
            if width < 1:
                break
            for w in range(1, width + 1) if count is None else [count // height] * (count == height * width):
                site.budget.count_values(height * w + 1, site.span)
                found.append(Set.in_order(tuple(_block((r, c), [height, w]))))
    return Set(found)


def _free(room: frozenset[Cell], first: Cell, most: int) -> int:
    """How many squares of a room follow each other to the right from this one on, `most` at most."""
    r, c = first
    return next((w for w in range(most) if (r, c + w) not in room), most)


def border(site: Site, area: Value) -> Set:
    """`border(area)`: where an area ends: pairs of a cell of it and one outside that touch, each a set of two. Time and
    values O(cells)."""
    shape = shape_of(site, 0, area)
    lattice, room = shape.lattice, frozenset(shape.cells)
    pairs = [(cell, other) for cell in room for other in lattice.near(cell) if other not in room]
    site.budget.count_values(3 * len(pairs) + len(room), site.span)
    return Set([Set((lattice.cell(a), lattice.cell(b))) for a, b in pairs])


def parts(site: Site, area: Value) -> Set:
    """`parts(area)`: the largest sets of cells of an area that hang together. Time and values O(cells)."""
    shape = shape_of(site, 0, area)
    lattice, left = shape.lattice, set(shape.cells)
    site.budget.count_values(2 * len(left) + 1, site.span)
    found: list[Set] = []
    while left:
        part = [left.pop()]
        for cell in part:
            near = left.intersection(lattice.near(cell))
            left -= near
            part += near
        found.append(Set(map(lattice.cell, part)))
    return Set(found)


def between(site: Site, one: Value, other: Value) -> Set:
    """`between(a, b)`: the cells that lie between two cells on a straight line; none if they lie on no such line. Lines
    are those of `runs`, and the diagonals of squares and cubes. Time and values O(distance)."""
    first, last = shape_of(site, 0, one), shape_of(site, 1, other)
    for position, shape in enumerate((first, last)):
        if not shape.single:
            raise site.fault(position, "what lies between is asked of two cells, not of sets or pieces")
    lattice, (a,), (b,) = _one_lattice(site, first, last), first.cells, last.cells
    apart = [y - x for x, y in zip(a, b, strict=True)]
    far = max(map(abs, apart)) if lattice.plain else sum(map(abs, apart))
    if lattice.plain and not all(abs(d) in (0, far) for d in apart):
        return Set()
    straight = [(tuple([(d > 0) - (d < 0) for d in apart]),)] if lattice.plain else lattice.directions
    for steps in straight:
        for at, end in ((a, b), (b, a)):
            site.budget.count_values(far + 1, site.span)
            found: list[Cell] = []
            while at != end and len(found) < far:
                at = _next(at, steps[lattice.facing(at)], 1)
                found.append(at)
            if found and at == end:
                return Set(map(lattice.cell, found[:-1]))
    return Set()


def touches(site: Site, one: Value, other: Value) -> Truth:
    """`touches(a, b)`: whether a cell of a and one of b, which are cells or sets of them, touch. Nothing is built. Time
    O(cells of the smaller one)."""
    shapes = shape_of(site, 0, one), shape_of(site, 1, other)
    lattice = _one_lattice(site, *shapes)
    few, many = sorted([shape.cells for shape in shapes], key=len)
    site.budget.step(1 + len(many), site.span)
    room = frozenset(many)
    return truth(any(n in room for at in few for n in lattice.near(at)))


def _one_lattice(site: Site, one: CellShape, other: CellShape) -> Lattice:
    """The lattice of the cells of both. Raises EvalFault where there are two."""
    if one.cells and other.cells and one.lattice is not other.lattice:
        names = f"{show_kind(one.lattice)} and {show_kind(other.lattice)}"
        raise site.fault(1, f"these cells are of two lattices: {names}, which do not mix")
    return one.lattice if one.cells else other.lattice


def _next(cell: Cell, step: Cell, times: int) -> Cell:
    return tuple([x + times * d for x, d in zip(cell, step, strict=True)])


def _block(first: Cell, sizes: list[int]) -> Iterator[Cell]:
    """The cells of a rectangle or block, in documented order."""
    return product(*(range(x, x + size) for x, size in zip(first, sizes, strict=True)))
