"""All of a text that can be drawn: its layers, and what may be written in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from math import isqrt
from typing import TypeAlias

from covr.compiler.lattices import LATTICES
from covr.dsl import syntax as s
from covr.dsl.lexer import dedent
from covr.dsl.scope import walk
from covr.dsl.service.document import Analysis
from covr.frozen import frozen
from covr.studio.boards import sketch

# --- A layer: a part of the text that can be drawn, and where it stands -----------------------------------------------
# A layer of each kind knows how it is written; what a stroke does to it is in changes.py.

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"  # names of regions


@frozen
class Home:
    """Where a layer is written. name: of the param or constant.  start, end: the characters of the text that are its
    own.  quoted: whether they stand between three quotes; inline: on one line.  indent: before each line of a block;
    close: before the quotes that end it.  given: whether the page gives the value, so that no text is edited."""

    name: str
    start: int
    end: int
    quoted: bool
    inline: bool
    indent: str
    close: str
    given: bool

    def text(self, lines: Sequence[str]) -> str:
        """What is to be written there."""
        if not self.quoted or (self.inline and len(lines) == 1):
            return "\n".join(lines)
        if self.given:
            return "\n".join(lines)
        lead = min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)
        indent = self.indent[: max(0, len(self.indent) - lead)]  # right-justified numbers bring spaces of their own
        return "\n" + "".join(f"{indent}{line}".rstrip() + "\n" for line in lines) + self.close


@frozen
class PictureLayer:
    """A `grid`, an `area` or `pieces`. role: `signs`, `regions` (letters), `cells` (on and off) or `pieces`.  offered:
    what may be written.  doubled: whether it has places between squares."""

    home: Home
    canvas: sketch.Sketch
    role: str
    offered: tuple[str, ...] = ()
    doubled: bool = False

    @property
    def board(self) -> tuple[int, int]:
        """The rows and columns of the board that it belongs to."""
        rows, cols = self.canvas.rows, self.canvas.cols
        return ((rows + 1) // 2, (cols + 1) // 2) if self.doubled else (rows, cols)

    def lines(self) -> list[str]:
        """It as it is written."""
        return sketch.write_sketch(self.canvas)


@frozen
class Walls:
    """Borders between squares. form: `list` (`[1, 1, 1, 2]`), `set` (`((1, 1), (1, 2))`) or `table`, with its other
    fields.  pairs: two squares each, with what else is said of them.  table: if it is one.  ordered: whether it matters
    which of the two comes first.  base: of the numbers of squares; 0 where rows and columns are fields."""

    home: Home
    form: str
    pairs: tuple[tuple[sketch.Square, sketch.Square, tuple[str, ...]], ...]
    table: sketch.Table | None
    fields: tuple[str, ...]
    ordered: bool
    base: int

    def lines(self) -> list[str]:
        """It as it is written."""
        if self.form == "list":
            return [f"[{', '.join(f'[{a}, {b}, {c}, {d}]' for (a, b), (c, d), _ in self.pairs)}]"]
        if self.form == "set":
            return [f"{{{', '.join(f'(({a}, {b}), ({c}, {d}))' for (a, b), (c, d), _ in self.pairs)}}}"]
        assert self.table is not None
        records = []
        for one, other, fields in self.pairs:
            squares = (
                [sketch.named(one, self.base), sketch.named(other, self.base)]
                if self.base
                else [*map(str, (*one, *other))]
            )
            records.append((*squares, *fields) if self.base == 0 else (*fields, *squares))
        return sketch.write_table(self.table.with_records(tuple(records)))


@frozen
class Paths:
    """Lines and groups of squares: a record for each. fields: the columns before the squares.  look: `bulb`, `arrow`,
    `line`, `group`."""

    home: Home
    table: sketch.Table
    base: int
    look: str

    def lines(self) -> list[str]:
        """It as it is written."""
        return sketch.write_table(self.table)


@frozen
class Spots:
    """A table of records that belong to one place. look: `square`, `corner` (its lower right one) or `margin` (row and
    column)."""

    home: Home
    table: sketch.Table
    base: int
    look: str

    def lines(self) -> list[str]:
        """It as it is written."""
        return sketch.write_table(self.table)


@frozen
class Margin:
    """Clues beside the board. sides: for each line of them, on which side it stands (`left`, `right`, `top`,
    `bottom`), how far from the board, and its clues, blank ones as they are written.  form: `list` (of the language),
    `words` (the reader `list`) or `table`.  blank: what a blank is written as."""

    home: Home
    form: str
    sides: tuple[tuple[str, int, tuple[str, ...]], ...]
    table: sketch.Table | None
    blank: str
    texts: bool

    def lines(self) -> list[str]:
        """It as it is written."""
        if self.table is not None:
            heads = [record[0] for record in self.table.records]
            records = tuple((head, *clues) for head, (_, _, clues) in zip(heads, self.sides, strict=True))
            return sketch.write_table(self.table.with_records(records))
        clues = self.sides[0][2]
        if self.form == "words":
            return [" ".join(clues)]
        return [f"[{', '.join(map(self._written, clues))}]"]

    def _written(self, clue: str) -> str:
        if not self.texts and clue.lstrip("-").isdigit():
            return clue
        return '"' + clue.replace("\\", "\\\\").replace('"', '\\"') + '"'


Layer: TypeAlias = PictureLayer | Walls | Paths | Spots | Margin


# --- signs -----------------------------------------------------------------------------------------------------------
# What may be written in a layer, as far as the text tells: what stands there, and what the model compares it with.


MOST = 40  # signs that are offered
MOST_NUMBER = 16  # a larger number is typed


class Compared:
    """The texts that a model compares with something."""

    def __init__(self, statements: Sequence[s.Statement]) -> None:
        self._statements = statements

    @cached_property
    def _found(self) -> tuple[dict[str, list[str]], list[str]]:
        """By the name that is looked up: the texts; and the texts that are compared with anything else."""
        own: dict[str, list[str]] = {}
        other: list[str] = []
        for node in walk(list(self._statements)):
            if isinstance(node, s.Compare):
                sides = [node.first, *(side for _, side in node.rest)]
                texts = [text.value for side in sides for text in walk(side) if isinstance(text, s.Text)]
                names = {
                    i.of.id for side in sides for i in walk(side) if isinstance(i, s.Index) and isinstance(i.of, s.Name)
                }
                for name in names:
                    own.setdefault(name, []).extend(texts)
                if not names:
                    other.extend(texts)
        return own, other

    def with_name(self, name: str) -> list[str]:
        """The texts that are compared with what stands in a grid of that name."""
        return self._found[0].get(name, [])

    @property
    def with_others(self) -> list[str]:
        """The texts that are compared with what no name tells."""
        return self._found[1]


def offered(name: str, standing: Iterable[str], compared: Compared) -> list[str]:
    """What is offered to be written in a grid. standing: what stands in it."""
    texts = dict.fromkeys(one for one in (*compared.with_name(name), *standing) if _fit(one))
    if not texts:
        texts = dict.fromkeys(one for one in compared.with_others if len(one) == 1 and _fit(one))
    numbers = [int(one) for one in texts if one.isdigit() and one.isascii()]
    words = [one for one in texts if not one.isdigit()] or ([] if numbers else ["?", "#"])
    counted: list[str] = []
    if numbers or all(one in ("?", "#") for one in words):
        most = max([9, *(one for one in numbers if one <= MOST_NUMBER)])
        counted = [str(one) for one in range(0 if 0 in numbers or not numbers else 1, most + 1)]
    return [*counted, *words][:MOST]


def _fit(sign: str) -> bool:
    return (
        sign.strip() == sign != "" and len(sign) <= 3 and sign not in (".", "_") and not any(c.isspace() for c in sign)
    )


# --- All of a text that can be drawn: its layers, in the order in which they are written ------------------------------
# What a layer is for is told by its reader, by the names of its columns, and by the statements that use it: a grid that
# an `outline` or the keys of a rule look into holds regions; pairs of squares that a `print` sets between two places
# are walls.


PLANE = ("square", "hex", "triangle", "sticks")
ROWS = ("rows", "across")  # names of clues that stand beside the rows
COLUMNS = ("columns", "down")
SIDES = ("top", "left", "right", "bottom")
ROOMS = ("room", "rooms", "region", "cage")
BULBS = ("tube", "thermometer", "bulb")


class Uses:
    """What the statements of a text do with its names."""

    def __init__(self, statements: Sequence[s.Statement]) -> None:
        self._statements = statements

    @cached_property
    def regions(self) -> frozenset[str]:
        """Grids that an `outline` or the keys of a rule look into."""
        found: set[str] = set()
        for statement in self._statements:
            if isinstance(statement, s.Outline):
                found |= _looked_into(statement.value)
            elif isinstance(statement, s.Rule):
                for key in statement.keys:
                    found |= _looked_into(key) if not isinstance(key, s.Key) else set()
        return frozenset(found)

    @cached_property
    def between(self) -> frozenset[str]:
        """Names whose members a `print` sets between two places."""
        return frozenset(name for p in self._prints if len(p.at) == 2 and _two(p.at) for name in _over(p))

    @cached_property
    def through(self) -> Mapping[str, str]:
        """Names whose members a `print` draws lines through, with how the lines look."""
        return {name: p.style or "" for p in self._prints if p.style in s.THROUGH for name in _over(p)}

    @cached_property
    def doubled(self) -> frozenset[str]:
        """Grids whose places a definition counts in twos."""
        found: set[str] = set()
        for statement in self._statements:
            told = isinstance(statement, s.Let | s.Choose | s.Declare)
            if told and any(_in_twos(node) for node in walk(statement)):
                found |= {name for node in walk(statement) for name in _framed(node)}
        return frozenset(found)

    @property
    def _prints(self) -> Iterator[s.Print]:
        return (statement for statement in self._statements if isinstance(statement, s.Print))


def _in_twos(node: object) -> bool:
    return (
        isinstance(node, s.Binary)
        and node.op in ("div", "mod")
        and isinstance(node.right, s.Number)
        and node.right.value == 2
    )


def _framed(node: object) -> Iterator[str]:
    """The names of grids whose `frame` is asked for."""
    if isinstance(node, s.Call) and node.function.id == "frame":
        yield from (arg.id for arg in node.args if isinstance(arg, s.Name))


def _looked_into(node: object) -> set[str]:
    return {i.of.id for i in walk(node) if isinstance(i, s.Index) and isinstance(i.of, s.Name)}


def _over(statement: s.Print) -> Iterator[str]:
    return (g.over.id for g in statement.generators if isinstance(g.over, s.Name))


def _two(at: Sequence[s.Expr]) -> bool:
    return not any(isinstance(k, s.Number | s.Field | s.Binary) for k in at)


def layers(analysis: Analysis, data: Mapping[str, str]) -> list[Layer | tuple[str, str]]:
    """The layers of a text, or the name of one that can't be drawn, and why. data: values that the page gives for
    params."""
    found: list[Layer | tuple[str, str]] = []
    uses, compared = Uses(analysis.statements), Compared(analysis.statements)
    for statement in analysis.statements:
        if isinstance(statement, s.Let) and statement.parameters is not None:
            continue
        if not isinstance(statement, s.Param | s.Let):
            continue
        name = statement.name.id
        given = data.get(name) if isinstance(statement, s.Param) else None
        try:
            if given is not None and given.startswith("@"):
                raise sketch.Undrawable("its value is read from a file")
            layer = _Statement(analysis, name, statement.value, given, uses, compared).layer()
        except sketch.Undrawable as why:
            found.append((name, str(why)))
        else:
            if layer is not None:
                found.append(layer)
    return _with_bases(found)


class _Statement:
    """A param or constant that may be a layer."""

    def __init__(
        self, analysis: Analysis, name: str, value: s.Expr, given: str | None, uses: Uses, compared: Compared
    ) -> None:
        self.analysis, self.name, self.value, self.given = analysis, name, value, given
        self.uses, self.compared = uses, compared

    def layer(self) -> Layer | None:
        """The layer; None if it is none."""
        value = self.value
        if isinstance(value, s.ReaderBlock):
            block = value.block if self.given is None else self.given
            reader = value.name.id
            if reader in ("grid", "area", "pieces"):
                return self._picture(value, reader, block)
            if reader in ("table", "csv"):
                return self._table(value, sketch.read_table(block, _columns(value), _comma(reader, block)))
            if reader == "list" and self.name in ROWS + COLUMNS:
                return self._margin("words", tuple(block.split()), False)
        elif self.given is None and isinstance(value, s.ListOf | s.SetOf):
            return self._list(value)
        return None

    # --- pictures ---

    def _picture(self, value: s.ReaderBlock, reader: str, block: str) -> PictureLayer | None:
        lattice = next((_word(arg) for arg in value.args[:1] if _word(arg) is not None), None) or "square"
        if lattice not in PLANE:
            return None
        canvas = sketch.read_sketch(block, reader, lattice, _size(value, block))
        if reader != "grid":
            return PictureLayer(self._home(value), canvas, "cells" if reader == "area" else "pieces")
        standing = [cell for row in canvas.cells for cell in row if cell is not None and cell != sketch.BLANK]
        regions = self.name in ROOMS or self.name in self.uses.regions
        if regions and standing and not any(cell.isdigit() for cell in standing):
            return PictureLayer(self._home(value), canvas, "regions")
        signs = tuple(offered(self.name, standing, self.compared))
        return PictureLayer(self._home(value), canvas, "signs", signs, self.name in self.uses.doubled)

    # --- tables ---

    def _table(self, value: s.ReaderBlock, table: sketch.Table) -> Layer | None:
        columns, home = table.columns, self._home(value)
        if any(len(record) < len(columns) - table.many for record in table.records):
            raise sketch.Undrawable("a line of it has too few fields")
        if table.many and columns[-1] == "squares":
            return Paths(home, table, 0, self._look())
        if columns == ("r", "c", "i", "j"):
            numbers = [_numbers(record) for record in table.records]
            pairs = tuple(((a, b), (c, d), ()) for a, b, c, d in numbers)
            return Walls(home, "table", pairs, table, (), True, 0)
        if columns[-2:] == ("first", "second"):
            return Walls(home, "table", (), table, columns[:-2], False, sketch.DECIMAL)
        if columns[:1] == ("square",) or columns[-1:] == ("square",):
            return Spots(home, table, 0, "corner" if self.name in self.uses.between else "square")
        if "row" in columns and "column" in columns:
            return Spots(home, table, 0, "margin")
        if table.many and len(columns) == 2:
            return self._side_table(home, table)
        return None

    def _look(self) -> str:
        style = self.uses.through.get(self.name, "")
        if style:
            return style
        return "bulb" if self.name in BULBS else "line" if self.name == "line" else "group"

    def _side_table(self, home: Home, table: sketch.Table) -> Margin | None:
        heads = [record[0] for record in table.records]
        if set(heads) <= set(SIDES):
            sides = tuple((record[0], 0, record[1:]) for record in table.records)
        elif self.name in ROWS + COLUMNS:
            side = "left" if self.name in ROWS else "top"
            sides = tuple((side, len(heads) - 1 - at, record[1:]) for at, record in enumerate(table.records))
        else:
            return None
        return Margin(home, "table", sides, table, sketch.BLANK, False) if sides else None

    # --- lists ---

    def _list(self, value: s.ListOf | s.SetOf) -> Layer | None:
        if self.name in self.uses.between:
            return self._walls(value)
        if self.name not in ROWS + COLUMNS or isinstance(value, s.SetOf) or not value.items:
            return None
        if not all(isinstance(item, s.Number | s.Text) for item in value.items):
            return None
        texts = all(isinstance(item, s.Text) and item.value != sketch.BLANK for item in value.items)
        clues = tuple(str(item.value) for item in value.items if isinstance(item, s.Number | s.Text))
        return self._margin("list", clues, texts)

    def _margin(self, form: str, clues: tuple[str, ...], texts: bool) -> Margin | None:
        side = "left" if self.name in ROWS else "top"
        blank = "" if texts else sketch.BLANK
        return Margin(self._home(self.value), form, ((side, 0, clues),), None, blank, texts) if clues else None

    def _walls(self, value: s.ListOf | s.SetOf) -> Walls | None:
        pairs = []
        for item in value.items:
            parts = [n.value for n in walk(item) if isinstance(n, s.Number)]
            if len(parts) != 4 or any(not isinstance(n, s.Number | s.TupleOf | s.ListOf) for n in walk(item)):
                return None
            pairs.append(((parts[0], parts[1]), (parts[2], parts[3]), ()))
        form = "list" if isinstance(value, s.ListOf) else "set"
        return Walls(self._home(value), form, tuple(pairs), None, (), False, 0)

    # --- where it stands ---

    def _home(self, value: s.Expr) -> Home:
        span, given = value.span, self.given is not None
        if not isinstance(value, s.ReaderBlock):
            return Home(self.name, span.start, span.end, False, True, "", "", given)
        text = span.text
        opening = text.index('"""') + 3
        raw = text[opening:-3]
        lines = raw.split("\n")
        inner = [line for line in lines[1:] if line.strip()]
        indent = inner[0][: len(inner[0]) - len(inner[0].lstrip())] if inner else "  "
        if inner and value.block:
            cut = len(inner[0]) - len(dedent("\n" + "\n".join(inner) + "\n")[0].split("\n")[0])
            indent = inner[0][:cut]
        close = lines[-1] if len(lines) > 1 and not lines[-1].strip() else ""
        return Home(self.name, span.start + opening, span.end - 3, True, len(lines) == 1, indent, close, given)


def _columns(value: s.ReaderBlock) -> list[str]:
    return [arg.value for arg in value.args if isinstance(arg, s.Text)]


def _comma(reader: str, block: str) -> bool:
    return reader == "csv" or (reader == "table" and "," in block.strip("\n").split("\n")[0])


def _word(value: s.Expr) -> str | None:
    if isinstance(value, s.Name) and value.id in LATTICES:
        return value.id
    return value.value if isinstance(value, s.Text) else None


def _size(value: s.ReaderBlock, block: str) -> tuple[int, int] | None:
    """The rows and columns that the reader is told, as far as the text tells; one line is supposed to be a square."""
    if len(value.args) != 2:
        return None
    rows, cols = value.args
    if isinstance(rows, s.Number) and isinstance(cols, s.Number):
        return rows.value, cols.value
    lines = [re.sub(r"\s", "", line) for line in block.split("\n") if line.strip()]
    if len(lines) != 1:
        return None
    side = isqrt(len(lines[0]))
    return (side, side) if side * side == len(lines[0]) else None


def _numbers(record: Sequence[str]) -> tuple[int, int, int, int]:
    if len(record) != 4 or not all(field.isdigit() and field.isascii() for field in record):
        raise sketch.Undrawable("a line of it has other fields than four numbers")
    a, b, c, d = map(int, record)
    return a, b, c, d


# --- what is told by the layers together ---


def board_size(found: Sequence[Layer | tuple[str, str]]) -> tuple[int, int]:
    """The rows and columns of the board, by most grids of squares, or else by the clues beside it."""
    sizes = [x.board for x in found if isinstance(x, PictureLayer) and x.canvas.of_squares and x.role != "pieces"]
    if sizes:
        return max(sizes, key=lambda size: (sum(_kin(size, other) for other in sizes), -size[0] * size[1]))
    sides = {side: len(clues) for x in found if isinstance(x, Margin) for side, _, clues in x.sides}
    return sides.get("left", 0), sides.get("top", 0)


def _kin(size: tuple[int, int], other: tuple[int, int]) -> bool:
    return any(all(2 * a + by == b for a, b in zip(size, other, strict=True)) for by in (-1, 1)) or size == other


def _with_bases(found: list[Layer | tuple[str, str]]) -> list[Layer | tuple[str, str]]:
    """The layers, with the base of the numbers that name squares."""
    words = [word for x in found if isinstance(x, Paths | Spots | Walls) and x.table for word in _squares(x)]
    high, wide = board_size(found)
    long = any(len(word) > 2 for word in words) or max(high, wide) > sketch.DECIMAL - 1
    base = sketch.LONG if long else sketch.DECIMAL
    return [_based(x, base) for x in found]


def _squares(layer: Paths | Spots | Walls) -> Iterator[str]:
    table = layer.table
    assert table is not None
    for at, name in enumerate(table.columns):
        if name in ("square", "first", "second", "squares"):
            for record in table.records:
                yield from record[at:] if name == "squares" else record[at : at + 1]


def _based(layer: Layer | tuple[str, str], base: int) -> Layer | tuple[str, str]:
    if isinstance(layer, Paths):
        return Paths(layer.home, layer.table, base, layer.look)
    if isinstance(layer, Spots):
        return Spots(layer.home, layer.table, base, layer.look)
    if isinstance(layer, Walls) and layer.table is not None and layer.base:
        at = len(layer.fields)
        pairs = []
        for record in layer.table.records:
            one, other = sketch.square_of(record[at], base), sketch.square_of(record[at + 1], base)
            if one is None or other is None:
                return layer.home.name, "a line of it names no two squares"
            pairs.append((one, other, record[:at]))
        return Walls(layer.home, layer.form, tuple(pairs), layer.table, layer.fields, layer.ordered, base)
    return layer


def spot_of(layer: Spots, record: Sequence[str]) -> sketch.Square | None:
    """The place that a record is about."""
    columns = layer.table.columns
    if layer.look == "margin":
        words = record[columns.index("row")], record[columns.index("column")]
        return (int(words[0]), int(words[1])) if all(is_whole(word) for word in words) else None
    return sketch.square_of(record[columns.index("square")], layer.base)


def is_whole(word: str) -> bool:
    """Whether a word is a whole number."""
    return word.isascii() and word.removeprefix("-").isdigit()
