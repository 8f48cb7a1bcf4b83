"""Promises, proofs, and what could be left out."""

from __future__ import annotations

import gzip
from base64 import b64encode
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from covr.dsl.diagnostics import ModelErrors
from covr.faults import usage_error
from covr.questions.answer import Answer
from covr.questions.proof_file import run_expectations
from covr.questions.run import Run
from covr.studio.texts import told
from covr.studio.work.answers import ending, some
from covr.studio.work.asked import Events, Steps, StudioQuestion, exact
from covr.studio.work.pictures import answer_fields
from covr.studio.work.reasons import member

if TYPE_CHECKING:
    from covr.compiler import Compiled

# --- Compares what a model promises with what is found, and solves a model for each record of a collection ------------


MOST_RECORDS = 100_000


def promises(compiled: Compiled, _: Any, asked: StudioQuestion, events: Events) -> dict[str, Any]:
    """Each `expect` line with what was found."""
    kept = broken = 0
    ends = [at for at, sign in enumerate(asked.text) if sign == "\n"] + [len(asked.text)]
    for verdict in run_expectations(compiled, asked.limits):
        kept += verdict.kept is True
        broken += verdict.kept is False
        events.tell(
            "verdict",
            line=verdict.line,
            end=asked.places.units(ends[min(verdict.line, len(ends)) - 1]),
            expected=verdict.expected,
            kept=verdict.kept,
            found=verdict.found,
            seconds=round(verdict.seconds, 3),
            faults=[told(d, asked.places, asked.source, []) for d in verdict.fault],
        )
        if events.stopped:
            return {"status": "stopped", "words": "stopped", "figures": {"kept": kept, "broken": broken}}
    unknown = len(compiled.expectations) - kept - broken
    words = f"{some(kept, 'promise')} kept" + (f", {broken} broken" if broken else "")
    words += f", {unknown} not known" if unknown else ""
    words = words if compiled.expectations else "the model promises nothing: it has no `expect` line"
    figures = {"kept": kept, "broken": broken, "unknown": unknown}
    return {"status": "limit" if unknown else "done", "words": words, "figures": figures}


def each(compiled: Compiled, _: Any, asked: StudioQuestion, events: Events) -> Steps:
    """The first answer for each record: the option `param` names the param, `records` is the text of the collection."""
    from covr.inputs.collection import open_collection

    param, records = asked.options.get("param"), asked.options.get("records")
    if not isinstance(param, str) or not isinstance(records, str):
        raise usage_error("E504", "`each` wants a param and records for it")
    names = [name for name, *_ in compiled.parameters]
    if param not in names:
        raise usage_error("E504", f"the model has no param `{param}`", word=param, known=names)
    collection = open_collection(compiled, param, "the records", records.split("\n"), None, eager=False)
    number = solved = 0
    for record in collection.records:
        number += 1
        fields: dict[str, Any] = {"record": record.text[:1000], "name": record.name}
        try:
            model = compiled.with_data({param: collection.data(record)})
            run = Run(model, asked.limits)
            with events.stoppable(run):
                found = run.first()
            if found is None:
                words = "there is no answer" if run.complete else "not known"
                events.tell("record", number=number, words=words, answer=None, faults=[], **fields)
            else:
                solved += 1
                answer = answer_fields(Answer(model, found), number, asked)
                events.tell("record", number=number, words="", answer=answer, faults=[], **fields)
        except ModelErrors as errors:
            faults = [told(d, asked.places, asked.source, []) for d in errors.diagnostics]
            events.tell("record", number=number, words=faults[0]["message"], answer=None, faults=faults, **fields)
        if number == MOST_RECORDS or not (yield):
            break
    figures = {"records": number, "solved": solved}
    status = "stopped" if events.stopped else "done"
    return {"status": status, "words": f"{solved} of {some(number, 'record')} solved", "figures": figures}


# --- A proof of all answers, or of the best one, which is checked before it is told -----------------------------------


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
    from covr.compiler.formats.linear import pseudo_boolean
    from covr.engine import Limits
    from covr.engine.base.limits import Status
    from covr.engine.proofs.logged import ProofLog
    from covr.questions.proof_file import CheckedProof, problem_lines
    from covr.verify.checker import read_opb, verify

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


# --- The question what could be left out of the model without a change to its answers ---------------------------------


LISTED = 2000  # givens and rules that are listed, at most, each time


def spare(compiled: Compiled, _: Any, asked: StudioQuestion, events: Events) -> dict[str, Any]:
    """Which givens and labelled rules could be left out, each by itself, and a set of them together. The option `only`
    (`givens` or `rules`) says that nothing else is looked at."""
    from covr.explain.spare import KINDS, SpareInquiry, as_text, grouped, head, needed, together

    only = asked.options.get("only")
    inquiry = SpareInquiry(compiled, asked.limits, only if only in KINDS else "all")
    with events.stoppable(inquiry):
        found = inquiry.find()
    lists = {
        "alone": grouped(found.alone, found.rules, whole=True),
        "together": grouped(found.together, found.rules),
        "open": grouped(found.open, found.rules),
    }
    events.tell(
        "spare",
        head=head(found),
        needed=needed(found) if found.alone else "",
        words=together(found),
        minimal=found.minimal,
        text=as_text(found),
        **{name: [member(m, asked) for m in members[:LISTED]] for name, members in lists.items()},
    )
    figures = {"searches": inquiry.budget.searches, "nodes": exact(inquiry.budget.nodes)}
    if events.stopped:
        return {"status": "stopped", "words": "stopped", "figures": figures}
    return {"status": "done" if found.minimal else "limit", "words": head(found), "figures": figures}
