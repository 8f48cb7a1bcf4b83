"""The generators make what was published, and what is small enough is counted."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.instances import MAKERS, Matrix, queens, random_exact, sudoku
from benchmarks.peers import read
from covr.compiler.formats import read_dlx
from covr.engine import Limits, count, search
from tests.shared import SHARED, needs_shared

pytestmark = pytest.mark.long

FILES = SHARED / "instances"
KNOWN = {"soma": 11520, "queens-12": 14200, "latin-5": 161280}


@needs_shared
@pytest.mark.parametrize("name", MAKERS)
def test_what_is_made_equals_what_was_published(name: str) -> None:
    made = MAKERS[name]()
    primary, secondary, options = read(str(FILES / f"{name}.dlx"))
    assert (list(made.primary), list(made.secondary)) == (primary, secondary)
    assert Counter(map(frozenset, made.options)) == Counter(map(frozenset, options))


@pytest.mark.parametrize("name", KNOWN)
def test_generated_problems_have_the_known_counts(name: str) -> None:
    assert count(read_dlx(MAKERS[name]().dlx)).value == KNOWN[name]


def test_small_boards_have_the_known_numbers_of_queens() -> None:
    assert [count(read_dlx(queens(n).dlx)).value for n in range(3, 8)] == [0, 2, 10, 4, 40]


@pytest.mark.parametrize("matrix", [sudoku(3, 0.4, 1), random_exact(30, 100, 1)], ids=["sudoku", "random"])
def test_what_is_random_has_an_answer_and_is_the_same_again(matrix: Matrix) -> None:
    assert next(search(read_dlx(matrix.dlx), limits=Limits(answers=1)))
    again = sudoku(3, 0.4, 1) if matrix.primary[0].startswith("p") else random_exact(30, 100, 1)
    assert matrix == again
