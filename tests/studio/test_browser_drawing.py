"""The pane in which boards are drawn, in a real browser: by mouse and by keys, and in step with the text."""

from __future__ import annotations

from typing import Any

import pytest

from covr.inputs.library import find_source
from tests.studio.browser import SUDOKU, Tab, block, chromium, server, tab, text_of

pytestmark = pytest.mark.long

__all__ = ["chromium", "server"]  # fixtures

AREA = """title "A room"
let room = area \"\"\"
  ....
  ....
  ....
\"\"\"
cells x in room
choose put(s) for s in placements({(1, 1), (1, 2)}, room)
exactly one put per x where x in s
"""
HEXAGONS = """let room = area(hex) \"\"\"
   . . .
  . . . .
   . . .
\"\"\"
cells x in room
choose lit(x)
exactly 3 lit
"""
TRIANGLES = """let room = area(triangle) \"\"\"
  .......
  .......
\"\"\"
cells x in room
choose lit(x)
exactly 3 lit
"""


def opened(chromium: Any, server: Any, text: str, layer: str = "", **context: Any) -> Any:
    """A tab with a model, and its drawing."""
    return _Opened(tab(chromium, server.address, **context), text, layer)


class _Opened:
    def __init__(self, of: Any, text: str, layer: str) -> None:
        self._of, self._text, self._layer = of, text, layer

    def __enter__(self) -> Tab:
        page: Tab = self._of.__enter__()
        page.write(self._text)
        page.no_faults()
        page.picture()
        page.page.wait_for_timeout(400)
        page.pane("draw")
        page.page.click("#write-picture")  # not there: in the drawing itself
        if self._layer:
            page.page.click(f".chip[data-layer='{self._layer}']")
        page.page.wait_for_selector(f"#canvas{f'[data-layer={self._layer!r}]' if self._layer else ''} svg")
        return page

    def __exit__(self, *fault: Any) -> None:
        self._of.__exit__(*fault)


def point(page: Tab, x: float, y: float) -> tuple[float, float]:
    """Where on the page a point of the drawing is, in squares: (1, 1) is the middle of the first."""
    found = page.page.evaluate(
        """([x, y]) => { const svg = document.querySelector("#canvas svg"), box = svg.getBoundingClientRect(),
        view = svg.viewBox.baseVal, scale = Math.min(box.width / view.width, box.height / view.height);
        return [box.left + (box.width - view.width * scale) / 2 + (x * 40 - view.x) * scale,
                box.top + (box.height - view.height * scale) / 2 + (y * 40 - view.y) * scale]; }""",
        [x, y],
    )
    return found[0], found[1]


def drag(page: Tab, *places: tuple[float, float]) -> None:
    """Draw through places, as row and column."""
    mouse = page.page.mouse
    for number, (row, col) in enumerate(places):
        x, y = point(page, col, row)
        mouse.move(x, y, steps=3)
        if number == 0:
            mouse.down()
    mouse.up()


def writes(page: Tab, name: str, lines: list[str]) -> None:
    """Wait until a block of the text is so."""
    page.until(lambda: block(page, name) == lines)


def test_squares_on_and_off(server: Any, chromium: Any) -> None:
    """A stroke of the mouse takes squares off, another puts them back; the picture follows, and so does undo."""
    with opened(chromium, server, AREA) as page:
        drag(page, (1, 1), (1, 2), (1, 3))
        writes(page, "room", ["###.", "....", "...."])
        page.no_faults()
        drag(page, (1, 2))
        writes(page, "room", ["#.#.", "....", "...."])
        page.page.click("#draw-undo")
        writes(page, "room", ["###.", "....", "...."])
        page.page.click("#draw-undo")
        writes(page, "room", ["....", "....", "...."])  # a stroke is undone at once
        page.page.click("#draw-redo")
        writes(page, "room", ["###.", "....", "...."])


def test_typing_in_the_text_changes_the_drawing(server: Any, chromium: Any) -> None:
    with opened(chromium, server, AREA) as page:
        assert page.page.locator("#canvas .on").count() == 12
        page.pane("model")
        page.write(AREA.replace("  ....\n", "  .#..\n", 1))
        page.no_faults()
        page.pane("draw")
        page.until(lambda: page.page.locator("#canvas .on").count() == 11)


def test_hexagons_and_triangles_on_and_off(server: Any, chromium: Any) -> None:
    tall = 3**0.5 / 2
    with opened(chromium, server, HEXAGONS) as page:
        drag(page, (1 * tall, 4 / 2))  # the middle one of the first line
        page.until(lambda: text_of(page).split("\n")[1] == "   . # .")
        page.no_faults()
        drag(page, (1 * tall, 4 / 2))
        page.until(lambda: text_of(page).split("\n")[1] == "   . . .")
    with opened(chromium, server, TRIANGLES) as page:
        drag(page, (2 * tall, 4 / 2), (2 * tall, 5 / 2))
        writes(page, "room", [".......", "...##.."])
        page.no_faults()


def test_regions_are_painted(server: Any, chromium: Any) -> None:
    text = find_source("heyawake").text
    with opened(chromium, server, text, "room") as page:
        drag(page, (1, 1), (1, 2), (1, 3))
        page.until(lambda: block(page, "room")[0] == "lllccc")
        page.page.click("#draw-palette button[data-sign='c']")
        drag(page, (1, 2))
        page.until(lambda: block(page, "room")[0] == "lclccc")
        page.page.keyboard.press("ArrowDown")
        page.page.keyboard.type("k")
        page.until(lambda: block(page, "room")[1] == "akdccc")


def test_clues_by_keys_alone(server: Any, chromium: Any) -> None:
    """Arrow keys move, digits are written, two in quick succession make a number, and Ctrl+Z takes back."""
    text = find_source("nurikabe").text
    with opened(chromium, server, text) as page:
        keys = page.page.keyboard
        page.page.focus("#canvas")
        keys.press("Home")
        keys.type("12", delay=20)
        page.until(lambda: block(page, "clue")[0].split() == ["12", "2", ".", ".", "2"])
        keys.press("ArrowDown")
        keys.type("?")
        page.until(lambda: block(page, "clue")[1].split()[0] == "?")
        keys.press("ArrowUp")
        keys.press("Backspace")
        page.until(lambda: block(page, "clue")[0].split()[0] == ".")
        keys.press("Control+z")
        page.until(lambda: block(page, "clue")[0].split()[0] == "12")
        assert page.page.evaluate("document.activeElement.id") == "canvas"


def test_a_sudoku_has_single_digits(server: Any, chromium: Any) -> None:
    with opened(chromium, server, SUDOKU) as page:
        page.page.focus("#canvas")
        page.page.keyboard.press("Home")
        page.page.keyboard.type("34", delay=20)
        page.until(lambda: block(page, "clue")[0] == "4...")


def test_drawing_with_a_symmetry(server: Any, chromium: Any) -> None:
    """The images appear while the stroke goes on."""
    with opened(chromium, server, AREA) as page:
        page.page.select_option("#symmetry", "half turn")
        x, y = point(page, 1, 1)
        page.page.mouse.move(x, y)
        page.page.mouse.down()
        page.until(lambda: page.page.locator("#canvas .off").count() == 2)
        assert block(page, "room")[2] == "...."  # the text is edited at the end of the stroke
        page.page.mouse.up()
        writes(page, "room", ["#...", "....", "...#"])


def test_dots_on_borders_and_numbers_on_corners(server: Any, chromium: Any) -> None:
    with opened(chromium, server, find_source("kropki").text) as page:
        page.page.click("#draw-palette button[data-sign='o']")
        drag(page, (6, 5.5))
        page.until(lambda: block(page, "dot")[10] == ".....o...*." or block(page, "dot")[10][9] == "o")
    with opened(chromium, server, find_source("slant").text) as page:
        drag(page, (0.5, 0.5))
        page.page.keyboard.type("1")
        page.until(lambda: block(page, "clue")[0] == "1...1..")


def test_walls_signs_and_clues_beside_the_board(server: Any, chromium: Any) -> None:
    with opened(chromium, server, find_source("barns").text, "wall") as page:
        drag(page, (1, 1.5))
        page.until(lambda: "[1, 1, 1, 2]" in text_of(page))
        drag(page, (1, 1.5))
        page.until(lambda: "[1, 1, 1, 2]" not in text_of(page))
    with opened(chromium, server, find_source("futoshiki").text, "less") as page:
        drag(page, (5, 1.5))
        page.until(lambda: "5,1,5,2" in text_of(page))
        drag(page, (5, 1.5))
        page.until(lambda: "5,2,5,1" in text_of(page))
    with opened(chromium, server, find_source("skyscrapers").text, "sides") as page:
        drag(page, (0, 1))
        page.page.keyboard.type("3")
        page.until(lambda: block(page, "sides")[0] == "top     3 . 2 . .")


def test_thermometers_and_cages_through_squares(server: Any, chromium: Any) -> None:
    with opened(chromium, server, find_source("thermometer_sudoku").text, "tube") as page:
        drag(page, (1, 1), (1, 2), (2, 3))
        page.until(lambda: block(page, "tube")[-1] == "11 12 23")
        page.no_faults()
        drag(page, (1, 2))  # a click chooses it
        page.page.click("#record-cut")
        page.until(lambda: "11 12 23" not in block(page, "tube"))
        keys = page.page.keyboard  # the same by keys alone
        page.page.focus("#canvas")
        keys.press("Home")
        keys.press("Space")
        keys.press("ArrowRight")
        keys.press("ArrowDown")
        keys.press("Enter")
        page.until(lambda: block(page, "tube")[-1] == "11 12 22")
    with opened(chromium, server, find_source("sudoku_variants").text, "cage") as page:
        page.page.fill("#record-sum", "8")
        drag(page, (1, 1), (2, 1))
        page.until(lambda: block(page, "cage")[-1] == "8 11 21")


def test_pieces_are_drawn_and_kept(server: Any, chromium: Any) -> None:
    with opened(chromium, server, find_source("statue_park").text, "pieces") as page:
        drag(page, (1, 21), (2, 21), (3, 21))
        page.until(lambda: "A" in "".join(block(page, "pieces")))
        page.no_faults()
        assert "".join(block(page, "pieces")).count("A") == 3


def test_rows_and_columns(server: Any, chromium: Any) -> None:
    with opened(chromium, server, find_source("heyawake").text) as page:
        page.page.click("[aria-label='A row at the top']")
        page.until(lambda: len(block(page, "clue")) == len(block(page, "room")) == 7)
        page.page.click("[aria-label='Without the left column']")
        page.until(lambda: {len(line) for line in block(page, "clue") + block(page, "room")} == {5})
        page.no_faults()


def test_a_board_is_drawn_into_a_text_that_has_none(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        page.write("let a = 1\nchoose x(i) for i in 1..2\n")
        page.no_faults()
        page.pane("draw")
        page.page.locator("#draw-empty", has_text="no board").wait_for()
        page.page.click("text=hexagons")
        page.page.wait_for_selector("#canvas svg", state="attached")
        page.no_faults()
        assert "let room = area(hex)" in text_of(page)


def test_a_new_puzzle_of_a_kind_and_a_size(server: Any, chromium: Any) -> None:
    """Found by its name, by keys alone, and drawn upon."""
    with tab(chromium, server.address) as page:
        page.page.click("#new")
        page.page.locator("[data-kind='heyawake'] img").wait_for()
        page.page.fill("#new-find", "heyawake")
        assert page.page.locator(".small-card:visible").count() == 1
        page.page.keyboard.press("Tab")
        page.page.keyboard.press("Tab")
        page.page.keyboard.press("Enter")
        page.page.keyboard.type("4")
        page.page.keyboard.press("Tab")
        page.page.keyboard.type("5")
        page.page.keyboard.press("Enter")
        page.page.wait_for_selector("#canvas svg", state="attached")
        assert block(page, "room") == ["aaaaa"] * 4
        assert block(page, "clue") == ["....."] * 4
        page.no_faults()
        page.picture()


def test_a_size_that_a_board_can_not_have(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        page.page.click("#new")
        page.page.locator("[data-kind='sudoku']").click()
        page.page.fill("#new-rows", "5")
        page.page.click("#new-create")
        page.page.locator("#new-fault", has_text="square number").wait_for()
        page.page.fill("#new-rows", "4")
        page.page.click("#new-create")
        page.page.wait_for_selector("#canvas svg", state="attached")
        assert block(page, "clue") == ["...."] * 4
        assert "param box = 2" in text_of(page)


def test_no_click_is_lost(server: Any, chromium: Any) -> None:
    """The drawing stays under the pointer whatever is told below it; clicks that come faster than answers are all made,
    in their order; and a press that lasts while the picture is drawn anew is a click."""
    with opened(chromium, server, AREA) as page:
        canvas = page.page.locator("#canvas svg")
        page.page.mouse.move(*point(page, 2, 2))
        before = canvas.bounding_box()
        drag(page, (1, 1), (1, 2), (1, 3))  # nothing covers nine squares by dominoes, which the list of faults tells
        page.page.locator("#faults li").first.wait_for()
        assert canvas.bounding_box() == before
        page.page.mouse.move(*point(page, 2, 2))
        for _ in range(5):
            page.page.mouse.down()
            page.page.mouse.up()
        page.until(lambda: block(page, "room")[1] == ".#..")
        page.page.click("#draw-undo")
        page.until(lambda: block(page, "room")[1] == "....")
    with opened(chromium, server, SUDOKU) as page:
        page.page.click("#write-picture")
        cell = page.page.locator("#stage [data-at='0:1,3']").first
        cell.hover()
        page.page.mouse.down()
        page.page.evaluate("document.querySelector('#stage svg').id = 'old'")
        page.page.select_option("#theme-picture", index=2)
        page.page.wait_for_selector("#stage svg:not(#old)")
        page.page.mouse.up()
        page.page.keyboard.press("4")
        page.until(lambda: block(page, "clue")[0] == "1.4.")
        page.pane("hand")
        page.page.locator("#stage[data-source='hand'] [data-at='0:1,4']").first.click()  # before the choices are known
        page.page.keyboard.press("3")
        page.page.locator("#hand-picks button[aria-pressed='true']", has_text="3").wait_for()


def test_what_is_drawn_is_one_board(server: Any, chromium: Any) -> None:
    """The picture takes what is drawn, and hides the drawing. That comes back where the picture is out of sight, does
    not follow a text with faults, or is not written in. The focus is never lost."""
    with tab(chromium, server.address) as page:
        page.write(SUDOKU)
        page.picture()
        page.page.keyboard.press("Control+0")
        canvas, focus = page.page.locator("#canvas"), "document.activeElement.id"
        canvas.wait_for(state="hidden")
        page.until(lambda: page.page.evaluate(focus) == "stage")
        page.page.keyboard.press("Home")
        page.page.keyboard.type("4")
        page.until(lambda: block(page, "clue")[0] == "4...")
        page.page.keyboard.type("x")  # no digit: the picture stays behind, the drawing follows
        canvas.wait_for()
        assert "x" in str(canvas.text_content())
        page.page.focus("#canvas")
        page.page.keyboard.type("3")
        canvas.wait_for(state="hidden")
        assert page.page.evaluate(focus) == "stage"
        for button in ("#write-picture", ".region.write .large"):
            page.page.click(button)
            canvas.wait_for()
            page.page.click(button)
            canvas.wait_for(state="hidden")
        page.page.set_viewport_size({"width": 390, "height": 780})
        canvas.wait_for()
