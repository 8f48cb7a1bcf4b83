"""Expressions as Python source, where evaluating them can't fault, or where it is noticed if it does.

`SourceWriter.value` and `SourceWriter.condition` write an expression with `v0`, `v1`, … as local names. They raise
Unsuitable for what counts against a limit or needs care; then closures evaluate the statement, with the same result.
Where `BaseWriter.speculates` allows it, the source itself raises Unsuitable if a look-up finds nothing or a value is of
another kind than its sample.

A call of the model's own function is written as its body, if it does not call itself and its arguments are short and
can't fault. Other expressions are *tabulated* where possible: the closure evaluates them once for each combination of
values of their names, and the source looks the value up. No text of the model gets into the source.

Source: attrs and dataclasses generate their methods in this way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import pairwise
from typing import Any, Final, TypeVar

from covr.compiler.evaluate import EvalFault, Scope
from covr.compiler.evaluate.calls import Function
from covr.compiler.evaluate.expressions import free_names
from covr.compiler.evaluate.operators import notes
from covr.compiler.evaluate.values import Map, Rng, Set, Truth
from covr.compiler.lower import facts
from covr.compiler.lower.facts import Combinations, Unsuitable
from covr.compiler.lower.groups import Within
from covr.compiler.lower.written_sets import SetWriter
from covr.dsl import syntax as syn
from covr.dsl.diagnostics import Span
from covr.dsl.syntax import Compare, Expr

T = TypeVar("T")

LAST_STEPS: Final = 2_000_000
"""Steps that closures have to find where a model uses up its own: some seconds, as each takes up to 3 microseconds."""

DEEPEST: Final = 40
"""How deep an expression may nest to be written; Python's parser stops at 200 parentheses."""

LONGEST: Final = 2000
"""Characters of an expression that is written."""

LONGEST_ARGUMENT: Final = 120
"""Characters of an argument that is put into the body of a function."""


FEW_LOOKED_INTO: Final = 64
"""Of the sets in a table of so many it is asked what holds for their members."""

MOST_KEPT: Final = 5000
"""How many values a table has at most that is kept for other statements."""


class SourceWriter(SetWriter, facts.LookupWriter):
    """Writes expressions of one statement (see `BaseWriter`)."""

    def __init__(self, within: Within, combinations: Combinations, speculates: bool = False) -> None:
        super().__init__(within, combinations, speculates)
        self._tables: dict[tuple[int, bool, tuple[str, ...]], tuple[Expr, str, facts.Fact]] = {}
        self._globals: dict[str, tuple[str, facts.Fact]] = {}
        self._level = 0
        self._calls: tuple[Function, ...] = ()  # the functions whose bodies are being written, the outermost first
        self._given: tuple[tuple[Within, Sequence[Expr]], ...] = ()  # the arguments, and their scopes
        self._local: dict[str, str] = {}  # in a body: the local names of the statement that parameters stand for

    # --- values -------------------------------------------------------------------------------------------

    def value(self, expr: Expr) -> tuple[str, facts.Fact]:
        """The source of an expression, and what is known of its values. Raises Unsuitable; EvalFault if a table of its
        values can't be made."""
        self._level += 1
        try:
            if self._level > DEEPEST:
                raise Unsuitable
            write = _VALUES.get(type(expr))
            found = None if write is None else write(self, expr)
            if found is None:
                return self._tabulated(expr)
            if len(found[0]) > LONGEST:
                raise Unsuitable
            return found
        finally:
            self._level -= 1

    def _number(self, expr: syn.Number) -> tuple[str, facts.Fact] | None:
        fact = facts.WholeNumbers(expr.value, expr.value)
        return (str(expr.value), fact) if fact.small else None

    def _name(self, expr: syn.Name) -> tuple[str, facts.Fact] | None:
        if expr.id in self.within.names:
            return self.text(expr.id), self.facts[expr.id]
        scope = self.within.scope
        if not scope.defines(expr.id) or scope.only_a_lattice(expr.id):
            raise Unsuitable
        if expr.id not in self._globals:
            self._globals[expr.id] = self.known(scope.value(expr.id, expr.span))
        return self._globals[expr.id]

    def _unary(self, expr: syn.Unary) -> tuple[str, facts.Fact] | None:
        if expr.op == "not":
            return None
        text, fact = self.value(expr.of)
        return (
            (f"(-{text})", facts.WholeNumbers(-fact.high, -fact.low)) if isinstance(fact, facts.WholeNumbers) else None
        )

    def _binary(self, expr: syn.Binary) -> tuple[str, facts.Fact] | None:
        if expr.op in ("|", "&"):
            return self.operator(expr) if free_names(expr) & self.within.names else None
        if expr.op not in _ARITHMETIC:
            return None
        (a, one), (b, two) = self.value(expr.left), self.value(expr.right)
        if expr.op == "-" and isinstance(one, facts.Sets) and isinstance(two, facts.Sets):
            return self.operator(expr) if free_names(expr) & self.within.names else None
        if not (
            isinstance(one, facts.WholeNumbers) and isinstance(two, facts.WholeNumbers) and one.small and two.small
        ):
            return None
        if expr.op in ("div", "mod") and two.low <= 0:
            return None
        fact = _interval(expr.op, one, two)
        return (f"({a} {_ARITHMETIC[expr.op]} {b})", fact) if fact.small else None

    def _if_else(self, expr: syn.IfElse) -> tuple[str, facts.Fact] | None:
        test = self.condition(expr.test)
        (a, one), (b, two) = self.value(expr.then), self.value(expr.other)
        return f"({a} if {test} else {b})", facts.hull(one, two)

    def _tuple(self, expr: syn.TupleOf) -> tuple[str, facts.Fact] | None:
        items = [self.value(item) for item in expr.items]
        if not items or not all(facts.comparable(fact) for _, fact in items):
            return None
        plain = [fact for _, fact in items if isinstance(fact, facts.PlainValues)]
        depth = 1 + max((fact.depth for fact in plain), default=0)
        if depth > self.deepest():
            return None
        fact = facts.PlainValues(depth, all(fact.pure for fact in plain), tuple([fact for _, fact in items]))
        written = f"({', '.join(text for text, _ in items)},)"
        self.tuples[written] = tuple([text for text, _ in items])
        return written, fact

    def _call(self, expr: syn.Call) -> tuple[str, facts.Fact] | None:
        own = self.within.scope.function(expr.function.id)
        if own is not None:
            return self._body(own, expr, self.value)
        if expr.function.id == "neighbours":
            listed = self._listed(expr)
            return None if listed is None else self.in_order(*listed)
        if expr.function.id != "abs" or len(expr.args) != 1:
            return self.asked_of(expr)
        text, fact = self.value(expr.args[0])
        if not isinstance(fact, facts.WholeNumbers):
            return None
        low = 0 if fact.low <= 0 <= fact.high else min(abs(fact.low), abs(fact.high))
        return f"abs({text})", facts.WholeNumbers(low, max(abs(fact.low), abs(fact.high)))

    def _body(self, function: Function, expr: syn.Call, write: Callable[[Expr], T]) -> T | None:
        """What `write` makes of the body of a function that is called; None where the call is to be tabulated."""
        if function in self._calls or len(expr.args) != len(function.parameters):
            return None
        given = [self._argument(arg) for arg in expr.args]
        local = {
            name: self._local.get(arg.id, arg.id)
            for name, arg in zip(function.parameters, expr.args, strict=True)
            if isinstance(arg, syn.Name) and arg.id in self.within.names and (not self._calls or arg.id in self._local)
        }
        before = self.within, self.facts, self._texts, self._calls, self._given, self._local
        self._given = (*self._given, (self.within, expr.args))
        self.within = Within(function.scope, function.parameters)
        self.facts = {name: fact for name, (_, fact) in zip(function.parameters, given, strict=True)}
        self._texts = {name: text for name, (text, _) in zip(function.parameters, given, strict=True)}
        self._calls, self._local = (*self._calls, function), local
        try:
            return write(function.let.value)
        except Unsuitable:
            return None
        finally:
            self.within, self.facts, self._texts, self._calls, self._given, self._local = before

    def _argument(self, arg: Expr) -> tuple[str, facts.Fact]:
        """The source that is put in the place of a parameter. It may be left out there, or stand in a branch, so what
        is no name and no number must be certain not to fault. Raises Unsuitable."""
        if isinstance(arg, syn.Name | syn.Number):
            return self.value(arg)
        with self.no_speculation(True):
            text, fact = self.value(arg)
        if len(text) > LONGEST_ARGUMENT:
            raise Unsuitable
        return text, fact

    # --- conditions ---------------------------------------------------------------------------------------

    def condition(self, expr: Expr) -> str:
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
                case syn.Comprehension(kind="some" | "no"):
                    made = self._members_of_for(expr)
                    return made and f"({'not ' * (expr.kind == 'no')}any({made[0][1:-1]}))"
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
        if op in ("in", "not in") and isinstance(right, syn.SetOf) and free_names(right) & self.within.names:
            found = self._one_of(left, op, right)
            if found is not None:
                return found
        (a, one), (b, two) = self.value(left), self.value(right)
        whole = isinstance(one, facts.WholeNumbers) and isinstance(two, facts.WholeNumbers)
        if op in ("<", "<=", ">", ">=") and facts.ordered_alike(one, two):
            return f"{a} {op} {b}"
        if op in ("<=", ">=") and isinstance(one, facts.Sets) and isinstance(two, facts.Sets):
            return f"{a}.members {op} {b}.members"
        if op in ("=", "!=") and (whole or (facts.equated(one) and facts.equated(two))):
            note(left.span.to(right.span), one, two)
            return f"{a} {'==' if op == '=' else '!='} {b}"
        if op in ("in", "not in") and (facts.comparable(one) or isinstance(one, facts.Sets)):
            return self._membership(a, op, b, two)
        raise Unsuitable

    def _one_of(self, left: Expr, op: str, right: syn.SetOf) -> str | None:
        """`x in {a, b}`, without making the set."""
        a, one = self.value(left)
        items = [self.value(item) for item in right.items]
        if not facts.equated(one) or not all(facts.equated(fact) for _, fact in items):
            return None
        return f"{a} {op} ({', '.join(text for text, _ in items)},)"

    def _membership(self, a: str, op: str, b: str, within: facts.Fact) -> str:
        container = self.space.get(b)
        if type(container) is Set:
            return f"{a} {op} {self.constant(container.members)}"
        if type(container) is Map:
            return f"{a} {op} {self.constant(container.entries)}"
        if type(container) is Rng or isinstance(within, facts.Sets):
            return f"{a} {op} {b}"
        raise Unsuitable

    # --- tables -------------------------------------------------------------------------------------------

    def _tabulated(self, expr: Expr, truth: bool = False) -> tuple[str, facts.Fact]:
        """The expression as a look-up in a table of its values. truth: whether it is to be true or false."""
        names = tuple(sorted(free_names(expr) & self.within.names))
        key = id(expr), truth, tuple(map(self.text, names))
        if key in self._tables:
            _, text, fact = self._tables[key]
            table = self.space[text.partition("[")[0]]
            if type(table) is LateTable:
                self.speculate()
            return text, fact
        if not names:
            value = self.within.compile(expr)({})
            if truth:
                return self.constant(value), facts.fact_of([value])
            return self.known(value)
        if not all(facts.distinguished(self.facts[name]) for name in names):
            raise Unsuitable
        every = self.every(names)
        made: dict[Any, Any]
        if every is not None:
            made, fact = self._made(expr, names, list(every))
        else:
            self.speculate()
            run = self.within.compile(expr)
            fact = TRUTHS if truth else self._sampled(run, names)
            made = LateTable(run, names, fact)
        found = f"{self.constant(made)}[{', '.join(map(self.text, names))}]", fact
        self._tables[key] = expr, *found
        return found

    def _made(
        self, expr: Expr, names: tuple[str, ...], every: list[tuple[Any, ...]]
    ) -> tuple[dict[Any, Any], facts.Fact]:
        """A table of the values of an expression, and what holds for them. Kept for other statements: several may call
        the same function for the same choices."""
        tables = self.within.scope.tables
        known = tables.get((id(expr), names))
        if known is not None and known[0] == every:
            return known[1], known[2]
        run = self.within.compile(expr)
        made = {}
        for values in every:
            made[values if len(names) > 1 else values[0]] = run(dict(zip(names, values, strict=True)))
        fact = facts.inside_too(made.values()) if len(made) <= FEW_LOOKED_INTO else facts.fact_of(made.values())
        if len(every) <= MOST_KEPT:
            tables[id(expr), names] = every, made, fact, expr
        return made, fact

    def _sampled(self, run: Callable[[dict[str, Any]], Any], names: tuple[str, ...]) -> facts.Fact:
        """What may hold for the values of an expression, going by a sample; without one, they are taken for whole
        numbers."""
        sample = self.sample
        for function, (within, args) in zip(self._calls, self._given, strict=True):
            if not frozenset().union(*map(free_names, args)) & within.names <= sample.keys():
                sample = {}
                break
            sample = dict(zip(function.parameters, [within.compile(arg)(sample) for arg in args], strict=True))
        fact = facts.widened(facts.fact_of([run(sample)]) if set(names) <= sample.keys() else facts.WholeNumbers(0, 0))
        if not isinstance(fact, facts.WholeNumbers | facts.PlainValues):
            raise Unsuitable
        return fact

    def every(self, names: tuple[str, ...]) -> Iterable[tuple[Any, ...]] | None:
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


def all_values(
    within: Within, exprs: Sequence[Expr], names: Sequence[str], rows: Sequence[tuple[Any, ...]]
) -> list[tuple[Any, ...]] | None:
    """The values of some expressions for many values of some names, the only local ones that they use; None if closures
    must work them out. rows: the values of the names."""
    writer = SourceWriter(within, lambda _: None)
    try:
        for name, column in zip(names, zip(*rows, strict=True), strict=True):
            writer.bind(name, facts.fact_of(column))
        texts = "".join([f"{writer.value(expr)[0]}, " for expr in exprs])
        lines = ["def made(rows):", f" return [({texts}) for {', '.join(map(writer.text, names))}, in rows]"]
        return list(writer.finished(lines)(rows))
    except Unsuitable:
        return None


class LateTable(dict[Any, Any]):
    """The values of an expression, worked out when they are first asked for. fact: what must hold for each; otherwise
    it raises Unsuitable. For names whose combinations of values are not known before."""

    def __init__(self, run: Callable[[dict[str, Any]], Any], names: tuple[str, ...], fact: facts.Fact) -> None:
        self.fact = fact
        self._run, self._names = run, names

    def __missing__(self, values: Any) -> Any:
        given = values if len(self._names) > 1 else (values,)
        found = self._run(dict(zip(self._names, given, strict=True)))
        if type(found) is not Truth if self.fact is TRUTHS else not facts.implies(facts.fact_of((found,)), self.fact):
            raise Unsuitable
        self[values] = found
        return found


TRUTHS: Final = facts.Anything()
"""Stands for what holds for truths."""

_ARITHMETIC: Final = {"+": "+", "-": "-", "*": "*", "div": "//", "mod": "%"}

_VALUES: Final[dict[type, Callable[[SourceWriter, Any], tuple[str, facts.Fact] | None]]] = {
    syn.Number: SourceWriter._number,
    syn.Name: SourceWriter._name,
    syn.Unary: SourceWriter._unary,
    syn.Binary: SourceWriter._binary,
    syn.IfElse: SourceWriter._if_else,
    syn.TupleOf: SourceWriter._tuple,
    syn.SetOf: SourceWriter.set_of,
    syn.ListOf: SourceWriter.list_of,
    syn.Comprehension: SourceWriter.comprehension,
    syn.Range: SourceWriter.range,
    syn.Index: SourceWriter.index,
    syn.Call: SourceWriter._call,
}


def _interval(op: str, a: facts.WholeNumbers, b: facts.WholeNumbers) -> facts.WholeNumbers:
    """The whole numbers that `a op b` can be. For `div` and `mod`, b is positive."""
    if op == "+":
        return facts.WholeNumbers(a.low + b.low, a.high + b.high)
    if op == "-":
        return facts.WholeNumbers(a.low - b.high, a.high - b.low)
    if op == "mod":
        return facts.WholeNumbers(0, b.high - 1)
    corners = [(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
    values = [x * y if op == "*" else x // y for x, y in corners]
    return facts.WholeNumbers(min(values), max(values))


_closures_only: ContextVar[bool] = ContextVar("closures_only", default=False)


@contextmanager
def closures_only() -> Iterator[None]:
    """A context in which nothing is written as Python, to compare with."""
    token = _closures_only.set(True)
    try:
        yield
    finally:
        _closures_only.reset(token)


def speculating(make: Callable[[bool], tuple[SourceWriter, Callable[[], T]]]) -> T:
    """What the function finds that `make(True)` returns with its writer; if that speculated wrongly, `make(False)`'s.
    Raises Unsuitable or EvalFault."""
    writer, run = make(True)
    budget = writer.within.scope.budget
    steps, values, frames = budget.steps, budget.values, budget.frames
    try:
        return run()
    except Unsuitable as stopped:
        if not writer.speculated or isinstance(stopped, facts.UsedUp):
            raise
        budget.steps, budget.values, budget.frames = steps, values, frames
    return make(False)[1]()


def attempt(make: Callable[[], T], scope: Scope) -> T | None:
    """What `make` returns; None if something is unsuitable or faults, so that closures must do it. Then all counts and
    notes are as before. Only where all steps were used up, closures have `LAST_STEPS` left to find the place, and none
    if that was foreseen."""
    if _closures_only.get():
        return None
    noted = notes()
    pairs = {} if noted is None else dict(noted.pairs)
    budget = scope.budget
    steps, values, frames = budget.steps, budget.values, budget.frames
    kept = scope.kept_values()
    try:
        return make()
    except (Unsuitable, EvalFault) as stopped:
        if isinstance(stopped, facts.UsedUp) or (isinstance(stopped, EvalFault) and stopped.diagnostic.code == "E211"):
            steps = max(steps, budget.limits.steps - (0 if isinstance(stopped, facts.Foreseen) else LAST_STEPS))
        budget.steps, budget.values, budget.frames = steps, values, frames
        scope.forget_values(kept)
        if noted is not None:
            noted.pairs = pairs
        return None


def note(span: Span, one: facts.Fact, two: facts.Fact) -> None:
    """Note, for `covr check`, what kinds of values are compared at a place. Raises Unsuitable where they differ, as
    closures say which values these are."""
    noted = notes()
    if noted is not None:
        kinds, others = facts.kinds_of(one), facts.kinds_of(two)
        if kinds and others and not kinds & others:
            raise Unsuitable
        noted.alike(span)


__all__ = ["Combinations", "Unsuitable", "all_values", "attempt", "note"]
