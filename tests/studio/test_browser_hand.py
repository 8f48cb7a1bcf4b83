"""Solving by hand, and writing clues into the picture, in a real browser."""

from __future__ import annotations

from typing import Any

import pytest

from covr.inputs.library import find_source
from tests.studio.browser import QUEENS, SUDOKU, Tab, block, chromium, meet, server, tab, text_of

pytestmark = pytest.mark.long

__all__ = ["chromium", "server"]  # fixtures


def opened(page: Tab, text: str, pane: str) -> None:
    """A model, its picture, and a pane."""
    page.write(text)
    page.no_faults()
    page.picture()
    page.until(lambda: bool(page.marks("covr-picture")))
    page.page.wait_for_timeout(500)
    page.pane(pane)


def by_hand(page: Tab, text: str) -> None:
    """A model that is solved by hand; its choices are known."""
    opened(page, text, "hand")
    page.page.wait_for_selector("#stage[data-source='hand'] svg")
    page.page.wait_for_timeout(800)


def place(page: Tab, at: str) -> Any:
    """A place of the picture."""
    return page.page.locator(f"#stage [data-at='0:{at}']").first


def test_digits_are_pencilled_in_and_taken_back(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        by_hand(page, SUDOKU)
        place(page, "1,2").click()
        page.page.keyboard.press("3")
        page.until(lambda: "1 3" in page.plain())
        page.page.keyboard.press("4")  # takes its place
        page.until(lambda: "1 4" in page.plain())
        page.page.keyboard.press("Control+z")
        page.until(lambda: "1 3" in page.plain())
        page.page.keyboard.press("Backspace")
        page.until(lambda: "1 3" not in page.plain())
        page.page.click("#hand-undo")
        page.until(lambda: "1 3" in page.plain())
        assert text_of(page) == SUDOKU  # marks are no part of the text
        page.page.click("#hand-clear")
        page.until(lambda: "1 3" not in page.plain())


def test_a_clash_is_marked_with_the_rule_in_words(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        by_hand(page, SUDOKU)
        place(page, "1,2").click()
        page.page.keyboard.press("1")
        page.page.locator("#hand-clashes li", has_text="row 1 contains 1: too many").wait_for()
        page.page.locator("#stage .clash").nth(1).wait_for()
        page.page.keyboard.press("Control+z")
        page.page.locator("#hand-clashes").wait_for(state="detached")
        page.until(lambda: page.page.locator("#stage .clash").count() == 0)


def test_a_puzzle_is_solved_by_keys_alone(server: Any, chromium: Any) -> None:
    """From the picture's first place through all of them; what is checked on the way is right, and in the end it is
    solved."""
    with tab(chromium, server.address) as page:
        by_hand(page, SUDOKU)
        keys = page.page.keyboard
        page.page.focus("#stage")
        keys.press("ArrowRight")  # to the first place
        rows = ["1324", "4231", "2413", "3142"]
        for number, row in enumerate(rows):
            for digit in row:
                if digit in "1324":
                    keys.press(digit)
                keys.press("ArrowRight")
            keys.press("ArrowDown")
            for _ in range(4):
                keys.press("ArrowLeft")
            if number == 1:
                page.page.click("#hand-check")
                page.page.locator("#hand-checked[data-verdict='right']").wait_for()
                page.page.focus("#stage")
        page.page.locator("#hand-verdict", has_text="Solved!").wait_for()


def test_what_is_wrong_is_found_by_checking(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        by_hand(page, SUDOKU)
        place(page, "3,1").click()
        page.page.keyboard.press("3")
        page.page.click("#hand-check")
        page.page.locator("#hand-checked", has_text="1 of 1 is wrong").wait_for()
        page.page.locator("#stage .wrong").first.wait_for()
        page.page.click("#hand-mend")
        page.page.locator("#stage .wrong").first.wait_for(state="detached")


def digits(page: Tab) -> int:
    """How many digits the picture has."""
    return sum(sign.isdigit() for sign in page.plain())


def test_a_hint_goes_on_from_the_marks(server: Any, chromium: Any) -> None:
    """Each step that is done is pencilled in, and the next hint begins there."""
    with tab(chromium, server.address) as page:
        by_hand(page, SUDOKU)
        for _ in range(2):
            before = digits(page)
            page.page.click("#hand-hint")
            page.page.locator("#hand-said .reason").wait_for()
            page.page.click("#hand-do")
            page.page.locator("#hand-said .reason").wait_for(state="detached")
            page.page.locator(".caption", has_text="By hand").wait_for()  # no longer the picture of the hint
            page.until(lambda: digits(page) > before)  # noqa: B023
        assert text_of(page) == SUDOKU


def test_live_candidates_are_an_option(server: Any, chromium: Any) -> None:
    text = find_source("sudoku_x").text
    with tab(chromium, server.address) as page:
        by_hand(page, text)
        before = page.page.locator("#stage svg text").count()
        page.page.check("#hand-candidates")
        page.until(lambda: page.page.locator("#stage svg text").count() != before)


def test_lines_and_shades_turn_by_clicks(server: Any, chromium: Any) -> None:
    """A click draws a line, a second crosses it out, a third takes it back."""
    with tab(chromium, server.address) as page:
        by_hand(page, find_source("slitherlink").text)
        box = [place(page, at).bounding_box() for at in ("1,1", "1,2")]
        middle = [(one["x"] + one["width"] / 2, one["y"] + one["height"] / 2) for one in box]
        x, y = (middle[0][0] + middle[1][0]) / 2, middle[0][1]
        page.page.mouse.click(x, y)
        page.page.locator("#hand-picks [aria-pressed='true']").wait_for()
        page.page.mouse.click(x, y)
        page.page.locator("#stage .crossed").wait_for()
        page.page.mouse.click(x, y)
        page.page.locator("#stage .crossed").wait_for(state="detached")
    with tab(chromium, server.address) as page:
        by_hand(page, find_source("heyawake").text)
        place(page, "1,1").click()
        page.page.locator("#hand-picks [aria-pressed='true']").wait_for()
        place(page, "1,2").click()
        page.page.locator("#hand-clashes li", has_text="room a has 1 shaded: too many").wait_for()


def test_a_number_is_not_shaded_nor_drawn_over(server: Any, chromium: Any) -> None:
    """A tap on a square that the givens settle does nothing, and a cross leaves the number of its square free."""
    with tab(chromium, server.address) as page:
        by_hand(page, find_source("nurikabe").text)
        place(page, "1,2").click()
        page.page.locator("#hand-picks", has_text="is given").wait_for()
        page.page.keyboard.press("Space")
        page.page.keyboard.press("x")
        assert page.page.locator("#hand-undo").is_disabled() and not page.page.locator("#stage .crossed").count()
        place(page, "1,1").click()
        page.page.locator("#hand-picks [aria-pressed='true']").wait_for()
    with tab(chromium, server.address) as page:
        by_hand(page, find_source("hitori").text)
        place(page, "1,1").click()
        place(page, "1,1").click()
        page.page.locator("#stage .crossed").wait_for()
        number = page.page.locator("#stage svg text").first.bounding_box()
        cross = page.page.locator("#stage .crossed").bounding_box()
        assert not meet(number, cross)


def test_what_is_pencilled_in_outlives_other_panes_and_not_another_model(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        by_hand(page, SUDOKU)
        place(page, "1,2").click()
        page.page.keyboard.press("3")
        page.until(lambda: "1 3" in page.plain())
        page.pane("answers")
        page.pane("hand")
        page.until(lambda: "1 3" in page.plain())
        page.write(SUDOKU.replace("  1...", "  ...."))
        page.until(lambda: "3" in page.plain().split("\n")[0] or "3" in page.plain())
        page.no_faults()


def test_marks_by_hand_outlive_a_reload_and_an_edit_that_is_taken_back(server: Any, chromium: Any) -> None:
    """Those of another model are apart, though it be the same once more."""
    with tab(chromium, server.address) as page:
        by_hand(page, SUDOKU)
        place(page, "4,1").click()
        page.page.keyboard.press("3")
        page.until(lambda: "3 . | . 2" in page.plain())
        page.page.reload()
        page.page.wait_for_selector("html[data-ready]")
        page.pane("hand")
        page.until(lambda: "3 . | . 2" in page.plain())
        page.write(SUDOKU.replace("place", "put"))  # there is no such choice
        page.until(lambda: "3 . | . 2" not in page.plain())
        page.page.click(".cm-content")
        page.page.keyboard.press("Control+z")
        page.until(lambda: "3 . | . 2" in page.plain())
        for _ in range(2):
            before = page.page.evaluate("history.length")
            page.pane("gallery")
            page.page.locator("[data-model=sudoku]").first.click()
            page.until(lambda before=before: page.page.evaluate("history.length") > before)  # a step for each model
            page.page.wait_for_selector("#stage[data-source='hand'] svg")
            assert page.page.locator("#hand-clear").is_disabled()
        page.page.click("#drafts")
        page.page.locator("#draft-list button").nth(2).click()
        page.until(lambda: "3 . | . 2" in page.plain())


def test_a_click_on_the_picture_puts_a_clue_there(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        opened(page, SUDOKU, "model")
        page.page.click("#write-picture")
        place(page, "1,3").click()
        page.page.keyboard.press("2")
        page.until(lambda: block(page, "clue")[0] == "1.2.")
        page.no_faults()
        page.until(lambda: "2" in page.plain().split("\n")[1] or "2" in page.plain())
        page.page.keyboard.press("ArrowDown")
        page.page.keyboard.press("Backspace")
        page.until(lambda: block(page, "clue")[1] == "....")
        page.page.keyboard.press("Control+z")
        page.until(lambda: block(page, "clue")[1] == "..3.")
        page.page.click("#write-picture")  # and then a click asks again
        place(page, "1,4").click()
        page.page.wait_for_selector("#pane-why:not([hidden])")


def test_clues_between_corners_and_on_borders_of_the_picture(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        opened(page, find_source("slitherlink").text, "draw")
        page.page.wait_for_selector("#canvas svg", state="attached")
        box = [place(page, at).bounding_box() for at in ("1,1", "2,2")]
        x = sum(one["x"] + one["width"] / 2 for one in box) / 2
        y = sum(one["y"] + one["height"] / 2 for one in box) / 2
        page.page.mouse.click(x, y)
        page.page.keyboard.press("3")
        page.until(lambda: block(page, "clue")[0] == "3..1..")
    with tab(chromium, server.address) as page:
        opened(page, find_source("kropki").text, "draw")
        page.page.wait_for_selector("#canvas svg", state="attached")
        box = [place(page, at).bounding_box() for at in ("1,1", "1,2")]
        x = sum(one["x"] + one["width"] / 2 for one in box) / 2
        y = box[0]["y"] + box[0]["height"] / 2
        page.page.mouse.click(x, y)
        page.page.keyboard.press("o")
        page.until(lambda: block(page, "dot")[0] == ".o.o.o...o.")


def test_a_board_without_clues_takes_givens(server: Any, chromium: Any) -> None:
    """Where no param holds clues, a click on the picture gives a choice in the text, and a second takes it back."""
    with tab(chromium, server.address) as page:
        opened(page, QUEENS, "model")
        page.page.click("#write-picture")
        page.page.wait_for_timeout(300)
        place(page, "2,3").click()
        page.until(lambda: text_of(page).endswith("\ngiven queen(2, 3)\n"))
        page.no_faults()
        page.until(lambda: "Q" in page.plain())
        place(page, "2,3").click()
        page.until(lambda: "given" not in text_of(page))
        page.page.keyboard.press("ArrowDown")
        page.page.keyboard.press("Space")
        page.until(lambda: "given queen(3, 3)" in text_of(page))
        page.page.keyboard.press("Control+z")
        page.until(lambda: "given" not in text_of(page))
