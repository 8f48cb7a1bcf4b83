"""Which items and given options a proof that there is no answer rests on.

The search is like the oracle's, but records, for every option that is not live, the item that removed it. If a node has
no answer, this rests on the item that the node branches on (or that has no ways left), on the items that removed
options from it, and on what its children rest on. If the reason of the first child includes no item of the option taken
there, it is also the reason of the node. The given options among the reasons are those that hold an item that removed
options.

The result is a reason, but hardly ever a smallest one: conflict.py shrinks it.

Source: the idea of conflict analysis in SAT solvers (Marques-Silva and Sakallah, GRASP, 1996), without learning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from covr.engine.base.heed import heeded, look
from covr.engine.problem import Problem
from covr.frozen import frozen

LIVE, OUT = -1, -2  # in place of an item in `killer`; see _State
WORK = 3_000_000  # members of options that one search may touch, assuming that every node touches all of them


@frozen
class Refutation:
    """Items and given options of a problem that no set of options can satisfy together."""

    items: frozenset[int]
    given: frozenset[int]


def refute(problem: Problem, nodes: int = 400) -> Refutation | None:
    """A reason why there is no answer. None if there is one, or if so many nodes were not enough to tell."""
    return Refuting(problem).refute(nodes, range(problem.items))


class _Open(Exception):
    """Raised when an answer is found or the budget is spent."""


class _State:
    """The state of a node. need, room: per item, how many more options must, and may, hold it.  shown: per item, the
    colour shown there, 0 for none.  live: per item, how many live options hold it.
    killer: per option, the item that removed it; or LIVE; or OUT if it is taken or was tried before."""

    def __init__(self, need: list[int], room: list[int], shown: list[int], live: list[int], killer: list[int]) -> None:
        self.need, self.room, self.shown, self.live, self.killer = need, room, shown, live, killer

    def copy(self) -> _State:
        return _State(self.need[:], self.room[:], self.shown[:], self.live[:], self.killer[:])


class Refuting:
    """Looks for reasons why a problem has no answer; each ranking of its items may give another one."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.left = 0
        self.order: Sequence[int] = ()
        self.pairs: list[Mapping[int, int]] = [
            dict(zip(problem.option(o), problem.option_colours(o), strict=True)) for o in heeded(range(problem.options))
        ]
        self.holders = problem.holders

    def refute(self, nodes: int, rank: Sequence[int]) -> Refutation | None:
        """A reason why there is no answer; None as in the function `refute`.

        nodes: how many nodes to visit at most, fewer in large problems (WORK); also limits the depth of recursion.
        rank: per item; of the items with the fewest ways, the one of lowest rank is branched on. Different ranks give
        different proofs, of which some rest on less.
        """
        self.left = min(nodes, WORK // (len(self.problem.members) + 1))
        self.order = sorted(range(self.problem.primary), key=lambda i: rank[i])
        try:
            items = self._start()
        except _Open:
            return None
        given = frozenset(o for o in self.problem.given if not items.isdisjoint(self.pairs[o]))
        return Refutation(frozenset(items), given)

    def _start(self) -> set[int]:
        """Prepare the root; returns what it rests on."""
        p = self.problem
        for i in range(p.items):
            if p.low[i] > p.high[i]:
                return {i}
        state = _State(list(p.low), list(p.high), [0] * p.items, list(map(len, self.holders)), [LIVE] * p.options)
        for i in range(p.items):
            if p.high[i] == 0:
                self._empty(state, i, 0)
        for o in p.given:
            if state.killer[o] >= 0:
                return {state.killer[o]}
            self._take(state, o)
        return self._node(state)

    def _take(self, state: _State, option: int) -> None:
        self._remove(state, option, OUT)
        for i, colour in self.pairs[option].items():
            state.need[i] -= 1
            if colour:
                state.shown[i] = colour
                self._empty(state, i, colour)
                continue
            state.room[i] -= 1
            if state.room[i] <= 0:
                self._empty(state, i, 0)

    def _empty(self, state: _State, item: int, colour: int) -> None:
        """Remove the options of an item that is full, or shows another colour."""
        for o in self.holders[item]:
            if state.killer[o] == LIVE and not (colour and self.pairs[o][item] == colour):
                self._remove(state, o, item)

    def _remove(self, state: _State, option: int, killer: int) -> None:
        state.killer[option] = killer
        for i in self.pairs[option]:
            state.live[i] -= 1

    def _node(self, state: _State) -> set[int]:
        look()
        self.left -= 1
        if self.left < 0:
            raise _Open
        item, row = self._branch(state)
        reason = {item, *(k for o in self.holders[item] if (k := state.killer[o]) >= 0)}
        for at, o in enumerate(row):
            child = state.copy()
            self._take(child, o)
            below = self._node(child)
            if at == 0 and below.isdisjoint(self.pairs[o]):
                return below
            reason |= below
            self._remove(state, o, OUT)
        return reason

    def _branch(self, state: _State) -> tuple[int, Sequence[int]]:
        """The unmet item with the fewest ways, and the options to try there."""
        best, found = -1, 0
        for i in self.order:
            need = state.need[i]
            if need > 0:
                ways = state.live[i] - need + 1
                if best < 0 or ways < found:
                    best, found = i, ways
                    if ways < 1:
                        break
        if best < 0:
            raise _Open
        live = [o for o in self.holders[best] if state.killer[o] == LIVE]
        return best, live[: max(found, 0)]
