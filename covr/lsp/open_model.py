"""One model that is open in an editor, its places and answers in the words of the protocol."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from attrs import evolve, field
from lsprotocol import types

from covr.dsl.diagnostics import Diagnostic, Source, Span
from covr.dsl.grammar import cache_folder
from covr.dsl.service.complete import Completion
from covr.dsl.service.document import Analysis, Document, common_end, common_start
from covr.dsl.service.hover import Hover, Signature
from covr.dsl.service.names import Coloured, Fold, Symbol
from covr.faults import write_whole
from covr.frozen import frozen
from covr.inputs.library import Libraries
from covr.live.review import TextState, TextUnits
from covr.lsp.jobs import Worker


@frozen
class Places:
    """The places of one text as an editor counts them: lines from 0, and in a line units of an encoding."""

    text: str = field(repr=False)
    units: str = "utf-16"
    _starts: list[int] = field(init=False, repr=False)
    _units: TextUnits = field(init=False, repr=False)

    @_starts.default
    def _find_starts(self) -> list[int]:
        starts, at = [0], self.text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.text.find("\n", at + 1)
        return starts

    @_units.default
    def _count_units(self) -> TextUnits:
        return TextUnits(self.text, self.units)

    def position(self, offset: int) -> types.Position:
        """The place of a character. Time O(log lines)."""
        line = bisect_right(self._starts, offset) - 1
        return types.Position(line, self._units.units(offset) - self._units.units(self._starts[line]))

    def offset(self, position: types.Position) -> int:
        """The character at a place; the end of its line, or of the text, if it is behind that."""
        if position.line >= len(self._starts):
            return len(self.text)
        start = self._starts[position.line]
        end = self._starts[position.line + 1] - 1 if position.line + 1 < len(self._starts) else len(self.text)
        return min(self._units.offset(self._units.units(start) + position.character), end)

    def range(self, span: Span) -> types.Range:
        """A span of this text."""
        return self.between(span.start, span.end)

    def between(self, start: int, end: int) -> types.Range:
        """The text from an offset up to another."""
        return types.Range(self.position(start), self.position(end))


def normal(text: str) -> str:
    """A text with the ends of lines that covr knows; each stays one, so lines keep their numbers."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


# --- What the language service finds, in the words of the language server protocol ------------------------------------


Item = types.CompletionItemKind
Kind = types.SymbolKind

COMPLETIONS = {
    "word": Item.Keyword, "param": Item.Property, "value": Item.Variable, "function": Item.Function,
    "reader": Item.Constructor, "index": Item.Variable, "family": Item.Class, "library": Item.Module,
    "code": Item.Constant, "constant": Item.Constant,
}  # fmt: skip
SYMBOLS = {
    "title": Kind.String, "param": Kind.Property, "value": Kind.Variable, "function": Kind.Function,
    "index": Kind.Variable, "family": Kind.Class, "rule": Kind.Method, "promise": Kind.Event,
}  # fmt: skip
# The kinds of `Coloured` → the kinds that editors have colours for.
COLOURS = {
    "keyword": "keyword", "text": "string", "comment": "comment", "number": "number", "operator": "operator",
    "function": "function", "reader": "macro", "constant": "enumMember", "param": "property", "value": "variable",
    "index": "parameter", "local": "parameter", "family": "class", "property": "property",
}  # fmt: skip
LEGEND = types.SemanticTokensLegend(sorted(set(COLOURS.values())), ["declaration", "defaultLibrary"])
DECLARATION, BUILT_IN = 1, 2


def diagnostic(fault: Diagnostic, places: Places) -> types.Diagnostic:
    """A fault of the text itself. Its help and notes stand below its message."""
    span = fault.span
    where = places.between(0, 0) if span is None else places.range(span)
    lines = [fault.message, *fault.notes, *([f"help: {fault.help}"] if fault.help else [])]
    page = page_of(fault.code)
    return types.Diagnostic(
        where,
        "\n".join(lines),
        types.DiagnosticSeverity.Error if fault.is_error else types.DiagnosticSeverity.Warning,
        fault.code,
        None if page is None else types.CodeDescription(page),
        "covr",
        [types.DiagnosticTag.Unnecessary] if fault.code == "W101" else None,
    )


def page_of(code: str) -> str | None:
    """The address of a file with what `covr explain` says of a code, written when it is first asked for; None if
    that can't be."""
    from covr.explain.code_pages import page_text, pages

    page = pages().get(code)
    return None if page is None else kept(f"explained/{code}.txt", page_text(page))


def kept_picture(svg: str) -> str | None:
    """The address of a file with a picture; None if it can't be written. The next picture takes its place."""
    return kept("drawn/answer.svg", svg)


def kept(name: str, text: str) -> str | None:
    """The address of a file of that name in the user's cache, with that text; None if it can't be written."""
    folder = cache_folder()
    if folder is None:
        return None
    path = Path(folder) / name
    try:
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, text.encode())
    except (OSError, ValueError):
        return None
    return path.as_uri()


def completion(one: Completion, rank: int, replaced: types.Range) -> types.CompletionItem:
    """One thing that may be written instead of what is replaced. rank: its place among all."""
    return types.CompletionItem(
        one.label,
        kind=COMPLETIONS[one.kind],
        detail=one.detail or None,
        sort_text=f"{rank:05d}",
        text_edit=types.TextEdit(replaced, one.label),
    )


def hover(found: Hover, places: Places, more: str = "") -> types.Hover:
    """What is said of a word. more: what is known from compiling, in words."""
    said = "\n\n".join(part for part in (f"```cover\n{found.code}\n```", found.text, more) if part)
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, said), places.range(found.span))


def signature(found: Signature) -> types.SignatureHelp:
    """A call that is being written."""
    parameters = [types.ParameterInformation(name) for name in found.parameters]
    one = types.SignatureInformation(found.label, found.text or None, parameters)
    return types.SignatureHelp([one], 0, min(found.active, max(0, len(parameters) - 1)))


def symbol(found: Symbol, places: Places) -> types.DocumentSymbol:
    """A part of a model."""
    name = found.name.strip() or "(without a name)"
    return types.DocumentSymbol(name, SYMBOLS[found.kind], places.range(found.span), places.range(found.at))


def fold(found: Fold) -> types.FoldingRange:
    """Lines that may be folded."""
    kind = types.FoldingRangeKind.Comment if found.kind == "comment" else types.FoldingRangeKind.Region
    return types.FoldingRange(found.first - 1, found.last - 1, kind=kind)


def semantic_tokens(found: Sequence[Coloured], places: Places) -> types.SemanticTokens:
    """The kinds of all words: five numbers each, relative to the one before."""
    numbers = {kind: at for at, kind in enumerate(LEGEND.token_types)}
    data: list[int] = []
    line = character = 0
    for one in found:
        start, end = places.position(one.start), places.position(one.start + one.length)
        if start.line != line:
            character = 0
        modifiers = DECLARATION * one.binds + BUILT_IN * (one.kind in ("reader", "constant"))
        kind = numbers[COLOURS[one.kind]]
        data += [start.line - line, start.character - character, end.character - start.character, kind, modifiers]
        line, character = start.line, start.character
    return types.SemanticTokens(data)


def text_edits(ranges: Iterable[types.Range], text: str) -> list[types.TextEdit]:
    """The same text in several places."""
    return [types.TextEdit(where, text) for where in ranges]


# --- One model that is open in an editor: what is known of its text, and what came back from compiling it -------------


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

    text: as it stands; version: as the editor counts.
    reviewed: the remarks that compiling brought, moved along with the text around them;
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
        self.text = ""
        self._state = State(self.document.change(""), units)

    def change(self, text: str, version: int) -> None:
        """Take over a new text, which is read when it is first asked about."""
        self.text = normal(text)
        self.version = version
        self.verdicts = {}

    @property
    def state(self) -> State:
        """What is known of the text as it stands."""
        old = self._state.text
        if old != self.text:
            self._state = State(self.document.change(self.text), self.units)
            self._move(old, self.text)
        return self._state

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
        self.reviewed = [self._diagnostic_of(fault, source) for fault in result.get("faults", ())]
        self.sizes = {int(start): said for start, said in result.get("sizes", {}).items()}
        self.whole = result.get("whole", "")

    def job(self, do: str, seconds: float) -> dict[str, Any]:
        """A job for the worker about the text as it stands."""
        return {"do": do, "name": self.name, "path": self.path, "text": self.text, "seconds": seconds}

    def _diagnostic_of(self, fault: dict[str, Any], source: Source) -> Diagnostic:
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
        source = self._state.analysis.source

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
