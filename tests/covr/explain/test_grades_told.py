"""The grades of the gallery that docs/solving.md tells are those that `covr grade` finds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import covr

PAGE = (Path(__file__).parents[3] / "docs" / "solving.md").read_text("utf-8")
ROWS = re.findall(r"^\| (1\.00|to \d+) \| (`.*) \|$", PAGE, flags=re.MULTILINE)
TOLD = {
    name: float(figure or bound) for bound, row in ROWS for name, figure in re.findall(r"`(\w+)`(?: ([\d.]+))?", row)
}
QUICK = ("tents", "hashi")


def test_the_page_tells_of_many_kinds() -> None:
    assert len(TOLD) > 25 and set(QUICK) <= TOLD.keys()


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in QUICK else pytest.mark.slow) for n in TOLD])
def test_a_grade_is_as_told(name: str) -> None:
    path = covr.load(name).hints()
    assert path.whole
    assert path.grade.figure == TOLD[name]
