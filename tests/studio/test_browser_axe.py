"""axe, which looks for what keeps people from using a page, finds nothing on any pane: empty, with what it answers,
with dialogs open, the board alone, light and dark, wide and narrow."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.studio.browser import PANES, SUDOKU, Tab, chromium, server, tab

pytestmark = pytest.mark.long

__all__ = ["chromium", "server"]  # fixtures
AXE = Path(__file__).parents[2] / "studio" / "node_modules" / "axe-core" / "axe.min.js"
FOUND = """async () => (await axe.run(document)).violations
  .flatMap(one => one.nodes.map(node => `${one.impact} ${one.id}: ${node.html.slice(0, 200)}`))"""
# What axe must find on a page that is not usable, so that a run that looks at nothing does not pass.
BAD = "() => document.body.append(Object.assign(document.createElement('button'), {id: 'nameless'}))"


def wait(page: Tab, selector: str) -> None:
    page.page.locator(selector).first.wait_for()


def go(page: Tab, pane: str) -> None:
    """Go to a pane, on a narrow page by the part of the page that it is in."""
    part = page.page.locator(f".region:has(#tab-{pane})").get_attribute("aria-label")
    foot = page.page.locator(".foot button", has_text=part)
    if foot.is_visible():
        foot.click()
    if page.page.locator(f"#tab-{pane}").is_visible():  # the picture has a part of its own
        page.pane(pane)


def press(page: Tab, button: str) -> None:
    """Press a button of the line at the top, which a narrow page folds away."""
    if not page.page.locator(button).is_visible():
        page.page.click(".unfold")
    page.page.click(button)


def answers(page: Tab) -> None:
    page.page.click("#ask-all")
    wait(page, ".tile")
    page.page.click("#ask-proof")
    wait(page, "#save-proof")


def draw(page: Tab) -> None:
    page.page.wait_for_selector("#canvas svg", state="attached")
    page.page.locator("#canvas:visible, #stage:visible").first.focus()
    page.page.keyboard.press("ArrowRight")


def by_hand(page: Tab) -> None:
    wait(page, "#stage[data-source='hand'] svg")
    page.page.locator("#stage [data-at='0:1,2']").first.click()
    wait(page, "#hand-picks button")
    page.page.keyboard.press("1")
    wait(page, "#hand-clashes li")
    page.page.click("#hand-check")
    wait(page, "#hand-checked")


def hint(page: Tab) -> None:
    page.page.click("#ask-hint")
    wait(page, "#reasons .reason")


def dance(page: Tab) -> None:
    page.page.click("#ask-dance")
    wait(page, "#pane-dance .tree li")


def spare(page: Tab) -> None:
    page.page.click("#ask-spare-givens")
    wait(page, "#spare .reason")


ASKED: dict[str, Callable[[Tab], None]] = {
    "answers": answers, "draw": draw, "hand": by_hand, "why": hint, "dance": dance, "spare": spare,
    "candidates": lambda page: wait(page, "#stage[data-source='candidates'] svg"),
    "gallery": lambda page: wait(page, ".card"),
    "matrix": lambda page: wait(page, "#matrix-size"),
}  # fmt: skip
DIALOGS = ("#share", "#new", "#paste-link", "#save-as", "#drafts", "#help")


@pytest.mark.parametrize(
    ("colours", "width"),
    [
        ("light", 1440),
        ("dark", 390),
        pytest.param("light", 390, marks=pytest.mark.slow),
        pytest.param("dark", 1440, marks=pytest.mark.slow),
    ],
)
def test_axe_finds_nothing(server: Any, chromium: Any, colours: Any, width: int) -> None:
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: npm ci --ignore-scripts --prefix studio")
    with tab(
        chromium, server.address, color_scheme=colours, bypass_csp=True, viewport={"width": width, "height": 860}
    ) as page:
        page.write(SUDOKU)
        page.until(lambda: page.page.locator("#stage svg").count() == 1)
        page.page.evaluate(AXE.read_text("utf-8"))
        found: dict[str, list[str]] = {}
        for pane in PANES:
            go(page, pane)
            wait(page, f"#pane-{pane}:not([hidden])")
            ASKED.get(pane, lambda _: None)(page)
            found[pane] = page.page.evaluate(FOUND)
        for opens in DIALOGS:
            press(page, opens)
            wait(page, "dialog[open] button")
            found[opens] = page.page.evaluate(FOUND)
            page.page.keyboard.press("Escape")
            page.page.locator("dialog").wait_for(state="detached")
        go(page, "hand")
        page.page.click("#show-solve")
        for kind in ("corner", "colour", "line", "answer"):
            page.page.click(f"[data-kind={kind}]")
            page.page.locator("#stage [data-at='0:1,2']").first.click()
            page.page.keyboard.press("2")
            found[f"solve, {kind}"] = page.page.evaluate(FOUND)
        page.page.click("#to-set")
        wait(page, "#count[data-count='one']")
        found["set"] = page.page.evaluate(FOUND)
        page.page.click("#whole-page")
        go(page, "model")
        page.write(SUDOKU.replace("exactly one place per r, c ", "exactly one plac per r, c "))
        page.faults()
        found["faults"] = page.page.evaluate(FOUND)
        assert {where: said for where, said in found.items() if said} == {}
        page.page.evaluate(BAD)
        assert any("button-name" in one for one in page.page.evaluate(FOUND))
        page.open(f"{server.base}/?embed")
        page.page.evaluate(AXE.read_text("utf-8"))
        assert page.page.evaluate(FOUND) == []
        page.page.emulate_media(media="print")
        page.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        wait(page, "#printed h1")
        assert page.page.evaluate(FOUND) == []
