"""Attempts at puzzles in several processes.

Each process is sent the order, and then the numbers of attempts, one at a time; it sends back what came of each. What
an attempt makes depends on its number alone (puzzle_attempts.py), so the puzzles do not depend on the number of
processes. Everything is pickled, and goes through standard input and output:

    to the process     (order, limits, settings); then numbers; None asks it to stop what it is doing
    from the process   an Attempt for each number; a Status where it was stopped, or a limit was reached, before that

If a process ends in any other way, its number is given to another one. Ctrl-C is for the process that started them. If
that one ends, for whatever reason, their standard input is closed, and they end as well.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections import deque
from contextlib import suppress
from queue import SimpleQueue
from threading import Condition, Thread
from time import monotonic
from typing import IO, Any

from covr.engine.base.apart import apart
from covr.engine.base.heed import Stopped
from covr.engine.base.limits import Limits
from covr.engine.base.status import Status
from covr.engine.puzzles.puzzle_attempts import Attempt, Maker, Order
from covr.engine.settings import Settings

PATIENCE = 5.0  # seconds that processes may take to hand over what they have, once they are asked to stop


class AttemptNumbers:
    """The numbers of the attempts, each handed out once, in order; those that were handed back come first.

    end: the first number that may not be handed out yet. May be used from any thread."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._next = self.end = 0
        self._returned: list[int] = []
        self._closed = False

    def take(self) -> int | None:
        """The next number; waits until there is one. None if no more are to be handed out."""
        with self._changed:
            while not self._closed:
                if (number := self._first()) is not None:
                    return number
                self._changed.wait()
            return None

    def take_now(self) -> int | None:
        """The next number; None if there is none at the moment."""
        with self._changed:
            return self._first()

    def _first(self) -> int | None:
        if self._returned:
            self._returned.sort()
            return self._returned.pop(0)
        if self._next < self.end:
            self._next += 1
            return self._next - 1
        return None

    def hand_back(self, number: int) -> None:
        """Let another process have this number."""
        with self._changed:
            self._returned.append(number)
            self._changed.notify_all()

    def allow(self, end: int) -> None:
        """Let all numbers below this one be handed out."""
        with self._changed:
            self.end = max(self.end, end)
            self._changed.notify_all()

    def close(self) -> None:
        """Hand out no more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


class PuzzleProcesses:
    """Processes that make attempts.

    found: what came of them, in any order; each time a process ends, None. alive: how many processes are still running,
    as far as was read from `found`."""

    def __init__(self, order: Order, limits: Limits, settings: Settings, numbers: AttemptNumbers, many: int) -> None:
        """limits: for each of the processes.  many: how many processes. Returns at once."""
        self.found: SimpleQueue[Attempt | Status | None] = SimpleQueue()
        self.alive = many
        self._numbers = numbers
        self._children: deque[subprocess.Popen[bytes]] = deque()
        self._stopped = False
        self._threads = [
            Thread(target=self._work, args=((order, limits, settings),), name="covr-puzzles", daemon=True)
            for _ in range(many)
        ]
        for thread in self._threads:
            thread.start()

    def stop(self, patience: float = PATIENCE) -> None:
        """Ask all processes to hand over what they have, and to end; kill those that have not after `patience`
        seconds."""
        until = monotonic() + patience
        self._numbers.close()
        self._stopped = True
        for child in tuple(self._children):
            assert child.stdin is not None
            with suppress(OSError, ValueError):
                _send(child.stdin, None)
        for thread in self._threads:
            thread.join(max(until - monotonic(), 0.0))
        self.kill()

    def kill(self) -> None:
        """End all processes at once."""
        self._numbers.close()
        self._stopped = True
        for child in tuple(self._children):
            if child.poll() is None:
                child.kill()

    def _work(self, job: Any) -> None:
        try:
            child = subprocess.Popen(
                [sys.executable, "-m", "covr.engine.puzzles.puzzle_processes"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **apart(),
                env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
            )  # fmt: skip
        except (OSError, ValueError):
            self.found.put(None)
            return
        self._children.append(child)
        number: int | None = None
        try:
            assert child.stdin is not None and child.stdout is not None
            _send(child.stdin, job)
            while not self._stopped and (number := self._numbers.take()) is not None:
                _send(child.stdin, number)
                came = pickle.load(child.stdout)
                self.found.put(came)
                if not isinstance(came, Attempt):
                    break
                number = None
        except Exception:  # the process was killed, or its pipe is closed
            if number is not None:
                self._numbers.hand_back(number)
        finally:
            child.kill()
            for pipe in (child.stdin, child.stdout):
                with suppress(OSError):
                    assert pipe is not None
                    pipe.close()
            child.wait()
            self.found.put(None)


def _send(pipe: IO[bytes], what: Any) -> None:
    pipe.write(pickle.dumps(what))
    pipe.flush()


def main() -> None:
    """Make the attempts that standard input asks for."""
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    order, limits, settings = pickle.load(source)
    maker: Maker | None = None
    asked: SimpleQueue[int | None] = SimpleQueue()

    def listen() -> None:
        try:
            while (number := pickle.load(source)) is not None:
                asked.put(number)
        except (EOFError, OSError, pickle.UnpicklingError):
            os._exit(0)  # whoever asked has ended
        if maker is None:  # which may take long, where a model is compiled
            os._exit(0)
        maker.interrupt()
        asked.put(None)

    Thread(target=listen, daemon=True).start()
    maker = order.maker(limits, settings)
    with suppress(OSError):
        while (number := asked.get()) is not None:
            try:
                _send(sink, maker.attempt(number))
            except Stopped as stopped:
                _send(sink, stopped.status)
                break
    os._exit(0)


if __name__ == "__main__":
    main()
