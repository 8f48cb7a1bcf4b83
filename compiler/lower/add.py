"""What each statement adds to the matrix: a block of items, or side conditions where no item can express it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from covr.compiler.evaluate import Scope
from covr.compiler.lower.blocks import NOTHING, Block, MatrixDraft
from covr.compiler.lower.colours import ShownColours
from covr.compiler.lower.demands import StatedDemand, total_of
from covr.compiler.lower.drafts import StatedItems, TotalDraft
from covr.compiler.lower.families import Family
from covr.compiler.lower.groups import Group
from covr.compiler.lower.lowered import AgreeItems
from covr.compiler.lower.marks import Agreement
from covr.compiler.lower.memberships import FamilyRows
from covr.compiler.lower.needs import Need, remarks, said_by
from covr.compiler.lower.rules import RuleItems, memberships, reached_by, rows_of, rule_items
from covr.compiler.lower.shapes import connections, loops
from covr.compiler.lower.sums import as_item, bounds_of, check_size, is_counted, of_ones, weighing
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.syntax import Agree, Connected, Loop, Needs, Rule
from covr.engine.base.heed import heeded
from covr.engine.sides import LateName


def add_rule(
    rule: Rule, families: Mapping[str, Family], declared: Mapping[str, Group], scope: Scope, draft: MatrixDraft
) -> None:
    """Add a rule's items and entries. Raises EvalFault."""
    own = [families[f.id] for f in dict.fromkeys(rule.families)]
    items = rule_items(rule, own, declared, scope)
    if not is_counted(rule, items.wants):
        _add_sums(items, own, scope, draft)
        return
    block = draft.begin(rule)
    block.bounds += map(bounds_of, items.wants)
    for family in own:
        rows = rows_of(items, family, scope, draft.most)
        if rows is not None:
            block.enter_rows(family, rows)
            continue
        for number, reached in memberships(items, family, scope):
            if number not in draft.dropped:
                block.enter(number, reached)
    draft.add(block, items)


def _add_sums(items: RuleItems, families: Sequence[Family], scope: Scope, draft: MatrixDraft) -> None:
    """Add a rule with weights or a set of numbers: each sum as an item if that can express it, else as a side."""
    block = draft.begin(items.rule)
    sums = sums_of(items, families, scope, draft, block)
    reached: defaultdict[int, list[int]] = defaultdict(list)
    for at, (terms, want) in enumerate(zip(sums, items.wants, strict=True)):
        if items.rule.weights:
            check_size(terms, items.rule.span)
            bound = as_item(terms, want)
        else:
            bound = of_ones(len(terms), want)[1]
        block.item(bound or NOTHING)
        if bound is None:
            draft.sides.append(TotalDraft(items, at, terms, want))
        elif bound != NOTHING:
            for number in terms:
                reached[number].append(at)
    block.enter_lists(families, reached)
    draft.add(block, items)


def sums_of(
    items: RuleItems, families: Sequence[Family], scope: Scope, draft: MatrixDraft, block: Block
) -> list[dict[int, int]]:
    """For each item of a rule what each choice counts in it, without those that count 0. block: counts them."""
    sums: list[dict[int, int]] = [{} for _ in items.keys]
    for family in families:
        weigh = weighing(items.rule, family, items.views[family.name], items.keys, scope)
        weights = weigh.of_choices()
        if weights is not None:
            reached = reached_by(items, family, scope, draft.most)
            _count_each(sums, reached, dict(enumerate(weights, family.first)), draft.dropped, block)
            continue
        for number, own in reached_by(items, family, scope, draft.most):
            if number in draft.dropped:
                continue
            block.count(len(own))
            for at, weight in zip(own, weigh(number, own), strict=True):
                if weight:
                    sums[at][number] = weight
    return sums


def _count_each(
    sums: Sequence[dict[int, int]],
    reached: Iterable[tuple[int, Sequence[int]]],
    weights: Mapping[int, int],
    dropped: Mapping[int, object],
    block: Block,
) -> None:
    """Let each choice count as much in all sums that it reaches. weights: by the number of the choice."""
    entries = 0
    for number, own in reached:
        if number in dropped:
            continue
        entries += len(own)
        if entries > block.room:
            break
        weight = weights[number]
        if weight:
            for at in own:
                sums[at][number] = weight
    block.count(entries)


def add_agree(
    statement: Agree, families: Mapping[str, Family], declared: Mapping[str, Group], scope: Scope, draft: MatrixDraft
) -> None:
    """Add the items of an `agree` with the colours that choices show, and drop choices that show two. Raises
    EvalFault."""
    keys: dict[Any, int] = {}
    colours: dict[Any, int] = {}
    block = draft.begin(statement)
    own = [families[name] for name in dict.fromkeys(shown.family.id for shown in statement.shown)]
    stated = Agreement(statement, own, declared, scope)
    for family in own:
        at_once = stated.at_once(family, draft.most)
        if at_once is not None:
            _enter_colours(at_once, family, keys, colours, block, statement, draft)
            continue
        for number, shown in stated.one_by_one(family):
            if number in draft.dropped:
                continue
            if shown is None:
                draft.dropped[number] = statement
                continue
            block.count(len(shown))
            for key, colour in shown.items():
                block.place(number, keys.setdefault(key, len(keys)), colours.setdefault(colour, len(colours) + 1))
    block.bounds += [(0, 1)] * len(keys)
    draft.add(block, AgreeItems(statement, tuple(keys)))


def _enter_colours(
    shown: ShownColours,
    family: Family,
    keys: dict[Any, int],
    colours: dict[Any, int],
    block: Block,
    statement: Agree,
    draft: MatrixDraft,
) -> None:
    """Enter what the choices of a family show. Keys and colours are numbered as they come up in the choices that are
    left."""
    if shown.which is None and draft.dropped.keys().isdisjoint(range(family.first, family.first + len(shown.rows))):
        agreeing = [row for row in shown.rows if row is not None]
        if len(agreeing) == len(shown.rows):
            block.enter_rows(family, _numbered(agreeing, keys, colours))
            return
    rows: list[tuple[int, ...]] = [()] * len(shown.rows)
    own: list[tuple[int, ...]] = [()] * len(shown.rows)
    met = [False] * len(shown.rows)
    for number, at in enumerate(range(len(rows)) if shown.which is None else shown.which, family.first):
        if number in draft.dropped:
            continue
        row = shown.rows[at]
        if row is None:
            draft.dropped[number] = statement
        elif row and not met[at]:
            met[at] = True
            entries = [
                (keys.setdefault(key, len(keys)), colours.setdefault(colour, len(colours) + 1))
                for key, colour in row.items()
            ]
            rows[at], own[at] = zip(*sorted(entries), strict=True)
    block.enter_rows(family, FamilyRows(rows, shown.which, own))


def _numbered(shown: Sequence[dict[Any, Any]], keys: dict[Any, int], colours: dict[Any, int]) -> FamilyRows:
    """What choices show, where each shows something of its own, with numbers for keys and colours, which are added in
    the order in which they come up."""
    of_keys = list(chain.from_iterable(shown))
    of_colours = list(chain.from_iterable(map(dict.values, shown)))
    for key in dict.fromkeys(of_keys):
        keys.setdefault(key, len(keys))
    for colour in dict.fromkeys(of_colours):
        colours.setdefault(colour, len(colours) + 1)
    entries = zip(map(keys.__getitem__, of_keys), map(colours.__getitem__, of_colours), strict=True)
    rows: list[tuple[int, ...]] = []
    own: list[tuple[int, ...]] = []
    for size in map(len, shown):
        found, shades = zip(*sorted(islice(entries, size)), strict=True) if size else ((), ())
        rows.append(found)
        own.append(shades)
    return FamilyRows(rows, None, own)


def add_needs(
    statement: Needs, families: Mapping[str, Family], declared: Mapping[str, Group], scope: Scope, draft: MatrixDraft
) -> list[Diagnostic]:
    """Add what an `if … then` says; returns the warnings about it. Raises EvalFault."""
    said = said_by(statement, families, declared, scope, draft.dropped)
    warned = list(remarks(statement, said, families))
    named = dict.fromkeys(choice.family.id for choice in (*statement.before, *statement.after))
    _add_needs(statement, said.needs, [families[name] for name in named], draft)
    return warned


def _add_needs(statement: Needs, needs: Sequence[Need], families: Sequence[Family], draft: MatrixDraft) -> None:
    """Add the items and totals of an `if … then`.

    Choices that can't all be taken share an item with the bounds 0 and one less than they are; choices of which one
    must be taken whatever the others are an item that asks for one; any other demand is a total.
    """
    names: list[str | LateName] = []
    source = StatedItems(statement, names)
    block = draft.begin(statement)
    reached: defaultdict[int, list[int]] = defaultdict(list)
    for need in heeded(needs):
        all_of, one_of = need.all_of, need.one_of
        if need.sum is not None:
            _add_demand(need.sum, need.name, names, source, block, reached, draft)
            continue
        names.append(need.name)
        if all_of and one_of:
            terms = {**dict.fromkeys(one_of, 1), **dict.fromkeys(all_of, -1)}
            want = ((1 - len(all_of), None),)
            draft.sides.append(TotalDraft(source, block.item(NOTHING), terms, want))
            block.count(len(terms))
            continue
        at = block.item((0, len(all_of) - 1) if all_of else (1, None))
        block.count(len(all_of or one_of))
        for number in all_of or one_of:
            reached[number].append(at)
    block.enter_lists(families, reached)
    draft.add(block, source)


def _add_demand(
    demand: StatedDemand,
    name: str | LateName,
    names: list[str | LateName],
    source: StatedItems,
    block: Block,
    reached: defaultdict[int, list[int]],
    draft: MatrixDraft,
) -> None:
    """Add the total of a demand that is about a sum, or the item that says the same. reached: the items of each
    choice, to which those of this are added."""
    terms, want = total_of(demand)
    check_size(terms, source.statement.span)
    names.append(name)
    bound = as_item(terms, want)
    at = block.item(bound or NOTHING)
    block.count(len(terms))
    if bound is None:
        draft.sides.append(TotalDraft(source, at, terms, want))
        return
    for number in terms:
        reached[number].append(at)


def add_shape(
    statement: Connected | Loop,
    families: Mapping[str, Family],
    declared: Mapping[str, Group],
    scope: Scope,
    draft: MatrixDraft,
) -> None:
    """Add the side conditions of a `connected` or `loop`, which have no items. Raises EvalFault."""
    block = draft.begin(statement)
    entries = 0
    if isinstance(statement, Connected):
        own = [families[f.id] for f in dict.fromkeys(statement.families)]
        for connection in connections(statement, own, declared, scope, draft.dropped, draft.most):
            entries += len(connection.places)
            draft.sides.append(connection)
    else:
        for circuit in loops(statement, families[statement.family.id], declared, scope, draft.dropped):
            entries += len(circuit.ends)
            draft.sides.append(circuit)
    block.count(entries)
    draft.add(block, StatedItems(statement, ()))
