"""Serves one editor over standard input and output, until it leaves or the server is told to end.

However it ends, nothing is written on standard error, and no process is left behind:

    the editor says `exit`         0, or 1 if it did not say `shutdown` before, as the protocol wants it
    standard input ends            0: the editor is gone, which is no fault of the server
    nobody reads what is written   0: the same
    SIGTERM, SIGINT                0, at once: a thread still waits for the editor's next word, and can't be woken

pygls closes the stream that it writes to, so it gets one of its own: covr's standard output is needed until the end.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from types import FrameType
from typing import NoReturn

from lsprotocol import types

from covr.lsp.cover_server import CoverServer
from covr.lsp.server import make_server
from covr.output.exits import FOUND

UNEXPECTED = 1  # the exit code of a server that was told to exit without being told to shut down


class Output:
    """A stream to the editor, as far as pygls needs one. If nobody reads it any more, the server ends."""

    def __init__(self, server: CoverServer) -> None:
        self._server = server
        self._out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")

    def write(self, data: bytes) -> None:
        """Write data at once."""
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
