"""What loops of source (loops.py) go through: the members of a group's sets, computed when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, product
from math import comb, prod
from typing import Any, Final

from covr.compiler.evaluate.limits import IN_SOURCE, Budget
from covr.compiler.evaluate.values import Map, Rng, Seq, Set
from covr.compiler.lower.as_python import Unsuitable
from covr.compiler.lower.facts import Fact, fact_of, implies
from covr.compiler.lower.walk import Level, Walk
from covr.compiler.lower.written import UsedUp
from covr.dsl.syntax import Name
from covr.engine.base.heed import look

MOST_TABULATED: Final = 100_000
"""For how many combinations of values an expression is evaluated before the loops."""

ENORMOUS: Final = 64
"""The number of subsets of more members than this, of a set of more than twice as many, has 37 digits at least."""


class OutOfSteps(Unsuitable):
    """Raised inside the loops when steps or values run out: then the walk decides what is wrong."""


def going_on(budget: Budget) -> Callable[[int, int], int]:
    """What loops of Python source ask once they have taken as many steps as they may (`Budget.soon`), with their steps
    and values: it returns how many they may have taken when they ask again. Raises Stopped (engine/base/heed.py), and
    UsedUp or OutOfSteps where no steps or values are left."""

    def on(steps: int, values: int) -> int:
        look()
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


class Made(dict[Any, Any]):
    """The members of a set for the values of some names, made by what the source puts in the place of `make` when they
    are first asked for."""

    def __init__(self, names: int) -> None:
        self.make: Any = None
        self._single = names == 1

    def __missing__(self, values: Any) -> Any:
        found = self[values] = self.make(values) if self._single else self.make(*values)
        return found


class Members(dict[Any, Any]):
    """The members of a group's set for the values of the names that it uses, computed when they are first asked for.
    repeats: whether one of the sets was a list, which may have a member twice. facts: what was guessed of the members,
    or of the parts of each, and must hold; otherwise it raises Unsuitable."""

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


def members_of(members: Any) -> Any:
    """The members of what a group walks, in the order in which it is walked, as a range, tuple or Set."""
    if type(members) is Rng:
        return range(members.low, members.high + 1)
    if isinstance(members, Seq):
        return members.items
    if isinstance(members, Map):
        return members.keys.ordered
    return members.ordered if isinstance(members, Set) else tuple(members)


def fits(members: Any, size: int) -> bool:
    """Whether all members are tuples of this size, as a pattern wants them."""
    return all(isinstance(m, tuple) and len(m) == size for m in members)
