"""No question costs more work than it did, unless somebody meant it (tests/README.md, "The guard")."""

from __future__ import annotations

import os
import sys

import pytest

from benchmarks._guard_pairs import PAIRS
from covr.engine.kernels.loading import kernel
from tests.guard.observe import PLANTED
from tests.guard.pins import EXACT, FILE, all_changes, changes, measure, pinned, text_of

pytestmark = pytest.mark.long

COMPILED = pytest.mark.skipif(
    kernel() != "compiled" or not hasattr(os, "fork") or sys.implementation.name != "cpython",
    reason="the work of compiled kernels is pinned, and counted in forks",
)


@COMPILED
def test_no_question_costs_more_work_than_it_did() -> None:
    """Nor is a search in slices of one node overlooked, as counts of 0.2.0 were once they had lost their patience."""
    once, planted = (pair.name for pair in PLANTED)
    found = measure(*(pair.name for pair in PAIRS), once, planted)
    work, slow = found.pop(once), found.pop(planted)
    assert [line.split(" before")[0] for line in changes("queens", work, slow)] == [
        f"queens: {slow['calls']} calls, {work['calls']}",
        f"queens: {slow['slices']} slices, {work['slices']}",
    ]
    said = all_changes(pinned(), found)
    assert not said, "\n" + "\n".join(said)


def test_there_are_pairs_of_every_kind() -> None:
    assert len({pair.name for pair in PAIRS}) == len(PAIRS) >= 40
    text = "\n".join(pair.name for pair in PAIRS)
    for kind in ("jobs=1", "jobs=2", "--jobs 1", "--run", "covr.load", "links", "bits", "sides", "mixed", "memory=0"):
        assert kind in text


PIN = {"calls": 100, "slices": 10, "nodes": 20, "updates": 30}


@pytest.mark.parametrize(("calls", "said"), [(120, ""), (121, "121 calls, 100 before: 1.21"), (67, ""), (66, "renew")])
def test_calls_may_change_by_a_little(calls: int, said: str) -> None:
    lines = changes("pair", PIN, {**PIN, "calls": calls})
    assert len(lines) == bool(said)
    assert all(said in line for line in lines)


@pytest.mark.parametrize("field", EXACT)
def test_what_a_kernel_does_is_exact(field: str) -> None:
    grown, fallen = ({**PIN, field: int(PIN[field]) + by} for by in (1, -1))
    assert f"{PIN[field]} before: " in changes("pair", PIN, grown)[0]
    assert "renew" in changes("pair", PIN, fallen)[0]
    assert len(changes("pair", PIN, grown, is_loose=True)) == 1


def test_a_pair_that_fails_is_new_or_is_gone_is_told() -> None:
    assert changes("pair", PIN, {"fault": "exit code 2"}) == ["pair: exit code 2"]
    assert "not pinned yet" in changes("pair", None, PIN)[0]
    assert "no pair any more" in changes("pair", PIN, None)[0]


def test_the_file_is_as_renew_writes_it() -> None:
    assert FILE.read_text(encoding="utf-8") == text_of(pinned())
    assert list(pinned()) == [pair.name for pair in PAIRS]
