"""Records of several params, each under its name: what `covr make` writes is read back by `--each`."""

from __future__ import annotations

from pathlib import Path

import pytest

import covr
from covr.dsl.diagnostics import ModelErrors
from covr.inputs.collection import named_records, named_values
from covr.puzzles.made_puzzle import named_record
from tests.covr.command import Covr, write
from tests.covr.command import covr as command  # a fixture

pytestmark = pytest.mark.long

__all__ = ["command"]

PAIR = """
param a = grid \"\"\"
  1.
  .#
\"\"\"
param b = [1, 2]
choose put(x, k) for x in a, k in {k for k in b} where a[x] = k
at least one put per x in {(1, 1)}
show k of put at x
"""


def values(text: str, *names: str) -> list[dict[str, str]]:
    """The texts of the params of each record."""
    found = []
    for record in named_records(text.split("\n"), "the file", names):
        found.append({name: value.text for name, value in named_values(record, "the file", names).items()})
    return found


def test_records_are_found_with_their_params() -> None:
    text = "# two puzzles\na:\n####\n# 3 .\nb: [1, 2]\n\n\n# the second\nb:\na: .\n12\n"
    assert values(text, "a", "b") == [{"a": "####\n# 3 .", "b": "[1, 2]"}, {"b": "", "a": ".\n12"}]


@pytest.mark.parametrize(
    "data",
    [
        {"a": "##\n..", "b": "1 2"},
        {"b": "", "a": "x"},
        {"a": "1 : 2\n3 : 4"},
        {"a": "#\n#", "b": "#"},
    ],
)
def test_what_is_written_is_read(data: dict[str, str]) -> None:
    assert values(named_record(data) + "\n\n" + named_record(data), "a", "b") == [data, data]


def test_faults_are_told_with_their_place(command: Covr) -> None:
    write("pair.cover", PAIR)
    write("twice.txt", "a:\n1.\n..\na:\n2.\n..\n\na:\n1.\n..\n")
    ran = command("solve", "pair.cover", "--each", "twice.txt")
    assert ran.exit_code == 2 and "`a` is set twice" in ran.output and "twice.txt:4:1" in ran.output
    assert ran.output.count("error\n") == 1 and "record 1" in ran.output  # the second is solved all the same
    write("uneven.txt", "b: [1, 2]\na:\n1.\n...\n")
    ran = command("solve", "pair.cover", "--each", "uneven.txt")
    assert "uneven.txt:4" in ran.output
    write("grids.txt", "1...\n2...\n")
    ran = command("solve", "pair.cover", "--each", "grids.txt")
    assert ran.exit_code == 2 and "E504" in ran.output and "`a:`" in ran.output
    assert "E504" in command("solve", "pair.cover", "--each", "nothing.txt").output


def test_what_make_wrote_is_solved_and_graded(command: Covr) -> None:
    assert command("make", "aquarium", "-n", "2", "--seed", "1", "-o", "made.txt").exit_code == 0
    solved = command("solve", "aquarium", "--each", "made.txt", "--unique", "--json")
    assert (
        solved.exit_code == 0
        and solved.output.count('"status": "unique"') + solved.output.count('"status":"unique"') == 2
    )
    assert command("grade", "aquarium", "--each", "made.txt").output.count("grade") == 2
    model = covr.load("aquarium")
    assert all(answer is not None for answer in model.each(None, Path("made.txt")))
    puzzle = model.make(1, seed=1)[0]
    assert puzzle.readable and list(puzzle.data) == ["across", "down"]
    assert Path("made.txt").read_text().startswith(puzzle.record + "\n\n")


def test_a_row_that_looks_like_a_comment_is_kept(command: Covr) -> None:
    board = "####\n#..#\n####"
    puzzle = covr.load("akari", board=board).make(1, seed=1)[0]
    assert puzzle.record.startswith("board:\n####\n") and puzzle.param is None
    write("made.txt", puzzle.record)
    assert command("solve", "akari", "--each", "made.txt", "--unique").exit_code == 0


def test_records_in_python_name_their_params() -> None:
    model = covr.loads(PAIR)
    with pytest.raises(ModelErrors):
        next(model.each(None, [{"c": 1}]))
    (found,) = model.each(None, [{"b": [1, 3]}])
    assert found is not None and len(found.choices) == 1
