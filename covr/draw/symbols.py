"""Symbols drawn as shapes, so that no font is needed: chessmen, a star, the parts of a ship, a tree and a tent.

Each is a list of paths in a square from (-50, -50) to (50, 50). Drawn for covr.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import cos, pi, sin

from covr.draw.elements import number, path, tag

_BASE = "M-30 40L-34 30H34L30 40z"

CHESSMEN: Mapping[str, tuple[str, ...]] = {
    "K": ("M-4 -46H4V-40H10V-32H4V-24H-4V-32H-10V-40H-4z",
          "M-24 24L-34 -2C-40 -22 -12 -28 0 -10C12 -28 40 -22 34 -2L24 24z", _BASE),
    "Q": ("M-24 24L-38 -18L-19 2L-20 -32L-5 -2L0 -38L5 -2L20 -32L19 2L38 -18L24 24z",
          "M-44 -22a6 6 0 1 1 12 0a6 6 0 1 1 -12 0z", "M-26 -36a6 6 0 1 1 12 0a6 6 0 1 1 -12 0z",
          "M-6 -42a6 6 0 1 1 12 0a6 6 0 1 1 -12 0z", "M14 -36a6 6 0 1 1 12 0a6 6 0 1 1 -12 0z",
          "M32 -22a6 6 0 1 1 12 0a6 6 0 1 1 -12 0z", _BASE),
    "R": ("M-28 -38H-16V-28H-6V-38H6V-28H16V-38H28V-16L20 -8V24H-20V-8L-28 -16z", _BASE),
    "B": ("M0 -44a6 6 0 1 1 0 11a6 6 0 1 1 0 -11z",
          "M-18 24C-10 16 -10 14 -12 8C-30 -2 -18 -22 0 -32C18 -22 30 -2 12 8C10 14 10 16 18 24z", _BASE),
    "N": ("M-22 24C-22 4 -2 2 -4 -10C-14 -2 -20 4 -26 8C-34 10 -38 2 -34 -4C-28 -12 -24 -24 -16 -32L-14 -44"
          "L-6 -36C22 -36 34 -10 28 24z", _BASE),
    "P": ("M0 -34a14 14 0 1 1 0 28a14 14 0 1 1 0 -28z", "M-22 24C-18 8 -10 4 -8 -8H8C10 4 18 8 22 24z", _BASE),
}  # fmt: skip

STAR = path([
    [(44 * r * sin(k * pi / 5), -44 * r * cos(k * pi / 5)) for k in range(10) for r in [1 - 0.58 * (k % 2)]]
])  # fmt: skip

# The parts of a ship: its left, right, upper and lower end, what is between them, and a ship of one part.
SHIPS: Mapping[str, str] = {
    "◖": "M48 -44H0a44 44 0 0 0 0 88H48z", "◗": "M-48 -44H0a44 44 0 0 1 0 88H-48z",
    "◠": "M-44 48V0a44 44 0 0 1 88 0V48z", "◡": "M-44 -48V0a44 44 0 0 0 88 0V-48z",
    "■": "M-44 -44H44V44H-44z", "●": "M-44 0a44 44 0 1 1 88 0a44 44 0 1 1 -88 0z",
}  # fmt: skip

# A tree, and a tent with its door open.
CAMP: Mapping[str, str] = {
    "♣": "M-5 44V24C-46 30 -50 -2 -26 -8C-34 -52 34 -52 26 -8C50 -2 46 30 5 24V44z",
    "▲": "M0 -40L46 38H14L0 8L-14 38H-46z",
}
SHAPES: Mapping[str, str] = {"*": STAR, **SHIPS, **CAMP}


def are_chessmen(texts: Collection[str]) -> bool:
    """Whether there are texts, and each is the name of a chessman."""
    return bool(texts) and all(text in CHESSMEN for text in texts)


def symbol(text: str, x: float, y: float, size: float, fill: str, **more: object) -> str | None:
    """The shape for a text, with its middle at (x, y) and `size` pixels wide; None if there is no shape for it."""
    shapes = (SHAPES[text],) if text in SHAPES else CHESSMEN.get(text)
    if shapes is None:
        return None
    place = f"translate({number(x)} {number(y)}) scale({size / 100:.3f})"
    return tag("path", d="".join(shapes), transform=place, fill=fill, **more)
