"""Expressions, templates, and the generators and patterns that bind names in them."""

from __future__ import annotations

from typing import TypeAlias

from attrs import field

from covr.dsl.source import Span
from covr.dsl.syntax.places import Remembering, span_field
from covr.frozen import frozen


@frozen
class Number(Remembering):
    """A whole number, as written."""

    value: int
    span: Span = span_field()


@frozen
class Text(Remembering):
    """A text without holes."""

    value: str
    span: Span = span_field()


@frozen
class TruthLiteral(Remembering):
    """`true` or `false`."""

    value: bool
    span: Span = span_field()


@frozen
class Name(Remembering):
    """A name, in any position."""

    id: str
    span: Span = span_field()


@frozen
class Call(Remembering):
    """`f(a, b)`; the sides of a map after `up to` are calls as well, until they are recognised as choices."""

    function: Name
    args: tuple[Expr, ...]
    span: Span = span_field()


@frozen
class Index(Remembering):
    """`m[a]` or `m[a, b]`; several indices are looked up as one tuple."""

    of: Expr
    args: tuple[Expr, ...]
    span: Span = span_field()


@frozen
class Field(Remembering):
    """`e.name`, a field of a record."""

    of: Expr
    name: str
    span: Span = span_field()


@frozen
class Unary(Remembering):
    """An operator before its operand. op: `-` or `not`."""

    op: str
    of: Expr
    span: Span = span_field()


@frozen
class Binary(Remembering):
    """An operator between two operands. op: `+ - * div mod ^ | &`, or `and`, `or`."""

    op: str
    left: Expr
    right: Expr
    span: Span = span_field()


@frozen
class Compare(Remembering):
    """A chain `first op1 e1 op2 e2 …`: true when every neighbouring pair is. ops: `= != < <= > >= in`, `not in`."""

    first: Expr
    rest: tuple[tuple[str, Expr], ...]
    span: Span = span_field()


@frozen
class IfElse(Remembering):
    """`if test then … else …`."""

    test: Expr
    then: Expr
    other: Expr
    span: Span = span_field()


@frozen
class TupleOf(Remembering):
    """`(a, b)`; `()` is empty; a tuple of one is `(a,)`."""

    items: tuple[Expr, ...]
    span: Span = span_field()


@frozen
class ListOf(Remembering):
    """A list written out."""

    items: tuple[Expr, ...]
    span: Span = span_field()


@frozen
class SetOf(Remembering):
    """A set written out."""

    items: tuple[Expr, ...]
    span: Span = span_field()


@frozen
class MapOf(Remembering):
    """A map written out, `{key: value, …}`. items: its entries, each a pair of a key and a value."""

    items: tuple[TupleOf, ...]
    span: Span = span_field()


@frozen
class Comprehension(Remembering):
    """`{x for … where …}` (kind `set`), `[x for … where …]` (kind `list`), or `{k: x for … where …}` (kind `map`,
    whose item is a pair of a key and a value)."""

    kind: str
    item: Expr
    generators: tuple[Generator, ...]
    where: Expr | None
    span: Span = span_field()


@frozen
class Range(Remembering):
    """`low..high`, both ends included; empty when high < low."""

    low: Expr
    high: Expr
    span: Span = span_field()


@frozen
class ReaderBlock(Remembering):
    '''`grid(9, 9) """…"""`: a reader (`name`), its arguments and its block of text.

    `block` is the dedented text; `block_start` gives, for each of its lines, the offset in the source where that
    line begins, so that a fault in the data is shown at its place. A reader of a file has no block:
    `grid(9, 9, file("x"))` is an ordinary Call.
    '''

    name: Name
    args: tuple[Expr, ...]
    block: str
    block_start: tuple[int, ...] = field(eq=False, repr=False)
    span: Span = span_field()


Expr: TypeAlias = (
    Number
    | Text
    | TruthLiteral
    | Name
    | Call
    | Index
    | Field
    | Unary
    | Binary
    | Compare
    | IfElse
    | TupleOf
    | ListOf
    | SetOf
    | MapOf
    | Comprehension
    | Range
    | ReaderBlock
)


@frozen
class Template:
    """A label: text with `{holes}`. parts: texts and expressions, in the order written; `{{` and `}}` are braces."""

    parts: tuple[str | Expr, ...]
    span: Span = span_field()


Pattern: TypeAlias = "Name | TuplePattern"


@frozen
class TuplePattern:
    """`(r, c)` on the left of `in`; patterns nest."""

    items: tuple[Pattern, ...]
    span: Span = span_field()


@frozen
class Generator:
    """`a, b in SET`: each pattern runs over SET by itself; `(r, c) in SET` is one pattern bound together."""

    patterns: tuple[Pattern, ...]
    over: Expr
    span: Span = span_field()
