"""What an editor shows when somebody points at a word: the statement and kind of a name, the row of a function, or
what a word of the language means."""

from __future__ import annotations

from attrs import frozen

from covr.dsl import syntax as s
from covr.dsl.builtins import LATTICES
from covr.dsl.service.complete import one_line
from covr.dsl.service.cursor import Cursor, fragment_at
from covr.dsl.service.document import Analysis
from covr.dsl.service.function_rows import FUNCTION_ROWS, READER_ROWS, CallRow
from covr.dsl.service.kinds import KindFinder
from covr.dsl.service.meanings import meaning
from covr.dsl.service.names import NameTable, Occurrence
from covr.dsl.service.semantic import as_name, words_of
from covr.dsl.source import Span
from covr.dsl.tokens import Token

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
        code, text = described(analysis, bound[0].span)
        return Hover(found.span, code, text + kind_of(analysis, found, text))
    token, begin = word_at(analysis, offset)
    if token is None:
        return None
    span = Span(analysis.source, begin + (token.start_pos or 0), begin + (token.end_pos or 0))
    word = str(token)
    means = meaning(token.type, word)
    if means is not None:
        return Hover(span, means.form, f"{means.text}\n\nFor example: `{means.example}`")
    row = FUNCTION_ROWS.get(word) or READER_ROWS.get(word)
    if row is not None and token.type == "NAME":
        return Hover(span, "\n".join(row.forms), in_words(row))
    return Hover(span, word, "a lattice, for readers") if word in LATTICES and token.type == "NAME" else None


def in_words(row: CallRow) -> str:
    """What a function or reader gives, and an example."""
    return f"{row.gives}\n\nFor example: `{row.example}`" if row.example else row.gives


def kind_of(analysis: Analysis, found: Occurrence, said: str) -> str:
    """What kind of value a name has, as it is added to what else is said of it; empty if that is not known."""
    kind = None if said.startswith("a family") else KindFinder(analysis).name(found.name)
    if kind is None:
        return ""
    return f" that gives {kind.one}" if said.startswith("a function") else f": {kind.one}"


def word_at(analysis: Analysis, offset: int) -> tuple[Token | None, int]:
    """The word at an offset, or that ends there, and where its fragment begins."""
    if not analysis.fragments:
        return None, 0
    fragment, begin = fragment_at(analysis.fragments, offset)
    before: Token | None = None
    for token in words_of(fragment):
        here = (token.start_pos or 0) <= offset - begin <= (token.end_pos or 0)
        if here and token.type not in ("STRING", "BLOCK") and token[0].isalpha() and before != ".":
            return as_name(token, before), begin
        before = token
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
    row = FUNCTION_ROWS.get(name) or READER_ROWS.get(name)
    return None if row is None else signature_of_row(row, active)


def signature_of_row(row: CallRow, active: int) -> Signature | None:
    """How a function or reader of covr's own is called: in the shortest form that has as many values as are written."""
    called = [form.partition(' """')[0] for form in row.forms]
    forms = [form for form in called if "(" in form] or [f'{called[0]}("…")']
    listed = [form.partition("(")[2].removesuffix(")").split(", ") for form in forms]
    fitting = [at for at, values in enumerate(listed) if len(values) > active or values[-1].endswith("…")]
    at = fitting[0] if fitting else len(forms) - 1
    values = tuple(value for value in listed[at] if value)
    others = "".join(f", `{form}`" for number, form in enumerate(forms) if number != at)
    return Signature(forms[at], values, active, f"{in_words(row)}{f' (or{others[1:]})' if others else ''}")
