"""All kinds of questions, and what is common to them: the model is compiled, its faults are told, and how it ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attrs import fields

from covr.dsl.diagnostics import ModelErrors
from covr.live.channel import Channel
from covr.studio.faults import told
from covr.studio.work import answers, pictures
from covr.studio.work.asked import Asked, Kept
from covr.studio.work.events import Events

Answering = Callable[[Any, Any, Asked, Events], dict[str, Any]]

KINDS: Mapping[str, Answering] = {
    "puzzle": pictures.puzzle,
    "solve": answers.listing,
    "all": answers.listing,
    "best": answers.best,
    "unique": answers.unique,
    "count": answers.count,
}

_kept = Kept()


def warm() -> None:
    """Load what the first question needs, so that it does not wait for that."""
    from covr.compiler import compile_model
    from covr.compiler.unsolved import unsolved
    from covr.draw.svg import Shown, draw_svg
    from covr.dsl.source import Source
    from covr.inputs.library import checked
    from covr.live.review import review
    from covr.questions.options import Options
    from covr.questions.remarks import remarks
    from covr.questions.run import Run

    text = 'cells r in 1..2\nchoose a(r)\nexactly one a\nshow "a" of a at 1, r\n'
    compiled = compile_model(checked(Source("warm", text)))
    draw_svg([Shown(unsolved(compiled))])
    remarks(compiled)
    review(compiled, None)
    Run(compiled, Options()).count()


def work(job: Mapping[str, Any], channel: Channel) -> None:
    """Answer a question with events, the last of which is `end`."""
    asked = Asked(**{field.name: job[field.name] for field in fields(Asked)})
    events = Events(channel, asked.window)
    try:
        compiled, notes = _kept.compiled(asked)
        end = KINDS[asked.kind](compiled, notes, asked, events)
    except ModelErrors as errors:
        faults = [told(d, asked.places, asked.source, []) for d in errors.diagnostics]
        events.tell("fault", faults=faults)
        end = {"status": "fault", "words": faults[0]["message"], "figures": {}}
    except RecursionError:
        end = {"status": "failed", "words": "the model nests too deeply", "figures": {}}
    except MemoryError:
        end = {"status": "limit", "words": "there is not enough memory for this model", "figures": {}}
    finally:
        channel.heard = None
    events.tell("end", **end)
