"""How the code of an expression is put together from those of its parts.

That is the same for every kind of expression: levels of nesting are counted, large expressions count steps, and what
needs no local name is evaluated only once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final, TypeVar

from covr.compiler.evaluate.faults import EvalFault
from covr.compiler.evaluate.operators import Code, Env, Run
from covr.compiler.evaluate.values import Value
from covr.dsl.source import Span
from covr.dsl.syntax import Expr

if TYPE_CHECKING:
    from covr.compiler.evaluate.scope import Scope

NOTHING: Final[frozenset[str]] = frozenset()

# An expression of up to so many parts counts no steps of its own: the steps of the walk, call or choice that it belongs
# to include it.
LARGE: Final = 64

T = TypeVar("T")


class CodeMaker(ABC):
    """Puts codes together, for one scope. `bound`: local names that hide a global one."""

    def __init__(self, scope: Scope, bound: frozenset[str] = NOTHING) -> None:
        self.scope = scope
        self.budget = scope.budget
        self.bound = bound
        self._level = 0

    @abstractmethod
    def code(self, expr: Expr) -> Code:
        """Compile an expression of any kind. Raises EvalFault where it is nested too deeply."""

    def _made(self, run: Run, span: Span, parts: Iterable[Code], more: int = 1, cheap: bool = False) -> Code:
        """The code of an expression, from the codes of its parts. Without local names it is evaluated only once."""
        uses = NOTHING
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


def deeper(parts: Iterable[Code]) -> tuple[Code, ...]:
    """The codes, each one level further down."""
    return tuple(part.deeper() for part in parts)
