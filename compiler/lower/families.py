"""Families of choices: `choose place(r, c, d)` and every choice in it, in documented order.

Documented order: the index sets nested as their names appear in `choose` (the first slowest), each set in its own
order, then the statement's own `for`, left to right. A choice that comes up twice keeps its first place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from attrs import field

from covr.compiler.evaluate import EvalFault, Scope
from covr.compiler.evaluate.limits import FEW_HASHES
from covr.compiler.evaluate.rewrite import conjuncts
from covr.compiler.evaluate.values import Record, show_exactly, show_value
from covr.compiler.evaluate.values.unambiguous import Show, clear_form
from covr.compiler.lower.choices import Args, Choices, choices_of
from covr.compiler.lower.groups import Group, closure, groups_of
from covr.compiler.lower.meant_choices import MeantChoices
from covr.compiler.lower.walk import Walk
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.syntax import Choose
from covr.frozen import frozen


@frozen(eq=False, slots=False)
class Family:
    """A family with all its choices. Choices are numbered from 0 over all families, in documented order.

    choices: the arguments of every choice, in order; numbers: the position of each in `choices`.
    index_groups: the group behind each index name; the statement's own `for` takes precedence over `cells` and
    `values`.
    walked: the groups that a walk over the declared choices binds, in order.
    first: the number of this family's first choice.
    """

    name: str
    statement: Choose = field(repr=False)
    indices: tuple[str, ...]
    index_groups: Mapping[str, Group] = field(repr=False)
    walked: tuple[Group, ...] = field(repr=False)
    first: int
    choices: tuple[Args, ...] = field(repr=False)
    numbers: Mapping[Args, int] = field(repr=False)

    def environments(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Every choice's number over all families, with its indices as local names."""
        for at, args in enumerate(self.choices, self.first):
            yield at, dict(zip(self.indices, args, strict=True))

    @cached_property
    def positions(self) -> dict[Args, int]:
        """The number, over all families, of the choice with these arguments."""
        return dict(zip(self.choices, range(self.first, self.first + len(self.choices)), strict=True))

    @cached_property
    def projections(self) -> dict[tuple[str, ...], tuple[Sequence[Any], Sequence[int] | None]]:
        """What `IndexValues` found for some indices, for all statements."""
        return {}

    @cached_property
    def forms(self) -> tuple[Show, ...]:
        """How the value of each index is written in names, so that choices have different names: shortly where that is
        enough, records whole where not, and exactly where even that is not. Empty where all are written shortly.

        Time linear in the number of choices, once; and only kinds of values that may look alike are written for it.
        """
        shows = [clear_form({choice[at] for choice in self.choices}) for at in range(len(self.indices))]
        if len(shows) > 1 and self._commas(shows):
            names = {choice_name(self.name, choice, shows) for choice in self.choices}
            if len(names) < len(self.choices):
                return (show_exactly,) * len(shows)
        return () if all(show is show_value for show in shows) else tuple(shows)

    def _commas(self, shows: Sequence[Show]) -> bool:
        """Whether a value may look like two."""
        return any(
            isinstance(value, str | Record) and "," in show(value)
            for at, show in enumerate(shows)
            for value in {choice[at] for choice in self.choices}
        )

    def name_of(self, args: Args) -> str:
        """The name of a choice, which no other of this family has. args: of a choice, or of what is none."""
        return choice_name(self.name, args, self.forms)

    def number(self, args: Args) -> int | None:
        """The number, over all families, of the choice with these arguments; None if there is no such choice."""
        at = self.numbers.get(args)
        return None if at is None else self.first + at

    def meant(self, args: Args) -> list[Args]:
        """The choices that these arguments, which are those of no choice, may mean: records as names print them."""
        return self._meant.of(args)

    @cached_property
    def _meant(self) -> MeantChoices:
        return MeantChoices(self.choices, self.numbers)


@frozen
class OwnChoices:
    """Choices of covr's own, which tell how far wishes are broken (wishes.py). They come after those of families."""

    name: str
    first: int
    choices: range


def choice_name(family: str, args: Args, forms: Sequence[Show] = ()) -> str:
    """`place(1, 2, 3)`; a choice without indices is its bare name. forms: how the value of each index is written, where
    that is not `show_value`."""
    if not forms:
        return f"{family}({', '.join(show_value(a) for a in args)})" if args else family
    return f"{family}({', '.join(show(a) for show, a in zip(forms, args, strict=True))})"


def of_choice(family: Family, number: int) -> str:
    """A note that names the choice of that number."""
    return f"for the choice {family.name_of(family.choices[number - family.first])}"


def enumerate_family(statement: Choose, declared: Mapping[str, Group], scope: Scope, first: int) -> Family:
    """Every choice that a `choose` statement declares. first: the number of the first one.

    Cost: linear in the number of bindings that the `where` leaves. Raises EvalFault, also if there are too many.
    """
    own = groups_of(statement.generators)
    names = dict(declared)
    for g in own:
        names.update(dict.fromkeys(g.names, g))
    indices = tuple(n.id for n in statement.indices)
    wanted = [names[i] for i in indices if names[i] not in own]
    walked = closure([*wanted, *own], names)
    limit = scope.budget.limits.options - first
    found = choices_of(scope, walked, conjuncts(statement.where), indices, limit)
    if found is None:
        found = _one_by_one(statement, scope, walked, indices, limit)
    else:
        scope.budget.apart(found.args)
    kept = {i: names[i] for i in indices}
    for g in walked:
        for name in g.names:
            kept.setdefault(name, g)
    return Family(statement.name.id, statement, indices, kept, tuple(walked), first, found.args, found.numbers)


def _one_by_one(
    statement: Choose, scope: Scope, groups: Sequence[Group], indices: tuple[str, ...], limit: int
) -> Choices:
    """The choices as a walk finds them. limit: how many there may be."""
    numbers: dict[Args, int] = {}
    next_look = FEW_HASHES  # how many there are when it is next asked what it costs to tell them apart
    for env in Walk(scope, groups, conjuncts(statement.where), frozenset())({}):
        args = tuple([env[i] for i in indices])
        if args not in numbers:
            numbers[args] = len(numbers)
            if len(numbers) == next_look:
                scope.budget.apart(tuple(numbers), doubled=True)
                next_look *= 2
            if len(numbers) > limit:
                raise EvalFault(
                    Diagnostic(
                        "E420",
                        f"`{statement.name.id}` has more than {scope.budget.limits.options:,} choices",
                        statement.span,
                        help="narrow the sets of its indices, or add a `where`",
                    )
                )
    return Choices(tuple(numbers), numbers)
