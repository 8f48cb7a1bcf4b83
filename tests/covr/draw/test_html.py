"""The HTML page in a real browser: Chromium without a window lays it out and says where everything is."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import covr
from covr.draw.book import Shown, draw_html

pytestmark = pytest.mark.long

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here (Debian: apt install chromium)")

MEASURE = """
<script>
const box = e => { const b = e.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; };
const all = s => [...document.querySelectorAll(s)].map(box);
document.title = JSON.stringify({
  width: document.documentElement.scrollWidth, window: window.innerWidth,
  svg: all("svg"), figure: all("figure"), answer: all(".answer"), piece: all(".piece"), symbol: all(".symbol"),
  text: all("svg text"), cells: all(".cells"), heading: all("h1"), caption: all("figcaption"),
});
</script>
"""


def measured(page: str, folder: Path, width: int = 1000) -> dict[str, Any]:
    """What Chromium says of a page: boxes (left, top, right, bottom) of its elements."""
    assert CHROMIUM is not None
    path = folder / "page.html"
    path.write_text(page.replace("</body>", MEASURE + "</body>"), encoding="utf-8")
    done = subprocess.run(
        [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
         f"--user-data-dir={folder / 'profile'}", f"--window-size={width},800", "--dump-dom", path.as_uri()],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    title = re.search(r"<title>(.*?)</title>", done.stdout, re.DOTALL)
    assert title is not None, done.stderr[-500:]
    found: dict[str, Any] = json.loads(html.unescape(title[1]))
    return found


def overlap(one: list[float], other: list[float]) -> bool:
    return min(one[2], other[2]) - max(one[0], other[0]) > 0.5 and min(one[3], other[3]) - max(one[1], other[1]) > 0.5


def inside(inner: list[float], outer: list[float], slack: float = 0.6) -> bool:
    return (
        inner[0] >= outer[0] - slack and inner[1] >= outer[1] - slack
        and inner[2] <= outer[2] + slack and inner[3] <= outer[3] + slack
    )  # fmt: skip


@needs_browser
def test_nothing_overlaps_on_a_page_of_pieces(tmp_path: Path) -> None:
    model = covr.load("scott")
    answers = [Shown(a.pictures, str(n)) for n, a in enumerate(model.solutions(6), 1)]
    page = measured(draw_html(answers, model.title), tmp_path)
    assert (len(page["svg"]), len(page["piece"]), len(page["caption"])) == (6, 72, 6)
    assert page["width"] <= page["window"], "nothing sticks out to the side"
    for n, figure in enumerate(page["figure"]):
        assert not any(overlap(figure, other) for other in page["figure"][n + 1 :])
        assert inside(page["svg"][n], figure)
        assert page["caption"][n][1] >= page["svg"][n][3] - 0.5, "captions stand below"
        for piece in page["piece"][12 * n : 12 * n + 12]:
            assert inside(piece, page["svg"][n])
            assert piece[2] - piece[0] > 10 < piece[3] - piece[1]
    assert page["heading"][0][3] <= min(f[1] for f in page["figure"])


@needs_browser
def test_pieces_fill_the_board_and_names_stand_in_them(tmp_path: Path) -> None:
    answer = covr.load("pentominoes", h=5, w=12).solve()
    assert answer is not None
    page = measured(draw_html([Shown(answer.pictures)], "Pentominoes"), tmp_path)
    board = page["cells"][0]
    assert (board[2] - board[0]) / (board[3] - board[1]) == pytest.approx(12 / 5, rel=0.01)
    assert len(page["text"]) == 12
    assert all(inside(p, board) for p in page["piece"])
    assert all(any(inside(text, piece) for piece in page["piece"]) for text in page["text"])


@needs_browser
def test_nothing_overlaps_on_a_contact_sheet_in_one_svg(tmp_path: Path) -> None:
    model = covr.load("queens", n=6)
    sheet = covr.sheet(model.solutions())
    page = measured(f"<!DOCTYPE html><title></title><body style='margin:0'>{sheet}</body>", tmp_path, 1300)
    assert (len(page["answer"]), len(page["symbol"])) == (4, 24)
    for n, answer in enumerate(page["answer"]):
        assert inside(answer, page["svg"][0])
        assert not any(overlap(answer, other) for other in page["answer"][n + 1 :])
        assert all(inside(q, answer) for q in page["symbol"][6 * n : 6 * n + 6])
    sizes = [q[2] - q[0] for q in page["symbol"]]
    assert min(sizes) > 8, "queens can be told at this size"


@needs_browser
def test_texts_keep_inside_their_cells(tmp_path: Path) -> None:
    answer = covr.load("sudoku16").solve()
    assert answer is not None
    page = measured(draw_html([Shown(answer.pictures)], "Sudoku"), tmp_path)
    assert len(page["text"]) == 256
    board = page["cells"][0]
    side = (board[2] - board[0]) / 16
    assert all(text[2] - text[0] < side for text in page["text"])
    assert all(inside(text, board) for text in page["text"])


class _Reader(HTMLParser):
    """Which elements a page has, and whether they are closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.met: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.met.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.met.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_page_is_whole_and_fetches_nothing() -> None:
    model = covr.loads('title "<b>&"\ncells i in 1..3\nchoose f(i)\nexactly one f per i\nshow "<i>" of f at i\n')
    reader = _Reader()
    reader.feed(draw_html([Shown(a.pictures, "1") for a in model.solutions()], model.title, "dark", "1 < 2"))
    assert not reader.open
    names = {name for name, _ in reader.met}
    assert not names & {"b", "i", "script", "link", "img", "image", "use"}
    assert not any(key in ("src", "href") for _, attributes in reader.met for key in attributes)
