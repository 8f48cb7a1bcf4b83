"""Writes a problem as rules for clingo: items and totals as weight rules, connections and loops as reachability
(clingo_graphs.py), what is shared out by single literals (clingo_shares.py), and windows of a row by the sums of its
places (clingo_windows.py).

Every option is an atom that may be chosen.

Source: Gebser, Kaminski, Kaufmann and Schaub, "Multi-shot ASP solving with clingo", TPLP 2019, for the interface, which
takes rules as numbers: nothing is written as text or grounded. To write the rules to a file and load that
(`load_aspif`) takes as long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from covr.engine.base.extras import Unsuited
from covr.engine.base.heed import heeded
from covr.engine.outside.clingo_graphs import Graphs
from covr.engine.outside.clingo_shares import Shared, shared
from covr.engine.outside.clingo_windows import Sums, rows
from covr.engine.outside.clingo_writer import Literal, RuleWriter
from covr.engine.problem import Problem
from covr.engine.sides import Connection, Side, Total

MOST_WEIGHT = 2**31 - 1  # what the coefficients of a total may add up to, signs left out: clingo's numbers have 32 bits


class Rules:
    """Writes the rules of a problem to clingo's backend. atoms: per option, its atom."""

    def __init__(self, problem: Problem, backend: Any, new: Callable[[], int]) -> None:
        """new: as of `new_atoms`. Time linear in the length of the options, and of the sides. Raises Unsuited for a
        total that is too large.
        """
        self._problem, self._backend = problem, backend
        self._write = write = RuleWriter(backend, new)
        self.atoms: list[int] = [new() for _ in heeded(range(problem.options))]
        self._graphs = Graphs(problem, write, self.atoms)
        self._told: dict[int, Literal] = {}  # by the number of a share, whether it is taken
        self._whole: set[int] = set()  # the identities of totals about which all is said
        with write.together():
            self._all()

    def _all(self) -> None:
        """Everything about the problem."""
        problem, write = self._problem, self._write
        given = set(problem.given)
        write.choose([self.atoms[o] for o in heeded(range(problem.options)) if o not in given])
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
        for i in heeded(range(problem.items), 64):
            if i not in items:
                self._item(i)
        for side in problem.sides:
            if id(side) not in self._whole:
                self.side(side)

    @classmethod
    def more(cls, problem: Problem, backend: Any, new: Callable[[], int], atoms: list[int]) -> Rules:
        """Writes more rules about options whose atoms there are, none of a problem. problem: whose options they are."""
        self = cls.__new__(cls)
        self._problem, self._backend, self.atoms = problem, backend, atoms
        self._write = RuleWriter(backend, new)
        self._graphs = Graphs(problem, self._write, atoms)
        self._told, self._whole = {}, set()
        return self

    def side(self, side: Side) -> None:
        """A side condition. Raises Unsuited for a total that is too large."""
        if isinstance(side, Total):
            self._total(side)
        elif isinstance(side, Connection):
            self._graphs.connection(side)
        else:
            self._graphs.circuit(side)

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
