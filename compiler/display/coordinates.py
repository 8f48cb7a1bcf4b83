"""How the keys of `at` become coordinates.

Whole numbers stay as they are; other values are numbered in the order in which they are met, so that a list or a table
keeps its own order, and are written beside the board as headings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from typing import Any

from covr.compiler.evaluate import EvalFault
from covr.compiler.evaluate.values import order_key, show_value
from covr.compiler.lattices.lattice import Lattice, LatticeCell
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.syntax import Show

Place = tuple[int, ...]


class Coordinates:
    """Turns the values of `at` into coordinates: whole numbers stay as they are, other values are numbered.

    keys: in the order in which the sets and lists of the statement are visited. plain: whether every key is its own
    place, as the row and the column of a square are.
    """

    def __init__(self, keys: Mapping[tuple[Any, ...], None], show: Show) -> None:
        kinds = set(map(type, chain.from_iterable(keys)))
        flat = list(keys) if kinds <= {int} else [flatten(key) for key in keys]
        self.lattice = self._lattice(keys, show) if LatticeCell in kinds else None
        self.count = len(flat[0]) if flat else sum(1 for _ in show.at)
        if self.count > 3 or set(map(len, flat)) - {self.count}:
            raise EvalFault(
                Diagnostic(
                    "E440",
                    "a picture has one, two or three coordinates",
                    show.at[0].span.to(show.at[-1].span),
                    help="show at a row and a column, or at a layer, a row and a column",
                )
            )
        self.values = [dict.fromkeys(map(itemgetter(axis), flat)) for axis in range(self.count)]
        self.ranks: list[dict[Any, int] | None] = []
        self._of_numbers = kinds <= {int}
        self.plain = self._of_numbers
        self.rank()

    def rank(self) -> None:
        """Number the values of each axis on which not all of them are whole numbers."""
        whole = [set(map(type, values)) <= {int} for values in self.values]
        self.ranks = [
            None if plain else {v: i for i, v in enumerate(values, 1)}
            for plain, values in zip(whole, self.values, strict=True)
        ]
        self.plain = self._of_numbers and not any(self.ranks)

    def _lattice(self, keys: Mapping[tuple[Any, ...], None], show: Show) -> Lattice | None:
        """The lattice of the places; None if they are of no lattice but squares and cubes."""
        found = {part.lattice for key in keys for part in key if type(part) is LatticeCell}
        if not found:
            return None
        if len(found) > 1 or any(len(key) > 1 or type(key[0]) is not LatticeCell for key in keys):
            raise EvalFault(
                Diagnostic(
                    "E441",
                    "the places of a picture are cells of one lattice, and nothing else",
                    show.at[0].span.to(show.at[-1].span),
                    help="show at a cell: `at x`, or `at hex(r, c)`",
                )
            )
        return found.pop()

    def place(self, key: tuple[Any, ...]) -> Place:
        """The place of a key that the board has."""
        if self.plain:
            return key
        flat = flatten(key)
        return tuple(v if ranks is None else ranks[v] for v, ranks in zip(flat, self.ranks, strict=True))

    def beside(self, key: tuple[Any, ...]) -> Place | None:
        """The place of a key that may lie outside the board, where it is counted in whole numbers; None if it has
        none."""
        flat = flatten(key)
        if len(flat) != self.count:
            return None
        place = []
        for value, ranks in zip(flat, self.ranks, strict=True):
            found = value if type(value) is int else None
            if ranks is not None and value in ranks:
                found = ranks[value]
            if found is None:
                return None
            place.append(found)
        return tuple(place)

    def numbers(self, axis: int) -> frozenset[int]:
        """The coordinates of the board's places on one axis."""
        ranks = self.ranks[axis]
        return frozenset(self.values[axis] if ranks is None else ranks.values())

    def headings(self) -> Iterator[tuple[int, int, str]]:
        """The axis, the number and the text of each value that is no whole number on its axis."""
        for axis, ranks in enumerate(self.ranks):
            for value, number in (ranks or {}).items():
                yield axis, number, show_value(value)


def share_ranks(boards: Sequence[Coordinates]) -> None:
    """Number the values of all statements that draw into one picture together."""
    alike: dict[tuple[int, Lattice | None], list[Coordinates]] = {}
    for one in boards:
        alike.setdefault((one.count, one.lattice), []).append(one)
    for group in alike.values():
        for axis, together in enumerate(zip(*(one.values for one in group), strict=True)):
            union = dict.fromkeys(v for values in together for v in values)
            if all(list(values) == sorted(values, key=order_key) for values in together):
                union = dict.fromkeys(sorted(union, key=order_key))
            for one in group:
                one.values[axis] = union
        for one in group:
            one.rank()


def flatten(key: tuple[Any, ...]) -> tuple[Any, ...]:
    """The coordinates of a key, those in tuples one by one."""
    flat: list[Any] = []
    for part in key:
        flat += part if isinstance(part, tuple) else (part,)
    return tuple(flat)
