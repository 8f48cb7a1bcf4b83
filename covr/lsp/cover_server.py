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
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.gc_paused import settle
from covr.lsp import translate
from covr.lsp.open_model import OpenModel
from covr.lsp.worker import JobStopped

PAUSE = 0.15  # seconds without an edit before a model is compiled
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
        self.tell(model)
        task = self.reviews.pop(uri, None)
        if task is not None:
            task.cancel()
        if self.compiling or new:
            self.plan_review(model)
        if new:
            asyncio.get_running_loop().call_later(PAUSE, settle)

    def forget_finished(self) -> None:
        """Let go of what was answered: pygls 2.1 keeps a future, with its locks, of every notification for good."""
        futures = getattr(self.protocol, "_request_futures", {})
        for number in [number for number, future in futures.items() if future.done()]:
            del futures[number]

    def plan_review(self, model: OpenModel) -> None:
        """Compile a model soon, unless its text has faults."""
        if not model.state.analysis.broken:
            self.reviews[model.uri] = asyncio.create_task(self.review(model))

    async def review(self, model: OpenModel) -> None:
        """Compile a model when nobody has typed for a moment, and tell what that brings."""
        await asyncio.sleep(PAUSE)
        version = model.version
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
