"""Writes a problem as rules for clingo: items and totals as weight rules, connections and loops as reachability.

Every option is an atom that may be chosen. "Hangs together" is said by rules that derive, from a root, what can be
reached from it; a vertex that is met must be derived. Since clingo accepts only what has a foundation, vertices that
hold each other up in a circle, away from the root, are found out (as unfounded sets) while it propagates, and it learns
from them. Clauses alone can say so only as often as an answer in pieces has been met (sat_sides.py).

The root is a vertex that every answer meets, if one is known: a given option stands there, or all options of an item
that must be met do. Otherwise it is the first vertex, in the order of numbers, that is met.

Source: Gebser, Kaminski, Kaufmann and Schaub, "Multi-shot ASP solving with clingo", TPLP 2019, for the interface, which
takes rules as numbers: nothing is written as text or grounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from covr.engine.base.extras import Unsuited
from covr.engine.base.heed import heeded, look
from covr.engine.problem import Problem
from covr.engine.sides import Circuit, Connection, Total

MOST_WEIGHT = 2**31 - 1  # what the coefficients of a total may add up to, signs left out: clingo's numbers have 32 bits

Literal = int  # an atom, or minus an atom
TRUE = 0  # the body without literals stands for what always holds


class Rules:
    """Writes the rules of a problem to clingo's backend. atoms: per option, its atom."""

    def __init__(self, problem: Problem, backend: Any) -> None:
        """Time linear in the length of the options, and of the sides. Raises Unsuited for a total that is too large."""
        self._problem, self._backend = problem, backend
        self.atoms: list[int] = [backend.add_atom() for _ in heeded(range(problem.options))]
        given = set(problem.given)
        free = [self.atoms[o] for o in heeded(range(problem.options)) if o not in given]
        if free:
            backend.add_rule(free, [], True)
        for o in problem.given:
            self._fact(self.atoms[o])
        for i in heeded(range(problem.items), 64):
            self._item(i)
        for side in problem.sides:
            if isinstance(side, Total):
                self._total(side)
            elif isinstance(side, Connection):
                self._connection(side)
            else:
                self._circuit(side)

    def cap(self, most: int, backend: Any = None) -> None:
        """Forbid answers that cost more than `most`. backend: clingo's, if it is no longer the first one. Raises
        Unsuited for costs that are too large."""
        if backend is not None:
            self._backend = backend
        terms = [(o, c) for o, c in enumerate(self._problem.costs) if c]
        lowest = sum(c for _, c in terms if c < 0)
        if most < lowest:
            self._forbid([])
        elif terms:
            self._total(Total(tuple(terms), ((lowest, most),), "the cost of an answer"))

    def minimize(self) -> None:
        """Look for the least cost. Raises Unsuited for costs that are too large."""
        costs = [(self.atoms[o], c) for o, c in enumerate(self._problem.costs) if c]
        if any(abs(c) > MOST_WEIGHT for _, c in costs):
            raise Unsuited("the engine `clingo` holds costs below 2^31")
        self._backend.add_minimize(0, costs)

    # --- single rules ---

    def _fact(self, atom: int) -> None:
        self._backend.add_rule([atom])

    def _forbid(self, body: Sequence[Literal]) -> None:
        """Not all of these literals are true."""
        self._backend.add_rule([], body)

    def _implied(self, head: int, body: Sequence[Literal]) -> None:
        self._backend.add_rule([head], body)

    def _new(self) -> int:
        atom: int = self._backend.add_atom()
        return atom

    def _reaching(self, bound: int, weighted: Sequence[tuple[Literal, int]]) -> Literal | None:
        """A literal that is true if and only if the weights of the true literals add up to `bound`; None if they
        always do."""
        if bound <= 0:
            return None
        atom = self._new()
        self._backend.add_weight_rule([atom], bound, weighted)
        return atom

    def _one_of(self, literals: Iterable[Literal]) -> int:
        """An atom that is true if and only if one of these literals is."""
        own = list(dict.fromkeys(literals))
        if len(own) == 1 and own[0] > 0:
            return own[0]
        atom = self._new()
        for literal in own:
            self._implied(atom, [literal])
        return atom

    # --- items ---

    def _item(self, i: int) -> None:
        problem = self._problem
        plain: list[Literal] = []
        shades: dict[int, list[Literal]] = {}
        for o, colour in problem.column(i):
            if colour:
                shades.setdefault(colour, []).append(self.atoms[o])
            else:
                plain.append(self.atoms[o])
        plain += [self._one_of(users) for users in shades.values()]
        low, high = problem.low[i], problem.high[i]
        if low == 1:
            self._forbid([-atom for atom in plain])
        elif low > len(plain):
            self._forbid([])
        elif low > 1:
            reached = self._reaching(low, [(atom, 1) for atom in plain])
            assert reached is not None
            self._forbid([-reached])
        if high < len(plain):
            reached = self._reaching(high + 1, [(atom, 1) for atom in plain])
            assert reached is not None
            self._forbid([reached])

    # --- sides ---

    def _total(self, total: Total) -> None:
        if sum(abs(c) for _, c in total.terms) > MOST_WEIGHT:
            name = f"the total `{total.name}`" if total.name else "a total"
            raise Unsuited(f"the engine `clingo` can't hold {name}, whose numbers add up to 2^31 or more")
        below = sum(c for _, c in total.terms if c < 0)
        whole = sum(abs(c) for _, c in total.terms)
        weighted = [(self.atoms[o], c) if c > 0 else (-self.atoms[o], -c) for o, c in total.terms]
        # The sum lies in a range if it reaches its beginning and does not reach what follows its end.
        within: list[list[Literal]] = []
        for low, high in total.sums:
            body: list[Literal] = []
            if low - below > whole or high < below:
                continue
            if (least := self._reaching(low - below, weighted)) is not None:
                body.append(least)
            if high - below < whole:
                beyond = self._reaching(high + 1 - below, weighted)
                assert beyond is not None
                body.append(-beyond)
            within.append(body)
        if len(within) == 1:
            for literal in within[0]:
                self._forbid([-literal])
            return
        allowed = []
        for body in within:
            if not body:
                return
            atom = self._new()
            self._implied(atom, body)
            allowed.append(atom)
        self._forbid([-atom for atom in allowed])

    def _connection(self, side: Connection) -> None:
        standing: dict[int, list[int]] = {}
        for o, v in heeded(side.places):
            standing.setdefault(v, []).append(o)
        met = {v: self._one_of(self.atoms[o] for o in options) for v, options in heeded(standing.items())}
        edges = [(u, v, TRUE) for u, v in heeded(side.edges) if u in met and v in met]
        self._reach(met, edges, self._sure(standing))

    def _circuit(self, side: Circuit) -> None:
        lines: dict[int, list[int]] = {}
        for o, u, v in heeded(side.ends):
            for w in {u, v}:
                lines.setdefault(w, []).append(o)
        met = {v: self._one_of(self.atoms[o] for o in options) for v, options in heeded(lines.items())}
        twice = {o for o, u, v in side.ends if u == v}
        for v, options in heeded(lines.items()):
            weighted = [(self.atoms[o], 2 if o in twice else 1) for o in options]
            many = self._reaching(3, weighted)
            both = self._reaching(2, weighted)
            assert many is not None and both is not None
            self._forbid([many])
            self._forbid([met[v], -both])
        self._forbid([-self.atoms[o] for o, _, _ in side.ends])
        edges = [(u, v, self.atoms[o]) for o, u, v in side.ends if u != v]
        self._reach(met, edges, self._sure(lines))

    def _sure(self, standing: Mapping[int, Sequence[int]]) -> int | None:
        """The lowest vertex that every answer meets, as far as given options and single items tell; None if none is
        known. standing: per vertex, the options that meet it."""
        problem = self._problem
        given = set(problem.given)
        for v in sorted(standing):
            own = set(standing[v])
            if not own.isdisjoint(given):
                return v
            look()
            for o in standing[v]:
                for i in problem.option(o):
                    if problem.low[i] and own.issuperset(problem.holders[i]):
                        return v
        return None

    def _reach(self, met: Mapping[int, int], edges: Iterable[tuple[int, int, Literal]], root: int | None) -> None:
        """All vertices that are met can be reached from the root through vertices that are met, along edges whose
        literal is true (or TRUE). met: per vertex, the atom that says so."""
        reached = {v: self._new() for v in met}
        if root is not None:
            self._implied(reached[root], [met[root]])
        else:
            self._first(met, reached)
        for v in heeded(met):
            self._forbid([met[v], -reached[v]])
        for u, v, literal in heeded(edges):
            along = [] if literal == TRUE else [literal]
            self._implied(reached[v], [reached[u], met[v], *along])
            self._implied(reached[u], [reached[v], met[u], *along])

    def _first(self, met: Mapping[int, int], reached: Mapping[int, int]) -> None:
        """The first vertex that is met is the root."""
        before = 0  # the atom that is true if a vertex before this one is met
        for v in heeded(sorted(met)):
            self._implied(reached[v], [met[v], -before] if before else [met[v]])
            now = self._new()
            self._implied(now, [met[v]])
            if before:
                self._implied(now, [before])
            before = now
