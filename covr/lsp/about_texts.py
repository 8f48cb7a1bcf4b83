"""What an editor asks about a whole text: its outline, folds, colours, sizes, layout."""

from __future__ import annotations

from lsprotocol import types

from covr.dsl.diagnostics import ModelErrors
from covr.dsl.service.folding import folds
from covr.dsl.service.formatting import formatted_text
from covr.dsl.service.semantic import coloured
from covr.dsl.service.symbols import symbols
from covr.dsl.syntax import Choose, Rule
from covr.lsp import translate
from covr.lsp.cover_server import CoverServer


def answer_about_texts(server: CoverServer) -> None:
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
            text = formatted_text(model.state.analysis)
        except ModelErrors:
            return []
        whole = model.state.places.between(0, len(model.text))
        return [] if text == model.text else [types.TextEdit(whole, text)]
