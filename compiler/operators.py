"""What the operators do to values, fast for whole numbers and with good faults for everything else.

`arithmetic` and `comparison` make closures over compiled operands. The common shapes (two local names, a name and
a number) get closures of their own: they are what a rule evaluates for every choice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from attrs import evolve, frozen

from covr.compiler.faults import EvalFault
from covr.compiler.limits import WORD, Budget
from covr.compiler.values import (
    Map, Rng, Seq, Set, Truth, Value, abbreviate, alike, kind_of, size_of,
)
from covr.dsl.source import Span

Env: TypeAlias = dict[str, Any]
Run: TypeAlias = Callable[[Env], Any]
Test: TypeAlias = Callable[[Env], bool]

# Whole numbers between these take no account of the budget.
_LOW: Final = -(2**62)
_HIGH: Final = 2**62


@frozen
class Code:
    """A compiled expression.

    run: gives its value in an environment of local names. value: its value where that is known already, else None.
    name: the local name it looks up, if that is all it does. span: for faults. uses: the local names its value
    depends on. depth: Python frames its closures nest.
    """

    run: Run
    span: Span
    value: Value | None = None
    name: str | None = None
    uses: frozenset[str] = frozenset()
    depth: int = 1

    @property
    def constant(self) -> bool:
        return self.value is not None

    def deeper(self) -> Code:
        return evolve(self, depth=self.depth + 1)

    def hiding(self, names: frozenset[str]) -> Code:
        """As seen from outside the place that binds these names."""
        return evolve(self, uses=self.uses - names)


# --- arithmetic -------------------------------------------------------------------------------------------


def arithmetic(op: str, left: Code, right: Code, span: Span, budget: Budget) -> Run:
    """A closure for `left op right`, op one of `+ - * div mod ^ | &`."""
    general = _OPERATORS[op]

    def slow(a: Value, b: Value) -> Value:
        return general(a, b, span, budget)

    if op == "+":
        return _plus(left, right, slow)
    if op == "-":
        return _minus(left, right, slow)
    if op in ("div", "mod") and type(right.value) is int and right.value > 0:
        return _by_number(op, left.run, right.value, slow)
    one, two = left.run, right.run
    return lambda env: slow(one(env), two(env))


def _plus(left: Code, right: Code, slow: Callable[[Any, Any], Any]) -> Run:
    x, y, one, two = left.name, right.name, left.run, right.run
    if x is not None and y is not None:

        def names(env: Env) -> Any:
            a, b = env[x], env[y]
            if type(a) is int and type(b) is int and _LOW < (r := a + b) < _HIGH:
                return r
            return slow(a, b)

        return names
    if type(right.value) is int and _LOW < right.value < _HIGH:
        number = right.value

        def by_number(env: Env) -> Any:
            a = one(env)
            if type(a) is int and _LOW < (r := a + number) < _HIGH:
                return r
            return slow(a, number)

        return by_number

    def run(env: Env) -> Any:
        a, b = one(env), two(env)
        if type(a) is int and type(b) is int and _LOW < (r := a + b) < _HIGH:
            return r
        return slow(a, b)

    return run


def _minus(left: Code, right: Code, slow: Callable[[Any, Any], Any]) -> Run:
    x, y, one, two = left.name, right.name, left.run, right.run
    if x is not None and y is not None:

        def names(env: Env) -> Any:
            a, b = env[x], env[y]
            if type(a) is int and type(b) is int and _LOW < (r := a - b) < _HIGH:
                return r
            return slow(a, b)

        return names
    if type(right.value) is int and _LOW < right.value < _HIGH:
        number = right.value

        def by_number(env: Env) -> Any:
            a = one(env)
            if type(a) is int and _LOW < (r := a - number) < _HIGH:
                return r
            return slow(a, number)

        return by_number

    def run(env: Env) -> Any:
        a, b = one(env), two(env)
        if type(a) is int and type(b) is int and _LOW < (r := a - b) < _HIGH:
            return r
        return slow(a, b)

    return run


def _by_number(op: str, one: Run, number: int, slow: Callable[[Any, Any], Any]) -> Run:
    """`a div 3`, `a mod 3`: a quotient or remainder by a positive number is no larger than what is divided."""
    if op == "div":

        def quotient(env: Env) -> Any:
            a = one(env)
            return a // number if type(a) is int else slow(a, number)

        return quotient

    def remainder(env: Env) -> Any:
        a = one(env)
        return a % number if type(a) is int else slow(a, number)

    return remainder


def negation(of: Code, span: Span) -> Run:
    run = of.run

    def negate(env: Env) -> Any:
        a = run(env)
        if type(a) is int:
            return -a
        raise EvalFault.at(span, "E201", f"`-` wants a whole number, not {kind_of(a)}")

    return negate


def _number(r: int, span: Span, budget: Budget) -> int:
    if not _LOW < r < _HIGH:
        budget.number(r.bit_length(), span)
    return r


def _add(a: Value, b: Value, span: Span, budget: Budget) -> Value:
    if isinstance(a, int) and isinstance(b, int):
        return _number(a + b, span, budget)
    if isinstance(a, str) and isinstance(b, str):
        budget.text(len(a) + len(b), span)
        return str(a) + str(b)
    if isinstance(a, Seq) and isinstance(b, Seq):
        budget.spend(len(a) + len(b), span)
        return budget.nested(Seq(a.items + b.items), span)
    help = ""
    if isinstance(a, str) or isinstance(b, str):
        help = "write a value inside text as a label does: \"row {r}\""
    elif isinstance(a, Set) and isinstance(b, Set):
        help = "sets are joined by `|`"
    raise _unfit("+", a, b, span, "two whole numbers, two texts or two lists", help)


def _subtract(a: Value, b: Value, span: Span, budget: Budget) -> Value:
    if isinstance(a, int) and isinstance(b, int):
        return _number(a - b, span, budget)
    if isinstance(a, Set) and isinstance(b, Set):
        gone = b
        budget.spend(size_of(a), span)
        return Set(v for v in a.members if v not in gone)
    raise _unfit("-", a, b, span, "two whole numbers or two sets")


def _multiply(a: Value, b: Value, span: Span, budget: Budget) -> Value:
    if isinstance(a, int) and isinstance(b, int):
        return _number(a * b, span, budget)
    if isinstance(a, Set) and isinstance(b, Set):
        budget.spend(size_of(a) * size_of(b), span)
        pairs = Set((x, y) for x in a for y in b)
        return budget.nested(pairs, span)
    raise _unfit("*", a, b, span, "two whole numbers or two sets")


def _divide(a: Value, b: Value, span: Span, budget: Budget) -> Value:
    if isinstance(a, int) and isinstance(b, int):
        return _number(a // _nonzero("div", b, span), span, budget)
    raise _unfit("div", a, b, span, "two whole numbers")


def _remainder(a: Value, b: Value, span: Span, budget: Budget) -> Value:
    if isinstance(a, int) and isinstance(b, int):
        return _number(a % _nonzero("mod", b, span), span, budget)
    raise _unfit("mod", a, b, span, "two whole numbers")


def _nonzero(op: str, b: int, span: Span) -> int:
    if b == 0:
        raise EvalFault.at(span, "E203", f"`{op}` by zero")
    return b


def _power(a: Value, b: Value, span: Span, budget: Budget) -> Value:
    if not (isinstance(a, int) and isinstance(b, int)):
        raise _unfit("^", a, b, span, "two whole numbers")
    if b < 0:
        raise EvalFault.at(span, "E203", f"`^` wants an exponent of 0 or more, not {abbreviate(b)}")
    if a in (-1, 0, 1):
        return a if b % 2 else a * a if b else 1
    budget.number((a.bit_length() - 1) * b, span)
    return _number(a**b, span, budget)


def _union(a: Value, b: Value, span: Span, budget: Budget) -> Value:
    if isinstance(a, Set) and isinstance(b, Set):
        budget.spend(size_of(a) + size_of(b), span)
        return Set(a.members | b.members)
    raise _unfit("|", a, b, span, "two sets")


def _intersection(a: Value, b: Value, span: Span, budget: Budget) -> Value:
    if isinstance(a, Rng) and isinstance(b, Rng):
        return Rng(max(a.low, b.low), min(a.high, b.high))
    if isinstance(a, Set) and isinstance(b, Set):
        small, large = (a, b) if size_of(a) <= size_of(b) else (b, a)
        budget.spend(size_of(small), span)
        return Set(v for v in small if v in large)
    raise _unfit("&", a, b, span, "two sets")


_OPERATORS: Final[dict[str, Callable[[Any, Any, Span, Budget], Value]]] = {
    "+": _add,
    "-": _subtract,
    "*": _multiply,
    "div": _divide,
    "mod": _remainder,
    "^": _power,
    "|": _union,
    "&": _intersection,
}


def _unfit(op: str, a: Value, b: Value, span: Span, wanted: str, help: str = "") -> EvalFault:
    return EvalFault.at(span, "E201", f"`{op}` wants {wanted}, not {kind_of(a)} and {kind_of(b)}", help)


# --- comparison -------------------------------------------------------------------------------------------


def comparison(op: str, left: Code, right: Code, span: Span, budget: Budget) -> Test:
    """A condition `left op right`, op one of `= != < <= > >= in`, `not in`."""
    if op in ("=", "!="):
        return _equality(left, right, op == "=", span, budget)
    if op in ("in", "not in"):
        return _membership(left.run, right, span, op == "in", budget)
    return _ordering(op, left.run, right.run, span)


def _equality(left: Code, right: Code, wanted: bool, span: Span, budget: Budget) -> Test:
    one, two = left.run, right.run
    if isinstance(right.value, int | str | Truth):
        value = right.value
        return (lambda env: one(env) == value) if wanted else (lambda env: one(env) != value)

    def equal(env: Env) -> bool:
        a, b = one(env), two(env)
        if type(a) is not int and type(a) is not str:
            budget.step(size_of(a) if isinstance(a, Set | Seq) and alike(a, b) else 1, span)
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


def contains(container: Value, value: Value, span: Span, budget: Budget) -> bool:
    """`value in container`: a member of a set, list or tuple, a key of a grid, a part of a text."""
    if isinstance(container, Set | Map):
        return value in container
    if isinstance(container, Seq | tuple):
        budget.step(len(container), span)
        return value in container
    if isinstance(container, str):
        if isinstance(value, str):
            budget.step(len(container) // WORD, span)
            return str(value) in str(container)
        raise EvalFault.at(span, "E201", f"only text can be in text, not {kind_of(value)}")
    raise EvalFault.at(span, "E201", f"`in` wants a set, list, grid or text on its right, not {kind_of(container)}")


def _ordering(op: str, one: Run, two: Run, span: Span) -> Test:
    if op == "<":

        def less(env: Env) -> bool:
            a, b = one(env), two(env)
            return a < b if type(a) is int and type(b) is int else before(a, b, "<", span)

        return less
    if op == "<=":

        def at_most(env: Env) -> bool:
            a, b = one(env), two(env)
            return a <= b if type(a) is int and type(b) is int else not_after(a, b, "<=", span)

        return at_most
    if op == ">":

        def more(env: Env) -> bool:
            a, b = one(env), two(env)
            return a > b if type(a) is int and type(b) is int else before(b, a, ">", span)

        return more

    def at_least(env: Env) -> bool:
        a, b = one(env), two(env)
        return a >= b if type(a) is int and type(b) is int else not_after(b, a, ">=", span)

    return at_least


def before(a: Value, b: Value, op: str, span: Span) -> bool:
    """a < b: numbers by size, text by code point, tuples and lists by their first difference, sets as proper subsets."""
    if isinstance(a, Set) and isinstance(b, Set):
        return size_of(a) < size_of(b) and subset(a, b)
    return _compare(a, b, op, span) < 0


def not_after(a: Value, b: Value, op: str, span: Span) -> bool:
    """a <= b, of sets: subset."""
    if isinstance(a, Set) and isinstance(b, Set):
        return subset(a, b)
    return _compare(a, b, op, span) <= 0


def subset(a: Set, b: Set) -> bool:
    if isinstance(a, Rng) and isinstance(b, Rng):
        return a.size == 0 or (b.low <= a.low and a.high <= b.high)
    return size_of(a) <= size_of(b) and all(v in b for v in a)


def _compare(a: Any, b: Any, op: str, span: Span) -> int:
    """Negative, zero or positive as a comes before, equals or comes after b. Raises EvalFault for unlike kinds."""
    if alike(a, b) and not isinstance(a, Truth):
        if isinstance(a, int | str):
            return int(a > b) - int(a < b)
        if isinstance(a, tuple | Seq):
            for one, other in zip(a, b, strict=False):
                if one != other:
                    return _compare(one, other, op, span)
            return len(a) - len(b)
    if alike(a, b):
        raise EvalFault.at(span, "E201", f"`{op}` does not apply to {kind_of(a)}")
    raise EvalFault.at(span, "E201", f"`{op}` wants values of one kind, not {kind_of(a)} and {kind_of(b)}")
