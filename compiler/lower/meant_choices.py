"""Which choice is meant where a record is named by what is printed of it.

The name of a choice has a record by its first field, `pick(ann)`, or whole, `pick((ann, 2))` (families.py). A language
without records as literals could otherwise not say which choice that was; so a `given` may write the first field, or a
tuple of all fields, in place of a record, wherever in the argument the record is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice, product
from typing import Any

from covr.compiler.evaluate.values import Map, Record, Seq, Set, Value
from covr.compiler.evaluate.values.unambiguous import of_numbers
from covr.compiler.lower.choices import Args

MOST = 1000  # combinations of values that one given may stand for before it counts as ambiguous


class MeantChoices:
    """The choices of a family, by what is printed of the records in them. Time and space: once, linear in the number of
    different values with records in them."""

    def __init__(self, choices: Sequence[Args], numbers: Mapping[Args, int]) -> None:
        """choices: all of a family.  numbers: the place of each among them."""
        self._choices, self._numbers = choices, numbers
        self._read = [
            _readings(dict.fromkeys([args[at] for args in choices])) for at in range(len(choices[0]) if choices else 0)
        ]

    def of(self, args: Args) -> list[Args]:
        """The choices that may be meant by such arguments, which are those of no choice; two are enough to see that it
        is not clear which."""
        if len(args) != len(self._read) or not any(self._read):
            return []
        each = [read.get(arg, [arg]) for read, arg in zip(self._read, args, strict=True)]
        return [*islice((c for c in islice(product(*each), MOST) if c in self._numbers), 2)]


def _readings(values: Mapping[Value, None]) -> dict[Value, list[Value]]:
    """The values that hold records, by how each may be written."""
    found: dict[Value, list[Value]] = {}
    if of_numbers(values.keys()):
        return found
    for value in values:
        for write in (_first, _items):
            written = _without_records(value, write)
            if written != value and value not in found.setdefault(written, []):
                found[written].append(value)
    return found


def _first(record: Record) -> Value:
    return record.items[0] if record.items else ()


def _items(record: Record) -> Value:
    return tuple(record.items)


def _without_records(value: Any, write: Callable[[Record], Value]) -> Any:
    """The value with each record in it replaced by what is written for it."""
    if isinstance(value, Record):
        return _without_records(write(value), write)
    if type(value) is tuple:
        return tuple([_without_records(v, write) for v in value])
    if isinstance(value, Seq):
        return Seq([_without_records(v, write) for v in value.items])
    if type(value) is Set:
        return Set([_without_records(v, write) for v in value])
    if isinstance(value, Map):
        return Map({_without_records(k, write): _without_records(v, write) for k, v in value.entries.items()})
    return value
