"""The values of a model as Python's own, and as JSON.

Both are for reading: a text that was a piece, or a range that was a set, don't come back as such.
"""

from __future__ import annotations

from typing import Any

from covr.compiler.evaluate.values import Map, Record, Seq, Set, Truth, Value, show_value


def plain(value: Value) -> Any:
    """A value as Python's own: tuples and lists as tuples, sets as frozensets, grids and records as dicts.

    A set of what Python can't hash (records, grids) becomes a tuple, in documented order.
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
    """A value for `json`: tuples, lists and sets as arrays, records as objects, grids as arrays of pairs."""
    if isinstance(value, Truth):
        return bool(value)
    if isinstance(value, tuple | Seq | Set):
        return [jsonable(v) for v in value]
    if isinstance(value, Map):
        return [[jsonable(k), jsonable(v)] for k, v in value.entries.items()]
    if isinstance(value, Record):
        return {name: jsonable(v) for name, v in zip(value.names, value.items, strict=True)}
    return value if isinstance(value, int) else show_value(value)
