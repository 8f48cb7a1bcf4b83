"""Pictures of lattices other than squares: `area(hex)`, `pieces(triangle)`, `grid(balls)`.

The line and column of a character are its coordinates. In space, `/` separates the layers, and each line of the picture
holds one line of every layer; the columns of each layer are counted from the character after its `/`. For cubes, blanks
around the layers do not count. A character at a place where the lattice has no cell must be a blank, or `+` between
sticks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from covr.compiler.evaluate.blocks import DataBlock, scalar
from covr.compiler.evaluate.calls import Site
from covr.compiler.evaluate.geometry import lattice_named
from covr.compiler.evaluate.values import Map, Piece, Set, Value
from covr.compiler.lattices.cubes import CUBES
from covr.compiler.lattices.lattice import Cell, Lattice
from covr.compiler.lattices.square import SQUARE
from covr.compiler.lattices.sticks import STICKS, ends
from covr.dsl.source import Span

# A character of a picture: its coordinates, the character, and where it stands: line and column of the block, from 0.
Place = tuple[Cell, str, int, int]
TURNED = {"-": 0, "|": 1}  # the line of a stick drawn like this, modulo 2, is not this one


def lattice_argument(site: Site, args: list[Value]) -> Lattice:
    """The lattice that a reader is given, squares if none. Raises EvalFault for anything else."""
    return lattice_named(site, 0, args[0]) if args else SQUARE


def read_lattice_area(site: Site, block: DataBlock, lattice: Lattice) -> Set:
    """The cells of a picture in which `#` and space are outside. Raises EvalFault E303, E304, E308."""
    found = _on_one_board(block, lattice, _cells(site, block, lattice, "#"))
    if not found:
        raise block.fault(block.whole, "E304", "this area has no cell", help="`#` and space are outside")
    return Set(lattice.cell(at) for at, *_ in found)


def read_lattice_grid(site: Site, block: DataBlock, lattice: Lattice) -> Map:
    """A map from a cell to the character that stands there; `.`, `_` and space are blank. Raises EvalFault E303, E304,
    E308."""
    drawn = [place for place in _characters(site, block, lattice) if lattice.holds(place[0])]
    found = _on_one_board(block, lattice, _cells(site, block, lattice, "._"))
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
    for place in _cells(site, block, lattice, "._"):
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


def unfit(lattice: Lattice, at: Cell, text: str) -> str:
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


def _cells(site: Site, block: DataBlock, lattice: Lattice, outside: str) -> Iterator[Place]:
    """The places with a cell that is not outside."""
    for at, char, line, column in _characters(site, block, lattice):
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


def _characters(site: Site, block: DataBlock, lattice: Lattice) -> Iterator[Place]:
    """Every character that is no space, line 1 being the first that is not blank."""
    first: int | None = None
    for line, text in block.written():
        first = line if first is None else first
        no_tab(block, line, text)
        site.budget.spend(len(text), site.span)
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
