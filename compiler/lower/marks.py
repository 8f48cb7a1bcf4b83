"""Statements that single out choices: `given` and `forbid`, and what `minimize` and `agree` say about each choice.

A set in the place of a value, in a `given`, says what may stand there: it removes the choices that are alike in all
else and whose value is no member.

`given F(args) for …` and `forbid F(args) for …` walk their `for`. Names in them that `cells`, `values` or the family
declares, and the `for` does not bind, range over their sets as well: `forbid place(r, c, 5) where r = c`. `forbid F
where …` and goals go through the choices; another declared name in the `where` ranges over its set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from math import prod
from typing import Any

from attrs import field

from covr.compiler.evaluate import EvalFault, Run, Scope
from covr.compiler.evaluate.expressions import conjuncts, free_names, pattern_names, replace
from covr.compiler.evaluate.limits import CHOICE, met, met_for
from covr.compiler.evaluate.values import Map, Rng, Set, abbreviate, alike, kind_of, measure, show_value
from covr.compiler.lower.as_python import Unsuitable, attempt
from covr.compiler.lower.facts import distinguished, fact_of
from covr.compiler.lower.families import Family, Lowering, of_choice
from covr.compiler.lower.groups import Group, Within, allow_only, closure, groups_of
from covr.compiler.lower.query import Args, Found, WalkQuery
from covr.compiler.lower.walk import Walk
from covr.dsl import syntax as syn
from covr.dsl.diagnostics import Diagnostic, Span
from covr.dsl.scope import walk
from covr.frozen import evolve, frozen

Env = dict[str, Any]


@frozen
class GivenChoice:
    """A choice that a `given` takes. number: of the choice, over all families. args: its arguments.

    label: the statement's, filled in; None if it has none.
    """

    number: int
    label: str | None
    family: Family = field(eq=False, repr=False)
    args: Args = field(eq=False, repr=False)
    span: Span = field(eq=False, repr=False)

    @property
    def name(self) -> str:
        """The label, or `given place(3, 4, 7)`. Looking how the choices of a family are written apart takes time, so
        this is done when it is asked for."""
        return f"given {self.family.name_of(self.args)}" if self.label is None else self.label


def unbound_groups(
    mentioned: Sequence[syn.Expr | None],
    generators: Sequence[syn.Generator],
    family: Family,
    declared: Mapping[str, Group],
) -> list[Group]:
    """The groups that a statement walks: those of names that it mentions but does not bind, then its own `for`."""
    return walked_groups(mentioned, generators, {**declared, **family.index_groups})


def walked_groups(
    mentioned: Sequence[syn.Expr | None], generators: Sequence[syn.Generator], local: Mapping[str, Group]
) -> list[Group]:
    """The same for names with these groups."""
    own = groups_of(generators)
    bound = {n for g in own for n in g.names}
    used = frozenset().union(*(free_names(e) for e in mentioned if e is not None), *(g.uses for g in own))
    loose = closure([local[n] for n in sorted(used - bound) if n in local], local)
    for g in loose:
        for name in sorted(g.uses & bound - local.keys()):
            span = next(p.span for o in generators for p in o.patterns if name in pattern_names(p))
            message = f"`{name}` is bound here, and the set of `{g.names[0]}` uses another `{name}`"
            raise EvalFault(Diagnostic("E115", message, span, help="choose another name for one of them"))
    return [*loose, *own]


def _within(groups: Sequence[Group], family: Family, lowering: Lowering) -> Within:
    names = {n for g in groups for n in g.names}
    return Within(lowering.scope, names.union(family.indices, lowering.declared))


def bound_givens(statement: syn.Given, lowering: Lowering) -> Iterator[tuple[Env, GivenChoice]]:
    """Every choice that a `given` takes, with the values of the names that led to it. Drops those that it removes.
    Raises EvalFault E401 for a choice that does not exist, placed at the data that asked for it."""
    family, scope = lowering.families[statement.family.id], lowering.scope
    groups = unbound_groups([*statement.args, statement.where], statement.generators, family, lowering.declared)
    inside = _within(groups, family, lowering)
    getters = [inside.compile(arg) for arg in statement.args]
    label = _label(statement, family, groups, inside)
    left_out = _LeftOut(family, scope, statement.span)
    for env in Walk(scope, groups, conjuncts(statement.where), frozenset())({}):
        args = _args(getters, env)
        number = family.number(args)
        if number is None:
            others = left_out.by(args)
            if others is not None:
                lowering.dropped.update(dict.fromkeys(others, statement))
                continue
            found = family.meant(args)
            if len(found) != 1:
                raise EvalFault(_no_such_choice(statement, family, args, env, inside, found))
            args = found[0]
            number = family.number(args)
            assert number is not None
        text = None
        if label:
            with for_choice(family, number):
                text = label({**dict(zip(family.indices, args, strict=True)), **env})
        yield env, GivenChoice(number, text, family, args, statement.span)


class _LeftOut:
    """The choices that sets among the arguments of a `given` remove."""

    def __init__(self, family: Family, scope: Scope, span: Span) -> None:
        self._family, self._budget, self._span = family, scope.budget, span
        self._alike: dict[tuple[int, ...], dict[Args, list[Args]]] = {}

    def by(self, args: Args) -> list[int] | None:
        """The numbers of the choices that are like these arguments where they have no set, and have no member of it
        where they have one; None if there is no set, or if no choice would be left. Once for each pattern of sets time
        linear in the choices of the family, and then in the choices that are alike."""
        at = tuple([k for k, value in enumerate(args) if isinstance(value, Set | Rng)])
        if not at:
            return None
        if at not in self._alike:
            self._alike[at] = {}
            self._budget.step(CHOICE * len(self._family.choices), self._span)
            for choice in self._family.choices:
                self._alike[at].setdefault(_without(choice, at), []).append(choice)
        alike = self._alike[at].get(_without(args, at), [])
        self._budget.step(CHOICE * len(alike), self._span)
        others = [choice for choice in alike if not all(choice[k] in args[k] for k in at)]
        if len(others) == len(alike):
            return None
        return [self._family.first + self._family.numbers[choice] for choice in others]


def _without(args: Args, at: tuple[int, ...]) -> Args:
    """The arguments but for those at these positions."""
    return tuple([value for k, value in enumerate(args) if k not in at])


def _args(getters: Sequence[Run], env: Env) -> tuple[Any, ...]:
    """The arguments of a choice that a statement names."""
    try:
        return tuple([get(env) for get in getters])
    except EvalFault as fault:
        raise met_for(fault, env, env) from None


def _label(
    statement: syn.Given, family: Family, groups: Sequence[Group], inside: Within
) -> Callable[[Env], str] | None:
    """The label of a `given`, which can use what its `for` binds and the indices of the choice that it takes."""
    if statement.label is None:
        return None
    names = {n for g in groups for n in g.names}.union(family.indices)
    allow_only(
        names,
        inside.names,
        statement.label,
        "{name} has no value in this label",
        "bind it with `for`, or speak of the indices of the choice",
    )
    return inside.template(statement.label)


def _no_such_choice(
    statement: syn.Given, family: Family, args: Any, env: Env, inside: Within, meant: Sequence[Args]
) -> Diagnostic:
    """meant: choices of which each may be meant."""
    name = family.name_of(args)
    if meant:
        return _unclear(statement, family, args, meant)
    wrong = [
        _unlike_index(index, value, family, position)
        for position, (index, value) in enumerate(zip(family.indices, args, strict=True))
        if all(choice[position] != value for choice in family.choices)
    ]
    span = data_span(statement.args, env, inside) or statement.span
    notes = wrong[:1] + ([] if span is statement.span else [f"asked for by `{statement.span.one_line}`"])
    blank = [
        arg for arg, value in zip(statement.args, args, strict=True) if value == 0 and not isinstance(arg, syn.Number)
    ]
    help = ""
    if wrong and blank and span is not statement.span:
        condition = f"{blank[0].span.one_line} != 0"
        add = f"add `where {condition}`" if statement.where is None else f"add `and {condition}` to its `where`"
        help = f"is 0 a blank? a blank is written `.`; or {add}"
    return Diagnostic("E401", f"{name} is given, but there is no such choice", span, help, tuple(notes))


def _unclear(statement: syn.Given | syn.Forbid, family: Family, args: Args, meant: Sequence[Args]) -> Diagnostic:
    notes = (f"it could be {' or '.join(map(family.name_of, meant))}",)
    help = "write all fields of the record, or bind it with `for`"
    return Diagnostic("E401", f"it is not clear which choice {family.name_of(args)} is", statement.span, help, notes)


def _unlike_index(index: str, value: Any, family: Family, position: int) -> str:
    """A note on the value of an index that no choice of the family has; with the kinds, if its kind is wrong, too."""
    others = [choice[position] for choice in family.choices]
    if not others or any(alike(other, value) for other in others):
        return f"`{index}` is {abbreviate(value)}, which no choice of `{family.name}` has"
    looks = show_value(value) if isinstance(value, int | str) else None
    like = next((o for o in others if isinstance(o, int | str) and show_value(o) == looks), others[0])
    return (
        f"`{index}` is {abbreviate(value)}, {kind_of(value)}; "
        f"the choices of `{family.name}` have {kind_of(like)} there, such as {abbreviate(like)}"
    )


def data_span(args: Sequence[syn.Expr], env: Env, inside: Within) -> Span | None:
    """The place in the data where the first value that `args` look up was read; None if it was not read from data."""
    for node in walk(tuple(args)):
        if isinstance(node, syn.Index):
            try:
                table = inside.compile(node.of)(env)
                key = tuple(inside.compile(a)(env) for a in node.args)
            except EvalFault:
                continue
            if isinstance(table, Map) and table.origin is not None:
                return table.origin(key if len(key) > 1 else key[0])
    return None


def forbidden(statement: syn.Forbid, lowering: Lowering) -> Iterator[int]:
    """The numbers of the choices that a `forbid` removes. Forbidding a choice that does not exist is not a fault."""
    family, declared, scope = lowering.families[statement.family.id], lowering.declared, lowering.scope
    about_choices = statement.where is None or not free_names(statement.where) & (declared.keys() - family.indices)
    if statement.args is None and not statement.generators and about_choices:
        checks = Within(scope, family.indices).tests(conjuncts(statement.where))
        scope.budget.step(CHOICE * len(family.choices), statement.span)
        for number, env in family.environments():
            with for_choice(family, number):
                if all(check(env) for check in checks):
                    yield number
        return
    args = statement.args if statement.args is not None else family.statement.indices
    groups = unbound_groups([*args, statement.where], statement.generators, family, declared)
    inside = _within(groups, family, lowering)
    getters = [inside.compile(arg) for arg in args]
    for env in Walk(scope, groups, conjuncts(statement.where), frozenset())({}):
        given_args = _args(getters, env)
        number_ = family.number(given_args)
        if number_ is not None:
            yield number_
        elif statement.args is not None:
            found = family.meant(given_args)
            if len(found) > 1:
                raise EvalFault(_unclear(statement, family, given_args, found))
            yield from (family.first + family.numbers[choice] for choice in found)


def goal_costs(goal: syn.Goal, family: Family, scope: Scope) -> Iterator[tuple[int, int]]:
    """(choice number, cost) for each choice of the goal's family that satisfies the goal's condition."""
    few = family.values.few
    at_once = None if few else attempt(lambda: _costs_at_once(goal, family, scope), scope)
    if at_once is not None:
        yield from at_once
        return
    cost_of = _cost_of(goal, family, scope)
    scope.budget.step(CHOICE * len(family.choices), goal.span)
    for number, env in family.environments():
        with for_choice(family, number):
            cost = cost_of(env)
        if cost is not None:
            yield number, cost


def _costs_at_once(goal: syn.Goal, family: Family, scope: Scope) -> list[tuple[int, int]]:
    """What `goal_costs` yields, with one evaluation for each combination of the indices that the goal uses. Raises
    Unsuitable or EvalFault."""
    cost_of = _cost_of(goal, family, scope)
    bound = {n for g in groups_of(goal.generators) for n in g.names}
    mentioned = (goal.value, goal.where, *(g.over for g in goal.generators))
    used = bound.union(*(free_names(e) for e in mentioned if e is not None))
    names = tuple(name for name in family.indices if name in used)
    values = family.values
    if not all(distinguished(fact_of(values.distinct((name,))[0])) for name in names):
        raise Unsuitable
    scope.budget.step(CHOICE * len(family.choices), goal.span)
    distinct, which = values.distinct(names) if names else ([()], [0] * len(family.choices))
    costs = [cost_of(dict(zip(names, found if len(names) != 1 else (found,), strict=True))) for found in distinct]
    each = costs if which is None else [costs[at] for at in which]
    return [(number, cost) for number, cost in enumerate(each, family.first) if cost is not None]


def _cost_of(goal: syn.Goal, family: Family, scope: Scope) -> Callable[[Env], int | None]:
    """What a choice costs, from its indices; None where it does not meet the condition."""
    if goal.generators:
        return _cost_for_all(goal, family, scope)
    inside = Within(scope, family.indices)
    checks = inside.tests(conjuncts(goal.where))
    value = inside.compile(goal.value) if goal.value is not None else None

    def cost_of(env: Env) -> int | None:
        if not all(check(env) for check in checks):
            return None
        return 1 if value is None else _whole_cost(value(env), goal)

    return cost_of


def _cost_for_all(goal: syn.Goal, family: Family, scope: Scope) -> Callable[[Env], int]:
    """What a choice costs for all bindings of the goal's `for` together. A name that it binds and that is an index of
    the family, too, must have the same value in both; so it is bound under another name, and compared."""
    own: dict[syn.Expr, syn.Expr] = {}
    bound = [n for g in groups_of(goal.generators) for n in g.names]
    for name in bound:
        if name in family.indices:
            own[syn.Name(name, goal.span)] = syn.Name(f"{name} of {family.name}", goal.span)
    generators = replace(goal.generators, own)
    same: list[syn.Expr] = [syn.Compare(other, (("=", index),), goal.span) for index, other in own.items()]
    parts = (*same, *conjuncts(goal.where))
    inside = Within(scope, family.indices + tuple(n for g in groups_of(generators) for n in g.names))
    value = inside.compile(goal.value) if goal.value is not None else None
    counted = [_counted(g, inside) for g in generators]
    times = [times for found in counted if found is not None for times in found[1]]
    if None not in counted:
        walked = [found[0] for found in counted if found is not None]
        bindings: Callable[[Env], Iterator[Env]] = Walk(scope, groups_of(walked), parts, frozenset(family.indices))
    else:
        times = []
        where = reduce(lambda one, two: syn.Binary("and", one, two, two.span), parts) if parts else None
        bindings = scope.bindings(generators, where, inside.names)

    def cost_of(env: Env) -> int:
        total = 0
        for local in bindings(dict(env)):
            try:
                cost = 1 if value is None else _whole_cost(value(local), goal)
            except EvalFault as fault:
                raise met_for(fault, bound, local) from None
            total += cost * prod([often(local) for often in times])
        return total

    return cost_of


def _counted(generator: syn.Generator, inside: Within) -> tuple[syn.Generator, list[Callable[[Env], int]]] | None:
    """A generator whose set has each member once, for a Walk, which may leave out repeats; and for each pattern how
    often what it binds stands in the list. None if that is not known before the names have values."""
    over = generator.over
    if free_names(over) & inside.names:
        return None
    members = inside.members(over)({})
    if isinstance(members, Set | Map):
        return generator, []
    inside.scope.budget.step(sum([measure(member)[0] for member in members]), over.span)
    often: Counter[Any] = Counter(members)
    if len(often) == len(members) and all(isinstance(p, syn.Name) for p in generator.patterns):
        return generator, []
    if {*map(type, members)} != {tuple} and not all(isinstance(p, syn.Name) for p in generator.patterns):
        return None  # a cell of a lattice comes apart as a tuple does
    if any(
        not isinstance(p, syn.Name) and not all(isinstance(part, syn.Name) for part in p.items)
        for p in generator.patterns
    ):
        return None
    member = syn.Name("a member", over.span)
    once = syn.Comprehension("set", member, (syn.Generator((member,), over, over.span),), None, over.span)
    return evolve(generator, over=once), [_often(p, often) for p in generator.patterns]


def _often(pattern: syn.Pattern, often: Mapping[Any, int]) -> Callable[[Env], int]:
    if isinstance(pattern, syn.Name):
        name = pattern.id
        return lambda env: often[env[name]]
    names = pattern_names(pattern)
    return lambda env: often[tuple([env[name] for name in names])]


def _whole_cost(cost: Any, goal: syn.Goal) -> int:
    if type(cost) is not int:
        assert goal.value is not None
        message = f"a cost is a whole number, and this is {kind_of(cost)}: {abbreviate(cost)}"
        raise EvalFault(Diagnostic("E415", message, goal.value.span))
    return cost


class Agreement:
    """What the choices of an `agree` show: key → colour, or None where a choice shows two colours at one key, so that
    it can never be taken. Raises EvalFault if what the statement says of itself is wrong."""

    def __init__(self, statement: syn.Agree, families: Sequence[Family], lowering: Lowering) -> None:
        self._statement, self._lowering, self._scope = statement, lowering, lowering.scope
        if statement.label is not None:
            allow_only(
                (),
                {
                    *lowering.declared,
                    *(name for group in groups_of(statement.generators) for name in group.names),
                    *(n for family in families for n in family.index_groups),
                },
                statement.label,
                "{name} has no value in the label of an `agree`",
                "the label is one for all its items; each is named after it and its key",
            )
            lowering.scope.template(statement.label)({})
        self._conditions = _conditions(statement, families)

    def _query(self, family: Family) -> WalkQuery:
        """From a choice to the keys and colours that it shows, one after the other."""
        statement, parts = self._statement, self._conditions[family.name]
        own = groups_of(statement.generators)
        exprs = [e for pair in _pairs(statement, family) for e in pair]
        known = frozenset(family.indices)
        groups = unbound_groups([*exprs, *parts], statement.generators, family, self._lowering.declared)
        groups = [g for g in groups if g in own or not set(g.names) <= known]
        return WalkQuery(self._scope, groups, parts, exprs, family.values, ordered=True)

    def shown(self, family: Family) -> Found:
        """What each choice of a family shows: rows of key → colour, None for one that shows two colours at a key.
        Raises EvalFault."""
        query = self._query(family)
        self._scope.budget.step(CHOICE * len(query.exprs) // 2 * len(family.choices), self._statement.span)
        found = query.at_once()
        if found is not None:
            return evolve(found, rows=list(map(_agreed, found.rows)))
        inside = _within(query.groups, family, self._lowering)
        walk, getters = query.walk(), [inside.compile(expr) for expr in query.exprs]
        rows: list[dict[Any, Any] | None] = []
        for number, env in family.environments():
            with for_choice(family, number):
                rows.append(_agreed([[get(env) for get in getters] for _ in walk(env)]))
        return Found(rows, None)


def _agreed(shown: Iterable[Sequence[Any]]) -> dict[Any, Any] | None:
    """What keys and colours, one after the other, say of each key; None if two colours are said of one."""
    row: dict[Any, Any] = {}
    agrees = True
    for values in shown:
        for key, colour in zip(values[::2], values[1::2], strict=True):
            agrees = row.setdefault(key, colour) == colour and agrees
    return row if agrees else None


def _pairs(statement: syn.Agree, family: Family) -> list[tuple[syn.Expr, syn.Expr]]:
    """The keys and colours that an `agree` states for a family."""
    return [pair for shown in statement.shown if shown.family.id == family.name for pair in shown.pairs]


def _conditions(statement: syn.Agree, families: Sequence[Family]) -> dict[str, list[syn.Expr]]:
    """The parts of an `agree`'s condition that concern each family. A part with an index that only some of the families
    have concerns these alone, unless the name is bound by `for` or used in the pairs of the family. Raises EvalFault
    E414 for a part that no family understands."""
    every = frozenset().union(*(family.indices for family in families))
    bound = frozenset(n for g in groups_of(statement.generators) for n in g.names)
    known = {
        family.name: bound.union(family.indices, *(free_names(e) for pair in _pairs(statement, family) for e in pair))
        for family in families
    }
    found: dict[str, list[syn.Expr]] = {family.name: [] for family in families}
    for part in conjuncts(statement.where):
        used = free_names(part) & every
        concerned = [name for name in found if used <= known[name]]
        if not concerned:
            unknown = ", ".join(f"`{n}`" for n in sorted(used - known[families[0].name]))
            message = f"no family of this `agree` has all of these indices: {', '.join(f'`{n}`' for n in sorted(used))}"
            help = f"write a part for each family, joined by `and`; `{families[0].name}` has no {unknown}"
            raise EvalFault(Diagnostic("E414", message, part.span, help=help))
        for name in concerned:
            found[name].append(part)
    return found


class for_choice:
    """A context manager: adds a note that names the choice to an EvalFault raised inside."""

    def __init__(self, family: Family, number: int) -> None:
        self._family, self._number = family, number

    def __enter__(self) -> None:
        pass

    def __exit__(self, _type: object, fault: BaseException | None, _trace: object) -> None:
        if isinstance(fault, EvalFault):
            raise met(fault, of_choice(self._family, self._number)) from None
