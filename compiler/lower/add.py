"""What each statement adds to the matrix: a block of items, or drafts of side conditions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice
from typing import Any

from covr.compiler.evaluate import EvalFault, Scope
from covr.compiler.lower import rules
from covr.compiler.lower.areas import areas, division
from covr.compiler.lower.demands import total_of
from covr.compiler.lower.families import Family, Lowering
from covr.compiler.lower.keys import FamilyRows, WholeRows, additions
from covr.compiler.lower.lines import line_shapes, stretches
from covr.compiler.lower.lowered import AgreeItems, AreasDraft, ItemSource, Origins, SideDraft, StatedItems, TotalDraft
from covr.compiler.lower.marks import Agreement
from covr.compiler.lower.needs import remarks, said_by
from covr.compiler.lower.query import Found
from covr.compiler.lower.shapes import connections, shapes_of
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.syntax import Agree, AreaRule, CheckedModel, Connected, Divide, Loop, Needs, Rule, Statement, Stretch
from covr.engine.base.limits import with_limit_checks
from covr.engine.problem import LateName

# --- blocks ----------------------------------------------------------------------------------------------------------
# The matrix in the making: for each statement a block of items, and for each choice the items that it reaches.
#
# Items are numbered once every statement has been read, because the items of rules that ask for something come first.
# Until then an item is a block and a place in it.


Bounds = tuple[int, int | None]
Entry = tuple[int, int, int]
"""A block, a place in it, and a colour, 0 for none."""
NOTHING: Bounds = (0, None)  # the bounds of an item that asks for nothing, and so is left out of the matrix


class MatrixDraft(Lowering):
    """The matrix while statements add to it.

    - rows: for each choice its entries that are not in `whole`
    - whole: the entries of whole families, by family and block; what is said of dropped choices does not count
    - blocks: what each block's items come from, and their bounds
    - sides: the side conditions, which are numbered last
    - most: how many entries the matrix may have
    - additions: what is added to default names (keys.py)
    - warned: the warnings that came up
    """

    def __init__(self, model: CheckedModel, scope: Scope) -> None:
        super().__init__(model, scope)
        self.rows: defaultdict[int, list[Entry]] = defaultdict(list)
        self.whole: dict[str, dict[int, WholeRows]] = {}
        self.blocks: list[tuple[ItemSource, list[Bounds]]] = []
        self.sides: list[SideDraft] = []
        self.most = scope.budget.limits.entries
        self.additions = additions(model.statements)
        self.warned: list[Diagnostic] = []
        self.entries = 0

    def begin(self, statement: Statement) -> Block:
        """A new block; it does not count before it is added."""
        return Block(self, statement)

    def add(self, block: Block, source: ItemSource) -> None:
        """Add the block that was begun last, now that it is complete. source: what its items come from."""
        for family, rows in block.whole.items():
            self.whole.setdefault(family, {})[len(self.blocks)] = rows
        self.blocks.append((source, block.bounds))
        self.entries = block.entries

    def numbered(self, options: int) -> tuple[list[Sequence[int]], Origins, list[int], list[int]]:
        """Item numbers for each block, primary items first (-1 for an item that asks for nothing), origins and bounds.
        options: how many there are, the upper bound of items without one. The numbers of a block whose items all have
        the same bounds are a range."""
        numbering: list[Sequence[int]] = [[-1] * len(bounds) for _, bounds in self.blocks]
        kinds = [frozenset(bounds) for _, bounds in self.blocks]
        runs: list[tuple[ItemSource, Sequence[int]]] = []
        low: list[int] = []
        high: list[int] = []
        for primary in (True, False):
            for block, (source, bounds) in enumerate(self.blocks):
                asked = {(lo, hi) for lo, hi in kinds[block] if (lo > 0) == primary and (lo, hi) != NOTHING}
                if not asked:
                    continue
                every = range(len(bounds))
                places = every if len(kinds[block]) == 1 else [at for at in every if bounds[at] in asked]
                numbers = range(len(low), len(low) + len(places))
                if len(kinds[block]) == 1:
                    numbering[block] = numbers
                else:
                    own = dict(zip(places, numbers, strict=True))
                    numbering[block] = [own.get(at, was) for at, was in enumerate(numbering[block])]
                low += [bounds[at][0] for at in places]
                high += [max(options, lo) if hi is None else hi for lo, hi in map(bounds.__getitem__, places)]
                runs.append((source, places))
        return numbering, Origins(runs, self.additions), low, high


class Block:
    """The items of one statement. bounds: of each item; entries: how many the matrix has, this block's included; whole:
    the entries of whole families."""

    def __init__(self, draft: MatrixDraft, statement: Statement) -> None:
        self._most = draft.most
        self._rows = draft.rows
        self._sides = draft.sides
        self._dropped = draft.dropped
        self._number = len(draft.blocks)
        self._statement = statement
        self.bounds: list[Bounds] = []
        self.entries = draft.entries
        self.whole: dict[str, WholeRows] = {}

    @property
    def room(self) -> int:
        """How many more entries the matrix may have."""
        return self._most - self.entries

    def item(self, bounds: Bounds) -> int:
        """Add an item; returns its place in the block."""
        self.bounds.append(bounds)
        return len(self.bounds) - 1

    def enter_rows(self, family: Family, rows: WholeRows) -> None:
        """Let all choices of a family reach items, and count that. Raises EvalFault E422 as `count` does."""
        first, size = family.first, len(family.choices)
        self.count(rows.entries([c - first for c in self._dropped if 0 <= c - first < size]))
        self.whole[family.name] = rows

    def enter_lists(self, families: Iterable[Family], reached: Mapping[int, Sequence[int]]) -> None:
        """Let choices reach items, which increase, without counting that. reached: by the number of the choice; none of
        them is dropped."""
        for family in families:
            own = range(family.first, family.first + len(family.choices))
            if not reached.keys().isdisjoint(own):
                self.whole[family.name] = FamilyRows([reached.get(choice, ()) for choice in own], None)

    def total(
        self, source: StatedItems, terms: Mapping[int, int], want: rules.Wanted, reached: defaultdict[int, list[int]]
    ) -> None:
        """Add a sum that must be wanted: as an item if one says the same, else as a side condition. reached: the items
        of each choice, to which those of this are added. Counts its entries."""
        bound = rules.as_item(terms, want)
        at = self.item(bound or NOTHING)
        self.count(len(terms))
        if bound is None:
            self._sides.append(TotalDraft(source, at, terms, want))
            return
        for number in terms:
            reached[number].append(at)

    def place(self, choice: int, at: int, colour: int = 0) -> None:
        """Let a choice reach an item, without counting that."""
        self._rows[choice].append((self._number, at, colour))

    def count(self, entries: int) -> None:
        """Count entries. Raises EvalFault E422 if the matrix has too many."""
        self.entries += entries
        if self.entries > self._most:
            raise self._too_large()

    def _too_large(self) -> EvalFault:
        message = f"the matrix has more than {self._most:,} entries"
        return EvalFault(Diagnostic("E422", message, self._statement.span))


# --- at most one -----------------------------------------------------------------------------------------------------
# Which choices no answer takes together, because a rule has at most one of them. So a wish about twenty choices of
# which one is taken has two sums and not twenty-one.


Item = tuple[int, int]
"""A block, and a place in it."""


class AtMostOne:
    """The rules of a matrix of which each item has at most one choice, read when they are first asked for."""

    def __init__(self, draft: MatrixDraft) -> None:
        """draft: with the blocks of all rules."""
        self._draft = draft

    @cached_property
    def _items(self) -> dict[int, list[Item]]:
        """For each choice its items that have at most one, and in which it shows no colour."""
        draft = self._draft
        narrow = {block: {at for at, (_, high) in enumerate(bounds) if high == 1}
                  for block, (_, bounds) in enumerate(draft.blocks)}  # fmt: skip
        found: dict[int, list[Item]] = {}
        for name, family in draft.families.items():
            for block, rows in draft.whole.get(name, {}).items():
                if not narrow[block] or rows.colours is not None:
                    continue
                for number, reached in rows.numbered(family.first):
                    found.setdefault(number, []).extend((block, at) for at in reached if at in narrow[block])
        for number, row in draft.rows.items():
            own = [(block, at) for block, at, colour in row if not colour and at in narrow.get(block, ())]
            found.setdefault(number, []).extend(own)
        return found

    def groups(self, choices: Iterable[int]) -> list[list[int]]:
        """The choices in groups, of each of which an answer takes at most one. Large items are served first. Time: the
        number of their items, sorted by size."""
        members: dict[Item, list[int]] = {}
        left = dict.fromkeys(choices)
        for choice in left:
            for item in self._items.get(choice, ()):
                members.setdefault(item, []).append(choice)
        found = []
        for own in sorted(members.values(), key=len, reverse=True):
            group = [choice for choice in own if choice in left]
            if len(group) > 1:
                found.append(group)
                for choice in group:
                    del left[choice]
        return found + [[choice] for choice in left]


# --- add -------------------------------------------------------------------------------------------------------------
# What each statement adds to the matrix: a block of items, or side conditions where no item can express it.


def add_rule(rule: Rule, draft: MatrixDraft) -> None:
    """Add a rule's items and entries. Raises EvalFault."""
    own = draft.of(rule.families)
    items = rules.rule_items(rule, own, draft)
    if not rules.is_counted(rule, items.wants):
        _add_sums(items, own, draft)
        return
    block = draft.begin(rule)
    block.bounds += map(rules.bounds_of, items.wants)
    for family in own:
        block.enter_rows(family, rules.rows_of(items, family, draft.scope))
    draft.add(block, items)


def _add_sums(items: rules.RuleItems, families: Sequence[Family], draft: MatrixDraft) -> None:
    """Add a rule with weights or a set of numbers: each sum as an item if that can express it, else as a side."""
    block = draft.begin(items.rule)
    sums = sums_of(items, families, draft, block)
    reached: defaultdict[int, list[int]] = defaultdict(list)
    for at, (terms, want) in enumerate(zip(sums, items.wants, strict=True)):
        if items.rule.weights:
            rules.check_size(terms, items.rule.span)
            bound = rules.as_item(terms, want)
        else:
            bound = rules.of_ones(len(terms), want)[1]
        block.item(bound or NOTHING)
        if bound is None:
            draft.sides.append(TotalDraft(items, at, terms, want))
        elif bound != NOTHING:
            for number in terms:
                reached[number].append(at)
    block.enter_lists(families, reached)
    draft.add(block, items)


def sums_of(
    items: rules.RuleItems, families: Sequence[Family], draft: MatrixDraft, block: Block
) -> list[dict[int, int]]:
    """For each item of a rule what each choice counts in it, without those that count 0. block: counts them."""
    sums: list[dict[int, int]] = [{} for _ in items.keys]
    for family in families:
        weigh = rules.weighing(items.rule, family, items.views[family.name], items.keys, draft.scope)
        weights = weigh.of_choices()
        if weights is not None:
            reached = rules.reached_by(items, family, draft.scope)
            _count_each(sums, reached, dict(enumerate(weights, family.first)), draft.dropped, block)
            continue
        for number, own in rules.reached_by(items, family, draft.scope):
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


def add_agree(statement: Agree, draft: MatrixDraft) -> None:
    """Add the items of an `agree` with the colours that choices show, and drop choices that show two. Raises
    EvalFault."""
    keys: dict[Any, int] = {}
    colours: dict[Any, int] = {}
    block = draft.begin(statement)
    own = draft.of(shown.family for shown in statement.shown)
    stated = Agreement(statement, own, draft)
    for family in own:
        _enter_colours(stated.shown(family), family, keys, colours, block, statement, draft)
    block.bounds += [(0, 1)] * len(keys)
    draft.add(block, AgreeItems(statement, tuple(keys)))


def _enter_colours(
    shown: Found,
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


def add_needs(statement: Needs, draft: MatrixDraft) -> None:
    """Add the items and totals of an `if … then`. Raises EvalFault. Choices that can't all be taken share an item with
    the bounds 0 and one less than they are; choices of which one must be taken are an item that asks for one; any other
    demand is a total."""
    said = said_by(statement, draft)
    draft.warned += remarks(statement, said, draft.families)
    names: list[str | LateName] = []
    source = StatedItems(statement, names)
    block = draft.begin(statement)
    reached: defaultdict[int, list[int]] = defaultdict(list)
    for need in with_limit_checks(said.needs):
        all_of, one_of = need.all_of, need.one_of
        if need.sum is not None:
            terms, want = total_of(need.sum)
            rules.check_size(terms, statement.span)
            names.append(need.name)
            block.total(source, terms, want, reached)
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
    block.enter_lists(draft.of(choice.family for choice in (*statement.before, *statement.after)), reached)
    draft.add(block, source)


def add_shape(statement: Connected | Loop | AreaRule | Divide, draft: MatrixDraft) -> None:
    """Add the side conditions of a `connected`, a `loop` or another shape, areas or a `divide`, and the items and
    totals that say how many lines meet where. Raises EvalFault."""
    block = draft.begin(statement)
    names: list[str | LateName] = []
    source = StatedItems(statement, names)
    reached: defaultdict[int, list[int]] = defaultdict(list)
    entries = 0
    if isinstance(statement, Connected):
        for connection in connections(statement, draft):
            entries += len(connection.places)
            draft.sides += shapes_of(statement.word, connection)
    elif isinstance(statement, AreaRule | Divide):
        for some in division(statement, draft) if isinstance(statement, Divide) else _areas_of(statement, draft):
            entries += len(some.places) + len(some.terms) + len(some.cuts)
            draft.sides.append(some)
    else:
        for shape in line_shapes(statement, draft):
            entries += len(shape.lines)
            draft.sides += shape.sides
            for terms, want in shape.counts:
                names.append(shape.name)
                block.total(source, terms, want, reached)
        block.enter_lists(draft.of([statement.family]), reached)
    block.count(entries)
    draft.add(block, source)


def _areas_of(statement: AreaRule, draft: MatrixDraft) -> Iterator[AreasDraft]:
    return stretches(statement, draft) if isinstance(statement.area, Stretch) else areas(statement, draft)
