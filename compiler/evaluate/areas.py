"""What an area consists of: its straight runs, its pairs of neighbours, the rectangles inside it, the frame of a grid.

An area is a set of cells in the plane or in space, as in geometry.py. Everything is a set of cells or of sets of cells,
so that it can be used like the result of `placements`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from covr.compiler.evaluate.calls import Site
from covr.compiler.evaluate.geometry import box, shape_of
from covr.compiler.evaluate.values import Cell, Map, Set, Value, kind_of


def frame(site: Site, grid: Value) -> Set:
    """`frame(g)`: every place of a grid's picture, blank or not: (1, 1) to (rows, columns)."""
    if not isinstance(grid, Map):
        raise site.fault(0, f"`frame` wants a grid, not {kind_of(grid)}")
    if grid.shape is None:
        raise site.fault(0, "this map has no picture, so that the number of its rows and columns is not known")
    return box(site, *grid.shape)


def runs(site: Site, area: Value) -> Set:
    """`runs(area)`: the straight runs of two cells or more that cannot be made longer, each a set of cells.

    Time and values O(cells).
    """
    cells = shape_of(site, 0, area)
    room = frozenset(cells)
    site.budget.step(len(cells), site.span)
    found: list[Set] = []
    for axis in range(len(cells[0]) if cells else 0):
        for first in cells:
            if _next(first, axis, -1) in room:
                continue
            run = [first]
            while (cell := _next(run[-1], axis, 1)) in room:
                run.append(cell)
            if len(run) > 1:
                site.budget.spend(len(run) + 1, site.span)
                found.append(Set.in_order(tuple(run)))
    return Set(found)


def edges(site: Site, area: Value) -> Set:
    """`edges(area)`: the pairs of neighbours inside the area, each a set of two cells. Time and values O(cells)."""
    cells = shape_of(site, 0, area)
    room = frozenset(cells)
    site.budget.spend(3 * sum(map(len, cells)), site.span)
    near = ((cell, _next(cell, axis, 1)) for cell in room for axis in range(len(cell)))
    return Set([Set.in_order(pair) for pair in near if pair[1] in room])


def windows(site: Site, area: Value, *sides: Value) -> Set:
    """`windows(area, h, w)`, in space `windows(area, d, h, w)`: the rectangles of this size inside the area, each a set
    of cells; none if a side is 0 or less. Time and values O(cells · size of a window)."""
    cells = shape_of(site, 0, area)
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


def _next(cell: Cell, axis: int, by: int) -> Cell:
    return (*cell[:axis], cell[axis] + by, *cell[axis + 1 :])


def _block(first: Cell, sizes: list[int]) -> Iterator[Cell]:
    """The cells of a rectangle or block, in documented order."""
    return product(*(range(x, x + size) for x, size in zip(first, sizes, strict=True)))
