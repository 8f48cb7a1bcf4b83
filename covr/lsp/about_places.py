"""What an editor asks about a place in a text: what stands there, what may be written, where else a name stands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lsprotocol import types

from covr.dsl.service.complete import complete
from covr.dsl.service.cursor import Cursor
from covr.dsl.service.hover import hover, signature
from covr.dsl.service.names import Occurrence, Refused, rename
from covr.dsl.syntax import Choose, Title
from covr.inputs.library import Libraries
from covr.lsp import translate
from covr.lsp.cover_server import CoverServer
from covr.lsp.open_model import OpenModel
from covr.lsp.places import Places


def answer_about_places(server: CoverServer) -> None:
    """Questions about a place in a text."""

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def on_hover(params: types.HoverParams) -> types.Hover | None:
        asked = server.at(params)
        if asked is None:
            return None
        model, offset = asked
        state = model.state
        found = hover(state.analysis, state.names, offset)
        return None if found is None else translate.hover(found, state.places, _size_at(model, found.span.start))

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=['"', "{", " ", "("]))
    def on_completion(params: types.CompletionParams) -> types.CompletionList | None:
        asked = _cursor_at(server, params)
        if asked is None:
            return None
        model, here, offset = asked
        source = model.state.analysis.source
        libraries = Libraries(source).known("", source) if here.statement == "USE" else []
        found = complete(model.state.analysis, here, libraries)
        replaced = model.state.places.between(here.start, offset)
        items = [translate.completion(one, rank, replaced) for rank, one in enumerate(found)]
        return types.CompletionList(is_incomplete=False, items=items)

    @server.feature(types.TEXT_DOCUMENT_SIGNATURE_HELP, types.SignatureHelpOptions(trigger_characters=["(", ","]))
    def on_signature(params: types.SignatureHelpParams) -> types.SignatureHelp | None:
        asked = _cursor_at(server, params)
        found = None if asked is None else signature(asked[0].state.analysis, asked[1])
        return None if found is None else translate.signature(found)

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def on_definition(params: types.DefinitionParams) -> list[types.Location]:
        asked = _name_at(server, params)
        return (
            [] if asked is None else [_location(asked[0], span) for span in asked[0].state.names.definitions(asked[1])]
        )

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def on_references(params: types.ReferenceParams) -> list[types.Location]:
        asked = _name_at(server, params)
        if asked is None:
            return []
        model, found = asked
        same = model.state.names.same(found)
        return [_location(model, o.span) for o in same if params.context.include_declaration or not o.binds]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def on_highlight(params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        asked = _name_at(server, params)
        if asked is None:
            return []
        state, found = asked[0].state, asked[1]
        own = [o for o in state.names.same(found) if o.span.source is state.analysis.source]
        kinds = (types.DocumentHighlightKind.Read, types.DocumentHighlightKind.Write)
        return [types.DocumentHighlight(state.places.range(o.span), kinds[o.binds]) for o in own]

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def on_prepare(params: types.PrepareRenameParams) -> types.Range | None:
        asked = _name_at(server, params)
        return None if asked is None else asked[0].state.places.range(asked[1].span)

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    def on_rename(params: types.RenameParams) -> types.WorkspaceEdit | None:
        asked = server.at(params)
        if asked is None:
            return None
        model, offset = asked
        spans = rename(model.document, model.state.analysis, offset, params.new_name)
        if isinstance(spans, Refused):
            server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, spans.why))
            return None
        ranges = [model.state.places.range(span) for span in spans]
        return types.WorkspaceEdit({model.uri: translate.text_edits(ranges, params.new_name)})


def _name_at(server: CoverServer, params: Any) -> tuple[OpenModel, Occurrence] | None:
    """The model that a question is about, and the name that stands at its place; None if there is none."""
    asked = server.at(params)
    found = None if asked is None else asked[0].state.names.at(asked[1])
    return None if asked is None or found is None else (asked[0], found)


def _cursor_at(server: CoverServer, params: Any) -> tuple[OpenModel, Cursor, int] | None:
    """The model that a question is about, what stands before its place, and that place; None if nothing can be read."""
    asked = server.at(params)
    here = None if asked is None else asked[0].state.cursor(asked[1])
    return None if asked is None or here is None else (asked[0], here, asked[1])


def _size_at(model: OpenModel, offset: int) -> str:
    """What the statement that begins at an offset makes, as far as that is known."""
    for statement in model.state.analysis.statements:
        span = model.state.analysis.span(statement.span)
        if isinstance(statement, Title) and span.start == offset:
            return model.whole
        named = isinstance(statement, Choose) and span.start <= offset < span.end
        if (span.start == offset or named) and span.start in model.sizes:
            return model.sizes[span.start]
    return ""


def _location(model: OpenModel, span: Any) -> types.Location:
    """A span of the model, or of one of its libraries."""
    if span.source is model.state.analysis.source:
        return types.Location(model.uri, model.state.places.range(span))
    return types.Location(Path(span.source.path).as_uri(), Places(span.source.text, model.units).range(span))
