"""`if F(args) then [not] G(args) or …`: which choices each choice of F needs, or excludes.

Names in F's arguments, and names that occur only in the `for` or the `where`, are the *first* names: they range over
all their values. A name that occurs in the arguments after `then` and not in F's stands for some of its values (after
`not`, for any of them). Consider each binding of the first names for which those parts of the condition hold that
mention no other names. It makes one demand: the choice F(args) needs at least one of the choices that the other names
lead to, or excludes all of them. A choice that does not exist, or that is forbidden, does not count.

A choice that needs others becomes a `Total`: +1 for each of them, -1 for itself, and the sum at least 0. Two choices
that exclude each other become an item with the bounds 0, 1; a choice that can't be taken at all becomes an item with
the bounds 0, 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import define, field, frozen

from covr.compiler.evaluate import EvalFault, Scope
from covr.compiler.evaluate.fault_context import met_for
from covr.compiler.evaluate.limits import CHOICE
from covr.compiler.evaluate.names import free_names
from covr.compiler.evaluate.rewrite import conjuncts
from covr.compiler.evaluate.values import show_value
from covr.compiler.lower.as_python import Unsuitable, attempt
from covr.compiler.lower.default_names import head
from covr.compiler.lower.families import Family
from covr.compiler.lower.groups import Group, closure, groups_of
from covr.compiler.lower.local_scope import Within, allow_only
from covr.compiler.lower.memberships import FEWEST
from covr.compiler.lower.needed import named_by
from covr.compiler.lower.walk import Walk
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.syntax import NamedChoice, Needs

Env = dict[str, Any]


@frozen
class Need:
    """One demand. choice: the number of F's choice.  others: the numbers of the choices that it needs or excludes,
    increasing; empty if it can't be taken at all.  name: what messages call the demand."""

    choice: int
    others: tuple[int, ...] = field(repr=False)
    name: str


@define
class Said:
    """What one `if … then` says. needs: its demands, each once, in the order of the first names' values.

    never: choices that can't be taken, because none of the choices that they need exists or because they exclude
    themselves.
    """

    needs: list[Need]
    never: list[int]


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
    seen: set[tuple[int, tuple[int, ...]]] = set()
    for env, choice, named in reading.pairs(dropped):
        others = tuple(sorted({o for o in named if o not in dropped}))
        if (choice, others) in seen or (choice in others and not statement.forbids):
            continue
        seen.add((choice, others))
        if choice in others or not (others or statement.forbids):
            found.never.append(choice)
            others = ()
        elif not others:
            continue
        found.needs.append(Need(choice, others, reading.name(choice, env)))
    return found


class _Reading:
    """A statement taken apart. first: the names that range over all their values; `bindings` goes through them."""

    def __init__(
        self, statement: Needs, families: Mapping[str, Family], declared: Mapping[str, Group], scope: Scope
    ) -> None:
        self.statement, self.families, self.scope = statement, families, scope
        own = groups_of(statement.generators)
        local = _local(statement, families, declared, own)
        args = {a for c in (statement.choice, *statement.then) for a in c.args}
        parts = conjuncts(statement.where)
        used = frozenset().union(*map(free_names, args), *map(free_names, parts))
        groups = closure([*(local[n] for n in sorted(used) if n in local), *own], local)
        self._inside = Within(scope, frozenset(local))
        head = _names(statement.choice)
        then = frozenset().union(*map(_names, statement.then)) - head
        some = then & {n for g in groups for n in g.names}
        self.first = tuple(n for g in groups for n in g.names if n not in some)
        alone = [p for p in parts if not free_names(p) & some]
        wanted = closure([g for g in groups if set(g.names) - some], local)
        self._walk = Walk(scope, wanted, alone, frozenset())
        self._again = {n for g in wanted for n in g.names if n not in some}
        self._some = Walk(
            scope,
            [g for g in groups if not _settled(g, some, local)],
            [p for p in parts if free_names(p) & some],
            frozenset(self.first),
        )
        self._rebound = [n for g in groups if not _settled(g, some, local) for n in g.names if n in self._again]
        self._args: dict[NamedChoice, list[Any]] = {}
        self._known = frozenset(local)
        self._label = self._made_label()

    def bindings(self) -> Iterator[Env]:
        """The values of the first names for which their parts of the condition hold, each once, in documented order."""
        seen: set[tuple[Any, ...]] = set()
        for env in self._walk({}):
            values = tuple([env[n] for n in self.first])
            if values not in seen:
                seen.add(values)
                self.scope.budget.step(CHOICE, self.statement.span)
                yield dict(zip(self.first, values, strict=True))

    def pairs(self, dropped: Mapping[int, object]) -> Iterator[tuple[Env, int, Iterable[int]]]:
        """For each binding of the first names for which there is a choice that is not dropped: the binding, the choice,
        and the numbers of those after `then`, with repeats."""
        at_once = attempt(lambda: self._pairs(dropped), self.scope)
        if at_once is not None:
            yield from at_once
            return
        for env in self.bindings():
            choice = self.choice(self.statement.choice, env)
            if choice is not None and choice not in dropped:
                yield env, choice, self.others(dict(env))

    def _pairs(self, dropped: Mapping[int, object]) -> list[tuple[Env, int, Iterable[int]]]:
        """The same at once. Raises Unsuitable or EvalFault."""
        if self._rebound:
            raise Unsuitable
        kept: list[tuple[Env, int]] = []
        for env in self.bindings():
            choice = self.choice(self.statement.choice, env)
            if choice is not None and choice not in dropped:
                kept.append((env, choice))
        if len(kept) < FEWEST:
            raise Unsuitable
        bindings = [tuple([env[n] for n in self.first]) for env, _ in kept]
        then, walk = self.statement.then, self._some
        found = named_by(then, self.first, bindings, walk, self.families, self._inside, self.scope)
        return [(env, choice, others) for (env, choice), others in zip(kept, found, strict=True)]

    def choice(self, named: NamedChoice, env: Env) -> int | None:
        """The number of a choice that the statement names; None if there is no such choice."""
        getters = self._args.get(named)
        if getters is None:
            getters = self._args[named] = [self._inside.compile(a) for a in named.args]
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

    def name(self, choice: int, env: Env) -> str:
        """The statement's label, filled in; without one, the text up to the end of its last choice, with the values of
        the names that F's arguments use."""
        family = self.families[self.statement.choice.family.id]
        if self._label is not None:
            indices = dict(zip(family.indices, family.choices[choice - family.first], strict=True))
            return str(self._label({**indices, **env}))
        shown = _names(self.statement.choice)
        values = ", ".join(f"{n} = {show_value(v)}" for n, v in env.items() if n in shown)
        said = head(self.statement)
        return f"{said} for {values}" if values else said

    def _made_label(self) -> Any:
        label = self.statement.label
        if label is None:
            return None
        family = self.families[self.statement.choice.family.id]
        message = "{name} has no value in this label"
        help = "a label speaks of the names before `then`, and of the indices of the choice there"
        allow_only({*self.first, *family.indices}, self._known, label, message, help)
        return Within(self.scope, self._known.union(family.indices)).template(label)


def _names(named: NamedChoice) -> frozenset[str]:
    return frozenset().union(*map(free_names, named.args))


def _local(
    statement: Needs, families: Mapping[str, Family], declared: Mapping[str, Group], own: Sequence[Group]
) -> dict[str, Group]:
    """The group of each index name: bound by `for`, or else an index of the family whose arguments use it, or else
    declared."""
    named = (statement.choice, *statement.then)
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


def remarks(statement: Needs, said: Said, families: Mapping[str, Family]) -> Iterator[Diagnostic]:
    """Warnings about choices that can never be taken because of an `if … then`."""
    if not said.never:
        return
    family = families[statement.choice.family.id]
    name = family.name_of(family.choices[said.never[0] - family.first])
    count = len(set(said.never)) - 1
    more = f" (and {count} more like it)" if count else ""
    if statement.forbids:
        message, help = f"`{name}` excludes itself{more}", "say which others are meant: `where d != e`"
    else:
        message = f"`{name}` can never be taken{more}: none of the choices after `then` exists for it"
        help = "narrow the statement with a `where`, or forbid these choices"
    yield Diagnostic("W210", message, statement.span, help)


__all__ = ["Need", "Said", "remarks", "said_by"]
