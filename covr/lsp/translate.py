"""What the language service finds, in the words of the language server protocol."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from lsprotocol import types

from covr.dsl.diagnostics import Diagnostic
from covr.dsl.grammar import cache_folder
from covr.dsl.service.complete import Completion
from covr.dsl.service.folding import Fold
from covr.dsl.service.hover import Hover, Signature
from covr.dsl.service.semantic import Coloured
from covr.dsl.service.symbols import Symbol
from covr.lsp.places import Places
from covr.whole_file import write_whole

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
