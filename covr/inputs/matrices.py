"""Matrices in other people's formats, opened and saved like models: `covr solve queens.dlx`, `covr convert`.

What is wrong with a file is one ModelErrors with its line and column, as for models.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.dsl.file_snapshot import keep
from covr.dsl.source import Source, Span
from covr.faults import usage_error
from covr.inputs.library import STDIN, SUFFIX, decode, is_there, open_model, read_stdin, read_text

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.formats import Format
    from covr.engine import Problem


def open_any(
    name: str, overrides: Mapping[str, object], form: str | None = None, asked: Callable[[bool], None] | None = None
) -> Compiled:
    """A model, or the matrix of a file whose name (or `form`) tells a format, ready to be asked.

    asked: called before a model is compiled with whether it has a goal, to refuse a question that has no answer.
    Raises ModelErrors: E50x where the file can't be read, E60x for what is wrong with it, and what models have.
    """
    from covr.compiler import compile_model
    from covr.dsl.syntax import Optimize

    found = find_format(form) if form is not None else matrix_format(name)
    if found is None:
        model = open_model(name)
        if asked is not None:
            asked(bool(model.all(Optimize)))
        return compile_model(model, overrides)
    if not found.reads:
        from covr.compiler.formats import READABLE

        message = f"covr writes the format {found.name} but does not read it"
        raise usage_error("E601", message, help=f"it reads {', '.join(READABLE)}")
    if overrides:
        raise usage_error("E604", f"`{name}` is a matrix and has no params", help="leave out the -D")
    from covr.compiler.matrix_model import compile_problem

    return compile_problem(read_problem(name, found), name)


def find_format(name: str) -> Format:
    """The format of that name, or whose files end so. Raises ModelErrors E601."""
    from covr.compiler.formats import FORMATS

    for form in FORMATS.values():
        if name.lower().lstrip(".") in (form.name, *(s.lstrip(".") for s in form.suffixes)):
            return form
    raise usage_error("E601", f"there is no format `{name}`", word=name, known=list(FORMATS))


def matrix_format(name: str) -> Format | None:
    """The format that the name of a file tells, if it is not a model's."""
    if name == STDIN or name.endswith(SUFFIX) or ("." not in name and not is_there(Path(name))):
        return None
    from covr.compiler.formats import format_of

    return format_of(name)


def read_problem(name: str, form: Format) -> Problem:
    """The matrix in a file, or in standard input for `-`."""
    if name == STDIN:
        shown = "<stdin>"
        text = decode(read_stdin(LARGEST_MATRIX), shown, LARGEST_MATRIX)
    else:
        shown = name
        text = read_text(Path(name), name, LARGEST_MATRIX)
    keep(MATRIX + form.name, text.encode("utf-8", "surrogatepass"))
    return problem_of(text, form, shown)


def problem_of(text: str, form: Format, shown: str) -> Problem:
    """The matrix that a text says. shown: what messages call it."""
    from covr.compiler.formats import FormatFault

    try:
        return form.reader(text)
    except FormatFault as fault:
        raise ModelErrors([_diagnostic(fault.line, fault.column, fault.width, fault.what, shown, text, form)]) from None


MATRIX = "matrix "  # followed by the format, the name under which a matrix is kept (dsl/file_snapshot.py)
LARGEST_MATRIX = 50_000_000  # bytes: enough for five million entries, the most that covr accepts
LONGEST_LINE = 200  # characters: a longer line is not shown with a message


def _diagnostic(line: int, column: int, width: int, what: str, name: str, text: str, form: Format) -> Diagnostic:
    lines = text.split("\n")
    note = (f"read as {form.name}: {form.title}",)
    if not 0 < line <= len(lines) or len(lines[line - 1]) > LONGEST_LINE:
        return Diagnostic("E602", f"{name}, line {line}, column {column}: {what}", None, notes=note)
    start = sum(map(len, lines[: line - 1])) + line - 1
    first = start + min(column - 1, len(lines[line - 1]))
    last = min(first + max(width, 1), start + len(lines[line - 1]))
    return Diagnostic("E602", what, Span(Source(name, text), first, max(first, last)), notes=note)


def write_problem(problem: Problem, out: str, form: Format) -> None:
    """Write a matrix to a file, or to standard output for `-`. A file appears when it is whole, or not at all.

    Raises ModelErrors E603 where the format can't hold the problem, E508 where the file can't be written.
    """
    from covr.compiler.formats import Unwritable

    try:
        if out == STDIN:
            for piece in form.writer(problem):
                sys.stdout.write(piece)
            return
        _replace(Path(out), form, problem)
    except Unwritable as fault:
        raise usage_error("E603", f"the problem can't be written as {form.name}: {fault}") from None
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise usage_error("E508", f"`{out}` can't be written: {reason.lower()}") from None


def _replace(path: Path, form: Format, problem: Problem) -> None:
    if path.exists() and not path.is_file():  # /dev/null, a named pipe
        with path.open("w", encoding="utf-8") as file:
            file.writelines(form.writer(problem))
        return
    handle, beside = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with open(handle, "w", encoding="utf-8", newline="\n") as file:
            file.writelines(form.writer(problem))
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(beside, 0o666 & ~mask)
        os.replace(beside, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise
