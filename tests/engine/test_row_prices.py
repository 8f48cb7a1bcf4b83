"""The prices of rows: a bound that is never too high, and that ends what doesn't add up."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Limits, Problem, Settings, Status, build, search
from covr.engine.kernels.header import DONE
from covr.engine.kernels.loading import load
from covr.engine.minimum import integer_program, mixed
from covr.engine.minimum import integer_program as row_prices
from covr.engine.minimum.integer_program import RowPriceKernel
from covr.engine.outside.solvers import rows
from covr.engine.problem import only_totals
from tests.engine.problems import brute, least
from tests.engine.program_turns import rota
from tests.engine.sided import sided
from tests.engine.strategies import problems

COSTLY = ("one", "negative", "profit")
compiled_only = pytest.mark.skipif(not load("_row_prices").COMPILED, reason="too slow without the compiled kernel")


@st.composite
def with_totals(draw: st.DrawFn) -> Problem:
    problem = sided(random.Random(draw(st.integers(0, 10**6))), 7, True)
    return problem if only_totals(problem.sides) else draw(problems(costs=COSTLY))


def path(costs: list[int]) -> Problem:
    """Options in a row, of which no two neighbours may be taken."""
    return build([(0, 1)] * (len(costs) + 1), [[o, o + 1] for o in range(len(costs))], costs=costs)


def least_on_path(costs: list[int]) -> int:
    """What the cheapest answer of a path costs."""
    without, taking = 0, 0
    for cost in costs:
        without, taking = min(without, taking), without + cost
    return min(without, taking)


def proved(problem: Problem, ceiling: int | None, interpreted: bool, nodes: int) -> tuple[int | None, int]:
    """The bound after so many nodes, and the last code."""
    kernel = RowPriceKernel(problem, ceiling, interpreted)
    code = -1
    for _ in range(nodes):
        code = kernel.run(1, 1)
        if code == DONE or kernel.over:
            break
    return kernel.bound, code


@pytest.mark.parametrize("interpreted", [True, False])
@given(problem=st.one_of(problems(costs=COSTLY), with_totals()), above=st.none() | st.integers(-3, 3))
def test_no_bound_is_too_high(interpreted: bool, problem: Problem, above: int | None) -> None:
    if not any(problem.costs):
        return
    true = least(problem)
    ceiling = None if above is None else (true or 0) + above
    bound, code = proved(problem, ceiling, interpreted, 1 if interpreted else 9)
    assert true is None or bound is None or bound <= true
    if code == DONE:
        assert true is None or (ceiling is not None and true > ceiling)


@compiled_only
@given(st.sampled_from([31, 32, 33, 63, 64, 65]), st.randoms(use_true_random=False))
def test_no_bound_is_too_high_by_the_ends_of_words(count: int, draw: random.Random) -> None:
    costs = [-draw.randint(1, 9) for _ in range(count)]
    bound, _ = proved(path(costs), None, False, 99)
    assert bound is not None
    assert sum(costs) < bound <= least_on_path(costs)


@compiled_only
def test_a_packing_has_a_bound_near_that_of_the_linear_program() -> None:
    """The value of the linear program is -9183.49."""
    draw = random.Random(1)
    held, costs = [], []
    for _ in range(5000):
        held.append(sorted(draw.sample(range(500), 5)))
        costs.append(-draw.randint(1, 100))
    bound, _ = proved(build([(0, 1)] * 500, held, costs=costs), None, False, 1000)
    assert bound is not None and -9300 <= bound <= -9183


@compiled_only
@pytest.mark.parametrize("people", [20, 60, 100])
def test_a_rota_that_does_not_add_up_is_refused(people: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without HiGHS, and before the search has gone anywhere."""
    monkeypatch.setattr(integer_program, "find_spec", lambda name: None)
    run = search(
        rota(people, 28, (8, 12), (18, 22)), goal="minimum", limits=Limits(nodes=300), settings=Settings(jobs=1)
    )
    assert list(run) == [] and run.status is Status.EXHAUSTED


@compiled_only
@given(problems(costs=COSTLY))
def test_the_minimum_is_the_same_beside_the_walk(problem: Problem) -> None:
    """Without the tree, which small problems have otherwise."""
    patch: Any = pytest.MonkeyPatch()
    with patch.context() as changed:
        changed.setattr(mixed, "MOST_ITEMS", 0)
        changed.setattr(integer_program, "available", lambda problem: False)
        changed.setattr(row_prices, "FIRST", 4)
        run = search(problem, goal="minimum", settings=Settings(jobs=1))
        list(run)
    assert run.best == least(problem) and run.status is Status.EXHAUSTED


@compiled_only
@given(problem=st.one_of(problems(costs=COSTLY), with_totals()))
def test_its_rows_are_those_of_the_problem_until_it_is_over(problem: Problem) -> None:
    """HiGHS gets them in its place (mixed.py)."""
    if not any(problem.costs):
        return
    kernel = RowPriceKernel(problem, None)
    assert kernel.program() == rows(problem)
    for _ in range(99):
        if kernel.run(1, 1) == DONE or kernel.over:
            break
    assert kernel.program() == (None if kernel.over else rows(problem))


@given(problem=st.one_of(problems(costs=COSTLY), with_totals()))
def test_rows_say_what_the_problem_says(problem: Problem) -> None:
    """Any set of options is an answer exactly if some values of the other variables meet all rows with it."""
    variables, found = rows(problem)
    wanted = {frozenset(answer) for answer in brute(problem)}
    more = variables - problem.options
    if variables > 12:
        return
    for bits in range(1 << problem.options):
        taken = frozenset(o for o in range(problem.options) if bits >> o & 1)
        meets = any(
            all(
                (row.low is None or row.low <= there) and (row.high is None or there <= row.high)
                for row in found
                for there in [sum(w for v, w in row.terms if (bits | others << problem.options) >> v & 1)]
            )
            for others in range(1 << more)
        )
        assert meets == (taken in wanted)
