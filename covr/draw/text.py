"""Any picture as text: grids, layers of a solid side by side, strips and lists.

A place of the board that shows nothing is written `.`; a place outside is blank. Lines run between regions. Without
colours, pieces are told apart by their letters or, if those do not suffice, by lines round the pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from math import prod
from string import ascii_letters, ascii_lowercase, ascii_uppercase

from covr.compiler.display.prints import LARGEST_BOX, Inscription, Mark, Picture
from covr.compiler.lattices import HEX, STICKS, TRIANGLE, ends
from covr.draw import pieces
from covr.draw.canvas import (
    PAPER,
    PIECES,
    Canvas,
    Cell,
    Line,
    Part,
    Surface,
    beside,
    clean,
    depth,
    is_number,
    line_width,
    list_rows,
    margin,
    number_columns,
    pad,
    plain,
    tight,
    width,
    with_margins,
)
from covr.draw.pieces import links
from covr.frozen import evolve, frozen

EMPTY = "."  # written at a place without text
DIVIDER = "\\"  # between the texts of a divided place
BRACKETS = {"circle": "()", "square": "[]", "diamond": "<>"}  # round a text that stands in a shape
DARK = "#"  # written at a dark place without text
FEWEST_ABREAST = 8  # places in a row of a strip that is broken; fewer are wide, and easier to read below each other
SIGNS = {"taken": "=", "out": "-"}  # in a hint, what stands before a choice that follows, or is ruled out


def draw(pictures: Iterable[Picture], surface: Surface = PAPER) -> list[Line]:
    """The lines that show the pictures of one answer, with blank lines between pictures."""
    lines: list[Line] = []
    for number, picture in enumerate(pictures):
        if number:
            lines.append(())
        if picture.axes == 0 or picture.low:
            below = _below(picture)
            picture = _with_strokes(picture)
            how = _on_lattice if picture.lattice is not None else _BY_AXES[picture.axes]
            lines += (how if fits(picture) else _list)(picture, surface)
            lines += [(Part(line, "given"),) for line in below]
    return lines


def _below(picture: Picture) -> list[str]:
    if not picture.strokes:
        return []
    from covr.draw.outlines import in_words

    return [*in_words(picture)]


def _with_strokes(picture: Picture) -> Picture:
    found: dict[tuple[pieces.Place, pieces.Place], str] = {(p.at, p.to): "" for p in picture.prints if p.to is not None}
    more = []
    for stroke in picture.strokes:
        for one, other in zip(stroke.places, stroke.places[1:], strict=False):
            a, b = min(one, other), max(one, other)
            steps = [v - u for u, v in zip(a, b, strict=True)]
            if max(map(abs, steps)) == 1 and (a, b) not in found:
                found[a, b] = "-" if not any(steps[:-1]) else "|" if not steps[-1] else "\\" if steps[-1] > 0 else "/"
                more.append(Inscription(a, found[a, b], b))
    return evolve(picture, prints=(*picture.prints, *more)) if more else picture


def as_text(pictures: Iterable[Picture]) -> str:
    """The pictures of one answer as plain text, the same everywhere."""
    return plain(draw(pictures))


def fits(picture: Picture) -> bool:
    """Whether the box around a picture is small enough to be drawn: two marks may be a million rows apart."""
    return prod(high - low + 1 for low, high in zip(picture.low, picture.high, strict=True)) <= LARGEST_BOX


def _list(picture: Picture, surface: Surface) -> list[Line]:
    rows = list_rows(picture)
    if not rows:
        return [(Part("(nothing)"),)]
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    numbers = number_columns(rows)
    return [
        (Part("  ".join(pad(t, w, n) for t, w, n in zip(row, widths, numbers, strict=True)).rstrip()),) for row in rows
    ]


def _strip(picture: Picture, surface: Surface) -> list[Line]:
    """One row of cells; where that is too wide, even rows, or, if fewer than `FEWEST_ABREAST` fit, a column."""
    row = _stepped(picture.as_row())
    cells = _cells(row, surface)
    whole = _block(row, surface, cells, None)
    (_, first), (_, last) = row.low, row.high
    number = last - first + 1
    widest = max(map(line_width, whole))
    if widest <= surface.width or number == 1:
        return whole
    each = min(number * surface.width // widest + 1, number - 1)  # from here on, one fewer until a row fits
    while each >= FEWEST_ABREAST:
        each = -(-number // -(-number // each))  # as even as so many rows can be
        drawn = [_block(_part(row, at, min(at + each, last + 1) - 1), surface, cells, None)
                 for at in range(first, last + 1, each)]  # fmt: skip
        if max(line_width(line) for lines in drawn for line in lines) <= surface.width:
            apart = any(len(lines) > 1 for lines in drawn)  # headings or lines round regions
            return [line for k, lines in enumerate(drawn) for line in ([()] if apart and k else []) + lines]
        each -= 1
    return _grid(_as_column(picture), surface)


def _part(row: Picture, first: int, last: int) -> Picture:
    """A row from one place to another. Where no place has a heading, the number of the first stands before it."""
    begins, ends = first == row.low[1], last == row.high[1]
    prints = [p for p in row.prints if (begins or p.at[1] >= first) and (ends or p.at[1] <= last)]
    if not any(p.look == "heading" for p in row.prints):
        at = (1, min([first, *(p.at[1] for p in prints)]) - 1)
        prints.append(Inscription(at, f"{first:>{len(str(row.high[1]))}}:", look="heading"))
    return evolve(row, low=(1, first), high=(1, last), prints=tuple(prints))


def _as_column(picture: Picture) -> Picture:
    """A strip as a grid of one column, number 1, with the headings, or else the numbers, of its places beside them."""
    (first,), (last,) = picture.low, picture.high
    turned = [evolve(p, at=(p.at[1], 0)) if len(p.at) > 1 else evolve(p, at=(*p.at, 1), to=p.to and (*p.to, 1))
              for p in picture.prints]  # fmt: skip
    if not any(p.look == "heading" for p in turned):
        turned += [Inscription((k, 0), f"{k}:", look="heading") for k in range(first, last + 1)]
    return evolve(
        picture,
        axes=2,
        low=(first, 1),
        high=(last, 1),
        places=tuple([(*at, 1) for at in picture.places]),
        marks=tuple([evolve(mark, at=(*mark.at, 1)) for mark in picture.marks]),
        regions={(*at, 1): region for at, region in picture.regions.items()},
        outlines={(*at, 1): number for at, number in picture.outlines.items()},
        prints=tuple(turned),
        strokes=tuple([evolve(s, places=tuple([(*at, 1) for at in s.places])) for s in picture.strokes]),
    )


def _layers(picture: Picture, surface: Surface) -> list[Line]:
    cells = _cells(picture)
    layers = range(picture.low[0], picture.high[0] + 1)
    above = [depth(margin(picture.layer(layer))[2]) for layer in layers]
    blocks = [_block(picture, surface, cells, layer) for layer in layers]
    drawn = [[()] * (max(above) - n) + block for n, block in zip(above, blocks, strict=True)]
    across = max((line_width(line) for block in drawn for line in block), default=1) + 3
    per_row = max(1, (surface.width + 3) // across)
    lines: list[Line] = []
    for start in range(0, len(drawn), per_row):
        if start:
            lines.append(())
        lines += beside(drawn[start : start + per_row])
    return lines


def _grid(picture: Picture, surface: Surface) -> list[Line]:
    picture = _stepped(picture)
    return _block(picture, surface, _cells(picture, surface), None)


def _stepped(picture: Picture) -> Picture:
    return picture if pieces.are_steps(links(picture)) else pieces.numbered(picture)


def _on_lattice(picture: Picture, surface: Surface) -> list[Line]:
    if picture.lattice in (HEX, TRIANGLE) and links(picture):
        picture = pieces.numbered(picture)
    small = [Mark(p.at, tight(p.text), given=True, look="printed") for p in picture.prints if p.to is None]
    inside = set(picture.places)
    picture = evolve(picture, marks=(*(mark for mark in small if mark.at in inside), *picture.marks))
    cells = _cells(picture)
    return draw_lattice(picture, surface, cells.texts, cells.styles, cells.walls, cells.owner)


@frozen
class _Cells:
    """The contents of a picture's places, computed for all its layers at once.
    texts: padded to one width, for every place of the board.  styles: names of styles, as in canvas.py.
    walls: the regions between which lines run, or None.  owner: place → piece.  links: lines between places."""

    texts: Mapping[tuple[int, ...], str]
    styles: Mapping[tuple[int, ...], str]
    walls: Mapping[tuple[int, ...], int] | None
    owner: Mapping[tuple[int, ...], int]
    links: Sequence[pieces.Link] = ()


def _cells(picture: Picture, surface: Surface = PAPER) -> _Cells:
    marks: dict[tuple[int, ...], list[Mark]] = {}
    lines = links(picture) if picture.axes < 3 and picture.lattice is None else []
    for mark in picture.marks:
        if not pieces.is_line(mark) or not lines:
            marks.setdefault(mark.at, []).append(mark)
    text = partial(_noted, single=pieces.one_text(picture)) if picture.pencil else _text
    texts = dict.fromkeys(picture.places, text(()))
    texts.update({at: text(found) for at, found in marks.items()})
    if lines:
        free = {at for at, text in texts.items() if at not in marks or text == EMPTY}
        texts |= pieces.joints(lines, free, surface.unicode)
    different = set(texts.values())  # of a million squares, hardly any two
    columns = max(map(width, [*different, *_beside(picture)]), default=1) or 1
    right = all(is_number(t) for t in different if t not in ("", EMPTY))
    owner = pieces.pieces(picture)
    walls = _walls(picture)
    if walls is None and owner and not pieces.told_apart(owner, texts, pieces.near(picture)):
        walls = {at: owner.get(at, -2) for at in texts}
    elif walls is not None:
        walls = {at: walls.get(at, -2) for at in texts}
    tint = pieces.colours(owner, len(PIECES), pieces.near(picture)) if picture.outline or owner else {}
    styles = {}
    for at in {**owner, **marks}:
        words = [f"piece-{tint[owner[at]]}"] if at in owner else []
        words += ["given"] if _stands_out(picture, marks.get(at, ())) else []
        if words:
            styles[at] = " ".join(words)
    middle = bool(lines) or any(mark.look == "divided" for mark in picture.marks)
    wide = {t: _centred(t, columns) if middle else pad(t, columns, right) for t in different}
    padded = texts
    if any(t != shown for t, shown in wide.items()):
        padded = dict(zip(texts, map(wide.__getitem__, texts.values()), strict=True))
    for link in lines:
        if link.one[-1] != link.other[-1]:
            double = link.strokes > 1
            _extend(padded, link, "─═"[double] if surface.unicode else "-="[double])
    return _Cells(padded, styles, walls, owner, lines)


def _centred(text: str, columns: int) -> str:
    before = (columns - width(text)) // 2
    return " " * before + text + " " * (columns - width(text) - before)


def _extend(texts: dict[tuple[int, ...], str], link: pieces.Link, dash: str) -> None:
    one, other = texts[link.one], texts[link.other]
    texts[link.one] = one.rstrip() + dash * (len(one) - len(one.rstrip()))
    texts[link.other] = dash * (len(other) - len(other.lstrip())) + other.lstrip()


def _walls(picture: Picture) -> Mapping[tuple[int, ...], int] | None:
    if not picture.outlines:
        return picture.regions or None
    numbers: dict[tuple[int, int], int] = {}
    return {
        at: numbers.setdefault((picture.regions.get(at, -1), picture.outlines.get(at, -1)), len(numbers))
        for at in picture.places
    }


def _beside(picture: Picture) -> Iterator[str]:
    """What is printed in corners and above columns: it makes cells wider."""
    for p in picture.prints:
        if p.to is None and picture.axes >= 2 and picture.lattice is None:
            above = p.at[-2] < picture.low[-2] or p.at[-2] > picture.high[-2]
            yield from clean(p.text).split() if above else [tight(p.text)] if _is_corner(picture, p) else []


def _is_corner(picture: Picture, printed: Inscription) -> bool:
    return all(a <= x <= b for a, x, b in zip(picture.low, printed.at, picture.high, strict=True))


def _text(marks: Sequence[Mark]) -> str:
    if any(mark.look == "dark" and _text_of(mark) == DARK for mark in marks):
        marks = [mark for mark in marks if mark.look != "printed"]
    around = [mark.look for mark in marks if mark.look in BRACKETS and not mark.text and mark.option < 0]
    if around and len(marks) > 1:
        return _text([mark for mark in marks if mark.text or mark.look != around[0]]).join(BRACKETS[around[0]])
    said = dict.fromkeys(map(_text_of, marks))
    return clean(",".join([text for text in said if text] or said)) if marks else EMPTY


def _text_of(mark: Mark) -> str:
    """The text of a mark: a dark square without one is written `#`."""
    if mark.look == "divided":
        text = "".join(mark.text.split())
        return DARK if text == DIVIDER else text
    if mark.look in BRACKETS:
        from covr.draw.elements import COLOURS

        if mark.text not in COLOURS:
            return mark.text.join(BRACKETS[mark.look])
    return mark.text or (DARK if mark.look == "dark" else "")


def _stands_out(picture: Picture, marks: Sequence[Mark]) -> bool:
    """Whether what stands at a place is written bold: all of it is given, or, among pencil marks, one is certain."""
    if picture.pencil:
        return any(mark.given or (mark.option >= 0 and not mark.faint) for mark in marks)
    return bool(marks) and all(mark.given for mark in marks)


def _noted(marks: Sequence[Mark], single: bool) -> str:
    """What is printed at a place, and after a comma its candidates."""
    printed, others = ([mark for mark in marks if (mark.look == "printed") == how] for how in (True, False))
    return ",".join([_text(printed), pencilled(others, single)] if printed and others else [pencilled(marks, single)])


def pencilled(marks: Sequence[Mark], single: bool) -> str:
    """The candidates of a place: `137` where each is one character, else with commas. The only candidate of a place
    that is not certain has a `?`. Notes follow after a colon: `1:2,3`; alone if the picture has a single text. In a
    hint, `=5` is what follows, and `-5` what is ruled out, after the other candidates."""
    if any(mark.role in SIGNS for mark in marks):
        plain_ones = dict.fromkeys(clean(mark.text) for mark in marks if mark.role not in SIGNS and mark.option >= 0)
        return "".join([*plain_ones, *(f"{SIGNS[m.role]}{clean(m.text)}" for m in marks if m.role in SIGNS)])
    notes = {mark.text: mark.note if mark.faint or single else "" for mark in marks}
    if not any(mark.faint for mark in marks) and not any(notes.values()):
        return _text(marks)
    if single and len(notes) == 1:
        ((text, note),) = notes.items()
        return clean(note or f"{text}?")
    if any(notes.values()):
        return clean(",".join(f"{text}:{note}" if note else text for text, note in notes.items()))
    if len(notes) == 1:
        return clean(f"{marks[0].text}?")
    return clean(("" if all(len(text) == 1 for text in notes) else ",").join(notes))


def _block(picture: Picture, surface: Surface, cells: _Cells, layer: int | None) -> list[Line]:
    head = () if layer is None else (layer,)

    def cut(whole: Mapping[tuple[int, ...], object]) -> Mapping[Cell, object]:
        if not head:
            return whole  # type: ignore[return-value]
        return {at[len(head) :]: what for at, what in whole.items() if at[: len(head)] == head}  # type: ignore[misc]

    raised = frozenset(p.at[-2] for p in picture.prints if p.to is None and _is_corner(picture, p))
    if layer is not None:
        picture = picture.layer(layer)
    owner = cut(cells.owner)

    def joined(one: Cell, other: Cell) -> bool:
        return one in owner and owner.get(one) == owner.get(other)

    (top, left), (bottom, right) = picture.low[-2:], picture.high[-2:]
    blank = " " * max(map(width, set(cells.texts.values())), default=1)
    canvas = Canvas(
        rows=range(top, bottom + 1),
        columns=range(left, right + 1),
        text=cut(cells.texts),  # type: ignore[arg-type]
        style=cut(cells.styles),  # type: ignore[arg-type]
        region=None if cells.walls is None else cut(cells.walls),  # type: ignore[arg-type]
        joined=joined,
        blank=blank,
        above={(p.at[-2], p.at[-1]): tight(p.text) for p in picture.prints if p.to is None and _is_corner(picture, p)},
        raised=raised,  # layers have the same rows, which stand side by side
        between=_between(picture, cells, surface),
        spaced=bool(cells.links),
    )
    if not picture.prints:
        return canvas.draw(surface.unicode)
    return with_margins(canvas, picture, surface.unicode)


def _between(picture: Picture, cells: _Cells, surface: Surface) -> dict[tuple[Cell, Cell], str]:
    levels, uprights = (("───", "═══"), ("│", "║")) if surface.unicode else (("---", "==="), ("|", '"'))
    found: dict[tuple[Cell, Cell], str] = {}
    for link in cells.links:
        (r, c), (i, j) = link.one, link.other
        found[(r, c), (i, j)] = (levels if r == i else uprights)[link.strokes > 1]
    for p in picture.prints:
        if p.to is not None:
            found[(p.at[0], p.at[1]), (p.to[0], p.to[1])] = clean(p.text)[:3]
    return found


_BY_AXES = {0: _list, 1: _strip, 2: _grid, 3: _layers}


# --- compact ---------------------------------------------------------------------------------------------------------
# Pictures with coordinates are written place by place, as a puzzle on one line is read, with blanks where a text is
# longer than one character. A list is written choice by choice. What is printed is left out. Several pictures are
# separated by tabs.


def one_line(pictures: Iterable[Picture]) -> str:
    """The pictures of one answer on one line, without a newline."""
    return "\t".join(_listed(p) if p.axes == 0 else _places(p) for p in pictures)


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


def _listed(picture: Picture) -> str:
    return clean("; ".join(" ".join(line) for line in picture.lines))


# --- lattice text ----------------------------------------------------------------------------------------------------
# Where the texts tell the pieces apart, a picture is written as it is typed in a model. Otherwise lines run round
# pieces and regions of hexagons and triangles, and pieces of sticks or balls are lettered. Sticks of one text are drawn
# as lines.


# What a picture consists of, by (line, character): a character or a text, and its style.
Sheet = dict[tuple[int, int], Part]
WIDEST = 12  # the widest text for which a hexagon or a triangle with lines round it is made larger
GAP = 3  # blanks between two layers


def draw_lattice(
    picture: Picture,
    surface: Surface,
    texts: Mapping[pieces.Place, str],
    styles: Mapping[pieces.Place, str],
    walls: Mapping[pieces.Place, int] | None,
    owner: Mapping[pieces.Place, int],
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


def _printed(sheet: Sheet, picture: Picture, where: Callable[[pieces.Place], tuple[int, int]]) -> Sheet:
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


def _lettered(parts: Mapping[pieces.Place, Part], owner: Mapping[pieces.Place, int]) -> dict[pieces.Place, Part]:
    order = dict.fromkeys(owner[at] for at in sorted(owner))
    names = dict(zip(order, ascii_uppercase + ascii_lowercase, strict=False))
    return {at: evolve(part, text=names[owner[at]] if at in owner else part.text[:1]) for at, part in parts.items()}


def _flat(parts: Mapping[pieces.Place, Part], low: pieces.Place, unit: int) -> Sheet:
    return {(r - low[0], (c - low[1]) * unit): part for (r, c), part in parts.items()}


def _side_by_side(blocks: list[list[Line]], surface: Surface) -> list[Line]:
    across = max((sum(width(p.text) for p in line) for block in blocks for line in block), default=1) + GAP
    per_row = max(1, (surface.width + GAP) // across)
    lines: list[Line] = []
    for start in range(0, len(blocks), per_row):
        lines += [()] if start else []
        lines += beside(blocks[start : start + per_row], GAP)
    return lines


def _sticks(picture: Picture, parts: Mapping[pieces.Place, Part], wide: int, surface: Surface) -> Sheet:
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


def _hexagons(
    parts: Mapping[pieces.Place, Part], walls: Mapping[pieces.Place, int], low: pieces.Place, unit: int
) -> Sheet:
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


def _triangles(
    parts: Mapping[pieces.Place, Part], walls: Mapping[pieces.Place, int], low: pieces.Place, unit: int
) -> Sheet:
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
