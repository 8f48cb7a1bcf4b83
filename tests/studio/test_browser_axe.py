"""axe, which looks for what keeps people from using a page, finds nothing on any pane: empty, with what it answers,
with dialogs open, light and dark."""

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


def answers(page: Tab) -> None:
    page.page.click("#ask-all")
    wait(page, ".tile")
    page.page.click("#ask-proof")
    wait(page, "#save-proof")


def draw(page: Tab) -> None:
    wait(page, "#canvas svg")
    page.page.focus("#canvas")
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
DIALOGS = ("#share", "#new", "#paste-link", "#save-as")


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_axe_finds_nothing(server: Any, chromium: Any, colours: Any) -> None:
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: npm ci --ignore-scripts --prefix studio")
    with tab(chromium, server.address, color_scheme=colours, bypass_csp=True) as page:
        page.write(SUDOKU)
        page.picture()
        page.page.evaluate(AXE.read_text("utf-8"))
        found: dict[str, list[str]] = {}
        for pane in PANES:
            page.pane(pane)
            wait(page, f"#pane-{pane}:not([hidden])")
            ASKED.get(pane, lambda _: None)(page)
            found[pane] = page.page.evaluate(FOUND)
        for opens in DIALOGS:
            page.page.click(opens)
            wait(page, "dialog[open] button")
            found[opens] = page.page.evaluate(FOUND)
            page.page.keyboard.press("Escape")
            page.page.locator("dialog").wait_for(state="detached")
        page.pane("model")
        page.write(SUDOKU.replace("exactly one place per r, c ", "exactly one plac per r, c "))
        page.faults()
        found["faults"] = page.page.evaluate(FOUND)
        assert {where: said for where, said in found.items() if said} == {}
        page.page.evaluate(BAD)
        assert any("button-name" in one for one in page.page.evaluate(FOUND))
