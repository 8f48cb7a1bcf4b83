"""Square tiles with coloured edges, such as MacMahon's: each edge a triangle.

A picture has tiles if its family has an `agree` statement (`Picture.tiles`, set by the compiler), if all its texts are
the colours of the north, east, south and west edges, as four letters or four words, and if edges of tiles that touch
have the same colour. The last condition is checked, because a model may show four letters that mean something else.
One more word after the colours, such as the number of the tile, is written in its middle. The colour `-` is grey: the
rim of a puzzle whose other colours must match.
"""

from __future__ import annotations

from collections.abc import Mapping

from covr.compiler.display.picture import Picture
from covr.draw.elements import group, label, number, tag, text_width
from covr.draw.outlines import Cell
from covr.draw.styled import clean
from covr.draw.themes import Theme
from covr.frozen import frozen

FOUR = 4  # sides of a tile
GREY = "-"  # the colour of the rim
NAME, DISC = 12.0, 9.5  # pixels: the font size of a tile's number, and the radius of the disc behind it

Sides = tuple[str, ...]


@frozen
class Tile:
    """A tile. sides: the colours of its north, east, south and west edges, or their fills.  name: what is written in
    its middle, or nothing."""

    sides: Sides
    name: str = ""


def tiles_of(picture: Picture, theme: Theme) -> dict[Cell, Tile] | None:
    """Cell → the tile there, with the fills of its edges; None if the picture has no tiles."""
    if not picture.tiles or not picture.marks:
        return None
    found: dict[Cell, Tile] = {}
    for mark in picture.marks:
        tile = _tile(mark.text)
        at = (mark.at[0], mark.at[1])
        if tile is None or at in found:
            return None
        found[at] = tile
    names = sorted({side for tile in found.values() for side in tile.sides} - {GREY})
    if len(names) > len(theme.edges) or not _match({at: tile.sides for at, tile in found.items()}):
        return None
    fill = {GREY: theme.rim, **dict(zip(names, theme.edges, strict=False))}
    return {at: Tile(tuple(fill[side] for side in tile.sides), tile.name) for at, tile in found.items()}


def _tile(text: str) -> Tile | None:
    """The tile that a text describes: `abca`, `abca 7`, `red blue blue red` or `red blue blue red 7`."""
    words = tuple(clean(text).split())
    if len(words) >= FOUR:
        sides, rest = words[:FOUR], words[FOUR:]
    else:
        sides, rest = tuple(words[0]) if words else (), words[1:]
    return Tile(sides, "".join(rest)) if len(sides) == FOUR and len(rest) < 2 else None


def _match(sides: Mapping[Cell, Sides]) -> bool:
    """Whether all edges that touch have the same colour."""
    for (r, c), (_, east, south, _) in sides.items():
        right, below = sides.get((r, c + 1)), sides.get((r + 1, c))
        if (right is not None and right[3] != east) or (below is not None and below[0] != south):
            return False
    return True


def draw_tile(tile: Tile, x: float, y: float, side: float, theme: Theme) -> str:
    """Four triangles that meet in the middle, each with a thin line round it, and the tile's name on a disc."""
    half = number(side / 2)
    whole = number(side)
    corners = (f"0 0L{whole} 0", f"{whole} 0L{whole} {whole}", f"{whole} {whole}L0 {whole}", f"0 {whole}L0 0")
    body = [tag("path", d=f"M{edge}L{half} {half}z", fill=fill) for edge, fill in zip(corners, tile.sides, strict=True)]
    if tile.name:
        wide = max(DISC, text_width(tile.name, NAME) / 2 + 2)
        body += [
            tag("ellipse", class_="disc", cx=side / 2, cy=side / 2, rx=wide, ry=DISC, fill=theme.board),
            label(tile.name, side / 2, side / 2, NAME, theme.given, stroke="none"),
        ]
    return group(body, x, y, class_="tile", stroke=theme.line, stroke_width=0.6, stroke_linejoin="round")
