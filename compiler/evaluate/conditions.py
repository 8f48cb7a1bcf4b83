"""Expressions as conditions: a closure that returns a Python bool.

`and`, `or`, `not` and comparisons call each other directly, so that no value is made for their parts.
"""

from __future__ import annotations

from itertools import pairwise

from covr.compiler.evaluate.code_parts import LARGE, CodeMaker, deeper
from covr.compiler.evaluate.comparisons import comparison, holds
from covr.compiler.evaluate.faults import EvalFault
from covr.compiler.evaluate.operators import Code, Env, Test
from covr.compiler.evaluate.values import FALSE, TRUE, kind_of
from covr.dsl import syntax as syn
from covr.dsl.syntax import Expr


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
