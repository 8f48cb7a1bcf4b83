"""The searches for a minimum cover, all of them begun at once, so that they take turns on problems that end at once."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from covr.engine import Problem, Search, Settings, Status, build, check, cost, search, turns
from covr.engine.minimum import core_descent, cover, mixed, orbital
from tests.engine.problems import least
from tests.engine.test_cover import covers
from tests.engine.test_orbital import LARGE, made

ALONE = Settings(estimate="lagrange", jobs=1)  # a named estimate leaves all others aside


@pytest.fixture(scope="module", autouse=True)
def _at_once() -> Iterator[None]:
    """No search waits until another has taken long, bounds are weak, and turns are short."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("ROUNDS_BEGIN", "CORES_AFTER", "FIRST_VERTICES"):
            patch.setattr(cover, name, 0)
        patch.setitem(cover.NATIVE, "auto", 0)
        patch.setattr(cover, "CHUNK", 2000)
        patch.setattr(cover, "CORES_LONG", 5000)
        patch.setattr(cover, "SLICE_VERTICES", 200)
        patch.setattr(cover, "OFTEN", 2)
        patch.setattr(cover, "FULL_SPELL", 100)
        for name in ("FIRST", "PER_MEMBER"):
            patch.setattr(orbital, name, 0)
        for name in ("LEAST", "MEAN"):
            patch.setattr(orbital, name, 1)
        patch.setattr(core_descent, "WIDE", 2)
        patch.setattr(core_descent, "FIRST_SPELL", 300)
        patch.setattr(core_descent, "SPELL", 100)
        patch.setattr(core_descent, "STEPS", 50)
        for name in ("PATIENCE", "PER_MEMBER", "WAIT", "WAIT_PER_MEMBER"):
            patch.setattr(mixed, name, 0)
        patch.setattr(mixed, "TURN", 20_000)
        patch.setattr(turns, "LEAST", 1)
        yield


def drawn(seed: int) -> Problem:
    """A cover in which some searches have something to do: symmetric, a graph, wide, or a band."""
    draw = Random(seed)
    kind = draw.randrange(4)
    if kind == 0:
        return made(draw, LARGE, 40, 3)
    many = draw.choice([12, 20, 31, 32, 33, 40, 63, 64, 65])
    costs = [draw.randint(1, draw.choice([1, 9])) for _ in range(many)]
    if kind == 1:
        edges = [draw.sample(range(many), 2) for _ in range(2 * many)]
        rows = [[i for i, edge in enumerate(edges) if o in edge] for o in range(many)]
        return build([(1, 2)] * len(edges), rows, costs=costs)
    items = many // 3 if kind == 2 else many
    if kind == 2:
        rows = [sorted(draw.sample(range(items), min(items, draw.randint(1, 4)))) for _ in range(many)]
    else:
        rows = [sorted({min(items - 1, o + draw.randrange(4)) for _ in range(3)}) for o in range(many)]
    held = [sum(i in row for row in rows) for i in range(items)]
    needs = [max(1, min(held[i], draw.choice((1, 1, 1, 2)))) for i in range(items)]
    return build([(need, many) for need in needs], rows, costs=costs)


def told(problem: Problem, run: Search, best: int | None) -> None:
    """The search is over, its answers are covers, each cheaper than the one before, and the last costs `best`."""
    answers = list(run)
    paid = [cost(problem, answer) for answer in answers]
    assert run.status is Status.EXHAUSTED
    assert all(check(problem, answer) is None for answer in answers)
    assert paid == sorted(set(paid), reverse=True)
    assert paid[-1:] == ([] if best is None else [best])
    assert best is None or run.bound == best


@given(problem=covers())
def test_small_covers(problem: Problem) -> None:
    told(problem, search(problem, goal="minimum", settings=Settings(jobs=1)), least(problem))


@given(seed=st.integers(0, 10**9), step=st.sampled_from([1, 7, 100]))
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_covers_that_take_turns(seed: int, step: int) -> None:
    """The minimum of the plain search; bounds that never fall or pass it; the same however it is paused."""
    problem = drawn(seed)
    plain = search(problem, goal="minimum", settings=ALONE)
    best = min((cost(problem, answer) for answer in plain), default=None)
    assert plain.status is Status.EXHAUSTED
    run = search(problem, goal="minimum", settings=Settings(jobs=1))
    told(problem, run, best)
    paused = search(problem, goal="minimum", settings=Settings(jobs=1))
    bound = None
    while paused.step(step):
        assert bound is None or (paused.bound is not None and bound <= paused.bound)
        bound = paused.bound
        assert bound is None or best is None or bound <= best
    assert paused.bound == run.bound and paused.counters == run.counters
