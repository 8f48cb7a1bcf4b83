"""Index names with their sets, and the scope that a statement sees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from attrs import field

from covr.compiler.evaluate import Env, EvalFault, Run, Scope, Test
from covr.compiler.evaluate.calls import LARGE
from covr.compiler.evaluate.expressions import free_in_template, free_names, pattern_names
from covr.compiler.evaluate.values import Map, Rng, Seq, Set
from covr.dsl.diagnostics import Diagnostic, Span
from covr.dsl.scope import walk
from covr.dsl.syntax import CheckedModel, Declare, Expr, Generator, Key, Name, Pattern, Template
from covr.frozen import frozen

# --- groups ----------------------------------------------------------------------------------------------------------
# Index names with their sets: what `cells`, `values`, `for` and `x in SET` after `per` declare.
#
# A *group* is one pattern of a generator, whose names are bound together: `(r, c) in region` is one group, and `r, c in
# 1..n` is two. A group *needs* the groups whose names its set mentions; a walk includes them, in an order in which each
# set can be evaluated.


@frozen(eq=False)
class Group:
    """One pattern of a generator. names: bound by `pattern`, left to right. uses: every name that `over` mentions."""

    pattern: Pattern
    over: Expr
    names: tuple[str, ...]
    uses: frozenset[str] = field(repr=False)


def group(pattern: Pattern, over: Expr) -> Group:
    """A generator as a Group, with the names that it binds and those that it uses."""
    return Group(pattern, over, pattern_names(pattern), free_names(over))


def groups_of(generators: Iterable[Generator | Key]) -> list[Group]:
    """One group for each pattern, in the order written."""
    found = []
    for generator in generators:
        patterns = (generator.pattern,) if isinstance(generator, Key) else generator.patterns
        found += [group(pattern, generator.over) for pattern in patterns]
    return found


def declared_groups(model: CheckedModel) -> dict[str, Group]:
    """The index names that `cells` and `values` declare, each with its group."""
    table: dict[str, Group] = {}
    for statement in model.statements:
        if isinstance(statement, Declare):
            for g in groups_of(statement.generators):
                table.update(dict.fromkeys(g.names, g))
    return table


def closure(wanted: Iterable[Group], scope: Mapping[str, Group]) -> list[Group]:
    """The wanted groups and all groups that they need, each once, right before it. scope: the group of each name."""
    order: list[Group] = []
    seen: set[Group] = set()

    def visit(g: Group) -> None:
        if g in seen:
            return
        seen.add(g)
        for name in sorted(g.uses):
            other = scope.get(name)
            if other is not None and other is not g:
                visit(other)
        order.append(g)

    for g in wanted:
        visit(g)
    return order


def components(wanted: Sequence[Iterable[Group]], scope: Mapping[str, Group]) -> list[list[int]]:
    """Which of several sets of groups are connected: their closures share a group, directly or through a chain. Returns
    lists of positions in `wanted`, each increasing, in order of their first member."""
    parts: list[tuple[list[int], set[int]]] = []
    for position, groups in enumerate(wanted):
        mine = {id(g) for g in closure(groups, scope)}
        joined, rest = [position], []
        for members, ids in parts:
            if ids & mine:
                joined, mine = members + joined, mine | ids
            else:
                rest.append((members, ids))
        parts = [*rest, (sorted(joined), mine)]
    return sorted(members for members, _ in parts)


def members_of(members: Any) -> Any:
    """The members of what a group walks, in the order in which it is walked, as a range, tuple or Set."""
    if type(members) is Rng:
        return range(members.low, members.high + 1)
    if isinstance(members, Seq):
        return members.items
    if isinstance(members, Map):
        return members.keys.ordered
    return members.ordered if isinstance(members, Set) else tuple(members)


# --- local scope -----------------------------------------------------------------------------------------------------
# A scope seen from inside a statement, where index names hide global ones of the same name.


T = TypeVar("T")


def _names(names: Iterable[str]) -> frozenset[str]:
    return frozenset(names)


@frozen(eq=False)
class Within:
    """A scope with local names. scope: the meaning of global names; names: the local ones, with values in the env.

    late: expressions are compiled when they are first evaluated, for statements that are written as Python
    (as_python.py), where most never are. Only for `attempt`: faults in them are found later, too.
    """

    scope: Scope
    names: frozenset[str] = field(converter=_names)
    late: bool = False

    def compile(self, expr: Expr) -> Run:
        """Compile an expression to a function of the local names."""
        if self.late:
            return _late(lambda: self.scope.compile(expr, self.names))
        return self.scope.compile(expr, self.names)

    def truth(self, expr: Expr) -> Test:
        """Compile a condition to a function of the local names."""
        if self.late:
            return _late(lambda: self.scope.truth(expr, self.names))
        return self.scope.truth(expr, self.names)

    def members(self, expr: Expr) -> Run:
        """Compile an expression that must have members to a function of the local names."""
        return self.scope.members(expr, self.names)

    def template(self, template: Template) -> Callable[[Env], str]:
        """Compile a text with holes to a function of the local names."""
        return self.scope.template(template, self.names)

    def tests(self, conditions: Iterable[Expr]) -> list[Test]:
        """A test for each condition. Many small conditions count as many steps as a single one of their total size."""
        if self.late:
            return [self.truth(condition) for condition in conditions]
        found: list[Test] = []
        size = 0
        for condition in conditions:
            test = self.truth(condition)
            size += parts_of(condition)
            if size > LARGE:
                test, size = self._weighed(test, size, condition.span) if found else test, 0
            found.append(test)
        return found

    def _weighed(self, test: Test, size: int, span: Span) -> Test:
        step = self.scope.budget.step

        def weighed(env: Env) -> bool:
            step(size, span)
            return test(env)

        return weighed


def parts_of(condition: Expr) -> int:
    """How many nodes an expression has; kept with it."""
    try:
        return condition._size  # type: ignore[no-any-return, union-attr]
    except AttributeError:
        size = sum(1 for _ in walk(condition))
        object.__setattr__(condition, "_size", size)
        return size


def _late(compiled: Callable[[], Callable[[Env], T]]) -> Callable[[Env], T]:
    """A function that is compiled when it is first called."""
    kept: list[Callable[[Env], T]] = []

    def run(env: Env) -> T:
        if not kept:
            kept.append(compiled())
        return kept[0](env)

    return run


def allow_only(names: Iterable[str], local: Iterable[str], expr: Expr | Template, message: str, help: str) -> None:
    """Raises EvalFault E414 if an expression uses a local name that is not in `names` and so has no value there.
    message: its sentence, in which `{name}` is replaced by the first such name."""
    used = free_in_template(expr) if isinstance(expr, Template) else free_names(expr)
    unknown = used.intersection(local).difference(names)
    if unknown:
        first = next(n for n in walk(expr) if isinstance(n, Name) and n.id in unknown)
        raise EvalFault(Diagnostic("E414", message.format(name=f"`{first.id}`"), first.span, help))
