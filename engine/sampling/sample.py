"""Draws answers uniformly at random, with the help of the memo of a count.

Counting the answers of an exact cover (bounds 1, 1 and 0, 1) gives their number below every node. So one way down the
tree draws an answer: at each node the answers below each of its branches are counted, and a branch is chosen in
proportion to these counts, by a random whole number below their sum. Every answer has the probability 1 / (number of
answers), exactly, as far as the random numbers are uniform: nothing is rounded, because counts are whole numbers of any
size.

The first count fills the memo (_bits.py). Each later count begins below a node of the same tree, where the memo has
most of the results; those for which it had no room were cheap to find. The branches of nodes near the root are kept, so
that many draws need few counts. An assertion checks that the counts of a node's branches add up to the node's own
count.

Source: Jerrum, Valiant, Vazirani, Random generation of combinatorial structures, 1986, where counting yields sampling.
"""

from __future__ import annotations

import random
from time import perf_counter
from typing import Any

from covr.engine.base.alone import Alone
from covr.engine.base.limits import (
    COMPILED_STEPS,
    ENDLESS,
    Counters,
    Deadline,
    LimitReached,
    Limits,
    Status,
    check_limits,
)
from covr.engine.checks import Checks
from covr.engine.kernels.header import DONE
from covr.engine.kernels.loading import load
from covr.engine.prepare.bitsets import Node, OptionSets, few_members_of
from covr.engine.prepare.masks import MASKS_MEMORY, build_masks, masks_fit, speed, take_given
from covr.engine.problem import Problem
from covr.engine.search import FIRST_SLICE, LONG, NO_LIMITS, SHORT, Answer
from covr.engine.settings import Settings
from covr.frozen import frozen

KEPT = 20_000  # nodes whose branches are kept in memory


@frozen
class Way:
    """A branch of a node.

    option: the option taken; None if a free option is left out.  count: the number of answers below.
    node: the node below.
    """

    option: int | None
    count: int
    node: Node


def suits(problem: Problem) -> bool:
    """Whether answers can be drawn with the memo: all bounds are 1, 1 or 0, 1, and sets of options are not too long."""
    return problem.is_exact and masks_fit(problem, take_given(problem), MASKS_MEMORY)


class Drawer:
    """Draws answers of a problem that `suits`, with replacement. For one thread at a time: see alone.py.

    root: the node where each draw begins.  counters, clock: the work of all counts, and the time they took.
    """

    def __init__(self, problem: Problem, settings: Settings | None = None) -> None:
        """settings: only `memory`, for the memo, and `interpreted` are used. Takes as long as building the masks."""
        settings = settings or Settings()
        residual = take_given(problem)
        masks = build_masks(problem, residual, settings.interpreted)
        module = load("_bits", settings.interpreted)
        self._checks = Checks(problem)
        self._given = problem.given
        self._numbers = masks.numbers
        self._sets = OptionSets(masks)
        self._kernel: Any = module.Bits(masks, residual.feasible, settings.memory)
        self._slice = FIRST_SLICE
        self.name = f"bit sets with a memo, exact cover ({speed(module)})"
        self.root = self._sets.root
        self.clock = Deadline()
        self._feasible = residual.feasible
        self._total: int | None = None
        self._ways: dict[Node, tuple[Way, ...]] = {}
        self._stop = False
        self._alone = Alone("drawer")

    @property
    def counters(self) -> Counters:
        """The work of all counts; `answers` is the number of all answers, once they are counted."""
        return Counters(self._kernel.nodes, self._kernel.updates, self._total or 0)

    def interrupt(self) -> None:
        self._stop = True

    def total(self, limits: Limits = NO_LIMITS) -> int:
        """The number of answers. Raises LimitReached if a limit of time or nodes is reached before they are counted."""
        if self._total is None:
            self._total = self._count(self.root, limits) if self._feasible else 0
        return self._total

    def draw(self, rng: random.Random) -> Answer:
        """A random answer, as increasing option numbers; all are equally likely.

        Raises LimitReached if interrupted or where whoever is heeded asks for it (limits.py), and ValueError if there
        are no answers.
        """
        count, node = self.total(), self.root
        if not count:
            raise ValueError("there is no answer to be drawn")
        taken = list(self._given)
        while node.active or node.alive:
            if self._stop:  # counts that take less than a slice don't look
                raise LimitReached(Status.INTERRUPTED)
            check_limits()
            at = rng.randrange(count)
            for way in self.ways(node, count):
                if at < way.count:
                    break
                at -= way.count
            node, count = way.node, way.count
            if way.option is not None:
                taken.append(way.option)
        drawn = tuple(sorted(taken))
        self._checks([drawn])
        return drawn

    def ways(self, node: Node, count: int | None = None) -> tuple[Way, ...]:
        """The branches of a node, each with the number of answers below it; empty if the node is an answer.

        count: the number of answers below the node, if it is known.
        """
        known = self._ways.get(node)
        if known is not None:
            return known
        steps = list(self._steps(node))
        if len(steps) == 1 and count is not None:
            ((option, rest),) = steps
            found: tuple[Way, ...] = (Way(option, count, rest),)
        else:
            found = tuple([Way(option, self._count(rest), rest) for option, rest in steps])
        assert count is None or sum(way.count for way in found) == count, "the counts of the ways don't add up"
        if len(self._ways) < KEPT:
            self._ways[node] = found
        return found

    def _steps(self, node: Node) -> list[tuple[int | None, Node]]:
        """The branches of a node in the documented order, so that the memo knows them. A free option is taken or left
        out."""
        sets, numbers = self._sets, self._numbers
        if node.active:
            ways = few_members_of(node.alive & sets.holders[sets.choose(node)])
            return [(numbers[b], sets.take(node, b)) for b in ways]
        if not node.alive:
            return []
        b = few_members_of(node.alive & -node.alive)[0]
        return [(numbers[b], sets.take(node, b)), (None, sets.leave(node, b))]

    def _count(self, node: Node, limits: Limits = NO_LIMITS) -> int:
        """How many answers there are below a node."""
        if not node.active and not node.alive:
            return 1
        with self._alone:
            return self._run(node, limits)

    def _run(self, node: Node, limits: Limits) -> int:
        kernel, before = self._kernel, self._kernel.nodes
        self.clock.most = limits.seconds
        kernel.restart(*self._sets.words(node))
        while True:
            left = self._slice if limits.nodes is None else min(limits.nodes - kernel.nodes + before, self._slice)
            start = perf_counter()
            with self.clock:
                done = kernel.run(left, ENDLESS) == DONE
            spent = perf_counter() - start
            if spent > LONG:
                self._slice = max(self._slice // 2, 1)
            elif spent < SHORT:
                self._slice = min(2 * self._slice, COMPILED_STEPS)
            if done:
                return int(kernel.answers)
            if self._stop:
                raise LimitReached(Status.INTERRUPTED)
            check_limits()
            if limits.nodes is not None and kernel.nodes - before >= limits.nodes:
                raise LimitReached(Status.LIMIT)
            if self.clock.over:
                raise LimitReached(Status.LIMIT)
