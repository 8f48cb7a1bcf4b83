"""Symmetric patterns of clues that stand in grids: which of them are given together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from covr.engine.puzzles.clues import Unit
from covr.engine.puzzles.puzzle_attempts import UnitPattern
from covr.faults import usage_error
from covr.questions.patterns import SYMMETRIES, TURNED

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.clues import ClueSpot


def spot_units(compiled: Compiled, spots: Sequence[ClueSpot], clues: Sequence[int], name: str) -> list[Unit]:
    """The clues (numbers of spots) that are given together under a symmetry; those that lack a partner are left out.
    name: one of SYMMETRIES.

    Raises ModelErrors E515 if there is no such symmetry, or the clues do not stand in grids that have it."""
    from covr.compiler.evaluate.values import Map

    if name not in SYMMETRIES:
        raise usage_error("E515", f"there is no symmetry `{name}`", word=name, known=list(SYMMETRIES))
    numbers: dict[tuple[str, object], int] = {(spot.param, spot.key): at for at, spot in enumerate(spots)}
    stands: dict[int, tuple[int, ...]] = {}
    images: dict[int, tuple[int, ...]] = {}
    for at in clues:
        spot = spots[at]
        table = compiled.scope.value(spot.param)
        shape = table.shape if isinstance(table, Map) else None
        if shape is None or not (isinstance(spot.key, tuple) and len(spot.key) == 2):
            help = "leave out --symmetry"
            raise usage_error("E515", f"the clues of `{spot.param}` do not stand in a grid of squares", help=help)
        if name in TURNED and shape[0] != shape[1]:
            raise usage_error("E515", f"the board does not have the symmetry `{name}`")
        (r, c), (h, w) = spot.key, shape
        found = []
        for image in SYMMETRIES[name]:
            i, j = image(r - 1, c - 1, h - 1, w - 1)
            found.append(numbers.get((spot.param, (i + 1, j + 1)), -1))
        stands[at] = (at,)
        images[at] = tuple(found)
    return UnitPattern(stands, images).units(clues)
