"""Good answers to large packings: annealing, as a method that takes turns with bounds and searches (mixed.py).

A packing is a problem whose items need no option and have room for one. Where there is one of tens of thousands of
options, a tree never comes to an end, HiGHS needs minutes for its first linear program, and a walk that enumerates ever
cheaper answers finds what is a fifth from the best. This anneals packings (kernels/links/_packing_walk.py): from hot to
cold in a *run*, whose number of steps doubles from run to run, each going on from where the one before has ended.

Only some options are held by the walk: of each item the `KEPT` that are best by their reduced cost at the prices of
rows (integer_program.py), or by their cost where there are no prices. Temperatures are in proportion to what an option
of a packing is worth on average.

It proves nothing. Where a run stands is told by steps, never by seconds, so the same answers come after the same work.

Measured on 50 000 options of 5 among 5000 items (`random_packing` of tests/engine/test_annealed.py), CPU seconds of
this alone: -75 567 after 1.3, -76 167 after 5; the best that is known is -77 143. Before, covr had -65 454. Of 8, 12,
16, 24, 35 and all 50 options of each item, 24 have led to the best packings after 5 and after 15 s; runs from 0.28 to
0.08 times the average worth to better ones than those that begin at 0.17 (3 % worse: they never leave the packing of
the run before) or end at 0.05."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Sequence

from covr.engine.base.limits import check_limits, with_limit_checks
from covr.engine.kernels.header import FOUND, SLICE, WALK_LEVELS, WALK_ONE
from covr.engine.kernels.loading import load
from covr.engine.minimum.estimates import SCALE
from covr.engine.prepare.masks import take_given
from covr.engine.problem import Problem
from covr.engine.turns import ENTRY, Method

NAME = "annealing of packings"
MANY = 2000  # options, at least: smaller problems have trees
KEPT = 24  # options of each item that the walk may take
FIRST = 250_000  # steps of the first run
BLOCK = 1000  # steps of one temperature
HOT, COLD = 0.28, 0.08  # the first temperature of a run and the last, in times what an option of a packing is worth
STEP = 20  # work of a step of the walk, beside the entries that it looks at, in nanoseconds
GREATER = 0.003  # how much better an answer must be to be told before its run is over


def available(problem: Problem, interpreted: bool) -> bool:
    """Whether a problem is a packing that is large enough. Interpreted steps take too long. Linear time."""
    if problem.sides or problem.colours or problem.options < MANY or not any(problem.costs):
        return False
    if not load("_packing_walk", interpreted).COMPILED:
        return False
    return _is_packing(problem)


def _is_packing(problem: Problem) -> bool:
    """Whether no item needs an option beside the given ones, and none has room for two but has no room for all."""
    left = take_given(problem)
    if not left.feasible or any(left.need):
        return False
    return all(room <= 1 for room in with_limit_checks(left.room))


def method(kernel: AnnealingKernel, whole: Callable[[Sequence[int]], tuple[int, ...]]) -> Method:
    """The kernel as a method. whole: turns options of the problem into an answer in the caller's numbers."""
    return Method(
        NAME, kernel, kernel.run, lambda: whole(kernel.answer()), lower=kernel.lower, looks=True,
        even=False, works=lambda: kernel.work, slice=lambda: 1,
    )  # fmt: skip


class AnnealingKernel:
    """A kernel (see loading.py) that finds ever cheaper answers, and never ends. A node is `BLOCK` steps."""

    def __init__(
        self,
        problem: Problem,
        prices: Sequence[float] = (),
        ceiling: int | None = None,
        interpreted: bool = False,
        seed: int = 1,
    ) -> None:
        """problem: one for which `available` holds.  prices: per item, below 0 where it is worth something; none if not
        known.  ceiling: the most that an answer may cost.  seed: of the random numbers, from 1. Time and memory linear
        in the entries, but for the choice of options, which are sorted for each item."""
        self._problem = problem
        left = take_given(problem)
        held = [o for o in with_limit_checks(range(problem.options)) if left.live[o] and problem.costs[o] < 0]
        self._sure = [
            o for o in with_limit_checks(held) if not problem.option(o)
        ]  # nothing keeps them from being taken
        held = [o for o in with_limit_checks(held) if problem.option(o)]
        self._numbers = _chosen(problem, held, prices)
        self._base = sum([problem.costs[o] for o in with_limit_checks([*problem.given, *self._sure])])
        starts, members = array("i", [0]), array("i")
        for o in with_limit_checks(self._numbers):
            members.fromlist([*problem.option(o)])  # which may be an array of another kind
            starts.append(len(members))
        check_limits()
        self._shift = max(
            max([-problem.costs[o] for o in with_limit_checks(self._numbers)], default=1).bit_length() - SCALE, 0
        )
        worth = [max(-problem.costs[o] >> self._shift, 1) for o in with_limit_checks(self._numbers)]
        walk = load("_packing_walk", interpreted).PackingWalk
        self._walk = walk(problem.items, problem.items, starts, members, seed, worth, noise())
        self._run, self._done = FIRST, 0  # steps of this run, and how many of them were done
        self._scale = _worth_of_one(problem.items, starts, members, worth)
        self._ceiling = ceiling
        self._told: int | None = None  # the cost of the last answer that was told
        self._answer: list[int] = []
        self.nodes = self.answers = 0
        self.code = -1

    @property
    def work(self) -> int:
        """The work so far, in nanoseconds."""
        return int(self._walk.updates) * ENTRY + self.nodes * BLOCK * STEP

    @property
    def updates(self) -> int:
        """Entries that were looked at so far."""
        return int(self._walk.updates)

    def run(self, nodes: int, answers: int) -> int:
        """Go on for at most so many nodes, up to an answer."""
        end = self.nodes + nodes
        self.code = SLICE
        while self.code == SLICE and self.nodes < end:
            self.nodes += 1
            self._walk.anneal(BLOCK, self._temperature())
            self._done += BLOCK
            over = self._done >= self._run
            if self._tell(0.0 if over else GREATER):
                self.code = FOUND
            if over:
                self._run, self._done = 2 * self._run, 0
            check_limits()
        return self.code

    def lower(self, ceiling: int) -> None:
        """From now on, tell only answers of at most this cost."""
        self._ceiling = ceiling if self._ceiling is None else min(self._ceiling, ceiling)

    def answer(self) -> list[int]:
        """The last answer, without given options."""
        return list(self._answer)

    def _temperature(self) -> int:
        """That of the next block."""
        return int(WALK_ONE * self._scale * HOT * (COLD / HOT) ** (self._done / self._run))

    def _tell(self, share: float) -> bool:
        """Take over the packing as an answer if it costs little enough, and by `share` less than the last one told."""
        at_most = self._ceiling
        if self._told is not None:
            least = self._told - max(1, int(abs(self._told) * share))
            at_most = least if at_most is None else min(at_most, least)
        # What options are worth was rounded down, but never to 0.
        if at_most is not None and self._shift == 0 and self._base - self._walk.value > at_most:
            return False
        taken = [*self._sure, *(self._numbers[k] for k in with_limit_checks(self._walk.answer()))]
        paid = sum([self._problem.costs[o] for o in with_limit_checks([*self._problem.given, *taken])])
        if at_most is not None and paid > at_most:
            return False
        self._answer, self._told = taken, paid
        self.answers += 1
        return True


def noise() -> list[int]:
    """Gumbel's distribution in `WALK_LEVELS` steps that are equally likely, times 256."""
    return [round(-256 * math.log(-math.log((k + 0.5) / WALK_LEVELS))) for k in range(WALK_LEVELS)]


def _chosen(problem: Problem, held: Sequence[int], prices: Sequence[float]) -> list[int]:
    """Those of some options that are among the `KEPT` best of an item, increasing."""
    reduced: dict[int, float] = {}
    of: list[list[int]] = [[] for _ in range(problem.items)]
    for o in with_limit_checks(held):
        items = problem.option(o)
        reduced[o] = problem.costs[o] - sum([prices[i] for i in items]) if prices else problem.costs[o] / len(items)
        for i in items:
            of[i].append(o)
    kept: set[int] = set()
    for row in with_limit_checks(of):
        kept.update(row if len(row) <= KEPT else sorted(row, key=reduced.__getitem__)[:KEPT])
    return sorted(kept)


def _worth_of_one(items: int, starts: Sequence[int], members: Sequence[int], worth: Sequence[int]) -> float:
    """What an option is worth, on average, in the packing that takes the most valuable first. Sorting time."""
    full = bytearray(items)
    total = count = 0
    for o in with_limit_checks(sorted(range(len(worth)), key=worth.__getitem__, reverse=True)):
        own = members[starts[o] : starts[o + 1]]
        if not any(full[i] for i in own):
            for i in own:
                full[i] = 1
            total += worth[o]
            count += 1
    return total / count if count else 1.0
