"""Index names with their sets: what `cells`, `values`, `for` and `x in SET` after `per` declare.

A *group* is one pattern of a generator, whose names are bound together: `(r, c) in region` is one group, and
`r, c in 1..n` is two. A group whose set mentions a name of another group *needs* that group; a walk over groups always
includes the groups that they need, in an order in which each set can be evaluated.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from attrs import field

from covr.compiler.evaluate.names import free_names, pattern_names
from covr.dsl.syntax import CheckedModel, Declare, Expr, Generator, Key, Pattern
from covr.frozen import frozen


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
    """The wanted groups and all groups that they need, each once.

    scope: the group behind each index name. Order: as in `wanted`; the groups that one needs stand right before it.
    """
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
    """Which of several sets of groups are connected: their closures share a group, directly or through a chain.

    Returns lists of positions in `wanted`, each increasing, in order of their first member.
    """
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
