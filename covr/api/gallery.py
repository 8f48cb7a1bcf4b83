"""The gallery: every model that ships with covr, with its picture, sorted by kind.

    python -m covr.api.gallery OUT        pictures of all models (SVG) and a contact sheet (index.html) in OUT

Each picture shows the first answer in the documented order, or the first of the best ones, with every engine (except
for the few in `SOLVED`).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from html import escape
from pathlib import Path

from covr.api.model import Model, load
from covr.compiler.matrix_model import unsolved
from covr.draw.book import STYLE, THUMBNAIL, Shown, draw_svg
from covr.draw.themes import THEMES
from covr.faults import write_whole
from covr.inputs import library
from covr.inputs.as_link import kinds
from covr.questions.answer import Answer

# Models that are shown with smaller params than they ship with: a list of 35 walks is long, and a schedule of eight
# foursomes takes many seconds to find.
SMALLER: dict[str, dict[str, object]] = {
    "kirkman": {"girls": 9},
    "social_golfers": {"groups": 3, "size": 3, "weeks": 4},
    "nurses": {"days": 7},
}
# Models of which the first of the best answers in documented order takes minutes to find: they are shown with the one
# that `covr solve` finds on one thread.
SOLVED = frozenset({"nurses", "exams", "stand_ins"})
SHEET = "h1, h2 { margin: 1rem; } figure { width: 14rem; } figure svg { max-height: 16rem; width: 100%; }\n"


def names() -> list[str]:
    """The models of the gallery, sorted."""
    return library.gallery_names()


def first_answer(model: Model, name: str) -> Answer:
    """The first answer in documented order, or the first best one if the model has a goal. name: see `SOLVED`."""
    if name in SOLVED:
        answer = model.solve(jobs=1)
        assert answer is not None
        return answer
    return next(model.solutions(1))


def shown(name: str) -> tuple[Model, Answer]:
    """The model of that name with the params that are shown, and its first answer."""
    model = load(name, **SMALLER.get(name, {}))
    return model, first_answer(model, name)


def write_folder(folder: Path, theme: str = "light") -> list[Path]:
    """Write a picture of each model's answer and puzzle, and a page with all of them. Returns the files written."""
    folder.mkdir(parents=True, exist_ok=True)
    look = THEMES[theme]
    written: list[Path] = []
    sheets = []
    for kind, lines in kinds().items():
        shown = [name for name in lines if name in set(names())]
        figures = [_figure(name, folder, theme, written) for name in shown]
        if figures:
            sheets.append(f"<h2>{escape(kind)}</h2>\n<main>\n{''.join(figures)}</main>\n")
    style = STYLE.format(paper=look.paper, text=look.text, widest=THUMBNAIL) + SHEET
    page = (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>The gallery of covr</title>\n'
        f"<style>\n{style}</style>\n</head>\n<body>\n<h1>The gallery of covr</h1>\n{''.join(sheets)}</body>\n</html>\n"
    )
    write_whole(folder / "index.html", page.encode())
    return [*written, folder / "index.html"]


def _figure(name: str, folder: Path, theme: str, written: list[Path]) -> str:
    """Write a model's answer and puzzle; add the files to `written`. Returns a small picture that links to them."""
    model, answer = shown(name)
    for kind, pictures in (("", answer.pictures), ("-puzzle", unsolved(model.compiled))):
        path = folder / f"{name}{kind}.svg"
        write_whole(path, draw_svg([Shown(pictures)], model.title, theme).encode())
        written.append(path)
    drawn = draw_svg([Shown(answer.pictures)], model.title, theme, title_shown=False)
    links = f'<a href="{name}.svg"><b>{name}</b></a> (<a href="{name}-puzzle.svg">puzzle</a>)'
    caption = f"{links}<br>{escape(model.title)}"
    return f'<figure id="{name}">\n<a href="{name}.svg">{drawn}</a><figcaption>{caption}</figcaption>\n</figure>\n'


def main(arguments: Sequence[str]) -> int:
    """Write what the command line asks for; returns the exit code."""
    if len(arguments) != 1 or arguments[0].startswith("-"):
        sys.stderr.write("usage: python -m covr.api.gallery OUT\n")
        return 2
    written = write_folder(Path(arguments[0]))
    sys.stderr.write(f"wrote {len(written)} files to {arguments[0]}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
