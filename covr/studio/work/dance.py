"""The search of a model step by step, as `covr trace` shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from covr.explain.trace_walk import TraceWalk, step_words
from covr.questions.sided import refuse_projection
from covr.studio.work.answers import some
from covr.studio.work.asked import StudioQuestion
from covr.studio.work.events import Events

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.engine.proofs.steps import TraceStep

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
