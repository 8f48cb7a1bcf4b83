"""A model: the statements of one file, and what is left of them after checking."""

from __future__ import annotations

from typing import TypeAlias

from attrs import field

from covr.dsl.source import Source
from covr.dsl.syntax.answers import AnswersBy, Clue, Expect, Optimize, Outline, Print, Show, UpTo
from covr.dsl.syntax.definitions import Assert, Choose, Declare, Let, Param, Title, Use
from covr.dsl.syntax.expressions import Template
from covr.dsl.syntax.rules import Agree, Alike, Connected, Forbid, Given, Loop, Needs, Prefer, Rule
from covr.frozen import frozen

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
    | Prefer
    | Agree
    | Alike
    | Given
    | Forbid
    | Clue
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

    @property
    def has_goal(self) -> bool:
        """Whether answers have a value, by which the best are asked for: a wish alone makes it one."""
        return bool(self.all(Optimize, Prefer))

    def all(self, *kinds: type) -> tuple[Statement, ...]:
        """The statements of the given kinds, in source order."""
        return tuple(s for s in self.statements if isinstance(s, kinds))
