"""The gallery for a page: its models by kind, their texts, and their pictures, which are drawn once and kept."""

from __future__ import annotations

import asyncio
import re
from functools import cache
from typing import Any

from covr.draw.themes import THEMES
from covr.inputs.kinds import kinds
from covr.inputs.library import find_source, gallery_names
from covr.studio.desk import Desk
from covr.studio.replies import Bad

TITLE = re.compile(r'^title\s+"((?:[^"\n])*)"', re.MULTILINE)
KEPT = 600  # pictures that are kept


@cache
def shelf() -> list[dict[str, Any]]:
    """The kinds in order, each with its models: name, title, and a line about it."""
    return [
        {"kind": kind, "models": [{"name": name, "title": _title(name), "line": line} for name, line in lines.items()]}
        for kind, lines in kinds().items()
    ]


def _title(name: str) -> str:
    """A title that has no holes stands in the text; one that names params is filled in with their defaults."""
    found = TITLE.search(text_of(name))
    if found is None:
        return name
    if "{" not in found[1]:
        return found[1]
    from covr.compiler.evaluate.bind import bind
    from covr.inputs.library import open_model

    model = open_model(name)
    return found[1] if model.title is None else bind(model).template(model.title)({})


def text_of(name: str) -> str:
    """The text of a model of the gallery. Raises Bad for any other name."""
    if name not in gallery_names():
        raise Bad("the gallery has no such model", 404)
    return find_source(name).text


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
