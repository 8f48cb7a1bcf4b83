"""A stroke of the mouse or of a key becomes another layer, and what a page draws edits of the text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from attrs import evolve

from covr.dsl import syntax as s
from covr.dsl.service.document import Analysis
from covr.live.review import TextUnits
from covr.studio.boards.layers import (
    LETTERS,
    Layer,
    Margin,
    Paths,
    PictureLayer,
    Spots,
    Walls,
    board_size,
    layers,
    spot_of,
)
from covr.studio.boards.resize import resized, sides_of
from covr.studio.boards.sketch import BLANK, OUTSIDE, Sketch, Undrawable, named, put, square_of, write_sketch
from covr.studio.body import Bad

# --- A choice that is given in the text, by a statement of its own: for boards that no grid writes clues on -----------


LONGEST = 2000  # characters of a choice
TOKEN = re.compile(r"[(){}\[\],\s]|[^(){}\[\],\s]+")
NUMBER = re.compile(r"-?[0-9]+")


def written(choice: str) -> str:
    """A choice as the language writes it, from how it is printed: words are texts there. Raises Undrawable."""
    name, opened, rest = choice.partition("(")
    if not name.isidentifier() or (opened and not rest.endswith(")")):
        raise Undrawable(f"`{choice[:60]}` can't be written as a given")
    tokens = TOKEN.findall(rest[:-1]) if opened else []
    found = []
    for at, token in enumerate(tokens):
        lattice = at + 1 < len(tokens) and tokens[at + 1] == "("
        plain = len(token) == 1 and token in "(){}[], \n"
        found.append(token if plain or lattice or NUMBER.fullmatch(token) else '"' + token.replace('"', '\\"') + '"')
    return f"{name}({''.join(found)})"


def toggled(analysis: Analysis, choice: Any, instead: Any = ()) -> list[dict[str, Any]]:
    """The edits that add or remove a `given` for a choice. instead: choices whose statements go. Raises Undrawable,
    Bad."""
    names = [choice, *instead] if isinstance(instead, list | tuple) else []
    if not names or not all(isinstance(one, str) and len(one) <= LONGEST for one in names):
        raise Bad("a choice is a text")
    wanted = _bare(written(choice))
    others = {_bare(written(one)) for one in names[1:]}
    text, there, edits = analysis.source.text, False, []
    for statement in analysis.statements:
        if not isinstance(statement, s.Given) or statement.generators or statement.where is not None:
            continue
        span = statement.span
        said = _bare(span.text.removeprefix("given"))
        if said == wanted or said in others:
            there = there or said == wanted
            end = span.end + 1 if text[span.end : span.end + 1] == "\n" else span.end
            edits.append({"start": span.start, "end": end, "text": ""})
    if not there:
        begin = "" if not text or text.endswith("\n") else "\n"
        edits.append({"start": len(text), "end": len(text), "text": f"{begin}given {written(choice)}\n"})
    return edits


def _bare(words: str) -> str:
    return "".join(words.split())


# --- What a page draws becomes edits of the text; the layers go to the page as JSON objects ---------------------------
# A request holds any number of strokes. They are done one after the other on the layers of the text as it is, so that
# the page can ask again and again while a line is being drawn, and edit the text once, when it is there.


Fields = dict[str, Any]
MOST_STROKES = 5000
ADDED = ("grid", "area", "pieces")


def layer_fields(analysis: Analysis, data: Mapping[str, str]) -> Fields:
    """What of a text can be drawn."""
    return _as_fields(layers(analysis, data))


def drawn(analysis: Analysis, data: Mapping[str, str], body: Mapping[str, Any], places: TextUnits) -> Fields:
    """The edits that some strokes make, the values that they give to params whose value the page gives, and the layers
    as they are then; or, under `refused`, why there are none.

    Time: that of reading the layers, and of writing those that change.
    """
    strokes = body.get("strokes")
    symmetry = body.get("symmetry", "none")
    if not isinstance(strokes, list) or len(strokes) > MOST_STROKES or not all(isinstance(x, dict) for x in strokes):
        raise Bad("`strokes` is a list of objects")
    if symmetry not in SYMMETRIES:
        raise Bad("there is no such symmetry")
    found = layers(analysis, data)
    before = list(found)
    try:
        added = [edit for how in strokes if how.get("do") == "add" for edit in [_added(analysis, how)]]
        for how in strokes:
            if how.get("do") == "given":
                added += toggled(analysis, how.get("choice"), how.get("instead", []))
        for how in strokes:
            if how.get("do") in ("add", "given"):
                continue
            size = board_size(found)
            if how.get("do") == "size":
                by = sides_of(how)
                found = [x if isinstance(x, tuple) else resized(x, size, by) for x in found]
                continue
            at, layer = _layer_named(found, how.get("layer"))
            found[at] = stroke(layer, how, size, symmetry)
        edits, values = list(added), {}
        for old, new in zip(before, found, strict=True):
            if old == new or isinstance(new, tuple):
                continue
            text = new.home.text(new.lines())
            if new.home.given:
                values[new.home.name] = text
            else:
                edits.append({"start": new.home.start, "end": new.home.end, "text": text})
    except Undrawable as why:
        return {"refused": str(why), **_as_fields(before)}
    placed = [{**edit, "start": places.units(edit["start"]), "end": places.units(edit["end"])} for edit in edits]
    return {"edits": sorted(placed, key=lambda edit: edit["start"]), "data": values, **_as_fields(found)}


def _layer_named(found: Sequence[Layer | tuple[str, str]], name: Any) -> tuple[int, Layer]:
    """The layer of that name, and which it is. Raises Undrawable if there is none."""
    for at, layer in enumerate(found):
        if not isinstance(layer, tuple) and layer.home.name == name:
            return at, layer
    raise Undrawable("there is no such layer any more")


def _as_fields(found: Sequence[Layer | tuple[str, str]]) -> Fields:
    rows, cols = board_size(found)
    return {
        "rows": rows,
        "cols": cols,
        "layers": [_layer(x) for x in found if not isinstance(x, tuple)],
        "undrawn": [{"name": x[0], "why": x[1]} for x in found if isinstance(x, tuple)],
        "symmetries": list(SYMMETRIES),
    }


def _layer(layer: Layer) -> Fields:
    """A layer as the page shows it. Places are (row, column) from 1."""
    base: Fields = {"name": layer.home.name, "given": layer.home.given}
    if isinstance(layer, PictureLayer):
        canvas = layer.canvas
        off = [] if canvas.of_squares else _off(canvas)
        letters = [cell for row in canvas.cells for cell in row]
        fresh = fresh_letter(letters) if layer.role in ("regions", "pieces") else ""
        return {**base, "kind": "picture", "role": layer.role, "lattice": canvas.lattice, "rows": canvas.rows,
                "cols": canvas.cols, "cells": [list(row) for row in canvas.cells], "offered": list(layer.offered),
                "off": off, "fresh": fresh}  # fmt: skip
    if isinstance(layer, Walls):
        pairs = [{"a": list(a), "b": list(b), "fields": list(fields)} for a, b, fields in layer.pairs]
        return {**base, "kind": "walls", "pairs": pairs, "fields": list(layer.fields), "ordered": layer.ordered}
    if isinstance(layer, Margin):
        sides = [{"side": side, "depth": depth, "clues": ["" if clue == layer.blank else clue for clue in clues]}
                 for side, depth, clues in layer.sides]  # fmt: skip
        return {**base, "kind": "margin", "sides": sides, "several": layer.texts}
    columns = layer.table.columns
    fields = [name for name in columns if name not in ("square", "squares", "row", "column")]
    base |= {"fields": fields, "look": layer.look, "many": layer.table.many}
    if isinstance(layer, Paths):
        heads = len(columns) - 1
        records = [{"fields": list(record[:heads]), "squares": [square_of(w, layer.base) for w in record[heads:]]}
                   for record in layer.table.records]  # fmt: skip
        return {**base, "kind": "paths", "records": records, "known": _known(layer.table.records, heads)}
    spots = [{"fields": _others(layer, record), "at": spot_of(layer, record)} for record in layer.table.records]
    known = _known([_others(layer, record) for record in layer.table.records], len(fields))
    return {**base, "kind": "spots", "records": spots, "known": known}


def _others(layer: Spots, record: Sequence[str]) -> list[str]:
    """The fields of a record besides its place; the rest of the line is one of them."""
    columns = layer.table.columns
    found = [
        " ".join(record[at:]) if layer.table.many and at == len(columns) - 1 else record[at]
        for at, name in enumerate(columns)
    ]
    return [word for word, name in zip(found, columns, strict=True) if name not in ("square", "row", "column")]


def _known(records: Sequence[Sequence[str]], heads: int) -> list[list[str]]:
    return [list(dict.fromkeys(record[at] for record in records if at < len(record))) for at in range(heads)]


def _off(canvas: Sketch) -> list[list[int]]:
    """The places of a lattice on which no cell is, and one may be."""
    return [[r, c] for r, row in enumerate(canvas.cells, 1) for c, cell in enumerate(row, 1)
            if cell is None and canvas.holds(r, c)]  # fmt: skip


# --- new layers ---


def _added(analysis: Analysis, how: Mapping[str, Any]) -> Fields:
    """The edit that adds a board or pieces to a text. Raises Undrawable."""
    reader, lattice = how.get("reader"), how.get("lattice", "square")
    rows, cols = (min(max(int(how[k]), 1), 60) if isinstance(how.get(k), int) else 6 for k in ("rows", "cols"))
    if reader not in ADDED or lattice not in ("square", "hex", "triangle"):
        raise Bad("a board is a grid, an area or pieces, of squares, hexagons or triangles")
    taken = {s_.name.id for s_ in analysis.statements if isinstance(s_, s.Param | s.Let)}
    word = {"grid": "clue", "area": "room", "pieces": "piece"}[reader]
    name = next(n for n in (word, *(f"{word}{k}" for k in range(2, 1000))) if n not in taken)
    canvas = _blank(reader, lattice, rows, cols)
    head = reader if lattice == "square" else f"{reader}({lattice})"
    lines = "".join(f"  {line}\n" for line in write_sketch(canvas))
    keyword = "param" if reader == "grid" else "let"
    text = f'{keyword} {name} = {head} """\n{lines}"""\n'
    ends = [x.span.end for x in analysis.statements if isinstance(x, s.Title | s.Use | s.Param)]
    source = analysis.source.text
    after = source.find("\n", max(ends)) if ends else -1
    at = 0 if not ends else len(source) if after < 0 else after + 1
    return {"start": at, "end": at, "text": text if not at or source[at - 1] == "\n" else "\n" + text}


def _blank(reader: str, lattice: str, rows: int, cols: int) -> Sketch:
    sign = "A" if reader == "pieces" else "."
    if reader == "pieces":
        return Sketch(reader, lattice, ((sign,),))
    if lattice == "hex":
        wide = 2 * cols
        return Sketch(reader, lattice, tuple(
            tuple(sign if (r + c) % 2 == 0 else None for c in range(1, wide + 1)) for r in range(1, rows + 1)
        ))  # fmt: skip
    if reader == "grid" and lattice == "triangle":
        return Sketch(reader, lattice, tuple(tuple(sign for _ in range(cols)) for _ in range(rows)))
    return Sketch(reader, lattice, ((sign,) * cols,) * rows)


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


MORE_LETTERS = "".join(
    map(chr, [*range(0x3B1, 0x3CA), *range(0x430, 0x450), *range(0x5D0, 0x5EB), *range(0x4E00, 0x5000)])
)
LONGEST_WORD = 200  # characters of a clue
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
    if found is not None and len(found) > LONGEST_WORD:
        raise Undrawable("a clue is not that long")
    return found


def _number(how: Mapping[str, Any], name: str, most: int) -> int:
    found = how.get(name)
    if not isinstance(found, int) or isinstance(found, bool) or not 0 <= found <= most:
        raise Bad(f"`{name}` is a number from 0 to {most}")
    return found


def _fields(how: Mapping[str, Any], many: int) -> tuple[str, ...]:
    found = how.get("fields", [])
    if not isinstance(found, list) or not all(isinstance(x, str) and len(x) <= LONGEST_WORD for x in found):
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
    if high > LONGEST_WORD or wide > LONGEST_WORD:
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


def _spotted(layer: Spots, place: Place, said: Any) -> tuple[str, ...]:
    if not isinstance(said, list) or not all(isinstance(x, str) and len(x) <= LONGEST_WORD for x in said):
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
