"""The server from start to Ctrl-C: it takes a port, tells its address, opens a browser, and ends all it has started."""

from __future__ import annotations

import asyncio
import socket
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from types import FrameType

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from covr.studio.app import Studio, make_app
from covr.studio.guard import AccessKey
from covr.studio.limits import StudioLimits

PORT = 8378  # the first port that is tried
TRIED = 20  # ports that are tried, one after the other
HOST = "127.0.0.1"
WAIT = 1  # seconds that open streams are given when the server stops

Say = Callable[[str], None]


class NoPort(Exception):
    """No port could be taken; the message says why."""


def listen(port: int, exactly: bool) -> tuple[socket.socket, int]:
    """A socket on this machine only, and its port: the next one if it is in use, unless it must be `exactly` this one.
    Raises NoPort."""
    for number in range(port, port + (1 if exactly or port == 0 else TRIED)):
        if number > 65535:
            break
        taken = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
                taken.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
            else:
                taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            taken.bind((HOST, number))
            taken.listen(128)
            return taken, taken.getsockname()[1]
        except OSError as error:
            taken.close()
            why = error.strerror or str(error)
    raise NoPort(f"port {port} can't be taken: {why.lower()}")


class Server(uvicorn.Server):
    """A server that ends its open streams and all questions before it ends itself."""

    studio: Studio
    loop: asyncio.AbstractEventLoop
    pressed = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to answer, with processes that wait for questions."""
        self.loop = asyncio.get_running_loop()
        self.studio.readers.warm()
        self.studio.desk.pool.warm()
        await super().startup(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Ctrl-C, or a polite kill."""
        self.pressed = True
        self.loop.call_soon_threadsafe(self.studio.closing.set)
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the questions, tell the pages, and stop to answer."""
        await self.studio.close()
        await super().shutdown(sockets)


def one_request(limits: StudioLimits) -> type[H11Protocol]:
    """What reads connections. One that brings no whole head of a request for some seconds is closed, and so is the
    oldest of these if there are many: they would take the room of the page's own."""
    waiting: dict[H11Protocol, asyncio.TimerHandle] = {}

    def drop(one: H11Protocol) -> None:
        if (timer := waiting.pop(one, None)) is not None:
            timer.cancel()

    class OneRequest(H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            waiting[self] = self.loop.call_later(limits.head, transport.abort)
            if len(waiting) > limits.halves:
                oldest = next(iter(waiting))
                drop(oldest)
                oldest.transport.abort()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self.cycle is not None:
                drop(self)

        def connection_lost(self, exc: Exception | None) -> None:
            drop(self)
            super().connection_lost(exc)

    return OneRequest


async def serve(studio: Studio, taken: socket.socket, key: AccessKey, opened: Callable[[], None]) -> None:
    """Serve until Ctrl-C. opened: called once the server answers."""
    config = uvicorn.Config(
        make_app(studio, key), http=one_request(studio.limits), log_config=None, access_log=False,
        server_header=False, proxy_headers=False,
        timeout_graceful_shutdown=WAIT, lifespan="off", ws="none", h11_max_incomplete_event_size=2**16,
        limit_concurrency=512, timeout_keep_alive=30,
    )  # fmt: skip
    server = Server(config)
    server.studio = studio

    async def tell() -> None:
        while not server.started:
            await asyncio.sleep(0.01)
        opened()

    task = asyncio.create_task(tell())
    try:
        await server.serve([taken])
    finally:
        task.cancel()
        await studio.close()


def open_browser(address: str) -> None:
    """Open a browser, without waiting for it; the address has been printed in any case."""

    def show() -> None:
        with suppress(Exception):
            webbrowser.open(address)

    Thread(target=show, daemon=True).start()
