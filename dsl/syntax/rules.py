"""Statements that say which choices go together: rules, conditions on choices, givens and what is forbidden."""

from __future__ import annotations

from attrs import field

from covr.dsl.source import Span
from covr.dsl.syntax.expressions import Expr, Generator, Name, Pattern, Template
from covr.dsl.syntax.places import span_field
from covr.frozen import frozen


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
    span: Span = span_field()


@frozen
class Key:
    """`x in SET` or `(i, j) in SET` after `per`, which binds names for this rule alone."""

    pattern: Pattern
    over: Expr
    span: Span = span_field()


@frozen
class NamedChoice:
    """`f(a, b)` where a choice stands: in `if … then`."""

    family: Name
    args: tuple[Expr, ...]
    span: Span = span_field()


@frozen
class Taken:
    """`f(a, b)` or `not f(a, b)` before `then`: that a choice is taken, or that it is not."""

    choice: NamedChoice
    negated: bool
    span: Span = span_field()


@frozen
class Then:
    """A part of what stands after `then`: `[not|all|some|no] g(args) or h(args) …`, or a count of such choices,
    `exactly|at least|at most QUANTITY [total WEIGHT of] g(args) or …`.

    kind: its first word or words, or empty. quantity: as of a `Rule`; None if it is no count. weights: beside
    `choices`, what each of them counts for; empty where each counts for 1.
    """

    kind: str
    quantity: Expr | None
    choices: tuple[NamedChoice, ...]
    weights: tuple[Expr, ...] = field(default=(), kw_only=True)
    span: Span = span_field()

    @property
    def forbids(self) -> bool:
        """Whether none of the choices is to be taken."""
        return self.kind in ("not", "no")

    @property
    def bare(self) -> bool:
        """Whether it is one choice, without a word that says how many of those that it stands for are meant."""
        return not self.kind and len(self.choices) == 1


@frozen
class Needs:
    """`if f(args) and not g(args) or … then PART and PART … for generators where … "label"`, or the same with `if and
    only if`.

    when: what stands before `then`: one of these, and of it every part. then: the parts after it, all of which hold.
    both: whether it says `if and only if`.
    """

    when: tuple[tuple[Taken, ...], ...]
    then: tuple[Then, ...]
    generators: tuple[Generator, ...]
    where: Expr | None
    label: Template | None
    both: bool = field(default=False, kw_only=True)
    span: Span = span_field()

    @property
    def before(self) -> tuple[NamedChoice, ...]:
        """The choices before `then`, in source order."""
        return tuple([part.choice for together in self.when for part in together])

    @property
    def after(self) -> tuple[NamedChoice, ...]:
        """The choices after `then`, in source order."""
        return tuple([choice for part in self.then for choice in part.choices])


@frozen
class Connected:
    """`connected f or g at places along pairs per keys where … "label"`. places, keys: like the keys of a rule."""

    families: tuple[Name, ...]
    at: tuple[Expr | Key, ...]
    along: Expr | None
    keys: tuple[Expr | Key, ...]
    where: Expr | None
    label: Template | None
    span: Span = span_field()


@frozen
class Loop:
    """`loop f along ends per keys where … "label"`. ends: for each choice, the two ends it joins."""

    family: Name
    ends: Expr
    keys: tuple[Expr | Key, ...]
    where: Expr | None
    label: Template | None
    span: Span = span_field()


@frozen
class Prefer:
    """`prefer RULE cost PRICE "label"`: a rule that may be broken, at a price for each unit. The rule has the label.

    The names in the price have the values that they have in the rule's label.
    """

    rule: Rule | Needs
    price: Expr
    span: Span = span_field()

    @property
    def label(self) -> Template | None:
        """The label of its rule."""
        return self.rule.label


@frozen
class AgreePart:
    """`f on key = colour, …`: what the choices of a family show, as a part of an `agree`."""

    family: Name
    pairs: tuple[tuple[Expr, Expr], ...]
    span: Span = span_field()


@frozen
class Agree:
    """`agree f on key = colour, …, g on … for generators where … "label"`. A family may be named several times."""

    shown: tuple[AgreePart, ...]
    generators: tuple[Generator, ...]
    where: Expr | None
    label: Template | None
    span: Span = span_field()


@frozen
class Alike:
    """`all different|all alike THINGS of f on SEEN per keys where … "label"`: which things show the same, or not.

    different: whether it says that. things, keys: like the keys of a rule. seen: what of the choices is compared; None
    for all indices of the family that are neither things nor keys.
    """

    different: bool
    things: tuple[Expr | Key, ...]
    family: Name
    seen: tuple[Expr, ...] | None
    keys: tuple[Expr | Key, ...]
    where: Expr | None
    label: Template | None
    span: Span = span_field()


@frozen
class Given:
    """`given f(args) for … where …`: choices that are in every answer."""

    family: Name
    args: tuple[Expr, ...]
    generators: tuple[Generator, ...]
    where: Expr | None
    label: Template | None
    span: Span = span_field()


@frozen
class Forbid:
    """`forbid f(args) for … where …`. args: None for `forbid f where …`, which may use the family's own indices."""

    family: Name
    args: tuple[Expr, ...] | None
    generators: tuple[Generator, ...]
    where: Expr | None
    span: Span = span_field()
