"""`exactly`, `at least`, `at most`: a rule becomes items, and choices become members of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import compress, repeat
from typing import Any, Final, TypeAlias

from attrs import field

from covr.compiler.evaluate import EvalFault, Scope
from covr.compiler.evaluate.expressions import conjuncts, free_in_template, free_names, replace
from covr.compiler.evaluate.limits import CHOICE, met
from covr.compiler.evaluate.values import Rng, Set, abbreviate, kind_of, show_value
from covr.compiler.lower.families import Family, Lowering, of_choice
from covr.compiler.lower.groups import Within, allow_only, closure
from covr.compiler.lower.keys import (
    FamilyRows,
    KeyPlan,
    SingleItems,
    WholeRows,
    head,
    key_getter,
    key_values,
    plan_keys,
)
from covr.compiler.lower.marks import for_choice
from covr.compiler.lower.query import IndexValues, WalkQuery
from covr.compiler.lower.walk import Walk, hold
from covr.dsl.diagnostics import Diagnostic, Span
from covr.dsl.syntax import Compare, Expr, Key, Name, Number, Range, Rule, Then
from covr.engine.problem import MOST_TOTAL
from covr.frozen import evolve, frozen

# --- sums ------------------------------------------------------------------------------------------------------------
# The sums that a rule asks for: the ranges that its quantity names, and the part of them that its choices can reach.
#
# A rule adds 1 for each choice, or with `total` the weight of each; `Wanted` has the ranges in which the sum may lie.
# If all choices count 1 and there is one range, the sum is an item; any other sum is a `Total` of the problem.


Wanted: TypeAlias = tuple[tuple[int | None, int | None], ...]
"""Closed ranges, increasing and with gaps between them. None means no bound on that side: only the first range can lack
a lower bound, and only the last an upper bound."""

Counting: TypeAlias = Rule | Then
"""What says how many choices are taken: a rule, or a count after `then`."""


def ends_of(quantity: Expr) -> tuple[Expr, ...]:
    """The expressions of a quantity to evaluate: both ends if it is written as a range, otherwise the whole."""
    return (quantity.low, quantity.high) if isinstance(quantity, Range) else (quantity,)


def wanted(rule: Counting, ends: Sequence[Expr], values: Sequence[Any]) -> Wanted:
    """What a rule or a count wants, from the values of its `ends_of`. Raises EvalFault where it can't want these."""
    if len(values) == 2:
        low, high = (_whole(v, e, rule) for v, e in zip(values, ends, strict=True))
        return _range(rule, low, high)
    value = values[0]
    if isinstance(value, Rng) and value.high >= value.low:
        return _range(rule, _whole(value.low, ends[0], rule), value.high)
    if isinstance(value, Set):
        return _set(rule, value, ends[0])
    number = _whole(value, ends[0], rule)
    return {"exactly": ((number, number),), "at least": ((number, None),), "at most": ((None, number),)}[rule.kind]


def _range(rule: Counting, low: int, high: int) -> Wanted:
    if rule.kind != "exactly":
        message = f"a range goes with `exactly`, not with `{rule.kind}`"
        raise EvalFault(Diagnostic("E412", message, _span(rule), help=f"write `exactly {low}..{high}`"))
    if high < low:
        raise EvalFault(Diagnostic("E413", f"the range {low}..{high} is empty", _span(rule)))
    return ((low, high),)


def _set(rule: Counting, value: Set, expr: Expr) -> Wanted:
    if rule.kind != "exactly":
        message = f"a set of numbers goes with `exactly`, not with `{rule.kind}`"
        raise EvalFault(Diagnostic("E412", message, _span(rule)))
    numbers = sorted(_whole(v, expr, rule) for v in value)
    if not numbers:
        raise EvalFault(Diagnostic("E413", "the set of numbers is empty", _span(rule)))
    return tuple(merged((n, n) for n in numbers))


def merged(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same numbers as as few ranges as possible: adjacent ranges are joined. ranges: by increasing low end."""
    found: list[tuple[int, int]] = []
    for low, high in ranges:
        if found and low <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(high, found[-1][1]))
        else:
            found.append((low, high))
    return found


def _span(rule: Counting) -> Span:
    assert rule.quantity is not None
    return rule.quantity.span


def _whole(value: Any, expr: Expr, rule: Counting) -> int:
    if type(value) is not int:
        what = "what a total is to be" if rule.weights else "how many choices a rule wants"
        raise EvalFault(Diagnostic("E410", f"{what} is a whole number, and this is {kind_of(value)}", expr.span))
    if value < 0 and not rule.weights:
        message = f"a rule cannot want {value} choices"
        raise EvalFault(Diagnostic("E411", message, expr.span, help="the smallest number is 0"))
    return value


def is_counted(rule: Rule, ranges: Iterable[Wanted]) -> bool:
    """Whether a rule counts choices and wants one range for each item, so that ordinary items express it directly."""
    return not rule.weights and all(len(w) == 1 for w in ranges)


def bounds_of(want: Wanted) -> tuple[int, int | None]:
    """The bounds of an ordinary item that wants one range; None means no upper bound."""
    ((low, high),) = want
    return low or 0, high


def weighing(rule: Rule, family: Family, plan: KeyPlan, keys: Sequence[tuple[Any, ...]], scope: Scope) -> Weighing:
    """How much each choice of a family counts in each item of a rule. keys: the items' key values, in order."""
    weights = [w for w, f in zip(rule.weights, rule.families, strict=False) if f.id == family.name]
    return Weighing(family, weights, plan, keys, scope)


class Weighing:
    """What a choice counts in each of the items that it reaches: the sum of its weights, or 1 if the rule has none.

    A weight may use the indices of its family and the keys of the rule. It is worked out once for each choice, or for
    each item if it uses a key; a lone weight that is an index is read from the choice.
    """

    def __init__(
        self, family: Family, weights: Sequence[Expr], plan: KeyPlan, keys: Sequence[tuple[Any, ...]], scope: Scope
    ) -> None:
        self._family, self._plan, self._keys = family, plan, keys
        values = frozenset(family.indices).union(plan.names)
        within = frozenset(n for key in plan.computed.values() for n in free_names(key) if n in plan.local)
        inside = Within(scope, values | within)
        replaced = [replace(w, plan.replacements()) for w in weights]
        message = f"{{name}} is neither an index of `{family.name}` nor a key of this rule"
        for weight in replaced:
            allow_only(values, within, weight, message, "name it after `per`")
        self._weights = [(w, inside.compile(w)) for w in replaced]
        self._used = frozenset().union(*map(free_names, replaced)) & frozenset(plan.names)
        self._constant = not any(free_names(w) & (values | within) for w in replaced)
        self._keyed = bool(self._used.difference(family.indices))
        self._index = _index_of(replaced, family)  # of the lone weight, or None

    def of_choices(self) -> Sequence[int] | None:
        """For each choice how much it counts in all items that it reaches, if that is one of its indices, or the same
        for all choices; None for other weights."""
        if not self._weights:
            return [1] * len(self._family.choices)
        if self._constant:
            try:
                return [self._sum({})] * len(self._family.choices)
            except EvalFault:
                return None  # it is told of a choice, if any reaches an item
        if self._index is None:
            return None
        found = [args[self._index] for args in self._family.choices]
        return found if {*map(type, found)} <= {int} else None

    def __call__(self, number: int, reached: Sequence[int]) -> Iterable[int]:
        """What the choice of this number counts in each item that it reaches. Raises EvalFault where a weight is not a
        whole number."""
        if not self._weights:
            return repeat(1, len(reached))
        family = self._family
        if self._index is not None:
            counted = family.choices[number - family.first][self._index]
            if type(counted) is int:
                return [counted] * len(reached)
        env = dict(zip(family.indices, family.choices[number - family.first], strict=True))
        with for_choice(family, number):
            if not self._keyed:
                return [self._sum(env)] * len(reached)
            return [self._at(self._keys[at], env) for at in reached]

    def _at(self, key: tuple[Any, ...], env: Mapping[str, Any]) -> int:
        try:
            return self._sum({**env, **dict(zip(self._plan.names, key, strict=True))})
        except EvalFault as fault:
            raise self._plan.met(fault, self._used, key) from None

    def _sum(self, env: dict[str, Any]) -> int:
        total = 0
        for weight, value in self._weights:
            counted = value(env)
            if type(counted) is not int:
                message = f"a total adds whole numbers, and this is {kind_of(counted)}: {abbreviate(counted)}"
                raise EvalFault(Diagnostic("E418", message, weight.span))
            total += counted
        return total


def _index_of(weights: Sequence[Expr], family: Family) -> int | None:
    """Which index of the family the only weight is, from 0; None if there are several, or it is another expression."""
    match weights:
        case [Name(id=name)] if name in family.indices:
            return family.indices.index(name)
    return None


def within_reach(terms: Mapping[int, int], want: Wanted) -> tuple[tuple[int, int], ...]:
    """The ranges, cut down to lie between the least and the greatest sum that these choices can have. terms: choice →
    what it counts. Numbers in between that no set of choices adds up to are not removed."""
    counts = terms.values()
    if {*counts} <= _UNITS:
        every, total = len(counts), sum(counts)
        return _of_units((total - every) // 2, (total + every) // 2, want)
    return _clipped(*ends_of_sum(counts), want)


_UNITS: Final = frozenset((1, -1))


@lru_cache(maxsize=1024)
def _of_units(least: int, most: int, want: Wanted) -> tuple[tuple[int, int], ...]:
    """`within_reach` for choices that count 1 or -1: large boards have few kinds of such sums."""
    return _clipped(least, most, want)


def ends_of_sum(counts: Collection[int]) -> tuple[int, int]:
    """The least and the greatest sum of some of these numbers."""
    every = sum(counts)
    if not counts or min(counts) >= 0:
        return 0, every
    most = sum([c for c in counts if c > 0])
    return every - most, most


def _clipped(least: int, most: int, want: Wanted) -> tuple[tuple[int, int], ...]:
    clipped = [
        (least if low is None else max(low, least), most if high is None else min(high, most)) for low, high in want
    ]
    return tuple([(low, high) for low, high in clipped if low <= high])


def as_item(terms: Mapping[int, int], want: Wanted) -> tuple[int, int | None] | None:
    """The bounds of an ordinary item that says the same; (0, None) if nothing is demanded; None if only a `Total` can
    say it. terms: choice → what it counts."""
    counts = terms.values()
    if {*counts} == {1}:
        return of_ones(len(counts), want)[1]
    return _bounds(counts, want)


@lru_cache(maxsize=1024)
def of_ones(count: int, want: Wanted) -> tuple[tuple[tuple[int, int], ...], tuple[int, int | None] | None]:
    """`within_reach` and `as_item` for so many choices that count 1 each: large boards have few kinds of such sums."""
    return _clipped(0, count, want), _bounds([1] * count, want)


def _bounds(counts: Collection[int], want: Wanted) -> tuple[int, int | None] | None:
    plain = not counts or min(counts) == max(counts) == 1
    if plain and len(want) == 1 and (want[0][1] is None or want[0][1] >= 0):
        return max(want[0][0] or 0, 0), want[0][1]
    least, most = ends_of_sum(counts)
    left = _clipped(least, most, want)
    if left == ((least, most),):
        return 0, None
    if plain and len(left) == 1:
        return left[0]
    return None


def check_size(terms: Mapping[int, int], span: Span) -> None:
    """Raises EvalFault E419 if the absolute values of what the choices count add up to 2^62 or more."""
    size = sum(map(abs, terms.values()))
    if size >= MOST_TOTAL:
        bits = size.bit_length()
        amount = str(size) if bits < 100 else f"a number of {bits} binary digits"
        message = f"what this total adds up is {amount}, signs left out, and must stay below 2^62 = {MOST_TOTAL}"
        raise EvalFault(Diagnostic("E419", message, span, help="count in larger units"))


# --- rules -----------------------------------------------------------------------------------------------------------
# `exactly`, `at least`, `at most`: a rule becomes items, and choices become members of them.
#
# A rule's condition is split at its `and`s. Parts that mention only keys restrict the items; the others restrict which
# choices count, and determine to which values of a free key a choice belongs. In a rule over several families, a part
# that mentions an index that only some of them have restricts those families only.


KeyValue = tuple[Any, ...]


@frozen(eq=False)
class RuleItems:
    """The items of one rule. keys: their key values, in order; wants: for each, the ranges in which its sum may lie.

    views: for each family of the rule, the plan of the keys as that family sees them; the first one's plan names items.
    """

    rule: Rule
    keys: tuple[KeyValue, ...] = field(repr=False)
    wants: tuple[Wanted, ...] = field(repr=False)
    views: Mapping[str, KeyPlan] = field(repr=False)
    _label: list[Any] = field(factory=list, init=False, repr=False)  # the scope last used, and the label compiled in it

    @property
    def key_plan(self) -> KeyPlan:
        """The plan of the rule's keys as its first family sees them; names and values are the same for all."""
        return next(iter(self.views.values()))

    def name(self, at: int, scope: Scope) -> str:
        """The item's label, filled in; without one, the rule's head and the values of its keys."""
        env = dict(zip(self.key_plan.names, self.keys[at], strict=True))
        if self.rule.label is None:
            return self._plain(self.keys[at])
        try:
            if not self._label or self._label[0] is not scope:
                label = replace(self.rule.label, self.key_plan.replacements())
                self._label[:] = [scope, self.key_plan.within(scope).template(label)]
            return str(self._label[1](env))
        except EvalFault:
            return self._plain(self.keys[at])

    def _plain(self, key: KeyValue) -> str:
        if not key:
            return head(self.rule)
        names = self.key_plan.written
        return head(self.rule) + " for " + ", ".join(f"{n} = {show_value(v)}" for n, v in zip(names, key, strict=True))


def rule_items(rule: Rule, families: Sequence[Family], lowering: Lowering) -> RuleItems:
    """Every item of a rule, whether or not a choice reaches it. Cost: linear in the number of key values."""
    try:
        return _rule_items(rule, families, lowering)
    except EvalFault as fault:
        help = _narrower(rule, families) if fault.diagnostic.code in ("E210", "E421") else ""
        raise EvalFault(evolve(fault.diagnostic, help=help)) if help else fault from None


def _narrower(rule: Rule, families: Sequence[Family]) -> str:
    """How the keys of a rule may take fewer values: those in the sets of its choices, instead of all; empty if the
    rule's keys already do that."""
    indices = frozenset(n for family in families for n in family.indices)
    if any(isinstance(key, Key) and free_names(key.over) & indices for key in rule.keys):
        return ""
    own = (
        part for part in conjuncts(rule.where) if isinstance(part, Compare) and [op for op, _ in part.rest] == ["in"]
    )
    written = next((p.span.one_line for p in own if free_names(p.rest[0][1]) & indices), "x in f(a, b)")
    return f"let the key walk the choice's own set: `per {written}`"


def _rule_items(rule: Rule, families: Sequence[Family], lowering: Lowering) -> RuleItems:
    scope = lowering.scope
    views = {f.name: plan_keys(rule.keys, f, lowering.declared) for f in families}
    _known_to_all(rule, views, scope)
    found: dict[KeyValue, None] = {}
    for name, plan in views.items():
        narrow = [replace(part, plan.replacements()) for part in split_condition(rule, views, name)[0]]
        try:
            values = key_values(plan, scope)
        except EvalFault:
            plan.within(scope).tests(narrow)  # what is wrong with these is told first
            raise
        left: dict[KeyValue, None] | None = values
        if narrow:
            query = WalkQuery(scope, (), narrow, (), IndexValues(plan.names, list(values)))
            holds = query.at_once() if 0 < len(plan.names) == len(set(plan.names)) else None
            left = None if holds is None else dict.fromkeys(compress(values, holds.each()))
        if left is not None:
            found = found | left if found else left
            continue
        checks = plan.within(scope).tests(narrow)
        used = frozenset().union(*map(free_names, narrow))
        for key in values:
            env = dict(zip(plan.names, key, strict=True))
            try:
                if hold(checks, env):
                    found.setdefault(key)
            except EvalFault as fault:
                raise plan.met(fault, used, key) from None
    keys = tuple(found)
    if len(keys) > scope.budget.limits.items:
        raise EvalFault(Diagnostic("E421", f"this rule makes more than {scope.budget.limits.items:,} items", rule.span))
    plan = views[families[0].name]
    _speaks_of_keys(rule, views, plan)
    wants = _wants(rule, plan, keys, scope)
    items = RuleItems(rule, keys, wants, views)
    if rule.label is not None and keys:
        label = replace(rule.label, plan.replacements())
        try:
            plan.within(scope).template(label)(dict(zip(plan.names, keys[0], strict=True)))
        except EvalFault as fault:
            raise plan.met(fault, free_in_template(label), keys[0]) from None
    return items


def _known_to_all(rule: Rule, views: Mapping[str, KeyPlan], scope: Scope) -> None:
    """Raises EvalFault E414 if a key uses an index that one of the families does not have."""
    every = frozenset().union(*(view.local for view in views.values()))
    for name, view in views.items():
        for key in rule.keys if every - view.local.keys() else ():
            message = f"{{name}} is not an index of `{name}`, but a key is used for the choices of all families"
            help = "declare it with `cells` or `values`, or write a rule for each family"
            known = scope.global_names | view.local.keys()
            allow_only(known, every, key.over if isinstance(key, Key) else key, message, help)


def _speaks_of_keys(rule: Rule, views: Mapping[str, KeyPlan], plan: KeyPlan) -> None:
    """Raises EvalFault E414 if the quantity or the label of a rule uses an index that is not one of its keys."""
    local = frozenset().union(*(view.local for view in views.values()))
    for part, what in ((rule.quantity, "quantity"), (rule.label, "label")):
        if part is not None and not isinstance(part, Number):
            message = f"{{name}} is not a key of this rule, and its {what} can only use keys"
            allow_only(plan.names, local, replace(part, plan.replacements()), message, "name it after `per`")


def _wants(rule: Rule, plan: KeyPlan, keys: Sequence[KeyValue], scope: Scope) -> tuple[Wanted, ...]:
    """What every item wants; the quantity may use the keys."""
    ends = ends_of(replace(rule.quantity, plan.replacements()))
    functions = [plan.within(scope).compile(end) for end in ends]
    used = frozenset().union(*map(free_names, ends)).intersection(plan.names)
    wants: list[Wanted] = []
    for key in keys:
        if used or not wants:
            env = dict(zip(plan.names, key, strict=True))
            try:
                want = wanted(rule, ends, [f(env) for f in functions])
            except EvalFault as fault:
                raise plan.met(fault, used, key) from None
        wants.append(want)
    return tuple(wants)


def split_condition(rule: Rule, views: Mapping[str, KeyPlan], family: str) -> tuple[list[Expr], list[Expr]]:
    """The parts of a rule's condition that restrict items, and those that restrict choices, as `family` sees them. A
    part with an index that this family does not have, but another family of the rule has, is in neither list."""
    plan = views[family]
    names = frozenset(plan.names)
    parts = conjuncts(rule.where)
    if not parts:
        return [], []
    indices = frozenset().union(*(view.local for view in views.values())) | names
    narrow: list[Expr] = []
    rest: list[Expr] = []
    for part in parts:
        used = {f: free_names(replace(part, v.replacements())) & indices for f, v in views.items()}
        if used[family] <= plan.known:
            (narrow if used[family] <= names else rest).append(part)
        elif not any(used[f] <= views[f].known for f in views):
            raise EvalFault(_unclear(part, used[family], views))
    return narrow, rest


def _unclear(part: Expr, used: frozenset[str], views: Mapping[str, KeyPlan]) -> Diagnostic:
    """The fault (E414) of a part of a condition that no family of the rule understands. used: its index names."""
    families = " or ".join(f"`{f}`" for f in views)
    unknown = sorted(used.difference(*(view.known for view in views.values())))
    if unknown:
        listed = ", ".join(f"`{n}`" for n in unknown)
        verb = "are" if len(unknown) > 1 else "is"
        message = f"{listed} {verb} neither an index of {families} nor a key of this rule"
        return Diagnostic("E414", message, part.span, help="name it after `per`")
    shared = frozenset.intersection(*(view.known for view in views.values()))
    own = {f: ", ".join(f"`{n}`" for n in sorted((used & view.known) - shared)) for f, view in views.items()}
    listed = " and ".join(f"the {names} of `{f}`" for f, names in own.items() if names)
    help = "write the parts with `and`: a part about one family restricts the choices of that family only"
    return Diagnostic("E414", f"this part of the condition uses {listed} at once", part.span, help)


def rows_of(items: RuleItems, family: Family, scope: Scope) -> WholeRows:
    """The items of a rule that each choice of a family belongs to. Raises EvalFault. Cost: linear in the result, if the
    condition determines which values of a free key a choice reaches (see walk.py)."""
    query = _query(items, family, scope)
    scope.budget.step(CHOICE * len(family.choices), items.rule.span)
    found = query.at_once()
    if found is None:
        return FamilyRows(list(_walked(items, family, query)), None)
    return FamilyRows(found.rows, found.which) if query.groups else SingleItems(found.rows)


def _query(items: RuleItems, family: Family, scope: Scope) -> WalkQuery:
    """From a choice to the items that it reaches, by the values of the free keys."""
    plan = items.views[family.name]
    narrow, rest = split_condition(items.rule, items.views, family.name)
    groups = [g for g in closure(plan.free, plan.local) if not set(g.names) <= frozenset(family.indices)]
    conditions = [*rest, *(narrow if groups else ())]
    numbers = dict(zip(items.keys, range(len(items.keys)), strict=True))
    return WalkQuery(scope, groups, conditions, plan.exprs, family.values, numbers)


def _walked(items: RuleItems, family: Family, query: WalkQuery) -> Iterator[Sequence[int]]:
    """The items of each choice of a family, by closures."""
    getters = [key_getter(items.views[family.name], n, query.scope) for n in items.key_plan.names]
    rebound = [n for g in query.groups for n in g.names if n in family.indices]
    walk, positions = query.walk(), query.numbers or {}
    if not query.known.few:
        walk.expect_many()
    for number, env in family.environments():
        try:
            reached = _reached(env, walk, getters, positions, rebound)
        except EvalFault as fault:
            raise met(fault, of_choice(family, number)) from None
        yield sorted(set(reached)) if len(reached) > 1 else reached


def reached_by(items: RuleItems, family: Family, scope: Scope) -> list[tuple[int, Sequence[int]]]:
    """(choice number, positions in `items.keys`) for the choices that belong to an item."""
    return [(number, found) for number, found in rows_of(items, family, scope).numbered(family.first) if found]


def _reached(
    env: dict[str, Any], walk: Walk, getters: Sequence[Any], positions: Mapping[Any, int], rebound: Sequence[str]
) -> list[int]:
    """The positions of the items that a choice reaches; repeats are possible. env: the indices of the choice."""
    own = [env[name] for name in rebound]
    reached = []
    for _ in walk(env):
        if rebound and [env[name] for name in rebound] != own:
            continue
        at = positions.get(tuple([get(env) for get in getters]))
        if at is not None:
            reached.append(at)
    return reached
