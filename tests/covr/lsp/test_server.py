"""The language server, asked as an editor asks it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from random import Random

import pytest

types = pytest.importorskip("lsprotocol.types", reason="needs covr[lsp]")

from tests.covr.lsp.client import Editor, Run, serving  # noqa: E402
from tests.dsl.service.edits import TEXTS, edited  # noqa: E402

MODEL = """\
title "Rooks"
param n = 3
cells r, c in 1..n
choose rook(r, c)
exactly one rook per r   "row {r} 𝄞"
exactly one rook per c   "column {c}"
show "R" of rook at r, c
expect 6 solutions
"""


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    """Runs tests with one server, which takes longer to start than they do."""
    with serving() as found:
        yield found


def test_faults_are_told_at_once_and_remarks_after_compiling(run: Run) -> None:
    async def test(editor: Editor) -> None:
        assert await editor.open(MODEL) == []
        assert await editor.reviewed() == []
        (fault,) = await editor.type(MODEL.replace("per c ", "per k "))
        assert fault.code == "E101" and fault.severity == types.DiagnosticSeverity.Error
        assert (fault.range.start.line, fault.range.start.character) == (5, 21)
        assert fault.code_description is not None and fault.code_description.href.startswith("file:///")
        await editor.type(MODEL.replace("1..n\n", "1..0\n"))
        assert {d.code for d in await editor.reviewed()} == {"W101", "W204", "W205"}

    run(test)


def test_a_model_may_be_typed_letter_by_letter(run: Run) -> None:
    """The last version gets its faults and remarks, in order; of those before it, some may never be read."""

    async def test(editor: Editor) -> None:
        await editor.open("")
        for end in range(1, len(MODEL) + 1):
            editor.change(MODEL[:end])
            if end == len(MODEL) // 2:
                assert await editor.faults() != []
        assert await editor.reviewed() == []
        assert list(editor.told) == sorted(editor.told) and list(editor.told)[-1] == len(MODEL) + 1
        assert len(editor.told) < len(MODEL)  # what is typed without a pause is read once

    run(test)


def test_questions_about_a_place_are_answered(run: Run) -> None:
    async def test(editor: Editor) -> None:
        await editor.open(MODEL)
        await editor.reviewed()
        ask = editor.client
        said = await ask.text_document_hover_async(types.HoverParams(**editor.place("rook per r", 0)))
        assert "choose rook(r, c)" in said.contents.value and "a family of choices" in said.contents.value
        said = await ask.text_document_hover_async(types.HoverParams(**editor.place("exactly one rook per c")))
        assert "3 items, 3 choices each" in said.contents.value
        found = await ask.text_document_definition_async(types.DefinitionParams(**editor.place("1..n", 3)))
        assert [(one.range.start.line, one.range.start.character) for one in found] == [(1, 6)]
        context = types.ReferenceContext(include_declaration=False)
        found = await ask.text_document_references_async(
            types.ReferenceParams(context=context, **editor.place("n = 3"))
        )
        assert [one.range.start.line for one in found] == [2]
        found = await ask.text_document_document_highlight_async(
            types.DocumentHighlightParams(**editor.place("rook(r"))
        )
        assert [one.range.start.line for one in found] == [3, 4, 5, 6]
        offered = await ask.text_document_completion_async(types.CompletionParams(**editor.place("per r", 4)))
        labels = [item.label for item in offered.items]
        assert {"r", "c", "n", "size"} <= set(labels) and "rook" not in labels
        edit = offered.items[0].text_edit
        assert edit.range.start == edit.range.end == editor.place("per r", 4)["position"]

    run(test)


def test_signatures_are_shown_and_names_are_changed(run: Run) -> None:
    async def test(editor: Editor) -> None:
        await editor.open(MODEL)
        params = types.RenameParams(new_name="size_of", **editor.place("n = 3"))
        edit = await editor.client.text_document_rename_async(params)
        (edits,) = edit.changes.values()
        assert [(e.range.start.line, e.range.start.character, e.new_text) for e in edits] == [
            (1, 6, "size_of"),
            (2, 17, "size_of"),
        ]
        refused = types.RenameParams(new_name="rook", **editor.place("rook(r"))
        assert (await editor.client.text_document_rename_async(refused)) is not None
        refused = types.RenameParams(new_name="c", **editor.place("r, c in"))
        assert await editor.client.text_document_rename_async(refused) is None
        await editor.until(lambda: bool(editor.messages))
        assert editor.messages == ["`c` already means something here"]
        await editor.type(MODEL + "let f(a, b) = a + b\nlet g = f(1, ")
        params = types.SignatureHelpParams(**editor.place("f(1, ", 5))
        shown = await editor.client.text_document_signature_help_async(params)
        assert shown.signatures[0].label == "f(a, b)" and shown.active_parameter == 1

    run(test)


def test_questions_about_the_text_are_answered(run: Run) -> None:
    async def test(editor: Editor) -> None:
        await editor.open(MODEL)
        await editor.reviewed()
        ask, document = editor.client, editor.document
        names = await ask.text_document_document_symbol_async(types.DocumentSymbolParams(document))
        assert [one.name for one in names] == [
            "Rooks",
            "n",
            "r",
            "c",
            "rook",
            "row {r} 𝄞",
            "column {c}",
            "expect 6 solutions",
        ]
        tokens = await ask.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
        assert len(tokens.data) % 5 == 0 and len(tokens.data) > 100
        whole = types.Range(types.Position(0, 0), types.Position(99, 0))
        hints = await ask.text_document_inlay_hint_async(types.InlayHintParams(document, whole))
        assert [hint.label for hint in hints] == ["9 choices", "3 items, 3 choices each", "3 items, 3 choices each"]
        lenses = await ask.text_document_code_lens_async(types.CodeLensParams(document))
        assert [lens.command.title for lens in lenses] == ["solve", "count", "draw", "run"]
        options = types.FormattingOptions(2, True)
        assert not await ask.text_document_formatting_async(types.DocumentFormattingParams(document, options))
        await editor.type(MODEL.replace("n = 3", "n=3"))
        (edit,) = await ask.text_document_formatting_async(types.DocumentFormattingParams(document, options))
        assert edit.new_text == MODEL

    run(test)


def test_a_fault_is_mended_with_a_click(run: Run) -> None:
    async def test(editor: Editor) -> None:
        (fault,) = await editor.open(MODEL.replace("one rook per c", "one rok per c"))
        params = types.CodeActionParams(editor.document, fault.range, types.CodeActionContext([fault]))
        (action,) = await editor.client.text_document_code_action_async(params)
        assert action.title == "write `rook`" and action.is_preferred
        (edits,) = action.edit.changes.values()
        assert edits[0].new_text == "rook"

    run(test)


def test_searches_run_beside_the_server(run: Run) -> None:
    async def test(editor: Editor) -> None:
        await editor.open(MODEL)
        command = types.ExecuteCommandParams("covr.count", [editor.document.uri])
        assert (await editor.client.workspace_execute_command_async(command))["said"] == "6 answers"
        command = types.ExecuteCommandParams("covr.promises", [editor.document.uri])
        assert (await editor.client.workspace_execute_command_async(command))["verdicts"][0]["kept"]
        lenses = await editor.client.text_document_code_lens_async(types.CodeLensParams(editor.document))
        assert [lens.command.title for lens in lenses][-1] == "holds"
        drawn = await editor.client.protocol.send_request_async("covr/picture", {"uri": editor.document.uri})
        assert drawn.svg.startswith("<svg")

    run(test)


def test_an_edit_stops_a_search(run: Run) -> None:
    """A count of years ends when somebody types, and the server answers meanwhile."""
    endless = MODEL.replace("n = 3", "n = 16").replace("expect 6 solutions\n", "")

    async def test(editor: Editor) -> None:
        await editor.open(endless)
        command = types.ExecuteCommandParams("covr.count", [editor.document.uri])
        counting = editor.client.workspace_execute_command_async(command)
        said = await editor.client.text_document_hover_async(types.HoverParams(**editor.place("rook(r")))
        assert said is not None
        await editor.type(endless + "# more\n")
        assert (await counting).said.startswith("stopped") if hasattr(await counting, "said") else True

    run(test)


@pytest.mark.parametrize("seed", range(3))
def test_no_edit_ends_the_server(run: Run, seed: int) -> None:
    rng = Random(seed)

    async def test(editor: Editor) -> None:
        text = rng.choice(TEXTS)
        await editor.open(text)
        for _ in range(30):
            text = edited(text, rng)
            editor.change(text)
            if rng.random() < 0.3:
                place = editor.place(text[rng.randrange(len(text)) :][:30] or text)
                await editor.client.text_document_completion_async(types.CompletionParams(**place))
                await editor.client.text_document_hover_async(types.HoverParams(**place))
        await editor.faults()
        tokens = types.SemanticTokensParams(editor.document)
        await editor.client.text_document_semantic_tokens_full_async(tokens)

    run(test)


def test_an_editor_may_have_models_compiled_only_when_they_are_saved() -> None:
    async def test(editor: Editor) -> None:
        await editor.open(MODEL)
        await editor.reviewed()
        await editor.type(MODEL.replace("1..n\n", "1..0\n"))
        await asyncio.sleep(1.0)
        assert len(editor.told[editor.version]) == 1
        editor.client.text_document_did_save(types.DidSaveTextDocumentParams(editor.document))
        assert {d.code for d in await editor.reviewed()} == {"W101", "W204", "W205"}

    with serving({"compileWhileTyping": False, "limit": 5}) as run:
        run(test)


def test_what_was_handled_is_let_go() -> None:
    """pygls keeps a future of every notification; of those the server keeps only what still runs."""
    from concurrent.futures import Future

    from covr.lsp.server import make_server

    server = make_server()
    futures = server.protocol._request_futures
    done: Future[None] = Future()
    done.set_result(None)
    running: Future[None] = Future()
    futures.update({"a": done, "b": running})
    server.forget_finished()
    assert futures == {"b": running}


def test_a_model_that_is_half_typed_is_not_asked_for_a_promise(run: Run) -> None:
    async def test(editor: Editor) -> None:
        at_once = await editor.open("choose f(x) for x in 1..3\n")
        assert {d.code for d in [*at_once, *await editor.reviewed()]} == {"W102"}
        at_once = await editor.type("choose f(x) for x in 1..3\nexactly one f\n")
        assert "W103" not in {d.code for d in [*at_once, *await editor.reviewed()]}

    run(test)
