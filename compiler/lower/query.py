"""What expressions come to for the bindings of a statement's names, by Python that is written for it.

Nearly all that a statement says of its names is a `WalkQuery`: a walk over some groups under some conditions, from each
combination of the values of names that are known before, and expressions for each binding that it finds. Whether the
answer is written or walked is decided in one place, `WalkQuery.at_once`. So `exactly one place per band(r), band(c), d`
becomes

    def made(choices):
        return [at((k0[v0], k1[v1], v2,), -1) for v0, v1, v2 in choices]

and a rule whose keys a choice reaches in several ways becomes a loop for each group (loops.py): ten times as fast as
closures. If anything might fault, or does, closures walk through the same bindings, one after another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate, product, repeat
from math import prod
from operator import itemgetter, mul
from typing import Any, Final

from attrs import field

from covr.compiler.evaluate import Scope
from covr.compiler.evaluate.expressions import free_names
from covr.compiler.evaluate.values import Map, Set
from covr.compiler.lower.as_python import SourceWriter, Unsuitable, attempt
from covr.compiler.lower.facts import UsedUp, distinguished, fact_of
from covr.compiler.lower.groups import Group, members_of
from covr.compiler.lower.joins import MOST_TABULATED, OutOfSteps, combinations_of
from covr.compiler.lower.loops import Loops
from covr.compiler.lower.walk import Walk
from covr.dsl.syntax import Expr, Name
from covr.frozen import frozen

Args = tuple[Any, ...]
Env = dict[str, Any]

FEWEST: Final = 24
"""Combinations: for fewer, writing and compiling a function takes longer than the closures do."""


# --- known names -----------------------------------------------------------------------------------------------------
# Which values names have before a walk, each combination of them once, for statements that use some of them.


class IndexValues:
    """Names with the combinations of values that they have, such as the indices and choices of a family. of_product:
    if these are all combinations of members of some sets, what `distinct` gives for the places of some names."""

    def __init__(
        self,
        names: tuple[str, ...],
        choices: Sequence[Args],
        of_product: Callable[[Sequence[int]], tuple[list[Any], list[int]]] | None = None,
    ) -> None:
        self.names, self.choices, self.of_product = names, choices, of_product
        self._found: dict[tuple[str, ...], tuple[Sequence[Any], Sequence[int] | None]] = {}

    @property
    def few(self) -> bool:
        """Whether there are so few combinations that closures are the quickest."""
        return len(self.choices) < FEWEST

    def projected(self, names: Sequence[str]) -> Iterable[Any]:
        """The values of some of the names in each combination: a tuple, or for one name its value."""
        if not names:
            return repeat((), len(self.choices))
        if names == self.names and len(names) > 1:
            return self.choices
        return map(itemgetter(*map(self.names.index, names)), self.choices)

    def distinct(self, names: Sequence[str]) -> tuple[Sequence[Any], Sequence[int] | None]:
        """The different values of some names, in the order of the combinations, and which of them each of these has;
        None if all are different. Sets count by identity, because hashing members takes longer than all else: equal
        sets may count as different."""
        key = tuple(names)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._distinct(key)
        return found

    def _distinct(self, names: tuple[str, ...]) -> tuple[Sequence[Any], Sequence[int] | None]:
        if len(names) == len(self.names):
            return list(self.projected(names)), None
        if self.of_product is not None:
            return self.of_product([self.names.index(name) for name in names])
        values = list(self.projected(names))
        marks = list(map(id, values)) if set(map(type, values)) == {Set} else values
        different = dict(zip(marks, values, strict=True))  # a value that comes up again keeps its first place
        if len(different) == len(values):
            return values, None
        numbers = dict(zip(different, range(len(different)), strict=True))
        if marks is values:
            return list(different), list(map(numbers.__getitem__, marks))
        return list(different.values()), list(map(numbers.__getitem__, marks))

    def combinations(self, walk: Walk, names: tuple[str, ...]) -> Iterable[Args] | None:
        """The combinations of names that are known or that a walk binds, with all members of sets that no known name
        has a say in; None if they are not known."""
        ordered = [name for name in self.names if name in names]
        walked = tuple(name for name in names if name not in ordered)
        found: Sequence[Any] = [()]
        if ordered:
            found, _ = self.distinct(ordered)
            found = list(zip(found)) if len(ordered) == 1 else found
        if walked:
            others = combinations_of(walk, walked)
            if others is None or len(found) * len(others) > MOST_TABULATED:
                return None
            found = [one + other for one, other in product(found, others)]
        every = [*ordered, *walked]
        back = [every.index(name) for name in names]
        if len(names) == 1 or back == sorted(back):
            return found
        return list(map(itemgetter(*back), found))


NOTHING: Final = IndexValues((), [()])
"""No name is known: the walk begins once."""


# --- queries ---------------------------------------------------------------------------------------------------------


@frozen(eq=False)
class Found:
    """The answer to a query.

    - rows: what the expressions come to for each binding, tuples or for one expression its values; with `numbers`,
      increasing numbers, or where nothing is walked a number or -1
    - which: for each combination of the known names the row that is its own; None if that is the row of its number
    - loops, sets: that were gone through, if any; `sets` where the row has all combinations of their members
    """

    rows: Sequence[Any] = field(repr=False)
    which: Sequence[int] | None = field(repr=False)
    loops: Loops | None = field(default=None, repr=False)
    sets: Sequence[Sequence[Any]] = field(default=(), repr=False)

    def each(self) -> Sequence[Any]:
        """The row of each combination of the known names."""
        return self.rows if self.which is None else list(map(self.rows.__getitem__, self.which))


@frozen(eq=False)
class WalkQuery:
    """What some expressions come to for all bindings of some groups that meet some conditions.

    - known: the names that have values before, from each combination of which the bindings are walked
    - numbers: if given, numbers of values of the expressions are wanted, and those without one are left out
    - ordered: whether bindings are to come in documented order; once: whether repeats are left out
    - in_turn: whether faults depend on the order in which members and conditions are looked at, as in a `for`
    """

    scope: Scope
    groups: Sequence[Group]
    conditions: Sequence[Expr]
    exprs: Sequence[Expr]
    known: IndexValues = NOTHING
    numbers: Mapping[Args, int] | None = None
    ordered: bool = False
    once: bool = False
    in_turn: bool = False

    def at_once(self, most: int | None = None) -> Found | None:
        """The answer by a Python function; None if the closures must find it. most: entries, beyond which they say what
        is too large; by default as many as a matrix may have."""
        if self.known is not NOTHING and self.known.few:
            return None
        return attempt(lambda: self.written(most), self.scope)

    def walk(self, late: bool = False) -> Walk:
        """The walk from a combination of the known names. late: see `Within`."""
        return Walk(self.scope, self.groups, self.conditions, frozenset(self.known.names), late)

    def written(self, most: int | None = None) -> Found:
        """As `at_once`. Raises Unsuitable or EvalFault if the closures must find it; see `attempt`."""
        if not (self.groups or self.known.names) or not {n for g in self.groups for n in g.names}.isdisjoint(
            self.known.names
        ):
            raise Unsuitable
        plain = None if self.conditions else self._plain(most)
        if plain is not None:
            return plain
        walk = self.walk(late=True)
        budget = self.scope.budget
        before = budget.steps, budget.values, budget.frames
        writer = self._writer(walk, not (self.in_turn and _out_of_turn(walk)))
        try:
            return self._found(walk, writer, most)
        except Unsuitable as stopped:
            if not writer.speculated or isinstance(stopped, UsedUp):
                raise
            budget.steps, budget.values, budget.frames = before
        return self._found(walk, self._writer(walk, False), most)

    def _plain(self, most: int | None) -> Found | None:
        """The answer where nothing has to be written: members of sets that are always the same, or values of known
        names, as they are."""
        names = self._names()
        if not self.groups:
            looked_up = self.numbers is not None and set(names) <= set(self.known.names)
            return Found(self._looked_up(names), None) if looked_up else None
        bound = [g.pattern.id if isinstance(g.pattern, Name) else None for g in self.groups]
        if self.known is not NOTHING or names != bound or any(not g.uses.isdisjoint(bound) for g in self.groups):
            return None
        domains = [self._members(g.over) for g in self.groups]
        if not all(isinstance(members, Set | Map) for members in domains):
            return None
        sets = list(map(members_of, domains))
        sizes = list(map(len, sets))
        if most is not None and prod(sizes) > most:
            raise Unsuitable
        self.scope.budget.step(sum(accumulate(sizes, mul)))
        return Found([list(sets[0] if len(sets) == 1 else product(*sets))], None, sets=sets)

    def _members(self, over: Expr) -> Any:
        """What a set has that is always the same; walks share it (`Level`)."""
        key = (id(over), (), ())
        if key not in self.scope.walked:
            self.scope.walked[key] = over, self.scope.members(over, frozenset())({})
        return self.scope.walked[key][1]

    def _looked_up(self, names: Sequence[str]) -> Sequence[int]:
        """The number of the values of some known names, or -1, for each combination."""
        known, at = self.known, self._at()
        assert at is not None
        if names == [n for n in known.names if n in names] and known.of_product is not None:
            distinct, which = known.distinct(names)
            numbers = list(map(at, distinct, repeat(-1)))
            if which is None or numbers == list(range(len(numbers))):
                return numbers if which is None else which
            return list(map(numbers.__getitem__, which))
        return list(map(at, known.projected(names), repeat(-1)))

    def _names(self) -> list[str]:
        """The expressions that are names; empty for any other."""
        return [expr.id if isinstance(expr, Name) else "" for expr in self.exprs]

    def _writer(self, walk: Walk, speculates: bool) -> SourceWriter:
        writer = SourceWriter(walk.within, lambda names: self.known.combinations(walk, names), speculates)
        if speculates and self.known.choices:
            writer.sample.update(zip(self.known.names, self.known.choices[0], strict=True))
        return writer

    def _found(self, walk: Walk, writer: SourceWriter, most: int | None) -> Found:
        mentioned = frozenset().union(*map(free_names, (*self.exprs, *walk.conditions)), *(g.uses for g in walk.groups))
        used = tuple(name for name in self.known.names if name in mentioned)
        for name in used:
            fact = writer.noted("members", self.known.distinct((name,))[0], fact_of)
            if self.numbers is None and self.exprs and not distinguished(fact):
                raise Unsuitable
            writer.bind(name, fact)
        pattern = ", ".join(map(writer.text, used)) or "_"
        if not walk.levels:
            tests = " and ".join(map(writer.condition, walk.conditions))
            entry, missing = f"at({self._entry(writer)}, -1)", "-1"
            if self.numbers is None:
                entry, missing = f"({self._entry(writer)},)", "()"
            test = f" if {tests} else {missing}" if tests else ""
            made = writer.finished(["def made(choices, at):", f" return [{entry}{test} for {pattern} in choices]"])
            return Found(made(self.known.projected(used), self._at()), None)
        distinct, which = self.known.distinct(used)
        begun = self.known is NOTHING
        loops = Loops(walk, writer, self.ordered, "  ", begun, None if begun else len(distinct))
        lines = [
            "def made(choices, at, most_steps, most_values, most):",
            " found = []",
            " steps = values = entries = 0",
            f" for {pattern} in choices:",
            f"  row = {'{}' if self.once else '[]'}",
            "  found.append(row)",
            *([f"  if not ({loops.test}): continue"] if loops.test else []),
            *loops.lines,
            *(self._entered(loops, writer) if self.numbers is None else self._numbered(loops, writer)),
            "  entries += len(row)",
            " return found, steps, values",
        ]
        writer.space["OutOfSteps"] = OutOfSteps
        budget = self.scope.budget
        found, steps, values = writer.finished(lines)(
            distinct, self._at(), *budget.soon(), most or budget.limits.entries
        )
        budget.step(steps)
        if begun:
            budget.count_values(values)
        if self.ordered and not loops.in_order():
            raise Unsuitable
        return Found(found, which, loops)

    def _at(self) -> Callable[..., int] | None:
        """What the source asks for the number of values."""
        if self.numbers is None or len(self.exprs) != 1:
            return None if self.numbers is None else self.numbers.get
        return {values[0]: number for values, number in self.numbers.items() if len(values) == 1}.get

    def _entry(self, writer: SourceWriter) -> str:
        """What the expressions come to, as source."""
        texts = [writer.value(expr)[0] for expr in self.exprs]
        return texts[0] if len(texts) == 1 else f"({''.join(f'{text}, ' for text in texts)})"

    def _entered(self, loops: Loops, writer: SourceWriter) -> list[str]:
        """The lines that add to `row` what the expressions come to."""
        some = f"[{self._entry(writer)} {loops.innermost}]"
        return [
            f"{loops.indent}{f'row.update(dict.fromkeys({some}))' if self.once else f'row += {some}'}",
            f"{loops.indent}if entries + len(row) > most: raise OutOfSteps",
        ]

    def _numbered(self, loops: Loops, writer: SourceWriter) -> list[str]:
        """The lines that add numbers to `row`, and put them in order."""
        names = self._names()
        entry = f"(n := at({self._entry(writer)}, -1)) >= 0"
        if loops.subset and names == [loops.subset]:
            entry = f"(n := {writer.constant(_Placed(loops.made, self._at()))}[t]) >= 0"
        enter = f"row += [n {loops.innermost} if {entry}]"
        through = loops.through and names == [loops.names[-1]]
        if through:  # what has no number is no member of the set, too
            enter = f"row += map(at, {loops.through}, {writer.constant(repeat(-1))})"
        distinct = loops.no_repeats() and set(loops.names) <= set(names)
        return [
            loops.indent + enter,
            f"{loops.indent}if entries + len(row) > most: raise OutOfSteps",
            *(["  if -1 in row: row[:] = [n for n in row if n >= 0]"] if through else []),
            "  if len(row) > 1: row.sort()" if distinct else "  if len(row) > 1: row[:] = sorted({*row})",
        ]


def _out_of_turn(walk: Walk) -> bool:
    """Whether loops test a condition before all names have values, or look only at what one leaves."""
    restricted = any(level.restricted and level.constant for level in walk.levels)
    return restricted or any(level.conditions for level in walk.levels[:-1])


class _Placed(dict[Args, int]):
    """The number of the set of some members in order, or -1."""

    def __init__(self, made: Mapping[Args, Any], at: Callable[..., int] | None) -> None:
        self._made, self._at = made, at

    def __missing__(self, ordered: Args) -> int:
        assert self._at is not None
        at = self[ordered] = self._at(self._made[ordered], -1)
        return at
