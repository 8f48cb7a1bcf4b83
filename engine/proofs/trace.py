"""The search step by step, for learners: what is chosen and why, what it covers and removes, where it turns back.

The steps are those of the documented order (search.py): the unmet item with the fewest ways, its options in increasing
number, each first taken and then, for what follows, excluded; when no item is unmet, the live options likewise,
and then the answer that takes none of them. The same nodes and the same answers as the engines', which only do it
faster; with goal 'minimum' the engines also skip what their estimates prove too dear, and a trace skips only what is
too dear by what has been paid.

Source: Knuth, Dancing Links (2000), and TAOCP 7.2.2.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import field, frozen

from covr.engine.problem import Problem
from covr.engine.sides import refuse_sides

Answer = tuple[int, ...]

CHOOSE = "choose"  # an item is chosen to branch on
FREE = "free"  # no item is unmet; options that no item needs may be taken or left
TAKE = "take"  # an option is taken: the next node
BACK = "back"  # everything below a taken option has been seen
FAIL = "fail"  # an unmet item has too few options left
DEAR = "dear"  # nothing below can be cheaper than the best answer
CLASH = "clash"  # given options exclude each other
GIVEN = "given"  # an option is taken because it is given
ANSWER = "answer"


@frozen
class TraceStep:
    """kind: one of the above.  depth: options taken before this step, given ones not counted.

    item: for choose and fail.  live, need: how many options it has, and wants.  others: how many unmet items have as
    few ways.
    option: for take, back, given and clash.  at, of: which of the options tried at this node, and of how many.
    covers: items that can hold no more options once this one is taken, or show its colour from then on.
    removes: options that can't be taken any more because of it.
    answer: for answer, the options, increasing.  cost: what has been paid; None without costs.
    """

    kind: str
    depth: int
    item: int | None = None
    live: int = 0
    need: int = 0
    others: int = 0
    option: int | None = None
    at: int = 0
    of: int = 0
    covers: tuple[int, ...] = field(default=(), repr=False)
    removes: tuple[int, ...] = field(default=(), repr=False)
    answer: Answer = ()
    cost: int | None = None


Nodes = Iterator["TraceStep | Nodes"]


def trace(problem: Problem, goal: str = "all") -> Iterator[TraceStep]:
    """Every step of the search, as it is made. Stop asking to stop it.

    goal: 'all', or 'minimum': only ever cheaper answers. A step costs the length of the live options.
    """
    refuse_sides(problem, "the search shown step by step")
    return _Trace(problem, goal).steps()


class _Trace:
    def __init__(self, problem: Problem, goal: str) -> None:
        self.problem, self.minimum = problem, goal == "minimum"
        self.items = [
            dict(zip(problem.option(o), problem.option_colours(o), strict=True)) for o in range(problem.options)
        ]
        self.costs = problem.costs or [0] * problem.options
        self.best: int | None = None
        self.taken: list[int] = []
        self.held = [0] * problem.items  # how many options taken hold each item
        self.shown = [0] * problem.items  # its colour, 0 for none

    def steps(self) -> Iterator[TraceStep]:
        live = [o for o in range(self.problem.options) if self._allowed(o)]
        for o in self.problem.given:
            if o not in live:
                yield TraceStep(CLASH, 0, option=o)
                return
            self._take(o)
            left = self._left(live, o)
            yield TraceStep(GIVEN, 0, option=o, covers=self._covered(o), removes=_gone(live, left, o))
            live = left
        stack = [self._node(live, 0)]
        while stack:  # instead of recursion, which would end at a depth of its own
            step = next(stack[-1], None)
            if step is None:
                stack.pop()
            elif isinstance(step, TraceStep):
                yield step
            else:
                stack.append(step)

    def _node(self, live: list[int], depth: int) -> Iterator[TraceStep | Nodes]:
        """The steps at a node; instead of those of a child, the child."""
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
        """The item to branch on, the options to try, and the step that says so."""
        holders: dict[int, int] = dict.fromkeys(range(self.problem.primary), 0)
        for o in live:
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
        """The options that are live once this one, the last taken, is taken."""
        return [o for o in live if o != option and self._allowed(o)]

    def _covered(self, option: int) -> tuple[int, ...]:
        """The items of the option taken last that are full with it, or show its colour from now on."""
        return tuple(
            i
            for i, colour in self.items[option].items()
            if (self.held[i] == 1 if colour else self.held[i] >= self.problem.high[i])
        )


def _gone(before: list[int], after: list[int], option: int) -> tuple[int, ...]:
    kept = set(after)
    return tuple(o for o in before if o != option and o not in kept)
