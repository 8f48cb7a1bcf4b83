"""Requests that need a search, which runs in another process.

Commands: `covr.solve`, `covr.count`, `covr.draw` and `covr.promises`, each with the address of an open model. The
request `covr/picture` with `{uri, puzzle}` brings the picture of the first answer, or of the puzzle, for a panel
beside the text.
"""

from __future__ import annotations

import asyncio
from typing import Any

from lsprotocol import types

from covr.lsp import translate
from covr.lsp.cover_server import CoverServer
from covr.lsp.worker import JobStopped


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
