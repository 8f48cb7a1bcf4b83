"""Square tiles with coloured edges, such as MacMahon's: each edge a triangle.

A picture has tiles if its family has an `agree` statement (`Picture.tiles`, set by the compiler), if all its texts have
four characters or four words, the colours of the north, east, south and west edges, and if edges of tiles that touch
have the same colour. The last condition is checked, because a model may show four letters that mean something else.
"""

from __future__ import annotations

from collections.abc import Mapping

from covr.compiler.display.picture import Picture
from covr.draw.elements import group, number, tag
from covr.draw.outlines import Cell
from covr.draw.themes import Theme

Sides = tuple[str, ...]
FOUR = 4  # sides of a tile


def edge_colours(picture: Picture, theme: Theme) -> dict[Cell, Sides] | None:
    """Cell → the fills of its north, east, south and west edges; None if the picture has no tiles."""
    if not picture.tiles or not picture.marks:
        return None
    sides: dict[Cell, Sides] = {}
    for mark in picture.marks:
        words = tuple(mark.text.split())
        letters = words if len(words) == FOUR else tuple(mark.text)
        at = (mark.at[0], mark.at[1])
        if len(letters) != FOUR or at in sides:
            return None
        sides[at] = letters
    names = sorted({letter for letters in sides.values() for letter in letters})
    if len(names) > len(theme.edges) or not _match(sides):
        return None
    fill = dict(zip(names, theme.edges, strict=False))
    return {at: tuple(fill[letter] for letter in letters) for at, letters in sides.items()}


def _match(sides: Mapping[Cell, Sides]) -> bool:
    """Whether all edges that touch have the same colour."""
    for (r, c), (_, east, south, _) in sides.items():
        right, below = sides.get((r, c + 1)), sides.get((r + 1, c))
        if (right is not None and right[3] != east) or (below is not None and below[0] != south):
            return False
    return True


def draw_tile(sides: Sides, x: float, y: float, side: float, theme: Theme) -> str:
    """Four triangles that meet in the middle, each with a thin line round it."""
    half = number(side / 2)
    whole = number(side)
    corners = (f"0 0L{whole} 0", f"{whole} 0L{whole} {whole}", f"{whole} {whole}L0 {whole}", f"0 {whole}L0 0")
    triangles = [tag("path", d=f"M{edge}L{half} {half}z", fill=fill) for edge, fill in zip(corners, sides, strict=True)]
    return group(triangles, x, y, class_="tile", stroke=theme.line, stroke_width=0.8, stroke_linejoin="round")
