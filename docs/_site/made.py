"""Pages that only the site has: the gallery, a page for each kind of model, and the messages, a page for each stage.

They are made of the models and of the pages of `covr explain` when the site is built, and written into docs/gallery/
and docs/errors/, which git ignores, because Sphinx reads pages from files. A file that would not change is left alone,
so that Sphinx does not read it again. The repository keeps a short index of both, docs/gallery.md and docs/errors.md;
what the site puts into these two is here as well.

The pages of the gallery name their models, `<!-- model: NAME -->`, and pictures.py draws them when Sphinx reads a page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from covr.explain.code_pages import STAGES, Page, introduced
from covr.explain.code_pages import pages as explained
from covr.inputs.as_link import kinds
from covr.inputs.library import gallery_files

if TYPE_CHECKING:
    from sphinx.application import Sphinx

REPOSITORY = Path(__file__).parents[2]
COUNTS = """\
# Published counts

This table sets covr's counts beside those that others have published. Where nothing else is said, answers that the
symmetries of the board carry into each other count as one. Each figure of covr is a promise of the model named, which
`covr test` checks. Seconds are CPU seconds of one thread of an AMD EPYC, compiling included, on the day named. Where
there is a dash, covr has no figure, and the last column says why. `python -m benchmarks counts` writes the table.

"""
ENTRY = re.compile(r"^- \[(?P<name>\w+)\]\((?:\.\./models|gallery)/[^)]*\): (?P<about>.*)$", re.MULTILINE)
LIST = re.compile(r"(?:^- \[\w+\]\((?:\.\./models|gallery)/.*\n)+", re.MULTILINE)
HEADING = re.compile(r"^## (.*)$", re.MULTILINE)


def write(app: Sphinx) -> None:
    """Sphinx's event `builder-inited`: write the pages before Sphinx looks for them."""
    texts = made()
    for folder in {path.split("/")[0] for path in texts}:
        for old in Path(app.srcdir, folder).glob("*.md"):
            if f"{folder}/{old.name}" not in texts:
                old.unlink()
    for path, text in texts.items():
        file = Path(app.srcdir, path)
        file.parent.mkdir(exist_ok=True)
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")


def made() -> Mapping[str, str]:
    """Path within docs/ → text, of every page that is made."""
    texts = {f"{page_of(kind)}.md": kind_page(kind, tuple(lines)) for kind, lines in kinds().items()}
    texts["gallery/published-counts.md"] = COUNTS + (REPOSITORY / "benchmarks/counts.md").read_text(encoding="utf-8")
    return texts | {f"errors/{stage}.md": stage_page(stage, about) for stage, about in STAGES.items()}


def insert(app: Sphinx, page: str, source: list[str]) -> None:
    """Sphinx's event `source-read`: make the first pages of the gallery and of the messages lead to the others."""
    if page == "gallery":
        text = HEADING.sub(lambda found: f"## {_linked(found[1])}", source[0])
        source[0] = text + _hidden([*map(page_of, kinds()), "gallery/published-counts"])
    if page == "errors":
        codes, limits, rest = source[0].partition("\n## What a model may ask for")
        codes += "".join(_codes(stage, about) for stage, about in STAGES.items())
        source[0] = codes + limits + rest + _hidden([f"errors/{stage}" for stage in STAGES])


def _linked(heading: str) -> str:
    return f"[{heading}]({page_of(heading)}.md)" if heading in kinds() else heading


def _hidden(pages: list[str]) -> str:
    """A list of pages for the navigation beside the text."""
    return "\n".join(["", "```{toctree}", ":hidden:", "", *pages, "```", ""])


# --- the gallery -----------------------------------------------------------------------------------------------


def page_of(kind: str) -> str:
    """The page of a kind of model, as Sphinx names it: `gallery/solids`."""
    return f"gallery/{re.sub(r'[^a-z0-9-]', '', kind.lower().replace(' ', '-'))}"


def place_of(model: str) -> str | None:
    """Where the site shows a model of the gallery: `gallery/solids.md#soma`. None if it shows no such model."""
    return next((f"{page_of(kind)}.md#{model}" for kind, lines in kinds().items() if model in lines), None)


def kind_page(kind: str, names: tuple[str, ...]) -> str:
    """The page of a kind of model, whose pictures are drawn later."""
    return "\n".join([f"# {kind}", "", *(f"## {name}\n\n<!-- model: {name} -->\n" for name in names)])


def thumbnails(text: str, image: Mapping[str, str]) -> str:
    """The lists of docs/gallery.md with a small picture for each model. image: the picture of a model, in HTML."""

    def one(found: re.Match[str]) -> str:
        name = found["name"]
        place = (place_of(name) or "").replace(".md#", ".html#")
        label = name.replace("_", "_<wbr>")  # where a long name may be broken
        words = f"<b>{label}</b><span>{escape(found['about'])}</span>"
        return f'<a class="thumbnail" href="{place}">{image[name]}{words}</a>'

    return LIST.sub(lambda found: f'<div class="thumbnails">\n{ENTRY.sub(one, found[0])}</div>\n', text)


def named(text: str) -> list[str]:
    """The models that docs/gallery.md lists."""
    return [found["name"] for found in ENTRY.finditer(text)]


def models() -> Mapping[str, str]:
    """The model of the gallery that a file in models/ holds, by its path in the repository."""
    return {f"models/{'/'.join(Path(path).parts[-2:])}": name for name, path in gallery_files().items()}


# --- the messages ------------------------------------------------------------------------------------------------


def _codes(stage: str, about: str) -> str:
    """The codes of a stage with their meanings, as links to their pages."""
    pages = (page for page in explained().values() if page.code.startswith(stage))
    lines = [f"- [{page.code}](#{page.code}): {page.meaning}" for page in pages]
    return "\n".join([f"\n## [{about}](errors/{stage}.md)\n", *lines, ""])


def stage_page(stage: str, about: str) -> str:
    """The page of all codes of a stage."""
    pages = (page for page in explained().values() if page.code.startswith(stage))
    return "\n".join([f"# {about}", *(line for page in pages for line in _code(page))]) + "\n"


def _code(page: Page) -> Iterator[str]:
    """The part of a page about one code, with a label that links of other pages name."""
    yield from ("", f"({page.code})=", f"## {page.code}: {page.meaning}", "", page.text)
    for name, text in page.files.items():
        if text.strip():
            yield from ("", f"`{name}`:", *_fenced(text))
    yield from ("", f"{introduced(page)}:")
    yield from _fenced(
        page.example, "python" if page.kind == "python" else "text"
    )  # no colours where covr finds a fault
    yield from ("", "covr says:", *_fenced(page.prints))
    if page.cured:
        yield from ("", "Fixed:", *_fenced(page.cured, "cover"))


def _fenced(text: str, language: str = "text") -> tuple[str, ...]:
    """The lines of a block of code, and an empty line before it."""
    return ("", f"```{language}", text.rstrip("\n"), "```")
