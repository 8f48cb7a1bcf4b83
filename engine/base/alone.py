"""One thread at a time: a kernel has one state, and compiled code does not check whether another thread is using it."""

from __future__ import annotations

from threading import Lock


class Alone:
    """`with alone:` lets only one thread in. Raises RuntimeError at once if another, or the same, thread is inside.

    It does not wait, because an estimate that asks its own search would wait for ever.
    """

    def __init__(self, what: str) -> None:
        """what: what is searched or drawn, for the message."""
        self._lock, self._what = Lock(), what

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise RuntimeError(f"this {self._what} is running already: every thread needs one of its own")

    def __exit__(self, *_: object) -> None:
        self._lock.release()
