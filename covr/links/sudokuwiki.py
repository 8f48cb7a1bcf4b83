"""SudokuWiki: `https://www.sudokuwiki.org/sudoku.htm?bd=` and 81 characters, which also stand alone in many lists."""

from __future__ import annotations

import re

from covr.links.board import Board, LinkFault
from covr.links.codes import shortened

SIDE = 9
SITE = "https://www.sudokuwiki.org/sudoku.htm?bd="
_BEGINNING = re.compile(r"(?:https?://)?(?:www\.)?sudokuwiki\.org/[\w./-]*\?(?:[\w.-]*=[\w.-]*&)*bd=", re.ASCII | re.I)
_DIGITS = re.compile(r"[0-9.*_]{81}", re.ASCII)


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
