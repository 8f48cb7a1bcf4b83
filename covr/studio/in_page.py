"""The studio within a page that has no server: what the server's addresses and its processes do, without either.

A worker of the browser runs Python (Pyodide) with this module; the page talks to it in the words of the server
(studio/src/playground/). A question hears nothing while it works, as there are no threads: the page ends the worker.
Where an answer may pause it does, and comes back (`more`).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Collection, Generator
from pathlib import Path

from attrs import evolve

from covr.live.child import Message
from covr.studio.about_texts import ABOUT
from covr.studio.asking import StudioLimits, asked_of
from covr.studio.body import Bad, Body
from covr.studio.folder import StudioFolder
from covr.studio.shelves import new_puzzle
from covr.studio.texts import Texts, normal
from covr.studio.work.asked import Events
from covr.studio.work.kinds import answering, begun, warm

__all__ = ["MissingModules", "PageStudio", "warm"]

FOLDER = Path("/studio")  # an empty folder: what a model names beside itself is not there
MEMORY = 2**30  # bytes that a worker may take: studio/src/playground/worker.ts lets no memory grow beyond it
SECONDS = 600.0  # how long a question may take: a browser has no fan of its own
LIMITS = evolve(StudioLimits(), memory=MEMORY, seconds=SECONDS)


class NotHere(BaseException):
    """A module is wanted that is still under way. Not an ImportError: nothing may go on without it."""


class MissingModules:
    """Finds the modules that are still under way (studio/playground/library.py): importing one raises NotHere."""

    def __init__(self, modules: Collection[str]) -> None:
        self._modules = frozenset(modules)
        sys.meta_path.insert(0, self)

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        """Of a finder of modules."""
        if name in self._modules:
            raise NotHere(name)

    def end(self) -> None:
        """They are here."""
        sys.meta_path.remove(self)


class PageStudio:
    """One page's studio: either about its texts, or about one question at a time. told: hears events, as JSON."""

    def __init__(self, told: Callable[[str], None]) -> None:
        FOLDER.mkdir(exist_ok=True)
        self._told = told
        self._folder = StudioFolder(FOLDER)
        self._texts = Texts(self._folder, LIMITS.texts)
        self._events: Events | None = None
        self._steps: Generator[None, bool, None] | None = None
        self.heard: Callable[[Message], None] | None = None  # of a Teller: called by `more` and `stop`

    # --- texts ---

    def about(self, name: str, raw: str) -> str:
        """What the server answers to `POST /api/NAME`, as JSON; with `error` and `status` if it is refused."""
        try:
            body = Body.of(raw)
            if name == "fresh":
                return json.dumps(new_puzzle(body))
            state = self._texts.find(body.text("name", "model.cover")).state(normal(body.text("text")))
            found = ABOUT[name](state, body)
        except Bad as bad:
            return json.dumps({"error": str(bad), "status": bad.status})
        if isinstance(found, dict) and "faults" in found:
            found = {"version": body.number("version", 0), **found}
        return json.dumps(found)

    # --- one question ---

    def ask(self, raw: str) -> str:
        """Answer a question, up to its end or its first pause; returns JSON, with `error` if it can't be asked."""
        try:
            asked, self._events = begun(asked_of(Body.of(raw), self._folder, LIMITS), self)
        except Bad as bad:
            return json.dumps({"error": str(bad), "status": bad.status})
        self._steps = answering(asked, self._events)
        try:
            next(self._steps)
        except StopIteration:
            self._steps = None
        self._go_on()
        return "{}"

    def more(self, number: int) -> None:
        """The page takes so many more answers."""
        self._receive({"to": "more", "number": number})

    def stop(self) -> None:
        """The page wants no more of a question that waits."""
        self._receive({"to": "stop"})

    def _receive(self, message: Message) -> None:
        if self._steps is not None and self.heard is not None:
            self.heard(message)
            self._go_on()

    def _go_on(self) -> None:
        """Go on as long as the page takes answers."""
        assert self._events is not None
        while self._steps is not None:
            if not self._events.ready():
                self._events.tell("pause")
                return
            try:
                self._steps.send(self._events.wait())
            except StopIteration:
                self._steps = None

    def tell(self, message: Message) -> None:
        """Of a Teller: tell the page an event."""
        self._told(json.dumps(message))
