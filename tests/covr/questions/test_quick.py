"""Records that are solved in batches are written exactly as those that are solved one by one."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from covr import Answer, load, loads
from covr.cli.group import cli
from covr.compiler import compile_model
from covr.compiler.clues import find_entries
from covr.dsl.diagnostics import Source
from covr.engine import batch
from covr.inputs.library import checked, open_model
from covr.puzzles.puzzle_batches import PuzzleLines, find_quick
from covr.questions.options import Options

LATIN = """
param n = 4
cells r, c in 1..n
values d in 1..n
param clue = grid(n, n) "................"
choose place(r, c, d)
exactly one place per r, c
exactly one place per r, d
exactly one place per c, d
{given}
{more}
"""
NAMES = ["toy", "queens", "sudoku", "scott", "dominosa", "langford", "macmahon", "star_battle"]
GIVEN = "given place(r, c, clue[r, c]) for (r, c) in clue where clue[r, c] != 0"

QUICK = [
    GIVEN,
    "given place(r, c, clue[r, c]) for (r, c) in clue",
    'given place(r, c, clue[r, c]) for (r, c) in clue where clue[r, c] != 0 "clue {clue[r, c]}"',
    "given place(c, r, clue[r, c]) for (r, c) in clue where clue[r, c] > 0 and r + c > 2",
    "given place(r, c, d) for (r, c) in clue where clue[r, c] = d",
    GIVEN + "\ngiven place(4, 4, 1)",
]
SLOW = [
    "given place(r, c, clue[r, c]) for (r, c) in clue where size(clue) > 3",
    "given place(r, c, clue[(c, r)]) for (r, c) in clue where (c, r) in clue",
    "given place(r, c, clue[r, c]) for (r, c) in clue, k in 1..1",
    "given place(r, c, known(r, c)) for (r, c) in clue",
]
RECORDS = [
    "1...............", "1234.1..........", "................", "11..............", "x...............", "12", "",
    "0000000000000000", "5...............", "1234 2143 3412 4321", "1 2 3 4 2 1 4 3 3 4 1 2 4 3 2 1", "12341234",
    "123434124321214.", "@...............", "é...............", "1_______________",
]  # fmt: skip


def latin(given: str, more: str = "") -> str:
    lets = "let known(r, c) = clue[r, c]\n" if "known" in given else ""
    return LATIN.format(given=lets + given, more=more).replace(
        'grid(n, n) "................"', 'grid(n, n) """\n....\n....\n....\n....\n"""'
    )


def run(model: Path, records: Path, *options: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(cli, ["solve", str(model), "--each", f"clue={records}", *options])
    return done.exit_code, done.stdout, done.stderr


@pytest.mark.parametrize("given", [*QUICK, *SLOW])
@pytest.mark.parametrize("options", [(), ("--unique",), ("-n", "3"), ("--json",), ("--jobs", "2")])
def test_records_are_answered_as_in_the_ordinary_way(given: str, options: tuple[str, ...], tmp_path: Path) -> None:
    model, records = tmp_path / "latin.cover", tmp_path / "clues.txt"
    model.write_text(latin(given))
    records.write_text("\n".join(RECORDS) + "\n", encoding="utf-8")
    ordinary = run(model, records, *options, "--limit-nodes", "1000000")
    assert run(model, records, *options) == ordinary


@pytest.mark.parametrize(("given", "quick"), [(g, True) for g in QUICK] + [(g, False) for g in SLOW])
def test_which_models_let_each_entry_decide(given: str, quick: bool) -> None:
    compiled = compile_model(checked(Source("<test>", latin(given))))
    assert (find_entries(compiled, "clue") is not None) == quick


@pytest.mark.parametrize("more", ["assert size(clue) >= 0", "minimize d of place", "forbid place(1, 1, size(clue))"])
def test_other_uses_of_the_data_are_left_to_the_ordinary_way(more: str) -> None:
    compiled = compile_model(checked(Source("<test>", latin(GIVEN, more))))
    assert find_quick(compiled, "clue", 2, Options()) is None


def test_a_param_with_a_condition_is_left_to_the_ordinary_way() -> None:
    text = latin(GIVEN).replace('"""\ncho', '""" where size(clue) < 9\ncho')
    compiled = compile_model(checked(Source("<test>", text)))
    assert "where size" in text and find_entries(compiled, "clue") is None


@pytest.mark.parametrize(
    "show",
    [
        "show d of place at r, c",
        'show "ten" of place at r, c where d = 1 else "-"',
        "show d of place at r, c where d > 2",
        "show d of place at r",
        "",
    ],
)
def test_lines_are_those_that_are_drawn(show: str) -> None:
    compiled = loads(latin(GIVEN, show)).compiled
    result = batch(compiled.problem, [[]], limit=20)
    found = [Answer(compiled, answer).line for answer in next(iter(result))]
    assert PuzzleLines(compiled)(result) == found


@pytest.mark.parametrize("name", NAMES)
def test_an_answer_on_a_line_is_what_it_draws(name: str) -> None:
    lines = PuzzleLines(compile_model(open_model(name)))
    found = list(load(name).solutions(limit=20))
    assert found
    assert [lines.of(answer) for answer in found] == [answer.line for answer in found]
