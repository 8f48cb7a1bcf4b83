"""Requests as JSON, answers as JSON, and streams of events, as browsers read them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse

from covr.studio.guard import CLOSE, TooLong


class Bad(Exception):
    """A request that can't be answered. status: of HTTP."""

    def __init__(self, said: str, status: int = 400) -> None:
        super().__init__(said)
        self.status = status


class Body:
    """The body of a request: a JSON object whose fields are of the kinds that are wanted."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = fields

    @property
    def fields(self) -> Mapping[str, Any]:
        """All fields as they came; whoever reads them checks them."""
        return self._fields

    @classmethod
    async def of(cls, request: Request) -> Body:
        """The body of a request. Raises Bad for anything but an object."""
        try:
            fields = json.loads(await request.body())
        except TooLong:
            raise Bad("this is too long", 413) from None
        except (ValueError, RecursionError):
            raise Bad("this is not JSON") from None
        if not isinstance(fields, dict):
            raise Bad("this is no object")
        return cls(fields)

    def text(self, name: str, default: str | None = None) -> str:
        """A field that is a text; lone surrogates become question marks, since no file can hold them."""
        found = self._fields.get(name, default)
        if not isinstance(found, str):
            raise Bad(f"`{name}` is a text")
        return found.encode("utf-8", "replace").decode()

    def number(self, name: str, default: int | None = None) -> int:
        """A field that is a whole number from 0."""
        found = self._fields.get(name, default)
        if not isinstance(found, int) or isinstance(found, bool) or found < 0:
            raise Bad(f"`{name}` is a whole number from 0")
        return found

    def texts(self, name: str) -> dict[str, str]:
        """A field that is an object of texts; empty if there is none."""
        found = self._fields.get(name) or {}
        if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
            raise Bad(f"`{name}` is an object of texts")
        return {key.encode("utf-8", "replace").decode(): value.encode("utf-8", "replace").decode()
                for key, value in found.items()}  # fmt: skip

    def object(self, name: str) -> dict[str, Any]:
        """A field that is an object; empty if there is none."""
        found = self._fields.get(name) or {}
        if not isinstance(found, dict):
            raise Bad(f"`{name}` is an object")
        return found

    def maybe(self, name: str) -> str | None:
        """A field that is a text or null."""
        return None if self._fields.get(name) is None else self.text(name)


def event(name: str, data: Mapping[str, Any]) -> bytes:
    """An event of a stream. Its data is one line, since JSON escapes all that ends lines."""
    return f"event: {name}\ndata: {json.dumps(data)}\n\n".encode()


def refusal(bad: Bad) -> JSONResponse:
    """What is answered to a request that can't be answered."""
    return JSONResponse({"error": str(bad)}, bad.status, CLOSE if bad.status == 413 else None)
