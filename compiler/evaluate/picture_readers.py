"""Readers of pictures: `grid`, `area`, `pieces` and `solids`, on squares and other lattices."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from covr.compiler.evaluate.blocks import DataBlock, scalar
from covr.compiler.evaluate.calls import Site
from covr.compiler.evaluate.geometry import lattice_named
from covr.compiler.evaluate.values import Map, Piece, Set, Value, abbreviate
from covr.compiler.lattices import CUBES, SQUARE, STICKS, Cell, Lattice, ends
from covr.dsl.diagnostics import Span

# --- lattice pictures ------------------------------------------------------------------------------------------------
# Pictures of lattices other than squares: `area(hex)`, `pieces(triangle)`, `grid(balls)`.
#
# The line and column of a character are its coordinates. In space, `/` separates the layers, and each line of the
# picture holds one line of every layer; the columns of each layer are counted from the character after its `/`. For
# cubes, blanks around the layers do not count. A character at a place where the lattice has no cell must be a blank, or
# `+` between sticks.


# A character of a picture: its coordinates, the character, and where it stands: line and column of the block, from 0.
Place = tuple[Cell, str, int, int]
TURNED = {"-": 0, "|": 1}  # the line of a stick drawn like this, modulo 2, is not this one


def lattice_argument(site: Site, args: list[Value]) -> Lattice:
    """The lattice that a reader is given, squares if none. Raises EvalFault for anything else."""
    return lattice_named(site, 0, args[0]) if args else SQUARE


def read_lattice_area(site: Site, block: DataBlock, lattice: Lattice) -> Set:
    """The cells of a picture in which `#` and space are outside. Raises EvalFault E303, E304, E308."""
    found = _on_one_board(block, lattice, _lattice_cells(site, block, lattice, "#"))
    if not found:
        raise block.fault(block.whole, "E304", "this area has no cell", help="`#` and space are outside")
    return Set(lattice.cell(at) for at, *_ in found)


def read_lattice_grid(site: Site, block: DataBlock, lattice: Lattice) -> Map:
    """A map from a cell to the character that stands there; `.`, `_` and space are blank. Raises EvalFault E303, E304,
    E308."""
    drawn = [place for place in _lattice_characters(site, block, lattice) if lattice.holds(place[0])]
    found = _on_one_board(block, lattice, _lattice_cells(site, block, lattice, "._"))
    boards = dict.fromkeys(lattice.separate(at) for at, *_ in found or drawn)
    if len(boards) != 1:  # none, or blanks that are cells of two boards
        raise block.fault(block.whole, "E304", "nothing stands in this grid")
    (board,) = boards
    where = {lattice.cell(at): (line, column) for at, _, line, column in found}

    def origin(key: Any) -> Span:
        line, column = where[key]
        return block.at(line, column)

    places = Set(lattice.cell(at) for at, *_ in drawn if lattice.separate(at) == board)
    return Map({lattice.cell(at): scalar(char) for at, char, *_ in found}, origin, places=places)


def read_lattice_pieces(site: Site, block: DataBlock, lattice: Lattice) -> Set:
    """A set of Pieces, one for each letter, wherever it stands, each pushed to 1. Raises EvalFault E303, E304, E308."""
    letters: dict[str, list[Place]] = {}
    for place in _lattice_cells(site, block, lattice, "._"):
        letters.setdefault(place[1], []).append(place)
    if not letters:
        raise block.fault(block.whole, "E304", "there is no piece in this picture")
    pieces = {letter: [at for at, *_ in _on_one_board(block, lattice, found)] for letter, found in letters.items()}
    return Set(Piece(name, Set(map(lattice.cell, lattice.pushed(cells)))) for name, cells in pieces.items())


def picture_of(lattice: Lattice, texts: Mapping[Cell, str]) -> str:
    """The picture of which `read_lattice_grid` reads these characters. texts: of every cell, `.` where it is blank."""
    drawn: dict[Cell, str] = {}
    if lattice is STICKS:
        drawn |= {end: "+" for at in texts for end in ends((at[0], at[1]))}
    drawn |= texts
    layers = range(1, max(at[0] for at in texts) + 1) if lattice.axes == 3 else (0,)
    wide = max(at[-1] for at in drawn)
    pictures = []
    for line in range(1, max(at[-2] for at in drawn) + 1):
        parts = []
        for layer in layers:
            head = (layer,) if lattice.axes == 3 else ()
            parts.append("".join(drawn.get((*head, line, column), " ") for column in range(1, wide + 1)))
        pictures.append("/".join(parts).rstrip())
    return "\n".join(pictures)


def misfit(lattice: Lattice, at: Cell, text: str) -> str:
    """Why a text can't stand in a cell of a picture; empty if it can."""
    if len(text) != 1 or text.isspace():
        return "is not one character"
    if lattice.axes == 3 and text == "/":
        return "parts layers"
    if lattice is STICKS and TURNED.get(text) == at[0] % 2:
        return "lies in the other direction"
    return ""


def _on_one_board(block: DataBlock, lattice: Lattice, places: Iterator[Place] | list[Place]) -> list[Place]:
    """The places, if they are cells of one board."""
    found = list(places)
    for at, _, line, column in found:
        if lattice.separate(at) != lattice.separate(found[0][0]):
            raise block.fault(block.at(line, column), "E308", f"{lattice.rule}, and this one does not")
    return found


def _lattice_cells(site: Site, block: DataBlock, lattice: Lattice, outside: str) -> Iterator[Place]:
    """The places with a cell that is not outside."""
    for at, char, line, column in _lattice_characters(site, block, lattice):
        if not lattice.holds(at):
            if char not in outside and (lattice, char) != (STICKS, "+"):
                raise block.fault(block.at(line, column), "E308", f"{lattice.rule}, and here stands `{char}`")
        elif char not in outside:
            if lattice is STICKS and TURNED.get(char) == at[0] % 2:
                way = "upright" if at[0] % 2 == 0 else "level"
                raise block.fault(
                    block.at(line, column), "E308", f"a stick in line {at[0]} and column {at[1]} is {way}",
                    help="the corners, drawn `+`, have an odd line and an odd column",
                )  # fmt: skip
            yield at, char, line, column


def _lattice_characters(site: Site, block: DataBlock, lattice: Lattice) -> Iterator[Place]:
    """Every character that is no space, line 1 being the first that is not blank."""
    first: int | None = None
    for line, text in block.written():
        first = line if first is None else first
        no_tab(block, line, text)
        site.budget.count_values(len(text), site.span)
        r = line - first + 1
        if lattice.axes == 2:
            layers = [(0, text)]
        else:
            layers = [(part.start(), part.group()) for part in re.finditer(r"(?:(?<=/)|^)[^/]*", text)]
        for z, (start, part) in enumerate(layers, 1):
            blank = len(part) - len(part.lstrip()) if lattice is CUBES else 0
            for c, char in enumerate(part[blank:], 1):
                if not char.isspace():
                    at = (r, c) if lattice.axes == 2 else (z, r, c)
                    yield at, char, line, start + blank + c - 1


def no_tab(block: DataBlock, line: int, text: str) -> None:
    """Raises EvalFault E303 for a tab in a line of a picture."""
    tab = text.find("\t")
    if tab >= 0:
        raise block.fault(block.at(line, tab), "E303", "a tab has no width in a picture", help="use spaces or `.`")


# --- picture readers -------------------------------------------------------------------------------------------------
# Readers of pictures of squares, and of solids: `grid`, `area`, `pieces` and `solids`. Rows and columns count from 1.


Token = tuple[str, int]

# The characters that stand for a blank in a grid.
_BLANK = (".", "_")


# --- grid -------------------------------------------------------------------------------------------------


def read_grid(site: Site, block: DataBlock, args: list[Value]) -> Map:
    """`grid`, `grid(rows, columns)`, `grid(lattice)`: a map from (row, column) to a number or text; `.` and `_` are
    blank, and absent.

    A line is a row, and each of its characters a place; but if any line has spaces inside, the places are the words, in
    all lines. If the size is given, one line may hold the whole grid, and spaces that only separate characters are
    ignored. Blank lines are skipped. Raises EvalFault E301 for a wrong number of rows, E302 for a row that is too short
    or too long.
    """
    if len(args) == 1 and isinstance(args[0], str):
        lattice = lattice_argument(site, args)
        if lattice is not SQUARE:
            return read_lattice_grid(site, block, lattice)
        args = []
    rows, columns = _size(site, args)
    lines = list(block.written())
    words = any(len(line.split()) > 1 for _, line in lines)
    table = [(i, block.tokens(i) if words else _characters(block, i)) for i, _ in lines]
    table = _even(block, table) if rows is None or columns is None else _fit(block, table, rows, columns)
    site.budget.count_values(sum(len(row) for _, row in table), site.span)
    entries: dict[Value, Value] = {
        (r, c): scalar(token)
        for r, (_, row) in enumerate(table, 1)
        for c, (token, _) in enumerate(row, 1)
        if token not in _BLANK
    }

    def origin(key: Any) -> Span:
        r, c = key
        line, row = table[r - 1]
        token, column = row[c - 1]
        return block.at(line, column, len(token))

    return Map(entries, origin, (len(table), len(table[0][1]) if table else 0))


def _size(site: Site, args: list[Value]) -> tuple[int | None, int | None]:
    if not args:
        return None, None
    if len(args) != 2:
        raise site.fault(0, "`grid` takes the number of rows and of columns, or nothing", code="E208")
    for position, arg in enumerate(args):
        if not isinstance(arg, int) or arg < 1:
            what = "columns" if position else "rows"
            raise site.fault(position, f"the number of {what} is a whole number from 1, not {abbreviate(arg)}")
    return args[0], args[1]  # type: ignore[return-value]


def _characters(block: DataBlock, line: int) -> list[Token]:
    return [(char, at) for at, char in enumerate(block.lines[line]) if not char.isspace()]


def _fit(
    block: DataBlock, table: list[tuple[int, list[Token]]], rows: int, columns: int
) -> list[tuple[int, list[Token]]]:
    """The rows of a grid of known size."""
    if len(table) == 1 and rows > 1:
        line = table[0][0]
        for tokens in (table[0][1], _characters(block, line)):
            if len(tokens) == rows * columns:
                return [(line, tokens[r * columns : (r + 1) * columns]) for r in range(rows)]
        got, wanted = len(_characters(block, line)), rows * columns
        if got > columns:
            size = f"a grid of {rows} rows of {columns} has {wanted}"
            raise block.fault(block.row(line), "E302", f"this line has {got} places, and {size}")
    fitted = []
    for number, (line, tokens) in enumerate(table, 1):
        if len(tokens) != columns:
            characters = _characters(block, line)
            tokens = characters if len(characters) == columns else tokens
        if number > rows:
            raise block.fault(
                block.row(line),
                "E301",
                f"this grid has {len(table)} rows, and {rows} are wanted",
                help="the extra rows begin here",
            )
        if len(tokens) != columns:
            raise _uneven(block, line, number, tokens, columns)
        fitted.append((line, tokens))
    if len(table) < rows:
        last = block.row(table[-1][0]) if table else block.whole
        plural = "s" * (len(table) != 1)
        raise block.fault(last, "E301", f"this grid has {len(table)} row{plural}, and {rows} are wanted")
    return fitted


def _even(block: DataBlock, table: list[tuple[int, list[Token]]]) -> list[tuple[int, list[Token]]]:
    """The rows of a grid of unknown size, all as long as the first."""
    if not table:
        raise block.fault(block.whole, "E301", "this grid is empty")
    columns = len(table[0][1])
    for number, (line, tokens) in enumerate(table, 1):
        if len(tokens) != columns:
            raise _uneven(block, line, number, tokens, columns)
    return table


def _uneven(block: DataBlock, line: int, number: int, tokens: list[Token], columns: int) -> Exception:
    if len(tokens) > columns:
        at = tokens[columns][1]
        last, end = tokens[-1]
        place = block.at(line, at, end + len(last) - at)
    else:
        place = block.row(line)
    plural = "s" * (len(tokens) != 1)
    return block.fault(
        place,
        "E302",
        f"row {number} has {len(tokens)} place{plural}, and {columns} are wanted",
        help="fill up with `.`, which is blank" if len(tokens) < columns else "",
    )


# --- area -------------------------------------------------------------------------------------------------


def read_area(site: Site, block: DataBlock, args: list[Value]) -> Set:
    """`area`, `area(lattice)`: the cells of a picture in which `#` and space are outside and everything else is inside.
    Row 1 is the first line that is not blank. Raises EvalFault E303 for a tab, E304 if nothing is inside."""
    lattice = lattice_argument(site, args)
    if lattice is not SQUARE:
        return read_lattice_area(site, block, lattice)
    cells = [place[:2] for place in _cells(site, block, "#")]
    if not cells:
        raise block.fault(block.whole, "E304", "this area has no cell", help="`#` and space are outside")
    return Set.in_order(tuple(cells))


def _cells(site: Site, block: DataBlock, outside: str) -> Iterator[tuple[int, int, str, int]]:
    """Row, column and character of every place that is not outside, and its line."""
    first: int | None = None
    for line, text in block.written():
        first = line if first is None else first
        no_tab(block, line, text)
        site.budget.count_values(len(text), site.span)
        for c, char in enumerate(text, 1):
            if char not in outside and not char.isspace():
                yield line - first + 1, c, char, line


# --- pieces and solids ------------------------------------------------------------------------------------


def read_pieces(site: Site, block: DataBlock, args: list[Value]) -> Set:
    """`pieces`, `pieces(lattice)`: a set of Pieces, one for each letter; equal letters are one piece, wherever they
    stand. Any character but `.`, `_`, `/` and space is a letter. Cells are (row, column), with each piece pushed to (1,
    1). Raises EvalFault E303 for a tab, E304 if there is no letter, E305 for `/`."""
    lattice = lattice_argument(site, args)
    if lattice is CUBES:
        return read_solids(site, block, [])
    if lattice is not SQUARE:
        return read_lattice_pieces(site, block, lattice)
    found: dict[str, list[Cell]] = {}
    for r, c, char, line in _cells(site, block, "._"):
        if char == "/":
            raise block.fault(block.at(line, c - 1), "E305", "`/` separates the layers of a solid", help="use `solids`")
        found.setdefault(char, []).append((r, c))
    return _pieces(block, found)


def read_solids(site: Site, block: DataBlock, args: list[Value]) -> Set:
    """`solids`: a set of Pieces in space, one for each letter. Cells are (layer, row, column), pushed to (1, 1, 1).

    Pictures stand below each other with a blank line between them, or side by side with spaces between them. `/`
    separates the layers of a picture: each line of the picture holds one row of every layer. Inside a picture, empty
    places are `.` or `_`. Raises EvalFault E303 for a tab, E304 if there is no letter, E305 for a letter that stands in
    two pictures, E306 for lines of a paragraph that have different numbers of layers.
    """
    found: dict[str, list[Cell]] = {}
    owner: dict[str, int] = {}
    for number, paragraph in enumerate(_paragraphs(block)):
        layered = any("/" in block.lines[line] for line in paragraph)
        places = _layered(block, paragraph) if layered else _flat(block, paragraph)
        for cell, char, line, at in places:
            site.budget.count_values(1, site.span)
            if owner.setdefault(char, number) != number:
                raise block.fault(
                    block.at(line, at),
                    "E305",
                    f"`{char}` stands in two pictures",
                    help="give each solid a letter of its own",
                )
            found.setdefault(char, []).append(cell)
    return _pieces(block, found)


def _paragraphs(block: DataBlock) -> list[list[int]]:
    """The line numbers of the stretches of lines that are not blank."""
    found: list[list[int]] = []
    for line, text in block.written():
        no_tab(block, line, text)
        if found and found[-1][-1] == line - 1:
            found[-1].append(line)
        else:
            found.append([line])
    return found


def _flat(block: DataBlock, paragraph: list[int]) -> Iterator[Place]:
    for r, line in enumerate(paragraph, 1):
        for at, char in enumerate(block.lines[line]):
            if char not in "._" and not char.isspace():
                yield (1, r, at + 1), char, line, at


def _layered(block: DataBlock, paragraph: list[int]) -> Iterator[Place]:
    """The places of a paragraph with layers. Pictures that stand side by side get columns far apart from each other."""
    shape: list[int] | None = None
    for r, line in enumerate(paragraph, 1):
        pictures = list(re.finditer(r"[^\s/]+(?:\s*/\s*[^\s/]+)*|/", block.lines[line]))
        layers = [m.group().count("/") for m in pictures]
        if any(m.group() == "/" for m in pictures) or (shape is not None and layers != shape):
            raise block.fault(
                block.row(line),
                "E306",
                "every line of a solid has the same number of layers, separated by `/`",
                help="a layer that is empty is written `.`",
            )
        shape = layers
        for number, picture in enumerate(pictures):
            for z, part in enumerate(re.finditer(r"[^\s/]+", picture.group()), 1):
                for c, char in enumerate(part.group(), 1):
                    if char not in "._":
                        yield (z, r, number * 1000 + c), char, line, picture.start() + part.start() + c - 1


def _pieces(block: DataBlock, found: dict[str, list[Cell]]) -> Set:
    if not found:
        raise block.fault(block.whole, "E304", "there is no piece in this picture")
    return Set(Piece(letter, pushed(cells)) for letter, cells in found.items())


def pushed(cells: list[Cell]) -> Set:
    """The cells moved so that the least coordinate of every axis is 1."""
    return Set((CUBES if len(cells[0]) == 3 else SQUARE).pushed(cells))
