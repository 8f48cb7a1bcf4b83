"""Pictures of other lattices as text, and answers on one line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from string import ascii_letters, ascii_lowercase, ascii_uppercase

from attrs import evolve

from covr.compiler.display.prints import Picture
from covr.compiler.lattices import HEX, STICKS, TRIANGLE, ends
from covr.draw.canvas import Line, Part, Surface, beside, clean, width
from covr.draw.pieces import Place

# --- compact ---------------------------------------------------------------------------------------------------------
# Pictures with coordinates are written place by place, as a puzzle on one line is read, with blanks where a text is
# longer than one character. A list is written choice by choice. What is printed is left out. Several pictures are
# separated by tabs.


EMPTY = "."


def one_line(pictures: Iterable[Picture]) -> str:
    """The pictures of one answer on one line, without a newline."""
    return "\t".join(_list(p) if p.axes == 0 else _places(p) for p in pictures)


def _places(picture: Picture) -> str:
    texts: dict[tuple[int, ...], list[str]] = {}
    for mark in picture.marks:
        if mark.option < 0 and mark.given:
            continue  # printed, and no part of the answer
        texts.setdefault(mark.at, []).append(mark.text)
    shown = {at: ",".join(dict.fromkeys(found)).replace(" ", "") or EMPTY for at, found in texts.items()}
    places = picture.places if shown.keys() <= set(picture.places) else sorted({*picture.places, *shown})
    cells = [shown.get(at, EMPTY) for at in places]
    return clean(("" if max(map(len, cells), default=1) == 1 else " ").join(cells))


def _list(picture: Picture) -> str:
    return clean("; ".join(" ".join(line) for line in picture.lines))


# --- lattice text ----------------------------------------------------------------------------------------------------
# Where the texts tell the pieces apart, a picture is written as it is typed in a model. Otherwise lines run round
# pieces and
# regions of hexagons and triangles, and pieces of sticks or balls are lettered. Sticks of one text are drawn as lines.


# What a picture consists of, by (line, character): a character or a text, and its style.
Sheet = dict[tuple[int, int], Part]
WIDEST = 12  # the widest text for which a hexagon or a triangle with lines round it is made larger
GAP = 3  # blanks between two layers


def draw_lattice(
    picture: Picture,
    surface: Surface,
    texts: Mapping[Place, str],
    styles: Mapping[Place, str],
    walls: Mapping[Place, int] | None,
    owner: Mapping[Place, int],
) -> list[Line]:
    """The lines of a picture. texts: by place, padded to one width. walls: the regions between which lines run."""
    lattice = picture.lattice
    assert lattice is not None
    parts = {at: Part(text, styles.get(at, "")) for at, text in texts.items()}
    wide = max(map(width, texts.values()), default=1)
    if walls is not None and lattice in (HEX, TRIANGLE) and wide <= WIDEST:
        low, unit = picture.low, max(2, wide // 2 + 1 if lattice is HEX else (wide + 1) // 2 + 1)
        sheet = (_hexagons if lattice is HEX else _triangles)(parts, walls, low, unit)
        first = unit - 1 if lattice is HEX else 1
        where = lambda at: (unit * (at[0] - low[0]) + first, unit * (at[1] - low[1] + 1))  # noqa: E731
        return _lines(_printed(sheet, picture, where))
    if walls is not None and owner and len(set(owner.values())) <= len(ascii_letters):
        parts, wide = _lettered(parts, owner), 1
    parts |= {p.at: Part(clean(p.text), "given") for p in picture.prints if p.to is None and p.at not in parts}
    if lattice is STICKS:
        return _lines(_sticks(picture, parts, wide, surface))
    unit = 1 if wide == 1 else wide + 1 if lattice is TRIANGLE else (wide + 2) // 2
    low, high = (tuple(f(axis) for axis in zip(*parts, strict=True)) for f in (min, max))
    if lattice.axes == 2:
        twice = 2 if any(p.to is not None for p in picture.prints) else 1
        sheet = {(twice * y, twice * x): part for (y, x), part in _flat(parts, low, unit).items()}
        return _lines(_printed(sheet, picture, lambda at: (twice * (at[0] - low[0]), twice * (at[1] - low[1]) * unit)))
    layers = range(picture.low[0], picture.high[0] + 1)
    sheets = [_flat({at[1:]: part for at, part in parts.items() if at[0] == z}, low[1:], unit) for z in layers]
    bottom, right = high[1] - low[1], (high[2] - low[2]) * unit
    return _side_by_side([_lines({(0, right): Part(" "), (bottom, right): Part(" "), **s}) for s in sheets], surface)


def _printed(sheet: Sheet, picture: Picture, where: Callable[[Place], tuple[int, int]]) -> Sheet:
    """A sheet with what is printed beside the board and on the borders of its cells. where: the position of a cell."""
    found = dict(sheet)
    for p in picture.prints:
        y, x = where(p.at)
        if p.to is not None:
            v, u = where(p.to)
            y, x = (y + v) // 2, (x + u) // 2
            found[y, x + ((y, x) in sheet and sheet[y, x].style != "line")] = Part(clean(p.text), "given")
        elif p.at not in set(picture.places):
            found[y, x] = Part(clean(p.text), "given")
    return found


def _lettered(parts: Mapping[Place, Part], owner: Mapping[Place, int]) -> dict[Place, Part]:
    order = dict.fromkeys(owner[at] for at in sorted(owner))
    names = dict(zip(order, ascii_uppercase + ascii_lowercase, strict=False))
    return {at: evolve(part, text=names[owner[at]] if at in owner else part.text[:1]) for at, part in parts.items()}


def _flat(parts: Mapping[Place, Part], low: Place, unit: int) -> Sheet:
    return {(r - low[0], (c - low[1]) * unit): part for (r, c), part in parts.items()}


def _side_by_side(blocks: list[list[Line]], surface: Surface) -> list[Line]:
    across = max((sum(width(p.text) for p in line) for block in blocks for line in block), default=1) + GAP
    per_row = max(1, (surface.width + GAP) // across)
    lines: list[Line] = []
    for start in range(0, len(blocks), per_row):
        lines += [()] if start else []
        lines += beside(blocks[start : start + per_row], GAP)
    return lines


def _sticks(picture: Picture, parts: Mapping[Place, Part], wide: int, surface: Surface) -> Sheet:
    marked, places = {mark.at for mark in picture.marks}, set(picture.places)
    alike = len({mark.text for mark in picture.marks}) == 1 and not picture.outline and not picture.pencil
    level, upright = ("─", "│") if surface.unicode else ("-", "|")
    corners = {end for r, c in picture.places for end in ends((r, c))}
    top, left = min(corners, default=(0, 0))[0], min((c for _, c in corners), default=0)
    sheet: Sheet = {(r - top, (c - left) // 2 * (wide + 1)): Part("+", "line") for r, c in corners}
    for (r, c), part in parts.items():
        if alike and (r, c) in places:
            drawn = (level * wide if r % 2 else upright) if (r, c) in marked else " "
            part = evolve(part, text=drawn)
        sheet[r - top, (c - left) // 2 * (wide + 1) + r % 2] = part
    return sheet


def _hexagons(parts: Mapping[Place, Part], walls: Mapping[Place, int], low: Place, unit: int) -> Sheet:
    """Hexagons with lines between those of unlike regions: ` / \\ ` over `| A |`.
    unit: characters to the next column, and lines to the next line of hexagons; there is room for 2 * unit - 1
    characters."""
    sheet: Sheet = {}
    line = {-1: Part("/", "line"), 1: Part("\\", "line")}
    for (r, c), part in parts.items():
        y, x = unit * (r - low[0]) + unit - 1, unit * (c - low[1] + 1)
        own = walls.get((r, c))
        for side in (-1, 1):
            if walls.get((r, c + 2 * side)) != own:
                sheet[y, x + unit * side] = Part("|", "line")
            for step in range(1, unit):
                if walls.get((r - 1, c + side)) != own:
                    sheet[y - step, x + side * (unit - step)] = line[side]
                if walls.get((r + 1, c + side)) != own:
                    sheet[y + step, x + side * (unit - step)] = line[-side]
        sheet[y, x - width(part.text) // 2] = part
    return sheet


def _triangles(parts: Mapping[Place, Part], walls: Mapping[Place, int], low: Place, unit: int) -> Sheet:
    """Triangles with lines between those of unlike regions: `/\\` over `/A_\\`.
    unit: the height of a triangle in lines, and half its base; there is room for 2 * unit - 2 characters."""
    sheet: Sheet = {}
    for r, c in parts:
        y, x = unit * (r - low[0]) + 1, unit * (c - low[1] + 1)
        down, own = TRIANGLE.facing((r, c)), walls.get((r, c))
        for side in (-1, 1):
            if walls.get((r, c + side)) != own:
                slope = Part("/" if (side < 0) != down else "\\", "line")
                for step in range(unit):
                    out = unit - 1 - step if down else step
                    sheet[y + step, x - 1 - out if side < 0 else x + out] = slope
        if walls.get((r - 1 if down else r + 1, c)) != own:
            for place in range(x - unit + 1, x + unit - 1):
                sheet.setdefault((y - 1 if down else y + unit - 1, place), Part("_", "line"))
    for (r, c), part in parts.items():
        y, x = unit * (r - low[0]) + 1, unit * (c - low[1] + 1)
        _write(sheet, y if TRIANGLE.facing((r, c)) else y + unit - 1, x, part)
    return sheet


def _write(sheet: Sheet, y: int, x: int, part: Part) -> None:
    """Put a text without its blanks into the middle of a line, in place of the dashes that it covers."""
    text = part.text.strip()
    start = x - (width(text) + 1) // 2
    for place in range(start, start + width(text)):
        sheet.pop((y, place), None)
    if text:
        sheet[y, start] = evolve(part, text=text)


def _lines(sheet: Sheet) -> list[Line]:
    rows: dict[int, list[tuple[int, Part]]] = {}
    for (y, x), part in sorted(sheet.items()):
        rows.setdefault(y, []).append((x, part))
    left = min((x for _, x in sheet), default=0)
    return [_line(rows.get(y, []), left) for y in range(min(rows, default=0), max(rows, default=-1) + 1)]


def _line(row: list[tuple[int, Part]], left: int) -> Line:
    parts: list[Part] = []
    at = left
    for x, part in row:
        if x > at:
            parts.append(Part(" " * (x - at)))
        parts.append(part)
        at = max(at, x) + width(part.text)
    return tuple(Part("".join(p.text for p in same), style) for style, same in groupby(parts, key=lambda p: p.style))
