"""Many tabs of one browser at the same time. They hear the server on one line, since a browser opens six connections to
a server and no more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.studio.browser import (
    LONG,
    QUEENS,
    REFUSED,
    SUDOKU,
    Tab,
    busiest,
    chromium,
    need_browser,
    server,
    tab,
    text_of,
)

pytestmark = pytest.mark.long

__all__ = ["chromium", "server"]  # fixtures
TABS = 10
LINK = "#link=https%3A%2F%2Fpuzz.link%2Fp%3Fslither%2F5%2F5%2Fcbcbcddad"
LINES = re.compile(r"/api/(line|page)/")
WITHOUT = (  # no such worker, as in some browsers, or one that can't start
    "delete window.SharedWorker",
    """window.SharedWorker = class { port = {postMessage() {}}
      constructor() { setTimeout(() => this.onerror(new Event("error")), 20) } }""",
)


@contextmanager
def tabs(chromium: Any, address: str, number: int = TABS) -> Iterator[tuple[list[Tab], list[str]]]:
    """Tabs of one browser, and the addresses of the streams that they have opened themselves."""
    context = chromium.new_context()
    streams: list[str] = []
    context.on("request", lambda request: LINES.search(request.url) and streams.append(request.url))
    try:
        found: list[Tab] = []
        for _ in range(number):
            found.append(Tab(context.new_page(), "/".join(address.split("/")[:3])))
            found[-1].open(address)
        yield found, streams
    finally:
        context.close()


def asks(page: Tab, text: str, words: str) -> None:
    """A model is written in a tab, and its answers are counted."""
    page.page.bring_to_front()
    page.write(text)
    page.no_faults()
    page.picture()
    page.page.click("#ask-count")
    page.said("answers", words)


def test_ten_tabs_work_and_hear_the_server_on_one_line(server: Any, chromium: Any) -> None:
    with tabs(chromium, server.address) as (pages, streams):
        for page in pages:
            asks(page, QUEENS, "4 answers")
        assert not [url for url in streams if "/api/page/" in url]
        for page in pages[:5]:  # the first ones, too, go away; the others go on
            page.page.close()
        for page in pages[5:]:
            asks(page, SUDOKU, "1 answer")
            page.at_peace()


def test_all_tabs_survive_a_server_that_dies(chromium: Any) -> None:
    """Each says so; when a server is there again that lets the browser in, all of them go on by themselves."""
    need_browser()
    from tests.studio.client import studio

    with studio() as first, tabs(chromium, first.address) as (pages, _):
        asks(pages[0], QUEENS, "4 answers")
        first.process.kill()
        for page in pages:
            page.page.locator(".banner", has_text="stopped").wait_for()
        with studio(port=str(first.port)) as second:
            other = pages[0].page.context.new_page()
            other.goto(second.address)
            other.wait_for_selector("html[data-ready]")
            for page in pages:
                page.page.locator(".banner").wait_for(state="hidden")
            for page in (pages[0], pages[-1]):
                asks(page, QUEENS, "4 answers")
            for page in pages:
                assert not [one for one in page.complaints if not any(words in one for words in REFUSED)]


def test_the_questions_of_one_tab_end_with_it_and_the_others_go_on(server: Any, chromium: Any) -> None:
    with tabs(chromium, server.address, 2) as (pages, _):
        asked: list[int] = []
        for page in pages:
            page.page.bring_to_front()
            page.write(LONG)
            page.picture()
            page.page.fill("#limit-seconds", "3600")
            page.page.click("#ask-count")
            page.page.locator("#pane-answers .figures", has_text="nodes").wait_for()
            asked.append(busiest(page, lambda: server.children() - set(asked)))
        pages[0].page.close()
        pages[1].until(lambda: asked[0] not in server.children())
        assert asked[1] in server.children()
        pages[1].page.click("#pane-answers .stop")
        pages[1].said("answers", "stopped")


@pytest.mark.parametrize("script", WITHOUT)
def test_without_a_shared_worker_a_tab_has_a_line_of_its_own(server: Any, chromium: Any, script: str) -> None:
    with tab(chromium, server.address) as page:
        streams: list[str] = []
        page.page.context.add_init_script(script)
        page.page.on("request", lambda request: LINES.search(request.url) and streams.append(request.url))
        page.open(server.base)
        asks(page, QUEENS, "4 answers")
        page.page.locator(".banner").wait_for(state="hidden")
        assert len(streams) == 1 and "/api/page/" in streams[0]


def shown(page: Tab, name: str = "") -> str:
    """Wait until a model of that name is open; the text."""
    page.page.locator("#model-name", has_text=name).wait_for()
    return text_of(page)


def from_gallery(page: Tab, name: str) -> None:
    """Open a copy from the gallery."""
    page.pane("gallery")
    page.page.locator(f"[data-model={name}]").click()
    shown(page, name)


def again(page: Tab) -> Tab:
    """Close a tab at once, and open another at the same address."""
    context = page.page.context
    page.page.close()
    return Tab(context.new_page(), page.base).open(page.base)


def test_a_tab_that_is_closed_and_opened_again_shows_what_stood_there(server: Any, chromium: Any) -> None:
    """A text that was typed, one that was only opened, and what was typed into the form: none of them is a file."""
    with tab(chromium, server.address) as page:
        page.write(QUEENS)
        other = again(page)
        assert text_of(other) == QUEENS
        from_gallery(other, "langford")
        text = text_of(other)
        other.no_faults()
        other.pane("data")
        other.page.fill("#param-n", "4")
        third = again(other)
        assert shown(third, "langford") == text
        third.no_faults()
        third.pane("data")
        assert third.page.input_value("#param-n") == "4"
        third.page.click("#drafts")
        found = third.page.locator("#draft-list button").all_inner_texts()
        assert [words.split()[0] for words in found] == ["langford.cover", "untitled.cover"]
        third.page.locator("#draft-list button", has_text="untitled").click()
        assert shown(third, "untitled") == QUEENS


def test_two_tabs_have_drafts_of_their_own(server: Any, chromium: Any) -> None:
    """After a reload, too, and where the browser made one of the other; a new tab begins as the first one did."""
    with tab(chromium, server.address) as page:
        first = text_of(page)
        page.write(QUEENS)
        page.page.wait_for_timeout(500)
        with page.page.context.expect_page() as opened:  # which gets a copy of what the tab keeps
            page.page.evaluate("window.open(location.href, '_blank', 'opener')")
        twin, fresh = Tab(opened.value, page.base), Tab(page.page.context.new_page(), page.base).open(page.base)
        twin.page.wait_for_selector("html[data-ready]")
        assert (text_of(twin), text_of(fresh)) == (QUEENS, first)
        twin.write(SUDOKU)
        fresh.write(LONG)
        for one in (page, twin, fresh):
            one.page.reload()
            one.page.wait_for_selector("html[data-ready]")
        assert [text_of(one) for one in (page, twin, fresh)] == [QUEENS, SUDOKU, LONG]
        fresh.page.click("#drafts")
        fresh.page.locator("#draft-list button", has_text="open in another tab").first.click()
        copied = shown(fresh)
        fresh.page.locator(".cm-content").click()
        fresh.page.keyboard.type("# mine\n")
        page.page.reload()
        twin.page.reload()
        assert {text_of(one.open(one.base)) for one in (page, twin)} == {QUEENS, SUDOKU} and copied in (QUEENS, SUDOKU)


def test_the_latest_twenty_drafts_are_kept(server: Any, chromium: Any) -> None:
    """As many of them as there is room for: the browser keeps some five million letters."""
    drafts = "Object.keys(localStorage).filter(key => key.startsWith('covr-draft-')).length"
    with tab(chromium, server.address) as page:
        for number in range(22):
            page.page.click("#new")
            page.page.click("#new-empty")
            page.page.locator("dialog").wait_for(state="detached")
            page.write(f"# {number}\n")
        page.page.wait_for_timeout(500)
        assert page.page.evaluate(drafts) == 20
        page.page.evaluate("""() => { for (let number = 0; ; number++) try {
            const one = {id: `old${number}`, tab: "", when: number, held: {text: "x".repeat(400_000)}};
            localStorage.setItem(`covr-draft-${one.id}`, JSON.stringify(one)) } catch { return } }""")
        page.write("# a line of a long text, which says nothing at all\n" * 5000)
        long = text_of(page)
        assert text_of(again(page)) == long and page.page.is_closed()


def test_back_and_forward_lead_through_the_models(server: Any, chromium: Any) -> None:
    """Nothing is asked on the way, since nothing is lost."""
    with tab(chromium, server.address) as page:
        page.write(QUEENS)
        page.page.evaluate("link => { location.hash = link }", LINK)
        slither = shown(page, "slither")
        assert "loop" in slither and page.page.url == f"{page.base}/"
        page.page.go_back()
        page.until(lambda: text_of(page) == QUEENS)
        page.page.go_forward()
        page.until(lambda: text_of(page) == slither)
        page.page.click(".cm-content")
        page.page.keyboard.press("Control+Home")
        page.page.keyboard.type("# changed\n")
        from_gallery(page, "langford")
        page.page.go_back()
        page.until(lambda: text_of(page) == f"# changed\n{slither}")


def test_a_link_that_is_refused_stays_in_the_address(server: Any, chromium: Any) -> None:
    """It is asked whether to leave a text only where the browser keeps nothing."""
    with tab(chromium, server.address) as page:
        page.page.add_init_script("Storage.prototype.setItem = () => { throw new Error() }")
        page.page.reload()
        page.page.wait_for_selector("html[data-ready]")
        page.write(QUEENS)
        page.page.evaluate("link => { location.hash = link }", LINK)
        page.page.locator("dialog[open]").get_by_text("Cancel").click()
        page.page.locator("dialog").wait_for(state="detached")
        assert page.page.url.endswith(LINK) and text_of(page) == QUEENS
