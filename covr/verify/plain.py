"""Stands in for the module `cython` where _units.py runs interpreted and Cython is not installed: it does nothing."""

from __future__ import annotations

from typing import Any

compiled = False


def _same(thing: Any) -> Any:
    return thing


cclass = cfunc = final = _same
