"""The search step by step, for learners."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from attrs import field

from covr.engine.base.limits import check_limits, with_limit_checks
from covr.engine.kernels.loading import load
from covr.engine.prepare.ceiling import shift
from covr.engine.prepare.sides import TotalSums, side_arrays
from covr.engine.problem import MAX_COST, Areas, Circuit, Connection, Problem, Total, refuse_projection
from covr.engine.search import check_goal
from covr.frozen import frozen

# --- steps -----------------------------------------------------------------------------------------------------------
# The steps of a search that is shown: one kind of value for all of them.


Answer = tuple[int, ...]

CHOOSE = "choose"  # an item is chosen to branch on
FREE = "free"  # no item is unmet; options that no item needs may be taken or left
TAKE = "take"  # an option is taken: the next node
BACK = "back"  # everything below a taken option has been searched
FAIL = "fail"  # an unmet item has too few options left
DEAR = "dear"  # nothing below can be cheaper than the best answer
CLASH = "clash"  # given options exclude each other
GIVEN = "given"  # an option is taken because it is given
ANSWER = "answer"
LEAVE = "leave"  # with sides: an option is left out: the next node
FOLLOWS = "follows"  # with sides: what follows before anything is tried
BROKEN = "broken"  # with sides: an item or a side can't be kept any more


@frozen
class TraceStep:
    """A step. kind: one of the constants above.  depth: how many options were taken before it, not counting given ones.

    item: for choose and fail.  live, need: how many live options hold it, and how many it needs.  others: how many
    other unmet items have as few ways.
    option: for take, leave, back, given and clash.  at, of: the position of the option (with sides: of the decision)
    among those tried at this node, from 1, and their number.
    covers: the items that can hold no more options once this one is taken, or that show its colour from then on.
    removes: the options that can't be taken any more because of it.  takes: with sides, those that must be taken
    because of it, in the order in which that was found.
    side: for broken, the number of the side; if it is None, the item can't be met, or, without one, two of its
    consequences contradict each other.
    answer: for answer, the options, increasing.  cost: the sum of the costs so far; None without costs.
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
    takes: tuple[int, ...] = field(default=(), repr=False)
    side: int | None = None
    answer: Answer = ()
    cost: int | None = None


# --- sided trace -----------------------------------------------------------------------------------------------------
# The steps of a search with side conditions: what is decided, what follows from it, and what can't be kept.
#
# The steps are those of the kernel (kernels/sides/_sides.py), which is asked for one decision after another: the same
# nodes, the same answers in the same order. At each node an option is taken or left out, and then the other way is
# tried. What follows is worked out by items, totals, connections, circuits and areas together; a step names all of it,
# but not by which of them it was found.


def sided_steps(problem: Problem, goal: str) -> Iterator[TraceStep]:
    """Yields every step of the search; see `trace` (trace.py). Raises ValueError for an unknown goal."""
    check_goal(goal)
    return _SidedTrace(problem, goal == "minimum").steps()


class _SidedTrace:
    def __init__(self, problem: Problem, minimum: bool) -> None:
        self.problem, self.minimum = problem, minimum
        shifted, self.base = shift(problem)
        self.kernel = load("_sides").Sides(shifted, side_arrays(problem), minimum, minimum, MAX_COST)
        sides, sums = list(enumerate(problem.sides)), TotalSums(problem)
        self.sides = [k for k, side in sides if isinstance(side, Total) for _ in sums.of(side)]
        self.sides += [k for k, side in sides if isinstance(side, Connection)]
        self.sides += [k for k, side in sides if isinstance(side, Circuit)]
        self.sides += [k for k, side in sides if isinstance(side, Areas)]
        self.level = 0  # how many options are decided

    def steps(self) -> Iterator[TraceStep]:
        check_limits()
        for o in self.problem.given:
            yield TraceStep(GIVEN, 0, option=o)
        alive = self.kernel.restart()
        takes, removes = self._followed(set(self.problem.given))
        if takes or removes:
            yield TraceStep(FOLLOWS, 0, takes=takes, removes=removes)
        if not alive:
            yield self._fault(0)
            return
        # Per decision: the option, the way that is being tried, which of the two that is, what was decided before.
        path: list[tuple[int, bool, int, int]] = []
        option, taken = yield from self._look_ahead(0)
        at, before = 1, self.level
        while True:
            if option >= 0:
                check_limits()
                path.append((option, taken, at, before))
                alive = self.kernel.go(option, taken)
                takes, removes = self._followed({option})
                depth = len(path) - 1
                kind = TAKE if taken else LEAVE
                yield TraceStep(kind, depth, option=option, at=at, of=2, takes=takes, removes=removes)
                if alive:
                    option, taken = yield from self._look_ahead(len(path))
                    at, before = 1, self.level
                    if option >= 0:
                        continue
                else:
                    yield self._fault(len(path))
            if not path:
                return
            option, taken, at, before = path.pop()
            self.kernel.reopen(before)
            self.level = before
            yield TraceStep(BACK, len(path), option=option, at=at, of=2)
            option, taken, at = (option, not taken, 2) if at == 1 else (-1, False, 0)

    def _look_ahead(self, depth: int) -> Generator[TraceStep, None, tuple[int, bool]]:
        """The option to decide next and the way that is tried first; yields the answer and returns -1 if there is
        none."""
        option, _, taken = self.kernel.next_option()
        if option >= 0:
            return option, taken
        given = set(self.problem.given)
        answer = tuple(sorted({o for o, is_taken in self.kernel.decided(0) if is_taken} | given))
        cost = sum(self.problem.costs[o] for o in answer) if self.problem.costs else None
        yield TraceStep(ANSWER, depth, answer=answer, cost=cost)
        if self.minimum:
            self.kernel.lower((cost or 0) - self.base - 1)
        return -1, False

    def _followed(self, named: set[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The options that were found to be taken, and those found to be left out, since it was asked last, apart from
        those that a step names."""
        decided = self.kernel.decided(self.level)
        self.level += len(decided)
        found = [(o, taken) for o, taken in decided if o not in named]
        return tuple(o for o, taken in found if taken), tuple(sorted(o for o, taken in found if not taken))

    def _fault(self, depth: int) -> TraceStep:
        item, side = self.kernel.fault()
        if side == -2:
            return TraceStep(DEAR, depth)
        return TraceStep(BROKEN, depth, item=None if item < 0 else item, side=None if side < 0 else self.sides[side])


# --- trace -----------------------------------------------------------------------------------------------------------
# The search step by step, for learners: what is chosen and why, what it covers and removes, where it turns back.
#
# The steps are those of the documented order (see `search` in dispatch.py): a node branches on the unmet item with the
# fewest ways; the options of that item are tried in increasing order, and each is excluded for those that follow; when
# no item is unmet, the live options are tried likewise, and last comes the answer that takes none of them. The nodes
# and answers are those of the engines, which are only faster. With the goal 'minimum', however, the engines also skip
# branches that their estimates prove too dear, while a trace skips only branches that are too dear by the costs of the
# options taken. Problems with sides are searched in another way, and so are their steps: see trace.py.
#
# Source: Knuth, Dancing Links (2000), and TAOCP 7.2.2.1.


Nodes = Iterator["TraceStep | Nodes"]


def trace(problem: Problem, goal: str = "all") -> Iterator[TraceStep]:
    """Yields every step of the search. To stop the search, stop iterating.

    goal: 'all', or 'minimum' for ever cheaper answers only. Each step takes time linear in the length of the live
    options. Raises LimitReached when a limit is reached (limits.py); there are no more steps then.
    """
    refuse_projection(problem, "the search shown step by step")
    return sided_steps(problem, goal) if problem.sides else _Trace(problem, goal).steps()


class _Trace:
    def __init__(self, problem: Problem, goal: str) -> None:
        self.problem, self.minimum = problem, goal == "minimum"
        self.items = [
            dict(zip(problem.option(o), problem.option_colours(o), strict=True))
            for o in with_limit_checks(range(problem.options))
        ]
        self.costs = problem.costs or [0] * problem.options
        self.best: int | None = None
        self.taken: list[int] = []
        self.held = [0] * problem.items  # how many options taken hold each item
        self.shown = [0] * problem.items  # its colour, 0 for none

    def steps(self) -> Iterator[TraceStep]:
        live = [o for o in with_limit_checks(range(self.problem.options)) if self._allowed(o)]
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
        for o in with_limit_checks(live):
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
        return [o for o in with_limit_checks(live) if o != option and self._allowed(o)]

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
