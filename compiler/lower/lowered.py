"""What lowering makes: the problem, and all that is needed to name its items and options."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate
from typing import Any, overload

from attrs import field

from covr.compiler.evaluate import Scope
from covr.compiler.evaluate.values import show_value
from covr.compiler.lower.families import Family
from covr.compiler.lower.groups import Group
from covr.compiler.lower.keys import head
from covr.compiler.lower.marks import GivenChoice
from covr.compiler.lower.rules import RuleItems, Wanted, within_reach
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.syntax import Agree, Alike, AreaRule, Connected, Divide, Forbid, Given, Loop, Needs, Prefer, Rule
from covr.engine import Problem
from covr.engine import problem as engine
from covr.engine.problem import AreaDemand, Circuit, Connection, Forest, LateName, Side, Total
from covr.frozen import frozen

# --- drafts ----------------------------------------------------------------------------------------------------------
# Drafts of side conditions: they refer to choices by number, until it is known which choices become options.


@frozen(eq=False)
class StatedItems:
    """The items and side conditions of one `if … then`, `all different`, `all alike`, `connected`, `loop`, `divide` or
    rule about areas.

    names: what messages call each of them."""

    statement: Needs | Alike | AreaRule | Divide | Connected | Loop
    names: Sequence[str | LateName] = field(repr=False)

    def name(self, at: int, scope: Scope) -> str:
        """The name of the item or condition number `at`."""
        return str(self.names[at])


@frozen(eq=False)
class TotalDraft:
    """A `Total` in the making. source, at: the statement, and which of its items or conditions this is.  terms: for
    each choice its coefficient, which may be 0.  want: the ranges in which the sum may lie."""

    source: RuleItems | StatedItems
    at: int
    terms: Mapping[int, int] = field(repr=False)
    want: Wanted

    def side(self, options: Sequence[int] | None, name: str | LateName) -> Side:
        """The side condition. options: for each choice the number of its option, or -1 if it is none; None if these
        numbers are the same.  name: what messages call the condition."""
        terms = self.terms
        if options is not None:
            terms = {options[c]: w for c, w in terms.items() if w and options[c] >= 0}
        elif 0 in terms.values():
            terms = {c: w for c, w in terms.items() if w}
        return Total(tuple(sorted(terms.items())), within_reach(terms, self.want), name)


@frozen(eq=False)
class ConnectionDraft:
    """A `Connection` or a `Forest` in the making. source, at: as in `TotalDraft`.  places: (choice, vertex).  edges: as
    in `Connection`.  kind: which of the two."""

    source: StatedItems
    at: int
    places: Sequence[tuple[int, int]] = field(repr=False)
    edges: Sequence[tuple[int, int]] = field(repr=False)
    kind: type[Connection] | type[Forest] = Connection

    def side(self, options: Sequence[int] | None, name: str | LateName) -> Side:
        """As `TotalDraft.side`."""
        places = self.places
        if options is not None:
            places = [(options[c], v) for c, v in places if options[c] >= 0]
        return self.kind(tuple(sorted(places)), tuple(self.edges), name)


@frozen(eq=False)
class CircuitDraft:
    """A `Circuit` in the making. source, at: as in `TotalDraft`.  ends: (choice, vertex, vertex)."""

    source: StatedItems
    at: int
    ends: Sequence[tuple[int, int, int]] = field(repr=False)

    def side(self, options: Sequence[int] | None, name: str | LateName) -> Side:
        """As `TotalDraft.side`."""
        ends = self.ends
        if options is not None:
            ends = [(options[c], u, v) for c, u, v in ends if options[c] >= 0]
        return Circuit(tuple(sorted(ends)), name)


@frozen(eq=False)
class AreasDraft:
    """An `Areas` in the making. source, at: as in `TotalDraft`.  places, edges: as in `ConnectionDraft`.  always, cuts:
    as in `Areas`.  terms: (choice, vertex, weight).  want: as in `TotalDraft`; None if nothing is asked of the areas.
    anchors, waived: as in `AreaDemand`."""

    source: StatedItems
    at: int
    places: Sequence[tuple[int, int]] = field(repr=False)
    edges: Sequence[tuple[int, int]] = field(repr=False)
    always: Sequence[int] = field(default=(), repr=False)
    cuts: Sequence[tuple[int, int, int]] = field(default=(), repr=False)
    terms: Sequence[tuple[int, int, int]] = field(default=(), repr=False)
    want: Wanted | None = None
    anchors: tuple[int, ...] | None = None
    waived: bool = False

    def side(self, options: Sequence[int] | None, name: str | LateName) -> Side:
        """As `TotalDraft.side`."""
        demands: tuple[AreaDemand, ...] = ()
        if self.want is not None:
            counts = dict(enumerate([weight for _, _, weight in self.terms]))
            sums = within_reach(counts, self.want)
            demands = (AreaDemand(tuple(sorted(self.terms)), sums, self.anchors, self.waived),)
        every = engine.Areas(
            tuple(sorted(self.places)), tuple(self.edges), demands, tuple(self.always), tuple(self.cuts), name
        )
        return every if options is None else every.with_options({c: o for c, o in enumerate(options) if o >= 0})


SideDraft = TotalDraft | ConnectionDraft | CircuitDraft | AreasDraft


# --- stages ----------------------------------------------------------------------------------------------------------
# Goals in order: `minimize …`, then `then maximize …`.
#
# The costs of all goals become one, by the weighted sum of lexicographic optimisation: each goal is worth more than all
# that the goals after it can differ by. So the engine does with these costs what it does with any.


@frozen
class Stage:
    """One of several goals in order. kind: `minimize`, `maximize`, or `near`, the number of changes from an earlier
    answer (matrix_model.py).  weight: what 1 of it is worth in the costs of the
    problem.  least, most: between which its costs lie whatever is taken, with the sign changed for `maximize`.
    offset: what is added to the cost of `near`."""

    kind: str
    weight: int
    least: int
    most: int
    offset: int = 0

    def value(self, cost: int) -> int:
        """A cost as a value of the goal: `maximize` counts the other way."""
        return -cost if self.kind == "maximize" else cost + self.offset


@frozen
class StageValue:
    """How far one goal is known. value: of the best answer.  bound: that no answer can beat, where one is known; the
    value itself if that is proved."""

    kind: str
    value: int
    bound: int | None

    @property
    def is_reached(self) -> bool:
        """Whether the value is proved the best."""
        return self.bound == self.value


def current(values: Sequence[StageValue]) -> int:
    """The number of the goal, from 1, that a search is at: the first of which the value is not proved, or the last."""
    return next((number for number, one in enumerate(values, 1) if not one.is_reached), len(values))


def stages_of(kinds: Sequence[str], costs: Sequence[Sequence[int]]) -> tuple[Stage, ...]:
    """The stages of goals. costs: for each goal what each choice costs; less is better."""
    stages: list[Stage] = []
    weight = 1
    for kind, own in zip(reversed(kinds), reversed(costs), strict=True):
        least, most = sum(c for c in own if c < 0), sum(c for c in own if c > 0)
        stages.append(Stage(kind, weight, least, most))
        weight *= most - least + 1
    return tuple(reversed(stages))


def together(stages: Sequence[Stage], costs: Sequence[Sequence[int]]) -> list[int]:
    """The costs of all goals as one."""
    return [sum(s.weight * c for s, c in zip(stages, own, strict=True)) for own in zip(*costs, strict=True)]


def taken_apart(stages: Sequence[Stage], cost: int) -> tuple[int, ...]:
    """The cost of each goal, from that of all as one; from a lower bound of it, lower bounds: that of the first goal,
    that of the second for answers which are as good for the first, and so on."""
    found = []
    for at, stage in enumerate(stages):
        rest = sum(s.weight * s.most for s in stages[at + 1 :])
        own = -((rest - cost) // stage.weight)  # rounded up
        found.append(own)
        cost -= own * stage.weight
    return tuple(found)


def stage_values(stages: Sequence[Stage], best: int, bound: int | None) -> tuple[StageValue, ...]:
    """The value of each goal in the best answer, with what is proved of it. A bound of a later goal is known only where
    the goals before it are proved. best, bound: costs of all goals as one."""
    values = taken_apart(stages, best)
    bounds: Sequence[int | None] = [None] * len(stages) if bound is None else taken_apart(stages, bound)
    found: list[StageValue] = []
    proved = True
    for stage, value, least in zip(stages, values, bounds, strict=True):
        known = least if proved else None
        found.append(StageValue(stage.kind, stage.value(value), None if known is None else stage.value(known)))
        proved = proved and known == value
    return tuple(found)


# --- lowered ---------------------------------------------------------------------------------------------------------
# What lowering makes: the problem, and all that is needed to name its items, options and side conditions.


@frozen(eq=False)
class AgreeItems:
    """The items of one `agree` statement. keys: one for each item, in order of first use. Colours are numbered from 1,
    separately in each statement."""

    statement: Agree
    keys: tuple[Any, ...] = field(repr=False)

    def name(self, at: int, scope: Scope) -> str:
        """The name of item `at`, counted from 0: the statement's label and the item's key."""
        label = self.statement.label
        text = head(self.statement) if label is None else scope.template(label)({})
        return f"{text} on {show_value(self.keys[at])}"


ItemSource = RuleItems | AgreeItems | StatedItems


def statement_of(source: ItemSource) -> Rule | Agree | Alike | Needs | AreaRule | Divide | Connected | Loop:
    """The statement that makes the items."""
    return source.rule if isinstance(source, RuleItems) else source.statement


@frozen(eq=False)
class ItemOrigin:
    """Where an item or a side condition comes from: its statement, and which of the statement's items it is. added:
    what follows its name, where another statement would give the same (keys.py)."""

    source: ItemSource
    at: int
    added: str = ""

    @property
    def statement(self) -> Rule | Agree | Alike | Needs | AreaRule | Divide | Connected | Loop:
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
    """Where the items or the sides of a matrix come from, each made only when it is asked for, as few are.
    runs: what items come from that stand side by side, and which of its items they are. additions: see keys.py."""

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

    - families: by name, in source order
    - option_choices, choice_options: the choice of each option, and the option of each choice or -1
    - origins, side_origins: for each item and each side condition, where it comes from
    - dropped: the choices that became no options, each with the statement that removed it
    - givens: every given choice, in the order of the statements
    - goal: `minimize`, `maximize` or None; stages: the goals, if there are several in order
    - remarks: warnings that came up; wishes: what `prefer` statements became
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
