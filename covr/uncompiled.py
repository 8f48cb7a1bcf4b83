"""Stands in for the module `cython` where a kernel runs interpreted and Cython is not installed: it does nothing."""

from __future__ import annotations

from typing import Any

compiled = False
int = None


def declare(kind: object, value: Any = None, visibility: str = "") -> Any:
    """The value itself."""
    return value


def _same(thing: Any) -> Any:
    return thing


def freelist(size: object) -> Any:
    """A decorator that changes nothing."""
    return _same


cclass = ccall = cfunc = final = inline = _same
