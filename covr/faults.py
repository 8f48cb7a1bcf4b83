"""Faults in how covr is called, and files that are written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

from covr.dsl import suggest
from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.text import reason_of

# --- faults ----------------------------------------------------------------------------------------------------------


def usage_error(code: str, message: str, *, help: str = "", word: str = "", known: Iterable[str] = ()) -> ModelErrors:
    """One error that has no place in a text.

    help: a line of advice.  word: an unknown name.  known: the names that exist; the help suggests the closest, or
    lists them."""
    names = list(known)
    if names and not help:
        close = suggest(word, names)
        help = f"did you mean `{close}`?" if close else f"there are {', '.join(f'`{n}`' for n in names)}"
    return ModelErrors([Diagnostic(code, message, None, help)])


def unwritable_file(path: str | os.PathLike[str], error: OSError | ValueError) -> ModelErrors:
    """The error E508 for a file that can't be written."""
    return usage_error("E508", f"`{os.fspath(path)}` can't be written: {reason_of(error)}")


# --- whole file ------------------------------------------------------------------------------------------------------
# What is written goes to another file in the same folder first, which then takes the place of the old one. So nobody
# ever sees half a file, and the old one remains until the new one is complete. A kill leaves a hidden file
# `.covr-….part` behind.
#
# - Links are followed, and stay. Other names of the same file (hard links) keep the old content.
# - The mode of a file that is replaced is kept, and its owner and group where that is allowed.
# - A file that may not be written is not replaced either.
# - What is no ordinary file (a pipe, /dev/null) is written to as it is, and what is standard output or error already
#   through that, so that it goes on where the last line ended.


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to write bytes to, which becomes the file `path` when the block ends without an exception.

    Raises OSError, and ValueError for a path that no file can have; the old file is then as it was.
    """
    try:
        old = os.stat(path)
    except FileNotFoundError:
        old = None
    if old is not None and (not stat.S_ISREG(old.st_mode) or _standard(old) is not None):
        number = _standard(old)
        with open(path, "wb") if number is None else os.fdopen(os.dup(number), "wb") as file:
            yield file
        return
    if old is not None and not os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(path))
    place = os.path.realpath(path)
    beside = os.path.join(os.path.dirname(place), f".covr-{os.urandom(8).hex()}.part")
    # What replaces a private file is private from the first byte on.
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = os.open(beside, flags, 0o666 if old is None else 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(handle)
        if old is not None:
            _give_owner(beside, old)
            os.chmod(beside, stat.S_IMODE(old.st_mode))
        os.replace(beside, place)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise


def write_whole(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file completely or not at all. Raises what `whole_file` does."""
    with whole_file(path) as file:
        file.write(content)


def _standard(there: os.stat_result) -> int | None:
    """The number of the output of this process, 1 or 2, that goes to a file; None if neither does."""
    for number, stream in ((1, sys.stdout), (2, sys.stderr)):
        with suppress(OSError, ValueError):
            if os.path.samestat(os.fstat(number), there):
                if stream is not None:
                    stream.flush()
                return number
    return None


def _give_owner(path: str, old: os.stat_result) -> None:
    new = os.stat(path)
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        with suppress(OSError):
            os.chown(path, old.st_uid, old.st_gid)
