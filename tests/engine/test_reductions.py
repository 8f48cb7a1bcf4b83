"""Every reduction of the covering tree keeps the optimum: each by itself, on what is left at the first level."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Problem, build
from covr.engine.kernels.header import DUAL, LAGRANGE, PRICE
from covr.engine.kernels.loading import load
from covr.engine.minimum.core import Core, core
from tests.engine.problems import least


@st.composite
def covers(draw: st.DrawFn) -> Core:
    """The core of a covering problem of up to 7 items and 9 options, a third of whose options copy or extend others."""
    needs = draw(st.lists(st.sampled_from([1, 1, 1, 2]), min_size=2, max_size=7))
    item = st.integers(0, len(needs) - 1)
    options = draw(st.lists(st.sets(item, min_size=1, max_size=4), min_size=3, max_size=6))
    for _ in range(draw(st.integers(0, 3))):
        options.append(draw(st.sampled_from(options)) | draw(st.sets(item, max_size=2)))
    costs = draw(
        st.lists(st.integers(1, draw(st.sampled_from([1, 2, 5]))), min_size=len(options), max_size=len(options))
    )
    rest = core(build([(need, 99) for need in needs], [sorted(o) for o in options], costs=costs))
    if not rest.feasible or not rest.options:
        rest = core(build([(1, 99)] * 2, [[0], [0, 1], [1]], costs=[1, 3, 1]))
    return rest


def tree(rest: Core, cutoff: int, estimates: int = 0) -> Any:
    return load("_cover", True).Cover(rest.needs, rest.options, rest.costs, cutoff, estimates)


def whole(rest: Core) -> Problem:
    return build([(need, 99) for need in rest.needs], rest.options, costs=rest.costs)


def minimum(kernel: Any) -> int | None:
    """What the first level paid, and the minimum of what it leaves; None where that has no cover."""
    _, needs, _, costs, options = kernel.local(0)
    paid: int = kernel.taken(0)[1]
    rest = least(build([(need, 99) for need in needs], options, costs=costs)) if needs else 0
    return None if rest is None else paid + rest


def _essential(kernel: Any) -> bool:
    kernel._settled()  # nothing is looked at but what is forced
    return bool(kernel._reduce())


def _options(kernel: Any) -> bool:
    kernel._open()
    found = kernel._dominated_options()
    kernel._keep(0)
    return bool(found)


def _items(kernel: Any) -> bool:
    kernel._open()
    found = kernel._dominated_items()
    kernel._keep(0)
    return bool(found)


def _all(kernel: Any) -> bool:
    return bool(kernel._reduce())


@pytest.mark.parametrize("reduction", [_essential, _options, _items, _all])
@given(rest=covers())
def test_each_keeps_the_optimum(reduction: Callable[[Any], bool], rest: Core) -> None:
    kernel = tree(rest, sum(rest.costs) + 1)
    reduction(kernel)
    assert minimum(kernel) == least(whole(rest))


@given(covers())
def test_what_shrank_is_all_that_need_be_looked_at(rest: Core) -> None:
    """After an option was excluded only what shrank is looked at; nothing that a look at all would find is missed."""
    kernel = tree(rest, sum(rest.costs) + 1)
    if not kernel._reduce() or kernel.items[0] == 0:
        return
    kernel._settled()
    kernel._open()
    kernel._drop(0)
    kernel._keep(0)
    if not kernel._reduce():
        return
    for reduction in (_options, _items):
        everything = tree(rest, sum(rest.costs) + 1)
        _, needs, _, costs, options = kernel.local(0)
        if needs:
            everything = load("_cover", True).Cover(needs, options, costs, sum(costs) + 1, 0)
            assert not reduction(everything)


@given(covers(), st.integers(0, 3))
def test_reduced_costs_keep_every_better_cover(rest: Core, above: int) -> None:
    """Excluding and forcing by the bound of the first level, for a cutoff a little above the optimum."""
    true = least(whole(rest))
    assert true is not None
    kernel = tree(rest, true + 1 + above, PRICE | DUAL | LAGRANGE)
    while True:
        assert kernel._reduce()
        if kernel.items[0] == 0:
            break
        seen = kernel._bound()
        if kernel.limit() <= true:  # the climb itself found a cover that cheap
            return
        assert seen != 0
        if seen == 1:
            break
    assert minimum(kernel) == true


@given(covers(), st.lists(st.floats(0, 6), min_size=7, max_size=7), st.integers(1, 3))
def test_any_prices_may_thin(rest: Core, prices: list[float], above: int) -> None:
    """Whatever the prices are: what is excluded or forced is in no, or every, cover below the cutoff."""
    true = least(whole(rest))
    assert true is not None
    kernel = tree(rest, true + above)
    for i in range(len(rest.needs)):
        kernel.y[i] = prices[i]
    kernel._thin(kernel._value(), kernel.rc)
    assert minimum(kernel) == true
