"""The pictures of the gallery for a page, which are drawn once and kept."""

from __future__ import annotations

import asyncio

from covr.draw.themes import THEMES
from covr.studio.body import Bad
from covr.studio.desk import Desk
from covr.studio.shelves import text_of

KEPT = 600  # pictures that are kept


class GalleryPictures:
    """Draws models of the gallery, one at a time so that questions do not wait for them."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._one = asyncio.Semaphore(1)
        self._drawn: dict[tuple[str, str], str] = {}

    async def find(self, name: str, theme: str) -> str:
        """The picture of a model's first answer, as SVG. Raises Bad if it can't be drawn."""
        text_of(name)
        theme = theme if theme in THEMES else "light"
        async with self._one:
            if (name, theme) not in self._drawn:
                svg = await self._draw(name, theme)
                if len(self._drawn) >= KEPT:
                    self._drawn.clear()
                self._drawn[name, theme] = svg
        return self._drawn[name, theme]

    async def _draw(self, name: str, theme: str) -> str:
        job = self._desk.own("gallery", name, "", {"theme": theme})
        svg = ""
        try:
            async for event, data in job.events():
                svg = data["svg"] if event == "picture" else svg
        finally:
            job.drop()
        if not svg:
            raise Bad("this model could not be drawn in time", 503)
        return svg
