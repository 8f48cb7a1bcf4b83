"""Limits and interrupts while no kernel runs: when a search is prepared, split, or cut into pieces.

A search checks its limits between slices. The work before and between slices can take seconds on problems of 10⁵
options. So that work calls `look` every few milliseconds, however deep in its loops, and the code that started it sets
with `heeding` what is to be checked. The setting is kept per thread rather than passed as an argument, because every
function that goes through a whole problem would need the argument.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from threading import local
from time import perf_counter
from typing import TypeVar

from covr.engine.base.deadline import Deadline
from covr.engine.base.limits import Limits
from covr.engine.base.memory import resident
from covr.engine.base.status import Status

T = TypeVar("T")
Stop = Callable[[], Status | None]  # returns the status with which to stop now, or None to go on

EVERY = 1024  # steps, of some microseconds each, between two checks
WEIGH = 0.05  # seconds between two checks of the memory


class Stopped(Exception):
    """Raised when a limit is reached or a stop is requested before the work is finished; `status` says which."""

    def __init__(self, status: Status) -> None:
        super().__init__(status)
        self.status = status


class _Looks(local):
    """What `look` checks in each thread. stops: the functions that it calls, the outermost `heeding` first."""

    stops: tuple[Stop, ...] = ()


_looks = _Looks()


@contextmanager
def heeding(stop: Stop) -> Iterator[None]:
    """Within this context, `look` also calls `stop`, which returns the status to stop with, or None to go on. The
    caller must catch Stopped, or have a caller that does. Do not use it inside a generator: it would stay in force
    while the generator is suspended."""
    before = _looks.stops
    _looks.stops = (*before, stop)
    try:
        yield
    finally:
        _looks.stops = before


def look() -> None:
    """Raise Stopped if work is to stop here. Takes about a microsecond."""
    for stop in _looks.stops:
        status = stop()
        if status is not None:
            raise Stopped(status)


def due() -> bool:
    """Whether `look` would raise; for code that must hand over results before it stops."""
    return any(stop() is not None for stop in _looks.stops)


def seconds_left() -> float | None:
    """How many seconds the limits of time leave here; None for no limit. For solvers of others, which can only be told
    beforehand when they are to stop."""
    left = [stop.clock.left for stop in _looks.stops if isinstance(stop, Met)]
    return min([seconds for seconds in left if seconds is not None], default=None)


def heeded(values: Iterable[T], every: int = EVERY) -> Iterable[T]:
    """The same values, with a call of `look` for every `every` of them. Costs nothing outside `heeding`, and
    little within. Values are read ahead, at most `every` of them."""
    return _heeded(values, every) if _looks.stops else values


def _heeded(values: Iterable[T], every: int) -> Iterator[T]:
    # In slices, which is twice as fast as counting. A generator that is left early may have read up to `every` more.
    rest = iter(values)
    while some := list(islice(rest, every)):
        if len(some) == every:
            look()
        yield from some


class _Beat:
    """What a search does now and then while it works, where no thread can do it. act: what; next: when, in seconds."""

    def __init__(self) -> None:
        self.act: Callable[[], None] | None = None
        self.every, self.next = 0.0, 0.0

    def look(self) -> None:
        """Act if it is time."""
        now = perf_counter()
        if self.act is not None and now >= self.next:
            self.next = now + self.every
            self.act()


_beat = _Beat()


@contextmanager
def beating(act: Callable[[], None], every: float) -> Iterator[None]:
    """Within this context, whatever checks its limits calls `act` about every so many seconds, in the middle of its
    work: `act` must not ask anything of the search but how far it is. For systems without threads, as there is one
    `act` for all; elsewhere a thread of its own does better."""
    before = _beat.act, _beat.every
    _beat.act, _beat.every, _beat.next = act, every, perf_counter() + every
    try:
        yield
    finally:
        _beat.act, _beat.every = before


class Met:
    """A `stop` for `heeding` that checks the limits of time and memory.

    out_of_memory: whether the limit of memory was reached.  clock: measures the limit of time.
    """

    def __init__(self, limits: Limits, clock: Deadline | None = None) -> None:
        """clock: a clock that runs already; None to start one now with the time limit of `limits`."""
        self.limits, self.clock = limits, clock or Deadline(limits.seconds).start()
        self.out_of_memory = False
        self._weigh = 0.0

    def __call__(self) -> Status | None:
        limits = self.limits
        if _beat.act is not None:
            _beat.look()
        if self.clock.over:
            return Status.LIMIT
        most = limits.usual if limits.memory is None else limits.memory
        if most is not None and perf_counter() >= self._weigh:
            self._weigh = perf_counter() + WEIGH
            self.out_of_memory = resident() >= most
        return Status.LIMIT if self.out_of_memory else None
