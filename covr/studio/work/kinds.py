"""All kinds of questions, and what is common to them: the model is compiled, its faults are told, and how it ended."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import Any

from attrs import fields

from covr.dsl.diagnostics import ModelErrors
from covr.dsl.load import refusing
from covr.engine.base.limits import LimitReached, Status
from covr.live.child import Channel
from covr.studio.folder import refusal
from covr.studio.texts import told
from covr.studio.work import answers, hand, reasons
from covr.studio.work.asked import Events, Kept, Steps, StudioQuestion, Teller
from covr.studio.work.hand import pencil_of, pencilled

Answering = Callable[[Any, Any, StudioQuestion, Events], dict[str, Any] | Steps]

KINDS: Mapping[str, Answering] = {
    "puzzle": answers.puzzle,
    "drawn": answers.drawn_again,
    "solve": answers.listing,
    "all": answers.listing,
    "best": answers.best,
    "unique": answers.unique,
    "count": answers.count,
    "candidates": reasons.candidates,
    "clash": reasons.clash,
    "why": reasons.why,
    "spare": reasons.spare,
    "hint": reasons.hint,
    "hand": hand.hand,
    "check": hand.checked,
    "matrix": answers.matrix,
    "places": hand.places,
    "dance": answers.dance,
    "test": reasons.promises,
    "each": reasons.each,
    "proof": reasons.prove,
    "as link": answers.as_link,
}
# Questions that are not about a text.
SHELF: Mapping[str, Callable[[StudioQuestion, Events], dict[str, Any]]] = {
    "gallery": answers.gallery,
    "convert": answers.convert,
    "from link": answers.from_link,
}

PENCILLED = ("why", "hint")  # what is pencilled in is as good as given

_kept = Kept()


def warm() -> None:
    """Load what the first question needs, so that it does not wait for that."""
    from covr.compiler import compile_model
    from covr.compiler.matrix_model import unsolved
    from covr.draw.book import Shown, draw_svg
    from covr.dsl.diagnostics import Source
    from covr.inputs.library import checked
    from covr.live.review import review
    from covr.questions.options import Options
    from covr.questions.run import Run, remarks

    text = 'cells r in 1..2\nchoose a(r)\nexactly one a\nshow "a" of a at 1, r\n'
    compiled = compile_model(checked(Source("warm", text)))
    draw_svg([Shown(unsolved(compiled))])
    remarks(compiled)
    review(compiled, None)
    Run(compiled, Options()).count()


def work(job: Mapping[str, Any], channel: Channel) -> None:
    """Answer a question with events, the last of which is `end`."""
    asked, events = begun(job, channel)
    steps = answering(asked, events)
    try:
        next(steps)
        while True:
            steps.send(events.wait())
    except StopIteration:
        pass
    finally:
        channel.heard = None


def begun(job: Mapping[str, Any], teller: Teller) -> tuple[StudioQuestion, Events]:
    """A question from its fields, and what it tells."""
    asked = StudioQuestion(**{field.name: job[field.name] for field in fields(StudioQuestion)})
    return asked, Events(teller, asked.window)


def answering(asked: StudioQuestion, events: Events) -> Generator[None, bool, None]:
    """Answer a question with events, the last of which is `end`. Yields where it may pause, and is sent whether to go
    on."""
    try:
        with refusing(refusal(Path(asked.within), asked.foreign)):
            end = yield from _answered(asked, events)
    except RecursionError:
        end = {"status": "failed", "words": "the model nests too deeply", "figures": {}}
    except MemoryError:
        end = {"status": "limit", "words": "there is not enough memory for this model", "figures": {}}
    events.tell("end", **end)


def _answered(asked: StudioQuestion, events: Events) -> Steps:
    """How a question ended. A fault of the model is told as such; a question that does not fit the model is refused."""
    try:
        if asked.kind in SHELF:
            return SHELF[asked.kind](asked, events)
        compiled, notes = _kept.compiled(asked)
        assert compiled.title is not None  # its faults are the model's
    except ModelErrors as errors:
        faults = [told(d, asked.places, asked.source, []) for d in errors.diagnostics]
        events.tell("fault", faults=faults)
        return {"status": "fault", "words": faults[0]["message"], "figures": {}}
    try:
        if asked.kind in PENCILLED:
            compiled = pencilled(compiled, pencil_of(compiled, asked.options))
        found = KINDS[asked.kind](compiled, notes, asked, events)
        if isinstance(found, Generator):
            found = yield from found
        return found
    except LimitReached as stopped:
        reached = "stopped" if stopped.status is Status.INTERRUPTED else "limit"
        return {"status": reached, "words": "stopped before anything was found", "figures": {}}
    except ModelErrors as errors:
        faults = [told(d, asked.places, asked.source, []) for d in errors.diagnostics]
        first = errors.diagnostics[0]
        if not first.code.startswith("E5"):  # found only when an answer is drawn, or a promise read
            events.tell("fault", faults=faults)
            return {"status": "fault", "words": first.message, "figures": {}}
        return {
            "status": "refused",
            "words": first.message + (f": {first.help}" if first.help else ""),
            "figures": {},
        }
