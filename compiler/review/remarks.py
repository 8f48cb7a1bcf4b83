"""What can be said about a lowered model without solving it: items that nothing can satisfy, choices that no rule asks
for.

A remark is a warning or, for an item that no choice can satisfy, the reason why there is no answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import or_
from typing import Any

from covr.compiler.evaluate import Scope
from covr.compiler.evaluate.values import show_value
from covr.compiler.lower.lowered import AgreeItems, Lowered
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.syntax import Agree, AnswersBy, CheckedModel, Choose, Expect, Rule
from covr.engine import Problem
from covr.engine.problem import Areas, Circuit, Connection, Forest, Total, options_of

COUNTED = ("solutions", "unique")  # kinds of promises that say how many answers there are


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
            least, most = _reach(side)
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
    if lowered.goal is not None or lowered.wishes:
        return  # its answers are the best ones, which are asked for
    named = {name.id for s in model.statements if isinstance(s, AnswersBy) for name in s.families}
    if named:
        yield from _idle_helpers(model, named, lowered)
    if any(isinstance(s, Expect) and s.kind in COUNTED for s in model.statements):
        return  # a promised number of answers already counts the sets within them, or around them
    yield from _unasked([s for s in model.statements if isinstance(s, Choose)], named, lowered)
    limited: bytearray | None = None
    for statement in model.statements:
        if isinstance(statement, Rule) and statement.kind == "at least" and not statement.weights:
            families = {f.id for f in statement.families}
            if named and not named & families:
                continue
            limited = _limited(lowered.problem) if limited is None else limited
            options = [o for name in families for o in _options(name, lowered)]
            if options and not any(limited[o] for o in options):
                yield Diagnostic(
                    "W202",
                    "`at least` without `minimize`: every larger set of these choices is an answer too",
                    statement.span,
                    help=f"is `minimize count of {statement.families[0].id}` missing, or is `exactly` meant?",
                )


def _options(family: str, lowered: Lowered) -> list[int]:
    """The numbers of the options of a family."""
    own = lowered.families[family]
    numbers = lowered.choice_options[own.first : own.first + len(own.choices)]
    return [o for o in numbers if o >= 0]


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
                help="are their colours to be compared? then say both in one statement: `agree f on …, g on …`",
            )
        for key in source.keys:
            first.setdefault(key, source.statement)


def _idle_helpers(model: CheckedModel, named: set[str], lowered: Lowered) -> Iterator[Diagnostic]:
    """Families that `answers by` leaves out and nothing asks for: a number of answers does not show that. named: the
    families that tell answers apart, all choices of which something must ask for."""
    asked = asked_for(lowered.problem)
    if not all(asked[o] for name in named for o in _options(name, lowered)):
        return
    for statement in model.statements:
        if isinstance(statement, Choose) and statement.name.id not in named:
            own = _options(statement.name.id, lowered)
            if own and not any(asked[o] for o in own):
                yield Diagnostic(
                    "W219",
                    f"no rule asks for any choice of `{statement.name.id}`, and `answers by` leaves it out",
                    statement.span,
                    help="is an `exactly`, an `at least` or an `if … then` missing? without one it changes no answer",
                )


def _unasked(statements: Iterable[Choose], named: set[str], lowered: Lowered) -> Iterator[Diagnostic]:
    """Choices that nothing asks for, of those that can be taken. named: the families that tell answers apart, if not
    all do."""
    problem = lowered.problem
    asked, dead = asked_for(problem), _excluded(problem)
    loose: dict[str, tuple[int, int]] = {}
    for name in lowered.families:
        can = [o for o in _options(name, lowered) if not dead[o]]
        if count := sum(not asked[o] for o in can):
            loose[name] = count, len(can)
    for statement in statements:
        name = statement.name.id
        if name not in loose or (named and name not in named):
            continue
        count, every = loose[name]
        number = "no rule asks for any choice" if count == every else f"no rule asks for {count} of {every} choices"
        others = "".join(f" and those of `{other}`" for other in loose if other != name)
        yield Diagnostic(
            "W201",
            f"{number} of `{name}`: every answer is still one without them{others}",
            statement.span,
            help="is an `exactly` or `at least` rule missing?",
        )


def asked_for(problem: Problem) -> bytearray:
    """For each option, whether something may ask for it; all others can be left out of an answer together. Time linear.

    An item with a lower bound asks for its options, and a loop for its own. A total asks for those that bring it up to
    its least sum, or down to its greatest, from what the options that are asked for already can make it; a connection
    asks for all its options once one of them is asked for.
    """
    asked = bytearray(problem.options)
    reached: dict[int, list[tuple[int, int]]] = {}
    least, most = [0] * len(problem.sides), [0] * len(problem.sides)
    bounded = [(False, False)] * len(problem.sides)
    todo = [*problem.given, *(o for i in range(problem.primary) for o in problem.holders[i])]

    def ask(k: int, side: Total, alone: bool) -> None:
        known = bounded[k]
        bounded[k] = tuple(map(or_, known, _asks(side, least[k], most[k], alone)))
        more, less = (now and not before for now, before in zip(bounded[k], known, strict=True))
        if more or less:
            todo.extend(o for o, c in side.terms if (more if c > 0 else less))

    for k, side in enumerate(problem.sides):
        if isinstance(side, Circuit):
            todo += (o for o, _, _ in side.ends)
            continue
        if isinstance(side, Areas):
            todo += options_of(side)
            continue
        for o, c in side.terms if isinstance(side, Total) else dict.fromkeys(side.places):
            reached.setdefault(o, []).append((k, c))
        if isinstance(side, Total):
            ask(k, side, alone=True)
    while todo:
        o = todo.pop()
        if asked[o]:
            continue
        asked[o] = 1
        for k, c in reached.get(o, ()):
            side = problem.sides[k]
            if isinstance(side, Total):
                least[k] += min(c, 0)
                most[k] += max(c, 0)
                ask(k, side, alone=False)
            elif isinstance(side, Connection) and bounded[k] == (False, False):
                bounded[k] = (True, True)
                todo += (other for other, _ in side.places)
    return asked


def _asks(side: Total, least: int, most: int, alone: bool) -> tuple[bool, bool]:
    """Whether a total asks for options that add to it, and for those that take from it, where the others can make it
    `least` to `most`. alone: whether there are no others."""
    if len(side.sums) == 1:
        low, high = side.sums[0]
        return low > least, high < most
    wanted = not (alone and any(low <= 0 <= high for low, high in side.sums))
    return wanted, wanted


def _excluded(problem: Problem) -> bytearray:
    """For each option, whether an item or a total alone keeps it out of every answer."""
    dead = bytearray(problem.options)
    for i, holders in enumerate(problem.holders):
        if not problem.high[i]:
            for o in holders:
                dead[o] = 1
    for side in problem.sides:
        if isinstance(side, Total) and side.sums:
            (low, _), (_, high) = side.sums[0], side.sums[-1]
            least, most = _reach(side)
            for o, c in side.terms:
                if (least + c > high) if c > 0 else (most + c < low):
                    dead[o] = 1
    return dead


def _reach(side: Total) -> tuple[int, int]:
    """The least and the greatest sum of a total's coefficients."""
    return sum(c for _, c in side.terms if c < 0), sum(c for _, c in side.terms if c > 0)


def _limited(problem: Problem) -> bytearray:
    """For each option, whether something may keep it from being added to an answer. Time linear in the size of the
    problem."""
    limited = bytearray(problem.options)
    for i, holders in enumerate(problem.holders):
        if problem.high[i] < len(holders):
            for o in holders:
                limited[o] = 1
    for side in problem.sides:
        if isinstance(side, Circuit):
            kept = [o for o, _, _ in side.ends]
        elif isinstance(side, Connection | Forest):
            kept = [o for o, _ in side.places]
        elif isinstance(side, Areas):
            kept = [*options_of(side)]
        else:
            less, more = _asks(side, *_reach(side), alone=False)
            kept = [o for o, c in side.terms if (more if c > 0 else less)]
        for o in kept:
            limited[o] = 1
    return limited
