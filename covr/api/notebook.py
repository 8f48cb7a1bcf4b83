"""The `%%cover` magic: a model in a cell of a notebook, with its answer below.

    %load_ext covr

    %%cover
    title "N queens"
    param n = 8
    …

What may follow `%%cover` on its line:

    -D n=9            a value for a param; `-D clue=$text` takes a Python variable
    -n 4, --all       that many answers, or all of them, side by side (at most 100 are drawn)
    --count           the number of answers; nothing is drawn
    --puzzle          the puzzle unsolved
    --theme dark      the colours: light, dark, print or mono
    NAME              the Python variable that gets the answer (with -n and --all the list of answers, with --count the
                      number, with --puzzle the Model)

A cell that ends with an answer, a problem or a model draws it. covr does not need IPython; IPython calls `register`.
In a terminal the model is coloured as it is typed.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

from covr.api.model import Model, loads, sheet
from covr.compiler import FromText
from covr.dsl.diagnostics import ModelErrors
from covr.frozen import frozen
from covr.questions.answer import Answer

MOST_DRAWN = 100  # answers that a cell draws at most
USAGE = "%%cover [-D NAME=VALUE] [-n K | --all | --count | --puzzle] [--theme NAME] [VARIABLE]"


def register(shell: Any) -> None:
    """Add the magic to a running IPython."""
    shell.register_magic_function(_magic(shell), magic_kind="cell", magic_name="cover")
    _colour(shell)


def _colour(shell: Any) -> None:
    """Colour cells of `%%cover` while they are typed in a terminal; browsers colour cells by themselves."""
    lexer = getattr(getattr(shell, "pt_app", None), "lexer", None)
    known = getattr(lexer, "magic_lexers", None)
    if known is None:
        return
    from prompt_toolkit.lexers import PygmentsLexer

    from covr.highlight.pygments_lexer import ModelLexer

    known["cover"] = PygmentsLexer(ModelLexer)


def _magic(shell: Any) -> Callable[[str, str], object]:
    def cover(line: str, cell: str) -> object:
        try:
            outcome = run_cell(line, cell, shell.user_ns)
        except ModelErrors as errors:
            from covr.dsl import render

            print("\n\n".join(map(render, errors.diagnostics)), file=sys.stderr)
            return None
        except ValueError as error:
            print(f"{error}\nusage: {USAGE}", file=sys.stderr)
            return None
        if outcome.name:
            shell.user_ns[outcome.name] = outcome.value
        return outcome.shown

    cover.__doc__ = __doc__
    return cover


@frozen
class Outcome:
    """The result of a cell. name: the variable to set, or "".  value: its value.  shown: what the notebook displays."""

    name: str
    value: object
    shown: object


@frozen
class NotebookPicture:
    """An SVG document for notebooks, with a text for displays that can't draw it."""

    svg: str
    text: str

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return self.text


def run_cell(line: str, cell: str, variables: Mapping[str, Any]) -> Outcome:
    """Run a cell. Raises ModelErrors for faults of the model, and ValueError for faults in the line of the magic."""
    words = _parse(line)
    model = loads(cell, **_params(words.defines, variables))
    name = words.variable or ""
    if words.puzzle:
        return Outcome(name, model, NotebookPicture(model.svg(words.theme), repr(model)))
    if words.count:
        total = model.count()
        return Outcome(name, total, total)
    if words.every or words.number is not None:
        answers = list(model.solutions(words.number))
        return Outcome(name, answers, _sheet(answers, words.theme) if answers else _none(model))
    answer = model.solve()
    shown = NotebookPicture(answer.svg(words.theme), str(answer)) if answer is not None else _none(model)
    return Outcome(name, answer, shown)


def _sheet(answers: Sequence[Answer], theme: str) -> NotebookPicture:
    drawn = list(islice(answers, MOST_DRAWN))
    more = f", the first {MOST_DRAWN} of them drawn" if len(answers) > MOST_DRAWN else ""
    return NotebookPicture(sheet(drawn, theme), f"{len(answers)} answers{more}")


@frozen
class _Verdict:
    """A sentence, shown without quotes."""

    text: str

    def __repr__(self) -> str:
        return self.text


def _none(model: Model) -> _Verdict:
    why = model.impossible
    return _Verdict("no solution" + (f": {why.message}" if why is not None else ""))


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise ValueError(message)


def _parse(line: str) -> argparse.Namespace:
    from covr.draw.elements import THEMES

    parser = _Parser("%%cover", add_help=False, allow_abbrev=False)
    parser.add_argument("-D", dest="defines", action="append", default=[])
    one = parser.add_mutually_exclusive_group()
    one.add_argument("-n", dest="number", type=int)
    one.add_argument("--all", dest="every", action="store_true")
    one.add_argument("--count", action="store_true")
    one.add_argument("--puzzle", action="store_true")
    parser.add_argument("--theme", default="light", choices=list(THEMES))
    parser.add_argument("variable", nargs="?")
    words = parser.parse_args(shlex.split(line))
    if words.variable is not None and not words.variable.isidentifier():
        raise ValueError(f"{words.variable!r} is no name of a variable")
    if words.number is not None and words.number < 1:
        raise ValueError("-n takes a number from 1")
    return words


def _params(defines: Sequence[str], variables: Mapping[str, Any]) -> dict[str, object]:
    params: dict[str, object] = {}
    for define in defines:
        name, equals, text = define.partition("=")
        if not equals or not name.isidentifier():
            raise ValueError(f"-D {define} sets nothing: write -D NAME=VALUE")
        if text.startswith("$"):
            if text[1:] not in variables:
                raise ValueError(f"there is no variable {text[1:]!r}")
            params[name] = variables[text[1:]]
        else:
            params[name] = FromText(text, f"-D {name}")
    return params
