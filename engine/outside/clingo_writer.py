"""Single rules for clingo's backend, and numbers of true literals that some ranges allow.

That one of some literals is true is said by one rule, whose atom is true if none of them is: it has a body, where a
rule for each of the literals would have as many bodies as there are literals. Measured, CPU: 5000 such atoms of four
literals each are written in 0.07 s and read by clingo in 0.01, as rules for each literal in 0.11 and 0.03.

Atoms are numbered here: to ask clingo for each takes 2 µs. What some weights must not reach is forbidden by a weight
rule without an atom of its own, and by a clause where only all literals together reach it, or none. Measured, CPU: a
nonogram of 40 by 40 is written in 71 ms instead of 151, a numberlink of 16 by 16 in 92 instead of 162.

What is allowed of at most `SHORT` literals of weight 1 is written as clauses, one for each set of literals that may not
be the true ones. Measured, CPU: seven numberlinks of 10 to 14 squares took 8.2 s with weight rules and 4.7 s so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import combinations, count
from typing import Any

from covr.engine.outside.clingo_calls import held_rules

SHORT = 4  # literals of weight 1, at most, that are written as clauses

Literal = int  # an atom, or minus an atom
Ranges = tuple[tuple[int, int], ...]  # both ends included, increasing


def new_atoms() -> Callable[[], int]:
    """Gives the atoms of one clingo, each once. They are numbers from 1; clingo itself has none where nothing is
    grounded."""
    return count(1).__next__


class RuleWriter:
    """Writes rules. new: a new atom."""

    def __init__(self, backend: Any, new: Callable[[], int]) -> None:
        """new: as of `new_atoms`."""
        self._backend = backend
        self._held: Any = None  # rules that are to be handed over together
        self._rule, self._weights = backend.add_rule, backend.add_weight_rule
        self.new = new
        self._when: list[Literal] = []

    @contextmanager
    def together(self) -> Iterator[None]:
        """What is written within this context is handed over in a few calls, which takes a fifth of the time, if that
        can be done. After an exception some of it is not."""
        self._held = held_rules(self._backend)
        if self._held is None:
            yield
            return
        self._rule, self._weights = self._held.rule, self._held.weights
        try:
            yield
            self._held.hand_over()
        finally:
            self._held = None
            self._rule, self._weights = self._backend.add_rule, self._backend.add_weight_rule

    @contextmanager
    def only_if(self, literals: Sequence[Literal]) -> Iterator[None]:
        """What is forbidden within this context is forbidden where all of these literals are true."""
        before, self._when = self._when, [*self._when, *literals]
        try:
            yield
        finally:
            self._when = before

    def choose(self, atoms: Sequence[int]) -> None:
        """Each of these may be true or not."""
        if atoms:
            self._rule(atoms, [], True)

    def fact(self, atom: int) -> None:
        """The atom is true."""
        self._rule([atom])

    def forbid(self, body: Sequence[Literal]) -> None:
        """Not all of these literals are true."""
        self._rule([], [*self._when, *body])

    def implied(self, head: int, body: Sequence[Literal]) -> None:
        """The atom is true if all of these literals are."""
        self._rule([head], body)

    def one_of(self, literals: Sequence[Literal]) -> Literal:
        """A literal that is true if and only if one of these is."""
        if len(literals) == 1:
            return literals[0]
        none: int = self.new()
        self._rule([none], [-literal for literal in literals])
        return -none

    def one_of_each(self, groups: Sequence[Sequence[int]], atoms: Sequence[int]) -> list[Literal]:
        """For each of these groups of options, a literal that is true if and only if one of them is taken. atoms: per
        option, its atom."""
        if self._held is None or 1 in map(len, groups):
            return [self.one_of([atoms[o] for o in group]) for group in groups]
        none = [self.new() for _ in groups]
        self._held.none_of(none, groups, atoms)
        return [-atom for atom in none]

    def reaching(self, bound: int, weighted: Sequence[tuple[Literal, int]]) -> Literal | None:
        """A literal that is true if and only if the weights of the true literals add up to `bound`; None if they
        always do. Weights are above 0."""
        if bound <= 0:
            return None
        if bound <= min([c for _, c in weighted], default=0):
            return self.one_of([literal for literal, _ in weighted])
        return self._reached(bound, weighted)

    def _reached(self, bound: int, weighted: Sequence[tuple[Literal, int]]) -> int:
        """An atom that is true if and only if the weights of the true literals add up to `bound`."""
        atom = self.new()
        if bound <= sum([c for _, c in weighted]):  # clingo takes no bounds of 32 bits and more
            self._weights([atom], bound, weighted)
        return atom

    def at_least(self, bound: int, weighted: Sequence[tuple[Literal, int]]) -> None:
        """The weights of the true literals, which are above 0, add up to `bound` or more."""
        if bound <= 0:
            return
        if bound <= min([c for _, c in weighted], default=0):
            self.forbid([-literal for literal, _ in weighted])
        else:
            self.forbid([-self._reached(bound, weighted)])

    def at_most(self, bound: int, weighted: Sequence[tuple[Literal, int]]) -> None:
        """The weights of the true literals, which are above 0, add up to `bound` or less."""
        whole = sum([c for _, c in weighted])
        if bound >= whole:
            return
        if bound >= whole - min([c for _, c in weighted]):
            self.forbid([literal for literal, _ in weighted])
        elif bound < 0:
            self.forbid([])
        elif self._when:
            self.forbid([self._reached(bound + 1, weighted)])
        else:
            self._weights([], bound + 1, weighted)

    def many(self, low: int, high: int, literals: Sequence[Literal]) -> None:
        """At least `low` and at most `high` of these literals are true."""
        if low == 1:
            self.forbid([-literal for literal in literals])
        elif low > 1:
            self.at_least(low, [(literal, 1) for literal in literals])
        if high < len(literals):
            self.at_most(high, [(literal, 1) for literal in literals])

    def number(self, literals: Sequence[Literal], ranges: Ranges) -> None:
        """So many of these literals are true as lie in one of the ranges."""
        if len(ranges) == 1 and len(literals) > SHORT:
            self.many(*ranges[0], literals)
        else:
            self.within([(literal, 1) for literal in literals], ranges)

    def within(self, weighted: Sequence[tuple[Literal, int]], ranges: Ranges) -> None:
        """The weights of the true literals, which are not 0, add up to a number in one of the ranges."""
        if len(weighted) <= SHORT and all(c == 1 for _, c in weighted):
            for true, false in _wrong(len(weighted), ranges):
                self.forbid([*(weighted[k][0] for k in true), *(-weighted[k][0] for k in false)])
            return
        below = sum([c for _, c in weighted if c < 0])
        whole = sum([abs(c) for _, c in weighted])
        raised = [(literal, c) if c > 0 else (-literal, -c) for literal, c in weighted] if below else weighted
        # The sum lies in a range if it reaches its beginning and does not reach what follows its end.
        possible = [(low, high) for low, high in ranges if low - below <= whole and high >= below]
        if len(possible) == 1:
            self.at_least(possible[0][0] - below, raised)
            self.at_most(possible[0][1] - below, raised)
            return
        bodies: list[list[Literal]] = []
        for low, high in possible:
            body: list[Literal] = []
            if (least := self.reaching(low - below, raised)) is not None:
                body.append(least)
            if high - below < whole:
                beyond = self.reaching(high + 1 - below, raised)
                assert beyond is not None
                body.append(-beyond)
            bodies.append(body)
        allowed = []
        for body in bodies:
            if not body:
                return
            atom = self.new()
            self.implied(atom, body)
            allowed.append(atom)
        self.forbid([-atom for atom in allowed])


@lru_cache(maxsize=256)
def _wrong(count: int, ranges: Ranges) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """Literals, by number, of which not all of the first are true while all of the second are false."""
    wrong = [not any(low <= held <= high for low, high in ranges) for held in range(count + 1)]
    if all(wrong):
        return (((), ()),)
    first, last = wrong.index(False), count - wrong[::-1].index(False)
    # Where fewer are wrong as well, only those that are false matter, and the other way round.
    found: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
    if first:
        found += [((), false) for false in combinations(range(count), count - first + 1)]
    for held in (h for h in range(first, last) if wrong[h]):
        for true in combinations(range(count), held):
            found.append((true, tuple([k for k in range(count) if k not in true])))
    if last < count:
        found += [(true, ()) for true in combinations(range(count), last + 1)]
    return tuple(found)
