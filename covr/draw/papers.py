"""The papers of booklets, and how many puzzles are on a page. Apart from booklet.py, because the command needs only
this when it starts."""

from __future__ import annotations

from collections.abc import Mapping

# Width and height in pixels, 96 to an inch, as SVG and PDF count them. The first one is the default.
PAPERS: Mapping[str, tuple[float, float]] = {"a4": (793.7, 1122.5), "letter": (816.0, 1056.0)}
ON_A_PAGE = 4  # puzzles on a page, if nothing else is asked for
MOST_ON_A_PAGE = 100
