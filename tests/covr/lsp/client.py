"""A client of the language server that talks to it over standard input and output, as an editor does."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient

PATIENCE = 60.0  # seconds after which a test gives up

Told = types.PublishDiagnosticsParams
Test = Callable[["Editor"], Coroutine[Any, Any, None]]
Run = Callable[[Test], None]


class Editor:
    """One text that is open in the server."""

    def __init__(self, client: LanguageClient, uri: str) -> None:
        self.client, self.uri = client, uri
        self.version = 0
        self.text = ""
        self.told: dict[int, list[list[types.Diagnostic]]] = {}  # for each version, what was told of it, in order
        self.messages: list[str] = []
        self._news = asyncio.Event()

    def hear_faults(self, params: Told) -> None:
        """Note what the server tells of a version."""
        self.told.setdefault(params.version or 0, []).append(list(params.diagnostics))
        self._news.set()

    def hear_message(self, message: str) -> None:
        """Note what the server shows to the user."""
        self.messages.append(message)
        self._news.set()

    async def open(self, text: str) -> list[types.Diagnostic]:
        self.text, self.version = text, 1
        item = types.TextDocumentItem(self.uri, "cover", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return await self.faults()

    async def type(self, text: str) -> list[types.Diagnostic]:
        self.change(text)
        return await self.faults()

    def change(self, text: str) -> None:
        self.text = text
        self.version += 1
        document = types.VersionedTextDocumentIdentifier(self.version, self.uri)
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
        return types.TextDocumentIdentifier(self.uri)


class Server:
    """A language server, and the texts that are open in it, one at a time."""

    def __init__(self) -> None:
        self.client = LanguageClient("test", "1")
        self._opened = 0
        self._editor = Editor(self.client, "")

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def diagnostics(params: Told) -> None:
            if params.uri == self._editor.uri:
                self._editor.hear_faults(params)

        @self.client.feature(types.WINDOW_SHOW_MESSAGE)
        def message(params: types.ShowMessageParams) -> None:
            self._editor.hear_message(params.message)

    async def start(self, options: dict[str, Any] | None = None) -> None:
        """Start it. options: what an editor is set to."""
        await self.client.start_io(sys.executable, "-m", "covr", "lsp")
        asked = types.InitializeParams(capabilities=types.ClientCapabilities(), initialization_options=options)
        await self.client.initialize_async(asked)
        self.client.initialized(types.InitializedParams())

    async def edit(self, test: Test) -> None:
        """Run a test with a text of its own, which is closed afterwards."""
        self._opened += 1
        self._editor = Editor(self.client, f"file:///nowhere/m{self._opened}.cover")
        await test(self._editor)
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(self._editor.document))

    async def stop(self) -> None:
        """Shut it down; it must end by itself."""
        async with asyncio.timeout(PATIENCE):
            await self.client.shutdown_async(None)
            self.client.exit(None)
            await self.client.stop()


@contextmanager
def serving(options: dict[str, Any] | None = None) -> Iterator[Run]:
    """A server, and what runs tests with it, as many as there are."""
    server = Server()
    with asyncio.Runner() as runner:
        runner.run(server.start(options))
        try:
            yield lambda test: runner.run(server.edit(test))
        finally:
            runner.run(server.stop())
