"""`python -m benchmarks visits`: how soon the playground answers its first question, and where the time goes.

Each visit is a new browser: it opens the page of `npm run playground --prefix studio` and asks for an answer as soon as
the button is there, until the answer's picture is. Visits are the first from the same machine, the first over a line of
10 Mbit/s with 20 ms, and a later one. Needs Chromium, and covr's extra `browser`.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import which
from threading import Thread
from typing import Any

BUILT = Path(__file__).parents[1] / "build" / "playground"
LINE = {"offline": False, "latency": 20, "downloadThroughput": 10e6 / 8, "uploadThroughput": 10e6 / 8}
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
KEPT = """caches.keys().then(([name]) => caches.open(name)).then(store => store.keys())
    .then(kept => kept.some(({url}) => /memory[?]/.test(url)))"""
WORKER = ("begun", "fetched", "python", "imported", "warm", "snapshot")  # in a worker, in order (worker.ts)


class _Files(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def served() -> Iterator[str]:
    """The address of the playground, on a server of files."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=str(BUILT)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


def ticks(folder: str) -> float:
    """CPU seconds of all processes of the browser with this profile, so far."""
    parent, spent, wanted = {}, {}, set()
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended
            fields = (path / "stat").read_text().rpartition(")")[2].split()
            parent[path.name], spent[path.name] = fields[1], sum(map(int, fields[11:15]))
            if folder in (path / "cmdline").read_text():
                wanted.add(path.name)
    while more := {name for name, of in parent.items() if of in wanted} - wanted:
        wanted |= more
    return sum(spent[name] for name in wanted) / os.sysconf("SC_CLK_TCK")


def visit(playwright: Any, address: str, folder: str, slow: bool) -> dict[str, float]:
    """The milliseconds from the start of a visit to each of its steps; `cpu`: of the browser, up to the answer."""
    found = which("chromium") or which("chromium-browser") or which("google-chrome")
    browser = playwright.chromium.launch_persistent_context(folder, executable_path=found, args=ARGUMENTS)
    page = browser.pages[0]
    if slow:
        browser.new_cdp_session(page).send("Network.emulateNetworkConditions", LINE)
    before, begin = ticks(folder), time.monotonic()
    page.goto(address, wait_until="commit")
    page.click("#ask-first")
    page.wait_for_selector("#stage[data-source='answer'] svg", timeout=120_000)
    steps = {"answer": 1000 * (time.monotonic() - begin), "cpu": 1000 * (ticks(folder) - before)}
    marks = "performance.getEntriesByType('mark').map(mark => [mark.name, mark.startTime, mark.detail])"
    for name, at, detail in page.evaluate(marks):
        steps.setdefault(name, at)
        if name == "covr-worker" and detail and WORKER[1] not in steps:
            steps |= {step: detail[step] for step in WORKER if step in detail}
    page.wait_for_selector("html[data-loaded]", timeout=120_000)
    while not page.evaluate(KEPT):  # for a later visit
        page.wait_for_timeout(200)
    browser.close()
    return steps


def main(words: Sequence[str]) -> int:
    """Print a table: a row for each step, a column for each kind of visit, medians in milliseconds."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks visits", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="visits of each kind (default: %(default)s)")
    asked = parser.parse_args(words)
    from playwright.sync_api import sync_playwright

    kinds: dict[str, list[dict[str, float]]] = {"first": [], "10 Mbit/s": [], "later": []}
    with sync_playwright() as playwright, served() as address:
        for _ in range(asked.rounds):
            for kind in ("10 Mbit/s", "first"):
                with tempfile.TemporaryDirectory() as folder:
                    kinds[kind].append(visit(playwright, address, folder, kind != "first"))
                    if kind == "first":
                        kinds["later"].append(visit(playwright, address, folder, False))
            print(f"load {os.getloadavg()[0]:.1f}", file=sys.stderr)
    steps = list(dict.fromkeys(step for visits in kinds.values() for one in visits for step in one))
    print(f"| step | {' | '.join(kinds)} |\n|---|{'---:|' * len(kinds)}")
    for step in steps:
        cells = [[one[step] for one in visits if step in one] for visits in kinds.values()]
        print(f"| {step} | {' | '.join(f'{statistics.median(c):.0f}' if c else '' for c in cells)} |")
    return 0
