"""What is drawn in a puzzle's file is right, wrong or unfinished, and what is said to be wrong is so."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from covr.cli.group import cli
from covr.dsl.diagnostics import ModelErrors
from covr.explain.drawn_answer import RIGHT, UNKNOWN, WRONG, drawn_by, drawn_on, judge
from covr.links.places import LinkFault
from covr.links.table import Kind, kinds
from covr.questions.options import Options
from tests.links.published import NOT_JUDGED, answers, boards, compiled_for

FEW = Options(limit_nodes=200)  # for the search of a small reason; a larger one is a reason, too
ENOUGH = 20  # answers: a puzzle with fewer is known by all of them


# Kinds with small models, in which lines, shades, numbers, borders and ships are drawn; --slow asks every kind.
SORTS = (
    "slither", "mashu", "yajilin", "heyawake", "nurikabe", "hitori", "sudoku", "kakuro", "ripple", "starbattle",
    "tents", "battleship", "shikaku", "lightup", "nonogram", "yinyang", "creek", "hashikake",
)  # fmt: skip


@pytest.mark.parametrize("kind", kinds().values(), ids=list(kinds()))
def test_what_is_wrong_is_in_no_answer_and_what_is_unfinished_in_one(kind: Kind, slow: bool) -> None:
    if not slow and kind.name not in SORTS:
        pytest.skip("its model takes long; run with --slow")
    wrong = [board for code, board in boards(kind) if code is not None and code not in NOT_JUDGED.get(kind.name, ())]
    right = [board for code, board in boards(kind) if code is None]
    for board in [*(wrong if slow else wrong[-2:]), *(right if slow else right[:1])]:
        try:
            compiled = compiled_for(kind, board)
        except (LinkFault, ModelErrors):
            continue
        found = judge(compiled, board, kind, FEW)
        drawn = drawn_on(board, kind)
        all_answers = answers(compiled, ENOUGH)
        shown = [drawn_by(compiled, answer, board, kind) for answer in all_answers]
        assert (found.verdict == RIGHT) == (board in right) or found.verdict == UNKNOWN
        assert found.drawn == len(drawn)
        if len(all_answers) == ENOUGH or found.verdict == UNKNOWN:
            continue
        assert (found.verdict == WRONG) == (not any(drawn <= each for each in shown))
        if found.verdict == WRONG:
            assert not any(set(found.marks) <= each for each in shown)
            assert set(found.marks) <= drawn


SUDOKU = "pzprv3/sudoku/4/. 1 . . /. . . 2 /3 . . . /. . 3 . /{}"


@pytest.mark.parametrize(
    ("text", "code", "told"),
    [
        (SUDOKU.format("2 . 4 3 /4 3 1 . /. 4 2 1 /1 2 . 4 /"), 0, "right\n"),
        (SUDOKU.format("2 . 4 3 /. . . . /. . . . /. . . . /"), 3, "unfinished: what is drawn is part of an answer\n"),
        (SUDOKU.format(". . . . /. . . . /. . 2 . /. . . 2 /"), 1, "wrong: r3c3, r4c4: box 1,1 contains 2\n"),
        (SUDOKU.format("1 . . . /. . . . /. . . . /. . . . /"), 1, "wrong: r1c1: "),
        (SUDOKU.format("7 . . . /. . . . /. . . . /. . . . /"), 1, "wrong: r1c1: this can't be drawn there\n"),
    ],
)  # fmt: skip
def test_a_drawn_answer_is_checked(text: str, code: int, told: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["check", text])
    assert (result.exit_code, result.stdout[: len(told)]) == (code, told)
    path = tmp_path / "board.txt"
    path.write_text(text.replace("/", "\n"))
    result = CliRunner().invoke(cli, ["check", str(path)])
    assert (result.exit_code, result.stdout[: len(told) + len(str(path)) + 2]) == (code, f"{path}: {told}")


def test_a_puzzle_without_an_answer_is_checked_as_a_model() -> None:
    result = CliRunner().invoke(cli, ["check", "https://puzz.link/p?sudoku/4/4/1i2l3i4"])
    assert (result.exit_code, result.stdout) == (0, "https://puzz.link/p?sudoku/4/4/1i2l3i4: no errors\n")


def test_several_files_have_the_code_of_the_worst(tmp_path: Path) -> None:
    nothing = ". . . . /" * 3
    texts = ["2 . 4 3 /4 3 1 . /. 4 2 1 /1 2 . 4 /", f"2 . . . /{nothing}", f"7 . . . /{nothing}"]
    names = [str(tmp_path / f"{at}.txt") for at in range(3)]
    for name, text in zip(names, texts, strict=True):
        Path(name).write_text(SUDOKU.format(text))
    assert CliRunner().invoke(cli, ["check", *names[:1]]).exit_code == 0
    assert CliRunner().invoke(cli, ["check", *names[:2]]).exit_code == 3
    assert CliRunner().invoke(cli, ["check", *reversed(names)]).exit_code == 1
    assert CliRunner().invoke(cli, ["check", *names, "nothing"]).exit_code == 2
