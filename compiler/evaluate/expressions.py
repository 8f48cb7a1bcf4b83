"""Expressions become closures: compiled once, called for every binding of the local names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from math import prod
from operator import is_, itemgetter
from typing import Any, Final, TypeVar, cast

from covr.compiler.evaluate.calls import LARGE, NOTHING, CodeMaker, deeper, known
from covr.compiler.evaluate.limits import SEARCH, EvalFault
from covr.compiler.evaluate.members import Bind, binder, key_twice, look_up, members_count, no_field, walkable
from covr.compiler.evaluate.operators import Code, Env, Run, Test, arithmetic, comparison, holds, negation
from covr.compiler.evaluate.values import (
    FALSE,
    TRUE,
    Map,
    Record,
    Rng,
    Seq,
    Set,
    Value,
    abbreviate,
    kind_of,
    size_of,
    truth,
)
from covr.dsl import syntax as syn
from covr.dsl.diagnostics import Span
from covr.dsl.scope import attributes, bound_by, operands, parts, walk
from covr.dsl.syntax import Binary, Compare, Expr, Generator, Name, Pattern
from covr.frozen import evolve

# --- names -----------------------------------------------------------------------------------------------------------
# Which names an expression uses and which it binds itself.


def pattern_names(pattern: Pattern) -> tuple[str, ...]:
    """The names of a pattern, from left to right."""
    return tuple(name.id for name in bound_by(pattern))


def free_names(expr: Expr) -> frozenset[str]:
    """The names an expression uses and does not bind: locals and globals, not the names of functions it calls."""
    return _free(expr)


def called_names(expr: Expr) -> frozenset[str]:
    """The functions and readers an expression calls."""
    found: set[str] = set()
    for part in walk(expr, operands):
        if isinstance(part, syn.Call):
            found.add(part.function.id)
        elif isinstance(part, syn.ReaderBlock):
            found.add(part.name.id)
    return frozenset(found)


def _free(expr: Expr) -> frozenset[str]:
    """The same; kept with the expression."""
    try:
        return expr._free  # type: ignore[no-any-return, union-attr]
    except AttributeError:
        pass
    if isinstance(expr, syn.Name):
        found = frozenset((expr.id,))
    elif isinstance(expr, syn.Comprehension):
        found = frozenset(_free_of_generators(expr.generators, (expr.item, expr.where)))
    else:
        found = frozenset().union(*map(_free, parts(expr)))
    object.__setattr__(expr, "_free", found)
    return found


def _free_of_generators(generators: Iterable[Generator], parts: Iterable[Expr | None]) -> set[str]:
    bound: set[str] = set()
    found: set[str] = set()
    for g in generators:
        found |= _free(g.over) - bound
        for pattern in g.patterns:
            bound.update(pattern_names(pattern))
    for part in parts:
        if part is not None:
            found |= _free(part) - bound
    return found


def free_in_template(template: syn.Template) -> frozenset[str]:
    """The names the holes of a label use."""
    return frozenset(name for part in template.parts if not isinstance(part, str) for name in _free(part))


# --- rewrite ---------------------------------------------------------------------------------------------------------
# Changes to expressions before they are compiled: splitting conditions, replacing sub-expressions.
#
# Conditions are split at their top-level `and`s, and a computed key (`per band(r)`) is replaced by a name wherever the
# same expression occurs again, so that a label, a quantity or a condition can refer to it.


T = TypeVar("T")


def conjuncts(condition: Expr | None) -> tuple[Expr, ...]:
    """The parts of a condition that are joined by `and` at its top level, in source order; none if it is None."""
    if condition is None:
        return ()
    if isinstance(condition, Binary) and condition.op == "and":
        return conjuncts(condition.left) + conjuncts(condition.right)
    return (condition,)


def disjuncts(condition: Expr) -> tuple[Expr, ...]:
    """The parts of a condition that are joined by `or` at its top level, in source order."""
    if isinstance(condition, Binary) and condition.op == "or":
        return disjuncts(condition.left) + disjuncts(condition.right)
    return (condition,)


def replace(node: T, replacements: Mapping[Expr, Expr]) -> T:
    """The tree in which every sub-expression that equals a key of `replacements` is replaced by that key's value."""
    if not replacements or node is None:
        return node
    return cast(T, _replace(node, replacements, frozenset(map(type, replacements))))


def _replace(node: Any, replacements: Mapping[Expr, Expr], kinds: frozenset[type]) -> object:
    """kinds: of what is replaced. Comparing takes most of the time, and is left out for everything else."""
    if isinstance(node, tuple):
        parts = tuple([_replace(part, replacements, kinds) for part in node])
        return node if all(map(is_, parts, node)) else parts
    kind = type(node)
    if kind in kinds and node in replacements:
        return evolve(replacements[cast(Expr, node)], span=getattr(node, "span"))  # noqa: B009
    changes = {}
    for name in attributes(kind):
        old = getattr(node, name)
        if type(old) is tuple or attributes(type(old)):
            new = _replace(old, replacements, kinds)
            if new is not old:
                changes[name] = new
    return evolve(node, **changes) if changes else node


# --- conditions ------------------------------------------------------------------------------------------------------
# Expressions as conditions: a closure that returns a Python bool.
#
# `and`, `or`, `not` and comparisons call each other directly, so that no value is made for their parts.


class Conditions(CodeMaker):
    """Compiles conditions of one scope."""

    def test(self, expr: Expr) -> Test:
        """Compile an expression as a condition, which must be true or false."""
        test, parts = self._test(expr)
        size = sum(part.size for part in parts)
        return test if size <= LARGE else self._weighed(test, size, expr.span)

    def _test(self, expr: Expr, place: str = "this condition") -> tuple[Test, tuple[Code, ...]]:
        """A condition's closure, and the codes it is made of."""
        self._level += 1
        try:
            if self._level > self.budget.limits.nesting:
                return self._value_test(self.code(expr), place)
            match expr:
                case syn.Compare():
                    return self._chain(expr)
                case syn.Binary(op="and" | "or"):
                    return self._junction(expr)
                case syn.Unary(op="not"):
                    test, parts = self._test(expr.of, "`not`")
                    return lambda env: not test(env), deeper(parts)
            return self._value_test(self.code(expr), place)
        finally:
            self._level -= 1

    def _value_test(self, code: Code, place: str) -> tuple[Test, tuple[Code, ...]]:
        run, span = code.run, code.span

        def check(env: Env) -> bool:
            value = run(env)
            if value is TRUE:
                return True
            if value is FALSE:
                return False
            raise EvalFault.at(span, "E202", f"{place} wants true or false, not {kind_of(value)}")

        return check, deeper((code,))

    def _junction(self, expr: syn.Binary) -> tuple[Test, tuple[Code, ...]]:
        word = f"`{expr.op}`"
        (one, left), (two, right) = self._test(expr.left, word), self._test(expr.right, word)
        both = deeper((*left, *right))
        if expr.op == "and":
            return lambda env: one(env) and two(env), both
        return lambda env: one(env) or two(env), both

    def _chain(self, expr: syn.Compare) -> tuple[Test, tuple[Code, ...]]:
        codes = [self.code(expr.first), *(self.code(other) for _, other in expr.rest)]
        ops = [op for op, _ in expr.rest]
        spans = [a.span.to(b.span) for a, b in pairwise(codes)]
        parts = deeper(codes)
        if all(code.constant or code.name is not None for code in codes[1:-1]):
            tests = [
                comparison(op, a, b, span, self.budget)
                for op, a, b, span in zip(ops, codes, codes[1:], spans, strict=False)
            ]
            if len(tests) == 1:
                return tests[0], parts
            if len(tests) == 2:
                one, two = tests
                return lambda env: one(env) and two(env), deeper(parts)
            return lambda env: all(test(env) for test in tests), deeper(deeper(parts))
        budget = self.budget
        first, rest = codes[0].run, list(zip(ops, [c.run for c in codes[1:]], spans, strict=True))

        def chain(env: Env) -> bool:
            left = first(env)
            for op, run, span in rest:
                right = run(env)
                if not holds(op, left, right, span, budget):
                    return False
                left = right
            return True

        return chain, parts


# --- walks -----------------------------------------------------------------------------------------------------------
# What `for` walks: the members of sets, their patterns, and the bindings of several generators.


Emit = Callable[[Env, list[Any]], None]

MANY: Final = 60
"""From so many members on, all combinations together, what a `for` makes is written as Python, which takes half a
millisecond."""

DEPENDENT: Final = 3
"""How many members a set is taken to have that depends on other names."""


class Walks(Conditions):
    """Compiles generators of one scope: those of comprehensions, and those of statements."""

    def comprehension(self, expr: syn.Comprehension) -> Code:
        """A set, list or map made by `for` from generators; or whether some or no values meet a condition."""
        inner = type(self)(self.scope, self.bound)
        inner._level = self._level
        loops, parts, names = inner._loops(expr.generators, expr.where)
        test, tested = inner._test(expr.where) if expr.where is not None else (None, ())
        item = inner.code(expr.item)
        parts += [part.hiding(hidden) for part, hidden in ((p, names) for p in (*tested, item))]
        asks = expr.kind in ("some", "no")
        fill = _emit_first(test) if asks and test is not None else self._emit(item.run, test, expr.span)
        for loop in reversed(loops):
            fill = loop(fill)
        if asks:
            return self._made(partial(_met, fill, expr.kind), expr.span, parts, more=2 * len(loops) + 3)
        make: Callable[[list[Any]], Value] = Set if expr.kind == "set" else Seq
        if expr.kind == "map":
            make = partial(_mapped, span=expr.span)
        check_depth, tell_apart, span = self.budget.check_depth, self.budget.apart, expr.span
        unequal = expr.kind == "set"
        # Without local names it is made once, and at once if there is much to do.
        at_once = None if any(part.uses for part in parts) else self.scope.at_once
        first = parts[0].run
        over = [part for g, part in zip(expr.generators, parts, strict=False) for _ in g.patterns]
        others = [size_of(part.value) if isinstance(part.value, Set | Map) else DEPENDENT for part in over[1:]]
        least, rounds = 0, 1
        for part in over if inner._looked_up(expr.generators, expr.where) is None else ():
            rounds *= size_of(part.value) if isinstance(part.value, Set | Map) else 0
            least += rounds
        if test is None and item.uses:
            least += rounds * item.least
        budget, last = self.budget, over[-1].span

        def comprehend(env: Env) -> Any:
            found: list[Any] | None = None
            if at_once is not None and _many(first({}), others):
                found = at_once(expr, self.scope)
            if found is None:
                if least > budget.limits.steps - budget.steps:
                    budget.step(least, last)
                found = []
                fill(env.copy(), found)
            if unequal:
                tell_apart(found, span)
            return check_depth(make(found), span)

        return self._at_least(self._made(comprehend, expr.span, parts, more=2 * len(loops) + 3), least)

    def _at_least(self, code: Code, least: int) -> Code:
        """The same code, which takes so many steps at least each time that it is evaluated with local names."""
        if code.uses:
            code.least = least
        return code

    def _emit(self, item: Run, test: Test | None, span: Span) -> Emit:
        count_values = self.budget.count_values

        def emit(env: Env, found: list[Any]) -> None:
            if test is None or test(env):
                count_values(1, span)
                found.append(item(env))

        return emit

    def _loops(
        self, generators: Sequence[Generator], where: Expr | None
    ) -> tuple[list[Callable[[Emit], Emit]], list[Code], frozenset[str]]:
        """A loop for each pattern of the generators; their sets' codes; the names they bind (now bound here)."""
        loops: list[Callable[[Emit], Emit]] = []
        parts: list[Code] = []
        names = NOTHING
        held = self._looked_up(generators, where)
        for g in generators:
            over = self.code(g.over)
            parts.append(over.hiding(names))
            for pattern in g.patterns:
                walked = self.members_of(over)
                if held is not None and not over.uses and isinstance(pattern, Name) and pattern.id == held[1]:
                    walked = self._holding(walked, self.code(held[0]).run, held[0].span)
                loops.append(self._loop(walked, pattern, g.over.span))
            new = frozenset(name for pattern in g.patterns for name in pattern_names(pattern))
            names |= new
            self.bound |= new
        return loops, parts, names

    def _looked_up(self, generators: Sequence[Generator], where: Expr | None) -> tuple[Name, str] | None:
        """x and s, if the first condition is `x in s` of a name that has a value before and one that a generator binds,
        and members that do not hold x could not be at fault."""
        bound = [name for g in generators for pattern in g.patterns for name in pattern_names(pattern)]
        match next(iter(conjuncts(where)), None):
            case Compare(first=Name() as x, rest=(("in", Name(id=s)),)):
                plain = all(isinstance(g.over, Name) for g in generators)
                return (x, s) if plain and x.id in self.bound - {*bound} and bound.count(s) == 1 else None
        return None

    def _holding(self, over: Run, asked: Run, span: Span) -> Run:
        """A closure for those members of one set that hold a value, looked up from the second time on."""
        step = self.budget.step
        tables: list[dict[Any, list[Any]] | None] = []

        def members(env: Env) -> Any:
            every = over(env)
            if len(tables) < 2:
                tables.append(_by_member(every, step, span) if tables else None)
            table = tables[-1]
            if table is None:
                return every
            step(SEARCH, span)
            return table.get(asked(env), ())

        return members

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
                self.budget.count_values(size, span)
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


def _by_member(sets: Any, step: Callable[[int, Span], None], span: Span) -> dict[Any, list[Any]] | None:
    """Per value, those of the sets that hold it, in order; None if they are not all sets that list their members."""
    listed = [each for each in sets if type(each) is Set] if type(sets) is Set else []
    if len(listed) < members_count(sets):
        return None
    found: dict[Any, list[Any]] = {}
    for each in listed:
        step(len(each), span)
        for value in each:
            found.setdefault(value, []).append(each)
    return found


class _Met(Exception):
    """Ends the loops of `some(…)` and `no(…)`, at the first values that meet the condition."""


def _emit_first(test: Test) -> Emit:
    def emit(env: Env, _: list[Any]) -> None:
        if test(env):
            raise _Met

    return emit


def _met(fill: Emit, kind: str, env: Env) -> Value:
    """Whether the loops meet some values, or none."""
    try:
        fill(env.copy(), [])
    except _Met:
        return truth(kind == "some")
    return truth(kind == "no")


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


# --- expressions -----------------------------------------------------------------------------------------------------
# Expressions become closures: compiled once, called for every binding of the local names.
#
# `Compiler.code` returns a closure for a value, `Compiler.test` one for a condition (a Python bool). What does not
# depend on local names is evaluated once: numbers and small values during compilation, everything else when first
# needed, so that the branch of an `if` that is not taken can neither fail nor cost anything.
#
# Closures use one Python frame for each level of nesting. `Code.depth` counts the levels, and calls of the language's
# functions count them against `CompileLimits.frames` (calls.py).


class Compiler(Walks):
    """Compiles expressions of one scope. `bound`: local names that hide a global one."""

    def code(self, expr: Expr) -> Code:
        self._level += 1
        try:
            if self._level > self.budget.limits.nesting:
                raise EvalFault.at(
                    expr.span,
                    "E215",
                    f"this expression nests more than {self.budget.limits.nesting} levels deep",
                    help="name parts of it with `let`",
                )
            return _CODE[type(expr)](self, expr)
        finally:
            self._level -= 1

    def number(self, expr: syn.Number) -> Code:
        """A whole number as written; its size is counted."""
        self.budget.number(expr.value.bit_length(), expr.span)
        return known(expr.value, expr.span)

    def text(self, expr: syn.Text) -> Code:
        """A text as written."""
        return known(expr.value, expr.span)

    def truth_value(self, expr: syn.TruthLiteral) -> Code:
        """`true` or `false`."""
        return known(truth(expr.value), expr.span)

    def name(self, expr: syn.Name) -> Code:
        """A name: the value of a definition, or a look-up of a local name."""
        if expr.id not in self.bound and self.scope.defines(expr.id):
            value = self.scope.value(expr.id, expr.span)
            if self.scope.only_a_lattice(expr.id):  # a local name hides it, wherever that is bound
                name = expr.id
                return Code(lambda env: env.get(name, value), expr.span, uses=frozenset((name,)))
            return known(value, expr.span)
        return Code(itemgetter(expr.id), expr.span, name=expr.id, uses=frozenset((expr.id,)))

    def call(self, expr: syn.Call) -> Code:
        """The call of a function."""
        from covr.compiler.evaluate.calls import compile_call

        args = [self.code(arg) for arg in expr.args]
        run, more = compile_call(self.scope, expr, args)
        return self._made(run, expr.span, args, more=more)

    def reader(self, expr: syn.ReaderBlock) -> Code:
        """A reader of data, such as `grid`, with its arguments and its block of text."""
        from covr.compiler.evaluate.calls import compile_reader

        args = [self.code(arg) for arg in expr.args]
        return self._made(compile_reader(self.scope, expr, args), expr.span, args)

    def index(self, expr: syn.Index) -> Code:
        """`a[b]`, or `a[b, c]`."""
        of = self.code(expr.of)
        args = [self.code(arg) for arg in expr.args]
        key = args[0].run if len(args) == 1 else _tuple_run(args, self.budget.check_depth, expr.span)
        at, span = of.run, expr.span
        parts = (of, *args)
        budget = self.budget
        if isinstance(of.value, Map):
            entries, grid = of.value.entries, of.value

            def in_grid(env: Env) -> Any:
                k = key(env)
                try:
                    return entries[k]
                except KeyError:
                    return look_up(grid, k, span)

            return self._made(in_grid, span, parts, cheap=True)

        def looked_up(env: Env) -> Any:
            value, k = at(env), key(env)
            items = value.items if type(value) is Seq else value
            if type(items) is tuple and type(k) is int and 1 <= k <= len(items):
                return items[k - 1]
            if type(value) is Seq and isinstance(k, str):  # a column, which takes a look at every record
                budget.count_values(len(items), span)
                budget.step(len(items), span)
            return look_up(value, k, span)

        return self._made(looked_up, span, parts, cheap=of.constant)

    def field(self, expr: syn.Field) -> Code:
        """`a.b`."""
        of = self.code(expr.of)
        run, name, span = of.run, expr.name, expr.span

        def field(env: Env) -> Any:
            record = run(env)
            if type(record) is Record and name in record.names:
                return record.items[record.names.index(name)]
            raise no_field(record, name, span)

        return self._made(field, span, (of,), cheap=of.constant)

    def unary(self, expr: syn.Unary) -> Code:
        """`-a`, or `not a`."""
        if expr.op == "not":
            return self._condition(expr)
        of = self.code(expr.of)
        return self._made(negation(of, expr.span), expr.span, (of,), cheap=of.constant)

    def binary(self, expr: syn.Binary) -> Code:
        """An operator between two expressions, `and` and `or` included."""
        if expr.op in ("and", "or"):
            return self._condition(expr)
        left, right = self.code(expr.left), self.code(expr.right)
        cheap = not isinstance(left.value, Set) and left.constant and right.constant
        run = arithmetic(expr.op, left, right, expr.span, self.budget)
        return self._made(run, expr.span, (left, right), more=2, cheap=cheap)

    def compare(self, expr: syn.Compare) -> Code:
        """A comparison, or a chain of them."""
        return self._condition(expr)

    def _condition(self, expr: Expr) -> Code:
        test, parts = self._test(expr)
        return self._made(lambda env: TRUE if test(env) else FALSE, expr.span, parts, more=2)

    def if_else(self, expr: syn.IfElse) -> Code:
        """`if test then a else b`: only the part that is needed is evaluated."""
        test, parts = self._test(expr.test, "`if`")
        then, other = self.code(expr.then), self.code(expr.other)
        yes, no = then.run, other.run
        return self._made(lambda env: yes(env) if test(env) else no(env), expr.span, (*parts, then, other))

    def tuple_of(self, expr: syn.TupleOf) -> Code:
        """A tuple written out."""
        items = [self.code(item) for item in expr.items]
        run = _tuple_run(items, self.budget.check_depth, expr.span)
        made = self._made(run, expr.span, items, cheap=all(i.constant for i in items))
        return self._at_least(made, sum([i.least for i in items]))

    def list_of(self, expr: syn.ListOf) -> Code:
        """A list written out."""
        items = [self.code(item) for item in expr.items]
        runs = [item.run for item in items]
        count_values, check_depth, size, span = self.budget.count_values, self.budget.check_depth, len(items), expr.span

        def listed(env: Env) -> Any:
            count_values(size, span)
            return check_depth(Seq([run(env) for run in runs]), span)

        return self._made(listed, expr.span, items, more=2)

    def set_of(self, expr: syn.SetOf) -> Code:
        """A set written out."""
        items = [self.code(item) for item in expr.items]
        runs = [item.run for item in items]
        count_values, check_depth, size, span = self.budget.count_values, self.budget.check_depth, len(items), expr.span

        def collected(env: Env) -> Any:
            count_values(size, span)
            return check_depth(Set([run(env) for run in runs]), span)

        return self._made(collected, expr.span, items, more=2)

    def map_of(self, expr: syn.MapOf) -> Code:
        """A map written out. No key may be written twice."""
        parts = [self.code(part) for entry in expr.items for part in entry.items]
        keys, values = [part.run for part in parts[::2]], [part.run for part in parts[1::2]]
        places = [entry.items[0].span for entry in expr.items]
        count_values, check_depth, size, span = self.budget.count_values, self.budget.check_depth, len(parts), expr.span

        def mapped(env: Env) -> Any:
            count_values(size, span)
            entries: dict[Value, Value] = {}
            for at, (key, value) in enumerate(zip(keys, values, strict=True)):
                found = key(env)
                if found in entries:
                    raise key_twice(found, places[list(entries).index(found)], places[at])
                entries[found] = value(env)
            return check_depth(Map(entries), span)

        return self._made(mapped, expr.span, parts, more=2)

    def range(self, expr: syn.Range) -> Code:
        """A range, both ends included."""
        low, high = self.code(expr.low), self.code(expr.high)
        one, two, span = low.run, high.run, expr.span

        def bounds(env: Env) -> Rng:
            a, b = one(env), two(env)
            if type(a) is int and type(b) is int:
                return Rng(a, b)
            raise EvalFault.at(span, "E201", f"`..` wants two whole numbers, not {kind_of(a)} and {kind_of(b)}")

        return self._made(bounds, span, (low, high), cheap=low.constant and high.constant)


def _tuple_run(items: list[Code], check_depth: Callable[[Any, Span], Any], span: Span) -> Run:
    """A closure for a tuple. If the tuple contains more than numbers and text, its nesting is checked."""
    runs = [item.run for item in items]
    if len(runs) == 2:
        one, two = runs

        def pair(env: Env) -> Any:
            a, b = one(env), two(env)
            if (type(a) is int or type(a) is str) and (type(b) is int or type(b) is str):
                return (a, b)
            return check_depth((a, b), span)

        return pair
    if len(runs) == 3:
        one, two, three = runs

        def triple(env: Env) -> Any:
            a, b, c = one(env), two(env), three(env)
            if type(a) is type(b) is type(c) is int:
                return (a, b, c)
            return check_depth((a, b, c), span)

        return triple
    return lambda env: check_depth(tuple([run(env) for run in runs]), span)


_CODE: dict[type, Callable[[Compiler, Any], Code]] = {
    syn.Number: Compiler.number,
    syn.Text: Compiler.text,
    syn.TruthLiteral: Compiler.truth_value,
    syn.Name: Compiler.name,
    syn.Call: Compiler.call,
    syn.Index: Compiler.index,
    syn.Field: Compiler.field,
    syn.Unary: Compiler.unary,
    syn.Binary: Compiler.binary,
    syn.Compare: Compiler.compare,
    syn.IfElse: Compiler.if_else,
    syn.TupleOf: Compiler.tuple_of,
    syn.ListOf: Compiler.list_of,
    syn.SetOf: Compiler.set_of,
    syn.MapOf: Compiler.map_of,
    syn.Comprehension: Compiler.comprehension,
    syn.Range: Compiler.range,
    syn.ReaderBlock: Compiler.reader,
}
