"""Lists, sets, and ranges. A range is a set whose members are not stored one by one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from covr.compiler.evaluate.values.order import COMPARED_AS, in_documented_order, order_key

if TYPE_CHECKING:
    from covr.compiler.evaluate.values.kinds import Value
    from covr.compiler.evaluate.values.maps import Map

# The hash of a set larger than this uses only its size, so that a long range need not be written out.
LONG: Final = 4096


def apart(items: tuple[Any, ...]) -> tuple[Any, ...]:
    """Stand-ins whose hashes differ where those of the values do not: equal ones for equal values. Python gives -1 and
    -2 one hash, and numbers that differ by a multiple of 2⁶¹ - 1; a list's hash would repeat theirs."""
    hashes = tuple(map(hash, items))
    return items if hashes == items else _stand_ins(items, hashes)


def _stand_ins(items: tuple[Any, ...], hashes: tuple[int, ...]) -> tuple[Any, ...]:
    """The same, where some hashes are not the values themselves; it makes no call for a value that is its own."""
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
        """Where it stands among all values (order.py)."""
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
        """Where it stands among all values (order.py)."""
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
