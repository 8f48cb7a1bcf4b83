"""The libraries of pieces that ship with covr, made from "all connected sets of n cells".

    python -m covr.api.polyforms FOLDER       write std/polyominoes.cover and its like into a folder

Pieces are lettered A to Z, a to z and 0 to 9 in the order of their first orientation. `onesided` sets have a piece and
its mirror image as two pieces, where turning does not carry one into the other; those of solids always do.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase, digits

from covr.compiler.lattices import CUBES, HEX, SQUARE, STICKS, TRIANGLE, Cell, Lattice, ends, shifted
from covr.faults import write_whole
from covr.frozen import frozen

Form = tuple[Cell, ...]

LETTERS = ascii_uppercase + ascii_lowercase + digits
WIDEST = 100  # characters of a line of a library
GAP = 2  # blanks between two pictures, at least

# Puzzles whose pieces are read off a cube that is put together: four layers beside each other.
BEDLAM = """
  ACBB AADD AFFF LMMF
  CCCB IADB LHFB LLMM
  KCDE IIDE IHGG LHGM
  KKEE KIJG KJJG HHJJ
"""
TETRIS = """
  AAAB CAJJ CCCJ ECDJ
  ABBB CBJK EBDD EDDI
  AFFF LLKK HHII EHDI
  FFKG LLKG LGGG EHHI
"""


@frozen
class FormSet:
    """A set of a library. size: cells of each.  how: which motions make two the same.  count: how many there are."""

    name: str
    lattice: Lattice
    size: int
    how: str
    count: int


def _sets(lattice: Lattice, how: str, *named: tuple[str, int], first: int = 1) -> tuple[FormSet, ...]:
    return tuple(FormSet(name, lattice, size, how, count) for size, (name, count) in enumerate(named, first))


# The sets of each library, and what it takes from others. The counts are in the On-Line Encyclopedia of Integer
# Sequences: A000105 and A000988, A000577, A000228, A019988, A000162.
LIBRARIES: dict[str, tuple[str, tuple[str, ...], tuple[FormSet, ...]]] = {
    "polyominoes": (
        "All polyominoes of up to six squares, and the one-sided ones, which must not be turned over.",
        ("tetrominoes", "pentominoes", "hexominoes"),
        _sets(SQUARE, "free", ("monominoes", 1), ("dominoes", 1), ("trominoes", 2))
        + _sets(SQUARE, "onesided", ("onesided_tetrominoes", 7), ("onesided_pentominoes", 18),
                ("onesided_hexominoes", 60), first=4),
    ),
    "polyiamonds": (
        "All polyiamonds of up to seven triangles.",
        (),
        _sets(TRIANGLE, "free", ("moniamonds", 1), ("diamonds", 1), ("triamonds", 1), ("tetriamonds", 3),
              ("pentiamonds", 4), ("hexiamonds", 12), ("heptiamonds", 24)),
    ),
    "polyhexes": (
        "All polyhexes of up to five hexagons.",
        (),
        _sets(HEX, "free", ("monohexes", 1), ("dihexes", 1), ("trihexes", 3), ("tetrahexes", 7), ("pentahexes", 22)),
    ),
    "polysticks": (
        "All polysticks of up to four sticks.",
        (),
        _sets(STICKS, "free", ("monosticks", 1), ("disticks", 2), ("tristicks", 5), ("tetrasticks", 16)),
    ),
    "polycubes": (
        "All polycubes of up to five cubes; mirror images are pieces of their own.",
        (),
        _sets(CUBES, "onesided", ("monocubes", 1), ("dicubes", 1), ("tricubes", 2), ("tetracubes", 8),
              ("pentacubes", 29)),
    ),
}  # fmt: skip
PUZZLES = {
    "bedlam": ("The thirteen pieces of Bruce Bedlam's cube.", BEDLAM, 13),
    "tetris_cube": ("The twelve pieces of the Tetris cube.", TETRIS, 12),
}


def forms(lattice: Lattice, size: int, how: str) -> list[Form]:
    """All connected sets of `size` cells, one of those that are the same by the motions of `how`, in order.

    Each set has a cell without which it is connected, so all are found by adding a cell to those that are smaller."""
    start = next(at for at in ((1,) * lattice.axes, (1, 2)) if lattice.holds(at))
    found = {_first(lattice, [at], how) for at in (start, *lattice.near(start))}
    for _ in range(size - 1):
        found = {
            _first(lattice, [*form, at], how)
            for form in found
            for at in {n for cell in form for n in lattice.near(cell)} - set(form)
        }
    return sorted(found)


def _first(lattice: Lattice, cells: Sequence[Cell], how: str) -> Form:
    return lattice.ways(list(cells), how)[0]


def solved(picture: str) -> list[Form]:
    """The pieces of a solved cube, in order of their letters. picture: four layers side by side."""
    cells: dict[str, list[Cell]] = {}
    for r, line in enumerate(picture.split("\n")):
        for z, layer in enumerate(line.split()):
            for c, letter in enumerate(layer):
                cells.setdefault(letter, []).append((z, r, c))
    return [_first(CUBES, cells[letter], "onesided") for letter in sorted(cells)]


# --- pictures ---------------------------------------------------------------------------------------------


def picture(lattice: Lattice, found: Sequence[Form]) -> list[str]:
    """The forms as a picture that a reader reads, in lines of at most `WIDEST` characters."""
    lettered = list(zip(found, LETTERS, strict=False))
    return _solid(lettered) if lattice is CUBES else _flat(lattice, lettered)


def _flat(lattice: Lattice, found: Iterable[tuple[Form, str]]) -> list[str]:
    """Forms side by side, in as many rows as are needed, each moved by a step of the lattice."""
    sheet: dict[Cell, str] = {}
    top, left, below = 0, 0, 0
    for form, letter in found:
        marks = dict.fromkeys(form, letter)
        if lattice is STICKS:
            marks |= {end: "+" for at in form for end in ends(at)}
        if left and left + max(c for _, c in marks) > WIDEST:
            top, left = below + 1, 0
        while not lattice.steps((top, 0)):
            top += 1
        while not lattice.steps((top, left)):
            left += 1
        sheet |= dict(zip(shifted(marks, (top, left)), marks.values(), strict=True))
        below = max(r for r, _ in sheet)
        left = max(c for r, c in sheet if r > top) + GAP
    if all(c > 1 for _, c in sheet):
        sheet[1, 1] = "."  # blanks before all lines would be taken away
    wide = max(c for _, c in sheet)
    return ["".join(sheet.get((r, c), " ") for c in range(1, wide + 1)).rstrip() for r in range(1, below + 1)]


def _solid(found: Iterable[tuple[Form, str]]) -> list[str]:
    """Solids side by side, those of one height together; layers are separated by `/`."""
    lines: list[str] = []
    by_height = sorted(found, key=lambda f: max(r for _, r, _ in f[0]))
    for _, group in groupby(by_height, key=lambda f: max(r for _, r, _ in f[0])):
        row: list[list[str]] = []
        for form, letter in group:
            block = _layers(form, letter)
            if row and sum(len(b[0]) + GAP + 1 for b in row) + len(block[0]) > WIDEST:
                lines += _beside(row)
                row = []
            row.append(block)
        lines += _beside(row)
    return lines[:-1]


def _layers(form: Form, letter: str) -> list[str]:
    deep, high, wide = (max(axis) for axis in zip(*form, strict=True))
    return [
        "/".join("".join(letter if (z, r, c) in form else "." for c in range(1, wide + 1)) for z in range(1, deep + 1))
        for r in range(1, high + 1)
    ]


def _beside(blocks: list[list[str]]) -> list[str]:
    """Blocks of one height next to each other, and a blank line below them."""
    return [(" " * (GAP + 1)).join(parts) for parts in zip(*blocks, strict=True)] + [""]


# --- libraries --------------------------------------------------------------------------------------------


def library(name: str) -> str:
    """The text of a library."""
    if name in PUZZLES:
        what, cube, count = PUZZLES[name]
        return "\n".join([_head(what), *_definition(name, CUBES, solved(cube)), _promise(name, count)]) + "\n"
    what, others, sets = LIBRARIES[name]
    lines = [_head(what), *(f'use "std/{other}"' for other in others)]
    for one in sets:
        lines += _definition(one.name, one.lattice, forms(one.lattice, one.size, one.how))
    return "\n".join([*lines, "", *(_promise(one.name, one.count) for one in sets)]) + "\n"


def _head(what: str) -> str:
    return f"# {what} Made by `python -m covr.api.polyforms`."


def _definition(name: str, lattice: Lattice, found: Sequence[Form]) -> Iterator[str]:
    reader = "solids" if lattice is CUBES else "pieces" if lattice is SQUARE else f"pieces({lattice.name})"
    yield from ("", f'let {name} = {reader} """')
    yield from (f"  {line}".rstrip() for line in picture(lattice, found))
    yield '"""'


def _promise(name: str, count: int) -> str:
    return f"assert size({name}) = {count}"


def main(arguments: Sequence[str]) -> int:
    """Write the libraries into the folder that the command line names; returns the exit code."""
    if len(arguments) != 1 or arguments[0].startswith("-"):
        sys.stderr.write("usage: python -m covr.api.polyforms FOLDER\n")
        return 2
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    for name in (*LIBRARIES, *PUZZLES):
        write_whole(folder / f"{name}.cover", library(name).encode())
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
