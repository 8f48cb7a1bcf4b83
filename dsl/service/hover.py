"""What an editor shows about a word: the kind of a name, and what a word means."""

from __future__ import annotations

from collections.abc import Iterator

from covr.dsl import syntax as s
from covr.dsl.diagnostics import Span, shorten
from covr.dsl.lexer import Token
from covr.dsl.scope import LATTICES, walk
from covr.dsl.service.complete import Cursor, one_line
from covr.dsl.service.document import Analysis
from covr.dsl.service.function_rows import FUNCTION_ROWS, READER_ROWS, CallRow
from covr.dsl.service.meanings import meaning
from covr.dsl.service.names import NameTable, Occurrence, as_name, words_of
from covr.frozen import frozen

# --- kinds -----------------------------------------------------------------------------------------------------------
# What kind of value a name has, as far as its text tells without being evaluated: a number, a set of texts, …
#
# Nothing is guessed: what depends on data, such as what a grid holds, is not known.


DEEPEST = 40  # names that are followed, and expressions that are entered, one within another


@frozen
class ValueKind:
    """A kind of value. word: `number`, `text`, `truth`, `cell`, `piece`, `record`, `symmetry`, `set`, `list`, `tuple`,
    `grid` or `map`. of: for a set or list, the kind of its members; for a tuple, of each of them; None if unknown."""

    word: str
    of: tuple[ValueKind | None, ...] = ()

    @property
    def one(self) -> str:
        """The kind in words: `a set of numbers`."""
        return "true or false" if self.word == "truth" else f"a {self.word}{self._of}"

    @property
    def many(self) -> str:
        """The kind of several such values in words: `sets of numbers`."""
        plural = {"truth": "truth values", "symmetry": "symmetries"}.get(self.word, f"{self.word}s")
        return plural + self._of

    @property
    def _of(self) -> str:
        if self.word == "tuple":
            alike = self.of[0] if self.of and all(kind == self.of[0] for kind in self.of) else None
            return f" of {len(self.of)} {'values' if alike is None else alike.many}"
        return "" if not self.of or self.of[0] is None else f" of {self.of[0].many}"

    @property
    def member(self) -> ValueKind | None:
        """The kind of what a `for` goes through in it; None if that is unknown."""
        if self.word in ("set", "list"):
            return self.of[0] if self.of else None
        if self.word == "tuple":
            return self.of[0] if self.of and all(kind == self.of[0] for kind in self.of) else None
        return CELL if self.word == "grid" else TEXT if self.word == "text" else None


NUMBER, TEXT, TRUTH, CELL = ValueKind("number"), ValueKind("text"), ValueKind("truth"), ValueKind("cell")
CELLS = ValueKind("set", (CELL,))
SHAPES = ValueKind("set", (CELLS,))
MAP = ValueKind("map")
SYMMETRIES = ValueKind("set", (ValueKind("symmetry"),))
RECORDS = ValueKind("list", (ValueKind("record"),))
# What functions and readers give, if that does not depend on what they take.
GIVES = {
    "abs": NUMBER, "sum": NUMBER, "size": NUMBER, "position": NUMBER, "file": TEXT,
    "section": TEXT, "split": ValueKind("list", (TEXT,)),
    "columns": ValueKind("list", (TEXT,)), "days": ValueKind("list", (TEXT,)), "weekday": NUMBER,
    "map": MAP, "box": CELLS, "cells": CELLS, "frame": CELLS, "neighbours": CELLS, "hexagon": CELLS,
    "hex": CELL, "triangle": CELL, "sticks": CELL, "balls": CELL, "orientations": SHAPES, "placements": SHAPES,
    "shape": CELLS,
    "runs": SHAPES, "edges": SHAPES, "windows": SHAPES, "regions": SHAPES, "rectangles": SHAPES, "border": SHAPES,
    "parts": SHAPES,
    "between": CELLS, "touches": TRUTH, "meets": TRUTH, "some": TRUTH, "no": TRUTH, "symmetries": SYMMETRIES,
    "rotations": SYMMETRIES,
    "grid": ValueKind("grid"), "area": CELLS, "pieces": ValueKind("set", (ValueKind("piece"),)),
    "solids": ValueKind("set", (ValueKind("piece"),)), "table": RECORDS, "csv": RECORDS,
    "list": ValueKind("list", (None,)), "text": TEXT,
}  # fmt: skip


class KindFinder:
    """Finds the kinds of the names of an analysed text. Time to make: O(names)."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self._bound = {id(name): bound for name, bound in analysis.meanings}
        self._functions = {
            st.name.id: st
            for st in self._statements()
            if isinstance(st, s.Let) and st.parameters is not None
        }  # fmt: skip

    def _statements(self) -> Iterator[s.Statement]:
        yield from self.analysis.statements
        for module in self.analysis.libraries:
            yield from module.statements

    def name(self, name: s.Name, depth: int = 0) -> ValueKind | None:
        """The kind of a name's value; for a function, the kind of its result. None if unknown."""
        if depth > DEEPEST:
            return None
        bound = [by for by in self._bound.get(id(name), ()) if by is not name]
        if bound:
            return next((kind for by in bound if (kind := self.name(by, depth + 1)) is not None), None)
        return self._of_binding(name, depth + 1)

    def _of_binding(self, name: s.Name, depth: int) -> ValueKind | None:
        """The kind of a name, at the place that binds it."""
        statement = self._around(name.span)
        if isinstance(statement, s.Param | s.Let) and statement.name is name:
            return self.value(statement.value, depth)
        for node in walk(statement) if statement is not None else ():
            patterns = (
                node.patterns if isinstance(node, s.Generator) else (node.pattern,) if isinstance(node, s.Key) else ()
            )
            if any(part is name for pattern in patterns for part in walk(pattern)):
                over = self.value(node.over, depth)
                member = None if over is None else over.member
                found = (_taken_apart(pattern, member, name) for pattern in patterns)
                return next((kind for kind in found if kind is not None), None)
        return None

    def _around(self, span: Span) -> s.Statement | None:
        """The statement that a span lies in."""
        for statement in self._statements():
            if statement.span.source is span.source and statement.span.start <= span.start < statement.span.end:
                return statement
        return None

    def value(self, expr: s.Expr, depth: int = 0) -> ValueKind | None:
        """The kind of an expression's value; None if unknown."""
        if depth > DEEPEST:
            return None
        match expr:
            case s.Number():
                return NUMBER
            case s.Text():
                return TEXT
            case s.TruthLiteral() | s.Compare():
                return TRUTH
            case s.Range():
                return ValueKind("set", (NUMBER,))
            case s.Name():
                return self.name(expr, depth + 1)
            case s.TupleOf():
                return ValueKind("tuple", tuple(self.value(item, depth + 1) for item in expr.items))
            case s.ListOf() | s.SetOf():
                kinds = [self.value(item, depth + 1) for item in expr.items]
                alike = kinds[0] if kinds and all(kind == kinds[0] for kind in kinds) else None
                return ValueKind("list" if isinstance(expr, s.ListOf) else "set", (alike,))
            case s.MapOf():
                return MAP
            case s.Comprehension():
                if expr.kind == "map":
                    return MAP
                if expr.kind in ("some", "no"):
                    return TRUTH
                return ValueKind(expr.kind, (self.value(expr.item, depth + 1),))
            case s.ReaderBlock():
                return GIVES.get(expr.name.id)
            case s.IfElse():
                return self.value(expr.then, depth + 1) or self.value(expr.other, depth + 1)
            case s.Unary():
                return TRUTH if expr.op == "not" else NUMBER
            case s.Binary():
                return self._binary(expr, depth + 1)
            case s.Call():
                return self._call(expr, depth + 1)
            case s.Index():
                return self._index(expr, depth + 1)
            case _:
                return None

    def _binary(self, expr: s.Binary, depth: int) -> ValueKind | None:
        if expr.op in ("and", "or"):
            return TRUTH
        if expr.op in ("div", "mod", "^"):
            return NUMBER
        left, right = self.value(expr.left, depth), self.value(expr.right, depth)
        if expr.op == "*" and left is not None and right is not None and left.word == right.word == "set":
            return ValueKind("set", (ValueKind("tuple", (left.member, right.member)),))
        if expr.op == "*":
            return NUMBER if NUMBER in (left, right) else None
        return left or right

    def _call(self, call: s.Call, depth: int) -> ValueKind | None:
        name = call.function.id
        own = self._functions.get(name)
        if own is not None:
            return self.value(own.value, depth)
        first = self.value(call.args[0], depth) if call.args else None
        if name in ("min", "max"):
            return first if len(call.args) > 1 or first is None else first.member
        if name in ("sorted", "subsets", "tuples", "permutations"):
            members = ValueKind("list", (None if first is None else first.member,))
            inner = ValueKind("set", members.of) if name == "subsets" else members
            return members if name == "sorted" else ValueKind("set", (inner,))
        if name in ("rotate", "reflect", "translate"):
            return first if first in (CELL, CELLS) else None
        return GIVES.get(name)

    def _index(self, index: s.Index, depth: int) -> ValueKind | None:
        of = self.value(index.of, depth)
        if of is None or of.word not in ("list", "tuple", "text") or len(index.args) != 1:
            return None
        at = index.args[0]
        if of == RECORDS and self.value(at, depth) not in (NUMBER, None):
            return None  # `t["name"]` is a column
        if of.word == "tuple" and isinstance(at, s.Number) and 1 <= at.value <= len(of.of):
            return of.of[at.value - 1]
        return of.member


def _taken_apart(pattern: s.Pattern, kind: ValueKind | None, name: s.Name) -> ValueKind | None:
    """The kind of a name in a pattern that takes a value of some kind apart."""
    if kind is None or pattern is name:
        return kind
    if isinstance(pattern, s.TuplePattern):
        cell = (NUMBER,) * len(pattern.items)
        kinds = cell if kind == CELL else kind.of if kind.word == "tuple" and len(kind.of) == len(cell) else ()
        found = (_taken_apart(item, inner, name) for item, inner in zip(pattern.items, kinds, strict=False))
        return next((kind for kind in found if kind is not None), None)
    return None


# --- hover -----------------------------------------------------------------------------------------------------------
# What an editor shows when the mouse is on a word: the statement and kind of a name, the row of a function, or
# what a word of the language means.


LONGEST = 600  # characters of a statement that are shown


@frozen
class Hover:
    """An explanation of the word at `span`. code: its statement in the model; text: in words, may be empty."""

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
    token = word_at(analysis, offset)
    if token is None:
        return None
    span = Span(analysis.source, token.start_pos, token.end_pos)
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
    """A sentence about the kind of a name's value; empty if it is not known."""
    kind = None if said.startswith("a family") else KindFinder(analysis).name(found.name)
    if kind is None:
        return ""
    return f" that gives {kind.one}" if said.startswith("a function") else f": {kind.one}"


def word_at(analysis: Analysis, offset: int) -> Token | None:
    """The word at an offset, or that ends there; None if there is none."""
    if not analysis.readable:
        return None
    before: Token | None = None
    for token in words_of(analysis, analysis.part_at(offset)):
        here = token.start_pos <= offset <= token.end_pos
        if here and token.type not in ("STRING", "BLOCK") and token[0].isalpha() and before != ".":
            return as_name(token, before)
        before = token
    return None


def described(analysis: Analysis, span: Span) -> tuple[str, str]:
    """What a name is that is bound at a span: the statement that binds it, and what that makes of it."""
    for statement in (*analysis.statements, *(st for m in analysis.libraries for st in m.statements)):
        whole = statement.span
        if whole.source is not span.source or not whole.start <= span.start < whole.end:
            continue
        code = shorten(statement.span.text, LONGEST)
        from_file = "" if whole.source is analysis.source else f", from {whole.source.name}"
        match statement:
            case s.Param(name=name) if name.span == span:
                return code, f"a param{from_file}"
            case s.Let(name=name, parameters=parameters) if name.span == span:
                return code, f"a {'value' if parameters is None else 'function'}{from_file}"
            case s.Let():
                return code, f"a name within `{statement.name.id}`{from_file}"
            case s.Choose(name=name) if name.span == span:
                return code, "a family of choices"
            case s.Choose():
                return code, f"an index of `{statement.name.id}`"
            case s.Declare():
                return code, "a declared index"
        return code, "a name bound in this statement"
    return span.text, ""


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
