"""What a page asks about a text, answered as JSON objects. All places are units of UTF-16 from its beginning.

The server has this done in a process for each page (job.py), which can be ended: `work` does its jobs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any

from covr.dsl.diagnostics import Diagnostic, ModelErrors, Span
from covr.dsl.format import comments
from covr.dsl.load import refusing
from covr.dsl.service.complete import complete, fixes
from covr.dsl.service.document import common_end, common_start
from covr.dsl.service.hover import hover, signature
from covr.dsl.service.names import Refused, coloured, folds, formatted_text, rename, symbols
from covr.live.child import Channel, Message
from covr.live.review import TextUnits
from covr.studio.asking import StudioLimits
from covr.studio.boards.changes import drawn, layer_fields
from covr.studio.body import Bad, Body
from covr.studio.folder import StudioFolder, refusal
from covr.studio.texts import StudioState, Superseded, Texts, normal, params, told

Fields = dict[str, Any]

PATIENCE = 0.04  # seconds for fixes while somebody types; the others are found when they are asked for
FIXING = 3.0  # seconds for all fixes: a text of a hundred faults is read again for each change that may mend one
LIMITS = StudioLimits()
LONG = 400  # statements of a text of which what is shown at each keystroke is told in two parts, the faults first


def first(state: StudioState, data: Mapping[str, str]) -> Fields:
    """What is shown at once at each keystroke: of a long text, only what may stop it from being asked. The rest is then
    asked for when nobody types; under `more`, whether there is a rest."""
    if len(state.analysis.statements) <= LONG:
        return analysed(state, data)
    return {**_urgent(state, data), "more": True}


def _urgent(state: StudioState, data: Mapping[str, str]) -> Fields:
    analysis = state.analysis
    until = perf_counter() + PATIENCE
    return {
        "faults": [told(d, state.places, analysis.source, _fixes(state, d, until)) for d in analysis.faults],
        "params": params(analysis, data),
        "broken": analysis.broken,
    }


def analysed(state: StudioState, data: Mapping[str, str]) -> Fields:
    """All that is shown at each keystroke."""
    analysis, places = state.analysis, state.places
    wanted = state.open.wanted
    return {
        **_urgent(state, data),
        "more": False,
        "folds": [_fold(state, fold.first, fold.last) for fold in folds(analysis)],
        "tokens": [
            _token(places, one.start, one.length, one.kind)
            for one in islice(coloured(analysis, state.names, wanted), LIMITS.tokens)
        ],
        "symbols": [
            {"name": one.name, "kind": one.kind, **_range(places, one.span), "at": places.units(one.at.start)}
            for one in symbols(analysis)
        ],
        "meaning": meaning(state, data),
    }


def meaning(state: StudioState, data: Mapping[str, str]) -> str:
    """The same for texts that differ only in comments, blank lines and blanks at the ends of lines: an edit that leaves
    it as it is needs no new question."""
    text, at, kept = state.text, 0, []
    for comment in comments(state.analysis.source):
        span = comment.span
        if "covr:" not in span.text.casefold():
            kept.append(text[at : span.start])
            at = span.end
    lines = (line.rstrip() for line in "".join([*kept, text[at:]]).split("\n"))
    said = "\n".join(filter(None, lines)) + json.dumps(dict(data), sort_keys=True)
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def fixed(state: StudioState) -> list[Fields]:
    """The faults with their fixes; without fixes those for which there is no time."""
    analysis, until = state.analysis, perf_counter() + FIXING
    return [told(d, state.places, analysis.source, _fixes(state, d, until) or []) for d in analysis.faults]


def _fixes(state: StudioState, fault: Diagnostic, until: float) -> list[Fields] | None:
    """What can be done about a fault with a click; None if there is no time to find out, where to try a change takes
    about as long as to read the text did."""
    if perf_counter() + state.seconds > until:
        return None
    return [
        {"title": fix.title, "edits": [_edit(state.places, fix.span, fix.text)]}
        for fix in fixes(state.open.document, state.analysis, fault, state.open.wanted)
    ]


def completed(state: StudioState, units: int) -> Fields | None:
    """What may be written at a place."""
    offset = state.places.offset(units)
    here = state.cursor(offset)
    if here is None:
        return None
    source = state.analysis.source
    libraries = state.open.libraries(source).known("", source) if here.statement == "USE" else []
    items = [
        {"label": one.label, "insert": one.label, "kind": one.kind, "detail": one.detail, "doc": ""}
        for one in complete(state.analysis, here, libraries)
    ]
    return {"start": state.places.units(here.start), "items": items}


def hovered(state: StudioState, units: int) -> Fields | None:
    """What the word at a place is."""
    found = hover(state.analysis, state.names, state.places.offset(units))
    if found is None:
        return None
    return {**_range(state.places, found.span), "code": found.code, "text": found.text}


def signed(state: StudioState, units: int) -> Fields | None:
    """The call that is being written at a place."""
    here = state.cursor(state.places.offset(units))
    found = None if here is None else signature(state.analysis, here)
    if found is None:
        return None
    return {
        "label": found.label, "parameters": list(found.parameters), "active": found.active, "text": found.text,
    }  # fmt: skip


def defined(state: StudioState, units: int) -> list[Fields]:
    """Where the name at a place is bound. file: None in the text itself, else the name of the library."""
    found = state.names.at(state.places.offset(units))
    own = state.analysis.source
    spans = [] if found is None else state.names.definitions(found)
    return [
        {**_range(state.places, span), "file": None}
        if span.source is own
        else {**_range(TextUnits(span.source.text), span), "file": span.source.name}
        for span in spans
    ]


def used(state: StudioState, units: int) -> list[Fields]:
    """Where else in the text the name at a place stands."""
    found = state.names.at(state.places.offset(units))
    if found is None:
        return []
    own = [o for o in state.names.same(found) if o.span.source is state.analysis.source]
    return [{**_range(state.places, o.span), "binds": o.binds} for o in own]


def renamed(state: StudioState, units: int, to: str) -> Fields:
    """The edits that give the name at a place another one; or, under `refused`, why it can't have that."""
    spans = rename(state.open.document, state.analysis, state.places.offset(units), to)
    if isinstance(spans, Refused):
        return {"refused": spans.why}
    return {"edits": [_edit(state.places, span, to) for span in spans]}


def formatted(state: StudioState) -> Fields:
    """The edit that puts the text in the uniform layout; none if it is. A text with faults stays as it is."""
    source = state.analysis.source
    try:
        text = formatted_text(state.analysis)
    except ModelErrors as errors:
        return {"faults": [told(d, state.places, source, []) for d in errors.diagnostics]}
    if text == source.text:
        return {"edits": []}
    return {"edits": [_least(source.text, text, state.places)]}


def _least(old: str, new: str, places: TextUnits) -> Fields:
    """The smallest single edit between two texts, so that a cursor elsewhere stays where it is."""
    first = common_start(old, new)
    last = common_end(old, new, first)
    edit = {"start": places.units(first), "end": places.units(len(old) - last)}
    return {**edit, "text": new[first : len(new) - last]}


def _edit(places: TextUnits, span: Span, text: str) -> Fields:
    return {**_range(places, span), "text": text}


def _range(places: TextUnits, span: Span) -> Fields:
    return {"start": places.units(span.start), "end": places.units(span.end)}


def _token(places: TextUnits, start: int, length: int, kind: str) -> Sequence[int | str]:
    begin = places.units(start)
    return begin, places.units(start + length) - begin, kind


def _fold(state: StudioState, first: int, last: int) -> Fields:
    """Lines that may be folded: from the end of the first to the end of the last."""
    ends = state.line_ends
    return {"start": state.places.units(ends[first - 1]), "end": state.places.units(ends[last - 1])}


# What may be asked, by its name in the address.
ABOUT: Mapping[str, Callable[[StudioState, Body], Any]] = {
    "analyse": lambda state, body: first(state, body.texts("data")),
    "details": lambda state, body: analysed(state, body.texts("data")),
    "fixes": lambda state, body: {"faults": fixed(state)},
    "complete": lambda state, body: completed(state, body.number("offset")),
    "hover": lambda state, body: hovered(state, body.number("offset")),
    "signature": lambda state, body: signed(state, body.number("offset")),
    "definition": lambda state, body: defined(state, body.number("offset")),
    "uses": lambda state, body: used(state, body.number("offset")),
    "rename": lambda state, body: renamed(state, body.number("offset"), body.text("to")),
    "format": lambda state, body: formatted(state),
    "layers": lambda state, body: layer_fields(state.analysis, body.texts("data")),
    "draw": lambda state, body: drawn(state.analysis, body.texts("data"), body.fields, state.places),
}


# --- the process that reads the texts of a page ---


class TextReader:
    """Answers about the texts of one page. folder: whose files they may name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # By whether they came by a link: what a text has read before it may be allowed to read, or after, is not mixed.
        self.texts = {foreign: Texts(StudioFolder(folder), LIMITS.texts) for foreign in (False, True)}

    def hear(self, message: Message) -> None:
        """A later version of a text has come: nobody wants to know what is being answered."""
        for texts in self.texts.values():
            text = texts.find(message["name"])
            text.latest = max(text.latest, message["version"])

    def answer(self, about: str, fields: Mapping[str, Any]) -> Message:
        """The answer to a question, as JSON under `answer`; `stale`, or what it is refused with."""
        try:
            body = Body(fields)
            foreign = body.flag("foreign")
            text = self.texts[foreign].find(body.text("name", "model.cover"))
            text.asked = version = body.number("version", 0)
            text.latest = max(text.latest, version)
            with refusing(refusal(self.folder, foreign)):
                found = ABOUT[about](text.state(normal(body.text("text"))), body)
            told = json.dumps({"version": version, **found} if isinstance(found, dict) and "faults" in found else found)
        except Superseded:
            return {"stale": True}
        except Bad as bad:
            return {"refused": str(bad), "status": bad.status}
        except RecursionError:
            return {"refused": "this text nests too deeply", "status": 413}
        if len(told) > LIMITS.answer:
            return {"refused": f"there is more to say of this text than {LIMITS.answer >> 20} MB", "status": 413}
        return {"answer": told}


_reader: TextReader | None = None


def work(job: Message, channel: Channel) -> None:
    """Answer a question about a text of the page that this process is for (covr/live/child.py)."""
    global _reader
    if _reader is None:
        _reader = TextReader(Path(job["folder"]))
    channel.heard = _reader.hear
    channel.tell(_reader.answer(job["about"], job["fields"]))


def warm() -> None:
    """Load what the first analysis of a text needs, so that it does not wait for that."""
    state = Texts(StudioFolder(Path()), 1).find("warm.cover").state("cells r in 1..m\n")
    analysed(state, {})
