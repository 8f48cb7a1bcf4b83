"""The members of a group that a loop goes through, found by a table where that is shorter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, product
from math import comb, prod
from typing import Any, Final

from attrs import evolve

from covr.compiler.evaluate.calls import Function
from covr.compiler.evaluate.expressions import called_names, free_names, replace
from covr.compiler.evaluate.limits import IN_SOURCE, Budget
from covr.compiler.evaluate.values import Map, Rng, Set
from covr.compiler.lower.as_python import SourceWriter, Unsuitable, all_values, note
from covr.compiler.lower.facts import Anything, Fact, Sets, UsedUp, equated, fact_of, implies
from covr.compiler.lower.groups import members_of
from covr.compiler.lower.inverted import pairs
from covr.compiler.lower.walk import Level, Walk, hold
from covr.dsl import syntax as syn
from covr.dsl.diagnostics import Span
from covr.dsl.scope import walk
from covr.dsl.syntax import Binary, Compare, Expr, IfElse, Name, TupleOf, Unary
from covr.engine.base.limits import check_limits
from covr.frozen import frozen

# --- loop members ----------------------------------------------------------------------------------------------------
# What loops of source (loops.py) go through: the members of a group's sets, computed when they are first asked for.


MOST_TABULATED: Final = 100_000
"""For how many combinations of values an expression is evaluated before the loops."""

ENORMOUS: Final = 64
"""The number of subsets of more members than this, of a set of more than twice as many, has 37 digits at least."""


class OutOfSteps(Unsuitable):
    """Raised inside the loops when steps or values run out: then the walk decides what is wrong."""


def going_on(budget: Budget) -> Callable[[int, int], int]:
    """What loops of Python source call with their steps and values once they have taken as many as they may
    (`Budget.soon`): returns how many they may have when they call again. Raises LimitReached, UsedUp or OutOfSteps."""

    def on(steps: int, values: int) -> int:
        check_limits()
        most_steps, most_values = budget.left()
        if steps > most_steps:
            raise UsedUp
        if values > most_values:
            raise OutOfSteps
        return min(most_steps, steps + IN_SOURCE)

    return on


def subsets_of(members: int, k: int) -> int:
    """How many subsets of k members there are. Raises OutOfSteps if that is a number beyond all limits."""
    if min(k, members - k) > ENORMOUS:
        raise OutOfSteps
    return comb(members, k)


class Subsets(dict[tuple[Any, ...], Set]):
    """The set of each tuple of members in order, made when it is first asked for."""

    def __missing__(self, ordered: tuple[Any, ...]) -> Set:
        made = self[ordered] = Set.in_order(ordered)
        return made


class MemberTable(dict[Any, Any]):
    """The members of a set for the values of some names, made when first asked for. make: set by the source."""

    def __init__(self, names: int) -> None:
        self.make: Any = None
        self._single = names == 1

    def __missing__(self, values: Any) -> Any:
        found = self[values] = self.make(values) if self._single else self.make(*values)
        return found


class Members(dict[Any, Any]):
    """The members of a group's set for the values of the names that it uses, computed when first asked for. repeats:
    whether one of the sets was a list. facts: what members, or the parts of each, must be, else it raises Unsuitable.
    """

    def __init__(self, level: Level, names: Sequence[str]) -> None:
        self.repeats = True
        self.facts: Sequence[Fact] = ()
        self._level, self._names = level, names
        pattern = level.group.pattern
        self._size = None if isinstance(pattern, Name) else len(pattern.items)

    def __missing__(self, values: Any) -> Any:
        given = (values,) if len(self._names) == 1 else values
        members = self._level.domain(dict(zip(self._names, given, strict=True))).members
        if self._size is not None and not fits(members, self._size):
            raise Unsuitable
        self.repeats = (len(self) > 0 and self.repeats) or not isinstance(members, Set | Map)
        found = members_of(members)
        if self.facts and len(found):
            columns = [found] if self._size is None else list(zip(*found, strict=True))
            if not all(implies(fact_of(c), fact) for c, fact in zip(columns, self.facts, strict=True)):
                raise Unsuitable
        self[values] = found
        return found


def combinations_of(walk: Walk, names: tuple[str, ...]) -> list[tuple[Any, ...]] | None:
    """The combinations of values of these names in a walk, if they are all bound by sets that are always the same."""
    levels = [level for level in walk.levels if set(names) & set(level.group.names)]
    if not all(level.constant for level in levels) or not set(names) <= {n for v in levels for n in v.group.names}:
        return None
    parts: list[dict[tuple[Any, ...], None]] = []  # per level, what its own among the names can be
    bound: list[str] = []
    for level in levels:
        own = [name for name in names if name in level.group.names]
        bound += own
        env: dict[str, Any] = {}
        found: dict[tuple[Any, ...], None] = {}
        for member in members_of(level.domain({}).members):
            level.bind(member, env)
            found[tuple([env[name] for name in own])] = None
        parts.append(found)
    if prod(map(len, parts)) > MOST_TABULATED:
        return None
    at = [bound.index(name) for name in names]
    whole = (tuple(chain.from_iterable(some)) for some in product(*parts))
    return [tuple([values[k] for k in at]) for values in whole]


def fits(members: Any, size: int) -> bool:
    """Whether all members are tuples of this size, as a pattern wants them."""
    return all(isinstance(m, tuple) and len(m) == size for m in members)


# --- joins -----------------------------------------------------------------------------------------------------------
# Finds the members of a group by a table, instead of going through all of them for each choice.
#
# For `where cage[r, c] = cage[i, j]`, the members (i, j) are put into a table by `cage[i, j]`, and loops (loops.py) go
# through what the table has for the other side. The same is done for `e in around(i, j)`, `e <= around(i, j)` (by any
# one member of e) and `(i, j) in s`. A condition may have cases: `if arrow[i, j] = "<" then r = i and c < j else c = j
# and r < i` has two, each with a table; a call of a model's function is taken for its body.
#
# A table has at least the members for which the condition holds; what it leaves is tested, unless it is certain. If
# what makes a table faults, closures do everything (as_python.py).


MOST_CASES: Final = 16
"""How many cases of a condition are told apart."""

WRITTEN: Final = 30
"""For so many values at least, the members' side of a comparison is written as Python."""

MOST_ENTRIES: Final = 200_000
"""How many members all tables of a group may hold."""

_MIRRORED: Final = {"=": "=", ">=": "<=", "in": "of"}
_READ: Final = frozenset({"=", "<=", "in", "of"})

Case = tuple[Expr, ...]  # conditions that hold together

_PLAIN: Final = (syn.Number, syn.Text, Name, Unary, Binary, Compare, IfElse, TupleOf, syn.Call, syn.Index)


@frozen(eq=False)
class Pair:
    """A comparison with what is known on one side, and members on the other: `asked = kept`, `asked in kept`,
    `asked <= kept`, or `kept in asked` (`of`). text: `asked` as source.  span: of the comparison.  fact: of `asked`."""

    op: str
    text: str
    kept: Expr
    span: Span
    fact: Fact


@frozen(eq=False)
class Joined:
    """What a loop goes through. text: its source.  sure: conditions that need no test for what is found.  in_order:
    whether members come in the order of the set."""

    text: str
    sure: tuple[Expr, ...]
    in_order: bool


def joined(
    writer: SourceWriter,
    conditions: Sequence[Expr],
    before: frozenset[str],
    own: tuple[str, ...],
    members: Sequence[Any],
    bind: Callable[[Any, dict[str, Any]], None],
) -> Joined | None:
    """A table for one of the conditions; None if there is none. Raises EvalFault, and Unsuitable.

    - before: names that have values by then; own: those that a member binds
    - members: of the group's set, in the order in which they are visited
    - bind: gives the names of a member their values
    """
    names = writer.within.names
    alone = [c for c in conditions if free_names(c) & names and free_names(c) & names <= frozenset(own)]
    for condition in conditions:
        if condition in alone or not free_names(condition) & frozenset(own):
            continue
        for cases in _ways(condition, writer):
            pairs_ = [_pair(case, writer, before, frozenset(own)) for case in cases]
            found = [(case, pair) for case, pair in zip(cases, pairs_, strict=True) if pair is not None]
            if len(found) < len(cases):
                continue
            left = _bound(members, bind, writer.within.tests(alone), writer)
            text = _Tables(writer, frozenset(own), left).text(found)
            if text is not None:
                exact = isinstance(condition, Compare) and len(condition.rest) == 1
                in_order = len(found) == 1 and found[0][1].op != "of"
                return Joined(text, (*alone, *((condition,) if exact else ())), in_order)
    return None


def _ways(condition: Expr, writer: SourceWriter) -> Iterator[list[Case]]:
    """The ways to read a condition as cases: `x in {a, b}` as `x = a` or `x = b`, or as it is."""
    match condition:
        case Compare(rest=(("in", syn.SetOf() as options),)) if 0 < len(options.items) <= MOST_CASES:
            yield [(evolve(condition, rest=(("=", item),)),) for item in options.items]
    cases = cases_of(condition, writer)
    if cases is not None:
        yield cases


def _bound(
    members: Sequence[Any], bind: Callable[[Any, dict[str, Any]], None], tests: Sequence[Any], writer: SourceWriter
) -> list[tuple[Any, dict[str, Any]]]:
    """The members that pass the tests, each with the values of its names."""
    writer.within.scope.budget.step(len(members))
    found = []
    for member in members:
        env: dict[str, Any] = {}
        bind(member, env)
        if hold(tests, env):
            found.append((member, env))
    return found


def cases_of(condition: Expr, writer: SourceWriter) -> list[Case] | None:
    """The cases of a condition, of which one at least holds wherever the condition does; None if there are many."""
    found = _cases(condition, writer, ())
    return found if found is not None and 0 < len(found) <= MOST_CASES else None


def _cases(expr: Expr, writer: SourceWriter, calls: tuple[Function, ...]) -> list[Case] | None:
    match expr:
        case Binary(op="and"):
            return _both(_cases(expr.left, writer, calls), _cases(expr.right, writer, calls))
        case Binary(op="or"):
            left, right = _cases(expr.left, writer, calls), _cases(expr.right, writer, calls)
            return None if left is None or right is None else [*left, *right]
        case IfElse():
            test, then, other = (_cases(part, writer, calls) for part in (expr.test, expr.then, expr.other))
            no: list[Case] = [(Unary("not", expr.test, expr.test.span),)]
            one, two = _both(test, then), _both(no, other)
            return None if one is None or two is None else [*one, *two]
        case syn.Call():
            body = _body(expr, writer, calls)
            if body is not None:
                return _cases(body[0], writer, (*calls, body[1]))
    return [(expr,)]


def _both(left: list[Case] | None, right: list[Case] | None) -> list[Case] | None:
    if left is None or right is None or len(left) * len(right) > MOST_CASES:
        return None
    return [one + other for one in left for other in right]


def _body(expr: syn.Call, writer: SourceWriter, calls: tuple[Function, ...]) -> tuple[Expr, Function] | None:
    """What a call of the model's function says, with its arguments put in; None where that might mean another thing."""
    scope = writer.within.scope
    function = scope.function(expr.function.id)
    if function is None or function in calls or len(function.parameters) != len(expr.args):
        return None
    body, own = function.let.value, frozenset(function.parameters)
    if function.scope is not scope or not all(isinstance(part, (*_PLAIN, str, int)) for part in walk(body)):
        return None
    if called_names(body) & own or (free_names(body) - own) & writer.within.names:
        return None
    given: Mapping[Expr, Expr] = dict(zip(function.let.parameters or (), expr.args, strict=True))
    return replace(body, given), function


def _pair(case: Case, writer: SourceWriter, before: frozenset[str], own: frozenset[str]) -> Pair | None:
    """The first comparison of a case that a table can be made for."""
    names = writer.within.names
    for condition in case:
        for left, op, right in pairs(condition):
            for asked, way, kept in ((left, op, right), (right, _MIRRORED.get(op, ""), left)):
                known, bound = free_names(asked) & names, free_names(kept) & names
                if way not in _READ or not known or not bound or not known <= before or not bound <= own:
                    continue
                try:
                    text, fact = writer.value(asked)
                except Unsuitable:
                    continue
                if isinstance(fact, Sets) if way in ("<=", "of") else _keyed(fact, way):
                    return Pair(way, text, kept, condition.span, fact)
    return None


def _keyed(fact: Any, op: str) -> bool:
    """Whether such values can be looked up in a table, as `SourceWriter` would compare them."""
    return equated(fact) or (op == "in" and isinstance(fact, Sets))


class _Tables:
    """Makes the tables of a group. left: its members, with the values of their names."""

    def __init__(self, writer: SourceWriter, own: frozenset[str], left: Sequence[tuple[Any, dict[str, Any]]]) -> None:
        self._writer, self._own, self._left = writer, own, left
        self._room = MOST_ENTRIES

    def text(self, cases: Sequence[tuple[Case, Pair]]) -> str | None:
        """Source for what the cases leave; None if a side is of a kind that no table can be made of."""
        texts: list[str] = []
        seen: dict[int, int] = {}  # per member, by its place, the first case in which it stands
        twice = False
        at_once = self._at_once(cases)
        for number, (case, pair) in enumerate(cases):
            table: dict[Any, list[Any]] = {}
            held: list[tuple[Any, Any]] = []
            values = self._values(case, pair) if at_once is None else list(enumerate(at_once[number]))
            every = _all_keys(pair.op, [value for _, value in values])
            if every is None:
                return None
            if pair.op == "=":
                note(pair.span, pair.fact, fact_of([value for _, value in values]))
            for (at, value), keys in zip(values, every, strict=True):
                twice = twice or seen.setdefault(at, number) != number
                member = self._left[at][0]
                if pair.op == "<=":
                    held.append((member, value.members))
                    member = held[-1]
                self._room -= len(keys)
                if self._room < 0:
                    return None
                for key in keys:
                    table.setdefault(key, []).append(member)
            texts.append(self._found(pair, table, held))
        if len(texts) == 1:
            return texts[0]
        together = f"[{', '.join(f'*{text}' for text in texts)}]"
        return f"dict.fromkeys({together})" if twice else together

    def _at_once(self, cases: Sequence[tuple[Case, Pair]]) -> Sequence[Sequence[Any]] | None:
        """For each of several cases that hold for all members the values of the members' side; None if they are better
        worked out case by case."""
        if len(cases) < 2 or len(self._left) * len(cases) < WRITTEN or any(len(case) > 1 for case, _ in cases):
            return None
        kept = [pair.kept for _, pair in cases]
        names = sorted(frozenset().union(*map(free_names, kept)) & self._own)
        rows = [tuple([env[n] for n in names]) for _, env in self._left]
        values = all_values(self._writer.within, kept, names, rows)
        return None if values is None else list(zip(*values, strict=True))

    def _values(self, case: Case, pair: Pair) -> list[tuple[int, Any]]:
        """The members for which a case may hold, by their place, each with the value of its side."""
        within = self._writer.within
        tests = within.tests([c for c in case if free_names(c) & within.names <= self._own])
        some = [at for at, (_, env) in enumerate(self._left) if hold(tests, env)]
        names = sorted(free_names(pair.kept) & self._own)
        envs = [self._left[at][1] for at in some]
        values = None
        if len(some) >= WRITTEN:
            values = all_values(within, [pair.kept], names, [tuple([env[n] for n in names]) for env in envs])
        if values is None:
            return list(zip(some, map(within.compile(pair.kept), envs), strict=True))
        return list(zip(some, chain.from_iterable(values), strict=True))

    def _found(self, pair: Pair, table: dict[Any, list[Any]], held: list[tuple[Any, Any]]) -> str:
        """Source for what a table has."""
        writer = self._writer
        if pair.op in ("=", "in"):
            return f"{writer.constant(table)}.get({pair.text}, ())"
        if pair.op == "of":
            return f"[t for s in {pair.text}.parts for t in {writer.constant(table)}.get(s, ())]"
        return f"{writer.constant(_containing(table, held))}({pair.text})"


def _containing(table: dict[Any, list[Any]], held: list[tuple[Any, Any]]) -> Callable[[Set], Sequence[Any]]:
    """A function that gives the members whose set contains all of a set. held: the members with their sets."""

    def found(of: Set) -> Sequence[Any]:
        wanted = of.members
        some = table.get(next(iter(wanted)), ()) if wanted else held
        return [member for member, own in some if wanted <= own]

    return found


def _all_keys(op: str, values: Sequence[Any]) -> Sequence[Any] | None:
    """`_keys` of each of these values; None if one is of another kind."""
    fact = fact_of(values)
    if op in ("=", "of") and equated(fact):
        return [(value,) for value in values]
    if op in ("in", "<=") and isinstance(fact, Sets):
        parts = [value.parts for value in values]
        if not isinstance(fact_of(list(chain.from_iterable(parts))), Anything):
            return parts
    found = [_keys(op, value) for value in values]
    return None if None in found else found


def _keys(op: str, value: Any) -> Any:
    """By what a member is found whose side of the comparison has this value; None if it is of another kind."""
    if op in ("=", "of"):
        return (value,) if equated(fact_of((value,))) else None
    return _parts(value)


def _parts(value: Any) -> Any:
    """The members of a set, by which a table is made; None for what is no set, or has members of other kinds."""
    if (type(value) is not Set and type(value) is not Rng) or isinstance(fact_of((value,)), Anything):
        return None
    parts = value.parts
    return None if isinstance(fact_of(parts), Anything) else parts
