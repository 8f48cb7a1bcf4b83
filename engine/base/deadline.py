"""The clock that all time limits use: how many seconds are allowed, and how many are spent.

A search spends time only while it is working, not while its reader looks at an answer. So the clock runs inside `with
deadline:` and stands still elsewhere. Work that must end at a certain moment lets the clock run throughout:
`Deadline(seconds).start()`.
"""

from __future__ import annotations

from threading import Lock
from time import perf_counter


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
