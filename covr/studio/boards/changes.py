"""What a page draws becomes edits of the text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from covr.dsl import syntax as s
from covr.dsl.service.document import Analysis
from covr.studio.boards.layers import Layer, Margin, Paths, PictureLayer, Spots, Walls, board_size, layers
from covr.studio.boards.resize import resized, sides_of
from covr.studio.boards.sketch import Sketch, Undrawable, square_of, write_sketch
from covr.studio.boards.strokes import SYMMETRIES, fresh_letter, spot_of, stroke
from covr.studio.body import Bad
from covr.studio.texts import Utf16

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
    """The edits that add a `given` for a choice at the end of a text, or take it away if it is there. instead: choices
    whose own such statements go. Raises Undrawable, and Bad for what is no choice."""
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
    """A choice without its spaces."""
    return "".join(words.split())


# --- What a page draws becomes edits of the text; the layers go to the page as JSON objects ---------------------------
# A request holds any number of strokes. They are done one after the other on the layers of the text as it is, so that
# the page can ask again and again while a line is being drawn, and edit the text once, when it is there.


Fields = dict[str, Any]
MOST_STROKES = 5000
ADDED = ("grid", "area", "pieces")


def told_layers(analysis: Analysis, data: Mapping[str, str]) -> Fields:
    """What of a text can be drawn."""
    return _told(layers(analysis, data))


def drawn(analysis: Analysis, data: Mapping[str, str], body: Mapping[str, Any], places: Utf16) -> Fields:
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
        return {"refused": str(why), **_told(before)}
    told = [{**edit, "start": places.units(edit["start"]), "end": places.units(edit["end"])} for edit in edits]
    return {"edits": sorted(told, key=lambda edit: edit["start"]), "data": values, **_told(found)}


def _layer_named(found: Sequence[Layer | tuple[str, str]], name: Any) -> tuple[int, Layer]:
    """The layer of that name, and which it is. Raises Undrawable if there is none."""
    for at, layer in enumerate(found):
        if not isinstance(layer, tuple) and layer.home.name == name:
            return at, layer
    raise Undrawable("there is no such layer any more")


def _told(found: Sequence[Layer | tuple[str, str]]) -> Fields:
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
    """What stands in each field of the records."""
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
