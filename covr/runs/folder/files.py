"""Files that several machines write into one folder: each appears whole, and the first of a name stays.

A file is written under a name of its own, brought to the disk, and then linked to its name, which fails if the name is
taken. Where the file system knows no links, it is renamed; then the last of two that come at the same moment stays,
which covr can bear: what two processes find of a piece is the same, or one of them is not used.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

SIZE = 16  # bytes of a checksum
UNFINISHED = ".new-"  # how names of files begin that are being written


def sealed(kind: bytes, head: bytes, body: bytes = b"") -> bytes:
    """The bytes of a file: its kind, a checksum of the head, the head's length, the head (which must hold a checksum of
    the body, if there is one), and the body."""
    length = len(head).to_bytes(8, "little")
    return kind + blake2b(length + head, digest_size=SIZE).digest() + length + head + body


def unsealed(kind: bytes, data: bytes) -> tuple[bytes, bytes]:
    """The head and the body of such a file. Raises ValueError if the kind or the checksum is another."""
    rest = data.removeprefix(kind)
    if len(rest) == len(data) or len(rest) < SIZE + 8:
        raise ValueError("it is cut off, or another file")
    length = int.from_bytes(rest[SIZE : SIZE + 8], "little")
    head = rest[SIZE + 8 : SIZE + 8 + length]
    if blake2b(rest[SIZE : SIZE + 8] + head, digest_size=SIZE).digest() != rest[:SIZE]:
        raise ValueError("it is not what was written")
    return head, rest[SIZE + 8 + length :]


def write_once(path: Path, data: bytes) -> bool:
    """Write a file that nobody ever sees in part. Returns False, and changes nothing, if there is one of this name.

    Raises OSError if it can't be written.
    """
    beside = _written(path, data)
    try:
        try:
            os.link(beside, path)
        except FileExistsError:
            return False
        except OSError:  # a file system without links
            if path.exists():
                return False
            os.rename(beside, path)
        _settle(path.parent)
        return True
    finally:
        with suppress(OSError):
            os.unlink(beside)


def write_over(path: Path, data: bytes) -> None:
    """Write a file in the place of one that is damaged. Raises OSError."""
    os.replace(_written(path, data), path)
    _settle(path.parent)


def read_whole(path: Path) -> bytes:
    """The bytes of a file. Raises OSError, also for a pipe or a device, of which reading might never end."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(f"`{path.name}` is no ordinary file")
        return file.read()


def names(folder: Path) -> list[str]:
    """The names of the files in a folder, without those that are being written; none if there is no folder."""
    with suppress(OSError):
        return [name for name in os.listdir(folder) if not name.startswith(UNFINISHED)]
    return []


def _written(path: Path, data: bytes) -> Path:
    beside = path.with_name(f"{UNFINISHED}{os.urandom(8).hex()}")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(handle)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise
    return beside


def _settle(folder: Path) -> None:
    """Bring the names in a folder to the disk, where the system can do that."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
