"""Models of thousands of rules in a real browser: faults are told soon, and nothing is said that is not known."""

from __future__ import annotations

from statistics import median
from typing import Any

import pytest

from tests.studio.browser import chromium, long_model, server, tab

pytestmark = pytest.mark.long

__all__ = ["chromium", "server"]  # fixtures
KEYS = 6
RULES = 1500


def hold_answers(page: Any) -> None:
    """Hold back what the server says of texts, until the function that is returned is called."""
    page.page.evaluate(
        """() => { window.held = []; const send = window.fetch;
          window.fetch = async (path, init) => {
            if (String(path).endsWith('/api/analyse')) await new Promise(go => window.held.push(go));
            return send(path, init);
          }; }"""
    )


def test_while_a_text_is_read_nothing_is_said_of_it(server: Any, chromium: Any) -> None:
    """No "No errors.", a picture that is dimmed, and no button that asks."""
    with tab(chromium, server.address) as page:
        page.write("cells r in 1..3\nchoose q(r)\nexactly one q\nexpect 3 solutions\n")
        page.picture()
        assert page.page.locator("#faults").inner_text() == "No errors."
        assert page.page.locator("#ask-first").is_enabled()
        hold_answers(page)
        page.page.locator(".cm-content").focus()
        page.page.keyboard.press("Control+End")
        page.page.keyboard.insert_text("exactly one p\n")
        page.page.locator("#faults", has_text="Reading the model").wait_for()
        assert page.page.locator("#faults[data-errors]").count() == 0
        assert page.page.locator("#stage.stale").count() == 1
        asking = [f"ask-{name}" for name in ("first", "all", "count", "unique", "best", "test", "proof", "why", "hint")]
        for name in (*asking, "ask-dance", "ask-spare-givens", "hand-check", "hand-hint"):
            assert page.page.locator(f"#{name}").is_disabled(), name
        page.page.evaluate("window.held.forEach(go => go())")
        assert len(page.faults()) == 1
        page.page.locator(".cm-lintRange").first.wait_for()
        drawn = "getComputedStyle(document.querySelector('.cm-lintRange')).textDecorationLine"
        assert page.page.evaluate(drawn) != "none"
        page.page.evaluate("window.held = []")
        page.page.keyboard.insert_text("# and more is typed")
        page.page.locator("#faults", has_text="Reading the model").wait_for()
        assert page.page.evaluate(drawn) == "none"  # nothing is said to be wrong, either
        page.page.evaluate("window.held.forEach(go => go())")
        assert len(page.faults()) == 1 and page.page.evaluate(drawn) != "none"


def test_faults_of_a_long_model_come_before_the_rest(server: Any, chromium: Any) -> None:
    """Colours, folds and mends come, too, but nobody waits for them to hear of a fault."""
    with tab(chromium, server.address) as page:
        paths: list[str] = []
        page.page.on("request", lambda request: paths.append(request.url.rpartition("/")[2]))
        page.write(long_model(RULES))
        page.no_faults()
        page.page.locator(".tok-keyword").first.wait_for()
        assert paths.index("analyse") < paths.index("details")
        page.page.locator(".cm-content").focus()
        page.page.keyboard.press("Control+End")
        page.page.keyboard.type("exactly one plac", delay=15)
        page.faults()
        page.page.locator("#faults .fix", has_text="place").wait_for()
        times = []
        for key in range(KEYS):
            before = len(page.marks("covr-faults"))
            page.page.evaluate("performance.mark('typed')")
            page.page.keyboard.type("xy"[key % 2])
            page.until(lambda before=before: len(page.marks("covr-faults")) > before)
            start = page.marks("typed")[-1]
            times.append(next(mark for mark in page.marks("covr-faults") if mark > start) - start)
            page.page.keyboard.press("Backspace")
            page.faults()
            page.page.wait_for_timeout(400)
        print(f"keystroke to faults in a model of {RULES} rules: {median(times):.0f} ms")
        page.page.keyboard.type("e")
        page.no_faults()
        page.page.locator(".cm-line", has_text="exactly one place").last.locator(".tok-family").first.wait_for()
