"""What operators and comparisons do to values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final, TypeAlias

from attrs import define

from covr.compiler.evaluate.limits import Budget, EvalFault
from covr.compiler.evaluate.values import (
    WORD,
    Map,
    Record,
    Rng,
    Seq,
    Set,
    Truth,
    Value,
    abbreviate,
    alike,
    kind_of,
    measure,
    show_value,
    size_of,
)
from covr.compiler.lattices import LatticeCell
from covr.dsl.diagnostics import Diagnostic, Span

# --- operators -------------------------------------------------------------------------------------------------------
# What `+ - * div mod ^ | &` do to values: fast for whole numbers, and with clear messages for everything else.
#
# `arithmetic` makes a closure over compiled operands. The common forms (two local names, a name and a number) have
# closures of their own, because rules evaluate them for every choice.


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
    least: how many steps each evaluation takes, if none is at fault; there may be more.
    """

    run: Run
    span: Span
    value: Value | None = None
    name: str | None = None
    uses: frozenset[str] = frozenset()
    depth: int = 1
    size: int = 1
    least: int = 0

    @property
    def constant(self) -> bool:
        """Whether the value is known before the expression is run."""
        return self.value is not None

    def deeper(self) -> Code:
        """The same code, one Python frame deeper."""
        return Code(self.run, self.span, self.value, self.name, self.uses, self.depth + 1, self.size, self.least)

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
        budget.count_values(len(a) + len(b), span)
        return budget.check_depth(Seq(a.items + b.items), span)
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
        budget.count_values(size_of(a), span)
        return Set(v for v in a.members if v not in gone)
    raise _unfit("-", a, b, span, "two whole numbers or two sets")


def _multiply(a: Value, b: Value, span: Span, budget: Budget) -> Value:
    if isinstance(a, int) and isinstance(b, int):
        return _number(a * b, span, budget)
    if isinstance(a, Set) and isinstance(b, Set):
        budget.count_values(size_of(a) * size_of(b), span)
        pairs = [(x, y) for x in a for y in b]
        budget.apart(pairs, span)
        return budget.check_depth(Set(pairs), span)
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
        budget.count_values(size_of(a) + size_of(b), span)
        return Set(a.members | b.members)
    raise _unfit("|", a, b, span, "two sets")


def _intersection(a: Value, b: Value, span: Span, budget: Budget) -> Value:
    if isinstance(a, Rng) and isinstance(b, Rng):
        return Rng(max(a.low, b.low), min(a.high, b.high))
    if isinstance(a, Set) and isinstance(b, Set):
        small, large = (a, b) if size_of(a) <= size_of(b) else (b, a)
        budget.count_values(size_of(small), span)
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


# --- unlike ----------------------------------------------------------------------------------------------------------
# Notes the comparisons `=` and `!=` that always compare values of different kinds, such as `3 = [3]`: false and no
# fault, but probably not meant. Only `covr check` takes notes: outside `noting`, comparisons are compiled without any
# of this.


_notes: ContextVar[Notes | None] = ContextVar("unlike", default=None)


@define
class Notes:
    """The comparisons evaluated so far: at each place, a pair of unlike values, or None once values were alike."""

    pairs: dict[Span, tuple[Value, Value] | None]

    def add(self, a: Value, b: Value, span: Span) -> bool:
        """Note two values that are compared at a place. Returns whether values were alike there: no more are noted."""
        if alike(a, b):
            self.pairs[span] = None
        elif span not in self.pairs and is_odd(a, b):
            self.pairs[span] = (a, b)
        return self.pairs.get(span, ()) is None

    def alike(self, span: Span) -> None:
        """Note that values of one kind are, or may be, compared at a place."""
        self.pairs[span] = None

    def remarks(self) -> Iterator[Diagnostic]:
        """A warning (W213) for each comparison in which the values were never of the same kind."""
        for span, pair in self.pairs.items():
            if pair is not None:
                message = f"this compares {kind_of(pair[0])} with {kind_of(pair[1])}, which are never equal"
                yield Diagnostic("W213", message, span, "are values of one kind meant?", (kinds(*pair),))


@contextmanager
def noting() -> Iterator[Notes]:
    """A context in which comparisons are noted that are compiled inside it."""
    notes = Notes({})
    token = _notes.set(notes)
    try:
        yield notes
    finally:
        _notes.reset(token)


def notes() -> Notes | None:
    """The notes that are being taken, or None if none are."""
    return _notes.get()


def is_odd(a: Value, b: Value) -> bool:
    """Whether it is probably a mistake to compare two values of unlike kinds: one of them has members, or they look the
    same (3 and "3"). A number and another text are not: a grid may hold both."""
    many = (Map, Record, Rng, Seq, Set, tuple)
    return isinstance(a, many) or isinstance(b, many) or show_value(a) == show_value(b)


def kinds(a: Value, b: Value) -> str:
    """Two values with their kinds: `3 is a whole number, and [3] is a list`."""
    return f"{abbreviate(a)} is {kind_of(a)}, and {abbreviate(b)} is {kind_of(b)}"


# --- comparisons -----------------------------------------------------------------------------------------------------
# The comparisons `= != < <= > >= in` and `not in`: conditions, as closures that give a Python bool.


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

    settled = False

    def equal(env: Env) -> bool:
        nonlocal settled
        a, b = one(env), two(env)
        settled = settled or noted.add(a, b, span)
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
