"""Symmetric patterns of clues: which choices of an answer are given together.

A symmetry is that of a board with two coordinates, or of the layers of one with three. A choice stands at the places
where it is drawn; its partners are the choices drawn at the images of those places. A choice with an image at which no
clue could stand can't be in a symmetric pattern.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from covr.compiler.display.show import option_marks
from covr.engine.puzzles.puzzle_attempts import UnitPattern
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


def clue_pattern(compiled: Compiled, name: str, options: Sequence[int]) -> UnitPattern:
    """Which of these options are given together. name: one of SYMMETRIES.

    Raises ModelErrors E515 if there is no such symmetry, if the model does not have one board of places with a row and
    a column, or if the board is not symmetric in this way."""
    if name not in SYMMETRIES:
        raise usage_error("E515", f"there is no symmetry `{name}`", word=name, known=list(SYMMETRIES))
    boards = [p for p in compiled.pictures(()) if p.axes]
    if len(boards) != 1 or boards[0].axes < 2 or not boards[0].low:
        help = "leave out --symmetry, or add a `show … at` that draws one board"
        raise usage_error("E515", "the model has no single board that could be symmetric", help=help)
    board = boards[0]
    if board.lattice is not None:
        raise usage_error("E515", "symmetric patterns are for boards of squares", help="leave out --symmetry")
    number: dict[Place, int] = {}
    stands: dict[int, tuple[int, ...]] = {}
    images: dict[int, tuple[int, ...]] = {}
    if not _is_symmetric(board, name):
        raise usage_error("E515", f"the board does not have the symmetry `{name}`")
    for o in options:
        places = [at for at, _ in option_marks(compiled.drawings, compiled.lowered.option_choices[o])]
        mapped = [_image(board, image, place) for image in SYMMETRIES[name] for place in places]
        stands[o] = tuple(number.setdefault(place, len(number)) for place in places)
        images[o] = tuple(number.setdefault(place, len(number)) for place in mapped)
    return UnitPattern(stands, images)


def _image(board: Picture, image: Image, place: Place) -> Place:
    (top, left), (bottom, right) = board.low[-2:], board.high[-2:]
    r, c = image(place[-2] - top, place[-1] - left, bottom - top, right - left)
    return (*place[:-2], r + top, c + left)


def _is_symmetric(board: Picture, name: str) -> bool:
    (top, left), (bottom, right) = board.low[-2:], board.high[-2:]
    if name in TURNED and bottom - top != right - left:
        return False
    places = set(board.places)
    return all(_image(board, each, place) in places for each in SYMMETRIES[name] for place in places)
