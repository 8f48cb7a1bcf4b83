"""Tells the page what is found, and waits while it has enough.

A listing pauses after so many answers until the page asks for more, so that a model with millions of answers fills
neither the memory nor the page. It is written as a generator, which yields where it may pause, and is told there
whether the page wants more: a process waits there (`wait`), a page without processes leaves it and comes back
(in_page.py).
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from time import monotonic
from typing import Any, Protocol

from covr.engine.base.heed import beating
from covr.engine.base.jobs import ONE_THREAD
from covr.live.channel import Message
from covr.questions.found import Progress

BEAT = 0.25  # seconds between two reports of progress

# How a question is answered that may pause: yields before it goes on, is sent whether it shall, returns how it ended.
Steps = Generator[None, bool, dict[str, Any]]


class Teller(Protocol):
    """Where events go: to the other end of a pipe (Channel), or to the page itself."""

    heard: Any  # called with each message of the page, while a question works

    def tell(self, message: Message) -> None:
        """Tell what was found."""


class FollowedRun(Protocol):
    """A question that can be stopped and says how far it is."""

    def interrupt(self) -> None:
        """Ask to stop; must return at once."""

    def progress(self) -> Progress:
        """How far it is."""


class Events:
    """What a job tells. window: how many answers the page takes before it asks for more.

    stopped: whether the page wants no more. What is found until then is still told.
    """

    def __init__(self, channel: Teller, window: int) -> None:
        self._channel = channel
        self._room = window - 1  # how many more answers the page takes, after the one that is told next
        self._changed = threading.Condition()
        self._running: Any = None
        self.stopped = False
        self.began = monotonic()
        channel.heard = self._hear

    def tell(self, event: str, **data: Any) -> None:
        """Tell an event."""
        self._channel.tell({"event": event, "data": data})

    def note(self, text: str) -> None:
        """Tell something in words."""
        self.tell("note", text=text)

    def wait(self) -> bool:
        """Wait until the page takes one more answer. False if it wants none."""
        with self._changed:
            if self._room <= 0:
                self.tell("pause")
            self._changed.wait_for(self.ready)
            self._room -= 1
            return not self.stopped

    def ready(self) -> bool:
        """Whether `wait` would not have to wait."""
        return self._room > 0 or self.stopped

    def _hear(self, message: Message) -> None:
        with self._changed:
            if message["to"] == "more":
                self._room += int(message["number"])
            else:
                self.stopped = True
                if self._running is not None:
                    self._running.interrupt()
            self._changed.notify_all()

    @contextmanager
    def stoppable(self, running: Any) -> Iterator[None]:
        """Within this context, a stop of the page stops this."""
        with self._changed:
            self._running = running
            if self.stopped:
                running.interrupt()
        try:
            yield
        finally:
            with self._changed:
                self._running = None

    @contextmanager
    def following(self, running: FollowedRun) -> Iterator[None]:
        """Within this context, a stop of the page stops this, and its progress is told again and again."""
        last: Mapping[str, Any] = {}

        def beat() -> None:
            nonlocal last
            now = figures_of(running.progress())
            if now != last:
                last = now
                self.tell("progress", **now, seconds=round(monotonic() - self.began, 1))

        with self.stoppable(running), _again_and_again(beat):
            yield


@contextmanager
def _again_and_again(beat: Callable[[], None]) -> Iterator[None]:
    """Within this context, `beat` is called every `BEAT` seconds: in a thread, or by the search itself where there is
    none."""
    if sys.platform in ONE_THREAD:
        with beating(beat, BEAT):
            yield
        return
    done = threading.Event()

    def work() -> None:
        while not done.wait(BEAT):
            beat()

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def figures_of(progress: Progress) -> dict[str, Any]:
    """How far a run is, as fields. Numbers that JavaScript can't hold exactly go as texts."""
    return {
        "fraction": progress.fraction,
        "nodes": exact(progress.nodes),
        "answers": exact(progress.answers),
        "best": exact(progress.best),
        "bound": exact(progress.bound),
    }


EXACT = 2**53  # the first whole numbers that JavaScript takes for each other


def exact(number: int | None) -> int | str | None:
    """A whole number as JSON: as a text where JavaScript would round it."""
    return number if number is None or abs(number) < EXACT else str(number)
