"""Searches by clingo, alone or in turns with other methods."""

from __future__ import annotations

import importlib.util
import sys
import weakref
from array import array
from collections.abc import Callable, Sequence
from functools import cached_property
from random import Random
from typing import Any

from covr.engine.base.alone import ONE_THREAD, Unsuited, wanted
from covr.engine.base.limits import (
    BRIEF,
    ENDLESS,
    LOOK,
    Counters,
    LimitReached,
    Limits,
    Status,
    check_limits,
    due,
    with_limit_checks,
)
from covr.engine.check import cost
from covr.engine.kernels.header import FOUND, SLICE
from covr.engine.outside.clingo_rules import CostSum, Rules, cost_sums
from covr.engine.outside.clingo_shares import new_atoms, true_atoms
from covr.engine.prepare.frontier import shuffle
from covr.engine.problem import Problem, Total, options_of, with_areas
from covr.engine.search import NO_LIMITS, Answer, Search, SearchKernel
from covr.engine.settings import Settings
from covr.engine.turns import ENTRY, Method

# --- clingo ----------------------------------------------------------------------------------------------------------
# Searches by clingo, which propagates and learns under connections and loops.
#
# It is installed with covr wherever there are wheels of it, and loaded for the first question that needs it: that takes
# 0.04 s (CPU), which is why no other module imports it. Where it is missing, everything is answered without it.
#
# The problem is handed over as rules (clingo_rules.py); what is chosen in a stable model is an answer. One call of
# clingo finds answers one after another until none is left, or until it has met as many conflicts as it may. Then rules
# exclude the answers found so far, and all that count as one with them, and the next call goes on with what was
# learned. So the answers do not come in the documented order, but in the same order each time. A seed shuffles options
# and items, and is clingo's own seed, too. `nodes` counts conflicts, calls and answers. No answer depends on time; only
# limits of time do.
#
# For a minimum, clingo proves bounds from below by unsatisfiable cores. Before each call it is told the most that an
# answer may cost, so that each answer is cheaper than those before; its cores are lost at the end of a call, so that
# each call may meet as many conflicts as all before, however few nodes are asked for. The bound that a call has proved
# holds for all answers that cost no more than it was told. Where such a ceiling and totals give other sums
# (clingo_rules.py), these are told as well, and every second call, four times as long, looks for cheaper answers
# instead of cores. Where costs are spread, the dear ones come first (stratification). Otherwise a core takes no more
# than its smallest cost from each, and that may be a millionth of the others: nine options with costs of up to 10⁶ and
# a total were not over after eight minutes, without a single conflict, so that no limit of nodes ended them, and now
# take 2 ms. Where costs are 1 to 12, it takes half as long again (a network of 7 by 7).
#
# Source: Gebser, Kaufmann and Schaub, "Conflict-driven answer set solving: from theory to practice", Artificial
# Intelligence 187, 2012; Andres, Kaufmann, Matheis and Schaub, "Unsatisfiability-based optimization in clasp", ICLP
# 2012.


CORES = "usc,oll"  # clingo's strategy that proves bounds
STRATA = ",stratify"  # what it is told more where costs differ: the large ones first
SEEDS = 2**31  # clingo's seeds are below this
# What areas say (kernels/graphs) is no conflict: if each of their clauses counted as one when clingo chooses what to
# decide next, most of its choices would lie where areas say much, and not where they contradict.
CONFLICTS_ONLY = "--score-other=no"
INSTALLED = importlib.util.find_spec("clingo") is not None


def control_of(arguments: list[str]) -> Any:
    """A clingo of its own, which writes nothing on the terminal. Raises Unsuited if it is not installed."""
    module = wanted("clingo", "clingo", "the engine `clingo`")
    return module.Control([*arguments, "--warn=none"], logger=lambda *_: None)


def spent(control: Any, what: str) -> int:
    """How many `conflicts`, or `choices`, the last call of clingo took."""
    return int(control.statistics["solving"]["solvers"][what])


class ClingoSearch(Search):
    """A `Search` by clingo, for every answer or for a minimum.

    called: how many conflicts a call may meet, whatever number of nodes is asked for; None: as many as are asked for.
    Where pauses fall depends on the speed of the machine, and a call that ends at a pause would find other answers than
    one that goes on."""

    def __init__(
        self, problem: Problem, goal: str = "all", limits: Limits = NO_LIMITS, settings: Settings | None = None
    ) -> None:
        """Raises Unsuited if clingo is not installed, and if a total or a cost is too large for it. For the time see
        `Rules`."""
        settings = settings or Settings()
        super().__init__(problem, goal, limits, settings)
        self._sums: list[CostSum] = []  # that are told each ceiling
        self._told: int | None = None  # the last ceiling that they were told
        searched, numbers = (problem, None) if settings.seed is None else shuffle(problem, settings.seed)
        self._numbers = range(problem.options) if numbers is None else numbers
        telling = None if goal == "minimum" else searched.projection
        self._control = control_of(self._arguments(telling is not None))
        with self._control.backend() as backend:
            rules = Rules(searched, self._control, backend, new_atoms())
            self._base = 0
            if goal == "minimum":
                self._base = rules.minimize()
                self._sums = cost_sums(searched)
            elif settings.ceiling is not None:
                rules.cap(settings.ceiling)
            if telling is not None:
                backend.add_project([rules.atoms[o] for o in telling])
        self._most = settings.ceiling if goal == "minimum" else None  # that an answer may cost
        self._rules, self._atoms = rules, rules.atoms
        self._read = array("i", rules.atoms)
        self._telling = range(problem.options) if telling is None else telling
        # If every option holds an item that is met exactly once, no answer contains another answer.
        exact = [lo == hi == 1 for lo, hi in with_limit_checks(zip(searched.low, searched.high, strict=True))]
        self._blocked_by_taken = telling is None and all(
            any(exact[i] for i in searched.option(o)) for o in with_limit_checks(range(searched.options))
        )
        self._handle: SolveCall | None = None
        self._fresh: list[list[int]] = []  # the atoms of the answers that the present call has found
        self.called: int | None = None
        self._calls = self._answers = 0
        self._conflicts = self._choices = 0  # of the calls that have ended
        self._proved: int | None = None  # a bound for all answers

    def _arguments(self, projects: bool) -> list[str]:
        chosen = ["0", *([CONFLICTS_ONLY] if with_areas(self.problem.sides) else [])]
        if self.settings.seed is not None:
            chosen += [f"--seed={self.settings.seed % SEEDS}", "--sign-def=rnd"]
        if projects:
            chosen.append("--project=project")
        if self.goal == "minimum":
            chosen.append(f"--opt-strategy={self._cores}")
        return chosen

    @cached_property
    def _cores(self) -> str:
        """The strategy that proves bounds of this problem."""
        return CORES + (STRATA if len({abs(c) for c in self.problem.costs}) > 1 else "")

    @property
    def engine(self) -> str:
        return "clingo"

    @property
    def counters(self) -> Counters:
        return Counters(self._calls + self._answers + self._conflicts, self._choices, self._answers)

    def _root_bound(self) -> int | None:
        return self._proved

    def halt(self) -> None:
        self._end()

    def _only_count(self) -> None:
        """Count the answers by finding every one of them."""

    def _lower(self, cost: int) -> None:
        if self._most is None or cost < self._most:
            self._end()
            self._most = cost

    def bar(self, answer: Answer) -> None:
        """Exclude this answer, and those that count as one with it, from what is still to be found."""
        self._end()
        taken = set(answer)
        self._exclude([[a for a, o in zip(self._atoms, self._numbers, strict=True) if o in taken]])

    def _advance(self, nodes: int, listing: bool = True) -> None:
        if self._ended():
            return
        try:
            with self.clock:
                self._go_on(nodes)
                if not listing:
                    self.waiting()
        except LimitReached:  # by whoever gives it turns; nothing is lost, and it may go on
            raise
        except BaseException:
            self.status = Status.INTERRUPTED
            self._end()
            raise

    def _go_on(self, nodes: int) -> None:
        """Search until the next answer, or the end of the call."""
        if self._handle is None:
            left = ENDLESS if self.limits.nodes is None else self.limits.nodes - self.counters.nodes
            if left <= 0:
                self.status = Status.LIMIT
                return
            if self._most is not None and self._most < self._base:
                self.status = Status.EXHAUSTED
                return
            many = nodes if self.called is None else self.called
            if self.goal == "minimum":  # its cores are lost at the end of a call, so short ones alone would never end
                many = max(many, self.counters.nodes)
            self._begin(min(many, left))
        assert self._handle is not None
        call = self._handle.call
        call.resume()
        while not call.wait(LOOK):
            if self._ended():
                return
            if due():
                self._end()
                check_limits()
        model = call.model()
        if model is not None:
            self._found_one(model)
            return
        exhausted = bool(call.get().exhausted)
        self._end()
        if exhausted:
            self.status = Status.EXHAUSTED

    def _begin(self, conflicts: int) -> None:
        self._calls += 1
        if self._sums:
            conflicts = min(conflicts, self._by_turns())
        solve = self._control.configuration.solve
        solve.solve_limit = "umax,umax" if conflicts >= ENDLESS // 2 else f"{conflicts},umax"
        if self.goal == "minimum":
            solve.opt_mode = "opt" if self._most is None else f"opt,{self._most - self._base}"
        self._handle = SolveCall(self._control.solve(yield_=True, async_=True))
        weakref.finalize(self, self._handle.close)

    def _by_turns(self) -> int:
        """Tell the sums of costs what an answer may cost, and have this call look for cores, or for a cheaper answer.
        Returns how many conflicts it may take."""
        if self._most is not None and self._most != self._told:
            self._told = self._most
            with self._control.backend() as backend:
                for one in self._sums:
                    self._rules.at_most(backend, one.terms, one.most(self._most))
        cores = self._calls % 2 == 0
        self._control.configuration.solver.opt_strategy = self._cores if cores else "bb"
        longer = CALLED << min(self._calls // 2, 40)
        return longer if cores else 4 * longer

    def _found_one(self, model: Any) -> None:
        places = true_atoms(model, self._read)
        taken = [self._atoms[k] for k in places]
        if self.goal == "all":
            self._fresh.append(taken)
        self._answers += 1
        answer = tuple(sorted([self._numbers[k] for k in places]))
        self._keep(answer)
        if self.goal == "minimum":
            self._most = cost(self.problem, answer) - 1  # in this call, clingo sees to that itself
            if self._sums:
                self._end()
        if self._answers == self.limits.answers:
            self._end()
            self.status = Status.SOLVED

    def _end(self) -> None:
        """End the call, if there is one, and exclude what it has found."""
        if self._handle is None:
            return
        self._handle.close()
        self._handle = None
        self._conflicts += spent(self._control, "conflicts")
        self._choices += spent(self._control, "choices")
        if self.goal == "minimum":
            self._take_bound()
        self._exclude(self._fresh)
        self._fresh = []

    def _take_bound(self) -> None:
        """Take the bound that the last call has proved. clingo knew of no answers that cost more than `_most`, so it
        may have proved no more than that these are all that there are."""
        lower = self._control.statistics["summary"].get("lower", None) if any(self.problem.costs) else None
        if not lower:
            return
        bound = int(lower[0]) + self._base
        if self._most is not None:
            bound = min(bound, self._most + 1)
        self._proved = bound if self._proved is None else max(bound, self._proved)

    def _exclude(self, found: list[list[int]]) -> None:
        if not found:
            return
        with self._control.backend() as backend:
            for taken in found:
                if self._blocked_by_taken:
                    backend.add_rule([], taken)
                else:
                    own = set(taken)
                    told = [self._atoms[o] for o in self._telling]
                    backend.add_rule([], [atom if atom in own else -atom for atom in told])


class SolveCall:
    """A call of clingo that can be ended once, from wherever."""

    def __init__(self, call: Any) -> None:
        self.call = call
        self._open = True

    def close(self) -> None:
        """End it; nothing happens the second time."""
        if self._open:
            self._open = False
            self.call.cancel()
            self.call.__exit__(None, None, None)


# --- clingo turns ----------------------------------------------------------------------------------------------------
# clingo beside other methods that look for the cheapest answer (minimum/mixed.py).
#
# It proves bounds by unsatisfiable cores, which are lost at the end of a call; only what it has learned is kept. So
# each call is as long as all before. Calls count conflicts, never seconds.
#

CALLED = 2000  # conflicts of the first call
CONFLICT = 20_000  # work of a conflict, in nanoseconds
PASSED = 1  # work of an entry of the problem, or of a clause, in each conflict, in nanoseconds: 170 000 take 150 µs


class Learner:
    """clingo as a method that is made when its first turn comes. able: whether it can hold the problem; true until that
    is tried.  problem: what it will be given; another one that has the same minimum may take its place before."""

    def __init__(self, problem: Problem, whole: Callable[[Sequence[int]], tuple[int, ...]]) -> None:
        """whole: turns options of the problem, apart from those given, into an answer in the caller's numbers."""
        self.able = True
        self.problem, self._whole = problem, whole
        self._search: ClingoSearch | None = None
        self._method: Method | None = None

    def method(self) -> Method | None:
        """The method; None if clingo is not installed, or can't hold the costs or a total."""
        if self._method is None and self.able:
            try:
                search = self._search = ClingoSearch(self.problem, "minimum")
            except Unsuited:
                self.able = False
                return None
            kernel, given = SearchKernel(search), frozenset(self.problem.given)
            entries = len(self.problem.members) + sum([len(options_of(side)) for side in self.problem.sides])

            def calls() -> int:
                search.called = self._called()
                return search.called

            self._method = Method(
                "clingo", kernel, kernel.run, lambda: self._whole([o for o in kernel.whole() if o not in given]),
                lambda: search.bound, lower=search.lower_ceiling, node=CONFLICT + PASSED * entries,
                slice=calls,
            )  # fmt: skip
        return self._method

    def improver(self, known: Callable[[], Sequence[int]]) -> Improver:
        """What improves answers of the same problem; see there."""
        return Improver(self.problem, known, self._whole)

    def stop(self) -> None:
        """End the call, if there is one."""
        if self._search is not None:
            self._search.halt()

    def _called(self) -> int:
        """The conflicts of the next call."""
        return CALLED if self._search is None else max(CALLED, self._search.counters.nodes)


# --- clingo improves -------------------------------------------------------------------------------------------------
# Large neighbourhoods: a part of the best answer is forgotten, and clingo looks for a better one that keeps the rest.
#
# A part is some options that hang together by items and totals, from one on whose cost something may be saved, with all
# those of which exactly one is taken, and the options with costs next to them. What clingo has learned stays, whatever
# part it was learned in. Answers that cost the same are taken over as well, so that the search moves on. Parts become
# larger after calls that come to their end, and smaller after those that do not.
#
# Source: Shaw, "Using constraint programming and local search methods to solve vehicle routing problems", CP 1998.


LEAST = 10  # options in a part, at least; and the first part is one of so many of all options
GROWS, SHRINKS = 1.05, 0.93  # the size of the next part after a call that ended, and after one that did not
VARIED = 0.3, 1.7  # a part has between so many times that size, or large ones would be stuck where small ones are not
NEAR = 60  # neighbours of an option that a part may grow to, at most; an item may hold thousands


class Improver:
    """A kernel (see loading.py) that makes the best answer cheaper part by part; it proves nothing. A node is a call.

    able: whether clingo is installed, keeps a problem between calls, and can hold this one; true until that is tried.
    """

    def __init__(
        self, problem: Problem, known: Callable[[], Sequence[int]], whole: Callable[[Sequence[int]], tuple[int, ...]]
    ) -> None:
        """known: the best answer of any method, in the numbers of the problem.  whole: turns its options, apart from
        those given, into an answer in the caller's numbers."""
        # In a browser each call reads the whole program anew, which takes many times as long as a part.
        self.able = INSTALLED and sys.platform not in ONE_THREAD
        self._problem, self._known, self._whole = problem, known, whole
        self._random = Random(1)
        self._control: Any = None
        self._method: Method | None = None
        self._most: int | None = None  # what a better answer may cost
        self._now: frozenset[int] = frozenset()  # the answer of which parts are forgotten
        self._paid = 0
        self._size = max(problem.options // LEAST, LEAST)
        self.nodes = self.updates = self.answers = 0
        self.code = -1

    def method(self) -> Method | None:
        """It as a method; None if there is no answer to begin with, or clingo can't hold the problem."""
        if self._method is None and self.able and self._known():
            try:
                self._begin()
            except Unsuited:
                self.able = False
                return None
            given = frozenset(self._problem.given)
            self._method = Method(
                "parts of the answer anew", self, self.run, lambda: self._whole(sorted(self._now - given)),
                lower=self.lower, looks=True, even=False, works=lambda: self.work, slice=lambda: 1,
            )  # fmt: skip
        return self._method

    @property
    def work(self) -> int:
        """The work so far, in nanoseconds."""
        return self.updates * CONFLICT + self.nodes * self._call

    def run(self, nodes: int, answers: int) -> int:
        """Go on for at most so many nodes, up to an answer. Raises LimitReached."""
        end = self.nodes + nodes
        self.code = SLICE
        while self.code == SLICE and self.nodes < end:
            self.nodes += 1
            before = self.answers
            self._improve(self._part())
            if self.answers > before:
                self.code = FOUND
        return self.code

    def lower(self, ceiling: int) -> None:
        """From now on, tell only answers of at most this cost."""
        self._most = ceiling if self._most is None else min(self._most, ceiling)

    def _begin(self) -> None:
        problem = self._problem
        self._control = control_of(["0", "--seed=1", "--rand-freq=0.02", "--opt-strategy=bb"])
        with self._control.backend() as backend:
            rules = Rules(problem, self._control, backend, new_atoms())
            self._base = rules.minimize()
        self._control.configuration.solve.solve_limit = f"{BRIEF},umax"
        self._atoms, self._read = rules.atoms, array("i", rules.atoms)
        self._groups: list[Sequence[int]] = list(problem.holders)
        self._groups += [[o for o, _ in side.terms] for side in problem.sides if isinstance(side, Total)]
        self._of: list[list[int]] = [[] for _ in range(problem.options)]  # per option, its groups
        for k, group in enumerate(with_limit_checks(self._groups)):
            for o in group:
                self._of[o].append(k)
        exact = [lo == hi == 1 for lo, hi in with_limit_checks(zip(problem.low, problem.high, strict=True))]
        self._mates = [  # per option, those of which exactly one is taken
            max([self._groups[i] for i in problem.option(o) if exact[i]], key=len, default=(o,))
            for o in with_limit_checks(range(problem.options))
        ]
        self._call = ENTRY * (sum(map(len, self._of)) + 100 * problem.options)

    def _part(self) -> list[int]:
        """What clingo is to assume: the atoms of the options that stay as they are."""
        best = self._known()
        paid = cost(self._problem, tuple(best))
        if not self._now or paid < self._paid:
            self._now, self._paid = frozenset(best), paid
        draw, costs, groups, of = self._random, self._problem.costs, self._groups, self._of
        free: set[int] = set()
        seen: set[int] = set()  # groups
        dear = [o for o, price in enumerate(costs) if price and (price > 0) == (o in self._now)]
        near = [draw.choice(dear)] if dear else []
        size = min(int(self._size * draw.uniform(*VARIED)), len(of))
        while len(free) < size:
            at = near.pop(draw.randrange(len(near))) if near else draw.randrange(len(of))
            if at in free:
                continue
            mates = self._mates[at]
            free.update(mates)
            at = mates[draw.randrange(len(mates))]
            if fresh := [k for k in of[at] if k not in seen]:
                k = draw.choice(fresh)
                seen.add(k)
                near += [o for o in groups[k] if o not in free][:NEAR]
        touched = {k for o in free for k in of[o]}
        free.update([o for k in touched for o in groups[k] if costs[o]])
        return [atom if o in self._now else -atom for o, atom in enumerate(self._atoms) if o not in free]

    def _improve(self, assumed: list[int]) -> None:
        """A call, which may take over one answer after another."""
        self._control.configuration.solve.opt_mode = f"opt,{self._paid - self._base}"
        call = SolveCall(self._control.solve(assumptions=assumed, yield_=True, async_=True))
        try:
            while (model := self._next(call.call)) is not None:
                taken = true_atoms(model, self._read)
                paid = cost(self._problem, tuple(taken))
                if paid <= self._paid:
                    self._now, self._paid = frozenset(taken), paid
                if self._most is None or paid <= self._most:
                    self._most = paid - 1
                    self.answers += 1
            ended = bool(call.call.get().exhausted)
            self._size = max(min(int(self._size * (GROWS if ended else SHRINKS)), len(self._of)), LEAST)
        finally:
            call.close()
            self.updates += spent(self._control, "conflicts")

    def _next(self, call: Any) -> Any:
        """The next model of the call, or None at its end. Raises LimitReached."""
        call.resume()
        while not call.wait(LOOK):
            check_limits()
        return call.model()

    def answer(self) -> list[int]:
        """The last answer."""
        return sorted(self._now)
