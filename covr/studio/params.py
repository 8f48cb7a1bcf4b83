"""A model's data as a form: each param with its kind, and a grid as rows of cells that a board can show.

What is said here comes from the text alone, so that it is there at each keystroke. How large a grid is when its size is
computed (`grid(n, n)`) is known only to whoever compiles the model: see `params` in work/pictures.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from covr.dsl import syntax as s
from covr.dsl.builtins import READERS
from covr.dsl.service.document import Analysis

BLANK = "."
BLANKS = (".", "_")


def params(analysis: Analysis, data: Mapping[str, str]) -> list[dict[str, Any]]:
    """The params of a model and its libraries, in order; each name once. data: the values that the page gives."""
    found: dict[str, dict[str, Any]] = {}
    for module in (*(m.statements for m in analysis.libraries), analysis.statements):
        for statement in module:
            if isinstance(statement, s.Param):
                found[statement.name.id] = _param(statement, data.get(statement.name.id))
    return list(found.values())


def _param(param: s.Param, given: str | None) -> dict[str, Any]:
    value = param.value
    reader = _reader(value)
    text = value.block.strip("\n") if isinstance(value, s.ReaderBlock) else value.span.text
    kind = reader or _kind(value)
    shown = text if given is None else given
    grid = None
    if reader == "grid" and (given is not None or isinstance(value, s.ReaderBlock)) and not shown.startswith("@"):
        default = rows_of(text) if isinstance(value, s.ReaderBlock) else []
        grid = as_grid(fitted(rows_of(shown), default))
    return {
        "name": param.name.id,
        "kind": kind,
        "default": text,
        "given": given,
        "condition": None if param.where is None else param.where.span.text,
        "grid": grid,
        "file": _file(value),
    }


def _reader(value: s.Expr) -> str | None:
    """The reader of a param's default; None if it has none."""
    if isinstance(value, s.ReaderBlock):
        return value.name.id
    if isinstance(value, s.Call) and value.function.id in READERS:
        return value.function.id
    return None


def _kind(value: s.Expr) -> str:
    """`number`, `text`, `truth`, `list`, `set` or `expression`."""
    if isinstance(value, s.Unary) and isinstance(value.of, s.Number):
        return "number"
    kinds: dict[type, str] = {s.Number: "number", s.Text: "text", s.TruthLiteral: "truth", s.ListOf: "list"}
    return kinds.get(type(value), "set" if isinstance(value, s.SetOf) else "expression")


def _file(value: s.Expr) -> str | None:
    """The file that a param is read from, `file("name")`; None if it is none."""
    call = value.args[-1] if isinstance(value, s.Call) and value.function.id in READERS and value.args else value
    if isinstance(call, s.Call) and call.function.id == "file" and len(call.args) == 1:
        named = call.args[0]
        return named.span.text.strip('"') if isinstance(named, s.Text | s.Template) else None
    return None


def rows_of(text: str) -> list[list[str]]:
    """The cells of a grid as it is written, as the reader `grid` reads it: words if any line has spaces inside,
    characters otherwise. Rows may differ in length."""
    lines = [line.split() for line in text.splitlines() if line.strip()]
    if any(len(line) > 1 for line in lines):
        return lines
    return [list(line[0]) for line in lines]


def fitted(rows: list[list[str]], default: list[list[str]]) -> list[list[str]]:
    """The rows; one line that holds a whole grid is cut as the default is."""
    wide = len(default[0]) if default else 0
    if len(rows) == 1 and len(default) > 1 and len(rows[0]) == wide * len(default):
        return [rows[0][at : at + wide] for at in range(0, len(rows[0]), wide)]
    return rows


def as_grid(rows: list[list[str]]) -> dict[str, Any]:
    """Rows of cells as a board, blank where they are too short."""
    wide = max(map(len, rows), default=0)
    cells = [[BLANK if cell in BLANKS else cell for cell in row] + [BLANK] * (wide - len(row)) for row in rows]
    return {"rows": len(rows), "cols": wide, "cells": cells, "blank": BLANK}
