"""Pictures for a page: of answers, of the puzzle before it is solved, of the gallery."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from covr.compiler.display.prints import Picture
from covr.draw.book import Shown, draw_svg
from covr.draw.text import as_text
from covr.questions.answer import Answer, jsonable
from covr.studio.texts import told
from covr.studio.work.asked import Events, StudioQuestion

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.evaluate.operators import Notes
    from covr.compiler.evaluate.values import Map

# --- Answers as SVG and text, small enough for a page -----------------------------------------------------------------


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


# --- The puzzle before it is solved: asked at each edit, so it says all that compiling a model says -------------------


LONGEST = 2000  # characters of a param's value
CELLS = 40_000  # cells of a grid that a board shows


def puzzle(compiled: Compiled, notes: Notes | None, asked: StudioQuestion, events: Events) -> dict[str, Any]:
    """The picture of what is given; the remarks that need data; the params with their values; the matrix's size."""
    from covr.compiler.matrix_model import unsolved
    from covr.live.review import review
    from covr.questions.plans import remarks
    from covr.studio.boards.geometry import geometry

    events.tell("picture", **drawn(unsolved(compiled), asked, compiled.title))
    events.tell("params", params=params(compiled))
    events.tell("geometry", **geometry(compiled))
    found = remarks(compiled, notes)
    events.tell("fault", faults=[told(d, asked.places, asked.source, []) for d in found])
    size = review(compiled, notes)
    events.tell(
        "size",
        whole=size["whole"],
        items=compiled.problem.items,
        options=compiled.problem.options,
        sizes=[[asked.places.units(start), said] for start, said in sorted(size["sizes"].items())],
    )
    return {
        "status": "done",
        "words": compiled.title,
        "figures": {
            "title": compiled.title,
            "goal": compiled.goal,
            "up_to": compiled.has_symmetry,
            "families": [[f.name, list(f.indices)] for f in compiled.lowered.families.values()],
            "expects": len(compiled.expectations),
        },
    }


def params(compiled: Compiled) -> list[dict[str, Any]]:
    """Each param with its value in the model as compiled; a grid as a board."""
    from covr.compiler.evaluate.values import Map, abbreviate

    return [
        {
            "name": name,
            "value": abbreviate(value, LONGEST),
            "condition": condition,
            "grid": board(value) if isinstance(value, Map) else None,
        }
        for name, _, condition, value in compiled.parameters
    ]


def board(grid: Map) -> dict[str, Any] | None:
    """A grid as rows of cells; None for one that no board can show."""
    from covr.compiler.evaluate.values import show_value

    if grid.shape is None or grid.shape[0] * grid.shape[1] > CELLS:
        return None
    rows, cols = grid.shape
    cells = [["."] * cols for _ in range(rows)]
    for key, value in grid.entries.items():
        if not (isinstance(key, tuple) and len(key) == 2 and all(isinstance(part, int) for part in key)):
            return None
        row, col = int(key[0]), int(key[1])
        if not (0 < row <= rows and 0 < col <= cols):
            return None
        cells[row - 1][col - 1] = value if isinstance(value, str) else show_value(value)
    return {"rows": rows, "cols": cols, "cells": cells, "blank": "."}


# --- shelf -----------------------------------------------------------------------------------------------------------
# Pictures that need no model to be compiled for the page: those of the gallery, and an SVG turned into another
# format.


def gallery(asked: StudioQuestion, events: Events) -> dict[str, Any]:
    """The first answer of a model of the gallery, as the gallery on the site shows it."""
    from covr.api.gallery import shown
    from covr.draw.book import Shown, draw_svg

    model, answer = shown(asked.name)
    svg = draw_svg([Shown(answer.pictures)], model.title, asked.theme, title_shown=False)
    events.tell("picture", svg=svg, text="")
    return {"status": "done", "words": model.title, "figures": {}}


def convert(asked: StudioQuestion, events: Events) -> dict[str, Any]:
    """An SVG that covr has drawn, as PNG or PDF. Raises ModelErrors E521 if the package for that is not installed."""
    from covr.draw.book import converted

    raw = converted(asked.text.encode(), str(asked.options.get("format")))
    events.tell("file", base64=base64.b64encode(raw).decode())
    return {"status": "done", "words": "", "figures": {}}


# --- Links of other puzzle programs: a link as a model, and a model as a link -----------------------------------------


def from_link(asked: StudioQuestion, events: Events) -> dict[str, Any]:
    """The model of the puzzle in a link, or in a puzzle's file, with the board drawn in it. The option `as` names its
    kind, for links that do not say it. Raises ModelErrors E606 for what can't be read."""
    from covr.inputs.library import checked, linked_in, open_model, unreadable_link
    from covr.links.file import called, model_of
    from covr.links.places import LinkFault

    kind = asked.options.get("as")
    linked = linked_in(asked.text.strip(), None, kind if isinstance(kind, str) and kind else None)
    try:
        source = model_of(linked, open_model(linked.kind.model), called(asked.text))
    except LinkFault as fault:
        raise unreadable_link(called(asked.text), fault) from None
    checked(source)
    events.tell("model", name=f"{linked.kind.model}.cover", text=source.text)
    return {"status": "done", "words": linked.kind.name, "figures": {}}


def as_link(compiled: Compiled, _: Any, asked: StudioQuestion, events: Events) -> dict[str, Any]:
    """A model with its data as an address of puzz.link or f-puzzles. Raises ModelErrors E603 if it is no puzzle that
    one of these can hold."""
    from covr.inputs.as_link import linked_from, usual_form, written

    linked = linked_from(compiled)
    events.tell("link", link=written(linked, usual_form(linked)).strip())
    return {"status": "done", "words": linked.kind.name, "figures": {}}
