"""Decides who may ask: only the page that this server itself has given to somebody who knows its address with the
token.

Any page in the browser can send requests to this machine. So every request must name this server as its Host (a name
that somebody else's DNS points here does not), must come from this server's own pages (Origin, Sec-Fetch-Site), and
must have the cookie, which the browser got for the token in the opened address and which no script can read. There is
no CORS: no answer of this server may be read by another page.

The browser does not send the cookie (`SameSite=Strict`) when somebody follows a link of another page, such as one that
holds a model behind `#`. They get a door: a page without anything in it but a link of our own, with which the cookie is
sent. So another page can offer a model, and a person opens it.

Source: the threats and measures of Jupyter Server and marimo, and the Fetch Metadata request headers of the W3C.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from hmac import compare_digest
from time import monotonic

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from covr.studio.asking import StudioLimits

NAMES = ("127.0.0.1", "localhost")
ASK = "This is covr studio. Open the address that `covr studio` printed; it holds the key to this page.\n"
SITES = ("same-origin", "none")  # of Sec-Fetch-Site: our own page, and what a person typed
# The address of the link differs from that of the door, since a browser asks nobody for another part behind `#`.
DOOR = f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>covr studio</title>
<p>{ASK}
<p hidden>This link holds a model. If this browser has the key, <a>open the model in the studio</a>.
<script nonce="%NONCE%">
if (location.hash && !location.search) {{
  const link = document.querySelector("a");
  link.href = "/?shared" + location.hash;
  link.parentElement.hidden = false;
}}
</script>
"""


class AccessKey:
    """What lets a browser in. token: of the opened address; cookie: its name, and the secret that it holds."""

    def __init__(self, port: int, token: str | None = None) -> None:
        self.port = port
        self.token = token or secrets.token_urlsafe(24)
        self.cookie = f"covr-studio-{port}"  # cookies are shared by all ports of a machine
        self.secret = secrets.token_urlsafe(32)
        self._once = ""

    @property
    def hosts(self) -> tuple[str, ...]:
        """What the header Host may say."""
        return tuple(f"{name}:{self.port}" for name in NAMES)

    @property
    def address(self) -> str:
        """The address that lets a browser in."""
        return f"http://{NAMES[0]}:{self.port}/?token={self.token}"

    def address_once(self) -> str:
        """An address that lets one browser in, once: for a command line, which other users of the machine can read."""
        self._once = secrets.token_urlsafe(24)
        return f"http://{NAMES[0]}:{self.port}/?token={self._once}"

    def opens(self, token: str) -> bool:
        """Whether a token lets a browser in."""
        if compare_digest(token.encode(), self.token.encode()):
            return True
        once, given = self._once.encode(), token.encode()
        if not once or not compare_digest(given, once):
            return False
        self._once = ""
        return True


class RequestAllowance:
    """So many requests a second for a long time, and so many at once."""

    def __init__(self, rate: float, burst: int) -> None:
        self._rate, self._burst = rate, float(burst)
        self._left, self._at = float(burst), monotonic()

    def take(self) -> bool:
        """Whether one more request is allowed now."""
        now = monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Guard:
    """Refuses what is not from our own page; lets the rest through with headers that keep the page to itself."""

    def __init__(self, app: ASGIApp, key: AccessKey, limits: StudioLimits) -> None:
        self.app, self.key, self.limits = app, key, limits
        self._allowance = RequestAllowance(limits.requests, limits.burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return  # there are no websockets here: the connection is refused
        nonce = secrets.token_urlsafe(16)
        scope.setdefault("state", {})["nonce"] = nonce

        refused = self._refused(Request(scope))

        async def sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                seal(MutableHeaders(scope=message), nonce, isinstance(refused, HTMLResponse))
            await send(message)

        if refused is not None:
            await refused(scope, receive, sealed)
        else:
            await self.app(scope, _limited(receive, self.limits.body), sealed)

    def _refused(self, request: Request) -> Response | None:
        """The answer to a request that is not let through; None for one that is."""
        headers = request.headers
        if not self._ours(headers, request.method == "GET" and request.url.path == "/"):
            return PlainTextResponse("This request is not from covr studio's own page.\n", 403, CLOSE)
        if request.url.path == "/" and "token" in request.query_params:
            return self._enter(request.query_params["token"])
        given = request.cookies.get(self.key.cookie, "")
        if not compare_digest(given.encode(), self.key.secret.encode()):
            if request.method == "GET" and request.url.path == "/":
                return HTMLResponse(DOOR.replace("%NONCE%", request.state.nonce), 403, CLOSE)
            return PlainTextResponse(ASK, 403, CLOSE)
        if not self._allowance.take():
            return JSONResponse({"error": "too many requests"}, 429, {"Retry-After": "1"})
        if request.method in ("POST", "PUT") and not headers.get("content-type", "").startswith("application/json"):
            return JSONResponse({"error": "a request is JSON"}, 415)
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > self.limits.body:
            return JSONResponse({"error": f"a request has at most {self.limits.body:,} bytes"}, 413, CLOSE)
        return None

    def _ours(self, headers: Headers, opening: bool) -> bool:
        """Whether a request names this server, and comes from one of its pages. opening: whether it opens the page,
        which a link elsewhere may do: it gets nothing without the cookie."""
        host = headers.get("host", "")
        if host not in self.key.hosts:
            return False
        origin = headers.get("origin")
        if origin is not None and origin != f"http://{host}":
            return False
        return opening or headers.get("sec-fetch-site", "none") in SITES

    def _enter(self, token: str) -> Response:
        if not self.key.opens(token):
            return PlainTextResponse(ASK, 403, CLOSE)
        found = RedirectResponse("/", 303)
        found.set_cookie(self.key.cookie, self.key.secret, httponly=True, samesite="strict", path="/")
        return found


# Who is refused keeps no connection, which would take the room of the page's own.
CLOSE: Mapping[str, str] = {"Connection": "close"}


def seal(headers: MutableHeaders, nonce: str, door: bool = False) -> None:
    """Add the headers that keep a page to itself. nonce: with which the page's editor may add styles, and the door may
    run its script."""
    scripts = f"script-src 'nonce-{nonce}'; " if door else ""
    headers["Content-Security-Policy"] = (
        f"default-src 'self'; {scripts}img-src 'self' data: blob:; style-src 'self' 'nonce-{nonce}'; "
        "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Referrer-Policy"] = "no-referrer"
    headers["X-Frame-Options"] = "DENY"
    headers["Cross-Origin-Opener-Policy"] = "same-origin"
    headers["Cross-Origin-Resource-Policy"] = "same-origin"
    headers.setdefault("Cache-Control", "no-store")


class TooLong(Exception):
    """A request without a length that has more bytes than it may."""


def _limited(receive: Receive, most: int) -> Receive:
    """The same request, whose body may not be longer, whatever its headers say. Raises TooLong."""
    seen = 0

    async def limited() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b"")) if message["type"] == "http.request" else 0
        if seen > most:
            raise TooLong
        return message

    return limited
