"""What may be written at a place: the words that the grammar takes there, and the names that mean something there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from covr.dsl import syntax as s
from covr.dsl.advice import FORMS
from covr.dsl.builtins import CONSTANTS, FUNCTIONS, LATTICES, READERS
from covr.dsl.codes import WARNINGS
from covr.dsl.complaints import TWO_WORDS
from covr.dsl.grammar import load
from covr.dsl.lexer import STATEMENTS
from covr.dsl.names import bound_by_all
from covr.dsl.service.cursor import Cursor
from covr.dsl.service.document import Analysis
from covr.dsl.tokens import Token
from covr.frozen import frozen

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
    """What may be written at the cursor, in the order in which it is offered, each label once.

    libraries: what `use` may name. Whatever is written of the word so far, all is offered: editors filter.
    """
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
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"
