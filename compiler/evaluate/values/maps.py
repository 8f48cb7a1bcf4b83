"""Values with keys or fields: grids and other maps, and the rows of tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from covr.compiler.evaluate.values.order import in_documented_order, order_key
from covr.compiler.evaluate.values.sets import Set
from covr.compiler.lattices.cubes import CUBES
from covr.compiler.lattices.lattice import Lattice, LatticeCell
from covr.dsl.source import Span

if TYPE_CHECKING:
    from covr.compiler.evaluate.values.kinds import Value


class Map:
    """A grid, or any map: `entries` holds the values by their keys, in the order of the keys. `in` asks for keys.

    origin: gives the span where a key's value was read, for faults in data; None for a map that was not read from data.
    shape: the rows and columns of its picture; None for a map that has none.
    places: all places of a picture of another lattice than squares, blank or not; else None.
    None of these affects equality.
    """

    __slots__ = ("_hash", "_keys", "entries", "origin", "places", "shape")

    def __init__(
        self,
        entries: Mapping[Value, Value],
        origin: Callable[[Value], Span | None] | None = None,
        shape: tuple[int, int] | None = None,
        places: Set | None = None,
    ) -> None:
        self.origin = origin
        self.shape = shape
        self.places = places
        keys = in_documented_order(entries)
        self.entries: dict[Value, Value] = {key: entries[key] for key in keys}
        self._keys: Set | None = None
        self._hash = -1

    @property
    def keys(self) -> Set:
        """The keys of the map as a set, in the order of its entries."""
        if self._keys is None:
            self._keys = Set.in_order(tuple(self.entries))
        return self._keys

    @property
    def lattice(self) -> Lattice | None:
        """The lattice of its picture; None for squares, and for a map that has none."""
        first = next(iter(self.places), None) if self.places is not None else None
        return None if first is None else first.lattice if isinstance(first, LatticeCell) else CUBES

    @property
    def pictured(self) -> bool:
        """Whether it was read from a picture: a grid, and not any other map."""
        return self.shape is not None or self.places is not None

    def __iter__(self) -> Iterator[Value]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __contains__(self, key: object) -> bool:
        return key in self.entries

    def __getitem__(self, key: Value) -> Value:
        return self.entries[key]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Map) and self.entries == other.entries

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Map):
            return NotImplemented
        return tuple(self.entries.items()) < tuple(other.entries.items())

    def order_key(self) -> tuple[Any, ...]:
        """Where it stands among all values (order.py)."""
        return 7, tuple((order_key(k), order_key(x)) for k, x in self.entries.items())

    def __reduce__(self) -> tuple[Any, ...]:
        return Map, (self.entries, None, self.shape, self.places)  # hashes differ from one process to the next

    def __hash__(self) -> int:
        if self._hash == -1:
            self._hash = hash(frozenset(self.entries.items()))
        return self._hash

    def __repr__(self) -> str:
        return f"Map({self.entries!r})"


class Record:
    """A row of a table: `names` are the fields in order, `items` their values."""

    __slots__ = ("_hash", "items", "names")

    def __init__(self, names: tuple[str, ...], items: tuple[Value, ...]) -> None:
        self.names = names
        self.items = items
        self._hash = -1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self.items == other.items and self.names == other.names

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Record):
            return NotImplemented
        return (self.items, self.names) < (other.items, other.names)

    def order_key(self) -> tuple[Any, ...]:
        """Where it stands among all values (order.py)."""
        return 8, tuple(order_key(item) for item in self.items), self.names

    def __reduce__(self) -> tuple[Any, ...]:
        return Record, (self.names, self.items)

    def __hash__(self) -> int:
        if self._hash == -1:
            self._hash = hash((self.names, self.items))
        return self._hash

    def __repr__(self) -> str:
        return f"Record({dict(zip(self.names, self.items, strict=True))!r})"
