"""Faults that the page must survive, in a real browser: servers and processes that die, models that explode, hostile
texts and pages."""

from __future__ import annotations

import os
import signal
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import pytest

from docs._site.studio import opening
from tests.studio.browser import LONG, QUEENS, REFUSED, busiest, chromium, need_browser, server, tab

pytestmark = pytest.mark.long

__all__ = ["chromium", "server"]  # fixtures


def test_the_server_is_killed_and_comes_back(chromium: Any) -> None:
    """The page says so, keeps the text, and goes on by itself when a server on the same port lets the browser in."""
    need_browser()
    from tests.studio.client import studio

    with studio() as first, tab(chromium, first.address) as page:
        page.write(QUEENS)
        page.picture()
        first.process.kill()
        page.page.locator(".banner", has_text="stopped").wait_for()
        page.page.keyboard.press("Control+End")
        page.page.keyboard.type("# written meanwhile\n")
        with studio(port=str(first.port)) as second:
            page.page.locator(".banner", has_text="started anew").wait_for()
            other = page.page.context.new_page()
            other.goto(second.address)
            other.wait_for_selector("html[data-ready]")
            page.page.bring_to_front()
            page.page.locator(".banner").wait_for(state="hidden")
            assert "# written meanwhile" in page.page.inner_text(".cm-content")
            page.page.click("#ask-count")
            page.said("answers", "4 answers")
        page.complaints = [c for c in page.complaints if not any(words in c for words in REFUSED)]


def test_a_process_is_killed_in_mid_question(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        page.write(LONG)
        page.picture()
        page.page.click("#ask-count")
        page.page.locator("#pane-answers .figures", has_text="nodes").wait_for()
        for child in server.children():
            os.kill(child, signal.SIGKILL)
        page.page.locator("#pane-answers .standing:not([data-state='busy'])").wait_for()
        assert page.said("answers", "")
        page.write(QUEENS)
        page.page.wait_for_timeout(300)
        page.page.click("#ask-count")
        page.said("answers", "4 answers")


def test_a_model_that_explodes(server: Any, chromium: Any) -> None:
    """It is said why there is no picture, and the page stays as quick as before."""
    with tab(chromium, server.address) as page:
        page.write("cells r, c in 1..100000\nvalues d in 1..100000\nchoose put(r, c, d)\nexactly one put per r, c\n")
        page.faults()
        page.write(QUEENS)
        page.no_faults()
        page.picture()


def test_a_text_that_is_too_large(server: Any, chromium: Any) -> None:
    """It is said so, and the page goes on with the next text."""
    with tab(chromium, server.address) as page:
        page.write("# a line of a very long text, which says nothing at all\n" * 45_000)
        page.page.locator(".notice.bad", has_text="larger than the studio takes").wait_for()
        page.write(QUEENS)
        page.page.locator("#stage svg[viewBox]").wait_for()
        page.page.click("#ask-count")
        page.said("answers", "4 answers")


def test_a_page_that_goes_away_ends_its_questions(server: Any, chromium: Any) -> None:
    with tab(chromium, server.address) as page:
        second = page.page.context.new_page()
        second.goto(page.base)
        second.wait_for_selector("html[data-ready]")
        second.click(".cm-content")
        second.keyboard.press("Control+a")
        second.keyboard.insert_text(LONG)
        second.wait_for_selector("#stage[data-source='puzzle'] svg")
        second.fill("#limit-seconds", "3600")
        second.click("#ask-count")
        second.locator("#pane-answers .figures", has_text="nodes").wait_for()
        busy = busiest(page, server.children)
        second.close()
        page.until(lambda: busy not in server.children())


def test_hostile_texts_stay_texts(server: Any, chromium: Any) -> None:
    """Markup in a model is shown as it is, wherever it is shown."""
    nasty = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    with tab(chromium, server.address) as page:
        page.page.on("dialog", lambda dialog: page.complaints.append(f"dialog: {dialog.message}"))
        page.write(
            f'title "{nasty}"\nparam what = "{nasty}"\n{QUEENS.replace("row {r}", nasty)}assert n = 6 "{nasty}"\n'
        )
        page.picture()
        page.pane("data")
        page.pane("matrix")
        page.page.locator("#matrix-size", has_text="options").wait_for()
        page.pane("why")
        page.page.fill("#why-choice", nasty)
        page.page.press("#why-choice", "Enter")
        page.page.locator("#reasons .bad, #pane-why .words:not(:empty)").first.wait_for()
        page.pane("data")
        page.page.fill("#param-n", "7")
        page.page.locator("#faults", has_text="<img").wait_for()
        assert page.page.locator("img[src='x'], main script").count() == 0


class _Hostile(BaseHTTPRequestHandler):
    """A page of somebody else, which tries what it can."""

    target = ""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>hostile</title>")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


TRIES = """async base => {
  const job = {page: 'p', kind: 'count', name: 'm.cover', text: 'choose a()', data: {}, options: {}};
  const file = {path: 'x.cover', text: '', seen: null};
  const ask = (path, more) => fetch(base + path, {credentials: 'include', ...more}).then(reply => reply.text());
  const load = (tag, path) => new Promise((yes, no) => {
    const element = document.createElement(tag);
    element.onload = () => yes('loaded');
    element.onerror = no;
    element.src = base + path;
    document.head.append(element);
  });
  const tries = {
    read: () => ask('/api/start'),
    post: () => ask('/api/jobs', {method: 'POST', body: JSON.stringify(job)}),
    write: () => ask('/api/file', {method: 'PUT', body: JSON.stringify(file)}),
    listen: () => new Promise((yes, no) => {
      const stream = new EventSource(base + '/api/page/p', {withCredentials: true});
      stream.onmessage = stream.onopen = () => yes('open');
      stream.onerror = () => { stream.close(); no(new Error('closed')) };
    }),
    image: () => load('img', '/api/gallery/toy.svg'),
    script: () => load('script', '/static/app.js'),
  };
  const found = [];
  for (const [name, attempt] of Object.entries(tries))
    await attempt().then(got => found.push(name + ': ' + got), () => null);
  return found;
}"""
FRAME = """base => {
  const frame = document.createElement('iframe');
  frame.src = base;
  document.body.append(frame);
}"""


def test_a_hostile_page_gets_nothing(server: Any, chromium: Any) -> None:
    """Neither from the same machine, where cookies are of the same site, nor in a frame."""
    elsewhere = HTTPServer(("127.0.0.1", 0), _Hostile)
    threading.Thread(target=elsewhere.serve_forever, daemon=True).start()
    try:
        with tab(chromium, server.address) as page:
            hostile = page.page.context.new_page()
            statuses: list[int] = []
            hostile.on("response", lambda reply: statuses.append(reply.status) if page.base in reply.url else None)
            hostile.goto(f"http://127.0.0.1:{elsewhere.server_port}/")
            assert hostile.evaluate(TRIES, page.base) == []
            assert set(statuses) <= {403, 405}
            hostile.evaluate(FRAME, page.base)
            hostile.wait_for_timeout(1000)
            framed = [frame for frame in hostile.frames if frame != hostile.main_frame]
            assert all(frame.locator(".cm-content").count() == 0 for frame in framed)
    finally:
        elsewhere.shutdown()
        elsewhere.server_close()


def test_without_the_key_there_is_nothing(server: Any, chromium: Any) -> None:
    context = chromium.new_context()
    try:
        stranger = context.new_page()
        reply = stranger.goto(server.base)
        assert reply is not None and reply.status == 403
        assert "covr studio" in stranger.inner_text("body")
    finally:
        context.close()


class _Linking(BaseHTTPRequestHandler):
    """A page elsewhere that links to a model in a studio. What it links to is behind its own `?`."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(f'<a href="{unquote(self.path[2:])}">here</a>'.encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_a_link_elsewhere_to_a_model_opens_it_when_a_person_wants_it(server: Any, chromium: Any) -> None:
    """From another site: `localhost` instead of `127.0.0.1`. The link is one of the documentation site."""
    elsewhere = HTTPServer(("127.0.0.1", 0), _Linking)
    threading.Thread(target=elsewhere.serve_forever, daemon=True).start()
    linked = quote(opening(QUEENS.replace("param", 'title "Ladies"\nparam'), server.base))
    try:
        with tab(chromium, server.address) as page:
            other = page.page.context.new_page()
            other.goto(f"http://localhost:{elsewhere.server_port}/?{linked}")
            other.get_by_text("here").click()
            assert other.locator(".cm-content").count() == 0
            other.get_by_text("open the model in the studio").click()
            other.locator(".cm-content", has_text="Ladies").wait_for()
            assert other.url == f"{server.base}/"
        stranger = chromium.new_context().new_page()
        stranger.goto(opening(QUEENS, server.base))
        stranger.get_by_text("open the model in the studio").click()
        stranger.wait_for_url("**/?shared*")
        assert "it holds the key" in stranger.inner_text("body")
        assert stranger.locator("a:visible").count() == 0
        stranger.context.close()
    finally:
        elsewhere.shutdown()
        elsewhere.server_close()


FILED = 'cells r in 1..2\nlet words = file("secret.txt")\nchoose a(r)\nexactly one a\ntitle "{words}"\n'


@pytest.mark.parametrize("yes", [True, False])
def test_a_model_that_came_by_a_link_asks_before_it_reads_a_file(chromium: Any, tmp_path: Path, yes: bool) -> None:
    """And what it may not read is nowhere in the page, whatever is pressed, and after a reload."""
    need_browser()
    from tests.studio.client import studio

    (tmp_path / "secret.txt").write_text("zebra", "utf-8")
    with studio(str(tmp_path)) as server, tab(chromium, server.address) as page:
        page.page.goto(opening(FILED, page.base).replace("/?", "/"))
        page.page.locator(".cm-content", has_text="secret.txt").wait_for()
        asked = page.page.locator("dialog", has_text="came by a link")
        asked.wait_for()
        asked.get_by_text("Let it read them" if yes else "Cancel").click()
        if yes:
            page.page.get_by_text("zebra").first.wait_for(state="attached")
            return
        page.page.get_by_text("may read files only if you allow it").first.wait_for()
        page.page.click(".cm-content")
        page.page.keyboard.press("Control+End")
        page.page.keyboard.type("# kept as a draft\n")
        page.page.reload()
        page.page.locator(".cm-content", has_text="secret.txt").wait_for()
        page.page.locator("dialog", has_text="came by a link").get_by_text("Cancel").click()
        page.page.get_by_text("may read files only if you allow it").first.wait_for()
        assert "zebra" not in page.page.content()
