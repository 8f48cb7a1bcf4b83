"""Hexagons, triangles, sticks and balls as text and as images."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

import covr
from covr.draw.book import Shown, draw_svg
from tests.each import each

PAIRS = """
let room = {room}
cells x in room
choose put(s) for s in placements({piece}, room)
exactly one put per x where x in s
show {text} of put at x where x in s
"""
ROOMS = {
    "hex": ("{hex(r, 2 * c + r) for r in 1..2, c in 1..2}", "{hex(1, 1), hex(1, 3)}"),
    "triangle": ("{triangle(r, c) for r in 1..2, c in 1..4}", "{triangle(1, 1), triangle(1, 2)}"),
    "sticks": ("{sticks(1, 2), sticks(2, 1), sticks(2, 3), sticks(3, 2)}", "{sticks(1, 2), sticks(2, 1)}"),
    "balls": ("{balls(1, r, c) for r, c in {1, 3}}", "{balls(1, 1, 1), balls(1, 1, 3)}"),
}


def model(lattice: str, text: str) -> covr.Model:
    room, piece = ROOMS[lattice]
    return covr.loads(PAIRS.format(room=room, piece=piece, text=text))


@pytest.mark.parametrize(
    ("lattice", "drawn"),
    [
        ("hex", " / \\ / \\\n| o   o |\n \\ / \\ / \\\n  | o   o |\n   \\ / \\ /"),
        ("sticks", "+A+\nA B\n+B+"),
        ("balls", "A A\n\nB B"),
    ],
)
def test_pieces_that_their_texts_do_not_tell_apart(lattice: str, drawn: str) -> None:
    lines = str(next(model(lattice, '"o"').solutions(1))).split("\n")
    assert "\n".join(line.rstrip() for line in lines) == drawn


def test_triangles_have_lines_round_pieces() -> None:
    drawn = str(next(model("triangle", '"o"').solutions(1)))
    assert drawn.count("o") == 8
    assert {"/", "\\", "_"} <= set(drawn)


WIDE = {
    "triangle": r"""
    ____  ____
  / abc / abc /
 /     /     /
/abc_ /abc_ /
\abc  \abc  \
 \     \     \
  \ abc_\ abc_\
""",
    "hex": r"""
  / \   / \
 /   \ /   \
|abcd  abcd |
 \   / \   / \
  \ /   \ /   \
   |abcd  abcd |
    \   / \   /
     \ /   \ /
""",
}


@pytest.mark.parametrize("lattice", WIDE)
def test_wide_texts_make_cells_larger_and_keep_the_lines_round_pieces(lattice: str) -> None:
    text = "abc" if lattice == "triangle" else "abcd"
    drawn = str(next(model(lattice, f'"{text}"').solutions(1)))
    assert "\n".join(line.rstrip() for line in drawn.split("\n")) == WIDE[lattice].strip("\n")


@pytest.mark.parametrize("lattice", WIDE)
@each("size", range(1, 13))
def test_every_text_is_written_whole_between_lines(lattice: str, size: int) -> None:
    text = "abcdefghijkl"[:size]
    drawn = str(next(model(lattice, f'"{text}"').solutions(1)))
    assert drawn.count(text) == {"triangle": 8, "hex": 4}[lattice]
    assert {"/", "\\"} <= set(drawn) and ("_" in drawn) == (lattice == "triangle")


def test_pieces_that_their_texts_tell_apart_are_written_as_they_are_typed() -> None:
    answer = next(covr.load("tetrahexes").solutions(1))
    lines = str(answer).split("\n")
    picture = "\n".join(f"  {line}" for line in lines[-4:])
    again = covr.loads(f'let p = pieces(hex) """\n{picture}\n"""\nassert size(p) = 7\nchoose f()\nexactly one f')
    assert again.count() == 1
    assert sorted(re.sub("[ \n]", "", picture)) == sorted("ABCDEFG" * 4)


def test_sticks_of_one_text_are_lines() -> None:
    text = 'cells x in area(sticks) """\n+-+\n| |\n+-+\n""" \nchoose draw(x)\nexactly 3 draw\nforbid draw(sticks(1, 2))'
    assert str(next(covr.loads(text).solutions(1))) == "+ +\n| |\n+-+"


@pytest.mark.parametrize("theme", ["light", "dark", "print", "mono"])
@pytest.mark.parametrize("lattice", list(ROOMS))
def test_images_have_one_outline_a_piece(lattice: str, theme: str) -> None:
    answer = next(model(lattice, "size(s)").solutions(1))
    text = draw_svg([Shown(answer.pictures)], "A title", theme)
    root = ET.fromstring(text)
    pieces = len(answer.choices)
    kinds = [element.get("class") for element in root.iter()]
    if lattice in ("hex", "triangle"):
        assert kinds.count("piece") == pieces and kinds.count("thick") == 1
    else:
        assert kinds.count("outline") == kinds.count("piece") >= pieces
    assert text == draw_svg([Shown(answer.pictures)], "A title", theme)
    width, height = (float(root.get(side) or 0) for side in ("width", "height"))
    assert 0 < width < 1500 and 0 < height < 1500


def test_a_hole_is_drawn_dark_and_the_outside_is_not() -> None:
    def holes(room: str) -> str | None:
        text = f"cells x in {room}\nchoose f(x)\nexactly one f"
        root = ET.fromstring(draw_svg([Shown(next(covr.loads(text).solutions(1)).pictures)]))
        return next((e.get("d") for e in root.iter() if e.get("class") == "hole"), None)

    assert holes("hexagon(3)") is None and holes("hexagon(3, triangle)") is None
    hole = holes("hexagon(3) - {hex(3, 5)}")
    assert hole is not None and hole.count("M") == 1 and hole.count("L") == 5
    triangle = holes("hexagon(2, triangle) - {triangle(2, 4)}")
    assert triangle is not None and triangle.count("L") == 2


def test_a_board_of_a_lattice_hangs_together_as_the_lattice_does() -> None:
    text = "cells x in {room}\nchoose sea(x)\nexactly 2 sea\nconnected sea at x"
    assert covr.loads(text.format(room="hexagon(2)")).count() == 12
    assert covr.loads(text.format(room="hexagon(1, triangle)")).count() == 6
    assert covr.loads(text.format(room="{balls(1, r, c) for r, c in {1, 3}} | {balls(2, 2, 2)}")).count() == 8


def test_shapes_and_lines_stand_on_hexagons_triangles_and_in_layers() -> None:
    start = "choose p(x) for x in room exactly one p per x show 7 of p at x as circle\n"
    for room, places in (
        ("hexagon(2)", "hex(2, 1), hex(2, 3)"),
        ("{triangle(1, 1), triangle(1, 2), triangle(2, 2)}", "triangle(1, 1), triangle(1, 2)"),
        ("box(2, 1, 2)", "(1, 1, 1), (1, 1, 2)"),
    ):
        answer = covr.loads(f'let room = {room}\n{start}print "" at [{places}] as bulb').solve()
        assert answer is not None
        svg = answer.svg()
        assert svg.count('class="shape"') == size_of(room) and svg.count('class="printed"') == 2, room
        assert "(7)" in str(answer) and "bulb: " in str(answer)


def size_of(room: str) -> int:
    return {"h": 7, "{": 3, "b": 4}[room[0]]


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ('print "" at [(1, 1), (1, 3)] as line', "(1, 3) is not on the board"),
        ('print "" at [(1, 1)] as bulb', "[(1, 1)] is no list of places"),
        ('print "" at 3 as arrow', "3 is no list of places"),
        ('print "" at [(1, 1), "x"] as line', '"x" is no place of a picture'),
    ],
)
def test_lines_run_through_places_of_the_board(statement: str, message: str) -> None:
    with pytest.raises(covr.ModelErrors) as caught:
        covr.loads(f"cells r, c in 1..2 choose p(r, c) exactly one p show 1 of p at r, c\n{statement}").svg()
    assert [(d.code, d.message) for d in caught.value.diagnostics] == [("E442", message)]


def test_no_line_runs_through_sticks() -> None:
    with pytest.raises(covr.ModelErrors, match="no line can be printed"):
        text = "let two = {sticks(1, 2), sticks(2, 1)} choose p(x) for x in two exactly one p show 1 of p at x "
        covr.loads(text + 'print "" at sorted(two) as line').svg()
