"""What `+ - * div mod ^ | &` do to values: fast for whole numbers, and with clear messages for everything else.

`arithmetic` makes a closure over compiled operands. The common forms (two local names, a name and a number) have
closures of their own, because rules evaluate them for every choice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from attrs import define

from covr.compiler.evaluate.faults import EvalFault
from covr.compiler.evaluate.limits import Budget
from covr.compiler.evaluate.values import Rng, Seq, Set, Value, abbreviate, kind_of, size_of
from covr.dsl.source import Span

Env: TypeAlias = dict[str, Any]
Run: TypeAlias = Callable[[Env], Any]
Test: TypeAlias = Callable[[Env], bool]

# Whole numbers between these bounds are too small to need a check against the budget.
_LOW: Final = -(2**62)
_HIGH: Final = 2**62


@define(eq=False, slots=True)
class Code:
    """A compiled expression. It is not changed once it is made; `define` makes it in half the time of `frozen`.

    run: its value in an environment of local names. value: its value if it is already known, else None.
    name: the local name that it looks up, if that is all it does. span: for faults.
    uses: the local names that its value depends on. depth: how many nested Python frames its closures need.
    size: how many parts it has whose evaluation has not been counted as steps.
    """

    run: Run
    span: Span
    value: Value | None = None
    name: str | None = None
    uses: frozenset[str] = frozenset()
    depth: int = 1
    size: int = 1

    @property
    def constant(self) -> bool:
        """Whether the value is known before the expression is run."""
        return self.value is not None

    def deeper(self) -> Code:
        """The same code, one Python frame deeper."""
        return Code(self.run, self.span, self.value, self.name, self.uses, self.depth + 1, self.size)

    def hiding(self, names: frozenset[str]) -> Code:
        """The same code as seen from outside the expression that binds these names."""
        return Code(self.run, self.span, self.value, self.name, self.uses - names, self.depth, self.size)


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


def set_operator(op: str, span: Span, budget: Budget) -> Callable[[Any, Any], Value]:
    """A function for `left op right`."""
    general = _OPERATORS[op]
    return lambda a, b: general(a, b, span, budget)


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
    """`a div 3`, `a mod 3`: no check of size, since dividing by a positive number makes no number larger."""
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
    """`-a`. What it returns raises EvalFault (E201) for anything but a whole number."""
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
        help = 'a number becomes text in a label, `"row {r}"`, and nowhere else'
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
        pairs = [(x, y) for x in a for y in b]
        budget.apart(pairs, span)
        return budget.nested(Set(pairs), span)
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
    if op in ("|", "&", "-", "*") and (isinstance(a, Set) or isinstance(b, Set)):
        if isinstance(a, int) or isinstance(b, int):
            help = f"a range beside `{op}` stands in parentheses: `(1..5) {op} {{3}}`"
        elif isinstance(a, Seq) or isinstance(b, Seq):
            help = "`{x for x in …}` makes a set of a list"
    return EvalFault.at(span, "E201", f"`{op}` wants {wanted}, not {kind_of(a)} and {kind_of(b)}", help)
