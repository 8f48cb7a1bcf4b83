"""Texts fit into the cells in which they are drawn, and everything is on the page, by the estimate of `text_width`: on
every board of the gallery, solved and unsolved, and on every lattice with texts of any length."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from math import hypot
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from covr.api.gallery import names
from covr.compiler.display.prints import Mark, Picture
from covr.compiler.lattices import LATTICES, Lattice
from covr.compiler.matrix_model import unsolved
from covr.draw import board, tilings
from covr.draw import solids as ball_stack
from covr.draw import tilings as stick_board
from covr.draw.board import STEP, draw_texts
from covr.draw.book import Shown, draw_html, draw_svg
from covr.draw.elements import COLOURS, DROP, THEMES, text_width
from covr.draw.text import as_text
from tests.dsl.models import SOME_OF_GALLERY
from tests.shared import examples, shown_gallery, slowly

CAPITAL = 0.75  # the height of a capital letter, in font sizes
SLACK = 0.02  # pixels: numbers are written with two decimals
MOVED = re.compile(r"translate\(([-0-9.]+) ([-0-9.]+)\)")
PLAIN = "{http://www.w3.org/2000/svg}"
ALL = [lattice for lattice in LATTICES.values() if lattice.name not in ("square", "cubes")]

Written = list[tuple[tuple[str, ...], float, Any]]  # the texts of a cell, their font size, and the room for them


def pictures(name: str) -> tuple[tuple[Picture, ...], tuple[Picture, ...]]:
    """The first answer of a model of the gallery, and its puzzle."""
    model, answer = shown_gallery(name)
    return answer.pictures, unsolved(model.compiled)


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Written:
    """What is written into cells from now on."""
    found: Written = []

    def noting(texts: Any, look: Any, frame: Any, size: float, *more: Any) -> Iterator[str]:
        coloured = {at[-2:] for at in look.shapes}  # where the name of a colour fills a shape, and is not written
        found.extend(
            (shown, size, frame) for at, shown in texts.items() if at not in coloured or "".join(shown) not in COLOURS
        )
        return draw_texts(texts, look, frame, size, *more)

    for module in (board, tilings, stick_board, ball_stack):
        monkeypatch.setattr(module, "draw_texts", noting)
    return found


def assert_fits(found: Written) -> None:
    """Every cell has room for its texts, which stand one below another; in a ball, for the circle round them."""
    for shown, size, frame in found:
        wide = max(text_width(text, size) for text in shown)
        high = ((len(shown) - 1) * STEP + CAPITAL) * size
        assert wide <= frame.wide + SLACK, (shown, wide, frame.wide)
        assert high <= frame.high + SLACK, (shown, high, frame.high)
        if isinstance(frame, ball_stack.LayerFrame):
            assert hypot(wide, high) <= frame.wide + SLACK, (shown, wide, high, frame.wide)


def assert_inside(svg: str) -> None:
    """Every text is on the page."""
    root = ElementTree.fromstring(svg)
    _, _, width, height = map(float, root.attrib["viewBox"].split())

    def look(element: ElementTree.Element, x: float, y: float) -> None:
        moved = MOVED.match(element.get("transform", ""))
        if moved:
            x, y = x + float(moved[1]), y + float(moved[2])
        if element.tag == f"{PLAIN}text":
            size = float(element.attrib["font-size"])
            wide = text_width(element.text or "", size)
            before = {"middle": wide / 2, "end": wide}.get(element.get("text-anchor", ""), 0.0)
            left, middle = x + float(element.attrib["x"]) - before, y + float(element.attrib["y"]) - DROP * size
            assert left >= -SLACK and left + wide <= width + SLACK, (element.text, left, wide, width)
            assert middle - CAPITAL * size / 2 >= -SLACK, (element.text, middle)
            assert middle + CAPITAL * size / 2 <= height + SLACK, (element.text, middle, height)
        for child in element:
            look(child, x, y)

    look(root, 0, 0)


@pytest.mark.parametrize("name", [slowly(name, name) for name in names() if name in SOME_OF_GALLERY])
def test_every_text_of_the_gallery_fits_its_cell_in_every_theme(name: str, written: Written) -> None:
    for shown in pictures(name):
        assert as_text(shown).strip()
        for theme in THEMES:
            svg = draw_svg([Shown(shown)], name, theme)
            assert_inside(svg)
            assert draw_svg([Shown(shown)], theme=theme) in draw_html([Shown(shown)], name, theme)
    assert_fits(written)


def places_of(lattice: Lattice | None, axes: int) -> list[tuple[int, ...]]:
    """Some places of a lattice, or of squares or cubes."""
    if lattice is None:
        return [(1, 1, 1)[:axes], (1, 1, 2)[-axes:], (2, 2, 1)[:axes]]
    box = [(z, r, c)[3 - lattice.axes :] for z in range(1, 3) for r in range(1, 5) for c in range(1, 5)]
    able = sorted({at for at in box if lattice.holds(at)})
    return [at for at in able if lattice.separate(at) == lattice.separate(able[0])]


WORDS = st.lists(st.text("abWM0 ", min_size=1, max_size=9).map(str.strip).filter(bool), min_size=1, max_size=3)
BOARDS = [pytest.param(lattice, lattice.axes, id=lattice.name) for lattice in ALL]
BOARDS += [pytest.param(None, axes, id=name) for axes, name in ((1, "strip"), (2, "squares"), (3, "cubes"))]


@pytest.mark.parametrize(("lattice", "axes"), BOARDS)
@settings(max_examples=examples(30), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_texts_of_any_length_fit_on_every_lattice(
    lattice: Lattice | None, axes: int, data: st.DataObject, written: Written
) -> None:
    written.clear()
    places = places_of(lattice, axes)
    marks = [
        Mark(at, text, option, data.draw(st.booleans()), look=data.draw(st.sampled_from(["", "printed", "plain"])))
        for option, at in enumerate(places)
        for text in data.draw(WORDS)
    ]
    low, high = (tuple(f(axis) for axis in zip(*places, strict=True)) for f in (min, max))
    draw = partial(Picture, axes, low, high, tuple(places), tuple(marks), lattice=lattice)
    shown = (draw(outline=data.draw(st.booleans())),)
    assert_inside(draw_svg([Shown(shown)]))
    assert_fits(written)
    assert as_text(shown)
