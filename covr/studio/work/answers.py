"""Answers, one by one: the first and the next, all of them, or better and better ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from covr.questions.answer import Answer
from covr.questions.run import Run
from covr.studio.work.asked import StudioQuestion
from covr.studio.work.drawing import answer_fields, drawn
from covr.studio.work.events import Events, Steps, exact

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.questions.found import Best


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
