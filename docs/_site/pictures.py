"""Pictures of models: a file of SVG for a light page and one for a dark page, in `pictures/` of the site.

The pages of the gallery show each model with its picture, its text, and its answer as text in a fold; docs/gallery.md
gets a small picture for each line. docs/pictures.md has a model and its answer as text, between which the site puts the
picture. `<!-- picture: NAME -->` in any page puts a picture of a model of the gallery there. Of the two pictures the
theme shows the one that goes with the page (its classes `only-light` and `only-dark`).

All pictures take about twenty seconds; they are drawn when the first page that shows them is read, so a second build
without changes draws none.
"""

from __future__ import annotations

import re
from functools import cache
from html import escape
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from covr.api.gallery import SMALLER, first_answer
from covr.api.model import Model, load, loads
from covr.draw.book import Shown, draw_svg
from covr.draw.text import as_text
from covr.inputs.library import find_source

from . import made

if TYPE_CHECKING:
    from sphinx.application import Sphinx

PAPER = re.compile(r'<rect class="paper"[^>]*/>\n')  # the page is the paper
PLACE = re.compile(r"^<!-- picture: (\w+) -->$", re.MULTILINE)
MODEL = re.compile(r"^<!-- model: (\w+) -->$", re.MULTILINE)
DRAWN = re.compile(r"(?P<model>^```cover\n(?P<source>.*?)^```\n)\n(?P<text>```text\n)", re.MULTILINE | re.DOTALL)


def insert(app: Sphinx, page: str, source: list[str]) -> None:
    """Sphinx's event `source-read`: put the pictures into the text of a page, the only member of `source`."""
    folder, up = Path(app.outdir) / "pictures", "../" * page.count("/")
    text = MODEL.sub(lambda found: section(found[1], folder, up), source[0])
    if page == "gallery":
        text = made.thumbnails(text, {name: of_gallery(name, folder).image(up) for name in made.named(text)})
    if page == "pictures":
        number = count(1)
        text = DRAWN.sub(lambda found: example(found, f"example-{next(number)}", folder), text)
    source[0] = PLACE.sub(lambda found: of_gallery(found[1], folder).paragraph(up), text)


def section(name: str, folder: Path, up: str) -> str:
    """A model of the gallery: its picture, how to ask for it, its text, and its answer as text."""
    drawn = of_gallery(name, folder)
    words = "".join(f" -D {param}={value}" for param, value in SMALLER.get(name, {}).items())
    params = f"Its params are {', '.join(f'`{param}`' for param in drawn.params)}." if drawn.params else ""
    source = find_source(name).text.strip("\n")
    return (
        f"{drawn.title}.\n\n{drawn.paragraph(up)}\n\n"
        f"`covr solve {name}{words}` finds this answer. `covr studio {name}` opens a copy of the model. {params}\n\n"
        f"```cover\n{source}\n```\n\n"
        f"<details><summary>The answer as text</summary>\n\n```text\n{drawn.text}\n```\n\n</details>"
    )


def example(found: re.Match[str], name: str, folder: Path) -> str:
    """A model with its picture, and then its answer as text."""
    drawn = picture(loads(found["source"]), name, folder)
    return f"{found['model']}\n{drawn.paragraph('')}\n\n{found['text']}"


@frozen
class Drawn:
    """A model's first answer, drawn.  name: of its files.  title, params: of the model.  text: the answer as text.
    size: width and height in px."""

    name: str
    title: str
    params: tuple[str, ...]
    text: str
    size: tuple[float, float]

    def image(self, up: str) -> str:
        """The HTML that shows it on a page from which `up` leads to the site's root."""
        width, height = self.size
        return "".join(
            f'<img class="only-{theme} answer" src="{up}pictures/{self.name}-{theme}.svg" alt="{escape(self.title)}"'
            f' width="{width:.0f}" height="{height:.0f}" loading="lazy">'
            for theme in ("light", "dark")
        )

    def paragraph(self, up: str) -> str:
        return f'<p class="picture">{self.image(up)}</p>'


@cache
def of_gallery(name: str, folder: Path) -> Drawn:
    """The picture of a model of the gallery, which two pages or more may show."""
    return picture(load(name, **SMALLER.get(name, {})), name, folder)


def picture(model: Model, name: str, folder: Path) -> Drawn:
    """Draw a model's first answer for both themes, in files of this name."""
    answer = first_answer(model, name)
    folder.mkdir(parents=True, exist_ok=True)
    for theme in ("light", "dark"):
        drawn = draw_svg([Shown(answer.pictures)], model.title, theme, title_shown=False)
        (folder / f"{name}-{theme}.svg").write_text(PAPER.sub("", drawn), encoding="utf-8")
    size = re.search(r'width="([\d.]+)" height="([\d.]+)"', drawn)
    assert size, "an SVG document of covr says how large it is"
    width, height = float(size[1]), float(size[2])
    return Drawn(name, model.title or "The answer", tuple(model.params), as_text(answer.pictures), (width, height))
