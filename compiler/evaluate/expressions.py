"""Expressions become closures: compiled once, called for every binding of the local names.

`Compiler.code` returns a closure for the value of an expression, `Compiler.test` one for a condition (a Python bool).
What does not depend on local names is evaluated only once: numbers and small values during compilation, everything else
when it is first needed. So the branch of an `if` that is not taken can neither fail nor cost anything.

Closures call each other directly and use one Python frame for each level of nesting. `Code.depth` counts the levels,
and calls of the language's functions count them against `CompileLimits.frames` (see calls.py).
"""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any

from covr.compiler.evaluate.code_parts import known
from covr.compiler.evaluate.faults import EvalFault
from covr.compiler.evaluate.members import key_twice, look_up, no_field
from covr.compiler.evaluate.operators import Code, Env, Run, arithmetic, negation
from covr.compiler.evaluate.values import FALSE, TRUE, Map, Record, Rng, Seq, Set, Value, kind_of, truth
from covr.compiler.evaluate.walks import Walks
from covr.dsl import syntax as syn
from covr.dsl.source import Span
from covr.dsl.syntax import Expr


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
        key = args[0].run if len(args) == 1 else _tuple_run(args, self.budget.nested, expr.span)
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
                budget.spend(len(items), span)
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

    def map_of(self, expr: syn.MapOf) -> Code:
        """A map written out. No key may be written twice."""
        parts = [self.code(part) for entry in expr.items for part in entry.items]
        keys, values = [part.run for part in parts[::2]], [part.run for part in parts[1::2]]
        places = [entry.items[0].span for entry in expr.items]
        spend, nested, size, span = self.budget.spend, self.budget.nested, len(parts), expr.span

        def mapped(env: Env) -> Any:
            spend(size, span)
            entries: dict[Value, Value] = {}
            for at, (key, value) in enumerate(zip(keys, values, strict=True)):
                found = key(env)
                if found in entries:
                    raise key_twice(found, places[list(entries).index(found)], places[at])
                entries[found] = value(env)
            return nested(Map(entries), span)

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
    syn.MapOf: Compiler.map_of,
    syn.Comprehension: Compiler.comprehension,
    syn.Range: Compiler.range,
    syn.ReaderBlock: Compiler.reader,
}
