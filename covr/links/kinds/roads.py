"""Loops and roads that may cross themselves, or that are told by parts of them."""

from __future__ import annotations

from covr.links.address_parts import On
from covr.links.board import SECRET, Place, Value
from covr.links.codes import DIGITS, LINE_PARTS, PARTS
from covr.links.file_parts import Marked, Passed, WordRows, lines_drawn
from covr.links.kind import Kind, OnBoard
from covr.links.places import cell_rows, cells
from covr.links.values import grid

_parts = WordRows(
    cell_rows,
    (
        Marked("clue", "-", SECRET),
        Marked("clue", "o", "o"),
        *[Marked("clue", DIGITS[10 + at], part) for at, part in enumerate(PARTS)],
    ),
)


def _crossing(ends: frozenset[tuple[int, int, str]]) -> list[tuple[Place, Value]]:
    """The line between two squares; a bend within one square draws nothing."""
    squares = sorted({(r, c) for r, c, _ in ends})
    return [(tuple(squares), 1)] if len(squares) == 2 else []


def _pipes(name: str, model: str, drawn_as: str) -> Kind:
    """One loop through all squares, of which some parts are told."""
    return Kind(
        name=name,
        model=model,
        address=(On(cells, LINE_PARTS, "clue"),),
        file=(Passed(drawn_as), _parts, lines_drawn()),
        params=lambda board: {"clue": grid(board)},
        answer=(OnBoard("line", "draw", _crossing),),
    )


pipelink = _pipes("pipelink", "pipelink", "pipe")
pipelinkr = _pipes("pipelinkr", "pipelink_circles", "circle")
