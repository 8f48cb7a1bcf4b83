"""What a statement without a label calls its items, and what is added where another statement would say the same.

A default name is short: `exactly one place for r = 1`. Where two statements of a model would give the same, each name
goes on with what tells them apart: the condition, else the sets of its keys, else its other clauses, else several of
these; if that is not enough, the number of the line. Quoting all of every rule in every name was tried: most names
became longer for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Final

from covr.compiler.evaluate.names import pattern_names
from covr.dsl.syntax import Agree, Alike, Connected, Expr, Key, Loop, Name, Needs, Rule, Statement

Stated = Rule | Agree | Alike | Needs | Connected | Loop


def head(statement: Stated) -> str:
    """The part of a default name before the values of its keys, without what tells it from other statements."""
    if isinstance(statement, Rule):
        families = " or ".join(f.id for f in statement.families)
        if statement.weights:
            pairs = zip(statement.weights, statement.families, strict=True)
            families = "total " + " or ".join(f"{weight.span.one_line} of {f.id}" for weight, f in pairs)
        return f"{statement.kind} {statement.quantity.span.one_line} {families}"
    if isinstance(statement, Agree):
        return f"agree {', '.join(dict.fromkeys(part.family.id for part in statement.shown))}"
    if isinstance(statement, Needs):
        return statement.span.to(statement.then[-1].span).one_line
    if isinstance(statement, Loop):
        return f"loop {statement.family.id}"
    if isinstance(statement, Alike):
        things = statement.things[0].span.to(statement.things[-1].span).one_line
        return f"all {'different' if statement.different else 'alike'} {things} of {statement.family.id}"
    return f"connected {' or '.join(f.id for f in statement.families)}"


def additions(statements: Iterable[Statement]) -> Mapping[int, str]:
    """For statements whose default names would be those of another: what is added to each name, by the `id` of the
    statement. Statements with the same text have the same names. Time linear in the number of statements, and quadratic
    in how many of them have the same head."""
    alike: dict[tuple[str, ...], dict[str, list[Stated]]] = {}
    for s in statements:
        if isinstance(s, Stated) and s.label is None:
            alike.setdefault((head(s), *_key_names(s)), {}).setdefault(s.span.text, []).append(s)
    found: dict[int, str] = {}
    for texts in alike.values():
        if len(texts) > 1:
            for same, added in zip(texts.values(), _told_apart([same[0] for same in texts.values()]), strict=True):
                found.update(dict.fromkeys(map(id, same), added))
    return found


def _told_apart(statements: Sequence[Stated]) -> list[str]:
    """The shortest additions that differ; with the numbers of lines where none do."""
    for size in range(1, len(_PARTS) + 1):
        for parts in combinations(_PARTS, size):
            added = ["".join(part(s) for part in sorted(parts, key=_SAID.index)) for s in statements]
            if len(set(added)) == len(added):
                return added
    return [f"{text} (line {s.span.place[0]})" for text, s in zip(added, statements, strict=True)]


def _condition(statement: Stated) -> str:
    return "" if statement.where is None else f" where {statement.where.span.one_line}"


def _sets(statement: Stated) -> str:
    """The sets that names of this statement alone range over."""
    if isinstance(statement, Needs | Agree):
        generators = statement.generators
        return f", {generators[0].span.to(generators[-1].span).one_line}" if generators else ""
    own = [key.span.one_line for key in statement.keys if isinstance(key, Key)]
    return f", {', '.join(own)}" if own else ""


def _clauses(statement: Stated) -> str:
    """What else it says that is not in its head."""
    if isinstance(statement, Agree):
        return f" ({statement.shown[0].span.to(statement.shown[-1].span).one_line})"
    if isinstance(statement, Loop):
        return f" along {statement.ends.span.one_line}"
    if isinstance(statement, Alike):
        return f" on {statement.seen[0].span.to(statement.seen[-1].span).one_line}" if statement.seen else ""
    if not isinstance(statement, Connected):
        return ""
    at = f" at {statement.at[0].span.to(statement.at[-1].span).one_line}"
    return at if statement.along is None else f"{at} along {statement.along.span.one_line}"


_Part = Callable[[Stated], str]
_PARTS: Final[tuple[_Part, ...]] = (_condition, _sets, _clauses)  # in the order in which they are tried
_SAID: Final[tuple[_Part, ...]] = (_clauses, _sets, _condition)  # in the order in which they are written


def _key_names(statement: Stated) -> Sequence[str]:
    """The names before the values in a default name."""
    if isinstance(statement, Needs | Agree):
        return ()
    return [name for key in statement.keys for name in _written(key)]


def _written(key: Expr | Key) -> tuple[str, ...]:
    if isinstance(key, Key):
        return pattern_names(key.pattern)
    return (key.id,) if isinstance(key, Name) else (key.span.one_line,)
