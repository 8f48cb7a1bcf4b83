"""Prices from the root, carried along by the general kernel."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Problem, Settings, build, count, search
from covr.engine.kernels.header import SCALE
from covr.engine.minimum.asked import root_prices
from covr.engine.prepare.masks import take_given
from tests.engine.engines import by
from tests.engine.problems import brute, covering_design, domination, least
from tests.engine.strategies import problems


@given(problems(costs=("zero", "one", "negative")), st.booleans())
def test_prices_bound_every_answer(problem: Problem, interpreted: bool) -> None:
    residual = take_given(problem)
    prices = root_prices(problem, residual, interpreted)
    if not prices:
        return
    assert all(y >= 0 for y in prices)
    promise = sum(y * max(n, 0) for y, n in zip(prices, residual.need, strict=True))
    for answer in brute(problem):
        own = [o for o in answer if o not in problem.given]
        reduced = sum((problem.costs[o] << SCALE) - sum(prices[i] for i in problem.option(o)) for o in own)
        assert promise + reduced <= sum(problem.costs[o] for o in own) << SCALE


@given(problems(costs=("zero", "one", "negative")), st.sampled_from(["links", "interpreted"]))
def test_the_bound_at_the_root_is_not_above_the_minimum(problem: Problem, engine: str) -> None:
    run = search(problem, goal="minimum", settings=by(engine, estimate="auto"))
    run.step(1)
    true, bound = least(problem), run._method.bound()
    assert true is None or bound is None or bound <= true
    assert bool(list(run)) == (true is not None)
    assert run.best == true


def test_it_prunes_a_ceiling() -> None:
    """Every cover of 7 triples that holds all pairs of 7 points: the 30 Fano planes."""
    problem = covering_design(7, 3, 2)
    plain, priced = (count(problem, settings=Settings(ceiling=7, estimate=e)) for e in ("classic", "auto"))
    assert plain.value == priced.value == 30
    assert priced.counters.nodes < plain.counters.nodes / 3


def test_it_bounds_mixed_problems() -> None:
    """Domination where no square may be guarded more than 4 times: no covering problem, but its bound holds."""
    squares = domination(6)
    options = [list(squares.option(o)) for o in range(36)]
    problem = build([(1, 4)] * 36, options, costs=[1] * 36)
    runs = {e: search(problem, goal="minimum", settings=Settings(estimate=e)) for e in ("none", "classic", "auto")}
    answers = [list(run)[-1] for run in runs.values()]
    assert len({len(a) for a in answers}) == 1
    assert runs["auto"].counters.nodes < runs["classic"].counters.nodes < runs["none"].counters.nodes
    assert "dancing links with bounds" in runs["auto"].engine
