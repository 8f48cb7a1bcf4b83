"""The images of a place while somebody draws with a symmetry."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

Place = tuple[int, int]
Motion = Callable[[int, int, int, int], Place]  # row, column, rows, columns → row, column

_HALF: Motion = lambda r, c, high, wide: (high + 1 - r, wide + 1 - c)  # noqa: E731
_ACROSS: Motion = lambda r, c, high, wide: (r, wide + 1 - c)  # noqa: E731
_DOWN: Motion = lambda r, c, high, wide: (high + 1 - r, c)  # noqa: E731
_TURN: Motion = lambda r, c, high, wide: (c, high + 1 - r)  # noqa: E731
_BACK: Motion = lambda r, c, high, wide: (wide + 1 - c, r)  # noqa: E731
_DIAGONAL: Motion = lambda r, c, high, wide: (c, r)  # noqa: E731

SYMMETRIES: Mapping[str, Sequence[Motion]] = {
    "none": (),
    "half turn": (_HALF,),
    "quarter turn": (_TURN, _HALF, _BACK),
    "left to right": (_ACROSS,),
    "top to bottom": (_DOWN,),
    "both ways": (_ACROSS, _DOWN, _HALF),
    "diagonal": (_DIAGONAL,),
}
SQUARE_ONLY = ("quarter turn", "diagonal")  # for boards as high as wide


def motions(name: str, high: int, wide: int) -> Sequence[Motion]:
    """The motions of a symmetry besides the one that leaves all as it is; none where the board has no such symmetry."""
    return () if name in SQUARE_ONLY and high != wide else SYMMETRIES.get(name, ())
