"""A scope seen from inside a statement, where index names hide global ones of the same name."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from attrs import field, frozen

from covr.compiler.evaluate import Env, Run, Scope, Test
from covr.dsl.syntax import Expr, Template


def _names(names: Iterable[str]) -> frozenset[str]:
    return frozenset(names)


@frozen(eq=False)
class Within:
    """scope: what global names mean; names: the local ones, whose values closures find in their environment."""

    scope: Scope
    names: frozenset[str] = field(converter=_names)

    def compile(self, expr: Expr) -> Run:
        return self.scope.compile(expr, self.names)

    def truth(self, expr: Expr) -> Test:
        return self.scope.truth(expr, self.names)

    def members(self, expr: Expr) -> Run:
        return self.scope.members(expr, self.names)

    def template(self, template: Template) -> Callable[[Env], str]:
        return self.scope.template(template, self.names)

    def tests(self, conditions: Iterable[Expr]) -> list[Test]:
        return [self.truth(c) for c in conditions]
