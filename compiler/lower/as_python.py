"""Expressions as Python source, where it is certain that evaluating them can't fault.

`SourceWriter.value` and `SourceWriter.condition` turn an expression into a piece of source text, in which `v0`, `v1`,
… are the local names. They raise Unsuitable for everything that could fault, count against a limit, or need care;
then the statement is evaluated by closures, which do all of that. So what is written here needs no checks, and comes
to what the closures would come to.

A call of the model's own function is written as its body, if its arguments are names or numbers and it does not call
itself. An expression of another kind, such as the call of a built-in function, is *tabulated* if it can be: it is
evaluated by its closure once for each combination of values that the names it uses can have, and the source looks the
value up. Nothing
of the model's text gets into the source: it consists of numbers, operators and names made up here.

Source: attrs and dataclasses generate their methods in this way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from itertools import pairwise
from types import CodeType
from typing import Any, Final, TypeVar

from covr.compiler.evaluate import EvalFault, Scope
from covr.compiler.evaluate.calls import Function
from covr.compiler.evaluate.names import free_names, pattern_names
from covr.compiler.evaluate.unlike import notes
from covr.compiler.evaluate.values import Map, Rng, Set, Truth, size_of
from covr.compiler.lower.facts import (
    GUESSED,
    Fact,
    PlainValues,
    Sets,
    WholeNumbers,
    comparable,
    distinguished,
    equated,
    fact_of,
    hull,
)
from covr.compiler.lower.local_scope import Within
from covr.dsl import syntax as syn
from covr.dsl.syntax import Compare, Expr

T = TypeVar("T")

DEEPEST: Final = 40
"""How deep an expression may nest to be written; Python's parser stops at 200 parentheses."""

MOST_LISTED: Final = 64
"""Members of a set that is written as a comprehension; one that may have more is made by closures."""

Combinations = Callable[[tuple[str, ...]], "Iterable[tuple[Any, ...]] | None"]
"""All combinations of values that these names can have, each as a tuple; None if they aren't known."""


class Unsuitable(Exception):
    """Something is better left to the closures."""


class SourceWriter:
    """Writes expressions of one statement.

    within: the scope they are seen from. facts: what is known of the local names that have a value by now.
    combinations: see there. space: what the source refers to, for `finished`.
    guesses: whether what is computed only on the way may be taken to be of the same kinds as a sample, which the source
    checks. sample: values for some names, to find one.
    guessed: whether that was done; if the guess is wrong, the source raises Unsuitable.
    """

    def __init__(self, within: Within, combinations: Combinations, guesses: bool = False) -> None:
        self.within = within
        self.guesses, self.guessed = guesses, False
        self.sample: dict[str, Any] = {}
        self.facts: dict[str, Fact] = {}
        self.space: dict[str, Any] = {}
        self.combinations = combinations
        self._texts: dict[str, str] = {}
        self._tables: dict[tuple[Expr, bool, tuple[str, ...]], tuple[str, Fact]] = {}
        self._level = 0
        self._inner = 0  # how many names sets made by `for` have bound
        self._makers: dict[int, str] = {}
        self._calls: tuple[Function, ...] = ()  # the functions whose bodies are being written, the outermost first
        self._local: dict[str, str] = {}  # in a body: the local names of the statement that parameters stand for

    @contextmanager
    def careful(self, needed: bool) -> Iterator[None]:
        """A context in which nothing is guessed, if that is needed: where a loop does not look at all members, a
        condition must be one that can't fault."""
        before, self.guesses = self.guesses, self.guesses and not needed
        try:
            yield
        finally:
            self.guesses = before

    # --- names --------------------------------------------------------------------------------------------

    def bind(self, name: str, fact: Fact, text: str = "") -> str:
        """Give a local name its variable, or another text that stands for it; returns that."""
        self.facts[name] = fact
        self._texts[name] = text or f"v{len(self._texts)}"
        return self._texts[name]

    def text(self, name: str) -> str:
        """The variable of a local name that has a value."""
        if name not in self._texts:
            raise Unsuitable
        return self._texts[name]

    def constant(self, value: Any) -> str:
        """A name in the source for a value."""
        name = f"k{len(self.space)}"
        self.space[name] = value
        return name

    # --- values -------------------------------------------------------------------------------------------

    def value(self, expr: Expr) -> tuple[str, Fact]:
        """The source of an expression, and what is known of its values. Raises Unsuitable; EvalFault if a table of its
        values can't be made."""
        self._level += 1
        try:
            if self._level > DEEPEST:
                raise Unsuitable
            write = _VALUES.get(type(expr))
            found = None if write is None else write(self, expr)
            return self._tabulated(expr) if found is None else found
        finally:
            self._level -= 1

    def _number(self, expr: syn.Number) -> tuple[str, Fact] | None:
        fact = WholeNumbers(expr.value, expr.value)
        return (str(expr.value), fact) if fact.small else None

    def _name(self, expr: syn.Name) -> tuple[str, Fact] | None:
        if expr.id in self.within.names:
            return self.text(expr.id), self.facts[expr.id]
        scope = self.within.scope
        if not scope.defines(expr.id) or scope.only_a_lattice(expr.id):
            raise Unsuitable
        return self._known(scope.value(expr.id, expr.span))

    def _known(self, value: Any) -> tuple[str, Fact]:
        fact = fact_of([value])
        return (f"({value})" if isinstance(fact, WholeNumbers) and fact.small else self.constant(value)), fact

    def _unary(self, expr: syn.Unary) -> tuple[str, Fact] | None:
        if expr.op == "not":
            return None
        text, fact = self.value(expr.of)
        return (f"(-{text})", WholeNumbers(-fact.high, -fact.low)) if isinstance(fact, WholeNumbers) else None

    def _binary(self, expr: syn.Binary) -> tuple[str, Fact] | None:
        if expr.op not in _ARITHMETIC:
            return None
        (a, one), (b, two) = self.value(expr.left), self.value(expr.right)
        if not (isinstance(one, WholeNumbers) and isinstance(two, WholeNumbers) and one.small and two.small):
            return None
        if expr.op in ("div", "mod") and two.low <= 0:
            return None
        fact = _interval(expr.op, one, two)
        return (f"({a} {_ARITHMETIC[expr.op]} {b})", fact) if fact.small else None

    def _if_else(self, expr: syn.IfElse) -> tuple[str, Fact] | None:
        test = self.condition(expr.test)
        (a, one), (b, two) = self.value(expr.then), self.value(expr.other)
        return f"({a} if {test} else {b})", hull(one, two)

    def _tuple(self, expr: syn.TupleOf) -> tuple[str, Fact] | None:
        items = [self.value(item) for item in expr.items]
        if not items or not all(comparable(fact) for _, fact in items):
            return None
        plain = [fact for _, fact in items if isinstance(fact, PlainValues)]
        depth = 1 + max((fact.depth for fact in plain), default=0)
        if depth > self._deepest():
            return None
        near = [f for _, f in items if isinstance(f, WholeNumbers) and f.low >= -GUESSED and f.high <= GUESSED]
        fact = PlainValues(depth, all(fact.pure for fact in plain), len(items) == len(near) == 2)
        return f"({', '.join(text for text, _ in items)},)", fact

    def _deepest(self) -> int:
        """How deep tuples and sets that are written may nest."""
        return min(3, self.within.scope.limits.depth)

    def _set_of(self, expr: syn.SetOf) -> tuple[str, Fact] | None:
        if not free_names(expr) & self.within.names:
            return None  # it is made once
        items = [self.value(item) for item in expr.items]
        if not all(equated(fact) for _, fact in items):
            return None
        if 1 + max((fact.depth for _, fact in items if isinstance(fact, Sets)), default=0) > self._deepest():
            return None
        return f"{self._maker(0)}([{', '.join(text for text, _ in items)}])", Sets()

    def _comprehension(self, expr: syn.Comprehension) -> tuple[str, Fact] | None:
        """A set made by `for` from few members that are the same each time."""
        names = [name for g in expr.generators for pattern in g.patterns for name in pattern_names(pattern)]
        own = free_names(expr) & self.within.names
        if expr.kind != "set" or not own or len(set(names)) < len(names) or self.within.names & set(names):
            return None
        before = self.within, self.facts, self._texts
        self.facts, self._texts = dict(self.facts), dict(self._texts)
        loops, size = [], 1
        try:
            for g in expr.generators:
                for pattern in g.patterns:
                    if free_names(g.over) & {*before[0].names, *names}:
                        return None
                    loop, count = self._loop(pattern, before[0].members(g.over)({}))
                    loops.append(loop)
                    size *= count
            if size > MOST_LISTED:
                return None
            self.within = Within(before[0].scope, {*before[0].names, *names}, before[0].late)
            test = "" if expr.where is None else f" if {self.condition(expr.where)}"
            text, fact = self.value(expr.item)
        finally:
            self.within, self.facts, self._texts = before
        if not comparable(fact):
            return None
        return f"{self._maker(size)}([{text} {' '.join(loops)}{test}])", Sets()

    def _loop(self, pattern: syn.Pattern, members: Any) -> tuple[str, int]:
        """A loop over these members, and how many they are. Raises Unsuitable."""
        if (type(members) is not Set and type(members) is not Rng) or size_of(members) > MOST_LISTED:
            raise Unsuitable
        listed = members.ordered
        if not isinstance(pattern, syn.Name) and not all(
            isinstance(m, tuple) and len(m) == len(pattern.items) for m in listed
        ):
            raise Unsuitable
        parts = [pattern] if isinstance(pattern, syn.Name) else list(pattern.items)
        columns = [listed] if isinstance(pattern, syn.Name) else list(zip(*listed, strict=True)) if listed else []
        if len(columns) != len(parts):
            raise Unsuitable
        texts = []
        for part, column in zip(parts, columns, strict=True):
            if not isinstance(part, syn.Name):
                raise Unsuitable
            self._inner += 1
            texts.append(self.bind(part.id, fact_of(column), f"w{self._inner}"))
        target = texts[0] if isinstance(pattern, syn.Name) else f"{', '.join(texts)},"
        return f"for {target} in {self.constant(listed)}", len(listed)

    def _maker(self, count: int) -> str:
        """A name for what makes a set, and counts its members, and so many steps."""
        budget = self.within.scope.budget

        def made(members: list[Any]) -> Set:
            budget.values += len(members)
            budget.steps += count
            if budget.values > budget.limits.values or budget.steps > budget.limits.steps:
                raise Unsuitable
            return Set(members)

        if count not in self._makers:
            self._makers[count] = self.constant(made)
        return self._makers[count]

    def _call(self, expr: syn.Call) -> tuple[str, Fact] | None:
        own = self.within.scope.function(expr.function.id)
        if own is not None:
            return self._body(own, expr, self.value)
        if expr.function.id != "abs" or len(expr.args) != 1:
            return None
        text, fact = self.value(expr.args[0])
        if not isinstance(fact, WholeNumbers):
            return None
        low = 0 if fact.low <= 0 <= fact.high else min(abs(fact.low), abs(fact.high))
        return f"abs({text})", WholeNumbers(low, max(abs(fact.low), abs(fact.high)))

    def _body(self, function: Function, expr: syn.Call, write: Callable[[Expr], T]) -> T | None:
        """What `write` makes of the body of a function that is called; None where the call is to be tabulated."""
        if function in self._calls or len(expr.args) != len(function.parameters):
            return None
        given = [self.value(arg) for arg in expr.args]
        if not all(text.isidentifier() or _NUMERAL(text) for text, _ in given):
            return None
        local = {
            name: self._local.get(arg.id, arg.id)
            for name, arg in zip(function.parameters, expr.args, strict=True)
            if isinstance(arg, syn.Name) and arg.id in self.within.names and (not self._calls or arg.id in self._local)
        }
        before = self.within, self.facts, self._texts, self._calls, self._local
        self.within = Within(function.scope, function.parameters)
        self.facts = {name: fact for name, (_, fact) in zip(function.parameters, given, strict=True)}
        self._texts = {name: text for name, (text, _) in zip(function.parameters, given, strict=True)}
        self._calls, self._local = (*self._calls, function), local
        try:
            return write(function.let.value)
        except Unsuitable:
            return None
        finally:
            self.within, self.facts, self._texts, self._calls, self._local = before

    # --- conditions ---------------------------------------------------------------------------------------

    def condition(self, expr: Expr) -> str:
        """The source of a condition; what it gives is a Python bool. Raises as `value` does."""
        self._level += 1
        try:
            if self._level > DEEPEST:
                raise Unsuitable
            return self._condition(expr) or self._truth(expr)
        finally:
            self._level -= 1

    def _condition(self, expr: Expr) -> str | None:
        try:
            match expr:
                case syn.Binary(op="and" | "or"):
                    return f"({self.condition(expr.left)} {expr.op} {self.condition(expr.right)})"
                case syn.Unary(op="not"):
                    return f"(not {self.condition(expr.of)})"
                case syn.IfElse():
                    test, then, other = map(self.condition, (expr.test, expr.then, expr.other))
                    return f"({then} if {test} else {other})"
                case syn.Call():
                    own = self.within.scope.function(expr.function.id)
                    return None if own is None else self._body(own, expr, self.condition)
                case Compare():
                    parts = [expr.first, *(other for _, other in expr.rest)]
                    ops = [op for op, _ in expr.rest]
                    written = [self._pair(a, op, b) for op, (a, b) in zip(ops, pairwise(parts), strict=True)]
                    return f"({' and '.join(written)})"
        except Unsuitable:
            pass
        return None

    def _truth(self, expr: Expr) -> str:
        text, _ = self._tabulated(expr, truth=True)
        table = self.space[text.partition("[")[0]] if "[" in text else {(): self.space[text]}
        if not isinstance(table, LateTable) and not all(type(value) is Truth for value in table.values()):
            raise Unsuitable
        return f"{text}.holds"

    def _pair(self, left: Expr, op: str, right: Expr) -> str:
        (a, one), (b, two) = self.value(left), self.value(right)
        whole = isinstance(one, WholeNumbers) and isinstance(two, WholeNumbers)
        if op in ("<", "<=", ">", ">=") and whole:
            return f"{a} {op} {b}"
        if op in ("=", "!=") and (whole or (equated(one) and equated(two))):
            return f"{a} {'==' if op == '=' else '!='} {b}"
        if op in ("in", "not in") and (comparable(one) or isinstance(one, Sets)):
            return self._membership(a, op, b, two)
        raise Unsuitable

    def _membership(self, a: str, op: str, b: str, within: Fact) -> str:
        container = self.space.get(b)
        if type(container) is Set:
            return f"{a} {op} {self.constant(container.members)}"
        if type(container) is Map:
            return f"{a} {op} {self.constant(container.entries)}"
        if type(container) is Rng or isinstance(within, Sets):
            return f"{a} {op} {b}"
        raise Unsuitable

    # --- tables -------------------------------------------------------------------------------------------

    def _tabulated(self, expr: Expr, truth: bool = False) -> tuple[str, Fact]:
        """The expression as a look-up in a table of its values. truth: whether it is to be true or false."""
        names = tuple(sorted(free_names(expr) & self.within.names))
        key = expr, truth, tuple(map(self.text, names))
        if key in self._tables:
            table = self.space[self._tables[key][0].partition("[")[0]]
            if type(table) is LateTable and not self.guesses:
                raise Unsuitable
            return self._tables[key]
        if not names:
            value = self.within.compile(expr)({})
            return self.constant(value), fact_of([value])
        if not all(distinguished(self.facts[name]) for name in names):
            raise Unsuitable
        every = self._every(names)
        run = self.within.compile(expr)
        made: dict[Any, Any] = {}
        if every is not None:
            for values in every:
                made[values if len(names) > 1 else values[0]] = run(dict(zip(names, values, strict=True)))
        elif self.guesses:
            self.guessed = True
            made = LateTable(run, names, truth)
        else:
            raise Unsuitable
        fact = WholeNumbers(-GUESSED, GUESSED) if isinstance(made, LateTable) else fact_of(made.values())
        found = f"{self.constant(made)}[{', '.join(map(self.text, names))}]", fact
        self._tables[key] = found
        return found

    def _every(self, names: tuple[str, ...]) -> Iterable[tuple[Any, ...]] | None:
        """All combinations of values that these names can have, parameters of a function that is written included."""
        if not self._calls:
            return self.combinations(names)
        own = [self._local.get(name) for name in names]
        if None in own or len(set(own)) < len(own):
            return None
        # The combinations are those of sorted names.
        order = sorted(range(len(own)), key=lambda k: own[k] or "")
        found = self.combinations(tuple([own[k] or "" for k in order]))
        if found is None:
            return None
        back = [order.index(k) for k in range(len(order))]
        return (tuple([values[k] for k in back]) for values in found)

    # --- functions ----------------------------------------------------------------------------------------

    def finished(self, lines: Iterable[str]) -> Callable[..., Any]:
        """The function `made` that these lines of source define."""
        space = dict(self.space)
        exec(_code("\n".join(lines)), space)
        return space["made"]  # type: ignore[no-any-return]


def all_values(within: Within, expr: Expr, names: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> list[Any] | None:
    """The values of an expression for many values of some names, the only local ones that it uses; None if closures
    must work them out."""
    writer = SourceWriter(within, lambda _: None)
    try:
        for name, column in zip(names, zip(*rows, strict=True), strict=True):
            writer.bind(name, fact_of(column))
        lines = [
            "def made(rows):",
            f" return [{writer.value(expr)[0]} for {', '.join(map(writer.text, names))}, in rows]",
        ]
        return list(writer.finished(lines)(rows))
    except Unsuitable:
        return None


class LateTable(dict[Any, Any]):
    """The values of an expression, worked out when they are first asked for, for names whose combinations of values
    are not known before. All must be small whole numbers, or with `truth`, truths; otherwise it raises Unsuitable."""

    def __init__(self, run: Callable[[dict[str, Any]], Any], names: tuple[str, ...], truth: bool) -> None:
        self._run, self._names, self._truth = run, names, truth

    def __missing__(self, values: Any) -> Any:
        given = values if len(self._names) > 1 else (values,)
        found = self._run(dict(zip(self._names, given, strict=True)))
        if type(found) is not Truth if self._truth else type(found) is not int or abs(found) > GUESSED:
            raise Unsuitable
        self[values] = found
        return found


@lru_cache(256)
def _code(text: str) -> CodeType:
    """The same source comes up again and again in collections of puzzles, and compiling it takes some 200 µs."""
    return compile(text, "<covr: a statement as Python>", "exec")


_NUMERAL: Final = re.compile(r"\(?-?\d+\)?").fullmatch

_ARITHMETIC: Final = {"+": "+", "-": "-", "*": "*", "div": "//", "mod": "%"}

_VALUES: Final[dict[type, Callable[[SourceWriter, Any], tuple[str, Fact] | None]]] = {
    syn.Number: SourceWriter._number,
    syn.Name: SourceWriter._name,
    syn.Unary: SourceWriter._unary,
    syn.Binary: SourceWriter._binary,
    syn.IfElse: SourceWriter._if_else,
    syn.TupleOf: SourceWriter._tuple,
    syn.SetOf: SourceWriter._set_of,
    syn.Comprehension: SourceWriter._comprehension,
    syn.Call: SourceWriter._call,
}


def _interval(op: str, a: WholeNumbers, b: WholeNumbers) -> WholeNumbers:
    """The whole numbers that `a op b` can be. For `div` and `mod`, b is positive."""
    if op == "+":
        return WholeNumbers(a.low + b.low, a.high + b.high)
    if op == "-":
        return WholeNumbers(a.low - b.high, a.high - b.low)
    if op == "mod":
        return WholeNumbers(0, b.high - 1)
    corners = [(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
    values = [x * y if op == "*" else x // y for x, y in corners]
    return WholeNumbers(min(values), max(values))


_closures_only: ContextVar[bool] = ContextVar("closures_only", default=False)


@contextmanager
def closures_only() -> Iterator[None]:
    """A context in which nothing is written as Python, to compare with."""
    token = _closures_only.set(True)
    try:
        yield
    finally:
        _closures_only.reset(token)


def attempt(make: Callable[[], T], scope: Scope) -> T | None:
    """What `make` returns; None if the closures must do it, because something is unsuitable or faults, or because
    comparisons are noted.

    Then everything is as before: what was counted, and the values of functions that were kept.
    """
    if _closures_only.get() or notes() is not None:
        return None
    budget = scope.budget
    steps, values, frames = budget.steps, budget.values, budget.frames
    kept = scope.kept_values()
    try:
        return make()
    except (Unsuitable, EvalFault):
        budget.steps, budget.values, budget.frames = steps, values, frames
        scope.forget_values(kept)
        return None


__all__ = ["Combinations", "SourceWriter", "Unsuitable", "all_values", "attempt", "closures_only"]
