"""The server: which address leads to which function, and its life from start to Ctrl-C."""

from __future__ import annotations

import asyncio
import base64
import json
import secrets
import socket
import webbrowser
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache, partial
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from shlex import quote
from threading import Thread
from types import FrameType
from typing import Any
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from covr import __version__
from covr.draw.elements import THEMES
from covr.studio import about_texts
from covr.studio.asking import StudioLimits
from covr.studio.body import Bad, Body
from covr.studio.folder import StudioFolder
from covr.studio.guard import CLOSE, AccessKey, Guard, TooLong
from covr.studio.job import Desk, Readers, SharedLine
from covr.studio.shelves import GalleryPictures, new_kinds, new_puzzle, shelf, text_of
from covr.text import reason_of

# --- Requests as JSON, answers as JSON, and streams of events, as browsers read them ----------------------------------


async def body_of(request: Request) -> Body:
    """The body of a request. Raises Bad for anything but an object, and for one that is too long."""
    try:
        raw = await request.body()
    except TooLong:
        raise Bad("this is too long", 413) from None
    return Body.of(raw)


def event(name: str, data: Mapping[str, Any]) -> bytes:
    """An event of a stream. Its data is one line, since JSON escapes all that ends lines."""
    return f"event: {name}\ndata: {json.dumps(data)}\n\n".encode()


def refusal(bad: Bad) -> JSONResponse:
    """What is answered to a request that can't be answered."""
    return JSONResponse({"error": str(bad)}, bad.status, CLOSE if bad.status == 413 else None)


# --- Where the studio's page is: the files that `studio/build.mjs` makes, which are no part of the repository ---------
# A wheel contains them, in the package. Whoever installs covr from a clone may build them later, and then they are in
# the clone; unless the installation is editable, the package is elsewhere. `pip` notes which folder it installed from
# (direct_url.json, PEP 610), so they are looked for in both, and the page that was built last is taken.


PACKAGE = Path(__file__).parent
PLACE = Path("covr", "studio")  # in a clone
INDEX = "index.html"


def find_page() -> Path:
    """The folder with the page; the package's own, without files, if it was built nowhere."""
    return newest([PACKAGE / "page", *(clone / PLACE / "page" for clone in clones())])


def newest(folders: Iterable[Path]) -> Path:
    """The first of the folders whose page was built last, or the first of all if none has a page."""
    folders = list(folders)
    built = [folder for folder in folders if (folder / INDEX).is_file()]
    return max(built, key=lambda folder: (folder / INDEX).stat().st_mtime, default=folders[0])


@lru_cache(maxsize=1)
def clones() -> tuple[Path, ...]:
    """The clone that this covr was installed from, or that it runs in; none for a wheel."""
    found: list[Path | None] = [PACKAGE.parents[1]]
    with suppress(PackageNotFoundError):
        found.append(installed_from(distribution("covr").read_text("direct_url.json")))
    there = [clone for clone in found if clone is not None and (clone / "studio" / "package.json").is_file()]
    return tuple(dict.fromkeys(there))


def installed_from(noted: str | None) -> Path | None:
    """The folder that a text of direct_url.json names; None if it names none."""
    try:
        url = urlsplit(json.loads(noted or "{}")["url"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    return Path(url2pathname(unquote(url.path))) if url.scheme == "file" else None


def not_built() -> str:
    """What is said where there is no page: the command that builds it, in the clone if there is one."""
    clone = next(iter(clones()), None)
    if clone is None:
        return "covr studio: its page is not in this installation.\nA wheel of covr has it, and a clone can build it.\n"
    where = "studio" if clone == Path.cwd() else quote(str(clone / "studio"))
    command = f"npm ci --ignore-scripts --prefix {where} && npm run build --prefix {where}"
    return f"covr studio: its page is not built.\nBuild it with node, once: `{command}`. Then reload the page.\n"


# --- Which address of the server leads to which function --------------------------------------------------------------


PING = 5.0  # seconds between two signs of life
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html",
         ".png": "image/png", ".ico": "image/x-icon", ".json": "application/json", ".txt": "text/plain",
         ".woff2": "font/woff2", ".webmanifest": "application/manifest+json"}  # fmt: skip
FORMATS = {"svg": TYPES[".svg"], "png": TYPES[".png"], "pdf": "application/pdf"}


class Studio:
    """The server's state. opening: what the page opens with: name, path in the folder or None, text.
    page: the folder with the page's files, if it is not to be looked for."""

    def __init__(
        self, folder: StudioFolder, opening: Mapping[str, str | None], limits: StudioLimits, page: Path | None = None
    ) -> None:
        self.folder, self.opening, self.limits, self._page = folder, opening, limits, page
        self.desk = Desk(folder, limits)
        self.readers = Readers(folder, limits)
        self.gallery = GalleryPictures(self.desk)
        self.lines: dict[str, SharedLine] = {}  # the streams that are open
        self.closing = asyncio.Event()

    # --- the page ---

    @property
    def page(self) -> Path:
        """The folder with the page's files. It is looked for each time, since the page may be built meanwhile."""
        return self._page or find_page()

    async def index(self, request: Request) -> Response:
        """The page itself, with the nonce with which its editor may add styles."""
        place = self.page / "index.html"
        if not place.is_file():
            return PlainTextResponse(not_built(), 503)
        text = await asyncio.to_thread(place.read_text, "utf-8")
        return HTMLResponse(text.replace("%NONCE%", request.state.nonce))

    async def static(self, request: Request) -> Response:
        """A file of the page."""
        path, page = request.path_params["path"], self.page
        place = page if "\0" in path else (page / path).resolve()
        if not place.is_relative_to(page.resolve()) or place.suffix not in TYPES or not place.is_file():
            raise Bad("there is no such file", 404)
        return FileResponse(place, media_type=TYPES[place.suffix], headers={"Cache-Control": "no-cache"})

    async def start(self, _: Request) -> Response:
        """What the page opens with."""
        return JSONResponse({
            "version": __version__, "folder": str(self.folder.root), **self.opening,
            "limits": self.limits.as_dict(), "themes": sorted(THEMES),
        })  # fmt: skip

    # --- texts ---

    async def about(self, question: str, request: Request) -> Response:
        """A question about a text. Answered with `stale` if a later version of the text has come meanwhile."""
        body = await body_of(request)
        found = await self.readers.ask(question, body.text("page", ""), body)
        if found is None:
            return JSONResponse({"version": body.number("version", 0), "stale": True})
        return Response(found, media_type=TYPES[".json"])

    # --- questions ---

    async def ask(self, request: Request) -> Response:
        """Start a question about a model."""
        return JSONResponse({"id": self.desk.ask(await body_of(request)).id})

    async def events(self, request: Request) -> Response:
        """The events of a question. When the browser closes the stream, the question is ended."""
        job = self.desk.find(request.path_params["id"])
        if job.read:
            raise Bad("these events are being read already", 409)

        async def stream() -> AsyncIterator[bytes]:
            try:
                async for name, data in job.events():
                    yield event(name, data)
            finally:
                job.drop()

        return _stream(stream())

    async def stop(self, request: Request) -> Response:
        """Stop a question."""
        await self.desk.find(request.path_params["id"]).stop()
        return JSONResponse({})

    async def more(self, request: Request) -> Response:
        """Let a question tell more answers."""
        number = (await body_of(request)).number("number", 1)
        await self.desk.find(request.path_params["id"]).more(min(number, self.limits.window))
        return JSONResponse({})

    async def alive(self, request: Request) -> Response:
        """A stream that says that the server is there, and tells the events of a page's questions. Its end says
        that the page is gone."""
        page = request.path_params["page"]
        self.desk.may_open(page)
        return self._stream_on(secrets.token_urlsafe(12), [page])

    async def line(self, request: Request) -> Response:
        """The same for several pages, which `hold` adds and takes away: browsers open few connections to a server, for
        all of their tabs together."""
        name = request.path_params["line"]
        if name in self.lines:
            raise Bad("there is such a line already", 409)
        if len(self.lines) >= self.limits.pages:
            raise Bad("too many pages are open", 429)
        return self._stream_on(name, [page for page in request.query_params.get("pages", "").split(",") if page])

    async def hold(self, request: Request) -> Response:
        """Say which pages are on a line; answered are those that are there now, and those that have no room."""
        found = self.lines.get(request.path_params["line"])
        if found is None:
            raise Bad("there is no such line", 404)
        refused = found.hold((await body_of(request)).names("pages"))
        return JSONResponse({"pages": found.pages, "refused": refused})

    def _stream_on(self, name: str, pages: list[str]) -> Response:
        async def stream() -> AsyncIterator[bytes]:
            line = self.lines[name] = SharedLine(
                self.desk, self.readers.forget
            )  # only here: an unread stream is never closed
            refused = line.hold(pages)
            closing, next_one = asyncio.create_task(self.closing.wait()), asyncio.create_task(line.events.get())
            try:
                yield event("ping", {"version": __version__, "pages": line.pages, "refused": refused})
                while not closing.done():
                    await asyncio.wait({closing, next_one}, timeout=PING, return_when=asyncio.FIRST_COMPLETED)
                    if next_one.done():
                        yield event(*next_one.result())
                        next_one = asyncio.create_task(line.events.get())
                    else:
                        yield event("ping", {"version": __version__, "pages": line.pages, "refused": []})
                yield event("gone", {})
            finally:
                closing.cancel()
                next_one.cancel()
                if self.lines.get(name) is line:
                    del self.lines[name]
                line.close()

        return _stream(stream())

    # --- files ---

    async def files(self, _: Request) -> Response:
        """The files of the folder."""
        return JSONResponse(await asyncio.to_thread(self.folder.files))

    async def read_file(self, request: Request) -> Response:
        """A file of the folder."""
        return JSONResponse(await asyncio.to_thread(self.folder.read, request.query_params.get("path", "")))

    async def write_file(self, request: Request) -> Response:
        """Write a file of the folder."""
        body = await body_of(request)
        write = partial(self.folder.write, body.text("path"), body.text("text"), body.maybe("seen"))
        return JSONResponse(await asyncio.to_thread(write))

    # --- the gallery and pictures ---

    async def shelf(self, _: Request) -> Response:
        """The models of the gallery, by kind."""
        return JSONResponse(await asyncio.to_thread(shelf))

    async def sizes(self, _: Request) -> Response:
        """The models of which there are new puzzles, by kind, with the sizes of their boards."""
        return JSONResponse(await asyncio.to_thread(new_kinds))

    async def fresh(self, request: Request) -> Response:
        """A new puzzle: a model of the gallery with an empty board of the size that is wanted."""
        return JSONResponse(await asyncio.to_thread(new_puzzle, await body_of(request)))

    async def from_gallery(self, request: Request) -> Response:
        """A model of the gallery; with `.svg` behind its name, its picture."""
        name = request.path_params["name"]
        if not name.endswith(".svg"):
            return JSONResponse({"name": name, "text": await asyncio.to_thread(text_of, name)})
        svg = await self.gallery.find(name.removesuffix(".svg"), request.query_params.get("theme", "light"))
        return Response(svg, media_type=TYPES[".svg"], headers={"Cache-Control": "private, max-age=3600"})

    async def picture(self, request: Request) -> Response:
        """A picture that covr has drawn, as a file: SVG, PNG or PDF."""
        body = await body_of(request)
        svg, form = body.text("svg"), body.text("format", "svg")
        if form not in FORMATS:
            raise Bad(f"a picture is one of {', '.join(FORMATS)}")
        if not self.desk.drawn.knows(svg):
            raise Bad("covr has not drawn this picture", 403)
        raw = svg.encode()
        if form != "svg":
            raw = await self._converted(svg, form)
        file = {"Content-Disposition": f'attachment; filename="picture.{form}"'}
        return Response(raw, media_type=FORMATS[form], headers=file)

    async def _converted(self, svg: str, form: str) -> bytes:
        job = self.desk.own("convert", "picture", svg, {"format": form})
        raw = b""
        try:
            async for name, data in job.events():
                raw = base64.b64decode(data["base64"]) if name == "file" else raw
                if name == "end" and not raw:
                    raise Bad(data["words"], 501)
        finally:
            job.drop()
        return raw

    async def close(self) -> None:
        """Tell the pages, and end all questions."""
        self.closing.set()
        self.readers.close()
        await self.desk.close()


def _stream(events: AsyncIterator[bytes]) -> StreamingResponse:
    return StreamingResponse(events, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


def routes(studio: Studio) -> list[Route]:
    """Every address, with what it leads to."""
    found = [
        Route("/", studio.index),
        Route("/static/{path:path}", studio.static),
        Route("/api/start", studio.start),
        Route("/api/jobs", studio.ask, methods=["POST"]),
        Route("/api/jobs/{id}/events", studio.events),
        Route("/api/jobs/{id}/stop", studio.stop, methods=["POST"]),
        Route("/api/jobs/{id}/more", studio.more, methods=["POST"]),
        Route("/api/page/{page}", studio.alive),
        Route("/api/line/{line}", studio.line, methods=["GET"]),
        Route("/api/line/{line}", studio.hold, methods=["POST"]),
        Route("/api/gallery", studio.shelf),
        Route("/api/gallery/{name}", studio.from_gallery),
        Route("/api/fresh", studio.sizes, methods=["GET"]),
        Route("/api/fresh", studio.fresh, methods=["POST"]),
        Route("/api/picture", studio.picture, methods=["POST"]),
        Route("/api/files", studio.files),
        Route("/api/file", studio.read_file, methods=["GET"]),
        Route("/api/file", studio.write_file, methods=["PUT"]),
    ]
    for name in about_texts.ABOUT:
        found.append(Route(f"/api/{name}", partial(studio.about, name), methods=["POST"]))
    return found


async def _bad(_: Request, error: Exception) -> Response:
    assert isinstance(error, Bad)
    return refusal(error)


def make_app(studio: Studio, key: AccessKey) -> ASGIApp:
    """The whole server as an application."""
    app = Starlette(routes=routes(studio), exception_handlers={Bad: _bad})
    return Guard(app, key, studio.limits)


# --- serve -----------------------------------------------------------------------------------------------------------
# The server from start to Ctrl-C: it takes a port, tells its address, opens a browser, and ends all it has started.


PORT = 8378  # the first port that is tried
TRIED = 20  # ports that are tried, one after the other
HOST = "127.0.0.1"
WAIT = 1  # seconds that open streams are given when the server stops


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
            why = reason_of(error)
    raise NoPort(f"port {port} can't be taken: {why}")


class Server(uvicorn.Server):
    """A server that ends its open streams and all questions before it ends itself."""

    studio: Studio
    loop: asyncio.AbstractEventLoop
    pressed = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to answer, with processes that wait for questions."""
        self.loop = asyncio.get_running_loop()
        self.studio.readers.pool.warm()
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
