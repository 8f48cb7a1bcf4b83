"""The language server: what an editor may ask, and what it is told."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from covr import __version__
from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.dsl.parser import settle
from covr.dsl.service.complete import Cursor, Fix, complete, fixes
from covr.dsl.service.hover import hover, signature
from covr.dsl.service.names import Occurrence, Refused, coloured, folds, formatted_text, rename, symbols
from covr.dsl.syntax import Choose, Expect, Rule, Title
from covr.inputs.library import Libraries
from covr.lsp import open_model
from covr.lsp.jobs import JobStopped
from covr.lsp.open_model import OpenModel, Places
from covr.output.streams import FOUND

# --- What an editor may ask of covr, and what it is told without asking -----------------------------------------------
# Faults of the text are told after every edit. If there are none, the model is compiled in another process as soon as
# nobody has typed for a moment, and its warnings and sizes are told, too.


PAUSE = 0.15  # seconds without an edit before a text is read again and its model compiled
LIMIT = 10.0  # seconds that a search may take


class CoverServer(LanguageServer):
    """The server. open: the models that are open, by their addresses.

    limit: the seconds that a search may take. compiling: whether models are compiled while they are typed, and not only
    when they are opened and saved. Editors may set both as they start the server: `limit` and `compileWhileTyping`.
    """

    def __init__(self) -> None:
        super().__init__("covr", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full)
        self.open: dict[str, OpenModel] = {}
        self.reviews: dict[str, asyncio.Task[None]] = {}
        self.reported: dict[str, int] = {}  # for each text, the version whose faults were told last
        self.limit = LIMIT
        self.compiling = True

    def set_up(self, options: object) -> None:
        """Take over what an editor sets; what makes no sense is left as it was."""
        given = options if isinstance(options, dict) else {}
        limit, compiling = given.get("limit"), given.get("compileWhileTyping")
        if isinstance(limit, int | float) and limit > 0:
            self.limit = float(limit)
        if isinstance(compiling, bool):
            self.compiling = compiling

    @property
    def units(self) -> str:
        """How the editor counts in a line."""
        encoding = self.server_capabilities.position_encoding or types.PositionEncodingKind.Utf16
        return types.PositionEncodingKind(encoding).value

    def change(self, uri: str, text: str, version: int) -> None:
        """A text is new, or has changed."""
        self.forget_finished()
        model = self.open.get(uri)
        new = model is None
        if model is None:
            model = self.open[uri] = OpenModel(uri, self.units)
        model.change(text, version)
        model.worker.stop()
        if new:
            self.tell(model)
        self.plan_review(model, compiling=self.compiling or new)
        if new:
            asyncio.get_running_loop().call_later(PAUSE, settle)

    def forget_finished(self) -> None:
        """Let go of what was answered: pygls 2.1 keeps a future, with its locks, of every notification for good."""
        futures = getattr(self.protocol, "_request_futures", {})
        for number in [number for number, future in futures.items() if future.done()]:
            del futures[number]

    def plan_review(self, model: OpenModel, compiling: bool) -> None:
        """Review a model soon, and not as it was planned before."""
        task = self.reviews.pop(model.uri, None)
        if task is not None:
            task.cancel()
        self.reviews[model.uri] = asyncio.create_task(self.review(model, compiling))

    async def review(self, model: OpenModel, compiling: bool) -> None:
        """When no key was pressed for a moment, tell the faults of a model's text; if it has none, compile it and tell
        what that brings."""
        await asyncio.sleep(PAUSE)
        version = model.version
        if self.reported.get(model.uri) != version:
            self.tell(model)
        if model.state.analysis.broken or not compiling:
            return
        try:
            result = await model.worker.ask(model.job("review", self.limit))
        except JobStopped:
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
        self.reported[model.uri] = model.version
        places = model.state.places
        own = [d for d in model.faults() if d.span is None or d.span.source is model.state.analysis.source]
        others = [d for d in model.faults() if d not in own]
        shown = [open_model.diagnostic(d, places) for d in own]
        shown += [open_model.diagnostic(_at_its_use(d, model), places) for d in others]
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=model.uri, diagnostics=shown, version=model.version)
        )

    def close(self, uri: str) -> None:
        """A text is closed."""
        model = self.open.pop(uri, None)
        task = self.reviews.pop(uri, None)
        self.reported.pop(uri, None)
        if task is not None:
            task.cancel()
        if model is not None:
            model.worker.close()
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri=uri, diagnostics=[]))

    def leave(self) -> None:
        """End every process that works for the server; the editor is gone, and is told nothing."""
        for model in self.open.values():
            model.worker.close()
        self.open.clear()

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


# --- Requests that need a search, which runs in another process -------------------------------------------------------
# Commands: `covr.solve`, `covr.count`, `covr.draw` and `covr.promises`, each with the address of an open model. The
# request `covr/picture` with `{uri, puzzle}` brings the picture of the first answer, or of the puzzle, for a panel
# beside the text.


def do_searches(server: CoverServer) -> None:
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
            result = await model.worker.ask(model.job(do, server.limit))
        except JobStopped:
            return {"said": "stopped, since the model was changed"}
        if version == model.version and "faults" in result:
            model.review(result)
            server.tell(model)
            return {"said": "the model has errors"}
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
        path = open_model.kept_picture(result["svg"]) if result.get("svg") else None
        if path is None:
            say(result)
        else:
            server.window_show_document(types.ShowDocumentParams(path, external=True))
        return result

    @server.feature("covr/picture")
    async def on_picture(params: Any) -> dict[str, Any]:
        return await ask(params.uri, "puzzle" if getattr(params, "puzzle", False) else "picture")


# --- What can be done with a click: fixes of faults, and what stands above the title and the promises -----------------


def offer_actions(server: CoverServer) -> None:
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
            shown = open_model.diagnostic(fault, model.state.places)
            for fix in fixes(model.document, model.state.analysis, fault):
                found.append(_action(model, fix, shown))
        return found

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def on_lenses(params: types.CodeLensParams) -> list[types.CodeLens]:
        model = server.open.get(params.text_document.uri)
        if model is None:
            return []
        found: list[types.CodeLens] = []
        for statement in model.state.analysis.statements:
            span = statement.span
            where = model.state.places.between(span.start, span.start)
            if isinstance(statement, Title):
                for title, command in (("solve", "covr.solve"), ("count", "covr.count"), ("draw", "covr.draw")):
                    found.append(types.CodeLens(where, types.Command(title, command, arguments=[model.uri])))
            elif isinstance(statement, Expect):
                said = model.verdicts.get(span.place[0], "run")
                found.append(types.CodeLens(where, types.Command(said, "covr.promises", arguments=[model.uri])))
        return found


def _action(model: OpenModel, fix: Fix, shown: types.Diagnostic) -> types.CodeAction:
    edit = types.TextEdit(model.state.places.range(fix.span), fix.text)
    preferred = fix.sure and not fix.text.startswith("# covr:")
    return types.CodeAction(
        fix.title,
        types.CodeActionKind.QuickFix,
        [shown],
        preferred,
        edit=types.WorkspaceEdit({model.uri: [edit]}),
    )


# --- What an editor asks about a whole text: its outline, folds, colours, sizes, layout -------------------------------


def answer_about_texts(server: CoverServer) -> None:
    """Questions about a whole text."""

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def on_symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        model = server.open.get(params.text_document.uri)
        if model is None:
            return []
        return [open_model.symbol(found, model.state.places) for found in symbols(model.state.analysis)]

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    def on_folding(params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        model = server.open.get(params.text_document.uri)
        return [] if model is None else [open_model.fold(found) for found in folds(model.state.analysis)]

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, open_model.LEGEND)
    def on_tokens(params: types.SemanticTokensParams) -> types.SemanticTokens:
        model = server.open.get(params.text_document.uri)
        if model is None:
            return types.SemanticTokens([])
        return open_model.semantic_tokens(coloured(model.state.analysis, model.state.names), model.state.places)

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def on_hints(params: types.InlayHintParams) -> list[types.InlayHint]:
        model = server.open.get(params.text_document.uri)
        if model is None:
            return []
        state, found = model.state, []
        for statement in state.analysis.statements:
            span = statement.span
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
            text = formatted_text(model.state.analysis)
        except ModelErrors:
            return []
        whole = model.state.places.between(0, len(model.text))
        return [] if text == model.text else [types.TextEdit(whole, text)]


# --- What an editor asks about a place in a text: what stands there, what may be written, where else a name stands ----


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
        return None if found is None else open_model.hover(found, state.places, _size_at(model, found.span.start))

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
        items = [open_model.completion(one, rank, replaced) for rank, one in enumerate(found)]
        return types.CompletionList(is_incomplete=False, items=items)

    @server.feature(types.TEXT_DOCUMENT_SIGNATURE_HELP, types.SignatureHelpOptions(trigger_characters=["(", ","]))
    def on_signature(params: types.SignatureHelpParams) -> types.SignatureHelp | None:
        asked = _cursor_at(server, params)
        found = None if asked is None else signature(asked[0].state.analysis, asked[1])
        return None if found is None else open_model.signature(found)

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
        return types.WorkspaceEdit({model.uri: open_model.text_edits(ranges, params.new_name)})


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
        span = statement.span
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


# --- The language server with all that it can do ----------------------------------------------------------------------


def make_server() -> CoverServer:
    """A server with all that it can do."""
    server = CoverServer()
    _follow(server)
    answer_about_places(server)
    answer_about_texts(server)
    offer_actions(server)
    do_searches(server)
    return server


def _follow(server: CoverServer) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.set_up(params.initialization_options)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        server.change(params.text_document.uri, params.text_document.text, params.text_document.version)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        text = server.workspace.get_text_document(params.text_document.uri).source
        server.change(params.text_document.uri, text, params.text_document.version)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: types.DidSaveTextDocumentParams) -> None:
        model = server.open.get(params.text_document.uri)
        if model is not None and not server.compiling:
            server.plan_review(model, compiling=True)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri)

    @server.feature(types.SHUTDOWN)
    def shutdown(_: None) -> None:
        for uri in list(server.open):
            server.close(uri)


# --- Serves one editor over standard input and output, until it leaves or the server is told to end -------------------
# However it ends, nothing is written on standard error, and no process is left behind:
#
#     the editor says `exit`         0, or 1 if it did not say `shutdown` before, as the protocol wants it
#     standard input ends            0: the editor is gone, which is no fault of the server
#     nobody reads what is written   0: the same
#     SIGTERM, SIGINT                0, at once: a thread still waits for the editor's next word, and can't be woken
#
# pygls closes the stream that it writes to, so it gets one of its own: covr's standard output is needed until the end.


UNEXPECTED = 1  # the exit code of a server that was told to exit without being told to shut down


class Output:
    """A stream to the editor, as far as pygls needs one. If nobody reads it any more, the server ends."""

    def __init__(self, server: CoverServer) -> None:
        self._server = server
        self._out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")

    def write(self, data: bytes) -> None:
        try:
            self._out.write(data)
            self._out.flush()
        except OSError:
            _end(self._server, FOUND)

    def flush(self) -> None:
        """Everything is written already."""

    def close(self) -> None:
        """Close the stream."""
        self._out.close()


class ServerEnding:
    """What an editor has said about the end. code: the exit code."""

    def __init__(self, server: CoverServer) -> None:
        self.code = FOUND
        protocol = server.protocol

        @server.feature(types.EXIT)
        def left(_: None) -> None:
            self.code = FOUND if getattr(protocol, "_shutdown", False) else UNEXPECTED


def serve() -> NoReturn:
    """Serve the editor that started this process, and end the process."""
    logging.disable()  # nobody reads what pygls and asyncio note, and Python would write it on standard error
    server = make_server()
    ending = ServerEnding(server)

    def stop(number: int, frame: FrameType | None) -> None:
        _end(server, FOUND)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    server.start_io(sys.stdin.buffer, Output(server))  # type: ignore[arg-type]
    _end(server, ending.code)


def _end(server: CoverServer, code: int) -> NoReturn:
    """End this process. It leaves no time to Python, which would complain of pipes whose event loop has ended."""
    server.leave()
    os._exit(code)
