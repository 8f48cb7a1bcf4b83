"""`regions(area, k)`: every connected set of up to k cells of an area.

Each region is found once, from its first cell in order, by Redelmeier's algorithm ("Counting polyominoes: yet another
attack", 1981): a cell that was passed over is not looked at again below. There are many: on a board of 10 x 10 squares
6,233 of up to five squares, and three times as many for each further square. So they are counted before any is built.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from covr.compiler.evaluate.calls import Site
from covr.compiler.evaluate.faults import EvalFault
from covr.compiler.evaluate.geometry import shape_of
from covr.compiler.evaluate.values import Set, Value, kind_of


def regions(site: Site, area: Value, most: Value) -> Set:
    """`regions(area, k)`: the sets of one to k cells of the area that hang together, as cells touch in their lattice.

    Time and values O(cells of all regions). Raises EvalFault E210, before anything is built, if there are too many.
    """
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
    budget.spend(values, site.span)


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


__all__ = ["connected", "regions"]
