"""covr's docstrings are plain text, in the way of Markdown; Sphinx wants reStructuredText.

What is understood, in a docstring whose lines are `text`:

- paragraphs, between empty lines; a line that begins with `Raises` begins one, too;
- `name: what it is` at the beginning of a line, or after two spaces: a list of what a function takes, or a class has;
- code between backticks. A public name of covr becomes a link to it;
- indented lines after a line that ends with a colon: code.

All else is text: no sign in it means anything.
"""

from __future__ import annotations

import inspect
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import covr

if TYPE_CHECKING:
    from sphinx.application import Sphinx

# Types in signatures that the reference does not describe: Python's own, other libraries', and covr's inner ones.
ELSEWHERE = [(r"py:.*", r"(?!covr\.).*"), (r"py:.*", r"covr\.(?:api|compiler|dsl|engine|explain|questions)\..*")]

FIELD = re.compile(r"(?:^|  )([a-z_]\w*): ")
ASSIGNED = re.compile(r"\bself\.([a-z]\w*)")
CODE = re.compile(r"`([^`]+)`")
PUBLIC = re.compile(rf"\b({'|'.join(name for name in covr.__all__ if name in ('ModelErrors', 'Unfinished'))})\b")


def rewrite(app: Sphinx, what: str, name: str, thing: Any, options: object, lines: list[str]) -> None:
    """autodoc's event `autodoc-process-docstring`: change the lines of a docstring in place."""
    lines[:] = as_rst(lines, fields_of(thing))


def fields_of(thing: Any) -> set[str]:
    """The names that a docstring may describe as `name: what it is`: parameters, or what a class has."""
    names: set[str] = set()
    if inspect.isclass(thing):
        names = {*dir(thing), *ASSIGNED.findall(inspect.getsource(thing))}
        names.update(*(inspect.get_annotations(base) for base in thing.__mro__))
    try:
        return names | set(inspect.signature(thing).parameters)
    except (TypeError, ValueError):  # a property
        return names


def as_rst(lines: list[str], fields: set[str]) -> list[str]:
    """The lines of a docstring as reStructuredText."""
    found: list[str] = []
    for paragraph in "\n".join(lines).strip("\n").split("\n\n"):
        rows = paragraph.split("\n")
        if found and all(row.startswith("    ") for row in rows):
            found += ["::", "", *rows, ""]
        else:
            found += _paragraph(rows, fields)
    return found


def _paragraph(rows: list[str], fields: set[str]) -> list[str]:
    """Sentences, and entries of a list where a field begins."""
    found: list[str] = []
    in_field = False
    for row in rows:
        starts = [m.start() for m in FIELD.finditer(row) if m[1] in fields and (m.start() or not row.startswith(" "))]
        cuts = [0, *(start for start in starts if start), len(row)]
        for first, last in pairwise(cuts):
            piece = row[first:last].strip()
            field = FIELD.match(piece)
            if field and field[1] in fields:
                found += ["", f"- **{inline(field[1])}**: {inline(piece[field.end() :])}"]
                in_field = True
            elif _begins(piece, found, in_field):
                found += ["", inline(piece)]
                in_field = False
            else:
                found.append(("  " if in_field else "") + inline(piece))
    return [*found, ""]


def _begins(piece: str, before: list[str], in_field: bool) -> bool:
    """Whether a line begins a paragraph of its own: `Raises`, or a new sentence after the last entry of a list."""
    ended = bool(before) and before[-1].endswith(".")
    return ended and (piece.startswith("Raises ") or (in_field and piece[:1].isupper()))


def inline(text: str) -> str:
    """A line with its code marked as code, links to public names, and every other sign as it is."""
    parts = CODE.split(text)
    return "".join(_code(part) if number % 2 else _plain(part) for number, part in enumerate(parts))


def _code(code: str) -> str:
    name = code.removeprefix("covr.")
    return f":py:obj:`{code} <covr.{name}>`" if name in covr.__all__ and code != "gallery" else f"``{code}``"


def _plain(text: str) -> str:
    return PUBLIC.sub(r":py:obj:`~covr.\1`", re.sub(r"([\\*|_])", r"\\\1", text))
