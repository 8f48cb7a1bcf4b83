"""What a page asks about a model, and how it is told what is found."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

from attrs import field

from covr.dsl.diagnostics import Source
from covr.dsl.load import recording
from covr.engine.base.alone import ONE_THREAD
from covr.engine.base.limits import beating
from covr.frozen import frozen
from covr.inputs.library import checked
from covr.live.child import Message
from covr.live.review import TextUnits
from covr.questions.options import Options
from covr.questions.run import Progress

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.evaluate.operators import Notes

# --- Tells the page what is found, and waits while it has enough ------------------------------------------------------
# A listing pauses after so many answers until the page asks for more, so that a model with millions of answers fills
# neither the memory nor the page. It is written as a generator, which yields where it may pause, and is told there
# whether the page wants more: a process waits there (`wait`), a page without processes leaves it and comes back
# (in_page.py).


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
    """What a job tells. window: how many answers the page takes before it asks for more. stopped: whether it wants no
    more."""

    def __init__(self, channel: Teller, window: int) -> None:
        self._channel = channel
        self._room = window - 1  # how many more answers the page takes, after the one that is told next
        self._changed = threading.Condition()
        self._running: Any = None
        self.stopped = False
        self.began = monotonic()
        channel.heard = self._receive

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

    def _receive(self, message: Message) -> None:
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
    """Within this context, `beat` is called every `BEAT` seconds, in a thread or else by the search."""
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


# --- What a page asks about a model: its text, its data, and how ------------------------------------------------------


THEMES = ("light", "dark", "print", "mono")


@frozen(slots=False)
class StudioQuestion:
    """A question. name, text: of the model; path: where it stands. within: the folder whose files it may read.
    foreign: whether it came by a link, and may not read these either.

    data: values of params, as `-D` takes them. options: what the page wants, which is checked where it is used.
    seconds, memory: the limits of the job, which the page can only lower. nodes, items, most_options: see StudioLimits.
    """

    kind: str
    name: str
    path: str
    within: str
    text: str = field(repr=False)
    data: Mapping[str, str] = field(repr=False)
    options: Mapping[str, Any]
    seconds: float
    memory: int
    window: int
    nodes: int
    items: int
    most_options: int
    foreign: bool = False

    @cached_property
    def source(self) -> Source:
        """The model's text."""
        return Source(self.name, self.text, self.path)

    @cached_property
    def places(self) -> TextUnits:
        """Its places as the page counts them."""
        return TextUnits(self.text)

    @property
    def theme(self) -> str:
        """The theme of pictures."""
        theme = self.options.get("theme")
        return theme if theme in THEMES else "light"

    def number(self, name: str, default: int, most: int, least: int = 1) -> int:
        """An option that is a whole number within bounds."""
        value = self.options.get(name, default)
        if not isinstance(value, int) or isinstance(value, bool):
            return default
        return min(max(value, least), most)

    @property
    def limits(self) -> Options:
        """The options of a search: the job's limits. Half of the memory is kept for what is not searched."""
        seed = self.options.get("seed")
        seed = seed if isinstance(seed, int) and not isinstance(seed, bool) else None
        return Options(limit_time=self.seconds, limit_memory=_weighable(self.memory // 2), seed=seed)

    def overrides(self) -> dict[str, object]:
        """The data, for the compiler. What files it may name `refusal` says when they are opened (folder.py)."""
        from covr.compiler import FromText

        return {name: FromText(self._placed(text), f"-D {name}") for name, text in self.data.items()}

    def _placed(self, text: str) -> str:
        return f"@{Path(self.within) / text[1:]}" if text.startswith("@") else text


def _weighable(memory: int) -> int | None:
    """A limit of memory, where the memory in use can be read."""
    from covr.engine.base.limits import measurable

    return memory if measurable() else None


class Kept:
    """The model that this process compiled last. Its matrix is used again if only its data have changed."""

    def __init__(self) -> None:
        self._key: tuple[str, str, bool] | None = None
        self._compiled: Compiled | None = None
        self._notes: Notes | None = None
        self._set: frozenset[str] = frozenset()

    def compiled(self, asked: StudioQuestion) -> tuple[Compiled, Notes | None]:
        """The model of a question, compiled with its data. Raises ModelErrors."""
        from covr.compiler import compile_model
        from covr.compiler.evaluate.operators import noting

        key, overrides = (asked.path, asked.text, asked.foreign), asked.overrides()
        names = frozenset(overrides)
        old, self._compiled = self._compiled, None
        if old is not None and key == self._key and self._set <= names and not _from_file(asked):
            found = old.with_data(overrides)
        else:
            with recording() as files, noting() as self._notes:
                found = compile_model(checked(asked.source, Path(asked.within)), overrides)
            if any(not name.startswith("use std/") for name in files):
                return found, self._notes  # files may change before the next question
        self._key, self._compiled, self._set = key, found, names
        return found, self._notes


def _from_file(asked: StudioQuestion) -> bool:
    return any(text.startswith("@") for text in asked.data.values())
