"""Expressions become closures: compiled once, called for every binding of the local names.

`Compiler.code` returns a closure for the value of an expression, `Compiler.test` one for a condition (a Python bool).
What does not depend on local names is evaluated only once: numbers and small values during compilation, everything else
when it is first needed. So the branch of an `if` that is not taken can neither fail nor cost anything.

Closures call each other directly and use one Python frame for each level of nesting. `Code.depth` counts the levels,
and calls of the language's functions count them against `CompileLimits.frames` (see calls.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, TypeVar

from covr.compiler.evaluate.comparisons import comparison, holds
from covr.compiler.evaluate.faults import EvalFault
from covr.compiler.evaluate.members import Bind, binder, look_up, members_count, no_field, walkable
from covr.compiler.evaluate.names import pattern_names
from covr.compiler.evaluate.operators import Code, Env, Run, Test, arithmetic, negation
from covr.compiler.evaluate.values import FALSE, TRUE, Map, Record, Rng, Seq, Set, Value, kind_of, truth
from covr.dsl import syntax as syn
from covr.dsl.source import Span
from covr.dsl.syntax import Expr, Generator, Pattern

if TYPE_CHECKING:
    from covr.compiler.evaluate.scope import Scope

Emit = Callable[[Env, list[Any]], None]

_NOTHING: frozenset[str] = frozenset()

# An expression of up to so many parts counts no steps of its own: the steps of the walk, call or choice that it belongs
# to include it.
LARGE: Final = 64

T = TypeVar("T")


class Compiler:
    """Compiles expressions of one scope. `bound`: local names that hide a global one."""

    def __init__(self, scope: Scope, bound: frozenset[str] = _NOTHING) -> None:
        self.scope = scope
        self.budget = scope.budget
        self.bound = bound
        self._level = 0

    # --- values -------------------------------------------------------------------------------------------

    def code(self, expr: Expr) -> Code:
        """Compile an expression of any kind. Raises EvalFault where it is nested too deeply."""
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

    def _made(self, run: Run, span: Span, parts: Iterable[Code], more: int = 1, cheap: bool = False) -> Code:
        """The code of an expression, from the codes of its parts. Without local names it is evaluated only once."""
        uses = _NOTHING
        depth, size = 0, 1
        for part in parts:
            uses |= part.uses
            depth = max(depth, part.depth)
            size += part.size
        if uses and size > LARGE:
            return Code(self._weighed(run, size, span), span, uses=uses, depth=depth + more + 1, size=0)
        return self._finished(run, span, uses, depth + more, cheap, size)

    def _weighed(self, run: Callable[[Env], T], size: int, span: Span) -> Callable[[Env], T]:
        """A closure that also counts steps: evaluating a large expression takes as long as walking some members."""
        step = self.budget.step

        def weighed(env: Env) -> T:
            step(size, span)
            return run(env)

        return weighed

    def _finished(self, run: Run, span: Span, uses: frozenset[str], depth: int, cheap: bool, size: int = 1) -> Code:
        if uses:
            return Code(run, span, uses=uses, depth=depth, size=size)
        if cheap:
            try:
                return known(run({}), span)
            except EvalFault:
                return Code(run, span, depth=depth)
        return Code(_once(run), span, depth=depth + 1)

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
        key = args[0].run if len(args) == 1 else _tuple_run(args, self.budget.nested, expr.span)
        at, span = of.run, expr.span
        parts = (of, *args)
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
        run = _tuple_run(items, self.budget.nested, expr.span)
        return self._made(run, expr.span, items, cheap=all(i.constant for i in items))

    def list_of(self, expr: syn.ListOf) -> Code:
        """A list written out."""
        items = [self.code(item) for item in expr.items]
        runs = [item.run for item in items]
        spend, nested, size, span = self.budget.spend, self.budget.nested, len(items), expr.span

        def listed(env: Env) -> Any:
            spend(size, span)
            return nested(Seq([run(env) for run in runs]), span)

        return self._made(listed, expr.span, items, more=2)

    def set_of(self, expr: syn.SetOf) -> Code:
        """A set written out."""
        items = [self.code(item) for item in expr.items]
        runs = [item.run for item in items]
        spend, nested, size, span = self.budget.spend, self.budget.nested, len(items), expr.span

        def collected(env: Env) -> Any:
            spend(size, span)
            return nested(Set([run(env) for run in runs]), span)

        return self._made(collected, expr.span, items, more=2)

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

    def comprehension(self, expr: syn.Comprehension) -> Code:
        """A set or list made by `for` from generators."""
        inner = Compiler(self.scope, self.bound)
        inner._level = self._level
        loops, parts, names = inner._loops(expr.generators)
        test, tested = inner._test(expr.where) if expr.where is not None else (None, ())
        item = inner.code(expr.item)
        parts += [part.hiding(hidden) for part, hidden in ((p, names) for p in (*tested, item))]
        fill = self._emit(item.run, test, expr.span)
        for loop in reversed(loops):
            fill = loop(fill)
        make: Callable[[list[Any]], Value] = Set if expr.kind == "set" else Seq
        nested, span = self.budget.nested, expr.span

        def comprehend(env: Env) -> Any:
            found: list[Any] = []
            fill(env.copy(), found)
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
        names = _NOTHING
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

    # --- conditions ---------------------------------------------------------------------------------------

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
                    return lambda env: not test(env), _deeper(parts)
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

        return check, _deeper((code,))

    def _junction(self, expr: syn.Binary) -> tuple[Test, tuple[Code, ...]]:
        word = f"`{expr.op}`"
        (one, left), (two, right) = self._test(expr.left, word), self._test(expr.right, word)
        both = _deeper((*left, *right))
        if expr.op == "and":
            return lambda env: one(env) and two(env), both
        return lambda env: one(env) or two(env), both

    def _chain(self, expr: syn.Compare) -> tuple[Test, tuple[Code, ...]]:
        codes = [self.code(expr.first), *(self.code(other) for _, other in expr.rest)]
        ops = [op for op, _ in expr.rest]
        spans = [a.span.to(b.span) for a, b in pairwise(codes)]
        parts = _deeper(codes)
        if all(code.constant or code.name is not None for code in codes[1:-1]):
            tests = [
                comparison(op, a, b, span, self.budget)
                for op, a, b, span in zip(ops, codes, codes[1:], spans, strict=False)
            ]
            if len(tests) == 1:
                return tests[0], parts
            if len(tests) == 2:
                one, two = tests
                return lambda env: one(env) and two(env), _deeper(parts)
            return lambda env: all(test(env) for test in tests), _deeper(_deeper(parts))
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

    # --- walking for statements ---------------------------------------------------------------------------

    def walk(self, generators: tuple[Generator, ...], where: Expr | None) -> Callable[[Env], Iterator[Env]]:
        """A closure that walks the bindings of generators. The first varies slowest; each gets its own environment."""
        inner = Compiler(self.scope, self.bound)
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


def known(value: Value, span: Span) -> Code:
    """The code of a value that is already known."""
    return Code(lambda env: value, span, value=value)


def _once(run: Run) -> Run:
    """A closure that runs `run` when it is first called and remembers the value."""
    kept: list[Any] = []

    def once(env: Env) -> Any:
        if not kept:
            kept.append(run(env))
        return kept[0]

    return once


def _deeper(parts: Iterable[Code]) -> tuple[Code, ...]:
    return tuple(part.deeper() for part in parts)


def _tuple_run(items: list[Code], nested: Callable[[Any, Span], Any], span: Span) -> Run:
    """A closure for a tuple. If the tuple contains more than numbers and text, its nesting is checked."""
    runs = [item.run for item in items]
    if len(runs) == 2:
        one, two = runs

        def pair(env: Env) -> Any:
            a, b = one(env), two(env)
            if (type(a) is int or type(a) is str) and (type(b) is int or type(b) is str):
                return (a, b)
            return nested((a, b), span)

        return pair
    if len(runs) == 3:
        one, two, three = runs

        def triple(env: Env) -> Any:
            a, b, c = one(env), two(env), three(env)
            if type(a) is type(b) is type(c) is int:
                return (a, b, c)
            return nested((a, b, c), span)

        return triple
    return lambda env: nested(tuple([run(env) for run in runs]), span)


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
    syn.Comprehension: Compiler.comprehension,
    syn.Range: Compiler.range,
    syn.ReaderBlock: Compiler.reader,
}
