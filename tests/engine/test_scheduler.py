"""Turns by what methods gained: those that gain have more of the time, and none starves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from covr.engine.kernels.header import SLICE
from covr.engine.settings import Pace
from covr.engine.turns import FAVOUR, CheapestTurns, Entrant, Method

FIRST = 1000  # work of a first turn
NODES = 400_000


class Worker:
    """A kernel whose nodes are a unit of work each, whose bound rises by one after so many nodes, or never."""

    def __init__(self, rise: int | None, longest: int = 0) -> None:
        """longest: nodes that a call takes, at least."""
        self.rise, self.longest = rise, longest
        self.nodes = self.updates = self.answers = 0
        self.code = -1

    def run(self, nodes: int, answers: int) -> int:
        self.nodes += max(nodes, self.longest)
        return SLICE

    def bound(self) -> int | None:
        return None if self.rise is None else self.nodes // self.rise

    def answer(self) -> list[int]:
        return []


def shared(**workers: Worker | tuple[Worker, dict[str, Any]]) -> CheapestTurns:
    """Turns of workers, after many nodes. Each may have conditions, fields of `Entrant`."""
    rows = []
    for name, one in workers.items():
        worker, conditions = one if isinstance(one, tuple) else (one, {})
        part = conditions.pop("fraction", lambda: None)
        method = Method(name, worker, worker.run, tuple, worker.bound, node=1, fraction=part)  # type: ignore[arg-type]
        given: Callable[[], Method] = lambda method=method: method  # type: ignore[misc]  # noqa: E731
        rows.append(Entrant(name, given, FIRST, "", **conditions))
    turns = CheapestTurns(rows, lambda answer: 0, None, Pace(least=1))
    turns._cost = 10**6  # an answer is known
    while turns.nodes < NODES:
        turns.run(10_000, 1)
    return turns


def test_who_gains_has_most_of_the_time_and_nobody_starves() -> None:
    gains, idle = Worker(rise=1), Worker(rise=None)
    turns = shared(gains=gains, idle=idle)
    assert turns.factor("gains") == FAVOUR and turns.factor("idle") == 1 / FAVOUR
    assert gains.nodes > 10 * idle.nodes > 10 * FIRST


def test_without_gains_all_have_the_same() -> None:
    first, second = Worker(rise=None), Worker(rise=None)
    shared(first=first, second=second)
    assert 1 / 2 < first.nodes / second.nodes < 2


def test_a_turn_that_is_longer_than_granted_is_paid_for() -> None:
    """One whose calls take ten times as long as its first turn has no more of the time in the end."""
    long, short = Worker(rise=None, longest=10 * FIRST), Worker(rise=None)
    shared(long=long, short=short)
    assert 1 / 2 < long.nodes / short.nodes < 2


def test_what_takes_long_to_prepare_begins_later() -> None:
    late, early = Worker(rise=None), Worker(rise=None)
    seen: list[int] = []

    def may() -> bool:
        if late.nodes == 0:
            seen.append(early.nodes)
        return True

    shared(late=(late, {"begins": lambda: NODES // 10, "may": may}), early=early)
    assert late.nodes > 0 and seen[-1] >= NODES // 10


@pytest.mark.parametrize("most", [1, 2])
def test_a_row_earns_no_more_than_it_may(most: int) -> None:
    turns = shared(gains=(Worker(rise=1), {"most": most}), idle=Worker(rise=None))
    assert turns.factor("gains") == most


@pytest.mark.parametrize("by", ["share", "fraction"])
def test_who_is_furthest_is_favoured(by: str) -> None:
    """As its row says, or as the method itself does."""
    further, other = Worker(rise=None), Worker(rise=None)
    shared(further=(further, {by: lambda: further.nodes / 10**6}), other=(other, {by: lambda: 0.01}))
    assert further.nodes > 10 * other.nodes


def test_who_is_furthest_and_gets_no_further_is_not() -> None:
    stuck, other = Worker(rise=None), Worker(rise=None)
    shared(stuck=(stuck, {"fraction": lambda: 0.5}), other=(other, {"fraction": lambda: 0.2}))
    assert 1 / 2 < stuck.nodes / other.nodes < 2
