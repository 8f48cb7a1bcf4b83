"""A ceiling that is lowered while the search runs: what parallel searches tell each other."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covr.engine import Problem, Settings, Status, check, cost, search
from tests.engine.problems import domination, least
from tests.engine.strategies import problems
from tests.shared import examples


@pytest.mark.parametrize("engine", ["reference", "links", "auto"])
@settings(max_examples=examples(50))
@given(problems(costs=("zero", "one", "negative", "profit")), st.integers(0, 12), st.integers(-8, 9), st.booleans())
def test_no_answer_above_it_is_found_from_now_on(
    engine: str, problem: Problem, nodes: int, ceiling: int, seeded: bool
) -> None:
    true = least(problem)
    run = search(problem, goal="minimum", settings=Settings(engine=engine, seed=1 if seeded else None))
    run.step(nodes)
    early = run.waiting()
    run.lower_ceiling(ceiling + 3)
    run.lower_ceiling(ceiling)
    late = list(run)
    assert run.status is Status.EXHAUSTED
    assert all(check(problem, a) is None for a in [*early, *late])
    assert all(cost(problem, a) <= ceiling for a in late)
    if true is not None and true <= ceiling:
        assert run.best == run.bound == true == cost(problem, [*early, *late][-1])
    else:
        assert not late and run.bound == ceiling + 1


def test_a_lowered_ceiling_prunes() -> None:
    """Somebody who knows the optimum spares the other the search for it; absurd ceilings do no harm."""
    alone = search(domination(7), goal="minimum", settings=Settings(engine="links"))
    told = search(domination(7), goal="minimum", settings=Settings(engine="links"))
    told.step(1)
    told.lower_ceiling(10**30)
    told.lower_ceiling(4)
    assert list(alone) and list(told) and alone.best == told.best == 4
    assert told.counters.nodes < alone.counters.nodes
    for engine in ("auto", "links"):
        none = search(domination(4), goal="minimum", settings=Settings(engine=engine))
        none.step(3)
        none.waiting()
        none.lower_ceiling(-(10**30))
        assert not list(none) and none.bound == 1 - 10**30


def test_only_a_minimum_has_one() -> None:
    with pytest.raises(ValueError, match="minimum"):
        search(domination(3)).lower_ceiling(3)
