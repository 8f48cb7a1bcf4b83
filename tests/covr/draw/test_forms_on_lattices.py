"""Every form of a picture on every lattice: it is drawn in SVG, as text and in the studio, or refused (E442).

A row is a form, a column a lattice with three places in a row. What is drawn differs from the board without the form.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

import covr
from covr.draw.elements import THEMES
from covr.studio.work.answers import drawn as in_studio
from covr.studio.work.asked import StudioQuestion
from tests.each import each

pytestmark = pytest.mark.long

# Three places that touch one after the other.
PLACES = {
    "square": ["(1, 1)", "(1, 2)", "(1, 3)"],
    "hex": ["hex(1, 1)", "hex(1, 3)", "hex(1, 5)"],
    "triangle": ["triangle(1, 1)", "triangle(1, 2)", "triangle(1, 3)"],
    "sticks": ["sticks(1, 2)", "sticks(1, 4)", "sticks(1, 6)"],
    "balls": ["balls(1, 1, 1)", "balls(1, 1, 3)", "balls(1, 1, 5)"],
    "cubes": ["(1, 1, 1)", "(1, 1, 2)", "(1, 1, 3)"],
}
# What the answer shows, at the places of x, and what is printed or outlined beside it.
SHOWN = {
    "circle": 'show "" of own at x as circle',
    "square": 'show "" of own at x as square',
    "diamond": 'show "" of own at x as diamond',
    "colour": 'show "red" of own at x as circle',
    "dark": 'show "#" of own at x as dark',
    "line": 'show "" of way at x where x in e as line',
    "lines": "show 2 of way at x where x in e as lines",
    "regions": "outline k of own at x",
}
PRINTED = {
    "on dark": "print 3 at {0} as dark",
    "in a circle": "print 3 at {0} as circle",
    "in a square": "print 3 at {0} as square",
    "in a diamond": "print 3 at {0} as diamond",
    "pearl": 'print "●" at {0}',
    "dot": 'print "○" at {0}, {1}',
    "line through": 'print "" at [{0}, {1}, {2}] as line',
    "arrow": 'print "" at [{0}, {1}, {2}] as arrow',
    "bulb": 'print "" at [{0}, {1}, {2}] as bulb',
}
BOARD = """
let places = [{0}, {1}, {2}]
cells x in places
choose own(x, k) for k in 1..2
exactly one own per x
choose way(e) for e in {{{{{0}, {1}}}}}
exactly one way
given own({0}, 1)
given own({1}, 2)
given own({2}, 2)
"""
PLAIN = "show k of own at x\n"

# What has a class of its own in SVG, where it is drawn.
CLASS = {
    **dict.fromkeys(("circle", "square", "diamond", "colour"), "shape"),
    **dict.fromkeys(("in a circle", "in a square", "in a diamond"), "shape"),
    **dict.fromkeys(("dark", "on dark"), "filled"),
    **dict.fromkeys(("line", "lines"), "line"),
    **dict.fromkeys(("line through", "arrow", "bulb"), "printed"),
    "dot": "sign",
}
FLAT = ("square", "hex", "triangle")
WHERE = {  # the lattices on which a form is drawn
    **dict.fromkeys((*SHOWN, *PRINTED), (*FLAT, "balls", "cubes")),
    **dict.fromkeys(("in a circle", "in a square", "in a diamond", "pearl"), tuple(PLACES)),
    "line": (*FLAT, "sticks"),
    "lines": FLAT,
    **dict.fromkeys(("regions", "dot", "line through", "arrow", "bulb"), (*FLAT, "cubes")),
}
FORMS = [(form, lattice) for form in WHERE for lattice in PLACES]


def drawn(form: str, lattice: str) -> covr.Answer:
    places = PLACES[lattice]
    shown = SHOWN[form] if form in SHOWN else PLAIN + PRINTED[form].format(*places)
    answer = covr.loads(BOARD.format(*places) + shown).solve()
    assert answer is not None
    return answer


@each("form, lattice", [pair for pair in FORMS if pair[1] in WHERE[pair[0]]])
def test_a_form_is_drawn_as_an_image_as_text_and_in_the_studio(form: str, lattice: str) -> None:
    answer = drawn(form, lattice)
    plain = covr.loads(BOARD.format(*PLACES[lattice]) + PLAIN).solve()
    assert plain is not None
    for theme in THEMES:
        svg = answer.svg(theme)
        ElementTree.fromstring(svg)
        classes = set(re.findall('class="([^"]+)"', svg))
        if form in CLASS and (form, lattice) != ("line", "sticks"):
            assert CLASS[form] in classes
        assert svg != plain.svg(theme)
    assert str(answer) != str(plain), "as text, too"
    asked = StudioQuestion("solve", "m.cover", "", ".", "", {}, {}, 1.0, 2**20, 1, 1, 1, 1)
    pane = in_studio(answer.pictures, asked)
    ElementTree.fromstring(pane["svg"])
    assert pane["text"] == str(answer)
    assert set(re.findall('class="([^"]+)"', pane["svg"])) >= classes - {"title"}


@each("lattice", WHERE["regions"])
def test_regions_that_an_answer_makes_are_parted_in_the_image(lattice: str) -> None:
    """Those of the cubes of a layer were parted as text only."""
    text = BOARD.format(*PLACES[lattice]) + SHOWN["regions"]
    parted, whole = covr.loads(text).solve(), covr.loads(text.replace(", 1)\n", ", 2)\n")).solve()
    assert parted is not None and whole is not None
    assert parted.svg() != whole.svg()


@each("form, lattice", [pair for pair in FORMS if pair[1] not in WHERE[pair[0]]])
def test_what_a_board_has_no_place_for_is_refused(form: str, lattice: str) -> None:
    """Shapes and dark places on sticks, lines in solids and regions of balls were left out without a word."""
    with pytest.raises(covr.ModelErrors) as met:
        str(drawn(form, lattice))
    (fault,) = met.value.diagnostics
    assert fault.code == "E442" and fault.help and fault.span is not None
    assert lattice in fault.message
