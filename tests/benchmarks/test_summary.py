"""docs/benchmarks.md says what the tables of benchmarks/results.md give."""

from __future__ import annotations

from benchmarks.document import DOCUMENT
from benchmarks.summary import PAGE, summary, whole

TEXT = """
<!-- work: begin -->
## Plans

|  | best | covr 1 | peer 2 |  | covr, search | peer, search |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
| a | 1 | 0.1 | 0.4 (×4) | | 0.1 | 9 |
| b | 1 | 0.4 | 0.1 (×0.25) | | 0.1 | 9 |
| c | 1 | 0.4 | > | | 0.1 | 9 |
| d | 1 | > | 0.3 | | 0.1 | 9 |
| geometric mean of ratios | | | ×1 | | | |
<!-- work: end -->
"""


def test_a_table_is_summed_up() -> None:
    (line,) = summary(TEXT, "work")
    assert line.cells() == ["Plans", "peer 2", "2", "1.00", "1", "1", "1"]


def test_the_page_has_the_figures_of_the_tables() -> None:
    assert whole(DOCUMENT.read_text("utf-8")) in PAGE.read_text("utf-8")
