"""The keys of `per`: which items a rule has, and to which of them a choice belongs.

Four forms (docs/language.md, "What a rule means"): an index or declared name; `x in SET`; `x in EXPR` over the
choice's indices; any other expression. All four are treated in the same way here: a key is a function of some *groups*
of index names (a computed key is a function of the groups that it mentions), and the items of a rule are the tuples of
key values over all bindings of these groups *as declared*, before any `where`, `forbid` or `given` removes a choice.
Keys that share a group, or whose sets depend on each other, range together; all others range independently.

A computed key is given a private name, which replaces the same expression in the rule's condition, quantity and
label. So `per region[r, c] where region[r, c] != "A"` narrows the items, just as it reads.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain, product
from typing import Any

from attrs import field

from covr.compiler.evaluate import EvalFault, Scope
from covr.compiler.evaluate.fault_context import met_for
from covr.compiler.evaluate.limits import IN_SOURCE
from covr.compiler.evaluate.names import free_names
from covr.compiler.evaluate.values import in_documented_order
from covr.compiler.lower.as_python import SourceWriter, attempt, guessing
from covr.compiler.lower.facts import distinguished
from covr.compiler.lower.families import Family
from covr.compiler.lower.groups import Group, closure, components, group
from covr.compiler.lower.local_scope import Within
from covr.compiler.lower.loop_members import OutOfSteps, combinations_of, members_of
from covr.compiler.lower.loops import Loops
from covr.compiler.lower.walk import Walk
from covr.dsl.syntax import Binary, Expr, Key, Name
from covr.engine.base.heed import look
from covr.frozen import evolve, frozen

Env = dict[str, Any]


@frozen(eq=False)
class KeyPlan:
    """The keys of a rule, as seen by one family.

    names: the key's local names, in order: an index, the names of `x in …`, or a private name for a computed key.
    computed: private name → the expression it stands for.
    free: groups that a choice of this family does not determine; the condition says to which of their values a choice
    belongs.
    local: every index name that has a meaning for this family in this rule, with its group.
    known: the names that have a value when memberships of a choice are worked out.
    parts: for each key as written, its names and the groups that it depends on.
    """

    names: tuple[str, ...]
    computed: Mapping[str, Expr] = field(repr=False)
    free: tuple[Group, ...] = field(repr=False)
    local: Mapping[str, Group] = field(repr=False)
    known: frozenset[str] = field(repr=False)
    parts: tuple[tuple[tuple[str, ...], tuple[Group, ...]], ...] = field(repr=False)

    def within(self, scope: Scope) -> Within:
        """The scope as this rule's expressions see it."""
        return Within(scope, self.known | frozenset(self.local))

    @property
    def written(self) -> tuple[str, ...]:
        """The keys as the model writes them."""
        return tuple(self.computed[n].span.one_line if n in self.computed else n for n in self.names)

    def met(self, fault: EvalFault, used: Collection[str], key: tuple[Any, ...]) -> EvalFault:
        """The fault of an expression that uses these names, with the values that they have in `key`."""
        kept = [written for name, written in zip(self.names, self.written, strict=True) if name in used]
        return met_for(fault, kept, dict(zip(self.written, key, strict=True)))

    def replacements(self) -> dict[Expr, Expr]:
        """For each computed expression, the local name that stands for it."""
        return {e: Name(n, e.span) for n, e in self.computed.items()}


def plan_keys(keys: Sequence[Expr | Key], family: Family, declared: Mapping[str, Group]) -> KeyPlan:
    """Work out what the keys of a rule mean for one family."""
    local = {**declared, **family.index_groups}
    names: list[str] = []
    computed: dict[str, Expr] = {}
    free: list[Group] = []
    parts: list[tuple[tuple[str, ...], tuple[Group, ...]]] = []
    for at, key in enumerate(keys):
        if isinstance(key, Key):
            own = group(key.pattern, key.over)
            local.update(dict.fromkeys(own.names, own))
            names += own.names
            free.append(own)
            parts.append((own.names, (own,)))
        elif isinstance(key, Name) and key.id in local:
            names.append(key.id)
            parts.append(((key.id,), (local[key.id],)))
            if key.id not in family.indices:
                free.append(local[key.id])
        else:
            private = f"key {at + 1}"
            names.append(private)
            computed[private] = key
            used = [local[n] for n in sorted(free_names(key)) if n in local]
            parts.append(((private,), tuple(dict.fromkeys(used))))
            free += [local[n] for n in sorted(free_names(key)) if n in local and n not in family.indices]
    bound = frozenset(n for g in closure(free, local) for n in g.names)
    known = frozenset(names) | frozenset(family.indices) | bound
    return KeyPlan(tuple(names), computed, tuple(dict.fromkeys(free)), local, known, tuple(parts))


def key_values(plan: KeyPlan, scope: Scope) -> dict[tuple[Any, ...], None]:
    """Every tuple of key values, in documented order: the items of the rule, before its condition is applied."""
    found = _key_values(plan, scope, ordered=True)
    many = len(found) > IN_SOURCE
    if many:
        look()
    scope.budget.apart(found)
    values = dict.fromkeys(found)
    if many:
        look()
    return values


def key_values_as_met(plan: KeyPlan, scope: Scope) -> list[tuple[Any, ...]]:
    """The same, in the order in which the declared sets and lists are visited."""
    return list(_key_values(plan, scope, ordered=False))


def _key_values(plan: KeyPlan, scope: Scope, ordered: bool) -> Sequence[Any]:
    """Every tuple of key values. ordered: whether they are to come in documented order.

    Keys that range together form a component. Cost: the product of the components' sizes, and for each component a
    walk over its own groups.
    """
    tables: list[tuple[list[int], Sequence[Any]]] = []  # the positions of some keys, and their values as tuples
    slots = _slots(plan)
    for members in components([groups for _, groups in plan.parts], plan.local):
        wanted = [g for m in members for g in plan.parts[m][1]]
        at = [slot for m in members for slot in slots[m]]
        found = _component(plan, [plan.names[i] for i in at], wanted, scope, ordered)
        tables.append((at, in_documented_order(found) if ordered else found))
    total = 1
    for _, table in tables:
        total *= len(table)
    scope.budget.spend(total)
    order = [at for positions, _ in tables for at in positions]
    back = [order.index(i) for i in range(len(order))]
    if len(tables) == 1 and back == list(range(len(back))):
        return tables[0][1]
    if all(len(positions) == 1 for positions, _ in tables):
        keys: list[tuple[Any, ...]] = list(product(*(chain.from_iterable(table) for _, table in tables)))
    elif len(tables) == 2:
        (_, ones), (_, others) = tables
        keys = [one + other for one in ones for other in others]
    else:
        keys = [tuple(chain.from_iterable(parts)) for parts in product(*(table for _, table in tables))]
    if back == list(range(len(back))):
        return keys  # what is made of sorted tables is sorted
    keys = [tuple([key[i] for i in back]) for key in keys]
    return in_documented_order(keys) if ordered else keys


def _slots(plan: KeyPlan) -> list[range]:
    """For each key as written, where its names stand in `plan.names`."""
    slots, at = [], 0
    for names, _ in plan.parts:
        slots.append(range(at, at + len(names)))
        at += len(names)
    return slots


def _component(
    plan: KeyPlan, names: Sequence[str], wanted: Sequence[Group], scope: Scope, sort: bool
) -> list[tuple[Any, ...]]:
    """The distinct values of keys that range together. sort: whether they will be put in order."""
    groups = closure(wanted, plan.local)

    def at_once() -> list[tuple[Any, ...]]:
        try:
            return _at_once(plan, names, groups, scope, ordered=not sort)
        except Unordered:
            return _at_once(plan, names, groups, scope, ordered=True)

    found = attempt(at_once, scope) if groups else None
    return _one_by_one(plan, names, groups, scope) if found is None else found


def _one_by_one(plan: KeyPlan, names: Sequence[str], groups: Sequence[Group], scope: Scope) -> list[tuple[Any, ...]]:
    getters = [key_getter(plan, name, scope) for name in names]
    found: dict[tuple[Any, ...], None] = {}
    careful = any(n in plan.computed for n in names)
    for env in Walk(scope, groups, (), frozenset())({}):
        try:
            found[tuple([get(env) for get in getters])] = None
        except EvalFault:
            # For a combination of indices that no choice has, the key need not make sense. If a choice has it, the
            # fault is raised again, with the choice named, when memberships are worked out.
            if not careful:
                raise
    return list(found)


def _at_once(
    plan: KeyPlan, names: Sequence[str], groups: Sequence[Group], scope: Scope, ordered: bool
) -> list[tuple[Any, ...]]:
    """The same by loops of Python source. ordered: whether the sets are gone through in order. Raises Unsuitable or
    EvalFault if the walk must do it, and Unordered."""
    if len(groups) == 1 and list(groups[0].names) == list(names) and isinstance(groups[0].pattern, Name):
        members = members_of(Within(scope, names).members(groups[0].over)({}))
        scope.budget.step(len(members))
        return list(dict.fromkeys(zip(members)))
    walk = Walk(scope, groups, (), frozenset(), late=True)

    def writing(guesses: bool) -> tuple[SourceWriter, Callable[[], list[tuple[Any, ...]]]]:
        writer = SourceWriter(plan.within(scope), lambda names: combinations_of(walk, names), guesses)
        return writer, lambda: _looped(plan, names, walk, writer, scope, ordered)

    return guessing(writing)


def _looped(
    plan: KeyPlan, names: Sequence[str], walk: Walk, writer: SourceWriter, scope: Scope, ordered: bool
) -> list[tuple[Any, ...]]:
    loops = Loops(walk, writer, ordered, indent=" ")
    found = [writer.value(plan.computed[n]) if n in plan.computed else (writer.text(n), writer.facts[n]) for n in names]
    if not ordered and not all(distinguished(fact) for _, fact in found):
        raise Unordered
    subset = loops.subset != "" and list(names) == [loops.subset]
    key = "t" if subset else f"({', '.join(text for text, _ in found)},)"
    entries = f"dict.fromkeys([{key} {loops.innermost}])"
    if subset and loops.all_of:
        entries = f"dict.fromkeys({loops.all_of})"
    lines = [
        "def made(most_steps, most_values):",
        " found = {}",
        " steps = values = 0",
        *loops.lines,
        f"{loops.indent}found.update({entries})",
        " return found, steps, values",
    ]
    writer.space["OutOfSteps"] = OutOfSteps
    keys, steps, values = writer.finished(lines)(*scope.budget.soon())
    scope.budget.step(steps)
    scope.budget.spend(values)
    return list(dict.fromkeys([(loops.made[t],) for t in keys])) if subset else list(keys)


class Unordered(Exception):
    """Which of two equal keys is kept depends on the order in which they are met."""


def key_getter(plan: KeyPlan, name: str, scope: Scope) -> Callable[[Env], Any]:
    """How to get a key's value from the environment of a choice."""
    if name in plan.computed:
        expr = plan.computed[name]
        run = plan.within(scope).compile(expr)
        return _one_key(run, expr) if isinstance(expr, Binary) and expr.op in ("and", "or") else run
    return lambda env: env[name]


def _one_key(run: Callable[[Env], Any], expr: Binary) -> Callable[[Env], Any]:
    """A key `r and c`, whose fault says how several keys are written."""

    def key(env: Env) -> Any:
        try:
            return run(env)
        except EvalFault as fault:
            if fault.diagnostic.code != "E202":
                raise
            commas = expr.span.one_line.replace(" and ", ", ").replace(" or ", ", ")
            help = f"write `{commas}`: keys are separated by commas, not by `{expr.op}`"
            raise EvalFault(evolve(fault.diagnostic, span=expr.span, help=help)) from None

    return key
