"""What a reader did that is worth a word, though it is no fault: it left something out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_noted: ContextVar[list[str] | None] = ContextVar("noted", default=None)


def note(text: str) -> None:
    """Say something of the file that is being read; heard by whoever is `listening`."""
    noted = _noted.get()
    if noted is not None:
        noted.append(text)


@contextmanager
def listening() -> Iterator[list[str]]:
    """What readers say while inside, in order."""
    noted: list[str] = []
    token = _noted.set(noted)
    try:
        yield noted
    finally:
        _noted.reset(token)


def left_out(what: str, names: list[str]) -> str:
    """`3 rows hold nothing and are left out: row 2, row 5, row 9`."""
    count = len(names)
    some = ", ".join(names[:5]) + (", …" if count > 5 else "")
    said = f"1 {what} holds nothing and is" if count == 1 else f"{count} {what}s hold nothing and are"
    return f"{said} left out: {some}"
