"""What may be written at a place, and what a click can change there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from attrs import evolve

from covr.dsl import syntax as s
from covr.dsl.advice import FORMS
from covr.dsl.codes import WARNINGS
from covr.dsl.complaints import TWO_WORDS
from covr.dsl.diagnostics import Diagnostic, Source, Span, shorten
from covr.dsl.grammar import load
from covr.dsl.lexer import DEPENDENT, STATEMENTS, Parsing, Token, Unexpected, acceptable
from covr.dsl.parser import readable
from covr.dsl.scope import CONSTANTS, FUNCTIONS, LATTICES, READERS, bound_by_all
from covr.dsl.service.document import Analysis, Document
from covr.frozen import frozen

# --- cursor ----------------------------------------------------------------------------------------------------------
# What stands before a place in a text: the words of its statement, and what the grammar takes next. If something before
# the place does not fit, the grammar says nothing, and the words alone must do.


WORD = re.compile(r"(?<!\w)\w*\Z")


@frozen
class Cursor:
    """A place in a text, seen from the word that ends there.

    - word: what is written of it so far; start: its offset
    - tokens: what stands before it in its statement, or, within the hole of a text, in the hole
    - accepted: the terminals that may stand there; empty if what stands before does not fit
    - inside: `""` for the model itself, `text` for a text in quotes, `block`, `comment`, or `hole`
    - statement: the terminal of the statement's first word, empty if there is none yet
    - around: the words and signs of its statement; begun: the text, block or comment that it lies in, up to the place
    """

    word: str
    start: int
    tokens: tuple[Token, ...]
    accepted: frozenset[str]
    inside: str
    statement: str
    around: tuple[Token, ...]
    begun: str = ""


def cursor(analysis: Analysis, offset: int) -> Cursor:
    """The cursor at an offset of a readable text."""
    part = analysis.part_at(offset)
    begin = part.start
    text = analysis.source.text[begin:offset]
    inside, at = lexical(text)
    around, _ = words(analysis.source.text[begin : part.stop], 0)
    if inside == "text":
        hole = open_hole(text[at + 1 :])
        if hole is not None:
            return evolve(read(text, at + 1 + hole, begin, "expr", "hole"), around=around)
    if inside:
        tokens, statement = words(text[:at], 0)
        word = word_of(text)
        return Cursor(word, begin + len(text) - len(word), tokens, frozenset(), inside, statement, around, text[at:])
    return evolve(read(text, 0, begin, "start", ""), around=around)


def read(text: str, start: int, begin: int, rule: str, inside: str) -> Cursor:
    """The cursor at the end of a text, of which what stands from `start` on is read as `rule`."""
    word = word_of(text[start:])
    end = len(text) - len(word)
    tokens, statement = words(text[:end], start)
    accepted: frozenset[str] = frozenset()
    # `at` and `total` are words only if something follows, so a number is put behind them, which is not read.
    last = str(tokens[-1]) if tokens else ""
    before = f"{text[:end]} 0" if last in DEPENDENT else text[:end]
    parsing = Parsing(load(), before, rule, start)
    try:
        for token in parsing.tokens():
            if token is parsing.end or (token.start_pos or 0) >= end:
                accepted = frozenset(acceptable(load(), parsing.stack))
                break
            parsing.feed(token)
    except Unexpected:
        pass
    return Cursor(word, begin + end, tokens, accepted, inside, statement, ())


def word_of(text: str) -> str:
    """The word that a text ends with; empty if it ends with none."""
    found = WORD.search(text)
    return found[0] if found else ""


def words(text: str, start: int) -> tuple[tuple[Token, ...], str]:
    """The words and signs of a text from `start` on, whether or not they fit, and the terminal of the statement that it
    is in."""
    lexer = load().lexer
    found: list[Token] = []
    statement, at = "", start
    begins = set(lexer.statements(text, start))
    while at < len(text):
        match = lexer.scan.match(text, at)
        if match is None:
            at += 1
            continue
        kind = match.lastgroup or ""
        if kind == "NAME":
            kind = lexer.words.get(match[0], kind)
        if kind not in lexer.ignore:
            if at in begins or (not found and start == 0):
                statement, found = kind, []
            found.append(Token(kind, match[0], at, match.end()))
        at = match.end()
    return tuple(found), statement


def lexical(text: str) -> tuple[str, int]:
    """What a text ends within (`text`, `block`, `comment` or nothing), and the offset where that begins."""
    scan = load().lexer.scan
    at = 0
    while at < len(text):
        found = scan.match(text, at)
        if found is None:
            if text.startswith('"""', at):
                return "block", at
            if text[at] == '"' and "\n" not in text[at:]:
                return "text", at
            at += 1
        elif found.end() == len(text) and found.lastgroup == "COMMENT":
            return "comment", at
        elif found.end() == len(text) and found[0] == '""' and text.endswith('"""'):
            return "block", at
        else:
            at = found.end()
    return "", at


def open_hole(text: str) -> int | None:
    """The offset behind the brace of a hole that is open at the end of a template's text; None if there is none."""
    at, hole = 0, None
    while at < len(text):
        if text.startswith(("{{", "}}"), at) and hole is None:
            at += 2
            continue
        if text[at] == "{" and hole is None:
            hole = at + 1
        elif text[at] == "}":
            hole = None
        at += 1
    return hole


# --- complete --------------------------------------------------------------------------------------------------------
# What may be written at a place: the words that the grammar takes there, and the names that mean something there.


Kind = TypeVar("Kind")

BINDING = frozenset(("PARAM", "LET", "CHOOSE", "CELLS", "VALUES", "FOR"))  # words that a new name follows


@frozen
class Completion:
    """Something that may be written. kind: `word`, `param`, `value`, `function`, `reader`, `index`, `family`,
    `library`, `code` or `constant`. detail: one line about it."""

    label: str
    kind: str
    detail: str = ""


def complete(analysis: Analysis, cursor: Cursor, libraries: Iterable[str] = ()) -> list[Completion]:
    """What may be written at the cursor, in the order in which it is offered, each label once. libraries: what `use`
    may name. Whatever is written of the word so far, all is offered: editors filter."""
    found = dict[str, Completion]()
    for one in _all(analysis, cursor, libraries):
        found.setdefault(one.label, one)
    return list(found.values())


def _all(analysis: Analysis, cursor: Cursor, libraries: Iterable[str]) -> Iterator[Completion]:
    if cursor.inside == "text":
        if cursor.statement == "USE":
            yield from (Completion(name, "library") for name in libraries)
    elif cursor.inside == "comment":
        if "covr:" in cursor.begun:
            yield Completion("allow", "word", "silences a warning here")
            yield from (Completion(code, "code", title) for code, title in WARNINGS.items())
    elif cursor.inside != "block":
        yield from _names(analysis, cursor)
        yield from _words(cursor)


def _words(cursor: Cursor) -> Iterator[Completion]:
    """The words that the grammar takes here; those that begin a statement last, and each with its form."""
    accepted = cursor.accepted or (frozenset() if cursor.inside else frozenset(STATEMENTS))
    words = {kind: word for word, kind in load().lexer.words.items() if kind in accepted}
    words |= {kind: kind.lower().replace("_", " ") for kind in (*TWO_WORDS, "NOT_IN") if kind in accepted}
    for kind in sorted(words, key=lambda kind: (kind in STATEMENTS, words[kind])):
        yield Completion(words[kind], "word", FORMS.get(kind, ""))


def _names(analysis: Analysis, cursor: Cursor) -> Iterator[Completion]:
    accepted, last = cursor.accepted, cursor.tokens[-1] if cursor.tokens else None
    if accepted and "NAME" not in accepted:
        return
    if "NUMBER" in accepted or (not accepted and last is not None):
        yield from _values(analysis, cursor)
    if last is None or last.type == "DOT":
        return
    if cursor.statement in ("MINIMIZE", "MAXIMIZE") and last.type in (cursor.statement, "COMMA"):
        yield Completion("count", "word", "count of f")
    if cursor.statement == "EXPECT" and any(token.type == "WITH" for token in cursor.tokens):
        yield from (c for c in _definitions(analysis) if c.kind == "param")
    elif (
        cursor.statement == "CHOOSE" and "FOR" not in {token.type for token in cursor.tokens} and last.type != "CHOOSE"
    ):
        yield from (Completion(name, "index", "bound in this statement") for name in _bound(cursor.around))
        yield from _indices(analysis)
    elif (
        last.type not in BINDING
        and cursor.statement != "CHOOSE"
        and ("NUMBER" not in accepted or cursor.statement in ("UP_TO", "CLUE"))
    ):
        yield from _families(analysis)


def _values(analysis: Analysis, cursor: Cursor) -> Iterator[Completion]:
    """Whatever an expression may begin with."""
    named = {str(token) for token in cursor.around}
    for family in _of(analysis, s.Choose):
        if family.name.id in named:
            yield from (Completion(n.id, "index", f"an index of `{family.name.id}`") for n in family.indices)
    yield from (Completion(name, "value", "bound in this statement") for name in _bound(cursor.around))
    yield from _indices(analysis)
    yield from _definitions(analysis)
    yield from (Completion(name, "function", row.help) for name, row in FUNCTIONS.items())
    yield from (Completion(name, "reader", row.help) for name, row in READERS.items())
    yield from (Completion(name, "constant", f"always means {value}") for name, value in CONSTANTS.items())
    yield from (Completion(name, "constant", "a lattice, for readers") for name in LATTICES)


def _bound(tokens: tuple[Token, ...]) -> Iterator[str]:
    """Names that a statement binds, as far as its words tell: what stands between `for` or `(` and `in`, and the
    parameters of a function."""
    if len(tokens) > 2 and tokens[0].type == "LET" and tokens[2] == "(":
        for token in tokens[3:]:
            if token == ")":
                break
            if is_name(token):
                yield str(token)
    for at, token in enumerate(tokens):
        if token.type == "IN":
            for before in reversed(tokens[:at]):
                if is_name(before):
                    yield str(before)
                elif before not in (",", "(", ")"):
                    break


def is_name(token: Token) -> bool:
    """Whether a word may be a name: all but the reserved ones."""
    return token.type == "NAME" or (token.isidentifier() and token.type not in load().lexer.always)


def _definitions(analysis: Analysis) -> Iterator[Completion]:
    for statement in (*analysis.statements, *(st for m in analysis.libraries for st in m.statements)):
        if isinstance(statement, s.Param):
            yield Completion(statement.name.id, "param", one_line(statement.span.text))
        elif isinstance(statement, s.Let):
            kind = "value" if statement.parameters is None else "function"
            yield Completion(statement.name.id, kind, one_line(statement.span.text))


def _indices(analysis: Analysis) -> Iterator[Completion]:
    for statement in _of(analysis, s.Declare):
        for name in bound_by_all(statement.generators):
            yield Completion(name.id, "index", one_line(statement.span.text))


def _families(analysis: Analysis) -> Iterator[Completion]:
    for statement in _of(analysis, s.Choose):
        yield Completion(statement.name.id, "family", one_line(statement.span.text))


def _of(analysis: Analysis, kind: type[Kind]) -> Iterator[Kind]:
    return (st for st in analysis.statements if isinstance(st, kind))


def one_line(text: str, most: int = 80) -> str:
    """A text in one line of at most `most` characters."""
    return shorten(" ".join(text.split()), most)


# --- fixes -----------------------------------------------------------------------------------------------------------
# What can be done about a fault with one click: each change is tried, and offered only if the fault is gone after it.
# What to try comes from the help that the fault gives, and, for brackets, from the words around it.


# What a help says stands in the place of the fault, and the alternatives that it names with `or`.
WRITE = re.compile(r"(?:did you mean|write) `([^`…]+)`(?:(?:, or| or|,) `([^`…]+)`)*(?=[?,;:]|$)")
FORM = re.compile(r"\b[A-Z]{4,}\b")  # a word that stands for something else: `per KEYS`
ADD = re.compile(r"(?:.*[,;:] )?add `([^`…]+)`")
LINE_END = re.compile(r"[ \t]*(?:#[^\n]*)?(?:\n|\Z)")
CLOSING = {"(": ")", "[": "]", "{": "}"}
MOST_TRIED = 80  # places of parentheses that are tried for one fault


@frozen
class Fix:
    """A change of the text. title: what it does; span: what is replaced; text: by what.

    sure: whether it is what the fault's help says, and not one of several things that might be meant.
    """

    title: str
    span: Span
    text: str
    sure: bool = True


def fixes(
    document: Document, analysis: Analysis, fault: Diagnostic, wanted: Callable[[], None] = lambda: None
) -> list[Fix]:
    """The changes that mend a fault of the analysed text, the surest first. document: the one that was analysed.
    wanted: called before each change is tried; it may raise an exception to end the search. Time: for every change,
    that of reading the text."""
    if fault.span is None or fault.span.source is not analysis.source:
        return []
    errors = sum(d.is_error for d in analysis.faults)
    found: list[Fix] = []
    for fix in [*_tried(analysis, fault)]:
        wanted()
        after = document.change(applied(analysis.source.text, fix)).faults
        gone = not any((d.code, d.message) == (fault.code, fault.message) for d in after)
        if gone and sum(d.is_error for d in after) <= max(0, errors - fault.is_error):
            found.append(fix)
            if not fix.sure:
                break
    if not fault.is_error:
        found += _allowed(analysis, fault.span, fault.code)
    return found


def applied(text: str, fix: Fix) -> str:
    """The text with a fix."""
    return text[: fix.span.start] + fix.text + text[fix.span.end :]


def _tried(analysis: Analysis, fault: Diagnostic) -> Iterator[Fix]:
    span = fault.span
    assert span is not None
    said = WRITE.match(fault.help)
    for text in re.findall("`([^`…]+)`", said[0]) if said is not None else ():
        if FORM.search(text):
            continue
        quoted = re.search(r'"[^"\n]*"', span.text) if fault.code == "E009" else None
        if quoted is not None:
            span = Span(span.source, span.start + quoted.start() + 1, span.start + quoted.end() - 1)
        yield Fix(f"write `{text}`", span, text)
    added = ADD.match(fault.help)
    if added is not None:
        yield from _added(analysis, span, added[1])
    if fault.help.startswith("remove it") or fault.help == "leave the comment out":
        yield from _removed(analysis, span)
    if fault.code == "E002" and span.text in CLOSING:
        yield from _closed(analysis, span)
    if fault.help.startswith("put it in parentheses"):
        yield from _wrapped(analysis, span)


def _added(analysis: Analysis, span: Span, text: str) -> Iterator[Fix]:
    """Words at the end of the statement around a span, before its label."""
    for statement in analysis.statements:
        whole = statement.span
        label = getattr(statement, "label", None)
        if not isinstance(statement, s.Param | s.Let) and whole.start <= span.start <= whole.end:
            end = whole.end if label is None else label.span.start
            end = whole.start + len(analysis.source.text[whole.start : end].rstrip())
            yield Fix(f"add `{text}`", Span(span.source, end, end), f" {text}")


def _removed(analysis: Analysis, span: Span) -> Iterator[Fix]:
    """The statement around a span left out, with its line if nothing else stands there; or only the span."""
    text = analysis.source.text
    for statement in analysis.statements:
        whole = statement.span
        if isinstance(statement, s.Param | s.Let) and statement.name.span == span:
            line = LINE_END.match(text, whole.end)
            end = line.end() if line else whole.end
            yield Fix(f"remove `{span.text}`", Span(span.source, whole.start, end), "")
            return
    yield Fix("remove it", span, "")


def _closed(analysis: Analysis, span: Span) -> Iterator[Fix]:
    """The bracket at the span closed behind some word after it; those at the ends of lines first."""
    sign = CLOSING[span.text]
    part, tokens = words_around(analysis, span)
    ends = [end for start, end in tokens if start > span.start]
    lines = [end for end in ends if LINE_END.match(analysis.source.text, end)]
    for end in list(dict.fromkeys([*lines, *ends]))[:MOST_TRIED]:
        fix = Fix(f"close it with `{sign}`", Span(span.source, end, end), sign, sure=False)
        if mends(fix, part):
            yield fix


def _wrapped(analysis: Analysis, span: Span) -> Iterator[Fix]:
    """Parentheses around the words that a span lies between: the fewest words first."""
    part, tokens = words_around(analysis, span)
    at = next((n for n, (start, _) in enumerate(tokens) if start >= span.start), len(tokens))
    ranges = [(first, last) for first in range(at, -1, -1) for last in range(at, len(tokens)) if last > first]
    for first, last in sorted(ranges, key=lambda r: (r[1] - r[0], r))[:MOST_TRIED]:
        whole = Span(span.source, tokens[first][0], tokens[last][1])
        fix = Fix("put it in parentheses", whole, f"({whole.text})", sure=False)
        if mends(fix, part):
            yield fix


def words_around(analysis: Analysis, span: Span) -> tuple[range, list[tuple[int, int]]]:
    """The piece of the text that a span begins in, and where the words and signs of it begin and end."""
    part = analysis.part_at(span.start)
    tokens, _ = words(analysis.source.text[part.start : part.stop], 0)
    return part, [(part.start + token.start_pos, part.start + token.end_pos) for token in tokens]


def mends(fix: Fix, part: range) -> bool:
    """Whether a piece of the text has no fault of syntax after a change in it. Much cheaper than reading the text."""
    text = fix.span.source.text
    source = Source("", text[part.start : fix.span.start] + fix.text + text[fix.span.end : part.stop])
    return readable(source)


def _allowed(analysis: Analysis, span: Span, code: str) -> Iterator[Fix]:
    """A comment that silences a warning, above its statement."""
    start = analysis.source.text.rfind("\n", 0, span.start) + 1
    for statement in analysis.statements:
        whole = statement.span
        if whole.start <= span.start < whole.end:
            start = analysis.source.text.rfind("\n", 0, whole.start) + 1
    yield Fix(f"allow {code} here", Span(analysis.source, start, start), f"# covr: allow {code}\n")
