"""What can be said about a lowered model without solving it: items that nothing can satisfy, choices that no rule asks
for.

A remark is a warning or, for an item that no choice can satisfy, the reason why there is no answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from covr.compiler.evaluate import Scope
from covr.compiler.evaluate.values import show_value
from covr.compiler.lower.lowered import AgreeItems, Lowered
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.syntax import Agree, AnswersBy, CheckedModel, Choose, Optimize, Rule
from covr.engine.sides import Circuit, Total


def impossible(lowered: Lowered, scope: Scope) -> Diagnostic | None:
    """Why there is no answer, if a single item shows it: fewer choices reach it than its rule wants. Otherwise None."""
    problem = lowered.problem
    reached = [0] * problem.items
    for i in problem.members:
        reached[i] += 1
    starved = [i for i in range(problem.primary) if reached[i] < problem.low[i]]
    if not starved:
        return _impossible_side(lowered)
    first = min(starved, key=lambda i: (reached[i], i))
    origin = lowered.origins[first]
    like = sum(lowered.origins[i].source is origin.source for i in starved) - 1
    choices = "1 choice reaches" if reached[first] == 1 else f"{reached[first]} choices reach"
    wanted = f", {problem.low[first]} are wanted" if problem.low[first] > 1 else ""
    more = f" (and {like} more item{'s' * (like > 1)} like it)" if like else ""
    return Diagnostic(
        "W203",
        f'nothing can satisfy "{origin.name(scope)}"',
        origin.statement.span,
        help=f"{choices} it{wanted}{more}",
        word="no solution",
    )


def _impossible_side(lowered: Lowered) -> Diagnostic | None:
    """Why there is no answer, where a total or a loop alone shows it: none of its sums can be reached, or no choice is
    left to make a loop of."""
    for side, origin in zip(lowered.problem.sides, lowered.side_origins, strict=True):
        if isinstance(side, Total) and not side.sums:
            least = sum(c for _, c in side.terms if c < 0)
            most = sum(c for _, c in side.terms if c > 0)
            help = f"what its choices count adds up to {least} at least and {most} at most"
        elif isinstance(side, Circuit) and not side.ends:
            help = "no choice is left that could be part of the loop"
        elif isinstance(side, Circuit) and not has_cycle((u, v) for _, u, v in side.ends):
            help = "what its choices join has no closed way at all"
        else:
            continue
        return Diagnostic(
            "W203", f'nothing can satisfy "{side.name}"', origin.statement.span, help=help, word="no solution"
        )
    return None


def has_cycle(pairs: Iterable[tuple[int, int]]) -> bool:
    """Whether a graph has a closed way: pairs that join a vertex to itself, or twice to the same one, count. Time
    nearly linear."""
    above: dict[int, int] = {}

    def root(vertex: int) -> int:
        while (up := above.get(vertex, vertex)) != vertex:
            above[vertex] = vertex = above.get(up, up)
        return vertex

    for u, v in pairs:
        one, other = root(u), root(v)
        if one == other:
            return True
        above[one] = other
    return False


def warnings(model: CheckedModel, lowered: Lowered) -> Iterator[Diagnostic]:
    """Warnings about the model as a whole, in source order."""
    yield from lowered.remarks
    yield from _apart(lowered)
    goals = any(isinstance(s, Optimize) for s in model.statements)
    rules = [s for s in model.statements if isinstance(s, Rule)]
    told = {name.id for s in model.statements if isinstance(s, AnswersBy) for name in s.families}
    for statement in model.statements:
        if isinstance(statement, Choose):
            if not told or statement.name.id in told:
                yield from _unasked(statement, lowered)
        elif isinstance(statement, Rule) and statement.kind == "at least" and not goals and not statement.weights:
            families = {f.id for f in statement.families}
            if told and not told & families:
                continue
            if not any(r.kind != "at least" and families & {f.id for f in r.families} for r in rules):
                yield Diagnostic(
                    "W202",
                    "`at least` without `minimize`: every larger set of choices is an answer too",
                    statement.span,
                    help=f"add `minimize count of {statement.families[0].id}`, or say `exactly`",
                )


def _apart(lowered: Lowered) -> Iterator[Diagnostic]:
    """`agree` statements that have a key in common: colours are compared within one statement only."""
    sources = {id(o.source): o.source for o in lowered.origins if isinstance(o.source, AgreeItems)}
    first: dict[Any, Agree] = {}
    for source in sources.values():
        earlier = next((key for key in source.keys if key in first), None)
        if earlier is not None:
            line = first[earlier].span.place[0]
            yield Diagnostic(
                "W211",
                f"this `agree` and the one on line {line} never meet, though both have the key {show_value(earlier)}",
                source.statement.span,
                help="to compare their colours, say both in one statement: `agree f on …, g on …`",
            )
        for key in source.keys:
            first.setdefault(key, source.statement)


def _unasked(statement: Choose, lowered: Lowered) -> Iterator[Diagnostic]:
    """Choices that no `exactly` or `at least` rule asks for: any of them may be taken or left."""
    family = lowered.families[statement.name.id]
    problem = lowered.problem
    options = [lowered.choice_options[family.first + at] for at in range(len(family.choices))]
    asked = _asked_by_sides(lowered)
    loose = [
        o
        for o in options
        if o >= 0 and o not in asked and not any(i < problem.primary for i in problem.option(o)) and not problem.costs
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


def _asked_by_sides(lowered: Lowered) -> frozenset[int]:
    """The options that a total or a loop asks for; `connected` and `if … then` only say what goes with what."""
    found: set[int] = set()
    for side, origin in zip(lowered.problem.sides, lowered.side_origins, strict=True):
        if isinstance(side, Circuit):
            found.update(o for o, _, _ in side.ends)
        elif isinstance(side, Total) and isinstance(origin.statement, Rule) and origin.statement.kind != "at most":
            found.update(o for o, _ in side.terms)
    return frozenset(found)
