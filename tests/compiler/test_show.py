"""Pictures: what `show` marks and where, and what stands in for it."""

from __future__ import annotations

import pytest

from covr.compiler import Picture, compile_model
from covr.dsl.diagnostics import ModelErrors
from covr.engine import search
from tests.models import model_of


def pictures(text: str) -> tuple[Picture, ...]:
    """The pictures of the first answer."""
    c = compile_model(model_of(text))
    return c.pictures(next(search(c.problem)))


def grid(picture: Picture) -> list[str]:
    """A picture of two axes as rows of text; what is not a place is a space, what is not marked a dot."""
    texts = dict.fromkeys(picture.places, ".")
    texts.update({m.at: m.text for m in picture.marks})
    return [
        "".join(texts.get((r, c), " ") for c in range(picture.low[1], picture.high[1] + 1))
        for r in range(picture.low[0], picture.high[0] + 1)
    ]


ROOKS = "cells r, c in 1..2 choose rook(r, c) exactly one rook per r exactly one rook per c "


def test_a_text_is_shown_at_a_row_and_a_column() -> None:
    (picture,) = pictures(ROOKS + 'show "R" of rook at r, c')
    assert (picture.axes, grid(picture), picture.outline) == (2, ["R.", ".R"], False)


def test_without_show_the_initial_of_a_family_stands_in_its_cells() -> None:
    assert grid(pictures(ROOKS)[0]) == ["R.", ".R"]


def test_without_show_values_stand_in_cells() -> None:
    text = "cells r, c in 1..2 values d in 1..2 choose p(r, c, d) "
    text += "exactly one p per r, c exactly one p per r, d exactly one p per c, d"
    assert grid(pictures(text)[0]) == ["12", "21"]


def test_without_show_pieces_stand_where_a_rule_says_they_do() -> None:
    text = (
        'cells x in box(1, 4) values p in ["A", "B"] choose put(p, s) for s in {{(1, 1), (1, 2)}, {(1, 3), (1, 4)}} '
        "exactly one put per p exactly one put per x where x in s"
    )
    (picture,) = pictures(text)
    assert (grid(picture), picture.outline) == (["AABB"], True)


def test_without_show_a_condition_on_another_familys_index_is_left_out() -> None:
    """The rule counts `b` for every j, whatever k is, which only `a` has."""
    text = "cells j in 1..2 choose a(j, k) for k in 1..2 choose b() at least one a or b per j where k = 2 "
    (picture,) = pictures(text + "given b()")
    assert [(m.at, m.text) for m in picture.marks if m.text == "B"] == [((1,), "B"), ((2,), "B")]
    picture, *_ = pictures(text + "given b() choose e(k) for k in 1..2 at least 0 e or a per j where k = 2 and j = 1")
    assert {m.at for m in picture.marks if m.text == "E"} <= {(1,)}


def test_a_table_without_a_place_is_no_picture() -> None:
    """Whose headings have no row and no column to stand beside."""
    text = 'cells r in 1..2 values w in ["a", "b"] choose rook(r, w) exactly one rook per r '
    assert [p.places for p in pictures(text + 'show "R" of rook at r, w where w = "c"')] == [()]


def test_without_cells_and_show_choices_are_listed() -> None:
    (picture,) = pictures("choose a(i) for i in 1..3 exactly 2 a")
    assert (picture.axes, picture.lines) == (0, (("a(1)",), ("a(2)",)))


def test_a_list_has_a_line_a_choice() -> None:
    (picture,) = pictures('choose a(i) for i in 1..3 exactly 2 a show i, "x" + "y" of a')
    assert picture.lines == (("1", "xy"), ("2", "xy"))


def test_a_list_may_leave_choices_out() -> None:
    (picture,) = pictures("choose a(i) for i in 1..3 exactly 3 a show i of a where i != 2")
    assert picture.lines == (("1",), ("3",))


def test_what_stands_where_nothing_is_chosen() -> None:
    (picture,) = pictures(ROOKS + 'show "R" of rook at r, c else "-"')
    assert grid(picture) == ["R-", "-R"]


def test_two_shows_at_as_many_coordinates_draw_one_picture() -> None:
    (picture,) = pictures(ROOKS + 'choose k(r) exactly one k show "R" of rook at r, c show "k" of k at r, 3')
    assert grid(picture) == ["R.k", ".R."]


def test_layers_strips_and_coordinates_that_are_no_numbers() -> None:
    (solid,) = pictures("cells x in box(1, 1, 2) choose a(x) exactly one a per x")
    assert (solid.axes, solid.places) == (3, ((1, 1, 1), (1, 1, 2)))
    (strip,) = pictures("cells s in 3..4 choose a(s) exactly one a per s")
    assert (strip.axes, strip.low, strip.high) == (1, (3,), (4,))
    (days,) = pictures('cells d in ["tue", "mon"], h in 1..2 choose a(d, h) exactly one a per d, h')
    assert days.places == ((1, 1), (1, 2), (2, 1), (2, 2))


def test_names_stand_in_the_order_of_their_list_and_of_sets_in_documented_order() -> None:
    (days,) = pictures('cells d in ["tue", "mon"], h in 1..2 choose a(d, h) exactly one a per d, h show d of a at d, h')
    assert [m.text for m in days.marks] == ["tue", "tue", "mon", "mon"]
    assert [p.text for p in days.prints] == ["tue", "mon"]
    (of_set,) = pictures('cells d in {"tue", "mon"}, h in 1..2 choose a(d, h) exactly one a per d, h')
    assert [p.text for p in of_set.prints] == ["mon", "tue"]


def test_a_clue_that_the_answer_repeats_is_written_once_and_as_given() -> None:
    letters = "cells c in 1..2 choose p(c, d) for d in 1..2 exactly one p per c exactly one p per d "
    letters += "show d of p at 1, c forbid p(1, 1) "
    (picture,) = pictures(letters + "print 2 at 1, 1")
    assert [(m.text, m.given) for m in picture.marks] == [("2", True), ("1", False)] and not picture.prints
    (picture,) = pictures(letters + "print 2 at 1, 1 print 3 at 1, 2")
    assert not any(m.given for m in picture.marks)
    assert [p.text for p in picture.prints] == ["2", "3"], "a sum that happens to be the digit stays in its corner"


@pytest.mark.parametrize("head", ["cells a, b, c, d in 1..2", "cells a in hexagon(1), b, c, d in 1..2"])
def test_a_family_that_makes_no_picture_is_listed_where_no_show_asks_for_one(head: str) -> None:
    text = f"{head} choose p(a, b, c, d) choose q(b, c) exactly one p exactly one q per b, c"
    compiled = compile_model(model_of(text))
    answer = next(search(compiled.problem))
    *boards, listed = compiled.pictures(answer)
    assert [board.axes for board in boards] == [2] and listed.axes == 0
    assert len(listed.lines) == 1


def test_more_than_three_coordinates_are_no_picture() -> None:
    with pytest.raises(ModelErrors) as caught:
        pictures("cells a, b, c, d in 1..2 choose p(a, b, c, d) exactly one p show 1 of p at a, b, c, d")
    assert caught.value.diagnostics[0].code == "E440"


def test_given_choices_are_marked_as_given() -> None:
    (picture,) = pictures(ROOKS + "given rook(2, 1)")
    assert [(m.at, m.given) for m in picture.marks] == [((1, 2), False), ((2, 1), True)]


@pytest.mark.parametrize(
    ("rule", "regions"),
    [
        ("exactly one p per (r - 1) div 2, (c - 1) div 2", 4),
        ("at most 4 p per (r - 1) div 2", 2),
        ("at most 4 p per r + c", 0),  # diagonals do not hang together
        ("at most 4 p per r", 0),
        ("at most 4 p per r mod 2, c mod 2", 0),
        ("at most 9 p per (r - 1) div 2 where c > 1", 0),
    ],
)
def test_regions_are_outlined_where_a_rule_parts_the_board(rule: str, regions: int) -> None:
    (picture,) = pictures(f"cells r, c in 1..4 choose p(r, c) {rule}")
    assert len(set(picture.regions.values())) == regions
