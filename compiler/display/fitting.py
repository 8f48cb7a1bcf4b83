"""Which ways to draw there are on which board: what can't be drawn is refused, and not left out of a picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from covr.compiler.evaluate import EvalFault
from covr.compiler.lattices.balls import BALLS
from covr.compiler.lattices.lattice import Lattice
from covr.compiler.lattices.sticks import STICKS
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.syntax import REGIONS, SHAPES

ELSEWHERE: Final[Mapping[str, str]] = {
    "regions": "an `outline` is for boards of squares, cubes, hexagons and triangles",
    "line": "lines are for boards of squares, hexagons, triangles and sticks",
    "lines": "lines side by side are for boards of squares, hexagons and triangles",
    "dark": "dark places are for boards of squares, cubes, hexagons, triangles and balls",
    **dict.fromkeys(SHAPES, "shapes are for boards of squares, cubes, hexagons, triangles and balls"),
}
ON_STICKS: Final = (REGIONS, "lines", "dark", *SHAPES)  # what sticks have no room for: they are lines themselves
IN_SPACE: Final = ("line", "lines")  # what layers of balls and cubes don't show


def check_style(style: str | None, axes: int, lattice: Lattice | None, span: Any) -> None:
    """Raises EvalFault where what a `show`, or an `outline` of what is chosen, asks for can't be drawn on its board.

    style: as in `Show`.  axes: how many coordinates its places have.
    """
    refused = (
        (lattice is STICKS and style in ON_STICKS)
        or (lattice is BALLS and style == REGIONS)
        or (axes == 3 and style in IN_SPACE)
    )
    if style is not None and refused:
        board = "cubes" if lattice is None else lattice.name
        what = "no regions can be drawn on" if style == REGIONS else f"there is no `as {style}` on"
        raise EvalFault(Diagnostic("E442", f"{what} `{board}`", span, help=ELSEWHERE[style]))
