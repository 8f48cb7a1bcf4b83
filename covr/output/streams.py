"""Standard output and error: exit codes, broken pipes, full disks, diagnostics."""

from __future__ import annotations

import io
import os
import re
import select
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from errno import EINVAL
from typing import TYPE_CHECKING, Any, Final, TextIO, TypeVar, cast

import click

from covr.text import reason_of

if TYPE_CHECKING:
    from types import CodeType, FrameType

    from covr.dsl.diagnostics import Diagnostic

F = TypeVar("F", bound=Callable[..., Any])

# --- exits -----------------------------------------------------------------------------------------------------------


FOUND: Final = 0  # found or proved as asked
NONE: Final = 1  # proved that there is none, or not unique, or an expectation failed
FAULT: Final = 2  # a fault in model, data or usage
UNKNOWN: Final = 3  # a limit was reached without an answer, or before the question was decided
INTERRUPTED: Final = 130  # Ctrl-C, or SIGTERM while a search runs


# --- streams ---------------------------------------------------------------------------------------------------------
# Standard streams may be on a full disk, closed, or pipes without a reader. An exit code is a verdict, so no write
# error may turn into one, as it does in Python itself (1 after an exception, 120 after a failed flush):
#
# - what can't be written to standard error, which has only remarks, is dropped;
# - if standard output can't be written to, `UnwritableStream` ends the command;
# - nothing that a name says moves the cursor of a terminal, or hides or turns what stands there: names come from
#   others;
# - a closed stream is replaced by the null device, as else a file that is opened later would get its number.


# Characters that control a terminal, or the direction of what follows, or that are not seen at all. Joiners are left in
# peace, which many scripts write words with, and so are the ends of lines and tabs.
CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
# What covr itself writes to a terminal: colours (but nothing hidden), a screen that is cleared (`covr watch`), and a
# line that is begun again.
_OWN = re.compile(r"(\x1b\[(?!8m)[0-9;]{0,20}m|\x1b\[2J\x1b\[H|\A\r|\r\Z)")
CLOSED = "error: standard output is closed, so there is nowhere to write to"


_UNBROKEN: set[CodeType] = set()


def unbroken(function: F) -> F:
    """A decorator for what writes results, and is not stopped in the middle: half of them would be lost, or written
    twice."""
    _UNBROKEN.add(cast(Any, function).__code__)
    return function


def is_unbroken(frame: FrameType | None) -> bool:
    """Whether such a function is running in this frame."""
    while frame is not None and frame.f_code not in _UNBROKEN:
        frame = frame.f_back
    return frame is not None


class UnwritableStream(Exception):
    """Raised when standard output can't be written to. No OSError, because code for other files catches those.
    gone: whether the reader closed the pipe, as `head` does: no fault. Windows calls it an invalid argument."""

    def __init__(self, error: OSError) -> None:
        super().__init__(error.strerror or str(error))
        self.gone = isinstance(error, BrokenPipeError) or (sys.platform == "win32" and error.errno == EINVAL)


class _Raw(io.RawIOBase):
    """The bytes of a stream. essential: whether a failed write raises UnwritableStream; otherwise it is ignored."""

    def __init__(self, stream: Any, essential: bool) -> None:
        self._stream = stream  # kept, because the stream would be closed when garbage-collected
        self._raw = getattr(stream.buffer, "raw", stream.buffer)
        self._essential = essential

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return int(self._raw.fileno())

    def isatty(self) -> bool:
        return bool(self._raw.isatty())

    @unbroken
    def write(self, data: Any) -> int:
        """Write all or a part of the data. Waits if the descriptor is non-blocking."""
        size = len(data)
        try:
            while (written := self._raw.write(data)) is None:
                select.select([], [self._raw], [])
            return int(written)
        except OSError as error:
            if self._essential:
                raise UnwritableStream(error) from None
            return size


def shown(text: str) -> str:
    """A text as a terminal is given it."""
    if not CONTROLS.search(text):
        return text
    parts = _OWN.split(text)
    return "".join(
        part if number % 2 else CONTROLS.sub("\N{REPLACEMENT CHARACTER}", part) for number, part in enumerate(parts)
    )


class _Terminal(io.TextIOWrapper):
    def write(self, text: str) -> int:
        super().write(shown(text))
        return len(text)


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
    return (_Terminal if stream.isatty() else io.TextIOWrapper)(
        io.BufferedWriter(_Raw(stream, essential)),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=bool(stream.line_buffering),
        write_through=getattr(stream, "write_through", False),
    )


def finish(code: int) -> int:
    """Flush standard output. Returns the exit code: `code`, unless flushing fails for another reason than a closed
    pipe."""
    try:
        sys.stdout.flush()
    except UnwritableStream as error:
        leave()
        return code if error.gone else refuse(error)
    return code


def refuse(error: Exception) -> int:
    """Report that standard output can't be written to. Returns the exit code."""
    click.echo(f"error: standard output can't be written to: {reason_of(error)}", err=True)
    return FAULT


def leave() -> None:
    """Connect standard output to the null device: Python flushes it once more at the end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def known(code: int) -> int:
    """Set the exit code for the case that the pipe turns out to be closed when the result is written. Returns it."""
    context = click.get_current_context(silent=True)
    if context is not None:
        context.meta[_KNOWN] = code
    return code


def so_far(context: click.Context) -> int:
    """The exit code that `known` was last called with; FOUND if it was not called, as in commands without a verdict."""
    return int(context.meta.get(_KNOWN, FOUND))


_KNOWN = "covr.known"


# --- report ----------------------------------------------------------------------------------------------------------


def report(diagnostics: Iterable[Diagnostic]) -> None:
    """Print each diagnostic, with blank lines between them; in colour on a terminal."""
    from covr.draw.canvas import surface_of
    from covr.dsl import render

    colour = surface_of(sys.stderr).colour
    for number, diagnostic in enumerate(diagnostics):
        if number:
            click.echo(err=True)
        click.echo(render(diagnostic, colour=colour), err=True, color=colour)


def is_quiet() -> bool:
    """Whether `--quiet` was given."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get("covr.quiet"))


def remark(text: str) -> None:
    """Print a sentence about the run on standard error, unless `--quiet` was given."""
    if not is_quiet():
        click.echo(text, err=True)
