"""`frozen`: attrs' own, without the source of methods that a run seldom calls.

attrs writes the source of `__init__`, `__eq__`, `__hash__` and `__repr__` of each class, and Python compiles it each
time covr starts, for the 135 classes that `covr solve sudoku` needs. Here attrs makes the class and its `__init__`; the
other three are functions that work on the fields of any class, and do the same. So a class takes half the time to make.
(`dataclasses` take half as long again as attrs.)

Not taken: keeping what Python compiled from the source in a file, because attrs offers no way to hand it over.

Type checkers are told that this is attrs' `frozen`.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    from attrs import frozen as frozen
else:

    def frozen(cls: type | None = None, *, eq: bool = True, **options: bool) -> Any:
        """`attrs.frozen`."""
        if cls is None:
            return lambda it: frozen(it, eq=eq, **options)
        return _with_methods(attrs.frozen(cls, eq=False, repr=False, **options), eq)


def _with_methods(made: type, compared: bool) -> type:
    """Give a class of attrs the methods that it does not define itself. compared: whether values are compared by their
    fields."""
    fields = attrs.fields(made)
    parts = _parts(tuple(f.name for f in fields if f.eq))
    told = tuple(f.name for f in fields if f.repr)

    def equal(self: Any, other: object) -> Any:
        return parts(self) == parts(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: Any) -> int:
        return hash((made, parts(self)))

    def shown(self: Any) -> str:
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in told)
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
