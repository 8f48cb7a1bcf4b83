"""All choices of a family at once: where nothing can fault, as a product of sets, or by loops of Python source.

Otherwise `choices_of` returns None, and the choices are found one by one (families.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, chain, product, repeat
from math import prod
from operator import mul
from typing import Any

from covr.compiler.evaluate import Scope
from covr.compiler.evaluate.values import Map, Set
from covr.compiler.lower.as_python import SourceWriter, Unsuitable, attempt, guessing
from covr.compiler.lower.groups import Group
from covr.compiler.lower.loop_members import OutOfSteps, combinations_of, members_of
from covr.compiler.lower.loops import Loops
from covr.compiler.lower.walk import Walk
from covr.dsl.syntax import Expr, Name
from covr.frozen import frozen

Args = tuple[Any, ...]


@frozen
class Choices:
    """The arguments of each choice in documented order, and the position of each."""

    args: tuple[Args, ...]
    numbers: Mapping[Args, int]


class Positions(Mapping[Args, int]):
    """The position of each of some choices, which are all different. Made when it is first asked for."""

    def __init__(self, choices: tuple[Args, ...]) -> None:
        self._choices = choices

    @cached_property
    def _table(self) -> dict[Args, int]:
        return dict(zip(self._choices, range(len(self._choices)), strict=True))

    def __getitem__(self, args: Args) -> int:
        return self._table[args]

    def __iter__(self) -> Iterator[Args]:
        return iter(self._choices)

    def __len__(self) -> int:
        return len(self._choices)


class ProductPositions(Mapping[Args, int]):
    """The same for all combinations of members of some sets: it needs a table for each set only."""

    def __init__(self, choices: tuple[Args, ...], sets: Sequence[Sequence[Any]]) -> None:
        self._choices, self._sets = choices, sets

    @cached_property
    def _tables(self) -> list[dict[Any, int]]:
        return [dict(zip(members, range(len(members)), strict=True)) for members in self._sets]

    def distinct(self, indices: Sequence[int]) -> tuple[list[Any], list[int]]:
        """The combinations of some indices, increasing, and which of them each choice has. A combination of a single
        index is a value, and no tuple."""
        sets = [self._sets[at] for at in indices]
        which = [0]
        for at, members in enumerate(self._sets):
            size = len(members)
            if at in indices:
                which = list(chain.from_iterable([range(size * w, size * w + size) for w in which]))
            else:
                which = list(chain.from_iterable([repeat(w, size) for w in which]))
        return list(sets[0]) if len(sets) == 1 else list(product(*sets)), which

    def __getitem__(self, args: Args) -> int:
        if len(args) != len(self._sets):
            raise KeyError(args)
        at = 0
        for value, table in zip(args, self._tables, strict=True):
            at = at * len(table) + table[value]
        return at

    def __iter__(self) -> Iterator[Args]:
        return iter(self._choices)

    def __len__(self) -> int:
        return len(self._choices)


def choices_of(
    scope: Scope, groups: Sequence[Group], conditions: Sequence[Expr], indices: tuple[str, ...], most: int
) -> Choices | None:
    """The choices with these indices that a walk over the groups finds. most: choices; None is also returned if there
    are more."""
    if not groups:
        return None
    return attempt(
        lambda: _choices(scope, Walk(scope, groups, conditions, frozenset(), late=True), indices, most), scope
    )


def _choices(scope: Scope, walk: Walk, indices: tuple[str, ...], most: int) -> Choices:
    names = tuple(name for g in walk.groups for name in g.names)
    plain = all(isinstance(g.pattern, Name) for g in walk.groups)
    if plain and names == indices and not walk.conditions and all(level.constant for level in walk.levels):
        found = _product(scope, walk, most)
        if found is not None:
            return found
    if not indices:
        raise Unsuitable

    def writing(guesses: bool) -> tuple[SourceWriter, Callable[[], Choices]]:
        writer = SourceWriter(walk.within, lambda names: combinations_of(walk, names), guesses)
        return writer, lambda: _looped(scope, walk, writer, indices, most)

    return guessing(writing)


def _looped(scope: Scope, walk: Walk, writer: SourceWriter, indices: tuple[str, ...], most: int) -> Choices:
    names = tuple(name for g in walk.groups for name in g.names)
    loops = Loops(walk, writer, ordered=True, indent=" ", outermost=True)
    lines = [
        "def made(most_steps, most_values, most):",
        " found = []",
        " steps = values = 0",
        *([f" if not ({loops.test}): return found, steps, values"] if loops.test else []),
        *loops.lines,
        f"{loops.indent}found += [({', '.join(map(writer.text, indices))},) {loops.innermost}]",
        f"{loops.indent}if len(found) > most: raise OutOfSteps",
        " return found, steps, values",
    ]
    writer.space["OutOfSteps"] = OutOfSteps
    listed, steps, values = writer.finished(lines)(*scope.budget.soon(), most * 2)
    scope.budget.step(steps)
    scope.budget.spend(values)
    if not loops.in_order():
        raise Unsuitable
    if loops.no_repeats() and set(names) <= set(indices):
        args = tuple(listed)
        numbers: Mapping[Args, int] = Positions(args)
    else:
        args = tuple(dict.fromkeys(listed))
        numbers = Positions(args)
    if len(args) > most:
        raise Unsuitable
    return Choices(args, numbers)


def _product(scope: Scope, walk: Walk, most: int) -> Choices | None:
    """All combinations of members of the groups' sets; None if a list repeats a member."""
    domains = [level.domain({}).members for level in walk.levels]
    if not all(isinstance(members, Set | Map) for members in domains):
        return None
    sets = [members_of(members) for members in domains]
    sizes = list(map(len, sets))
    if prod(sizes) > most:
        raise Unsuitable
    scope.budget.step(sum(accumulate(sizes, mul)))
    choices = tuple(product(*sets))
    return Choices(choices, ProductPositions(choices, sets))


__all__ = ["Args", "Choices", "Positions", "ProductPositions", "choices_of"]
