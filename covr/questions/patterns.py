"""Symmetric patterns of clues: which choices of an answer are given together.

A symmetry is that of a board with two coordinates, or of the layers of one with three. A choice stands at the places
where it is drawn; its partners are the choices drawn at the images of those places. A choice with an image at which no
clue could stand can't be in a symmetric pattern.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from covr.compiler.display.show import option_marks
from covr.engine.clues import Unit
from covr.faults import usage_error

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.display.picture import Picture

Place = tuple[int, ...]
Image = Callable[[int, int, int, int], tuple[int, int]]

# For each name, the maps that generate it. Row and column count from 0; h and w are the last row and column.
SYMMETRIES: Mapping[str, tuple[Image, ...]] = {
    "rotate": (lambda r, c, h, w: (h - r, w - c),),
    "quarter": (lambda r, c, h, w: (c, h - r),),
    "mirror": (lambda r, c, h, w: (r, w - c),),
    "flip": (lambda r, c, h, w: (h - r, c),),
    "cross": (lambda r, c, h, w: (r, w - c), lambda r, c, h, w: (h - r, c)),
    "diagonal": (lambda r, c, h, w: (c, r),),
    "antidiagonal": (lambda r, c, h, w: (w - c, h - r),),
    "full": (lambda r, c, h, w: (c, h - r), lambda r, c, h, w: (r, w - c)),
}
TURNED = frozenset({"quarter", "diagonal", "antidiagonal", "full"})  # those that exchange rows and columns


class CluePattern:
    """The choices of answers, sorted into units that a symmetry of the board keeps together."""

    def __init__(self, compiled: Compiled, name: str) -> None:
        """name: one of SYMMETRIES. Raises ModelErrors E515 if there is no such symmetry, if the model does not have one
        board of places with a row and a column, or if the board is not symmetric in this way."""
        if name not in SYMMETRIES:
            raise usage_error("E515", f"there is no symmetry `{name}`", word=name, known=list(SYMMETRIES))
        boards = [p for p in compiled.pictures(()) if p.axes]
        if len(boards) != 1 or boards[0].axes < 2 or not boards[0].low:
            help = "leave out --symmetry, or add a `show … at` that draws one board"
            raise usage_error("E515", "the model has no single board that could be symmetric", help=help)
        if boards[0].lattice is not None:
            raise usage_error("E515", "symmetric patterns are for boards of squares", help="leave out --symmetry")
        self._compiled, self._board, self._maps = compiled, boards[0], SYMMETRIES[name]
        if not _is_symmetric(boards[0], name, self._image):
            raise usage_error("E515", f"the board does not have the symmetry `{name}`")

    def _image(self, image: Image, place: Place) -> Place:
        (top, left), (bottom, right) = self._board.low[-2:], self._board.high[-2:]
        r, c = image(place[-2] - top, place[-1] - left, bottom - top, right - left)
        return (*place[:-2], r + top, c + left)

    def units(self, clues: Sequence[int]) -> list[Unit]:
        """The options of an answer that may be clues, in units; those that have no partner are left out."""
        standing = {o: self._places(o) for o in clues}
        at: dict[Place, list[int]] = {}
        for o, places in standing.items():
            for place in places:
                at.setdefault(place, []).append(o)
        partners: dict[int, set[int]] = {o: set() for o in clues}
        alone: set[int] = set()
        for o, places in standing.items():
            for image in self._maps:
                for place in places:
                    there = at.get(self._image(image, place))
                    if not there:
                        alone.add(o)
                        continue
                    for other in there:
                        partners[o].add(other)
                        partners[other].add(o)
        found: list[Unit] = []
        seen: set[int] = set()
        for o in clues:
            if o not in seen:
                unit = _reached(o, partners)
                seen |= unit
                if not unit & alone:
                    found.append(tuple(sorted(unit)))
        return found

    def _places(self, option: int) -> list[Place]:
        marks = option_marks(self._compiled.drawings, self._compiled.lowered.option_choices[option])
        return [at for at, _ in marks]


def _is_symmetric(board: Picture, name: str, image: Callable[[Image, Place], Place]) -> bool:
    (top, left), (bottom, right) = board.low[-2:], board.high[-2:]
    if name in TURNED and bottom - top != right - left:
        return False
    places = set(board.places)
    return all(image(each, place) in places for each in SYMMETRIES[name] for place in places)


def _reached(start: int, partners: Mapping[int, set[int]]) -> set[int]:
    found, todo = {start}, [start]
    while todo:
        fresh = partners[todo.pop()] - found
        found |= fresh
        todo += fresh
    return found
