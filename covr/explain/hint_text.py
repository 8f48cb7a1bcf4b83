"""A step or a move in words: what follows, because of which rules, and how that is followed.

A reason of few rules is told as they are. One that a person could not follow from its rules alone is told as a look
ahead: suppose the opposite, and say what each rule would give, until one breaks. What takes too many steps, or cases
that have to be told apart, is not listed; it is said how much it takes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from covr.explain.because import Because, LookAhead, LookAheadPart, said
from covr.explain.told_ahead import ToldAhead, told_ahead, with_helpers
from covr.explain.wording import said_names, without_helpers

if TYPE_CHECKING:
    from covr.compiler import Choice, Compiled
    from covr.explain.hint import Hint
    from covr.explain.member import Member

FEW = 3  # rules that are named beside a look ahead
MOST_NAMED = 5  # rules that are named where there is none
MOST_PARTS = 8  # steps of a look ahead that are told
MOST_CHOICES = 3  # choices that a step of a look ahead names
MOST_MOVED = 16  # choices of a move that are all named


def step_lines(hint: Hint) -> Iterator[str]:
    """A whole step, with all of its reasons."""
    unsure = "" if hint.proved else ", and no smaller reason was proved within the limit"
    yield f"step {hint.number}: {_many(hint.size, 'rule')}{unsure}"
    for because in hint.reasons:
        if because.taken:
            yield f"  {said(_few(because.taken), ())}"
        if because.out:
            yield f"  {said((), _few(because.out))}"
        for rule in because.rules:
            yield f"    {rule.name}{_otherwise(because)}"
        yield from _full(hint.compiled, because, "    ")


def move_lines(hint: Hint, more: int) -> Iterator[str]:
    """A move. more: how many others follow from as few rules each."""
    (because,) = hint.reasons
    yield f"move {hint.number}: {said(*map(_few, _drawn(hint.compiled, because)))}"
    rules = said_names(hint.compiled, (*because.rules, *because.before))
    told = None if because.ahead is None else told_ahead(hint.compiled, because.ahead)
    most = MOST_NAMED if told is None or not told.parts else FEW
    if because.ahead is not None and told is not None and not told.parts and len(rules) > most:
        told, most = with_helpers(hint.compiled, because.ahead), FEW
    if len(rules) <= most:
        for n, name in enumerate(rules):
            yield f"  {'and ' if n else ''}because {name}{'' if n else _otherwise(because)}"
    steps = -1 if told is None else len(told.facts) + len(told.parts)
    if because.ahead is not None and told is not None and 0 < steps <= MOST_PARTS:
        yield from _look(hint.compiled, because, because.ahead, told)
    elif len(rules) > most:
        yield f"  because of {len(rules)} rules together: {_takes(steps)}"
    yield from _full(hint.compiled, because, "  ")
    rules_each = "one rule" if hint.size == 1 else f"{hint.size} rules"
    if more == 1:
        yield f"  1 other move follows from {rules_each}"
    elif more:
        yield f"  {more} other moves follow from {rules_each} each"


def _full(compiled: Compiled, because: Because, indent: str) -> Iterator[str]:
    """The rules by which taken choices leave no room for others; without a label only if none of the reason has one."""
    own, full = ({rule.name for rule in rules} for rules in (because.rules, because.full))
    names = [name for name in said_names(compiled, (*because.rules, *because.full)) if name in full - own]
    if names:
        more = f"; and {_many(len(names) - MOST_NAMED, 'more rule')}" if len(names) > MOST_NAMED else ""
        yield f"{indent}where others are ruled out by {'; '.join(names[:MOST_NAMED])}{more}"


def _drawn(compiled: Compiled, because: Because) -> tuple[tuple[Choice, ...], tuple[Choice, ...]]:
    """What a move takes and rules out, without helpers, if it says something of other choices."""
    taken, out = (without_helpers(compiled, some) for some in (because.taken, because.out))
    return (taken, out) if taken or out else (because.taken, because.out)


def _look(compiled: Compiled, because: Because, ahead: LookAhead, told: ToldAhead) -> Iterator[str]:
    others = sum(map(len, _drawn(compiled, because))) - 1
    for part in told.facts:
        yield f"  first, {_part(part)}"
    if not told.parts:
        yield f"  because {_names(told.broken)}"
        return
    yield f"  if {ahead.supposed} were {'taken' if ahead.taken else 'left out'}:"
    for part in told.parts:
        yield f"    {_part(part)}"
    yield f"    but then this fails: {_names(told.broken)}"
    if others:
        yield f"  the same goes for the other{'' if others == 1 else 's'}"


def _part(part: LookAheadPart) -> str:
    return f"{said(_first(part.taken), _first(part.out))}: {_names(part.rules)}"


def _names(rules: Sequence[Member]) -> str:
    """The last few rules, of which the last says what follows, and how many more there are."""
    names = list(dict.fromkeys(rule.name for rule in rules))
    more = f"; and {_many(len(names) - FEW, 'more rule')}" if len(names) > FEW else ""
    return "; ".join(names[-FEW:]) + more


def _few(choices: tuple[Choice, ...]) -> tuple[Choice | str, ...]:
    """The choices of a move; of very many the first, and how many more there are. The picture shows them all."""
    if len(choices) <= MOST_MOVED:
        return choices
    return (*choices[: MOST_CHOICES + 1], f"and {len(choices) - MOST_CHOICES - 1} more")


def _first(choices: tuple[Choice, ...]) -> tuple[Choice | str, ...]:
    """The first few choices, and how many more there are."""
    if len(choices) <= MOST_CHOICES + 1:
        return choices
    return (*choices[:MOST_CHOICES], f"{len(choices) - MOST_CHOICES} more")


def _takes(steps: int) -> str:
    if steps < 0:
        return "it takes trying out cases, more than a look ahead"
    return f"it takes a look {_many(steps, 'step')} ahead"


def _otherwise(because: Because) -> str:
    return f": {because.otherwise}" if because.otherwise else ""


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
