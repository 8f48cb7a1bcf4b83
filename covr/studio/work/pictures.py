"""The puzzle before it is solved: asked at each edit, so it says all that compiling a model says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from covr.studio.faults import told
from covr.studio.work.asked import StudioQuestion
from covr.studio.work.drawing import drawn
from covr.studio.work.events import Events

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.evaluate.unlike import Notes
    from covr.compiler.evaluate.values import Map

LONGEST = 2000  # characters of a param's value
CELLS = 40_000  # cells of a grid that a board shows


def puzzle(compiled: Compiled, notes: Notes | None, asked: StudioQuestion, events: Events) -> dict[str, Any]:
    """The picture of what is given; the remarks that need data; the params with their values; the matrix's size."""
    from covr.compiler.unsolved import unsolved
    from covr.live.review import review
    from covr.questions.remarks import remarks
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
