"""Lets only one process at a time work on a run file, by a lock that ends with the process that holds it.

The lock is on a file beside the run file, `FILE.lock`, which holds the process number; SQLite's own locks on the run
file are independent of it. When the run ends, the lock file is removed; after a kill it remains, unlocked, and the next
process takes it over.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from covr.faults import usage_error

DIGITS = 10  # of the number of a process there are fewer, on every system
TRIES, WAIT = 6, 0.05  # tries, and seconds between them: a process that only checks the lock holds it for a moment

try:
    import fcntl
except ImportError:  # Windows: a byte of the file is locked
    fcntl = None  # type: ignore[assignment]


class Lock:
    """The lock on a run file. Released by `release`, or when the process ends."""

    def __init__(self, file: Path) -> None:
        """Take the lock. Raises ModelErrors E705 if another process has it, E706 if it can't be made."""
        self._path = beside(file)
        for attempt in range(TRIES):
            try:
                handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
            except OSError as error:
                why = (error.strerror or str(error)).lower()
                raise usage_error("E706", f"`{file}` can't be written: {why}") from None
            if _take(handle) and _is_it(handle, self._path):
                self._handle: int | None = handle
                with suppress(OSError):
                    os.ftruncate(handle, 0)
                    os.write(handle, f"{os.getpid()}\n".encode())
                return
            os.close(handle)
            if attempt < TRIES - 1:
                time.sleep(WAIT)
        number = holder(file)
        who = f"process {number}" if number else "another process"
        raise usage_error(
            "E705", f"{who} is at work on `{file}`",
            help=f"`covr status {file}` says how far it is; wait for it, or stop it, and go on then",
        )  # fmt: skip

    def release(self) -> None:
        """Release the lock and remove its file."""
        if self._handle is not None:
            with suppress(OSError):
                os.unlink(self._path)
            os.close(self._handle)
            self._handle = None
            if fcntl is None:  # Windows removes no open file: neither this one before it is closed, nor another's
                with suppress(OSError):
                    os.unlink(self._path)


def beside(file: Path) -> Path:
    """The path of a run file's lock; links to the run file are resolved first."""
    real = Path(os.path.realpath(file))
    return real.with_name(real.name + ".lock")


def is_held(file: Path) -> bool:
    """Whether a process is at work on a run file."""
    try:
        handle = os.open(beside(file), os.O_RDWR)
    except OSError:
        return False
    try:
        return not _take(handle)
    finally:
        os.close(handle)


def holder(file: Path) -> int | None:
    """The number of the process that holds, or last held, the lock of a run file; None if that is not known."""
    try:
        handle = os.open(beside(file), os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        try:
            return process_number(os.read(handle, DIGITS + 1).decode("ascii").strip())
        finally:
            os.close(handle)
    except (OSError, ValueError):
        return None


def process_number(text: object) -> int:
    """The number of a process that a file tells. Raises ValueError for anything else."""
    if type(text) is not str or not (text.isascii() and text.isdecimal() and 0 < len(text) < DIGITS and int(text) > 0):
        raise ValueError("this is no number of a process")
    return int(text)


def _take(handle: int) -> bool:
    try:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            import msvcrt  # type: ignore[import-not-found, unused-ignore]

            os.lseek(handle, 1 << 20, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]
            os.lseek(handle, 0, os.SEEK_SET)
    except OSError:
        return False
    return True


def _is_it(handle: int, path: Path) -> bool:
    """Whether the locked file still has its name; the process that held the lock before may have removed it."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except OSError:
        return False
