"""What the choices of a model are on a board of its kind: parts of the table, one for each usual family."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from covr.links.board import Place, Value
from covr.links.kind import OnBoard


def shaded(family: str = "shade", layer: str = "shaded") -> OnBoard:
    """`shade(r, c)`: a cell with a mark."""
    return OnBoard(layer, family, lambda r, c: [((r, c), 1)])


def shaded_at(family: str = "shade", layer: str = "shaded") -> OnBoard:
    """`shade(x)`: a cell with a mark, where the model's key is the cell."""
    return OnBoard(layer, family, lambda x: [(x, 1)])


def numbers(family: str = "place", layer: str = "number") -> OnBoard:
    """`place(r, c, d)`: a cell with a number."""
    return OnBoard(layer, family, lambda r, c, d: [((r, c), d)])


def drawn(family: str = "draw", layer: str = "line") -> OnBoard:
    """`draw({x, y})`: a line between the middles of two cells that touch; what else the choice says does not matter."""
    return OnBoard(layer, family, lambda ends, *_: [(tuple(sorted(ends)), 1)])


def edges(family: str = "draw", layer: str = "line") -> OnBoard:
    """`draw({x, y})`: a line between two corners: the border between two cells."""
    return OnBoard(layer, family, lambda ends: [(border_at(*sorted(ends)), 1)])


def border_at(a: Place, b: Place) -> Place:
    """The border that runs from one corner to the next, as the pair of cells on its sides."""
    (r, c), (i, _) = a, b
    return ((r - 1, c), (r, c)) if r == i else ((r, c - 1), (r, c))


def stretch(r: int, c: int, down: int, across: int, size: int) -> Iterator[tuple[Place, Value]]:
    """So many shaded cells in a line."""
    for k in range(size):
        yield (r + down * k, c + across * k), 1


def regions(family: str = "own") -> tuple[OnBoard, ...]:
    """`own(x, k)`: a cell and the name of its region; what else the choice says does not matter. Lines that part no
    regions are drawn by no choice."""
    return OnBoard("region", family, lambda x, k, *_: [(x, k)]), OnBoard("loose", "", lambda *_: [])


def pieces(family: str = "lay", named: bool = False) -> tuple[OnBoard, ...]:
    """`lay(s, …)`: the cells of a region. named: the region's name is what comes next, and not its first cell."""

    def shown(region: Iterable[Place], *more: Value) -> Iterator[tuple[Place, Value]]:
        found = sorted(region)
        return ((cell, more[0] if named else found[0]) for cell in found)

    return OnBoard("region", family, shown), OnBoard("loose", "", lambda *_: [])
