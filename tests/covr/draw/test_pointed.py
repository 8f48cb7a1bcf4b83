"""Places that can be pointed at in a page: every place of a board says which it is, and only where that is wanted."""

from __future__ import annotations

import re

import pytest

import covr
from covr.draw.book import Shown, draw_svg


@pytest.mark.parametrize("name", ["sudoku", "hexiamonds", "soma", "langford", "queens"])
def test_every_place_is_there_once(name: str) -> None:
    answer = next(iter(covr.load(name).solutions()))
    drawn = draw_svg([Shown(answer.pictures)], pointed=True)
    found = re.findall(r'data-at="([^"]*)"', drawn)
    expected = {
        f"{number}:{','.join(map(str, at if picture.axes > 1 else (1, *at)))}"
        for number, picture in enumerate(answer.pictures)
        for at in picture.places
    }
    assert len(found) == len(expected) and set(found) == expected


def test_pictures_elsewhere_have_none() -> None:
    answer = next(iter(covr.load("sudoku").solutions()))
    plain, pointed = draw_svg([Shown(answer.pictures)]), draw_svg([Shown(answer.pictures)], pointed=True)
    assert "data-at" not in plain
    assert [line for line in pointed.split("\n") if "data-at" not in line] == plain.split("\n")
