"""Limits of a search: time, memory, answers; how they are checked, and how a search ends."""

from __future__ import annotations

import importlib
import math
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from importlib.util import find_spec
from itertools import islice
from numbers import Real
from operator import index
from pathlib import Path
from threading import Lock, local
from time import perf_counter
from typing import Any, TypeVar

from attrs import field

from covr.frozen import frozen

# --- whole -----------------------------------------------------------------------------------------------------------
# What counts as a whole number in arguments: one rule for costs, bounds, limits, seeds and the rest.
#
# Whole numbers are `int`, and integers of other libraries such as numpy: whatever Python accepts as an index. `True`
# and `False` are refused, and so are floats, even 2.0, because a number computed in floats may have lost its last
# digits without anybody noticing. The language makes the same distinctions (compiler/evaluate/bind.py).


def whole(value: object, name: str, least: int | None = None) -> int:
    """The value as an int. Raises ValueError, which names the argument, if the value is not a whole number or is below
    `least`."""
    number = value if type(value) is int else _index(value, name)
    if least is not None and number < least:
        raise ValueError(f"{name} must be at least {least}, not {_shown(number)}")
    return number


def seconds(value: object, name: str) -> float:
    """A time in seconds: any finite number from 0. Raises ValueError, which names the argument, for anything else."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ValueError(f"{name} must be a number of seconds, not {_shown(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ValueError(f"{name} must be a finite number of seconds, not {_shown(value)}; None is no limit")
    if number < 0:
        raise ValueError(f"{name} must be at least 0, not {_shown(value)}")
    return number


def whole_field(least: int | None = None, optional: bool = True) -> Callable[[Any, Any, Any], None]:
    """An attrs validator that turns the field into an int as `whole` does; if `optional`, None is allowed too. Messages
    name the field."""

    def settle(instance: Any, field: Any, value: Any) -> None:
        if value is not None or not optional:
            object.__setattr__(instance, field.name, whole(value, field.name, least))

    return settle


def seconds_field(instance: Any, field: Any, value: Any) -> None:
    """An attrs validator that does the same with `seconds`."""
    if value is not None:
        object.__setattr__(instance, field.name, seconds(value, field.name))


def _index(value: Any, name: str) -> int:
    # numpy's bool_ is not a subclass of bool; the types are compared by name because numpy is not imported here.
    if type(value).__name__ not in ("bool", "bool_"):
        try:
            return index(value)
        except TypeError:  # not a whole number: raised below
            pass
    raise ValueError(f"{name} must be a whole number, not {_shown(value)}")


def _shown(value: object) -> str:
    """A value as a message shows it: on one line of readable length."""
    if isinstance(value, int) and value.bit_length() > 200:
        return f"a number of {value.bit_length()} binary digits"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


# --- status ----------------------------------------------------------------------------------------------------------
# The status of a search, and counters of what it has done so far.


class Status(StrEnum):
    """The status of a search. Only `exhausted` proves anything about answers that were not found."""

    RUNNING = "running"
    SOLVED = "solved"  # as many answers as were asked for; there may be more
    EXHAUSTED = "exhausted"  # every answer was found, or no other answer can be cheaper
    LIMIT = "limit"  # a limit of nodes, time or memory was reached: whether there are more answers is unknown
    INTERRUPTED = "interrupted"


@frozen
class Counters:
    """The work of a search so far.

    nodes: one for the root and one for each time an option is taken.  updates: how many links or options were changed,
    a measure of work that does not depend on the machine.  answers: answers found, whether or not they have been read.
    """

    nodes: int = 0
    updates: int = 0
    answers: int = 0


# --- memory ----------------------------------------------------------------------------------------------------------
# How much memory this process uses according to the system; limits of memory are compared with this.
#
# On Linux the figure is read from /proc, elsewhere from psutil if that is installed. Without either, a limit of memory
# is refused. `getrusage` would not do: it gives the most memory that the process ever used, which never falls, so that
# a search would be stopped because of memory that compiling the model took.


STATM = Path("/proc/self/statm")
# Where Linux says how much memory a container may use, in bytes; a word where it may use all.
CONTAINER = Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes")
ROUND = 100_000_000  # bytes, to whole multiples of which `usual` is rounded down


def measurable() -> bool:
    """Whether `resident` works on this system."""
    return _from_proc() is not None or find_spec("psutil") is not None


def resident() -> int:
    """How many bytes of this process are in memory. Raises ImportError if that is not `measurable`.

    Takes a few microseconds with /proc, some tens of microseconds with psutil.
    """
    found = _from_proc()
    if found is None:
        found = int(importlib.import_module("psutil").Process().memory_info().rss)
    return found


def resident_of(pid: int) -> int | None:
    """How many bytes of another process are in memory; None if that can't be found out, or if it has ended."""
    found = _from_proc(Path(f"/proc/{pid}/statm"))
    if found is None and find_spec("psutil") is not None:
        psutil = importlib.import_module("psutil")
        with suppress(psutil.Error):
            found = int(psutil.Process(pid).memory_info().rss)
    return found


def usual() -> int | None:
    """How many bytes a command may use where no limit is asked for: half of what the machine or the container has, and
    at least `ROUND`. None where that, or the memory in use, can't be found out."""
    if not measurable():
        return None
    try:
        whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):  # AttributeError: Windows has no sysconf
        if find_spec("psutil") is None:
            return None
        whole = int(importlib.import_module("psutil").virtual_memory().total)
    for path in CONTAINER:
        with suppress(OSError, ValueError):
            whole = min(whole, int(path.read_text("ascii")))
    return max(whole // 2 // ROUND, 1) * ROUND


def _from_proc(statm: Path | None = None) -> int | None:
    """The figure of a file of /proc, by default of this process; None if there is none."""
    try:
        return int((statm or STATM).read_bytes().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError):  # AttributeError: Windows has no sysconf
        return None


# --- limits ----------------------------------------------------------------------------------------------------------
# The limits at which a search stops before it is finished.


def _memory_field(instance: Any, attribute: Any, value: Any) -> None:
    whole_field(0)(instance, attribute, value)
    if value is not None and not measurable():
        raise ValueError("the memory that a process takes can't be read on this system without psutil")


@frozen
class Limits:
    """The search stops at the first limit that it reaches; None means no limit.

    answers: stop after so many answers; the status is then `solved`.
    nodes: stop after exactly so many search nodes; the status is then `limit`.
    seconds: time spent inside the search, not counting what the caller does between answers; checked after each slice
    (about 20 milliseconds).
    memory: bytes of memory that the process may use; checked every tenth of a second.
    usual: the same where no limit is asked for, to spare the machine. It changes nothing about how a question is
    answered, whereas with `memory` some ways are left out (plan.py).

    Raises ValueError if a limit is not a whole number (see limits.py), or `seconds` not a finite number from 0, and for
    a limit of memory on a system where the memory in use can't be read (see limits.py).
    """

    answers: int | None = field(default=None, validator=whole_field(1))
    nodes: int | None = field(default=None, validator=whole_field(0))
    seconds: float | None = field(default=None, validator=seconds_field)
    memory: int | None = field(default=None, validator=_memory_field)
    usual: int | None = field(default=None, validator=_memory_field)


# --- deadline --------------------------------------------------------------------------------------------------------
# The clock that all time limits use: how many seconds are allowed, and how many are spent.
#
# A search spends time only while it is working, not while its reader looks at an answer. So the clock runs inside `with
# deadline:` and stands still elsewhere. Work that must end at a certain moment lets the clock run throughout:
# `Deadline(seconds).start()`.


class Deadline:
    """A limit of time, and how much of it is spent.

    most: the limit in seconds, None for no limit; it may be changed.  Any thread may read the clock or run it.
    """

    def __init__(self, most: float | None = None, spent: float = 0.0) -> None:
        """The clock stands still at first. spent: seconds that are already spent."""
        self.most = most
        self._change = Lock()
        self._turns = 0  # how often it was started and not yet stopped: nested `with`s must not count time twice
        # The seconds spent up to the last stop, and the moment since which it runs. They are one value, so that no
        # thread can read an old one together with a new one.
        self._state: tuple[float, float | None] = spent, None

    def start(self) -> Deadline:
        """Let the clock run from now on; returns the clock."""
        with self._change:
            self._turns += 1
            if self._turns == 1:
                self._state = self._state[0], perf_counter()
        return self

    def stop(self) -> None:
        """Undo one `start`; after as many stops as starts the clock stands still."""
        with self._change:
            assert self._turns, "it stands still already"
            self._turns -= 1
            if not self._turns:
                self._state = self.spent, None

    def __enter__(self) -> Deadline:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def spend(self, seconds: float) -> None:
        """Add time that was spent elsewhere; ignored while the clock runs, as that time is counted already."""
        with self._change:
            spent, since = self._state
            if since is None:
                self._state = spent + seconds, None

    @property
    def spent(self) -> float:
        """The seconds spent so far."""
        spent, since = self._state
        return spent if since is None else spent + perf_counter() - since

    @property
    def left(self) -> float | None:
        """The seconds left, at least 0; None for no limit."""
        return None if self.most is None else max(self.most - self.spent, 0.0)

    @property
    def over(self) -> bool:
        """Whether no time is left. A limit of 0 seconds is over from the beginning."""
        return self.most is not None and self.spent >= self.most


# --- heed ------------------------------------------------------------------------------------------------------------
# Limits and interrupts while no kernel runs: when a search is prepared, split, or cut into pieces.
#
# A search checks its limits between slices. The work before and between slices can take seconds on problems of 10⁵
# options. So that work calls `check_limits` every few milliseconds, however deep in its loops, and the code that
# started it sets with `limits_checked_by` what is to be checked. The setting is kept per thread rather than passed as
# an argument, because every function that goes through a whole problem would need the argument.


T = TypeVar("T")
Stop = Callable[[], Status | None]  # returns the status with which to stop now, or None to go on

ENDLESS = 1 << 62  # nodes, answers, or work: more than any search has, so that there is no limit
QUICK = 20_000  # nodes of a search that is tried before others: some milliseconds
BRIEF = 500  # nodes, or conflicts of clingo, of a search that is one of many: a fraction of a millisecond, or some
EVERY = 1024  # steps, of some microseconds each, between two checks
HEAVY = 16  # steps that may each go through all of a problem, between two checks: some milliseconds
COMPILED_STEPS = 1 << 20  # steps of a kernel, of some nanoseconds each, between two checks
MOST_STEPS = 3_000_000  # members that a method in Python goes through before it gives up: about half a second
LOOK = 0.05  # seconds between two looks: at the memory, at progress, at what other processes have done


class LimitReached(Exception):
    """Raised when a limit is reached or a stop is requested before the work is finished; `status` says which."""

    def __init__(self, status: Status) -> None:
        super().__init__(status)
        self.status = status


class _Looks(local):
    """What `check_limits` checks in each thread. stops: the functions that it calls, the outermost `limits_checked_by`
    first."""

    stops: tuple[Stop, ...] = ()


_looks = _Looks()


@contextmanager
def limits_checked_by(stop: Stop) -> Iterator[None]:
    """Within this context, `check_limits` also calls `stop`, which returns the status to stop with, or None to go on.
    The caller must catch LimitReached, or have a caller that does. Do not use it inside a generator: it would stay in
    force while the generator is suspended."""
    before = _looks.stops
    _looks.stops = (*before, stop)
    try:
        yield
    finally:
        _looks.stops = before


def check_limits() -> None:
    """Raise LimitReached if work is to stop here. Takes about a microsecond."""
    for stop in _looks.stops:
        status = stop()
        if status is not None:
            raise LimitReached(status)


def due() -> bool:
    """Whether `check_limits` would raise; for code that must hand over results before it stops."""
    return any(stop() is not None for stop in _looks.stops)


def seconds_left() -> float | None:
    """How many seconds the limits of time leave here; None for no limit. For solvers of others, which can only be told
    beforehand when they are to stop."""
    left = [stop.clock.left for stop in _looks.stops if isinstance(stop, Met)]
    return min([seconds for seconds in left if seconds is not None], default=None)


def with_limit_checks(values: Iterable[T], every: int = EVERY) -> Iterable[T]:
    """The same values, with a call of `check_limits` for every `every` of them. Costs nothing outside
    `limits_checked_by`, and little within. Values are read ahead, at most `every` of them."""
    return _with_limit_checks(values, every) if _looks.stops else values


def _with_limit_checks(values: Iterable[T], every: int) -> Iterator[T]:
    # In slices, which is twice as fast as counting. A generator that is left early may have read up to `every` more.
    rest = iter(values)
    while some := list(islice(rest, every)):
        if len(some) == every:
            check_limits()
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
    """A `stop` for `limits_checked_by` that checks the limits of time and memory.

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
            self._weigh = perf_counter() + LOOK
            self.out_of_memory = resident() >= most
        return Status.LIMIT if self.out_of_memory else None
