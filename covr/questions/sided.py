"""Refuses a model with totals, `if … then`, `connected`, `loop` or `answers by` where they can't be handled, before any
work begins and with the place of the statement; and one of whose answers only some count, where all are needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.dsl.syntax import AnswersBy
from covr.faults import usage_error
from covr.questions.options import NEEDS

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.dsl.source import Span
    from covr.questions.subject import Subject


def refuse_projection(compiled: Compiled, who: str) -> None:
    """Raises ModelErrors (E505) for a model with `answers by`, or a matrix that was made of one. who: what can't handle
    it, as the beginning of a sentence."""
    if compiled.problem.projection is not None:
        help = "`covr solve`, `covr count`, `covr sample` and `covr test` count answers by families"
        message = f"{who} can't tell answers apart by some families"
        raise ModelErrors([Diagnostic("E505", message, _place(compiled), help)])


def _place(compiled: Compiled) -> Span | None:
    """Where a model says `answers by`; None for a matrix, which has no statements."""
    by = compiled.model.all(AnswersBy)
    return by[0].span if by else None


def refuse_engine(subject: Subject, engine: str, goal: str) -> None:
    """Raises ModelErrors (E505) if an engine is asked for that can't hold the side conditions of a model or, where goal
    is `all`, tell its answers apart. Problems that the caller brings are left to the engine."""
    from covr.compiler.answer_reader import AnswerReader
    from covr.engine.plan import TELLING, holds_sides

    if engine == "sat" and goal == "minimum" and subject.problem.sides:
        # Without side conditions, another engine finds the best value. With them, it would blame these, which `sat`
        # itself can hold.
        message = f"the engine `sat` knows no costs, and the model has `{subject.goal}`"
        raise usage_error("E505", message, help="leave out --engine")
    if isinstance(subject, AnswerReader) and engine not in ("sat", "clingo"):
        compiled = cast("Compiled", subject)
        if not holds_sides(engine, goal):
            refuse_sided(compiled, f"{'without a goal, ' if engine == 'mixed' else ''}the engine `{engine}`")
        if goal == "all" and engine not in TELLING:
            refuse_projection(compiled, f"the engine `{engine}`")


def listing_engine(subject: Subject, engine: str) -> str:
    """The engine that lists or counts answers where this one is asked for: of a model with a goal, only it looks for
    the best value if it ignores a ceiling, can't list answers, or holds side conditions only for a best value."""
    only_best = engine in NEEDS or (engine == "mixed" and subject.problem.sides)
    return "auto" if subject.goal is not None and only_best else engine


def refuse_narrowed(compiled: Compiled, goal: str, classes: str, agreeing: str) -> None:
    """Raises ModelErrors (E510) for a model with a goal, `up to` or `answers by`, of whose answers only some count.

    goal, classes, agreeing: why each of them does not fit the question, as the end of a sentence.
    """
    if compiled.goal is not None:
        word = "prefer" if _only_wishes(compiled) else compiled.goal
        help = f"leave out `{word}`; an `exactly` or `at most` rule can say how good answers are to be"
        raise usage_error("E510", f"the model has `{word}`, and {goal}", help=help)
    if compiled.has_symmetry:
        raise usage_error("E510", f"the model says `up to`, and {classes}", help="leave out `up to`")
    if compiled.problem.projection is not None:
        message = f"the model says `answers by`, and {agreeing}"
        raise ModelErrors([Diagnostic("E510", message, _place(compiled), "leave out `answers by`")])


def _only_wishes(compiled: Compiled) -> bool:
    """Whether a model has a goal only because it has wishes."""
    from covr.dsl.syntax import Optimize

    return bool(compiled.lowered.wishes) and not compiled.model.all(Optimize)


def refuse_some_answers(compiled: Compiled, what: str) -> None:
    """`refuse_narrowed` for a question about all answers. what: the results that are about them, in the plural."""
    about = f"{what} are about all answers, not about"
    refuse_narrowed(
        compiled, f"{about} the best ones", f"{about} one of each class", f"{about} one of those that agree"
    )


def refuse_sided(compiled: Compiled, who: str) -> None:
    """Raises ModelErrors (E505) for a model with side conditions, at the first statement that makes one.

    who: what can't handle them, as the beginning of a sentence. A matrix that has sides but comes from no statements is
    left to the engine, which refuses it without naming a place.
    """
    origins = compiled.lowered.side_origins
    if not compiled.problem.sides or not origins:
        return
    span = origins[0].statement.span
    help = "the engine `sides` searches it: `covr solve`, `covr count`, `covr why`"
    raise ModelErrors([Diagnostic("E505", f"{who} can't hold what this statement says", span, help)])
