"""Texts that are open in a page: each is analysed again when it changes, and only where it changed.

If a later version has come meanwhile, what is under way about an earlier one ends soon: the last edit wins.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from functools import cached_property
from pathlib import Path
from time import perf_counter

from covr.dsl.service.document import Document
from covr.dsl.source import Source
from covr.inputs.library import Libraries
from covr.live.text_state import TextState
from covr.studio.folder import StudioFolder
from covr.studio.utf16 import Utf16


class StudioState(TextState):
    """What is known of one version of a text, its places as the page counts them. seconds: how long reading it took."""

    def __init__(self, text: OpenText, state: TextState, seconds: float) -> None:
        super().__init__(state.analysis)
        self.open = text
        self.seconds = seconds
        self.places = Utf16(self.text)

    @cached_property
    def line_ends(self) -> list[int]:
        """Where each line ends, before its newline."""
        return [*(found.start() for found in re.finditer("\n", self.text)), len(self.text)]


class Superseded(Exception):
    """A later version of the text has come: nobody wants to know any more."""


class OpenText:
    """A text that is open in a page. name: as the page calls it; path: where it stands, or would stand."""

    def __init__(self, name: str, path: str, within: Path) -> None:
        self.name, self.path, self.within = name, path, within
        self.latest = self.asked = 0  # versions: that of the last edit, and that which is asked about
        self.document = Document(name, self.libraries, path)
        self._state: StudioState | None = None

    def libraries(self, source: Source) -> Libraries:
        """Finds what `use` names: what ships with covr, and the files of the folder."""
        return Libraries(source, self.within)

    def state(self, text: str) -> StudioState:
        """What is known of a text. Time: that of parsing what changed since the last one. Raises Superseded."""
        if self._state is None or self._state.text != text:
            began = perf_counter()
            state = TextState(self.document.change(text, self.wanted))
            self._state = StudioState(self, state, perf_counter() - began)
        return self._state

    def wanted(self) -> None:
        """Raise Superseded if a later version has come since the question that is being answered."""
        if self.asked < self.latest:
            raise Superseded


class Texts:
    """The texts of a page that are open: by name, the latest last. most: how many are kept."""

    def __init__(self, folder: StudioFolder, most: int) -> None:
        self._folder, self._most = folder, most
        self._open: OrderedDict[str, OpenText] = OrderedDict()

    def find(self, name: str) -> OpenText:
        """The text of that name."""
        if name not in self._open:
            self._open[name] = OpenText(name, self._folder.source_path(name), self._folder.root)
            while len(self._open) > self._most:
                self._open.popitem(last=False)
        self._open.move_to_end(name)
        return self._open[name]


def normal(text: str) -> str:
    """A text whose lines end as covr knows them, each still in its place: a lone carriage return becomes a newline,
    and of a pair the first becomes a blank."""
    return text.replace("\r\n", " \n").replace("\r", "\n")
