"""SudokuWiki: `https://www.sudokuwiki.org/sudoku.htm?bd=` and 81 characters, which also stand alone in many lists.

So do 81 groups of digits, row by row, perhaps with rulings between them: what may still stand in each square. They are
the sudoku of which that is known, and no other site's link.
"""

from __future__ import annotations

import re

from covr.links.board import Board, LinkFault, Place, Value
from covr.links.codes import shortened
from covr.links.sudoku_board import SUDOKU, table_layer, usual_region

SIDE = 9
SITE = "https://www.sudokuwiki.org/sudoku.htm?bd="
_BEGINNING = re.compile(r"(?:https?://)?(?:www\.)?sudokuwiki\.org/[\w./-]*\?(?:[\w.-]*=[\w.-]*&)*bd=", re.ASCII | re.I)
_DIGITS = re.compile(r"[0-9.*_]{81}", re.ASCII)
LONGEST_GRID = 10_000  # characters of a grid of candidates: five times as many as the widest usual one has
_GRID = re.compile("[\\s1-9|:.'*+=─━═│┃║┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬╪╫┏┓┗┛┣┫┳┻╋-]*")
_GROUP = re.compile("(?=.)1?2?3?4?5?6?7?8?9?", re.ASCII)


def candidates_in(text: str) -> list[str] | None:
    """The 81 groups of digits of a grid of candidates; None for any other text, such as one with a blank square."""
    text = text.strip()
    if len(text) > LONGEST_GRID or _GRID.fullmatch(text) is None:
        return None
    rows = [found for line in text.splitlines() if (found := re.findall("[1-9]+", line))]
    groups = [group for row in rows for group in row]
    whole = len(groups) == SIDE**2 and len(rows) in (1, SIDE) and all(len(row) * len(rows) == SIDE**2 for row in rows)
    return groups if whole and all(map(_GROUP.fullmatch, groups)) and max(map(len, groups)) > 1 else None


def read_candidates(text: str, _: bool = False) -> Board:
    """The board of a grid of candidates: a single digit is given, of several one must stand there."""
    groups = candidates_in(text)
    assert groups is not None
    cells = [(r, c) for r in range(1, SIDE + 1) for c in range(1, SIDE + 1)]
    clue = {cell: int(group) for cell, group in zip(cells, groups, strict=True) if len(group) == 1}
    few = [(cell, tuple(map(int, group))) for cell, group in zip(cells, groups, strict=True) if len(group) > 1]
    region = {cell: usual_region(SIDE, cell) for cell in cells}
    layers: dict[str, dict[Place, Value]] = {"clue": {**clue}, "region": {**region}, "few": table_layer([*few])}
    return Board(SUDOKU.name, SIDE, SIDE, "", {name: layer for name, layer in layers.items() if layer})


def is_candidates(text: str) -> bool:
    """Whether a text is a grid of candidates."""
    return candidates_in(text) is not None


def is_sudokuwiki(text: str) -> bool:
    """Whether a text is an address of SudokuWiki, or a sudoku of 81 characters."""
    text = text.strip()
    return _BEGINNING.match(text[:200]) is not None or _DIGITS.fullmatch(text) is not None


def read_sudokuwiki(text: str, _: bool = False) -> Board:
    """The board in such an address or text. Raises LinkFault."""
    text = text.strip()
    found = _BEGINNING.match(text[:200])
    digits = (text[found.end() :] if found else text).partition("&")[0]
    if not _DIGITS.fullmatch(digits):
        if re.fullmatch("[0-9.*_]*", digits, re.ASCII):
            raise LinkFault(f"it has {len(digits)} characters in place of {SIDE**2}")
        raise LinkFault(f"`{shortened(digits)}` are not the {SIDE**2} digits and dots of a sudoku")
    clue = {(k // SIDE + 1, k % SIDE + 1): int(d) for k, d in enumerate(digits) if d in "123456789"}
    return Board("sudoku", SIDE, SIDE, "", {"clue": clue} if clue else {})


def write_sudokuwiki(board: Board) -> str:
    """The address of a sudoku of side 9 with square boxes."""
    clue = board.layer("clue")
    return SITE + "".join(str(clue.get((r, c), ".")) for r in range(1, SIDE + 1) for c in range(1, SIDE + 1))
