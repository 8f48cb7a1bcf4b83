"""Questions about reasons: what can still go where, why there is no answer or not this choice, and the next step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from attrs import evolve

from covr.questions.answer import Answer, choice_fields
from covr.questions.run import Run
from covr.studio.texts import told
from covr.studio.work.answers import some
from covr.studio.work.asked import Events, Steps, StudioQuestion, exact
from covr.studio.work.pictures import answer_fields, drawn

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
    """Why there is no answer; or, with the option `at` (`place(1, 2, 3)`, or its family and key), why that choice is in
    every answer, in none or in some."""
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
    """Tell the page of an explanation."""
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
    """The answers that the explanation shows."""
    found: list[Answer] = list(why.answers)
    return {"answers": [answer_fields(answer, number, asked) for number, answer in enumerate(found, 1)]}


def _choice(at: Any) -> str | None:
    """A choice as text, from what the page sends."""
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
