"""`answers by`: which options tell answers apart."""

from __future__ import annotations

from covr.compiler.lower.fault_collector import FaultCollector
from covr.compiler.lower.lowered import Lowered
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.syntax import AnswersBy, CheckedModel, UpTo
from covr.frozen import evolve


def refuse_symmetries(model: CheckedModel, faults: FaultCollector) -> None:
    """Report a model that says both `answers by` and `up to`."""
    symmetric = next((s for s in model.statements if isinstance(s, UpTo)), None)
    for statement in model.statements:
        if isinstance(statement, AnswersBy) and symmetric is not None:
            line, _ = symmetric.span.place
            message = "a model can't say both `answers by` and `up to`"
            help = "leave out one of them; helpers of which every answer has just one set need no `answers by`"
            note = f"`up to` stands on line {line}"
            faults.found.append(Diagnostic("E427", message, statement.span, help, (note,)))


def with_projection(model: CheckedModel, lowered: Lowered) -> Lowered:
    """The same with the options that tell answers apart, if the model says `answers by`."""
    named = [name.id for s in model.statements if isinstance(s, AnswersBy) for name in s.families]
    if not named:
        return lowered
    told: set[int] = set()
    for name in named:
        family = lowered.families[name]
        told.update(lowered.choice_options[family.first : family.first + len(family.choices)])
    told.discard(-1)
    return evolve(lowered, problem=evolve(lowered.problem, projection=tuple(sorted(told))))
