"""One rule for whole numbers, wherever Python hands one over; and bounds larger than 32 or 64 bits."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from covr.engine import ENGINES, BatchTemplate, Limits, Problem, Settings, Status, build, count, search, validate
from covr.engine.base.limits import seconds, whole
from covr.engine.check import check
from covr.engine.sampling.probe import tree_size
from tests.each import each

np = pytest.importorskip("numpy")

NO_WHOLE = [1.5, 2.0, 1e6, True, "3", Fraction(4, 2), Decimal(2), None, np.float64(2), np.bool_(True), float("nan")]
PLACES: dict[str, tuple[Callable[[Any], object], str]] = {
    "a limit of answers": (lambda n: Limits(answers=n), "answers"),
    "a limit of nodes": (lambda n: Limits(nodes=n), "nodes"),
    "a limit of memory": (lambda n: Limits(memory=n), "memory"),
    "a seed": (lambda n: Settings(seed=n), "seed"),
    "a ceiling": (lambda n: Settings(ceiling=n), "ceiling"),
    "jobs": (lambda n: Settings(jobs=n), "jobs"),
    "memory": (lambda n: Settings(memory=n), "memory"),
    "a cost": (lambda n: build([(1, 1)], [[0]], costs=[n]), "the cost of an option"),
    "a lower bound": (lambda n: build([(n, 9)], [[0]]), "the lower bound of an item"),
    "an upper bound": (lambda n: build([(1, n)], [[0]]), "the upper bound of an item"),
    "an item": (lambda n: build([(1, 1)] * 9, [[n]]), "an item of an option"),
    "a colour": (lambda n: build([(0, 1)], [[(0, n)]]), "the colour of an item"),
    "a given option": (lambda n: build([(1, 1)], [[0]], given=[n]), "a given option"),
    "answers of a batch": (lambda n: BatchTemplate(build([(1, 1)], [[0]]), limit=n), "limit"),
    "a budget of a batch": (lambda n: BatchTemplate(build([(1, 1)], [[0]]), budget=n), "budget"),
    "nodes of a step": (lambda n: search(build([(1, 1)], [[0]])).step(n), "nodes"),
}


OPTIONAL = {
    "a limit of answers", "a limit of nodes", "a limit of memory", "a seed", "a ceiling", "jobs", "a budget of a batch",
}  # fmt: skip


@each("value", NO_WHOLE)
@each("place", PLACES)
def test_what_is_no_whole_number_is_refused_by_name(place: str, value: object) -> None:
    ask, name = PLACES[place]
    if value is None and place in OPTIONAL:
        assert ask(value)
        return
    with pytest.raises(ValueError, match=f"^{name} must be a whole number, not "):
        ask(value)


@each("place", PLACES)
@pytest.mark.parametrize("kind", [np.int64, np.uint8, np.int32])
def test_whole_numbers_of_numpy_are_welcome(place: str, kind: Callable[[int], object]) -> None:
    PLACES[place][0](kind(1 if place != "a given option" else 0))


def test_they_become_ints() -> None:
    assert type(Limits(nodes=np.int64(3)).nodes) is int
    assert type(Settings(seed=np.int64(3)).seed) is int
    assert type(build([(1, 1)], [[0]], costs=[np.int64(3)]).costs[0]) is int
    assert whole(np.int64(2**62), "n") == 2**62


@pytest.mark.parametrize(("value", "least"), [(0, 1), (-1, 0), (-(10**400), 0)])
def test_and_too_small_ones_are_refused(value: int, least: int) -> None:
    with pytest.raises(ValueError, match=f"^n must be at least {least}, not "):
        whole(value, "n", least)


def test_a_problem_made_by_hand_is_looked_at_as_well() -> None:
    for words in ({"low": (1.0,)}, {"high": (True,)}, {"costs": (2.9,)}, {"given": (0.0,)}):
        problem = Problem(**{"low": (1,), "high": (1,), "primary": 1, "starts": [0, 1], "members": [0], **words})
        with pytest.raises(ValueError, match=f"^{next(iter(words))} holds "):
            validate(problem)
    with pytest.raises(ValueError, match="colours must be below"):
        build([(0, 1)], [[(0, 2**31)]])
    with pytest.raises(ValueError, match=f"the costs add up to {2**62}, .* 2\\^62"):
        build([(1, 1)], [[0], [0]], costs=[2**61, -(2**61)])


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1, "3", True, 10**400, None])
def test_a_time_is_finite_and_not_negative(value: Any) -> None:
    if value is None:
        assert Limits(seconds=value).seconds is None
        return
    with pytest.raises(ValueError, match=r"^seconds must be "):
        Limits(seconds=value)
    with pytest.raises(ValueError, match=r"^limit_time must be "):
        seconds(value, "limit_time")


def test_any_number_of_seconds_will_do() -> None:
    for value in (0, 2, 2.5, np.float32(2.5), np.int64(2), Fraction(5, 2)):
        assert type(Limits(seconds=value).seconds) is float


def test_a_limit_that_is_no_whole_number_never_begins() -> None:
    """It was compared with the number of nodes, which it never equals."""
    with pytest.raises(ValueError, match=r"nodes must be a whole number, not 1\.5"):
        search(build([(1, 1)], [[0]]), limits=Limits(nodes=1.5))  # type: ignore[arg-type]


OUTSIDE = {"clingo": "clingo", "highs": "highspy"}  # engines of others, and what they need
LARGE = [2**31 - 1, 2**31, 2**32, 2**63, 10**30]


@pytest.mark.parametrize("low", LARGE)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("high", [10**40, None])
def test_a_lower_bound_beyond_everything_leaves_no_answer(engine: str, low: int, high: int | None) -> None:
    problem = build([(low, low if high is None else high), (1, 1)], [[0], [0, 1], [1]], costs=[1, 2, 3], given=[0])
    if engine in OUTSIDE:
        pytest.importorskip(OUTSIDE[engine])
    if engine not in ("highs", "cpsat"):
        assert not list(search(problem, settings=Settings(engine=engine)))
        assert count(problem, settings=Settings(engine=engine)).value == 0
    elif engine == "cpsat":
        return  # highspy and ortools can't be loaded in one process: see large_costs.py
    for ceiling in (None, 9):
        run = search(problem, goal="minimum", settings=Settings(engine=engine, ceiling=ceiling))
        assert not list(run) and run.status is Status.EXHAUSTED
    assert "is met 1 times" in str(check(problem, (0, 2)))


def test_nor_does_it_stop_the_others() -> None:
    problem = build([(2**31, 2**40), (1, 1)], [[0], [0, 1], [1]])
    assert tree_size(problem, probes=3).probes == 3
    assert count(problem, settings=Settings(jobs=2)).value == 0
    assert not list(search(problem, limits=Limits(answers=1)))
