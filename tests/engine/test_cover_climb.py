"""The order in which options are taken out of a cover that is built from prices."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from covr.engine.kernels.loading import load


@given(costs=st.lists(st.integers(1, 9), min_size=1, max_size=300), size=st.integers(0, 300))
def test_the_dearest_come_first_and_equals_stay(costs: list[int], size: int) -> None:
    size = min(size, len(costs))
    climb = load("_cover_climb", interpreted=True).Climb([1], [(0,) for _ in costs], costs, sum(costs) + 1)
    order = [(7 * k) % len(costs) for k in range(size)] if len(costs) % 7 else list(range(size))
    climb.trial[:size] = order
    climb._sort_trial(size)
    assert list(climb.trial[:size]) == sorted(order, key=lambda o: -costs[o])
