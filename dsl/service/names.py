"""Names across a text: what binds each, how it is renamed; colours, outline, folds and layout."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from covr.dsl import syntax as s
from covr.dsl.diagnostics import Source, Span
from covr.dsl.format import TWO_WORDS, comments, format_model, laid_out, pieces
from covr.dsl.format import Place as TextPlace
from covr.dsl.grammar import load
from covr.dsl.lexer import Parsing, Token, Unexpected
from covr.dsl.scope import CONSTANTS, FUNCTIONS, READERS, bound_by_all
from covr.dsl.service.complete import one_line, words
from covr.dsl.service.document import Analysis, Document
from covr.frozen import frozen

# --- names -----------------------------------------------------------------------------------------------------------
# Names across a text: what binds each, where else it stands, and how it can be renamed.
#
# An index may be bound in several places that must keep one name: `cells r in 1..9` and the `r` of `choose put(r, c)`,
# or the `r` of two families that one rule mentions. Places that any statement ties together are one symbol here.


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
            use = self._enter(name, binds=False)
            for by in bound:
                self._join(use, self._enter(by, binds=True))
        for name in defined(analysis.statements):
            self._enter(name, binds=True)
        self._groups: dict[Place, list[Occurrence]] = defaultdict(list)
        for place, occurrence in sorted(self._at.items(), key=lambda pair: pair[0]):
            self._groups[self._root(place)].append(occurrence)
        own = (o for o in self._at.values() if o.span.source is self.source)
        self._own = sorted(own, key=lambda o: o.span.start)
        self._starts = [o.span.start for o in self._own]

    def _enter(self, name: s.Name, binds: bool) -> Place:
        span = name.span
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
    """All places of a name, to be replaced by `new`; or why the name can't be changed. The meaning of the text is
    compared before and after, so a new name can neither hide another one nor be hidden."""
    names = NameTable(analysis)
    found = names.at(offset)
    if found is None:
        return Refused("there is no name here that can be changed")
    if analysis.broken:
        return Refused("the model has errors; fix them first")
    wrong = no_name(new)
    if wrong:
        return Refused(wrong)
    places = names.same(found)
    elsewhere = next((o for o in places if o.span.source is not analysis.source), None)
    if elsewhere is not None:
        return Refused(f"`{found.name.id}` is defined in {elsewhere.span.source.name}")
    spans = [o.span for o in places]
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
    """The names of a text by symbol, whatever they are called: for each symbol, which names are its."""
    number = {o.span.start: at for at, o in enumerate(names)}
    groups = (tuple(number[o.span.start] for o in same if o.span.source is names.source) for same in names.symbols())
    return sorted(filter(None, groups))


# --- semantic --------------------------------------------------------------------------------------------------------
# What every word and sign of a text is, for colours: what the grammar says of it, and for names, what they mean.


KINDS = (
    "keyword", "text", "comment", "number", "operator", "function", "reader", "constant", "param", "value", "index",
    "local", "family", "property",
)  # fmt: skip

# What a statement may end with; behind anything else, `cells` is the function.
LAST = frozenset(
    ("NAME", "NUMBER", "STRING", "BLOCK", "TRUE", "FALSE", "RPAR", "RSQB", "RBRACE", "UNIQUE", "SOLUTION", "SOLUTIONS",
     "ANSWER", "ANSWERS", "OUTLINE", "PLAIN", "DARK", "LINE", "LINES", "CIRCLE", "SQUARE", "DIAMOND", "ARROW", "BULB")
)  # fmt: skip


@frozen
class Coloured:
    """A word or sign, or a part of a text. start: its offset; kind: one of `KINDS`; binds: whether a name is bound."""

    start: int
    length: int
    kind: str
    binds: bool = False


def coloured(analysis: Analysis, names: NameTable, wanted: Callable[[], None] = lambda: None) -> list[Coloured]:
    """Every word and sign of the text but brackets and commas, in order. They do not overlap; blocks and texts are
    split at the ends of lines and at the names in their holes. wanted: called now and then; it may raise to
    stop."""
    known = name_kinds(analysis, names)
    found: list[Coloured] = []
    for part in analysis.parts:
        wanted()
        before: Token | None = None
        for token in words_of(analysis, part):
            found += _token(as_name(token, before), known)
            before = token
    found += (Coloured(c.span.start, c.span.end - c.span.start, "comment") for c in comments(analysis.source))
    return sorted(found, key=lambda c: c.start)


def name_kinds(analysis: Analysis, names: NameTable) -> dict[int, Coloured]:
    """Every name of the text that means something, by its offset."""
    of: dict[tuple[int, int], str] = {}
    for statement in (*analysis.statements, *(st for m in analysis.libraries for st in m.statements)):
        match statement:
            case s.Param():
                bound = {statement.name: "param"}
            case s.Let():
                bound = {statement.name: "value" if statement.parameters is None else "function"}
            case s.Choose():
                bound = {statement.name: "family", **dict.fromkeys(statement.indices, "index")}
            case s.Declare():
                bound = dict.fromkeys(bound_by_all(statement.generators), "index")
            case _:
                continue
        for name, kind in bound.items():
            span = name.span
            of[id(span.source), span.start] = kind
    found = {}
    for same in names.symbols():
        kinds = (of.get((id(o.span.source), o.span.start)) for o in same if o.binds)
        kind = next(filter(None, kinds), "local")
        for occurrence in same:
            span = occurrence.span
            if span.source is names.source:
                found[span.start] = Coloured(span.start, span.end - span.start, kind, occurrence.binds)
    return dict(sorted(found.items()))


def words_of(analysis: Analysis, part: range) -> list[Token]:
    """The words and signs of a piece of the text. In one without faults, the grammar tells which words are names."""
    text = analysis.source.text
    at = part.start + text.startswith("\ufeff", part.start)
    parsing = Parsing(load(), text, "start", at, part.stop)
    found = []
    try:
        for token in parsing.tokens():
            parsing.feed(token)
            if token is not parsing.end:
                found.append(token)
    except Unexpected:
        begin = part.start
        tokens, _ = words(text[begin : part.stop], 0)
        return [Token(t.type, str(t), begin + t.start_pos, begin + t.end_pos) for t in tokens]
    return found


def as_name(token: Token, before: Token | None) -> Token:
    """The token as a name, if a reserved word is one here: behind the dot of a field, or if `cells` is called."""
    field = before == "." and token[0].isalpha()
    called = token.type == "CELLS" and before is not None and before.type not in LAST
    return Token("NAME", str(token), token.start_pos, token.end_pos) if field or called else token


def _token(token: Token, known: dict[int, Coloured]) -> Iterator[Coloured]:
    start, end = token.start_pos, token.end_pos
    if token.type in ("STRING", "BLOCK"):
        yield from _text(str(token), start, known)
    elif start in known:
        yield known[start]
    elif token.type == "NUMBER":
        yield Coloured(start, end - start, "number")
    elif token.type == "NAME":
        kind = "function" if token in FUNCTIONS else "reader" if token in READERS else "property"
        kind = "constant" if token in CONSTANTS else kind
        yield Coloured(start, end - start, kind)
    elif token[0].isalpha():
        yield from _lines(str(token), start, "keyword")
    elif token not in ("(", ")", "[", "]", "{", "}", ",", ":"):
        yield Coloured(start, end - start, "operator")


def _text(text: str, start: int, known: dict[int, Coloured]) -> Iterator[Coloured]:
    """A text or block without the names in its holes, which are listed separately."""
    at = 0
    for offset in range(1, len(text)) if "{" in text and not text.startswith('"""') else ():
        name = known.get(start + offset)
        if name is not None:
            yield from _lines(text[at:offset], start + at, "text")
            yield name
            at = offset + name.length
    yield from _lines(text[at:], start + at, "text")


def _lines(text: str, start: int, kind: str) -> Iterator[Coloured]:
    for line in text.splitlines(keepends=True):
        length = len(line.rstrip("\r\n"))
        if length:
            yield Coloured(start, length, kind)
        start += len(line)


# --- symbols ---------------------------------------------------------------------------------------------------------
# What a model consists of, for an editor's outline: its definitions, choices, rules and promises.


WIDEST = 60  # characters of a rule that has no label


@frozen
class Symbol:
    """A part of a model. span: its statement; at: its name in it.

    kind: `title`, `param`, `value`, `function`, `index`, `family`, `rule` (named by its label, or its first words) or
    `promise`.
    """

    name: str
    kind: str
    span: Span
    at: Span


def symbols(analysis: Analysis) -> list[Symbol]:
    """The parts of a model, in source order."""
    found: list[Symbol] = []

    def add(name: str, kind: str, statement: s.Statement, at: Span) -> None:
        found.append(Symbol(name, kind, statement.span, at))

    for st in analysis.statements:
        match st:
            case s.Title():
                add(st.text.span.text[1:-1], "title", st, st.text.span)
            case s.Param():
                add(st.name.id, "param", st, st.name.span)
            case s.Let():
                add(st.name.id, "value" if st.parameters is None else "function", st, st.name.span)
            case s.Declare():
                for name in bound_by_all(st.generators):
                    add(name.id, "index", st, name.span)
            case s.Choose():
                add(st.name.id, "family", st, st.name.span)
            case (
                s.Rule()
                | s.AreaRule()
                | s.Divide()
                | s.Needs()
                | s.Connected()
                | s.Loop()
                | s.Agree()
                | s.Alike()
                | s.Prefer()
            ):
                label = st.span.one_line if st.label is None else st.label.span.text[1:-1]
                add(one_line(label, WIDEST), "rule", st, st.span)
            case s.Expect():
                add(one_line(st.span.text, WIDEST), "promise", st, st.span)
    return found


# --- folding ---------------------------------------------------------------------------------------------------------
# Which lines of a text an editor may fold: statements of several lines, pictures in them, and groups of comments.


@frozen
class Fold:
    """Lines that belong together, from 1, both included. kind: `statement`, `block` or `comment`."""

    first: int
    last: int
    kind: str


def folds(analysis: Analysis) -> list[Fold]:
    """The folds of a text, by their first lines. Of several that begin on one line the longest comes first."""
    found = {*_statements(analysis), *_blocks(analysis), *_comments(analysis)}
    return sorted(found, key=lambda fold: (fold.first, -fold.last, fold.kind))


def _statements(analysis: Analysis) -> Iterator[Fold]:
    for statement in analysis.statements:
        span = statement.span
        first, last = span.place[0], analysis.source.place(max(span.start, span.end - 1))[0]
        if first < last:
            yield Fold(first, last, "statement")


def _blocks(analysis: Analysis) -> Iterator[Fold]:
    source = analysis.source
    for part in analysis.parts:
        text = source.text[part.start : part.stop]
        if '"""' not in text:
            continue
        for token in words(text, 0)[0]:
            if token.type == "BLOCK" and "\n" in token:
                first = source.place(part.start + token.start_pos)[0]
                yield Fold(first, first + token.count("\n"), "block")


def _comments(analysis: Analysis) -> Iterator[Fold]:
    first = last = -1
    for comment in comments(analysis.source):
        if not comment.alone:
            continue
        line = comment.span.place[0]
        if line != last + 1:
            if last > first:
                yield Fold(first, last, "comment")
            first = line
        last = line
    if last > first:
        yield Fold(first, last, "comment")


# --- formatting ------------------------------------------------------------------------------------------------------
# The layout of a text that is being edited, by its statements and words. The words also show that the result says the
# same, without reading it: a text's statements follow from its words and signs in their order, and from what the few
# words are followed by that may be names.


def formatted_text(analysis: Analysis) -> str:
    """A text in the standard layout. Raises ModelErrors if it has a fault of syntax. Time O(length)."""
    if not analysis.complete:
        return format_model(analysis.source)
    text = analysis.source.text
    words = list(words_at(analysis))
    begins = [statement.span.start for statement in analysis.statements]
    made = laid_out(pieces(text, words, begins), analysis.statements)
    if not same_words(text, words, made):
        return format_model(analysis.source)
    return made


def words_at(analysis: Analysis) -> Iterator[TextPlace]:
    """The places of all words and signs of a text without faults of syntax."""
    for part in analysis.parts:
        for token in words_of(analysis, part):
            yield token.start_pos, token.end_pos, token.type


def same_words(text: str, words: Sequence[TextPlace], made: str) -> bool:
    """Whether a changed text still has the same words and signs, and so the same meaning. What
    a word is depends on the parser's state, which the words before it lead to, and for some on what follows it."""
    lexer = load().lexer
    at = iter(words)
    for found in lexer.gapless.finditer(made):
        if not found.lastindex:
            break
        begin, end, terminal = next(at, (0, 0, ""))
        now, before = found[found.lastindex], text[begin:end]
        if now != before and (terminal not in TWO_WORDS or now.split() != before.split()):
            return False
        kind = lexer.words.get(now, "")
        if kind in lexer.followed:
            follows = lexer.follows(kind).match
            if (follows(made, found.start(found.lastindex)) is None) != (follows(text, begin) is None):
                return False
    return next(at, None) is None
