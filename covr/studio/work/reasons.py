"""Reasons: what can still go where, why, the next step; promises, proofs, and what could be left out."""

from __future__ import annotations

import gzip
from base64 import b64encode
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from attrs import evolve

from covr.dsl.diagnostics import ModelErrors
from covr.faults import usage_error
from covr.questions.answer import Answer, choice_fields
from covr.questions.proof_file import run_expectations
from covr.questions.run import Run
from covr.studio.texts import told
from covr.studio.work.answers import answer_fields, drawn, ending, some
from covr.studio.work.asked import Events, Steps, StudioQuestion, exact

if TYPE_CHECKING:
    from covr.compiler import Choice, Compiled
    from covr.explain.because import Because
    from covr.explain.why_text import Member, Why

CAP = 100  # answers that are counted beside the candidates, unless the page wants another number
MOST_CAP = 100_000
CLASH = 1.0  # seconds that are spent on why there is no answer, while clues are typed
LISTED = 20_000  # candidates that are listed; the picture has all


def candidates(compiled: Compiled, _: Any, asked: StudioQuestion, events: Events) -> dict[str, Any]:
    """For every choice whether it is in all answers, in some or in none; and how many answers there are, up to a cap.

    With the option `counts`, also how many answers hold each choice. A model with `up to` is asked without it, since a
    choice that stands in no answer that is told may stand in one that counts as the same; the page is told so.
    """
    from covr.questions.candidates import CandidateRun

    alike = compiled.has_symmetry
    if alike:
        compiled = compiled.without_symmetry()
    cap = asked.number("cap", CAP, MOST_CAP)
    run = CandidateRun(compiled, asked.limits, cap if asked.options.get("counts") is True else None)
    with events.following(run):
        table = run.table()
    answers, exactly = table.total, table.total is not None
    if table.solvable is False:
        answers, exactly = 0, True
    elif table.complete and not table.of("some"):
        answers, exactly = 1, True
    elif answers is None and not events.stopped:
        answers, exactly = _count_up_to(cap, compiled, asked, events)
    if table.solvable is False and not events.stopped:
        _tell_clash(compiled, asked, events)
    if table.solvable:
        events.tell("picture", **drawn(table.pictures(), asked, compiled.title))
    shown = [c for c in table if c.verdict != "none"]
    events.tell(
        "candidates",
        candidates=[
            {
                "name": str(c.choice), **choice_fields(c.choice),
                "verdict": c.verdict, "count": c.count, "given": c.given,
            }
            for c in shown[:LISTED]
        ],
        cut=len(shown) > LISTED,
    )  # fmt: skip
    status = "none" if table.solvable is False else "done" if table.complete else "limit"
    words = "there is no answer" if answers == 0 else "not known" if answers is None else some(answers, "answer")
    words = words if exactly or answers is None else f"{answers:,} answers or more"
    figures = {"answers": exact(answers), "exact": exactly, "cap": cap, "solvable": table.solvable, "alike": alike}
    if events.stopped and not table.complete:
        status = "stopped"
    return {"status": status, "words": words, "figures": figures}


def clash(compiled: Compiled, _: Any, asked: StudioQuestion, events: Events) -> dict[str, Any]:
    """Which givens and rules contradict each other, of a model that has no answer."""
    _tell_clash(compiled, asked, events)
    return {"status": "done", "words": "", "figures": {}}


def _tell_clash(compiled: Compiled, asked: StudioQuestion, events: Events) -> None:
    """The givens and rules that contradict each other, if they are found in no time: the page marks them."""
    from covr.explain.why import Inquiry

    inquiry = Inquiry(compiled, evolve(asked.limits, limit_time=CLASH))
    with events.stoppable(inquiry):
        found = inquiry.explain()
    givens = [m.name.removeprefix("given ") for m in found.members if m.kind == "given"]
    events.tell("clash", choices=givens, rules=[m.name for m in found.members if m.kind != "given"])


def _count_up_to(cap: int, compiled: Compiled, asked: StudioQuestion, events: Events) -> tuple[int | None, bool]:
    """How many answers there are, at most `cap`, and whether that is all."""
    run = Run(compiled, evolve(asked.limits, limit_answers=cap))
    with events.stoppable(run):
        counted = run.count()
    return (counted.value or None, False) if not counted.complete else (counted.value, True)


def why(compiled: Compiled, _: Any, asked: StudioQuestion, events: Events) -> dict[str, Any]:
    """Why there is no answer; with the option `at`, why that choice is in every answer, in none or in some."""
    from covr.explain.why import Inquiry
    from covr.explain.why_text import UNKNOWN, as_text

    def tell(why: Why) -> None:
        _tell_why(why, asked, events)

    # While shorter reasons are looked for, the page shows the shortest so far.
    inquiry = Inquiry(compiled, asked.limits, _choice(asked.options.get("at")), found=tell)
    with events.stoppable(inquiry):
        found = inquiry.explain()
    tell(found)
    figures = {"searches": inquiry.budget.searches, "nodes": exact(inquiry.budget.nodes)}
    if events.stopped:
        return {"status": "stopped", "words": "stopped", "figures": figures}
    status = "limit" if found.verdict == UNKNOWN else "done"
    return {"status": status, "words": as_text(found).split("\n")[0], "figures": figures}


def _tell_why(found: Why, asked: StudioQuestion, events: Events) -> None:
    from covr.explain.why_text import as_text, differences, lined

    events.tell(
        "why",
        verdict=found.verdict,
        choice=found.choice,
        given=found.given,
        members=[member(m, asked) for m in found.members],
        told=[member(m, asked) for m in lined(found.compiled, found.members)],
        minimal=found.minimal,
        cures=[member(m, asked) for m in found.cures],
        removed=None if found.removed is None else member(found.removed, asked),
        fault=None if found.diagnostic is None else told(found.diagnostic, asked.places, asked.source, []),
        differences=[list(d) for d in differences(found)],
        text=as_text(found),
        **_pictures(found, asked),
    )


def _pictures(why: Why, asked: StudioQuestion) -> dict[str, Any]:
    found: list[Answer] = list(why.answers)
    return {"answers": [answer_fields(answer, number, asked) for number, answer in enumerate(found, 1)]}


def _choice(at: Any) -> str | None:
    if isinstance(at, str):
        return at
    if isinstance(at, dict) and isinstance(at.get("family"), str):
        key = at.get("key")
        parts = key if isinstance(key, list) else [] if key is None else [key]
        return f"{at['family']}({', '.join(map(_written, parts))})" if parts else at["family"]
    return None


def _written(part: Any) -> str:
    """A value of JSON as the language writes it."""
    if isinstance(part, list):
        return f"({', '.join(map(_written, part))})"
    if isinstance(part, str):
        return '"' + part.replace("\n", " ") + '"'
    return str(part)


def member(found: Member, asked: StudioQuestion) -> dict[str, Any]:
    """A rule or given of a reason, with its place; start is None where it stands in another file."""
    own = found.span.source == asked.source
    units = asked.places.units
    return {
        "kind": found.kind,
        "name": found.name,
        "line": found.line,
        "file": None if own else found.span.source.name,
        "start": units(found.span.start) if own else None,
        "end": units(found.span.end) if own else None,
    }


def hint(compiled: Compiled, _: Any, asked: StudioQuestion, events: Events) -> Steps:
    """The moves that a person would make, each when the page wants it."""
    from covr.explain.hints import HintRun

    run = HintRun(compiled, asked.limits)
    number = 0
    with events.following(run):
        for found in run.moves():
            number += 1
            events.tell(
                "hint",
                number=found.number,
                size=found.size,
                proved=found.proved,
                more=found.more,
                text="\n".join(found.lines()),
                taken=_names(found.taken),
                out=_names(found.out),
                struck=_names(found.struck),
                reasons=[_because(because, asked) for because in found.reasons],
                svg=drawn(found.pictures(), asked, compiled.title)["svg"],
            )
            if not (yield):
                break
    path = run.path(True)
    figures = {"moves": number, "open": len(path.open), "solvable": path.solvable, "grade": str(path.grade)}
    if events.stopped:
        return {"status": "stopped", "words": f"stopped after {some(number, 'move')}", "figures": figures}
    if path.solvable is False:
        return {"status": "none", "words": "there is no answer", "figures": figures}
    if not path.complete:
        return {"status": "limit", "words": "a limit was reached: there may be more", "figures": figures}
    return {"status": "done", "words": _ended(number, len(path.open)), "figures": figures}


def _ended(number: int, left: int) -> str:
    if left:
        return f"nothing more follows: {some(left, 'choice')} may be in an answer or not"
    return "that is the whole way" if number else "nothing is left to find"


def _because(because: Because, asked: StudioQuestion) -> dict[str, Any]:
    return {
        "rules": [member(rule, asked) for rule in (*because.rules, *because.full, *because.before)],
        "known": _names(because.known), "taken": _names(because.taken), "out": _names(because.out),
        "otherwise": because.otherwise,
    }  # fmt: skip


def _names(choices: Iterable[Choice]) -> list[str]:
    return [str(choice) for choice in choices]


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
    """The problem and the proof, compressed, in base64: that nothing is better, or that these are all answers."""
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


SPARE_LISTED = 2000  # givens and rules that are listed, at most, each time


def spare(compiled: Compiled, _: Any, asked: StudioQuestion, events: Events) -> dict[str, Any]:
    """Which givens and labelled rules could be left out, alone and together. The option `only`: `givens` or `rules`."""
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
        **{name: [member(m, asked) for m in members[:SPARE_LISTED]] for name, members in lists.items()},
    )
    figures = {"searches": inquiry.budget.searches, "nodes": exact(inquiry.budget.nodes)}
    if events.stopped:
        return {"status": "stopped", "words": "stopped", "figures": figures}
    return {"status": "done" if found.minimal else "limit", "words": head(found), "figures": figures}
