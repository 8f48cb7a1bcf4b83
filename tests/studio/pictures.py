"""Pictures of every pane of the studio, to be looked at: `python -m tests.studio.pictures OUT` writes them into OUT.

Needs what the browser tests need: the built page, `covr[studio]`, httpx, Playwright for Python and Chromium.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from covr.inputs.library import find_source
from tests.studio.browser import Tab, browser, tab

SIZE = {"width": 1280, "height": 820}


def faults(page: Tab) -> None:
    """A misspelt name with its mend."""
    page.write(find_source("queens").text.replace("exactly one queen per r ", "exactly one quen per r "))
    page.faults()


def data(page: Tab) -> None:
    """A board that is typed into, and the candidates that follow."""
    _open(page, "sudoku")
    page.pane("candidates")
    page.pane("data")
    page.page.click(".palette >> text=Clear")
    page.cell(1, 1).click()
    page.page.keyboard.press("7")
    page.page.locator("#verdict[data-count='many']").wait_for()
    page.picture("candidates")


def sheet(page: Tab) -> None:
    """Answers on a contact sheet."""
    _open(page, "pentominoes_8x8")
    page.page.fill("#limit-answers", "40")
    page.page.click("#ask-all")
    page.page.locator(".tile").nth(30).wait_for()


def why(page: Tab) -> None:
    """Two givens that contradict each other."""
    _open(page, "sudoku")
    page.pane("data")
    page.cell(1, 3).click()
    page.page.keyboard.press("3")
    page.pane("why")
    page.page.click("#ask-why")
    page.page.locator("#reasons .reason").wait_for()


def spare(page: Tab) -> None:
    """What could be left out of a sudoku."""
    _open(page, "sudoku")
    page.pane("spare")
    page.page.click("#ask-spare-givens")
    page.page.locator("#spare .reason").wait_for()


def proof(page: Tab) -> None:
    """A proof that was checked, with its two files."""
    _open(page, "queens")
    page.page.click("#ask-proof")
    page.page.locator("#save-proof").wait_for()


def hint(page: Tab) -> None:
    """The next step with its reason."""
    _open(page, "sudoku")
    page.pane("why")
    page.page.click("#ask-hint")
    page.picture("hint")


def cell(page: Tab) -> None:
    """What can stand in a cell that was clicked."""
    _open(page, "sudoku")
    page.page.click("#ask-first")
    page.picture("answer")
    page.page.locator("#stage [data-at='0:1,3']").click()
    page.page.locator("#reasons .reason").wait_for()


def dance(page: Tab) -> None:
    """Knuth's toy problem in the middle of its search."""
    _open(page, "toy")
    page.pane("dance")
    page.page.click("#ask-dance")
    page.page.locator("#pane-dance .words", has_text="1 answer").wait_for()
    page.page.focus("#dance-track")
    for _ in range(10):
        page.page.click("[aria-label='One step on']")


def matrix(page: Tab) -> None:
    """Items by options, with a choice lit in the picture."""
    _open(page, "sudoku")
    page.pane("matrix")
    page.page.locator("#matrix-size", has_text="729").wait_for()
    page.page.hover("#pane-matrix .matrix-scroll", position={"x": 60, "y": 190})
    page.page.locator("#stage .lit").wait_for()


def gallery(page: Tab) -> None:
    """Models with their pictures."""
    page.pane("gallery")
    page.page.locator(".card img").nth(5).wait_for()
    page.page.wait_for_timeout(8000)


def share(page: Tab) -> None:
    """The link that holds a model."""
    _open(page, "sudoku")
    page.page.click("#share")
    page.page.wait_for_selector("#share-link")


def _open(page: Tab, name: str) -> None:
    page.write(find_source(name).text)
    page.no_faults()
    page.picture()
    page.page.keyboard.press("Control+Home")
    page.page.wait_for_timeout(800)


def drawing(page: Tab) -> None:
    """A board with regions that are painted, and the clue that is typed into the picture."""
    _open(page, "heyawake")
    page.pane("draw")
    page.page.click(".chip[data-layer='room']")
    page.page.wait_for_selector("#canvas[data-layer='room'] svg", state="attached")


def by_hand(page: Tab) -> None:
    """A digit that clashes, with the rules in words."""
    _open(page, "sudoku")
    page.pane("hand")
    page.page.wait_for_selector("#stage[data-source='hand'] svg")
    page.page.wait_for_timeout(1000)
    page.page.locator("#stage [data-at='0:1,3']").first.click()
    page.page.keyboard.press("3")
    page.page.locator("#hand-clashes").wait_for()


def new(page: Tab) -> None:
    """The kinds of new puzzles, and a size."""
    page.page.click("#new")
    page.page.locator("[data-kind='kropki']").click()
    page.page.wait_for_timeout(3000)


SHOTS: tuple[Callable[[Tab], None], ...] = (
    faults,
    data,
    sheet,
    why,
    spare,
    proof,
    hint,
    cell,
    dance,
    matrix,
    gallery,
    share,
    drawing,
    by_hand,
    new,
)


def main(out: Path) -> None:
    """Take them all, light and dark."""
    from tests.studio.client import studio

    out.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder, studio(folder, folder=Path(folder)) as server, browser() as running:
        for shot in SHOTS:
            for look in ("light", "dark"):
                _take(
                    running, server.address, shot, out / f"{shot.__name__}-{look}.png", color_scheme=look, viewport=SIZE
                )


def _take(running: Any, address: str, shot: Callable[[Tab], None], file: Path, **context: Any) -> None:
    with tab(running, address, **context) as page:
        shot(page)
        page.page.wait_for_timeout(500)
        page.page.screenshot(path=file)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
