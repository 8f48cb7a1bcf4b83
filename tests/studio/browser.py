"""A studio and a real browser that shows it.

`Tab` is one tab. It notes what must never happen: messages of the console, exceptions, requests that leave the machine.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
PAGE = Path(__file__).parents[2] / "covr" / "studio" / "page" / "index.html"
PATIENCE = 60_000  # milliseconds; machines that run tests are busy
PANES = (
    "model", "draw", "data", "gallery", "picture", "answers", "hand", "candidates", "why", "dance", "matrix", "spare",
)  # fmt: skip
LETTERS = 15  # milliseconds between two keystrokes

SUDOKU = """title "Sudoku"
param box = 2
let n = box * box
let band(i) = (i - 1) div box
cells  r, c in 1..n
values d in 1..n
param clue = grid(n, n) \"\"\"
  1...
  ..3.
  .4..
  ...2
\"\"\"
choose place(r, c, d)
exactly one place per r, c                  "cell r{r}c{c} holds one digit"
exactly one place per r, d                  "row {r} contains {d}"
exactly one place per c, d                  "column {c} contains {d}"
exactly one place per band(r), band(c), d   "box {band(r)},{band(c)} contains {d}"
given place(r, c, clue[r, c]) for (r, c) in clue
"""
QUEENS = """param n = 6
cells r, c in 1..n
choose queen(r, c)
exactly one queen per r        "row {r}"
exactly one queen per c        "column {c}"
at most one queen per r + c
at most one queen per r - c
show "Q" of queen at r, c
"""
LONG = QUEENS.replace("n = 6", "n = 20")
REFUSED = ("Failed to load resource", "ERR_", "status of 403")  # what a browser logs of a request that fails


def need_browser() -> str:
    """The browser. Skips the test where it, Playwright, the server's packages or the built page are missing."""
    for module in ("playwright", "starlette", "uvicorn", "httpx"):
        pytest.importorskip(module, reason="needs covr[studio], playwright and httpx")
    if not PAGE.is_file():
        pytest.skip(
            "the studio's page is not built: npm ci --ignore-scripts --prefix studio && npm run build --prefix studio"
        )
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("there is no Chromium")
    return found


class Tab:
    """A tab. page: Playwright's. complaints: what must not happen, as it happens."""

    def __init__(self, page: Any, base: str) -> None:
        self.page, self.base = page, base
        self.complaints: list[str] = []
        self.asked: list[str] = []  # kinds of questions, in order
        page.set_default_timeout(PATIENCE)
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(f"exception: {error}"))
        page.on("request", self._request)

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"console: {message.text}")

    def _request(self, request: Any) -> None:
        if not request.url.startswith((f"{self.base}/", "blob:", "data:")):
            self.complaints.append(f"request: {request.url}")
        if request.method == "POST" and request.url.endswith("/api/jobs"):
            self.asked.append(request.post_data_json["kind"])

    def open(self, address: str) -> Tab:
        """Go to an address and wait until the studio is there."""
        self.page.goto(address)
        self.page.wait_for_selector("html[data-ready]")
        if os.environ.get("COVR_PLAYGROUND"):
            self.page.wait_for_selector("html[data-loaded]", timeout=2 * PATIENCE)  # Python has started in the page
        return self

    # --- what a user does ---

    def write(self, text: str) -> None:
        """Replace the whole text at once, as pasting does."""
        self.page.click(".cm-content")
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)

    def pane(self, name: str) -> None:
        """Go to a pane."""
        self.page.click(f"#tab-{name}")

    def cell(self, row: int, col: int) -> Any:
        """A cell of the first board, from 1."""
        return self.page.locator(f".board .cell[data-row='{row - 1}'][data-col='{col - 1}']").first

    # --- what a user sees ---

    def no_faults(self) -> None:
        """Wait until the text that is there has been looked at and has no faults."""
        self.page.wait_for_selector("#faults[data-errors='0']")

    def faults(self, number: int = 1) -> list[str]:
        """Wait for so many errors; the messages."""
        self.page.wait_for_selector(f"#faults[data-errors='{number}'] li.error")
        return [str(text) for text in self.page.locator("#faults li.error .fault span:last-child").all_inner_texts()]

    def picture(self, source: str = "puzzle") -> str:
        """Wait for a picture of that source; the texts in it."""
        self.page.wait_for_selector(f"#stage[data-source='{source}'] svg")
        return str(self.page.locator("#stage svg").text_content())

    def plain(self) -> str:
        """The picture as text."""
        return str(self.page.locator(".as-plain").text_content())

    def lines(self) -> int:
        """How many lines the picture has as text."""
        return len(self.plain().strip().split("\n"))

    def board(self) -> str:
        """What stands in the first board, without its blanks."""
        return str(self.page.locator(".board").first.text_content())

    def until(self, happens: Callable[[], bool]) -> None:
        """Wait until something happens. (Playwright's own way evaluates texts, which the page's policy forbids.)"""
        end = monotonic() + PATIENCE / 1000
        while not happens():
            assert monotonic() < end, "nothing happens"
            self.page.wait_for_timeout(50)

    def said(self, pane: str, containing: str) -> str:
        """Wait until a pane's status line contains some words; the whole line."""
        line = self.page.locator(f"#pane-{pane} .standing .words", has_text=containing)
        line.wait_for()
        return str(line.inner_text())

    def marks(self, name: str) -> list[float]:
        """When the page noted something, in milliseconds since it was loaded."""
        return list(self.page.evaluate(f"performance.getEntriesByName('{name}').map(mark => mark.startTime)"))

    def at_peace(self) -> None:
        """Nothing was complained of."""
        assert not self.complaints, self.complaints


def text_of(page: Tab) -> str:
    """The text in the editor."""
    return str(page.page.evaluate("document.querySelector('.cm-content').cmTile.view.state.doc.toString()"))


def block(page: Tab, name: str) -> list[str]:
    """The lines of a block of the text."""
    return [line.strip() for line in text_of(page).split(f" {name} = ")[1].split('"""')[1].strip("\n").split("\n")]


def meet(one: Any, other: Any) -> bool:
    """Whether two boxes of elements have a point in common."""
    sides = (("x", "width"), ("y", "height"))
    return all(one[at] < other[at] + other[size] and other[at] < one[at] + one[size] for at, size in sides)


def busiest(page: Tab, processes: Callable[[], set[int]]) -> int:
    """The process that takes most time now."""
    before = {process: _ticks(process) for process in processes()}
    page.page.wait_for_timeout(700)
    return max(processes(), key=lambda process: _ticks(process) - before.get(process, 0))


def _ticks(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11])


def long_model(rules: int) -> str:
    """A model of so many rules, with a label, a name or a condition in each."""
    head = "param n = 9\ncells r, c in 1..n\nvalues d in 1..n\nchoose place(r, c, d)\n"
    kinds = (
        'at most {k} place   "rule {k} holds"\n',
        "at most 5 place per r where c = {a}\n",
        "let k{k} = {a} + {b}\n",
        "forbid place({a}, {b}, k{before})\n",
    )
    return head + "".join(
        kinds[k % 4].format(k=k, before=k - 1, a=k % 9 + 1, b=k // 9 % 9 + 1) for k in range(4, rules + 4)
    )


@contextmanager
def browser() -> Iterator[Any]:
    """A browser."""
    path = need_browser()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        try:
            yield running
        finally:
            running.close()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """One browser for the tests of a file."""
    with browser() as running:
        yield running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One studio for the tests of a file, in a folder of its own; with COVR_PLAYGROUND, the page without a server."""
    need_browser()
    if os.environ.get("COVR_PLAYGROUND"):
        from tests.studio.playground import FileServer

        files = FileServer()
        yield files
        files.close()
        return
    from tests.studio.client import studio

    folder = tmp_path_factory.mktemp("folder")
    with studio(str(folder), folder=folder) as running:
        running.folder = folder
        yield running


@contextmanager
def tab(running: Any, address: str, **context: Any) -> Iterator[Tab]:
    """A tab in a fresh context (no cookies, nothing stored), at an address of a studio. At its end it must be at
    peace."""
    of = running.new_context(**{"viewport": {"width": 1280, "height": 860}, **context})
    try:
        one = Tab(of.new_page(), "/".join(address.split("/")[:3]))
        one.open(address)
        yield one
        one.at_peace()
    finally:
        of.close()
