"""Copies of the files that a model was made from, so that it can be made again where the files do not exist.

Code that reads a file for a model first asks `kept`, and passes what it has read to `keep`. Outside `keeping` and
`using` both do nothing. Names are the reader's own: a path as it was given, `use std/… in …` for a library.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

_kept: ContextVar[Mapping[str, bytes] | None] = ContextVar("kept", default=None)
_keeper: ContextVar[dict[str, bytes] | None] = ContextVar("keeper", default=None)


@contextmanager
def keeping() -> Iterator[dict[str, bytes]]:
    """While inside, every file that is read is put into the dict as well."""
    files: dict[str, bytes] = {}
    token = _keeper.set(files)
    try:
        yield files
    finally:
        _keeper.reset(token)


@contextmanager
def using(files: Mapping[str, bytes]) -> Iterator[None]:
    """While inside, these files are all there is."""
    token = _kept.set(files)
    try:
        yield
    finally:
        _kept.reset(token)


def kept(name: str) -> bytes | None:
    """A file that is kept. Raises FileNotFoundError where only kept files may be read and it is none; None where files
    are read as usual."""
    files = _kept.get()
    if files is None:
        return None
    if name not in files:
        raise FileNotFoundError(2, "it was not kept", name)
    return files[name]


def keep(name: str, data: bytes) -> bytes:
    """Hand on what was read."""
    files = _keeper.get()
    if files is not None:
        files[name] = data
    return data
