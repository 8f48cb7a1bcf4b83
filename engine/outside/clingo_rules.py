"""A problem as rules for clingo: items, totals, and a ceiling of costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import combinations
from math import comb, gcd
from typing import Any

from covr.engine.base.alone import Unsuited
from covr.engine.base.limits import with_limit_checks
from covr.engine.outside.clingo_graphs import Graphs
from covr.engine.outside.clingo_shares import MOST_WEIGHT, Literal, Ranges, RuleWriter, Shared, Sums, rows, shared
from covr.engine.problem import Circuit, Connection, Forest, Problem, Side, Total, gathered
from covr.frozen import frozen

# --- clingo sets -----------------------------------------------------------------------------------------------------
# Totals of different numbers, by the sets of numbers that may be the taken ones.
#
# Where a total adds up one option of each of some items, and no two with the same coefficient, as many coefficients as
# there are items are taken. Each set of so many is an atom, and so is each sum. Then a number that is in no set with
# the right sum is out at once, and what two sets have in common is known, where a weight rule only looks at the least
# and the greatest sum.
#
# Source: the way in which people solve kakuros.


MANY_SETS = 300  # sets of numbers, from which on a total is written as a weight rule

Terms = tuple[tuple[int, int], ...]


class NumberSets:
    """Writes totals of different numbers. atoms: per option of the problem, its atom."""

    def __init__(self, problem: Problem, atoms: Sequence[int]) -> None:
        self._problem, self._atoms = problem, atoms
        self._known: dict[Terms, dict[int, Literal] | None] = {}

    def sums(self, total: Total, write: RuleWriter) -> dict[int, Literal] | None:
        """For each sum that different numbers have, a literal that is true if and only if it is theirs; None if the
        numbers of this total may be alike, or if their sets are too many. To be called where nothing is written under
        conditions."""
        if total.terms not in self._known:
            self._known[total.terms] = self._written(total.terms, write)
        return self._known[total.terms]

    @staticmethod
    def within(sums: Mapping[int, Literal], ranges: Ranges, write: RuleWriter) -> None:
        """Forbid, under the conditions of `write`, the sums that lie in none of the ranges. sums: as of `sums`."""
        for whole, literal in sums.items():
            if not any(low <= whole <= high for low, high in ranges):
                write.forbid([literal])

    def _written(self, terms: Terms, write: RuleWriter) -> dict[int, Literal] | None:
        numbers: dict[int, list[int]] = {}
        for o, number in terms:
            numbers.setdefault(number, []).append(o)
        taken = self._taken([o for o, _ in terms])
        if taken is None or comb(len(numbers), taken) > MANY_SETS or not all(map(self._once, numbers.values())):
            return None
        met = {number: write.one_of([self._atoms[o] for o in options]) for number, options in numbers.items()}
        write.many(taken, taken, [*met.values()])
        holding: dict[int, list[int]] = {number: [] for number in numbers}
        making: dict[int, list[Literal]] = {}
        for chosen in combinations(sorted(numbers), taken):
            atom = write.new()
            write.implied(atom, [met[number] for number in chosen])
            making.setdefault(sum(chosen), []).append(atom)
            for number in chosen:
                holding[number].append(atom)
        for number, sets in holding.items():
            write.forbid([met[number], *(-atom for atom in sets)])
        return {whole: write.one_of(sets) for whole, sets in sorted(making.items())}

    def _taken(self, options: Sequence[int]) -> int | None:
        """How many of these are taken, if they are the options of some items met exactly once, and no two of them hold
        the same; None otherwise."""
        problem, own = self._problem, set(options)
        seen: set[int] = set()
        items = 0
        if problem.colours:
            return None
        for o in options:
            if o in seen:
                continue
            for i in problem.option(o):
                holders = problem.holders[i]
                if problem.low[i] == problem.high[i] == 1 and own.issuperset(holders) and seen.isdisjoint(holders):
                    seen.update(holders)
                    items += 1
                    break
            else:
                return None
        return items

    def _once(self, options: Sequence[int]) -> bool:
        """Whether no two of these are taken together, as an item says."""
        problem = self._problem
        shared = set(problem.option(options[0])).intersection(*map(problem.option, options[1:]))
        return len(options) == 1 or any(problem.high[i] <= 1 for i in shared)


# --- clingo rules ----------------------------------------------------------------------------------------------------
# Writes a problem as rules for clingo: items and totals as weight rules, connections, loops and areas as graphs
# (clingo_graphs.py), what is shared out by single literals (clingo_shares.py), and windows of a row by the sums of its
# places (clingo_shares.py).
#
# Every option is an atom that may be chosen.
#
# Source: Gebser, Kaminski, Kaufmann and Schaub, "Multi-shot ASP solving with clingo", TPLP 2019, for the interface,
# which takes rules as numbers: nothing is written as text or grounded. To write the rules to a file and load that
# (`load_aspif`) takes as long.


class Rules:
    """Writes the rules of a problem to clingo's backend. atoms: per option, its atom."""

    def __init__(self, problem: Problem, control: Any, backend: Any, new: Callable[[], int]) -> None:
        """control: the clingo that the backend is of.  new: as of `new_atoms`. Time linear in the length of the
        options, and of the sides. Raises Unsuited for a total that is too large.
        """
        self._problem, self._backend = problem, backend
        self._write = write = RuleWriter(backend, new)
        self.atoms: list[int] = [new() for _ in with_limit_checks(range(problem.options))]
        self._graphs = Graphs(problem, control, write, self.atoms)
        self._told: dict[int, Literal] = {}  # by the number of a share, whether it is taken
        self._whole: set[int] = set()  # the identities of totals about which all is said
        with write.together():
            self._all()

    def _all(self) -> None:
        """Everything about the problem."""
        problem, write = self._problem, self._write
        given = set(problem.given)
        write.choose([self.atoms[o] for o in with_limit_checks(range(problem.options)) if o not in given])
        for o in problem.given:
            write.fact(self.atoms[o])
        items = set()
        for one in shared(problem):
            self._shared(one, self._graphs)
            if one.item is not None:
                items.add(one.item)
        for row in rows(problem):
            if items.isdisjoint(row.items):
                Sums(write, row, self.atoms)
                items.update(row.items)
        for i in with_limit_checks(range(problem.items), 64):
            if i not in items:
                self._item(i)
        for side in gathered([side for side in problem.sides if id(side) not in self._whole]):
            self.side(side)

    @classmethod
    def more(cls, problem: Problem, control: Any, backend: Any, new: Callable[[], int], atoms: list[int]) -> Rules:
        """Writes more rules about options whose atoms there are, none of a problem. problem: whose options they are."""
        self = cls.__new__(cls)
        self._problem, self._backend, self.atoms = problem, backend, atoms
        self._write = RuleWriter(backend, new)
        self._graphs = Graphs(problem, control, self._write, atoms)
        self._told, self._whole = {}, set()
        return self

    def side(self, side: Side) -> None:
        """A side condition. Raises Unsuited for a total that is too large."""
        if isinstance(side, Total):
            self._total(side)
        elif isinstance(side, Connection):
            self._graphs.connection(side)
        elif isinstance(side, Forest):
            self._graphs.forest(side)
        elif isinstance(side, Circuit):
            self._graphs.circuit(side)
        else:
            self._graphs.areas(side)

    def untaken(self, option: int) -> None:
        """This option is not taken."""
        self._write.forbid([self.atoms[option]])

    @contextmanager
    def only_if(self, literals: Sequence[Literal]) -> Iterator[None]:
        """What is written within this context holds where all of these literals are true."""
        with self._write.only_if(literals):
            yield

    def cap(self, most: int) -> None:
        """Forbid answers that cost more than `most`. Raises Unsuited for costs that are too large."""
        terms = [(o, c) for o, c in enumerate(self._problem.costs) if c]
        lowest = sum(c for _, c in terms if c < 0)
        if most < lowest:
            self._write.forbid([])
        elif terms:
            self._total(Total(tuple(terms), ((lowest, most),), "the cost of an answer"))

    def at_most(self, backend: Any, terms: Sequence[tuple[int, int]], most: int) -> None:
        """The coefficients of the taken options come to no more than `most`. backend: what may be written to now."""
        write = RuleWriter(backend, self._write.new)
        lowest = sum([c for _, c in terms if c < 0])
        if most < lowest:
            write.forbid([])
        else:
            write.within([(self.atoms[o], c) for o, c in terms], ((lowest, most),))

    def minimize(self) -> int:
        """Look for the least cost. Returns what clingo's costs, none of which is below 0, are counted from. Raises
        Unsuited for costs that are too large."""
        costs = [(o, c) for o, c in enumerate(self._problem.costs) if c]
        if any(abs(c) > MOST_WEIGHT for _, c in costs):
            raise Unsuited("the engine `clingo` holds costs below 2^31")
        self._backend.add_minimize(0, [(self.atoms[o], c) if c > 0 else (-self.atoms[o], -c) for o, c in costs])
        return sum(c for _, c in costs if c < 0)

    def _item(self, i: int) -> None:
        problem = self._problem
        low, high = problem.low[i], problem.high[i]
        if problem.colours:
            self.item(low, high, problem.column(i))
        else:
            atoms = self.atoms
            self._write.many(low, high, [atoms[o] for o in problem.holders[i]])

    def item(self, low: int, high: int, column: Iterable[tuple[int, int]]) -> None:
        """An item with these bounds. column: its options, each with its colour."""
        plain: list[Literal] = []
        shades: dict[int, list[Literal]] = {}
        for o, colour in column:
            if colour:
                shades.setdefault(colour, []).append(self.atoms[o])
            else:
                plain.append(self.atoms[o])
        plain += [self._write.one_of(users) for users in shades.values()]
        self._write.many(low, high, plain)

    def _total(self, total: Total) -> None:
        if sum([abs(c) for _, c in total.terms]) > MOST_WEIGHT:
            name = f"the total `{total.name}`" if total.name else "a total"
            raise Unsuited(f"the engine `clingo` can't hold {name}, whose numbers add up to 2^31 or more")
        atoms = self.atoms
        self._write.within([(atoms[o], c) for o, c in total.terms], total.sums)

    def _shared(self, one: Shared, graphs: Graphs) -> None:
        """Say of each share whether it is taken, and how many of them are."""
        write, known = self._write, self._told
        new = [share for share in one.shares if share[0] not in known]
        literals = write.one_of_each([share[3] for share in new], self.atoms)
        known.update(zip([share[0] for share in new], literals, strict=True))
        if one.side is not None:
            self._whole.update([id(share[2]) for share in one.shares])
        write.number([known[share[0]] for share in one.shares], one.ranges)
        if one.total is not None:
            self._whole.add(id(one.total))
        if one.side is not None:
            met = graphs.met(one.side)
            wanted = [(n * one.times, n * one.times) for low, high in one.ranges for n in range(low, high + 1)]
            write.number([met[v] for v in one.places], tuple(wanted))


# --- clingo ceiling --------------------------------------------------------------------------------------------------
# What a ceiling of the costs says together with totals that have one value.
#
# If as many white queens as black ones are wanted, and more than 14 in all, then there are 8 white ones at least, and 8
# black ones. A solver that learns from either condition alone does not see that: the cost and such a total are added
# up, or subtracted, so that many options no longer count, and what is left is divided by what divides all coefficients.
#
# Source: Gomory's cutting planes; Chvátal, "Edmonds polytopes and a hierarchy of combinatorial problems", Discrete
# Mathematics 4, 1973.


TRIED = 2  # multiples of a total
MOST_SUMS = 20  # sums of a total that are looked for


@frozen
class CostSum:
    """A sum of options that is low where an answer is cheap. terms: options, each with its coefficient.
    shift, divisor: where an answer costs no more than c, the sum is at most (c + shift) / divisor."""

    terms: tuple[tuple[int, int], ...]
    shift: int
    divisor: int

    def most(self, ceiling: int) -> int:
        """The most that the sum comes to in an answer that costs no more than `ceiling`."""
        return (ceiling + self.shift) // self.divisor


def cost_sums(problem: Problem) -> list[CostSum]:
    """Sums of few options that costs and totals give. Time linear in the options for each total that has one value."""
    found: dict[CostSum, None] = {}
    if any(problem.costs):
        for side in with_limit_checks(problem.sides):
            if isinstance(side, Total) and side.exact is not None:
                found |= dict.fromkeys(_of(problem, side, side.exact))
                if len(found) >= MOST_SUMS:
                    break
    return list(found)[:MOST_SUMS]


def _of(problem: Problem, total: Total, value: int) -> Iterator[CostSum]:
    costs = problem.costs
    paid = sum(map(bool, costs))
    multiples = Counter([-costs[o] // c for o, c in total.terms if costs[o] and costs[o] % c == 0])
    for times, _ in sorted(multiples.items(), key=lambda pair: (-pair[1], pair[0]))[:TRIED]:
        added = dict(total.terms)
        sums = [(o, cost + times * added.get(o, 0)) for o, cost in enumerate(costs)]
        terms = tuple([(o, c) for o, c in sums if c])
        if terms and 4 * len(terms) <= 3 * paid and sum([abs(c) for _, c in terms]) <= MOST_WEIGHT:
            divisor = gcd(*[c for _, c in terms])
            yield CostSum(tuple([(o, c // divisor) for o, c in terms]), times * value, divisor)
