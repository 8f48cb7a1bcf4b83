"""The studio is usable by everybody, tried in a real browser: by keyboard alone, on a narrow screen, with dark
colours, and with a name for everything that a screen reader reads."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.studio.browser import PANES, QUEENS, SUDOKU, chromium, meet, server, tab

pytestmark = pytest.mark.long

__all__ = ["chromium", "server"]  # fixtures
REGION_OF = {**dict.fromkeys(PANES[:4], 0), "picture": 1, **dict.fromkeys(PANES[5:], 2)}
NAMELESS = """() => {
  const bad = [];
  for (const element of document.querySelectorAll('button, input, select, textarea, [role], [tabindex="0"]')) {
    if (element.closest('[hidden], [aria-hidden="true"]') || !element.checkVisibility()) continue;
    const label = element.getAttribute('aria-label') || element.title || element.placeholder
      || element.textContent.trim() || (element.id && document.querySelector(`label[for="${element.id}"]`)?.textContent)
      || document.getElementById(element.getAttribute('aria-labelledby') ?? '')?.textContent;
    const needless = ['row', 'status', 'alert', 'presentation', 'listitem', 'img', 'none', 'rowgroup'];
    if (!label && !needless.includes(element.getAttribute('role'))) bad.push(element.outerHTML.slice(0, 120));
  }
  return bad;
}"""
CONTRAST = """() => {
  const colour = name => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = `var(--${name})`;
    const parts = getComputedStyle(probe).color.match(/[0-9.]+/g).slice(0, 3).map(Number);
    probe.remove();
    const [r, g, b] = parts.map(part => (part /= 255) <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const pairs = [['ink', 'paper'], ['ink', 'ground'], ['faint', 'paper'], ['faint', 'raised'], ['accent', 'paper'],
    ['accent-ink', 'accent'], ['good', 'good-soft'], ['bad', 'bad-soft'], ['bad', 'raised'], ['ink', 'accent-soft']];
  return pairs.map(([one, other]) => {
    const [low, high] = [colour(one), colour(other)].sort((a, b) => a - b);
    return [`${one} on ${other}`, (high + 0.05) / (low + 0.05)];
  });
}"""
FOCUS = "() => document.activeElement?.closest('.pane')?.id ?? document.activeElement?.id ?? ''"


def test_the_keyboard_alone_is_enough(server: Any, chromium: Any) -> None:
    """From the first key to an answer, a clue and a reason, without a mouse."""
    with tab(chromium, server.address) as page:
        keys = page.page.keyboard
        keys.press("Tab")
        assert "To the editor" in page.page.evaluate("document.activeElement.textContent")
        keys.press("Enter")
        assert page.page.evaluate(FOCUS) == "pane-model"
        keys.press("Control+a")
        keys.insert_text(SUDOKU)
        page.picture()
        keys.press("Control+Enter")
        page.picture("answer")
        keys.press("Control+Shift+Enter")
        page.said("answers", "1 answer")
        keys.press("Control+2")  # the data
        page.page.wait_for_selector("#pane-data:not([hidden])")
        page.cell(1, 1).focus()
        keys.press("ArrowRight")
        keys.press("1")
        page.until(lambda: len(re.findall(r"\d", page.picture())) == 5)
        keys.press("F6")
        assert page.page.evaluate(FOCUS) in ("pane-picture", "stage")
        keys.press("F6")
        assert page.page.evaluate(FOCUS) == "pane-answers"
        keys.press("Shift+F6")
        keys.press("Control+7")  # why
        assert page.page.evaluate("document.activeElement.id") == "ask-why"
        keys.press("Enter")
        page.page.locator("#reasons .reason", has_text="row 1 contains 1").wait_for()
        keys.press("Shift+Tab")
        page.page.focus("#tab-why")
        keys.press("ArrowRight")
        assert page.page.evaluate("document.activeElement.id") == "tab-dance"
        keys.press("?")
        page.page.locator("dialog", has_text="Keys").wait_for()
        keys.press("Escape")
        page.page.locator("dialog").wait_for(state="detached")
        page.page.focus(".splitter.across")
        before = page.page.get_attribute(".splitter.across", "aria-valuenow")
        keys.press("ArrowRight")
        assert page.page.get_attribute(".splitter.across", "aria-valuenow") != before


KEYS = {
    "Control+1": "model", "Control+2": "data", "Control+3": "gallery", "Control+4": "picture", "Control+5": "answers",
    "Control+6": "candidates", "Control+7": "why", "Control+8": "dance", "Control+9": "matrix", "Control+0": "draw",
    "Alt+h": "hand", "Alt+l": "spare",
}  # fmt: skip


@pytest.mark.parametrize("text", [QUEENS, SUDOKU])
def test_every_pane_has_a_key_that_moves_the_focus_there(server: Any, chromium: Any, text: str) -> None:
    """To what it is for, were it only there after a while: a board, a field, a drawing."""
    with tab(chromium, server.address) as page:
        page.write(text)
        page.picture()
        for key, pane in KEYS.items():
            page.page.keyboard.press(key)
            at = "picture" if (pane, text) == ("draw", SUDOKU) else pane  # where it is drawn
            page.until(lambda: page.page.evaluate(FOCUS) == f"pane-{at}")  # noqa: B023
        page.page.keyboard.press("Control+2")
        assert "param-" in page.page.evaluate("document.activeElement.id")
        assert set(KEYS.values()) == set(PANES)


def test_tab_leaves_the_editor(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        page.write(QUEENS)
        page.no_faults()
        page.page.keyboard.press("Tab")
        assert page.page.evaluate(FOCUS) != "pane-model"


def test_everything_has_a_name(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        page.write(SUDOKU)
        page.picture()
        for pane in PANES:
            page.pane(pane)
            page.page.wait_for_timeout(100)
            assert page.page.evaluate(NAMELESS) == [], pane
        page.pane("answers")
        page.page.click("#ask-count")  # whose answer is a status
        page.said("answers", "1 answer")
        for role in ("banner", "main", "status"):
            assert page.page.get_by_role(role).count() >= 1, role


@pytest.mark.parametrize("width", [360, 700])
def test_every_pane_fits_a_narrow_screen(server: Any, chromium: Any, width: int) -> None:
    """Every pane is reached and fits; nothing sticks out."""
    with tab(chromium, server.address, viewport={"width": width, "height": 740}) as page:
        page.write(SUDOKU)
        page.page.wait_for_selector("#faults[data-errors='0']")
        for pane in PANES:
            page.page.locator(".foot button").nth(REGION_OF[pane]).click()
            if pane != "picture":
                page.pane(pane)
            assert page.page.locator(f"#pane-{pane}").is_visible()
            wide = page.page.evaluate("document.documentElement.scrollWidth")
            inner = page.page.evaluate(f"document.querySelector('#pane-{pane}').scrollWidth")
            assert wide <= width and inner <= width, pane
        page.page.click(".unfold")
        page.page.click("#share")
        page.page.wait_for_selector("#share-link")


def test_what_belongs_together_stays_together_on_a_narrow_screen(server: Any, chromium: Any) -> None:
    """A box and its words, undo and redo: on one line, however narrow the screen is."""
    together = [("hand", "#hand-candidates", "label[for=hand-candidates]"), ("hand", "#hand-undo", "#hand-redo")]
    together += [("candidates", "#live", "label[for=live]"), ("candidates", "label[for=cap]", "#cap")]
    together += [("draw", "#draw-undo", "#draw-redo")]
    with tab(chromium, server.address, viewport={"width": 390, "height": 740}) as page:
        page.write(SUDOKU)
        page.no_faults()
        for pane, *both in together:
            page.page.locator(".foot button").nth(REGION_OF[pane]).click()
            page.pane(pane)
            page.page.locator(both[0]).wait_for()
            for width in range(320, 480, 20):
                page.page.set_viewport_size({"width": width, "height": 740})
                one, other = (page.page.locator(each).bounding_box() for each in both)
                assert abs(one["y"] + one["height"] / 2 - other["y"] - other["height"] / 2) < 4, (width, both)


@pytest.mark.parametrize("width", [390, 600, 760, 1280])
def test_within_another_page_nothing_lies_on_anything(server: Any, chromium: Any, width: int) -> None:
    with tab(chromium, server.address, viewport={"width": width, "height": 600}) as page:
        page.page.goto(f"{page.base}/?embed")
        page.page.wait_for_selector("html[data-ready]")
        whole = page.page.locator("#whole").bounding_box()
        parts = page.page.locator(".foot button:visible, .region:visible").all()
        assert whole and parts and not any(meet(whole, part.bounding_box()) for part in parts)
        assert page.page.evaluate("document.documentElement.scrollHeight") <= 600


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_what_is_printed_is_title_picture_and_rules(server: Any, chromium: Any, colours: Any) -> None:
    """And nothing of the page: all lines of the text, on white paper."""
    text = 'title "A long one"\n' + SUDOKU.split("\n", 1)[1] + "# and on\n" * 200
    with tab(chromium, server.address, color_scheme=colours) as page:
        page.write(text)
        page.no_faults()
        page.until(lambda: "1 ." in page.plain())
        page.page.emulate_media(media="print")
        page.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert page.page.inner_text("#printed h1") == "A long one"
        assert page.page.inner_text("#printed pre").strip() == text.strip()
        assert page.page.locator("#printed svg text").count() >= 4
        assert not page.page.locator("header, main").first.is_visible()
        assert page.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert page.page.evaluate("document.body.scrollHeight") > 2000  # paper has more than one page
        page.page.evaluate("dispatchEvent(new Event('afterprint'))")
        page.page.emulate_media(media="screen")
        assert page.page.locator(".cm-content").is_visible() and not page.page.locator("#printed").is_visible()


def test_the_page_is_dark_or_light(server: Any, chromium: Any) -> None:
    """The page is dark or light as the system is, or as the user wants. It is readable both ways, and the picture
    follows."""
    with tab(chromium, server.address, color_scheme="dark") as page:
        page.write(QUEENS)
        page.picture()
        dark = page.page.evaluate("getComputedStyle(document.querySelector('.region')).backgroundColor")
        assert max(map(int, dark.removeprefix("rgb(").rstrip(")").split(", "))) < 64
        assert page.page.locator("#stage rect.paper").get_attribute("fill") == "#15181d"
        low = [pair for pair in page.page.evaluate(CONTRAST) if pair[1] < 4.5]
        assert low == []
        page.page.click("#look")
        page.page.locator("#stage rect.paper[fill='#ffffff']").wait_for()
        low = [pair for pair in page.page.evaluate(CONTRAST) if pair[1] < 4.5]
        assert low == []
        page.page.reload()
        page.page.wait_for_selector("html[data-ready][data-look='light']")


def test_nothing_moves_for_those_who_do_not_want_it(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address, reduced_motion="reduce") as page:
        moving = page.page.evaluate(
            """() => { const bar = document.querySelector('.bar'); bar.hidden = false; bar.classList.add('unknown');
            return getComputedStyle(bar.firstElementChild).animationName }"""
        )
        assert moving == "none"
