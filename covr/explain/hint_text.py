"""A step or a move in words: what follows, because of which rules, and how that is followed.

A reason of few rules is told as they are. One that a person could not follow from its rules alone is told as a look
ahead: suppose the opposite, and say what each rule would give, until one breaks. What takes too many steps, or cases
that have to be told apart, is not listed; it is said how much it takes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from covr.explain.because import Because, LookAhead, LookAheadPart, said
from covr.explain.wording import helpers, is_labelled, said_names

if TYPE_CHECKING:
    from covr.compiler import Choice, Compiled
    from covr.explain.hint import Hint

FEW = 3  # rules that are named beside a look ahead
MOST_NAMED = 5  # rules that are named where there is none
MOST_PARTS = 8  # steps of a look ahead that are told
MOST_CHOICES = 3  # choices that a step of a look ahead names

Parts = Sequence[LookAheadPart]


def step_lines(hint: Hint) -> Iterator[str]:
    """A whole step, with all of its reasons."""
    unsure = "" if hint.proved else ", and no smaller reason was proved within the limit"
    yield f"step {hint.number}: {_many(hint.size, 'rule')}{unsure}"
    for because in hint.reasons:
        if because.taken:
            yield f"  take {', '.join(map(str, because.taken))}"
        if because.out:
            yield f"  rule out {', '.join(map(str, because.out))}"
        for rule in because.rules:
            yield f"    {rule.name}{_otherwise(because)}"


def move_lines(hint: Hint, more: int) -> Iterator[str]:
    """A move. more: how many others follow from as few rules each."""
    (because,) = hint.reasons
    yield f"move {hint.number}: {said(because.taken, because.out)}"
    rules = said_names(hint.compiled, (*because.rules, *because.before))
    told = None if because.ahead is None else told_parts(hint.compiled, because.ahead)
    steps = -1 if told is None else sum(map(len, told))
    if len(rules) <= (MOST_NAMED if told is None else FEW):
        for n, name in enumerate(rules):
            yield f"  {'and ' if n else ''}because {name}{'' if n else _otherwise(because)}"
    if because.ahead is not None and told is not None and steps <= MOST_PARTS:
        yield from _look(because, because.ahead, *told)
    elif len(rules) > (MOST_NAMED if told is None else FEW):
        yield f"  because of {len(rules)} rules together: {_takes(steps)}"
    rules_each = "one rule" if hint.size == 1 else f"{hint.size} rules"
    if more == 1:
        yield f"  1 other move follows from {rules_each}"
    elif more:
        yield f"  {more} other moves follow from {rules_each} each"


def told_parts(compiled: Compiled, ahead: LookAhead) -> tuple[list[LookAheadPart], list[LookAheadPart]]:
    """What is told of helpers beforehand, and the parts of a look ahead that are told: without what rules that have no
    label say of helpers alone."""
    quiet = helpers(compiled)

    def is_told(part: LookAheadPart) -> bool:
        said_of = {c.number for c in part.taken + part.out}
        return any(is_labelled(compiled, rule) for rule in part.rules) or not quiet.issuperset(said_of)

    return list(filter(is_told, ahead.facts)), list(filter(is_told, ahead.parts))


def _look(because: Because, ahead: LookAhead, facts: Parts, parts: Parts) -> Iterator[str]:
    others = len(because.taken) + len(because.out) - 1
    for part in facts:
        yield f"  first, {_part(part)}"
    if not parts:
        yield f"  because {ahead.broken.name}"
        return
    yield f"  if {ahead.supposed} were {'taken' if ahead.taken else 'left out'}:"
    for part in parts:
        yield f"    {_part(part)}"
    yield f"    but then this fails: {ahead.broken.name}"
    if others:
        yield f"  the same goes for the other{'' if others == 1 else 's'}"


def _part(part: LookAheadPart) -> str:
    names = "; ".join(dict.fromkeys(rule.name for rule in part.rules[:FEW]))
    more = f"; and {_many(len(part.rules) - FEW, 'more rule')}" if len(part.rules) > FEW else ""
    return f"{said(_first(part.taken), _first(part.out))}: {names}{more}"


def _first(choices: tuple[Choice, ...]) -> tuple[Choice | str, ...]:
    """The first few choices, and how many more there are."""
    if len(choices) <= MOST_CHOICES + 1:
        return choices
    return (*choices[:MOST_CHOICES], f"{len(choices) - MOST_CHOICES} more")


def _takes(steps: int) -> str:
    if steps < 0:
        return "it takes trying out cases, more than a look ahead"
    return f"it takes a look {steps} steps ahead"


def _otherwise(because: Because) -> str:
    return f": {because.otherwise}" if because.otherwise else ""


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
