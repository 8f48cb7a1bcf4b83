"""Names across a text: what binds each, where else it stands, and how it can be renamed.

An index may be bound in several places that must keep one name: `cells r in 1..9` and the `r` of `choose put(r, c)`, or
the `r` of two families that one rule mentions. Places that any statement ties together are one symbol here.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator

from covr.dsl import syntax as s
from covr.dsl.builtins import CONSTANTS
from covr.dsl.grammar import load
from covr.dsl.names import bound_by_all
from covr.dsl.service.document import Analysis, Document
from covr.dsl.source import Source, Span
from covr.frozen import frozen

NAME = re.compile(r"[^\W\d]\w*")

Place = tuple[int, int]  # which text (`id` of what it is a part of), and the offset in it


@frozen
class Occurrence:
    """A name at a place. binds: whether it is bound there, or only used."""

    name: s.Name
    span: Span
    binds: bool


@frozen
class Refused:
    """Why a name can't be changed, in a sentence."""

    why: str


class NameTable:
    """Every name of an analysed text that means something. Time to make: O(names · log names)."""

    def __init__(self, analysis: Analysis) -> None:
        self.source = analysis.source
        self._at: dict[Place, Occurrence] = {}
        self._same: dict[Place, Place] = {}
        for name, bound in analysis.meanings:
            use = self._enter(analysis, name, binds=False)
            for by in bound:
                self._join(use, self._enter(analysis, by, binds=True))
        for name in defined(analysis.statements):
            self._enter(analysis, name, binds=True)
        self._groups: dict[Place, list[Occurrence]] = defaultdict(list)
        for place, occurrence in sorted(self._at.items(), key=lambda pair: pair[0]):
            self._groups[self._root(place)].append(occurrence)
        own = (o for o in self._at.values() if o.span.source is self.source)
        self._own = sorted(own, key=lambda o: o.span.start)
        self._starts = [o.span.start for o in self._own]

    def _enter(self, analysis: Analysis, name: s.Name, binds: bool) -> Place:
        span = analysis.span(name.span)
        place = (id(span.source), span.start)
        known = self._at.get(place)
        if known is None or (binds and not known.binds):
            self._at[place] = Occurrence(name, span, binds)
        self._same.setdefault(place, place)
        return place

    def _root(self, place: Place) -> Place:
        while self._same[place] != place:
            self._same[place] = self._same[self._same[place]]
            place = self._same[place]
        return place

    def _join(self, one: Place, other: Place) -> None:
        self._same[self._root(one)] = self._root(other)

    def __iter__(self) -> Iterator[Occurrence]:
        """The names of the text itself, in order."""
        return iter(self._own)

    def at(self, offset: int) -> Occurrence | None:
        """The name around an offset of the text, or directly before it; None if there is none that means anything."""
        number = bisect_right(self._starts, offset) - 1
        if number < 0 or self._own[number].span.end < offset:
            return None
        return self._own[number]

    def same(self, occurrence: Occurrence) -> list[Occurrence]:
        """Every place of a symbol, libraries included, file by file in order."""
        place = (id(occurrence.span.source), occurrence.span.start)
        return self._groups[self._root(place)]

    def symbols(self) -> Iterator[list[Occurrence]]:
        """Every symbol as all its places, as `same` gives them: each once, where asking for each name would take time
        quadratic in how often one is used."""
        return iter(self._groups.values())

    def definitions(self, occurrence: Occurrence) -> list[Span]:
        """Where a symbol is bound: first in the text, then elsewhere."""
        found = [o.span for o in self.same(occurrence) if o.binds]
        return sorted(found, key=lambda span: (span.source is not self.source, span.start))


def defined(statements: Iterable[s.Statement]) -> Iterator[s.Name]:
    """The names that statements define for a whole model, and the parameters of functions, used or not."""
    for statement in statements:
        if isinstance(statement, s.Param | s.Let | s.Choose):
            yield statement.name
        if isinstance(statement, s.Let):
            yield from statement.parameters or ()
        elif isinstance(statement, s.Declare):
            yield from bound_by_all(statement.generators)


def rename(document: Document, analysis: Analysis, offset: int, new: str) -> list[Span] | Refused:
    """The places of a name, all of which must become `new`; or why that would not do.

    What the text means is compared before and after: every name must mean what it meant, so a new name can neither hide
    another one nor be hidden. document: the one that was analysed, as it still is; that is tried in it, and taken back.
    """
    names = NameTable(analysis)
    found = names.at(offset)
    if found is None:
        return Refused("there is no name here that can be changed")
    if analysis.broken:
        return Refused("the model has faults; mend them first")
    wrong = no_name(new)
    if wrong:
        return Refused(wrong)
    places = names.same(found)
    elsewhere = next((o for o in places if o.span.source is not analysis.source), None)
    if elsewhere is not None:
        return Refused(f"`{found.name.id}` is defined in {elsewhere.span.source.name}")
    spans = [o.span for o in places]
    with document.trying():
        after = document.change(replaced(analysis.source, spans, new))
        kept = not after.broken and shape(names) == shape(NameTable(after))
    if after.broken and new in CONSTANTS:
        return Refused(f"`{new}` always means {CONSTANTS[new]}")
    if not kept:
        return Refused(f"`{new}` already means something here")
    return spans


def no_name(text: str) -> str:
    """Why a text can't be a name, in a sentence; empty if it can."""
    if not text.strip():
        return "a name has at least one letter"
    if text in reserved():
        return f"`{text}` is a word of the language and can't be a name"
    if NAME.fullmatch(text):
        return ""
    wrong = next((char for char in text if not (char.isalnum() or char == "_")), "")
    if wrong.isspace():
        return f"`{text}` can't be a name: there are no spaces in names"
    if wrong:
        shown = f"`{wrong}`" if wrong.isprintable() else f"the character U+{ord(wrong):04X}"
        return f"`{text}` can't be a name: {shown} may not stand in one"
    return f"`{text}` can't be a name: names begin with a letter or `_`"


def reserved() -> frozenset[str]:
    """The words that can never be names."""
    lexer = load().lexer
    return frozenset(w for w, kind in lexer.words.items() if kind in lexer.always and kind not in lexer.followed)


def replaced(source: Source, spans: list[Span], new: str) -> str:
    """The text with these spans of it, which are in order, replaced."""
    parts, at = [], 0
    for span in spans:
        parts += [source.text[at : span.start], new]
        at = span.end
    return "".join([*parts, source.text[at:]])


def shape(names: NameTable) -> list[tuple[int, ...]]:
    """What the names of a text mean to each other, whatever they are called and however long: for each symbol, which
    names of the text are its."""
    number = {o.span.start: at for at, o in enumerate(names)}
    groups = (tuple(number[o.span.start] for o in same if o.span.source is names.source) for same in names.symbols())
    return sorted(filter(None, groups))
