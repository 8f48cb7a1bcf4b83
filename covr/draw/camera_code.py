"""Draws an address as a QR code, which the camera of a phone reads.

segno, a package of the extra `pictures`, finds the pattern; here it becomes one path of an SVG document, in which each
run of dark squares in a row is a rectangle.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any

from covr.draw.elements import number, tag
from covr.faults import usage_error

QUIET = 4  # white squares around the pattern, as the standard (ISO/IEC 18004) wants them


def camera_code(address: str, size: float, dark: str, light: str) -> str:
    """The code as an SVG element, with its upper left corner at (0, 0).

    size: of the whole code with the white around it, in pixels. Raises ModelErrors where segno is not installed."""
    segno = check_segno()
    # A level that reads through a stain, and no "micro" code, which many cameras don't know.
    rows = [list(row) for row in segno.make(address, error="m", micro=False).matrix]
    scale = size / (len(rows) + 2 * QUIET)
    runs = []
    for y, row in enumerate(rows):
        x = 0
        for is_dark, run in groupby(row):
            wide = len(list(run))
            if is_dark:
                runs.append(f"M{x} {y}h{wide}v1h-{wide}z")
            x += wide
    paper = tag("rect", width=number(size), height=number(size), fill=light)
    path = tag(
        "path", d="".join(runs), fill=dark, shape_rendering="crispEdges",
        transform=f"scale({scale:.4f}) translate({QUIET} {QUIET})",
    )  # fmt: skip
    return tag("g", "\n", f"{paper}\n", f"{path}\n", class_="link")


def check_segno() -> Any:
    """The package. Raises ModelErrors E521 where it is not installed."""
    try:
        import segno
    except ImportError:
        raise usage_error(
            "E521", "codes for cameras need segno, which is not installed", help="pip install 'covr[pictures]'"
        ) from None
    return segno
