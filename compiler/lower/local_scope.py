"""A scope seen from inside a statement, where index names hide global ones of the same name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from attrs import field

from covr.compiler.evaluate import Env, EvalFault, Run, Scope, Test
from covr.compiler.evaluate.code_parts import LARGE
from covr.compiler.evaluate.names import free_in_template, free_names
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.source import Span
from covr.dsl.syntax import Expr, Name, Template
from covr.dsl.walk import walk
from covr.frozen import frozen

T = TypeVar("T")


def _names(names: Iterable[str]) -> frozenset[str]:
    return frozenset(names)


@frozen(eq=False)
class Within:
    """A scope with local names. scope: the meaning of global names; names: the local ones, with values in the env.

    late: expressions are compiled only when they are evaluated for the first time, for statements that are written as
    Python (as_python.py), where most never are. Only for `attempt`: what is wrong with them is told later, too.
    """

    scope: Scope
    names: frozenset[str] = field(converter=_names)
    late: bool = False

    def compile(self, expr: Expr) -> Run:
        """Compile an expression to a function of the local names."""
        if self.late:
            return _late(lambda: self.scope.compile(expr, self.names))
        return self.scope.compile(expr, self.names)

    def truth(self, expr: Expr) -> Test:
        """Compile a condition to a function of the local names."""
        if self.late:
            return _late(lambda: self.scope.truth(expr, self.names))
        return self.scope.truth(expr, self.names)

    def members(self, expr: Expr) -> Run:
        """Compile an expression that must have members to a function of the local names."""
        return self.scope.members(expr, self.names)

    def template(self, template: Template) -> Callable[[Env], str]:
        """Compile a text with holes to a function of the local names."""
        return self.scope.template(template, self.names)

    def tests(self, conditions: Iterable[Expr]) -> list[Test]:
        """A test for each condition. Many small conditions count as many steps as a single one of their total size."""
        if self.late:
            return [self.truth(condition) for condition in conditions]
        found: list[Test] = []
        size = 0
        for condition in conditions:
            test = self.truth(condition)
            size += parts_of(condition)
            if size > LARGE:
                test, size = self._weighed(test, size, condition.span) if found else test, 0
            found.append(test)
        return found

    def _weighed(self, test: Test, size: int, span: Span) -> Test:
        step = self.scope.budget.step

        def weighed(env: Env) -> bool:
            step(size, span)
            return test(env)

        return weighed


def parts_of(condition: Expr) -> int:
    """How many nodes an expression has; kept with it."""
    try:
        return condition._size  # type: ignore[no-any-return, union-attr]
    except AttributeError:
        size = sum(1 for _ in walk(condition))
        object.__setattr__(condition, "_size", size)
        return size


def _late(compiled: Callable[[], Callable[[Env], T]]) -> Callable[[Env], T]:
    """A function that is compiled when it is first called."""
    kept: list[Callable[[Env], T]] = []

    def run(env: Env) -> T:
        if not kept:
            kept.append(compiled())
        return kept[0](env)

    return run


def allow_only(names: Iterable[str], local: Iterable[str], expr: Expr | Template, message: str, help: str) -> None:
    """Raises EvalFault E414 if an expression uses a local name that is not in `names` and so has no value there.

    message: its sentence, in which `{name}` is replaced by the first such name.
    """
    used = free_in_template(expr) if isinstance(expr, Template) else free_names(expr)
    unknown = used.intersection(local).difference(names)
    if unknown:
        first = next(n for n in walk(expr) if isinstance(n, Name) and n.id in unknown)
        raise EvalFault(Diagnostic("E414", message.format(name=f"`{first.id}`"), first.span, help))
