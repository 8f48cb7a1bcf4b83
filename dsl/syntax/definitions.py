"""Statements that say what a model is made of: its title, libraries, params, definitions and choices."""

from __future__ import annotations

from covr.dsl.source import Span
from covr.dsl.syntax.expressions import Expr, Generator, Name, Template
from covr.dsl.syntax.places import span_field
from covr.frozen import frozen


@frozen
class Title:
    """The statement that gives the model its title."""

    text: Template
    span: Span = span_field()


@frozen
class Use:
    """`use "path"`: the definitions of a library."""

    path: str
    span: Span = span_field()


@frozen
class Param:
    """A param with its default value, and the condition that its value must satisfy."""

    name: Name
    value: Expr
    where: Expr | None
    span: Span = span_field()


@frozen
class Let:
    """`let name = …`. parameters: None for a constant, a tuple (maybe empty) for a function."""

    name: Name
    parameters: tuple[Name, ...] | None
    value: Expr
    span: Span = span_field()


@frozen
class Assert:
    """A condition that must hold, and the text of the error if it does not."""

    test: Expr
    text: Template | None
    span: Span = span_field()


@frozen
class Declare:
    """`cells …` (kind `cells`) or `values …` (kind `values`)."""

    kind: str
    generators: tuple[Generator, ...]
    span: Span = span_field()


@frozen
class Choose:
    """`choose name(indices) for generators where …`; generators holds only the statement's own `for`."""

    name: Name
    indices: tuple[Name, ...]
    generators: tuple[Generator, ...]
    where: Expr | None
    span: Span = span_field()
