"""Calls of functions and readers, and how the code of an expression is put together."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final, TypeVar

from covr.compiler.evaluate.limits import Budget, EvalFault, did_you_mean
from covr.compiler.evaluate.operators import Code, Env, Run
from covr.compiler.evaluate.values import Piece, Rng, Seq, Set, Value
from covr.dsl import syntax as syn
from covr.dsl.diagnostics import Span, shorten
from covr.dsl.syntax import Expr
from covr.frozen import frozen

if TYPE_CHECKING:
    from covr.compiler.evaluate.scope import Scope

# --- code parts ------------------------------------------------------------------------------------------------------
# How the code of an expression is put together from those of its parts.
#
# That is the same for every kind of expression: levels of nesting are counted, large expressions count steps, and what
# needs no local name is evaluated only once.


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


# --- calls -----------------------------------------------------------------------------------------------------------
# Calls: of the model's own functions, of built-in functions, and of readers.
#
# A model's function may call itself. Each call counts the Python frames that its body needs (`Code.depth`) against
# `CompileLimits.frames`. While a deep call runs, Python's own recursion limit is raised far enough for that limit, so
# that Python never stops a model before covr does.


# Up to here a call is sure to fit into what Python allows by default.
_SHALLOW: Final = 200


@frozen
class Site:
    """The place where a built-in function is called: what the function needs besides its arguments.

    span: of the call. spans: of the arguments. budget: to count against. source: the file that makes the call.
    """

    span: Span
    spans: tuple[Span, ...]
    budget: Budget
    scope: Scope

    def of(self, position: int) -> Span:
        """The span of an argument, counted from 0; if there is no such argument, that of the call."""
        return self.spans[position] if position < len(self.spans) else self.span

    def fault(self, position: int, message: str, help: str = "", code: str = "E206") -> EvalFault:
        """An EvalFault at the argument of that position (from 0), to be raised."""
        return EvalFault.at(self.of(position), code, message, help)


class Function:
    """A `let` with parameters. Its body is compiled when it is first called. kept: what it gave for arguments that it
    was called with before, by statements and not by other functions."""

    def __init__(self, scope: Scope, let: syn.Let) -> None:
        assert let.parameters is not None
        self.scope = scope
        self.name = let.name.id
        self.parameters = tuple(p.id for p in let.parameters)
        self.let = let
        self.run: Run = self._first
        self.weight = 4
        self.kept: dict[tuple[Any, ...], Any] = {}

    def _first(self, env: Env) -> Any:
        from covr.compiler.evaluate.expressions import Compiler

        code = Compiler(self.scope, frozenset(self.parameters)).code(self.let.value)
        self.weight = code.depth + 2
        self.run = code.run
        return code.run(env)


def compile_call(scope: Scope, expr: syn.Call, args: list[Code]) -> tuple[Run, int]:
    """A closure for a call, and the frames it adds."""
    name = expr.function.id
    function = scope.function(name)
    if function is not None:
        _check_count(expr, function)
        return _call_function(scope.budget, function, args, expr.span), 1
    from covr.compiler.evaluate.functions import FUNCTIONS

    built_in = FUNCTIONS.get(name)
    if built_in is None:
        raise _unknown(scope, expr)
    site = Site(expr.span, tuple(arg.span for arg in args), scope.budget, scope)
    runs = [arg.run for arg in args]
    built_in.check_count(len(args), site)
    apply = built_in.apply

    def call(env: Env) -> Any:
        return apply(site, *[run(env) for run in runs])

    return call, 2


def compile_reader(scope: Scope, expr: syn.ReaderBlock, args: list[Code]) -> Run:
    """A closure for a reader with a block of text."""
    from covr.compiler.evaluate.blocks import DataBlock
    from covr.compiler.evaluate.scope import READERS

    reader = READERS.get(expr.name.id)
    if reader is None:
        raise EvalFault.at(
            expr.name.span,
            "E208",
            f"`{expr.name.id}` is not a reader",
            help=did_you_mean(expr.name.id, READERS) or "the readers are " + ", ".join(READERS),
        )
    site = Site(expr.span, tuple(arg.span for arg in args), scope.budget, scope)
    runs = [arg.run for arg in args]
    block = DataBlock.in_model(expr)
    return lambda env: reader.read(site, block, [run(env) for run in runs])


CALL: Final = 5
"""How many steps a call counts as: it takes as long as walking five members."""


KEPT: Final = 10_000
"""For how many arguments the values of one function are kept."""


def _call_function(budget: Budget, function: Function, args: list[Code], span: Span) -> Run:
    """A closure for a call of the model's own function.

    A statement asks for the same few values once for each choice, so a value is computed once for the same numbers and
    texts; but only in calls from outside all functions: whether a model is refused for 2^n calls must not depend on
    what was called before.
    """
    runs = [*zip(function.parameters, [arg.run for arg in args], strict=True)]
    most = budget.limits.steps
    kept = function.kept

    def call(env: Env) -> Any:
        budget.steps += CALL
        frames = budget.frames
        local = {name: run(env) for name, run in runs}
        key = None if frames else _key(tuple(local.values()))
        if key is not None and budget.steps <= most and (known := kept.get(key)) is not None:
            return known
        if frames > _SHALLOW or budget.steps > most:
            return _call_deep(budget, function, local, span)
        budget.frames = frames + function.weight
        try:
            value = function.run(local)
        except EvalFault as fault:
            raise fault.with_note(_called(span)) from None
        finally:
            budget.frames = frames
        if key is not None and len(kept) < KEPT:
            kept[key] = value
        return value

    return call


class _Same:
    """A piece as a key: as it equals its letter and has cells as well, two pieces are the same only if both are."""

    __slots__ = ("piece",)

    def __init__(self, piece: Piece) -> None:
        self.piece = piece

    def __hash__(self) -> int:
        return id(self.piece.cells)

    def __eq__(self, other: object) -> bool:
        return type(other) is _Same and other.piece.cells is self.piece.cells and other.piece == self.piece


class _Itself:
    """A set or list as a key: only the very same one is the same in all respects, as a range, for example, equals a
    set. Choices that are looked at again and again have the very same sets."""

    __slots__ = ("value",)

    def __init__(self, value: Set | Seq) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return type(other) is _Itself and other.value is self.value


def _key(values: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """What stands for values that are numbers, texts, pieces, sets, lists or tuples of such, so that values with equal
    keys are the same in all respects; None for others."""
    plain = True
    for value in values:
        kind = type(value)
        if kind is not int and kind is not str:
            if kind not in _KEYED:
                return None
            plain = False
    if plain:
        return values
    key: list[Any] = []
    for value in values:
        kind = type(value)
        if kind is int or kind is str:
            key.append(value)
        elif kind is tuple:
            key.append(_key(value))
        else:
            key.append(_Same(value) if kind is Piece else _Itself(value))
    return None if None in key else tuple(key)


_KEYED: Final[frozenset[type]] = frozenset({tuple, Piece, Set, Rng, Seq})


def _call_deep(budget: Budget, function: Function, local: Env, span: Span) -> Any:
    """Make a call that might be too deep: check the limits, and let Python's stack grow as deep as they allow."""
    budget.step(0, span)
    frames = budget.frames
    if frames + function.weight > budget.limits.frames:
        raise EvalFault.at(
            span,
            "E214",
            f"`{function.name}` calls itself too often before it ends",
            help="give it a case that ends, or compute with sets and lists instead",
        )
    before = sys.getrecursionlimit()
    raised = frames - function.weight <= _SHALLOW
    if raised:
        sys.setrecursionlimit(before + budget.limits.frames)
    budget.frames = frames + function.weight
    try:
        return function.run(local)
    except EvalFault as fault:
        raise fault.with_note(_called(span)) from None
    finally:
        budget.frames = frames
        if raised:
            sys.setrecursionlimit(before)


def _called(span: Span) -> str:
    line, column = span.place
    return f"in `{shorten(span.one_line, 40)}`, called at {span.source.name}:{line}:{column}"


def _check_count(expr: syn.Call, function: Function) -> None:
    wanted, got = len(function.parameters), len(expr.args)
    if wanted != got:
        raise EvalFault.at(expr.span, "E208", f"`{function.name}` takes {wanted} value{'s' * (wanted != 1)}, not {got}")


def _unknown(scope: Scope, expr: syn.Call) -> EvalFault:
    from covr.compiler.evaluate.functions import FUNCTIONS

    name = expr.function.id
    if scope.defines(name):
        return EvalFault.at(expr.function.span, "E208", f"`{name}` is a value, not a function")
    known = [*scope.function_names(), *FUNCTIONS]
    return EvalFault.at(expr.function.span, "E208", f"`{name}` is not a function", help=did_you_mean(name, known))
