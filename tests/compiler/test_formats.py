"""The formats of other programs: what a file in each of them means, and which message a wrong file gets."""

from __future__ import annotations

import pytest

from covr.compiler.formats import FORMATS, FormatFault, read_dlx, read_scp
from covr.compiler.formats.draft import listening
from covr.engine import Settings, count, search

KNUTH = """
| A simple example of color controls
A B 2:3|C | X Y
A B X:0 Y:0
A C X:1 Y:1
| a comment between
C X:0
B X:1
C Y:1
"""


def test_knuths_example_of_multiplicities_has_his_answer() -> None:
    problem = read_dlx(KNUTH)
    assert list(search(problem)) == [(1, 3, 4)]
    assert [problem.option_names[o] for o in (1, 3, 4)] == ["A C X:1 Y:1", "B X:1", "C Y:1"]
    assert problem.item_names == ("A", "B", "C", "X", "Y")
    assert (problem.low, problem.high) == ((1, 1, 2, 0, 0), (1, 1, 3, 1, 1))


def test_options_without_a_primary_item_are_left_out() -> None:
    problem = read_dlx("A | X\nA\nX\nA X\n")
    assert problem.option_names == ("A", "A X")
    assert count(problem).value == 2


def test_a_primary_item_that_may_stay_uncovered_counts_as_primary_in_options() -> None:
    problem = read_dlx("0:1|A B | X\nA\nB X\nX\n")
    assert problem.item_names == ("B", "A", "X")
    assert list(search(problem)) == [(0, 1), (1,)]


def test_an_upper_bound_may_stand_alone() -> None:
    """As in DLX3."""
    problem = read_dlx(":2|A B\nA\nA B\nB\n")
    assert problem.item_names == ("B", "A")
    assert (problem.low, problem.high) == ((1, 0), (1, 2))


def test_a_colour_on_a_primary_item_means_nothing() -> None:
    """As in SSXCC and XCCDC: the item is covered once all the same."""
    with listening() as noted:
        problem = read_dlx("A B | X\nA X:r\nB X:r\nA:q B\n")
    assert list(search(problem)) == [(0, 1), (2,)]
    assert noted == ["colours of primary items mean nothing and are left out: A"]
    assert list(search(read_dlx("A B C\nA:q B\nA:q C\n"))) == []


def test_a_line_that_begins_with_a_bar_is_a_comment_wherever_it_begins() -> None:
    assert read_dlx("  | nothing\nA B\n | A\nA B\n").options == 1


def test_costs_add_up() -> None:
    problem = read_dlx("A B\nA |2 B |3\nA |1\nB |-1\n")
    assert problem.costs == (5, 1, -1)
    assert list(search(problem, goal="minimum", settings=Settings(engine="reference")))[-1] == (1, 2)


def test_equal_lines_are_two_options() -> None:
    assert count(read_dlx("A\nA\nA\n")).value == 2


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "line 1: there are no items"),
        ("| nothing\n", "line 1: there are no items"),
        ("A A\n", "line 1: the item `A` is named twice"),
        ("A | X | Y\n", "line 1: there are two bars among the items"),
        ("A | 2|X\n", "line 1: the secondary item `X` has bounds"),
        ("A:b\n", "line 1: `A:b` is not an item's name"),
        ("2|\n", "line 1: `2|` is not an item's name"),
        ("3:2|A\n", "line 1: `3:2` is not a range of multiplicities"),
        ("x|A\n", "line 1: `x` is not a whole number"),
        ("A\nB\n", "line 2: there is no item `B`"),
        ("A\n\nA A\n", "line 3: the item `A` is in the option twice"),
        ("2|A\nA:red\n", "line 2: the item `A` may be covered several times: what its colours mean then is not known"),
        ("A\nA:\n", "line 2: the item `A` has an empty colour"),
        (":|A\nA\n", "line 1: `` is not a whole number"),
        ("2:|A\nA\n", "line 1: `` is not a whole number"),
        ("A | X\nA X:\n", "line 2: the item `X` has an empty colour"),
        ("A\nA |five\n", "line 2: `five` is not a whole number"),
    ],
)
def test_wrong_dlx_files_are_refused(text: str, what: str) -> None:
    with pytest.raises(FormatFault) as fault:
        read_dlx(text)
    assert str(fault.value) == what


def test_a_set_cover_problem_is_read() -> None:
    problem = read_scp("3 4\n2 3 4 5\n2\n1 3\n2 2 3\n1\n4\n")
    assert [list(problem.option(o)) for o in range(4)] == [[0], [1], [0, 1], [2]]
    run = search(problem, goal="minimum")
    assert list(run)[-1] == (2, 3)
    assert run.best == 9
    assert (problem.item_names[0], problem.option_names[3]) == ("row 1", "column 4")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "the file ends before"),
        ("2 2\n1 1\n1 1\n", "the file ends before"),
        ("1 1\n1\n1 2\n", "line 3: there is no column 2: there are 1"),
        ("1 1\n1\n1 1 7\n", "more numbers"),
        ("1 one\n", "line 1: `one` is not a whole number"),
        ("1 999999999\n", "more than the file has room for"),
        ("999999999 1\n1\n", "more than the file has room for"),
    ],
)
def test_wrong_set_cover_files_are_refused(text: str, what: str) -> None:
    with pytest.raises(FormatFault, match=what):
        read_scp(text)


def test_json_bounds_are_told_as_they_are() -> None:
    """2^62 is a whole number; covr writes it itself where nothing bounds an item. What is too large is told so."""
    text = '{"items": [{"low": %d, "high": %d}], "options": [{"items": [0], "cost": %d}]}'
    for low, high in ((1, 2**62), (2**31, 2**62), (2**62, 2**63), (10**30, 10**40)):
        problem = FORMATS["json"].reader(text % (low, high, 1))
        assert (problem.low, problem.high) == ((low,), (high,))
        again = FORMATS["json"].reader("".join(FORMATS["json"].writer(problem)))
        assert (again.low, again.high) == ((low,), (high,))
    with pytest.raises(FormatFault) as fault:
        FORMATS["json"].reader(text % (1, 1, 2**62))
    assert fault.value.what == f"the cost must be below {2**62}, and not {2**62}"
