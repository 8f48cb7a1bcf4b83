"""What lowering makes: the problem, and all that is needed to name its items, options and side conditions."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate
from typing import Any, overload

from attrs import field

from covr.compiler.evaluate import Scope
from covr.compiler.evaluate.values import show_value
from covr.compiler.lower.default_names import head
from covr.compiler.lower.drafts import StatedItems
from covr.compiler.lower.families import Family
from covr.compiler.lower.groups import Group
from covr.compiler.lower.marks import GivenChoice
from covr.compiler.lower.rules import RuleItems
from covr.compiler.lower.stages import Stage
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.syntax import Agree, Alike, Connected, Forbid, Given, Loop, Needs, Prefer, Rule
from covr.engine import Problem
from covr.engine.sides import LateName
from covr.frozen import frozen


@frozen(eq=False)
class AgreeItems:
    """The items of one `agree` statement. keys: one for each item, in order of first use.

    Colours are numbered from 1, separately in each statement.
    """

    statement: Agree
    keys: tuple[Any, ...] = field(repr=False)

    def name(self, at: int, scope: Scope) -> str:
        """The name of item `at`, counted from 0: the statement's label and the item's key."""
        label = self.statement.label
        text = head(self.statement) if label is None else scope.template(label)({})
        return f"{text} on {show_value(self.keys[at])}"


ItemSource = RuleItems | AgreeItems | StatedItems


def statement_of(source: ItemSource) -> Rule | Agree | Alike | Needs | Connected | Loop:
    """The statement that makes the items."""
    return source.rule if isinstance(source, RuleItems) else source.statement


@frozen(eq=False)
class ItemOrigin:
    """Where an item or a side condition comes from: its statement, and which of the statement's items it is.

    added: what follows its name, where another statement would give the same (default_names.py).
    """

    source: ItemSource
    at: int
    added: str = ""

    @property
    def statement(self) -> Rule | Agree | Alike | Needs | Connected | Loop:
        """The statement that makes the item or side condition."""
        return statement_of(self.source)

    def name(self, scope: Scope) -> str:
        """What messages call the item or side condition."""
        return self.source.name(self.at, scope) + self.added


def late_name(source: ItemSource, at: int, added: str, scope: Scope) -> LateName:
    """The name of an `ItemOrigin` with these fields, written when it is asked for."""
    return LateName(partial(_name, source, at, added, scope))


def _name(source: ItemSource, at: int, added: str, scope: Scope) -> str:
    return source.name(at, scope) + added


class Origins(Sequence[ItemOrigin]):
    """Where the items or the sides of a matrix come from, each made only when it is asked for: hardly any ever is.

    runs: what items come from that stand side by side, and which of its items they are.  additions: see
    default_names.py.
    """

    def __init__(self, runs: Sequence[tuple[ItemSource, Sequence[int]]], additions: Mapping[int, str]) -> None:
        self._runs, self._additions = runs, additions
        self._starts = [0, *accumulate(len(places) for _, places in runs)]

    def __len__(self) -> int:
        return self._starts[-1]

    def __iter__(self) -> Iterator[ItemOrigin]:
        for source, places in self._runs:
            added = self._additions.get(id(statement_of(source)), "")
            for at in places:
                yield ItemOrigin(source, at, added)

    @overload
    def __getitem__(self, item: int) -> ItemOrigin: ...
    @overload
    def __getitem__(self, item: slice) -> Sequence[ItemOrigin]: ...
    def __getitem__(self, item: int | slice) -> ItemOrigin | Sequence[ItemOrigin]:
        if isinstance(item, slice):
            return [self[i] for i in range(len(self))[item]]
        number = range(len(self))[item]
        run = bisect_right(self._starts, number) - 1
        source, places = self._runs[run]
        added = self._additions.get(id(statement_of(source)), "")
        return ItemOrigin(source, places[number - self._starts[run]], added)


@frozen
class WishState:
    """One of covr's own choices. at: of which of the wish's items.  off: how far the wish is broken where it is taken:
    0 if it is kept, more if there is too much, less if there is too little, 1 for an `if … then`.  cost: of that."""

    at: int
    off: int
    cost: int


@frozen(eq=False)
class LoweredWish:
    """The states of one `prefer`. source: its items.  first: the number of its first choice.  states: in the order of
    the numbers of their choices."""

    statement: Prefer
    source: RuleItems | StatedItems
    first: int
    states: tuple[WishState, ...] = field(repr=False)

    @property
    def counts(self) -> bool:
        """Whether it is a rule that counts, and no `if … then`."""
        return isinstance(self.source, RuleItems)


@frozen(eq=False)
class Lowered:
    """A Problem, with everything that is needed to name its items and options.

    families: by name, in source order.
    option_choices: for each option, the number of its choice over all families.
    choice_options: for each choice, the number of its option, or -1 if it was removed.
    origins: for each item, where it comes from.
    dropped: the choices that became no options, each with the statement that removed it.
    givens: every given choice, in the order of the statements. goal: `minimize`, `maximize` or None.
    side_origins: for each side of the problem, where it comes from. remarks: warnings that came up during lowering.
    wishes: what `prefer` statements became.  stages: the goals, if there are several in order, else nothing.
    """

    problem: Problem
    families: Mapping[str, Family]
    declared: Mapping[str, Group] = field(repr=False)
    option_choices: tuple[int, ...] = field(repr=False)
    choice_options: tuple[int, ...] = field(repr=False)
    origins: Sequence[ItemOrigin] = field(repr=False)
    dropped: Mapping[int, Forbid | Agree | Given] = field(repr=False)
    givens: tuple[GivenChoice, ...]
    goal: str | None
    side_origins: Sequence[ItemOrigin] = field(default=(), repr=False)
    remarks: tuple[Diagnostic, ...] = field(default=(), repr=False)
    wishes: tuple[LoweredWish, ...] = field(default=(), repr=False)
    stages: tuple[Stage, ...] = ()

    @property
    def own(self) -> int:
        """The number of the first choice of covr's own, which tell how far wishes are broken."""
        return sum(len(family.choices) for family in self.families.values())
