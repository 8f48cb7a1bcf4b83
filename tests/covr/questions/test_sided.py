"""Models with totals, connections and loops at the front door: what works, and what is refused with its place."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from covr import Problem, load, loads
from covr.questions.run import Run
from tests.covr.command import Covr, covr

__all__ = ["covr"]

MODEL = """choose a(i) for i in 1..4
exactly 5 total i of a "five"
connected a at i where i > 1
expect 2 solutions
"""


@pytest.fixture
def model(tmp_path: Path) -> str:
    path = tmp_path / "five.cover"
    path.write_text(MODEL, encoding="utf-8")
    return str(path)


def test_it_is_solved_counted_tested_and_drawn(covr: Covr, model: str) -> None:
    assert covr("count", model).stdout.strip() == "2"
    assert covr("test", model).exit_code == 0
    found = covr("solve", model, "--all", "--format", "line")
    assert found.exit_code == 0
    assert load(model).count() == 2
    assert sorted(map(str, load(model).solve().choices)) == ["a(1)", "a(4)"]  # type: ignore[union-attr]


def test_its_search_is_shown_step_by_step(covr: Covr, model: str) -> None:
    shown = covr("trace", model)
    assert shown.exit_code == 0
    assert shown.stdout.splitlines() == [
        "  take a(1) (1 of 2)",
        "      takes a(4)",
        "      removes a(2), a(3)",
        "| answer 1: a(1), a(4)",
        "  undo a(1)",
        "  leave a(1) out (2 of 2)",
        "      takes a(3), a(2)",
        "      removes a(4)",
        "| answer 2: a(2), a(3)",
        "  undo a(1)",
    ]
    assert shown.stderr == "2 solutions, 3 nodes\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("at least 7 total i of a\ngiven a(2)", "given a(2)\nbefore anything is tried\n    takes a(4)"),
        ('at least 12 total i of a "twelve"', "twelve: can't be kept any more"),
        ("connected a at i\nexactly 2 a\nforbid a(2)\nforbid a(4)", "connected a: can't be kept any more"),
        ("exactly {0, 2} a\nexactly one a where i < 3\nexactly one a where i > 1\nforbid a(3)\ngiven a(4)\ngiven a(2)",
         "exactly one a where i > 1: can't be met any more"),
        ("at least 5 total i of a\nminimize i of a", "nothing below is better than the best answer so far"),
    ],
)  # fmt: skip
def test_every_kind_of_step_is_told(covr: Covr, text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "a.cover"
    path.write_text(f"choose a(i) for i in 1..4\n{text}\n", encoding="utf-8")
    assert said in covr("trace", str(path)).stdout
    assert covr("trace", str(path), "--json").exit_code == 0


def test_an_engine_that_knows_no_totals_says_which_statement(covr: Covr, model: str, tmp_path: Path) -> None:
    kept = tmp_path / "kept.run"
    result = covr("count", model, "--engine", "links", "--run", str(kept))
    assert result.exit_code == 2
    assert "error[E505]: the engine `links` can't hold what this statement says" in result.stderr
    assert "five.cover:2:1" in result.stderr
    assert not kept.exists()
    assert covr("count", model, "--run", str(kept)).stdout.strip() == "2"
    assert "answers  about 2" in covr("size", model).stdout


def test_show_prints_what_stands_beside_the_matrix(covr: Covr, model: str) -> None:
    figures = covr("show", model).stdout
    assert "beside    1 total, 1 connection" in figures
    assert "1 total\n" in figures and "1 connection\n" in figures
    assert "five\ttotal 5\t4\nconnected a\tconnected\t3\n" in covr("show", model, "--items").stdout
    assert "a(3)\t3 * five; connected a\n" in covr("show", model, "--options").stdout


def test_up_to_counts_classes_of_answers(covr: Covr, tmp_path: Path) -> None:
    path = tmp_path / "sea.cover"
    path.write_text(
        "cells r, c in 1..2 choose sea(r, c) exactly 2 sea connected sea at r, c up to sea(r, c) -> sea(c, r)",
        encoding="utf-8",
    )
    assert covr("count", str(path)).stdout.strip() == "2"


@pytest.mark.parametrize(
    "text",
    [
        "exactly one a\nat least 2 total i of a",
        "exactly 1..2 a\nconnected a at i along {(1, 2)}",
        "exactly 1..2 a\nloop a along (i, i) where i > 1",
        "exactly one a\nif a(i) then a(2) where i = 3",
        "exactly {0, 3} a where i > 1",
        "exactly 4 total i of a",
        "connected a at i",
        "connected a or b at i\nexactly one b",
        "loop a along (i mod 2, (i + 1) mod 2)",
        "if a(i) then not b(i + 1)",
    ],
)
def test_classes_consist_of_answers(text: str, tmp_path: Path) -> None:
    """What `up to` counts is what an orbit of each answer, cut down to answers, gives."""
    head = f"choose a(i) for i in 1..3\nchoose b(i) for i in 1..3\n{text}\n"
    every = {frozenset(map(str, s.choices)) for s in loads(head).solutions()}

    def images(answer: frozenset[str]) -> frozenset[frozenset[str]]:
        moves = ("", "a", "b", "ab")
        moved = {frozenset(f"{c[0]}({4 - int(c[2])})" if c[0] in m else c for c in answer) for m in moves}
        return frozenset(moved & every)

    found = loads(head + "up to a(i) -> a(4 - i), b(i) -> b(4 - i)").count()
    assert found == len({images(a) for a in every})


def test_a_sample_is_of_the_answers(covr: Covr, model: str) -> None:
    found = covr("sample", model, "-n", "3", "--seed", "1")
    assert found.exit_code == 0
    assert "a(1)" in found.stdout or "a(2)" in found.stdout


def test_a_format_without_words_for_it_names_the_statement(covr: Covr, model: str, tmp_path: Path) -> None:
    result = covr("convert", model, str(tmp_path / "out.cnf"))
    assert result.exit_code == 2
    assert 'error[E603]: the format cnf has no words for the total "five"' in result.stderr
    assert "five.cover:2:1" in result.stderr
    assert not (tmp_path / "out.cnf").exists()
    assert covr("convert", model, str(tmp_path / "out.json")).exit_code == 0
    assert covr("count", str(tmp_path / "out.json")).stdout.strip() == "2"


def test_a_promise_of_one_answer_asks_for_two_at_most(covr: Covr, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `solve --unique` does: to list all of them may need another way to search."""
    asked: list[int | None] = []
    answers = Run.answers

    def noted(run: Run, improved: Any = None, limit: int | None = None) -> Iterator[tuple[int, ...]]:
        asked.append(limit)
        return answers(run, improved, limit)

    monkeypatch.setattr(Run, "answers", noted)
    Path(model).write_text(MODEL.replace("expect 2 solutions", "expect unique"), encoding="utf-8")
    for command in (("test", model), ("why", model), ("solve", model, "--unique")):
        asked.clear()
        assert covr(*command).exit_code in (0, 1)
        assert asked == [2], command
    problem = Problem.from_rows({"a": ["here"], "b": ["here"]})
    asked.clear()
    assert len(list(problem.solutions(1))) == 1
    assert asked == [1]
