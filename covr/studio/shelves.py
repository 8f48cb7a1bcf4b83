"""The models that ship with covr, for a page, and their pictures."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

from covr.draw.elements import THEMES
from covr.inputs.as_link import kinds
from covr.inputs.library import find_source, gallery_names
from covr.studio.boards.resize import fresh, sizes
from covr.studio.boards.sketch import Undrawable
from covr.studio.body import Bad, Body

if TYPE_CHECKING:
    from covr.studio.job import Desk

# --- The models that ship with covr, for a page: by kind, their texts, and new puzzles of their kinds -----------------


# The kinds that people look for come first, the others in the order of the index.
FIRST = (
    "Sudoku and Latin squares", "Loops and paths", "Shading", "Regions and pieces", "Numbers in squares",
    "Lines and arrows", "Objects", "Pentominoes and other squares",
)  # fmt: skip
# What models are called elsewhere, besides what links call them (covr/links).
CALLED = {
    "akari": ("light up", "lights out"),
    "battleships": ("solitaire battleships", "bimaru"),
    "cave": ("corral",),
    "fillomino": ("polyominous", "allied occupation"),
    "fourcells": ("palisade",),
    "futoshiki": ("unequal", "more or less"),
    "hashi": ("hashiwokakero",),
    "kenken": ("calcudoku", "mathdoku"),
    "killer_sudoku": ("sum number place",),
    "lits": ("nuruomino",),
    "nonogram": ("picross", "griddlers", "paint by numbers", "hanjie"),
    "numberlink": ("flow free",),
    "nurikabe": ("islands in the stream",),
    "queens": ("n queens", "eight queens"),
    "ripple": ("hakyuu", "hakyukoka"),
    "round_trip": ("travelling salesman", "tsp"),
    "shikaku": ("rectangles",),
    "skyscrapers": ("towers",),
    "slitherlink": ("fences", "loop the loop", "takegaki"),
    "star_battle": ("two not touch",),
    "sudoku": ("number place", "nanpure"),
    "sudoku_jigsaw": ("irregular sudoku",),
    "suguru": ("tectonic",),
    "takuzu": ("binairo", "binary puzzle", "tic-tac-logic", "unruly"),
    "tentaisho": ("galaxies",),
    "train_tracks": ("railroad tracks",),
    "windoku": ("hyper sudoku",),
    "zebra": ("einstein",),
}

TITLE = re.compile(r'^title\s+"((?:[^"\n])*)"', re.MULTILINE)


@cache
def shelf() -> list[dict[str, Any]]:
    """The kinds in order, each with its models: name, title, a line about it, and what else it is called."""
    called = _called()
    return [
        {
            "kind": kind,
            "models": [
                {"name": name, "title": _title(name), "line": line, "called": called.get(name, "")}
                for name, line in kinds()[kind].items()
            ],
        }
        for kind in _sought(kinds())
    ]


def _sought(names: Iterable[str]) -> list[str]:
    """The names of kinds, those first that people look for."""
    return sorted(names, key=lambda kind: FIRST.index(kind) if kind in FIRST else len(FIRST))


def _called() -> dict[str, str]:
    """What else models are called, as words to be searched."""
    from covr.links.table import kinds as linked

    found = {name: list(names) for name, names in CALLED.items()}
    for kind in linked().values():
        found.setdefault(kind.model, []).extend((kind.name, *kind.aliases))
    return {name: " ".join(names) for name, names in found.items()}


def _title(name: str) -> str:
    """A title that has no holes stands in the text; one that names params is filled in with their defaults."""
    found = TITLE.search(find_source(name).text)
    if found is None:
        return name
    if "{" not in found[1]:
        return found[1]
    from covr.compiler.evaluate.bind import bind
    from covr.inputs.library import open_model

    model = open_model(name)
    return found[1] if model.title is None else bind(model).template(model.title)({})


def text_of(name: str) -> str:
    """The text of a model of the gallery. Raises Bad for any other name."""
    if name not in gallery_names():
        raise Bad("the gallery has no such model", 404)
    return find_source(name).text


def new_kinds() -> list[dict[str, Any]]:
    """The models of which there are new puzzles, by kind, with the sizes of their boards."""
    known = {model["name"]: model for kind in shelf() for model in kind["models"]}
    found = {kind["kind"]: kind["models"] for kind in sizes()}
    return [
        {"kind": kind, "models": [{**model, **known[model["name"]]} for model in found[kind]]}
        for kind in _sought(found)
    ]


def new_puzzle(body: Body) -> dict[str, Any]:
    """A new puzzle: a model of the gallery with an empty board of the size that is wanted."""
    name = body.text("name")
    try:
        text = fresh(name, body.number("rows", 0), body.number("cols", 0))
    except Undrawable as why:
        return {"refused": str(why)}
    return {"name": f"{name}.cover", "text": text}


# --- The pictures of the gallery for a page, which are drawn once and kept --------------------------------------------


KEPT = 600  # pictures that are kept


class GalleryPictures:
    """Draws models of the gallery, one at a time so that questions do not wait for them."""

    def __init__(self, desk: Desk) -> None:
        import asyncio  # not for the shelves of a page without a server, which would fetch it for nothing

        self._desk = desk
        self._one = asyncio.Semaphore(1)
        self._drawn: dict[tuple[str, str], str] = {}

    async def find(self, name: str, theme: str) -> str:
        """The picture of a model's first answer, as SVG. Raises Bad if it can't be drawn."""
        text_of(name)
        theme = theme if theme in THEMES else "light"
        async with self._one:
            if (name, theme) not in self._drawn:
                svg = await self._draw(name, theme)
                if len(self._drawn) >= KEPT:
                    self._drawn.clear()
                self._drawn[name, theme] = svg
        return self._drawn[name, theme]

    async def _draw(self, name: str, theme: str) -> str:
        job = self._desk.own("gallery", name, "", {"theme": theme})
        svg = ""
        try:
            async for event, data in job.events():
                svg = data["svg"] if event == "picture" else svg
        finally:
            job.drop()
        if not svg:
            raise Bad("this model could not be drawn in time", 503)
        return svg
