"""The documentation site (docs/conf.py): its lesson is whole, what it adds to the pages is right, and no link is dead.

The site itself is built with `--slow`, where Sphinx, MyST and furo are installed (`covr[docs]`).
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import zlib
from base64 import urlsafe_b64decode
from collections import Counter
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest

import covr
from covr.dsl.codes import CODES
from covr.inputs.as_link import kinds
from covr.inputs.library import find_source, gallery_names
from docs._site import docstrings, links, made, pictures, studio
from tests.each import each

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"

# --- the pages ---------------------------------------------------------------------------------------------


EXERCISES = re.split(r"^### (?=Exercise)", (DOCS / "learn.md").read_text("utf-8"), flags=re.MULTILINE)[1:]


@pytest.mark.parametrize("text", EXERCISES, ids=range(1, len(EXERCISES) + 1))
def test_an_exercise_has_a_solution_that_is_run(text: str) -> None:
    assert text.startswith(f"Exercise {EXERCISES.index(text) + 1}\n")
    found = re.search(
        r"^<details><summary>.*?[Ss]olution.*?</summary>\n\n(.*?)^</details>$", text, re.MULTILINE | re.DOTALL
    )
    assert found
    models = re.findall(r"^```cover\n(.*?)^```$", found[1], re.MULTILINE | re.DOTALL)
    assert models
    assert all("\nexpect " in model for model in models)


@each("page", sorted(DOCS.glob("*.md")))
def test_folds_are_laid_out_so_that_what_is_in_them_is_markdown(page: Path) -> None:
    text = page.read_text("utf-8")
    assert len(re.findall(r"^<details><summary>[^<]+</summary>\n\n", text, re.MULTILINE)) == text.count("<details")
    assert len(re.findall(r"\n\n</details>$", text, re.MULTILINE)) == text.count("</details")


@each("page", sorted(DOCS.glob("*.md")))
def test_a_picture_is_of_a_model_of_the_gallery(page: Path) -> None:
    assert set(pictures.PLACE.findall(page.read_text("utf-8"))) <= set(gallery_names())


def test_the_made_pages_show_every_model_and_every_code_once() -> None:
    texts = made.made()
    assert [m for kind in kinds() for m in pictures.MODEL.findall(texts[f"{made.page_of(kind)}.md"])] == [
        name for lines in kinds().values() for name in lines
    ]
    for name in gallery_names():
        path, _, anchor = (made.place_of(name) or "").partition("#")
        assert anchor == name and f"\n## {name}\n" in texts[path]
    labelled = [code for path, text in texts.items() for code in re.findall(r"^\((\w+)\)=$", text, re.MULTILINE)]
    assert sorted(labelled) == sorted(CODES)


def test_the_first_pages_of_the_gallery_and_the_messages_lead_to_all_others() -> None:
    led: set[str] = set()
    for page in ("gallery", "errors"):
        source = [(DOCS / f"{page}.md").read_text("utf-8")]
        links.rewrite(None, page, source)  # type: ignore[arg-type]  # asks Sphinx for nothing
        made.insert(None, page, source)  # type: ignore[arg-type]
        led |= set(re.findall(r"^(?:gallery|errors)/[\w-]+$", source[0], re.MULTILINE))
        if page == "errors":
            assert re.findall(r"^- \[(\w+)\]\(#\1\)", source[0], re.MULTILINE) == sorted(CODES)
        else:
            shown = made.thumbnails(source[0], dict.fromkeys(gallery_names(), "<img>"))
            assert shown.count('<a class="thumbnail"') == shown.count("<img>") == len(gallery_names())
            assert "- [" not in shown
    assert led == {path.removesuffix(".md") for path in made.made()}


def test_pages_are_written_once_and_those_of_old_kinds_are_removed(tmp_path: Path) -> None:
    class App:
        srcdir = tmp_path

    made.write(App)  # type: ignore[arg-type]  # asks Sphinx only where its pages are
    (tmp_path / "gallery" / "old.md").write_text("# Old")
    first = tmp_path / "gallery" / "solids.md"
    before = first.stat().st_mtime_ns
    made.write(App)  # type: ignore[arg-type]
    assert first.stat().st_mtime_ns == before
    assert {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.md")} == set(made.made())


def test_what_is_for_the_repository_only_is_not_on_the_site() -> None:
    source = ["a\n<!-- repository -->\nb\n<!-- /repository -->\nc\n"]
    links.rewrite(None, "trust", source)  # type: ignore[arg-type]
    assert source == ["a\nc\n"]


def slugs(text: str) -> set[str]:
    """How links name the headings of a page, as GitHub and MyST do: the second of a name has `-1` after it."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    plain = (re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", h) for h in re.findall(r"^#+ (.*)$", text, re.MULTILINE))
    found: Counter[str] = Counter(
        re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in plain
    )
    return {f"{slug}-{again}" if again else slug for slug, times in found.items() for again in range(times)}


OTHERS = (
    "README.md",
    "CONTRIBUTING.md",
    "RELEASING.md",
    "CHANGELOG.md",
    "ROADMAP.md",
    "benchmarks/messages.md",
    "ARCHITECTURE.md",
    "tests/README.md",
    "tests/LOG.md",
    "covr/links/README.md",
)
MARKDOWN = [*sorted(DOCS.glob("*.md")), *(ROOT / name for name in OTHERS)]


@each("page", MARKDOWN)
def test_anchors_of_links_between_pages_exist(page: Path) -> None:
    for file, anchor in re.findall(r"\]\(([^)#\s:]*)#([^)]*)\)", page.read_text("utf-8")):
        target = page.parent / file if file else page
        assert anchor in slugs(target.read_text("utf-8")), (page.name, file, anchor)


@each("old", links.MOVED)
def test_addresses_of_earlier_releases_lead_on(old: str) -> None:
    page, _, anchor = links.MOVED[old].partition("#")
    text = (DOCS / f"{page}.md").read_text("utf-8")
    assert not anchor or anchor in slugs(text)
    gone, _, part = old.partition("#")
    assert part not in slugs((DOCS / f"{gone}.md").read_text("utf-8")) if (DOCS / f"{gone}.md").exists() else True
    assert f'"{old}": "{links.address(links.MOVED[old])}"' in links.script()


# --- what the site makes of them -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "linked"),
    [
        ("[x](../README.md#start)", "[x](index.md)"),
        ("[x](../CHANGELOG.md)", "[x](changelog.md)"),
        ("[x](../CONTRIBUTING.md#a-format)", "[x](path:../CONTRIBUTING.md)"),
        ("[x](language.md#functions)", "[x](language.md#functions)"),
        ("[x](../models/latin/sudoku.cover)", "[x](gallery/sudoku-and-latin-squares.md#sudoku)"),
        ("[x](../models/std/soma.cover)", "[x](../models/std/soma.cover)"),
        ("[x](../benchmarks/counts.md)", "[x](gallery/published-counts.md)"),
        ("[x](../benchmarks/results.md#plans)", "[x](path:../benchmarks/results.md)"),
        ("[E102](errors.md)", "[E102](#E102)"),
        ("[x](#here)", "[x](#here)"),
        ("[x](https://example.org/README.md)", "[x](https://example.org/README.md)"),
    ],
)
def test_links_to_files_that_are_pages(written: str, linked: str) -> None:
    source = [written]
    links.rewrite(None, "trust", source)  # type: ignore[arg-type]  # asks Sphinx for nothing
    assert source == [linked]


@pytest.mark.parametrize(
    ("path", "seen"), [("docs/trust.md", "trust.md"), ("LICENSE", "../LICENSE"), ("README.md", "../README.md")]
)
def test_links_of_files_outside_the_folder_lead_to_the_repository(path: str, seen: str) -> None:
    assert links.from_docs(path) == seen


@pytest.mark.parametrize(
    ("lines", "fields", "rst"),
    [
        (["What it is."], set(), ["What it is.", ""]),
        (["`a*b` of a_ * b | `Model`"], set(), [r"``a*b`` of a\_ \* b \| :py:obj:`Model <covr.Model>`", ""]),
        (
            ["x: one.  y: two", "lines of it.", "After that."],
            {"x", "y"},
            ["", "- **x**: one.", "", "- **y**: two", "  lines of it.", "", "After that.", ""],
        ),
        (["note: no field."], {"x"}, ["note: no field.", ""]),
        (["It asks.", "Raises ModelErrors."], set(), ["It asks.", "", "Raises :py:obj:`~covr.ModelErrors`.", ""]),
        (["For example:", "", "    f(x_)"], set(), ["For example:", "", "::", "", "    f(x_)", ""]),
    ],
)
def test_docstrings_become_restructured_text(lines: list[str], fields: set[str], rst: list[str]) -> None:
    assert docstrings.as_rst(lines, fields) == rst


def test_a_link_to_the_studio_holds_the_model() -> None:
    """As the studio's page unpacks it (studio/src/share.ts); tests/studio follows one in a browser."""
    text = 'title "Ünï & <queens>: 8!"\nchoose queen()\n'
    address, _, packed = studio.opening(text).partition("#model=")
    assert re.fullmatch(r"1\.[\w-]+", packed)
    raw = urlsafe_b64decode(packed[2:] + "=" * (-len(packed[2:]) % 4))
    assert zlib.decompressobj(-zlib.MAX_WBITS, zdict=studio.WORDS).decompress(raw).decode() == f"ünï_queens_8\0{text}"
    assert f'href="{address}#model={packed}"' in studio.shown(text)
    assert f'<a href="../playground/#model={packed}"' in studio.shown(text, "../playground")
    assert not studio.is_model("let n = 8\n# choose queen()")


def test_the_words_beside_which_links_are_packed_stay_as_they_are() -> None:
    """Links are for ever: with other words, an old one would open as another text."""
    assert hashlib.sha256(studio.WORDS).hexdigest()[:32] == "b9e06fce81bb947108e97a0bc12dce24"


def test_links_to_small_models_are_short() -> None:
    model = find_source("queens").text
    assert len(studio.opening(model, "")) < 0.5 * len(model)


def test_links_to_the_studio_lead_where_it_listens() -> None:
    pytest.importorskip("uvicorn", reason="needs covr[studio]")
    from covr.studio.app import HOST, PORT

    assert f"http://{HOST}:{PORT}" == studio.HOME


def test_what_a_class_has_may_be_described() -> None:
    assert docstrings.fields_of(covr.Problem) >= {"rows", "items", "goal", "problem", "symmetry"}
    assert docstrings.fields_of(covr.Unfinished) >= {"found", "count", "bound"}
    assert docstrings.fields_of(covr.Model.title) & {"title", "self"} == set()


# --- the site ------------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """What a page of the site links to, what it loads, and where it may be linked to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.linked: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            elif name in ("href", "src", "srcset", "action", "poster", "data") and value:
                (self.linked if tag == "a" else self.loaded).append(value)


def targets(page: Path, written: list[str]) -> Iterator[tuple[str, Path, str]]:
    """Links within the site: as written, the file and the anchor that they lead to."""
    for link in written:
        if not urlsplit(link).scheme:
            parts = urlsplit(urljoin(page.as_uri(), link))
            yield link, Path(unquote(parts.path)), unquote(parts.fragment)


def test_what_is_loaded_and_what_is_linked_are_told_apart() -> None:
    page = Page('<link href="a.css"><a id="x" href="b.html#y">b</a><img src="c.svg"><form action="d"></form>')
    assert (page.loaded, page.linked, page.anchors) == (["a.css", "c.svg", "d"], ["b.html#y"], {"x"})
    found = list(targets(Path("/site/a.html"), ["#x", "b.html#y", "../c%20d.svg", "https://example.org/"]))
    assert [(file.as_posix(), anchor) for _, file, anchor in found] == [
        ("/site/a.html", "x"),
        ("/site/b.html", "y"),
        ("/c d.svg", ""),
    ]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as CONTRIBUTING says."""
    for needed in ("sphinx", "myst_parser", "furo"):
        pytest.importorskip(needed)
    out = tmp_path_factory.mktemp("site")
    words = [
        sys.executable,
        "-m",
        "sphinx",
        "-q",
        "-W",
        "--keep-going",
        "-b",
        "html",
        "-d",
        f"{out}-trees",
        "docs",
        str(out),
    ]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return out


@pytest.fixture(scope="module")
def built(site: Path) -> dict[Path, Page]:
    """Every page of the site, by its file."""
    return {path: Page(path.read_text("utf-8")) for path in sorted(site.rglob("*.html"))}


@pytest.mark.slow
def test_every_page_is_there(built: dict[Path, Page], site: Path) -> None:
    found = {path.relative_to(site).as_posix() for path in built}
    pages = {path.replace(".md", ".html") for path in made.made()} | {f"{page.stem}.html" for page in DOCS.glob("*.md")}
    assert found >= pages | {"search.html", "genindex.html"}


@pytest.mark.slow
def test_every_link_leads_somewhere(built: dict[Path, Page], site: Path) -> None:
    seen = 0
    for path, page in built.items():
        for link, file, anchor in targets(path, page.linked + page.loaded):
            assert file.is_relative_to(site), (path.name, link)
            assert file.exists(), (path.name, link)
            if anchor and file.suffix == ".html":
                assert anchor in built[file].anchors, (path.name, link)
            seen += 1
    assert seen > 1000


@pytest.mark.slow
def test_nothing_is_loaded_from_elsewhere(built: dict[Path, Page], site: Path) -> None:
    for path, page in built.items():
        for link in page.loaded:
            assert urlsplit(link).scheme in ("", "data"), (path.name, link)
            assert not link.startswith("//"), (path.name, link)
    for path in site.rglob("*.css"):
        loaded = re.findall(r"url\(\s*[\"']?([^)\"']*)|@import\s+[\"']([^\"']*)", path.read_text("utf-8"))
        for link in (part for parts in loaded for part in parts if part):
            assert not re.match(r"(https?:)?//", link), (path.name, link)


@pytest.mark.slow
def test_every_model_has_two_pictures_on_the_page_of_its_kind_and_among_the_thumbnails(
    built: dict[Path, Page], site: Path
) -> None:
    def drawn(names: Iterable[str], up: str) -> set[str]:
        return {f"{up}pictures/{name}-{theme}.svg" for name in names for theme in ("light", "dark")}

    def shown(page: str) -> set[str]:
        return {link for link in built[site / f"{page}.html"].loaded if "pictures/" in link}

    assert shown("gallery") == drawn(gallery_names(), "")
    for kind, names in kinds().items():
        assert shown(made.page_of(kind)) == drawn(names, "../")


@pytest.mark.slow
def test_every_example_of_the_page_of_pictures_is_drawn(built: dict[Path, Page], site: Path) -> None:
    shown = {link for link in built[site / "pictures.html"].loaded if link.startswith("pictures/")}
    assert len(shown) == 2 * len(pictures.DRAWN.findall((DOCS / "pictures.md").read_text("utf-8"))) > 0


@pytest.mark.slow
def test_models_have_colours_and_the_studio_its_line(site: Path) -> None:
    for kind, names in kinds().items():
        text = (site / f"{made.page_of(kind)}.html").read_text("utf-8")
        assert text.count('<div class="highlight-cover') == len(names)
        assert '<span class="k">choose</span>' in text
        assert '<span class="err">' not in text
        assert text.count(f'<a href="{studio.HOME}/#model=') == len(names)


@pytest.mark.slow
def test_search_knows_every_page_and_the_reference_every_method(site: Path) -> None:
    index = (site / "searchindex.js").read_text("utf-8")
    assert all(f'"{page.stem}"' in index for page in DOCS.glob("*.md"))
    reference = (site / "python.html").read_text("utf-8")
    assert 'id="covr.Model.solve"' in reference
    assert "`" not in re.sub(r"<pre>.*?</pre>", "", reference.partition("<article")[2].partition("</article")[0])
