"""What the kernels ask of `cython` when they run interpreted and Cython is not installed: nothing happens."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

compiled = False
int = longlong = p_int = p_longlong = None  # kinds are never looked at


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
    return _same


def boundscheck(on: bool) -> Callable[[Any], Any]:
    return _same


wraparound = initializedcheck = cdivision = boundscheck


def declare(kind: object, value: Any) -> Any:
    return value
