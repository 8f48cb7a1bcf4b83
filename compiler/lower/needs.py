"""`if F(args) then G(args) or …`: which choices go with which others.

What stands before `then` is a condition: choices that are taken, or not (`not F(args)`), joined by `and` and `or`.
Names in their arguments, and names that occur only in the `for` or the `where`, are the *first* names: they range over
all their values. A name that occurs in the arguments after `then` and in none before it stands for some of its values
(after `all`, for each; after `not` and `no`, for any of them). Consider each binding of the first names for which those
parts of the statement's `where` hold that mention no other names, and the choices that the other names lead to. A
choice that does not exist is never taken; after `then` it does not count.

Whatever a statement says is cut into demands of one form (`Need`): if all of some choices are taken, one of some others
is taken, too. `not f(x)` before `then` is a choice of the second kind. `if and only if` makes the demands of both
directions; for the way back, the condition is multiplied out.

A demand becomes a `Total`: +1 for each choice of the second kind, -1 for each of the first. Where it has choices of one
kind only, it is an item: at least one of them is taken, or not all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from attrs import define, field

from covr.compiler.evaluate import EvalFault, Scope
from covr.compiler.evaluate.fault_context import met_for
from covr.compiler.evaluate.limits import CHOICE, SIFTED
from covr.compiler.evaluate.names import free_names
from covr.compiler.evaluate.rewrite import conjuncts
from covr.compiler.evaluate.values import WORD, show_value
from covr.compiler.lower.as_python import Unsuitable, attempt
from covr.compiler.lower.default_names import head
from covr.compiler.lower.facts import fact_of, weight_of
from covr.compiler.lower.families import Family
from covr.compiler.lower.groups import Group, closure, groups_of
from covr.compiler.lower.local_scope import Within, allow_only
from covr.compiler.lower.memberships import FEWEST
from covr.compiler.lower.needed import begun_by, named_by
from covr.compiler.lower.walk import Walk
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.syntax import Expr, Name, NamedChoice, Needs
from covr.engine.sides import LateName
from covr.frozen import frozen

Env = dict[str, Any]


Literal = tuple[int | None, bool]
"""A choice before `then`, None if it can't be taken, and whether it is negated."""


Demand = tuple[frozenset[int], frozenset[int]]
"""The choices of a `Need`: if all of the first are taken, one of the second is."""


BINDING = 12
"""How many steps it counts as to work out what an `if … then` says for a binding of its names: some microseconds."""

NEVER = "is that meant? then a `forbid` says it plainly; if not, a `where` leaves out what it is not about"
"""The help where a choice can never be taken."""


Demand_ = tuple[tuple[int, ...], tuple[int, ...]]
"""The same with the numbers in order."""


@frozen
class Need:
    """One demand: if all of these choices are taken, one of those is. all_of, one_of: numbers of choices, increasing,
    none in both.  name: what messages call the demand."""

    all_of: tuple[int, ...]
    one_of: tuple[int, ...] = field(repr=False)
    name: str | LateName


@define
class Said:
    """What one `if … then` says. needs: its demands, each once, in the order of the first names' values.

    never: choices that can't be taken, whatever the others are.
    several: choices after `then` that are reached together, without a word that says which of them are meant; empty if
    that never happens. reached: whether any choice after `then` is ever reached.  missing: what stands before `then`
    and does not exist, or is forbidden, where an `if and only if` excludes the first of `never`: its name, its family,
    and whether it is forbidden.
    """

    needs: list[Need]
    never: list[int]
    several: tuple[int, ...] = ()
    reached: bool = False
    missing: tuple[str, str, bool] | None = None


def said_by(
    statement: Needs,
    families: Mapping[str, Family],
    declared: Mapping[str, Group],
    scope: Scope,
    dropped: Mapping[int, object],
) -> Said:
    """What an `if … then` says of the choices that are not dropped. Raises EvalFault.

    Time linear in the number of bindings of all names that the condition leaves.
    """
    reading = _Reading(statement, families, declared, scope)
    found = Said([], [])
    at_once = reading.single(dropped)
    if at_once is not None:
        _say_singly(statement, reading, at_once, found, dropped)
        return found
    unsaid = not statement.how and len(statement.then) == 1  # `or` between choices says that one is enough
    seen: set[Demand] = set()
    for env, when, named in reading.pairs(dropped):
        every = set(named)
        others = tuple(sorted([o for o in every if o not in dropped]))
        found.reached = found.reached or bool(every)
        if unsaid and len(others) > max(1, len(found.several)):
            found.several = others
        name: str | LateName = ""
        for all_of, one_of in _demands(statement, when, others, len(others) < len(every)):
            scope.budget.step(1 + (len(all_of) + len(one_of)) // SIFTED, statement.span)
            if (all_of, one_of) in seen or not one_of.isdisjoint(all_of):
                continue
            seen.add((all_of, one_of))
            if len(all_of) == 1 and not one_of:
                found.missing = found.missing if found.never or not statement.both else reading.missing(env, dropped)
                found.never += all_of
            name = name or reading.late_name(when, env)
            found.needs.append(Need(tuple(sorted(all_of)), tuple(sorted(one_of)), name))
    return found


def _say_singly(
    statement: Needs,
    reading: _Reading,
    bindings: Iterable[tuple[tuple[Any, ...], int, Sequence[int]]],
    found: Said,
    dropped: Mapping[int, object],
) -> None:
    """Add what an `if … then` says that has a single choice before `then`, and is not said in both directions.

    bindings: the values of the first names, that choice, and the numbers of the choices after `then`, with repeats.
    """
    unsaid = not statement.how and len(statement.then) == 1
    forbids, every_one = statement.forbids, statement.how == "all"
    seen: set[tuple[Any, ...]] = set()
    for values, number, named in bindings:
        every = set(named)
        others = sorted(every.difference(dropped) if dropped else every)
        found.reached = found.reached or bool(every)
        if unsaid and len(others) > max(1, len(found.several)):
            found.several = tuple(others)
        demands: list[Demand_]
        if every_one:
            demands = [((number,), (other,)) for other in others if other != number]
            if len(others) < len(every):
                demands.insert(0, ((number,), ()))
        elif not forbids:
            demands = [] if number in every else [((number,), tuple(others))]
        elif number in every:
            demands = [((number,), ())]
        else:
            demands = [((number, other) if number < other else (other, number), ()) for other in others]
        new = [demand for demand in demands if demand not in seen]
        if not new:
            continue
        seen.update(new)
        name = reading.late_name_of(values, number)
        for all_of, one_of in new:
            if not one_of and len(all_of) == 1:
                found.never.append(number)
            found.needs.append(Need(all_of, one_of, name))


def wishes_of(
    statement: Needs,
    price: Expr,
    families: Mapping[str, Family],
    declared: Mapping[str, Group],
    scope: Scope,
    dropped: Mapping[int, object],
    found: Said,
) -> Iterator[tuple[str, Any, list[Demand]]]:
    """For each binding of the first names of an `if … then` that may be broken: its name, the value of a price, and its
    demands, each once. found: is told the choices that break it whenever they are taken, and what is reached. Raises
    EvalFault."""
    reading = _Reading(statement, families, declared, scope)
    value = reading.compiled(price)
    for env, when, named in reading.pairs(dropped):
        every = set(named)
        others = tuple(sorted([o for o in every if o not in dropped]))
        found.reached = found.reached or bool(every)
        if not statement.how and len(statement.then) == 1 and len(others) > max(1, len(found.several)):
            found.several = others
        said = _demands(statement, when, others, len(others) < len(every))
        demands = list(dict.fromkeys((taken, free) for taken, free in said if free.isdisjoint(taken)))
        found.never += [n for taken, free in demands if len(taken) == 1 and not free for n in taken]
        if demands:
            yield reading.name(when, env), value(reading.known(when, env)), demands


def _demands(
    statement: Needs, when: Sequence[Sequence[Literal]], others: tuple[int, ...], lost: bool
) -> Iterator[Demand]:
    """The demands that a statement makes for one binding of its first names, each as all_of and one_of.

    others: the choices after `then`.  lost: whether some more of them exist, but can't be taken.
    """
    for taken, free in _alternatives(when):
        if statement.how == "all":
            if lost:
                yield taken, free
            for other in others:
                yield taken, free | {other}
        elif not statement.forbids:
            yield taken, free.union(others)
        elif taken.isdisjoint(others):
            for other in others:
                yield taken | {other}, free
        else:
            yield taken, free
    if not statement.both:
        return
    for taken, free in _satisfied(statement, others, lost):
        for literals in product(*when):
            if (None, True) not in literals:
                gone = taken.union([n for n, negated in literals if negated and n is not None])
                yield gone, free.union([n for n, negated in literals if not negated and n is not None])


def _alternatives(when: Sequence[Sequence[Literal]]) -> Iterator[Demand]:
    """The ways in which a condition can hold: the choices that are taken, and those that are not."""
    for together in when:
        if (None, False) not in together:
            yield (
                frozenset([n for n, negated in together if not negated and n is not None]),
                frozenset([n for n, negated in together if negated and n is not None]),
            )


def _satisfied(statement: Needs, others: tuple[int, ...], lost: bool) -> Iterator[Demand]:
    """The ways in which what stands after `then` can hold, as `_alternatives`."""
    if statement.how == "all":
        if not lost:
            yield frozenset(others), frozenset()
    elif statement.forbids:
        yield frozenset(), frozenset(others)
    else:
        for other in others:
            yield frozenset((other,)), frozenset()


class _Reading:
    """A statement taken apart. first: the names that range over all their values; `bindings` goes through them."""

    def __init__(
        self, statement: Needs, families: Mapping[str, Family], declared: Mapping[str, Group], scope: Scope
    ) -> None:
        self.statement, self.families, self.scope = statement, families, scope
        own = groups_of(statement.generators)
        local = _local(statement, families, declared, own)
        args = {a for c in (*statement.before, *statement.then) for a in c.args}
        parts = conjuncts(statement.where)
        used = frozenset().union(*map(free_names, args), *map(free_names, parts))
        groups = closure([*(local[n] for n in sorted(used) if n in local), *own], local)
        self._inside = Within(scope, frozenset(local))
        head = frozenset().union(*map(_names, statement.before))
        then = frozenset().union(*map(_names, statement.then)) - head
        some = then & {n for g in groups for n in g.names}
        self.first = tuple(n for g in groups for n in g.names if n not in some)
        alone = [p for p in parts if not free_names(p) & some]
        wanted = closure([g for g in groups if set(g.names) - some], local)
        self._walk = Walk(scope, wanted, alone, frozenset())
        self._again = {n for g in wanted for n in g.names if n not in some}
        unsettled = [g for g in groups if not _settled(g, some, local)]
        self._rebound = [n for g in unsettled for n in g.names if n in self._again]
        # A first name that is bound again has another value in between, so no condition may be tested before it is.
        known = frozenset(self.first).difference(self._rebound)
        self._some = Walk(scope, unsettled, [p for p in parts if free_names(p) & some], known)
        self._args: dict[int, list[Any]] = {}
        self._known = frozenset(local)
        self._label = self._made_label()
        self._sure = False
        self._said: tuple[str, frozenset[str]] | None = None  # of default names: how they begin, and names in them

    def bindings(self) -> Iterator[Env]:
        """The values of the first names for which their parts of the condition hold, each once, in documented order."""
        seen: set[tuple[Any, ...]] = set()
        for env in self._walk({}):
            values = tuple([env[n] for n in self.first])
            if values not in seen:
                seen.add(values)
                self.scope.budget.step(CHOICE, self.statement.span)
                yield dict(zip(self.first, values, strict=True))

    def pairs(self, dropped: Mapping[int, object]) -> Iterator[tuple[Env, Sequence[Sequence[Literal]], Iterable[int]]]:
        """For each binding of the first names for which the statement may demand something: the binding, the condition
        before `then`, and the numbers of the choices after it, with repeats."""
        at_once = attempt(lambda: self._pairs(dropped), self.scope)
        if at_once is not None:
            yield from at_once
            return
        for env, when in self._conditions(dropped):
            yield env, when, self.others(dict(env))

    def single(self, dropped: Mapping[int, object]) -> list[tuple[tuple[Any, ...], int, Sequence[int]]] | None:
        """For a statement with a single choice before `then`, not said in both directions: the bindings of the first
        names for which there is that choice, its number, and the numbers of the choices after `then`, with repeats.
        None if it is of another kind, or closures must do it."""
        return None if self._only is None else attempt(lambda: self._single(dropped), self.scope)

    def _single(self, dropped: Mapping[int, object]) -> list[tuple[tuple[Any, ...], int, Sequence[int]]]:
        if self._rebound or self._only is None:
            raise Unsuitable
        named = self.statement.when[0][0].choice
        every = begun_by(named, self.first, self._walk, self._only, self._inside, self.scope)
        self.scope.budget.step(CHOICE * len(every), self.statement.span)
        kept = [(values, number) for values, number in every if number >= 0 and number not in dropped]
        if len(kept) < FEWEST:
            raise Unsuitable
        bindings = [values for values, _ in kept]
        then, walk = self.statement.then, self._some
        found = named_by(then, self.first, bindings, walk, self.families, self._inside, self.scope)
        self._sure = self._is_sure(bindings)
        return [(values, number, others) for (values, number), others in zip(kept, found, strict=True)]

    def _is_sure(self, bindings: Sequence[tuple[Any, ...]]) -> bool:
        """Whether the label can't fault: its holes are first names, with short values."""
        label = self.statement.label
        holes = [] if label is None else [part for part in label.parts if not isinstance(part, str)]
        if not all(isinstance(hole, Name) and hole.id in self.first for hole in holes):
            return False
        most = self.scope.budget.limits.text // WORD
        facts = dict(zip(self.first, map(fact_of, zip(*bindings, strict=True)), strict=True))
        weights = [weight_of(facts[hole.id]) for hole in holes if isinstance(hole, Name)]
        return all(weight is not None and weight <= most for weight in weights)

    def late_name_of(self, values: tuple[Any, ...], number: int) -> str | LateName:
        """`late_name` for a binding that `single` found."""
        if self._sure or self._label is None:
            return LateName(lambda: self._name_of(values, number))
        return self._name_of(values, number)

    def _name_of(self, values: tuple[Any, ...], number: int) -> str:
        return self.name((((number, False),),), dict(zip(self.first, values, strict=True)))

    def _pairs(self, dropped: Mapping[int, object]) -> list[tuple[Env, Sequence[Sequence[Literal]], Iterable[int]]]:
        """The same at once. Raises Unsuitable or EvalFault."""
        if self._rebound:
            raise Unsuitable
        kept = list(self._conditions(dropped))
        if len(kept) < FEWEST:
            raise Unsuitable
        bindings = [tuple([env[n] for n in self.first]) for env, _ in kept]
        then, walk = self.statement.then, self._some
        found = named_by(then, self.first, bindings, walk, self.families, self._inside, self.scope)
        return [(env, when, others) for (env, when), others in zip(kept, found, strict=True)]

    def _conditions(self, dropped: Mapping[int, object]) -> Iterator[tuple[Env, Sequence[Sequence[Literal]]]]:
        """The bindings of the first names with the condition before `then`, without those for which it can't hold and
        nothing follows from that."""
        when = self.statement.when
        if len(when) == 1 and len(when[0]) == 1 and not (when[0][0].negated or self.statement.both):
            named = when[0][0].choice
            for env in self.bindings():
                choice = self.choice(named, env)
                if choice is not None and choice not in dropped:
                    yield env, (((choice, False),),)
            return
        for env in self.bindings():
            self.scope.budget.step(BINDING, self.statement.span)
            met = [[(self._taken(part.choice, env, dropped), part.negated) for part in together] for together in when]
            if self.statement.both or any((None, False) not in together for together in met):
                yield env, met

    def _taken(self, named: NamedChoice, env: Env, dropped: Mapping[int, object]) -> int | None:
        """The number of a choice before `then`; None if it can't be taken."""
        choice = self.choice(named, env)
        return None if choice in dropped else choice

    def missing(self, env: Env, dropped: Mapping[int, object]) -> tuple[str, str, bool] | None:
        """The first choice before `then` that can't be taken, as in `Said`; None if all can be."""
        for together in self.statement.when:
            for part in together:
                if not part.negated and self._taken(part.choice, env, dropped) is None:
                    family = self.families[part.choice.family.id]
                    args = tuple([get(env) for get in self._args[id(part.choice)]])
                    return family.name_of(args), family.name, family.number(args) is not None
        return None

    def choice(self, named: NamedChoice, env: Env) -> int | None:
        """The number of a choice that the statement names; None if there is no such choice."""
        getters = self._args.get(id(named))  # its hash would be worked out anew each time
        if getters is None:
            getters = self._args[id(named)] = [self._inside.compile(a) for a in named.args]
        try:
            args = tuple([get(env) for get in getters])
        except EvalFault as fault:
            shown = {n: v for n, v in env.items() if any(n in free_names(a) for a in named.args)}
            raise met_for(fault, shown, shown) from None
        return self.families[named.family.id].number(args)

    def others(self, env: Env) -> Iterator[int]:
        """The numbers of the choices after `then`, with repeats."""
        own = [env[n] for n in self._rebound]
        for _ in self._some(env):
            if [env[n] for n in self._rebound] != own:
                continue
            for named in self.statement.then:
                number = self.choice(named, env)
                if number is not None:
                    yield number

    def name(self, when: Sequence[Sequence[Literal]], env: Env) -> str:
        """The statement's label, filled in; without one, the text up to the end of its last choice, with the values of
        the names that the choices before `then` use."""
        return str(self.late_name(when, env))

    def late_name(self, when: Sequence[Sequence[Literal]], env: Env) -> str | LateName:
        """The same. A label is filled in at once, since that may fault; what can't is written when it is asked for."""
        if self._label is not None:
            return str(self._label(self.known(when, env)))
        return LateName(lambda: self._default_name(env))

    def _default_name(self, env: Env) -> str:
        if self._said is None:
            self._said = head(self.statement), frozenset().union(*map(_names, self.statement.before))
        said, shown = self._said
        values = ", ".join(f"{n} = {show_value(v)}" for n, v in env.items() if n in shown)
        return f"{said} for {values}" if values else said

    def known(self, when: Sequence[Sequence[Literal]], env: Env) -> Env:
        """The names that have a value in the label."""
        if self._only is None:
            return env
        number = when[0][0][0]
        assert number is not None
        return {**dict(zip(self._only.indices, self._only.choices[number - self._only.first], strict=True)), **env}

    def compiled(self, price: Expr) -> Any:
        """What it costs to break the statement, as a function of the names that have a value in the label."""
        indices = () if self._only is None else self._only.indices
        message, help = "{name} has no value in this price", "a price speaks of the names before `then`"
        allow_only({*self.first, *indices}, self._known, price, message, help)
        return Within(self.scope, self._known.union(indices)).compile(price)

    @property
    def _only(self) -> Family | None:
        """The family of the choice before `then`, if there is one choice, and it is taken wherever something is
        demanded: then a label may use its indices."""
        ((first, *more), *others) = self.statement.when
        single = not (more or others or first.negated or self.statement.both)
        return self.families[first.choice.family.id] if single else None

    def _made_label(self) -> Any:
        label = self.statement.label
        if label is None:
            return None
        indices = () if self._only is None else self._only.indices
        message = "{name} has no value in this label"
        help = "a label speaks of the names before `then`"
        if self._only is not None:
            help += ", and of the indices of the choice there"
        allow_only({*self.first, *indices}, self._known, label, message, help)
        return Within(self.scope, self._known.union(indices)).template(label)


def _names(named: NamedChoice) -> frozenset[str]:
    return frozenset().union(*map(free_names, named.args))


def _local(
    statement: Needs, families: Mapping[str, Family], declared: Mapping[str, Group], own: Sequence[Group]
) -> dict[str, Group]:
    """The group of each index name: bound by `for`, or else an index of the family whose arguments use it, or else
    declared."""
    named = (*statement.before, *statement.then)
    local = dict(declared)
    for choice in reversed(named):
        local.update(families[choice.family.id].index_groups)
    for choice in reversed(named):
        groups = families[choice.family.id].index_groups
        local.update({n: groups[n] for n in _names(choice) if n in groups})
    for g in own:
        local.update(dict.fromkeys(g.names, g))
    return local


def _settled(g: Group, some: frozenset[str], local: Mapping[str, Group]) -> bool:
    """Whether a group binds only first names, and depends on no names but those."""
    return not any(n in some for needed in closure([g], local) for n in needed.names)


def remarks(
    statement: Needs, said: Said, families: Mapping[str, Family], *, wish: bool = False
) -> Iterator[Diagnostic]:
    """Warnings about choices that can never be taken because of an `if … then`, and about what it leaves unsaid.

    wish: whether it may be broken, so that these choices only break it.
    """
    if statement.how == "all" and not said.reached:
        follows = "what stands before `then` must hold" if statement.both else "it holds whatever is taken"
        message = f"`then all` reaches no choice, so {follows}"
        help = "do the names in it, and the `where`, say what is meant?"
        yield Diagnostic("W215", message, statement.then[0].span, help)
    if said.several:
        first, more = _named(said.several[0], families), len(said.several) - 1
        message = f"`then` reaches `{first}` and {more} more at once, and does not say whether one or all are meant"
        then = statement.then[0].span.one_line
        help = f"is `then some {then}` meant (one or more, as it is read now), `then all {then}`, or `then no {then}`?"
        yield Diagnostic("W216", message, statement.then[0].span, help)
    if not said.never:
        return
    name = _named(said.never[0], families)
    count = len(set(said.never)) - 1
    more_like_it = f" (and {count} more like it)" if count else ""
    plain = not statement.both and all(not part.negated for together in statement.when for part in together)
    if wish:
        message = f"`{name}` breaks this wish whenever it is taken{more_like_it}"
        yield Diagnostic(
            "W218", message, statement.span, "does it say what is meant? a `where` leaves out what it is not about"
        )
        return
    if statement.forbids and plain:
        message, help = f"`{name}` excludes itself{more_like_it}", "are only others meant? then say so: `where d != e`"
    else:
        message = f"`{name}` can never be taken{more_like_it}: "
        help = NEVER
        if statement.how == "all" and plain:
            message += "one of those after `then all` is forbidden"
        else:
            message += "none of the choices after `then` exists for it" if plain else "what it goes with does not exist"
        if said.missing is not None:
            missing, family, forbidden = said.missing
            condition = families[family].statement.where
            message = f"`{name}` can never be taken{more_like_it}: `{missing}` " + (
                "is forbidden" if forbidden else "does not exist"
            )
            if condition is not None and not forbidden:
                written = f"`where {condition.span.one_line}`"
                help = (
                    f"is the statement meant for choices that exist? then narrow it as `choose {family}` is: {written}"
                )
    yield Diagnostic("W210", message, statement.span, help)


def _named(choice: int, families: Mapping[str, Family]) -> str:
    """The name of a choice, from its number."""
    family = next(f for f in families.values() if 0 <= choice - f.first < len(f.choices))
    return family.name_of(family.choices[choice - family.first])


__all__ = ["Demand", "Need", "Said", "remarks", "said_by", "wishes_of"]
