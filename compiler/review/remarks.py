"""What can be said about a lowered model without solving it: items that nothing can satisfy, choices that no rule asks
for.

A remark is a warning or, for an item that no choice can satisfy, the reason why there is no answer.
"""

from __future__ import annotations

from collections.abc import Iterator

from covr.compiler.evaluate import Scope
from covr.compiler.lower.matrix import Lowered
from covr.compiler.lower.rules import RuleItems
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.syntax import CheckedModel, Choose, Optimize, Rule


def impossible(lowered: Lowered, scope: Scope) -> Diagnostic | None:
    """Why there is no answer, if a single item shows it: fewer choices reach it than its rule wants. Otherwise None."""
    problem = lowered.problem
    reached = [0] * problem.items
    for i in problem.members:
        reached[i] += 1
    starved = [i for i in range(problem.primary) if reached[i] < problem.low[i]]
    if not starved:
        return None
    first = min(starved, key=lambda i: (reached[i], i))
    origin = lowered.origins[first]
    assert isinstance(origin.source, RuleItems)
    like = sum(lowered.origins[i].source is origin.source for i in starved) - 1
    choices = "1 choice reaches" if reached[first] == 1 else f"{reached[first]} choices reach"
    wanted = f", {problem.low[first]} are wanted" if problem.low[first] > 1 else ""
    more = f" (and {like} more item{'s' * (like > 1)} like it)" if like else ""
    return Diagnostic(
        "W203",
        f'nothing can satisfy "{origin.source.name(origin.at, scope)}"',
        origin.source.rule.span,
        help=f"{choices} it{wanted}{more}",
        word="no solution",
    )


def warnings(model: CheckedModel, lowered: Lowered) -> Iterator[Diagnostic]:
    """Warnings about the model as a whole, in source order."""
    goals = any(isinstance(s, Optimize) for s in model.statements)
    rules = [s for s in model.statements if isinstance(s, Rule)]
    for statement in model.statements:
        if isinstance(statement, Choose):
            yield from _unasked(statement, lowered)
        elif isinstance(statement, Rule) and statement.kind == "at least" and not goals:
            families = {f.id for f in statement.families}
            if not any(r.kind != "at least" and families & {f.id for f in r.families} for r in rules):
                yield Diagnostic(
                    "W202",
                    "`at least` without `minimize`: every larger set of choices is an answer too",
                    statement.span,
                    help=f"add `minimize count of {statement.families[0].id}`, or say `exactly`",
                )


def _unasked(statement: Choose, lowered: Lowered) -> Iterator[Diagnostic]:
    """Choices that no `exactly` or `at least` rule asks for: any of them may be taken or left."""
    family = lowered.families[statement.name.id]
    problem = lowered.problem
    options = [lowered.choice_options[family.first + at] for at in range(len(family.choices))]
    loose = [
        o for o in options if o >= 0 and not any(i < problem.primary for i in problem.option(o)) and not problem.costs
    ]
    if loose:
        number = "no choice" if len(loose) == len([o for o in options if o >= 0]) else "not every choice"
        yield Diagnostic(
            "W201",
            f"{number} of `{family.name}` is asked for by an `exactly` or `at least` rule; "
            f"{len(loose)} may be taken or left as one likes",
            statement.span,
            help="every way to take or leave them is an answer of its own",
        )
