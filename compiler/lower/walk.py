"""Walk the bindings of some groups that satisfy a condition, without walking the product of their sets.

`where x in s` walks `s`; `where i <= r <= i + 1` walks two values of i; `where r = i or r + c = i + j` walks, for each
part of the `or`, the values that it leaves. What a condition implies for the next name, and a condition that can be
read backwards (inverted.py), are used to find values; all else is checked on each binding.

The plan for a group is a small tree: `Step`s bind its names one by one, beginning with those about which something is
known; `Either` follows the parts of an `or` and drops repeats. A group's set is stored as nested dictionaries in the
order of the steps.

Looking for the members of a group counts as `SEARCH` steps, and so does each source that is asked for them, even if
none is found: `where i + j + k = 5` looks n² times for a k. Of members that are listed and then left out, every
`SIFTED` count as one step. Conditions joined by `or` are followed into at most `PLANS` parts, because there may be
exponentially many.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from attrs import define, field

from covr.compiler.evaluate import EvalFault, Scope, Test
from covr.compiler.evaluate.expressions import conjuncts, disjuncts, free_names
from covr.compiler.evaluate.limits import SEARCH, SIFTED, Budget, met_for
from covr.compiler.evaluate.values import Map, Piece, Set, in_documented_order, order_key
from covr.compiler.lower.groups import Group, Within
from covr.compiler.lower.inverted import (
    Axis,
    Between,
    Env,
    InOrder,
    Inverted,
    Proposal,
    Source,
    question,
    sources,
    tuple_source,
)
from covr.dsl.syntax import Expr, Name
from covr.frozen import frozen


@frozen(eq=False)
class Step:
    """Bind `name` to the values that all sources propose, or to every value if there are none. then: the next step."""

    name: str
    sources: tuple[Source, ...]
    then: Step | None


@frozen(eq=False)
class Either:
    """The union of what several plans find."""

    plans: tuple[Plan, ...]


@frozen(eq=False)
class Whole:
    """Bind the whole group at once, to what the source proposes, or to every member if there is no source."""

    source: Source | None


Plan = Step | Either | Whole

FEW: Final = 16
"""So few members of a set are walked, whatever a condition proposes."""

RECENT: Final = 64
"""How many sets of a group are kept."""

SHARED: Final = 256
"""How many sets are kept for all statements."""

_PLAIN = frozenset({int, str})
_TOLD_APART = _PLAIN | {Piece}  # pieces that are equal may have other cells: they are told apart as objects

PLANS: Final = 100
"""How many parts of conditions joined by `or` are looked at for one group; beyond them, the condition is checked."""


def plan(group: Group, conditions: Sequence[Expr], known: frozenset[str], scope: Within) -> Plan:
    """How to walk a group when `known` names have values and all `conditions` must hold."""
    return _plan(group, conditions, known, scope, [PLANS])


def _plan(group: Group, conditions: Sequence[Expr], known: frozenset[str], scope: Within, left: list[int]) -> Plan:
    """left: how many parts may still be looked at."""
    flat = isinstance(group.pattern, Name) or all(isinstance(p, Name) for p in group.pattern.items)
    if not flat:
        return Whole(None)
    for condition in conditions:
        source = tuple_source(condition, group.names, known, scope.compile)
        if source is not None and not isinstance(group.pattern, Name):
            return Whole(source)
    best = _steps(group.names, conditions, known, scope)
    if best.sources:
        return best
    for at, condition in enumerate(conditions):
        parts = disjuncts(condition)
        if 1 < len(parts) <= left[0]:
            left[0] -= len(parts)
            rest = [*conditions[:at], *conditions[at + 1 :]]
            plans = [_plan(group, [*conjuncts(part), *rest], known, scope, left) for part in parts]
            if all(_restricts(p) for p in plans):
                return Either(tuple(plans))
    return best


def _restricts(p: Plan) -> bool:
    """Whether a plan is better than walking everything."""
    if isinstance(p, Step):
        return bool(p.sources) or (p.then is not None and _restricts(p.then))
    return isinstance(p, Either) or p.source is not None


def _steps(names: Sequence[str], conditions: Sequence[Expr], known: frozenset[str], scope: Within) -> Step:
    """Bind first the name about which something is known; on a tie the first written."""
    found = {name: tuple(s for c in conditions for s in sources(c, name, known, scope.compile)) for name in names}
    name = next((n for n in names if found[n]), names[0])
    rest = [n for n in names if n != name]
    then = _steps(rest, conditions, known | {name}, scope) if rest else None
    return Step(name, found[name], then)


def _has_letter(value: Any) -> bool:
    return type(value) is str or (type(value) is tuple and any(map(_has_letter, value)))


def _has_piece(value: Any) -> bool:
    return type(value) is Piece or (type(value) is tuple and any(map(_has_piece, value)))


def hold(checks: Sequence[Test], env: Env) -> bool:
    """Whether all conditions hold; those after the first that does not are not looked at. Raises EvalFault."""
    for check in checks:  # noqa: SIM110 - `all` takes twice as long with one or two conditions
        if not check(env):
            return False
    return True


@define(eq=False)
class Domain:
    """The members of a group's set, and the trees built from them. The form of members is given by the pattern."""

    names: tuple[str, ...]
    members: Any
    trees: dict[tuple[str, ...], dict[Any, Any]] = field(factory=dict)
    _pieces: dict[Any, Any] | None = None

    def own(self, found: list[Any]) -> list[Any]:
        """The same members as the set has them: a piece equals its letter, but only the piece knows its cells."""
        if not any(map(_has_letter, found)):
            return found
        if self._pieces is None:
            self._pieces = {member: member for member in self.members if _has_piece(member)}
        return [self._pieces.get(member, member) for member in found]

    def tree(self, order: tuple[str, ...]) -> dict[Any, Any]:
        """name → value → … → True, binding the names in the given order."""
        tree = self.trees.get(order)
        if tree is None:
            tree = self.trees[order] = {}
            if len(self.names) == 1:
                tree.update(dict.fromkeys(self.members, True))
                return tree
            at = [self.names.index(name) for name in order]
            for member in self.members:
                node = tree
                for position in at[:-1]:
                    node = node.setdefault(member[position], {})
                node[member[at[-1]]] = True
        return tree


class Walk:
    """A compiled walk over groups, nested in the order given, under a condition.

    scope: gives meaning to global names. known: names that have values in the environment a walk starts from.
    late: see `Within`; for walks that are written as Python.
    Calling it with an environment yields once for each binding. The names are set in that environment, which is shared,
    so a caller that keeps a binding must copy it. Bindings come in documented order; the first group varies slowest.
    """

    def __init__(
        self,
        scope: Scope,
        groups: Sequence[Group],
        condition: Iterable[Expr],
        known: frozenset[str],
        late: bool = False,
    ) -> None:
        self.groups = tuple(groups)
        self.conditions = conditions = tuple(condition)
        local = known.union(*(g.names for g in self.groups))
        given = known
        self.within = within = Within(scope, local, late)
        mentioned = frozenset().union(*(free_names(c) for c in conditions))
        outside = mentioned - local
        bound = [name for g in self.groups for name in g.names]
        self._all = within.tests(conditions)
        self._named = tuple(name for name in bound if name in mentioned)
        self.levels: list[Level] = []
        pending = list(conditions)
        for g in self.groups:
            p = plan(g, conditions, outside | known, within)
            known = known | frozenset(g.names)
            ready = [c for c in pending if free_names(c) & local <= known]
            pending = [c for c in pending if c not in ready]
            before = tuple(name for name in bound if name in g.uses)
            self.levels.append(Level(g, p, ready, within, not (g.uses & local), before))
        self._inverted, self._axis = self._read_backwards(conditions, given, within)

    def _read_backwards(
        self, conditions: Sequence[Expr], known: frozenset[str], within: Within
    ) -> tuple[Inverted | None, dict[int, int]]:
        """The index that says what to visit, if there can be one, and the axis of it that each level is."""
        usable = [level.constant and not _restricts(level.plan) for level in self.levels]
        asked = question(conditions, self.groups, usable, known, within)
        if asked is None:
            return None, {}
        over = [self.levels[at] for at in asked.over]
        names = frozenset(name for level in over for name in level.group.names)
        alone = [c for c in conditions if free_names(c) & within.names <= names]
        inverted = Inverted(asked, [level.axis() for level in over], within.tests(alone), within.scope.budget)
        for level in over:
            level.others = within.tests([c for c in level.conditions if c is not asked.condition])
        return inverted, {at: axis for axis, at in enumerate(asked.over)}

    def expect_many(self) -> None:
        """Make the index, if there can be one, when the walk begins for the first time and not for the second."""
        if self._inverted is not None:
            self._inverted.begun = 1

    def is_axis(self, level: int) -> bool:
        """Whether an index is used to find the members of this level."""
        return level in self._axis

    def __call__(self, env: Env) -> Iterator[Env]:
        if not self.levels:
            return iter((env,)) if hold(self._all, env) else iter(())
        if len(self.levels) == 1 and self._inverted is None:
            return self._single_level(self.levels[0], env)
        return self._descend(0, env, False, self._inverted.begin(env) if self._inverted else None)

    def _single_level(self, level: Level, env: Env) -> Iterator[Env]:
        """What `_descend` yields for a walk over one group, which most are."""
        checks = level.checks
        for _ in level.bindings(env):
            try:
                holds = hold(checks, env)
            except EvalFault:
                holds = self._holds(env)
            if holds:
                yield env

    def _descend(self, depth: int, env: Env, doubtful: bool, only: dict[Any, Any] | None) -> Iterator[Env]:
        """doubtful: a condition that was tried early could not be evaluated, so all are checked in order at the end.
        only: what the index leaves for the groups that it ranges over."""
        if depth == len(self.levels):
            if not doubtful or self._holds(env):
                yield env
            return
        level = self.levels[depth]
        last = depth + 1 == len(self.levels)
        axis = None if only is None else self._axis.get(depth)
        left = only
        answered = only is not None and self._inverted is not None and self._inverted.answers
        for _ in level.bindings(env) if only is None or axis is None else level.visit(only, env):
            doubt = doubtful
            try:
                if not hold(level.others if axis is not None and answered else level.checks, env):
                    continue
            except EvalFault:
                doubt = True
            if last and not doubt:
                yield env
            else:
                if axis is not None and only is not None and self._inverted is not None:
                    left = self._inverted.after(axis, only, env)
                yield from self._descend(depth + 1, env, doubt, left)

    def _holds(self, env: Env) -> bool:
        try:
            return hold(self._all, env)
        except EvalFault as fault:
            raise met_for(fault, self._named, env) from None


class Level:
    """One group of a walk: its set, its plan and the conditions that can be checked once it is bound.

    constant: whether the set is always the same. restricted: whether the plan leaves out members. uses: the local names
    that the set uses. conditions, checks: those that can be checked once it is bound, as written and compiled.
    before: the names of the walk that the set uses.
    """

    def __init__(
        self, group: Group, plan_: Plan, ready: list[Expr], within: Within, constant: bool, before: tuple[str, ...]
    ) -> None:
        self.group = group
        self._before = before
        self.plan = plan_
        self.restricted = not isinstance(plan_, Step) or _restricts(plan_)
        self.conditions = tuple(ready)
        self.others = self.checks = within.tests(ready)
        self._over = within.members(group.over)
        self.constant = constant
        self._domains: dict[int, tuple[Any, Domain]] = {}
        self.uses = tuple(sorted(group.uses & within.names))
        self._recent: dict[tuple[Any, ...], Domain] = {}
        self.bind = within.scope.binder(group.pattern)
        self._budget = within.scope.budget
        self._walked = within.scope.walked
        self._noted = within.scope.noted

    def domain(self, env: Env) -> Domain:
        """The group's set in this environment. Kept, since the same set comes up again and again: by the values of the
        names that it uses, where these are numbers, texts and pieces, which are quickly compared."""
        if self.constant and self._domains:
            return next(iter(self._domains.values()))[1]
        values = tuple([env[name] for name in self.uses])
        if not all(map(_PLAIN.__contains__, map(type, values))):
            if not all(map(_TOLD_APART.__contains__, map(type, values))):
                return self._computed(env)
            values = tuple([self._kept(v) if type(v) is Piece else v for v in values])
        domain = self._recent.get(values)
        if domain is None:
            domain = self._computed(env, values)
            if len(self._recent) == RECENT:
                self._recent.clear()
            self._recent[values] = domain
        return domain

    def _kept(self, piece: Piece) -> tuple[type, int]:
        """What tells a piece from all others; it is kept, so that no other takes its place in memory."""
        self._noted["piece", id(piece)] = piece, None
        return Piece, id(piece)

    def _computed(self, env: Env, values: tuple[Any, ...] | None = None) -> Domain:
        """values: of the names that the set uses, if they are plain. Then other statements that walk the same set, as
        those do that speak of the same choices, get the very same members."""
        over = self.group.over
        key = (id(over), self.uses, values)
        known = None if values is None else self._walked.get(key)
        if known is not None:
            members = known[1]
        else:
            try:
                members = self._over(env)
            except EvalFault as fault:
                raise met_for(fault, self._before, env) from None
            if values is not None and len(self._walked) < SHARED:
                self._walked[key] = over, members
        kept = self._domains.get(id(members))
        if kept is not None and kept[0] is members:
            return kept[1]
        domain = Domain(self.group.names, members)
        if len(self._domains) < RECENT:
            self._domains[id(members)] = (members, domain)
        return domain

    def axis(self) -> Axis:
        """The group as an axis of an index."""
        return Axis(self.group, lambda: self.domain({}).members, self.bind)

    def visit(self, entries: dict[Any, Any], env: Env) -> Iterator[None]:
        """Bind the group to the members that an index leaves."""
        for member, _ in entries.values():
            self._budget.step(1)
            self.bind(member, env)
            yield None

    def bindings(self, env: Env) -> Iterator[None]:
        """Bind the group to each member that the plan leaves, in documented order."""
        domain = self.domain(env)
        step = self.plan
        if isinstance(step, Whole):
            return self._whole(domain, env, step.source)
        if not self.restricted:
            return self._whole(domain, env, None)
        if isinstance(step, Step) and step.then is None:
            return self._single(step, domain, env)
        return self._several(step, domain, env)

    def _several(self, p: Plan, domain: Domain, env: Env) -> Iterator[None]:
        found = dict.fromkeys(self._run(p, domain, env))
        members: Iterable[Any] = in_documented_order(found) if len(found) > 1 else found
        for member in members:
            self._budget.step(1)
            for name, value in zip(self.group.names, member, strict=True):
                env[name] = value
            yield None

    def _single(self, step: Step, domain: Domain, env: Env) -> Iterator[None]:
        """The bindings of a group of one name. The innermost group usually is one, so this is kept fast."""
        found = _candidates(step.sources, domain.tree(domain.names), env, self._budget)
        values = domain.own(list(found))
        if len(values) > 1:
            if set(map(type, values)) == {int}:
                values.sort()
            else:
                values.sort(key=order_key)
        self._budget.step(len(values))
        for value in values:
            env[step.name] = value
            yield None

    def _whole(self, domain: Domain, env: Env, source: Source | None) -> Iterator[None]:
        proposal = source(env) if source else None
        if type(proposal) is InOrder and isinstance(domain.members, Set | Map) and len(domain.members) <= FEW:
            proposal = None  # the condition is checked in any case
        members = domain.members if proposal is None else _known(proposal, domain, self._budget)
        if type(proposal) is list and isinstance(domain.members, Set | Map):
            members = in_documented_order(members)
        for member in members:
            self._budget.step(1)
            self.bind(member, env)
            yield None

    def _run(self, p: Plan, domain: Domain, env: Env) -> list[tuple[Any, ...]]:
        """The members a plan finds, as tuples in the order of the group's names; repeats are possible."""
        if isinstance(p, Either):
            return [member for part in p.plans for member in self._run(part, domain, env)]
        if isinstance(p, Whole):
            proposal = p.source(env) if p.source else None
            return [m if len(domain.names) > 1 else (m,) for m in _known(proposal, domain, self._budget)]
        order = _order(p)
        at = [order.index(name) for name in domain.names]
        found: list[tuple[Any, ...]] = []
        local = dict(env)
        self._take(p, domain.tree(order), local, (), at, found)
        return domain.own(found) if len(at) > 1 else [(v,) for v in domain.own([v for (v,) in found])]

    def _take(
        self, step: Step, tree: dict[Any, Any], env: Env, so_far: tuple[Any, ...], at: list[int], found: list[Any]
    ) -> None:
        for value in _candidates(step.sources, tree, env, self._budget):
            if step.then is None:
                whole = (*so_far, value)
                found.append(tuple(whole[i] for i in at))
            else:
                env[step.name] = value
                self._take(step.then, tree[value], env, (*so_far, value), at, found)


def _order(step: Step) -> tuple[str, ...]:
    return (step.name,) + (_order(step.then) if step.then else ())


def _known(proposal: Proposal, domain: Domain, budget: Budget) -> list[Any]:
    """The proposed members that are in the domain, each once; all members if nothing is proposed."""
    if proposal is None or isinstance(proposal, Between):
        budget.step(SEARCH + len(domain.members) // SIFTED)
        return list(domain.members)
    budget.step(SEARCH + len(proposal) // SIFTED)
    return domain.own([m for m in dict.fromkeys(proposal) if m in domain.members])


def _candidates(given: tuple[Source, ...], tree: dict[Any, Any], env: Env, budget: Budget) -> Iterable[Any]:
    """The values of a tree's level that the sources leave: those of the shortest list, or of the interval, or all."""
    budget.step(SEARCH * max(len(given), 1))
    shortest: list[Any] | None = None
    between: Between | None = None
    for source in given:
        proposal = source(env)
        if isinstance(proposal, Between):
            between = proposal if between is None else between.meet(proposal)
        elif proposal is not None:
            budget.step(len(proposal) // SIFTED)
            if shortest is None or len(proposal) < len(shortest):
                shortest = proposal
    if shortest is not None:
        if len(shortest) == 1:
            return shortest if shortest[0] in tree else ()
        return [v for v in dict.fromkeys(shortest) if v in tree]
    if between is None:
        return tree
    low, high = between.low, between.high
    if low is not None and high is not None and high - low < len(tree):
        budget.step(max(high - low, 0) // SIFTED)
        return [v for v in range(low, high + 1) if v in tree]
    budget.step(len(tree) // SIFTED)
    return [v for v in tree if type(v) is not int or ((low is None or low <= v) and (high is None or v <= high))]
