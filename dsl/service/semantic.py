"""What every word and sign of a text is, for colours: what the grammar says of it, and for names, what they mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from covr.dsl import syntax as s
from covr.dsl.builtins import CONSTANTS, FUNCTIONS, READERS
from covr.dsl.comments import comments
from covr.dsl.grammar import Parsing, load
from covr.dsl.names import bound_by_all
from covr.dsl.service.cursor import words
from covr.dsl.service.document import Analysis
from covr.dsl.service.fragments import ASKED, Fragment
from covr.dsl.service.names import NameTable
from covr.dsl.tokens import Token, Unexpected
from covr.frozen import frozen

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
    split at the ends of lines and at the names in their holes. wanted: called now and then; it may raise."""
    known = name_kinds(analysis, names)
    found: list[Coloured] = []
    for number, fragment in enumerate(analysis.fragments):
        if not number % ASKED:
            wanted()
        before: Token | None = None
        for token in words_of(fragment):
            found += _token(as_name(token, before), fragment.source.where.offset, known)
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
            span = analysis.span(name.span)
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


def words_of(fragment: Fragment) -> list[Token]:
    """The words and signs of a fragment. In one without faults, the grammar tells which words are names."""
    if not fragment.words:
        fragment.words.extend(_words_of(fragment))
    return fragment.words


def _words_of(fragment: Fragment) -> list[Token]:
    text = fragment.source.text
    parsing = Parsing(load(), text, "start", 1 if text.startswith("\ufeff") else 0)
    found = []
    try:
        for token in parsing.tokens():
            parsing.feed(token)
            if token is not parsing.end:
                found.append(token)
    except Unexpected:
        return list(words(text, 0)[0])
    return found


def as_name(token: Token, before: Token | None) -> Token:
    """The token, as a name where a reserved word is one: behind the dot of a field, and where `cells` is called."""
    field = before == "." and token[0].isalpha()
    called = token.type == "CELLS" and before is not None and before.type not in LAST
    return Token("NAME", str(token), token.start_pos, token.end_pos) if field or called else token


def _token(token: Token, by: int, known: dict[int, Coloured]) -> Iterator[Coloured]:
    start, end = (token.start_pos or 0) + by, (token.end_pos or 0) + by
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
    """A text or block, without the names that are in its holes, which come by themselves."""
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
