"""The gallery: every model that ships with covr, with its picture, sorted by kind.

    python -m covr.api.gallery OUT        pictures of all models (SVG) and a contact sheet (index.html) in OUT
    python -m covr.api.gallery --page     docs/gallery.md, with the pictures as text, on standard output

Each picture shows the first answer in the documented order, or the first of the best ones if the model has a goal, so
the pages do not depend on which engine runs.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from covr.api.model import Model, load
from covr.compiler.unsolved import unsolved
from covr.draw.html import STYLE, THUMBNAIL
from covr.draw.svg import Shown, draw_svg
from covr.draw.text import as_text
from covr.draw.themes import THEMES
from covr.inputs import library
from covr.inputs.kinds import kinds
from covr.questions.answer import Answer
from covr.whole_file import write_whole

# Models that are shown with smaller params than they ship with: a list of 35 walks is long, and a schedule of eight
# foursomes takes many seconds to find.
SMALLER: dict[str, dict[str, object]] = {
    "kirkman": {"girls": 9},
    "social_golfers": {"groups": 3, "size": 3, "weeks": 4},
}
HEAD = """\
# The gallery

The models that ship with covr, each beside the first of its answers as `covr solve NAME` draws it. `covr solve NAME -o
FILE.svg` draws it in colour; all of them at once, as a contact sheet to look at: `python -m covr.api.gallery OUT`.

`covr gallery` lists them. `covr show NAME --source` prints a model, and `covr new mine.cover --like NAME` copies it, to
be changed into yours. `covr test NAME` holds it to what it promises: its `expect` lines. This page is written by
`python -m covr.api.gallery --page`.
"""
COUNTS = """\
## Published counts

What others have counted, and what covr finds. Where nothing else is said, answers that the symmetries of the board
carry into each other count as one. Each figure that covr has is a promise of the model named, which `covr test` checks.
Seconds are CPU seconds of one thread of an AMD EPYC, compiling included, on the day named. Where there is a dash, covr
has no figure, and the last column says why. The table is written by `python -m benchmarks counts`.

"""
TABLE = Path(__file__).resolve().parents[2] / "benchmarks" / "counts.md"  # in the repository; not installed


SHEET = "h1, h2 { margin: 1rem; } figure { width: 14rem; } figure svg { max-height: 16rem; width: 100%; }\n"


def names() -> list[str]:
    """The models of the gallery, sorted."""
    return library.gallery_names()


def first_answer(model: Model) -> Answer:
    """The first answer in documented order, or the first of the best ones if the model has a goal."""
    return next(model.solutions(1))


def page() -> str:
    """The text of docs/gallery.md."""
    found = kinds()
    parts = [HEAD, "\n", *(_contents(kind, lines) for kind, lines in found.items())]
    parts.append("- [Published counts](#published-counts)\n" if TABLE.exists() else "")
    for kind, lines in found.items():
        parts += [f"\n## {kind}\n", *(f"\n{section(name, *shown(name))}" for name in lines)]
    if TABLE.exists():
        parts += ["\n", COUNTS, TABLE.read_text(encoding="utf-8")]
    return "".join(parts)


def _contents(kind: str, lines: Mapping[str, str]) -> str:
    """A kind in the list of contents, with its models."""
    models = ", ".join(f"[{name}](#{name})" for name in lines)
    return f"- [{kind}](#{anchor(kind)}): {models}\n"


def anchor(heading: str) -> str:
    """How a link names a heading of a Markdown page."""
    return "".join(c for c in heading.lower().replace(" ", "-") if c.isalnum() or c in "-_")


def shown(name: str) -> tuple[Model, Answer]:
    """The model of that name with the params that are shown, and its first answer."""
    model = load(name, **SMALLER.get(name, {}))
    return model, first_answer(model)


def section(name: str, model: Model, answer: Answer) -> str:
    """The part of docs/gallery.md about a model; it ends with a newline."""
    lines = [f"### {name}", "", f"{model.title}.", ""]
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
