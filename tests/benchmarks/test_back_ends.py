"""The benchmark of back ends: every width counts the same, and the table compares them with the widest."""

from __future__ import annotations

import pytest

from benchmarks.back_ends import Row, exact, guarded, measure, report
from covr.engine.kernels.loading import load
from tests.engine.back_ends import ALL

pytestmark = pytest.mark.long


@pytest.mark.skipif(not load("_bits", False).COMPILED, reason="widths are those of the compiled kernels")
def test_every_width_counts_the_same() -> None:
    rows = [measure("ypent-10x10", exact("ypent-10x10"), ALL, 1), measure("four", guarded(7, 4), ALL, 1)]
    assert [row.answers for row in rows] == [350, 86]
    assert all(set(row.seconds) == set(ALL) for row in rows)


def test_the_table_compares_widths_with_the_widest() -> None:
    text = report([Row("soma", 100, 7, {512: 0.5, 64: 1.0}), Row("x", 1, 1, {512: 0.5, 64: 2.0})], [512, 64])
    assert "| soma | 7 | 100 | 0.5000 | 1.0000 (×2.00) |" in text
    assert "| geometric mean |  |  | ×1.00 | ×2.83 |" in text
