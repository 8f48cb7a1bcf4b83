"""`print`, `outline` and the ways to `show`: what is on a board whatever the answer."""

from __future__ import annotations

import re

import pytest

import covr
from covr.draw.elements import THEMES, lightness
from covr.draw.inscribed import DISC
from covr.draw.pieces import are_steps, links

BOARD = """
cells r, c in 1..2
values d in 1..2
choose place(r, c, d)
exactly one place per r, c
exactly one place per r, d
exactly one place per c, d
given place(1, 1, 1)
show d of place at r, c
"""


def solved(text: str) -> covr.Answer:
    answer = covr.loads(text).solve()
    assert answer is not None
    return answer


@pytest.mark.parametrize(
    ("more", "drawn"),
    [
        ('print "<" at (1, 1), (1, 2)', "1 < 2\n2   1"),
        ('print "v" at (2, 2), (1, 2)', "1 2\n  v\n2 1"),
        ("print r + 4 at r, 0", "5 1 2\n6 2 1"),
        ("print r + 4 at r, 3", "1 2 5\n2 1 6"),
        ('print "7 8" at 0, c where c = 2', "  7\n  8\n1 2\n2 1"),
        ('print "9" at 3, 1', "1 2\n2 1\n9"),
        ("outline c", "+---+---+\n| 1 | 2 |\n| 2 | 1 |\n+---+---+"),
        ("outline x for (x, y) in box(2, 2)", "+-----+\n| 1 2 |\n+-----+\n| 2 1 |\n+-----+"),
        ("print 5 at 2, 1", "1 2\n5\n2 1"),
        ('print "#" at 1, 3', "1 2 #\n2 1"),
        ('print "" at 1, 1', "1 2\n2 1"),
    ],
)
def test_what_is_printed_as_text(more: str, drawn: str) -> None:
    assert str(solved(BOARD + more)) == drawn


def test_what_is_printed_does_not_depend_on_the_answer_or_change_its_line() -> None:
    model = covr.loads(BOARD + 'print "8" at r, 0\nprint "#" at 1, 3\noutline r')
    answer = model.solve()
    assert answer is not None
    (solved_,), (puzzle,) = answer.pictures, model.compiled.puzzle()
    assert (solved_.prints, solved_.outlines, solved_.places) == (puzzle.prints, puzzle.outlines, puzzle.places)
    assert answer.line == "12.21"


def test_texts_stand_in_corners_where_a_choice_may_be_written_and_else_in_the_middle() -> None:
    for text, small in ((BOARD, 4), (BOARD.replace("show d of place at r, c", 'show "#" of place at r, c as dark'), 0)):
        svg = solved(text + "print 7 at r, c").svg()
        assert svg.count('class="corner"') == small
        assert svg.count(">7</text>") == 4


def test_a_clue_where_a_choice_may_be_written_stands_below_the_border_and_not_on_it() -> None:
    drawn = "+---+---+\n|   | 4 |\n| 1 | 2 |\n+---+---+\n| 9 |   |\n| 2 | 1 |\n+---+---+"
    assert str(solved(BOARD + "outline r + c\nprint 4 at 1, 2\nprint 9 at 2, 1")) == drawn
    signs = str(solved(BOARD + 'print "^" at (1, 1), (2, 1)\nprint 5 at 2, 1'))
    assert signs == "1 2\n^\n5\n2 1", "a sign on the border is not lost"


def test_a_backslash_alone_is_one_and_parts_no_square() -> None:
    for looks in ("", " as dark"):
        answer = solved(BOARD + 'print 3, "\\\\", 4 at 2, 3\nprint "\\\\" at 1, 3' + looks)
        looked = {m.text: m.look for m in answer.pictures[0].marks}
        assert looked["3 \\ 4"] == "divided" and looked.get("\\", "") == looks.removeprefix(" as ")
        assert "\\" in str(answer).splitlines()[0] and answer.svg().count('class="diagonal"') == 1


def test_a_hash_that_is_shown_is_as_black_as_one_that_is_printed() -> None:
    board = BOARD.replace("show d of place", 'show (if d = 1 then "#" else ".") of place')
    shown, printed = solved(board), solved(board + 'print "#" at 1, 3')
    assert str(shown) == "# .\n. #" and str(printed) == "# . #\n. #"
    for answer, black in ((shown, 2), (printed, 3)):
        assert sum(m.look == "dark" for m in answer.pictures[0].marks) == black
        assert ">#</text>" not in answer.svg()
    other = solved(BOARD.replace("at r, c", 'at r, c where d = 1 else "#"'))
    assert sum(m.look == "dark" for m in other.pictures[0].marks) == 2
    plain = solved(board.replace("at r, c", "at r, c as plain"))
    assert plain.svg().count(">#</text>") == 2, "a way to write it all the same"


@pytest.mark.parametrize("places", ["r, c", "hex(r, 2 * c + r mod 2)", "1, r, c"])
def test_the_name_of_a_colour_that_fills_a_shape_takes_no_width(places: str) -> None:
    sizes = set()
    for text in ('"orange"', '"o"'):
        board = BOARD.replace("show d of place at r, c", f"show {text} of place at {places} as circle")
        sizes.add(re.match(r'<svg [^>]*width="(\S+)" height="(\S+)"', solved(board).svg()).groups())  # type: ignore[union-attr]
    assert len(sizes) == 1


def test_choices_are_drawn_as_lines() -> None:
    ring = """
let lines = edges(box(2, 2))
choose draw(e) for e in lines
loop draw along e
show "" of draw at x in box(2, 2) where x in e as line
"""
    answer = solved(ring)
    assert len(links(answer.pictures[0])) == 4 and are_steps(links(answer.pictures[0]))
    assert str(answer) == "+---+\n|   |\n+---+"
    assert answer.svg().count('class="line"') == 1
    numbered = solved(ring + "print 3 at 1, 1").svg()
    assert numbered.count(f'r="{DISC:.0f}"') == 1
    dotted = solved(ring + "print 4 at (1, 1), (2, 2)")
    assert str(dotted) == "+---+\n| 4 |\n+---+"
    assert 'class="dots"' in dotted.svg() and 'class="thick"' not in dotted.svg()


def test_a_path_of_leaps_is_numbered_as_text() -> None:
    answer = solved("""
choose move(m) for m in {((1, 1), (2, 3)), ((1, 3), (2, 1)), ((1, 1), (2, 1))}
exactly 3 move
show "" of move at x in box(2, 3) where x in m as line
""")
    assert str(answer) == "3 . 1\n2 . 4"
    assert "a6.50 6.50" in answer.svg() or "a6.5 6.5" in answer.svg(), "the ends of the path are larger"


def test_a_choice_may_show_unlike_texts_at_several_places() -> None:
    words = """
choose across(r, w) for r in 1..1, w in ["toe"]
exactly one across
show w[k] of across at r, k for k in 1..size(w)
"""
    assert str(solved(words + " as plain")) == "t o e"
    assert 'class="piece"' not in solved(words + " as plain").svg()


def test_a_number_and_a_sign_in_a_corner_stand_together_and_arrows_are_drawn() -> None:
    cage = solved(BOARD + 'print 24, "*" at 1, 1\nprint "a", "*" at 1, 2')
    assert str(cage).splitlines()[0] == "24* a *"
    assert re.findall('class="corner">([^<]+)<', cage.svg()) == ["24×", "a *"]
    clue = solved(BOARD.replace("show d of", 'show "#" of') + ' as dark\nprint 3, "^" at 1, 1')
    assert str(clue) == "# #\n# #", "a dark square hides what is printed on it"
    assert 'class="arrow"' in clue.svg()


def test_parts_of_ships_are_shapes() -> None:
    ship = solved(BOARD.replace("show d of place", 'show ["◖", "◗"][d] of place'))
    assert str(ship) == "◖ ◗\n◗ ◖"
    assert ship.svg().count('class="symbol"') == 4


def test_the_headings_of_a_strip_stand_above_it() -> None:
    strip = """
choose serve(s, d) for s in {"anna", "bert"}, d in {"east", "west"}
exactly one serve per s
exactly one serve per d
show s of serve at d
"""
    assert str(solved(strip)) == "east west\nanna bert"
    assert re.findall('class="margin">([a-z]+)<', solved(strip).svg()) == ["east", "west"]


def test_a_table_has_headings() -> None:
    answer = solved(
        """
let people = table("name", "n") "bob 2 / ann 1"
choose work(p, d) for p in {"bob", "ann"}, d in {"mon", "tue"} where (p = "bob") = (d = "tue")
at least 2 work
show "x" of work at p, d
""".replace('let people = table("name", "n") "bob 2 / ann 1"\n', "")
    )
    assert str(answer) == "    mon tue\nann x   .\nbob .   x"
    assert re.findall('class="margin">([a-z]+)<', answer.svg()) == ["ann", "bob", "mon", "tue"]


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ('print "<" at (1, 1), (1, 3)', "E442"),
        ("print 1 at r", "E442"),
        ("print 1 at x in {1}, 2", "E001"),
        ("show r of place at r, k for r in 1..2, k in 1..2", "E104"),
        ("outline x for x in 1..2", "E442"),
        ("print q at 1, 1", "E101"),
    ],
)
def test_faults_of_what_is_drawn_have_their_codes(more: str, code: str) -> None:
    with pytest.raises(covr.ModelErrors) as raised:
        str(covr.loads(BOARD + more).solve())
    assert [fault.code for fault in raised.value.diagnostics] == [code]


HONEYCOMB = """
let room = hexagon(2)
cells x in room
choose place(x, d) for d in 1..2
exactly one place per x
given place(x, 1 + (x[1] + x[2]) div 2 mod 2) for x in room
show d of place at x
"""


@pytest.mark.parametrize(
    ("more", "drawn"),
    [
        ("", " 2 1\n2 1 2\n 1 2"),
        ("print 7 at hex(1, 0)", "7 2 1\n 2 1 2\n  1 2"),
        ("print 7 at hex(4, 4)", " 2 1\n2 1 2\n 1 2\n   7"),
        ('print "<" at hex(2, 3), hex(2, 1)', "  2   1\n\n2 < 1   2\n\n  1   2"),
        ('print "v" at hex(1, 2), hex(2, 3)', "  2   1\n   v\n2   1   2\n\n  1   2"),
        ("outline x[1] > 1 for x in room",
         "   / \\ / \\\n  | 2   1 |\n / \\ / \\ / \\\n| 2   1   2 |\n \\         /\n  | 1   2 |\n   \\ / \\ /"),
    ],
)  # fmt: skip
def test_what_is_printed_on_hexagons_as_text(more: str, drawn: str) -> None:
    assert str(solved(HONEYCOMB + more)) == drawn


def test_what_is_printed_on_hexagons() -> None:
    answer = solved(
        HONEYCOMB
        + 'print 7 at hex(1, 0)\nprint 3 at hex(1, 2)\nprint "<" at hex(2, 1), hex(2, 3)\nprint "#" at hex(1, 6)\n'
        + "outline x[1] > 1 for x in room"
    )
    svg = answer.svg()
    for kind in ("margin", "corner", "sign", "filled", "field"):
        assert svg.count(f'class="{kind}"') == 1, kind
    assert "3,2" in str(answer) or "3 2" in str(answer)


TRIANGLES = """
let room = hexagon(1, triangle)
choose place(x) for x in room
exactly 6 place
show "o" of place at x
"""


def test_what_is_printed_on_triangles() -> None:
    answer = solved(
        TRIANGLES + 'print 5 at triangle(2, 5)\nprint "^" at triangle(1, 3), triangle(2, 3)\noutline x[1] for x in room'
    )
    assert "5" in str(answer)
    svg = answer.svg()
    for kind in ("margin", "sign", "field"):
        assert svg.count(f'class="{kind}"') == 1, kind


def test_what_is_printed_beside_the_layers_of_a_solid() -> None:
    answer = solved("""
cells z, r, c in 1..2
choose place(z, r, c)
exactly one place per z, r, c
show "o" of place at z, r, c
print 4 at 1, 0, c
print 7 at z, r, 3
print 3 at 2, 1, 1
outline c for z, r, c in 1..2
""")
    assert str(answer) == (
        "  4   4\n+---+---+     +---+---+\n|   |   |     | 3 |   |\n"
        "| o | o | 7   | o | o | 7\n| o | o | 7   | o | o | 7\n+---+---+     +---+---+"
    )
    svg = answer.svg()
    assert svg.count('class="margin"') == 6
    assert svg.count('class="corner"') == 1


STICKS = """
let room = area(sticks, "+-+\\n| |\\n+-+")
choose draw(x) for x in room
exactly 4 draw
show "o" of draw at x
"""
BALLS = """
let room = area(balls, ". ./\\n   / .\\n. ./")
choose place(x) for x in room
exactly 5 place
show "o" of place at x
"""


def test_what_is_printed_beside_sticks_and_balls() -> None:
    ring = solved(STICKS + "print 3 at sticks(2, 5)")
    assert str(ring) == "+-+\n| | 3\n+-+"
    assert ring.svg().count('class="margin"') == 1
    stack = solved(BALLS + "print 3 at balls(1, 1, 5)\nprint 8 at balls(2, 2, 2)")
    assert str(stack).splitlines()[0].split() == ["o", "o", "3"]
    assert "o,8" in str(stack)
    assert stack.svg().count('class="margin"') == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (STICKS + "outline x[1] for x in room", "`sticks` have no sides between which a line could run"),
        (BALLS + "outline x[1] for x in room", "`balls` have no sides between which a line could run"),
        (STICKS + 'print "<" at sticks(1, 2), sticks(2, 1)', "there is no border between (sticks(1, 2), sticks(2, 1))"),
        (HONEYCOMB + 'print "<" at hex(1, 2), hex(3, 2)', "there is no border between (hex(1, 2), hex(3, 2))"),
        (BALLS + "print 1 at balls(3, 1, 1)", "balls(3, 1, 1) is no place of a picture"),
        (HONEYCOMB + "print 1 at 1, 2", "(1, 2) is no place of a picture"),
    ],
)
def test_what_another_lattice_has_no_place_for(text: str, said: str) -> None:
    with pytest.raises(covr.ModelErrors) as raised:
        str(covr.loads(text).solve())
    assert [(fault.code, fault.message) for fault in raised.value.diagnostics] == [("E442", said)]


def test_a_blank_on_a_border_is_a_gap_in_its_line() -> None:
    answer = solved(BOARD + 'outline r\nprint " " at (1, 1), (2, 1)')
    assert str(answer) == "+-----+\n| 1 2 |\n+- ---+\n| 2 1 |\n+-----+"
    svg = answer.svg()
    assert svg.count('class="gap"') == 1 and 'class="between"' not in svg
    assert svg.index('class="field"') < svg.index('class="gap"'), "the gap covers the line"


@pytest.mark.parametrize("theme", THEMES)
def test_a_black_pearl_is_dark_and_a_white_one_light_in_every_theme(theme: str) -> None:
    pearls = BOARD.replace("show d of", 'show "#" of') + " as dark\n" + 'print "○" at 1, 1\nprint "●" at 1, 2'
    svg = solved(pearls).svg(theme)
    white, black = re.findall('class="circle"[^>]* fill="([^"]+)"', svg)
    assert lightness(white) > 0.6 > 0.3 > lightness(black)


STARS = """
cells r, c in 1..2
choose own(r, c, k) for k in 1..2
exactly one own per r, c
print "○" at (1, 1), (2, 2)
print "○" at 1, 2
outline k of own at r, c
"""


def test_circles_in_the_middle_of_four_places_are_stars_and_not_the_numbers_of_a_board_of_dots() -> None:
    """A board with stars at its corners lost its lines, its regions, and the circles between its places."""
    puzzle = covr.loads(STARS).svg()
    sizes = re.findall(r'<circle class="(?:sign|circle)"[^>]* r="([\d.]+)"', puzzle)
    assert len(sizes) == 2 and len(set(sizes)) == 1, "all stars have one size"
    assert 'class="dots"' not in puzzle and 'class="thin"' in puzzle
    assert 'class="dots"' in covr.loads(STARS + "print 3 at (1, 1), (2, 2)").svg()
    parted = covr.loads(STARS + "print 3 at (1, 1), (2, 2)\noutline r").svg()
    assert 'class="dots"' not in parted, "what an outline parts is no dot"


CORNERS = """
cells r in 1..2, c in 1..3
choose shade(r, c)
exactly one shade
show "#" of shade at r, c as dark
"""


def test_numbers_on_the_corners_of_squares_make_no_board_of_dots() -> None:
    """A board with numbers at its rim lost the squares that were filled; so did one on which squares can be filled."""
    at_the_rim = covr.loads(CORNERS.replace("as dark", "") + "print 1 at (0, 0), (1, 1)")
    filled = covr.loads(CORNERS + "print 1 at (1, 1), (2, 2)")
    for model in (at_the_rim, filled):
        (answer, *_) = model.solutions()
        assert 'class="dots"' not in answer.svg() and 'class="thin"' in answer.svg()
    assert 'class="dots"' not in at_the_rim.svg()
    assert 'class="filled"' in answer.svg()


ROOMS = """
param room = grid \"\"\"
  aab
  abb
\"\"\"
cells x in room
choose shade(x)
exactly one shade per room[x]
show "#" of shade at x as dark
"""


def test_an_outline_that_names_the_regions_of_a_rule_draws_them_once_and_without_tints() -> None:
    plain, outlined, other = (covr.loads(ROOMS + more).svg() for more in ("", "outline room[x]", "outline x[1]"))
    assert 'class="region"' in plain and 'class="cage"' not in plain
    assert 'class="region"' not in outlined and 'class="cage"' not in outlined
    assert 'class="region"' in other and 'class="cage"' in other


def test_a_number_on_a_dark_square_that_a_line_passes_stands_on_a_dark_disc() -> None:
    text = """
    choose draw(e) for e in edges(box(2, 2))
    loop draw along e
    show "" of draw at x in box(2, 2) where x in e as line
    print 3 at (1, 1) as dark
    print 4 at (2, 2)
    """
    (answer,) = covr.loads(text).solutions()
    discs = re.findall(r'class="disc"[^>]*fill="([^"]*)"', answer.svg())
    assert discs == [THEMES["light"].filled, THEMES["light"].board]
