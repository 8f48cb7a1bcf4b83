"""Matrices in other people's formats, opened and saved like models; a fault in a file has its line and column."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from covr.compiler import Compiled, compile_model
from covr.dsl.diagnostics import Diagnostic, ModelErrors, Source, Span
from covr.dsl.load import record
from covr.faults import unwritable_file, usage_error, whole_file, write_whole
from covr.inputs import library

if TYPE_CHECKING:
    from covr.compiler.formats import Format
    from covr.dsl.syntax import CheckedModel
    from covr.engine import Problem


def open_any(
    name: str,
    overrides: Mapping[str, object],
    form: str | None = None,
    say: Callable[[str], None] | None = None,
    asked: Callable[[bool], None] | None = None,
) -> Compiled:
    """A model, or the matrix in a file, compiled. The kind of file is given by `form`, or else found from its name or
    its contents.

    say: called with a sentence that says how a file was read and what was left out; None for a Python warning instead.
    asked: called before a model is compiled, with whether it has a goal, so that it can refuse an impossible question.
    Raises ModelErrors: E50x if the file can't be read, E60x for faults of a matrix, and all faults of a model.
    """
    found = find_format(form) if form is not None else matrix_format(name)
    data: bytes | None = None
    if found is None and is_unknown(name):
        data = _bytes(name)
        found = _recognised(data, name, say)
    if found is None:
        model = library.open_model(name) if data is None else _unsure(data, name)
        if asked is not None:
            asked(model.has_goal)
        return compile_model(model, overrides)
    if not found.reads:
        from covr.compiler.formats import READABLE

        message = f"covr writes the format {found.name} but does not read it"
        raise usage_error("E601", message, help=f"it reads {', '.join(READABLE)}")
    if overrides:
        raise usage_error("E604", f"`{name}` is a matrix and has no params", help="leave out the -D")
    from covr.compiler.formats.draft import listening
    from covr.compiler.matrix_model import compile_problem

    with listening() as noted:
        problem = read_problem(name, found, data)
    for remark in noted:
        warnings.warn(f"{name}: {remark}", stacklevel=2) if say is None else say(f"{name}: {remark}")
    return compile_problem(problem, name, noted.maximises)


def compile_matrix(data: bytes, form: Format, name: str) -> Compiled:
    """The matrix in the bytes of a file, compiled, without its remarks; otherwise as `problem_of`."""
    from covr.compiler.formats.draft import listening
    from covr.compiler.matrix_model import compile_problem

    with listening() as noted:
        problem = problem_of(data, form, name)
    return compile_problem(problem, name, noted.maximises)


def is_unknown(name: str) -> bool:
    """Whether a name does not tell what is in the file: standard input, or an unknown ending."""
    if name == library.STDIN:
        return True
    path = Path(name)
    return path.suffix not in (library.SUFFIX, library.PUZZLE_SUFFIX) and library.is_there(path) and not path.is_dir()


def may_be_matrix(name: str, form: str | None) -> bool:
    """Whether a file may be a matrix, judging by its name or by the format that was given."""
    return form is not None or is_unknown(name) or matrix_format(name) is not None


def _recognised(data: bytes, name: str, say: Callable[[str], None] | None) -> Format | None:
    """The format of a file, judging by its contents; None for a model, and if it could be anything."""
    from covr.compiler.formats.table import recognise, recognise_bytes

    shown = "<stdin>" if name == library.STDIN else name
    data = library.unpack(data, shown, LARGEST_MATRIX)
    found = recognise_bytes(data) or recognise(library.decode(data, shown, LARGEST_MATRIX))
    if found is not None and say is not None:
        say(f"{shown}: read as {found.name}, {found.title}")
    return found


def _unsure(data: bytes, name: str) -> CheckedModel:
    """The model in a file of unknown kind. A fault says what the file seems to be, or asks whether it is a matrix."""
    path = "" if name == library.STDIN else str(Path(name).resolve())
    shown = "<stdin>" if name == library.STDIN else name
    source = library.unlinked(Source(shown, library.decode(data, shown, library.LARGEST_MODEL), path))
    try:
        return library.checked(source)
    except ModelErrors as errors:
        raise library.as_seen(errors, source, "is this a matrix? name the format with --from") from None


def find_format(name: str) -> Format:
    """The format with this name or this file ending. Raises ModelErrors E601 if there is none."""
    from covr.compiler.formats import FORMATS

    for form in FORMATS.values():
        if name.lower().lstrip(".") in (form.name, *(s.lstrip(".") for s in form.suffixes)):
            return form
    raise usage_error("E601", f"there is no format `{name}`", word=name, known=list(FORMATS))


def matrix_format(name: str) -> Format | None:
    """The matrix format that the name of a file implies; None if it implies none."""
    if (
        name == library.STDIN
        or library.is_link(name)
        or name.endswith(library.SUFFIX)
        or ("." not in name and not library.is_there(Path(name)))
    ):
        return None
    from covr.compiler.formats import format_of

    return format_of(name)


def read_problem(name: str, form: Format, data: bytes | None = None) -> Problem:
    """The matrix in a file, or in standard input for `-`. data: the contents of the file, if it was read already."""
    shown = "<stdin>" if name == library.STDIN else name
    data = library.unpack(_bytes(name) if data is None else data, shown, LARGEST_MATRIX)
    if not form.binary:
        data = library.decode(data, shown, LARGEST_MATRIX).encode("utf-8", "surrogatepass")
    record(MATRIX + form.name, data)
    return problem_of(data, form, shown)


def _bytes(name: str) -> bytes:
    if name == library.STDIN:
        return library.read_stdin(LARGEST_MATRIX)
    return library.read_bytes(Path(name), name, LARGEST_MATRIX)


def problem_of(data: bytes, form: Format, shown: str) -> Problem:
    """The matrix in the bytes of a file; text formats are UTF-8. shown: the name of the file in messages."""
    from covr.compiler.formats import FormatFault

    text = "" if form.binary else data.decode("utf-8", "surrogatepass")
    try:
        return form.reader(data if form.binary else text)  # type: ignore[arg-type]
    except FormatFault as fault:
        raise ModelErrors([_diagnostic(fault.line, fault.column, fault.width, fault.what, shown, text, form)]) from None


MATRIX = "matrix "  # followed by the format, the name under which a matrix is kept (dsl/load.py)
LARGEST_MATRIX = 50_000_000  # bytes: enough for a million options of seven items
LONGEST_LINE = 200  # characters: a longer line is not shown with a message


def _seen_instead(text: str, form: Format, name: str) -> str:
    """What a file seems to be that does not follow its format; empty if that is not clear."""
    seen = library.seen_as(text, name)
    is_table = form.name == "csv" and re.search(r"[^\W\d]", text.split("\n")[0]) is not None  # the names of columns
    other = not seen.startswith("this seems to be data") and (form.name != "json" or "JSON" not in seen)
    return seen if (is_table if seen.startswith("this seems to be a table") else other) else ""


def _diagnostic(line: int, column: int, width: int, what: str, name: str, text: str, form: Format) -> Diagnostic:
    lines = text.split("\n")
    seen = "" if form.binary else _seen_instead(text, form, name)
    note = (f"read as {form.name}: {form.title}", *([seen] if seen else []))
    if not 0 < line <= len(lines) or len(lines[line - 1]) > LONGEST_LINE:
        return Diagnostic("E602", f"{name}, line {line}, column {column}: {what}", None, notes=note)
    start = sum(map(len, lines[: line - 1])) + line - 1
    first = start + min(column - 1, len(lines[line - 1]))
    last = min(first + max(width, 1), start + len(lines[line - 1]))
    return Diagnostic("E602", what, Span(Source(name, text), first, max(first, last)), notes=note)


def write_problem(problem: Problem, out: str, form: Format) -> None:
    """Write a matrix to a file, which appears only when it is complete, or to standard output for `-`. Raises
    ModelErrors E603 or E508."""
    from covr.compiler.formats import Unwritable

    try:
        if out == library.STDIN:
            for piece in form.writer(problem):
                sys.stdout.write(piece)
            return
        with whole_file(out) as file:
            for piece in form.writer(problem):
                file.write(piece.encode())
    except Unwritable as fault:
        raise usage_error("E603", f"the problem can't be written as {form.name}: {fault}") from None
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        raise unwritable_file(out, error) from None


def write_text(text: str, out: str) -> None:
    """Write a model to a file, or to standard output for `-`. Raises ModelErrors E508 if it can't be written."""
    if out == library.STDIN:
        sys.stdout.write(text)
        return
    try:
        write_whole(out, text.encode())
    except (OSError, ValueError) as error:
        raise unwritable_file(out, error) from None
