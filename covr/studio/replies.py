"""Requests as JSON, answers as JSON, and streams of events, as browsers read them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse

from covr.studio.body import Bad, Body
from covr.studio.guard import CLOSE, TooLong


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
