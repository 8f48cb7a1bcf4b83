"""A problem as clauses, for a solver that learns: python-sat's CaDiCaL, the optional extra `covr[sat]`.

There is one variable for each option that may be taken. An item with `low` 1 becomes a clause. For an item with `high`
1, at most one of its options may be true; this is written as a clause for every pair if there are few options, and as a
sequential counter if there are many. For other bounds a totalizer counts up to the bound; one that would take more than
`MOST_CLAUSES` clauses is refused. A coloured item has a variable for each colour, which is implied by every option that
shows the colour; at most one of these variables and of the item's uncoloured options may be true. Totals, connections
and loops: see sat_sides.py.

Once an answer is found, a clause excludes it, and all that count as one with it; then the solver continues. So the
answers do not come in the documented order, but in the same order each time. A seed shuffles the variables and clauses,
and the values that the solver tries first. `nodes` counts conflicts and answers.

Sources: Sinz, "Towards an optimal CNF encoding of Boolean cardinality constraints", CP 2005; Bailleux and Boufkhad,
"Efficient CNF encoding of Boolean cardinality constraints", CP 2003; Knuth, TAOCP 7.2.2.2. The totalizer is our own,
because python-sat's is built in one call, which ignores limits and Ctrl-C, and counts beyond the bound.
Not worthwhile on 25×25 sudoku: the product encoding, and making the solver try options as false first.
"""

from __future__ import annotations

import importlib.util
import random
import weakref
from collections import Counter
from collections.abc import Iterable, Sequence
from threading import Thread, current_thread, main_thread
from typing import Any

from attrs import evolve

from covr.engine.base.extras import Unsuited
from covr.engine.base.heed import heeded, look
from covr.engine.base.limits import Limits
from covr.engine.base.status import Counters, Status
from covr.engine.outside.sat_sides import SideClauses
from covr.engine.prepare.residual import take_given
from covr.engine.prepare.shuffle import shuffle
from covr.engine.problem import Problem
from covr.engine.search import NO_LIMITS, Answer, Search
from covr.engine.settings import Settings

SOLVER = "cadical195"  # python-sat's name of CaDiCaL 1.9.5
PAIRS = 6  # variables: for up to this many, "at most one is true" is written as a clause for every pair
CONFLICTS = 2000  # the most conflicts between two checks of the clock
FEWER = 40_000_000  # conflicts times clauses between two checks, at most: with more clauses each conflict takes longer
MOST_CLAUSES = 5_000_000  # clauses that one bound may take
LOADED = 5000  # clauses that are loaded between two checks of the limits
INSTALLED = importlib.util.find_spec("pysat") is not None

Clause = list[int]


def can_encode(problem: Problem) -> bool:
    """Whether bounds above 1 take few enough clauses."""
    return too_wide(problem) is None


def too_wide(problem: Problem) -> tuple[int, int] | None:
    """The number of options and the bound of the first item whose totalizer would be too large; None if there is none.
    A totalizer takes about as many clauses as the product of the two."""
    held = Counter(heeded(problem.members))
    for i, (low, high) in enumerate(heeded(zip(problem.low, problem.high, strict=True))):
        if 1 < low <= held[i] and held[i] * low > MOST_CLAUSES:
            return held[i], low
        if 1 < high < held[i] and held[i] * high > MOST_CLAUSES:
            return held[i], high
    return None


class Clauses:
    """The clauses of a problem. variables: the variable of each live option.  numbers: the options of the variables
    1, 2, …"""

    def __init__(self, problem: Problem, projection: Sequence[int] | None = None) -> None:
        """projection: the options that tell answers apart; None for all. Time linear in the length of the options, plus
        that for bounds above 1."""
        residual = take_given(evolve(problem, sides=()))
        self.clauses: list[Clause] = [] if residual.feasible else [[]]
        self.numbers = [o for o in heeded(range(problem.options)) if residual.live[o]]
        self.top = len(self.numbers)
        holders: list[Clause] = [[] for _ in range(problem.items)]
        shades: list[dict[int, Clause]] = [{} for _ in range(problem.items)]
        for v, o in enumerate(heeded(self.numbers), 1):
            for i, c in zip(problem.option(o), problem.option_colours(o), strict=True):
                if not c:
                    holders[i].append(v)
                elif residual.fixed[i] != c:
                    shades[i].setdefault(c, []).append(v)
        for i in heeded(range(problem.items), 64):
            if shades[i]:
                holders[i] += [self._shade(users) for users in shades[i].values()]
            self._at_least(holders[i], residual.need[i])
            self.at_most(holders[i], residual.room[i])
        self._sides: SideClauses | None = None
        if problem.sides:
            self._sides = SideClauses(problem, {o: v for v, o in enumerate(self.numbers, 1)}, self)
        self._searched = tuple(self.numbers)
        # If every option holds an item that is met exactly once, no answer contains another answer.
        exact = [lo == hi == 1 for lo, hi in heeded(zip(problem.low, problem.high, strict=True))]
        self.blocked_by_taken = projection is None and all(
            any(exact[i] for i in problem.option(o)) for o in heeded(self.numbers)
        )
        telling = None if projection is None else set(projection)
        self.telling = [v for v, o in enumerate(self.numbers, 1) if telling is None or o in telling]

    def block(self, taken: set[int]) -> Clause:
        """The clause that excludes the answer with these variables, and those that count as one with it. Empty if that
        leaves none."""
        if self.blocked_by_taken:
            return [-v for v in sorted(taken)]
        return [-v if v in taken else v for v in self.telling]

    def new(self) -> int:
        """A new variable."""
        self.top += 1
        return self.top

    def add(self, clause: Clause) -> None:
        """Write a clause."""
        self.clauses.append(clause)

    def cuts(self, taken: Iterable[int]) -> list[Clause]:
        """Clauses that an answer keeps and these variables break, though they meet all clauses so far; none if they are
        an answer."""
        return [] if self._sides is None else self._sides.cuts(self._searched[v - 1] for v in taken)

    def _shade(self, users: Clause) -> int:
        shown = self.new()
        self.clauses += [[-v, shown] for v in users]
        return shown

    def _at_least(self, variables: Clause, need: int) -> None:
        if need == 1:
            self.clauses.append(variables.copy())
        elif need > len(variables):
            self.clauses.append([])
        elif need > 1:
            self.clauses.append([self._totals(variables, need, least=True)[need - 1]])

    def at_most(self, variables: Clause, room: int) -> None:
        """Write that at most `room` of these variables are true."""
        n = len(variables)
        if room >= n:
            return
        if room <= 0:
            self.clauses += [[-v] for v in variables]
        elif room > 1:
            self.clauses.append([-self._totals(variables, room + 1, least=False)[room]])
        elif n <= PAIRS:
            self.clauses += [[-v, -w] for k, v in enumerate(variables) for w in variables[:k]]
        else:
            before = 0  # whether one of the variables so far is true
            for v in variables[:-1]:
                now = self.new()
                self.clauses.append([-v, now])
                if before:
                    self.clauses += [[-before, now], [-before, -v]]
                before = now
            self.clauses.append([-before, -variables[-1]])

    def _totals(self, variables: Clause, most: int, *, least: bool) -> Clause:
        """Variables that stand for "at least 1, 2, … `most` of these are true". With `least`, such a variable can be
        true only if so many are; without it, it can be false only if fewer are."""
        layer = [[v] for v in variables]
        while len(layer) > 1:
            odd = layer[-1:] if len(layer) % 2 else []
            pairs = zip(layer[::2], layer[1::2], strict=False)
            layer = [self._sum(a, b, most, least) for a, b in pairs] + odd
        return layer[0]

    def _sum(self, a: Clause, b: Clause, most: int, least: bool) -> Clause:
        """The totals of two sets of variables together, from the totals of each. Clauses: about the product of the two
        numbers."""
        total = [self.new() for _ in range(min(len(a) + len(b), most))]
        if least:  # a total of both is reached only if this total of `a` or that total of `b` is
            self.clauses += [[-t, w] for t, w in zip(total[len(a) :], b, strict=False)]
            self.clauses += [[-t, v] for t, v in zip(total[len(b) :], a, strict=False)]
            for i, v in enumerate(a):
                look()
                self.clauses += [[-t, v, w] for t, w in zip(total[i:], b, strict=False)]
        else:  # if both of these totals are reached, so is their sum
            self.clauses += [[-v, t] for v, t in zip(a, total, strict=False)]
            self.clauses += [[-w, t] for w, t in zip(b, total, strict=False)]
            for i, v in enumerate(a):
                look()
                self.clauses += [[-v, -w, t] for t, w in zip(total[i + 1 :], b, strict=False)]
        return total


class SatSearch(Search):
    """A `Search` for every answer by a SAT solver."""

    def __init__(self, problem: Problem, limits: Limits = NO_LIMITS, settings: Settings | None = None) -> None:
        """Raises ValueError if python-sat is not installed, if there is a ceiling, and if a bound or a total would take
        too many clauses. For the time see `Clauses`."""
        settings = settings or Settings()
        if not INSTALLED:
            raise ValueError("the engine `sat` needs the package python-sat: pip install 'covr[sat]'")
        if settings.ceiling is not None:
            raise ValueError("the engine `sat` knows no costs")
        if (wide := too_wide(problem)) is not None:
            raise Unsuited(
                f"the engine `sat` can't count to {wide[1]} among {wide[0]} options: it would take more than "
                f"{MOST_CLAUSES:,} clauses".replace(",", " ")
            )
        from pysat.solvers import Solver  # type: ignore[import-untyped, import-not-found, unused-ignore]

        super().__init__(problem, "all", limits, settings)
        searched, numbers = (problem, None) if settings.seed is None else shuffle(problem, settings.seed)
        self._encoded = Clauses(searched.by_all(), searched.projection)
        if numbers is not None:
            self._encoded.numbers = [numbers[o] for o in self._encoded.numbers]
        self._impossible = any(not clause for clause in self._encoded.clauses)
        self._solver: Any = Solver(name=SOLVER)
        weakref.finalize(self, self._solver.delete)
        for at in range(0, len(self._encoded.clauses), LOADED):
            self._solver.append_formula([c for c in self._encoded.clauses[at : at + LOADED] if c])
            look()
        if settings.seed is not None:
            rng = random.Random(settings.seed)
            self._solver.set_phases([rng.choice((v, -v)) for v in range(1, len(self._encoded.numbers) + 1)])
        self._calls = self._answers = 0

    @property
    def engine(self) -> str:
        return "SAT (CaDiCaL 1.9.5)"

    @property
    def counters(self) -> Counters:
        stats = self._solver.accum_stats() or {}
        return Counters(self._calls + stats.get("conflicts", 0), stats.get("propagations", 0), self._answers)

    def _advance(self, nodes: int, listing: bool = True) -> None:
        if self._ended():
            return
        try:
            with self.clock:
                self._call(min(nodes, max(FEWER // (len(self._encoded.clauses) + 1), 1), CONFLICTS, self._left()))
                if not listing:
                    self.waiting()
        except BaseException:
            self.status = Status.INTERRUPTED
            raise

    def _only_count(self) -> None:
        """Count the answers by finding every one of them."""

    def _left(self) -> int:
        return CONFLICTS if self.limits.nodes is None else self.limits.nodes - self.counters.nodes

    def _call(self, conflicts: int) -> None:
        if conflicts <= 0:
            self.status = Status.LIMIT
            return
        self._calls += 1
        self._solver.conf_budget(conflicts)
        found = False if self._impossible else self._solved()
        if found is None:
            return
        if not found:
            self.status = Status.EXHAUSTED
            return
        own = len(self._encoded.numbers)
        taken = {v for v in self._solver.get_model() if 0 < v <= own}
        if cuts := self._encoded.cuts(taken):
            self._impossible = any(not cut for cut in cuts)
            for cut in cuts:
                self._solver.add_clause(cut) if cut else None
            return
        barred = self._encoded.block(taken)
        if barred:
            self._solver.add_clause(barred)
        self._impossible = not barred
        self._answers += 1
        self._keep(tuple(sorted([*(self._encoded.numbers[v - 1] for v in taken), *self.problem.given])))
        if self._answers == self.limits.answers:
            self.status = Status.SOLVED

    def _solved(self) -> bool | None:
        """Whether there is an answer; None if the budget of conflicts was not enough.

        In the main thread, python-sat would handle Ctrl-C itself and leave the solver unusable, so it is called in
        another thread.
        """
        if current_thread() is not main_thread():
            return self._solver.solve_limited(expect_interrupt=True)  # type: ignore[no-any-return]
        said: list[bool | None] = []
        thread = Thread(target=lambda: said.append(self._solver.solve_limited(expect_interrupt=True)), daemon=True)
        thread.start()
        thread.join()
        return said[0]

    def bar(self, answer: Answer) -> None:
        """Exclude this answer from what is still to be found."""
        place = {o: v for v, o in enumerate(self._encoded.numbers, 1)}
        clause = self._encoded.block({place[o] for o in answer if o in place})
        if clause:
            self._solver.add_clause(clause)
        else:
            self._impossible = True


def start(problem: Problem, goal: str, limits: Limits, settings: Settings) -> SatSearch:
    """As an `Approach` (plan.py)."""
    return SatSearch(problem, limits, settings)
