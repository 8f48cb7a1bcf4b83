"""Snapshots of the files that a model was made from, so that it can be made again without the files.

Code that reads a file for a model asks `recall` first, and passes what it has read to `record`, under a name of its
own: a path as it was given, `use std/… in …` for a library. Outside `recording` and `replaying` both do nothing.

Before a file is opened, `permit` is asked about its path: the studio, for one, may not read every file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from errno import EACCES

_replayed: ContextVar[Mapping[str, bytes] | None] = ContextVar("replayed", default=None)
_recorded: ContextVar[dict[str, bytes] | None] = ContextVar("recorded", default=None)


@contextmanager
def recording() -> Iterator[dict[str, bytes]]:
    """A context in which every file that is read for a model is also put into the dict that is yielded."""
    files: dict[str, bytes] = {}
    token = _recorded.set(files)
    try:
        yield files
    finally:
        _recorded.reset(token)


@contextmanager
def replaying(files: Mapping[str, bytes]) -> Iterator[None]:
    """A context in which only these files exist: no other file is read."""
    token = _replayed.set(files)
    try:
        yield
    finally:
        _replayed.reset(token)


def recall(name: str) -> bytes | None:
    """A file of the snapshot that is replayed; None if none is replayed and files are read as usual. Raises
    FileNotFoundError if a snapshot is replayed and the file is not in it."""
    files = _replayed.get()
    if files is None:
        return None
    if name not in files:
        raise FileNotFoundError(2, "it was not kept", name)
    return files[name]


def record(name: str, data: bytes) -> bytes:
    """Put data that was read into the snapshot that is being recorded, if there is one. Returns the data."""
    files = _recorded.get()
    if files is not None:
        files[name] = data
    return data


_refused: Callable[[str], str | None] | None = None  # of the whole process: a search has threads


@contextmanager
def refusing(why: Callable[[str], str | None]) -> Iterator[None]:
    """A context in which files may not be read for which `why` says, in words, why not; for all threads."""
    global _refused
    before, _refused = _refused, why
    try:
        yield
    finally:
        _refused = before


def permit(path: str) -> None:
    """Raises PermissionError for a file that may not be read here."""
    words = None if _refused is None else _refused(path)
    if words is not None:
        raise PermissionError(EACCES, words, path)
