"""The gallery: every model that ships with covr, with its picture.

    python -m covr.api.gallery OUT        pictures (SVG) and a page (index.html) of all models in the folder OUT
    python -m covr.api.gallery --page     docs/gallery.md, with the pictures as text, on standard output

Each picture shows the first answer in the documented order, or the first of the best ones if the model has a goal, so
the pages do not depend on which engine runs.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from html import escape
from pathlib import Path

from covr.api.model import Model, load
from covr.compiler.unsolved import unsolved
from covr.draw.files import write_whole
from covr.draw.html import STYLE, THUMBNAIL
from covr.draw.svg import Shown, draw_svg
from covr.draw.text import as_text
from covr.draw.themes import THEMES
from covr.inputs import library
from covr.questions.answer import Answer

# Models that are shown with smaller params than they ship with: a list of 35 walks is long, and a schedule of eight
# foursomes takes many seconds to find.
SMALLER: dict[str, dict[str, object]] = {
    "kirkman": {"girls": 9},
    "social_golfers": {"groups": 3, "size": 3, "weeks": 4},
}
HEAD = """\
# The gallery

The models that ship with covr, each beside the first of its answers as `covr solve NAME` draws it. `covr solve NAME -o
FILE.svg` draws it in colour; all of them at once, as a page to look at: `python -m covr.api.gallery OUT`.

`covr show NAME --source` prints a model, and `covr new mine.cover --like NAME` copies it, to be changed into yours.
`covr test NAME` holds it to what it promises: its `expect` lines. This page is written by
`python -m covr.api.gallery --page`.
"""


def names() -> list[str]:
    """The models of the gallery, sorted."""
    return library.gallery_names()


def first_answer(model: Model) -> Answer:
    """The first answer in documented order, or the first of the best ones if the model has a goal."""
    return next(model.solutions(1))


def page() -> str:
    """The text of docs/gallery.md."""
    return HEAD + "".join(f"\n{section}" for section in map(_section, names()))


def _section(name: str) -> str:
    model = load(name, **SMALLER.get(name, {}))
    answer = first_answer(model)
    lines = [f"## {name}", "", f"{model.title}.", ""]
    if model.params:
        lines += [f"Params: {', '.join(f'`{param}`' for param in model.params)}.", ""]
    words = "".join(f" -D {param}={value}" for param, value in SMALLER.get(name, {}).items())
    source = library.find_source(name).text.strip("\n")
    lines += ['<table><tr><td valign="top">', "", "```cover", source, "```", "", '</td><td valign="top">', ""]
    lines += [f"`covr solve {name}{words}`", "", "```text", as_text(answer.pictures), "```", ""]
    return "\n".join([*lines, "</td></tr></table>", ""])


def write_folder(folder: Path, theme: str = "light") -> list[Path]:
    """Write a picture of each model's answer and puzzle, and a page with all of them. Returns the files written."""
    folder.mkdir(parents=True, exist_ok=True)
    look = THEMES[theme]
    figures, written = [], []
    for name in names():
        model = load(name, **SMALLER.get(name, {}))
        answer = first_answer(model)
        for kind, pictures in (("", answer.pictures), ("-puzzle", unsolved(model.compiled))):
            path = folder / f"{name}{kind}.svg"
            write_whole(path, draw_svg([Shown(pictures)], model.title, theme).encode())
            written.append(path)
        drawn = draw_svg([Shown(answer.pictures)], model.title, theme, title_shown=False)
        caption = f"<b>{name}</b><br>{escape(model.title)}"
        figures.append(f"<figure>\n{drawn}<figcaption>{caption}</figcaption>\n</figure>\n")
    style = STYLE.format(paper=look.paper, text=look.text, widest=THUMBNAIL) + "figure { width: 20rem; }\n"
    page = (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>The gallery of covr</title>\n'
        f"<style>\n{style}</style>\n</head>\n<body>\n<h1>The gallery of covr</h1>\n<main>\n{''.join(figures)}"
        "</main>\n</body>\n</html>\n"
    )
    write_whole(folder / "index.html", page.encode())
    return [*written, folder / "index.html"]


def main(arguments: Sequence[str]) -> int:
    """Write what the command line asks for; returns the exit code."""
    if list(arguments) == ["--page"]:
        sys.stdout.write(page())
        return 0
    if len(arguments) != 1 or arguments[0].startswith("-"):
        sys.stderr.write("usage: python -m covr.api.gallery OUT | --page\n")
        return 2
    written = write_folder(Path(arguments[0]))
    sys.stderr.write(f"wrote {len(written)} files to {arguments[0]}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
