"""What an area consists of: its straight runs, its pairs of neighbours, the rectangles inside it, the frame of a grid.

An area is a set of cells in the plane or in space, as in geometry.py. Everything is a set of cells or of sets of cells,
so that it can be used like the result of `placements`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from covr.compiler.evaluate.calls import Site
from covr.compiler.evaluate.geometry import box, shape_of
from covr.compiler.evaluate.values import Map, Set, Value, kind_of
from covr.compiler.lattices.lattice import Cell


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
    """`runs(area)`: the straight runs of two cells or more that cannot be made longer, each a set of cells.

    Time and values O(cells).
    """
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
            site.budget.spend(len(run) + 1, site.span)
            found.append(Set(map(lattice.cell, run)))
    return Set(found)


def edges(site: Site, area: Value) -> Set:
    """`edges(area)`: the pairs of cells of the area that touch, each a set of two. Time and values O(cells)."""
    shape = shape_of(site, 0, area)
    lattice, room = shape.lattice, frozenset(shape.cells)
    if shape.cells:
        site.budget.spend(3 * len(lattice.near(shape.cells[0])) * len(shape.cells) // 2, site.span)
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
            site.budget.spend(len(window) + 1, site.span)
            found.append(Set.in_order(tuple(window)))
            continue
        site.budget.step(1 + len(window) // 8, site.span)
    return Set(found)


def _next(cell: Cell, step: Cell, times: int) -> Cell:
    return tuple([x + times * d for x, d in zip(cell, step, strict=True)])


def _block(first: Cell, sizes: list[int]) -> Iterator[Cell]:
    """The cells of a rectangle or block, in documented order."""
    return product(*(range(x, x + size) for x, size in zip(first, sizes, strict=True)))
