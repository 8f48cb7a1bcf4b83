"""From a checked model and its data to a `Problem`: items are numbered, choices become options."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, chain, combinations, compress, groupby, pairwise, repeat
from operator import add, attrgetter, not_
from typing import Any, TypeVar

from covr.compiler.evaluate import EvalFault, Scope
from covr.compiler.evaluate.expressions import replace
from covr.compiler.evaluate.values import show_value
from covr.compiler.lower.add import Entry, MatrixDraft, add_agree, add_needs, add_rule, add_shape
from covr.compiler.lower.families import Family, FaultCollector, Lowering, OwnChoices, enumerate_family
from covr.compiler.lower.goals import add_wishes, own_choices, refuse_symmetries, with_projection
from covr.compiler.lower.groups import allow_only
from covr.compiler.lower.keys import Columns, KeyPlan, head
from covr.compiler.lower.lowered import (
    ItemSource,
    Lowered,
    LoweredWish,
    Origins,
    Stage,
    StatedItems,
    late_name,
    stages_of,
    statement_of,
    together,
)
from covr.compiler.lower.marks import GivenChoice, bound_givens, forbidden, goal_costs
from covr.compiler.lower.rules import reached_by, rule_items
from covr.dsl import syntax as syn
from covr.dsl.diagnostics import Diagnostic, shorten
from covr.dsl.syntax import Alike, Expr, Name, Number, Rule
from covr.engine import Problem
from covr.engine.problem import MAX_COST, MOST_TOTAL, LateName, Side
from covr.frozen import evolve

# --- alike ------------------------------------------------------------------------------------------------------------
# `all different THING of F on SEEN per KEYS` and `all alike …`: which things show the same.
#
# A thing shows, for each value of SEEN, how many taken choices reach both. Things and what is seen are found as the
# keys of a rule are.
#
# - *All alike*: for each value of SEEN, all things have as many. Where each has one choice at most, that is one total:
#   all or none are taken. Otherwise each thing has as many as the next.
# - *All different*: what two things show are two numbers with a digit for each value of SEEN, and their difference is
#   not 0. Such a total propagates once all digits but one are alike.
#
# Items (`at most one place per r, d`) would be faster where each thing shows one value, but they would lean on another
# rule, which `why` may leave out.


KeyValue = tuple[Any, ...]
Shown = dict[KeyValue, tuple[int, ...]]
"""For each value of SEEN the choices that reach it."""


def add_alike(statement: Alike, draft: MatrixDraft) -> None:
    """Add what an `all different` or `all alike` says. Raises EvalFault."""
    family, scope = draft.families[statement.family.id], draft.scope
    groups, plan = _things(statement, family, draft)
    names: list[str | LateName] = []
    source = StatedItems(statement, names)
    block = draft.begin(statement)
    reached: defaultdict[int, list[int]] = defaultdict(list)
    name_of = _label(statement, plan, scope)
    if statement.different:
        _check_number(sum(len(things) * (len(things) - 1) // 2 for things in groups.values()), statement, scope)
    for key, things in groups.items():
        called = name_of(key)
        for said, terms, want in _differing(statement, things) if statement.different else _equal(things):
            scope.budget.step(len(terms) + 1, statement.span)
            names.append(LateName(partial(_name, called, said)))
            block.total(source, terms, want, reached)
    block.enter_lists([family], reached)
    draft.add(block, source)
    if groups and not names:
        draft.warned.append(_idle(statement))


def _check_number(pairs: int, statement: Alike, scope: Scope) -> None:
    most = scope.budget.limits.items
    if pairs > most:
        message = f"this compares {pairs:,} pairs of things; {most:,} are allowed"
        raise EvalFault(Diagnostic("E421", message, statement.span, help="compare fewer, with `per` or `where`"))


def _name(called: str, said: Sequence[KeyValue]) -> str:
    """What messages call an item. said: the value that is seen, if it is about one, and the things."""
    value, *things = said
    about = f": {_written(value)}" if value else ""
    return called + about + (f": {' and '.join(map(_written, things))}" if things else "")


def _idle(statement: Alike) -> Diagnostic:
    message = f"this `all {'different' if statement.different else 'alike'}` asks nothing"
    return Diagnostic("W204", message, statement.span, "is there more than one of these things for each key?")


def _things(
    statement: Alike, family: Family, draft: MatrixDraft
) -> tuple[dict[KeyValue, dict[KeyValue, Shown]], KeyPlan]:
    """For each value of the keys the things with what they show, and the plan of all keys. Raises EvalFault."""
    seen = statement.seen
    if seen is None:
        named = {key.id for key in (*statement.keys, *statement.things) if isinstance(key, Name)}
        seen = tuple([Name(index, statement.family.span) for index in family.indices if index not in named])
    every = rule_items(_counting(statement, ()), [family], draft)
    whole = rule_items(_counting(statement, seen), [family], draft)
    size = len(every.key_plan.names)
    first = sum(len(names) for names, _ in every.key_plan.parts[: len(statement.keys)])
    found: dict[KeyValue, dict[KeyValue, list[int]]] = {key: {} for key in every.keys}
    for number, own in reached_by(whole, family, draft.scope):
        for at in own if number not in draft.dropped else ():
            key = whole.keys[at]
            if key[:size] in found:
                found[key[:size]].setdefault(key[size:], []).append(number)
    groups: dict[KeyValue, dict[KeyValue, Shown]] = {}
    for key, shown in found.items():
        groups.setdefault(key[:first], {})[key[first:]] = {value: tuple(own) for value, own in shown.items()}
    return groups, every.key_plan


def _counting(statement: Alike, seen: Sequence[Expr]) -> Rule:
    """A rule whose items are the things, for each value that is seen; without such values, the things alone."""
    keys = (*statement.keys, *statement.things, *seen)
    return Rule("exactly", Number(0, statement.span), (statement.family,), keys, statement.where, None, statement.span)


def _label(statement: Alike, plan: KeyPlan, scope: Scope) -> Any:
    """A function from the values of the keys to what messages call the statement for them."""
    names = [name for own, _ in plan.parts[: len(statement.keys)] for name in own]
    written = plan.written[: len(names)]
    if statement.label is None:
        said = head(statement)
        return lambda key: (
            said
            + "".join(
                f"{' for' if not at else ','} {name} = {show_value(value)}"
                for at, (name, value) in enumerate(zip(written, key, strict=True))
            )
        )
    label = replace(statement.label, plan.replacements())
    message, help = "{name} is not a key of this statement, and its label can only use keys", "name it after `per`"
    allow_only(names, frozenset(plan.local), label, message, help)
    function = plan.within(scope).template(label)

    def name_of(key: KeyValue) -> str:
        try:
            return str(function(dict(zip(names, key, strict=True))))
        except EvalFault as fault:
            raise plan.met(fault, names, key) from None

    return name_of


Comparison = tuple[tuple[KeyValue, ...], dict[int, int], tuple[tuple[int | None, int | None], ...]]
"""What a name tells (see `_name`), a total, and the sums that it allows."""


def _equal(things: Mapping[KeyValue, Shown]) -> Iterator[Comparison]:
    """What makes things alike, for each value that is seen in one of them."""
    if len(things) < 2:
        return
    for value in dict.fromkeys(value for shown in things.values() for value in shown):
        cells = [shown.get(value, ()) for shown in things.values()]
        terms = {choice: 1 for cell in cells for choice in cell}
        if all(len(cell) < 2 for cell in cells) and len(terms) == sum(map(len, cells)):
            yield (value,), terms, ((0, 0), (len(cells), len(cells))) if all(cells) else ((0, 0),)
            continue
        for (one, here), (other, there) in pairwise(zip(things, cells, strict=True)):
            both = {**dict.fromkeys(set(here).difference(there), 1), **dict.fromkeys(set(there).difference(here), -1)}
            if both:
                yield (value, one, other), both, ((0, 0),)


def _differing(statement: Alike, things: Mapping[KeyValue, Shown]) -> Iterator[Comparison]:
    """What makes any two things different. Raises EvalFault E419 if they show too much."""
    for (one, here), (other, there) in combinations(things.items(), 2):
        base = 1
        terms: dict[int, int] = {}
        for value in here | there:
            ours, theirs = here.get(value, ()), there.get(value, ())
            if ours == theirs:
                continue
            for choice in ours:
                terms[choice] = terms.get(choice, 0) + base
            for choice in theirs:
                terms[choice] = terms.get(choice, 0) - base
            base *= max(len(ours), len(theirs)) + 1
            if 2 * base >= MOST_TOTAL:
                message = "two of these things show too much to be compared: more than 60 choices each"
                help = "compare less of them, with `on`, or let fewer choices say the same"
                raise EvalFault(Diagnostic("E419", message, statement.span, help))
        if 0 in terms.values():
            terms = {choice: count for choice, count in terms.items() if count}
        yield ((), one, other), terms, ((None, -1), (1, None))


def _written(values: Sequence[Any]) -> str:
    return ", ".join(map(show_value, values))


# --- entries ---------------------------------------------------------------------------------------------------------
# The rows of the matrix, one after another, from what is known of each choice's items.


T = TypeVar("T")

Column = Sequence[Sequence[int]]
"""The items of one block that each option of a family has, increasing; for a family with colours, see `coloured` in
keys.py."""


def entries_of(
    draft: MatrixDraft, families: Iterable[Family | OwnChoices], numbering: Sequence[Sequence[int]]
) -> tuple[list[int], list[int], Sequence[int]]:
    """What a Problem needs of the options: `starts`, `members`, and `colours`, which are empty if there are none.
    numbering: for each block the numbers of its items in the matrix, -1 for one that is left out. Cost: linear; 0.1 µs
    for each entry of a family whose entries were all added at once, ten times that for other entries."""
    lengths: list[int] = []
    members: list[int] = []
    colours: list[int] = []
    for family in families:
        choices = range(family.first, family.first + len(family.choices))
        kept = list(map(not_, map(draft.dropped.__contains__, choices))) if draft.dropped else None
        options = len(choices) if kept is None else sum(kept)
        blocks, in_order = _sorted_blocks(draft.whole.get(family.name, {}), numbering)
        whole = [draft.whole[family.name][b] for b in blocks]
        scattered = [draft.rows.get(choice, ()) for choice in choices] if draft.rows else []
        side_by_side = (
            [rows.side_by_side(numbering[b]) for b, rows in zip(blocks, whole, strict=True)] if in_order else []
        )
        if side_by_side and all(side_by_side) and not any(scattered):
            _interleave(
                [column for columns in side_by_side for column in columns or ()], kept, lengths, members, colours
            )
            continue
        base = 1 + max((max(map(max, filter(None, w.colours)), default=0) for w in whole if w.colours), default=0)
        base = max(base, 1 + max([colour for entries in scattered for _, _, colour in entries], default=0))
        coloured = base > 1
        columns: list[Column] = [
            _left(rows.coloured(numbering[b], base) if coloured else rows.columns(numbering[b]), kept)
            for b, rows in zip(blocks, whole, strict=True)
        ]
        if any(scattered):
            columns.append(_entered(_left(scattered, kept), numbering, base))
            in_order = False
        sizes = [0] * options
        for column in columns:
            sizes = list(map(add, sizes, map(len, column)))
        lengths += sizes
        rows = zip(*columns, strict=True)
        if in_order:
            entries = list(chain.from_iterable(chain.from_iterable(rows)))
        else:
            entries = list(chain.from_iterable([sorted(chain.from_iterable(row)) for row in rows]))
        if coloured:
            colours += [entry % base for entry in entries]
            entries = [entry // base for entry in entries]
        members += entries
        colours += repeat(0, len(members) - len(colours))
    return [0, *accumulate(lengths)], members, colours if any(colours) else ()


def _left(column: Sequence[T], kept: Sequence[bool] | None) -> Sequence[T]:
    """What belongs to the choices that are kept; None for all."""
    return column if kept is None else list(compress(column, kept))


def _interleave(
    columns: Columns, kept: Sequence[bool] | None, lengths: list[int], members: list[int], colours: list[int]
) -> None:
    """Add options that each have one item of every column, or -1 for none there. The items of an option increase.
    kept: as in `_left`; lengths, members, colours: what is added to."""
    of_items = [_left(items, kept) for items, _ in columns]
    wide, options = len(columns), len(of_items[0])
    entries = [-1] * (wide * options)
    for at, items in enumerate(of_items):
        entries[at::wide] = items
    shades: list[int] = []
    if any(own is not None for _, own in columns):
        shades = [0] * (wide * options)
        for at, (_, own) in enumerate(columns):
            if own is not None:
                shades[at::wide] = _left(own, kept)
    sizes = [wide] * options
    if -1 in entries:
        for items in of_items:
            if -1 in items:
                sizes = [size - (item < 0) for size, item in zip(sizes, items, strict=True)]
        shades = [shade for shade, item in zip(shades, entries, strict=False) if item >= 0]
        entries = [item for item in entries if item >= 0]
    colours += repeat(0, len(members) - len(colours))
    colours += shades
    lengths += sizes
    members += entries
    colours += repeat(0, len(members) - len(colours))


def _sorted_blocks(blocks: Mapping[int, object], numbering: Sequence[Sequence[int]]) -> tuple[list[int], bool]:
    """The blocks in the order of their items, and whether items that are taken from them in this order increase."""
    used = {b: _used(numbering[b]) for b in blocks}
    order = sorted((b for b in used if used[b]), key=lambda b: used[b][0])
    steady = all(isinstance(used[b], range) or all(x < y for x, y in pairwise(used[b])) for b in order)
    return order, steady and all(used[b][-1] < used[c][0] for b, c in pairwise(order))


def _used(numbering: Sequence[int]) -> Sequence[int]:
    return numbering if isinstance(numbering, range) else [n for n in numbering if n >= 0]


def _entered(scattered: Sequence[Sequence[Entry]], numbering: Sequence[Sequence[int]], base: int) -> Column:
    """What was added choice by choice, as a column. base: as in `FamilyRows.coloured`; 1 if there are no colours."""
    found: list[Sequence[int]] = [()] * len(scattered)
    for at, entries in enumerate(scattered):
        if entries:
            numbered = [(numbering[block][item], colour) for block, item, colour in entries]
            found[at] = [item * base + colour for item, colour in numbered if item >= 0]
    return found


# --- matrix ----------------------------------------------------------------------------------------------------------
# Number the items and turn every choice into an option: from a checked model and its data to a `Problem`.
#
# Order of items: first the items of rules that ask for something (low > 0), then the other rules' items, both in the
# order of the rules and of their keys; the items of `agree` come last. Options are the choices in documented order
# (families.py), without the forbidden ones. `exactly 0` makes an item with the bounds 0, 0; `at least 0` makes none.
# The upper bound of an `at least` rule is the number of options.
#
# What no item can express becomes a side condition (lowered.py), in the order of the statements, those of rules first.
# `if … then`, `connected` and `loop` are lowered last, once it is known which choices become options. Time and memory
# are linear in the size of the result.
#
# Source: Knuth, TAOCP 7.2.2.1, for items, options, colours and multiplicities.


ADDED: dict[type, Callable[[Any, MatrixDraft], None]] = {
    syn.Rule: add_rule,
    syn.Agree: add_agree,
    syn.Needs: add_needs,
    syn.Alike: add_alike,
    syn.AreaRule: add_shape,
    syn.Divide: add_shape,
    syn.Connected: add_shape,
    syn.Loop: add_shape,
}
"""What adds a statement of each kind to the matrix."""


def lower(model: syn.CheckedModel, scope: Scope) -> Lowered:
    """The matrix of a checked model whose data is bound in `scope`. Raises ModelErrors with every fault found."""
    draft = MatrixDraft(model, scope)
    faults = draft.faults
    for statement in model.statements:
        if isinstance(statement, syn.Choose):
            with faults.of(statement):
                enumerate_family(statement, draft)
    faults.raise_if_any()
    total = draft.choices
    taken = _givens(draft)
    for statement in model.statements:
        if isinstance(statement, syn.Forbid):
            with faults.of(statement):
                for number in forbidden(statement, draft):
                    draft.dropped.setdefault(number, statement)
    _add(draft, (syn.Rule, syn.Agree))
    _add(draft, (syn.Needs, syn.Alike, syn.AreaRule, syn.Divide, syn.Connected, syn.Loop))
    wishes = add_wishes(draft)
    costs, stages = _costs(draft, total, wishes)
    givens = _still_there(taken, faults, draft.dropped)
    refuse_symmetries(draft)
    faults.raise_if_any()
    lowered = with_projection(model, _assemble(draft, own_choices(total, draft), costs, givens))
    lowered = evolve(lowered, remarks=tuple(draft.warned), wishes=wishes, stages=stages)
    return _with_sides(lowered, draft)


def _add(draft: MatrixDraft, kinds: tuple[type, ...]) -> None:
    """Add all statements of these kinds."""
    for statement in draft.model.statements:
        if isinstance(statement, kinds):
            with draft.faults.of(statement):
                ADDED[type(statement)](statement, draft)


def _costs(draft: MatrixDraft, total: int, wishes: Sequence[LoweredWish]) -> tuple[list[int] | None, tuple[Stage, ...]]:
    """The cost of every choice, with the sign changed for `maximize`, so that less is better; None without a goal. And
    the goals, if they are several in order. total: how many choices the families have."""
    model, faults = draft.model, draft.faults
    goals = _goals(model)
    if not goals:
        return None, ()
    added = [state.cost for wish in wishes for state in wish.states]
    costs = [[0] * total + [0] * len(added) for _ in goals]
    costs[0][total:] = added  # the prices of wishes belong to the first goal
    for own, (_, statements) in zip(costs, goals, strict=True):
        for statement in statements:
            sign = 1 if statement.kind == "minimize" else -1
            for goal in statement.goals:
                with faults.of(statement):
                    for number, cost in goal_costs(goal, draft.families[goal.family.id], draft.scope):
                        own[number] += sign * cost
    stages = stages_of([kind for kind, _ in goals], costs) if len(goals) > 1 else ()
    all_of_them = together(stages, costs) if stages else costs[0]
    spent = sum(map(abs, all_of_them))
    if spent >= MAX_COST:
        span = next(s.span for s in model.statements if isinstance(s, syn.Optimize | syn.Prefer))
        message = f"the costs of all choices together are {_amount(spent)}, and must stay below 2^62 = {MAX_COST}"
        help = "count in larger units"
        if stages:
            help += "; each goal counts more than all that the goals after it can differ by"
        faults.found.append(Diagnostic("E416", message, span, help=help))
    return all_of_them, stages


def _goals(model: syn.CheckedModel) -> list[tuple[str, list[syn.Optimize]]]:
    """The goals in order, each as its kind and its statements. Wishes alone are a goal: to break as little as
    possible."""
    said = [s for s in model.statements if isinstance(s, syn.Optimize)]
    first = [s for s in said if not s.then]
    found = [(s.kind, [s]) for s in said if s.then]
    if first or any(isinstance(s, syn.Prefer) for s in model.statements):
        found.insert(0, (first[0].kind if first else "minimize", first))
    return found


def _amount(total: int) -> str:
    """A sum as a message shows it; if it has too many digits to be read, their number instead."""
    bits = total.bit_length()
    return str(total) if bits < 100 else f"a number of {bits} binary digits"


def _givens(lowering: Lowering) -> list[tuple[syn.Given, GivenChoice]]:
    """The choices that `given` statements take, each with its statement. Drops those that they remove."""
    found: list[tuple[syn.Given, GivenChoice]] = []
    for statement in lowering.model.statements:
        if isinstance(statement, syn.Given):
            with lowering.faults.of(statement):
                found += [(statement, given) for _, given in bound_givens(statement, lowering)]
    return found


def regive(lowered: Lowered, model: syn.CheckedModel, scope: Scope) -> Lowered:
    """The same matrix with the givens that another scope leads to. Cost: linear in the number of givens; where they
    remove choices, now or before, the matrix is made again."""
    lowering = Lowering(model, scope, lowered)
    faults = lowering.faults
    taken = _givens(lowering)
    faults.raise_if_any()
    if lowering.dropped or isinstance(next(iter(lowered.dropped.values()), None), syn.Given):
        return lower(model, scope)
    givens = _still_there(taken, faults, lowered.dropped)
    faults.raise_if_any()
    given = tuple(sorted({lowered.choice_options[g.number] for g in givens}))
    return evolve(lowered, problem=evolve(lowered.problem, given=given), givens=tuple(givens))


def _still_there(
    taken: Sequence[tuple[syn.Given, GivenChoice]],
    faults: FaultCollector,
    dropped: Mapping[int, syn.Forbid | syn.Agree | syn.Given],
) -> list[GivenChoice]:
    """The choices that are given. A choice that is removed is a fault, the first of each statement."""
    faulty: set[int] = set()
    for statement, given in taken if dropped else ():
        remover = dropped.get(given.number)
        if remover is not None and id(statement) not in faulty:
            faulty.add(id(statement))
            with faults.of(statement):
                raise EvalFault(_removed(given, remover))
    return [given for _, given in taken]


def _removed(given: GivenChoice, remover: syn.Forbid | syn.Agree | syn.Given) -> Diagnostic:
    fault = "shows two colours at one key" if isinstance(remover, syn.Agree) else "is forbidden"
    line = f"{remover.span.source.name}:{remover.span.place[0]}"
    note = f"by `{shorten(remover.span.one_line)}`, {line}"
    return Diagnostic("E402", f"{given.name}: this choice {fault}", given.span, notes=(note,))


def _assemble(
    draft: MatrixDraft, own: Sequence[OwnChoices], costs: Sequence[int] | None, givens: list[GivenChoice]
) -> Lowered:
    """Put the items in normal form and write the rows one after another."""
    kept = tuple(range(draft.choices))
    if draft.dropped:
        kept = tuple([c for c in kept if c not in draft.dropped])
    numbering, origins, low, high = draft.numbered(len(kept))
    starts, members, colours = entries_of(draft, (*draft.families.values(), *own), numbering)
    option_of = kept
    if draft.dropped:
        options = dict(zip(kept, range(len(kept)), strict=True))
        option_of = tuple([options.get(c, -1) for c in range(draft.choices)])
    problem = Problem(
        low=tuple(low),
        high=tuple(high),
        primary=sum(lo > 0 for lo in low),
        starts=starts,
        members=members,
        colours=colours,
        costs=tuple(costs[c] for c in kept) if costs is not None else (),
        given=tuple(sorted({option_of[g.number] for g in givens})),
    )
    goals = _goals(draft.model)
    return Lowered(
        problem,
        draft.families,
        draft.declared,
        kept,
        option_of,
        origins,
        draft.dropped,
        tuple(givens),
        goals[0][0] if goals else None,
    )


def _with_sides(lowered: Lowered, draft: MatrixDraft) -> Lowered:
    """The same with the side conditions, which now refer to options by number and have names."""
    options = lowered.choice_options if draft.dropped else None
    sides: list[Side] = []
    runs: list[tuple[ItemSource, list[int]]] = []
    for source, drafts in groupby(draft.sides, attrgetter("source")):
        added = draft.additions.get(id(statement_of(source)), "")
        own = list(drafts)
        sides += [one.side(options, late_name(source, one.at, added, draft.scope)) for one in own]
        runs.append((source, [one.at for one in own]))
    problem = evolve(lowered.problem, sides=tuple(sides))
    return evolve(lowered, problem=problem, side_origins=Origins(runs, draft.additions))
