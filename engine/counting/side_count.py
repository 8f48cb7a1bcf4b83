"""Counts the answers of a problem with loops or connections by a sweep over its options, if its frontier is narrow.

The engine `sides` visits every answer. The sweep (packed_sweep.py) counts all that have the same future at once, in a
time that only the frontier bounds: the 27 359 264 067 916 806 101 loops on 9 × 9 squares take 0.1 s. How wide the
frontier is can be told in advance; how many states there are on it, and how far the search would have to go, cannot. So
the two take turns that double, after the search had `PATIENCE` nodes to itself, and the first to finish gives the
count. The sweep is given up when it has more states than its frontier promised, or no memory.

Totals are left to the search where there is nothing else: a sweep keeps a state for each sum.
"""

from __future__ import annotations

from functools import cache

from attrs import evolve

from covr.engine.base.pace import Pace
from covr.engine.counting.packed_sweep import PackedSweep, sweep_of
from covr.engine.counting.side_sweep import promised
from covr.engine.kernels.header import DONE, SLICE
from covr.engine.method import Method
from covr.engine.problem import Problem
from covr.engine.sides import only_totals
from covr.engine.turns import Contestant, CountTurns, Timetable

NODE = 10_000  # work of a node of the search
STATE, PLAIN_STATE = 200, 10_000  # work of a state of the kernel's sweep, and of that in Python
MOST = 1 << 34  # states that a frontier may promise; really there are about a tenth
MOST_OPTIONS = 5000  # with more, even to put them in order takes long


def suits(problem: Problem) -> bool:
    """Whether a sweep may be quicker than a search. Linear time in the number of sides."""
    return (
        problem.projection is None and not only_totals(problem.sides) and problem.options <= MOST_OPTIONS
    )  # fmt: skip


def count_by_sweep(search: Method, problem: Problem, room: int, pace: Pace) -> Method:
    """A method that only counts: `search`, and the sweep, by turns.

    search: a method that has not begun and visits every answer.  room: bytes for the sweep."""
    search = evolve(search, node=NODE)
    made: list[SideCount] = []
    patience = pace.counts.sided

    @cache
    def by_sweep() -> Method | None:
        most = promised(problem)
        if most > MOST:
            return None
        made.append(SideCount(problem, room, max(most, patience)))
        node = STATE if isinstance(made[0].sweep, PackedSweep) else PLAIN_STATE
        return Method(
            "option by option", made[0], made[0].run, tuple, fraction=lambda: made[0].sweep.fraction, node=node
        )

    def fits() -> bool:
        return not any(count.is_over for count in made)

    turn = patience * NODE
    alone = Contestant("search", lambda: search, turn, "is quicker where there are few answers")
    options = Contestant("option by option", by_sweep, turn, "counts equal futures once", may=fits)
    turns = CountTurns(Timetable((alone,), (options, alone), 2), pace)

    def spared() -> int:
        return turns.nodes << 10 if made and fits() else 0  # as in frontier_count.py

    return Method(search.name, turns, turns.run, tuple, fraction=turns.fraction, spared=spared)


class SideCount:
    """The sweep as a kernel (see loading.py). is_over: whether it has given up."""

    def __init__(self, problem: Problem, room: int, most: int) -> None:
        """room: bytes.  most: states."""
        self.sweep = sweep_of(problem, False, room)
        self._room, self._most = room, most
        self.is_over = False
        self.nodes = self.updates = 0
        self.code = -1

    @property
    def answers(self) -> int:
        """How many answers there are, once that is known."""
        return self.sweep.count or 0

    def run(self, nodes: int, answers: int) -> int:
        """Treat at most so many more states. Returns a code of header.py; also `SLICE` where it has given up."""
        done = self.sweep.run(nodes)
        self.nodes += nodes
        self.is_over = not done and (self.sweep.states > self._most or self.sweep.wanted > self._room)
        self.code = DONE if done else SLICE
        return self.code

    def answer(self) -> list[int]:
        """No answer is kept."""
        return []
