"""The sudokus of sites that know nothing else: which text is one of theirs, and the board in it."""

from __future__ import annotations

from textwrap import wrap

from covr.links.board import Board
from covr.links.fpuzzles import is_fpuzzles, read_fpuzzles
from covr.links.kind import Kind
from covr.links.sudoku_board import SUDOKU
from covr.links.sudokupad import is_sudokupad, read_sudokupad
from covr.links.sudokuwiki import is_sudokuwiki, read_sudokuwiki
from covr.links.table import find_kind

_SITES = ((is_fpuzzles, read_fpuzzles), (is_sudokupad, read_sudokupad), (is_sudokuwiki, read_sudokuwiki))
WIDTH = 110  # characters of a comment's line
MOST_WORDS = 5_000  # characters of a setter's words that are kept


def is_sudoku_link(text: str) -> bool:
    """Whether a text is a link to a sudoku, judging by its beginning."""
    return any(is_one(text) for is_one, _ in _SITES)


def read_sudoku_link(text: str) -> tuple[Kind, Board]:
    """The kind and the board of a link to a sudoku. Raises LinkFault."""
    board = next(read for is_one, read in _SITES if is_one(text))(text)
    return (SUDOKU if board.kind == SUDOKU.name else find_kind(board.kind)), board


def words_of(board: Board) -> str:
    """What the setter says of the puzzle, as comments above its model; nothing if there are no words."""
    said = board.layer("said")
    by = f" by {said['author',]}" if ("author",) in said else ""
    heading = f"{said.get(('title',), 'A puzzle')}{by}" if ("title",) in said or by else ""
    text = "\n".join(part for part in (heading, str(said.get(("ruleset",), ""))) if part)[:MOST_WORDS]
    lines = [
        line for part in text.splitlines() for line in wrap("".join(c if c.isprintable() else " " for c in part), WIDTH)
    ]
    return "".join(f"# {line}\n" for line in lines)
