"""What can be done with a click: fixes of faults, and what stands above the title and the promises."""

from __future__ import annotations

from lsprotocol import types

from covr.dsl.service.fixes import Fix, fixes
from covr.dsl.syntax import Expect, Title
from covr.lsp import translate
from covr.lsp.cover_server import CoverServer
from covr.lsp.open_model import OpenModel


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
            told = translate.diagnostic(fault, model.state.places)
            for fix in fixes(model.document, model.state.analysis, fault):
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
