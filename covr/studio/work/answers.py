"""Answers and steps of a search, told to the page."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from covr.explain.trace_walk import TraceWalk, step_words
from covr.questions.answer import Answer
from covr.questions.run import Run, refuse_projection
from covr.studio.work.asked import Events, Steps, StudioQuestion, exact
from covr.studio.work.hand import settled
from covr.studio.work.pictures import answer_fields, drawn

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.engine.proofs.trace import TraceStep
    from covr.questions.run import Best

# --- answers ---------------------------------------------------------------------------------------------------------
# Answers, one by one: the first and the next, all of them, or better and better ones.


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
    return f"no {what}" if number == 0 else f"{number:,} {what}{'' if number == 1 else 's'}"


# --- dance -----------------------------------------------------------------------------------------------------------
# The search of a model step by step, as `covr trace` shows it.


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


# --- matrix ----------------------------------------------------------------------------------------------------------
# The matrix that a model becomes, and which choices stand at which place of its picture.


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
    """For each place of the pictures, the choices that a click on it may mean, and what each of them writes there; also
    the places at which something stands that the givens settle."""
    options = range(min(compiled.problem.options, MOST_PLACES))
    found: dict[str, list[str]] = {}
    texts: dict[str, str] = {}
    sure, printed, free = settled(compiled.problem), set[str](), set[str]()
    for number, picture in enumerate(compiled.pictures(tuple(options))):
        for mark in picture.marks:
            place = (1, *mark.at) if picture.axes == 1 else mark.at  # a strip is drawn as a board of one row
            at = f"{number}:{','.join(map(str, place))}"
            if mark.given:
                printed.add(at)
            if mark.option >= 0:
                if mark.option not in sure:
                    free.add(at)
                name = compiled.problem.option_names[mark.option]
                found.setdefault(at, []).append(name)
                texts.setdefault(name, mark.text)
    fixed = sorted(printed - free)
    events.tell("places", places=found, texts=texts, given=fixed, cut=len(options) < compiled.problem.options)
    return {"status": "done", "words": "", "figures": {}}
