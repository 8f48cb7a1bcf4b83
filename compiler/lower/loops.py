"""A walk (walk.py) as nested `for` loops of Python source.

The loops visit at least the bindings for which the condition holds, and test the condition wherever that is not
certain. They are written only if nothing can fault and if they look at few more members than the walk would: `where x
in s` loops over `s`, `where i <= r <= i + 1` over two values of i. Otherwise they raise Unsuitable, and the walk itself
is used.

A step is counted for each member that a loop goes through. The walk counts more where it looks for members.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations, product
from math import prod
from typing import Any, Final

from covr.compiler.evaluate import EvalFault
from covr.compiler.evaluate.expressions import conjuncts, disjuncts, free_names
from covr.compiler.evaluate.values import Map, Rng, Set
from covr.compiler.lower.as_python import SourceWriter, Unsuitable
from covr.compiler.lower.facts import (
    GUESSED,
    MOST_PARTS,
    Anything,
    Fact,
    Foreseen,
    Lists,
    PlainValues,
    Sets,
    WholeNumbers,
    comparable,
    distinguished,
    equated,
    fact_of,
    facts_of_parts,
    inside_too,
    widened,
)
from covr.compiler.lower.inverted import pairs, terms_of
from covr.compiler.lower.joins import (
    Joined,
    Members,
    MemberTable,
    Subsets,
    fits,
    going_on,
    joined,
    members_of,
    subsets_of,
)
from covr.compiler.lower.walk import Level, Walk
from covr.dsl import syntax as syn
from covr.dsl.syntax import Compare, Expr, Name

FEW: Final = 32
"""A set of up to so many members is gone through as a whole, even if the walk would look at fewer."""

FEWEST_JOINED: Final = 8
"""From so many members on, a table of them is made."""

FEWEST_LOOKED_AT: Final = 3000
"""For fewer members that are looked at, all rounds together, making a table takes longer than looking at them."""

FEWEST_TOGETHER: Final = 2
"""Groups, and names in a condition on them, for which one table is made."""

MOST_TOGETHER: Final = 20_000
"""How many members the sets of such groups may have, all combinations together."""

FEW_IN_EACH: Final = 100
"""The same for a set that differs from choice to choice: finding its members by closures takes as long as going through
so many."""

FEW_SETS: Final = 64
"""So few sets of a group are all computed before it is gone through."""

SHORT: Final = 24
"""Characters of source for a set that is made again each time, such as a range."""

MOST_LOOPS: Final = 15
"""Python nests at most 20 blocks."""

_MIRRORED: Final = {"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


Source = tuple[str, str, "Expr | None", str]
"""The members that a condition leaves and their number, as source; the condition, if it holds for all of them; and a
test, with `{}` for the member, that it is in the group's set."""


class Loops:
    """The loops of one walk. outermost: whether no loop is around them. rounds: how often they are gone through, if
    that is known.

    lines: the source so far, to which the caller adds what comes before and after.
    innermost: the `for … if …` of the last loop, for a comprehension; empty if there is no loop.
    all_of: what that goes through, if it leaves out nothing.
    through: the same if it binds one name and leaves out nothing but what is no member of that name's set.
    last, tests: the same loop as a statement needs it, and what must hold inside it.
    test: a condition on names that have values before the first loop; empty if there is none.
    subset, made: the name that the last loop binds to a subset, if it walks `subsets`; then its variable is `t`, a
    tuple, and `made` has the set of each.

    The source counts `steps` and `values`, and compares them with `most_steps` and `most_values`.
    """

    def __init__(
        self,
        walk: Walk,
        writer: SourceWriter,
        ordered: bool,
        indent: str,
        outermost: bool = False,
        rounds: int | None = None,
    ) -> None:
        self.lines: list[str] = []
        self.made: dict[tuple[Any, ...], Set] = {}
        self.innermost = self.all_of = self.last = self.through = ""
        self.tests: list[str] = []
        self.test = ""
        self.subset = ""
        self.indent = indent
        self._walk, self._writer, self._ordered = walk, writer, ordered
        self._outermost = outermost
        self._rounds = rounds
        self._sorted = True  # whether members come as the walk visits them, even if some of the sets are lists
        self._sets: list[Members] = []
        self._repeats = False  # whether a set that is written may be a list, which may have a member twice
        self._bound = 1  # bindings of the loops so far, all of which are gone through; 0 if that is not certain
        self._ahead = 0  # steps that are certainly taken
        self._inside_set: Sequence[Fact] = []  # what is known of the parts of the members of the present group's set
        if len(walk.levels) > MOST_LOOPS:
            raise Unsuitable
        at = 0
        while at < len(walk.levels):
            together = self._added_together(at)
            if not together:
                self._add(walk.levels[at], at, last=at + 1 == len(walk.levels))
            else:
                self._bound = 0
            at += together or 1
        if outermost and not self.test and self._ahead > writer.within.scope.budget.left()[0]:
            raise Foreseen
        if not walk.levels:
            self.test = " and ".join(writer.condition(c) for c in walk.conditions)

    def _add(self, level: Level, at: int, last: bool) -> None:
        writer = self._writer
        before = frozenset(writer.facts)
        self._inside_set = []
        speculations = writer.speculations
        if at == 0:
            self.test = " and ".join(writer.condition(c) for c in level.conditions if self._local(c) <= before)
        members, size, fact = self._members(level, last)
        if self.test and writer.speculations > speculations:
            raise Unsuitable  # the walk would look at the set first, which may be at fault
        if writer.speculates:
            self._sample(level)
        names = level.group.names
        single = isinstance(level.group.pattern, Name)
        looked_up = self._walk.is_axis(at)
        if self.subset:
            variable = "t"
        elif single:
            variable = writer.bind(names[0], fact)
        else:
            variable = ", ".join(self._spread(level, fact)) + ","
        source = self._source(level, before, fact) if single and (level.restricted or looked_up) else None
        sure: Expr | None = None
        certain: tuple[Expr, ...] | None = None
        domain: list[str] = []
        if source is not None:
            members, size, sure, test = source
            domain = [test.format(variable)] if test else []
        elif (found := self._joined(level, before)) is not None:
            self.lines.append(f"{self.indent}m = {found.text}")
            members, size = "m", "len(m)"
            certain = found.sure
        elif at == 0 and self._outermost and level.constant and not single and not self.subset:
            pass  # going through all once takes no longer than making the set
        elif (level.restricted or looked_up) and not self._is_short(level):
            if level.constant or self.subset or members != "m":
                raise Unsuitable
            self.lines.append(f"{self.indent}if len(m) > {FEW_IN_EACH}: raise OutOfSteps")
        if self._ordered and level.restricted and not self._in_order(level):
            if level.constant:
                raise Unsuitable
            self._sorted = False
        now = [
            (number, c)
            for number, c in enumerate(level.conditions)
            if c is not sure and c not in (certain or ()) and not (at == 0 and self._local(c) <= before)
        ]
        last_before = self._last_before(level, before) if at == 0 else -1
        tests = [*domain, *(self._tested(c, certain is not None or number < last_before) for number, c in now)]
        self._count(size)
        self._bound *= int(size) if size.isdigit() and not (looked_up or level.restricted) else 0
        self._ahead += self._bound
        if tests:
            self._bound = 0
        if last:
            self.all_of = "" if tests else members
            self.through = members if single and not self.subset and len(tests) == len(domain) else ""
        self._looped(f"for {variable} in {members}", tests, last)

    def _looped(self, loop: str, tests: list[str], last: bool) -> None:
        if last:
            self.last, self.tests = loop, tests
            self.innermost = loop + "".join(f" if {test}" for test in tests)
            return
        self.lines.append(f"{self.indent}{loop}:")
        self.indent += " "
        if tests:
            self.lines.append(f"{self.indent}if not ({' and '.join(tests)}): continue")

    def _last_before(self, level: Level, before: frozenset[str]) -> int:
        """The place of the last condition that is tested before the first loop, or -1."""
        return max([n for n, c in enumerate(level.conditions) if self._local(c) <= before], default=-1)

    def _tested(self, condition: Expr, exact: bool) -> str:
        """A condition as source. exact: whether it is left untested where one that stands after it does not hold, so
        that it must be one that can't fault."""
        with self._writer.no_speculation(exact):
            return self._writer.condition(condition)

    @property
    def names(self) -> tuple[str, ...]:
        """The names that the loops bind."""
        return tuple(name for level in self._walk.levels for name in level.group.names)

    def no_repeats(self) -> bool:
        """Whether it is certain that no binding is visited twice, because no set is a list. What the loops compute is
        known once they have run; before, it counts as a list."""
        constant = [level.domain({}).members for level in self._walk.levels if level.constant]
        plain = all(isinstance(m, Set | Map) for m in constant) and not any(m.repeats for m in self._sets)
        return plain and not self._repeats

    def in_order(self) -> bool:
        """Whether it is certain that the bindings came in documented order. What the loops compute is known once they
        have run."""
        return self._sorted or not (self._repeats or any(m.repeats for m in self._sets))

    def _local(self, expr: Expr) -> frozenset[str]:
        return free_names(expr) & self._writer.within.names

    def _count(self, size: str) -> None:
        self.lines.append(f"{self.indent}steps += {size}")
        self._writer.space["on"] = going_on(self._writer.within.scope.budget)
        self.lines.append(f"{self.indent}if steps > most_steps or values > most_values: most_steps = on(steps, values)")

    # --- sets ---------------------------------------------------------------------------------------------

    def _members(self, level: Level, last: bool) -> tuple[str, str, Fact]:
        """What a loop goes through, how many members that is, both as source, and what is known of the members."""
        if level.constant:
            found = members_of(level.domain({}).members)
            listed = found if isinstance(found, range) else tuple(found)
            return self._writer.constant(listed), str(len(listed)), self._writer.noted("members", listed, fact_of)
        over = level.group.over
        if isinstance(over, syn.Range):
            return self._range(over)
        if last and isinstance(over, syn.Call) and over.function.id == "subsets" and len(over.args) == 2:
            subsets = self._subsets(level, over)
            if subsets is not None:
                return subsets
        return self._computed(level)

    def _range(self, over: syn.Range) -> tuple[str, str, Fact]:
        (low, one), (high, two) = self._writer.value(over.low), self._writer.value(over.high)
        if not (isinstance(one, WholeNumbers) and isinstance(two, WholeNumbers)):
            raise Unsuitable
        self.lines.append(f"{self.indent}m = range({low}, {high} + 1)")
        return "m", "2 * len(m)", WholeNumbers(one.low, max(two.high, one.low))

    def _subsets(self, level: Level, over: syn.Call) -> tuple[str, str, Fact] | None:
        """`subsets(s, k)`: the combinations of the members of s, from which the sets are made only once."""
        writer = self._writer
        if writer.within.scope.function("subsets") is not None or not isinstance(level.group.pattern, Name):
            return None
        (of, kind), (_, count) = writer.value(over.args[0]), writer.value(over.args[1])
        if (
            not isinstance(kind, Sets)
            or not isinstance(count, WholeNumbers)
            or count.low != count.high
            or count.low < 1
        ):
            return None
        k = count.low
        name = self.subset = level.group.names[0]
        self.made = Subsets()
        writer.bind(name, Sets(), f"{writer.constant(self.made)}[t]")
        writer.space.update(combinations=combinations, count=subsets_of)
        self.lines.append(f"{self.indent}m = {of}.ordered")
        self.lines.append(f"{self.indent}n = count(len(m), {k})")
        self.lines.append(f"{self.indent}values += (n * {k} + len(m)) if n else 0")
        return f"combinations(m, {k})", "2 * n", Sets()

    def _computed(self, level: Level) -> tuple[str, str, Fact]:
        """A set that the closure computes, once for each combination of the names that it uses."""
        writer = self._writer
        names = level.uses
        over = level.group.over
        if isinstance(over, Name) and (facts := self._of_a_set(level, over)):
            self._inside_set = facts
            text = writer.text(over.id)
            self.lines.append(f"{self.indent}m = {text}.{'ordered' if self._ordered else 'parts'}")
            return "m", "len(m)", facts[0]
        written = self._written(level)
        if written is not None:
            return written
        texts = ", ".join(map(writer.text, names))
        computed = Members(level, names)
        self._sets.append(computed)
        told_apart = all(distinguished(writer.facts[name]) for name in names)
        if told_apart:
            sets = writer.constant(computed)
            self.lines.append(f"{self.indent}m = {sets}[{texts}]")
        else:
            made = writer.constant(computed.__missing__)
            self.lines.append(f"{self.indent}m = {made}({texts if len(names) == 1 else f'({texts})'})")
        known = self._all_of(level, computed) if told_apart else []  # the others would be computed again
        if known:
            self._inside_set = known
            return "m", "len(m)", known[0]
        facts = self._speculated(level) if writer.speculates else []
        if not facts:
            return "m", "len(m)", Anything()
        writer.speculate()
        computed.facts = facts
        return "m", "len(m)", facts[0]

    def _all_of(self, level: Level, computed: Members) -> list[Fact]:
        """What holds for the members of all sets of a group, or for the parts of each, if the sets are so few that they
        are all computed; otherwise none."""
        every = self._writer.every(level.uses)
        listed = [] if every is None else list(every)
        if not listed or len(listed) > FEW_SETS:
            return []
        try:
            sets = [computed[values if len(values) > 1 else values[0]] for values in listed]
        except EvalFault:
            return []
        if sum(map(len, sets)) > MOST_PARTS:
            return []
        members = list(chain.from_iterable(sets))
        if isinstance(level.group.pattern, Name):
            return [inside_too(members)] if members else []
        return list(map(fact_of, zip(*members, strict=True))) if members else []

    def _written(self, level: Level) -> tuple[str, str, Fact] | None:
        """A set that can be written as Python. What takes long is made once for the same values."""
        writer, pattern = self._writer, level.group.pattern
        try:
            text, of, different = writer.members(level.group.over, self._ordered)
        except Unsuitable:
            return None
        if not isinstance(pattern, Name):
            if not isinstance(of, PlainValues) or of.parts is None or len(of.parts) != len(pattern.items):
                return None
            self._inside_set = of.parts
        names = level.uses
        variables = list(map(writer.text, names))
        facts = [writer.facts[name] for name in names]
        if all(map(str.isidentifier, variables)) and all(map(distinguished, facts)) and len(text) > SHORT:
            made = MemberTable(len(names))
            kept = writer.constant(made)
            writer.prelude.append(f" {kept}.make = lambda {', '.join(variables)}: {text}")
            text = f"{kept}[{', '.join(variables)}]"
        self.lines.append(f"{self.indent}m = {text}")
        self.lines.append(f"{self.indent}values += len(m)")
        self._repeats = self._repeats or not different
        return "m", "len(m)", of

    def _of_a_set(self, level: Level, over: Name) -> list[Fact]:
        """What holds for the members of sets that a name stands for, or for the parts of each; none where it is not
        known which sets these are."""
        writer = self._writer
        if not isinstance(writer.facts.get(over.id), Sets) or over.id not in writer.within.names:
            return []
        every = writer.combinations((over.id,))
        if every is None:
            return []
        members = list(chain.from_iterable([one.parts for (one,) in every]))
        pattern = level.group.pattern
        if isinstance(pattern, Name):
            return [fact_of(members)] if members else []
        return list(map(fact_of, zip(*members, strict=True))) if members and fits(members, len(pattern.items)) else []

    def _speculated(self, level: Level) -> list[Fact]:
        """What may hold for the members of every such set, or for the parts of each, going by a sample; none if there
        is nothing to go by. Without a sample, members are taken for whole numbers."""
        sample, pattern = self._writer.sample, level.group.pattern
        listed = members_of(level.domain(sample).members) if set(level.uses) <= sample.keys() else ()
        if isinstance(pattern, Name):
            return [widened(fact_of(listed)) if len(listed) else WholeNumbers(-GUESSED, GUESSED)]
        if not len(listed) or not fits(listed, len(pattern.items)):
            return []
        return [widened(fact_of(column)) for column in zip(*listed, strict=True)]

    def _sample(self, level: Level) -> None:
        """Add a member to the sample, if one is known."""
        sample = self._writer.sample
        if set(level.uses) <= sample.keys():
            first = next(iter(members_of(level.domain(sample).members)), None)
            if first is not None and (isinstance(level.group.pattern, Name) or isinstance(first, tuple)):
                level.bind(first, sample)

    def _spread(self, level: Level, fact: Fact) -> Iterator[str]:
        """The variables of a pattern `(r, c)`."""
        pattern, names = level.group.pattern, level.group.names
        if isinstance(pattern, Name) or not all(isinstance(p, Name) for p in pattern.items):
            raise Unsuitable
        found = self._inside_set or (self._sets[-1].facts if not level.constant and self._sets else ())
        if level.constant:
            members = members_of(level.domain({}).members)
            size = len(names)
            own = self._writer.noted(f"{size} parts", members, lambda m: facts_of_parts(m) if fits(m, size) else None)
            if own is None:
                raise Unsuitable
            found = own or [PlainValues()] * size
        facts: Sequence[Fact] = found if len(found) == len(names) else [Anything()] * len(names)
        for name, fact in zip(names, facts, strict=True):
            yield self._writer.bind(name, fact)

    # --- where members are looked for ---------------------------------------------------------------------

    def _is_short(self, level: Level) -> bool:
        return level.constant and len(members_of(level.domain({}).members)) <= FEW

    def _joined(self, level: Level, before: frozenset[str]) -> Joined | None:
        """A table of the members, if that spares going through them."""
        if not level.constant or self.subset:
            return None
        members = members_of(level.domain({}).members)
        if len(members) < FEWEST_JOINED:
            return None
        if self._rounds is not None and self._is_short(level) and len(members) * self._rounds < FEWEST_LOOKED_AT:
            return None
        # What a table leaves out is not looked at, so no fault may depend on that: nothing is worked out later.
        with self._writer.no_speculation(True):
            found = joined(self._writer, level.conditions, before, level.group.names, members, level.bind)
        return None if found is not None and self._ordered and not found.in_order else found

    def _added_together(self, at: int) -> int:
        """How many levels from this one on are gone through by one loop, because a condition on all of them leaves few
        members, which a table has; 0 if there is none."""
        levels, writer = self._walk.levels, self._writer
        if self._ordered or len(levels) - at < FEWEST_TOGETHER or not levels[at].constant:
            return 0
        before = frozenset(writer.facts)
        for condition in self._walk.conditions:
            bound = self._local(condition) - before
            if len(bound) < FEWEST_TOGETHER or not bound & frozenset(levels[at].group.names):
                continue
            last = max((k for k, level in enumerate(levels) if bound & frozenset(level.group.names)), default=at)
            own = levels[at : last + 1]
            if last > at and all(level.constant for level in own) and self._join(own, at, condition, before):
                return len(own)
        return 0

    def _join(self, own: Sequence[Level], at: int, condition: Expr, before: frozenset[str]) -> bool:
        """Add the loop over a table of the members of several levels, if there is one for the condition."""
        writer = self._writer
        sets = [members_of(level.domain({}).members) for level in own]
        if not FEWEST_JOINED <= prod(map(len, sets)) <= MOST_TOGETHER:
            return False

        def bind(member: Any, env: dict[str, Any]) -> None:
            for level, part in zip(own, member, strict=True):
                level.bind(part, env)

        names = tuple(name for level in own for name in level.group.names)
        conditions = [c for level in own for c in level.conditions]
        alone = [c for c in conditions if c is condition or self._local(c) <= frozenset(names)]
        with writer.no_speculation(True):
            found = joined(writer, alone, before, names, list(product(*sets)), bind)
        if found is None:
            return False
        if at == 0:
            self.test = " and ".join(writer.condition(c) for c in conditions if self._local(c) <= before)
        self.lines.append(f"{self.indent}m = {found.text}")
        variables = []
        for level, members in zip(own, sets, strict=True):
            if isinstance(level.group.pattern, Name):
                variables.append(writer.bind(level.group.names[0], writer.noted("members", members, fact_of)))
            else:
                variables.append(f"({', '.join(self._spread(level, Anything()))},)")
        tests = [
            self._tested(c, exact=True)
            for c in conditions
            if c not in found.sure and not (at == 0 and self._local(c) <= before)
        ]
        self._count("len(m)")
        self._looped(f"for {', '.join(variables)} in m", tests, last=own[-1] is self._walk.levels[-1])
        return True

    def _in_order(self, level: Level) -> bool:
        """Whether the members come in the order in which the walk visits those that it looks for."""
        return level.constant and isinstance(level.domain({}).members, Set)

    def _source(self, level: Level, before: frozenset[str], fact: Fact) -> Source | None:
        """What a condition leaves of the members of a group."""
        if not level.constant:
            return None
        name = level.group.names[0]
        members = level.domain({}).members
        listed = self._inside(name, before, members, fact)
        if listed is not None:
            return listed
        if not isinstance(fact, WholeNumbers):
            return self._same(name, before, members) if distinguished(fact) else None
        exact = [v for c in self._walk.conditions for v in self._equals(c, name, before)]
        if exact:
            shortest = min(exact, key=len)
            found = f"({shortest[0]},)" if len(shortest) == 1 else f"sorted({{{', '.join(shortest)}}})"
            return found, str(len(shortest)), None, self._within(members)
        return self._bounds(name, before, members)

    def _within(self, members: Any) -> str:
        """A test that what is put for `{}` is one of the members."""
        if type(members) is Rng:
            return f"{members.low} <= {{}} <= {members.high}"
        return f"{{}} in {self._writer.constant(frozenset(members))}"

    def _inside(self, name: str, before: frozenset[str], members: Any, fact: Fact) -> Source | None:
        """`x in s`: the members of s that are in the domain."""
        if self._ordered or not distinguished(fact):
            return None
        for condition in self._walk.conditions:
            for left, op, right in pairs(condition):
                if op == "in" and isinstance(left, Name) and left.id == name and self._local(right) <= before:
                    text, of = self._writer.value(right)
                    if isinstance(of, Sets) and self._local(right):
                        self.lines.append(f"{self.indent}m = {text}.parts")
                        whole = len(condition.rest) == 1 if isinstance(condition, Compare) else False
                        test = f"{{}} in {self._writer.constant(frozenset(members))}"
                        return "m", "len(m)", condition if whole else None, test
        return None

    def _same(self, name: str, before: frozenset[str], members: Any) -> Source | None:
        """`x = a`, of values that are no numbers: a, if it is in the domain."""
        for condition in self._walk.conditions:
            for left, op, right in pairs(condition):
                for one, other in ((left, right), (right, left)):
                    if op == "=" and isinstance(one, Name) and one.id == name and self._local(other) <= before:
                        text, fact = self._writer.value(other)
                        if (comparable(fact) or isinstance(fact, Lists)) and equated(fact) and distinguished(fact):
                            return f"({text},)", "1", None, self._within(members)
        return None

    def _equals(self, condition: Expr, name: str, before: frozenset[str]) -> Iterator[list[str]]:
        """The values that are left by `x = a`, or by `x = a or x = b + 1`."""
        parts = disjuncts(condition)
        texts = [self._equal(part, name, before) for part in parts]
        if all(texts):
            yield [text for text in texts if text]

    def _equal(self, part: Expr, name: str, before: frozenset[str]) -> str | None:
        for conjunct in conjuncts(part):
            for left, op, right in pairs(conjunct):
                if op == "=":
                    bound = self._linear(left, op, right, name, before)
                    if bound is not None:
                        return bound[1]
        return None

    def _linear(self, left: Expr, op: str, right: Expr, name: str, before: frozenset[str]) -> tuple[str, str] | None:
        """A comparison as `name op text`, where it says that of whole numbers."""
        terms = [*terms_of(left, 1), *terms_of(right, -1)]
        mine = [sign for sign, part in terms if isinstance(part, Name) and part.id == name]
        rest = [(sign, part) for sign, part in terms if not (isinstance(part, Name) and part.id == name)]
        if len(mine) != 1 or not all(self._local(part) <= before for _, part in rest):
            return None
        written = []
        for sign, part in rest:
            text, fact = self._writer.value(part)
            if not (isinstance(fact, WholeNumbers) and fact.small):
                return None
            written.append(f"{'-' if -sign * mine[0] < 0 else '+'} {text}")
        return op if mine[0] > 0 else _MIRRORED[op], f"(0 {' '.join(written)})"

    def _bounds(self, name: str, before: frozenset[str], members: Any) -> Source | None:
        """`i <= r <= i + 1`: a part of a range."""
        if type(members) is not Rng:
            return None
        low, high = [str(members.low)], [str(members.high)]
        for condition in self._walk.conditions:
            for left, op, right in pairs(condition):
                found = self._linear(left, op, right, name, before) if op in _MIRRORED and op != "=" else None
                if found is not None:
                    op, text = found
                    more = {"<": " - 1", ">": " + 1"}.get(op, "")
                    (high if op[0] == "<" else low).append(text + more)
        if len(low) + len(high) == 2:
            return None
        one = low[0] if len(low) == 1 else f"max({', '.join(low)})"
        other = high[0] if len(high) == 1 else f"min({', '.join(high)})"
        self.lines.append(f"{self.indent}m = range({one}, {other} + 1)")
        return "m", "len(m)", None, ""
