"""`exactly`, `at least`, `at most`: a rule becomes items, and choices become members of them.

A rule's condition is split at its `and`s. Parts that mention only keys restrict the items; the others restrict which
choices count, and determine to which values of a free key a choice belongs. In a rule over several families, a part
that mentions an index that only some of them have restricts those families only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import compress
from typing import Any

from attrs import field

from covr.compiler.evaluate import EvalFault, Scope
from covr.compiler.evaluate.fault_context import met
from covr.compiler.evaluate.limits import CHOICE
from covr.compiler.evaluate.names import free_in_template, free_names
from covr.compiler.evaluate.rewrite import conjuncts, replace
from covr.compiler.evaluate.values import show_value
from covr.compiler.lower.as_python import SourceWriter, Unsuitable, attempt, guessing
from covr.compiler.lower.default_names import head
from covr.compiler.lower.facts import fact_of
from covr.compiler.lower.families import Family, of_choice
from covr.compiler.lower.groups import Group, closure
from covr.compiler.lower.index_values import IndexValues
from covr.compiler.lower.keys import KeyPlan, key_getter, key_values, plan_keys
from covr.compiler.lower.local_scope import allow_only
from covr.compiler.lower.memberships import FEWEST, RuleRows, WholeRows
from covr.compiler.lower.sums import Wanted, ends_of, wanted
from covr.compiler.lower.walk import Walk, hold
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.syntax import Compare, Expr, Key, Number, Rule
from covr.engine.base.heed import look
from covr.frozen import evolve, frozen

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


def rule_items(rule: Rule, families: Sequence[Family], declared: Mapping[str, Group], scope: Scope) -> RuleItems:
    """Every item of a rule, whether or not a choice reaches it. Cost: linear in the number of key values."""
    try:
        return _rule_items(rule, families, declared, scope)
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


def _rule_items(rule: Rule, families: Sequence[Family], declared: Mapping[str, Group], scope: Scope) -> RuleItems:
    views = {f.name: plan_keys(rule.keys, f, declared) for f in families}
    _known_to_all(rule, views, scope)
    found: dict[KeyValue, None] = {}
    for name, plan in views.items():
        narrow = [replace(part, plan.replacements()) for part in split_condition(rule, views, name)[0]]
        try:
            values = key_values(plan, scope)
        except EvalFault:
            plan.within(scope).tests(narrow)  # what is wrong with these is told first
            raise
        left = attempt(lambda: _narrowed(plan, narrow, values, scope), scope) if narrow else values  # noqa: B023
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


def _narrowed(
    plan: KeyPlan, conditions: Sequence[Expr], values: Mapping[KeyValue, None], scope: Scope
) -> dict[KeyValue, None]:
    """The key values for which the conditions hold, all at once. Raises Unsuitable or EvalFault."""
    if len(values) < FEWEST or not 0 < len(plan.names) == len(set(plan.names)):
        raise Unsuitable
    keys = IndexValues(plan.names, list(values), None)
    writer = SourceWriter(plan.within(scope), keys.combinations, guesses=True)
    for name, column in zip(plan.names, zip(*values, strict=True), strict=True):
        writer.bind(name, fact_of(column))
        look()
    tests = " and ".join(map(writer.condition, conditions))
    lines = ["def made(keys):", f" return [{tests} for {', '.join(map(writer.text, plan.names))}, in keys]"]
    return dict.fromkeys(compress(values, writer.finished(lines)(values)))


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
    """The parts of a rule's condition that restrict items, and those that restrict choices, as `family` sees them.

    A part with an index that this family does not have, but another family of the rule has, is in neither list.
    """
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


def rows_of(items: RuleItems, family: Family, scope: Scope, most: int) -> WholeRows | None:
    """The items of a rule that each choice of a family belongs to, for all choices at once (memberships.py).

    most: how many entries there may be. None if the choices must be looked at one by one, as `memberships` does.
    """
    if len(family.choices) < FEWEST:
        return None
    return attempt(lambda: _rows_of(items, family, scope, most), scope)


def _rows_of(items: RuleItems, family: Family, scope: Scope, most: int) -> WholeRows:
    plan = items.views[family.name]
    walk, rebound = _walk(items, family, scope, late=True)
    if rebound:
        raise Unsuitable
    scope.budget.step(CHOICE * len(family.choices), items.rule.span)

    def writing(guesses: bool) -> tuple[SourceWriter, Callable[[], WholeRows]]:
        rows = RuleRows(plan, items.keys, family, walk, scope, most, guesses)
        return rows.writer, rows.rows

    return guessing(writing)


def _walk(items: RuleItems, family: Family, scope: Scope, late: bool = False) -> tuple[Walk, list[str]]:
    """The walk from a choice to the values of the free keys that it reaches, and the names of its indices that the walk
    binds anew. late: as in `Walk`."""
    plan = items.views[family.name]
    narrow, rest = split_condition(items.rule, items.views, family.name)
    known = frozenset(family.indices)
    groups = [g for g in closure(plan.free, plan.local) if not set(g.names) <= known]
    rebound = [n for g in groups for n in g.names if n in known]
    return Walk(scope, groups, [*rest, *(narrow if groups else ())], known, late), rebound


def memberships(items: RuleItems, family: Family, scope: Scope) -> Iterator[tuple[int, Sequence[int]]]:
    """Every choice of a family with the items of the rule it belongs to (positions in `items.keys`).

    Yields (choice number, positions) for the choices that belong to at least one. Cost: linear in what is yielded, if
    the condition determines which values of a free key a choice reaches (see walk.py).
    """
    plan = items.views[family.name]
    getters = [key_getter(plan, n, scope) for n in plan.names]
    positions = {key: at for at, key in enumerate(items.keys)}
    known = frozenset(family.indices)
    walk, rebound = _walk(items, family, scope)
    scope.budget.step(CHOICE * len(family.choices), items.rule.span)
    if not walk.groups and not walk.conditions and all(n in known for n in plan.names):
        yield from _plain_memberships(family, [family.indices.index(n) for n in plan.names], positions)
        return
    if len(family.choices) > FEWEST:
        walk.expect_many()
    for number, env in family.environments():
        try:
            reached = _reached(env, walk, getters, positions, rebound)
        except EvalFault as fault:
            raise met(fault, of_choice(family, number)) from None
        if reached:
            yield number, sorted(set(reached)) if len(reached) > 1 else reached


def reached_by(items: RuleItems, family: Family, scope: Scope, most: int) -> Iterator[tuple[int, Sequence[int]]]:
    """`memberships`, from rows that are worked out at once if they can be. most: as in `rows_of`."""
    rows = rows_of(items, family, scope, most)
    if rows is None:
        return memberships(items, family, scope)
    return ((number, found) for number, found in rows.numbered(family.first) if found)


def _plain_memberships(
    family: Family, at: Sequence[int], positions: Mapping[Any, int]
) -> Iterator[tuple[int, Sequence[int]]]:
    """The memberships where all keys are indices of the family and there is no condition. at: which index each is."""
    for number, args in enumerate(family.choices, family.first):
        reached = positions.get(tuple([args[i] for i in at]))
        if reached is not None:
            yield number, [reached]


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
