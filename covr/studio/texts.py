"""Texts that are open in pages: their places, faults and params as JSON objects."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import Any

from covr.dsl import syntax as s
from covr.dsl.diagnostics import Diagnostic, Source, Span
from covr.dsl.scope import READERS
from covr.dsl.service.document import Analysis, Document
from covr.inputs.library import Libraries
from covr.live.review import TextState, TextUnits
from covr.studio.folder import StudioFolder

# --- A fault as a JSON object for the page ----------------------------------------------------------------------------


Fields = dict[str, Any]


def told(fault: Diagnostic, places: TextUnits, source: Source, found: list[Fields] | None) -> Fields:
    """A fault. One of another file stands at the top, and says where it is.
    data: the param and the place in its value, if the fault is in a value that the page gives. found: its fixes."""
    from covr.explain.code_pages import page_text, pages

    span, notes, data = fault.span, list(fault.notes), None
    if span is not None and span.source.name != source.name:
        line, column = span.place
        notes.insert(0, f"in {span.source.name}, line {line}, column {column}")
        data = _in_data(span)
        span = None
    page = pages().get(fault.code)
    return {
        "code": fault.code,
        "severity": "error" if fault.is_error else "warning",
        "start": 0 if span is None else places.units(span.start),
        "end": 0 if span is None else places.units(span.end),
        "placed": span is not None,
        "message": fault.message,
        "label": "",
        "notes": notes,
        "help": fault.help,
        "word": fault.word,
        "data": data,
        "page": None if page is None else page_text(page),
        "fixes": found,
    }


def _in_data(span: Span) -> Fields | None:
    """The place of a fault in the value of a param that the page gives; None if it is in neither."""
    name = span.source.name
    if not name.startswith("-D "):
        return None
    places = TextUnits(span.source.text)
    return {"param": name[3:], "start": places.units(span.start), "end": places.units(span.end)}


# --- A model's data as a form: each param with its kind, and a grid as rows of cells that a board can show ------------
# What is said here comes from the text alone, so that it is there at each keystroke. How large a grid is when its size
# is computed (`grid(n, n)`) is known only once the model is compiled: see `params` in work/answers.py.


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


# --- Texts that are open in a page: each is analysed again when it changes, and only where it changed -----------------
# If a later version has come meanwhile, what is under way about an earlier one ends soon: the last edit wins.


class StudioState(TextState):
    """What is known of one version of a text, its places as the page counts them. seconds: how long reading it took."""

    def __init__(self, text: OpenText, state: TextState, seconds: float) -> None:
        super().__init__(state.analysis)
        self.open = text
        self.seconds = seconds
        self.places = TextUnits(self.text)

    @cached_property
    def line_ends(self) -> list[int]:
        """Where each line ends, before its newline."""
        return [*(found.start() for found in re.finditer("\n", self.text)), len(self.text)]


class Superseded(Exception):
    """A later version of the text has come: nobody wants to know any more."""


class OpenText:
    """A text that is open in a page. name: as the page calls it; path: where it stands, or would stand."""

    def __init__(self, name: str, path: str, within: Path) -> None:
        self.name, self.path, self.within = name, path, within
        self.latest = self.asked = 0  # versions: that of the last edit, and that which is asked about
        self.document = Document(name, self.libraries, path)
        self._state: StudioState | None = None

    def libraries(self, source: Source) -> Libraries:
        """Finds what `use` names: what ships with covr, and the files of the folder."""
        return Libraries(source, self.within)

    def state(self, text: str) -> StudioState:
        """What is known of a text. Time: that of parsing what changed since the last one. Raises Superseded."""
        if self._state is None or self._state.text != text:
            began = perf_counter()
            state = TextState(self.document.change(text, self.wanted))
            self._state = StudioState(self, state, perf_counter() - began)
        return self._state

    def wanted(self) -> None:
        """Raise Superseded if a later version has come since the question that is being answered."""
        if self.asked < self.latest:
            raise Superseded


class Texts:
    """The texts of a page that are open: by name, the latest last. most: how many are kept."""

    def __init__(self, folder: StudioFolder, most: int) -> None:
        self._folder, self._most = folder, most
        self._open: OrderedDict[str, OpenText] = OrderedDict()

    def find(self, name: str) -> OpenText:
        """The text of that name."""
        if name not in self._open:
            self._open[name] = OpenText(name, self._folder.source_path(name), self._folder.root)
            while len(self._open) > self._most:
                self._open.popitem(last=False)
        self._open.move_to_end(name)
        return self._open[name]


def normal(text: str) -> str:
    """A text whose lines end as covr knows them, each still in its place: a lone carriage return becomes a newline,
    and of a pair the first becomes a blank."""
    return text.replace("\r\n", " \n").replace("\r", "\n")
