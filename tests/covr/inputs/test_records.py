"""Collections of puzzles: the three usual layouts, and what may stand between records."""

from __future__ import annotations

from itertools import count, islice

import pytest

from covr.inputs.collection import read_records

GRID = "12\n34\n.."


def texts(text: str) -> list[str]:
    return [record.text for record in read_records(text.split("\n"))]


def test_every_line_is_a_puzzle() -> None:
    assert texts("53..7....6\n..9......1\n") == ["53..7....6", "..9......1"]


def test_comments_and_blank_lines_are_left_out() -> None:
    text = "# hard ones\n\n53..7....6  # by ann\n\n#\n..9......1\n#from elsewhere"
    assert texts(text) == ["53..7....6", "..9......1"]


def test_a_leading_count_is_left_out() -> None:
    assert texts("2\n53..7....6\n..9......1") == ["53..7....6", "..9......1"]
    assert texts("2\n\n1234\n3412\n\n4321\n2143") == ["1234\n3412", "4321\n2143"]


def test_short_numbers_are_records_themselves() -> None:
    assert texts("4\n5\n6\n10\n12") == ["4", "5", "6", "10", "12"]
    assert texts("12\n13") == ["12", "13"]


def test_blank_lines_separate_records() -> None:
    assert texts(f"{GRID}\n\n{GRID}\n \n\n{GRID}\n") == [GRID] * 3


def test_a_square_block_alone_is_one_record() -> None:
    assert texts("12..\n..34\n1...\n...1") == ["12..\n..34\n1...\n...1"]
    assert texts("1 2 . .\n. . 3 4\n1 . . .\n. . . 1") == ["1 2 . .\n. . 3 4\n1 . . .\n. . . 1"]


@pytest.mark.parametrize("header", ["Grid 01", "Puzzle #1", "grid 1:", "Nr. 7"])
def test_headers_name_records(header: str) -> None:
    found = list(read_records(f"{header}\n12\n34\n{header}\n56\n78\n".split("\n")))
    assert [(r.number, r.line, r.name, r.text) for r in found] == [
        (1, 2, header, "12\n34"),
        (2, 5, header, "56\n78"),
    ]


def test_a_table_is_no_header() -> None:
    assert texts("ann 1\nbob 2\n\ncho 3\ndee 4") == ["ann 1\nbob 2", "cho 3\ndee 4"]


def test_lines_are_numbered_as_in_the_file() -> None:
    found = list(read_records(f"# a\n\n{GRID}\n\n# b\n{GRID}".split("\n")))
    assert [(r.number, r.line) for r in found] == [(1, 3), (2, 8)]


def test_nothing_is_no_record() -> None:
    assert texts("") == []
    assert texts("\n# nothing\n\n") == []


def test_an_endless_file_is_read_as_it_comes() -> None:
    endless = (f"puzzle_{n:09}" for n in count())
    assert [r.text for r in islice(read_records(endless), 3)] == [f"puzzle_{n:09}" for n in range(3)]
