"""Which values the indices of choices have, each combination of them once, for statements that use some of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product, repeat
from operator import itemgetter
from typing import Any

from covr.compiler.evaluate.values import Set
from covr.compiler.lower.choices import Args, ProductPositions
from covr.compiler.lower.families import Family
from covr.compiler.lower.loop_members import MOST_TABULATED, combinations_of
from covr.compiler.lower.walk import Walk


class IndexValues:
    """Some names with the combinations of values that they have, such as the indices and choices of a family, and what
    a walk from them binds besides. numbers: of the combinations, if they are a product of sets. found: what is kept of
    `distinct`."""

    def __init__(
        self,
        indices: tuple[str, ...],
        choices: Sequence[Args],
        numbers: object,
        walk: Walk | None = None,
        found: dict[tuple[str, ...], tuple[Sequence[Any], Sequence[int] | None]] | None = None,
    ) -> None:
        self._indices, self._choices, self._numbers, self._walk = indices, choices, numbers, walk
        self._found = {} if found is None else found

    @classmethod
    def of(cls, family: Family, walk: Walk | None = None) -> IndexValues:
        """The indices of a family."""
        return cls(family.indices, family.choices, family.numbers, walk, family.projections)

    @property
    def is_product(self) -> bool:
        """Whether the combinations are all those of some sets."""
        return isinstance(self._numbers, ProductPositions)

    def projected(self, names: Sequence[str]) -> Iterable[Any]:
        """The values of some indices of each choice: a tuple, or for one index its value."""
        indices, choices = self._indices, self._choices
        if not names:
            return repeat((), len(choices))
        if names == indices and len(names) > 1:
            return choices
        return map(itemgetter(*map(indices.index, names)), choices)

    def distinct(self, names: Sequence[str]) -> tuple[Sequence[Any], Sequence[int] | None]:
        """The different values of some indices, in the order of the family's, and which of them each choice has; None
        for these if all are different. Hashes each value once; of a set only its place in memory, because hashing its
        members takes longer than all else: sets that are equal, but were made apart, count as different."""
        key = tuple(names)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._distinct(key)
        return found

    def _distinct(self, names: tuple[str, ...]) -> tuple[Sequence[Any], Sequence[int] | None]:
        indices, positions = self._indices, self._numbers
        if len(names) == len(indices):
            return list(self.projected(names)), None
        if isinstance(positions, ProductPositions):
            return positions.distinct([indices.index(name) for name in names])
        values = list(self.projected(names))
        marks = list(map(id, values)) if set(map(type, values)) == {Set} else values
        different = dict(zip(marks, values, strict=True))  # a value that comes up again keeps its first place
        if len(different) == len(values):
            return values, None
        numbers = dict(zip(different, range(len(different)), strict=True))
        if marks is values:
            return list(different), list(map(numbers.__getitem__, marks))
        return list(different.values()), list(map(numbers.__getitem__, marks))

    def combinations(self, names: tuple[str, ...]) -> Iterable[tuple[Any, ...]] | None:
        """The combinations of indices that choices have, with all members of sets that no index has a say in."""
        ordered = [name for name in self._indices if name in names]
        walked = tuple(name for name in names if name not in ordered)
        found: Sequence[Any] = [()]
        if ordered:
            found, _ = self.distinct(ordered)
            found = list(zip(found)) if len(ordered) == 1 else found
        if walked:
            others = None if self._walk is None else combinations_of(self._walk, walked)
            if others is None or len(found) * len(others) > MOST_TABULATED:
                return None
            found = [one + other for one, other in product(found, others)]
        every = [*ordered, *walked]
        back = [every.index(name) for name in names]
        if len(names) == 1 or back == sorted(back):
            return found
        return list(map(itemgetter(*back), found))


__all__ = ["IndexValues"]
