"""f-puzzles: `https://www.f-puzzles.com/?load=BASE64` ↔ a sudoku's board. What is packed is JSON, by lz.py.

Whatever changes the rules and is not known is refused by name, and so are signs and colours that setters draw freely:
what they mean is said in words alone. Who asks for it has these drawings passed over; a layer tells their names and
numbers (`passed`). Words that the setter wrote are kept (`said`), so that they can be read beside the model. What a
solver wrote on the board is no part of the puzzle.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import unquote

from covr.links.board import LONGEST, Board, Cell, LinkFault, Place, Value, Variant
from covr.links.codes import shortened
from covr.links.fpuzzles_parts import PARTS, Json, digits_of, flag
from covr.links.lz import compress, decompress
from covr.links.sudoku_board import LARGEST, SUDOKU, TABLES, records, table_layer, usual_region

SITE = "https://www.f-puzzles.com/?load="
_BEGINNING = re.compile(r"(?:https?://)?(?:www\.)?f-puzzles\.com/?\?(?P<how>[a-z]+)=", re.ASCII)
# What stands behind `load=`, alone: base64 of JSON, whose first characters are always the same.
_BARE = re.compile("N4I[A-Za-z0-9+/%]{37}", re.ASCII)
WORDS = ("title", "author", "ruleset")
# Names that say nothing about the puzzle: what was solved, how a program is to solve it, what it says at the end.
_IDLE = ("solution", "disabledlogic", "truecandidatesoptions", "successMessage", "msgcorrect")
# Signs without a meaning of their own. Some programs add them to show the constraints that they know besides.
_SIGNS = ("line", "rectangle", "circle", "text", "cage")
_KNOWN_LINES = ("renban", "whispers", "germanwhispers", "dutchwhispers", "entropicline", "modularline", "regionsumline")
_KNOWN_MORE = ("nabner", "doublearrow", "zipperline", "slowthermometer", "rowindexer", "columnindexer", "xsum")
_CELL_NAMES = frozenset({"value", "given", "region", "givenPencilMarks"})
_COLOUR_NAMES = frozenset({"c", "cArray"})
_KNOWN_CELL_NAMES = _CELL_NAMES | _COLOUR_NAMES | {"centerPencilMarks", "cornerPencilMarks", "highlight", "candidates"}
COLOURS = "coloured squares"  # how the colours of squares are counted


def is_fpuzzles(text: str) -> bool:
    """Whether a text is an address of f-puzzles, or what stands in one, judging by its beginning."""
    start = text.strip()[:200]
    return _BEGINNING.match(start) is not None or _BARE.match(start) is not None


def read_fpuzzles(text: str, ignore: bool = False) -> Board:
    """The board in an address of f-puzzles. ignore: pass over what is drawn freely. Raises LinkFault."""
    text = text.strip()
    if len(text) > LONGEST:
        raise LinkFault(f"it has more than {LONGEST:,} letters")
    found = _BEGINNING.match(text)
    if found is None:
        return read_packed(text, ignore)
    if found["how"] != "load":
        raise ShortName("f-puzzles")
    return read_packed(text[found.end() :].partition("&")[0], ignore)


class ShortName(LinkFault):
    """An address that names a puzzle which a server keeps."""

    def __init__(self, site: str) -> None:
        super().__init__(f"it has only the name of a puzzle that {site} keeps, and covr asks no server")
        self.help = f"open it there, and export the puzzle to an address of f-puzzles, `{SITE}…`, which holds all of it"


def read_packed(packed: str, ignore: bool = False) -> Board:
    """The board in what is packed in an address. Raises LinkFault."""
    if "%" in packed:
        packed = unquote(packed)
    if "%" in packed:
        raise LinkFault("it is encoded twice: it still has `%` in it")
    return board_of_json(parsed(decompress(packed.strip().replace(" ", "+"))), ignore)


def parsed(text: str) -> Json:
    """The object that JSON says. Raises LinkFault."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise LinkFault("it is damaged: what it holds is no JSON") from None
    if not isinstance(found, dict):
        raise LinkFault("it is damaged: what it holds is no puzzle")
    return found


def board_of_json(puzzle: Json, ignore: bool = False) -> Board:
    """The board that the JSON of f-puzzles says. ignore: pass over what is drawn freely. Raises LinkFault."""
    _refuse_unknown(puzzle)
    drawn = {name: many for name in _SIGNS if (many := _free_signs(puzzle.get(name)))}
    grid = puzzle.get("grid")
    rows: list[Any] = grid if isinstance(grid, list) else []
    side = len(rows)
    if not 1 <= side <= LARGEST:
        raise LinkFault(f"it has a board of {side} rows; 1 to {LARGEST} can be read")
    if puzzle.get("size", side) != side or not all(isinstance(row, list) and len(row) == side for row in rows):
        raise LinkFault("its board is not a square of the size that it says")
    layers, coloured = _grid(rows, side)
    if coloured:
        drawn[COLOURS] = coloured
    if drawn and not ignore:
        raise Drawings(drawn)
    tables: dict[str, list[tuple[Any, ...]]] = {name: [] for name in TABLES}
    for part in PARTS:
        part.read(puzzle, side, tables)
    few = layers.pop("few")
    tables["few"] = [(cell, few[cell]) for cell in sorted(few)]
    _check_regions(layers["region"], side, tables)
    layers |= {name: table_layer(found) for name, found in tables.items()}
    layers["said"] = {(name,): puzzle[name] for name in WORDS if isinstance(puzzle.get(name), str) and puzzle[name]}
    layers["passed"] = {(name,): many for name, many in drawn.items()}
    return Board(SUDOKU.name, side, side, "", {name: layer for name, layer in layers.items() if layer})


def _refuse_unknown(puzzle: Json) -> None:
    known = {name for part in PARTS for name in part.names} | {"size", "grid", *WORDS, *_IDLE, *_SIGNS}
    unknown = [
        name for name, value in puzzle.items() if name not in known and value not in (None, False, "", 0, [], {})
    ]
    if unknown:
        more = " and more" if len(unknown) > 5 else ""
        raise Unknown([f"`{shortened(name)}`" for name in unknown[:5]], more)


class Unknown(Variant):
    """The puzzle has constraints that the model has not."""

    def __init__(self, names: Sequence[str], more: str) -> None:
        super().__init__(f"it has constraints that the model has not: {', '.join(names)}{more}")
        self.help = f"constraints that can be read: {', '.join(sorted(name for part in PARTS for name in part.names))}"


class Drawings(Variant):
    """The puzzle has what setters draw freely. drawn: what, and how many of each."""

    help = "`--ignore drawings` passes over them, and says whether the rest has one answer"

    def __init__(self, drawn: Mapping[str, int], site: str = "") -> None:
        super().__init__(f"it has drawings{site} whose meaning is said in words alone: {drawings(drawn)}")


def drawings(drawn: Mapping[str, int]) -> str:
    """What is drawn, in words."""
    said = {name: f"`{name}`" for name in drawn} | {
        COLOURS: COLOURS.removesuffix("s" if drawn.get(COLOURS) == 1 else "")
    }
    return ", ".join(f"{many} {said[name]}" for name, many in drawn.items())


def _free_signs(found: Any) -> int:
    """How many signs there are that no known constraint drew, and that are no words about the puzzle."""
    if not isinstance(found, list):
        return int(found not in (None, False, "", 0, {}))
    known = {*_KNOWN_LINES, *_KNOWN_MORE}
    free = 0
    for sign in found:
        if isinstance(sign, dict):
            drawn_by = str(sign.get("fromConstraint", "")).lower().replace(" ", "")
            words = not sign.get("cells") and not sign.get("lines")
            free += drawn_by not in known and not words
        else:
            free += 1
    return free


def _grid(rows: Sequence[Sequence[Any]], side: int) -> tuple[dict[str, dict[Place, Value]], int]:
    """The layers of cells, and how many cells have a colour."""
    layers: dict[str, dict[Place, Value]] = {"clue": {}, "region": {}, "few": {}}
    coloured = 0
    for r, row in enumerate(rows, 1):
        for c, entry in enumerate(row, 1):
            where = f"square `R{r}C{c}`"
            if not isinstance(entry, dict):
                raise LinkFault(f"its {where} has no names")
            idle: tuple[Any, ...] = (None, False, "", 0, [])
            coloured += any(entry.get(name) not in idle for name in _COLOUR_NAMES)
            unknown = [k for k, v in entry.items() if k not in _KNOWN_CELL_NAMES and v not in idle]
            if unknown:
                raise Variant(f"its {where} has `{shortened(unknown[0])}`, which the model has not")
            if flag(entry, "given"):
                ((layers["clue"][r, c]),) = digits_of([entry.get("value")], side, where)
            elif marks := entry.get("givenPencilMarks"):
                layers["few"][r, c] = digits_of(marks, side, where)
            region = entry.get("region", usual_region(side, (r, c)))
            if region is not None:
                if not isinstance(region, int) or isinstance(region, bool) or not 0 <= region < side:
                    raise LinkFault(f"its {where} is in no region from 0 to {side - 1}")
                layers["region"][r, c] = region
    return layers, coloured


def _check_regions(regions: dict[Place, Value], side: int, tables: dict[str, list[tuple[Any, ...]]]) -> None:
    size: dict[Value, int] = {}
    for region in regions.values():
        size[region] = size.get(region, 0) + 1
    for region, squares in size.items():
        if squares != side:
            raise LinkFault(f"its region {region} has {squares} squares instead of {side}")
    missing = len(regions) < side * side
    if missing and ("disjoint",) in tables["everywhere"]:
        raise Variant("it has `disjointgroups`, and squares outside of all regions")
    if missing and any(kind == "regionsumline" for kind, *_ in tables["line"]):
        raise Variant("it has `regionsumline`, and squares outside of all regions")


def json_of_board(board: Board) -> Json:
    """The JSON of f-puzzles for a sudoku. Raises LinkFault for what it can't say."""
    side, few = board.height, dict(records(board, "few"))

    def entry(cell: Cell) -> Json:
        found: Json = {}
        if cell in board.layer("clue"):
            found |= {"value": board.layer("clue")[cell], "given": True}
        elif cell in few:
            found["givenPencilMarks"] = list(few[cell])
        region = board.layer("region").get(cell)
        return found if region == usual_region(side, cell) else {**found, "region": region}

    words = {name: board.layer("said")[name,] for name in WORDS if (name,) in board.layer("said")}
    rows = [[entry((r, c)) for c in range(1, side + 1)] for r in range(1, side + 1)]
    puzzle: Json = {"size": side, **words, "grid": rows}
    for part in PARTS:
        puzzle |= part.write(board)
    return puzzle


def write_fpuzzles(board: Board) -> str:
    """The address of a sudoku. Raises LinkFault for what it can't say."""
    return SITE + compress(json.dumps(json_of_board(board), ensure_ascii=False, separators=(",", ":")))
