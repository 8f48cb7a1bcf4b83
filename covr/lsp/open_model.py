"""One model that is open in an editor: what is known of its text, and what came back from compiling it."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from attrs import evolve

from covr.dsl.diagnostics import Diagnostic
from covr.dsl.service.document import Analysis, Document
from covr.dsl.service.fragments import common_end, common_start
from covr.dsl.source import Source, Span
from covr.inputs.library import Libraries
from covr.live.text_state import TextState
from covr.lsp.places import Places, normal
from covr.lsp.worker import Worker


def path_of(uri: str) -> str:
    """The file that an address names; empty if it names none, as for a text that was never saved."""
    parts = urlsplit(uri)
    if parts.scheme != "file":
        return ""
    path = unquote(parts.path)
    return path[1:] if len(path) > 2 and path[0] == "/" and path[2] == ":" else path  # /C:/x on Windows


class State(TextState):
    """What is known of one version of a text, with its places as the editor counts them."""

    def __init__(self, analysis: Analysis, units: str) -> None:
        super().__init__(analysis)
        self.places = Places(analysis.source.text, units)


class OpenModel:
    """A model that is being edited.

    version: as the editor counts. reviewed: the remarks that compiling brought, moved along with the text around them;
    sizes: what each statement makes, by its offset; whole: the size of the matrix. worker: its process.
    """

    def __init__(self, uri: str, units: str) -> None:
        self.uri = uri
        self.units = units
        self.path = path_of(uri)
        self.name = Path(self.path).name if self.path else uri.rpartition("/")[2] or uri
        self.version = 0
        self.reviewed: list[Diagnostic] = []
        self.sizes: dict[int, str] = {}
        self.whole = ""
        self.verdicts: dict[int, str] = {}
        self.worker = Worker()
        self.document = Document(self.name, Libraries, self.path)
        self.state = State(self.document.change(""), units)

    def change(self, text: str, version: int) -> None:
        """Take over a new text."""
        text = normal(text)
        old = self.state.analysis.source.text
        self.version = version
        self.state = State(self.document.change(text), self.units)
        self._move(old, text)

    @property
    def text(self) -> str:
        """The text as it stands."""
        return self.state.analysis.source.text

    def faults(self) -> list[Diagnostic]:
        """What is wrong with the text: what its analysis says, and what compiling an earlier one said of statements
        that have not changed since."""
        found = list(self.state.analysis.faults)
        if self.state.analysis.broken:
            return found
        known = {(d.code, d.message, d.span) for d in found}
        return [*found, *(d for d in self.reviewed if (d.code, d.message, d.span) not in known)]

    def review(self, result: dict[str, Any]) -> None:
        """Take over what compiling this text brought."""
        source = self.state.analysis.source
        self.reviewed = [self._told(fault, source) for fault in result.get("faults", ())]
        self.sizes = {int(start): said for start, said in result.get("sizes", {}).items()}
        self.whole = result.get("whole", "")

    def job(self, do: str, seconds: float) -> dict[str, Any]:
        """A job for the worker about the text as it stands."""
        return {"do": do, "name": self.name, "path": self.path, "text": self.text, "seconds": seconds}

    def _told(self, fault: dict[str, Any], source: Source) -> Diagnostic:
        """A fault that a job told. One in another file is placed at the `use` that it came by, or at the top."""
        at = fault["at"] if fault["in"] == source.name else None
        span = None if at is None else Span(source, *at)
        notes = tuple(fault["notes"]) if fault["in"] in ("", source.name) else (*fault["notes"], f"in {fault['in']}")
        return Diagnostic(fault["code"], fault["message"], span, fault["help"], notes, fault["word"])

    def _move(self, old: str, new: str) -> None:
        """Move what compiling brought along with the text; drop what the edit touched."""
        before = common_start(old, new)
        after = len(old) - common_end(old, new, before)
        by = len(new) - len(old)
        source = self.state.analysis.source

        def moved(start: int, end: int) -> Span | None:
            if end < before:
                return Span(source, start, end)
            return Span(source, start + by, end + by) if start > after else None

        kept = []
        for fault in self.reviewed:
            span = None if fault.span is None else moved(fault.span.start, fault.span.end)
            if span is not None:
                kept.append(evolve(fault, span=span))
        self.reviewed = kept
        places = ((moved(start, start), said) for start, said in self.sizes.items())
        self.sizes = {span.start: said for span, said in places if span is not None}
        self.verdicts = {}
