"""A 0/1 matrix in CSV: a row an option, a column an item to be covered exactly once.

    piece,a,b,c          a line of names for the columns, if there is one
    left,1,0,1           a name for the row first, if there is one
    right,0,1,0

Commas, semicolons, tabs or white space part the fields, whichever the first line uses; a line of nothing but digits
is a row, too (`101`). Blank stands for 0. What Python's exact-cover and xcover take as numpy arrays is saved so.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator

from covr.compiler.formats.draft import Draft
from covr.compiler.formats.fault import FormatFault
from covr.compiler.formats.words import MOST_WORDS, shorten
from covr.engine import Problem

VALUES = {"0": 0, "1": 1, "": 0, "0.0": 0, "1.0": 1, "false": 0, "true": 1}


def read_csv(text: str) -> Problem:
    """The problem of a 0/1 matrix; rows and columns without names have their numbers. Time linear in the text.

    Raises FormatFault, a ValueError, with the place of the first wrong field.
    """
    rows, total = [], 0
    for line, fields in _rows(text):
        rows.append((line, fields))
        total += len(fields)
        if total > MOST_WORDS:
            raise FormatFault(line, f"there are more than {MOST_WORDS} fields")
    if not rows:
        raise FormatFault(1, "there are no rows")
    line, first = rows[0]
    header = first if any(f.lower() not in VALUES for f in first[1:]) or _only_name(rows) else []
    body = rows[1:] if header else rows
    named = any(fields and fields[0].lower() not in VALUES for _, fields in body)
    width = len(first) - named
    if width < 1:
        raise FormatFault(line, "there are no columns")
    names = header[named:] if header else [f"column {k + 1}" for k in range(width)]
    draft = Draft()
    for name in names:
        draft.item(name, 1, 1)
    for line, fields in body:
        if len(fields) != width + named:
            raise FormatFault(line, f"there are {len(fields)} fields where the first line has {len(first)}")
        members = []
        for column, value in enumerate(fields[named:]):
            if value.lower() not in VALUES:
                raise FormatFault(line, f"`{shorten(value)}` in column {column + 1 + named} is neither 0 nor 1")
            if VALUES[value.lower()]:
                members.append((column, 0))
        draft.option(fields[0] if named else f"row {len(draft.options) + 1}", members)
    return draft.problem()


def _only_name(rows: list[tuple[int, list[str]]]) -> bool:
    """Whether the first of the rows is a header of one column."""
    first = rows[0][1]
    return len(first) == 1 and first[0].lower() not in VALUES


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    lines = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    separator = next((s for s in ",;\t" if lines and s in lines[0][1]), None)
    for number, line in lines:
        if separator is not None:
            try:
                yield number, [field.strip() for field in next(csv.reader([line], delimiter=separator, strict=True))]
            except csv.Error as error:
                raise FormatFault(number, str(error)) from None
        else:
            fields = line.split()
            yield number, list(fields[0]) if len(fields) == 1 and set(fields[0]) <= {"0", "1"} else fields
