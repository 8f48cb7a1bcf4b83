"""Solving by hand: what is pencilled in is drawn, clashes are told, and whether it is right so far, or done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import evolve

from covr.dsl.diagnostics import ModelErrors
from covr.engine import search
from covr.engine.base.limits import Limits
from covr.engine.base.status import Status
from covr.engine.check import check
from covr.engine.problem import Problem
from covr.engine.sides import Total
from covr.studio.work.asked import StudioQuestion
from covr.studio.work.clashes import clashes, foremost
from covr.studio.work.drawing import drawn
from covr.studio.work.events import Events
from covr.studio.work.pencil import Pencil, pencil_of, pencilled

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.display.picture import Picture

MOST_CLASHES = 12  # that are told
SOLVED = 4.0  # seconds in which it is found out whether the puzzle is solved


def hand(compiled: Compiled, _: Any, asked: StudioQuestion, events: Events) -> dict[str, Any]:
    """What is pencilled in as a picture, what clashes, and whether the puzzle is solved. With the option `candidates`,
    the picture shows what can still stand where."""
    pencil = pencil_of(compiled, asked.options)
    taken = sorted({*compiled.problem.given, *pencil.taken})
    found = foremost(clashes(compiled.problem, taken, pencil.out))
    pictures = compiled.unfinished(taken)
    if asked.options.get("candidates") is True and not found:
        pictures = _left(compiled, pencil, asked, events) or pictures
    events.tell("picture", **drawn(pictures, asked, compiled.title))
    names = compiled.problem.option_names
    events.tell(
        "clashes",
        clashes=[
            {"rule": clash.rule, "how": clash.how, "choices": [str(names[o]) for o in clash.options]}
            for clash in found[:MOST_CLASHES]
        ],
        more=max(0, len(found) - MOST_CLASHES),
    )
    solved = not found and bool(pencil.taken) and _solved(compiled, pencil)
    kept = {which: [str(names[o]) for o in marks] for which, marks in (("taken", pencil.taken), ("out", pencil.out))}
    events.tell("hand", solved=solved, **kept)
    return {"status": "done", "words": "solved" if solved else "", "figures": {}}


def _left(compiled: Compiled, pencil: Pencil, asked: StudioQuestion, events: Events) -> tuple[Picture, ...] | None:
    """What can still stand where, as pictures; None if there is no answer, or if that can't be told of this model."""
    from covr.questions.candidates import CandidateRun

    plain = compiled.without_symmetry() if compiled.has_symmetry else compiled
    try:
        run = CandidateRun(pencilled(plain, pencil), asked.limits, None)
        with events.following(run):
            table = run.table()
    except ModelErrors as errors:
        events.note(errors.diagnostics[0].message)
        return None
    events.tell("left", solvable=table.solvable)
    return tuple(table.pictures()) if table.solvable else None


def _shown(compiled: Compiled) -> frozenset[int]:
    """The options that some picture shows: the others are helpers, which nobody pencils in."""
    marks = (mark for picture in compiled.pictures(tuple(range(compiled.problem.options))) for mark in picture.marks)
    return frozenset(mark.option for mark in marks if mark.option >= 0)


def _solved(compiled: Compiled, pencil: Pencil) -> bool:
    """Whether there is an answer that shows exactly what is taken."""
    problem = compiled.problem
    taken = {*problem.given, *pencil.taken}
    if check(problem, sorted(taken)) is None:
        return True
    rest = tuple(sorted(_shown(compiled) - taken))
    only = Total(tuple((o, 1) for o in rest), ((0, 0),), "nothing else")
    sides = (*problem.sides, only) if rest else problem.sides
    exactly = evolve(problem, given=tuple(sorted(taken)), sides=sides, costs=(), projection=None)
    return _answerable(exactly, SOLVED) is True


def _answerable(problem: Problem, seconds: float) -> bool | None:
    """Whether a problem has an answer; None if that is not known in time."""
    run = search(problem, limits=Limits(seconds=seconds, answers=1))
    for _ in run:
        return True
    return False if run.status is Status.EXHAUSTED else None


def checked(compiled: Compiled, _: Any, asked: StudioQuestion, events: Events) -> dict[str, Any]:
    """Whether what is pencilled in is right so far: whether some answer has all of it and, if none has, which of it is
    in no answer, or crossed out although it is in all of them."""
    pencil = pencil_of(compiled, asked.options)
    if not pencil.taken and not pencil.out:
        return _told(events, "nothing", "nothing is pencilled in", [])
    whole = evolve(pencilled(compiled, pencil).problem, costs=(), projection=None)
    fine = _answerable(whole, asked.limits.limit_time or 60.0)
    if fine:
        return _told(events, "right", "right so far: there is an answer with all of it", [])
    if fine is None:
        return _told(events, "unknown", "not known: it takes too long to find out", [])
    return _told(events, "wrong", *_wrong(compiled, pencil, asked, events))


def _wrong(compiled: Compiled, pencil: Pencil, asked: StudioQuestion, events: Events) -> tuple[str, list[str]]:
    """What is wrong, in words, and the choices that are. There is no answer with all that is pencilled in."""
    from covr.questions.candidates import CandidateRun

    plain = compiled.without_symmetry() if compiled.has_symmetry else compiled
    try:
        run = CandidateRun(plain, asked.limits, None)
        with events.following(run):
            table = run.table()
    except ModelErrors:
        return "wrong: no answer has all of it", []
    if table.solvable is False:
        return "the puzzle itself has no answer", []
    names = compiled.problem.option_names
    verdict = {str(c.choice): c.verdict for c in table}
    taken, out = ([str(names[o]) for o in marks] for marks in (pencil.taken, pencil.out))
    wrong = [x for x in taken if verdict.get(x) == "none"] + [x for x in out if verdict.get(x) == "all"]
    if not wrong:
        return "wrong: no answer has all of it, though each by itself is in one", []
    return f"{len(wrong)} of {len(taken) + len(out)} {'is' if len(wrong) == 1 else 'are'} wrong", wrong


def _told(events: Events, verdict: str, words: str, wrong: list[str]) -> dict[str, Any]:
    events.tell("checked", verdict=verdict, words=words, wrong=wrong)
    return {"status": "done", "words": words, "figures": {}}
