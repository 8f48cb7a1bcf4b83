"""The studio without a server, in Chromium: that it answers, what it survives, and that it asks nobody."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks._boards import LARGE
from covr.studio.shelves import text_of
from docs._site.studio import opening
from tests.studio.browser import QUEENS, SUDOKU, Tab, chromium, tab
from tests.studio.playground import BUILDS, BUILT, FileServer, build, loaded, needs_playground, server

PATIENCE = 1800  # seconds that a test may take: the first one builds all of it, and the last ones are whole files
pytestmark = [pytest.mark.slow, needs_playground, pytest.mark.timeout(PATIENCE)]
__all__ = ["chromium", "server"]  # fixtures

ROOT = Path(__file__).parents[2]
ENDLESS = QUEENS.replace("n = 6", "n = 40")
HUGE = "cells r, c in 1..1000\nchoose a(r, c)\nexactly one a per r\n"  # 1 000 000 options
EXPLODES = "choose a(i, j) for i in 1..3000, j in 1..3000\nexactly one a per i\n"


@pytest.fixture(scope="module")
def page(server: FileServer, chromium: Any) -> Iterator[Tab]:
    """One tab for all tests that leave nothing behind."""
    with tab(chromium, server.address) as found:
        yield loaded(found)


@pytest.mark.skipif(not BUILDS, reason="`npm ci --ignore-scripts --prefix studio`, `pip install -e '.[wasm]'`")
def test_the_build_tells_whose_bytes_a_first_visit_fetches() -> None:
    """What others publish may grow, and is told; only covr's own part has a limit."""
    said = build()
    whole, own, most = map(
        int, re.findall(r"(\d+) bytes for a first visit, of which (\d+) .* \(at most (\d+)\)", said)[0]
    )
    others = [int(number) for number in re.findall(r"^(\d+) (?:Python|Pyodide|packages)", said, re.MULTILINE)]
    assert own <= most and len(others) == 4 and own + sum(others) == whole


def count(page: Tab, text: str = QUEENS, words: str = "4 answers") -> None:
    """Ask how many answers a model has."""
    page.write(text)
    page.no_faults()
    page.page.click("#ask-count")
    page.said("answers", words)


def test_it_solves_lists_counts_and_tells_whether_there_is_one(page: Tab) -> None:
    page.page.click("#ask-first")
    page.picture("answer")
    count(page)
    page.page.click("#ask-all")
    page.said("answers", "That is all")
    assert page.page.locator(".tile").count() == 4
    page.page.click("#ask-unique")
    page.said("answers", "more than one")


def test_a_picture_of_the_first_model_is_there_without_python(server: FileServer, chromium: Any) -> None:
    """It was drawn when the page was built: nothing of Python needs to come."""
    context = chromium.new_context()
    context.route("**/runtime/**", lambda route: route.abort())
    first = context.new_page()
    first.goto(server.address)
    first.wait_for_selector("#stage[data-source='puzzle'] svg")
    first.locator(".cm-content .tok-keyword, .cm-content span").first.wait_for()
    first.locator(".banner", has_text="could not be loaded").wait_for()
    assert "Try again" in first.locator(".banner").inner_text()
    context.unroute("**/runtime/**")
    first.locator(".banner button").click()
    first.wait_for_selector("html[data-loaded]", timeout=120_000)
    context.close()


def test_while_it_loads_nothing_looks_like_a_fault(server: FileServer, chromium: Any) -> None:
    context = chromium.new_context()
    held: list[Any] = []
    context.route("**/runtime/first-*", lambda route: held.append(route))
    tried = Tab(context.new_page(), server.base)
    first = tried.page
    first.goto(server.address)
    first.locator("#loading", has_text="Loading covr").wait_for()
    tried.until(lambda: bool(held))  # a worker fetches it
    assert first.locator(".light.loading").is_visible() and not first.locator(".light.away").count()
    held[0].abort()
    first.locator(".banner", has_text="could not be loaded").wait_for()
    assert first.locator(".light.away").is_visible()
    context.close()


def test_a_question_that_would_take_years_ends_at_once_and_the_next_works(page: Tab) -> None:
    page.write(ENDLESS)
    page.no_faults()
    page.page.click("#ask-count")
    page.page.locator("#pane-answers .standing", has_text="node").wait_for()
    page.page.click("#pane-answers .stop")
    page.said("answers", "topped")
    count(page)


def test_a_limit_of_time_is_kept(page: Tab) -> None:
    page.page.fill("#limit-seconds", "1")
    count(page, ENDLESS, "limit of time")
    page.page.fill("#limit-seconds", "60")


def test_a_model_that_explodes_while_it_is_compiled_can_be_stopped(page: Tab) -> None:
    page.write(EXPLODES)
    page.page.click("#ask-count")
    page.page.wait_for_timeout(500)
    page.page.click("#pane-answers .stop")
    page.said("answers", "topped")
    count(page)


def test_of_a_model_that_needs_too_much_memory_it_is_told(server: FileServer, chromium: Any) -> None:
    """With a smaller limit than that of the playground, which would take a while to reach."""
    script = (BUILT / "app.js").read_text("utf-8")
    assert script.count("2**30") == 1, "the limit of memory"
    context = chromium.new_context(service_workers="block")
    context.route("**/app.js", lambda route: route.fulfill(
        body=script.replace("2**30", str(96 * 2**20)), content_type="text/javascript"))  # fmt: skip
    small = loaded(Tab(context.new_page(), server.base).open(server.address))
    small.write(HUGE)
    small.page.click("#ask-count")
    small.said("answers", "not enough memory")
    count(small)
    context.close()


def test_the_first_answer_needs_one_worker_and_what_it_fetches(server: FileServer, chromium: Any) -> None:
    """What needs more waits for it, and is then asked again, unseen."""
    context = chromium.new_context()
    held: list[Any] = []
    context.route("**/runtime/rest-*", lambda route: held.append(route))
    first = Tab(context.new_page(), server.base).open(server.address)
    first.page.click("#ask-first")
    first.picture("answer")
    first.until(lambda: bool(held))
    assert len(first.page.workers) == 1
    first.pane("why")
    first.page.click("#ask-hint")
    first.page.wait_for_timeout(500)
    assert not first.page.locator("#reasons > *").count()
    held[0].continue_()
    first.page.locator("#reasons > *").first.wait_for()
    assert first.page.locator("#reasons > *").count() == 1
    first.until(lambda: len(first.page.workers) > 1)
    first.pane("answers")
    count(loaded(first))  # in a worker that went on from the first one's memory
    first.at_peace()
    context.close()


def rota(page: Tab) -> None:
    """Open a model whose best value needs HiGHS."""
    page.pane("gallery")
    page.page.locator("[data-model=nurses]").click()
    page.page.locator(".cm-content", has_text="nurses").wait_for()
    page.no_faults()
    page.pane("answers")
    page.page.click("#ask-best")


def test_a_best_plan_comes_from_highs_which_is_fetched_once_it_is_needed(server: FileServer, chromium: Any) -> None:
    context = chromium.new_context(service_workers="block")
    asked: list[str] = []
    context.on("request", lambda request: "/highs-" in request.url and asked.append(request.url))
    other = loaded(Tab(context.new_page(), server.base).open(server.address))
    count(other)
    assert not asked
    rota(other)
    other.page.locator("#pane-answers", has_text="That is all").wait_for(timeout=70_000)
    assert "It breaks 7 wishes" in other.page.inner_text("#pane-answers")  # as `expect minimum` says
    assert asked
    context.close()


def test_where_highs_can_not_be_fetched_the_search_goes_on_alone(server: FileServer, chromium: Any) -> None:
    context = chromium.new_context(service_workers="block")
    refused: list[Any] = []
    context.route("**/runtime/highs-*", lambda route: (refused.append(route), route.abort()))
    other = loaded(Tab(context.new_page(), server.base).open(server.address))
    other.page.fill("#limit-seconds", "10")
    rota(other)
    other.page.locator("#pane-answers .standing", has_text="topped after 10 s").wait_for(timeout=30_000)
    assert refused
    context.close()


def test_a_large_board_is_proved_by_clingo_which_is_fetched_then(server: FileServer, chromium: Any) -> None:
    context = chromium.new_context(service_workers="block")
    asked: list[str] = []
    context.on("request", lambda request: "/clingo-" in request.url and asked.append(request.url))
    other = loaded(Tab(context.new_page(), server.base).open(server.address))
    count(other)
    assert not asked
    rows = LARGE["numberlink-16"]().params()["clue"]
    before, _, after = re.split(r'(?s)(?<=param clue = grid """)(.*?)(?=""")', text_of("numberlink"))
    other.write(f"{before}\n{rows}\n{after}")
    other.no_faults()
    other.page.click("#ask-unique")
    other.page.locator("#pane-answers .standing", has_text="exactly one answer").wait_for(timeout=70_000)
    assert len(asked) == 2  # its script, and what that runs
    context.close()


MEMORY = """caches.keys().then(([name]) => caches.open(name)).then(async store => {
  const found = (await store.keys()).filter(({url}) => /memory[?]/.test(url));
  for (const {url} of spoil ? found : []) await store.put(url, new Response(new Uint8Array(4096)));
  return found.length;
})"""
RING = "let board = {(r, c) for r in 1..4, c in 1..4}\nchoose draw(e) for e in edges(board)\nloop draw along e\n"


def test_a_later_visit_goes_on_from_the_first_one_s_memory_and_does_without_where_that_is_spoilt(
    server: FileServer, chromium: Any
) -> None:
    context = chromium.new_context()
    visit = Tab(context.new_page(), server.base).open(server.address)
    visit.until(lambda: bool(visit.page.evaluate(f"(spoil => {MEMORY})(false)")))
    for spoilt in (False, True):
        if spoilt:
            visit.page.evaluate(f"(spoil => {MEMORY})(true)")
        visit = loaded(Tab(context.new_page(), server.base).open(server.address))
        started = "performance.getEntriesByName('covr-worker').map(mark => mark.detail.restored)"
        assert visit.page.evaluate(started)[0] == (not spoilt)
        count(visit)
        count(visit, RING, "213 answers")  # by kernels that were loaded after Python had gone on
    context.close()


def test_a_link_holds_the_model(server: FileServer, page: Tab, chromium: Any) -> None:
    page.write(SUDOKU)
    page.no_faults()
    page.page.click("#share")
    link = str(page.page.input_value("#share-link"))
    page.page.keyboard.press("Escape")
    assert link.startswith(f"{server.address}#model=1.") and len(link) < 330
    for address, words in ((link, "band(i)"), (opening(QUEENS, server.base), "queen(r, c)")):
        with tab(chromium, address) as other:
            other.page.locator(".cm-content", has_text=words).wait_for()
            assert "#" not in other.page.url


def test_a_link_of_covr_0_2_opens_still(server: FileServer, chromium: Any) -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    raw = (
        packer.compress(json.dumps({"name": "old.cover", "text": QUEENS, "data": {"n": "5"}}).encode()) + packer.flush()
    )
    with tab(chromium, f"{server.address}#model={urlsafe_b64encode(raw).decode().rstrip('=')}") as other:
        other.page.locator("#model-name", has_text="old.cover").wait_for()
        loaded(other).page.click("#ask-count")
        other.said("answers", "10 answers")


def test_a_puzzle_s_link_opens_as_a_model(server: FileServer, chromium: Any) -> None:
    with tab(chromium, f"{server.address}#link=https%3A%2F%2Fpuzz.link%2Fp%3Fslither%2F5%2F5%2Fcbcbcddad") as other:
        other.page.locator(".cm-content", has_text="loop").wait_for(timeout=120_000)


def test_a_frame_in_another_page_shows_the_model_without_the_menu(server: FileServer, chromium: Any) -> None:
    with tab(chromium, f"{server.address}?embed{opening(QUEENS, '')[1:]}") as other:
        loaded(other).page.locator(".cm-content", has_text="queen(r, c)").wait_for()
        assert not other.page.locator("header.top").is_visible()
        assert other.page.locator("#whole").is_visible()
        other.page.click("#ask-count")
        other.said("answers", "4 answers")


def test_without_network_it_works_after_the_first_visit(server: FileServer, chromium: Any) -> None:
    with tab(chromium, server.address) as other:
        loaded(other).page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        other.until(lambda: bool(other.page.evaluate("navigator.serviceWorker.controller !== null")))
        kept = "caches.keys().then(([name]) => caches.open(name)).then(store => store.keys()).then(keys => keys.length)"
        pictures = len(list((BUILT / "gallery").iterdir()))
        other.until(
            lambda: int(other.page.evaluate(kept)) >= pictures + 10
        )  # the page in five, Python in four, and a worker's memory
        other.page.context.set_offline(True)
        other.page.reload()
        loaded(other).page.click("#ask-first")
        other.picture("answer")
        other.pane("gallery")
        other.page.locator("[data-model=queens]").click()
        other.page.locator(".cm-content", has_text="queen").wait_for()


def test_without_a_store_or_service_workers_as_in_private_windows_it_works(server: FileServer, chromium: Any) -> None:
    context = chromium.new_context()
    context.add_init_script("""
        Object.defineProperty(navigator, "serviceWorker", {value: undefined});
        Object.defineProperty(window, "caches", {get() { throw new DOMException("forbidden", "SecurityError"); }});
        for (const name of ["localStorage", "sessionStorage"])
          Object.defineProperty(window, name, {get() { throw new DOMException("forbidden", "SecurityError"); }});
    """)
    private = loaded(Tab(context.new_page(), server.base).open(server.address))
    private.page.click("#ask-first")
    private.picture("answer")
    private.at_peace()
    context.close()


def test_a_hint_by_hand_ends_nothing_and_help_is_about_this_page(page: Tab) -> None:
    page.write(SUDOKU)
    page.no_faults()
    page.picture()
    page.pane("hand")
    page.page.wait_for_selector("#stage[data-source='hand'] svg")
    for _ in range(3):
        page.page.click("#hand-hint")
        page.page.locator("#hand-said .reason").wait_for()
        page.page.wait_for_timeout(500)
        assert page.page.inner_text("#pane-hand .standing").strip() == ""
        page.page.click("#hand-do")
        page.page.locator("#hand-said .reason").wait_for(state="detached")
    page.page.click("#help")
    assert "folder" not in page.page.inner_text("dialog")
    page.page.keyboard.press("Escape")


def test_nothing_can_be_sent_elsewhere(server: FileServer, chromium: Any) -> None:
    """Neither from the page nor from a worker that is started as its own are."""
    context = chromium.new_context()
    page = context.new_page()
    page.goto(server.address)
    refused = """new Promise(resolve => {
      addEventListener("securitypolicyviolation", event => resolve(event.effectiveDirective));
      fetch("http://localhost:9/").then(() => resolve("sent"), () => undefined);
    })"""
    assert page.evaluate(refused) == "connect-src"
    worker = """program => new Promise(resolve => {
      const address = URL.createObjectURL(new Blob([program], {type: "text/javascript"}));
      new Worker(address).onmessage = ({data}) => resolve(data);
    })"""
    assert page.evaluate(worker, f"{refused}.then(postMessage)") == "connect-src"
    context.close()


@pytest.mark.parametrize("file", ["asking", "smoke"])
def test_it_passes_the_tests_of_the_studio_s_page(file: str) -> None:
    """Those that a page without a server can pass; the others are named here."""
    others = "pdf or saved or lost or server or killed or drop"
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:xdist", f"tests/studio/test_browser_{file}.py"]
    done = subprocess.run(
        [*command, "-k", f"not ({others})"],
        cwd=ROOT, env={**os.environ, "COVR_PLAYGROUND": "1"}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]
