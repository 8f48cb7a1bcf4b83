"""The syntax tree: what a model says, as frozen values, each with the span it was read from.

Spans are ignored when trees are compared: two trees are equal if they say the same. `parse` returns such a tree
unchecked; `CheckedModel` holds one that is checked, with libraries merged in.

Reading order: expressions, generators, statements, the model.
"""

# ruff: noqa: RUF009 - `_span()` makes a new field for every class, which attrs needs

from __future__ import annotations

from typing import TypeAlias

from attrs import field, frozen

from covr.dsl.source import Source, Span


def _span() -> Span:
    return field(eq=False, repr=False)  # type: ignore[no-any-return]


# --- expressions -------------------------------------------------------------------------------------------


@frozen
class Number:
    """A whole number, as written."""

    value: int
    span: Span = _span()


@frozen
class Text:
    """A text without holes."""

    value: str
    span: Span = _span()


@frozen
class TruthLiteral:
    """`true` or `false`."""

    value: bool
    span: Span = _span()


@frozen
class Name:
    """A name, in any position."""

    id: str
    span: Span = _span()


@frozen
class Call:
    """`f(a, b)`; the sides of a map after `up to` are calls as well, until they are recognised as choices."""

    function: Name
    args: tuple[Expr, ...]
    span: Span = _span()


@frozen
class Index:
    """`m[a]` or `m[a, b]`; several indices are looked up as one tuple."""

    of: Expr
    args: tuple[Expr, ...]
    span: Span = _span()


@frozen
class Field:
    """`e.name`, a field of a record."""

    of: Expr
    name: str
    span: Span = _span()


@frozen
class Unary:
    """An operator before its operand. op: `-` or `not`."""

    op: str
    of: Expr
    span: Span = _span()


@frozen
class Binary:
    """An operator between two operands. op: `+ - * div mod ^ | &`, or `and`, `or`."""

    op: str
    left: Expr
    right: Expr
    span: Span = _span()


@frozen
class Compare:
    """A chain `first op1 e1 op2 e2 …`: true when every neighbouring pair is. ops: `= != < <= > >= in`, `not in`."""

    first: Expr
    rest: tuple[tuple[str, Expr], ...]
    span: Span = _span()


@frozen
class IfElse:
    """`if test then … else …`."""

    test: Expr
    then: Expr
    other: Expr
    span: Span = _span()


@frozen
class TupleOf:
    """`(a, b)`; `()` is empty; a tuple of one is `(a,)`."""

    items: tuple[Expr, ...]
    span: Span = _span()


@frozen
class ListOf:
    """A list written out."""

    items: tuple[Expr, ...]
    span: Span = _span()


@frozen
class SetOf:
    """A set written out."""

    items: tuple[Expr, ...]
    span: Span = _span()


@frozen
class Comprehension:
    """`{x for … where …}` (kind `set`) or `[x for … where …]` (kind `list`)."""

    kind: str
    item: Expr
    generators: tuple[Generator, ...]
    where: Expr | None
    span: Span = _span()


@frozen
class Range:
    """`low..high`, both ends included; empty when high < low."""

    low: Expr
    high: Expr
    span: Span = _span()


@frozen
class ReaderBlock:
    '''`grid(9, 9) """…"""`: a reader (`name`), its arguments and its block of text.

    `block` is the dedented text; `block_start` gives, for each of its lines, the offset in the source where that
    line begins, so that a fault in the data is shown at its place. A reader of a file has no block:
    `grid(9, 9, file("x"))` is an ordinary Call.
    '''

    name: Name
    args: tuple[Expr, ...]
    block: str
    block_start: tuple[int, ...] = field(eq=False, repr=False)
    span: Span = _span()


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
    | Comprehension
    | Range
    | ReaderBlock
)


@frozen
class Template:
    """A label: text with `{holes}`. parts: texts and expressions, in the order written; `{{` and `}}` are braces."""

    parts: tuple[str | Expr, ...]
    span: Span = _span()


# --- generators --------------------------------------------------------------------------------------------

Pattern: TypeAlias = "Name | TuplePattern"


@frozen
class TuplePattern:
    """`(r, c)` on the left of `in`; patterns nest."""

    items: tuple[Pattern, ...]
    span: Span = _span()


@frozen
class Generator:
    """`a, b in SET`: each pattern runs over SET by itself; `(r, c) in SET` is one pattern bound together."""

    patterns: tuple[Pattern, ...]
    over: Expr
    span: Span = _span()


# --- statements --------------------------------------------------------------------------------------------


@frozen
class Title:
    """The statement that gives the model its title."""

    text: Template
    span: Span = _span()


@frozen
class Use:
    """`use "path"`: the definitions of a library."""

    path: str
    span: Span = _span()


@frozen
class Param:
    """A param with its default value, and the condition that its value must satisfy."""

    name: Name
    value: Expr
    where: Expr | None
    span: Span = _span()


@frozen
class Let:
    """`let name = …`. parameters: None for a constant, a tuple (maybe empty) for a function."""

    name: Name
    parameters: tuple[Name, ...] | None
    value: Expr
    span: Span = _span()


@frozen
class Assert:
    """A condition that must hold, and the text of the error if it does not."""

    test: Expr
    text: Template | None
    span: Span = _span()


@frozen
class Declare:
    """`cells …` (kind `cells`) or `values …` (kind `values`)."""

    kind: str
    generators: tuple[Generator, ...]
    span: Span = _span()


@frozen
class Choose:
    """`choose name(indices) for generators where …`; generators holds only the statement's own `for`."""

    name: Name
    indices: tuple[Name, ...]
    generators: tuple[Generator, ...]
    where: Expr | None
    span: Span = _span()


@frozen
class Rule:
    """`exactly|at least|at most QUANTITY [total WEIGHT of] f or [WEIGHT of] g per keys where … "label"`.

    kind: `exactly`, `at least` or `at most`. quantity: a whole number, a Range, or after `exactly` a set of numbers.
    keys: as written; `x in SET` and `(i, j) in SET` are Key values, anything else an expression.
    weights: beside `families`, what a choice of each counts for; empty where each choice counts for 1.
    """

    kind: str
    quantity: Expr
    families: tuple[Name, ...]
    keys: tuple[Expr | Key, ...]
    where: Expr | None
    label: Template | None
    weights: tuple[Expr, ...] = field(default=(), kw_only=True)
    span: Span = _span()


@frozen
class NamedChoice:
    """`f(a, b)` where a choice stands: in `if … then`."""

    family: Name
    args: tuple[Expr, ...]
    span: Span = _span()


@frozen
class Needs:
    """`if f(args) then [not] g(args) or h(args) … for generators where … "label"`.

    forbids: whether `not` stands there.
    """

    choice: NamedChoice
    forbids: bool
    then: tuple[NamedChoice, ...]
    generators: tuple[Generator, ...]
    where: Expr | None
    label: Template | None
    span: Span = _span()


@frozen
class Connected:
    """`connected f or g at places along pairs per keys where … "label"`. places, keys: like the keys of a rule."""

    families: tuple[Name, ...]
    at: tuple[Expr | Key, ...]
    along: Expr | None
    keys: tuple[Expr | Key, ...]
    where: Expr | None
    label: Template | None
    span: Span = _span()


@frozen
class Loop:
    """`loop f along ends per keys where … "label"`. ends: for each choice, the two ends it joins."""

    family: Name
    ends: Expr
    keys: tuple[Expr | Key, ...]
    where: Expr | None
    label: Template | None
    span: Span = _span()


@frozen
class Key:
    """`x in SET` or `(i, j) in SET` after `per`, which binds names for this rule alone."""

    pattern: Pattern
    over: Expr
    span: Span = _span()


@frozen
class AgreePart:
    """`f on key = colour, …`: what the choices of a family show, as a part of an `agree`."""

    family: Name
    pairs: tuple[tuple[Expr, Expr], ...]
    span: Span = _span()


@frozen
class Agree:
    """`agree f on key = colour, …, g on … for generators where … "label"`. A family may be named several times."""

    shown: tuple[AgreePart, ...]
    generators: tuple[Generator, ...]
    where: Expr | None
    label: Template | None
    span: Span = _span()


@frozen
class Given:
    """`given f(args) for … where …`: choices that are in every answer."""

    family: Name
    args: tuple[Expr, ...]
    generators: tuple[Generator, ...]
    where: Expr | None
    label: Template | None
    span: Span = _span()


@frozen
class Forbid:
    """`forbid f(args) for … where …`. args: None for `forbid f where …`, which may use the family's own indices."""

    family: Name
    args: tuple[Expr, ...] | None
    generators: tuple[Generator, ...]
    where: Expr | None
    span: Span = _span()


@frozen
class Goal:
    """`EXPR of f where …`; value is None for `count of f`."""

    value: Expr | None
    family: Name
    where: Expr | None
    span: Span = _span()


@frozen
class Optimize:
    """A `minimize` or `maximize` statement. kind: which of the two."""

    kind: str
    goals: tuple[Goal, ...]
    span: Span = _span()


@frozen
class SymmetryMap:
    """`put(p, s) -> put(mate(p), mirror(s))`: parameters are the names on the left."""

    family: Name
    parameters: tuple[Name, ...]
    image: Name
    args: tuple[Expr, ...]
    span: Span = _span()


@frozen
class UpTo:
    """An `up to` statement. symmetries: calls such as `symmetries(area)`, and maps on choices."""

    symmetries: tuple[Expr | SymmetryMap, ...]
    span: Span = _span()


@frozen
class AnswersBy:
    """`answers by f, g`: answers that agree in these families count as one."""

    families: tuple[Name, ...]
    span: Span = _span()


@frozen
class Show:
    """`show values of f at keys for … where … else "…" as outline`. at: like the keys of a rule. style: `outline`,
    `plain`, `dark`, `line` or None."""

    values: tuple[Expr, ...]
    family: Name
    at: tuple[Expr | Key, ...]
    where: Expr | None
    other: str | None
    style: str | None
    span: Span = _span()
    generators: tuple[Generator, ...] = ()


@frozen
class Print:
    """`print values at keys for … where …`: what stands on the board whatever the answer. at: one place, or two tuples,
    the places on the two sides of a border."""

    values: tuple[Expr, ...]
    at: tuple[Expr, ...]
    generators: tuple[Generator, ...]
    where: Expr | None
    span: Span = _span()


@frozen
class Outline:
    """`outline value for …`: lines between places with unlike values. Places are what the generators bind, or, without
    any, what `cells` declares."""

    value: Expr
    generators: tuple[Generator, ...]
    span: Span = _span()


@frozen
class Expect:
    """An `expect` statement. kind: `solutions` (with value), `unique`, `none`, `minimum` or `maximum` (with
    value)."""

    kind: str
    value: Expr | None
    settings: tuple[tuple[Name, Expr], ...]
    span: Span = _span()


Statement: TypeAlias = (
    Title
    | Use
    | Param
    | Let
    | Assert
    | Declare
    | Choose
    | Rule
    | Needs
    | Connected
    | Loop
    | Agree
    | Given
    | Forbid
    | Optimize
    | UpTo
    | AnswersBy
    | Show
    | Print
    | Outline
    | Expect
)


@frozen
class Module:
    """One file as parsed: no names are looked up, and no libraries are merged."""

    source: Source
    statements: tuple[Statement, ...]


@frozen
class CheckedModel:
    """A checked model: names are bound, libraries merged in.

    definitions: every Param and Let in an order in which each may be evaluated, libraries first.
    statements: the other statements of the model itself, in source order (no Title, Use, Param, Let).
    """

    source: Source
    title: Template | None
    definitions: tuple[Param | Let, ...]
    statements: tuple[Statement, ...]
    libraries: tuple[Source, ...] = field(default=(), eq=False)

    def all(self, *kinds: type) -> tuple[Statement, ...]:
        """The statements of the given kinds, in source order."""
        return tuple(s for s in self.statements if isinstance(s, kinds))
