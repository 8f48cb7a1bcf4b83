"""Which marks of a picture are one piece, with colours that tell pieces apart, and lines from place to place."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from covr.compiler.display.prints import LINES, Mark, Picture
from covr.draw.canvas import ASCII, BOX
from covr.frozen import evolve, frozen

# --- pieces ----------------------------------------------------------------------------------------------------------
# A piece is what one choice shows at several places; in a picture that is drawn in outline, at a single one, too.


Place = tuple[int, ...]
Near = Callable[[Place], Iterable[Place]]


def pieces(picture: Picture) -> dict[Place, int]:
    """Place → option number of the choice whose piece is there, where pieces do not overlap. Empty for pencil marks."""
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
    """Piece → colour number below `palette`; pieces that touch have different colours if the palette allows it. Pieces
    are coloured in order of their first place, each with the colour used least so far among those its neighbours don't
    have."""
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


# --- links -----------------------------------------------------------------------------------------------------------
# A choice that is shown `as line` joins its two places, wherever they are; one at more places joins those that touch.


MOST = 4  # lines side by side that are drawn


def is_line(mark: Mark) -> bool:
    """Whether a mark is drawn as a line, and not as a text with the share of the answers that have it."""
    return mark.look in LINES and mark.heat < 0


@frozen
class Link:
    """A line between two places, the smaller one first.
    text: of the choice.  faint: whether it is only possible.  strokes: how many run side by side.  role: as of `Mark`.
    """

    one: Place
    other: Place
    text: str
    faint: bool = False
    strokes: int = 1
    role: str = ""


def links(picture: Picture) -> list[Link]:
    """The lines of a picture, in order. Of pencil marks, only what is certain makes one."""
    return [link for link in possible_links(picture) if not link.faint]


def possible_links(picture: Picture) -> list[Link]:
    """The lines of a picture, in order, those that are only possible among them."""
    joined: dict[int, list[Mark]] = {}
    for mark in picture.marks:
        if is_line(mark):
            joined.setdefault(mark.option, []).append(mark)
    found = []
    for marks in joined.values():
        places = sorted({m.at for m in marks})
        text, strokes, faint, role = marks[0].text, 1, marks[0].faint, marks[0].role
        if marks[0].look == "lines":
            text, strokes = "", _many(text)
        if len(places) == 2:
            found.append(Link(places[0], places[1], text, faint, strokes, role))
            continue
        inside, touching = set(places), near(picture)
        steps = [(at, n) for at in places for n in touching(at) if n in inside and at < n]
        found += [Link(at, n, text, faint, strokes, role) for at, n in steps]
    return sorted(found, key=lambda link: (link.one, link.other))


def _many(text: str) -> int:
    return min(max(int(text), 1), MOST) if text.isdecimal() and len(text) < 4 else 1


def are_steps(found: Sequence[Link], touching: Near = neighbours) -> bool:
    """Whether every line joins two places that touch. touching: which places touch a place; else those of squares."""
    return all(link.other in touching(link.one) for link in found)


def joints(found: Sequence[Link], free: Collection[Place], unicode: bool) -> dict[Place, str]:
    """What is written at the places that lines pass and where nothing else stands."""
    glyphs = BOX if unicode else ASCII
    arms: dict[Place, int] = {}
    for link in found:
        across = link.one[-1] != link.other[-1]
        arms[link.one] = arms.get(link.one, 0) | (2 if across else 4)
        arms[link.other] = arms.get(link.other, 0) | (8 if across else 1)
    return {at: glyphs[arm] for at, arm in arms.items() if at in free}


def numbered(picture: Picture) -> Picture:
    """A picture whose lines are written as text: along each path, places are numbered from its first end."""
    near_: dict[Place, list[Place]] = {}
    for link in links(picture):
        near_.setdefault(link.one, []).append(link.other)
        near_.setdefault(link.other, []).append(link.one)
    marks = [m for m in picture.marks if m.look not in LINES]
    if any(len(others) > 2 for others in near_.values()):
        marks += [Mark(m.at, m.text, m.option, m.given, look="plain") for m in picture.marks if m.look in LINES]
    else:
        marks += [Mark(at, str(number), 0, look="plain") for at, number in _along(near_).items()]
    return evolve(picture, marks=tuple(sorted(marks, key=lambda m: m.at)))


def _along(near_: Mapping[Place, Sequence[Place]]) -> dict[Place, int]:
    """Places numbered along paths, which begin at their smaller end, and along loops."""
    numbers: dict[Place, int] = {}
    for start in sorted(near_, key=lambda at: (len(near_[at]) > 1, at)):
        here: Place | None = None if start in numbers else start
        while here is not None:
            numbers[here] = len(numbers) + 1
            here = next((n for n in sorted(near_[here]) if n not in numbers), None)
    return numbers
