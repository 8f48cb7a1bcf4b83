"""How the language server ends: with which exit code, without a word on standard error, and leaving nothing behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lsprotocol.types", reason="needs covr[lsp]")

pytestmark = pytest.mark.long

PATIENCE = 60.0  # seconds after which a test gives up
MARK = "COVR_TEST_ENDING"  # in the environment of the server and of all that it starts
INITIALIZE = {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}}
SHUTDOWN = {"id": 2, "method": "shutdown"}
EXIT = {"method": "exit"}
# Counting these takes for ever, so the process that the server starts for it is at work when the server is ended.
MODEL = "choose a(x) for x in 1..60\nchoose b(x) for x in 1..60\nat least 3 a\nat least 3 b\nif a(x) then b(61 - x)\n"
OPEN = {
    "method": "textDocument/didOpen",
    "params": {"textDocument": {"uri": "file:///nowhere/m.cover", "languageId": "cover", "version": 1, "text": MODEL}},
}


class Process:
    """A server, spoken to in bytes."""

    def __init__(self, mark: str) -> None:
        self.mark = f"{MARK}={mark}".encode()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "covr", "lsp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, MARK: mark},
        )

    def say(self, *messages: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        for message in messages:
            text = json.dumps({"jsonrpc": "2.0", **message}).encode()
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self.process.stdin.flush()

    def hear(self, word: bytes) -> None:
        """Read what the server writes up to a word."""
        assert self.process.stdout is not None
        heard = b""
        while word not in heard:
            heard += self.process.stdout.read1(1 << 16) or pytest.fail(f"the server has ended: {heard!r}")

    def ended(self) -> tuple[int, bytes]:
        """Wait for the end, with standard input still open. The exit code, and what is on standard error."""
        assert self.process.stderr is not None
        code = self.process.wait(PATIENCE)
        return code, self.process.stderr.read()

    def helpers(self) -> int:
        """How many processes of this server are there; 0 where the system does not tell."""
        found = 0
        for place in Path("/proc").glob("[0-9]*/environ"):
            try:
                found += self.mark in place.read_bytes().split(b"\0")
            except OSError:
                continue
        return found


@contextmanager
def process(request: pytest.FixtureRequest) -> Iterator[Process]:
    started = Process(request.node.name)
    ours = started.process
    try:
        yield started
    finally:
        ours.kill()
        for stream in (ours.stdin, ours.stdout, ours.stderr):
            assert stream is not None
            with suppress(BrokenPipeError):
                stream.close()
        ours.wait(PATIENCE)


@pytest.mark.parametrize(
    "messages, code",
    [
        ((INITIALIZE, OPEN, SHUTDOWN, EXIT), 0),
        ((INITIALIZE, OPEN, EXIT), 1),
    ],
)
def test_an_editor_that_leaves(request: pytest.FixtureRequest, messages: tuple[Any, ...], code: int) -> None:
    with process(request) as server:
        server.say(*messages)
        assert server.ended() == (code, b"")
        assert server.helpers() == 0


def test_an_editor_that_is_gone(request: pytest.FixtureRequest) -> None:
    """Standard input ends."""
    with process(request) as server:
        server.say(INITIALIZE, OPEN)
        server.hear(b"publishDiagnostics")
        assert server.process.stdin is not None
        server.process.stdin.close()
        assert server.ended() == (0, b"")
        assert server.helpers() == 0


def test_an_editor_that_does_not_listen(request: pytest.FixtureRequest) -> None:
    """Standard output is closed while messages still come in."""
    with process(request) as server:
        server.say(INITIALIZE)
        server.hear(b"capabilities")
        assert server.process.stdout is not None
        server.process.stdout.close()
        server.say(OPEN, SHUTDOWN, EXIT)
        assert server.ended() == (0, b"")
        assert server.helpers() == 0


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_is_told_to_end(request: pytest.FixtureRequest, number: int) -> None:
    with process(request) as server:
        server.say(INITIALIZE, OPEN)
        server.hear(b"publishDiagnostics")
        server.process.send_signal(number)
        assert server.ended() == (0, b"")
        assert server.helpers() == 0
