"""Operations on values that contain others: iterating over them, looking things up in them, taking members apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from covr.compiler.evaluate.limits import EvalFault, did_you_mean
from covr.compiler.evaluate.operators import Env
from covr.compiler.evaluate.values import Map, Record, Rng, Seq, Set, Value, abbreviate, kind_of
from covr.dsl import syntax as syn
from covr.dsl.diagnostics import Span
from covr.dsl.syntax import Pattern

Bind = Callable[[Any, Env], None]

FEW: Final = 6  # how many keys of a map are listed in a help text
SHORT: Final = 20  # in how many characters each
LONGEST: Final = 40  # how many characters an expression may have to be repeated in a help text


def walkable(value: Value, span: Span) -> Any:
    """The members of a value, as something with a size that can be iterated. Raises EvalFault if it has no members."""
    if isinstance(value, Map):
        return value.keys
    if isinstance(value, Set | Seq | tuple):
        return value
    if isinstance(value, str):
        return Seq(str(value))
    text = span.one_line
    help = f"write `1..{text if len(text) <= LONGEST else '…'}` for the numbers up to it"
    raise EvalFault.at(
        span, "E209", f"this is {kind_of(value)}, not a set or list to walk", help if isinstance(value, int) else ""
    )


def members_count(members: Any) -> int:
    """How many members there are; a range is counted without listing it."""
    return members.size if type(members) is Rng else len(members)


def look_up(of: Value, key: Value, span: Span) -> Value:
    """`of[key]`: a grid by its key, a list, tuple or text by position from 1, a record by the name of a field, and a
    list of records by the name of a column, in time linear in their number."""
    if isinstance(of, Map):
        if key in of.entries:
            return of.entries[key]
        raise _nothing_at(of, key, span)
    if isinstance(of, Record) and isinstance(key, str):
        return field_of(of, str(key), span)
    if isinstance(of, Seq) and isinstance(key, str) and is_table(of):
        return Seq([field_of(record, str(key), span) for record in of])
    if isinstance(of, Seq | tuple | str):
        if not isinstance(key, int):
            raise EvalFault.at(span, "E201", f"a position in {kind_of(of)} is a whole number, not {kind_of(key)}")
        if 1 <= key <= len(of):
            return (
                str.__getitem__(of, key - 1)
                if isinstance(of, str)
                else of.items[key - 1]
                if isinstance(of, Seq)
                else of[key - 1]
            )
        raise EvalFault.at(
            span,
            "E204",
            f"there is no position {abbreviate(key)} in {kind_of(of)} of {len(of)}",
            help="positions count from 1",
        )
    help = "a set has no positions: `sorted(S)[1]` is its first member" if isinstance(of, Set) else ""
    if isinstance(of, Record):
        help = 'a field is looked up by its name: `e.name`, or `e["name"]`'
    raise EvalFault.at(span, "E201", f"{kind_of(of)} cannot be looked up by `[…]`", help)


def _nothing_at(of: Map, key: Value, span: Span) -> EvalFault:
    """The fault for a key that a grid, or a map without a picture, does not have."""
    if of.pictured:
        help = "ask `(r, c) in clue` before `clue[r, c]`, or walk the grid itself: a blank is absent"
        return EvalFault.at(span, "E204", f"nothing stands at {abbreviate(key)}", help)
    words = [k for k in of.entries if isinstance(k, str)]
    help = did_you_mean(key, words) if isinstance(key, str) else ""
    shown = ", ".join(abbreviate(k, SHORT) for k, _ in zip(of.entries, range(FEW), strict=False))
    more = ", …" if len(of) > FEW else ""
    help = help or (f"its keys are {shown}{more}" if len(of) else "it has no keys")
    return EvalFault.at(span, "E204", f"the map has no key {abbreviate(key)}", help)


def key_twice(key: Value, first: Span, again: Span) -> EvalFault:
    """The fault for a map in which a key is written twice, at the second place."""
    line, column = first.place
    where = f"on line {line}" if line != again.place[0] else f"in column {column}"
    return EvalFault.at(again, "E206", f"the key {abbreviate(key)} is written twice; first {where}")


def is_table(value: Value) -> bool:
    """Whether a value is a list of records, and not empty."""
    return isinstance(value, Seq) and len(value) > 0 and all(isinstance(row, Record) for row in value)


def field_of(record: Value, name: str, span: Span) -> Value:
    """The field of a record with this name. Raises EvalFault if there is none."""
    if not isinstance(record, Record) or name not in record.names:
        raise no_field(record, name, span)
    return record.items[record.names.index(name)]


def no_field(record: Value, name: str, span: Span) -> EvalFault:
    """The fault for `record.name` if the value is no record, or has no such field."""
    if not isinstance(record, Record):
        help = f"walk its records with `for`: `[e.{name} for e in …]`" if is_table(record) else ""
        return EvalFault.at(span, "E205", f"only a record has fields, and this is {kind_of(record)}", help)
    return EvalFault.at(
        span,
        "E205",
        f"this record has no field `{name}`",
        help=did_you_mean(name, record.names) or "its fields are " + ", ".join(record.names),
    )


def binder(pattern: Pattern) -> Bind:
    """A closure that gives the names of a pattern their values from one member. Raises EvalFault if it does not fit."""
    if isinstance(pattern, syn.Name):
        name = pattern.id

        def bind(value: Any, env: Env) -> None:
            env[name] = value

        return bind
    size, span = len(pattern.items), pattern.span
    if all(isinstance(item, syn.Name) for item in pattern.items):
        names = [item.id for item in pattern.items if isinstance(item, syn.Name)]

        def spread(value: Any, env: Env) -> None:
            if not isinstance(value, tuple) or len(value) != size:
                raise _misfit(value, size, span)
            for name, item in zip(names, value, strict=True):
                env[name] = item

        return spread
    parts = [binder(item) for item in pattern.items]

    def match_(value: Any, env: Env) -> None:
        if not isinstance(value, tuple) or len(value) != size:
            raise _misfit(value, size, span)
        for part, item in zip(parts, value, strict=True):
            part(item, env)

    return match_


def _misfit(value: Value, size: int, span: Span) -> EvalFault:
    what = f"a tuple of {len(value)}" if isinstance(value, tuple) else kind_of(value)
    return EvalFault.at(span, "E207", f"this wants tuples of {size}, and {abbreviate(value)} is {what}")
