"""Pictures as SVG: a golden file for each kind in `golden/`, and what holds for all of them.

After a change that is meant, look at the new pictures, then renew the files:

    COVR_RENEW_GOLDEN=1 python -m pytest tests/covr/draw/test_svg.py
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from itertools import combinations, islice
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import covr
from covr.compiler.display.prints import COLOUR_NAMES, Mark, Picture
from covr.draw import solids as isometric
from covr.draw.book import Shown, _filled, _wrapped, draw_svg
from covr.draw.elements import CHESSMEN, COLOURS, THEMES, lightness, mixed, paint, text_width
from covr.draw.outlines import FAINT, Tile, holes, loops, parts, segments, tiles_of
from covr.draw.pieces import neighbours, pieces
from covr.draw.solids import draw_isometric

pytestmark = pytest.mark.long

GOLDEN = Path(__file__).parent / "golden"
NS = "{http://www.w3.org/2000/svg}"
TILES = """
title "Four tiles"
cells r, c in 1..2
choose put(s, r, c) for s in tuples(["a", "b"], 4)
exactly one put per r, c
agree put on ("h", r, c) = s[1], ("v", r, c + 1) = s[2], ("h", r + 1, c) = s[3], ("v", r, c) = s[4]
at most one put per s
show s[1] + s[2] + s[3] + s[4] of put at r, c
"""
SOLID = """
title "Two bricks and a bend"
let bits = solids '''
  AA/A.
  A./..

  BB/.B
  ../..
'''
let room = {x for x in box(2, 2, 2)} - {(2, 2, 1)}
cells x in room
values p in bits
choose put(p, s) for s in placements(p, room)
exactly one put per p
exactly one put per x where x in s
""".replace("'''", '"""')
ELSE = """
title "Else"
cells r, c in 1..3
choose f(r, c) where r = c
exactly one f per r
show "*" of f at r, c else "-"
"""

KNIGHTS = """
title "Three knights"
cells r, c in 1..3
choose knight(r, c)
exactly one knight per r
at most one knight per c
show "N" of knight at r, c
"""

LONG = """
title "A long list"
choose take(i) for i in 1..30
exactly one take per i
show i, i * i of take
"""


def answers_of(model: covr.Model, count: int = 1) -> str:
    found = list(islice(model.solutions(), count))
    assert len(found) == count
    return draw_svg([Shown(a.pictures, str(n) if count > 1 else "") for n, a in enumerate(found, 1)], model.title)


def themed(theme: str) -> Callable[[], str]:
    def draw() -> str:
        answer = covr.load("pentominoes", h=3, w=20).solve()
        assert answer is not None
        return answer.svg(theme)

    return draw


KINDS: dict[str, Callable[[], str]] = {
    "sudoku": lambda: answers_of(covr.load("sudoku", box=2, clue="1.....3..4.....2")),
    "puzzle": lambda: covr.load("sudoku", box=2, clue="1.....3..4.....2").svg(),
    "jigsaw": lambda: answers_of(covr.load("sudoku_jigsaw")),
    "star_battle": lambda: answers_of(covr.load("star_battle")),
    "queens": lambda: answers_of(covr.load("queens", n=5)),
    "queens_sheet": lambda: answers_of(covr.load("queens", n=4), 2),
    "knights": lambda: answers_of(covr.loads(KNIGHTS)),
    "pieces": themed("light"),
    "pieces_dark": themed("dark"),
    "pieces_print": themed("print"),
    "pieces_mono": themed("mono"),
    "hole": lambda: answers_of(covr.load("scott")),
    "dominosa": lambda: answers_of(covr.load("dominosa")),
    "strip": lambda: answers_of(covr.load("langford", n=4)),
    "list": lambda: answers_of(covr.load("crew")),
    "long_list": lambda: answers_of(covr.loads(LONG)),
    "tiles": lambda: answers_of(covr.loads(TILES)),
    "solid": lambda: answers_of(covr.loads(SOLID)),
    "else": lambda: answers_of(covr.loads(ELSE)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_drawn_as_it_was(kind: str) -> None:
    drawn = KINDS[kind]()
    path = GOLDEN / f"{kind}.svg"
    if os.environ.get("COVR_RENEW_GOLDEN"):
        path.write_text(drawn, encoding="utf-8")
    assert drawn == path.read_text(encoding="utf-8")
    assert drawn == KINDS[kind]()


def test_there_are_no_golden_files_of_nothing() -> None:
    assert {path.stem for path in GOLDEN.glob("*.svg")} == set(KINDS)


def elements(svg: str, kind: str) -> list[ElementTree.Element]:
    return [e for e in ElementTree.fromstring(svg).iter() if e.get("class") == kind]


def test_what_is_in_a_picture() -> None:
    assert len(elements(KINDS["hole"](), "piece")) == 12
    assert len(elements(KINDS["queens"](), "symbol")) == 5
    assert len(elements(KINDS["queens_sheet"](), "answer")) == 2
    assert len(elements(KINDS["tiles"](), "tile")) == 4
    assert len(elements(KINDS["dominosa"](), "piece")) == 28
    assert len(elements(KINDS["solid"](), "solid")) == 2, "whole, and with its pieces apart"
    texts = [e.text for e in ElementTree.fromstring(KINDS["solid"]()).iter(f"{NS}text")]
    assert "layer 1" in texts and "layer 2" in texts


def test_a_piece_has_one_colour_on_a_sheet_of_all_tilings() -> None:
    model = covr.load("scott")
    sheet = covr.sheet(model.solutions())
    assert len(elements(sheet, "answer")) == 65
    assert len(elements(sheet, "piece")) == 65 * 12
    of_x = {e.get("fill") for e in elements(sheet, "piece")}
    assert len(of_x) == 12, "a piece has one colour on all tilings"


def texts_of(svg: str) -> list[tuple[str | None, str | None]]:
    """Each text of a picture with its colour."""
    return [(e.text, e.get("fill")) for e in ElementTree.fromstring(svg).iter(f"{NS}text")]


def test_answers_beside_printed_clues_have_a_colour_of_their_own() -> None:
    board = "cells c in 1..2 choose p(c) exactly one p show 7 of p at 1, c "
    blue, black = THEMES["light"].answer, THEMES["light"].given
    assert ("7", black) in texts_of(answers_of(covr.loads(board)))
    assert {("7", blue), ("3", black)} <= set(texts_of(answers_of(covr.loads(board + "print 3 at 0, 1"))))


def test_of_several_texts_in_a_square_only_the_given_ones_are_heavy() -> None:
    text = """
    choose at(h, x) for h in 1..2, x in ["ann", "bob", "cat", "dog"]
    exactly one at per x
    exactly 2 at per h
    exactly one at per h, y in [["ann", "bob"], ["cat", "dog"]] where x in y
    given at(1, "bob")
    show x of at at h
    """
    fills = dict(texts_of(answers_of(covr.loads(text))))
    assert fills["bob"] == THEMES["light"].given
    assert {fills[name] for name in ("ann", "cat", "dog")} == {THEMES["light"].answer}


def test_a_piece_without_a_name_leaves_its_squares_square() -> None:
    text = """
    cells r, c in 1..2
    choose put(k) for k in 1..2
    exactly one put per r, c where r = k
    show "" of put at r, c where r = k
    print 2 at 1, 1
    """
    block = ElementTree.fromstring(answers_of(covr.loads(text)))
    (cells,) = [e.get("d") for e in block.iter(f"{NS}path") if e.get("class") == "cells"]
    numbers = [float(x) for x in re.findall(r"[\d.]+", cells or "")]
    assert max(numbers[::2]) == max(numbers[1::2]), "as wide as high"
    assert "2" in [t for t, _ in texts_of(answers_of(covr.loads(text)))]


def shapes_of(svg: str) -> list[tuple[str, str | None]]:
    """The shapes round texts and the printed lines of a picture, in order: the element, and its fill."""
    found = ElementTree.fromstring(svg).iter()
    return [(e.tag.removeprefix(NS), e.get("fill")) for e in found if e.get("class") in ("shape", "printed")]


BOARD = "cells r, c in 1..2 choose lamp(r, c) exactly one lamp per r exactly one lamp per c given lamp(1, 1) "


def test_shapes_stand_round_texts_and_names_of_colours_fill_them() -> None:
    look = THEMES["light"]
    svg = answers_of(covr.loads(BOARD + 'show "9" of lamp at r, c as circle'))
    assert shapes_of(svg) == [("circle", look.board)] * 2 and ("9", look.given) in texts_of(svg)
    svg = answers_of(covr.loads(BOARD + 'show "red" of lamp at r, c as square'))
    assert shapes_of(svg) == [("path", COLOURS["red"])] * 2 and "red" not in [t for t, _ in texts_of(svg)]
    svg = answers_of(covr.loads(BOARD + 'show 5 of lamp at r, c print "" at 2, 2 as diamond'))
    assert shapes_of(svg) == [("path", look.board)] and [t for t, _ in texts_of(svg)].count("5") == 2


def test_numbers_on_black_are_written_in_white() -> None:
    svg = answers_of(covr.loads(BOARD + 'show "x" of lamp at r, c print 3 at 1, 2 as dark'))
    assert ("3", "#ffffff") in texts_of(svg) and len(elements(svg, "filled")) == 1


def test_lines_are_printed_through_places() -> None:
    lines = 'show 5 of lamp at r, c print "" at [(1, 1), (1, 2), (2, 2)] as '
    assert shapes_of(answers_of(covr.loads(BOARD + lines + "line"))) == [("path", "none")]
    drawn = shapes_of(answers_of(covr.loads(BOARD + lines + "arrow")))
    assert drawn == [("path", "none"), ("path", "none"), ("circle", "none")], "a head, a line and a circle"
    (line, fill), (disc, filled) = shapes_of(answers_of(covr.loads(BOARD + lines + "bulb")))
    assert (line, fill, disc) == ("path", "none", "circle") and filled != "none"


def test_numbers_on_corners_leave_the_boxes_of_a_sudoku_as_they_are() -> None:
    rules = "cells r, c in 1..4 values d in 1..4 choose place(r, c, d) exactly one place per r, c "
    boxes = "exactly one place per (r - 1) div 2, (c - 1) div 2, d "
    corner = "print 12 at (1, 1), (2, 2) show d of place at r, c"
    assert elements(answers_of(covr.loads(rules + corner)), "dots")
    svg = answers_of(covr.loads(rules + boxes + corner))
    assert not elements(svg, "dots") and elements(svg, "thick")


def test_a_line_that_says_a_colour_is_broad_and_has_it() -> None:
    lines = 'show 5 of lamp at r, c print "{}" at [(1, 1), (1, 2), (2, 2)] as line'
    plain, green, said = (answers_of(covr.loads(BOARD + lines.format(text))) for text in ("", "green", "seven"))
    (thin,), (broad,) = elements(plain, "printed"), elements(green, "printed")
    assert float(broad.get("stroke-width", 0)) > 2 * float(thin.get("stroke-width", 0))
    assert broad.get("stroke") == mixed(COLOURS["green"], THEMES["light"].board, FAINT)
    assert "green" not in [t for t, _ in texts_of(green)] and "seven" in [t for t, _ in texts_of(said)]
    assert set(COLOURS) == COLOUR_NAMES


def test_points_that_do_not_touch_and_their_lines_are_a_graph_without_squares() -> None:
    graph = "choose at(k, d) for k, d in 1..2 exactly one at per k exactly one at per d show d of at at 2 * k, 2 * k "
    svg = answers_of(covr.loads(graph + 'print "" at [(2, 2), (4, 4)] as line'))
    assert not elements(svg, "cells") and not elements(svg, "thick") and len(shapes_of(svg)) == 1
    assert elements(answers_of(covr.loads(graph)), "cells"), "without lines they are squares"


def test_an_answer_outlines_its_regions() -> None:
    own = "cells r, c in 1..2 choose own(r, c, k) for k in 1..2 exactly one own per r, c "
    own += "given own(r, 1, 1) for r in 1..2 "
    model = covr.loads(own + "given own(r, 2, 2) for r in 1..2 outline k of own at r, c")
    (picture,) = model.solve().pictures
    assert picture.regions == {(1, 1): 0, (2, 1): 0, (1, 2): 1, (2, 2): 1} and not picture.marks
    assert str(model.solve()).splitlines()[1] == "| . | . |"


def test_bridges_are_as_many_lines_as_they_say_and_dots_stand_on_borders() -> None:
    bridge = "cells c in 1..3 choose go(k) for k in 1..2 exactly one go given go(2) "
    svg = answers_of(covr.loads(bridge + "show k of go at 1, c for c in 1..3 as lines"))
    (line,) = [e.get("d") or "" for e in ElementTree.fromstring(svg).iter() if e.get("class") == "line"]
    assert line.count("M") == 4, "two steps, two lines each"
    signs = elements(answers_of(covr.loads(BOARD + 'show 5 of lamp at r, c print "●" at (1, 1), (1, 2)')), "sign")
    assert [(e.tag.removeprefix(NS), e.get("r")) for e in signs] == [("circle", "5")]


def test_givens_are_heavier_than_answers() -> None:
    texts = list(ElementTree.fromstring(KINDS["sudoku"]()).iter(f"{NS}text"))
    givens = [e.text for e in texts if e.get("font-weight") == "700"]
    assert givens == ["1", "3", "4", "2"]
    answers = [e for e in texts if e.get("font-weight") is None]
    assert len(answers) == 12 and {e.get("fill") for e in answers} == {THEMES["light"].answer}


def test_the_puzzle_has_givens_and_what_is_printed_only() -> None:
    texts = [e.text for e in ElementTree.fromstring(KINDS["puzzle"]()).iter(f"{NS}text")]
    assert texts == ["Sudoku", "1", "3", "4", "2"]
    dominosa = covr.load("dominosa").svg()
    assert len(list(ElementTree.fromstring(dominosa).iter(f"{NS}text"))) >= 56
    assert not elements(dominosa, "piece")


def grid(rows: str) -> Picture:
    """A picture of pieces, a letter a piece."""
    cells = {(r, c): x for r, line in enumerate(rows.split(), 1) for c, x in enumerate(line, 1) if x != "."}
    marks = tuple(Mark(at, "?", ord(x)) for at, x in sorted(cells.items()))
    high = tuple(max(axis) for axis in zip(*cells, strict=True))
    return Picture(2, (1, 1), high, tuple(sorted(cells)), marks, outline=True)


@pytest.mark.parametrize("theme", THEMES)
def test_neighbours_are_never_alike(theme: str) -> None:
    picture = grid("aabbccddee ffgghhiijj kkllmmnnoo aaaaaaaaaa pqrstuvwxy ABCDEFGHIJ zzzzzzzzzz")
    look = paint(picture, THEMES[theme])
    for at, piece in look.owner.items():
        for other in {look.owner[n] for n in neighbours(at) if n in look.owner} - {piece}:
            assert look.fill[piece] != look.fill[other]


def test_letters_can_be_read_on_every_fill() -> None:
    for theme in THEMES.values():
        for fill in theme.pieces:
            assert abs(lightness(theme.on(fill)) - lightness(fill)) > 0.3


def luminance(colour: str) -> float:
    """Relative luminance, as the Web Content Accessibility Guidelines (2.2) define it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, from 1 to 21, by the same guidelines."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", THEMES)
def test_a_dark_square_is_darker_than_the_board_in_every_theme(name: str) -> None:
    theme = THEMES[name]
    for lit in (theme.board, theme.given_cell, *theme.regions):
        assert luminance(theme.filled) < luminance(lit)
        assert contrast(theme.filled, lit) > 2
    assert luminance(theme.dark_square) < luminance(theme.board), "every second square of a chessboard"
    assert contrast(theme.on(theme.filled), theme.filled) > 7
    for ink in (theme.given, theme.answer, theme.only):
        assert contrast(ink, theme.board) > 4
        assert contrast(ink, theme.given_cell) > 3


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("model", ["crossword", "hitori", "kakuro", "nonogram", "nurikabe"])
def test_black_squares_are_drawn_darker_than_the_cells_around_them(model: str, name: str) -> None:
    answer = covr.load(model).solve()
    assert answer is not None
    fills = dict(re.findall(r'class="(cells|filled)" d="[^"]*" fill="([^"]+)"', answer.svg(name)))
    assert contrast(fills["filled"], fills["cells"]) > 2
    assert luminance(fills["filled"]) < luminance(fills["cells"])


@pytest.mark.parametrize("name", THEMES)
def test_the_rim_of_tiles_is_unlike_every_edge(name: str) -> None:
    def apart(one: str, other: str) -> int:
        return sum(abs(int(one[i : i + 2], 16) - int(other[i : i + 2], 16)) for i in (1, 3, 5))

    theme = THEMES[name]
    assert all(apart(theme.rim, edge) >= 105 for edge in theme.edges)
    assert all(apart(a, b) >= 70 for a, b in combinations(theme.edges, 2))


def test_lines_round_cells() -> None:
    ring = {(r, c) for r in range(3) for c in range(3)} - {(1, 1)}
    assert sorted(map(len, loops(ring))) == [4, 4]
    assert holes(ring) == {(1, 1)}
    assert loops({(0, 0), (1, 1)}) == [[(0, 0), (0, 1), (1, 1), (1, 0)], [(1, 1), (1, 2), (2, 2), (2, 1)]]
    assert loops({(0, 0), (0, 1), (1, 0)}) == [[(0, 0), (0, 2), (1, 2), (1, 1), (2, 1), (2, 0)]]
    assert parts({(0, 0): 1, (0, 1): 1, (2, 0): 1, (1, 0): 2}) == [[(0, 0), (0, 1)], [(1, 0)], [(2, 0)]]
    rim = segments({(0, 0), (0, 1)}, lambda a, b: (a[0] == 0 <= a[1] < 2) != (b[0] == 0 <= b[1] < 2))
    assert rim == [((0, 0), (0, 2)), ((1, 0), (1, 2)), ((0, 0), (1, 0)), ((0, 2), (1, 2))]


def test_tiles_are_tiles_only_where_edges_match() -> None:
    def tiles(*texts: str) -> Picture:
        marks = tuple(Mark((1, c), text, c) for c, text in enumerate(texts, 1))
        return Picture(2, (1, 1), (1, len(texts)), tuple(m.at for m in marks), marks, tiles=True)

    theme = THEMES["light"]
    assert tiles_of(tiles("abca", "cabc"), theme) is None, "an eastern b does not meet a western c"
    assert tiles_of(tiles("abca", "cacb"), theme) == {
        (1, 1): Tile((theme.edges[0], theme.edges[1], theme.edges[2], theme.edges[0])),
        (1, 2): Tile((theme.edges[2], theme.edges[0], theme.edges[2], theme.edges[1])),
    }
    rim = tiles_of(tiles("-ab- 12", "--ba 7"), theme)
    assert rim is not None and [tile.name for tile in rim.values()] == ["12", "7"]
    assert rim[1, 1].sides == (theme.rim, theme.edges[0], theme.edges[1], theme.rim), "the rim is grey"
    assert tiles_of(tiles("- a b - 12"), theme) == {(1, 1): rim[1, 1]}
    assert tiles_of(tiles("abca 1 2"), theme) is None
    assert tiles_of(tiles("red blue red red"), theme) is not None
    assert tiles_of(tiles("abc"), theme) is None


def test_a_solid_too_large_is_shown_in_layers_only() -> None:
    owner = {(z, r, c): z for z in range(8) for r in range(8) for c in range(8)}
    assert draw_isometric(owner, dict.fromkeys(range(8), "#ffffff"), THEMES["light"]) == []


def test_a_solid_is_shown_whole_and_then_with_its_pieces_apart() -> None:
    fill = {1: "#000000", 2: "#ffffff"}
    row = {(0, 0, c): 1 + (c > 1) for c in range(4)}
    whole, apart = draw_isometric(row, fill, THEMES["light"])
    assert apart.width > whole.width, "two pieces side by side are moved apart"
    ring = {(0, r, c): 1 + ((r, c) == (1, 1)) for r in range(3) for c in range(3)}
    (whole,) = draw_isometric(ring, fill, THEMES["light"])
    assert whole.body[0].count("<path") >= 9, "interlocked pieces can't be moved, and the whole is enough"


def test_nothing_a_model_says_gets_out_of_its_text() -> None:
    text = 'title "<script>&\\"x"\ncells i in 1..1\nchoose f(i)\nexactly one f per i\nshow "</svg>\x07" of f at i\n'
    drawn = answers_of(covr.loads(text.replace('\\"x', "")))
    ElementTree.fromstring(drawn)
    assert "<script" not in drawn and "\x07" not in drawn


def test_marks_far_apart_are_listed() -> None:
    far = Picture(2, (0, 0), (10**9, 10**9), ((0, 0), (10**9, 10**9)), (Mark((10**9, 10**9), "x", 1),))
    drawn = draw_svg([Shown((far,))])
    assert "1000000000" in drawn and len(drawn) < 3000


def test_nights_of_a_plan_are_no_knights() -> None:
    """Rows with names are those of a plan."""
    night = "choose night(p, d) for p in {}, d in 1..3\nexactly one night per p\n"
    for people, is_board in (('{"Ann", "Ben"}', False), ("1..2", True)):
        answer = covr.loads(night.format(people) + 'show "N" of night at p, d').solve()
        assert answer is not None and (">N<" not in answer.svg()) == is_board


def test_chessmen_are_shapes_inside_their_square() -> None:
    for shapes in CHESSMEN.values():
        for x in re.findall(r"[ML]([-\d.]+) ([-\d.]+)", "".join(shapes)):
            assert all(abs(float(v)) <= 50 for v in x)


def hexagons_meet(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    """Whether the images of two unit cubes have a common inside: cubes moved along the line of sight meet."""
    d = [a - b for a, b in zip(other, one, strict=True)]
    u, v = d[1] - d[2], d[1] + d[0]
    return abs(u) < 1 - 1e-6 and abs(v) < 1 - 1e-6 and abs(u - v) < 1 - 1e-6


@pytest.mark.parametrize("name", ["soma", "bricks"])
def test_what_lies_behind_is_painted_first(name: str) -> None:
    model = covr.load("soma") if name == "soma" else covr.loads(SOLID)
    for answer in model.solutions(5):
        owner = pieces(answer.pictures[0])
        where = isometric._apart(owner)
        assert where is not None
        assert not isometric._collide(where, owner)
        order = isometric._back_to_front(where)
        assert sorted(order) == sorted(owner)
        for n, late in enumerate(order):
            for early in order[:n]:
                if hexagons_meet(where[early], where[late]):
                    behind = isometric._is_behind(where[late], where[early])
                    assert not behind or isometric._is_behind(where[early], where[late])


@given(st.lists(st.text("abcdefgh", min_size=1, max_size=12), max_size=12), st.integers(50, 500))
def test_a_title_takes_as_few_lines_as_fit_and_they_are_about_even(words: list[str], width: int) -> None:
    title = " ".join(words)
    lines = _wrapped(title, 17, width)
    assert " ".join(lines) == title
    assert all(text_width(line, 17) <= width or " " not in line for line in lines)
    full = _filled(title, 17, width)
    assert len(lines) == len(full)
    assert max((text_width(line, 17) for line in lines), default=0) <= max(
        (text_width(line, 17) for line in full), default=0
    )


def test_a_long_title_takes_no_third_line_over_a_small_board() -> None:
    title = "Crew pairing: the cheapest duties that fly every leg exactly once"
    svg = draw_svg([Shown((Picture(0, lines=(("d1",),)),))], title)
    assert svg.count('class="heading"') == 2
