"""Models of working size have the minima that HiGHS has, and no step of their searches excludes HiGHS's answer."""

from __future__ import annotations

import pytest

from tests.fuzz.by_highs import Known, cuts
from tests.fuzz.families import FAMILIES, LEAST, text_of
from tests.fuzz.working import Outcome, Tally, disagreement, lateness, try_model

pytestmark = pytest.mark.long

KEPT = ("assignments", "covers")  # families of which the gate keeps a run
SMALL = 100  # options of the smallest models here, about: fewer and HiGHS needs no search for them


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family(family: str, slow: bool) -> None:
    """The gate tries one model, small enough to be proved soon; the slow tier three, of working size."""
    pytest.importorskip("highspy", reason="HiGHS is the second opinion")
    tally = Tally()
    for seed in range(1, 4 if slow else 2):
        kept = family in KEPT and seed == 1
        most, seconds = (LEAST + 100, 1.5) if slow else (SMALL, 0.5)
        try_model(family, seed, tally, most=most, limits=(seconds,), kept=kept, patience=10, few=True)
        assert tally.models[family] == seed
    assert not tally.wrong, "\n".join(tally.findings)


def test_a_seed_makes_the_same_model() -> None:
    for family in FAMILIES:
        assert text_of(family, 5) == text_of(family, 5) != text_of(family, 6)


def outcome(*costs: int, bound: int | None = None, status: str = "EXHAUSTED", cpu: float = 0.0) -> Outcome:
    return Outcome(list(costs), bound, status, cpu, cpu)


def known(best: int | None, bound: int | None, proved: bool) -> Known:
    return Known({"best": best, "bound": bound, "proved": proved, "answer": []})


def test_what_disagrees_is_told() -> None:
    right = known(7, 7, True)
    assert disagreement(outcome(9, 7, bound=7), right) is None
    assert disagreement(outcome(9, bound=5, status="LIMIT"), right) is None
    assert disagreement(outcome(9, bound=8, status="LIMIT"), right) is not None
    assert disagreement(outcome(9, 8, bound=8), right) is not None
    assert disagreement(outcome(9, 6, bound=6), right) is not None
    assert disagreement(outcome(), right) is not None
    assert disagreement(outcome(7, 7), None) is not None
    assert disagreement(outcome(7, bound=8, status="LIMIT"), None) is not None
    still_open = known(9, 4, False)
    assert disagreement(outcome(8, bound=8), still_open) is None
    assert disagreement(outcome(3, bound=3), still_open) is not None
    assert disagreement(outcome(10, bound=10), still_open) is not None
    assert disagreement(outcome(3), known(None, None, True)) is not None
    assert disagreement(outcome(), known(None, None, True)) is None
    assert lateness(outcome(cpu=1.4), 1, 1) is None
    assert lateness(outcome(cpu=1.6), 1, 1) is not None


def test_cuts_hold_for_single_loops_alone() -> None:
    square, far = [(0, 1, 2), (1, 2, 3), (2, 3, 4), (3, 4, 1)], [(4, 5, 6), (5, 6, 7), (6, 7, 5)]
    ends = [*square, *far, (7, 4, 5)]
    made = cuts(ends, set(range(7)))
    for loop in ({0, 1, 2, 3}, {4, 5, 6}):
        assert cuts(ends, loop) == []
        assert all(low <= sum(c for o, c in terms if o in loop) <= high for low, high, terms in made)
    assert any(sum(c for o, c in terms if o in range(7)) > high for _, high, terms in made)
