"""Number the items and turn every choice into an option: from a checked model and its data to a `Problem`.

Order of items: first the items of rules that ask for something (low > 0), then the other rules' items, both in the
order of the rules in the model and of their keys; the items of `agree` come last. Order of options: the choices in
documented order (see families.py), without the forbidden ones.

`exactly 0` makes an item with the bounds 0, 0; `at least 0` asks for nothing and makes no item. The upper bound of an
`at least` rule is the number of options. Time and memory are linear in the size of the result.

What no item can express becomes a side condition of the problem (drafts.py): totals, sets of numbers, `if … then`,
`connected` and `loop`, in the order of the statements, but with those of rules first. `if … then`, `connected` and
`loop` are lowered last, once it is known which choices become options.

Source: Knuth, TAOCP 7.2.2.1, for items, options, colours and multiplicities.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import attrs
from attrs import field, frozen

from covr.compiler.evaluate import EvalFault, Scope
from covr.compiler.evaluate.limits import USED_UP, Budget
from covr.compiler.evaluate.values import show_value
from covr.compiler.lower.drafts import SideDraft, StatedItems, TotalDraft
from covr.compiler.lower.families import Family, enumerate_family
from covr.compiler.lower.groups import Group, declared_groups
from covr.compiler.lower.marks import GivenChoice, colourings, forbidden, given_choices, goal_costs
from covr.compiler.lower.needs import Need, remarks, said_by
from covr.compiler.lower.rules import RuleItems, memberships, rule_items
from covr.compiler.lower.shapes import connections, loops
from covr.compiler.lower.sums import as_item, bounds_of, check_size, is_counted, weighing
from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.dsl.source import Span
from covr.dsl.syntax import (
    Agree,
    AnswersBy,
    CheckedModel,
    Choose,
    Connected,
    Forbid,
    Given,
    Loop,
    Needs,
    Optimize,
    Rule,
    Statement,
    UpTo,
)
from covr.engine import Problem
from covr.engine.problem import MAX_COST


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
        families = dict.fromkeys(shown.family.id for shown in self.statement.shown)
        text = f"agree {', '.join(families)}" if label is None else scope.template(label)({})
        return f"{text} on {show_value(self.keys[at])}"


@frozen(eq=False)
class ItemOrigin:
    """Where an item or a side condition comes from: its statement, and which of the statement's items it is."""

    source: RuleItems | AgreeItems | StatedItems
    at: int

    @property
    def statement(self) -> Rule | Agree | Needs | Connected | Loop:
        """The statement that makes the item or side condition."""
        return self.source.rule if isinstance(self.source, RuleItems) else self.source.statement

    def name(self, scope: Scope) -> str:
        """What messages call the item or side condition."""
        return self.source.name(self.at, scope)


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
    """

    problem: Problem
    families: Mapping[str, Family]
    declared: Mapping[str, Group] = field(repr=False)
    option_choices: tuple[int, ...] = field(repr=False)
    choice_options: tuple[int, ...] = field(repr=False)
    origins: tuple[ItemOrigin, ...] = field(repr=False)
    dropped: Mapping[int, Forbid | Agree] = field(repr=False)
    givens: tuple[GivenChoice, ...]
    goal: str | None
    side_origins: tuple[ItemOrigin, ...] = field(default=(), repr=False)
    remarks: tuple[Diagnostic, ...] = field(default=(), repr=False)


class FaultCollector:
    """Collects the faults of independent statements, so that one run reports them all.

    budget: is told which statement is being compiled.
    """

    def __init__(self, budget: Budget | None = None) -> None:
        self.found: list[Diagnostic] = []
        self._budget = budget
        self._span: Span | None = None

    def of(self, statement: Statement) -> FaultCollector:
        """Use as `with faults.of(statement)`: a fault without a place of its own is shown at the statement."""
        self._span = statement.span
        if self._budget is not None:
            self._budget.begin(statement.span)
        return self

    def __enter__(self) -> FaultCollector:
        return self

    def __exit__(self, _type: object, fault: BaseException | None, _trace: object) -> bool:
        if isinstance(fault, EvalFault):
            placed = fault if self._span is None else fault.placed(self._span)
            self.found.append(placed.diagnostic)
            if placed.diagnostic.code in USED_UP:
                self.raise_if_any()
            return True
        return False

    def raise_if_any(self) -> None:
        """Raise ModelErrors with the faults found, if there are any, in source order and without repeats."""
        if self.found:
            raise ModelErrors(sorted(dict.fromkeys(self.found), key=Diagnostic.order))

    @staticmethod
    @contextmanager
    def raising() -> Iterator[None]:
        """Turns an EvalFault that is raised inside into ModelErrors, which callers of the compiler expect."""
        try:
            yield
        except EvalFault as fault:
            raise ModelErrors([fault.diagnostic]) from None


def lower(model: CheckedModel, scope: Scope) -> Lowered:
    """The matrix of a checked model whose data is bound in `scope`. Raises ModelErrors with every fault found."""
    faults = FaultCollector(scope.budget)
    declared = declared_groups(model)
    families = _families(model, declared, scope, faults)
    total = sum(len(f.choices) for f in families.values())
    dropped = _dropped(model, families, declared, scope, faults)
    rows: list[list[tuple[int, int, int]]] = [[] for _ in range(total)]
    blocks: Blocks = []
    drafts: list[SideDraft] = []
    entries = 0
    for statement in model.statements:
        if isinstance(statement, Rule):
            with faults.of(statement):
                entries = _add_rule(statement, families, declared, scope, rows, blocks, dropped, entries, drafts)
        elif isinstance(statement, Agree):
            with faults.of(statement):
                entries = _add_agree(statement, families, declared, scope, rows, blocks, dropped, entries)
    warned = _add_stated(model, families, declared, scope, faults, rows, blocks, dropped, entries, drafts)
    costs = _costs(model, families, scope, faults, total)
    givens = _givens(model, families, declared, scope, faults, dropped)
    _alone(model, faults)
    faults.raise_if_any()
    lowered = _assemble(model, families, declared, rows, blocks, dropped, costs, givens)
    lowered = _told(model, lowered)
    return _with_sides(attrs.evolve(lowered, remarks=tuple(warned)), drafts, scope)


def _alone(model: CheckedModel, faults: FaultCollector) -> None:
    """Report a model that says both `answers by` and `up to`."""
    symmetric = next((s for s in model.statements if isinstance(s, UpTo)), None)
    for statement in model.statements:
        if isinstance(statement, AnswersBy) and symmetric is not None:
            line, _ = symmetric.span.place
            message = "a model can't say both `answers by` and `up to`"
            help = "leave out one of them; helpers of which every answer has just one set need no `answers by`"
            note = f"`up to` stands on line {line}"
            faults.found.append(Diagnostic("E427", message, statement.span, help, (note,)))


def _told(model: CheckedModel, lowered: Lowered) -> Lowered:
    """The same with the options that tell answers apart, if the model says `answers by`."""
    named = [name.id for s in model.statements if isinstance(s, AnswersBy) for name in s.families]
    if not named:
        return lowered
    told: set[int] = set()
    for name in named:
        family = lowered.families[name]
        told.update(lowered.choice_options[family.first : family.first + len(family.choices)])
    told.discard(-1)
    return attrs.evolve(lowered, problem=attrs.evolve(lowered.problem, told=tuple(sorted(told))))


def _families(
    model: CheckedModel, declared: Mapping[str, Group], scope: Scope, faults: FaultCollector
) -> dict[str, Family]:
    families: dict[str, Family] = {}
    first = 0
    for statement in model.statements:
        if isinstance(statement, Choose):
            with faults.of(statement):
                family = enumerate_family(statement, declared, scope, first)
                families[family.name] = family
                first += len(family.choices)
    faults.raise_if_any()
    return families


def _dropped(
    model: CheckedModel,
    families: Mapping[str, Family],
    declared: Mapping[str, Group],
    scope: Scope,
    faults: FaultCollector,
) -> dict[int, Forbid | Agree]:
    """The choices that do not become options, each with the statement that removes it."""
    dropped: dict[int, Forbid | Agree] = {}
    for statement in model.statements:
        if isinstance(statement, Forbid):
            with faults.of(statement):
                for number in forbidden(statement, families[statement.family.id], declared, scope):
                    dropped.setdefault(number, statement)
    return dropped


Rows = list[list[tuple[int, int, int]]]
Blocks = list[tuple["RuleItems | AgreeItems | StatedItems", list[tuple[int, "int | None"]]]]


def _add_rule(
    rule: Rule,
    families: Mapping[str, Family],
    declared: Mapping[str, Group],
    scope: Scope,
    rows: Rows,
    blocks: Blocks,
    dropped: Mapping[int, object],
    entries: int,
    drafts: list[SideDraft],
) -> int:
    """Add a rule's items to the blocks and its entries to the rows; returns how many entries there are now."""
    own = [families[f.id] for f in dict.fromkeys(rule.families)]
    items = rule_items(rule, own, declared, scope)
    block = len(blocks)
    most = scope.budget.limits.entries
    if not is_counted(rule, items.wants):
        return _add_sums(items, own, scope, rows, blocks, dropped, entries, drafts)
    blocks.append((items, list(map(bounds_of, items.wants))))
    for family in own:
        for number, reached in memberships(items, family, scope):
            if number not in dropped:
                entries += len(reached)
                if entries > most:
                    raise _too_large(rule, most)
                rows[number] += [(block, at, 0) for at in reached]
    return entries


def _add_sums(
    items: RuleItems,
    families: Sequence[Family],
    scope: Scope,
    rows: Rows,
    blocks: Blocks,
    dropped: Mapping[int, object],
    entries: int,
    drafts: list[SideDraft],
) -> int:
    """Add a rule with weights or a set of numbers: each of its sums as an item if that can express it, else as a draft.
    Returns how many entries there are now."""
    most = scope.budget.limits.entries
    sums: list[dict[int, int]] = [{} for _ in items.keys]
    for family in families:
        weigh = weighing(items.rule, family, scope)
        for number, reached in memberships(items, family, scope):
            if number in dropped:
                continue
            weight = weigh(number)
            entries += len(reached)
            if entries > most:
                raise _too_large(items.rule, most)
            for at in reached if weight else ():
                sums[at][number] = weight
    block = len(blocks)
    bounds: list[tuple[int, int | None]] = []
    for at, (terms, want) in enumerate(zip(sums, items.wants, strict=True)):
        check_size(terms, items.rule)
        bound = as_item(terms, want)
        if bound is None:
            drafts.append(TotalDraft(items, at, terms, want))
        elif bound != (0, None):
            for number in terms:
                rows[number].append((block, at, 0))
        bounds.append(bound or (0, None))
    blocks.append((items, bounds))
    return entries


def _add_stated(
    model: CheckedModel,
    families: Mapping[str, Family],
    declared: Mapping[str, Group],
    scope: Scope,
    faults: FaultCollector,
    rows: Rows,
    blocks: Blocks,
    dropped: Mapping[int, object],
    entries: int,
    drafts: list[SideDraft],
) -> list[Diagnostic]:
    """Add every `if … then`, `connected` and `loop`; returns the warnings about them."""
    most = scope.budget.limits.entries
    warned: list[Diagnostic] = []
    for statement in model.statements:
        if not isinstance(statement, Needs | Connected | Loop):
            continue
        with faults.of(statement):
            if isinstance(statement, Needs):
                said = said_by(statement, families, declared, scope, dropped)
                warned += remarks(statement, said, families)
                entries += _add_needs(statement, said.needs, rows, blocks, drafts)
            elif isinstance(statement, Connected):
                own = [families[f.id] for f in dict.fromkeys(statement.families)]
                for connection in connections(statement, own, declared, scope, dropped):
                    entries += len(connection.places)
                    drafts.append(connection)
            else:
                for circuit in loops(statement, families[statement.family.id], declared, scope, dropped):
                    entries += len(circuit.ends)
                    drafts.append(circuit)
            if entries > most:
                raise _too_large(statement, most)
    return warned


def _add_needs(statement: Needs, needs: Sequence[Need], rows: Rows, blocks: Blocks, drafts: list[SideDraft]) -> int:
    """Add what an `if … then` says; returns how many entries it makes.

    Two choices that exclude each other share an item with the bounds 0, 1; a choice that can't be taken gets an item
    with the bounds 0, 0.
    """
    names: list[str] = []
    bounds: list[tuple[int, int | None]] = []
    source = StatedItems(statement, names)
    block, entries = len(blocks), 0
    met: set[tuple[int, int]] = set()
    for need in needs:
        groups: list[tuple[int, ...]] = [(need.choice,)] if not need.others else []
        if statement.forbids:
            groups += [(need.choice, other) for other in need.others]
        elif need.others:
            terms = {**dict.fromkeys(need.others, 1), need.choice: -1}
            drafts.append(TotalDraft(source, len(names), terms, ((0, None),)))
            names.append(need.name)
            bounds.append((0, None))
            entries += len(terms)
        for group in groups:
            pair = (min(group), max(group))
            if pair in met:
                continue
            met.add(pair)
            for number in group:
                rows[number].append((block, len(names), 0))
            names.append(need.name)
            bounds.append((0, len(group) - 1))
            entries += len(group)
    blocks.append((source, bounds))
    return entries


def _add_agree(
    statement: Agree,
    families: Mapping[str, Family],
    declared: Mapping[str, Group],
    scope: Scope,
    rows: Rows,
    blocks: Blocks,
    dropped: dict[int, Forbid | Agree],
    entries: int,
) -> int:
    keys: dict[Any, int] = {}
    colours: dict[Any, int] = {}
    block, most = len(blocks), scope.budget.limits.entries
    own = [families[name] for name in dict.fromkeys(shown.family.id for shown in statement.shown)]
    for number, shown in colourings(statement, own, declared, scope):
        if number in dropped:
            continue
        if shown is None:
            dropped[number] = statement
            continue
        entries += len(shown)
        if entries > most:
            raise _too_large(statement, most)
        for key, colour in shown.items():
            at = keys.setdefault(key, len(keys))
            rows[number].append((block, at, colours.setdefault(colour, len(colours) + 1)))
    blocks.append((AgreeItems(statement, tuple(keys)), [(0, 1)] * len(keys)))
    return entries


def _too_large(statement: Statement, most: int) -> EvalFault:
    return EvalFault(Diagnostic("E422", f"the matrix has more than {most:,} entries", statement.span))


def _costs(
    model: CheckedModel, families: Mapping[str, Family], scope: Scope, faults: FaultCollector, total: int
) -> list[int] | None:
    """The cost of every choice, with the sign changed for `maximize`, so that less is better; None without a goal."""
    goals = [s for s in model.statements if isinstance(s, Optimize)]
    if not goals:
        return None
    costs = [0] * total
    for statement in goals:
        sign = 1 if statement.kind == "minimize" else -1
        for goal in statement.goals:
            with faults.of(statement):
                for number, cost in goal_costs(goal, families[goal.family.id], scope):
                    costs[number] += sign * cost
    spent = sum(map(abs, costs))
    if spent >= MAX_COST:
        message = f"the costs of all choices together are {_amount(spent)}, and must stay below 2^62 = {MAX_COST}"
        faults.found.append(Diagnostic("E416", message, goals[0].span, help="count in larger units"))
    return costs


def _amount(total: int) -> str:
    """A sum as a message shows it; if it has too many digits to be read, their number instead."""
    bits = total.bit_length()
    return str(total) if bits < 100 else f"a number of {bits} binary digits"


def _givens(
    model: CheckedModel,
    families: Mapping[str, Family],
    declared: Mapping[str, Group],
    scope: Scope,
    faults: FaultCollector,
    dropped: Mapping[int, Forbid | Agree],
) -> list[GivenChoice]:
    found: list[GivenChoice] = []
    for statement in model.statements:
        if isinstance(statement, Given):
            with faults.of(statement):
                for given in given_choices(statement, families[statement.family.id], declared, scope):
                    found.append(_still_there(given, dropped))
    return found


def regive(lowered: Lowered, model: CheckedModel, scope: Scope) -> Lowered:
    """The same matrix with the givens that another scope leads to. Cost: linear in the number of givens."""
    faults = FaultCollector()
    givens = _givens(model, lowered.families, lowered.declared, scope, faults, lowered.dropped)
    faults.raise_if_any()
    given = tuple(sorted({lowered.choice_options[g.number] for g in givens}))
    return attrs.evolve(lowered, problem=attrs.evolve(lowered.problem, given=given), givens=tuple(givens))


def _still_there(given: GivenChoice, dropped: Mapping[int, Forbid | Agree]) -> GivenChoice:
    remover = dropped.get(given.number)
    if remover is None:
        return given
    fault = "is forbidden" if isinstance(remover, Forbid) else "shows two colours at one key"
    line = f"{remover.span.source.name}:{remover.span.place[0]}"
    note = f"by `{_head(remover)}`, {line}"
    raise EvalFault(Diagnostic("E402", f"{given.name}: this choice {fault}", given.span, notes=(note,)))


def _head(statement: Forbid | Agree) -> str:
    text = " ".join(statement.span.text.split())
    return text if len(text) <= 60 else text[:59] + "…"


def _assemble(
    model: CheckedModel,
    families: Mapping[str, Family],
    declared: Mapping[str, Group],
    rows: Rows,
    blocks: Blocks,
    dropped: Mapping[int, Forbid | Agree],
    costs: Sequence[int] | None,
    givens: list[GivenChoice],
) -> Lowered:
    """Put the items in normal form and write the rows one after another."""
    kept = [c for c in range(len(rows)) if c not in dropped]
    numbering, origins, low, high = _number_items(blocks, len(kept))
    starts, members, colours = [0], [], []
    for choice in kept:
        run = sorted([(numbering[block][at], colour) for block, at, colour in rows[choice]])
        members += [i for i, _ in run if i >= 0]
        colours += [c for i, c in run if i >= 0]
        starts.append(len(members))
    option_of = [-1] * len(rows)
    for option, choice in enumerate(kept):
        option_of[choice] = option
    problem = Problem(
        low=tuple(low),
        high=tuple(high),
        primary=sum(lo > 0 for lo in low),
        starts=starts,
        members=members,
        colours=colours if any(colours) else (),
        costs=tuple(costs[c] for c in kept) if costs is not None else (),
        given=tuple(sorted({option_of[g.number] for g in givens})),
    )
    goals = [s.kind for s in model.statements if isinstance(s, Optimize)]
    return Lowered(
        problem,
        families,
        declared,
        tuple(kept),
        tuple(option_of),
        tuple(origins),
        dropped,
        tuple(givens),
        goals[0] if goals else None,
    )


def _with_sides(lowered: Lowered, drafts: Sequence[SideDraft], scope: Scope) -> Lowered:
    """The same with the side conditions, which now refer to options by number and have names."""
    origins = tuple(ItemOrigin(d.source, d.at) for d in drafts)
    sides = tuple(d.side(lowered.choice_options, o.name(scope)) for d, o in zip(drafts, origins, strict=True))
    problem = attrs.evolve(lowered.problem, sides=sides)
    return attrs.evolve(lowered, problem=problem, side_origins=origins)


def _number_items(blocks: Blocks, options: int) -> tuple[list[list[int]], list[ItemOrigin], list[int], list[int]]:
    """Item numbers for each block, primary items first (-1 for an item that asks for nothing), origins and bounds."""
    numbering = [[-1] * len(bounds) for _, bounds in blocks]
    origins: list[ItemOrigin] = []
    low: list[int] = []
    high: list[int] = []
    for primary in (True, False):
        for block, at, (lo, hi) in _bounds(blocks):
            if (lo > 0) == primary and not (lo == 0 and hi is None):
                numbering[block][at] = len(low)
                origins.append(ItemOrigin(blocks[block][0], at))
                low.append(lo)
                high.append(max(options, lo) if hi is None else hi)
    return numbering, origins, low, high


def _bounds(blocks: Blocks) -> Iterator[tuple[int, int, tuple[int, int | None]]]:
    for block, (_, bounds) in enumerate(blocks):
        for at, bound in enumerate(bounds):
            yield block, at, bound
