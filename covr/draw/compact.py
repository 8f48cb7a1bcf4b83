"""An answer on one line, for pipes: `--each` and other streams.

Pictures with coordinates are written place by place in the order of the model, which is the order in which a puzzle on
one line is read. There is nothing between the texts if each is one character; otherwise they are separated by blanks. A
list is written choice by choice; what is printed is left out. Several pictures are separated by tabs.
"""

from __future__ import annotations

from collections.abc import Iterable

from covr.compiler.display.picture import Picture
from covr.draw.styled import clean

EMPTY = "."


def one_line(pictures: Iterable[Picture]) -> str:
    """The pictures of one answer on one line, without a newline."""
    return "\t".join(_list(p) if p.axes == 0 else _places(p) for p in pictures)


def _places(picture: Picture) -> str:
    texts: dict[tuple[int, ...], list[str]] = {}
    for mark in picture.marks:
        if mark.option < 0 and mark.given:
            continue  # printed, and no part of the answer
        texts.setdefault(mark.at, []).append(mark.text)
    shown = {at: ",".join(dict.fromkeys(found)).replace(" ", "") or EMPTY for at, found in texts.items()}
    places = picture.places if shown.keys() <= set(picture.places) else sorted({*picture.places, *shown})
    cells = [shown.get(at, EMPTY) for at in places]
    return clean(("" if max(map(len, cells), default=1) == 1 else " ").join(cells))


def _list(picture: Picture) -> str:
    return clean("; ".join(" ".join(line) for line in picture.lines))
