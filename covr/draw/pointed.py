"""Places that can be pointed at: in a page, a transparent shape over each place of a picture says which place it is.

Its attribute `data-at` is the number of the picture among those of the answer, from 0, a colon, and the coordinates
with commas between them, such as `0:1,3`. Sticks and balls have none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from covr.draw.elements import Point, path, tag
from covr.draw.themes import Theme


def pointed(places: Iterable[tuple[Sequence[int], Sequence[Point]]], theme: Theme) -> Iterator[str]:
    """A shape over each place, given with its corners in pixels; none where the theme has no key for places."""
    if theme.key is None:
        return
    for at, corners in places:
        name = theme.key + ",".join(map(str, at))
        yield tag("path", class_="place", data_at=name, d=path([corners]), fill="none", pointer_events="all")
