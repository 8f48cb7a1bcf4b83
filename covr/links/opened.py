"""A link or file as a model: the text of the gallery's model with the board drawn in its params.

A text, and not a model with values, so that everything works on it: messages show the board as it is drawn, `-D`
changes it, `covr convert LINK my.cover` writes it down. `use` would not do, because it takes no rules over.

Of the model's promises only `expect unique` stays: the others are about its own board.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import unquote

from covr.dsl.source import Source
from covr.dsl.syntax import CheckedModel, Expect, Param, ReaderBlock
from covr.frozen import frozen
from covr.links.address import is_address, kind_name, read_address
from covr.links.board import Board, LinkFault
from covr.links.codes import shortened
from covr.links.file import file_kind, is_file, read_file
from covr.links.kind import Kind
from covr.links.penpa import is_penpa, penpa_kind, read_penpa
from covr.links.sudokus import is_sudoku_link, read_sudoku_link, words_of
from covr.links.table import find_kind

# The beginning of a link of which all is encoded, or all behind the `?`.
ENCODED = re.compile(r"\s*(?:https?%(?:25)*3A|[\w.:/-]{1,100}\?[a-z0-9_]{1,100}%(?:25)*2F)", re.IGNORECASE)
MOST_ENCODED = 3  # addresses that a link may have been written into, one into the other


@frozen
class Linked:
    """A puzzle that was read. kind: its row of the table.  board: the puzzle, and what was drawn on it."""

    kind: Kind
    board: Board


def is_linked(text: str) -> bool:
    """Whether a text is a link or file of a puzzle, judging by its beginning."""
    text = _decoded(text)
    return is_file(text) or is_sudoku_link(text) or is_penpa(text) or is_address(text)


def read_linked(text: str, name: str | None = None, ignore: bool = False) -> Linked:
    """The puzzle in a link or file. name: its kind, for links that do not say it.  ignore: pass over what the setter of
    a sudoku drew freely. Raises LinkFault."""
    text = _decoded(text)
    linked = _read(text, name, ignore)
    if name is not None and find_kind(name) is not linked.kind:
        raise LinkFault(f"it is a puzzle of the kind `{linked.kind.name}`, not `{name}`")
    return linked


def _decoded(text: str) -> str:
    """A link that was written into another address, and so has `%3A` for its colon or `%2F` for its slashes, as it was.
    Any other keeps its percent signs, which addresses may have."""
    for _ in range(MOST_ENCODED):
        text = unquote(text) if ENCODED.match(text) else text
    return text


def _read(text: str, name: str | None, ignore: bool) -> Linked:
    if is_sudoku_link(text):
        return Linked(*read_sudoku_link(text, ignore))
    if is_penpa(text):
        kind = penpa_kind(text) if name is None else find_kind(name)
        return Linked(kind, read_penpa(text, kind))
    if is_file(text):
        name, version, after = file_kind(text)
        kind = find_kind(name)
        return Linked(kind, read_file(version, after, kind))
    name, rest = kind_name(text)
    kind = find_kind(name)
    return Linked(kind, read_address(rest, kind))


def model_of(linked: Linked, model: CheckedModel, name: str) -> Source:
    """The gallery's model of the kind with the board of the puzzle. name: how messages call it. Raises LinkFault."""
    params = linked.kind.params(linked.board)
    source = model.source
    edits = [
        (param.value.span.start, param.value.span.end, _drawn(param, params[param.name.id]))
        for param in model.definitions
        if isinstance(param, Param) and param.name.id in params and param.span.source == source
    ]
    assert len(edits) == len(params), "a param that the model has not"
    for promise in model.statements:
        if not isinstance(promise, Expect):
            continue
        if promise.kind != "unique" or promise.settings:
            edits.append((promise.span.start, promise.span.end, ""))
    text = source.text
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    text = words_of(linked.board) + text.rstrip() + "\n"
    return Source(name, text, source.path, linked=True, remark=linked.board.remark)


def _drawn(param: Param, value: Any) -> str:
    """A param's value as it is written in a model, in the way of its default."""
    if not isinstance(param.value, ReaderBlock):
        return _written(value)
    head, quotes, _ = param.value.span.text.partition('"""')
    reader: Callable[[Any], list[str]] = _table if param.value.name.id == "table" else _picture
    lines = value.split("\n") if isinstance(value, str) else reader(value)
    return "\n".join([head + quotes, *("  " + line for line in lines), quotes])


def _picture(rows: Sequence[Sequence[Any]]) -> list[str]:
    words = [["." if value is None else str(value) for value in row] for row in rows]
    wide = max((len(word) for row in words for word in row), default=1)
    if wide == 1:
        return ["".join(row) for row in words]
    if len(words[0]) == 1:
        raise LinkFault("its board is one column wide, in which words of two letters can't be drawn")
    return [" ".join(word.rjust(wide) for word in row).rstrip() for row in words]


def _table(records: Sequence[Any]) -> list[str]:
    rows = [
        [str(word) for field in record.values() for word in (field if isinstance(field, list) else [field])]
        for record in records
    ]
    wide = max((len(row[0]) for row in rows), default=0)
    return [" ".join([row[0].ljust(wide), *row[1:]]) for row in rows]


def _written(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    assert isinstance(value, int)
    return str(value)


def called(text: str) -> str:
    """How messages call a link: by its beginning."""
    return shortened(text.strip().split("\n")[0])
