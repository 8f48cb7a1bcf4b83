"""Where the places of a layer lie in the picture of the compiled model.

A grid may have a place for each square of the picture, for each corner, or for each square, border and corner: with
twice as many rows, less or more one. Which it is follows from the sizes and, where they leave a doubt, from where what
stands in the grid is drawn. A place (r, c) of a grid then lies at scale × (r, c) + (down, across) in the coordinates of
the picture, in which the middle of a border lies halfway between two places.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from covr.dsl import syntax as s

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.display.prints import Picture

Spot = tuple[float, float]
# scale, offset of both coordinates, and how many rows a grid has for so many of the picture: times × rows + more
WAYS: tuple[tuple[float, float, int, int], ...] = (
    (1.0, 0.0, 1, 0),  # a place is a square
    (1.0, 0.5, 1, -1),  # the picture shows corners, the grid squares between them
    (0.5, 0.5, 2, -1),  # squares, and what is between them
    (0.5, 0.0, 2, 1),  # squares, and what is around them
    (1.0, -0.5, 1, 1),  # corners, also those of the rim
)


def geometry(compiled: Compiled) -> dict[str, Any]:
    """board: the first and last row and column of the first picture with two coordinates, or None without any;
    picture: its number; lattice: its own. layers: by the name of each grid, its `scale`, `down` and `across`."""
    pictures = [(n, p) for n, p in enumerate(compiled.puzzle()) if p.axes == 2]
    if not pictures:
        return {"board": None, "picture": 0, "lattice": "square", "layers": {}}
    number, picture = pictures[0]
    lattice = "square" if picture.lattice is None else picture.lattice.name
    rows, cols = [[at[axis] for at in picture.places] for axis in (0, 1)]
    if not rows:
        return {"board": None, "picture": number, "lattice": lattice, "layers": {}}
    board = (min(rows), min(cols), max(rows), max(cols))
    shown = {spot for spot, _ in _texts(picture)}
    layers = {}
    for name, high, wide, standing in _grids(compiled):
        if lattice != "square":
            continue
        way = _way((high, wide), board, standing, shown)
        if way is not None:
            scale, offset = way
            layers[name] = {"scale": scale, "down": offset, "across": offset}
    return {"board": list(board), "picture": number, "lattice": lattice, "layers": layers}


def _texts(picture: Picture) -> Iterator[tuple[Spot, str]]:
    """What is printed or given, and the middle of where it stands."""
    for mark in picture.marks:
        if len(mark.at) == 2:
            yield (float(mark.at[0]), float(mark.at[1])), mark.text
    for one in picture.prints:
        if len(one.at) == 2:
            other = one.at if one.to is None else one.to
            yield ((one.at[0] + other[0]) / 2, (one.at[1] + other[1]) / 2), one.text


def _grids(compiled: Compiled) -> Iterator[tuple[str, int, int, list[tuple[int, int]]]]:
    """The grids of squares of a model: name, rows, columns, and the places where something stands."""
    from covr.compiler.evaluate.values import Map

    for definition in compiled.model.definitions:
        if isinstance(definition, s.Param) or (isinstance(definition, s.Let) and definition.parameters is None):
            name = definition.name.id
            if not isinstance(definition.value, s.ReaderBlock) or definition.value.name.id != "grid":
                continue
            value = compiled.scope.value(name)
            if isinstance(value, Map) and value.shape is not None:
                yield name, *value.shape, [k for k in value.entries if isinstance(k, tuple) and len(k) == 2]


def _way(
    size: tuple[int, int], board: tuple[int, int, int, int], standing: list[tuple[int, int]], shown: set[Spot]
) -> tuple[float, float] | None:
    """The scale and offset of a grid: what is drawn where its entries would be decides, then the sizes."""
    found: tuple[tuple[int, bool, int], tuple[float, float]] | None = None
    for order, (scale, offset, times, more) in enumerate(WAYS):
        fits = size[0] == times * board[2] + more and size[1] == times * board[3] + more
        inside = size[0] >= times * board[2] + min(more, 0) and size[1] >= times * board[3] + min(more, 0)
        hits = sum((scale * r + offset, scale * c + offset) in shown for r, c in standing)
        if not fits and not (inside and hits == len(standing) > 0):
            continue
        rank = (hits, fits, -order)
        if found is None or rank > found[0]:
            found = rank, (scale, offset)
    return None if found is None else found[1]
