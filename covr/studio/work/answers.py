"""Answers, steps of a search, the matrix, pictures and links, told to the page."""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from covr.compiler.display.prints import Picture
from covr.draw.book import Shown, draw_svg
from covr.draw.text import as_text
from covr.dsl import syntax as s
from covr.dsl.diagnostics import ModelErrors
from covr.engine.base.limits import LimitReached
from covr.explain.trace_walk import TraceWalk, step_words
from covr.questions.answer import Answer, jsonable
from covr.questions.run import Run, refuse_projection
from covr.studio.texts import told
from covr.studio.work.asked import Events, Steps, StudioQuestion, exact
from covr.text import quantity

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.display.prints import Picture
    from covr.compiler.evaluate.operators import Notes
    from covr.compiler.evaluate.values import Map
    from covr.engine.proofs.trace import TraceStep
    from covr.questions.run import Best

# --- Answers, one by one: the first and the next, all of them, or better and better ones ------------------------------


def listing(compiled: Compiled, _: Any, asked: StudioQuestion, events: Events) -> Steps:
    """The answers in the documented order, each when the page wants it; with a goal, the best ones."""
    run = Run(compiled, asked.limits)
    number = 0
    with events.following(run):
        for found in run.answers(lambda best: _better(best, compiled, asked, events)):
            number += 1
            events.tell("answer", **answer_fields(_answer(compiled, run, found), number, asked))
            if not (yield):
                break
    return ending(run, number, events)


def best(compiled: Compiled, _: Any, asked: StudioQuestion, events: Events) -> dict[str, Any]:
    """A best answer; each better one is told as it is found."""
    run = Run(compiled, asked.limits)
    with events.following(run):
        found = run.first(lambda best: _better(best, compiled, asked, events))
    if found is not None:
        events.tell("answer", **answer_fields(_answer(compiled, run, found), 1, asked))
    return ending(run, int(found is not None), events)


def unique(compiled: Compiled, _: Any, asked: StudioQuestion, events: Events) -> dict[str, Any]:
    """Whether there is exactly one answer: at most two are looked for."""
    run = Run(compiled, asked.limits)
    found = []
    with events.following(run):
        for one in run.answers(limit=2):
            found.append(one)
            events.tell("answer", **answer_fields(_answer(compiled, run, one), len(found), asked))
    end = ending(run, len(found), events)
    if len(found) == 2:
        return {**end, "status": "done", "words": "there is more than one answer", "figures": {"unique": False}}
    known = end["status"] in ("done", "none")
    words = "there is exactly one answer" if known and found else end["words"]
    return {**end, "words": words, "figures": {**end["figures"], "unique": len(found) == 1 if known else None}}


def drawn_again(compiled: Compiled, _: Any, asked: StudioQuestion, events: Events) -> dict[str, Any]:
    """An answer that the page has, by the names of its choices, in the theme that the page has now."""
    wanted = asked.options.get("choices")
    names = {name for name in wanted if isinstance(name, str)} if isinstance(wanted, list) else set()
    options = [o for o in range(compiled.problem.options) if compiled.problem.option_names[o] in names]
    if len(options) == len(names):
        events.tell("picture", **drawn(compiled.pictures(tuple(options)), asked, compiled.title, titled=False))
    return {"status": "done", "words": "", "figures": {}}


def count(compiled: Compiled, _: Any, asked: StudioQuestion, events: Events) -> dict[str, Any]:
    """How many answers there are."""
    run = Run(compiled, asked.limits)
    with events.following(run):
        counted = run.count()
    end = ending(run, counted.value, events)
    figures = {**end["figures"], "count": exact(counted.value), "complete": counted.complete}
    if counted.complete:
        status = "done" if counted.value else "none"
        return {"status": status, "words": some(counted.value, "answer"), "figures": figures}
    return {**end, "words": f"at least {some(counted.value, 'answer')}: {end['words']}", "figures": figures}


def _answer(compiled: Compiled, run: Run, found: tuple[int, ...]) -> Answer:
    best = run.best
    return Answer(compiled, found) if best is None else Answer(compiled, found, best.bound, best.proved)


def _better(best: Best, compiled: Compiled, asked: StudioQuestion, events: Events) -> None:
    answer = Answer(compiled, best.answer, best.bound, best.proved)
    events.tell("better", **answer_fields(answer, 0, asked))


def ending(run: Run, number: int, events: Events) -> dict[str, Any]:
    """How a run ended: `done` (all is known), `none` (there is no answer), `limit` or `stopped`."""
    figures = {
        "answers": exact(number),
        "nodes": exact(run.counters.nodes),
        "seconds": round(run.seconds, 3),
        "engine": run.engine,
        "reached": run.reached,
        "bound": exact(run.bound),
    }
    if run.complete:
        status = "done" if number else "none"
        return {"status": status, "words": "that is all" if number else "there is no answer", "figures": figures}
    if events.stopped or run.status == "interrupted":
        return {"status": "stopped", "words": f"stopped after {some(number, 'answer')}", "figures": figures}
    if run.reached is not None:
        what = {"time": "of time", "memory": "of memory", "nodes": "of steps", "answers": "of answers"}[run.reached]
        return {"status": "limit", "words": f"the limit {what} was reached", "figures": figures}
    return {"status": "done", "words": some(number, "answer"), "figures": figures}


def some(number: int, what: str) -> str:
    """A number of things in words."""
    return f"no {what}" if number == 0 else quantity(number, what, f"{number:,}")


# --- The search of a model step by step, as `covr trace` shows it -----------------------------------------------------


CHUNK = 100  # steps that are told at once
DEEPEST = 10_000  # taken options; deeper than any search that is shown


class StepTeller:
    """Tells steps in pieces. In a step, items and options are numbers of the matrix; each name is told once."""

    def __init__(self, walk: TraceWalk, events: Events) -> None:
        self._walk, self._events = walk, events
        self._steps: list[dict[str, Any]] = []
        self._items: dict[int, str] = {}
        self._options: dict[int, str] = {}
        self._told: set[tuple[str, int]] = set()

    def add(self, step: TraceStep) -> None:
        """A step."""
        named = [("item", i) for i in (step.item, *step.covers) if i is not None]
        options = (step.option, *step.removes, *step.takes, *step.answer)
        named += [("option", o) for o in options if o is not None]
        for kind, number in named:
            if (kind, number) not in self._told:
                self._told.add((kind, number))
                names, name = (self._items, self._walk.item) if kind == "item" else (self._options, self._walk.option)
                names[number] = name(number)
        self._steps.append({
            "kind": step.kind, "depth": step.depth, "item": step.item, "option": step.option, "options": step.live,
            "need": step.need, "others": step.others, "at": step.at, "of": step.of, "covers": list(step.covers),
            "removes": list(step.removes), "takes": list(step.takes), "answer": list(step.answer),
            "words": step_words(step, self._walk),
        })  # fmt: skip
        if len(self._steps) >= CHUNK:
            self.flush()

    def flush(self) -> None:
        """Tell what was added since the last time."""
        if self._steps:
            self._events.tell("steps", steps=self._steps, items=self._items, options=self._options)
        self._steps, self._items, self._options = [], {}, {}


def dance(compiled: Compiled, _: Any, asked: StudioQuestion, events: Events) -> dict[str, Any]:
    """The steps, as many as the limit of nodes allows; with the option `depth`, only those that are not deeper."""
    refuse_projection(compiled, "the search shown step by step")
    deepest = asked.number("depth", DEEPEST, DEEPEST)
    walk = TraceWalk(compiled, asked.number("nodes", asked.nodes, asked.nodes), asked.limits.limit_time)
    problem = compiled.problem
    sizes = {"items": problem.items, "primary": problem.primary, "options": problem.options}
    events.tell("root", **sizes, given=list(problem.given))
    teller = StepTeller(walk, events)
    for step in walk.steps():
        if events.stopped:
            break
        if step.depth <= deepest:
            teller.add(step)
    teller.flush()
    figures = {"nodes": walk.nodes, "answers": walk.answers, "complete": walk.complete}
    words = f"{some(walk.nodes, 'node')}, {some(walk.answers, 'answer')}"
    if events.stopped:
        return {"status": "stopped", "words": f"stopped after {words}", "figures": figures}
    if walk.complete:
        return {"status": "done", "words": words, "figures": figures}
    return {"status": "limit", "words": f"the first {words}; the search goes on", "figures": figures}


# --- The matrix that a model becomes, and which choices stand at which place of its picture ---------------------------


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
MOST_SIGNS = 17  # values that are offered for a clue, such as 0 to 16 (draw.ts); a larger number is typed
CELLS = 40_000  # cells of a grid that a board shows


def puzzle(compiled: Compiled, notes: Notes | None, asked: StudioQuestion, events: Events) -> dict[str, Any]:
    """The picture of what is given; the remarks that need data; the params with their values; the matrix's size."""
    from covr.compiler.matrix_model import unsolved
    from covr.live.review import review
    from covr.questions.run import remarks

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
    events.tell("signs", signs=signs(compiled))
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
    """The model of the puzzle in a link or file. The option `as` names its kind. Raises ModelErrors E606."""
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
    """A model with its data as an address of puzz.link or f-puzzles. Raises ModelErrors E603."""
    from covr.inputs.as_link import linked_from, usual_form, written

    linked = linked_from(compiled)
    events.tell("link", link=written(linked, usual_form(linked)).strip())
    return {"status": "done", "words": linked.kind.name, "figures": {}}


Spot = tuple[float, float]
# scale, offset of both coordinates, and how many rows a grid has for so many of the picture: times × rows + more
WAYS: tuple[tuple[float, float, int, int], ...] = (
    (1.0, 0.0, 1, 0),  # a place is a square
    (1.0, 0.5, 1, -1),  # the picture shows corners, the grid squares between them
    (0.5, 0.5, 2, -1),  # squares, and what is between them
    (0.5, 0.0, 2, 1),  # squares, and what is around them
    (1.0, -0.5, 1, 1),  # corners, also those of the rim
)


def geometry(compiled: Compiled) -> dict[str, Any]:
    """board: the first and last row and column of the first picture with two coordinates, or None without any;
    picture: its number; lattice: its own. layers: by the name of each grid, its `scale`, `down` and `across`."""
    pictures = [(n, p) for n, p in enumerate(compiled.puzzle()) if p.axes == 2]
    if not pictures:
        return {"board": None, "picture": 0, "lattice": "square", "layers": {}}
    number, picture = pictures[0]
    lattice = "square" if picture.lattice is None else picture.lattice.name
    rows, cols = [[at[axis] for at in picture.places] for axis in (0, 1)]
    if not rows:
        return {"board": None, "picture": number, "lattice": lattice, "layers": {}}
    board = (min(rows), min(cols), max(rows), max(cols))
    shown = {spot for spot, _ in _texts(picture)}
    layers = {}
    for name, high, wide, standing in _grids(compiled):
        if lattice != "square":
            continue
        way = _way((high, wide), board, standing, shown)
        if way is not None:
            scale, offset = way
            layers[name] = {"scale": scale, "down": offset, "across": offset}
    return {"board": list(board), "picture": number, "lattice": lattice, "layers": layers}


def signs(compiled: Compiled) -> dict[str, list[str]]:
    """What clues in each grid can be, as far as the model tells."""
    from covr.compiler.clues import possible_clues

    try:
        return {name: [str(v) for v in values[:MOST_SIGNS]] for name, values in possible_clues(compiled).items()}
    except (ModelErrors, LimitReached):  # a fault of a `clue` is told by `covr make`
        return {}


def _texts(picture: Picture) -> Iterator[tuple[Spot, str]]:
    """What is printed or given, and the middle of where it stands."""
    for mark in picture.marks:
        if len(mark.at) == 2:
            yield (float(mark.at[0]), float(mark.at[1])), mark.text
    for one in picture.prints:
        if len(one.at) == 2:
            other = one.at if one.to is None else one.to
            yield ((one.at[0] + other[0]) / 2, (one.at[1] + other[1]) / 2), one.text


def _grids(compiled: Compiled) -> Iterator[tuple[str, int, int, list[tuple[int, int]]]]:
    """The grids of squares of a model: name, rows, columns, and the places where something stands."""
    from covr.compiler.evaluate.values import Map

    for definition in compiled.model.definitions:
        if isinstance(definition, s.Param) or (isinstance(definition, s.Let) and definition.parameters is None):
            name = definition.name.id
            if not isinstance(definition.value, s.ReaderBlock) or definition.value.name.id != "grid":
                continue
            value = compiled.scope.value(name)
            if isinstance(value, Map) and value.shape is not None:
                yield name, *value.shape, [k for k in value.entries if isinstance(k, tuple) and len(k) == 2]


def _way(
    size: tuple[int, int], board: tuple[int, int, int, int], standing: list[tuple[int, int]], shown: set[Spot]
) -> tuple[float, float] | None:
    """The scale and offset of a grid: what is drawn where its entries would be decides, then the sizes."""
    found: tuple[tuple[int, bool, int], tuple[float, float]] | None = None
    for order, (scale, offset, times, more) in enumerate(WAYS):
        fits = size[0] == times * board[2] + more and size[1] == times * board[3] + more
        inside = size[0] >= times * board[2] + min(more, 0) and size[1] >= times * board[3] + min(more, 0)
        hits = sum((scale * r + offset, scale * c + offset) in shown for r, c in standing)
        if not fits and not (inside and hits == len(standing) > 0):
            continue
        rank = (hits, fits, -order)
        if found is None or rank > found[0]:
            found = rank, (scale, offset)
    return None if found is None else found[1]
