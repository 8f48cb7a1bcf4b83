"""The matrix that a model becomes, and which choices stand at which place of its picture."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from covr.studio.work.answers import some
from covr.studio.work.asked import StudioQuestion
from covr.studio.work.events import Events

if TYPE_CHECKING:
    from covr.compiler import Compiled

MOST_PLACES = 20_000  # choices whose places are told


def matrix(compiled: Compiled, _: Any, asked: StudioQuestion, events: Events) -> dict[str, Any]:
    """Items and options, as many as a page can show; `cut` says whether there are more."""
    problem = compiled.problem
    items, options = min(problem.items, asked.items), min(problem.options, asked.most_options)
    given, sizes = frozenset(problem.given), Counter(problem.members)
    events.tell(
        "matrix",
        items=[
            {
                "name": problem.item_names[i], "primary": i < problem.primary, "low": problem.low[i],
                "high": min(problem.high[i], problem.options), "size": sizes[i],
            }
            for i in range(items)
        ],
        options=[
            {
                "label": problem.option_names[o], "choice": problem.option_names[o],
                "items": [i for i in problem.option(o) if i < items], "given": o in given,
            }
            for o in range(options)
        ],
        beside=len(problem.sides),
        cut=items < problem.items or options < problem.options,
        whole={"items": problem.items, "primary": problem.primary, "options": problem.options},
    )  # fmt: skip
    words = f"{some(problem.items, 'item')}, {some(problem.options, 'option')}"
    return {"status": "done", "words": words, "figures": {}}


def places(compiled: Compiled, _: Any, asked: StudioQuestion, events: Events) -> dict[str, Any]:
    """For each place of the pictures, the choices that would mark it: what a click on a place may mean. And what each
    choice writes there."""
    options = range(min(compiled.problem.options, MOST_PLACES))
    found: dict[str, list[str]] = {}
    texts: dict[str, str] = {}
    for number, picture in enumerate(compiled.pictures(tuple(options))):
        for mark in picture.marks:
            if mark.option >= 0:
                place = (1, *mark.at) if picture.axes == 1 else mark.at  # a strip is drawn as a board of one row
                at = f"{number}:{','.join(map(str, place))}"
                name = compiled.problem.option_names[mark.option]
                found.setdefault(at, []).append(name)
                texts.setdefault(name, mark.text)
    events.tell("places", places=found, texts=texts, cut=len(options) < compiled.problem.options)
    return {"status": "done", "words": "", "figures": {}}
