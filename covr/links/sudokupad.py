"""SudokuPad: `https://sudokupad.app/fpuzBASE64` holds a puzzle of f-puzzles, `…/sclBASE64` one of SudokuPad's own.

SudokuPad's own form says what is drawn, not what it means: digits, regions and cages are rules, while lines and signs
stand for rules that are said in words alone. So a puzzle with any of these is refused. It is JSON, in which names are
shortened, quotes left out, and other things written in fewer characters; `unzipped` reads both forms.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import unquote

from covr.links.board import LONGEST, Board, Cell, LinkFault, Place, Value, Variant
from covr.links.codes import shortened
from covr.links.fpuzzles import Drawings, ShortName, parsed, read_packed
from covr.links.fpuzzles_parts import Json, number
from covr.links.lz import decompress
from covr.links.sudoku_board import LARGEST, SUDOKU, table_layer

_BEGINNING = re.compile(
    r"(?:https?://)?(?:[a-z]+\.)*(?:sudokupad\.app|crackingthecryptic\.com)/+(?:sudoku(?:\.html)?[/#]*)?(?:\?puzzleid=)?",
    re.ASCII,
)
SHORTEST = 40  # characters of a puzzle that stands in an address; what is shorter is the name of one
_PACKED = re.compile("fpuzzles|fpuz|scl|ctc|scf", re.ASCII)
_BARE = re.compile(f"(?:{_PACKED.pattern})[A-Za-z0-9+/%]{{{SHORTEST}}}", re.ASCII)  # what stands behind the site, alone
# Names as they are shortened, for all that is looked at here.
_SHORT = {"ce": "cells", "re": "regions", "ca": "cages", "v": "value"}
_SHORT |= {"l": "lines", "a": "arrows", "o": "overlays", "u": "underlays", "t": "title"}
_DRAWN = ("lines", "arrows", "overlays", "underlays")
# What the puzzle says of itself, and how f-puzzles calls it.
_SAID = {"title": "title", "author": "author", "rules": "ruleset"}
_IDLE = frozenset({"cellSize", "cs", "id", "metadata", "settings", "videos", "vd", "solution", *_SAID, *_DRAWN})
_CAGE_NAMES = frozenset({"cells", "value", "sum", "unique", "hidden"})
_WORDS = re.compile(r"(title|author|rules): *(.*)", re.DOTALL)


def is_sudokupad(text: str) -> bool:
    """Whether a text is an address of SudokuPad, or what stands in one, judging by its beginning."""
    start = text.strip()[:200]
    return _BEGINNING.match(start) is not None or _BARE.match(start) is not None


def read_sudokupad(text: str, ignore: bool = False) -> Board:
    """The board in an address of SudokuPad. ignore: pass over what is drawn freely. Raises LinkFault."""
    text = text.strip()
    if len(text) > LONGEST:
        raise LinkFault(f"it has more than {LONGEST:,} letters")
    found = _BEGINNING.match(text)
    name = text[found.end() if found else 0 :].partition("?")[0].partition("&")[0]
    how = _PACKED.match(name)
    if how is None or len(packed := name[how.end() :]) < SHORTEST:
        raise ShortName("SudokuPad")
    if how[0].startswith("fpuz"):
        return read_packed(packed, ignore)
    if how[0] == "scf":
        raise LinkFault("it is packed in a form (`scf`) that is not read; those that begin with `fpuz` or `scl` are")
    text = decompress(unquote(packed).strip().replace(" ", "+"))
    return board_of_puzzle(unzipped(text), ignore)


def unzipped(text: str) -> Json:
    """The object that SudokuPad's text says, whose names are written in full. Raises LinkFault."""
    if '"' not in text:
        text = _Relaxed(text).json()
    return parsed(text)


def board_of_puzzle(puzzle: Json, ignore: bool = False) -> Board:
    """The board that SudokuPad's own form says. ignore: pass over what is drawn freely. Raises LinkFault."""
    puzzle = {_SHORT.get(name, name): value for name, value in puzzle.items()}
    unknown = [name for name, value in puzzle.items() if name not in {*_IDLE, "cells", "regions", "cages"} and value]
    drawn = {name: len(found) if isinstance(found := puzzle[name], list) else 1 for name in _DRAWN if puzzle.get(name)}
    if unknown:
        names = ", ".join(f"`{shortened(name)}`" for name in unknown[:5])
        raise Variant(f"it has {names}: SudokuPad knows them, but their rules are said in words alone")
    if drawn and not ignore:
        raise Drawings(drawn, " of SudokuPad")
    cells = puzzle.get("cells")
    rows: list[Any] = cells if isinstance(cells, list) else []
    side = len(rows)
    if not 1 <= side <= LARGEST or not all(isinstance(row, list) and len(row) == side for row in rows):
        raise LinkFault(f"its board is not a square of 1 to {LARGEST} rows")
    cages, said = _cages(puzzle.get("cages"), side)
    layers: dict[str, dict[Place, Value]] = {
        "clue": _digits(rows, side),
        "region": _regions(puzzle.get("regions"), side),
        "cage": table_layer(cages),
        "said": {**_words(puzzle), **_metadata(puzzle), **said},
        "passed": {(name,): many for name, many in drawn.items()},
    }
    return Board(SUDOKU.name, side, side, "", {name: layer for name, layer in layers.items() if layer})


def _digits(rows: Sequence[Sequence[Any]], side: int) -> dict[Place, Value]:
    found: dict[Place, Value] = {}
    for r, row in enumerate(rows, 1):
        for c, entry in enumerate(row, 1):
            if not isinstance(entry, dict):
                raise LinkFault(f"its square `R{r}C{c}` has no names")
            digit = number(entry.get("v", entry.get("value")), f"square `R{r}C{c}`", None)
            if digit is not None:
                if not 1 <= digit <= side:
                    raise LinkFault(f"its square `R{r}C{c}` holds {digit}, which is no digit of this board")
                found[r, c] = digit
    return found


def _regions(found: Any, side: int) -> dict[Place, Value]:
    regions: dict[Place, Value] = {}
    if not isinstance(found or [], list):
        raise LinkFault("its `regions` is not a list")
    for region, squares in enumerate(found or []):
        cells = _cells(squares, side, f"region {region + 1}")
        if len(cells) != side or any(cell in regions for cell in cells):
            raise LinkFault(f"its region {region + 1} is not one of {side} squares beside the others")
        regions.update(dict.fromkeys(cells, region))
    return regions


def _cells(found: Any, side: int, where: str) -> tuple[Cell, ...]:
    if not isinstance(found, list) or len(found) > side * side:
        raise LinkFault(f"its {where} has no list of squares")
    cells = []
    for place in found:
        if not isinstance(place, list) or len(place) != 2 or not all(type(k) is int and 0 <= k < side for k in place):
            raise LinkFault(f"its {where} names `{shortened(str(place)[:50])}`, which is no square of the board")
        cells.append((place[0] + 1, place[1] + 1))
    if len(set(cells)) < len(cells):
        raise LinkFault(f"its {where} names a square twice")
    return tuple(cells)


def _cages(found: Any, side: int) -> tuple[list[tuple[Any, ...]], dict[Place, Value]]:
    """The cages that are rules, and what the others say in words."""
    cages: list[tuple[Any, ...]] = []
    said: dict[Place, Value] = {}
    if not isinstance(found or [], list):
        raise LinkFault("its `cages` is not a list")
    for at, cage in enumerate(found or [], 1):
        where = f"cage {at}"
        if not isinstance(cage, dict):
            raise LinkFault(f"its {where} has no names")
        cage = {_SHORT.get(name, name): value for name, value in cage.items()}
        if not cage.get("cells"):
            if words := _WORDS.fullmatch(str(cage.get("value", ""))):
                said[_SAID[str(words[1])],] = words[2]
            continue
        if cage.get("hidden") and cage.get("unique") is False:
            continue
        unknown = [name for name in cage if name not in _CAGE_NAMES]
        if unknown or cage.get("unique") is False:
            name = unknown[0] if unknown else "unique"
            raise Variant(f"its {where} has `{shortened(name)}`, which the model has not")
        total = number(cage.get("sum", cage.get("value")), where)
        cages.append((total, _cells(cage["cells"], side, where)))
    return cages, said


def _metadata(puzzle: Json) -> dict[Place, Value]:
    """What the puzzle says of itself in words."""
    found = puzzle.get("metadata") or {}
    if not isinstance(found, dict):
        return {}
    rules = [name for name in ("antiknight", "antiking") if found.get(name) not in (None, False, "", "false")]
    if rules:
        raise Variant(f"its `{rules[0]}` stands among its words, where it may mean several things")
    return _words({_SHORT.get(str(name), str(name)): value for name, value in found.items()})


def _words(found: Json) -> dict[Place, Value]:
    """The title, the author and the rules that stand under these names. A text of digits is packed as a number."""
    said: dict[Place, Value] = {}
    for name, new in _SAID.items():
        text = found.get(name)
        if type(text) is int or (isinstance(text, str) and text):
            said[new,] = str(text)
    return said


# A text, which may be cut off, a sign of JSON, or a word. What a text holds is never tried again, so that all tokens
# together take linear time.
_TOKEN = re.compile(r"""'(?:\\.?|[^'\\])*+(?:'|\Z)|[{}\[\],:]|[^{}\[\],:']+""", re.DOTALL)


class _Relaxed:
    """SudokuPad's text without `"`: texts between apostrophes, bare names, `t` and `f`, `#0` and `#F`, and nothing for
    an empty object in a list."""

    def __init__(self, text: str) -> None:
        self.tokens = _TOKEN.findall(text)

    def json(self) -> str:
        """The same as JSON."""
        made: list[str] = []
        before = ""
        for token, after in zip(self.tokens, [*self.tokens, ""][1:], strict=True):
            if token in (",", "]") and before in ("[", ","):
                made.append("{}")
            made.append(token if token in "{}[],:" else self._word(token, name=after == ":"))
            before = token
        return "".join(made)

    @staticmethod
    def _word(token: str, name: bool) -> str:
        if token.startswith("'"):
            inner = token[1:].removesuffix("'")
            return '"' + inner.replace("\\'", "'") + '"'
        if not name:
            if token in ("t", "f"):
                return "true" if token == "t" else "false"
            if token in ("true", "false", "null") or re.fullmatch(r"-?[0-9]+(?:\.[0-9]+)?", token, re.ASCII):
                return token
        return '"' + token.replace("\\", "").strip() + '"'
