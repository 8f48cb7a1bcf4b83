"""`if F(args) then G(args) or …`: which choices go with which others.

What stands before `then` is a condition: choices that are taken, or not (`not F(args)`), joined by `and` and `or`.
Names in their arguments, and names only in the `for` or the `where`, are the *first* names: they range over all their
values. A name only in the arguments after `then` stands for some of its values (after `all`, for each; after `not` and
`no`, for any). For each binding of the first names that meets the parts of the `where` without other names, consider
the choices that the other names lead to. A choice that does not exist is never taken; after `then` it does not count.

What a statement says is cut into demands of one form (`Need`, demands.py): if all of some choices are taken, one of
some others is taken, too. A demand becomes a `Total`: +1 for each choice of the second kind, -1 for each of the first.
With choices of one kind only it is an item: at least one of them is taken, or not all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from attrs import define, field

from covr.compiler.evaluate import EvalFault
from covr.compiler.evaluate.expressions import conjuncts, free_names
from covr.compiler.evaluate.limits import CHOICE, SIFTED, met_for
from covr.compiler.evaluate.values import WORD, abbreviate, kind_of, show_value
from covr.compiler.lower.as_python import Unsuitable, attempt
from covr.compiler.lower.demands import Literal, StatedDemand, StatedPart, counted, demands
from covr.compiler.lower.facts import fact_of, weight_of
from covr.compiler.lower.families import Family, Lowering
from covr.compiler.lower.groups import Group, Within, allow_only, closure, groups_of
from covr.compiler.lower.keys import head
from covr.compiler.lower.query import IndexValues, WalkQuery
from covr.compiler.lower.rules import Wanted, check_size, ends_of, wanted
from covr.compiler.lower.walk import Walk
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.syntax import Expr, Name, NamedChoice, Needs, Then
from covr.engine.problem import LateName
from covr.frozen import frozen

Env = dict[str, Any]


BINDING = 12
"""How many steps it counts as to work out what an `if … then` says for a binding of its names: some microseconds."""

NEVER = "is that meant? then a `forbid` says it plainly; if not, a `where` leaves out what it is not about"
"""The help where a choice can never be taken."""


SortedDemand = tuple[tuple[int, ...], tuple[int, ...]]
"""The choices of a demand without a sum, in order."""


Reached = tuple[tuple[tuple[int, ...], bool, dict[int, int] | None], ...]
"""For each part after `then`, its choices, increasing, whether some more exist but can't be taken, and what each counts
in a total."""


Silent = tuple[NamedChoice, NamedChoice, Env]
"""A choice after `then` that counts for nothing, the one because of which, and the values of the first names."""


@frozen
class Need:
    """One demand: if all of these choices are taken, one of those is. all_of, one_of: numbers of choices, increasing,
    none in both.  name: what messages call the demand.  sum: the demand as a whole, if it is about a sum."""

    all_of: tuple[int, ...]
    one_of: tuple[int, ...] = field(repr=False)
    name: str | LateName
    sum: StatedDemand | None = None


@define
class NeedsResult:
    """What one `if … then` says.

    - needs: its demands, each once, in the order of the first names' values
    - never: choices that can't be taken, whatever the others are
    - several, unsaid: choices after `then` that are reached together, without a word that says which are meant, and the
      part of the statement; empty if that never happens
    - reached: whether any choice after `then` is ever reached
    - missing: what stands before `then` and can't be, where an `if and only if` excludes the first of `never`: its
      name, its family, and whether it is forbidden
    - silent: a choice after `then` that counts for nothing, since a name of the other, joined by `or`, has no value
    """

    needs: list[Need]
    never: list[int]
    several: tuple[int, ...] = ()
    unsaid: Then | None = None
    reached: bool = False
    missing: tuple[str, str, bool] | None = None
    silent: Silent | None = None

    def meet(self, reading: _Reading, env: Env, reached: Reached) -> None:
        """Note what stands after `then` for one binding of the first names."""
        for at, (part, (choices, lost, _)) in enumerate(zip(reading.statement.then, reached, strict=True)):
            self.reached = self.reached or bool(choices) or lost
            if not (choices or lost or self.silent):
                self.silent = reading.silent(at, env)
            if part.bare and len(choices) > max(1, len(self.several)):
                self.several, self.unsaid = choices, part


def said_by(statement: Needs, lowering: Lowering) -> NeedsResult:
    """What an `if … then` says of the choices that are not dropped. Raises EvalFault. Time linear in the number of
    bindings of all names that the condition leaves."""
    reading = _Reading(statement, lowering)
    found = NeedsResult([], [])
    at_once = reading.single()
    if at_once is not None:
        _say_singly(statement, reading, at_once, found)
        return found
    seen: set[StatedDemand] = set()
    step = lowering.scope.budget.step
    for env, when, reached in reading.pairs():
        found.meet(reading, env, reached)
        name: str | LateName = ""
        for demand in demands(when, reading.parts(env, reached), statement.both, statement.span):
            all_of, one_of, terms, *_ = demand
            step(1 + (len(all_of) + len(one_of) + len(terms)) // SIFTED, statement.span)
            if demand in seen:
                continue
            seen.add(demand)
            if len(all_of) == 1 and not (one_of or terms):
                found.missing = found.missing if found.never or not statement.both else reading.missing(env)
                found.never += all_of
            name = name or reading.late_name(when, env)
            whole = demand if terms else None
            found.needs.append(Need(tuple(sorted(all_of)), tuple(sorted(one_of)), name, whole))
    return found


def _say_singly(
    statement: Needs,
    reading: _Reading,
    bindings: Iterable[tuple[tuple[Any, ...], tuple[int, ...], Sequence[int]]],
    found: NeedsResult,
) -> None:
    """Add what an `if … then` says that wants something where some choices are all taken, and is not said in both
    directions. bindings: as `single` finds them."""
    (then,) = statement.then
    unsaid, forbids, every_one, dropped = then.bare, then.forbids, then.kind == "all", reading.dropped
    seen: set[tuple[Any, ...]] = set()
    for values, taken, named in bindings:
        every = set(named)
        others = sorted(every.difference(dropped) if dropped else every)
        found.reached = found.reached or bool(every)
        if not (every or found.silent):
            found.silent = reading.silent(0, dict(zip(reading.first, values, strict=True)))
        if unsaid and len(others) > max(1, len(found.several)):
            found.several, found.unsaid = tuple(others), then
        demands: list[SortedDemand]
        if every_one:
            demands = [(taken, (other,)) for other in others if other not in taken]
            if len(others) < len(every):
                demands.insert(0, (taken, ()))
        elif not forbids:
            demands = [(taken, tuple(others))] if every.isdisjoint(taken) else []
        elif every.isdisjoint(taken):
            demands = [(tuple(sorted((*taken, other))), ()) for other in others]
        else:
            demands = [(taken, ())]
        new = [demand for demand in demands if demand not in seen]
        if not new:
            continue
        seen.update(new)
        name = reading.late_name_of(values, taken)
        for all_of, one_of in new:
            if not one_of and len(all_of) == 1:
                found.never += all_of
            found.needs.append(Need(all_of, one_of, name))


def wishes_of(
    statement: Needs, price: Expr, lowering: Lowering, found: NeedsResult
) -> Iterator[tuple[str, Any, list[StatedDemand]]]:
    """For each binding of the first names of an `if … then` that may be broken: its name, the value of a price, and its
    demands, each once. found: is told the choices that break it whenever they are taken, and what is reached. Raises
    EvalFault."""
    reading = _Reading(statement, lowering)
    value = reading.compiled(price)
    for env, when, reached in reading.pairs():
        found.meet(reading, env, reached)
        said = dict.fromkeys(demands(when, reading.parts(env, reached), statement.both, statement.span, apart=True))
        found.never += [n for taken, free, *more in said if len(taken) == 1 and not (free or any(more)) for n in taken]
        if said:
            yield reading.name(when, env), value(reading.known(when, env)), list(said)


class _Reading:
    """A statement taken apart. first: the names that range over all their values; `bindings` goes through them."""

    def __init__(self, statement: Needs, lowering: Lowering) -> None:
        self.statement, self.families, self.scope = statement, lowering.families, lowering.scope
        self.dropped = lowering.dropped
        own = groups_of(statement.generators)
        local = _local(statement, lowering, own)
        counts = [e for part in statement.then for e in (part.quantity, *part.weights) if e is not None]
        args = {a for c in (*statement.before, *statement.after) for a in c.args}.union(counts)
        parts = conjuncts(statement.where)
        used = frozenset().union(*map(free_names, args), *map(free_names, parts))
        groups = closure([*(local[n] for n in sorted(used) if n in local), *own], local)
        self._inside = Within(self.scope, frozenset(local))
        head = frozenset().union(*map(_names, statement.before))
        then = frozenset().union(*map(_names, statement.after)) - head
        some = then & {n for g in groups for n in g.names}
        self.first = tuple(n for g in groups for n in g.names if n not in some)
        alone = [p for p in parts if not free_names(p) & some]
        wanted = closure([g for g in groups if set(g.names) - some], local)
        self._walk = Walk(self.scope, wanted, alone, frozenset())
        self._again = {n for g in wanted for n in g.names if n not in some}
        unsettled = [g for g in groups if not _settled(g, some, local)]
        self._rebound = [n for g in unsettled for n in g.names if n in self._again]
        # A first name that is bound again has another value in between, so no condition may be tested before it is.
        known = frozenset(self.first).difference(self._rebound)
        mixed = [p for p in parts if free_names(p) & some]
        spoken = [self._spoken(part.choices, some, local) for part in statement.then]
        self._check_conditions(mixed, some, spoken)

        def walk(names: frozenset[str]) -> Walk:
            """From a binding of the first names to those of these names, under the conditions that need no others."""
            needed = [(g, {n for d in closure([g], local) for n in d.names} & some) for g in unsettled]
            groups = [g for g, asked in needed if asked <= names]
            return Walk(self.scope, groups, [c for c in mixed if free_names(c) & some <= names], known)

        self._somes = [walk(names) for names in spoken]
        # The names of each choice, of parts whose choices have unlike ones, and how to walk through them alone.
        named = [[(choice, self._spoken([choice], some, local)) for choice in part.choices] for part in statement.then]
        self._unlike = [each if len({names for _, names in each}) > 1 else [] for each in named]
        self._walk_of = walk
        self._args: dict[int, list[Any]] = {}
        self._known = frozenset(local)
        self._wants = [self._wanted(part, some) for part in statement.then]
        self._weights = [[self._inside.compile(w) for w in part.weights] for part in statement.then]
        self._label = self._made_label()
        self._sure = False
        self._said: tuple[str, frozenset[str]] | None = None  # of default names: how they begin, and names in them

    @staticmethod
    def _spoken(choices: Iterable[NamedChoice], some: frozenset[str], local: Mapping[str, Group]) -> frozenset[str]:
        """The names after `then` that choices speak of."""
        own = sorted(frozenset().union(*map(_names, choices)) & some)
        return frozenset(n for g in closure([local[n] for n in own], local) for n in g.names)

    @staticmethod
    def _check_conditions(conditions: Iterable[Expr], some: frozenset[str], spoken: Iterable[frozenset[str]]) -> None:
        """Raises EvalFault for a condition that no part after `then` has all names of. spoken: the names of each."""
        for condition in conditions:
            asked = free_names(condition) & some
            if not any(asked <= names for names in spoken):
                listed = " and ".join(f"`{n}`" for n in sorted(asked))
                message = f"this part of the condition speaks of {listed}, which belong to different parts after `then`"
                help = "parts joined by `and` find their values apart: write a statement for each of them"
                raise EvalFault(Diagnostic("E414", message, condition.span, help))

    def silent(self, at: int, env: Env) -> Silent | None:
        """What counts for nothing in a part after `then` that reaches no choice, if one of its choices has values of
        its own names and another has none."""
        has = [(choice, any(True for _ in self._walk_of(names)(dict(env)))) for choice, names in self._unlike[at]]
        lost, empty = ([choice for choice, found in has if found is wanted] for wanted in (True, False))
        return (lost[0], empty[0], env) if lost and empty else None

    def _wanted(self, part: Then, some: frozenset[str]) -> Callable[[Env], Wanted] | None:
        """What a count after `then` wants, as a function of the first names; None if the part is no count."""
        if part.quantity is None:
            return None
        message = "{name} stands for the choices that are counted, so it has no value in this number"
        allow_only((), some, part.quantity, message, "a number speaks of the names before `then`")
        ends = ends_of(part.quantity)
        functions = [self._inside.compile(end) for end in ends]
        return lambda env: wanted(part, ends, [function(env) for function in functions])

    def bindings(self) -> Iterator[Env]:
        """The values of the first names for which their parts of the condition hold, each once, in documented order."""
        seen: set[tuple[Any, ...]] = set()
        for env in self._walk({}):
            values = tuple([env[n] for n in self.first])
            if values not in seen:
                seen.add(values)
                self.scope.budget.step(CHOICE, self.statement.span)
                yield dict(zip(self.first, values, strict=True))

    def pairs(self) -> Iterator[tuple[Env, Sequence[Sequence[Literal]], Reached]]:
        """For each binding of the first names for which the statement may demand something: the binding, the condition
        before `then`, and what stands after it."""
        at_once = attempt(lambda: self._pairs(), self.scope)
        if at_once is not None:
            yield from at_once
            return
        for env, when in self._conditions():
            yield env, when, tuple([self._reached(at, dict(env)) for at in range(len(self.statement.then))])

    def parts(self, env: Env, reached: Reached) -> list[StatedPart]:
        """What the parts after `then` say for one binding of the first names. Raises EvalFault."""
        found = []
        for part, want, (choices, lost, counts) in zip(self.statement.then, self._wants, reached, strict=True):
            if want is not None:
                terms = dict.fromkeys(choices, 1) if counts is None else counts
                check_size(terms, part.span)
                found.append(counted(terms, self._wanted_sums(env, part, want)))
            else:
                how = "no" if part.forbids else "all" if part.kind == "all" else "some"
                found.append(StatedPart(how, choices, lost and how == "all"))
        return found

    def _wanted_sums(self, env: Env, part: Then, want: Callable[[Env], Wanted]) -> Wanted:
        try:
            return want(env)
        except EvalFault as fault:
            assert part.quantity is not None
            shown = {n: v for n, v in env.items() if n in free_names(part.quantity)}
            raise met_for(fault, shown, shown) from None

    def single(self) -> list[tuple[tuple[Any, ...], tuple[int, ...], Sequence[int]]] | None:
        """For a statement that wants something of one kind where choices are all taken, not said in both directions:
        the bindings of the first names for which there are these choices, their numbers, increasing, and the numbers of
        the choices after `then`, with repeats. None if it is of another kind, or closures must do it."""
        return None if not self._all_of or len(self.statement.then) > 1 else attempt(self._single, self.scope)

    def _single(self) -> list[tuple[tuple[Any, ...], tuple[int, ...], Sequence[int]]]:
        (part,) = self.statement.then
        if self._rebound or part.quantity is not None:
            raise Unsuitable
        exprs = [Name(name, self.statement.span) for name in self.first]
        walk = self._walk
        (found,) = WalkQuery(self.scope, walk.groups, walk.conditions, exprs, ordered=True, once=True).written().rows
        every = list(zip(found)) if len(self.first) == 1 else list(found)
        self.scope.budget.step(CHOICE * len(every), self.statement.span)
        numbers = [self._numbers((), (), named, IndexValues(self.first, every)) for named in self._all_of]
        kept = [
            (values, taken if len(taken) == 1 else tuple(sorted({*taken})))
            for values, taken in zip(every, zip(*numbers, strict=True), strict=True)
            if min(taken) >= 0 and self.dropped.keys().isdisjoint(taken)
        ]
        bindings = [values for values, _ in kept]
        reached = self._named(part, self._somes[0], bindings)
        self._sure = self._is_sure(bindings)
        return [(values, taken, others) for (values, taken), others in zip(kept, reached, strict=True)]

    def _named(self, part: Then, walk: Walk, bindings: Sequence[tuple[Any, ...]]) -> list[list[int]]:
        """For each binding of the first names, the numbers of the choices that a part after `then` names, with
        repeats. Raises Unsuitable or EvalFault."""
        known = IndexValues(self.first, bindings)
        if known.few:
            raise Unsuitable
        found: list[list[int]] = [[] for _ in bindings]
        for choice in part.choices:
            numbers = self._numbers(walk.groups, walk.conditions, choice, known)
            for own, more in zip(found, numbers, strict=True):
                own += more if walk.groups else () if more < 0 else (more,)
        return found

    def _numbers(
        self, groups: Sequence[Group], conditions: Sequence[Expr], named: NamedChoice, known: IndexValues
    ) -> Sequence[Any]:
        """The number of a choice that is named, or -1, for each binding of known names; with groups, the numbers."""
        positions = self.families[named.family.id].positions
        return WalkQuery(self.scope, groups, conditions, named.args, known, positions).written().each()

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

    def late_name_of(self, values: tuple[Any, ...], taken: tuple[int, ...]) -> str | LateName:
        """`late_name` for a binding that `single` found."""
        if self._sure or self._label is None:
            return LateName(lambda: self._name_of(values, taken))
        return self._name_of(values, taken)

    def _name_of(self, values: tuple[Any, ...], taken: tuple[int, ...]) -> str:
        return self.name([[(number, False) for number in taken]], dict(zip(self.first, values, strict=True)))

    def _pairs(self) -> list[tuple[Env, Sequence[Sequence[Literal]], Reached]]:
        """The same at once. Raises Unsuitable or EvalFault."""
        then = self.statement.then
        if self._rebound or any(part.weights for part in then):
            raise Unsuitable
        kept = list(self._conditions())
        bindings = [tuple([env[n] for n in self.first]) for env, _ in kept]
        found = [self._named(part, walk, bindings) for part, walk in zip(then, self._somes, strict=True)]
        return [
            (env, when, tuple([_left(others, self.dropped) for others in every]))
            for (env, when), every in zip(kept, zip(*found, strict=True), strict=True)
        ]

    def _conditions(self) -> Iterator[tuple[Env, Sequence[Sequence[Literal]]]]:
        """The bindings of the first names with the condition before `then`, without those for which it can't hold and
        nothing follows from that."""
        when = self.statement.when
        if len(when) == 1 and len(when[0]) == 1 and not (when[0][0].negated or self.statement.both):
            named = when[0][0].choice
            for env in self.bindings():
                choice = self.choice(named, env)
                if choice is not None and choice not in self.dropped:
                    yield env, (((choice, False),),)
            return
        for env in self.bindings():
            self.scope.budget.step(BINDING, self.statement.span)
            met = [[(self._taken(part.choice, env), part.negated) for part in together] for together in when]
            if self.statement.both or any((None, False) not in together for together in met):
                yield env, met

    def _taken(self, named: NamedChoice, env: Env) -> int | None:
        """The number of a choice before `then`; None if it can't be taken."""
        choice = self.choice(named, env)
        return None if choice in self.dropped else choice

    def missing(self, env: Env) -> tuple[str, str, bool] | None:
        """The first choice before `then` that can't be taken, as in `NeedsResult`; None if all can be."""
        for together in self.statement.when:
            for part in together:
                if not part.negated and self._taken(part.choice, env) is None:
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

    def _reached(self, at: int, env: Env) -> tuple[tuple[int, ...], bool, dict[int, int] | None]:
        """What a part after `then` reaches, as in `Reached`. at: which part. Names that the walk binds change `env`."""
        part = self.statement.then[at]
        counts: list[dict[int, int]] = [{} for _ in part.choices]
        own = [env[n] for n in self._rebound]
        for _ in self._somes[at](env):
            if [env[n] for n in self._rebound] != own:
                continue
            for place, named in enumerate(part.choices):
                number = self.choice(named, env)
                if number is not None:
                    self._count(counts[place], number, at, place, env, number in self.dropped)
        if not part.weights:
            return _left(chain.from_iterable(counts), self.dropped)
        total: dict[int, int] = {}
        for number, count in chain.from_iterable(map(dict.items, counts)):
            total[number] = total.get(number, 0) + count
        return *_left(total, self.dropped)[:2], {n: count for n, count in total.items() if n not in self.dropped}

    def _count(self, counts: dict[int, int], number: int, at: int, place: int, env: Env, dropped: bool) -> None:
        """Let a choice after `then` count what its weight says, once."""
        part = self.statement.then[at]
        if not part.weights or dropped:
            counts[number] = 1
            return
        weight = part.weights[place]
        shown = {n: v for n, v in env.items() if n in free_names(weight)}
        try:
            count = self._weights[at][place](env)
        except EvalFault as fault:
            raise met_for(fault, shown, shown) from None
        if type(count) is not int:
            message = f"a total adds whole numbers, and this is {kind_of(count)}: {abbreviate(count)}"
            raise met_for(EvalFault(Diagnostic("E418", message, weight.span)), shown, shown)
        if counts.setdefault(number, count) != count:
            name = _named(number, self.families)
            message = f"`{name}` counts both {counts[number]} and {count} here"
            help = f"let what it counts follow from the values in `{part.choices[place].span.one_line}`"
            raise EvalFault(Diagnostic("E418", message, weight.span, help))

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
    def _all_of(self) -> Sequence[NamedChoice]:
        """The choices before `then`, if all of them are taken wherever something is demanded; else none."""
        together, *others = self.statement.when
        plain = not (others or self.statement.both or any(part.negated for part in together))
        return [part.choice for part in together] if plain else ()

    @property
    def _only(self) -> Family | None:
        """The family of the choice before `then`, if there is one choice, and it is taken wherever something is
        demanded: then a label may use its indices."""
        every = self._all_of
        return self.families[every[0].family.id] if len(every) == 1 else None

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


def _left(numbers: Iterable[int], dropped: Mapping[int, object]) -> tuple[tuple[int, ...], bool, None]:
    """Choices after `then` without repeats, as in `Reached`."""
    every = set(numbers)
    left = tuple(sorted(every.difference(dropped) if dropped else every))
    return left, len(left) < len(every), None


def _names(named: NamedChoice) -> frozenset[str]:
    return frozenset().union(*map(free_names, named.args))


def _local(statement: Needs, lowering: Lowering, own: Sequence[Group]) -> dict[str, Group]:
    """The group of each index name: bound by `for`, or else an index of the family whose arguments use it, or else
    declared."""
    named = (*statement.before, *statement.after)
    local = dict(lowering.declared)
    for choice in reversed(named):
        local.update(lowering.families[choice.family.id].index_groups)
    for choice in reversed(named):
        groups = lowering.families[choice.family.id].index_groups
        local.update({n: groups[n] for n in _names(choice) if n in groups})
    for g in own:
        local.update(dict.fromkeys(g.names, g))
    return local


def _settled(g: Group, some: frozenset[str], local: Mapping[str, Group]) -> bool:
    """Whether a group binds only first names, and depends on no names but those."""
    return not any(n in some for needed in closure([g], local) for n in needed.names)


def remarks(
    statement: Needs, said: NeedsResult, families: Mapping[str, Family], *, wish: bool = False
) -> Iterator[Diagnostic]:
    """Warnings about choices that can never be taken because of an `if … then`, and about what it leaves unsaid. wish:
    whether it may be broken, so that these choices only break it."""
    if len(statement.then) == 1 and statement.then[0].kind == "all" and not said.reached:
        follows = "what stands before `then` must hold" if statement.both else "it holds whatever is taken"
        message = f"`then all` reaches no choice, so {follows}"
        help = "do the names in it, and the `where`, say what is meant?"
        yield Diagnostic("W215", message, statement.after[0].span, help)
    if said.unsaid is not None:
        first, more = _named(said.several[0], families), len(said.several) - 1
        message = f"`then` reaches `{first}` and {more} more at once, and does not say whether one or all are meant"
        span = said.unsaid.choices[0].span
        then = span.one_line
        if said.unsaid is not statement.then[0]:
            message = message.replace("`then`", f"`{then}`")
        help = f"is `some {then}` meant (one or more, as it is read now), `all {then}`, or `no {then}`?"
        if len(statement.then) == 1:
            help = help.replace("`some ", "`then some ").replace("`all ", "`then all ").replace("`no ", "`then no ")
        yield Diagnostic("W216", message, span, help)
    if said.silent is not None:
        lost, empty, env = said.silent
        values = ", ".join(f"{n} = {abbreviate(v)}" for n, v in env.items())
        names = " and ".join(f"`{n}`" for n in sorted(_names(empty) - env.keys()))
        message = f"`{lost.span.one_line}` counts for nothing" + (f" for {values}" if values else "")
        message += f": {names} of `{empty.span.one_line}` has no value then"
        help = "choices that `or` joins take their names together: do you mean one name for both?"
        yield Diagnostic("W220", message, lost.span, help)
    if not (wish or said.needs) and any(part.quantity is not None for part in statement.then):
        help = "what stands after `then` is always so: is another number meant?"
        yield Diagnostic("W204", "this `if … then` asks nothing", statement.span, help)
    if not said.never:
        return
    counts = any(part.quantity is not None for part in statement.then)
    if counts and not wish and any(len(need.all_of) != 1 or need.one_of or need.sum for need in said.needs):
        return  # a number that some of them can't have is often what is meant
    name = _named(said.never[0], families)
    count = len(set(said.never)) - 1
    more_like_it = f" (and {count} more like it)" if count else ""
    if wish:
        message = f"`{name}` breaks this wish whenever it is taken{more_like_it}"
        help = "does it say what is meant? a `where` leaves out what it is not about"
        yield Diagnostic("W218", message, statement.span, help)
        return
    yield _impossible(statement, said, families, name, more_like_it)


def _impossible(
    statement: Needs, said: NeedsResult, families: Mapping[str, Family], name: str, more_like_it: str
) -> Diagnostic:
    """A warning about choices that can never be taken. name: of the first; more_like_it: how many more there are."""
    plain = not statement.both and all(not part.negated for together in statement.when for part in together)
    kinds = {part.kind if part.quantity is None else "count" for part in statement.then}
    message, help = f"`{name}` can never be taken{more_like_it}: ", NEVER
    if kinds <= {"not", "no"} and plain:
        message, help = f"`{name}` excludes itself{more_like_it}", "are only others meant? then say so: `where d != e`"
    elif said.missing is not None:
        missing, family, forbidden = said.missing
        condition = families[family].statement.where
        message += f"`{missing}` " + ("is forbidden" if forbidden else "does not exist")
        if condition is not None and not forbidden:
            written = f"`where {condition.span.one_line}`"
            help = f"is the statement meant for choices that exist? then narrow it as `choose {family}` is: {written}"
    elif kinds == {"all"} and plain:
        message += "one of those after `then all` is forbidden"
    elif kinds <= {"", "some"}:
        message += "none of the choices after `then` exists for it" if plain else "what it goes with does not exist"
    else:
        message += "what stands after `then` can't be so for it" if plain else "what it goes with can't be so"
    return Diagnostic("W210", message, statement.span, help)


def _named(choice: int, families: Mapping[str, Family]) -> str:
    """The name of a choice, from its number."""
    family = next(f for f in families.values() if 0 <= choice - f.first < len(f.choices))
    return family.name_of(family.choices[choice - family.first])


__all__ = ["Need", "NeedsResult", "remarks", "said_by", "wishes_of"]
