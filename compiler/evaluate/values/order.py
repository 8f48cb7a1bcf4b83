"""The one order of all values: by kind, then naturally.

The kinds come in this order, and the number of its kind is the first entry of a value's key:

    0  Truth                4  LatticeCell          8  Record
    1  int                  5  Seq                  9  Isometry
    2  str                  6  Set, also Rng        10 Motion
    3  tuple                7  Map

The classes of covr's own kinds make their keys themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from covr.compiler.lattices.lattice import LatticeCell

if TYPE_CHECKING:
    from covr.compiler.evaluate.values.kinds import Value

COMPARED_AS: dict[type, Callable[[Any], Any]] = {}
"""For kinds of which the class itself would compare each pair: what Python compares in its place, value by value."""


def in_documented_order(values: Iterable[Value]) -> tuple[Value, ...]:
    """The values sorted by `order_key`.

    Python's own comparison agrees with the documented order wherever it is defined and is much faster, so it is
    tried first; it raises TypeError where unlike kinds meet.
    """
    listed = list(values)
    kinds = set(map(type, listed))
    try:
        listed.sort(key=_compared_as(kinds.pop(), listed) if len(kinds) == 1 else None)
    except TypeError:
        listed.sort(key=order_key)
    return tuple(listed)


def _compared_as(kind: type, values: list[Any]) -> Callable[[Any], Any] | None:
    """What Python compares in place of values of one kind; None for the values themselves. In place of tuples and sets
    of nothing but sets, it compares what is in these, too: that spares calls of their methods."""
    own = COMPARED_AS.get(kind)
    if kind is not tuple and own is None:
        return None
    parts = values if own is None else map(own, values)
    inner: set[type] = set()
    for part in parts:
        inner.update(map(type, part))
        if len(inner) != 1 or not inner <= COMPARED_AS.keys():
            return own
    of = COMPARED_AS[inner.pop()] if inner else None
    if of is None:
        return own
    return (lambda value: tuple(map(of, value))) if own is None else (lambda value: tuple(map(of, own(value))))


def order_key(value: Value) -> tuple[Any, ...]:
    """A key that puts all values into one order: by kind, then naturally.

    false before true; numbers by size; text by code point; tuples, cells of lattices, lists, sets, maps and records
    by their members in turn, a shorter one before a longer one that it begins.
    """
    if isinstance(value, int):
        return 1, value
    if isinstance(value, str):
        return 2, str(value)
    if type(value) is LatticeCell:
        return 4, value.lattice.rank, value.at
    if isinstance(value, tuple):
        return 3, tuple(order_key(item) for item in value)
    return value.order_key()
