"""Values that `covr.frozen.frozen` makes are those that attrs makes."""

from __future__ import annotations

import copy
import inspect
import pickle
import weakref
from collections.abc import Callable
from functools import cached_property
from typing import Any

import attrs
import pytest

from covr import frozen as module
from covr.frozen import evolve, frozen


def classes() -> list[Any]:
    """Classes as they are written, new each time, because attrs changes what it is given."""

    class Plain:
        a: int
        b: str = attrs.field(repr=False)
        c: tuple[int, ...] = ()
        d: list[int] = attrs.field(factory=list, eq=False)
        e: int = attrs.field(default=3, eq=False, repr=False)

        @property
        def both(self) -> int:
            return self.a + self.e

        def __str__(self) -> str:
            return "plain"

    class Empty:
        pass

    class Checked:
        a: int = attrs.field(validator=attrs.validators.ge(0))

        @cached_property
        def double(self) -> int:
            return 2 * self.a

    class Hidden:
        a: int
        _kept: list[int] = attrs.field(factory=list, init=False, eq=False, repr=False)

    class Private:
        a: int
        _b: str = attrs.field(default="", eq=False)
        _c: int = 4

        @property
        def both(self) -> str:
            return self._b * self._c

    class Own:
        a: int

        def __repr__(self) -> str:
            return "own"

    class Named:
        a: int
        e: tuple[int, ...] = attrs.field(default=(), kw_only=True)
        both: bool = attrs.field(kw_only=True, default=False)
        d: list[int] = attrs.field(factory=list, kw_only=True)
        kept: int = attrs.field(default=7, init=False)
        span: int = attrs.field(default=0, eq=False)

    class Must:
        e: int = attrs.field(kw_only=True)
        a: int = attrs.field(default=1)

    class Never:
        a: int
        never: int = attrs.field(init=False)

    return [Plain, Empty, Checked, Hidden, Private, Named, Must, Never, Own]


def named(made: Any, name: str) -> Any:
    """The same class where pickle looks for it."""
    made.__qualname__ = name
    globals()[name] = made
    return made


VALUES: dict[str, list[tuple[Any, ...]]] = {
    "Plain": [(1, "x"), (1, "x", (2,)), (1, "x", (), [4], 9), (2, "x")],
    "Empty": [()],
    "Checked": [(3,)],
    "Hidden": [(1,)],
    "Private": [(1,), (1, "x"), (1, "y", 2), (2, "x", 3)],
    "Named": [(1,), (1, 2), (2, 2)],
    "Must": [(), (1,)],
    "Own": [(1,)],
}
OURS = {cls.__name__: named(frozen(cls), f"our_{cls.__name__}") for cls in classes()}
THEIRS = {cls.__name__: named(attrs.frozen(cls), f"their_{cls.__name__}") for cls in classes()}


def outcome(ask: Callable[[], Any]) -> Any:
    """What asking gives, or the kind of its fault."""
    try:
        found = ask()
    except Exception as fault:
        return type(fault)
    return repr(found).partition("_")[2] if type(found) in {*OURS.values(), *THEIRS.values()} else found


QUESTIONS: list[Callable[[Any, tuple[Any, ...]], Any]] = [
    lambda cls, args: repr(cls(*args)).partition("_")[2],
    lambda cls, args: str(cls(*args)).rpartition("_")[2],
    lambda cls, args: cls(*args) == cls(*args),
    lambda cls, args: cls(*args) == args,
    lambda cls, args: hash(cls(*args)) == hash(cls(*args)),
    lambda cls, args: pickle.loads(pickle.dumps(cls(*args))) == cls(*args),
    lambda cls, args: copy.deepcopy(cls(*args)) == cls(*args),
    lambda cls, args: attrs.asdict(cls(*args)),
    lambda cls, args: [(f.name, f.default, f.eq, f.repr, f.init, f.type) for f in attrs.fields(cls)],
    lambda cls, args: attrs.evolve(cls(*args), a=5) == cls(*args),
    lambda cls, args: attrs.evolve(cls(*args), a=5).a,
    lambda cls, args: setattr(cls(*args), "a", 1),
    lambda cls, args: setattr(cls(*args), "other", 1),
    lambda cls, args: delattr(cls(*args), "a"),
    lambda cls, args: cls(*args, *range(9)),
    lambda cls, args: cls(*args[:1]),
    lambda cls, args: cls(unknown=1),
    lambda cls, args: cls(*args, e=(4,)) == cls(*args, e=(4,)),
    lambda cls, args: cls(*args, e=(4,)) == cls(*args),
    lambda cls, args: repr(cls(*args, e=(4,))).partition("_")[2],
    lambda cls, args: cls(*args, kept=3),
    lambda cls, args: cls(*args).kept,
    lambda cls, args: cls(*args, both=True).both,
    lambda cls, args: cls(**dict(zip(inspect.signature(cls).parameters, args, strict=False))) == cls(*args),
    lambda cls, args: list(inspect.signature(cls).parameters),
    lambda cls, args: cls.__match_args__,
    lambda cls, args: cls(*args).d is cls(*args).d,
    lambda cls, args: cls(*args).both,
    lambda cls, args: cls(*args).double,
    lambda cls, args: cls(-1),
    lambda cls, args: weakref.ref(cls(*args))(),
    lambda cls, args: hasattr(cls(*args), "__dict__"),
]  # fmt: skip


@pytest.mark.parametrize("name", VALUES)
def test_values_are_as_attrs_makes_them(name: str) -> None:
    for args in VALUES[name]:
        for ask in QUESTIONS:
            ours, theirs = (outcome(lambda: ask(made[name], args)) for made in (OURS, THEIRS))  # noqa: B023
            assert ours == theirs, (name, args, inspect.getsource(ask))
    more = {"e": 2} if name == "Must" else {}
    ours, theirs = ([made[name](*args, **more) for args in VALUES[name]] for made in (OURS, THEIRS))
    assert [[one == other for one in ours] for other in ours] == [[one == other for one in theirs] for other in theirs]


@pytest.mark.parametrize("changes", [{}, {"a": 5}, {"b": "z", "c": ()}, {"e": 8}, {"kept": 3}, {"unknown": 1}])
@pytest.mark.parametrize("name", VALUES)
def test_values_are_changed_as_attrs_changes_them(name: str, changes: dict[str, Any]) -> None:
    more = {"e": 2} if name == "Must" else {}
    for args in VALUES[name]:
        value = OURS[name](*args, **more)
        ours, theirs = (outcome(lambda: change(value, **changes)) for change in (evolve, attrs.evolve))  # noqa: B023
        assert ours == theirs


def test_the_names_of_fields_are_those_that_attrs_tells() -> None:
    for made in OURS.values():
        assert module.names_of(made) == tuple(f.name for f in attrs.fields(made))
    assert module.names_of(THEIRS["Plain"]) == ()


def test_what_is_unusual_is_left_to_attrs() -> None:
    assert [module._fields_of(cls) is None for cls in classes()] == [
        False,
        False,
        True,
        False,
        False,
        False,
        False,
        True,
        False,
    ]
