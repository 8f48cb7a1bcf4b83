"""Models with free choices beside more than 64 others are counted in every way that the command and the library
have."""

from __future__ import annotations

import json
import sys

import pytest

import covr as library
from covr.questions.answer import all_digits
from tests.covr.command import Covr, covr, write

pytestmark = pytest.mark.long

__all__ = ["covr"]

PAIR = "choose a(i) for i in 1..64\nchoose b(j) for j in 1..2\nexactly one a\n"
FLAGS = """\
let n = 8
choose q(r, c) for r in 1..n, c in 1..n
choose f(k) for k in 1..3
exactly one q per r
exactly one q per c
at most one q per r + c
at most one q per r - c
at most one f per k
"""
MODELS = pytest.mark.parametrize(("text", "value"), [(PAIR, 256), (FLAGS, 736)], ids=["one of 64", "queens"])


@MODELS
@pytest.mark.parametrize(
    "words",
    [(), ("--jobs", "2"), ("--run", "a.run"), ("--engine", "bits"), ("--engine", "memo"), ("--engine", "links"),
     ("--limit-memory", "2G")],
)  # fmt: skip
def test_count_counts_free_choices(covr: Covr, text: str, value: int, words: tuple[str, ...]) -> None:
    model = write("free.cover", text)
    assert covr("count", model, *words).stdout == f"{value}\n"
    end = json.loads(covr("count", model, "--json", *words).stdout.splitlines()[-1])
    assert (end["complete"], end["answers"]) == (True, value)


@MODELS
@pytest.mark.parametrize("words", [(), ("--jobs", "2"), ("--run", "a.run"), ("--engine", "links")])
def test_solve_lists_every_answer(covr: Covr, text: str, value: int, words: tuple[str, ...]) -> None:
    model = write("free.cover", text)
    lines = covr("solve", model, "--all", "--format", "line", "-q", *words).stdout.splitlines()
    assert len(lines) == len(set(lines)) == value


@MODELS
def test_promises_about_free_choices_are_kept(covr: Covr, text: str, value: int) -> None:
    model = write("free.cover", f"{text}expect {value} solutions\n")
    assert covr("test", model).stdout.splitlines()[-1] == "1 kept, 0 broken"


@MODELS
def test_sample_draws_every_answer_once(covr: Covr, text: str, value: int) -> None:
    model = write("free.cover", text)
    drawn = covr("sample", model, "-n", str(value), "--distinct", "--seed", "1", "--format", "line", "-q")
    lines = drawn.stdout.splitlines()
    assert drawn.exit_code == 0
    assert len(lines) == len(set(lines)) == value


@MODELS
def test_the_library_counts_and_lists_alike(text: str, value: int) -> None:
    model = library.loads(text)
    found = list(model.solutions())
    assert len({str(one) for one in found}) == len(found) == model.count() == value


def test_a_number_of_answers_is_written_in_full(covr: Covr) -> None:
    text = "choose a(i) for i in 1..15000\n"
    limit = sys.get_int_max_str_digits()
    counted, told = covr("count", "-", input=text), covr("count", "-", "--json", input=text)
    assert sys.get_int_max_str_digits() == limit
    with all_digits():
        assert counted.exit_code == 0 and counted.stdout == f"{2**15000}\n"
        assert json.loads(told.stdout.splitlines()[-1])["answers"] == 2**15000
