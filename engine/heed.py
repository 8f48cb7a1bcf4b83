"""Limits and interrupts where no kernel runs: while a search is made ready, split, or cut into pieces.

A search looks at its limits between slices. What is done before and between them takes seconds on problems of 10⁵
options; so it calls `look` every few milliseconds, wherever it stands, and whoever started it says by `heeding` what is
to be looked at. That is per thread, and not an argument, since it concerns every function that walks a whole problem.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import local
from time import perf_counter
from typing import TypeVar

from covr.engine.deadline import Deadline
from covr.engine.limits import Limits
from covr.engine.memory import resident
from covr.engine.status import Status

T = TypeVar("T")
Stop = Callable[[], Status | None]

EVERY = 2048  # steps of some microseconds each between two looks
WEIGH = 0.05  # seconds between two looks at the memory


class Stopped(Exception):
    """A limit was met, or it was asked to stop, before the work at hand was done; `status` says which."""

    def __init__(self, status: Status) -> None:
        super().__init__(status)
        self.status = status


class _Looks(local):
    """stops: what this thread is to look at, the outermost first."""

    stops: tuple[Stop, ...] = ()


_looks = _Looks()


@contextmanager
def heeding(stop: Stop) -> Iterator[None]:
    """Inside, `look` asks `stop` as well, which says the status to stop with, or None. Whoever uses this catches
    Stopped, or lets it go on to one who does. Not for generators: it would hold where they are read."""
    before = _looks.stops
    _looks.stops = (*before, stop)
    try:
        yield
    finally:
        _looks.stops = before


def look() -> None:
    """Raises Stopped where somebody asks to stop. About a microsecond."""
    for stop in _looks.stops:
        status = stop()
        if status is not None:
            raise Stopped(status)


def due() -> bool:
    """Whether `look` would raise: for who has something to hand over before it stops."""
    return any(stop() is not None for stop in _looks.stops)


def heeded(values: Iterable[T], every: int = EVERY) -> Iterable[T]:
    """The same values, with a look after every so many; without anybody to heed, at no cost."""
    return _heeded(values, every) if _looks.stops else values


def _heeded(values: Iterable[T], every: int) -> Iterator[T]:
    left = every
    for value in values:
        left -= 1
        if not left:
            look()
            left = every
        yield value


class Met:
    """Whether the limit of time or of memory is met. For `heeding`.

    out_of_memory: whether it was that of memory.  clock: the limit of time.
    """

    def __init__(self, limits: Limits, clock: Deadline | None = None) -> None:
        """clock: what runs already; without it, one of `limits` that runs from now on."""
        self.limits, self.clock = limits, clock or Deadline(limits.seconds).start()
        self.out_of_memory = False
        self._weigh = 0.0

    def __call__(self) -> Status | None:
        limits = self.limits
        if self.clock.over:
            return Status.LIMIT
        if limits.memory is not None and perf_counter() >= self._weigh:
            self._weigh = perf_counter() + WEIGH
            self.out_of_memory = resident() >= limits.memory
        return Status.LIMIT if self.out_of_memory else None
