"""One suite over the oracle and both kernels: the same answers in the same order."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covr.engine import Problem, Settings, Status, build, check, cost, count, search
from tests.engine.engines import by
from tests.engine.problems import (
    assignment,
    brute,
    coloured_path,
    domination,
    langford,
    queens,
    rooks,
    toy,
)
from tests.engine.strategies import problems
from tests.shared import of_oracle

ENGINES = ["reference", "interpreted", "links", "bits", "memo"]
every_engine = pytest.mark.parametrize("engine", ENGINES)

KNOWN: list[tuple[str, Callable[[], Problem], int]] = [
    ("toy", toy, 1),
    ("queens 4", lambda: queens(4), 2),
    ("queens 6", lambda: queens(6), 4),
    ("langford 4", lambda: langford(4), 2),
    ("rooks 3, all free", lambda: rooks(3), 34),
    ("a coloured path", lambda: coloured_path(3, 2), 16),
    ("nothing at all", lambda: build([], []), 1),
    ("an option without items", lambda: build([], [[]]), 2),
    ("an item without options", lambda: build([(1, 1)], []), 0),
    ("two of three", lambda: build([(2, 2)], [[0]] * 3), 3),
    ("one to two of three", lambda: build([(1, 2)], [[0]] * 3), 6),
    ("none of three", lambda: build([(0, 0)], [[0]] * 3), 1),
    ("more than allowed", lambda: build([(3, 2)], [[0]] * 4), 0),
    ("a given pair that conflicts", lambda: build([(1, 1)], [[0], [0]], given=[0, 1]), 0),
]


@every_engine
@pytest.mark.parametrize(("make", "answers"), [k[1:] for k in KNOWN], ids=[k[0] for k in KNOWN])
def test_every_engine_finds_the_known_counts(engine: str, make: Callable[[], Problem], answers: int) -> None:
    problem = make()
    settings = by(engine)
    found = list(search(problem, settings=settings))
    assert len(found) == len(set(found)) == answers
    assert all(check(problem, a) is None for a in found)
    counted = count(problem, settings=settings)
    assert (counted.value, counted.status) == (answers, Status.EXHAUSTED)


@every_engine
def test_answers_come_in_documented_order(engine: str) -> None:
    """Take first, exclude then; the answer that takes nothing more comes last."""
    answers = list(search(build([(0, 1)], [[0], [], [0]]), settings=by(engine)))
    assert answers == [(0, 1), (0,), (1, 2), (1,), (2,), ()]
    answers = list(search(build([(2, 3)], [[0]] * 3), settings=by(engine)))
    assert answers == [(0, 1, 2), (0, 1), (0, 2), (1, 2)]


@every_engine
def test_known_problems_have_their_known_minimum(engine: str) -> None:
    settings = by(engine)
    run = search(domination(4), goal="minimum", settings=settings)
    assert [len(a) for a in run][-1] == run.best == run.bound == 2
    run = search(assignment([[-3, -7, -5], [-6, -9, -1], [-4, -4, -8]]), goal="minimum", settings=settings)
    assert list(run)[-1] == (1, 3, 8)
    assert run.best == run.bound == -21


@settings(max_examples=of_oracle(100))
@given(problems())
def test_every_engine_lists_the_same_answers(problem: Problem) -> None:
    expected = list(search(problem, settings=Settings(engine="reference")))
    assert sorted(expected) == sorted(brute(problem))
    for engine in ("links", "bits"):
        counters = set()
        for interpreted in (True, False):
            settings = by(engine, interpreted=interpreted)
            run = search(problem, settings=settings)
            assert list(run) == expected
            assert run.status is Status.EXHAUSTED
            counted = count(problem, settings=settings)
            assert counted.value == len(expected)
            counters |= {run.counters, counted.counters}
        assert len(counters) == 1


@settings(max_examples=of_oracle(100))
@given(problems(kinds=("exact", "secondary", "colours"), costs=("none",)), st.sampled_from(["bits", "links"]))
def test_every_exact_engine_visits_the_same_nodes(problem: Problem, engine: str) -> None:
    run = search(problem, settings=by(engine))
    reference = search(problem, settings=Settings(engine="reference"))
    assert list(run) == list(reference)
    assert run.counters.nodes == reference.counters.nodes


@settings(max_examples=of_oracle(100))
@given(problems())
def test_every_engine_finds_the_minimum(problem: Problem) -> None:
    costs = [cost(problem, a) for a in brute(problem)]
    expected = list(search(problem, goal="minimum", settings=Settings(engine="reference")))
    paid = [cost(problem, a) for a in expected]
    assert paid[-1:] == ([min(costs)] if costs else [])
    assert all(b < a for a, b in pairwise(paid))
    for engine in ENGINES[1:]:
        for estimate in ("none", "classic", "auto"):
            run = search(problem, goal="minimum", settings=by(engine, estimate=estimate))
            assert list(run) == expected
            assert run.best == run.bound == min(costs, default=None)


@settings(max_examples=of_oracle(100))
@given(problems(), st.integers(0, 2))
def test_a_ceiling_excludes_dearer_answers(problem: Problem, above: int) -> None:
    answers = list(search(problem, settings=Settings(engine="reference")))
    ceiling = min((cost(problem, a) for a in answers), default=0) + above
    expected = [a for a in answers if cost(problem, a) <= ceiling]
    for engine in ENGINES:
        settings = by(engine, ceiling=ceiling)
        assert list(search(problem, settings=settings)) == expected
        assert count(problem, settings=settings).value == len(expected)


@pytest.mark.parametrize("ceiling", [-(10**30), 10**30])
def test_absurd_ceilings_do_no_harm(ceiling: int) -> None:
    answers = list(search(toy(), settings=Settings(ceiling=ceiling)))
    assert answers == ([(0, 3, 4)] if ceiling > 0 else [])
    assert list(search(toy(), goal="minimum", settings=Settings(ceiling=ceiling))) == answers


@pytest.mark.parametrize("engine", ENGINES[1:])
def test_the_largest_costs_do_not_overflow(engine: str) -> None:
    """Costs up to the promise do not overflow, shifted or not."""
    big = 2**60
    problem = build([(1, 1), (1, 1)], [[0], [0], [1], [1]], costs=[big, -big, big, 1 - big])
    run = search(problem, goal="minimum", settings=by(engine))
    assert list(run)[-1] == (1, 3)
    assert run.best == run.bound == 1 - 2 * big
