"""Pinned work: a change here is a change of the search, to be made knowingly. Never seconds."""

from __future__ import annotations

import pytest

from covr.engine import Counters, Problem, Settings, search
from tests.engine.engines import by
from tests.engine.problems import coloured_path, domination, langford, queens, rooks, toy
from tests.shared import INTERPRETED

PINNED: list[tuple[str, Problem, str, str, Counters]] = [
    ("toy", toy(), "all", "none", Counters(6, 29, 1)),
    ("queens 8", queens(8), "all", "none", Counters(1199, 21121, 92)),
    ("langford 7", langford(7), "all", "none", Counters(607, 8197, 52)),
    ("rooks 3", rooks(3), "all", "none", Counters(34, 198, 34)),
    ("coloured path", coloured_path(4, 3), "all", "none", Counters(361, 2260, 243)),
    ("domination 4, all covers", domination(4), "all", "none", Counters(65014, 67325, 64903)),
    ("domination 6", domination(6), "minimum", "classic", Counters(386, 5876, 3)),
    ("domination 5, no estimate", domination(5), "minimum", "none", Counters(1098, 7708, 2)),
]


@pytest.mark.parametrize("engine", ["links"] if INTERPRETED else ["interpreted", "links"])  # which are then one
@pytest.mark.parametrize(("name", "problem", "goal", "estimate", "counters"), PINNED, ids=[p[0] for p in PINNED])
def test_work_is_pinned(name: str, problem: Problem, goal: str, estimate: str, counters: Counters, engine: str) -> None:
    run = search(problem, goal=goal, settings=by(engine, estimate=estimate))
    assert sum(1 for _ in run) == counters.answers
    assert run.counters == counters


def test_the_reference_visits_the_same_nodes() -> None:
    """Where neither colours nor bounds let the kernel see a dead end earlier."""
    for problem in (toy(), queens(6), langford(4), rooks(3)):
        mine, theirs = search(problem), search(problem, settings=Settings(engine="reference"))
        assert list(mine) == list(theirs)
        assert mine.counters.nodes == theirs.counters.nodes
