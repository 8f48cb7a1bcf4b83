"""Compares what a model promises with what is found, and solves a model for each record of a collection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from covr.dsl.diagnostics import ModelErrors
from covr.faults import usage_error
from covr.questions.answer import Answer
from covr.questions.expectations import run_expectations
from covr.questions.run import Run
from covr.studio.faults import told
from covr.studio.work.answers import some
from covr.studio.work.asked import StudioQuestion
from covr.studio.work.drawing import answer_fields
from covr.studio.work.events import Events, Steps

if TYPE_CHECKING:
    from covr.compiler import Compiled

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
