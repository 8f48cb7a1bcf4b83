"""The benchmark of classes, on a small model."""

from __future__ import annotations

import pytest

from benchmarks import classes
from benchmarks.classes import QUEENS, ClassInstance, measure

pytestmark = pytest.mark.long


def test_a_row_tells_answers_and_classes() -> None:
    row, ratio = measure(ClassInstance("queens 7", "let n = 7" + QUEENS), rounds=1)
    assert row[:4] == ["queens 7", "8", "40", "6"]
    assert ratio > 0


def test_wrong_classes_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def every(problem: object, images: object, *, settings: object) -> object:
        return classes.search(problem, settings=settings)  # type: ignore[arg-type]

    monkeypatch.setattr(classes, "search_classes", every)
    with pytest.raises(AssertionError, match="not those of all"):
        measure(ClassInstance("queens 6", "let n = 6" + QUEENS), rounds=1)
