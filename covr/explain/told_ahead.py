"""What is told of a look ahead: what it says of choices that are drawn, with the rules by which that is known.

A link that says something of helpers alone is not told. Where a later one rests on it, its rule is told there: "take
shade((6, 1)): 3 squares are seen from (6, 2)", and nothing of the choices that say how far is seen. Rules without a
label are told where no other is.

Where all links say something of helpers alone, and their rules are too many to be named, the links are told with what
they say, after what was known of helpers before.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from attrs import evolve

from covr.explain.because import LookAhead, LookAheadPart
from covr.explain.quiet import concerned
from covr.explain.wording import at, labelled_spans, without_helpers
from covr.frozen import frozen

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.explain.member import Member


@frozen
class ToldAhead:
    """facts: what is told of helpers beforehand.  parts: in order.  broken: the rules of what can't be met then, the
    last of them that of the look ahead itself, if it is told."""

    parts: tuple[LookAheadPart, ...]
    broken: tuple[Member, ...]
    facts: tuple[LookAheadPart, ...] = ()


def told_ahead(compiled: Compiled, ahead: LookAhead) -> ToldAhead:
    """What is told of a look ahead, without helpers."""
    spans = labelled_spans(compiled)
    known: dict[int, tuple[Member, ...]] = {}  # helper → the rules by which its value is known

    def rules_of(condition: int, own: Iterable[Member]) -> tuple[Member, ...]:
        rules = [rule for o in concerned(compiled.problem, condition) for rule in known.get(o, ())]
        rules += [rule for rule in own if at(rule.span) in spans]
        return tuple(dict.fromkeys(rules))

    for fact in ahead.facts:
        rules = tuple(rule for rule in fact.rules if at(rule.span) in spans)
        known.update((choice.number, rules) for choice in fact.taken + fact.out)
    parts = []
    for part, link in zip(ahead.parts, ahead.chain.links, strict=True):
        rules = rules_of(link.condition, part.rules)
        taken, out = (without_helpers(compiled, some) for some in (part.taken, part.out))
        known.update((c.number, rules) for c in part.taken + part.out if c not in taken + out)
        if taken or out:
            parts.append(evolve(part, rules=rules or part.rules, taken=taken, out=out))
    broken = rules_of(ahead.chain.broken, (ahead.broken,))
    return ToldAhead(tuple(parts), broken or (ahead.broken,))


def with_helpers(compiled: Compiled, ahead: LookAhead) -> ToldAhead:
    """A look ahead with what it says of helpers, but for what rules that have no label say of them alone."""
    spans = labelled_spans(compiled)

    def is_told(part: LookAheadPart) -> bool:
        labelled = any(at(rule.span) in spans for rule in part.rules)
        return labelled or bool(without_helpers(compiled, part.taken + part.out))

    facts, parts = (tuple(filter(is_told, some)) for some in (ahead.facts, ahead.parts))
    return ToldAhead(parts, (ahead.broken,), facts)


__all__ = ["ToldAhead", "told_ahead", "with_helpers"]
