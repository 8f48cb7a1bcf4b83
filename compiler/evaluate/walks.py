"""What `for` walks: the members of sets, their patterns, and the bindings of several generators."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from math import prod
from typing import Any, Final

from covr.compiler.evaluate.code_parts import NOTHING
from covr.compiler.evaluate.conditions import Conditions
from covr.compiler.evaluate.faults import EvalFault
from covr.compiler.evaluate.members import Bind, binder, members_count, walkable
from covr.compiler.evaluate.names import pattern_names
from covr.compiler.evaluate.operators import Code, Env, Run, Test
from covr.compiler.evaluate.values import Map, Rng, Seq, Set, Value, abbreviate, size_of
from covr.dsl import syntax as syn
from covr.dsl.source import Span
from covr.dsl.syntax import Expr, Generator, Pattern

Emit = Callable[[Env, list[Any]], None]

MANY: Final = 60
"""From so many members on, all combinations together, what a `for` makes is written as Python, which takes half a
millisecond."""

DEPENDENT: Final = 3
"""How many members a set is taken to have that depends on other names."""


class Walks(Conditions):
    """Compiles generators of one scope: those of comprehensions, and those of statements."""

    def comprehension(self, expr: syn.Comprehension) -> Code:
        """A set, list or map made by `for` from generators."""
        inner = type(self)(self.scope, self.bound)
        inner._level = self._level
        loops, parts, names = inner._loops(expr.generators)
        test, tested = inner._test(expr.where) if expr.where is not None else (None, ())
        item = inner.code(expr.item)
        parts += [part.hiding(hidden) for part, hidden in ((p, names) for p in (*tested, item))]
        fill = self._emit(item.run, test, expr.span)
        for loop in reversed(loops):
            fill = loop(fill)
        make: Callable[[list[Any]], Value] = Set if expr.kind == "set" else Seq
        if expr.kind == "map":
            make = partial(_mapped, span=expr.span)
        nested, tell_apart, span = self.budget.nested, self.budget.apart, expr.span
        unequal = expr.kind == "set"
        # Without local names it is made once, and at once if there is much to do.
        at_once = None if any(part.uses for part in parts) else self.scope.at_once
        first = parts[0].run
        over = [part for g, part in zip(expr.generators, parts, strict=False) for _ in g.patterns]
        others = [size_of(part.value) if isinstance(part.value, Set | Map) else DEPENDENT for part in over[1:]]

        def comprehend(env: Env) -> Any:
            found: list[Any] | None = None
            if at_once is not None and _many(first({}), others):
                found = at_once(expr, self.scope)
            if found is None:
                found = []
                fill(env.copy(), found)
            if unequal:
                tell_apart(found, span)
            return nested(make(found), span)

        return self._made(comprehend, expr.span, parts, more=2 * len(loops) + 3)

    def _emit(self, item: Run, test: Test | None, span: Span) -> Emit:
        spend = self.budget.spend

        def emit(env: Env, found: list[Any]) -> None:
            if test is None or test(env):
                spend(1, span)
                found.append(item(env))

        return emit

    def _loops(
        self, generators: Iterable[Generator]
    ) -> tuple[list[Callable[[Emit], Emit]], list[Code], frozenset[str]]:
        """A loop for each pattern of the generators; their sets' codes; the names they bind (now bound here)."""
        loops: list[Callable[[Emit], Emit]] = []
        parts: list[Code] = []
        names = NOTHING
        for g in generators:
            over = self.code(g.over)
            parts.append(over.hiding(names))
            for pattern in g.patterns:
                loops.append(self._loop(self.members_of(over), pattern, g.over.span))
            new = frozenset(name for pattern in g.patterns for name in pattern_names(pattern))
            names |= new
            self.bound |= new
        return loops, parts, names

    def _loop(self, over: Run, pattern: Pattern, span: Span) -> Callable[[Emit], Emit]:
        step = self.budget.step
        bind = binder(pattern)
        name = pattern.id if isinstance(pattern, syn.Name) else None

        def loop(body: Emit) -> Emit:
            if name is not None:

                def simple(env: Env, found: list[Any]) -> None:
                    members = over(env)
                    step(members_count(members), span)
                    for value in members:
                        env[name] = value
                        body(env, found)

                return simple

            def matching(env: Env, found: list[Any]) -> None:
                members = over(env)
                step(members_count(members), span)
                for value in members:
                    bind(value, env)
                    body(env, found)

            return matching

        return loop

    def members_of(self, over: Code) -> Run:
        """A closure for what a `for` walks: a set or list itself, the keys of a grid, the characters of a text."""
        run, span = over.run, over.span

        def members(env: Env) -> Any:
            value = run(env)
            kind = type(value)
            if kind is Set or kind is Rng or kind is Seq or kind is tuple:
                return value
            return walkable(value, span)

        return members

    def counted_members(self, over: Code) -> Run:
        """`members_of`, with the number of members counted against the budget before they are walked or stored."""
        members_of, step, span = self.members_of(over), self.budget.step, over.span
        most = self.budget.limits.values

        def members(env: Env) -> Any:
            found = members_of(env)
            size = members_count(found)
            if size > most:
                self.budget.spend(size, span)
            step(size, span)
            return found

        return members

    def walk(self, generators: tuple[Generator, ...], where: Expr | None) -> Callable[[Env], Iterator[Env]]:
        """A closure that walks the bindings of generators. The first varies slowest; each gets its own environment."""
        inner = type(self)(self.scope, self.bound)
        levels: list[tuple[Run, Bind, Span]] = []
        for g in generators:
            over = inner.members_of(inner.code(g.over))
            levels += [(over, binder(pattern), g.over.span) for pattern in g.patterns]
            inner.bound |= frozenset(name for pattern in g.patterns for name in pattern_names(pattern))
        test = inner.test(where) if where is not None else None
        step = self.budget.step

        def descend(env: Env, depth: int) -> Iterator[Env]:
            if depth == len(levels):
                if test is None or test(env):
                    yield env.copy()
                return
            over, bind, span = levels[depth]
            members = over(env)
            step(members_count(members), span)
            for value in members:
                bind(value, env)
                yield from descend(env, depth + 1)

        return lambda env: descend(env.copy(), 0)


def _many(members: Any, others: Sequence[int]) -> bool:
    """Whether these are so many members that it pays to write the `for` as Python. others: how many members the other
    sets have."""
    return isinstance(members, Set | Map) and size_of(members) * prod(others) >= MANY


def _mapped(pairs: list[Any], span: Span) -> Map:
    """The map of pairs of a key and a value. A key that comes twice must have the same value."""
    entries: dict[Value, Value] = {}
    for key, value in pairs:
        if entries.setdefault(key, value) != value:
            both = f"{abbreviate(entries[key])} and {abbreviate(value)}"
            raise EvalFault.at(span, "E206", f"the key {abbreviate(key)} has two values, {both}")
    return Map(entries)
