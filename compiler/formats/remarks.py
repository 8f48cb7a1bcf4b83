"""What readers say besides the problem: what they left out, which is not a fault but should be mentioned, and whether
the file maximises, which a problem cannot say because its costs are minimised. Writers say which programs read what
they wrote, if that are not all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class Remarks(list[str]):
    """The remarks of a reader, in order. maximises: whether the file's values are the costs with the opposite sign."""

    maximises = False


_noted: ContextVar[Remarks | None] = ContextVar("noted", default=None)


def note(text: str) -> None:
    """Make a remark about the file that is read or written. It reaches the innermost `listening`, if there is one."""
    noted = _noted.get()
    if noted is not None:
        noted.append(text)


def maximised() -> None:
    """Say that the file maximises the costs of its problem with the opposite sign; to the innermost `listening`."""
    noted = _noted.get()
    if noted is not None:
        noted.maximises = True


@contextmanager
def listening() -> Iterator[Remarks]:
    """Collects the remarks of readers and writers that run inside, in order."""
    noted = Remarks()
    token = _noted.set(noted)
    try:
        yield noted
    finally:
        _noted.reset(token)


def left_out(what: str, names: list[str]) -> str:
    """A sentence such as `3 rows hold nothing and are left out: row 2, row 5, row 9`."""
    count = len(names)
    some = ", ".join(names[:5]) + (", …" if count > 5 else "")
    said = f"1 {what} holds nothing and is" if count == 1 else f"{count} {what}s hold nothing and are"
    return f"{said} left out: {some}"
