"""The looks of a picture's parts, computed once for all its places: texts, pieces, fills, walls.

If the texts tell all pieces apart, the colour of a piece depends on its text, so that it is the same in every answer;
otherwise pieces are coloured in turn, so that no two that touch have the same colour.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import field

from covr.compiler.display.picture import Mark, Picture
from covr.compiler.lattices.balls import BALLS
from covr.compiler.lattices.sticks import STICKS
from covr.draw.pieces import Near, Place, colours, near, pieces
from covr.draw.styled import clean
from covr.draw.themes import COLOURS, Theme
from covr.frozen import frozen

CIRCLES = {"○": False, "●": True}  # printed texts that are drawn as circles → whether they are filled
SHAPES = ("circle", "square", "diamond")  # what a text may stand in
BLACK = "#"  # the text of a dark square that is not written


@frozen
class Paint:
    """The looks of a picture. texts: per place, one text for each mark.  given: places that show only what is given.
    partly: places that show something given and something else → the given texts.
    printed: places that show only what is printed.  dark: places that are filled.
    clued: whether numbers or signs are printed beside what is chosen, so that answers have a colour of their own.
    headed: whether rows or columns have names, as those of a plan: then an `N` is a night and no knight.
    shapes: place → the `circle`, `square` or `diamond` round what it shows, and whether that is printed.
    background: places that show the model's `else`.
    owner: place → piece.  fill: piece → colour.  walls: place → region, or None.  crooked: whether some region is not a
    rectangle.
    """

    texts: Mapping[Place, tuple[str, ...]]
    given: frozenset[Place]
    background: frozenset[Place]
    owner: Mapping[Place, int]
    fill: Mapping[int, str]
    walls: Mapping[Place, int]
    crooked: bool
    printed: frozenset[Place] = frozenset()
    dark: frozenset[Place] = frozenset()
    clued: bool = False
    headed: bool = False
    partly: Mapping[Place, frozenset[str]] = field(factory=dict)
    shapes: Mapping[Place, tuple[str, bool]] = field(factory=dict)

    @property
    def written(self) -> list[tuple[str, ...]]:
        """The texts of the places where they are written: what is the name of a colour fills its shape instead."""
        return [shown for at, shown in self.texts.items() if not (at in self.shapes and "".join(shown) in COLOURS)]


def paint(picture: Picture, theme: Theme) -> Paint:
    """Everything about a picture's looks except the geometry."""
    marks: dict[Place, list[Mark]] = {}
    for mark in picture.marks:
        if not drawn_otherwise(picture, mark):
            marks.setdefault(mark.at, []).append(mark)
    texts = {at: _written(here) for at, here in marks.items()}
    owner = pieces(picture)
    return Paint(
        texts=texts,
        given=frozenset(at for at, here in marks.items() if all(m.given for m in here)),
        partly={
            at: frozenset(clean(m.text) for m in here if m.given)
            for at, here in marks.items()
            if len({m.given for m in here}) == 2
        },
        printed=frozenset(at for at, here in marks.items() if all(_is_printed(m) for m in here)),
        shapes={
            m.at: (m.look, _is_printed(m))
            for m in sorted(picture.marks, key=_is_printed)
            if m.look in SHAPES and not m.faint
        },
        dark=frozenset(m.at for m in picture.marks if m.look in ("dark", "divided") and not m.faint),
        background=frozenset(at for at, here in marks.items() if all(m.option < 0 and not m.given for m in here)),
        owner=owner,
        fill={
            piece: theme.piece(n) for piece, n in _piece_colours(owner, texts, len(theme.pieces), near(picture)).items()
        },
        walls=picture.regions,
        crooked=not _all_boxes(picture.regions),
        headed=any(p.look == "heading" for p in picture.prints),
        clued=any(p.text.strip() and p.look != "heading" for p in picture.prints),
    )


def _written(marks: Sequence[Mark]) -> tuple[str, ...]:
    """The texts at a place, each once; what shows nothing leaves no line where something else is written."""
    texts = dict.fromkeys(clean(m.text) for m in marks)
    return tuple(t for t in texts if t) or tuple(texts)


def _is_printed(mark: Mark) -> bool:
    return mark.look == "printed" or (mark.look in SHAPES and mark.option < 0)


def drawn_otherwise(picture: Picture, mark: Mark) -> bool:
    """Whether a mark is drawn as a line, a circle, a divided square or a dark one, and not as a text."""
    if mark.look == "dark":
        return mark.text.strip() in ("", BLACK) and picture.lattice is not STICKS
    if picture.axes == 3 or picture.lattice in (STICKS, BALLS):
        return False
    if mark.look in ("line", "lines"):
        return mark.heat < 0
    return mark.look == "divided" or (mark.look == "printed" and mark.text in CIRCLES)


def _piece_colours(
    owner: Mapping[Place, int], texts: Mapping[Place, tuple[str, ...]], palette: int, near: Near
) -> dict[int, int]:
    """Piece → colour number. Numbers beyond the palette are used only if neighbours make that necessary."""
    of_piece: dict[int, set[tuple[str, ...]]] = {}
    for at, piece in owner.items():
        of_piece.setdefault(piece, set()).add(texts[at])
    names = sorted(min(t) for t in of_piece.values())
    if all(len(t) == 1 for t in of_piece.values()) and len(set(names)) == len(names) <= palette:
        return {piece: names.index(min(t)) for piece, t in of_piece.items()}
    touching: dict[int, set[int]] = {}
    for at, piece in owner.items():
        touching.setdefault(piece, set()).update(owner[n] for n in near(at) if owner.get(n, piece) != piece)
    return colours(owner, max(palette, 1 + max(map(len, touching.values()), default=0)), near)


def _all_boxes(regions: Mapping[Place, int]) -> bool:
    """Whether every region is a full rectangle."""
    cells: dict[int, list[Place]] = {}
    for at, region in regions.items():
        cells.setdefault(region, []).append(at)
    for members in cells.values():
        size = 1
        for axis in zip(*members, strict=True):
            size *= max(axis) - min(axis) + 1
        if size != len(members):
            return False
    return True
