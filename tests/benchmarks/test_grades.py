"""The benchmark of grades: rank correlations that are known, and tables that are wrong."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import covr
from benchmarks import grades

pytestmark = pytest.mark.long

NUMBERS = st.lists(st.integers(-5, 5), min_size=2, max_size=12)
# An ordinary sudoku that covr made.
PUZZLE = "6..17...8.51.....69....8.41...56.....6.....8.....24...39.7....57.....31.1...32..4"
# Two that it made of grade 2 and more.
HARDER = (
    ".5.....2...4.2317...685.4.....4....96....2...8.9....14.1..8......57..6..3........",
    "5.....42....3..5171......8..4.5..3.........49..2.6.......4.273.....3....29..1.8..",
)


@given(NUMBERS)
def test_a_rank_is_the_mean_place_among_equal_values(values: list[int]) -> None:
    assert grades.ranks(values) == [
        sum(v < value for v in values) + (sum(v == value for v in values) + 1) / 2 for value in values
    ]


@given(st.permutations(range(1, 9)))
def test_without_ties_it_is_the_usual_formula(order: list[int]) -> None:
    """1 - 6 D / (n (n² - 1)), where D is the sum of the squared differences of ranks."""
    n = len(order)
    expected = 1 - 6 * sum((a - b) ** 2 for a, b in zip(order, range(1, n + 1), strict=True)) / (n * (n * n - 1))
    assert grades.spearman(order, list(range(1, n + 1))) == pytest.approx(expected)


@given(NUMBERS, st.randoms(use_true_random=False))
def test_the_correlation_is_about_orders_only(values: list[int], rng: random.Random) -> None:
    others = [rng.randint(0, 5) for _ in values]
    found = grades.spearman(values, others)
    if found is None:
        assert len(set(values)) == 1 or len(set(others)) == 1
        return
    assert -1 - 1e-9 <= found <= 1 + 1e-9
    assert grades.spearman([v**3 for v in values], others) == pytest.approx(found)
    assert grades.spearman([-v for v in values], others) == pytest.approx(-found)
    assert grades.spearman(values, values) == pytest.approx(1)


def test_equal_values_share_their_rank_in_a_correlation() -> None:
    assert grades.spearman([1, 2, 2, 3], [1, 3, 2, 4]) == pytest.approx(4.5 / (4.5 * 5) ** 0.5)


def table(tmp_path: Path, rows: list[tuple[str, object]]) -> str:
    file = tmp_path / "rated.csv"
    file.write_text("puzzle,rating\n" + "".join(f"{p},{r}\n" for p, r in rows), encoding="utf-8")
    return str(file)


def test_grades_are_compared_with_ratings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A made scale that is covr's own, its reverse, and a puzzle with several answers, which is left out."""
    solution = str(covr.load("sudoku", clue=PUZZLE).solve().line)
    some = ["." + solution[1:], *HARDER]  # all that is left to find in the first one is a digit
    own = [grades.graded(p) for p in some]
    assert own[0] == 1 and all(grade is not None and grade > 1 for grade in own[1:])
    rows: list[tuple[str, object]] = [(p, 10 * (g or 0)) for p, g in zip(some, own, strict=True)]
    assert grades.main([table(tmp_path, rows), "-o", str(tmp_path / "out.csv")]) == 0
    assert "rank correlation 1.000" in capsys.readouterr().out
    written = (tmp_path / "out.csv").read_text(encoding="utf-8").splitlines()
    assert written[0] == "puzzle,rating,grade" and len(written) == 4
    assert grades.main([table(tmp_path, [(p, f"-{r}") for p, r in rows] + [("." * 81, "5")])]) == 0
    said = capsys.readouterr().out
    assert "rank correlation -1.000" in said and "1 puzzles have no answer, or several" in said
    assert grades.main([table(tmp_path, rows), "--most", "1"]) == 1
    assert "no rank correlation" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("puzzle\n", "columns `puzzle` and `rating`"),
        ("puzzle,rating\n123,4\n", "line 2: a puzzle has 81 characters, not 3"),
        (f"puzzle,rating\n{PUZZLE},hard\n", "line 2: `hard` is no number"),
        (f"puzzle,rating\n{PUZZLE},nan\n", "line 2: `nan` is no rating"),
        (f"puzzle,rating\n{PUZZLE}\n", "line 2: `` is no number"),
        ("", "columns `puzzle` and `rating`"),
    ],
)
def test_tables_that_are_wrong_are_told_so(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rated.csv"
    file.write_text(text, encoding="utf-8")
    assert grades.main([str(file)]) == 2
    assert said in capsys.readouterr().err
    assert grades.main([str(tmp_path / "none.csv")]) == 2
