"""Ctrl-C while a search runs.

The first Ctrl-C asks the search to stop, so that what is known so far can still be printed; the second ends covr.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Stoppable(Protocol):
    """Anything that Ctrl-C can stop."""

    def interrupt(self) -> None:
        """Ask to stop; must return at once, and may be called from any thread."""


class Interrupts:
    """Whether Ctrl-C was pressed, and which run it stops: the one that was last passed to `watch`."""

    def __init__(self) -> None:
        self.pressed = False
        self._run: Stoppable | None = None

    def watch(self, run: Stoppable | None) -> None:
        """Let Ctrl-C stop this run. None: no search is running, and Ctrl-C raises KeyboardInterrupt at once."""
        self._run = run
        if self.pressed and run is not None:
            run.interrupt()

    def press(self, *_: object) -> None:
        """The signal handler: the first Ctrl-C asks the search to stop, the second raises KeyboardInterrupt."""
        if self.pressed or self._run is None:
            raise KeyboardInterrupt
        self.pressed = True
        self._run.interrupt()


@contextmanager
def interrupts(run: Stoppable | None = None) -> Iterator[Interrupts]:
    """Within this context, Ctrl-C goes to the run that is watched. In threads other than the main one it has no effect.

    run: the run that is watched at first.
    """
    held = Interrupts()
    held.watch(run)
    if threading.current_thread() is not threading.main_thread():
        yield held
        return
    before = signal.signal(signal.SIGINT, held.press)
    try:
        yield held
    finally:
        signal.signal(signal.SIGINT, before)
