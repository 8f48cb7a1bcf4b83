"""A fault as a JSON object for the page."""

from __future__ import annotations

from typing import Any

from covr.dsl.diagnostics import Diagnostic
from covr.dsl.source import Source, Span
from covr.studio.utf16 import Utf16

Fields = dict[str, Any]


def told(fault: Diagnostic, places: Utf16, source: Source, found: list[Fields] | None) -> Fields:
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
    places = Utf16(span.source.text)
    return {"param": name[3:], "start": places.units(span.start), "end": places.units(span.end)}
