"""The comparisons `= != < <= > >= in` and `not in`: conditions, as closures that give a Python bool."""

from __future__ import annotations

from typing import Any

from covr.compiler.evaluate.faults import EvalFault
from covr.compiler.evaluate.limits import Budget
from covr.compiler.evaluate.operators import Code, Env, Run, Test
from covr.compiler.evaluate.unlike import Notes, notes
from covr.compiler.evaluate.values import WORD, Map, Rng, Seq, Set, Truth, Value, alike, kind_of, measure, size_of
from covr.compiler.lattices.lattice import LatticeCell
from covr.dsl.source import Span


def comparison(op: str, left: Code, right: Code, span: Span, budget: Budget) -> Test:
    """A condition `left op right`, op one of `= != < <= > >= in`, `not in`."""
    if op in ("=", "!="):
        return _equality(left, right, op == "=", span, budget)
    if op in ("in", "not in"):
        return _membership(left.run, right, span, op == "in", budget)
    return _ordering(op, left.run, right.run, span, budget)


def _equality(left: Code, right: Code, wanted: bool, span: Span, budget: Budget) -> Test:
    one, two = left.run, right.run
    if (noted := notes()) is not None:
        return _noted_equality(one, two, wanted, span, budget, noted)
    if isinstance(right.value, int | Truth) or (isinstance(right.value, str) and len(right.value) <= WORD):
        value = right.value
        return (lambda env: one(env) == value) if wanted else (lambda env: one(env) != value)

    def equal(env: Env) -> bool:
        a, b = one(env), two(env)
        if type(a) is str:
            read(a, b, span, budget)
        elif type(a) is not int:
            budget.step(max(reading(a, b), 1), span)
        return (a == b) is wanted

    return equal


def _noted_equality(one: Run, two: Run, wanted: bool, span: Span, budget: Budget, noted: Notes) -> Test:
    """`=` or `!=`, where it is noted of what kinds the values are."""

    def equal(env: Env) -> bool:
        a, b = one(env), two(env)
        noted.add(a, b, span)
        read(a, b, span, budget)
        return (a == b) is wanted

    return equal


def _membership(one: Run, right: Code, span: Span, wanted: bool, budget: Budget) -> Test:
    if isinstance(right.value, Set | Map):
        within: Any = right.value
        if type(within) is Set:
            within = within.members
        return (lambda env: one(env) in within) if wanted else (lambda env: one(env) not in within)
    two = right.run

    def check(env: Env) -> bool:
        value, container = one(env), two(env)
        if type(container) is Set or type(container) is Rng:
            return (value in container) is wanted
        return contains(container, value, span, budget) is wanted

    return check


def read(a: Value, b: Value, span: Span, budget: Budget) -> None:
    """Count the comparison of two values, which may be long."""
    if type(a) is not int and (steps := reading(a, b)):
        budget.step(steps, span)


def reading(a: Value, b: Value) -> int:
    """How many steps it is to compare two values: by their members and the length of texts; 0 for what is short."""
    if isinstance(a, str):
        return min(len(a), len(b)) // WORD if isinstance(b, str) else 0
    if isinstance(a, Rng) or isinstance(b, Rng):
        return size_of(a) if isinstance(a, Rng) and isinstance(b, Set) else 0
    if isinstance(a, tuple) and isinstance(b, tuple):
        return min(measure(a)[2], measure(b)[2])
    if isinstance(a, Set | Seq) and alike(a, b):
        (members, _, length), (others, _, words) = measure(a), measure(b)
        return min(members - 1 + length, others - 1 + words)
    return 0


def contains(container: Value, value: Value, span: Span, budget: Budget) -> bool:
    """`value in container`: a member of a set, list or tuple, a key of a grid, a part of a text."""
    if isinstance(container, Set | Map):
        return value in container
    if isinstance(container, Seq | tuple):
        long = 0 if type(value) is int else measure(value)[2]
        budget.step(len(container) * (1 + long), span)
        return value in container
    if isinstance(container, str):
        if isinstance(value, str):
            budget.step(len(container) // WORD, span)
            return str(value) in str(container)
        raise EvalFault.at(span, "E201", f"only text can be in text, not {kind_of(value)}")
    wanted = "a set, list, tuple, grid or text on its right"
    raise EvalFault.at(span, "E201", f"`in` wants {wanted}, not {kind_of(container)}")


def _ordering(op: str, one: Run, two: Run, span: Span, budget: Budget) -> Test:
    if op == "<":

        def less(env: Env) -> bool:
            a, b = one(env), two(env)
            return a < b if type(a) is int and type(b) is int else before(a, b, "<", span, budget)

        return less
    if op == "<=":

        def at_most(env: Env) -> bool:
            a, b = one(env), two(env)
            return a <= b if type(a) is int and type(b) is int else not_after(a, b, "<=", span, budget)

        return at_most
    if op == ">":

        def more(env: Env) -> bool:
            a, b = one(env), two(env)
            return a > b if type(a) is int and type(b) is int else before(b, a, ">", span, budget)

        return more

    def at_least(env: Env) -> bool:
        a, b = one(env), two(env)
        return a >= b if type(a) is int and type(b) is int else not_after(b, a, ">=", span, budget)

    return at_least


def before(a: Value, b: Value, op: str, span: Span, budget: Budget) -> bool:
    """a < b: numbers by size, text by code point, tuples and lists by their first difference; sets: proper subset."""
    if isinstance(a, Set) and isinstance(b, Set):
        return size_of(a) < size_of(b) and subset(a, b)
    read(a, b, span, budget)
    return _compare(a, b, op, span) < 0


def not_after(a: Value, b: Value, op: str, span: Span, budget: Budget) -> bool:
    """a <= b, of sets: subset."""
    if isinstance(a, Set) and isinstance(b, Set):
        return subset(a, b)
    read(a, b, span, budget)
    return _compare(a, b, op, span) <= 0


def subset(a: Set, b: Set) -> bool:
    """Whether every member of a is a member of b. Ranges are compared by their ends."""
    if isinstance(a, Rng) and isinstance(b, Rng):
        return a.size == 0 or (b.low <= a.low and a.high <= b.high)
    return size_of(a) <= size_of(b) and all(v in b for v in a)


def _compare(a: Any, b: Any, op: str, span: Span) -> int:
    """Negative if a comes before b, zero if they are equal, positive otherwise. Raises EvalFault for unlike kinds."""
    if alike(a, b) and not isinstance(a, Truth):
        if isinstance(a, int | str):
            return int(a > b) - int(a < b)
        if isinstance(a, tuple | Seq):
            if type(a) is LatticeCell and a.lattice is not b.lattice:
                message = f"`{op}` wants cells of one lattice, not of {a.lattice.name} and {b.lattice.name}"
                raise EvalFault.at(span, "E201", message)
            for one, other in zip(a, b, strict=False):
                if one != other:
                    return _compare(one, other, op, span)
            return len(a) - len(b)
    if alike(a, b):
        raise EvalFault.at(span, "E201", f"`{op}` does not apply to {kind_of(a)}")
    raise EvalFault.at(span, "E201", f"`{op}` wants values of one kind, not {kind_of(a)} and {kind_of(b)}")


def holds(op: str, left: Value, right: Value, span: Span, budget: Budget) -> bool:
    """`left op right` for any comparison."""
    match op:
        case "=":
            read(left, right, span, budget)
            return left == right
        case "!=":
            read(left, right, span, budget)
            return left != right
        case "<":
            return before(left, right, op, span, budget)
        case ">":
            return before(right, left, op, span, budget)
        case "<=":
            return not_after(left, right, op, span, budget)
        case ">=":
            return not_after(right, left, op, span, budget)
    return contains(right, left, span, budget) is (op == "in")
