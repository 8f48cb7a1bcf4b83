"""Snapshots of the files that a model was made of, to make it again where the files are not.

Whoever reads a file for a model asks `recall` first, and hands what it has read to `record`. Outside `recording` and
`replaying` both do nothing. Names are the reader's own: a path as it was given, `use std/… in …` for a library.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

_replayed: ContextVar[Mapping[str, bytes] | None] = ContextVar("replayed", default=None)
_recorded: ContextVar[dict[str, bytes] | None] = ContextVar("recorded", default=None)


@contextmanager
def recording() -> Iterator[dict[str, bytes]]:
    """While inside, every file that is read for a model is put into the dict as well."""
    files: dict[str, bytes] = {}
    token = _recorded.set(files)
    try:
        yield files
    finally:
        _recorded.reset(token)


@contextmanager
def replaying(files: Mapping[str, bytes]) -> Iterator[None]:
    """While inside, these files are all there is: no other is read."""
    token = _replayed.set(files)
    try:
        yield
    finally:
        _replayed.reset(token)


def recall(name: str) -> bytes | None:
    """A file of the snapshot that is replayed; None where files are read as usual.

    Raises FileNotFoundError where a snapshot is replayed and the file is not in it.
    """
    files = _replayed.get()
    if files is None:
        return None
    if name not in files:
        raise FileNotFoundError(2, "it was not kept", name)
    return files[name]


def record(name: str, data: bytes) -> bytes:
    """Put what was read into the snapshot that is being made, if one is; gives it back."""
    files = _recorded.get()
    if files is not None:
        files[name] = data
    return data
