"""A client of the language server, over its standard input and output, as an editor is one."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient

PATIENCE = 60.0  # seconds after which a test gives up
URI = "file:///nowhere/m.cover"


class Editor:
    """One text that is open in the server."""

    def __init__(self, client: LanguageClient) -> None:
        self.client = client
        self.version = 0
        self.text = ""
        self.told: dict[int, list[list[types.Diagnostic]]] = {}  # for each version, what was told of it, in order
        self.messages: list[str] = []
        self._news = asyncio.Event()

        @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def diagnostics(params: types.PublishDiagnosticsParams) -> None:
            self.told.setdefault(params.version or 0, []).append(list(params.diagnostics))
            self._news.set()

        @client.feature(types.WINDOW_SHOW_MESSAGE)
        def message(params: types.ShowMessageParams) -> None:
            self.messages.append(params.message)
            self._news.set()

    async def start(self, options: dict[str, Any] | None = None, **capabilities: Any) -> None:
        await self.client.start_io(sys.executable, "-m", "covr", "lsp")
        found = types.ClientCapabilities(**capabilities)
        asked = types.InitializeParams(capabilities=found, initialization_options=options)
        await self.client.initialize_async(asked)
        self.client.initialized(types.InitializedParams())

    async def open(self, text: str) -> list[types.Diagnostic]:
        self.text, self.version = text, 1
        item = types.TextDocumentItem(URI, "cover", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return await self.faults()

    async def type(self, text: str) -> list[types.Diagnostic]:
        self.change(text)
        return await self.faults()

    def change(self, text: str) -> None:
        self.text = text
        self.version += 1
        document = types.VersionedTextDocumentIdentifier(self.version, URI)
        whole = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [whole]))

    async def faults(self) -> list[types.Diagnostic]:
        """What is told of this version at once."""
        await self.until(lambda: bool(self.told.get(self.version)))
        return self.told[self.version][0]

    async def reviewed(self) -> list[types.Diagnostic]:
        """What is told of this version once it was compiled."""
        await self.until(lambda: len(self.told.get(self.version, [])) > 1)
        return self.told[self.version][1]

    async def until(self, there: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not there():
                self._news.clear()
                await self._news.wait()

    def place(self, word: str, by: int = 0) -> dict[str, Any]:
        """The arguments of a question about the place where a word stands."""
        at = self.text.index(word) + by
        line = self.text.count("\n", 0, at)
        begin = self.text.rfind("\n", 0, at) + 1
        position = types.Position(line, len(self.text[begin:at].encode("utf-16-le")) // 2)
        return {"text_document": self.document, "position": position}

    @property
    def document(self) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(URI)


@asynccontextmanager
async def editor(**capabilities: Any) -> AsyncIterator[Editor]:
    """An editor with its server, which is shut down afterwards and must have ended by itself."""
    client = LanguageClient("test", "1")
    one = Editor(client)
    await one.start(**capabilities)
    try:
        yield one
    finally:
        async with asyncio.timeout(PATIENCE):
            await client.shutdown_async(None)
            client.exit(None)
            await client.stop()


def run(test: Callable[[Editor], Awaitable[None]], **capabilities: Any) -> None:
    """Run a test with an editor of its own."""

    async def whole() -> None:
        async with editor(**capabilities) as one:
            await test(one)

    asyncio.run(whole())
