"""Which rules of a reason are put in words, and how: as a person would say them.

- Of rules with a label and rules without, only those with one are said: what a rule without a label says, such as that
  each square is dark or light, goes without saying, and is listed apart. Where none has a label, all are said.
- Rules that say the same are said once, with their places if these are known.
- A family that no `show` draws is a *helper*: nobody asks about its choices.

Nothing is lost: the values that hold a reason, and JSON, have every rule.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING

from attrs import evolve

from covr.dsl.source import Span
from covr.dsl.syntax import Show

if TYPE_CHECKING:
    from covr.compiler import Choice, Compiled
    from covr.explain.member import Member

MOST_ALIKE = 8  # rules of one statement that are said one by one
MOST_KEYS = 3  # places of a rule that are named where it is said once for several


def labelled_spans(compiled: Compiled) -> frozenset[tuple[str, int, int]]:
    """Where the statements stand of which the author has written what they say."""
    statements = getattr(compiled.model, "statements", ())
    return frozenset(at(s.span) for s in statements if getattr(s, "label", None) is not None)


def helpers(compiled: Compiled) -> frozenset[int]:
    """The choices of the families that no `show` draws; none where nothing is drawn, or where there is no model. Takes
    a step for each choice: for a few, there is `without_helpers`."""
    drawn = _drawn(compiled)
    return frozenset(o for o in range(compiled.problem.options) if drawn and compiled.choice(o).family not in drawn)


def without_helpers(compiled: Compiled, choices: Iterable[Choice]) -> tuple[Choice, ...]:
    """Those of some choices that are no helpers."""
    drawn = _drawn(compiled)
    return tuple([choice for choice in choices if not drawn or choice.family in drawn])


def _drawn(compiled: Compiled) -> frozenset[str]:
    """The families that some `show` draws."""
    return frozenset(s.family.id for s in getattr(compiled.model, "statements", ()) if isinstance(s, Show))


def said(compiled: Compiled, members: Sequence[Member]) -> tuple[Member, ...]:
    """The members of a reason that are said, in the order in which they are met: one for all with the same label."""
    spans = labelled_spans(compiled)
    labelled = any(m.kind == "rule" and at(m.span) in spans for m in members)
    once: dict[Hashable, list[Member]] = {}
    for m in members:
        if m.kind != "rule" or not labelled or at(m.span) in spans:
            once.setdefault((m.kind, m.label or m.name), []).append(m)
    return tuple(map(_one, once.values()))


def lined(compiled: Compiled, members: Sequence[Member]) -> tuple[Member, ...]:
    """The same, with one line for many rules of one statement."""
    every = said(compiled, members)
    spans = labelled_spans(compiled)
    of_statement: dict[Hashable, list[Member]] = {}
    for m in every:
        of_statement.setdefault((m.kind, at(m.span)), []).append(m)
    found: list[Member] = []
    for here in of_statement.values():
        alike = here[0].kind == "rule" and at(here[0].span) in spans and len(here) > MOST_ALIKE
        found += [_alike(here)] if alike else here
    return tuple(found)


def _one(here: Sequence[Member]) -> Member:
    """One member for several with the same label."""
    keys = list(dict.fromkeys(m.key for m in here if m.key))
    if len({m.name for m in here}) == 1 or not keys:
        return here[0]
    return evolve(here[0], name=f"{here[0].label} ({_listed(keys, '; ')})")


def _alike(here: Sequence[Member]) -> Member:
    """One member for several of the same statement, with labels of their own."""
    names = [m.name for m in here]
    return evolve(here[0], name=f"{_listed(names, '; ')} like these")


def _listed(keys: Sequence[str], between: str) -> str:
    more = f"{between}and {len(keys) - MOST_KEYS} more" if len(keys) > MOST_KEYS else ""
    return between.join(keys[:MOST_KEYS]) + more


def unsaid(compiled: Compiled, members: Sequence[Member]) -> list[Member]:
    """The members of a reason that are not said beside those with a label, because they have none."""
    spans = labelled_spans(compiled)
    rules = [m for m in members if m.kind == "rule"]
    without = [m for m in rules if at(m.span) not in spans]
    return without if len(without) < len(rules) else []


def in_statements(members: Sequence[Member]) -> tuple[Member, ...]:
    """Rules, with one line for many of one statement."""
    of_statement: dict[Hashable, list[Member]] = {}
    for m in members:
        of_statement.setdefault(at(m.span), []).append(m)
    found: list[Member] = []
    for here in of_statement.values():
        many = len(here) > MOST_KEYS
        found += [evolve(here[0], name=f"{here[0].name}, and {len(here) - 1} more like it")] if many else here
    return tuple(found)


def said_names(compiled: Compiled, members: Iterable[Member]) -> list[str]:
    """The names of the rules of a move that are said; of all if none has a label."""
    every = tuple(members)
    spans = labelled_spans(compiled)
    names = dict.fromkeys(m.name for m in every if at(m.span) in spans)
    return list(names or dict.fromkeys(m.name for m in every))


def at(span: Span) -> tuple[str, int, int]:
    """Where a statement stands, as a value that can be compared."""
    return span.source.name, span.start, span.end
