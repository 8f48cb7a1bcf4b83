"""A stroke of the mouse or of a key becomes another layer, with a symmetry if wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from attrs import evolve

from covr.studio.boards.layers import Layer, Margin, Paths, PictureLayer, Spots, Walls
from covr.studio.boards.sketch import BLANK, OUTSIDE, Sketch, Square, Undrawable, named, put, square_of
from covr.studio.body import Bad

# --- The images of a place while somebody draws with a symmetry -------------------------------------------------------


Place = tuple[int, int]
Motion = Callable[[int, int, int, int], Place]  # row, column, rows, columns → row, column

_HALF: Motion = lambda r, c, high, wide: (high + 1 - r, wide + 1 - c)  # noqa: E731
_ACROSS: Motion = lambda r, c, high, wide: (r, wide + 1 - c)  # noqa: E731
_DOWN: Motion = lambda r, c, high, wide: (high + 1 - r, c)  # noqa: E731
_TURN: Motion = lambda r, c, high, wide: (c, high + 1 - r)  # noqa: E731
_BACK: Motion = lambda r, c, high, wide: (wide + 1 - c, r)  # noqa: E731
_DIAGONAL: Motion = lambda r, c, high, wide: (c, r)  # noqa: E731

SYMMETRIES: Mapping[str, Sequence[Motion]] = {
    "none": (),
    "half turn": (_HALF,),
    "quarter turn": (_TURN, _HALF, _BACK),
    "left to right": (_ACROSS,),
    "top to bottom": (_DOWN,),
    "both ways": (_ACROSS, _DOWN, _HALF),
    "diagonal": (_DIAGONAL,),
}
SQUARE_ONLY = ("quarter turn", "diagonal")  # for boards as high as wide


def motions(name: str, high: int, wide: int) -> Sequence[Motion]:
    """The motions of a symmetry besides the one that leaves all as it is; none where the board has no such symmetry."""
    return () if name in SQUARE_ONLY and high != wide else SYMMETRIES.get(name, ())


# --- A stroke of the mouse or of a key becomes another layer ----------------------------------------------------------
# A stroke is a JSON object: which `layer`, what to `do`, and where. Each is done with its images under the symmetry
# that the page draws with. What can't be done raises Undrawable, and what has no sense, Bad.


LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
MORE_LETTERS = "".join(
    map(chr, [*range(0x3B1, 0x3CA), *range(0x430, 0x450), *range(0x5D0, 0x5EB), *range(0x4E00, 0x5000)])
)
LONGEST = 200  # characters of a clue
NEW = "new"  # a region or piece with a letter of its own


def stroke(layer: Layer, how: Mapping[str, Any], size: tuple[int, int], symmetry: str) -> Layer:
    """The layer after a stroke. size: the rows and columns of the board."""
    do = how.get("do")
    if isinstance(layer, PictureLayer) and do == "put":
        return _put(layer, _places(how.get("at")), _sign(how.get("value")), symmetry)
    moves = motions(symmetry, *size)
    if isinstance(layer, Walls) and do == "wall":
        one, other = _places(how.get("between"), 2)
        return _wall(layer, one, other, how, size, moves)
    if isinstance(layer, Paths) and do == "path":
        return _path(layer, _places(how.get("at")), _fields(how, len(layer.table.columns) - 1), size, moves)
    if isinstance(layer, Paths | Spots) and do == "cut":
        return _cut(layer, _number(how, "record", len(layer.table.records) - 1))
    if isinstance(layer, Paths | Spots) and do == "fields":
        return _refield(layer, how)
    if isinstance(layer, Spots) and do == "spot":
        return _spot(layer, _places([how.get("at")], 1)[0], how, size, moves)
    if isinstance(layer, Margin) and do == "margin":
        return _margin(layer, how)
    raise Bad(f"`{layer.home.name}` has no such stroke")


# --- what a request holds ---


def _places(found: Any, many: int = 0) -> list[Place]:
    good = isinstance(found, list) and all(
        isinstance(at, list) and len(at) == 2 and all(isinstance(x, int) and not isinstance(x, bool) for x in at)
        for at in found
    )
    if not good or (many and len(found) != many):
        raise Bad("places are a list of rows and columns")
    return [(at[0], at[1]) for at in found]


def _sign(found: Any) -> str | None:
    if found is not None and not isinstance(found, str):
        raise Bad("what is written is a text")
    if found is not None and len(found) > LONGEST:
        raise Undrawable("a clue is not that long")
    return found


def _number(how: Mapping[str, Any], name: str, most: int) -> int:
    found = how.get(name)
    if not isinstance(found, int) or isinstance(found, bool) or not 0 <= found <= most:
        raise Bad(f"`{name}` is a number from 0 to {most}")
    return found


def _fields(how: Mapping[str, Any], many: int) -> tuple[str, ...]:
    found = how.get("fields", [])
    if not isinstance(found, list) or not all(isinstance(x, str) and len(x) <= LONGEST for x in found):
        raise Bad("`fields` is a list of texts")
    return tuple("".join(x.split()) or BLANK for x in [*found, *[BLANK] * many][:many])


# --- pictures ---


def _put(layer: PictureLayer, at: Sequence[Place], sign: str | None, symmetry: str) -> PictureLayer:
    canvas = layer.canvas
    if layer.role == "pieces":
        canvas, at = _grown(canvas, at)
    moves = motions(symmetry, canvas.rows, canvas.cols)
    held = [place for place in at if canvas.holds(*place)]
    if layer.role in ("regions", "pieces") and sign not in (None, "", BLANK):
        assert sign is not None
        changes = _lettered(canvas, held, sign, moves)
    else:
        value = _value(layer, sign)
        changes = dict.fromkeys(held, value)
        for move in moves:
            for r, c in held:
                image = move(r, c, canvas.rows, canvas.cols)
                if canvas.holds(*image) and image not in changes:
                    changes[image] = _turned(value, move) if layer.role == "signs" else value
    return evolve(layer, canvas=put(canvas, changes))


def _value(layer: PictureLayer, sign: str | None) -> str | None:
    if layer.role == "cells":
        return OUTSIDE if sign is None else BLANK
    if sign is None and not layer.canvas.of_squares and layer.canvas.reader == "grid":
        return None  # no place at all
    return sign if sign not in (None, "", "_", " ") else BLANK


ARROWS = ("^", ">", "v", "<")
_STEPS = {"^": (-1, 0), ">": (0, 1), "v": (1, 0), "<": (0, -1)}


def _turned(sign: str | None, move: Motion) -> str | None:
    """An arrow in the direction of its image; anything else as it is."""
    if sign not in _STEPS:
        return sign
    origin, step = move(0, 0, 0, 0), move(*_STEPS[sign], 0, 0)
    way = (step[0] - origin[0], step[1] - origin[1])
    return next(arrow for arrow, there in _STEPS.items() if there == way)


def _lettered(canvas: Sketch, at: Sequence[Place], sign: str, moves: Sequence[Motion]) -> dict[Place, str | None]:
    """What a stroke of a region writes: the letter at its places; at their images, the letter of the image's region,
    which is the same one where the two touch."""
    used = {cell for row in canvas.cells for cell in row if cell not in (None, BLANK)}
    letter = fresh_letter(used) if sign == NEW else sign
    own = set(at)
    whole = own | _region(canvas, letter)
    changes: dict[Place, str | None] = dict.fromkeys(own, letter)
    taken = used | {letter}
    for move in moves:
        images = [move(r, c, canvas.rows, canvas.cols) for r, c in at]
        partners = [_at(canvas, *move(r, c, canvas.rows, canvas.cols)) for r, c in whole - own]
        partner = next((p for p in partners if p not in (None, BLANK)), None)
        if any(_touches(image, whole) for image in images):
            partner = letter
        elif partner is None or sign == NEW:
            partner = fresh_letter(taken)
        taken.add(partner)
        for image in images:
            if canvas.holds(*image):
                changes.setdefault(image, partner)
    return changes


def fresh_letter(used: Iterable[str | None]) -> str:
    """A letter that no region or piece has. Raises Undrawable if all are used."""
    taken = {cell for cell in used if cell}
    capital = any(cell.isupper() for cell in taken) and not any(cell.islower() for cell in taken)
    letters = (LETTERS.swapcase() if capital else LETTERS) + MORE_LETTERS
    found = next((letter for letter in letters if letter not in taken), None)
    if found is None:
        raise Undrawable("there are no more letters for regions")
    return found


def _region(canvas: Sketch, letter: str) -> set[Place]:
    return {(r, c) for r, row in enumerate(canvas.cells, 1) for c, cell in enumerate(row, 1) if cell == letter}


def _at(canvas: Sketch, row: int, col: int) -> str | None:
    return canvas.cells[row - 1][col - 1] if 1 <= row <= canvas.rows and 1 <= col <= canvas.cols else None


def _touches(place: Place, region: set[Place]) -> bool:
    r, c = place
    return any(near in region for near in ((r, c), (r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)))


def _grown(canvas: Sketch, at: Sequence[Place]) -> tuple[Sketch, Sequence[Place]]:
    """A picture of pieces that is large enough for some places to its right and below it."""
    high = max([canvas.rows, *(r for r, _ in at)])
    wide = max([canvas.cols, *(c for _, c in at)])
    if high > LONGEST or wide > LONGEST:
        raise Undrawable("there is no room for a piece so far away")
    rows = [[*row, *[None] * (wide - canvas.cols)] for row in canvas.cells]
    rows += [[None] * wide for _ in range(high - canvas.rows)]
    return evolve(canvas, cells=tuple(map(tuple, rows))), at


# --- walls ---


def _wall(
    layer: Walls, one: Place, other: Place, how: Mapping[str, Any], size: tuple[int, int], moves: Sequence[Motion]
) -> Walls:
    """A wall appears, or goes; of an ordered pair, `value` says which way it points."""
    fields = _fields(how, len(layer.fields))
    drawn = how.get("on") is not False
    pairs = list(layer.pairs)
    for move in (None, *moves):
        a, b = (one, other) if move is None else (move(*one, *size), move(*other, *size))
        if (
            not all(1 <= r <= size[0] and 1 <= c <= size[1] for r, c in (a, b))
            or abs(a[0] - b[0]) + abs(a[1] - b[1]) != 1
        ):
            raise Undrawable("a wall stands between two squares that touch")
        pairs = [pair for pair in pairs if {pair[0], pair[1]} != {a, b}]
        if drawn:
            first, second = (a, b) if layer.ordered else (min(a, b), max(a, b))
            pairs.append((first, second, fields))
    return evolve(layer, pairs=tuple(pairs))


# --- paths and groups of squares ---


def _path(
    layer: Paths, at: Sequence[Place], fields: tuple[str, ...], size: tuple[int, int], moves: Sequence[Motion]
) -> Paths:
    if len(at) < 2 and layer.look != "group":
        raise Undrawable("a line has two squares at least")
    new = [tuple(at)]
    for move in moves:
        image = tuple(move(r, c, *size) for r, c in at)
        if set(image) & {square for path in new for square in path}:
            continue  # it would lie over itself
        new.append(image)
    if not all(1 <= r <= size[0] and 1 <= c <= size[1] for path in new for r, c in path):
        raise Undrawable("a line stays on the board")
    records = [(*fields, *(named(square, layer.base) for square in path)) for path in new]
    return evolve(layer, table=layer.table.with_records((*layer.table.records, *records)))


def _cut(layer: Paths | Spots, number: int) -> Paths | Spots:
    records = tuple(record for at, record in enumerate(layer.table.records) if at != number)
    return evolve(layer, table=layer.table.with_records(records))


def _refield(layer: Paths | Spots, how: Mapping[str, Any]) -> Paths | Spots:
    """Other fields of a record, besides its squares."""
    number = _number(how, "record", len(layer.table.records) - 1)
    columns, record = layer.table.columns, layer.table.records[number]
    heads = [at for at, name in enumerate(columns) if name not in ("square", "squares", "row", "column")]
    fields = list(record)
    said = how.get("fields")
    if not isinstance(said, list) or not all(isinstance(x, str) for x in said):
        raise Bad("`fields` is a list of texts")
    for at, field in zip(heads, said, strict=False):
        if at == len(columns) - 1 and layer.table.many:
            fields[at:] = field.split()
        else:
            fields[at] = "".join(field.split()) or BLANK
    records = tuple(tuple(fields) if at == number else r for at, r in enumerate(layer.table.records))
    return evolve(layer, table=layer.table.with_records(records))


# --- places ---


def _spot(layer: Spots, at: Place, how: Mapping[str, Any], size: tuple[int, int], moves: Sequence[Motion]) -> Spots:
    """A record for a place takes the place of those that are there; without `fields`, they only go."""
    records = list(layer.table.records)
    for move in (None, *moves):
        high, wide = (size[0] - 1, size[1] - 1) if layer.look == "corner" else size
        place = at if move is None else move(*at, high, wide)
        records = [record for record in records if spot_of(layer, record) != place]
        if how.get("fields") is not None:
            records.append(_spotted(layer, place, how["fields"]))
    return evolve(layer, table=layer.table.with_records(tuple(records)))


def spot_of(layer: Spots, record: Sequence[str]) -> Square | None:
    """The place that a record is about."""
    columns = layer.table.columns
    if layer.look == "margin":
        words = record[columns.index("row")], record[columns.index("column")]
        return (int(words[0]), int(words[1])) if all(_whole(word) for word in words) else None
    return square_of(record[columns.index("square")], layer.base)


def _whole(word: str) -> bool:
    return word.isascii() and word.removeprefix("-").isdigit()


def _spotted(layer: Spots, place: Place, said: Any) -> tuple[str, ...]:
    if not isinstance(said, list) or not all(isinstance(x, str) and len(x) <= LONGEST for x in said):
        raise Bad("`fields` is a list of texts")
    columns, left = layer.table.columns, list(said)
    record: list[str] = []
    for at, name in enumerate(columns):
        if name == "square":
            record.append(named(place, layer.base))
        elif layer.look == "margin" and name in ("row", "column"):
            record.append(str(place[0] if name == "row" else place[1]))
        else:
            word = left.pop(0) if left else ""
            last = layer.table.many and at == len(columns) - 1
            record.extend(word.split() if last else ["".join(word.split()) or BLANK])
    return tuple(record)


# --- beside the board ---


def _margin(layer: Margin, how: Mapping[str, Any]) -> Margin:
    value = _sign(how.get("value")) or ""
    sides = list(layer.sides)
    for number, (side, depth, clues) in enumerate(sides):
        if side != how.get("side") or depth != how.get("depth", 0):
            continue
        at = _number(how, "index", len(clues)) - 1
        if at < 0:
            raise Bad("`index` is a number from 1")
        word = " ".join(value.split()) if layer.texts else "".join(value.split())
        written = [word or layer.blank if at == place else clue for place, clue in enumerate(clues)]
        sides[number] = (side, depth, tuple(written))
        return evolve(layer, sides=tuple(sides))
    raise Bad("there are no clues on that side")
