"""What is worked out in another process, one job at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from covr.dsl.diagnostics import ModelErrors, Source
from covr.live.job_process import JobProcess, Pool
from covr.live.review import Result, fault_fields, opened, review, some

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.live.child import Channel

# --- worker ----------------------------------------------------------------------------------------------------------


class JobStopped(Exception):
    """A job was stopped, because its result is no longer wanted, or because its process ended."""


class Worker:
    """Does the jobs of one model, one at a time: a job that is asked while another runs stops that one."""

    def __init__(self) -> None:
        self._pool = Pool("covr.lsp.jobs")
        self._busy: JobProcess | None = None

    async def ask(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """The result of a job. Raises JobStopped."""
        self.stop()
        process = self._busy = await self._pool.take()
        try:
            result = await process.receive() if await process.send(job) else None
        except asyncio.CancelledError:
            process.kill()
            raise
        if self._busy is not process or result is None:
            process.kill()
            raise JobStopped
        self._busy = None
        self._pool.give_back(process)
        return result

    def stop(self) -> None:
        """Stop the job that runs, if there is one."""
        process, self._busy = self._busy, None
        if process is not None:
            process.kill()

    def close(self) -> None:
        """Stop everything."""
        self.stop()
        self._pool.close()


# --- jobs ------------------------------------------------------------------------------------------------------------
# What is worked out in another process: remarks that need data, an answer's picture, how many there are, promises.
#
# A job comes in and its result goes out as JSON objects, so that nothing is shared with the server.


MEMORY = 2**30  # bytes that a search may take


def work(job: Mapping[str, Any], channel: Channel) -> None:
    """Tell the result of a job."""
    channel.tell(result_of(job))


def result_of(job: Mapping[str, Any]) -> Result:
    """The result of a job.

    job: `do` (one of `JOBS`), `name`, `path` and `text` of the model, and `seconds`, the limit of time of a search.
    A result with `faults` means that the model can't be compiled.
    """
    from covr.compiler.evaluate.operators import noting

    source = Source(job["name"], job["text"], job["path"])
    try:
        with noting() as noted:
            compiled = opened(source)
            return JOBS[job["do"]](compiled, job) if job["do"] != "review" else review(compiled, noted)
    except ModelErrors as errors:
        return {"faults": fault_fields(errors.diagnostics)}


def picture(compiled: Compiled, job: Mapping[str, Any]) -> Result:
    """The first answer, or a best one, as SVG; `said`: what it is, in words. svg is empty if there is none."""
    from covr.api.model import Model
    from covr.api.problem import Unfinished

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
    from covr.api.problem import Unfinished

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
    from covr.api.problem import Unfinished

    try:
        found = Model(compiled).count(limit_time=job["seconds"], limit_memory=MEMORY)
    except Unfinished as unfinished:
        return {"said": f"at least {some(unfinished.count, 'answer')}: not all counted within {job['seconds']:g} s"}
    return {"said": "there is no answer" if found == 0 else some(found, "answer")}


def promises(compiled: Compiled, job: Mapping[str, Any]) -> Result:
    """Whether each `expect` line holds. verdicts: line from 1, whether it is kept (None: not known), and words."""
    from covr.questions.options import Options
    from covr.questions.proof_file import run_expectations

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
