"""A proof of all answers, or of the best one, which is checked before it is told."""

from __future__ import annotations

import gzip
from base64 import b64encode
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from covr.questions.run import Run
from covr.studio.work.answers import ending
from covr.studio.work.asked import StudioQuestion
from covr.studio.work.events import Events, exact

if TYPE_CHECKING:
    from covr.compiler import Compiled

LONGEST = 20_000_000  # characters of a proof; a longer one is written by the command
QUICK = 3  # zlib's level: a proof is packed while somebody waits for it


def prove(compiled: Compiled, _: Any, asked: StudioQuestion, events: Events) -> dict[str, Any]:
    """The problem and the proof, compressed, in base64. With a goal: that nothing is better than the best answer;
    otherwise that these are all answers, or that there is none."""
    from covr.questions.proof_file import ask_for_proof

    ask_for_proof(compiled, counted=compiled.goal is None)
    if compiled.goal is None:
        return _proved(compiled, None, asked, events)
    run = Run(compiled, asked.limits)
    with events.following(run):
        run.first()
    best = run.best
    if not run.complete or (best is not None and not best.proved):
        return ending(run, int(best is not None), events)
    return _proved(compiled, None if best is None else best.answer, asked, events)


def _proved(
    compiled: Compiled, known: Sequence[int] | None, asked: StudioQuestion, events: Events
) -> dict[str, Any]:  # fmt: skip
    from covr.compiler.formats.opb import pseudo_boolean
    from covr.engine import Limits
    from covr.engine.base.status import Status
    from covr.engine.proofs.logged import ProofLog
    from covr.questions.proof_check import CheckedProof
    from covr.questions.proof_file import problem_lines
    from covr.verify.checker import verify
    from covr.verify.opb import read_opb

    log = ProofLog(pseudo_boolean(compiled.problem), Limits(seconds=asked.limits.limit_time), LONGEST)
    with events.stoppable(log):
        proof = "".join(log.lines(known))
    figures = {"nodes": exact(log.nodes), "lines": log.lines_written}
    if log.status is not Status.EXHAUSTED:
        if events.stopped:
            return {"status": "stopped", "words": "stopped before the proof was complete", "figures": figures}
        words = f"no proof within {log.lines_written:,} lines; `covr solve` and `covr count` write longer ones"
        return {"status": "limit", "words": words, "figures": figures}
    problem = "".join(problem_lines(compiled))
    about = read_opb(problem.split("\n"))
    checked = CheckedProof(about, verify(about, proof.split("\n")))
    events.tell("proof", problem=_packed(problem), proof=_packed(proof))
    return {"status": "done", "words": checked.in_words(), "figures": figures}


def _packed(text: str) -> str:
    return b64encode(gzip.compress(text.encode("ascii"), QUICK, mtime=0)).decode("ascii")
