"""`frozen`, and `evolve`: attrs' own, made in a fifth of the time.

attrs writes and compiles four methods of each class at each start. Here `__init__` is compiled once for each way of
taking the fields; the other three work on the fields of any class. What attrs knows of a class (`attrs.fields`) is
worked out when it is asked for. A class with a validator, a cached property or anything else that is not spelt out here
is made by attrs, and given the three methods. Type checkers are told that these are attrs' `frozen` and `evolve`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from operator import attrgetter
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple

import attrs
from attrs.exceptions import FrozenInstanceError

if TYPE_CHECKING:
    from attrs import evolve as evolve
    from attrs import frozen as frozen
else:

    def evolve(value: Any, **changes: Any) -> Any:
        """`attrs.evolve`, for values of the classes that `frozen` makes. attrs first works out what it knows of a
        class, which takes up to 1 ms."""
        kept = {called: getattr(value, name) for name, called in _TAKEN[type(value)] if called not in changes}
        return type(value)(**kept, **changes)

    def frozen(cls: type | None = None, *, eq: bool = True, **options: bool) -> Any:
        """`attrs.frozen`."""
        if cls is None:
            return lambda it: frozen(it, eq=eq, **options)
        fields = None if options else _fields_of(cls)
        if fields is not None:
            made = _made(cls, fields)
        else:
            made = attrs.frozen(cls, eq=False, repr=False, **options)
            fields = [_Field(f.name, None, None, bool(f.eq), bool(f.repr), "p", False) for f in attrs.fields(made)]
        _NAMES[made] = tuple([field.name for field in fields])
        _TAKEN[made] = _taken_by(made, fields)
        return _with_methods(made, fields, eq)


_NAMES: dict[type, tuple[str, ...]] = {}
_TAKEN: dict[type, tuple[tuple[str, str], ...]] = {}


def names_of(kind: type) -> tuple[str, ...]:
    """The names of the fields of a class that `frozen` made, in order; none for any other class."""
    return _NAMES.get(kind, ())


def _taken_by(made: type, fields: Sequence[_Field]) -> tuple[tuple[str, str], ...]:
    """The fields that `__init__` of the class takes, each with what it is called there."""
    if isinstance(made.__dict__.get("__attrs_attrs__"), _Fields):
        return tuple([(field.name, field.name.removeprefix("_")) for field in fields if field.how != "n"])
    return tuple([(field.name, field.alias) for field in attrs.fields(made) if field.init])


class _Field(NamedTuple):
    """A field.

    default, factory: its default, or what makes it.  eq, repr: whether it is compared, and shown.
    how: `p`, taken by `__init__` by its position; `k`, by its name alone; `n`, not at all.
    optional: whether there is a value where none is given."""

    name: str
    default: Any
    factory: Callable[[], Any] | None
    eq: bool
    repr: bool
    how: str
    optional: bool


_FIELD = type(attrs.field())
_OWN_METHODS = frozenset({
    "__init__", "__attrs_post_init__", "__attrs_pre_init__", "__setattr__", "__delattr__", "__getattr__",
    "__getstate__", "__setstate__", "__slots__", "__new__", "__match_args__",
})  # fmt: skip


def _fields_of(cls: type) -> list[_Field] | None:
    """The fields of a class; None if there is anything in it that attrs had better see to."""
    inside = cls.__dict__
    bases = cls.__mro__[1:-1]
    if type(cls) is not type or any("__dict__" in b.__dict__ or "__weakref__" in b.__dict__ for b in bases):
        return None
    if not _OWN_METHODS.isdisjoint(inside) or any(map(_is_special, inside.values())):
        return None
    found = [_field(name, inside.get(name, attrs.NOTHING)) for name in cls.__annotations__]
    whole = [field for field in found if field is not None]
    optional = [field.optional for field in whole if field.how == "p"]
    if len(whole) < len(found) or optional != sorted(optional):
        return None
    return None if any("ClassVar" in str(of) for of in cls.__annotations__.values()) else whole


def _is_special(value: object) -> bool:
    """Whether something in a class must be made for the class it stands in: a cached property, or a method that says
    `super`."""
    if isinstance(value, property):
        return _is_special(value.fget)
    if isinstance(value, staticmethod | classmethod):
        return _is_special(value.__func__)
    return isinstance(value, cached_property) or "__class__" in getattr(
        getattr(value, "__code__", None), "co_freevars", ()
    )


_UNUSUAL = {
    "_validator": None, "converter": None, "kw_only": (None, False, True), "alias": None, "on_setattr": None,
    "eq_key": None, "hash": None, "init": (True, False), "eq": (True, False), "repr": (True, False),
}  # fmt: skip


def _field(name: str, given: Any) -> _Field | None:
    """A field from what stands behind its name in the class; None if it is an unusual one."""
    if name.startswith("__"):
        return None
    if type(given) is attrs.Factory:
        return None
    if type(given) is not _FIELD:
        return _Field(name, given, None, True, True, "p", given is not attrs.NOTHING)
    for what, usual in _UNUSUAL.items():
        said = getattr(given, what, attrs.NOTHING)
        if said not in (usual if usual is not None else (None,)):
            return None
    default, factory = given._default, None
    if isinstance(default, attrs.Factory):  # type: ignore[arg-type]  # a function for type checkers, and a class
        if default.takes_self:
            return None
        factory, default = default.factory, attrs.NOTHING
    how = "n" if not given.init else "k" if given.kw_only else "p"
    optional = default is not attrs.NOTHING or factory is not None
    return _Field(name, default, factory, given.eq, given.repr, how, optional) if given.init or optional else None


# --- classes ------------------------------------------------------------------------------------------------


class _Fields:
    """`__attrs_attrs__` of a class: what attrs knows of it, which it works out when it is first asked."""

    def __init__(self, written: type) -> None:
        self._written = written
        self._known: Any = None

    def __get__(self, _: object, owner: type) -> Any:
        if self._known is None:
            self._known = attrs.fields(attrs.frozen(self._written, eq=False, repr=False))
        return self._known


def _made(cls: type, fields: list[_Field]) -> type:
    """The class with slots for its fields, which can't be changed."""
    names = tuple([field.name for field in fields])
    inside = {name: value for name, value in cls.__dict__.items() if name not in {*names, "__dict__", "__weakref__"}}
    inside |= {
        "__slots__": (*names, "__weakref__"),
        "__match_args__": tuple([f.name for f in fields if f.how == "p"]),
        "__attrs_attrs__": _Fields(cls),
        "__setattr__": _refuse,
        "__delattr__": _refuse,
        "__getstate__": lambda self: {name: getattr(self, name) for name in names},
        "__setstate__": _restore,
        "__qualname__": cls.__qualname__,
    }
    made = type(cls.__name__, cls.__bases__, inside)
    setters = [_setter(getattr(made, f.name).__set__, f) for f in fields]
    taken = [f for how in "pk" for f in fields if f.how == how]
    arguments = [f.name.removeprefix("_") for f in taken]  # as attrs calls them
    code = _initial("".join([f.how for f in fields])).replace(
        co_varnames=("self", *arguments), co_qualname=f"{cls.__qualname__}.__init__"
    )
    defaults = tuple([f.default for f in taken if f.how == "p" and f.optional])
    made.__init__ = FunctionType(code, {f"s{at}": set_ for at, set_ in enumerate(setters)}, "__init__", defaults)  # type: ignore[misc]
    made.__init__.__kwdefaults__ = {  # type: ignore[misc]
        name: f.default for name, f in zip(arguments, taken, strict=True) if f.how == "k" and f.optional
    }
    return made


def _setter(set_: Callable[[Any, Any], None], field: _Field) -> Callable[..., None]:
    """What sets a field; where no value is given for it, to its default, or to what the factory makes."""
    default, factory = field.default, field.factory
    if field.how == "n":
        return lambda self: set_(self, default if factory is None else factory())
    if factory is None:
        return set_
    return lambda self, value: set_(self, factory() if value is attrs.NOTHING else value)


@lru_cache
def _initial(fields: str) -> CodeType:
    """The code of an `__init__`. fields: for each how it is taken."""
    every = [(f"a{at}" if how != "n" else "", how) for at, how in enumerate(fields)]
    taken = ["self", *(name for name, how in every if how == "p"), *(["*"] if "k" in fields else [])]
    taken += [name for name, how in every if how == "k"]
    sets = [f" s{at}(self, {name})" if name else f" s{at}(self)" for at, (name, _) in enumerate(every)]
    space: dict[str, Any] = {}
    exec("\n".join([f"def __init__({', '.join(taken)}):", *sets, " return None"]), space)
    return space["__init__"].__code__  # type: ignore[no-any-return]


def _refuse(self: object, *_: object) -> None:
    raise FrozenInstanceError


def _restore(self: object, state: dict[str, Any]) -> None:
    for name, value in state.items():
        object.__setattr__(self, name, value)


def _with_methods(made: type, fields: list[_Field], compared: bool) -> type:
    """Give a class the methods that it does not define itself. compared: whether values are compared by their
    fields."""
    parts = _parts(tuple(f.name for f in fields if f.eq))
    told = tuple(f.name for f in fields if f.repr)

    def equal(self: Any, other: object) -> Any:
        return parts(self) == parts(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: Any) -> int:
        return hash((made, parts(self)))

    def shown(self: Any) -> str:
        values = ", ".join(f"{name}={getattr(self, name, attrs.NOTHING)!r}" for name in told)
        return f"{type(self).__qualname__.rpartition('>.')[2]}({values})"

    methods = {"__repr__": shown, **({"__eq__": equal, "__hash__": hashed} if compared else {})}
    for name, method in methods.items():
        if made.__dict__.get(name) is None:
            method.__name__, method.__qualname__ = name, f"{made.__qualname__}.{name}"
            setattr(made, name, method)
    return made


def _parts(names: tuple[str, ...]) -> Any:
    """A function that gives what two values have in common if they are equal."""
    return attrgetter(*names) if names else lambda _: ()
