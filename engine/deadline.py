"""The one clock for limits of time: so many seconds, and how many of them are spent.

A search spends time only while it is at work, and not while its reader looks at an answer; so the clock runs inside
`with deadline:`, and stands still elsewhere. What is to be over by a certain moment lets it run from its beginning to
its end: `Deadline(seconds).start()`.
"""

from __future__ import annotations

from threading import Lock
from time import perf_counter


class Deadline:
    """A limit of time, and what is spent of it.

    most: seconds, None for no limit; it may be changed.  Any thread may read it, or count time with it.
    """

    def __init__(self, most: float | None = None, spent: float = 0.0) -> None:
        """It stands still. spent: seconds that are gone already."""
        self.most = most
        self._change = Lock()
        self._turns = 0  # `with` inside `with`: the time is spent once
        # Seconds up to the last stop, and the moment since which it runs: one value, so that no thread reads one of
        # the two as it was and the other as it is.
        self._state: tuple[float, float | None] = spent, None

    def start(self) -> Deadline:
        """Let it run from now on; returns itself."""
        with self._change:
            self._turns += 1
            if self._turns == 1:
                self._state = self._state[0], perf_counter()
        return self

    def stop(self) -> None:
        """Let it stand still again, once for every `start`."""
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
        """Count what was spent elsewhere, unless it was spent while this ran, and so is counted already."""
        with self._change:
            spent, since = self._state
            if since is None:
                self._state = spent + seconds, None

    @property
    def spent(self) -> float:
        """Seconds, as of now."""
        spent, since = self._state
        return spent if since is None else spent + perf_counter() - since

    @property
    def left(self) -> float | None:
        """Seconds, from 0; None for no limit."""
        return None if self.most is None else max(self.most - self.spent, 0.0)

    @property
    def over(self) -> bool:
        """Whether nothing is left. A limit of 0 seconds is over from the beginning."""
        return self.most is not None and self.spent >= self.most
