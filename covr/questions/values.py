"""The values of a model as plain Python values, and as JSON.

The conversion loses information: a piece becomes plain text, and a range becomes a set.
"""

from __future__ import annotations

from typing import Any

from covr.compiler.evaluate.values import Map, Record, Seq, Set, Truth, Value, show_value


def plain(value: Value) -> Any:
    """A value as plain Python: tuples and lists become tuples, sets frozensets, grids and records dicts.

    A set whose members Python can't hash (records, grids) becomes a tuple, in documented order.
    """
    if isinstance(value, Truth):
        return bool(value)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, tuple | Seq):
        return tuple(plain(v) for v in value)
    if isinstance(value, Set):
        members = tuple(plain(v) for v in value)
        try:
            return frozenset(members)
        except TypeError:
            return members
    if isinstance(value, Map):
        return {plain(k): plain(v) for k, v in value.entries.items()}
    if isinstance(value, Record):
        return {name: plain(v) for name, v in zip(value.names, value.items, strict=True)}
    return value if isinstance(value, int) else show_value(value)


def jsonable(value: Value) -> Any:
    """A value for `json`: tuples, lists and sets become arrays, records objects, grids arrays of pairs."""
    if isinstance(value, Truth):
        return bool(value)
    if isinstance(value, tuple | Seq | Set):
        return [jsonable(v) for v in value]
    if isinstance(value, Map):
        return [[jsonable(k), jsonable(v)] for k, v in value.entries.items()]
    if isinstance(value, Record):
        return {name: jsonable(v) for name, v in zip(value.names, value.items, strict=True)}
    return value if isinstance(value, int) else show_value(value)
