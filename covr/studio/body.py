"""What a page sends: a JSON object, whose fields are of the kinds that are wanted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


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
    def of(cls, raw: bytes | str) -> Body:
        """What a page has sent. Raises Bad for anything but an object."""
        try:
            fields = json.loads(raw)
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
        return _writable(found)

    def number(self, name: str, default: int | None = None) -> int:
        """A field that is a whole number from 0."""
        found = self._fields.get(name, default)
        if not isinstance(found, int) or isinstance(found, bool) or found < 0:
            raise Bad(f"`{name}` is a whole number from 0")
        return found

    def flag(self, name: str) -> bool:
        """A field that is true or false; false if there is none."""
        return bool(self._fields.get(name))

    def texts(self, name: str) -> dict[str, str]:
        """A field that is an object of texts; empty if there is none."""
        found = self._fields.get(name) or {}
        if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
            raise Bad(f"`{name}` is an object of texts")
        return {_writable(key): _writable(value) for key, value in found.items()}

    def names(self, name: str) -> list[str]:
        """A field that is a list of texts; empty if there is none."""
        found = self._fields.get(name) or []
        if not isinstance(found, list) or not all(isinstance(value, str) for value in found):
            raise Bad(f"`{name}` is a list of texts")
        return [_writable(value) for value in found]

    def object(self, name: str) -> dict[str, Any]:
        """A field that is an object; empty if there is none."""
        found = self._fields.get(name) or {}
        if not isinstance(found, dict):
            raise Bad(f"`{name}` is an object")
        return found

    def maybe(self, name: str) -> str | None:
        """A field that is a text or null."""
        return None if self._fields.get(name) is None else self.text(name)


def _writable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
