"""The values: atoms, motions, lists, sets, ranges, grids, maps and rows, and their one order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, Final, TypeAlias, Union

from covr.compiler.lattices import CUBES, Cell, Lattice, LatticeCell, Matrix
from covr.dsl.diagnostics import Source, Span

# --- atoms -----------------------------------------------------------------------------------------------------------
# Values without parts: true and false, and texts that know more than their letters.


class Truth:
    """true or false. Only TRUE and FALSE exist."""

    __slots__ = ("holds",)

    def __init__(self, holds: bool) -> None:
        self.holds = holds

    def __bool__(self) -> bool:
        return self.holds

    def __repr__(self) -> str:
        return "TRUE" if self.holds else "FALSE"

    def __lt__(self, other: object) -> bool:
        return other.holds > self.holds if isinstance(other, Truth) else NotImplemented

    def order_key(self) -> tuple[Any, ...]:
        """Where it stands among all values (members.py)."""
        return 0, self.holds

    def __reduce__(self) -> tuple[Any, ...]:
        return truth, (self.holds,)


TRUE: Final = Truth(True)
FALSE: Final = Truth(False)


def truth(holds: object) -> Truth:
    """The value for a Python condition."""
    return TRUE if holds else FALSE


class Piece(str):
    """A piece of `pieces` or `solids`: the text of its letter, which also knows its cells. It equals and hashes as its
    letter, so `p = "A"` holds and `put("A", s)` names the same choice as `put(p, s)`."""

    __slots__ = ("cells",)

    cells: Set

    def __new__(cls, letter: str, cells: Set) -> Piece:
        piece = super().__new__(cls, letter)
        piece.cells = cells
        return piece

    def __reduce__(self) -> tuple[Any, ...]:
        return Piece, (str(self), self.cells)


class FileText(str):
    """The value of `file("…")`: text that knows its Source, so that a reader can show the place of a fault. starts: of
    a section of it, the offset in the source at which each of its lines begins; None for the whole."""

    __slots__ = ("source", "starts")

    source: Source
    starts: tuple[int, ...] | None

    def __new__(cls, source: Source, lines: Sequence[str] | None = None, starts: Sequence[int] = ()) -> FileText:
        made = super().__new__(cls, source.text if lines is None else "\n".join(lines))
        made.source = source
        made.starts = None if lines is None else tuple(starts)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        if self.starts is None:
            return FileText, (self.source,)
        return FileText, (self.source, str(self).split("\n"), self.starts)


# --- motions ---------------------------------------------------------------------------------------------------------
# Motions, what `symmetries(area)` holds: of squares and cubes, and of a lattice.


class Isometry:
    """A motion that carries whole-number cells to whole-number cells: permute the axes, flip some, then shift. Cell x
    goes to the cell whose coordinate a is `signs[a] * x[axes[a]] + shift[a]`."""

    __slots__ = ("axes", "shift", "signs")

    def __init__(self, axes: tuple[int, ...], signs: tuple[int, ...], shift: tuple[int, ...]) -> None:
        self.axes = axes
        self.signs = signs
        self.shift = shift

    @property
    def parts(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """The axes, signs and shift, which together identify the motion."""
        return self.axes, self.signs, self.shift

    def apply(self, cell: Cell) -> Cell:
        """The image of a cell."""
        if len(self.axes) == 2:
            (a, b), (s, t), (u, v) = self.axes, self.signs, self.shift
            return s * cell[a] + u, t * cell[b] + v
        return tuple(s * cell[a] + t for a, s, t in zip(self.axes, self.signs, self.shift, strict=True))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Isometry) and self.parts == other.parts

    def __lt__(self, other: object) -> bool:
        return self.parts < other.parts if isinstance(other, Isometry) else NotImplemented

    def order_key(self) -> tuple[Any, ...]:
        """Where it stands among all values (members.py)."""
        return 9, self.parts

    def __hash__(self) -> int:
        return hash(self.parts)

    def __repr__(self) -> str:
        return f"Isometry({self.axes!r}, {self.signs!r}, {self.shift!r})"


class Motion:
    """A motion of a lattice: a matrix of its point group, then a step."""

    __slots__ = ("lattice", "matrix", "step")

    def __init__(self, lattice: Lattice, matrix: Matrix, step: Cell) -> None:
        self.lattice = lattice
        self.matrix = matrix
        self.step = step

    @property
    def parts(self) -> tuple[Lattice, Matrix, Cell]:
        """The lattice, matrix and step, which together identify the motion."""
        return self.lattice, self.matrix, self.step

    def apply(self, cell: Cell) -> Cell:
        """The image of a cell, which knows its lattice like the cell itself."""
        (at,) = self.lattice.moved([tuple(cell)], self.matrix)
        return self.lattice.cell(tuple([x + d for x, d in zip(at, self.step, strict=True)]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Motion) and self.parts == other.parts

    def __lt__(self, other: object) -> bool:
        return self.parts < other.parts if isinstance(other, Motion) else NotImplemented

    def order_key(self) -> tuple[Any, ...]:
        """Where it stands among all values (members.py)."""
        return 10, self.parts

    def __hash__(self) -> int:
        return hash(self.parts)

    def __repr__(self) -> str:
        return f"Motion({self.lattice.name}, {self.matrix!r}, {self.step!r})"


# --- order -----------------------------------------------------------------------------------------------------------
# The one order of all values: by kind, then naturally.
#
# The kinds come in this order, and the number of its kind is the first entry of a value's key:
#
#     0  Truth                4  LatticeCell          8  Record
#     1  int                  5  Seq                  9  Isometry
#     2  str                  6  Set, also Rng        10 Motion
#     3  tuple                7  Map
#
# The classes of covr's own kinds make their keys themselves.


COMPARED_AS: dict[type, Callable[[Any], Any]] = {}
"""For kinds of which the class itself would compare each pair: what Python compares in its place, value by value."""


def in_documented_order(values: Iterable[Value]) -> tuple[Value, ...]:
    """The values sorted by `order_key`. Python's own comparison agrees with the documented order wherever it is defined
    and is much faster, so it is tried first; it raises TypeError where unlike kinds meet."""
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
    """A key that puts all values into one order: by kind, then naturally. false before true; numbers by size; text by
    code point; tuples, cells of lattices, lists, sets, maps and records by their members in turn, a shorter one before
    a longer one that it begins."""
    if isinstance(value, int):
        return 1, value
    if isinstance(value, str):
        return 2, str(value)
    if type(value) is LatticeCell:
        return 4, value.lattice.rank, value.at
    if isinstance(value, tuple):
        return 3, tuple(order_key(item) for item in value)
    return value.order_key()


# --- sets ------------------------------------------------------------------------------------------------------------
# Lists, sets, and ranges. A range is a set whose members are not stored one by one.


# The hash of a set larger than this uses only its size, so that a long range need not be written out.
LONG: Final = 4096


def apart(items: tuple[Any, ...]) -> tuple[Any, ...]:
    """Equal stand-ins for equal values, with fewer collisions of hashes. Python gives -1 and
    -2 one hash, and numbers that differ by a multiple of 2⁶¹ - 1; a list's hash would repeat theirs."""
    hashes = tuple(map(hash, items))
    return items if hashes == items else _stand_ins(items, hashes)


def _stand_ins(items: tuple[Any, ...], hashes: tuple[int, ...]) -> tuple[Any, ...]:
    """The same for values some of whose hashes are not themselves; others cost no call."""
    return tuple(
        [
            (item if hashed == item else str(item))
            if type(item) is int
            else apart(item)
            if type(item) is tuple and tuple(map(hash, item)) != item
            else item
            for item, hashed in zip(items, hashes, strict=True)
        ]
    )


class Seq:
    """A list. `items` is a tuple of its values."""

    __slots__ = ("_hash", "_measure", "items")

    def __init__(self, items: Iterable[Value] = ()) -> None:
        self.items: tuple[Value, ...] = tuple(items)
        self._hash = -1
        self._measure: tuple[int, int, int] | None = None

    def __iter__(self) -> Iterator[Value]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __contains__(self, value: object) -> bool:
        return value in self.items

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Seq) and self.items == other.items

    def __lt__(self, other: object) -> bool:
        return self.items < other.items if isinstance(other, Seq) else NotImplemented

    def order_key(self) -> tuple[Any, ...]:
        """Where it stands among all values (members.py)."""
        return 5, tuple(order_key(item) for item in self.items)

    def __reduce__(self) -> tuple[Any, ...]:
        return Seq, (self.items,)  # hashes differ from one process to the next

    def __hash__(self) -> int:
        if self._hash == -1:
            items = self.items
            hashes = tuple(map(hash, items))
            self._hash = hash(("list", items if hashes == items else _stand_ins(items, hashes)))
        return self._hash

    def __repr__(self) -> str:
        return f"Seq({self.items!r})"


class Set:
    """A set. It is walked in the order of `order_key`, and sorted once, when that is needed. Membership is O(1). A set
    that is made in order hashes its members only when one is asked for."""

    __slots__ = ("_hash", "_measure", "_members", "_ordered")

    def __init__(self, members: Iterable[Value] = ()) -> None:
        self._members: frozenset[Value] | None = frozenset(members)
        self._ordered: tuple[Value, ...] | None = None
        self._hash = -1
        self._measure: tuple[int, int, int] | None = None

    @classmethod
    def in_order(cls, ordered: tuple[Value, ...]) -> Set:
        """A set of values that are already in order and all different."""
        made = cls.__new__(cls)
        made._members = None
        made._ordered = ordered
        made._hash = -1
        made._measure = None
        return made

    @classmethod
    def all_in_order(cls, members: Iterable[tuple[Value, ...]]) -> Iterator[Set]:
        """`in_order` for many sets, in less time for each."""
        new = cls.__new__
        for ordered in members:
            made = new(cls)
            made._members = None
            made._ordered = ordered
            made._hash = -1
            made._measure = None
            yield made

    @property
    def parts(self) -> Collection[Value]:
        """The members in any order, without sorting or hashing them."""
        found = self._members if self._ordered is None else self._ordered
        return self.members if found is None else found

    @property
    def members(self) -> frozenset[Value]:
        """The members as a frozenset; a set in order, or a range, makes it when it is first asked for."""
        if self._members is None:
            assert self._ordered is not None
            self._members = frozenset(self._ordered)
        return self._members

    @property
    def ordered(self) -> tuple[Value, ...]:
        """The members in the documented order; sorted when first asked for."""
        if self._ordered is None:
            self._ordered = in_documented_order(self.members)
        return self._ordered

    def __iter__(self) -> Iterator[Value]:
        return iter(self.ordered)

    def __len__(self) -> int:
        return len(self.members if self._ordered is None else self._ordered)

    def __contains__(self, value: object) -> bool:
        return value in self.members

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(other) is not Set:
            return type(other) is Rng and other == self
        return (self._members or self.members) == (other._members or other.members)

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Set):
            return NotImplemented
        if type(self) is Rng or type(other) is Rng:
            return _before(self, other)
        return self.ordered < other.ordered

    def order_key(self) -> tuple[Any, ...]:
        """Where it stands among all values (members.py)."""
        return 6, _SetKey(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return Set.in_order, (self.ordered,)

    def __hash__(self) -> int:
        if self._hash == -1:
            size = len(self.parts)
            if size <= LONG:
                members = self._members or self.members
                hashes = frozenset(map(hash, members))  # fewer calls for each of many small sets than `apart`
                self._hash = hash(members if hashes == members else frozenset(apart(tuple(members))))
            else:
                self._hash = hash(("set", size))
        return self._hash

    def __repr__(self) -> str:
        return f"Set({list(self)!r})"


COMPARED_AS[Set] = attrgetter("ordered")


class Rng(Set):
    """`low..high`: the set of the whole numbers from low to high, written out only when that is needed.
    Membership, size, least and greatest take O(1). `high` is `low - 1` when the range is empty."""

    __slots__ = ("high", "low")

    def __init__(self, low: int, high: int) -> None:
        self.low = low
        self.high = max(high, low - 1)
        self._members = None
        self._ordered = None
        self._hash = -1
        self._measure = (1, 1, 0)

    @property
    def members(self) -> frozenset[Value]:
        """The members as a frozenset; a range makes it when it is first asked for."""
        if self._members is None:
            self._members = frozenset(range(self.low, self.high + 1))
        return self._members

    @property
    def ordered(self) -> tuple[Value, ...]:
        """The members in the documented order; sorted when first asked for."""
        if self._ordered is None:
            self._ordered = tuple(range(self.low, self.high + 1))
        return self._ordered

    @property
    def size(self) -> int:
        """The number of members, even if it is too large for `len`."""
        return self.high - self.low + 1

    def __iter__(self) -> Iterator[Value]:
        return iter(range(self.low, self.high + 1))

    def __len__(self) -> int:
        return self.high - self.low + 1

    def __contains__(self, value: object) -> bool:
        return type(value) is int and self.low <= value <= self.high

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Rng):
            return self.size == other.size and (self.size == 0 or self.low == other.low)
        return isinstance(other, Set) and self.size == len(other) and all(v in self for v in other.members)

    def __hash__(self) -> int:
        if self._hash == -1:
            small = self.size <= LONG
            self._hash = hash(frozenset(apart(tuple(self))) if small else ("set", self.size))
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        return Rng, (self.low, self.high)


class _SetKey:
    """A key that compares sets member by member, only as far as needed, because a range may be long."""

    __slots__ = ("of",)

    def __init__(self, of: Set) -> None:
        self.of = of

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _SetKey) and self.of == other.of

    def __lt__(self, other: _SetKey) -> bool:
        return _before(self.of, other.of)

    __hash__ = None  # type: ignore[assignment]


def _before(left: Set, right: Set) -> bool:
    """Whether the members of left, in order, come before those of right."""
    if isinstance(left, Rng) and isinstance(right, Rng) and left.size and right.size:
        return (left.low, left.high) < (right.low, right.high)
    for one, other in zip(left, right, strict=False):
        if one != other:
            return order_key(one) < order_key(other)
    return size_of(left) < size_of(right)


def size_of(value: Set | Seq | Map | tuple[Any, ...] | str) -> int:
    """The number of members, also of a range too long for `len`."""
    return value.size if isinstance(value, Rng) else len(value)


# --- maps ------------------------------------------------------------------------------------------------------------
# Values with keys or fields: grids and other maps, and the rows of tables.


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
        """Where it stands among all values (members.py)."""
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
        """Where it stands among all values (members.py)."""
        return 8, tuple(order_key(item) for item in self.items), self.names

    def __reduce__(self) -> tuple[Any, ...]:
        return Record, (self.names, self.items)

    def __hash__(self) -> int:
        if self._hash == -1:
            self._hash = hash((self.names, self.items))
        return self._hash

    def __repr__(self) -> str:
        return f"Record({dict(zip(self.names, self.items, strict=True))!r})"


# --- kinds -----------------------------------------------------------------------------------------------------------
# All the kinds of value, and how messages name them.


Value: TypeAlias = Union["Truth", int, str, tuple[Any, ...], "Seq", "Set", "Map", "Record", "Isometry", "Motion"]

_KINDS: dict[type, str] = {
    Truth: "true or false",
    int: "a whole number",
    str: "text",
    Piece: "a piece",
    FileText: "text",
    tuple: "a tuple",
    LatticeCell: "a cell of a lattice",
    Seq: "a list",
    Set: "a set",
    Rng: "a set",
    Map: "a grid",
    Record: "a record",
    Isometry: "a symmetry",
    Motion: "a symmetry",
}


def kind_of(value: Value) -> str:
    """The kind of a value, as messages name it: `a whole number`, `text`, `a set` …"""
    if isinstance(value, Map) and not value.pictured:
        return "a map"
    return _KINDS[type(value)]


def alike(left: Value, right: Value) -> bool:
    """Whether two values are of the same kind; a piece counts as text and a range as a set."""
    return _kind(left) is _kind(right)


def _kind(value: Value) -> type:
    kind = type(value)
    if isinstance(value, str):
        return str
    return Set if kind is Rng else kind
