"""Lower bounds are never above the true minimum, and those of the kernel equal their twins in Python."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covr.engine import ESTIMATES, Estimate, Problem, Settings, View, find_estimate, register, search
from covr.engine.minimum.estimates import classic, none
from covr.engine.single import begin
from tests.engine.engines import by
from tests.engine.problems import domination, least
from tests.engine.strategies import problems

pytestmark = pytest.mark.long

KERNELS = ["interpreted", "links"]


@pytest.fixture
def registry() -> Iterator[None]:
    before = dict(ESTIMATES)
    yield
    ESTIMATES.clear()
    ESTIMATES.update(before)


@given(problems(), st.sampled_from(["none", "classic", "auto"]))
def test_no_bound_is_too_high(problem: Problem, estimate: str) -> None:
    """No bound is too high at the root of what random given options leave. Any node of a search is such a root."""
    run = begin(problem, "minimum", settings=Settings(estimate=estimate))
    run.step(1)
    root = run._method.bound()
    true = least(problem)
    assert true is None or root is None or root <= true


@given(problems(), st.sampled_from(KERNELS))
def test_native_estimates_equal_their_twins(problem: Problem, engine: str) -> None:
    for twin in (none, classic):
        native = search(problem, goal="minimum", settings=by(engine, estimate=twin.__name__))
        asked = search(
            problem,
            goal="minimum",
            settings=by(engine, estimate=lambda view, cutoff, twin=twin: twin(view, cutoff)),
        )
        assert list(native) == list(asked)
        assert native.counters == asked.counters


@given(problems(), st.sampled_from(KERNELS))
def test_the_view_keeps_its_word(problem: Problem, engine: str) -> None:
    def look(view: View, cutoff: int | None) -> float:
        items = list(view.uncovered())
        assert items == sorted(set(items))
        assert view.credit <= 0 <= view.depth
        assert cutoff is None or isinstance(cutoff, int)
        for i in items:
            options = list(view.options(i))
            assert options == sorted(set(options))
            assert 1 <= view.need(i) <= len(options)
            for o in options:
                reach = list(view.reach(o))
                assert i in reach
                assert reach == [k for k in view.problem.option(o) if k in items]
                assert view.cost(o) == (view.problem.costs[o] if view.problem.costs else 0)
        return view.credit

    plain = search(problem, goal="minimum", settings=by(engine, estimate="none"))
    watched = search(problem, goal="minimum", settings=by(engine, estimate=look))
    assert list(plain) == list(watched)
    assert plain.counters == watched.counters


def test_a_better_estimate_saves_nodes_and_changes_nothing() -> None:
    runs = {
        name: search(domination(5), goal="minimum", settings=Settings(estimate=name)) for name in ("none", "classic")
    }
    answers = [list(run) for run in runs.values()]
    assert answers[0] == answers[1]
    assert runs["classic"].counters.nodes < runs["none"].counters.nodes


def test_a_callable_sees_slices_and_fractions() -> None:
    """Fractions are rounded up; the search may stand still anywhere between two questions."""

    def fraction(view: View, cutoff: int | None) -> float:
        return len(view.uncovered()) / 25  # a queen guards at most all 25 squares

    run = search(domination(5), goal="minimum", settings=Settings(estimate=fraction))
    while run.step(1):
        pass
    assert [len(a) for a in run][-1] == 3
    assert run.engine.endswith("estimate fraction")


def test_infinity_prunes_and_nan_is_refused() -> None:
    nothing = Settings(engine="links", estimate=lambda view, cutoff: math.inf)
    assert list(search(domination(4), goal="minimum", settings=nothing)) == []
    with pytest.raises(ValueError, match="not a number"):
        list(search(domination(6), goal="minimum", settings=Settings(estimate=lambda view, cutoff: math.nan)))


def test_an_exception_of_an_estimate_goes_to_the_caller() -> None:
    def broken(view: View, cutoff: int | None) -> float:
        raise RuntimeError("broken estimate")

    with pytest.raises(RuntimeError, match="broken estimate"):
        list(search(domination(6), goal="minimum", settings=Settings(estimate=broken)))


@pytest.mark.usefixtures("registry")
def test_estimates_are_registered_by_name() -> None:
    def half(view: View, cutoff: int | None) -> float:
        return classic(view, cutoff) / 2

    assert register("half", half, "half of classic") == Estimate("half", half, "half of classic")
    assert find_estimate("half").bound is half
    assert list(search(domination(4), goal="minimum", settings=Settings(estimate="half")))[-1]
    register("half", half)
    with pytest.raises(ValueError, match="already an estimate `half`"):
        register("half", classic)
    with pytest.raises(ValueError, match="there are auto, none, classic"):
        find_estimate("quarter")
