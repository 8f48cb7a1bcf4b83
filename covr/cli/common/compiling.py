"""Shows, on a terminal, that a model is being compiled and how far that is, if it takes longer than a second.

A thread reads what the compiler notes for each statement, and its counters, a few times a second; this costs the
compiler nothing. The line is wiped before anything else is written. With `--quiet` or `--json`, or if standard error is
no terminal, nothing is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING

import click

from covr.output.report import remark

if TYPE_CHECKING:
    from covr.compiler.evaluate.limits import Budget
    from covr.questions.options import Options

FIRST, EVERY = 1.0, 0.2  # seconds until the line is shown, and between its updates


class CompileMeter:
    """Shows how far a compilation is until it is stopped. Begins with the last budget that was passed to `follow`."""

    def __init__(self) -> None:
        from covr.cli.common.progress import TerminalLine

        self._line = TerminalLine()
        self._budget: Budget | None = None
        self._lock = Lock()
        self._over = Event()
        Thread(target=self._work, daemon=True).start()

    def follow(self, budget: Budget) -> None:
        """Show the progress of the compilation with this budget from now on."""
        self._budget = budget

    def say(self, text: str) -> None:
        """Print a remark, with the line out of its way."""
        with self._lock:
            self._line.wipe()
            remark(text)

    def stop(self) -> None:
        """End the thread, and wipe the line."""
        self._over.set()
        with self._lock:
            self._line.wipe()

    def _work(self) -> None:
        wait = FIRST
        while not self._over.wait(wait):
            with self._lock:
                if self._over.is_set():
                    return
                try:
                    self._line.show(sentence(self._budget))
                except (OSError, ValueError):  # the stream is closed
                    return
            wait = EVERY


@contextmanager
def compiling() -> Iterator[Callable[[str], None]]:
    """Within this context, show on a terminal how far a compilation is. Yields a function that prints a remark."""
    from covr.cli.common.progress import has_terminal

    if wants_json() or not has_terminal():
        yield remark
        return
    from covr.compiler.evaluate.limits import telling

    meter = CompileMeter()
    try:
        with telling(meter.follow):
            yield meter.say
    finally:
        meter.stop()


class CompilingStopped(Exception):
    """Raised when a limit is reached before the model is compiled. kind: `time` or `memory`.  said: in words."""

    def __init__(self, kind: str, said: str) -> None:
        super().__init__(said)
        self.kind, self.said = kind, said


@contextmanager
def limited(options: Options | None) -> Iterator[None]:
    """Within this context, compiling heeds the limits of time and memory of a command. None: there are none. A small
    model is compiled whatever they are. Raises CompilingStopped."""
    limits = None if options is None else (options.limit_time, options.limit_memory, options.usual_memory)
    if options is None or limits == (None, None, None):
        yield
        return
    from covr.cli.common.verdicts import size
    from covr.engine.base.heed import Met, Stopped, heeding

    met = Met(options.limits())
    try:
        with heeding(met):
            yield
    except Stopped:
        kind = "memory" if met.out_of_memory else "time"
        most = options.limit_memory or options.usual_memory or 0
        spent = f"at {size(most)} of memory" if kind == "memory" else f"after {options.limit_time:g} s"
        raise CompilingStopped(kind, f"stopped {spent}, while the model was compiled: nothing is known yet") from None


def wants_json() -> bool:
    """Whether the command was given `--json`."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.params.get("as_json"))


def sentence(budget: Budget | None) -> str:
    """The line: `compiling line 12: statement 5 of 9, 1.2 M steps`. budget: None before the model is read."""
    from covr.cli.common.progress import short

    if budget is None or budget.span is None:
        return "compiling"
    line, _ = budget.span.place
    done = min(budget.begun, budget.total)
    return f"compiling line {line}: statement {done} of {budget.total}, {short(budget.steps + budget.values)} steps"
