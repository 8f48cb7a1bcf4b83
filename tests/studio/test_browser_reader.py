"""A puzzle is solved by somebody who uses no mouse and sees no picture: what keys do, and what the browser gives to a
screen reader (its tree of names, roles and states, as the browser itself computes it)."""

from __future__ import annotations

from typing import Any

import pytest

from covr.inputs.library import find_source
from tests.studio.browser import SUDOKU, Tab, chromium, server, tab

pytestmark = pytest.mark.long

__all__ = ["chromium", "server"]  # fixtures
ANSWER = ("1324", "4231", "2413", "3142")
ON = "document.activeElement?.id"


def tree(page: Tab, *roles: str) -> list[tuple[str, str, dict[str, Any]]]:
    """What a screen reader is given, in order: role, name and states, of some roles."""
    session = page.page.context.new_cdp_session(page.page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    return [
        (
            node["role"]["value"],
            node.get("name", {}).get("value", ""),
            {state["name"]: state["value"].get("value") for state in node.get("properties", [])},
        )
        for node in nodes
        if not node.get("ignored") and node["role"]["value"] in roles
    ]


def cell(page: Tab, row: int, column: int) -> tuple[str, dict[str, Any]]:
    """What is read at a place, and its states."""
    begins = f"row {row}, column {column}: "
    ((_, name, states),) = [node for node in tree(page, "gridcell") if node[1].startswith(begins)]
    return name.removeprefix(begins), states


def to_the_picture(page: Tab, text: str) -> None:
    """From the page's first key to the picture, with the pane By hand beside it."""
    keys = page.page.keyboard
    keys.press("Tab")
    keys.press("Enter")  # "To the editor"
    keys.press("Control+a")
    keys.insert_text(text)
    page.no_faults()
    page.picture()
    keys.press("Alt+h")
    page.page.wait_for_selector("#stage[data-source='hand'] svg")
    page.until(lambda: page.page.evaluate(ON) == "hand-check")
    keys.press("Shift+F6")
    assert page.page.evaluate(ON) == "stage"
    keys.press("ArrowRight")  # to the first place
    page.until(lambda: page.page.locator("#stage .over-hand").count() == 1)


def test_a_whole_puzzle_is_solved_by_keys_alone(server: Any, chromium: Any) -> None:
    """Not one click from the empty page to "Solved!": with a mark that is wrong, which Check finds, an undo and a
    hint."""
    with tab(chromium, server.address) as page:
        keys, news = page.page.keyboard, page.page.locator("#announcer")
        to_the_picture(page, SUDOKU)
        keys.press("ArrowRight")
        keys.press("2")
        keys.press("Control+Enter")
        page.until(lambda: "1 of 1 is wrong" in news.inner_text())
        keys.press("Control+z")
        page.page.locator("#hand-said .bad").wait_for(state="detached")
        keys.press("F6")
        for _ in range(9):
            if page.page.evaluate(ON) == "hand-hint":
                break
            keys.press("Tab")
        keys.press("Enter")
        page.page.locator("#hand-do").wait_for()
        assert "move 1" in news.inner_text().lower()
        keys.press("Shift+F6")
        for _ in range(4):
            keys.press("ArrowUp")
            keys.press("ArrowLeft")
        for row in ANSWER:
            for digit in row:
                if "given" not in cell(page, ANSWER.index(row) + 1, row.index(digit) + 1)[0]:
                    keys.press(digit)
                keys.press("ArrowRight")
            keys.press("ArrowDown")
            for _ in range(3):
                keys.press("ArrowLeft")
        page.page.locator("#hand-verdict", has_text="Solved!").wait_for()
        assert [cell(page, 1, column)[0] for column in (1, 2)] == ["1, given", "3"]
        assert "Solved!" in [name for _, name, _ in tree(page, "StaticText")]


def test_a_screen_reader_is_given_the_board(server: Any, chromium: Any) -> None:
    """The board has a name, each place its row and column, what stands there, and whether it is given; what clashes is
    said at the places and in the news."""
    with tab(chromium, server.address) as page:
        keys, news = page.page.keyboard, page.page.locator("#announcer")
        to_the_picture(page, SUDOKU)
        ((_, name, states),) = tree(page, "grid")
        assert name == "By hand: 4 rows, 4 columns" and states["focused"]
        assert [name for _, name, _ in tree(page, "row")] == ["Row 1", "Row 2", "Row 3", "Row 4"]
        cells = tree(page, "gridcell")
        assert len(cells) == 16 and sum(name.endswith(", given") for _, name, _ in cells) == 4
        text, states = cell(page, 1, 1)
        assert text == "1, given" and states["readonly"] and states["selected"] and states["invalid"] == "false"
        keys.press("ArrowRight")
        text, states = cell(page, 1, 2)
        assert text == "empty" and not states["readonly"] and states["selected"]
        keys.press("1")
        page.until(lambda: "Against row 1 contains 1" in news.inner_text())
        page.until(lambda: cell(page, 1, 2)[0] == "1, clashes")
        assert cell(page, 1, 1)[0] == "1, given, clashes" and cell(page, 1, 1)[1]["invalid"] == "true"
        assert "row 1 contains 1" in [name for _, name, _ in tree(page, "StaticText")]
        keys.press("3")
        page.until(lambda: cell(page, 1, 2)[0] == "3")
        page.until(lambda: news.inner_text() == "Nothing clashes any more.")
        keys.press("ArrowRight")
        keys.press("x")
        keys.press("4")
        page.until(lambda: cell(page, 1, 3)[0] == "not 4")
        keys.press("Control+Enter")
        page.until(lambda: "Right so far" in news.inner_text())
        session = page.page.context.new_cdp_session(page.page)
        nodes = session.send("Accessibility.getFullAXTree")["nodes"]
        live = [node for node in nodes if any(state["name"] == "live" for state in node.get("properties", []))]
        assert any(node["role"]["value"] == "status" for node in live)


@pytest.mark.parametrize(
    ("model", "before", "after"),
    [("slitherlink", "empty", "line right"), ("heyawake", "1", "1, shade")],
)
def test_lines_and_shades_are_read(server: Any, chromium: Any, model: str, before: str, after: str) -> None:
    with tab(chromium, server.address) as page:
        keys, news = page.page.keyboard, page.page.locator("#announcer")
        to_the_picture(page, find_source(model).text)
        if model == "slitherlink":  # the first place is the line from 1,1 to 1,2
            assert "open" in news.inner_text()
        page.until(lambda: cell(page, 1, 1)[0] == before)
        keys.press("Space")
        page.until(lambda: cell(page, 1, 1)[0] == after)
        keys.press("Space")
        page.until(lambda: "crossed out" in cell(page, 1, 1)[0] and "crossed out" in news.inner_text())
        keys.press("Backspace")
        page.until(lambda: cell(page, 1, 1)[0] == before)


def test_an_answer_is_read_place_by_place(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        page.write(find_source("slitherlink").text)
        page.no_faults()
        page.picture()
        page.page.keyboard.press("Control+Enter")
        page.picture("answer")
        page.page.keyboard.press("Control+4")
        assert page.page.evaluate(ON) == "stage"
        page.until(lambda: sum("line" in name for _, name, _ in tree(page, "gridcell")) > 20)
        page.page.keyboard.press("ArrowRight")
        page.until(lambda: any(states.get("selected") for _, _, states in tree(page, "gridcell")))
