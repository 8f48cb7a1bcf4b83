"""What a word is, for whoever points at it: a name's statement, a function's help, the form of a statement."""

from __future__ import annotations

from attrs import frozen
from lark import Token

from covr.dsl import syntax as s
from covr.dsl.advice import FORMS
from covr.dsl.builtins import CONSTANTS, FUNCTIONS, LATTICES, READERS, Builtin
from covr.dsl.scope import plural
from covr.dsl.service.complete import one_line
from covr.dsl.service.cursor import Cursor, fragment_at, words
from covr.dsl.service.document import Analysis
from covr.dsl.service.names import NameTable
from covr.dsl.source import Span

LONGEST = 600  # characters of a statement that are shown


@frozen
class Hover:
    """What is said of the word at `span`. code: as it is written in a model; text: in words, may be empty."""

    span: Span
    code: str
    text: str


@frozen
class Signature:
    """A call that is being written. label: the whole call; parameters: how each is written in it, in order.

    active: the number of the one that the cursor stands in, from 0. text: what the function does.
    """

    label: str
    parameters: tuple[str, ...]
    active: int
    text: str


def hover(analysis: Analysis, names: NameTable, offset: int) -> Hover | None:
    """What is known about the word at an offset; None if that is nothing."""
    found = names.at(offset)
    if found is not None:
        bound = [o for o in names.same(found) if o.binds] or [found]
        return Hover(found.span, *described(analysis, bound[0].span))
    token, begin = word_at(analysis, offset)
    if token is None:
        return None
    span = Span(analysis.source, begin + (token.start_pos or 0), begin + (token.end_pos or 0))
    word = str(token)
    builtin = FUNCTIONS.get(word) or READERS.get(word)
    if token.type in FORMS:
        return Hover(span, FORMS[token.type], "")
    if builtin is not None:
        return Hover(span, call_of(builtin), builtin.help)
    if word in CONSTANTS:
        return Hover(span, word, f"always means {CONSTANTS[word]}")
    return Hover(span, word, "a lattice, for readers") if word in LATTICES and token.type == "NAME" else None


def word_at(analysis: Analysis, offset: int) -> tuple[Token | None, int]:
    """The word at an offset, or that ends there, and where its fragment begins."""
    if not analysis.fragments:
        return None, 0
    fragment, begin = fragment_at(analysis.fragments, offset)
    for token in words(fragment.source.text, 0)[0]:
        here = (token.start_pos or 0) <= offset - begin <= (token.end_pos or 0)
        if here and token.type not in ("STRING", "BLOCK") and token[0].isalpha():
            return token, begin
    return None, begin


def described(analysis: Analysis, span: Span) -> tuple[str, str]:
    """What a name is that is bound at a span: the statement that binds it, and what that makes of it."""
    for statement in (*analysis.statements, *(st for m in analysis.libraries for st in m.statements)):
        whole = analysis.span(statement.span)
        if whole.source is not span.source or not whole.start <= span.start < whole.end:
            continue
        code = shown(statement.span.text)
        from_file = "" if whole.source is analysis.source else f", from {whole.source.name}"
        match statement:
            case s.Param(name=name) if analysis.span(name.span) == span:
                return code, f"a param{from_file}"
            case s.Let(name=name, parameters=parameters) if analysis.span(name.span) == span:
                return code, f"a {'value' if parameters is None else 'function'}{from_file}"
            case s.Let():
                return code, f"a name within `{statement.name.id}`{from_file}"
            case s.Choose(name=name) if analysis.span(name.span) == span:
                return code, "a family of choices"
            case s.Choose():
                return code, f"an index of `{statement.name.id}`"
            case s.Declare():
                return code, "a declared index"
        return code, "a name bound in this statement"
    return span.text, ""


def shown(text: str) -> str:
    """A statement, cut off if it is long."""
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def call_of(builtin: Builtin) -> str:
    """How a built-in function or reader is called."""
    if builtin.name in READERS and builtin.high == 0:
        return f'{builtin.name} """…"""'
    return f"{builtin.name}(…)   takes {plural(builtin.low, builtin.high)}"


def signature(analysis: Analysis, here: Cursor) -> Signature | None:
    """The call that the cursor stands in; None if it stands in none."""
    opened: list[tuple[Token | None, int]] = []  # what stands before each open bracket, and the commas behind it
    for before, token in zip((None, *here.tokens), here.tokens, strict=False):
        if token in ("(", "[", "{"):
            opened.append((before if token == "(" else None, 0))
        elif token in (")", "]", "}") and opened:
            opened.pop()
        elif token == "," and opened:
            name, commas = opened[-1]
            opened[-1] = name, commas + 1
    if not opened or opened[-1][0] is None:
        return None
    name, active = opened[-1]
    return signature_of(analysis, str(name), active)


def signature_of(analysis: Analysis, name: str, active: int) -> Signature | None:
    """How a function or family of that name is called; None if there is none."""
    for statement in (*analysis.statements, *(st for m in analysis.libraries for st in m.statements)):
        if isinstance(statement, s.Let) and statement.name.id == name and statement.parameters is not None:
            parameters = tuple(p.id for p in statement.parameters)
            return Signature(f"{name}({', '.join(parameters)})", parameters, active, one_line(statement.span.text))
        if isinstance(statement, s.Choose) and statement.name.id == name:
            parameters = tuple(p.id for p in statement.indices)
            return Signature(f"{name}({', '.join(parameters)})", parameters, active, one_line(statement.span.text))
    builtin = FUNCTIONS.get(name) or READERS.get(name)
    return None if builtin is None else Signature(call_of(builtin), (), active, builtin.help)
