"""The check of estimates: right ones pass, wrong ones are caught."""

from __future__ import annotations

import pytest

from covr.engine import ESTIMATES, Bound, View
from covr.engine.check_estimate import check_estimate
from covr.engine.minimum.estimates import classic, price
from tests.engine.problems import assignment, covering_design, domination, langford


@pytest.mark.parametrize("name", ESTIMATES)
def test_ours_are_admissible(name: str) -> None:
    estimate = ESTIMATES[name].bound
    assert check_estimate(estimate) is None
    for problem in (domination(5), covering_design(7, 3, 2), assignment([[3, -7], [6, 9]]), langford(4)):
        assert check_estimate(estimate, problem, rounds=30) is None


def test_too_large_a_number_is_caught() -> None:
    fault = check_estimate(lambda view, cutoff: classic(view, cutoff) + 1)
    assert fault is not None and "is enough" in fault.what
    fault = check_estimate(lambda view, cutoff: price(view, cutoff) * 1.5, domination(5))
    assert fault is not None and fault.problem.items == 25
    fault = check_estimate(lambda view, cutoff: float("nan"))
    assert fault is not None and fault.what.endswith("is not a number: its bound is nan")


def test_wrong_exclusions_are_caught() -> None:
    def greedy(view: View, cutoff: int | None) -> Bound:
        items = view.uncovered()
        return Bound(view.credit, exclude=view.options(items[0])[:1] if items else ())

    def forcing(view: View, cutoff: int | None) -> Bound:
        items = view.uncovered()
        return Bound(view.credit, force=view.options(items[0])[:1] if items else ())

    fault = check_estimate(greedy)
    assert fault is not None and "excludes option" in fault.what
    fault = check_estimate(forcing)
    assert fault is not None and "forces option" in fault.what


def test_prices_are_not_judged() -> None:
    def wild(view: View, cutoff: int | None) -> Bound:
        return Bound(view.credit, dict.fromkeys(view.uncovered(), 1000.0))

    assert check_estimate(wild) is None
