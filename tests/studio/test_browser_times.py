"""How long things take in the page, measured there.

No test fails because a machine is slow: the figures are printed (`pytest -s`), and what is held to is the work: at most
one question at a time, and no more than so many elements. tests/LOG.md says what the figures were.
"""

from __future__ import annotations

from statistics import median
from typing import Any

import pytest

from tests.studio.browser import QUEENS, chromium, long_model, server, tab

pytestmark = pytest.mark.long

__all__ = ["chromium", "server"]  # fixtures
WATCH = """() => { window.long = []; window.drawn = 0;
  new PerformanceObserver(list => { for (const task of list.getEntries()) window.long.push(Math.round(task.duration)) })
    .observe({type: 'longtask'}); }"""
KEYS = 20


def test_a_keystroke_leads_to_faults_and_picture_in_time(server: Any, chromium: Any) -> None:
    from covr.inputs.library import find_source

    with tab(chromium, server.address) as page:
        page.write(find_source("sudoku").text)
        page.picture()
        page.page.wait_for_timeout(1000)
        page.pane("data")
        faults, pictures = [], []
        for key in range(KEYS):
            page.cell(1, 3).focus()
            before = len(page.marks("covr-picture"))
            page.page.keyboard.press("12"[key % 2])
            page.until(lambda before=before: len(page.marks("covr-picture")) > before)
            start = page.marks("covr-key")[-1]
            faults.append(next(mark for mark in page.marks("covr-faults") if mark > start) - start)
            pictures.append(next(mark for mark in page.marks("covr-picture") if mark > start) - start)
        print(f"keystroke to faults: {median(faults):.0f} ms, to the picture of a sudoku: {median(pictures):.0f} ms")
        assert len(pictures) == KEYS


def test_a_thousand_answers_do_not_freeze_the_page(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        page.write(QUEENS.replace("n = 6", "n = 11"))
        page.picture()
        page.page.fill("#limit-answers", "1000")
        page.page.fill("#limit-seconds", "3000")
        page.page.evaluate(WATCH)
        page.page.click("#ask-all")
        page.said("answers", "1000 answers are shown")  # of 2680
        page.until(lambda: page.page.locator(".tile").count() == 1000)
        images = page.page.locator(".tile img").count()
        assert 0 < images < 400  # only what is near the window is drawn
        page.page.locator(".tile").last.scroll_into_view_if_needed()
        page.page.locator(".tile").last.locator("img").wait_for()
        print(f"the longest tasks of the page: {sorted(page.page.evaluate('window.long'))[-3:]} ms")


def test_a_stroke_is_written_and_a_mark_is_looked_at_in_time(server: Any, chromium: Any) -> None:
    """From a key in the drawing to the text, and from a mark by hand to the picture with what clashes."""
    from covr.inputs.library import find_source

    with tab(chromium, server.address) as page:
        page.write(find_source("sudoku").text)
        page.picture()
        page.page.wait_for_timeout(1000)
        page.pane("draw")
        page.page.locator("#canvas").wait_for(state="hidden")
        page.page.focus("#stage")
        page.page.keyboard.press("Home")
        drawn = [_passed(page, "12"[key % 2], "covr-stroke", "covr-drawn") for key in range(KEYS)]
        page.pane("hand")
        page.page.wait_for_selector("#stage[data-source='hand'] svg")
        page.page.wait_for_timeout(1000)
        page.page.locator("#stage [data-at='0:1,3']").first.click()
        by_hand = [_passed(page, "12"[key % 2], "covr-pencil", "covr-hand") for key in range(KEYS)]
        print(f"key to text: {median(drawn):.0f} ms, mark by hand to picture and clashes: {median(by_hand):.0f} ms")
        assert len(drawn) == len(by_hand) == KEYS


@pytest.mark.slow
@pytest.mark.parametrize("name", ["slitherlink", "heyawake"])
def test_answers_are_counted_in_time_while_a_board_is_drawn(server: Any, chromium: Any, name: str) -> None:
    """From a key on an empty board of 10 by 10, whose clues come one by one, to the number of answers."""
    from covr.studio.boards.resize import fresh

    with tab(chromium, server.address) as page:
        page.write(fresh(name, 10, 10))
        page.no_faults()
        page.picture()
        page.pane("draw")
        page.page.click("#show-set")
        page.page.wait_for_selector("#count[data-count='many']")
        page.page.wait_for_selector("html[data-drawn]")
        page.page.focus("#stage")
        page.page.keyboard.press("Home")
        counted = []
        for key in range(KEYS):
            lap = key // 9  # along the diagonal and back, each time with another number
            for way in ("ArrowUp", "ArrowLeft") if lap == 1 else ("ArrowRight", "ArrowDown"):
                page.page.keyboard.press(way)
            counted.append(_passed(page, "123"[lap], "covr-stroke", "covr-count"))
        print(f"{name}: key to the number of answers: {median(counted):.0f} ms, at most {max(counted):.0f} ms")
        assert len(counted) == KEYS


def _passed(page: Any, key: str, begins: str, ends: str) -> float:
    """How long it takes from one mark to the next of another, after a key."""
    before = len(page.marks(ends))
    page.page.keyboard.press(key)
    page.until(lambda: len(page.marks(ends)) > before)
    return float(page.marks(ends)[-1] - page.marks(begins)[-1])


@pytest.mark.slow
@pytest.mark.parametrize("rules", [500, 2000, 5000, 20_000])
def test_from_the_last_key_to_the_fault_in_long_models(server: Any, chromium: Any, rules: int) -> None:
    with tab(chromium, server.address) as page:
        page.page.click(".cm-content")
        page.page.keyboard.press("Control+a")
        page.page.evaluate("performance.mark('typed')")
        page.page.keyboard.insert_text(long_model(rules))
        start = page.marks("typed")[-1]
        page.until(lambda: any(mark > start for mark in page.marks("covr-faults")))
        opened = next(mark for mark in page.marks("covr-faults") if mark > start) - start
        page.no_faults()
        page.page.wait_for_timeout(3000)
        page.page.keyboard.press("Control+End")
        page.page.keyboard.type("exactly one plac", delay=15)
        page.faults()
        page.page.wait_for_timeout(2000)
        times = [_passed_from_key(page, "xy"[key % 2]) for key in range(KEYS)]
        print(
            f"{rules} rules: opened {opened:.0f} ms, key to fault {median(times):.0f} ms, at most {max(times):.0f} ms"
        )
        assert len(times) == KEYS


@pytest.mark.slow
def test_format_and_rename_of_2000_lines(server: Any, chromium: Any) -> None:
    """From the request to its answer: what the editor does with it takes a few milliseconds."""
    with tab(chromium, server.address) as page:
        page.write(long_model(2000))
        page.no_faults()
        page.page.wait_for_timeout(2000)
        times: dict[str, list[float]] = {"format": [], "rename": []}
        for _ in range(KEYS):
            page.page.keyboard.press("Control+End")
            page.page.keyboard.type("\n\nforbid  place(1,1,1)\n")
            page.no_faults()
            times["format"].append(_asked(page, "format", "Shift+Alt+F"))
        for key in range(KEYS):
            page.page.keyboard.press("Control+Home")
            for _ in range(2):
                page.page.keyboard.press("ArrowDown")
            for _ in range(8):
                page.page.keyboard.press("ArrowRight")
            page.page.keyboard.press("F2")
            page.page.locator("dialog input").fill(f"d{key}")
            times["rename"].append(_asked(page, "rename", "Enter"))
            page.no_faults()
        print(", ".join(f"{what} of 2000 lines: {median(took):.0f} ms" for what, took in times.items()))
        assert min(map(len, times.values())) == KEYS


def _asked(page: Any, what: str, key: str) -> float:
    """How long a request takes that a key leads to."""
    script = f"""performance.getEntriesByType('resource').filter(one => one.name.endsWith('/api/{what}'))
      .map(one => one.duration)"""
    page.page.evaluate("performance.clearResourceTimings()")
    page.page.keyboard.press(key)
    page.until(lambda: len(page.page.evaluate(script)) > 0)
    page.page.wait_for_timeout(300)
    return float(page.page.evaluate(script)[-1])


def _passed_from_key(page: Any, key: str) -> float:
    """How long it takes from a key in the editor to the faults; the key is taken back."""
    page.page.evaluate("performance.mark('typed')")
    start = page.marks("typed")[-1]
    page.page.keyboard.type(key)
    page.until(lambda: any(mark > start for mark in page.marks("covr-faults")))
    took = next(mark for mark in page.marks("covr-faults") if mark > start) - start
    page.page.keyboard.press("Backspace")
    page.page.wait_for_timeout(700)
    return float(took)
