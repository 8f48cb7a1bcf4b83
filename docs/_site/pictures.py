"""Pictures of models: a file of SVG for a light page and one for a dark page, in `pictures/` of the site.

In the repository docs/gallery.md shows each answer as text beside its model; on the site the picture comes first, then
the model, and the text in a fold. docs/pictures.md has a model and its answer as text, between which the site puts the
picture. `<!-- picture: NAME -->` in any page puts a picture of a model of the gallery there. Of the two pictures the
theme shows the one that goes with the page (its classes `only-light` and `only-dark`).

All pictures take about twenty seconds; they are drawn when the page that shows them is read, so a second build without
changes draws none.
"""

from __future__ import annotations

import re
from html import escape
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from covr.api.gallery import SMALLER, first_answer
from covr.api.model import Model, load, loads
from covr.draw.svg import Shown, draw_svg

if TYPE_CHECKING:
    from sphinx.application import Sphinx

PAPER = re.compile(r'<rect class="paper"[^>]*/>\n')  # the page is the paper
PLACE = re.compile(r"^<!-- picture: (\w+) -->$", re.MULTILINE)
SECTION = re.compile(
    r'^<table><tr><td valign="top">\n\n(?P<model>```cover\n.*?^```\n)\n</td><td valign="top">\n\n'
    r"`(?P<command>covr solve (?P<name>\w+)[^`]*)`\n\n(?P<text>```text\n.*?^```\n)\n</td></tr></table>$",
    re.MULTILINE | re.DOTALL,
)
DRAWN = re.compile(r"(?P<model>^```cover\n(?P<source>.*?)^```\n)\n(?P<text>```text\n)", re.MULTILINE | re.DOTALL)


def insert(app: Sphinx, page: str, source: list[str]) -> None:
    """Sphinx's event `source-read`: put the pictures into the text of a page, the only member of `source`."""
    folder = Path(app.outdir) / "pictures"
    text, sections = SECTION.subn(lambda found: section(found, folder), source[0])
    if page == "gallery" and sections != text.count("\n### "):
        raise AssertionError("docs/gallery.md is not laid out as covr/api/gallery.py writes it")
    if page == "pictures":
        number = count(1)
        text = DRAWN.sub(lambda found: example(found, f"example-{next(number)}", folder), text)
    source[0] = PLACE.sub(lambda found: of_gallery(found[1], folder), text)


def section(found: re.Match[str], folder: Path) -> str:
    """A model of the gallery: its picture, how to ask for it, its text, and its answer as text."""
    name = found["name"]
    return (
        f"{of_gallery(name, folder)}\n\n"
        f"`{found['command']}` finds this answer. `covr studio {name}` opens a copy of the model.\n\n{found['model']}\n"
        f"<details><summary>The answer as text</summary>\n\n{found['text']}\n</details>"
    )


def example(found: re.Match[str], name: str, folder: Path) -> str:
    """A model with its picture, and then its answer as text."""
    return f"{found['model']}\n{picture(loads(found['source']), name, folder)}\n\n{found['text']}"


def of_gallery(name: str, folder: Path) -> str:
    """The picture of a model of the gallery."""
    return picture(load(name, **SMALLER.get(name, {})), name, folder)


def picture(model: Model, name: str, folder: Path) -> str:
    """Draw a model's first answer for both themes, in files of this name. Returns the HTML that shows it."""
    answer = first_answer(model)
    folder.mkdir(parents=True, exist_ok=True)
    shown, title = "", escape(model.title or "The answer")
    for theme in ("light", "dark"):
        drawn = draw_svg([Shown(answer.pictures)], model.title, theme, title_shown=False)
        (folder / f"{name}-{theme}.svg").write_text(PAPER.sub("", drawn), encoding="utf-8")
        size = re.search(r'width="([\d.]+)" height="([\d.]+)"', drawn)
        assert size, "an SVG document of covr says how large it is"
        shown += (
            f'<img class="only-{theme} answer" src="pictures/{name}-{theme}.svg" alt="{title}"'
            f' width="{float(size[1]):.0f}" height="{float(size[2]):.0f}" loading="lazy">'
        )
    return f'<p class="picture">{shown}</p>'
