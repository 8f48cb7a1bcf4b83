"""The search step by step, for learners: what is chosen and why, what it covers and removes, where it turns back.

The steps are those of the documented order (see `search` in dispatch.py): a node branches on the unmet item with the
fewest ways; the options of that item are tried in increasing order, and each is excluded for those that follow; when no
item is unmet, the live options are tried likewise, and last comes the answer that takes none of them. The nodes and
answers are those of the engines, which are only faster. With the goal 'minimum', however, the engines also skip
branches that their estimates prove too dear, while a trace skips only branches that are too dear by the costs of the
options taken. Problems with sides are searched in another way, and so are their steps: see sided_trace.py.

Source: Knuth, Dancing Links (2000), and TAOCP 7.2.2.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from covr.engine.base.heed import heeded
from covr.engine.problem import Problem
from covr.engine.proofs.sided_trace import sided_steps
from covr.engine.proofs.steps import (
    ANSWER,
    BACK,
    CHOOSE,
    CLASH,
    DEAR,
    FAIL,
    FREE,
    GIVEN,
    TAKE,
    TraceStep,
)
from covr.engine.sides import refuse_projection

Nodes = Iterator["TraceStep | Nodes"]


def trace(problem: Problem, goal: str = "all") -> Iterator[TraceStep]:
    """Yields every step of the search. To stop the search, stop iterating.

    goal: 'all', or 'minimum' for ever cheaper answers only. Each step takes time linear in the length of the live
    options. Raises Stopped when a limit is reached (heed.py); there are no more steps then.
    """
    refuse_projection(problem, "the search shown step by step")
    return sided_steps(problem, goal) if problem.sides else _Trace(problem, goal).steps()


class _Trace:
    def __init__(self, problem: Problem, goal: str) -> None:
        self.problem, self.minimum = problem, goal == "minimum"
        self.items = [
            dict(zip(problem.option(o), problem.option_colours(o), strict=True)) for o in heeded(range(problem.options))
        ]
        self.costs = problem.costs or [0] * problem.options
        self.best: int | None = None
        self.taken: list[int] = []
        self.held = [0] * problem.items  # how many options taken hold each item
        self.shown = [0] * problem.items  # its colour, 0 for none

    def steps(self) -> Iterator[TraceStep]:
        live = [o for o in heeded(range(self.problem.options)) if self._allowed(o)]
        for o in self.problem.given:
            if o not in live:
                yield TraceStep(CLASH, 0, option=o)
                return
            self._take(o)
            left = self._left(live, o)
            yield TraceStep(GIVEN, 0, option=o, covers=self._covered(o), removes=_gone(live, left, o))
            live = left
        stack = [self._node(live, 0)]
        while stack:  # instead of recursion, whose depth is limited
            step = next(stack[-1], None)
            if step is None:
                stack.pop()
            elif isinstance(step, TraceStep):
                yield step
            else:
                stack.append(step)

    def _node(self, live: list[int], depth: int) -> Iterator[TraceStep | Nodes]:
        """Yields the steps at a node and, in place of the steps of a child, an iterator over them."""
        paid = sum(self.costs[o] for o in self.taken)
        if self.best is not None and paid + sum(min(self.costs[o], 0) for o in live) >= self.best:
            yield TraceStep(DEAR, depth, cost=paid)
            return
        item, row, step = self._choose(live, depth)
        if step is not None:
            yield step
            if step.kind == FAIL:
                return
        for at, o in enumerate(row, 1):
            self._take(o)
            left = self._left(live, o)
            yield TraceStep(
                TAKE, depth, option=o, at=at, of=len(row), covers=self._covered(o), removes=_gone(live, left, o)
            )
            yield self._node(left, depth + 1)
            self._undo(o)
            yield TraceStep(BACK, depth, option=o, at=at, of=len(row))
            live = [x for x in live if x != o]
        if item is None and (self.best is None or paid < self.best):
            if self.minimum:
                self.best = paid
            yield TraceStep(ANSWER, depth, answer=tuple(sorted(self.taken)), cost=paid if self.problem.costs else None)

    def _choose(self, live: list[int], depth: int) -> tuple[int | None, list[int], TraceStep | None]:
        """The item to branch on, the options to try, and the step that shows this."""
        holders: dict[int, int] = dict.fromkeys(range(self.problem.primary), 0)
        for o in heeded(live):
            for i in self.items[o]:
                if i in holders:
                    holders[i] += 1
        need = {i: self.problem.low[i] - self.held[i] for i in holders}
        ways = {i: holders[i] - need[i] + 1 for i in holders if need[i] > 0}
        if not ways:
            row = [o for o in live if not self.minimum or self.costs[o] < 0]
            return None, row, TraceStep(FREE, depth, live=len(row)) if row else None
        item = min(ways, key=lambda i: (ways[i], i))
        others = sum(w == ways[item] for w in ways.values()) - 1
        kind = CHOOSE if ways[item] > 0 else FAIL
        step = TraceStep(kind, depth, item=item, live=holders[item], need=need[item], others=others)
        return item, [o for o in live if item in self.items[o]][: max(ways[item], 0)], step

    def _allowed(self, option: int) -> bool:
        """Whether an option may be taken beside those taken."""
        return all(
            self.shown[i] == colour if colour and self.held[i] else self.held[i] < self.problem.high[i]
            for i, colour in self.items[option].items()
        )

    def _take(self, option: int) -> None:
        self.taken.append(option)
        for i, colour in self.items[option].items():
            self.held[i] += 1
            self.shown[i] = colour

    def _undo(self, option: int) -> None:
        self.taken.pop()
        for i in self.items[option]:
            self.held[i] -= 1

    def _left(self, live: list[int], option: int) -> list[int]:
        """The options that stay live after this option, which was taken last."""
        return [o for o in heeded(live) if o != option and self._allowed(o)]

    def _covered(self, option: int) -> tuple[int, ...]:
        """The items of this option, which was taken last, that can hold no more options or show its colour from now
        on."""
        return tuple(
            i
            for i, colour in self.items[option].items()
            if (self.held[i] == 1 if colour else self.held[i] >= self.problem.high[i])
        )


def _gone(before: list[int], after: list[int], option: int) -> tuple[int, ...]:
    kept = set(after)
    return tuple(o for o in before if o != option and o not in kept)
