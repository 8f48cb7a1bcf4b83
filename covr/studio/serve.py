"""The server from start to Ctrl-C: it takes a port, tells its address, opens a browser, and ends all it has started."""

from __future__ import annotations

import asyncio
import socket
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread
from types import FrameType

import uvicorn

from covr.studio.about_texts import analysed
from covr.studio.app import Studio, make_app
from covr.studio.folder import StudioFolder
from covr.studio.guard import AccessKey
from covr.studio.texts import Texts

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


async def serve(studio: Studio, taken: socket.socket, key: AccessKey, opened: Callable[[], None]) -> None:
    """Serve until Ctrl-C. opened: called once the server answers."""
    config = uvicorn.Config(
        make_app(studio, key), log_config=None, access_log=False, server_header=False, proxy_headers=False,
        timeout_graceful_shutdown=WAIT, lifespan="off", ws="none", h11_max_incomplete_event_size=2**16,
        limit_concurrency=512, timeout_keep_alive=30, http="h11",
    )  # fmt: skip
    server = Server(config)
    server.studio = studio

    async def tell() -> None:
        while not server.started:
            await asyncio.sleep(0.01)
        opened()
        await asyncio.to_thread(warm)

    task = asyncio.create_task(tell())
    try:
        await server.serve([taken])
    finally:
        task.cancel()
        await studio.close()


def warm() -> None:
    """Load what the first analysis of a text needs, so that it does not wait for that."""
    state = Texts(StudioFolder(Path()), 1).find("", "warm.cover").state("cells r in 1..m\n")
    analysed(state, {})


def open_browser(address: str) -> None:
    """Open a browser, without waiting for it; the address has been printed in any case."""

    def show() -> None:
        with suppress(Exception):
            webbrowser.open(address)

    Thread(target=show, daemon=True).start()
