"""Where a picture's lines go: the boxes of a sudoku, the fields of a star battle.

A rule outlines regions if its computed keys are functions of the picture's places alone (`band(r), band(c)` or
`region[r, c]`), their values divide the board into more than one class, and every class is connected. The first such
rule is used. Places in straight lines, such as rows and runs, are no regions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from covr.compiler.evaluate import EvalFault, Scope
from covr.compiler.evaluate.names import free_names
from covr.compiler.lattices.lattice import Lattice
from covr.dsl.syntax import CheckedModel, Expr, Key, Name, Rule

Place = tuple[int, ...]

LOOKED_AT = 32  # places of a board, at least, at which a rule is tried out before its keys are worked out for all


def find_regions(
    model: CheckedModel,
    environments: Mapping[Place, dict[str, Any]],
    indices: frozenset[str],
    scope: Scope,
    lattice: Lattice,
) -> Mapping[Place, int]:
    """Place → region number (from 0, in order of first place), or nothing where no rule outlines regions.

    environments: for each place, in order, the values of the names in `at`.
    """
    if not environments:
        return {}
    names = frozenset(next(iter(environments.values())))
    for rule in model.statements:
        if isinstance(rule, Rule) and rule.where is None:
            keys = _outlining(rule, names, indices)
            if keys and not _falls_apart(keys, environments, scope, lattice):
                regions = _classes(keys, environments, scope)
                if _are_lines(regions):
                    continue
                if regions and len(set(regions.values())) > 1 and _hang_together(regions, lattice):
                    return regions
    return {}


def _outlining(rule: Rule, names: frozenset[str], indices: frozenset[str]) -> list[Expr]:
    """The computed keys of a rule that depend on places only; none if a coordinate of the place is itself a key."""
    computed: list[Expr] = []
    for key in rule.keys:
        if isinstance(key, Key) or (isinstance(key, Name) and key.id in names):
            return []
        used = free_names(key) & indices
        if used and used <= names:
            computed.append(key)
    return computed


def _falls_apart(
    keys: Sequence[Expr], environments: Mapping[Place, dict[str, Any]], scope: Scope, lattice: Lattice
) -> bool:
    """Whether a look at some places that lie together shows that a class is not connected: a place has none of its own
    class beside it, and another place has that class. So the diagonals of a large board are not worked out."""
    some = _some_places(environments, lattice)
    classes = _classes(keys, {place: environments[place] for place in some}, scope)
    sizes = Counter(classes.values())
    for place, own in classes.items():
        beside = [classes.get(n) for n in lattice.near(place) if n in environments]
        if sizes[own] > 1 and None not in beside and own not in beside:
            return True
    return False


def _some_places(board: Mapping[Place, object], lattice: Lattice) -> list[Place]:
    """Some places round one of them, all within the board."""
    start = next(islice(board, len(board) // 2, None))
    found = {start: None}
    fresh = [start]
    while fresh and len(found) < LOOKED_AT:
        fresh = [n for at in fresh for n in lattice.near(at) if n in board and n not in found]
        found.update(dict.fromkeys(fresh))
        fresh = list(dict.fromkeys(fresh))
    return list(found)


def _classes(keys: Sequence[Expr], environments: Mapping[Place, dict[str, Any]], scope: Scope) -> dict[Place, int]:
    """Place → the number of its class; nothing if a key can't be worked out for some place."""
    names = next(iter(environments.values()))
    functions = [scope.compile(key, names) for key in keys]
    numbers: dict[tuple[Any, ...], int] = {}
    regions: dict[Place, int] = {}
    for place, env in environments.items():
        try:
            value = tuple([f(env) for f in functions])
        except EvalFault:
            return {}
        regions[place] = numbers.setdefault(value, len(numbers))
    return regions


def _are_lines(regions: Mapping[Place, int]) -> bool:
    """Whether the places of every region lie on one straight line."""
    ends: dict[int, tuple[Place, Place]] = {}
    for (r, c), region in regions.items():
        (a, b), (x, y) = ends.setdefault(region, ((r, c), (r, c)))
        if (a, b) == (x, y):
            ends[region] = (a, b), (r, c)
        elif (x - a) * (c - b) != (y - b) * (r - a):
            return False
    return True


def _hang_together(regions: Mapping[Place, int], lattice: Lattice) -> bool:
    """Whether every region is connected: its places touch."""
    seen: set[Place] = set()
    begun: set[int] = set()
    for start, region in regions.items():
        if start in seen:
            continue
        if region in begun:
            return False
        begun.add(region)
        stack = [start]
        seen.add(start)
        while stack:
            for n in lattice.near(stack.pop()):
                if n not in seen and regions.get(n) == region:
                    seen.add(n)
                    stack.append(n)
    return True
