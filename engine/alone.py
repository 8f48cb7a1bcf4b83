"""One thread at a time: a kernel has one state, and compiled code does not look whether somebody else is at it."""

from __future__ import annotations

from threading import Lock


class Alone:
    """`with alone:` — nobody else is inside meanwhile. Raises RuntimeError where somebody is, at once: to wait would
    never end for an estimate that asks its own search."""

    def __init__(self, what: str) -> None:
        """what: is searched or drawn, in words."""
        self._lock, self._what = Lock(), what

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise RuntimeError(f"this {self._what} is running already: every thread needs one of its own")

    def __exit__(self, *_: object) -> None:
        self._lock.release()
