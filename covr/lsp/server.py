"""What an editor may ask of covr, and what it is told without asking.

Faults of the text are told after every edit. If there are none, the model is compiled in another process as soon as
nobody has typed for a moment, and its warnings and sizes are told, too.
"""

from __future__ import annotations

import asyncio
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from covr import __version__
from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.dsl.format import format_model
from covr.dsl.service.complete import complete
from covr.dsl.service.fixes import Fix, fixes
from covr.dsl.service.folding import folds
from covr.dsl.service.hover import hover, signature
from covr.dsl.service.names import Refused, rename
from covr.dsl.service.semantic import coloured
from covr.dsl.service.symbols import symbols
from covr.dsl.source import Source
from covr.dsl.syntax import Choose, Expect, Rule, Title
from covr.inputs.library import Libraries
from covr.lsp import translate
from covr.lsp.open_model import OpenModel
from covr.lsp.places import Places
from covr.lsp.worker import Stopped

PAUSE = 0.15  # seconds without an edit before a model is compiled
LIMIT = 10.0  # seconds that a search may take


class CoverServer(LanguageServer):
    """The server. open: the models that are open, by their addresses."""

    def __init__(self) -> None:
        super().__init__("covr", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full)
        self.open: dict[str, OpenModel] = {}
        self.reviews: dict[str, asyncio.Task[None]] = {}

    @property
    def units(self) -> str:
        """How the editor counts in a line."""
        encoding = self.server_capabilities.position_encoding or types.PositionEncodingKind.Utf16
        return types.PositionEncodingKind(encoding).value

    def change(self, uri: str, text: str, version: int) -> None:
        """A text is new, or has changed."""
        model = self.open.get(uri)
        if model is None:
            model = self.open[uri] = OpenModel(uri, self.units)
        model.change(text, version)
        model.worker.stop()
        self.tell(model)
        task = self.reviews.pop(uri, None)
        if task is not None:
            task.cancel()
        if not model.state.analysis.broken:
            self.reviews[uri] = asyncio.create_task(self.review(model))

    async def review(self, model: OpenModel) -> None:
        """Compile a model when nobody has typed for a moment, and tell what that brings."""
        await asyncio.sleep(PAUSE)
        version = model.version
        try:
            result = await model.worker.ask(model.job("review", LIMIT))
        except Stopped:
            return
        if version == model.version:
            model.review(result)
            self.tell(model)
            self.refresh()

    def refresh(self) -> None:
        """Ask the editor for new hints and lenses, if it can do so."""
        workspace = self.client_capabilities.workspace
        if workspace and workspace.inlay_hint and workspace.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)
        if workspace and workspace.code_lens and workspace.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)

    def tell(self, model: OpenModel) -> None:
        """Tell the faults of a model."""
        places = model.state.places
        own = [d for d in model.faults() if d.span is None or d.span.source is model.state.analysis.source]
        others = [d for d in model.faults() if d not in own]
        told = [translate.diagnostic(d, places) for d in own]
        told += [translate.diagnostic(_at_its_use(d, model), places) for d in others]
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=model.uri, diagnostics=told, version=model.version)
        )

    def close(self, uri: str) -> None:
        """A text is closed."""
        model = self.open.pop(uri, None)
        task = self.reviews.pop(uri, None)
        if task is not None:
            task.cancel()
        if model is not None:
            model.worker.close()
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri=uri, diagnostics=[]))

    def at(self, params: Any) -> tuple[OpenModel, int] | None:
        """The model and offset that a question is about; None if the model is not open."""
        model = self.open.get(params.text_document.uri)
        return None if model is None else (model, model.state.places.offset(params.position))


def _at_its_use(fault: Diagnostic, model: OpenModel) -> Diagnostic:
    """A fault of a library, told at the top of the model."""
    assert fault.span is not None
    line, column = fault.span.place
    note = f"in {fault.span.source.name}, line {line}, column {column}"
    return Diagnostic(fault.code, fault.message, None, fault.help, (note, *fault.notes), fault.word)


def make_server() -> CoverServer:
    """A server with all that it can do."""
    server = CoverServer()
    _follow(server)
    _answer_about_places(server)
    _answer_about_texts(server)
    _offer_actions(server)
    _do_work(server)
    return server


def _follow(server: CoverServer) -> None:
    """Texts that are opened, changed and closed."""

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        server.change(params.text_document.uri, params.text_document.text, params.text_document.version)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        text = server.workspace.get_text_document(params.text_document.uri).source
        server.change(params.text_document.uri, text, params.text_document.version)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri)

    @server.feature(types.SHUTDOWN)
    def shutdown(_: None) -> None:
        for uri in list(server.open):
            server.close(uri)


def _answer_about_places(server: CoverServer) -> None:
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
        asked = server.at(params)
        here = None if asked is None else asked[0].state.cursor(asked[1])
        if asked is None or here is None:
            return None
        model, offset = asked
        source = model.state.analysis.source
        libraries = Libraries(source).known("", source) if here.statement == "USE" else []
        found = complete(model.state.analysis, here, libraries)
        replaced = model.state.places.between(here.start, offset)
        items = [translate.completion(one, rank, replaced) for rank, one in enumerate(found)]
        return types.CompletionList(is_incomplete=False, items=items)

    @server.feature(types.TEXT_DOCUMENT_SIGNATURE_HELP, types.SignatureHelpOptions(trigger_characters=["(", ","]))
    def on_signature(params: types.SignatureHelpParams) -> types.SignatureHelp | None:
        asked = server.at(params)
        here = None if asked is None else asked[0].state.cursor(asked[1])
        if asked is None or here is None:
            return None
        found = signature(asked[0].state.analysis, here)
        return None if found is None else translate.signature(found)

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def on_definition(params: types.DefinitionParams) -> list[types.Location]:
        asked = server.at(params)
        found = None if asked is None else asked[0].state.names.at(asked[1])
        if asked is None or found is None:
            return []
        return [_location(asked[0], span) for span in asked[0].state.names.definitions(found)]

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def on_references(params: types.ReferenceParams) -> list[types.Location]:
        asked = server.at(params)
        found = None if asked is None else asked[0].state.names.at(asked[1])
        if asked is None or found is None:
            return []
        same = asked[0].state.names.same(found)
        return [_location(asked[0], o.span) for o in same if params.context.include_declaration or not o.binds]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def on_highlight(params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        asked = server.at(params)
        found = None if asked is None else asked[0].state.names.at(asked[1])
        if asked is None or found is None:
            return []
        state = asked[0].state
        own = [o for o in state.names.same(found) if o.span.source is state.analysis.source]
        kinds = (types.DocumentHighlightKind.Read, types.DocumentHighlightKind.Write)
        return [types.DocumentHighlight(state.places.range(o.span), kinds[o.binds]) for o in own]

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def on_prepare(params: types.PrepareRenameParams) -> types.Range | None:
        asked = server.at(params)
        found = None if asked is None else asked[0].state.names.at(asked[1])
        return None if asked is None or found is None else asked[0].state.places.range(found.span)

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    def on_rename(params: types.RenameParams) -> types.WorkspaceEdit | None:
        asked = server.at(params)
        if asked is None:
            return None
        model, offset = asked
        spans = rename(model.fresh(), model.state.analysis, offset, params.new_name)
        if isinstance(spans, Refused):
            server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, spans.why))
            return None
        ranges = [model.state.places.range(span) for span in spans]
        return types.WorkspaceEdit({model.uri: translate.text_edits(ranges, params.new_name)})


def _size_at(model: OpenModel, offset: int) -> str:
    """What the statement that begins at an offset makes, as far as that is known."""
    for statement in model.state.analysis.statements:
        span = model.state.analysis.span(statement.span)
        named = isinstance(statement, Choose) and span.start <= offset < span.end
        if (span.start == offset or named) and span.start in model.sizes:
            return model.sizes[span.start]
    return ""


def _location(model: OpenModel, span: Any) -> types.Location:
    """A span of the model, or of one of its libraries."""
    if span.source is model.state.analysis.source:
        return types.Location(model.uri, model.state.places.range(span))
    from pathlib import Path

    return types.Location(Path(span.source.path).as_uri(), Places(span.source.text, model.units).range(span))


def _answer_about_texts(server: CoverServer) -> None:
    """Questions about a whole text."""

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def on_symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        model = server.open.get(params.text_document.uri)
        if model is None:
            return []
        return [translate.symbol(found, model.state.places) for found in symbols(model.state.analysis)]

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    def on_folding(params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        model = server.open.get(params.text_document.uri)
        return [] if model is None else [translate.fold(found) for found in folds(model.state.analysis)]

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, translate.LEGEND)
    def on_tokens(params: types.SemanticTokensParams) -> types.SemanticTokens:
        model = server.open.get(params.text_document.uri)
        if model is None:
            return types.SemanticTokens([])
        return translate.semantic_tokens(coloured(model.state.analysis, model.state.names), model.state.places)

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def on_hints(params: types.InlayHintParams) -> list[types.InlayHint]:
        model = server.open.get(params.text_document.uri)
        if model is None:
            return []
        state, found = model.state, []
        for statement in state.analysis.statements:
            span = state.analysis.span(statement.span)
            if isinstance(statement, Rule | Choose) and span.start in model.sizes:
                where = state.places.position(span.end)
                if params.range.start.line <= where.line <= params.range.end.line:
                    found.append(types.InlayHint(where, model.sizes[span.start], padding_left=True))
        return found

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def on_format(params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        model = server.open.get(params.text_document.uri)
        if model is None:
            return []
        try:
            text = format_model(Source(model.name, model.text, model.path))
        except ModelErrors:
            return []
        whole = model.state.places.between(0, len(model.text))
        return [] if text == model.text else [types.TextEdit(whole, text)]


def _offer_actions(server: CoverServer) -> None:
    """What can be done with a click: fixes, and what stands above the title and the promises."""

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])
    )
    def on_actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        model = server.open.get(params.text_document.uri)
        if model is None:
            return []
        found: list[types.CodeAction] = []
        first = model.state.places.offset(params.range.start)
        last = model.state.places.offset(params.range.end)
        for fault in model.faults():
            if fault.span is None or fault.span.end < first or fault.span.start > last:
                continue
            told = translate.diagnostic(fault, model.state.places)
            for fix in fixes(model.fresh, model.state.analysis, fault):
                found.append(_action(model, fix, told))
        return found

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def on_lenses(params: types.CodeLensParams) -> list[types.CodeLens]:
        model = server.open.get(params.text_document.uri)
        if model is None:
            return []
        found: list[types.CodeLens] = []
        for statement in model.state.analysis.statements:
            span = model.state.analysis.span(statement.span)
            where = model.state.places.between(span.start, span.start)
            if isinstance(statement, Title):
                for title, command in (("solve", "covr.solve"), ("count", "covr.count"), ("draw", "covr.draw")):
                    found.append(types.CodeLens(where, types.Command(title, command, arguments=[model.uri])))
            elif isinstance(statement, Expect):
                said = model.verdicts.get(span.place[0], "run")
                found.append(types.CodeLens(where, types.Command(said, "covr.promises", arguments=[model.uri])))
        return found


def _action(model: OpenModel, fix: Fix, told: types.Diagnostic) -> types.CodeAction:
    edit = types.TextEdit(model.state.places.range(fix.span), fix.text)
    preferred = fix.sure and not fix.text.startswith("# covr:")
    return types.CodeAction(
        fix.title,
        types.CodeActionKind.QuickFix,
        [told],
        preferred,
        edit=types.WorkspaceEdit({model.uri: [edit]}),
    )


def _do_work(server: CoverServer) -> None:
    """Commands: what needs a search, in another process."""

    async def ask(uri: str, do: str) -> dict[str, Any]:
        model = server.open.get(uri)
        if model is None:
            return {"said": "this model is not open"}
        task = server.reviews.get(uri)
        if task is not None and not task.done():
            await asyncio.wait([task])
        version = model.version
        try:
            result = await model.worker.ask(model.job(do, LIMIT))
        except Stopped:
            return {"said": "stopped, since the model was changed"}
        if version == model.version and "faults" in result:
            model.review(result)
            server.tell(model)
            return {"said": "the model has faults"}
        return result

    def say(result: dict[str, Any]) -> None:
        text = result.get("said") or result.get("failed")
        if text:
            server.window_show_message(types.ShowMessageParams(types.MessageType.Info, text))

    @server.command("covr.count")
    async def on_count(uri: str) -> dict[str, Any]:
        result = await ask(uri, "count")
        say(result)
        return result

    @server.command("covr.solve")
    async def on_solve(uri: str) -> dict[str, Any]:
        result = await ask(uri, "solve")
        say(result)
        return result

    @server.command("covr.promises")
    async def on_promises(uri: str) -> dict[str, Any]:
        result = await ask(uri, "promises")
        model = server.open.get(uri)
        if model is not None and "verdicts" in result:
            model.verdicts = {verdict["line"]: verdict["said"] for verdict in result["verdicts"]}
            server.refresh()
        else:
            say(result)
        return result

    @server.command("covr.draw")
    async def on_draw(uri: str) -> dict[str, Any]:
        result = await ask(uri, "picture")
        path = translate.kept_picture(result["svg"]) if result.get("svg") else None
        if path is None:
            say(result)
        else:
            server.window_show_document(types.ShowDocumentParams(path, external=True))
        return result

    @server.feature("covr/picture")
    async def on_picture(params: Any) -> dict[str, Any]:
        return await ask(params.uri, "puzzle" if getattr(params, "puzzle", False) else "picture")
