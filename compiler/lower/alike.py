"""`all different THING of F on SEEN per KEYS` and `all alike …`: which things show the same.

A thing shows, for each value of SEEN, how many taken choices reach both. Things and what is seen are found as the keys
of a rule are.

- *All alike*: for each value of SEEN, all things have as many. Where each has one choice at most, that is one total:
  all or none are taken. Otherwise each thing has as many as the next.
- *All different*: what two things show are two numbers with a digit for each value of SEEN, and their difference is not
  0. Such a total propagates once all digits but one are alike.

Items (`at most one place per r, d`) would be faster where each thing shows one value, but they would lean on another
rule, which `why` may leave out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, pairwise
from typing import Any

from covr.compiler.evaluate import EvalFault, Scope
from covr.compiler.evaluate.expressions import replace
from covr.compiler.evaluate.values import show_value
from covr.compiler.lower.add import MatrixDraft
from covr.compiler.lower.families import Family
from covr.compiler.lower.groups import allow_only
from covr.compiler.lower.keys import KeyPlan, head
from covr.compiler.lower.lowered import StatedItems
from covr.compiler.lower.rules import reached_by, rule_items
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.syntax import Alike, Expr, Name, Number, Rule
from covr.engine.problem import MOST_TOTAL, LateName

KeyValue = tuple[Any, ...]
Shown = dict[KeyValue, tuple[int, ...]]
"""For each value of SEEN the choices that reach it."""


def add_alike(statement: Alike, draft: MatrixDraft) -> None:
    """Add what an `all different` or `all alike` says. Raises EvalFault."""
    family, scope = draft.families[statement.family.id], draft.scope
    groups, plan = _things(statement, family, draft)
    names: list[str | LateName] = []
    source = StatedItems(statement, names)
    block = draft.begin(statement)
    reached: defaultdict[int, list[int]] = defaultdict(list)
    name_of = _label(statement, plan, scope)
    if statement.different:
        _check_number(sum(len(things) * (len(things) - 1) // 2 for things in groups.values()), statement, scope)
    for key, things in groups.items():
        called = name_of(key)
        for said, terms, want in _differing(statement, things) if statement.different else _equal(things):
            scope.budget.step(len(terms) + 1, statement.span)
            names.append(LateName(partial(_name, called, said)))
            block.total(source, terms, want, reached)
    block.enter_lists([family], reached)
    draft.add(block, source)
    if groups and not names:
        draft.warned.append(_idle(statement))


def _check_number(pairs: int, statement: Alike, scope: Scope) -> None:
    most = scope.budget.limits.items
    if pairs > most:
        message = f"this compares {pairs:,} pairs of things; {most:,} are allowed"
        raise EvalFault(Diagnostic("E421", message, statement.span, help="compare fewer, with `per` or `where`"))


def _name(called: str, said: Sequence[KeyValue]) -> str:
    """What messages call an item. said: the value that is seen, if it is about one, and the things."""
    value, *things = said
    about = f": {_written(value)}" if value else ""
    return called + about + (f": {' and '.join(map(_written, things))}" if things else "")


def _idle(statement: Alike) -> Diagnostic:
    message = f"this `all {'different' if statement.different else 'alike'}` asks nothing"
    return Diagnostic("W204", message, statement.span, "is there more than one of these things for each key?")


def _things(
    statement: Alike, family: Family, draft: MatrixDraft
) -> tuple[dict[KeyValue, dict[KeyValue, Shown]], KeyPlan]:
    """For each value of the keys the things with what they show, and the plan of all keys. Raises EvalFault."""
    seen = statement.seen
    if seen is None:
        named = {key.id for key in (*statement.keys, *statement.things) if isinstance(key, Name)}
        seen = tuple([Name(index, statement.family.span) for index in family.indices if index not in named])
    every = rule_items(_counting(statement, ()), [family], draft)
    whole = rule_items(_counting(statement, seen), [family], draft)
    size = len(every.key_plan.names)
    first = sum(len(names) for names, _ in every.key_plan.parts[: len(statement.keys)])
    found: dict[KeyValue, dict[KeyValue, list[int]]] = {key: {} for key in every.keys}
    for number, own in reached_by(whole, family, draft.scope, draft.most):
        for at in own if number not in draft.dropped else ():
            key = whole.keys[at]
            if key[:size] in found:
                found[key[:size]].setdefault(key[size:], []).append(number)
    groups: dict[KeyValue, dict[KeyValue, Shown]] = {}
    for key, shown in found.items():
        groups.setdefault(key[:first], {})[key[first:]] = {value: tuple(own) for value, own in shown.items()}
    return groups, every.key_plan


def _counting(statement: Alike, seen: Sequence[Expr]) -> Rule:
    """A rule whose items are the things, for each value that is seen; without such values, the things alone."""
    keys = (*statement.keys, *statement.things, *seen)
    return Rule("exactly", Number(0, statement.span), (statement.family,), keys, statement.where, None, statement.span)


def _label(statement: Alike, plan: KeyPlan, scope: Scope) -> Any:
    """A function from the values of the keys to what messages call the statement for them."""
    names = [name for own, _ in plan.parts[: len(statement.keys)] for name in own]
    written = plan.written[: len(names)]
    if statement.label is None:
        said = head(statement)
        return lambda key: (
            said
            + "".join(
                f"{' for' if not at else ','} {name} = {show_value(value)}"
                for at, (name, value) in enumerate(zip(written, key, strict=True))
            )
        )
    label = replace(statement.label, plan.replacements())
    message, help = "{name} is not a key of this statement, and its label can only use keys", "name it after `per`"
    allow_only(names, frozenset(plan.local), label, message, help)
    function = plan.within(scope).template(label)

    def name_of(key: KeyValue) -> str:
        try:
            return str(function(dict(zip(names, key, strict=True))))
        except EvalFault as fault:
            raise plan.met(fault, names, key) from None

    return name_of


Comparison = tuple[tuple[KeyValue, ...], dict[int, int], tuple[tuple[int | None, int | None], ...]]
"""What a name tells (see `_name`), a total, and the sums that it allows."""


def _equal(things: Mapping[KeyValue, Shown]) -> Iterator[Comparison]:
    """What makes things alike, for each value that is seen in one of them."""
    if len(things) < 2:
        return
    for value in dict.fromkeys(value for shown in things.values() for value in shown):
        cells = [shown.get(value, ()) for shown in things.values()]
        terms = {choice: 1 for cell in cells for choice in cell}
        if all(len(cell) < 2 for cell in cells) and len(terms) == sum(map(len, cells)):
            yield (value,), terms, ((0, 0), (len(cells), len(cells))) if all(cells) else ((0, 0),)
            continue
        for (one, here), (other, there) in pairwise(zip(things, cells, strict=True)):
            both = {**dict.fromkeys(set(here).difference(there), 1), **dict.fromkeys(set(there).difference(here), -1)}
            if both:
                yield (value, one, other), both, ((0, 0),)


def _differing(statement: Alike, things: Mapping[KeyValue, Shown]) -> Iterator[Comparison]:
    """What makes any two things different. Raises EvalFault E419 if they show too much."""
    for (one, here), (other, there) in combinations(things.items(), 2):
        base = 1
        terms: dict[int, int] = {}
        for value in here | there:
            ours, theirs = here.get(value, ()), there.get(value, ())
            if ours == theirs:
                continue
            for choice in ours:
                terms[choice] = terms.get(choice, 0) + base
            for choice in theirs:
                terms[choice] = terms.get(choice, 0) - base
            base *= max(len(ours), len(theirs)) + 1
            if 2 * base >= MOST_TOTAL:
                message = "two of these things show too much to be compared: more than 60 choices each"
                help = "compare less of them, with `on`, or let fewer choices say the same"
                raise EvalFault(Diagnostic("E419", message, statement.span, help))
        if 0 in terms.values():
            terms = {choice: count for choice, count in terms.items() if count}
        yield ((), one, other), terms, ((None, -1), (1, None))


def _written(values: Sequence[Any]) -> str:
    return ", ".join(map(show_value, values))


__all__ = ["add_alike"]
