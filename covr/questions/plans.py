"""What can be said of a question without answering it: plans and warnings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from attrs import evolve

from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.engine.dispatch import Plan, plan_of, plan_of_classes, search_classes
from covr.questions.options import LISTING, Options
from covr.questions.run import Run, Subject

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.evaluate.operators import Notes

QUESTIONS = ("solve", "all", "count")


def plans(subject: Subject, options: Options, questions: Sequence[str] = ()) -> Iterator[tuple[str, str, Plan]]:
    """For each question its name, what it asks for, and its plan. questions: of `QUESTIONS`; none for all whose plans
    differ. Raises ModelErrors E505 for an engine that can't answer one of them."""
    run = Run(subject, options)
    alike = subject.goal is not None or subject.symmetry is not None or options.engine == LISTING
    for question in questions or (QUESTIONS[:2] if alike else QUESTIONS):
        options.ask(subject.goal is not None, counting=question == "count")
        yield question, *_planned(run, question)


def _planned(run: Run, question: str) -> tuple[str, Plan]:
    subject, limits = run.subject, evolve(run.options.limits(), answers=run.options.limit_answers)
    problem, best = subject.problem, subject.goal is not None
    if question == "solve":
        goal, answers, asked = ("minimum", None, "the best value") if best else ("all", 1, "a first answer")
        return asked, plan_of(problem, goal, evolve(limits, answers=answers), run.settings(goal))
    # Any ceiling will do: the best value is not known yet, and does not matter to the plan.
    settings, known = run.settings("all", 0 if best else None), ", once the best value is known" * best
    if subject.symmetry is not None:
        begun = search_classes(problem, subject.symmetry.group(), limits=limits, settings=settings)
        return "one answer of each class" + known, plan_of_classes(problem, begun, settings)
    counting = question == "count"
    asked = (
        f"how many {'best answers ' * best}there are" if counting else "every best answer" if best else "every answer"
    )
    return asked + known, plan_of(problem, "all", limits, settings, counting)


# --- remarks ---------------------------------------------------------------------------------------------------------


def remarks(compiled: Compiled, noted: Notes | None = None) -> list[Diagnostic]:
    """Every warning about a model, and the faults of what is else evaluated only for an answer.
    noted: what was noted of its comparisons."""
    from covr.compiler.clues import ClueReader, clue_spots
    from covr.compiler.review.review import review

    if compiled.is_matrix:
        return [] if compiled.impossible is None else [compiled.impossible]
    faults: list[Diagnostic] = []
    for part in ("title", "symmetry", "expectations", "drawings"):
        with collecting(faults):
            getattr(compiled, part)
    with collecting(faults):
        compiled.try_drawings()
    with collecting(faults):
        ClueReader(compiled, clue_spots(compiled))
    return sorted(dict.fromkeys(faults), key=Diagnostic.order) or list(review(compiled, noted))


def reasons(compiled: Compiled) -> list[Diagnostic]:
    """What is said beside "no solution" without a search: the item that nothing can satisfy, or else the choices that
    an `if … then` excludes by itself."""
    if compiled.impossible is not None:
        return [compiled.impossible]
    return [d for d in compiled.warnings if d.code == "W210"]


@contextmanager
def collecting(faults: list[Diagnostic]) -> Iterator[None]:
    """Adds the faults that are raised inside to `faults`."""
    try:
        yield
    except ModelErrors as errors:
        faults += errors.diagnostics
