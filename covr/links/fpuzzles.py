"""f-puzzles and SudokuPad: sudokus as compressed JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import unquote

from covr.links import fpuzzles_parts
from covr.links.codes import shortened
from covr.links.places import LONGEST, Board, Cell, LinkFault, Place, Value, Variant

# --- The compression of lz-string, by which f-puzzles and SudokuPad put a puzzle into an address, as base64 -----------
# An own page of code, and not the package of that name: it is written in Python, too, so it is no faster; it would be
# one more dependency; and it decompresses whatever it is given, while a link of one megabyte can stand for gigabytes.
# Here the text may have `most` characters, and so may all entries of the dictionary together, because each is a piece
# of the text and one character more.
#
# The code is LZ78 with a dictionary that both sides build: 0 and 1 announce a new character of 8 or 16 bits, 2 is the
# end, and each further number an entry. A number has as many bits as the size of the dictionary has, the lowest first.


DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_VALUES = {digit: value for value, digit in enumerate(DIGITS)}
BITS = 6  # bits of a digit, the highest first
SHORT, LONG, END = 0, 1, 2  # a new character of 8 bits, one of 16, and the end
MOST = 1_000_000  # characters of a text: hundreds of times as many as the largest puzzle has


def decompress(packed: str, most: int = MOST) -> str:
    """The text of base64. Raises LinkFault if it is none, is cut off, or has more than so many characters."""
    bits = _Reader(packed.rstrip("="))
    dictionary = ["", "", ""]
    found: list[str] = []
    size = 0
    before = ""
    while True:
        code = bits.read(len(dictionary).bit_length())
        if code == END:
            return _joined(found)
        if code in (SHORT, LONG):
            dictionary.append(chr(bits.read(8 if code == SHORT else 16)))
            code = len(dictionary) - 1
        if code < len(dictionary):
            entry = dictionary[code]
        elif code == len(dictionary) and before:
            entry = before + before[0]
        else:
            raise LinkFault("it is damaged: it is not compressed as f-puzzles and SudokuPad do it")
        size += len(entry)
        if size > most:
            raise LinkFault(f"it stands for a text of more than {most:,} characters")
        found.append(entry)
        if before:
            dictionary.append(before + entry[0])
        before = entry


def compress(text: str) -> str:
    """The base64 of a text, as the sites write it. Takes time and memory in proportion to the text, for usual texts."""
    units = text.encode("utf-16-le", "surrogatepass")
    bits = _Writer()
    codes: dict[str, int] = {}
    fresh: set[str] = set()  # characters that have a code, but were not yet written
    before = ""
    for at in range(0, len(units), 2):
        unit = chr(units[at] + 256 * units[at + 1])
        if unit not in codes:
            codes[unit] = len(codes) + 3
            fresh.add(unit)
        if before + unit in codes:
            before += unit
            continue
        bits.entry(before, codes, fresh)
        codes[before + unit] = len(codes) + 3
        before = unit
    if before:
        bits.entry(before, codes, fresh)
    return bits.finished()


def _joined(units: list[str]) -> str:
    try:
        return "".join(units).encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeDecodeError:
        raise LinkFault("it is damaged: half a character stands alone in it") from None


class _Reader:
    """Numbers from base64, bit by bit."""

    def __init__(self, packed: str) -> None:
        self._bits = self._each(packed)

    @staticmethod
    def _each(packed: str) -> Iterator[int]:
        for at, digit in enumerate(packed, 1):
            value = _VALUES.get(digit)
            if value is None:
                raise LinkFault(f"`{shortened(digit)}` means nothing at letter {at} of what is compressed")
            for k in reversed(range(BITS)):
                yield value >> k & 1

    def read(self, bits: int) -> int:
        """A number of so many bits. Raises LinkFault at the end."""
        number = 0
        for k in range(bits):
            bit = next(self._bits, None)
            if bit is None:
                raise LinkFault("it is cut off")
            number |= bit << k
        return number


class _Writer:
    """Numbers to base64."""

    def __init__(self) -> None:
        self._bits: list[int] = []
        self._entries = 0
        self._new = 0

    def entry(self, entry: str, codes: dict[str, int], fresh: set[str]) -> None:
        """Write an entry of the dictionary, or a character that is written for the first time."""
        width = self._width()
        self._entries += 1
        if entry not in fresh:
            self._write(codes[entry], width)
            return
        fresh.remove(entry)
        self._new += 1
        short = ord(entry) < 256
        self._write(SHORT if short else LONG, width)
        self._write(ord(entry), 8 if short else 16)

    def finished(self) -> str:
        """The base64. The sites write one bit more than they need, so that there may be a last digit of none."""
        self._write(END, self._width())
        self._bits += [0] * (BITS - len(self._bits) % BITS)
        digits = [
            DIGITS[sum(bit << (BITS - 1 - k) for k, bit in enumerate(self._bits[at : at + BITS]))]
            for at in range(0, len(self._bits), BITS)
        ]
        return "".join(digits) + "=" * (-len(digits) % 4)

    def _width(self) -> int:
        """Bits of the next number: the reader adds an entry for each number but the first, and each new character."""
        return (3 + self._new + max(self._entries - 1, 0)).bit_length()

    def _write(self, number: int, bits: int) -> None:
        self._bits += [number >> k & 1 for k in range(bits)]


# --- f-puzzles: `https://www.f-puzzles.com/?load=BASE64` ↔ a sudoku's board. What is packed is JSON, by fpuzzles.py ---
# Whatever changes the rules and is not known is refused by name, and so are signs and colours that setters draw freely:
# what they mean is said in words alone. Who asks for it has these drawings passed over; a layer tells their names and
# numbers (`passed`). Words that the setter wrote are kept (`said`), so that they can be read beside the model. What a
# solver wrote on the board is no part of the puzzle.


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


def parsed(text: str) -> fpuzzles_parts.Json:
    """The object that JSON says. Raises LinkFault."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise LinkFault("it is damaged: what it holds is no JSON") from None
    if not isinstance(found, dict):
        raise LinkFault("it is damaged: what it holds is no puzzle")
    return found


def board_of_json(puzzle: fpuzzles_parts.Json, ignore: bool = False) -> Board:
    """The board that the JSON of f-puzzles says. ignore: pass over what is drawn freely. Raises LinkFault."""
    _refuse_unknown(puzzle)
    drawn = {name: many for name in _SIGNS if (many := _free_signs(puzzle.get(name)))}
    grid = puzzle.get("grid")
    rows: list[Any] = grid if isinstance(grid, list) else []
    side = len(rows)
    if not 1 <= side <= fpuzzles_parts.LARGEST:
        raise LinkFault(f"it has a board of {side} rows; 1 to {fpuzzles_parts.LARGEST} can be read")
    if puzzle.get("size", side) != side or not all(isinstance(row, list) and len(row) == side for row in rows):
        raise LinkFault("its board is not a square of the size that it says")
    layers, coloured = _grid(rows, side)
    if coloured:
        drawn[COLOURS] = coloured
    if drawn and not ignore:
        raise Drawings(drawn)
    tables: dict[str, list[tuple[Any, ...]]] = {name: [] for name in fpuzzles_parts.TABLES}
    for part in fpuzzles_parts.PARTS:
        part.read(puzzle, side, tables)
    few = layers.pop("few")
    tables["few"] = [(cell, few[cell]) for cell in sorted(few)]
    _check_regions(layers["region"], side, tables)
    layers |= {name: fpuzzles_parts.table_layer(found) for name, found in tables.items()}
    layers["said"] = {(name,): puzzle[name] for name in WORDS if isinstance(puzzle.get(name), str) and puzzle[name]}
    layers["passed"] = {(name,): many for name, many in drawn.items()}
    return Board(fpuzzles_parts.SUDOKU.name, side, side, "", {name: layer for name, layer in layers.items() if layer})


def _refuse_unknown(puzzle: fpuzzles_parts.Json) -> None:
    known = {name for part in fpuzzles_parts.PARTS for name in part.names} | {"size", "grid", *WORDS, *_IDLE, *_SIGNS}
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
        known = sorted(name for part in fpuzzles_parts.PARTS for name in part.names)
        self.help = f"constraints that can be read: {', '.join(known)}"


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
            if fpuzzles_parts.flag(entry, "given"):
                ((layers["clue"][r, c]),) = fpuzzles_parts.digits_of([entry.get("value")], side, where)
            elif marks := entry.get("givenPencilMarks"):
                layers["few"][r, c] = fpuzzles_parts.digits_of(marks, side, where)
            region = entry.get("region", fpuzzles_parts.usual_region(side, (r, c)))
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


def json_of_board(board: Board) -> fpuzzles_parts.Json:
    """The JSON of f-puzzles for a sudoku. Raises LinkFault for what it can't say."""
    side, few = board.height, dict(fpuzzles_parts.records(board, "few"))

    def entry(cell: Cell) -> fpuzzles_parts.Json:
        found: fpuzzles_parts.Json = {}
        if cell in board.layer("clue"):
            found |= {"value": board.layer("clue")[cell], "given": True}
        elif cell in few:
            found["givenPencilMarks"] = list(few[cell])
        region = board.layer("region").get(cell)
        return found if region == fpuzzles_parts.usual_region(side, cell) else {**found, "region": region}

    words = {name: board.layer("said")[name,] for name in WORDS if (name,) in board.layer("said")}
    rows = [[entry((r, c)) for c in range(1, side + 1)] for r in range(1, side + 1)]
    puzzle: fpuzzles_parts.Json = {"size": side, **words, "grid": rows}
    for part in fpuzzles_parts.PARTS:
        puzzle |= part.write(board)
    return puzzle


def write_fpuzzles(board: Board) -> str:
    """The address of a sudoku. Raises LinkFault for what it can't say."""
    return SITE + compress(json.dumps(json_of_board(board), ensure_ascii=False, separators=(",", ":")))


# --- sudokupad -------------------------------------------------------------------------------------------------------
# SudokuPad: `https://sudokupad.app/fpuzBASE64` holds a puzzle of f-puzzles, `…/sclBASE64` one of SudokuPad's own.
#
# SudokuPad's own form says what is drawn, not what it means: digits, regions and cages are rules, while lines and signs
# stand for rules that are said in words alone. So a puzzle with any of these is refused. It is JSON, in which names are
# shortened, quotes left out, and other things written in fewer characters; `unzipped` reads both forms.


_SUDOKUPAD_BEGINNING = re.compile(
    r"(?:https?://)?(?:[a-z]+\.)*(?:sudokupad\.app|crackingthecryptic\.com)/+(?:sudoku(?:\.html)?[/#]*)?(?:\?puzzleid=)?",
    re.ASCII,
)
SHORTEST = 40  # characters of a puzzle that stands in an address; what is shorter is the name of one
_PACKED = re.compile("fpuzzles|fpuz|scl|ctc|scf", re.ASCII)
_SUDOKUPAD_BARE = re.compile(
    f"(?:{_PACKED.pattern})[A-Za-z0-9+/%]{{{SHORTEST}}}", re.ASCII
)  # what stands behind the site, alone
# Names as they are shortened, for all that is looked at here.
_SHORT = {"ce": "cells", "re": "regions", "ca": "cages", "v": "value"}
_SHORT |= {"l": "lines", "a": "arrows", "o": "overlays", "u": "underlays", "t": "title"}
_DRAWN = ("lines", "arrows", "overlays", "underlays")
# What the puzzle says of itself, and how f-puzzles calls it.
_SAID = {"title": "title", "author": "author", "rules": "ruleset"}
_SUDOKUPAD_IDLE = frozenset(
    {"cellSize", "cs", "id", "metadata", "settings", "videos", "vd", "solution", *_SAID, *_DRAWN}
)
_CAGE_NAMES = frozenset({"cells", "value", "sum", "unique", "hidden"})
_WORDS = re.compile(r"(title|author|rules): *(.*)", re.DOTALL)


def is_sudokupad(text: str) -> bool:
    """Whether a text is an address of SudokuPad, or what stands in one, judging by its beginning."""
    start = text.strip()[:200]
    return _SUDOKUPAD_BEGINNING.match(start) is not None or _SUDOKUPAD_BARE.match(start) is not None


def read_sudokupad(text: str, ignore: bool = False) -> Board:
    """The board in an address of SudokuPad. ignore: pass over what is drawn freely. Raises LinkFault."""
    text = text.strip()
    if len(text) > LONGEST:
        raise LinkFault(f"it has more than {LONGEST:,} letters")
    found = _SUDOKUPAD_BEGINNING.match(text)
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


def unzipped(text: str) -> fpuzzles_parts.Json:
    """The object that SudokuPad's text says, whose names are written in full. Raises LinkFault."""
    if '"' not in text:
        text = _Relaxed(text).json()
    return parsed(text)


def board_of_puzzle(puzzle: fpuzzles_parts.Json, ignore: bool = False) -> Board:
    """The board that SudokuPad's own form says. ignore: pass over what is drawn freely. Raises LinkFault."""
    puzzle = {_SHORT.get(name, name): value for name, value in puzzle.items()}
    unknown = [
        name for name, value in puzzle.items() if name not in {*_SUDOKUPAD_IDLE, "cells", "regions", "cages"} and value
    ]
    drawn = {name: len(found) if isinstance(found := puzzle[name], list) else 1 for name in _DRAWN if puzzle.get(name)}
    if unknown:
        names = ", ".join(f"`{shortened(name)}`" for name in unknown[:5])
        raise Variant(f"it has {names}: SudokuPad knows them, but their rules are said in words alone")
    if drawn and not ignore:
        raise Drawings(drawn, " of SudokuPad")
    cells = puzzle.get("cells")
    rows: list[Any] = cells if isinstance(cells, list) else []
    side = len(rows)
    if not 1 <= side <= fpuzzles_parts.LARGEST or not all(isinstance(row, list) and len(row) == side for row in rows):
        raise LinkFault(f"its board is not a square of 1 to {fpuzzles_parts.LARGEST} rows")
    cages, said = _cages(puzzle.get("cages"), side)
    layers: dict[str, dict[Place, Value]] = {
        "clue": _digits(rows, side),
        "region": _regions(puzzle.get("regions"), side),
        "cage": fpuzzles_parts.table_layer(cages),
        "said": {**_words(puzzle), **_metadata(puzzle), **said},
        "passed": {(name,): many for name, many in drawn.items()},
    }
    return Board(fpuzzles_parts.SUDOKU.name, side, side, "", {name: layer for name, layer in layers.items() if layer})


def _digits(rows: Sequence[Sequence[Any]], side: int) -> dict[Place, Value]:
    found: dict[Place, Value] = {}
    for r, row in enumerate(rows, 1):
        for c, entry in enumerate(row, 1):
            if not isinstance(entry, dict):
                raise LinkFault(f"its square `R{r}C{c}` has no names")
            digit = fpuzzles_parts.number(entry.get("v", entry.get("value")), f"square `R{r}C{c}`", None)
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
        total = fpuzzles_parts.number(cage.get("sum", cage.get("value")), where)
        cages.append((total, _cells(cage["cells"], side, where)))
    return cages, said


def _metadata(puzzle: fpuzzles_parts.Json) -> dict[Place, Value]:
    found = puzzle.get("metadata") or {}
    if not isinstance(found, dict):
        return {}
    rules = [name for name in ("antiknight", "antiking") if found.get(name) not in (None, False, "", "false")]
    if rules:
        raise Variant(f"its `{rules[0]}` stands among its words, where it may mean several things")
    return _words({_SHORT.get(str(name), str(name)): value for name, value in found.items()})


def _words(found: fpuzzles_parts.Json) -> dict[Place, Value]:
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
    """SudokuPad's text without `"`: texts between apostrophes, bare names, `t`, `f`, `#0`, `#F`, and nothing for an
    empty object."""

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
