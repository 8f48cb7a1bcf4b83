"""Sudokus with all that setters add: the layers of a board, and the constraints of f-puzzles."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isqrt
from typing import Any, Protocol

from covr.frozen import frozen
from covr.links.codes import shortened
from covr.links.inverse import grid, room_name
from covr.links.places import Board, Cell, LinkFault, Place, Value
from covr.links.table import Kind, numbers

# --- A sudoku with all that setters add to it: the layers of its board, and the params of its model from them ---------
# Beside `clue` and `region`, layers of cells as ever, each layer is a table: its places are the numbers (1,), (2,), …
# of its records, and a record is a tuple in the order of the model's columns, in which cells are (row, column).


LARGEST = 31  # the longest side of a sudoku that is read
NO_NUMBER = "."  # in place of the number of a record that has none

# The columns of each table: what is a cell, and what is a list of cells or digits, must be known.
TABLES: Mapping[str, tuple[str, ...]] = {
    "line": ("kind", "number", "squares"),
    "cage": ("sum", "squares"),
    "extra": ("squares",),
    "pair": ("kind", "number", "first", "second"),
    "never": ("kind", "number"),
    "mark": ("kind", "square"),
    "few": ("square", "digits"),
    "quadruple": ("square", "digits"),
    "outside": ("kind", "number", "row", "column"),
    "everywhere": ("rule",),
}
_CELLS = frozenset({"square", "first", "second"})


def records(board: Board, table: str) -> list[tuple[Any, ...]]:
    """The records of a table, in order."""
    found: Mapping[Place, Any] = board.layer(table)
    return [found[place] for place in sorted(found)]


def table_layer(found: list[tuple[Any, ...]]) -> dict[Place, Value]:
    """Records as a layer."""
    return {(number,): record for number, record in enumerate(found, 1)}


def box_size(side: int) -> tuple[int, int]:
    """Rows and columns of a box: as nearly square as they can be, and not higher than wide."""
    high = next(h for h in range(isqrt(side), 0, -1) if side % h == 0)
    return high, side // high


def usual_region(side: int, cell: Cell) -> int:
    """The number of the box in which a cell lies, from 0."""
    high, wide = box_size(side)
    return (cell[0] - 1) // high * (side // wide) + (cell[1] - 1) // wide


def _params(board: Board) -> dict[str, Any]:
    def number(cell: Cell) -> int:
        return cell[0] * (10 if board.height < 10 else 100) + cell[1]

    def field(column: str, value: Any) -> Any:
        if column == "squares":
            return [number(cell) for cell in value]
        return number(value) if column in _CELLS else list(value) if column == "digits" else value

    tables = {
        table: [
            {column: field(column, value) for column, value in zip(columns, record, strict=True)}
            for record in records(board, table)
        ]
        for table, columns in TABLES.items()
    }
    return {"clue": grid(board), "region": grid(board, "region", room_name), **tables}


SUDOKU = Kind(
    name="sudoku_variants",
    model="sudoku_variants",
    address=(),  # pzpr has no such kind, and so no files of it
    file=(),
    params=_params,
    answer=(numbers("place"),),
)


def board_of(params: Mapping[str, Any]) -> Board:
    """The board with these params of the model. What is left out, or None, is not there."""
    rows = params["clue"]
    side = len(rows)
    base = 10 if side < 10 else 100

    def value(column: str, found: Any) -> Any:
        if column == "squares":
            return tuple(divmod(cell, base) for cell in found)
        return divmod(found, base) if column in _CELLS else tuple(found) if column == "digits" else found

    layers: dict[str, Mapping[Place, Value]] = {
        table: table_layer([tuple(value(c, record[c]) for c in columns) for record in params.get(table) or ()])
        for table, columns in TABLES.items()
    }
    names = {name: k for k, name in enumerate(dict.fromkeys(name for row in params["region"] for name in row if name))}
    layers["clue"] = {(r, c): d for r, row in enumerate(rows, 1) for c, d in enumerate(row, 1) if d is not None}
    layers["region"] = {
        (r, c): names[name] for r, row in enumerate(params["region"], 1) for c, name in enumerate(row, 1) if name
    }
    return Board(SUDOKU.name, side, side, "", {name: layer for name, layer in layers.items() if layer})


# --- The constraints of f-puzzles: how each is written in its JSON, and which records of a board it is ----------------
# A part reads what stands under its names in the JSON into tables of a board, and writes it from them. Reading raises
# LinkFault for what can't be meant, and says in which entry.


Json = dict[str, Any]
Tables = Mapping[str, list[tuple[Any, ...]]]
MOST_ENTRIES = 2_000  # under one name: no puzzle has nearly as many
LARGEST_NUMBER = 10_000  # of a sum or a difference
_CELL = re.compile(r"R([0-9]{1,2})C([0-9]{1,2})", re.ASCII)


class PuzzleField(Protocol):
    """Some names of the JSON and what they mean."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names that it reads."""

    def read(self, puzzle: Json, side: int, tables: Tables) -> None:
        """Add to the tables what stands under the names."""

    def write(self, board: Board) -> Json:
        """What stands under the names. Raises LinkFault for what f-puzzles can't say."""


def _shown(value: Any) -> str:
    return shortened(str(value) if not isinstance(value, list) or len(value) < 20 else "[…]")


def cell(value: Any, side: int, where: str, margin: int = 0) -> Cell:
    """The cell that `R3C4` names. margin: 1 for a place that may lie beside the board."""
    found = _CELL.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise LinkFault(f"its {where} names `{_shown(value)}`, which is not a square")
    place = int(found[1]), int(found[2])
    if not all(1 - margin <= k <= side + margin for k in place):
        raise LinkFault(f"its {where} names the square `{value}`, which is not on the board")
    return place


def cells(value: Any, side: int, where: str, least: int = 1, distinct: bool = False) -> tuple[Cell, ...]:
    """The cells that a list names."""
    if not isinstance(value, list) or not least <= len(value) <= side * side:
        raise LinkFault(f"its {where} has `{_shown(value)}` where squares are named")
    found = tuple(cell(each, side, where) for each in value)
    if distinct and len(set(found)) < len(found):
        raise LinkFault(f"its {where} names a square twice")
    return found


def number(value: Any, where: str, missing: Any = NO_NUMBER) -> Any:
    """The number that a value is, perhaps in a text; `missing` for none."""
    if value is None or value == "":
        return missing
    text = str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""
    if not re.fullmatch("[0-9]{1,6}", text, re.ASCII) or int(text) > LARGEST_NUMBER:
        raise LinkFault(f"its {where} has `{_shown(value)}` in place of a number")
    return int(text)


def entries(puzzle: Json, name: str) -> Iterator[tuple[str, Json]]:
    """What stands in the list under a name, each with what messages call it."""
    found = puzzle.get(name) or []
    if not isinstance(found, list) or len(found) > MOST_ENTRIES:
        raise LinkFault(f"its `{name}` is not a list of at most {MOST_ENTRIES:,} entries")
    for at, entry in enumerate(found, 1):
        if not isinstance(entry, dict):
            raise LinkFault(f"entry {at} of its `{name}` has no names")
        yield f"entry {at} of `{name}`", entry


def named(place: Cell) -> str:
    """A cell as the JSON names it."""
    return f"R{place[0]}C{place[1]}"


def _valued(entry: Json, value: Any) -> Json:
    return entry if value == NO_NUMBER else {**entry, "value": str(value)}


@frozen
class LinesField:
    """Lines of one kind. also: other names, each with the least difference that it means, on a board of that side."""

    kind: str
    least: int = 1
    also: Mapping[str, Callable[[int], int]] = {}
    numbered: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        return (self.kind, *self.also)

    def read(self, puzzle: Json, side: int, tables: Tables) -> None:
        for name in self.names:
            usual = self.also[name](side) if name in self.also else (side + 1) // 2
            for where, entry in entries(puzzle, name):
                said = number(entry.get("value"), where, usual) if self.numbered else NO_NUMBER
                lines = entry.get("lines")
                if not isinstance(lines, list) or len(lines) > MOST_ENTRIES:
                    raise LinkFault(f"{where} has no lines")
                for line in lines:
                    squares = cells(line, side, where, self.least)
                    tables["line"].append((self.kind, said, squares))

    def write(self, board: Board) -> Json:
        found = [
            _valued({"lines": [[named(x) for x in squares]]}, said)
            for kind, said, squares in records(board, "line")
            if kind == self.kind
        ]
        return {self.kind: found} if found else {}


@frozen
class Arrows:
    """Arrows: the squares of the circle, which show a number of as many digits, and the lines that begin there."""

    names: tuple[str, ...] = ("arrow",)

    def read(self, puzzle: Json, side: int, tables: Tables) -> None:
        for where, entry in entries(puzzle, "arrow"):
            circle = cells(entry.get("cells"), side, where, distinct=True)
            if len(circle) > 1 and (side > 9 or list(circle) != sorted(circle) or len(circle) > 4):
                raise LinkFault(f"{where} has a circle of several squares whose number can be read in several ways")
            lines = entry.get("lines")
            if not isinstance(lines, list) or not lines or len(lines) > MOST_ENTRIES:
                raise LinkFault(f"{where} has no lines")
            for line in lines:
                first, *rest = cells(line, side, where)
                if first not in circle or not rest:
                    raise LinkFault(f"{where} has a line that does not begin in its circle, or ends there")
                tables["line"].append(("arrow", len(circle), (*circle, *rest)))

    def write(self, board: Board) -> Json:
        found = []
        for kind, count, squares in records(board, "line"):
            if kind == "arrow":
                circle, rest = squares[:count], squares[count:]
                first = min(circle, key=lambda x: max(abs(x[0] - rest[0][0]), abs(x[1] - rest[0][1])))
                line = [named(x) for x in (first, *rest)]
                found.append({"cells": [named(x) for x in circle], "lines": [line]})
        return {"arrow": found} if found else {}


@frozen
class Clones:
    """Groups of squares that hold the same digits: a line whose second half is a copy of the first."""

    names: tuple[str, ...] = ("clone",)

    def read(self, puzzle: Json, side: int, tables: Tables) -> None:
        for where, entry in entries(puzzle, "clone"):
            first = cells(entry.get("cells"), side, where)
            second = cells(entry.get("cloneCells"), side, where)
            if len(first) != len(second):
                raise LinkFault(f"{where} has a copy of another size")
            pairs = [(x, y) for x, y in zip(first, second, strict=True) if x != y]
            if pairs:
                xs, ys = zip(*pairs, strict=True)
                tables["line"].append(("clone", NO_NUMBER, (*xs, *ys)))

    def write(self, board: Board) -> Json:
        found = [
            {
                "cells": [named(x) for x in squares[: len(squares) // 2]],
                "cloneCells": [named(x) for x in squares[len(squares) // 2 :]],
            }
            for kind, _, squares in records(board, "line")
            if kind == "clone"
        ]
        return {"clone": found} if found else {}


@frozen
class Cages:
    """Cages, with or without a sum."""

    names: tuple[str, ...] = ("killercage",)

    def read(self, puzzle: Json, side: int, tables: Tables) -> None:
        for where, entry in entries(puzzle, "killercage"):
            said = number(entry.get("value"), where)
            tables["cage"].append((said, cells(entry.get("cells"), side, where, distinct=True)))

    def write(self, board: Board) -> Json:
        found = [_valued({"cells": [named(x) for x in xs]}, said) for said, xs in records(board, "cage")]
        return {"killercage": found} if found else {}


@frozen
class Regions:
    """Further regions."""

    names: tuple[str, ...] = ("extraregion",)

    def read(self, puzzle: Json, side: int, tables: Tables) -> None:
        for where, entry in entries(puzzle, "extraregion"):
            tables["extra"].append((cells(entry.get("cells"), side, where, distinct=True),))

    def write(self, board: Board) -> Json:
        found = [{"cells": [named(x) for x in xs]} for (xs,) in records(board, "extra")]
        return {"extraregion": found} if found else {}


@frozen
class Pairs:
    """Dots between two squares. kind: of the record.  usual: the number of a dot that shows none."""

    name: str
    kind: str
    usual: int = 0
    letters: Mapping[str, int] = {}  # numbers that are written as letters

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name,)

    def read(self, puzzle: Json, side: int, tables: Tables) -> None:
        for where, entry in entries(puzzle, self.name):
            squares = cells(entry.get("cells"), side, where, distinct=True)
            if len(squares) != 2:
                raise LinkFault(f"{where} does not stand between two squares")
            tables["pair"].append((self.kind, self._number(entry.get("value"), where), *squares))

    def _number(self, value: Any, where: str) -> int:
        if not self.letters:
            return int(number(value, where, self.usual))
        said = self.letters.get(str(value).upper())
        if said is None:
            raise LinkFault(f"its {where} has `{_shown(value)}` where one of {', '.join(self.letters)} is meant")
        return said

    def write(self, board: Board) -> Json:
        said = {count: letter for letter, count in self.letters.items()}
        found = []
        for kind, count, *squares in records(board, "pair"):
            if kind != self.kind:
                continue
            if self.letters and count not in said:
                raise LinkFault(f"f-puzzles has no sign for two digits that add up to {count}")
            entry: Json = {"cells": [named(x) for x in squares]}
            found.append(entry if count == self.usual else {**entry, "value": said.get(count, str(count))})
        return {self.name: found} if found else {}


@frozen
class Never:
    """What neighbours without a dot may not show: of all dots that there are."""

    names: tuple[str, ...] = ("negative", "nonconsecutive")

    def read(self, puzzle: Json, side: int, tables: Tables) -> None:
        if flag(puzzle, "nonconsecutive"):
            tables["never"].append(("difference", 1))
        negative = puzzle.get("negative") or []
        if not isinstance(negative, list) or not all(name in ("xv", "ratio") for name in negative):
            raise LinkFault(f"its `negative` has `{_shown(negative)}`, of which only `xv` and `ratio` are known")
        if "ratio" in negative:
            ratios = {count for kind, count, *_ in tables["pair"] if kind == "ratio"}
            tables["never"].extend(("ratio", count) for count in sorted(ratios) or [2])
        if "xv" in negative:
            tables["never"].extend([("sum", 5), ("sum", 10)])

    def write(self, board: Board) -> Json:
        found = set(records(board, "never"))
        puzzle: Json = {}
        negative = []
        if ratios := {count for kind, count in found if kind == "ratio"}:
            dots = {count for kind, count, *_ in records(board, "pair") if kind == "ratio"}
            self._only(ratios == (dots or {2}))
            negative.append("ratio")
        if sums := {count for kind, count in found if kind == "sum"}:
            self._only(sums == {5, 10})
            negative.append("xv")
        if negative:
            puzzle["negative"] = negative
        if differences := {count for kind, count in found if kind == "difference"}:
            self._only(differences == {1})
            puzzle["nonconsecutive"] = True
        return puzzle

    @staticmethod
    def _only(can: bool) -> None:
        if not can:
            raise LinkFault("f-puzzles can't say of just these numbers that neighbours without a dot don't have them")


@frozen
class Marks:
    """Squares with a property. listed: entries have lists of squares."""

    kind: str
    listed: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        return (self.kind,)

    def read(self, puzzle: Json, side: int, tables: Tables) -> None:
        for where, entry in entries(puzzle, self.kind):
            said = cells(entry.get("cells"), side, where) if self.listed else (cell(entry.get("cell"), side, where),)
            tables["mark"].extend((self.kind, square) for square in said)

    def write(self, board: Board) -> Json:
        squares = [named(square) for kind, square in records(board, "mark") if kind == self.kind]
        if not squares:
            return {}
        return {self.kind: [{"cells": squares}] if self.listed else [{"cell": square} for square in squares]}


@frozen
class Quadruples:
    """Digits at a corner, each of which stands in one of the four squares."""

    names: tuple[str, ...] = ("quadruple",)

    def read(self, puzzle: Json, side: int, tables: Tables) -> None:
        for where, entry in entries(puzzle, "quadruple"):
            squares = cells(entry.get("cells"), side, where, distinct=True)
            (r, c), digits = min(squares), digits_of(entry.get("values"), side, where)
            if set(squares) != {(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)} or len(digits) > 4:
                raise LinkFault(f"{where} is not round a corner")
            if digits:
                tables["quadruple"].append(((r, c), digits))

    def write(self, board: Board) -> Json:
        found = [
            {"cells": [named((r + i, c + j)) for i in (0, 1) for j in (0, 1)], "values": list(digits)}
            for (r, c), digits in records(board, "quadruple")
        ]
        return {"quadruple": found} if found else {}


@frozen
class OutsideField:
    """Sums beside rows and columns, or, with directions, of diagonals. A clue without a number asks nothing."""

    name: str
    directed: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name,)

    def read(self, puzzle: Json, side: int, tables: Tables) -> None:
        for where, entry in entries(puzzle, self.name):
            place = cell(entry.get("cell"), side, where, 1)
            said = number(entry.get("value"), where)
            kind = entry.get("direction") if self.directed else self.name
            beside = [k in (0, side + 1) for k in place]
            if self.directed:
                if kind not in DIRECTIONS or not 1 <= place[0] + DIRECTIONS[kind][0] <= side:
                    raise LinkFault(f"{where} does not point onto the board")
                if not any(beside) or not 1 <= place[1] + DIRECTIONS[kind][1] <= side:
                    raise LinkFault(f"{where} does not point onto the board")
            elif sum(beside) != 1:
                raise LinkFault(f"{where} does not stand beside a row or a column")
            if said != NO_NUMBER:
                tables["outside"].append((kind, said, *place))

    def write(self, board: Board) -> Json:
        found = []
        for kind, said, *place in records(board, "outside"):
            if kind != self.name and not (self.directed and kind in DIRECTIONS):
                continue
            entry: Json = {"cell": named((place[0], place[1]))}
            if self.directed:
                entry |= {"cells": [named(x) for x in diagonal(place, kind, board.height)], "direction": kind}
            found.append({**entry, "value": str(said)})
        return {self.name: found} if found else {}


DIRECTIONS = {"DR": (1, 1), "DL": (1, -1), "UR": (-1, 1), "UL": (-1, -1)}


def diagonal(place: Sequence[int], way: str, side: int) -> list[Cell]:
    """The squares of the board on a diagonal from a place beside it."""
    down, right = DIRECTIONS[way]
    squares = [(place[0] + k * down, place[1] + k * right) for k in range(1, side + 1)]
    return [(r, c) for r, c in squares if 1 <= r <= side and 1 <= c <= side]


def digits_of(value: Any, side: int, where: str) -> tuple[int, ...]:
    """A list of digits."""
    found = value if isinstance(value, list) else [None]
    if not all(isinstance(d, int) and not isinstance(d, bool) and 1 <= d <= side for d in found) or len(found) > side:
        raise LinkFault(f"its {where} has `{_shown(value)}` where digits stand")
    return tuple(found)


def flag(puzzle: Json, name: str) -> bool:
    """Whether something is said to hold."""
    value = puzzle.get(name)
    if value is not None and not isinstance(value, bool):
        raise LinkFault(f"its `{name}` is `{_shown(value)}`, neither true nor false")
    return value is True


@frozen
class Everywhere:
    """Rules that hold on the whole board: what JSON calls each, and what the model does."""

    rules: Mapping[str, str]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.rules)

    def read(self, puzzle: Json, side: int, tables: Tables) -> None:
        tables["everywhere"].extend((rule,) for name, rule in self.rules.items() if flag(puzzle, name))

    def write(self, board: Board) -> Json:
        rules = {rule for (rule,) in records(board, "everywhere")}
        return {name: True for name, rule in self.rules.items() if rule in rules}


_PLAIN_LINES = ("thermometer", "slowthermometer", "renban", "nabner", "palindrome", "modularline", "entropicline")

# In the order in which JSON is written. `Never` comes after the pairs, whose numbers it needs.
PARTS: tuple[PuzzleField, ...] = (
    Everywhere(
        {
            "diagonal+": "rising",
            "diagonal-": "falling",
            "antiknight": "antiknight",
            "antiking": "antiking",
            "disjointgroups": "disjoint",
        }
    ),
    *(LinesField(kind) for kind in _PLAIN_LINES),
    LinesField(
        "whispers",
        numbered=True,
        also={"germanwhispers": lambda side: (side + 1) // 2, "dutchwhispers": lambda side: (side + 1) // 2 - 1},
    ),
    LinesField("betweenline", least=2),
    *(LinesField(kind, least=3) for kind in ("doublearrow", "zipperline")),
    LinesField("regionsumline"),
    Arrows(),
    Clones(),
    Cages(),
    Regions(),
    Pairs("difference", "difference", 1),
    Pairs("ratio", "ratio", 2),
    Pairs("xv", "sum", letters={"X": 10, "V": 5}),
    Never(),
    *(Marks(kind) for kind in ("even", "odd", "minimum", "maximum")),
    *(Marks(kind, listed=True) for kind in ("rowindexer", "columnindexer")),
    Quadruples(),
    OutsideField("littlekillersum", directed=True),
    OutsideField("sandwichsum"),
    OutsideField("xsum"),
)
