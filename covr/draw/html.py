"""Answers as one self-contained HTML page, with a figure for each; the figures wrap to the width of the window.

In print, no figure is divided between two pages. The page loads nothing and runs no script.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from covr.draw.styled import clean
from covr.draw.svg import Shown, draw_svg, has_board
from covr.draw.themes import THEMES

if TYPE_CHECKING:
    from covr.api.model import Model
    from covr.questions.answer import Answer

STYLE = """\
body {{ background: {paper}; color: {text}; font-family: "DejaVu Sans", Verdana, Helvetica, Arial, sans-serif;
  margin: 1.5rem; text-align: center; }}
h1 {{ font-size: 1.3rem; font-weight: 600; }}
main {{ display: flex; flex-wrap: wrap; justify-content: center; gap: 1rem; }}
figure {{ margin: 0; break-inside: avoid; max-width: 100%; }}
figure svg {{ display: block; margin: auto; height: auto; max-width: {widest}; }}
figcaption {{ font-size: .9rem; }}
@media print {{ body {{ margin: 0; }} }}
"""
# The width of each picture if there are several; a single one is shown at its own size.
THUMBNAIL = "min(100%, 20rem)"


def draw_html(answers: Sequence[Shown], title: str = "", theme: str = "light", note: str = "") -> str:
    """A page in the theme of that name. note: a line below the title, such as how many answers there are."""
    look = THEMES[theme]
    title = escape(clean(title) or "covr")
    style = STYLE.format(paper=look.paper, text=look.text, widest="100%" if len(answers) < 2 else THUMBNAIL)
    figures = "".join(map(_figure, answers, [theme] * len(answers)))
    below = f"<p>{escape(note)}</p>\n" if note else ""
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n'
        f"<style>\n{style}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{below}<main>\n{figures}</main>\n</body>\n</html>\n"
    )


def _figure(answer: Shown, theme: str) -> str:
    caption = f"<figcaption>{escape(clean(answer.caption))}</figcaption>\n" if answer.caption else ""
    return f"<figure>\n{draw_svg([answer], theme=theme)}{caption}</figure>\n"


def answer_html(answer: Answer) -> str:
    """An answer for a notebook: its picture and, if the model has a goal, its value."""
    below = ""
    if answer.cost is not None:
        bound = "" if answer.bound is None else f"; none beats {answer.bound}"
        below = f"<br>{answer.cost}, " + ("proved" if answer.proved else f"not proved{bound}")
    return f"<div>{answer.svg()}{below}</div>"


def model_html(model: Model) -> str:
    """A model for a notebook: its puzzle if that has a board, otherwise one line that describes the model."""
    pictures = model.compiled.puzzle()
    size = f"{model.problem.items} items, {model.problem.options} options"
    if model.impossible is not None:
        size += f"; no solution: {model.impossible.message}"
    board = draw_svg([Shown(pictures)]) if has_board(pictures) else ""
    title = clean(model.title or model.compiled.model.source.name)
    return f"<div><b>{escape(title)}</b> ({escape(clean(size))})<br>{board}</div>"
