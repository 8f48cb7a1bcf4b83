"""How much work it is to hash, compare or print a value."""

from __future__ import annotations

from collections.abc import Collection
from itertools import chain
from typing import Final

from covr.compiler.evaluate.values.kinds import Value
from covr.compiler.evaluate.values.maps import Map, Record
from covr.compiler.evaluate.values.sets import Seq, Set
from covr.compiler.lattices.lattice import LatticeCell

_NUMBERS: Final[frozenset[type]] = frozenset({int})
_SETS: Final[frozenset[type]] = frozenset({Set})
_TUPLES: Final[frozenset[type]] = frozenset({tuple})
WORD: Final = 64  # bits of a number, or characters of a text, that count as much as one value


def measure(value: Value) -> tuple[int, int, int]:
    """How much work it is to hash, compare or print a value: its parts counted as a tree, how deep they nest, and how
    long its texts are, in WORDs.

    Parts may be shared (`let b = (a, a)`, `let c = (b, b)` …), so the tree can be far larger than what is stored. Lists
    and sets keep their measure, so that a value made of them is cheap to measure.
    """
    if type(value) is LatticeCell:
        return 1 + len(value), 1, 0
    if isinstance(value, tuple):
        return _measured(value)
    if isinstance(value, Seq | Set):
        if value._measure is None:
            value._measure = _measured(value.items if isinstance(value, Seq) else value.parts)
        return value._measure
    if isinstance(value, Map):
        return 2 * len(value) + 1, 2, 0
    if isinstance(value, Record):
        return _measured(value.items)
    return 1, 0, len(value) // WORD if isinstance(value, str) else 0


def _measured(parts: Collection[Value]) -> tuple[int, int, int]:
    kinds = set(map(type, parts))
    if kinds <= _NUMBERS:
        return 1 + len(parts), 1, 0
    if kinds == _TUPLES and set(map(type, chain.from_iterable(parts))) <= _NUMBERS:  # type: ignore[arg-type]  # cells
        return 1 + len(parts) + sum(map(len, parts)), 2, 0  # type: ignore[arg-type]
    if kinds == _SETS:
        weights, depths, lengths = zip(*[p._measure or measure(p) for p in parts], strict=True)  # type: ignore[union-attr]
        return 1 + sum(weights), 1 + max(depths), sum(lengths)
    weight, depth, length = 1, 0, 0
    for part in parts:
        if type(part) is int:
            weight += 1
        elif type(part) is str:
            weight += 1
            length += len(part) // WORD
        else:
            more, below, words = measure(part)
            weight += more
            depth = max(depth, below)
            length += words
    return weight, depth + 1, length


def set_of_copies(sets: tuple[Set, ...]) -> Set:
    """A set of sets that are in order, all different, and all of the same measure, which is taken once."""
    made = Set.in_order(sets)
    if sets:
        weight, depth, length = measure(sets[0])
        for one in sets:
            one._measure = weight, depth, length
        made._measure = 1 + len(sets) * weight, depth + 1, len(sets) * length
    return made
