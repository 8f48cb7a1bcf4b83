"""What the choices of a model are on a board of its kind: parts of the table, one for each usual family."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from covr.links.board import Board, Place, Value
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


def walls(family: str = "wall") -> tuple[OnBoard, ...]:
    """`wall({x, y})`: the border between two cells of unlike regions."""
    return (OnBoard("edge", family, lambda cells: [(tuple(sorted(cells)), 1)]),)


def outlined(
    family: str = "lay",
    holes: Callable[[Board], Collection[Place]] = lambda board: (),
    printed: str = "border",
    first: int = 1,
) -> Callable[[Board], tuple[OnBoard, ...]]:
    """`lay(s, …)`: the borders around the cells of a region, but for those of the board, of holes, and printed ones.

    first: the row and column of the model's first cell."""

    def shown(board: Board) -> tuple[OnBoard, ...]:
        none, lines = holes(board), board.layer(printed)
        inside = {(r, c) for r in range(1, board.height + 1) for c in range(1, board.width + 1)} - set(none)

        def rim(region: Iterable[Place], *_: Value) -> Iterator[tuple[Place, Value]]:
            found = {(r - first + 1, c - first + 1) for r, c in region}
            for r, c in found:
                for other in ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)):
                    pair = tuple(sorted(((r, c), other)))
                    if other in inside - found and pair not in lines:
                        yield pair, 1

        return (OnBoard("edge", family, rim),)

    return shown
