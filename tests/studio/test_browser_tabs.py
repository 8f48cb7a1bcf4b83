"""Many tabs of one browser at the same time. They hear the server on one line, since a browser opens six connections to
a server and no more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.studio.browser import LONG, QUEENS, REFUSED, SUDOKU, Tab, busiest, chromium, need_browser, server, tab

pytestmark = pytest.mark.long

__all__ = ["chromium", "server"]  # fixtures
TABS = 10
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
