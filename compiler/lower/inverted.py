"""Conditions read backwards: to which bindings of a walk a value leads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, TypeAlias

from covr.compiler.evaluate import EvalFault, Test
from covr.compiler.evaluate.expressions import free_names
from covr.compiler.evaluate.limits import SEARCH, Budget
from covr.compiler.evaluate.members import Bind
from covr.compiler.evaluate.values import Map, Rng, Seq, Set, size_of
from covr.compiler.lower.groups import Group, Within
from covr.dsl.diagnostics import Span
from covr.dsl.syntax import Binary, Compare, Expr, Name, TupleOf, Unary
from covr.frozen import frozen

# --- linear ----------------------------------------------------------------------------------------------------------
# What a comparison implies for one name: `r + c = i + j` gives `j = r + c - i`, `i <= r` gives an upper bound of i.
#
# Only sums and differences in which the name occurs once, by itself, are used. The proposed values include every value
# that satisfies the comparison, and may include more.


Env: TypeAlias = dict[str, Any]
Compile: TypeAlias = Callable[[Expr], Callable[[Env], Any]]


@frozen
class Between:
    """Whole numbers from low to high; None is no bound."""

    low: int | None = None
    high: int | None = None

    def meet(self, other: Between) -> Between:
        """The bounds that hold where both of these do."""
        lows = [b for b in (self.low, other.low) if b is not None]
        highs = [b for b in (self.high, other.high) if b is not None]
        return Between(max(lows, default=None), min(highs, default=None))


class InOrder(list[Any]):
    """Values in documented order, each once."""


Proposal: TypeAlias = "Between | list[Any] | None"
"""Values a name may take: an interval, a list (any order, repeats allowed), or None for no restriction."""

Source: TypeAlias = Callable[[Env], Proposal]
"""Proposes values for a name, given the names known so far."""


def pairs(condition: Expr) -> Iterator[tuple[Expr, str, Expr]]:
    """The comparisons of a chain, one by one; nothing for any other expression."""
    if isinstance(condition, Compare):
        left = condition.first
        for op, right in condition.rest:
            yield left, op, right
            left = right


def sources(condition: Expr, name: str, known: frozenset[str], compile_: Compile) -> list[Source]:
    """What a true condition implies for `name` alone, when the names in `known` have values."""
    found: list[Source] = []
    for left, op, right in pairs(condition):
        if op == "in":
            if isinstance(left, Name) and left.id == name and _free(right, known):
                found.append(_members(compile_(right)))
        elif op in _MIRROR:
            source = _comparison(left, op, right, name, known, compile_)
            if source is not None:
                found.append(source)
    return found


def tuple_source(condition: Expr, names: tuple[str, ...], known: frozenset[str], compile_: Compile) -> Source | None:
    """`(i, j) in E` with exactly these names on the left: proposes whole tuples."""
    for left, op, right in pairs(condition):
        if (
            op == "in"
            and isinstance(left, TupleOf)
            and all(isinstance(part, Name) for part in left.items)
            and tuple(part.id for part in left.items if isinstance(part, Name)) == names
            and _free(right, known)
        ):
            return _members(compile_(right))
    return None


MANY = 100_000
"""A set larger than this is not listed to find out what a name may be; the condition is checked instead."""

_MIRROR = {"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _free(expr: Expr, known: frozenset[str]) -> bool:
    return free_names(expr) <= known


def _members(of: Callable[[Env], Any]) -> Source:
    def propose(env: Env) -> Proposal:
        try:
            value = of(env)
        except EvalFault:
            return None
        if isinstance(value, Rng):
            return Between(value.low, value.high)
        if not isinstance(value, Set | Seq | Map | tuple):
            return None  # `in` needs something with members; the check of the condition reports the fault
        if size_of(value) > MANY:
            return None
        return InOrder(value) if isinstance(value, Set) else list(value)

    return propose


def _comparison(left: Expr, op: str, right: Expr, name: str, known: frozenset[str], compile_: Compile) -> Source | None:
    if op == "=":
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Name) and one.id == name and _free(other, known):
                return _equal(compile_(other))
    terms = [*terms_of(left, 1), *terms_of(right, -1)]
    mine = [sign for sign, part in terms if isinstance(part, Name) and part.id == name]
    rest = [(sign, part) for sign, part in terms if not (isinstance(part, Name) and part.id == name)]
    if len(mine) != 1 or not all(_free(part, known) for _, part in rest):
        return None
    compiled = [(-sign * mine[0], compile_(part)) for sign, part in rest]
    return _bounded(compiled, op if mine[0] > 0 else _MIRROR[op])


def terms_of(expr: Expr, sign: int) -> Iterator[tuple[int, Expr]]:
    """The terms of a sum, each with its sign, all multiplied by `sign`."""
    if isinstance(expr, Binary) and expr.op in "+-":
        yield from terms_of(expr.left, sign)
        yield from terms_of(expr.right, sign if expr.op == "+" else -sign)
    elif isinstance(expr, Unary) and expr.op == "-":
        yield from terms_of(expr.of, -sign)
    else:
        yield sign, expr


def _equal(of: Callable[[Env], Any]) -> Source:
    def propose(env: Env) -> Proposal:
        try:
            return [of(env)]
        except EvalFault:
            return None

    return propose


def _bounded(parts: list[tuple[int, Callable[[Env], Any]]], op: str) -> Source:
    """The values v with `v op sum of parts`."""

    def propose(env: Env) -> Proposal:
        total = 0
        for sign, part in parts:
            try:
                value = part(env)
            except EvalFault:
                return None
            if type(value) is not int:
                return None
            total += sign * value
        return _RANGES[op](total)

    return propose


_RANGES: dict[str, Callable[[int], Proposal]] = {
    "=": lambda t: [t],
    "<": lambda t: Between(high=t - 1),
    "<=": lambda t: Between(high=t),
    ">": lambda t: Between(low=t + 1),
    ">=": lambda t: Between(low=t),
}


# --- inverted --------------------------------------------------------------------------------------------------------
# Conditions read backwards: to which bindings of a walk a value leads, found once instead of once for each choice.
#
# `at most 3 draw per x in white, k in 1..2 where e in {on(x, k), after(x, k)}` asks, for each choice `draw(e)`, which x
# and k have e in that set. The sets depend on x and k alone, so an index (member → x → k) is made when the walk begins
# for the second time. From then on a walk visits only what the index says.
#
# That works for `A in B`, for `A <= B` between sets (any one member of A must be in B) and for `A = B` between numbers,
# texts or tuples of such, where A uses only names that have values before the walk begins, and B only names that the
# walk binds, of groups whose sets are always the same and about which nothing else is known. The condition is still
# checked on each binding, but for `A in B` where every B is a set. Where B fails for some binding, or A or B is of
# another kind, all bindings are visited, so that faults are the same.


Run: TypeAlias = Callable[[Env], Any]
Shape: TypeAlias = "type | tuple[Shape | None, ...]"

MOST: Final = 100_000
"""An index is not made if there are more bindings than this, or if it would hold more members."""


@frozen(eq=False)
class Axis:
    """One group that an index ranges over. members: those of its set; bind: gives its names their values."""

    group: Group
    members: Callable[[], Any]
    bind: Bind

    def key(self, env: Env) -> Any:
        """What stands for the member that is bound in this environment."""
        names = self.group.names
        return env[names[0]] if len(names) == 1 else tuple([env[name] for name in names])


@frozen(eq=False)
class Backwards:
    """A comparison that can be read backwards: `asked` is A, over names that are known, and `kept` is B."""

    condition: Compare
    op: str
    asked: Run
    kept: Run
    span: Span
    over: tuple[int, ...]  # the groups that B uses, as positions in the walk, increasing


def question(
    conditions: Iterable[Expr], groups: Sequence[Group], usable: Sequence[bool], known: frozenset[str], scope: Within
) -> Backwards | None:
    """The first comparison among the conditions that can be read backwards. usable: for each group of the walk, whether
    its set is always the same and no condition restricts it. known: the names that have values before the walk begins.
    """
    bound = frozenset(name for g in groups for name in g.names)
    for condition in conditions:
        if not isinstance(condition, Compare) or len(condition.rest) != 1:
            continue
        for left, op, right in _ways(condition):
            asked, kept = free_names(left), free_names(right)
            over = tuple(at for at, g in enumerate(groups) if kept & frozenset(g.names))
            fits = asked & (known - bound) and not asked & bound and not kept & (known - bound)
            if fits and over and all(usable[at] for at in over):
                return Backwards(condition, op, scope.compile(left), scope.compile(right), condition.span, over)
    return None


def _ways(condition: Compare) -> Iterator[tuple[Expr, str, Expr]]:
    """A comparison as `A op B`; `=` both ways round, and `B >= A` as `A <= B`."""
    for left, op, right in pairs(condition):
        if op in ("in", "<=", "="):
            yield left, op, right
        if op in (">=", "="):
            yield right, "<=" if op == ">=" else op, left


class Inverted:
    """The index of one question, made when it is asked for the second time. axes: the groups it ranges over. tests:
    conditions that use no other names; what fails them is left out."""

    def __init__(self, asked: Backwards, axes: Sequence[Axis], tests: Sequence[Test], budget: Budget) -> None:
        self._asked_for = asked
        self._axes = tuple(axes)
        self._tests = tuple(tests)
        self._budget = budget
        self.begun = 0  # how often
        self._index: dict[Any, dict[Any, Any]] | None = None
        self.answers = False  # whether what the index leaves is just what the condition does
        self._shape: Shape | None = None  # of the numbers, texts or tuples that are compared by `=`

    def begin(self, env: Env) -> dict[Any, Any] | None:
        """What the walk that begins with these values may visit: key → (member, the same for the next axis). None if it
        has to visit everything."""
        self.begun += 1
        if self.begun == 2:
            self._index = self._made()
        if self._index is None:
            return None
        try:
            value = self._asked_for.asked(env)
        except EvalFault:
            return None
        if self._asked_for.op == "<=":
            if type(value) is not Set or not len(value):
                return None
            value = value.ordered[0]
        elif self._asked_for.op == "=" and _shape(value) != self._shape:
            return None
        self._budget.step(SEARCH, self._asked_for.span)
        return self._index.get(value, {})

    def after(self, axis: int, found: dict[Any, Any], env: Env) -> dict[Any, Any]:
        """What is left for the next axis once this one is bound."""
        entry = found.get(self._axes[axis].key(env))
        return {} if entry is None else entry[1]

    def _made(self) -> dict[Any, dict[Any, Any]] | None:
        index: dict[Any, dict[Any, Any]] = {}
        try:
            total = 1
            for axis in self._axes:
                members = axis.members()
                total *= members.size if isinstance(members, Rng) else len(members)
            if total > MOST:
                return None
            self.answers = self._asked_for.op == "in"
            self._fill(index, 0, {}, (), [MOST])
        except (EvalFault, _Unfit):
            return None
        return index

    def _fill(self, index: dict[Any, Any], depth: int, env: Env, path: tuple[Any, ...], left: list[int]) -> None:
        """left: how many members may still be added."""
        if depth < len(self._axes):
            axis = self._axes[depth]
            for member in axis.members():
                axis.bind(member, env)
                self._fill(index, depth + 1, env, (*path, member), left)
            return
        self._budget.step(1, self._asked_for.span)
        if not all(test(env) for test in self._tests):
            return
        keys = [axis.key(env) for axis in self._axes]
        for value in self._values(self._asked_for.kept(env)):
            left[0] -= 1
            if left[0] < 0:
                raise _Unfit
            node = index.setdefault(value, {})
            for key, member in zip(keys, path, strict=True):
                node = node.setdefault(key, (member, {}))[1]

    def _values(self, value: Any) -> Iterable[Any]:
        """The values of A that this value of B allows."""
        if self._asked_for.op == "=":
            shape = _shape(value)
            if shape is None or self._shape not in (None, shape):
                raise _Unfit
            self._shape = shape
            return (value,)
        fitting = isinstance(value, Set | Seq | Map | tuple) if self._asked_for.op == "in" else isinstance(value, Set)
        self.answers = self.answers and type(value) is Set
        if not fitting or (isinstance(value, Rng) and value.size > MOST):
            raise _Unfit
        return value  # type: ignore[no-any-return]


def _shape(value: Any) -> Shape | None:
    """int or str, or for a tuple the shapes of its parts; None for any other value. What is of one shape can be
    compared by `=` without a fault."""
    kind = type(value)
    if kind is tuple:
        parts = tuple(map(_shape, value))
        return None if None in parts else parts
    return kind if kind is int or kind is str else None


class _Unfit(Exception):
    """A value is of a kind that no index can be made of, or there are too many."""
