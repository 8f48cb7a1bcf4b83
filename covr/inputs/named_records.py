"""Collections whose records hold several params, each under its name, as `covr make` writes them:

    across:
    # # 16 .
    down:
    . 17 . .

A record begins with `NAME:` and ends at a blank line. A value stands behind the colon, or in the lines below it, or in
both. Within a record every line belongs to it, also one that begins with `#`; in front of a record that is a comment.
"""

from __future__ import annotations

import re
from collections.abc import Collection as Names
from collections.abc import Iterable, Iterator
from itertools import chain

from covr.compiler import FromText
from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.dsl.source import Source, Span
from covr.faults import usage_error
from covr.inputs.records import COMMENT, InputRecord

HEAD = re.compile(r"\s*([A-Za-z_]\w*)\s*:(.*)")


def named_records(lines: Iterable[str], path: str, names: Names[str]) -> Iterator[InputRecord]:
    """The records of a file, as they are read. Raises ModelErrors E504 if a line that begins a record names no param
    of the model (`names`)."""
    number = start = 0
    block: list[str] = []
    for at, line in enumerate(chain((line.rstrip("\r\n") for line in lines), [""]), 1):
        if line.strip():
            if not block and COMMENT.fullmatch(line):
                continue
            if not block:
                start = at
                _check_head(line, path, names)
            block.append(line)
        elif block:
            number += 1
            yield InputRecord(number, start, "\n".join(block))
            block = []


def _check_head(line: str, path: str, names: Names[str]) -> None:
    found = HEAD.fullmatch(line)
    if found is None or found[1] not in names:
        listed = ", ".join(f"`{name}:`" for name in names)
        help = f"a record begins with a param ({listed}); or write --each NAME=FILE for records of one param"
        raise usage_error("E504", f"`{path}` holds no params under their names", help=help)


def named_values(record: InputRecord, path: str, names: Names[str]) -> dict[str, object]:
    """The params of a record, as data for the model. Raises ModelErrors E504 for a param that stands there twice."""
    found: dict[str, tuple[int, list[str]]] = {}
    last: list[str] = []
    for at, line in enumerate(record.text.split("\n"), record.line):
        head = HEAD.fullmatch(line)
        if head is None or head[1] not in names:
            last.append(line)
            continue
        if head[1] in found:
            source = Source(path, line, first=at)
            raise ModelErrors(
                [Diagnostic("E504", f"`{head[1]}` is set twice", Span(source, head.start(1), head.end(1)))]
            )
        last = [head[2].strip()]
        found[head[1]] = at, last
    return {name: _value(lines, path, at) for name, (at, lines) in found.items()}


def _value(lines: list[str], path: str, at: int) -> FromText:
    if len(lines) > 1 and not lines[0]:
        return FromText("\n".join(lines[1:]), path, plain=True, first=at + 1)
    return FromText("\n".join(lines), path, plain=True, first=at)


__all__ = ["named_records", "named_values"]
