"""Which marks of a picture are one piece, and colours for pieces such that neighbours differ.

A piece is what one choice shows at more than one place. In a picture that is drawn in outline, a choice at a single
place is a piece, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from covr.compiler.display.picture import Picture

Place = tuple[int, ...]
Near = Callable[[Place], Iterable[Place]]


def pieces(picture: Picture) -> dict[Place, int]:
    """Place → option number of the choice whose piece is there; places where pieces overlap are left out.

    Empty if the picture has no pieces, or shows pencil marks.
    """
    owner: dict[Place, int] = {}
    if picture.pencil:
        return {}
    many: set[Place] = set()
    sizes: dict[int, int] = {}
    for mark in picture.marks:
        if mark.option < 0 or mark.look:
            continue
        if owner.setdefault(mark.at, mark.option) != mark.option:
            many.add(mark.at)
        sizes[mark.option] = sizes.get(mark.option, 0) + 1
    if not picture.outline and max(sizes.values(), default=0) < 2:
        return {}
    return {at: option for at, option in owner.items() if at not in many}


def one_text(picture: Picture) -> bool:
    """Whether all choices show the same text, so that it need not be repeated where other things are said of them."""
    return len({mark.text for mark in picture.marks if mark.option >= 0}) == 1


def near(picture: Picture) -> Near:
    """Which places touch a place of a picture."""
    return neighbours if picture.lattice is None else picture.lattice.near


def neighbours(place: Place) -> Iterator[Place]:
    """The places next to a place: one step along one axis in either direction."""
    for axis, value in enumerate(place):
        for step in (-1, 1):
            yield (*place[:axis], value + step, *place[axis + 1 :])


def colours(owner: Mapping[Place, int], palette: int, near: Near = neighbours) -> dict[int, int]:
    """Piece → colour number below `palette`; pieces that touch have different colours if the palette allows it.

    Pieces are coloured in order of their first place, each with the colour used least so far among those its
    neighbours don't have. Deterministic; linear in the places.
    """
    touching: dict[int, set[int]] = {}
    for at, piece in owner.items():
        others = touching.setdefault(piece, set())
        others |= {owner[n] for n in near(at) if n in owner and owner[n] != piece}
    used = [0] * palette
    colour: dict[int, int] = {}
    for at in sorted(owner):
        piece = owner[at]
        if piece in colour:
            continue
        taken = {colour[n] for n in touching[piece] if n in colour}
        free = [c for c in range(palette) if c not in taken] or range(palette)
        colour[piece] = min(free, key=lambda c: (used[c], c))
        used[colour[piece]] += 1
    return colour


def told_apart(owner: Mapping[Place, int], texts: Mapping[Place, str], near: Near = neighbours) -> bool:
    """Whether the texts alone tell the pieces apart: each has one text, and its neighbours have others."""
    of_piece: dict[int, str] = {}
    for at, piece in owner.items():
        if of_piece.setdefault(piece, texts[at]) != texts[at]:
            return False
    return all(
        owner[n] == piece or texts[n] != texts[at] for at, piece in owner.items() for n in near(at) if n in owner
    )
