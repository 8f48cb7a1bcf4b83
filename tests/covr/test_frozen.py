"""covr's `frozen` makes what attrs' makes."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import attrs
import pytest
from attrs import field

from covr.frozen import frozen


def _classes(make: Any) -> tuple[type, ...]:
    """The same classes, made by each of the two."""

    @make
    class Nothing:
        pass

    @make
    class One:
        a: Any

    @make
    class Two:
        a: Any
        _b: Any = 3
        c: Any = field(default=0, eq=False)
        d: Any = field(default=0, repr=False)

    @make
    class Child(One):
        b: Any = 0

    @make(eq=False)
    class Single:
        a: Any

    @make(slots=False, kw_only=True)
    class Open:
        a: Any

    @make
    class Own:
        a: Any

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 1

        def __repr__(self) -> str:
            return "own"

    return Nothing, One, Two, Child, Single, Open, Own


def _values(make: Any) -> list[Any]:
    nothing, one, two, child, single, open_, own = _classes(make)
    some = [nothing(), nothing(), one(1), one(1), one((1,)), one("x"), two(1), two(1, 3, c=5), two(1, d=1), two(1, b=4)]
    return [*some, child(1), child(1, 2), single(1), single(1), open_(a=1), open_(a=1), own(1), own(2), 1, (1, 3, 0)]


OURS, THEIRS = _values(frozen), _values(attrs.frozen)


def test_values_are_equal_where_those_of_attrs_are() -> None:
    for a, theirs_a in zip(OURS, THEIRS, strict=True):
        assert [a == b for b in OURS] == [theirs_a == b for b in THEIRS]
        assert [a != b for b in OURS] == [theirs_a != b for b in THEIRS]
    assert all(hash(a) == hash(b) for a in OURS for b in OURS if a == b and type(a) is type(b))
    assert len({a for a in OURS if type(a).__name__ != "Own"}) == len({a for a in THEIRS if type(a).__name__ != "Own"})


def test_values_are_shown_as_those_of_attrs() -> None:
    assert [repr(a) for a in OURS] == [repr(a) for a in THEIRS]


@pytest.mark.parametrize("make", [frozen, attrs.frozen])
def test_values_stay_as_they_are(make: Any) -> None:
    value = _classes(make)[1](1)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        value.a = 2
    assert attrs.evolve(value, a=2).a == 2
    assert copy.copy(value) == copy.deepcopy(value) == value


@frozen
class Kept:
    """A value that is sent to another process."""

    a: int


def test_values_can_be_sent() -> None:
    assert pickle.loads(pickle.dumps(Kept(3))) == Kept(3)
