"""What expressions evaluate to: the kinds of value, their order, and how they are printed.

A value is one of

    Truth    true or false: the two objects TRUE and FALSE. Python's own `True == 1` would make `{1, true}` a set of
             one, so Python's bool never stands for a value; conditions inside the compiler use it freely
    int      a whole number, a plain Python int
    str      text; `Piece`, a text that knows its cells, equals the text of its name
    tuple    `(r, c)`, a plain Python tuple of values; `LatticeCell`, a cell of a lattice, is never equal to one
    Seq      `[a, b]`
    Set      `{a, b}`; `Rng`, a range that is not written out, equals the set of its members
    Map      a grid: keys to values
    Record   a row of a table
    Isometry a motion of squares or cubes, what `symmetries(area)` holds (see geometry); `Motion`, one of a lattice

All of them are immutable and hashable, and Python's `==` between values is the language's `=`: values of different
kinds are never equal. `order_key` is a total order over all values, in the order of kinds above; a Set is visited in
this order. A hash is kept once it is computed, since sets of cells are indices of choices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias, Union

from covr.compiler.lattices.lattice import Cell, Lattice, LatticeCell, Matrix
from covr.dsl.source import Source, Span

Value: TypeAlias = Union["Truth", int, str, tuple[Any, ...], "Seq", "Set", "Map", "Record", "Isometry", "Motion"]

# The hash of a set larger than this uses only its size, so that a long range need not be written out.
LONG: Final = 4096


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

    def __reduce__(self) -> tuple[Any, ...]:
        return truth, (self.holds,)


TRUE: Final = Truth(True)
FALSE: Final = Truth(False)


def truth(holds: object) -> Truth:
    """The value for a Python condition."""
    return TRUE if holds else FALSE


class Piece(str):
    """A piece of `pieces` or `solids`: the text of its letter, which also knows its cells.

    It equals and hashes as its letter, so `p = "A"` holds and `put("A", s)` names the same choice as `put(p, s)`.
    """

    __slots__ = ("cells",)

    cells: Set

    def __new__(cls, letter: str, cells: Set) -> Piece:
        piece = super().__new__(cls, letter)
        piece.cells = cells
        return piece

    def __reduce__(self) -> tuple[Any, ...]:
        return Piece, (str(self), self.cells)


class FileText(str):
    """The value of `file("…")`: text that knows its Source, so that a reader can show the place of a fault."""

    __slots__ = ("source",)

    source: Source

    def __new__(cls, source: Source) -> FileText:
        made = super().__new__(cls, source.text)
        made.source = source
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return FileText, (self.source,)


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

    def __hash__(self) -> int:
        if self._hash == -1:
            self._hash = hash(("list", self.items))
        return self._hash

    def __repr__(self) -> str:
        return f"Seq({self.items!r})"


class Set:
    """A set. It is walked in the order of `order_key`, and sorted once, when that is needed. Membership is O(1).

    A set that is made in order hashes its members only when somebody asks for one.
    """

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
    def of_copies(cls, sets: tuple[Set, ...]) -> Set:
        """A set of sets that are in order, all different, and all of the same measure, which is taken once."""
        made = cls.in_order(sets)
        if sets:
            weight, depth, length = measure(sets[0])
            for one in sets:
                one._measure = weight, depth, length
            made._measure = 1 + len(sets) * weight, depth + 1, len(sets) * length
        return made

    @property
    def parts(self) -> Iterable[Value]:
        """The members in any order, without sorting or hashing them."""
        return self.members if self._ordered is None else self._ordered

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
        if not isinstance(other, Set):
            return False
        if type(other) is Rng:
            return other == self
        return self.members == other.members

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Set):
            return NotImplemented
        if type(self) is Rng or type(other) is Rng:
            return _before(self, other)
        return self.ordered < other.ordered

    def __hash__(self) -> int:
        if self._hash == -1:
            size = len(self)
            self._hash = hash(self.members) if size <= LONG else hash(("set", size))
        return self._hash

    def __repr__(self) -> str:
        return f"Set({list(self)!r})"


class Rng(Set):
    """`low..high`: the set of the whole numbers from low to high, written out only when somebody needs that.

    Membership, size, least and greatest take O(1). `high` is `low - 1` when the range is empty.
    """

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
            self._hash = hash(frozenset(self) if small else ("set", self.size))
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        return Rng, (self.low, self.high)


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

    def __hash__(self) -> int:
        if self._hash == -1:
            self._hash = hash((self.names, self.items))
        return self._hash

    def __repr__(self) -> str:
        return f"Record({dict(zip(self.names, self.items, strict=True))!r})"


class Isometry:
    """A motion that carries whole-number cells to whole-number cells: permute the axes, flip some, then shift.

    Cell x goes to the cell whose coordinate a is `signs[a] * x[axes[a]] + shift[a]`.
    """

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

    def __hash__(self) -> int:
        return hash(self.parts)

    def __repr__(self) -> str:
        return f"Motion({self.lattice.name}, {self.matrix!r}, {self.step!r})"


# --- order ------------------------------------------------------------------------------------------------


def in_documented_order(values: Iterable[Value]) -> tuple[Value, ...]:
    """The values sorted by `order_key`.

    Python's own comparison agrees with the documented order wherever it is defined and is much faster, so it is
    tried first; it raises TypeError where unlike kinds meet.
    """
    listed = list(values)
    try:
        listed.sort()
    except TypeError:
        listed.sort(key=order_key)
    return tuple(listed)


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
    return _ORDER[type(value)](value)


_ORDER: dict[type, Callable[[Any], tuple[Any, ...]]] = {
    Truth: lambda v: (0, v.holds),
    Seq: lambda v: (5, tuple(order_key(item) for item in v.items)),
    Set: lambda v: (6, _SetKey(v)),
    Rng: lambda v: (6, _SetKey(v)),
    Map: lambda v: (7, tuple((order_key(k), order_key(x)) for k, x in v.entries.items())),
    Record: lambda v: (8, tuple(order_key(item) for item in v.items), v.names),
    Isometry: lambda v: (9, v.parts),
    Motion: lambda v: (10, v.parts),
}


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


def _measured(parts: Iterable[Value]) -> tuple[int, int, int]:
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


# --- words and printing ------------------------------------------------------------------------------------

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
    return _KINDS[type(value)]


def alike(left: Value, right: Value) -> bool:
    """Whether two values are of the same kind; a piece counts as text and a range as a set."""
    return _kind(left) is _kind(right)


def _kind(value: Value) -> type:
    kind = type(value)
    if isinstance(value, str):
        return str
    return Set if kind is Rng else kind


# Python refuses to print an int with more digits than this; the limits of covr keep numbers below that.
_PRINTABLE_BITS: Final = 14_000


def show_value(value: Value) -> str:
    """A value as messages, names and pictures print it: text bare, `(2, 3)`, `{1, 2}`, a record by its first field.

    A range is printed as the model writes it. Text inside a list or set is bare too: `[a, b]`.
    """
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int):
        if value.bit_length() > _PRINTABLE_BITS:
            return f"a number of {value.bit_length()} bits"
        return str(value)
    if type(value) is LatticeCell:
        return f"{value.lattice.name}({_row(value.at)})"
    if isinstance(value, tuple):
        return f"({show_value(value[0])},)" if len(value) == 1 else f"({_row(value)})"
    if isinstance(value, Seq):
        return f"[{_row(value.items)}]"
    if isinstance(value, Rng) and value.size > 2:
        return f"{value.low}..{value.high}"
    if isinstance(value, Set):
        return f"{{{_row(value.ordered)}}}"
    return _SHOWN[type(value)](value)


def _row(values: Iterable[Value]) -> str:
    return ", ".join(map(show_value, values))


def _show_map(value: Map) -> str:
    return "{" + ", ".join(f"{show_value(k)}: {show_value(v)}" for k, v in value.entries.items()) + "}"


def _show_isometry(value: Isometry) -> str:
    terms = []
    for axis, sign, shift in zip(value.axes, value.signs, value.shift, strict=True):
        name = ("rc" if len(value.axes) == 2 else "zrc")[axis]
        if sign > 0:
            terms.append(name + (f" + {shift}" if shift > 0 else f" - {-shift}" if shift else ""))
        else:
            terms.append(f"{shift} - {name}" if shift else f"-{name}")
    return f"({', '.join(terms)})"


def _show_motion(value: Motion) -> str:
    """Which member of the point group it is, counted from 1 for the identity, and the step."""
    number = value.lattice.motions.index(value.matrix) + 1
    kind = "rotation" if value.matrix in value.lattice.rotations else "reflection"
    number -= 0 if kind == "rotation" else len(value.lattice.rotations)
    return f"{kind} {number} of {value.lattice.name} and step ({_row(value.step)})"


_SHOWN: dict[type, Callable[[Any], str]] = {
    Truth: lambda v: "true" if v.holds else "false",
    Map: _show_map,
    Record: lambda v: show_value(v.items[0]) if v.items else "()",
    Isometry: _show_isometry,
    Motion: _show_motion,
}


def abbreviate(value: Value, width: int = 60) -> str:
    """`show_value` for a message: long values cut short, text in quotes."""
    if isinstance(value, Set | Map | Seq | tuple) and measure(value)[0] > 10 * width:
        return f"{kind_of(value)} of {len(value)}"
    shown = show_value(value)
    if isinstance(value, str):
        shown = f'"{shown}"'
    return shown if len(shown) <= width else shown[: width - 1] + "…"
