"""Answers as SVG and text, small enough for a page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from covr.compiler.display.picture import Picture
from covr.draw.svg import Shown, draw_svg
from covr.draw.text import as_text
from covr.questions.answer import Answer
from covr.questions.values import jsonable
from covr.studio.work.asked import StudioQuestion

PLACES = 40_000  # places of a board beyond which it is not drawn
TEXT = 200_000  # characters of a picture as text


def drawn(pictures: Iterable[Picture], asked: StudioQuestion, title: str = "", titled: bool = True) -> dict[str, str]:
    """Pictures as `svg` and `text`. A board with more places than a page can show has no SVG."""
    found = tuple(pictures)
    large = sum(len(p.places) + len(p.marks) + len(p.lines) for p in found) > PLACES
    svg = "" if large else draw_svg([Shown(found)], title, asked.theme, titled, pointed=asked.kind != "all")
    return {"svg": svg, "text": as_text(found)[:TEXT]}


def answer_fields(answer: Answer, number: int, asked: StudioQuestion, titled: bool = False) -> dict[str, Any]:
    """An answer as the page shows it: number from 1, picture, choices by family."""
    values: dict[str, list[Any]] = {}
    for choice in answer.choices:
        values.setdefault(choice.family, []).append([jsonable(value) for value in choice.args])
    return {
        "number": number,
        **drawn(answer.pictures, asked, answer.title, titled),
        "values": values,
        "choices": [str(choice) for choice in answer.choices],
        "cost": answer.cost,
        "bound": answer.bound,
        "proved": answer.proved,
        "costs": list(answer.costs),
        "broken": [str(wish) for wish in answer.broken],
    }
