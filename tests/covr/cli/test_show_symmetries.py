"""`covr show --symmetries`: the order, the generators as cycles, and one object of JSON."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covr.cli import show
from covr.cli.show import cycles
from tests.constants import Constants
from tests.covr.command import Covr, covr

pytestmark = pytest.mark.long

__all__ = ["covr"]


@pytest.mark.parametrize(("model", "order"), [("queens", 8), ("scott", 8), ("soma", 48), ("langford", 2)])
def test_the_order_is_shown_with_its_generators(covr: Covr, model: str, order: int) -> None:
    done = covr("show", model, "--symmetries")
    assert done.exit_code == 0
    assert done.output.splitlines()[0] == f"symmetries  {order}"
    assert "generator 1 moves" in done.output
    made = json.loads(covr("show", model, "--symmetries", "--json").output.splitlines()[1])
    assert made["type"] == "symmetries" and made["order"] == order and made["complete"]
    assert made["generators"] and all(len(set(cycle)) == len(cycle) > 1 for g in made["generators"] for cycle in g)


def test_what_is_declared_is_told(covr: Covr) -> None:
    assert "declared    a group of 8" in covr("show", "scott", "--symmetries").output
    assert json.loads(covr("show", "scott", "--symmetries", "--json").output.splitlines()[1])["declared"] == 8
    assert json.loads(covr("show", "queens", "--symmetries", "--json").output.splitlines()[1])["declared"] is None


def test_what_was_not_finished_says_so(covr: Covr, constants: Constants) -> None:
    constants(show, MOST_WORK=1)
    assert "at least; not all were found in time" in covr("show", "queens", "--symmetries").output
    assert json.loads(covr("show", "queens", "--symmetries", "--json").output.splitlines()[1])["complete"] is False


def test_json_goes_with_the_symmetries_or_alone(covr: Covr) -> None:
    start, end = map(json.loads, covr("show", "queens", "--json").output.splitlines())
    assert (start["type"], start["options"], end["type"], end["complete"]) == ("start", 64, "end", True)
    assert covr("show", "queens", "--symmetries", "--items", "--json").exit_code == 2
    assert covr("show", "queens", "--symmetries", "--source").exit_code == 2


@given(st.integers(0, 9).flatmap(lambda n: st.permutations(range(n))))
def test_cycles_are_the_permutation(image: list[int]) -> None:
    moved = [p for p, q in enumerate(image) if p != q]
    back = {
        p: q
        for cycle in cycles(moved, [image[p] for p in moved])
        for p, q in zip(cycle, cycle[1:] + cycle[:1], strict=True)
    }
    assert back == {p: image[p] for p in moved}
