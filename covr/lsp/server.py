"""The language server with all that it can do."""

from __future__ import annotations

from lsprotocol import types

from covr.lsp.about_places import answer_about_places
from covr.lsp.about_texts import answer_about_texts
from covr.lsp.actions import offer_actions
from covr.lsp.cover_server import CoverServer
from covr.lsp.searches import do_searches


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
    """Texts that are opened, changed, saved and closed."""

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
            server.plan_review(model)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri)

    @server.feature(types.SHUTDOWN)
    def shutdown(_: None) -> None:
        for uri in list(server.open):
            server.close(uri)
