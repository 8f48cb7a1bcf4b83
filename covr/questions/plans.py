"""Plans the questions about a model as `Run` would answer them, without answering them; `covr show --plan` tells it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from attrs import evolve

from covr.engine.dispatch import search_classes
from covr.engine.planned import Plan, plan_of, plan_of_classes
from covr.questions.options import LISTING
from covr.questions.run import Run

if TYPE_CHECKING:
    from covr.questions.options import Options
    from covr.questions.subject import Subject

QUESTIONS = ("solve", "all", "count")


def plans(subject: Subject, options: Options, questions: Sequence[str] = ()) -> Iterator[tuple[str, str, Plan]]:
    """For each question its name, what it asks for, and its plan. questions: of `QUESTIONS`; none for all whose plans
    differ. Raises ModelErrors E505 for an engine that can't answer one of them."""
    run = Run(subject, options)
    alike = subject.goal is not None or subject.symmetry is not None or options.engine in LISTING
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
