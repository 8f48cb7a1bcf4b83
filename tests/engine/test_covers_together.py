"""The searches for a minimum cover, all of them begun at once, so that they take turns on problems that end at once."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from covr.engine import Problem, Search, Settings, Status, build, check, cost, search
from covr.engine.minimum import core_descent, cover, orbital
from tests.constants import constants_of
from tests.engine.problems import least
from tests.engine.schedules import mixed_pace
from tests.engine.strategies import covers
from tests.engine.symmetric_covers import LARGE, made

ALONE = Settings(estimate="lagrange", jobs=1)  # a named estimate leaves all others aside


# Nor do turns take long.
QUICK = Settings(jobs=1, pace=mixed_pace(late=0, per_member=0, turn=20_000))


@pytest.fixture(scope="module", autouse=True)
def _at_once() -> Iterator[None]:
    """No search waits until another has taken long, and bounds are weak."""
    soon = {"CORES_AFTER": 0, "NATIVE": {**cover.NATIVE, "auto": 0}}
    with (
        pytest.MonkeyPatch.context() as patch,
        constants_of(cover, **soon, WIDE=2, SPELL=100, OFTEN=2),
        constants_of(orbital, FIRST=0, BUILT=0),
        constants_of(core_descent, FIRST_SPELL=300, SPELL=100, STEPS=50),
    ):
        patch.setattr(orbital, "_is_rich", lambda group: True)
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
def test_small_covers_keep_their_minima(problem: Problem) -> None:
    told(problem, search(problem, goal="minimum", settings=QUICK), least(problem))


@given(seed=st.integers(0, 10**9), step=st.sampled_from([7, 30, 100]))
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_covers_that_take_turns(seed: int, step: int) -> None:
    """The minimum of the plain search; bounds that never fall or pass it; the same however it is paused."""
    problem = drawn(seed)
    plain = search(problem, goal="minimum", settings=ALONE)
    best = min((cost(problem, answer) for answer in plain), default=None)
    assert plain.status is Status.EXHAUSTED
    run = search(problem, goal="minimum", settings=QUICK)
    told(problem, run, best)
    paused = search(problem, goal="minimum", settings=QUICK)
    bound = None
    while paused.step(step):
        assert bound is None or (paused.bound is not None and bound <= paused.bound)
        bound = paused.bound
        assert bound is None or best is None or bound <= best
    assert paused.bound == run.bound and paused.counters == run.counters


@pytest.mark.parametrize("engine", ["auto", "cover"])
def test_the_stages_of_a_cover_are_rows_of_the_table(engine: str) -> None:
    """With linear programs beside it or alone: each stage is planned, and the account says who had which time."""
    run = search(drawn(2), goal="minimum", settings=evolve(QUICK, engine=engine))
    planned = [row.name for row in run.timetable]
    assert set(cover.REASONS).issubset(planned) and len(planned) == len({*planned})
    answers = list(run)
    account = {name: (work, found) for name, work, found in run.account}
    assert account.keys() <= {*planned} and (engine == "auto" or account[cover.DESCENT][0] > 0)
    assert sum(found for _, found in account.values()) == len(answers) > 0
