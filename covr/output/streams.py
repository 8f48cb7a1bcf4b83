"""Standard output and standard error that may be full, closed or a pipe that nobody reads.

An exit code is a verdict, so no write error may turn into one (Python itself exits with 1, "proved that there is none",
where an exception is left over, and with 120 where the last flush fails):

- standard error only says things about answers: what can't be written there is dropped, and changes nothing;
- standard output holds the answers: where it can't be written on, `UnwritableStream` ends the command;
- a closed one is replaced by the null device, so that no file that is opened later gets its number and is written on by
  whoever means standard error.
"""

from __future__ import annotations

import io
import os
import select
import sys
from contextlib import suppress
from typing import Any, TextIO

import click

from covr.output.exits import FAULT, FOUND

CLOSED = "error: standard output is closed, so there is nowhere to write to"


class UnwritableStream(Exception):
    """Standard output can't be written on. No OSError, which those would catch who read or write other files.

    gone: nobody reads the pipe any more, which is how `head` ends a command and no fault.
    """

    def __init__(self, error: OSError) -> None:
        super().__init__(error.strerror or str(error))
        self.gone = isinstance(error, BrokenPipeError)


class _Raw(io.RawIOBase):
    """A stream's own bytes. essential: whether what can't be written is an UnwritableStream, or dropped."""

    def __init__(self, stream: Any, essential: bool) -> None:
        self._stream = stream  # it would close its bytes if nobody held it
        self._raw = getattr(stream.buffer, "raw", stream.buffer)
        self._essential = essential

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return int(self._raw.fileno())

    def isatty(self) -> bool:
        return bool(self._raw.isatty())

    def write(self, data: Any) -> int:
        """All or a part. A descriptor that somebody made non-blocking is waited for."""
        size = len(data)
        try:
            while (written := self._raw.write(data)) is None:
                select.select([], [self._raw], [])
            return int(written)
        except OSError as error:
            if self._essential:
                raise UnwritableStream(error) from None
            return size


def guard() -> bool:
    """Replace the standard streams of this process, once, at its start. Returns whether there is a standard output."""
    _fill()
    there = sys.stdout is not None
    sys.stdout = _guarded(sys.stdout, essential=True)
    sys.stderr = _guarded(sys.stderr, essential=False)
    return there


def _fill() -> None:
    """Open the null device for each of the first three descriptors that is closed."""
    with suppress(OSError):
        while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
            os.set_inheritable(number, True)
        os.close(number)


def _guarded(stream: TextIO | None, essential: bool) -> TextIO:
    if stream is None:
        return open(os.devnull, "w", encoding="utf-8")
    return io.TextIOWrapper(
        io.BufferedWriter(_Raw(stream, essential)),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=bool(stream.line_buffering),
        write_through=getattr(stream, "write_through", False),
    )


def finish(code: int) -> int:
    """Write what is left in standard output; the exit code is another where that fails, and not for a closed pipe."""
    try:
        sys.stdout.flush()
    except UnwritableStream as error:
        leave()
        return code if error.gone else refuse(error)
    return code


def refuse(error: Exception) -> int:
    """Say that standard output can't be written on. Returns the exit code."""
    reason = str(error)
    click.echo(f"error: standard output can't be written on: {reason[:1].lower() + reason[1:]}", err=True)
    return FAULT


def leave() -> None:
    """Nobody reads on. Python flushes standard output once more when it ends; that must not complain either."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def known(code: int) -> int:
    """Say what is known, before it is written: this is the exit code where the pipe turns out to be closed."""
    context = click.get_current_context(silent=True)
    if context is not None:
        context.meta[_KNOWN] = code
    return code


def so_far(context: click.Context) -> int:
    """What `known` was told last; a command that gives no verdict has done what it was asked for."""
    return int(context.meta.get(_KNOWN, FOUND))


_KNOWN = "covr.known"
