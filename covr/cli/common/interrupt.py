"""Ctrl-C while a search runs, and SIGTERM, which `kill`, `timeout` and queues of batch jobs send.

The first of them asks the search to stop, so that what is known so far can still be printed; a Ctrl-C after that ends
covr. Where no search runs, nothing is known yet, and SIGTERM ends the process as it ends any other.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Stoppable(Protocol):
    """Anything that Ctrl-C and SIGTERM can stop."""

    def interrupt(self) -> None:
        """Ask to stop; must return at once, and may be called from any thread."""


class Interrupts:
    """Whether Ctrl-C was pressed or SIGTERM came, and which run it stops: the one that was last passed to `watch`."""

    def __init__(self) -> None:
        self.pressed = False
        self._run: Stoppable | None = None

    def watch(self, run: Stoppable | None) -> None:
        """Let a signal stop this run. None: no search is running, and a signal raises KeyboardInterrupt at once."""
        self._run = run
        if self.pressed and run is not None:
            run.interrupt()

    def press(self, number: int = signal.SIGINT, _: object = None) -> None:
        """The signal handler: the first signal asks the search to stop, a Ctrl-C after that raises KeyboardInterrupt.

        SIGTERM may come twice at once: `timeout` sends it to its command, and then to the group of processes."""
        if self._run is None or (self.pressed and number == signal.SIGINT):
            raise KeyboardInterrupt
        self.pressed = True
        self._run.interrupt()


@contextmanager
def interrupts(run: Stoppable | None = None) -> Iterator[Interrupts]:
    """Within this context, Ctrl-C and SIGTERM go to the run that is watched. In other threads than the main one nothing
    changes.

    run: the run that is watched at first.
    """
    held = Interrupts()
    held.watch(run)
    if threading.current_thread() is not threading.main_thread():
        yield held
        return
    before = {number: signal.signal(number, held.press) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield held
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
