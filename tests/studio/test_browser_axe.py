"""axe, which looks for what keeps people from using a page, finds nothing critical or serious on any pane."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.studio.browser import PANES, SUDOKU, chromium, server, tab

pytestmark = pytest.mark.long

__all__ = ["chromium", "server"]  # fixtures
AXE = Path(__file__).parents[2] / "studio" / "node_modules" / "axe-core" / "axe.min.js"
FOUND = """async () => (await axe.run(document)).violations.filter(one => ['critical', 'serious'].includes(one.impact))
  .flatMap(one => one.nodes.map(node => `${one.id}: ${node.html.slice(0, 200)}`))"""
# What axe must find on a page that is not usable, so that a run that looks at nothing does not pass.
BAD = "() => document.body.append(Object.assign(document.createElement('button'), {id: 'nameless'}))"


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_axe_finds_nothing_serious(server: Any, chromium: Any, colours: Any) -> None:
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: npm ci --prefix studio")
    with tab(chromium, server.address, color_scheme=colours, bypass_csp=True) as page:
        page.write(SUDOKU)
        page.picture()
        page.page.evaluate(AXE.read_text("utf-8"))
        found: dict[str, list[str]] = {}
        for pane in PANES:
            page.pane(pane)
            page.page.wait_for_selector(f"#pane-{pane}:not([hidden])")
            said = page.page.evaluate(FOUND)
            if said:
                found[pane] = said
        assert found == {}
        page.page.evaluate(BAD)
        assert any(one.startswith("button-name") for one in page.page.evaluate(FOUND))
