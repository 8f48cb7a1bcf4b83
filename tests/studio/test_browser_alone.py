"""The board alone, at full width: to be solved (`?solve`), and to be set while answers are counted (`?set`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest

import covr
from covr.inputs.library import find_source
from tests.studio.browser import SUDOKU, Tab, block, chromium, server, tab, text_of

pytestmark = pytest.mark.long

__all__ = ["chromium", "server"]  # fixtures
ROWS = ["1324", "4231", "2413", "3142"]  # the answer of SUDOKU
LOOP = """title "A loop"
param clue = grid \"\"\"
  3.3
  ...
  3.3
\"\"\"
let corners = box(4, 4)
let lines = {{a, b} for a in corners, b in neighbours(a) where b in corners}
choose draw(e) for e in lines
loop draw along e  "one closed loop"
let around(r, c) = {(r + i, c + j) for i, j in 0..1}
exactly clue[r, c] draw per (r, c) in clue where e <= around(r, c)  "{clue[r, c]} line(s) around r{r}c{c}"
show "" of draw at x in corners where x in e as line
print clue[r, c] at (r, c), (r + 1, c + 1) for (r, c) in clue
"""


def alone(page: Tab, text: str, view: str) -> None:
    """A model whose board stands alone, by the button of the pane."""
    page.write(text)
    page.no_faults()
    page.picture()
    page.pane("hand" if view == "solve" else "draw")
    page.page.click(f"#show-{view}")
    page.page.wait_for_selector(f"html[data-view='{view}']")
    if view == "solve":
        known(page)


def known(page: Tab) -> None:
    """Wait until it is known where what can be pencilled in."""
    page.page.wait_for_selector("#stage[data-source='hand'] svg")
    page.page.wait_for_timeout(800)


def middle(page: Tab, at: str) -> tuple[float, float]:
    """The middle of a place of the picture."""
    found: list[Any] = []
    page.until(
        lambda: bool(found.append(page.page.locator(f"#stage [data-at='0:{at}']").first.bounding_box()) or found[-1])
    )
    box = found[-1]  # a picture that is drawn anew has none for a moment
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def lead(page: Tab, places: Iterable[str]) -> None:
    """Lead the pointer from place to place."""
    points = [middle(page, at) for at in places]
    page.page.mouse.move(*points[0])
    page.page.mouse.down()
    for point in points[1:]:
        page.page.mouse.move(*point, steps=5)
    page.page.mouse.up()


def taken(page: Tab) -> int:
    """How many digits the picture has as text."""
    return sum(sign.isdigit() for sign in page.plain())


@pytest.mark.parametrize("width", [390, 1440])
def test_a_shared_board_is_solved_without_its_text(server: Any, chromium: Any, width: int) -> None:
    """The link that Share gives shows the board and its tools alone; the time stands still once it is solved, and a
    board that is full but wrong is checked."""
    with tab(chromium, server.address) as page:
        link = linked(page, SUDOKU)
        assert "?solve#" in link
        with tab(chromium, server.address, viewport={"width": width, "height": 780}) as other:
            solving(other, link)
            assert (
                not other.page.locator("header.top, .cm-editor, [role=tablist], .foot").locator("visible=true").count()
            )
            assert other.page.evaluate("document.documentElement.scrollWidth") <= width
            assert other.page.url.endswith("?solve")  # a reload keeps the marks' board alone
            other.page.locator("#timer", has_text="0:0").wait_for()
            other.page.mouse.click(*middle(other, "1,1"))
            for digits in (*ROWS[:3], "3412"):
                for digit in digits:
                    other.page.keyboard.press(digit)
                    other.page.keyboard.press("ArrowRight")
                other.page.keyboard.press("ArrowDown")
                for _ in range(4):
                    other.page.keyboard.press("ArrowLeft")
            other.page.locator("#hand-clashes li").first.wait_for()
            other.page.mouse.click(*middle(other, "4,2"))
            other.page.keyboard.press("1")
            other.page.mouse.click(*middle(other, "4,3"))
            other.page.keyboard.press("4")
            other.page.locator("#hand-verdict", has_text="Solved in 0:").wait_for()
            time = other.page.inner_text("#timer")
            other.page.wait_for_timeout(1200)
            assert other.page.inner_text("#timer") == time
            other.page.click("#whole-page")
            assert text_of(other) == SUDOKU and "?" not in other.page.url


def solving(page: Tab, link: str) -> None:
    """A board that is opened by its link, alone."""
    page.page.goto(link)
    page.page.wait_for_selector("html[data-ready][data-view='solve']")
    known(page)


def linked(page: Tab, text: str) -> str:
    """The link that Share gives to solve a board."""
    page.write(text)
    page.no_faults()
    page.page.click("#share")
    page.page.check("#share-solve")
    link = str(page.page.input_value("#share-link"))
    page.page.keyboard.press("Escape")
    return link


def seconds(page: Tab) -> int:
    """What the timer says."""
    minutes, rest = page.page.inner_text("#timer").split(":")
    return 60 * int(minutes) + int(rest)


def test_keys_work_at_once(server: Any, chromium: Any) -> None:
    """The board has the focus, and what is typed stands in the first place that is free: of a link, by the pane's
    button, and after a reload."""
    with tab(chromium, server.address) as page:
        link = linked(page, SUDOKU)
        alone(page, SUDOKU, "solve")
        page.page.keyboard.press("3")
        page.until(lambda: "1 3 |" in page.plain())
        page.page.reload()
        known(page)
        page.page.keyboard.press("2")
        page.until(lambda: "1 3 | 2 ." in page.plain())
        with tab(chromium, server.address) as other:
            other.page.goto(link)
            other.page.wait_for_selector("html[data-ready][data-view='solve']")
            other.page.keyboard.press("4")  # before anybody knows which places there are
            other.until(lambda: "1 4 |" in other.plain())


def test_marks_notes_and_time_outlive_a_reload(server: Any, chromium: Any) -> None:
    """Of each board by itself: a second tab begins anew, and one that opens the link later goes on."""
    with tab(chromium, server.address) as page:
        link = linked(page, SUDOKU)
        with tab(chromium, server.address) as one:
            solving(one, link)
            one.page.keyboard.press("3")
            for kind, place, sign in (("corner", "3,1", "2"), ("centre", "3,3", "4"), ("colour", "4,1", "5")):
                one.page.click(f"[data-kind={kind}]")
                one.page.mouse.click(*middle(one, place))
                one.page.keyboard.press(sign)
            one.page.click("[data-kind=line]")
            lead(one, ["3,3", "4,3"])
            one.page.click("[data-kind=answer]")
            one.page.mouse.click(*middle(one, "2,1"))
            one.page.keyboard.press("x")
            one.page.keyboard.press("1")
            one.until(lambda: seconds(one) > 0)
            names = ("corner text", "centre text", "colour rect.blue", "lines path", "struck text")
            drawn = dict(zip(names, ("2", "4", "", "", "not 1"), strict=True))

            def left(tab: Tab) -> bool:
                found = {name: tab.page.locator(f"#stage .over-{name}").all_text_contents() for name in drawn}
                return found == {name: [text] for name, text in drawn.items()} and "1 3 |" in tab.plain()

            one.until(lambda: left(one))
            before = seconds(one)
            one.page.reload()
            known(one)
            one.until(lambda: left(one))
            assert seconds(one) >= before
            other = Tab(one.page.context.new_page(), one.base)
            solving(other, link)
            assert "1 . |" in other.plain() and not other.page.locator("#stage .over-corner").count()
            other.page.keyboard.press("4")
            other.until(lambda: "1 4 |" in other.plain())
            one.page.reload()
            other.page.reload()
            for each in (one, other):
                known(each)
            one.until(lambda: left(one))
            other.until(lambda: "1 4 |" in other.plain())
            one.page.close()
            later = Tab(other.page.context.new_page(), one.base)
            solving(later, link)
            later.until(lambda: left(later))
            assert seconds(later) >= before
            later.page.click("#hand-clear")
            later.until(lambda: "1 . |" in later.plain())
            later.page.reload()
            known(later)
            assert "1 . |" in later.plain() and not later.page.locator("#stage .over-corner").count()


def test_the_time_of_a_board_that_is_solved_stands_still_after_a_reload(server: Any, chromium: Any) -> None:
    """It begins anew once all marks are taken back."""
    with tab(chromium, server.address) as page:
        alone(page, SUDOKU, "solve")
        page.until(lambda: seconds(page) > 0)
        for line, blanks in zip(ROWS, ("234", "124", "134", "123"), strict=True):
            for column in blanks:
                page.page.mouse.click(*middle(page, f"{ROWS.index(line) + 1},{column}"))
                page.page.keyboard.press(line[int(column) - 1])
        page.page.locator("#hand-verdict", has_text="Solved in 0:").wait_for()
        time = seconds(page)
        page.page.reload()
        page.page.locator("#hand-verdict", has_text="Solved in 0:").wait_for()
        page.page.wait_for_timeout(1200)
        assert seconds(page) == time
        page.page.click("#hand-clear")
        page.until(lambda: page.page.inner_text("#pause") == "Pause")
        page.until(lambda: seconds(page) > 0)


def test_notes_in_corner_and_centre_and_colours(server: Any, chromium: Any) -> None:
    """They are no answers, go to all places that are selected, are undone one by one, and give way to an answer."""
    with tab(chromium, server.address) as page:
        alone(page, SUDOKU, "solve")
        corner, centre = page.page.locator("#stage .over-corner text"), page.page.locator("#stage .over-centre text")
        page.page.click("[data-kind=corner]")
        lead(page, ["1,2", "1,3", "2,3"])
        page.page.keyboard.press("2")
        page.page.keyboard.press("3")
        assert corner.all_text_contents() == ["23", "23"]  # r2c3 is given, and its number stays readable
        page.page.click("[data-kind=centre]")
        page.page.mouse.click(*middle(page, "3,1"))
        page.page.click("#hand-picks [data-sign='2']")
        assert centre.all_text_contents() == ["2"]
        page.page.click("[data-kind=colour]")
        page.page.click("[data-sign=blue]")
        assert page.page.locator("#stage .over-colour rect.blue").count() == 1
        page.page.locator(".reader [aria-label='row 3, column 1: centre 2, blue']").wait_for(state="attached")
        page.page.keyboard.press("Control+z")
        page.page.keyboard.press("Control+z")
        assert not centre.count() and corner.count() == 2
        page.page.click("[data-kind=answer]")
        page.page.mouse.click(*middle(page, "1,2"))
        page.page.keyboard.press("Shift+Digit4")
        assert corner.all_text_contents().count("234") == 1
        page.page.keyboard.press("3")
        page.until(lambda: corner.count() == 1)  # of the answer it is not shown
        page.page.keyboard.press("Backspace")
        page.until(lambda: corner.count() == 2)
        page.page.keyboard.press("Backspace")
        page.until(lambda: corner.count() == 1)
        assert text_of(page) == SUDOKU


def in_order(lines: Sequence[tuple[tuple[int, int], tuple[int, int]]]) -> list[tuple[int, int]]:
    """The corners of a loop, from one to the next and back to the first."""
    rest = list(lines)
    found = list(rest.pop())
    while rest:
        one = next(line for line in rest if found[-1] in line)
        rest.remove(one)
        found.append(one[0] if one[1] == found[-1] else one[1])
    return found


def test_a_loop_is_drawn_by_dragging(server: Any, chromium: Any) -> None:
    """The loop that the command finds is led along once, which solves the board, and one undo takes all of it back."""
    (answer,) = covr.loads(LOOP).solutions(limit=1)
    ends = [tuple(sorted(choice.args[0])) for choice in answer.choices if choice.family == "draw"]
    with tab(chromium, server.address) as page:
        alone(page, LOOP, "solve")
        lead(page, [f"{r},{c}" for r, c in in_order(ends)])
        page.page.locator("#hand-verdict", has_text="Solved").wait_for()
        page.page.keyboard.press("Control+z")
        page.page.locator("#hand-undo[disabled]").wait_for()
        page.page.click("[data-kind=line]")
        lead(page, ["1,1", "2,2"])  # no line of the model: a note
        assert page.page.locator("#stage .over-lines path").count() == 1


def test_squares_are_shaded_by_dragging(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        alone(page, find_source("heyawake").text, "solve")
        lead(page, ["2,1", "2,2", "2,3"])
        page.page.locator("#hand-clashes li").first.wait_for()  # they touch
        page.page.keyboard.press("Control+z")
        page.page.locator("#hand-undo[disabled]").wait_for()


def apart(text: str) -> int:
    """In how many squares two answers differ, as the Python API finds them."""
    one, other = covr.loads(text).solutions(limit=2)
    both = set(map(str, one.choices)) ^ set(map(str, other.choices))
    return len({name.split("(")[1].rsplit(",", 1)[0] for name in both})


@pytest.mark.parametrize("width", [390, 1440])
def test_answers_are_counted_while_a_board_is_drawn(server: Any, chromium: Any, width: int) -> None:
    """One, several with the squares in which two differ, and none; clues go into the picture, the only board."""
    count = "#count[data-count='{}']:not([data-stale])"
    with tab(chromium, server.address) as page:
        alone(page, SUDOKU, "set")
        page.page.set_viewport_size({"width": width, "height": 780})
        page.page.wait_for_selector(count.format("one"))
        page.page.locator("#canvas").wait_for(state="hidden")
        assert page.page.evaluate("document.documentElement.scrollWidth") <= width
        page.page.mouse.click(*middle(page, "4,4"))
        page.page.keyboard.press("Backspace")
        page.until(lambda: block(page, "clue")[3] == "....")
        page.page.wait_for_selector(count.format("many"))
        squares = apart(text_of(page))
        assert f"differ in {squares} squares" in page.page.inner_text("#count")
        page.until(lambda: page.page.locator("#stage .differ").count() == squares)
        page.page.keyboard.press("1")
        page.page.wait_for_selector(count.format("none"))
        assert page.page.inner_text("#count") == "No answer"
        page.page.keyboard.press("2")
        page.page.wait_for_selector(count.format("one"))
        page.page.click("#whole-page")
        assert not page.page.locator("#count").inner_text()


def test_strokes_in_the_picture_are_those_of_the_drawing(server: Any, chromium: Any) -> None:
    """With a sign pressed, a stroke paints it; the right button takes away; the palette has what clues can be."""
    with tab(chromium, server.address) as page:
        alone(page, SUDOKU, "set")
        page.page.wait_for_selector("#draw-palette [data-sign='4']")
        assert not page.page.locator("#draw-palette [data-sign='5']").count()  # of four values
        page.page.click("#draw-palette [data-sign='4']")
        lead(page, ["1,2", "1,3", "1,4"])
        page.until(lambda: block(page, "clue")[0] == "1444")
        page.page.mouse.click(*middle(page, "1,3"), button="right")
        page.until(lambda: block(page, "clue")[0] == "14.4")
        page.page.click("#draw-undo")
        page.page.click("#draw-undo")
        page.until(lambda: block(page, "clue")[0] == "1...")
