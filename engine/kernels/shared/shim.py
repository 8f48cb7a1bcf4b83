"""Stands in for the module `cython` when kernels run interpreted and Cython is not installed: nothing has an effect."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

compiled = False
int = short = longlong = ulonglong = Py_ssize_t = None  # no type is used at run time except `double`, by `cast`
p_int = p_short = p_schar = p_longlong = p_ulonglong = p_double = None
double = "double"


class _NoGil:
    def __call__(self, function: Any) -> Any:
        return function

    def __enter__(self) -> None: ...

    def __exit__(self, *error: object) -> None: ...


nogil = _NoGil()
gil: AbstractContextManager[None] = nullcontext()


def _same(function: Any) -> Any:
    return function


cclass = cfunc = inline = final = _same


def exceptval(*value: object, check: bool = False) -> Callable[[Any], Any]:
    """A decorator that changes nothing."""
    return _same


def boundscheck(on: bool) -> Callable[[Any], Any]:
    """A decorator that changes nothing."""
    return _same


wraparound = initializedcheck = cdivision = boundscheck


def cast(kind: object, value: Any) -> Any:
    """The value as C casts it: rounded towards 0, unless `kind` is double."""
    return value if kind is double else value.__trunc__()


def declare(kind: object, value: Any) -> Any:
    """The value itself."""
    return value
