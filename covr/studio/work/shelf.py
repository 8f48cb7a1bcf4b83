"""Pictures that need no model to be compiled for the page: those of the gallery, and an SVG turned into another
format."""

from __future__ import annotations

import base64
from typing import Any

from covr.studio.work.asked import StudioQuestion
from covr.studio.work.events import Events


def gallery(asked: StudioQuestion, events: Events) -> dict[str, Any]:
    """The first answer of a model of the gallery, as the gallery on the site shows it."""
    from covr.api.gallery import shown
    from covr.draw.svg import Shown, draw_svg

    model, answer = shown(asked.name)
    svg = draw_svg([Shown(answer.pictures)], model.title, asked.theme, title_shown=False)
    events.tell("picture", svg=svg, text="")
    return {"status": "done", "words": model.title, "figures": {}}


def convert(asked: StudioQuestion, events: Events) -> dict[str, Any]:
    """An SVG that covr has drawn, as PNG or PDF. Raises ModelErrors E521 if the package for that is not installed."""
    from covr.draw.files import converted

    raw = converted(asked.text.encode(), str(asked.options.get("format")))
    events.tell("file", base64=base64.b64encode(raw).decode())
    return {"status": "done", "words": "", "figures": {}}
