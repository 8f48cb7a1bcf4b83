"""The studio in a real browser, in short: it opens, finds a fault, mends it, draws, solves, and keeps to itself."""

from __future__ import annotations

from typing import Any

from tests.studio.browser import PAGE as BUILT
from tests.studio.browser import QUEENS, chromium, need_browser, server, tab

__all__ = ["chromium", "server"]  # fixtures

LARGEST = 1_000_000  # bytes of the whole page


def test_a_model_is_written_and_solved(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        page.write(QUEENS.replace("exactly one queen per r ", "exactly one quen per r "))
        assert "quen" in page.faults()[0]
        page.page.click("#faults .fix")  # did you mean `queen`?
        page.no_faults()
        page.picture()
        page.page.click("#ask-first")
        page.picture("answer")
        assert page.plain().count("Q") == 6
        page.page.click("#ask-count")
        assert page.said("answers", "4 answers").startswith("4 answers")


def test_the_page_is_small() -> None:
    need_browser()
    assert sum(file.stat().st_size for file in BUILT.parent.iterdir()) < LARGEST
