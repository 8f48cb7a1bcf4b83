"""A solid as SVG: its layers side by side, and below them the whole, and beside it its pieces, moved apart."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from covr.compiler.display.picture import Picture
from covr.draw.board import draw_cells
from covr.draw.elements import DrawnBlock, below_each_other, beside, group, label, side_by_side, stacked
from covr.draw.inscribed import margins
from covr.draw.isometric import draw_isometric
from covr.draw.paint import Paint, paint
from covr.draw.themes import Theme

# In pixels: between two layers, between the solid and its pieces, and the height of a layer's caption.
GAP = 18.0
APART = 40.0
CAPTION = 20.0
# The number of layers in a row.
ACROSS = 4


def draw_solid(picture: Picture, theme: Theme) -> DrawnBlock:
    """Draw a picture with three axes: (layer, row, column)."""
    look = paint(picture, theme)
    numbers = range(picture.low[0], picture.high[0] + 1)
    flat = captioned(picture, [_layer(picture, look, z, theme) for z in numbers], theme)
    views = draw_isometric(look.owner, look.fill, theme)
    return below_each_other([flat, side_by_side(views, APART)], GAP) if views else flat


def _layer(picture: Picture, look: Paint, z: int, theme: Theme) -> DrawnBlock:
    """One layer."""
    flat = attrs.evolve(picture.layer(z), marks=(), regions={})
    cut = attrs.evolve(
        look,
        texts={at[1:]: t for at, t in look.texts.items() if at[0] == z},
        given=frozenset(at[1:] for at in look.given if at[0] == z),
        partly={at[1:]: texts for at, texts in look.partly.items() if at[0] == z},
        shapes={at[1:]: kind for at, kind in look.shapes.items() if at[0] == z},
        background=frozenset(at[1:] for at in look.background if at[0] == z),
        printed=frozenset(at[1:] for at in look.printed if at[0] == z),
        dark=frozenset(at[1:] for at in look.dark if at[0] == z),
        owner={at[1:]: p for at, p in look.owner.items() if at[0] == z},
        walls={at[1:]: region for at, region in look.walls.items() if at[0] == z},
    )
    return draw_cells(flat, cut, of_layer(theme, z))


def of_layer(theme: Theme, z: int) -> Theme:
    """The theme for one layer, whose places are named with its number first."""
    return theme if theme.key is None else attrs.evolve(theme, key=f"{theme.key}{z},")


def captioned(picture: Picture, layers: Sequence[DrawnBlock], theme: Theme) -> DrawnBlock:
    """The layers of a solid in rows, each with its number above it; their boards are level, whatever is printed above
    them."""
    above = [margins(picture.layer(z))[2] for z in range(picture.low[0], picture.high[0] + 1)]
    blocks = []
    for number, (layer, own) in enumerate(zip(layers, above, strict=True), picture.low[0]):
        down = CAPTION + max(above) - own
        caption = label(f"layer {number}", layer.width / 2, CAPTION / 2 - 2, 12, theme.text)
        blocks.append(DrawnBlock(layer.width, layer.height + down, (caption, group(layer.body, 0, down))))
    return stacked([beside(blocks[i : i + ACROSS], GAP) for i in range(0, len(blocks), ACROSS)], GAP)
