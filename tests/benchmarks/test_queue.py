"""The simulated queue: statements that hold whatever was measured."""

from __future__ import annotations

import pytest

from benchmarks.queueing import MeasuredTask, QueueTask, simulate
from covr.engine.pieces.piece_work import LOOKS

pytestmark = pytest.mark.long

FREE = QueueTask(0.0, 0.0)
EVEN = MeasuredTask("even", [1.0], [], [[1 / 64] * 64])
SKEW = MeasuredTask("skew", [1.0], [], [[0.9, 0.05, 0.05, 0.0], [0.5, 0.3, 0.1, 0.1]])


def test_one_core_takes_as_long_as_the_work_and_what_cuts_cost() -> None:
    """The whole is cut at the first look; its 64 parts, of 16 budgets each, when they look like that; what is left of
    these runs to its end."""
    part = 1000 / 64
    cut = max(1 / part, 1 / LOOKS)
    assert simulate(1000.0, 1, 1.0, EVEN, FREE).seconds == pytest.approx(1000 + 1 / LOOKS + 64 * cut)


@pytest.mark.parametrize("measured", [EVEN, SKEW], ids=["even", "skew"])
def test_more_cores_are_faster_until_there_is_nothing_to_share(measured: MeasuredTask) -> None:
    times = [simulate(2000.0, cores, 1.0, measured, FREE).seconds for cores in (1, 10, 100, 10_000)]
    assert times == sorted(times, reverse=True)
    assert times[1] == pytest.approx(200, rel=0.15)
    assert times[-1] < 20


def test_the_asker_handles_one_piece_at_a_time() -> None:
    for each in (0.001, 0.1):
        outcome = simulate(1000.0, 100, 1.0, EVEN, QueueTask(each, 0.0))
        assert outcome.seconds >= outcome.pieces * each
    slow, fast = (simulate(1000.0, 100, 1.0, EVEN, QueueTask(0.0, trip)).seconds for trip in (2.0, 0.0))
    assert slow > fast
