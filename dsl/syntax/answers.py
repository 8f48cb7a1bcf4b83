"""Statements about the answers: which is the best, which count as one, how they are shown, what is expected."""

from __future__ import annotations

from attrs import field

from covr.dsl.source import Span
from covr.dsl.syntax.expressions import Expr, Generator, Name
from covr.dsl.syntax.places import span_field
from covr.dsl.syntax.rules import Key
from covr.frozen import frozen


@frozen
class Goal:
    """`EXPR of f for … where …`; value is None for `count of f`. With generators, which only the last goal of a
    statement can have, each of their bindings adds to what a choice costs."""

    value: Expr | None
    family: Name
    where: Expr | None
    span: Span = span_field()
    generators: tuple[Generator, ...] = ()


@frozen
class Optimize:
    """A `minimize` or `maximize` statement. kind: which of the two.  then: whether it is a goal of its own, that
    chooses among the best answers for the goals before it."""

    kind: str
    goals: tuple[Goal, ...]
    then: bool = field(default=False, kw_only=True)
    span: Span = span_field()


@frozen
class SymmetryMap:
    """`put(p, s) -> put(mate(p), mirror(s))`: parameters are the names on the left."""

    family: Name
    parameters: tuple[Name, ...]
    image: Name
    args: tuple[Expr, ...]
    span: Span = span_field()


@frozen
class UpTo:
    """An `up to` statement. symmetries: calls such as `symmetries(area)`, and maps on choices."""

    symmetries: tuple[Expr | SymmetryMap, ...]
    span: Span = span_field()


@frozen
class AnswersBy:
    """`answers by f, g`: answers that agree in these families count as one."""

    families: tuple[Name, ...]
    span: Span = span_field()


@frozen
class Clue:
    """`clue board[keys] = … where … for … where … else …`: what the clue in a param would be, given an answer.

    param, keys: where the clue stands.  kind: `value` (an expression in which the name of a family is the set of its
    choices that are taken), `choice` (`value of family`), `count` (`count of family`) or `total` (`total value of
    family`); the last three have a family.  among: the condition after it, about its choices.
    generators, where: which clues there are.  other: what stands where a clue is left out; None: nothing does.
    """

    param: Name
    keys: tuple[Expr, ...]
    kind: str
    value: Expr | None
    family: Name | None
    among: Expr | None
    generators: tuple[Generator, ...]
    where: Expr | None
    other: Expr | None
    span: Span = span_field()


SHAPES = ("circle", "square", "diamond")
THROUGH = ("line", "arrow", "bulb")  # of a `print` through a list of places
PRINTED = ("dark", *SHAPES, *THROUGH)
SHOWN = ("outline", "plain", "dark", "line", "lines", *SHAPES)
REGIONS = "regions"  # of an `outline` of what an answer shows


@frozen
class Show:
    """`show values of f at keys for … where … else "…" as outline`. at: like the keys of a rule. style: one of those in
    `SHOWN`, or None; or `REGIONS`, of an `outline value of f at keys`: lines between places with unlike values."""

    values: tuple[Expr, ...]
    family: Name
    at: tuple[Expr | Key, ...]
    where: Expr | None
    other: str | None
    style: str | None
    span: Span = span_field()
    generators: tuple[Generator, ...] = ()


@frozen
class Print:
    """`print values at keys for … where … as …`: what stands on the board whatever the answer. at: one place, or two
    tuples, the places on the two sides of a border. style: one of those in `PRINTED`, or None; for those in `THROUGH`,
    `at` is a list of places."""

    values: tuple[Expr, ...]
    at: tuple[Expr, ...]
    generators: tuple[Generator, ...]
    where: Expr | None
    span: Span = span_field()
    style: str | None = None


@frozen
class Outline:
    """`outline value for …`: lines between places with unlike values. Places are what the generators bind, or, without
    any, what `cells` declares."""

    value: Expr
    generators: tuple[Generator, ...]
    span: Span = span_field()


@frozen
class Expect:
    """An `expect` statement. kind: `solutions` (with value), `unique`, `none`, `minimum` or `maximum` (with
    value)."""

    kind: str
    value: Expr | None
    settings: tuple[tuple[Name, Expr], ...]
    span: Span = span_field()
