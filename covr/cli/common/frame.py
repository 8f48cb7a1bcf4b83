"""What surrounds the work of a subcommand: options that exclude each other, faults under `--json`, Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from covr.cli.common.compiling import CompilingStopped
from covr.cli.common.interrupt import interrupts
from covr.dsl.diagnostics import ModelErrors
from covr.output.exits import FAULT, UNKNOWN
from covr.output.report import remark
from covr.output.streams import known

if TYPE_CHECKING:
    from covr.cli.common.progress import Meter, Silence
    from covr.questions.run import Run

F = TypeVar("F", bound=Callable[..., Any])


def json_faults(command: F) -> F:
    """A decorator: if `--json` or `--format json` asks for objects, the errors of a faulty model are written as objects
    too, followed by the `end` object. Otherwise the caller of the command reports them.

    Must be the innermost decorator, below all options of the command.
    """

    @wraps(command)
    def guarded(*args: Any, **words: Any) -> Any:
        as_json = bool(words.get("as_json") or words.get("form") == "json")
        try:
            return command(*args, **words)
        except CompilingStopped as stopped:
            return _stopped(stopped, as_json)
        except ModelErrors as errors:
            if not as_json:
                raise
            from covr.output.stream import emit_fault

            emit_fault(errors.diagnostics)
            return FAULT

    return cast(F, guarded)


def _stopped(stopped: CompilingStopped, as_json: bool) -> int:
    """Say that a limit was hit while the model was compiled; returns the exit code."""
    known(UNKNOWN)
    remark(stopped.said)
    if as_json:
        from covr.output.stream import emit_nothing

        emit_nothing(UNKNOWN, limit=stopped.kind)
    return UNKNOWN


@contextmanager
def searching(run: Run, as_json: bool) -> Iterator[Meter | Silence]:
    """Within this context, Ctrl-C stops the run, and its progress is shown. as_json: show it as objects."""
    from covr.cli.common.progress import following

    with interrupts(run), following(run, as_json) as meter:
        yield meter


def exclude(given: Mapping[str, bool]) -> None:
    """Raise UsageError if more than one of these options was given. given: whether each was."""
    if sum(given.values()) > 1:
        raise click.UsageError(f"{_listed(list(given), 'and')} exclude each other.")


def exclude_with(given: Mapping[str, bool], others: Mapping[str, bool]) -> None:
    """Raise UsageError if one of the first options was given together with one of the others."""
    if any(given.values()) and any(others.values()):
        go = "goes" if len(given) == 1 else "go"
        raise click.UsageError(f"{_listed(list(given), 'and')} {go} with neither {_listed(list(others), 'nor')}.")


def _listed(names: Sequence[str], last: str) -> str:
    """`a`, `a and b`, `a, b and c`. last: the word before the last one."""
    return f" {last} ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
