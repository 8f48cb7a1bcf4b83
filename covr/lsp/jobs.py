"""What is worked out in another process: remarks that need data, an answer's picture, how many there are, promises.

A job comes in and its result goes out as JSON objects, so that nothing is shared with the server.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from covr.dsl.diagnostics import ModelErrors
from covr.dsl.source import Source
from covr.live.review import Result, opened, review, some, told

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.live.channel import Channel

MEMORY = 2**30  # bytes that a search may take


def work(job: Mapping[str, Any], channel: Channel) -> None:
    """Tell the result of a job."""
    channel.tell(result_of(job))


def result_of(job: Mapping[str, Any]) -> Result:
    """The result of a job.

    job: `do` (one of `JOBS`), `name`, `path` and `text` of the model, and `seconds`, the limit of time of a search.
    A result with `faults` means that the model can't be compiled.
    """
    from covr.compiler.evaluate.unlike import noting

    source = Source(job["name"], job["text"], job["path"])
    try:
        with noting() as noted:
            compiled = opened(source)
            return JOBS[job["do"]](compiled, job) if job["do"] != "review" else review(compiled, noted)
    except ModelErrors as errors:
        return {"faults": told(errors.diagnostics)}


def picture(compiled: Compiled, job: Mapping[str, Any]) -> Result:
    """The first answer, or a best one, as SVG; `said`: what it is, in words. svg is empty if there is none."""
    from covr.api.model import Model
    from covr.api.unfinished import Unfinished

    model = Model(compiled)
    try:
        answer = model.solve(limit_time=job["seconds"], limit_memory=MEMORY)
    except Unfinished:
        return {"svg": "", "said": f"no answer within {job['seconds']:g} s"}
    if answer is None:
        return {"svg": "", "said": "there is no answer"}
    return {"svg": answer.svg(theme=job.get("theme", "light")), "said": model.title}


def solve(compiled: Compiled, job: Mapping[str, Any]) -> Result:
    """The first answer, or a best one, as text."""
    from covr.api.model import Model
    from covr.api.unfinished import Unfinished

    try:
        answer = Model(compiled).solve(limit_time=job["seconds"], limit_memory=MEMORY)
    except Unfinished:
        return {"said": f"no answer within {job['seconds']:g} s"}
    return {"said": "there is no answer" if answer is None else str(answer)}


def puzzle(compiled: Compiled, job: Mapping[str, Any]) -> Result:
    """The board before it is solved, as SVG."""
    from covr.api.model import Model

    model = Model(compiled)
    return {"svg": model.svg(theme=job.get("theme", "light")), "said": model.title}


def count(compiled: Compiled, job: Mapping[str, Any]) -> Result:
    """How many answers there are, in words."""
    from covr.api.model import Model
    from covr.api.unfinished import Unfinished

    try:
        found = Model(compiled).count(limit_time=job["seconds"], limit_memory=MEMORY)
    except Unfinished as unfinished:
        return {"said": f"at least {some(unfinished.count, 'answer')}: not all counted within {job['seconds']:g} s"}
    return {"said": "there is no answer" if found == 0 else some(found, "answer")}


def promises(compiled: Compiled, job: Mapping[str, Any]) -> Result:
    """Whether each `expect` line holds. verdicts: line from 1, whether it is kept (None: not known), and words."""
    from covr.questions.expectations import run_expectations
    from covr.questions.options import Options

    options = Options(limit_time=job["seconds"], limit_memory=MEMORY)
    verdicts = []
    for verdict in run_expectations(compiled, options):
        word = {True: "holds", False: "does not hold", None: "not known"}[verdict.kept]
        found = "" if verdict.kept else f": found {verdict.found}"
        verdicts.append({"line": verdict.line, "kept": verdict.kept, "said": f"{word}{found}"})
    return {"verdicts": verdicts}


JOBS: dict[str, Callable[[Any, Mapping[str, Any]], Result]] = {
    "review": review,
    "picture": picture,
    "solve": solve,
    "puzzle": puzzle,
    "count": count,
    "promises": promises,
}
