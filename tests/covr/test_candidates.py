"""`covr candidates` and `Model.candidates`: verdicts, pictures, faults."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import covr
from covr.cli.group import cli
from covr.dsl import ModelErrors
from covr.questions.options import Options

PAIRS = "choose a(i) for i in 1..3  choose b(j) for j in 1..2  exactly one a  given b(1)  forbid a(3)"


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, ["candidates", *words], catch_exceptions=False)


def objects(*words: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in run(*words, "--json").stdout.splitlines()]


def test_each_choice_has_its_verdict() -> None:
    table = covr.loads(PAIRS).candidates(count=10)
    verdicts = {str(c): (c.verdict, c.count, c.given) for c in table}
    assert verdicts == {
        "a(1)": ("some", 2, False),
        "a(2)": ("some", 2, False),
        "b(1)": ("all", 4, True),
        "b(2)": ("some", 2, False),
    }
    assert (table.total, table.cap, table.complete, table.solvable) == (4, None, True, True)
    assert table["b(1)"].given
    with pytest.raises(KeyError):
        table["b(3)"]


@pytest.mark.parametrize("n", (4, 5, 6, 8))
def test_counts_are_those_of_the_answers(n: int) -> None:
    model = covr.load("queens", n=n)
    tally: dict[str, int] = {}
    for answer in model.solutions():
        for choice in answer.choices:
            tally[str(choice)] = tally.get(str(choice), 0) + 1
    table = model.candidates(count=10_000)
    assert {str(c): c.count for c in table if c.count} == tally


def test_queens_in_text() -> None:
    assert covr.load("queens", n=4).candidates().as_text() == (
        ".  Q? Q? .\nQ? .  .  Q?\nQ? .  .  Q?\n.  Q? Q? ."
    )  # fmt: skip
    assert run("queens", "-D", "n=4", "--count", "9").stdout == (
        "N queens\n\n. 1 1 .\n1 . . 1\n1 . . 1\n. 1 1 .\n\n"
        "0 of 16 choices are in every answer, 8 in some, 8 in none (2 answers)\n"
    )


LATIN = """
cells r, c in 1..2
values v in 1..2
choose put(r, c, v)
exactly one put per r, c
exactly one put per r, v
exactly one put per c, v
"""


def test_pencil_marks_in_text(tmp_path: Path) -> None:
    assert covr.loads(LATIN).candidates().as_text() == "12 12\n12 12"
    assert covr.loads(LATIN + "given put(1, 1, 2)").candidates().as_text() == "2 1\n1 2"
    assert covr.loads(LATIN).candidates(count=5).as_text() == "1:1,2:1 1:1,2:1\n1:1,2:1 1:1,2:1"
    # A count that reached its cap is not repeated in every cell.
    assert covr.load("sudoku", clue="." * 81).candidates(count=1).as_text().count("123456789") == 81


def test_pencil_marks_in_a_picture(tmp_path: Path) -> None:
    svg = covr.loads(LATIN).candidates(count=5).svg()
    assert svg.count('class="pencil"') == 8
    assert svg.count(">1:1<") == 4
    plain = covr.load("sudoku").candidates().svg()
    assert 'class="pencil"' not in plain
    file = tmp_path / "marks.svg"
    result = run("queens", "-D", "n=6", "-o", str(file))
    assert result.exit_code == 0
    assert file.read_text(encoding="utf-8").count('class="pencil"') == 24
    assert "wrote" in result.stderr


def on(board: str) -> str:
    """A model whose choices are undecided except one, on a board."""
    return f"""
let room = {board}
cells x in room
choose put(x, d) for d in 1..3
exactly one put per x
at most 0 put per x where d = 3
given put(min(room), 1)
show d of put at x
"""


@pytest.mark.parametrize(
    ("board", "marks"),
    [
        ("hexagon(2)", 12),
        ("hexagon(1, triangle)", 10),
        ("box(2, 2, 2)", 14),
    ],
)
def test_pencil_marks_stand_in_the_cells_of_every_board(board: str, marks: int) -> None:
    svg = covr.loads(on(board)).candidates().svg()
    assert svg.count('class="pencil"') == marks
    assert 'class="row"' not in svg, "no list"


@pytest.mark.parametrize(
    ("board", "others"), [('area(sticks, "+-+\\n| |\\n+-+")', 3), ('area(balls, ". .\\n\\n. .")', 3)]
)
def test_on_sticks_and_balls_the_candidates_of_a_place_are_one_text(board: str, others: int) -> None:
    svg = covr.loads(on(board)).candidates().svg()
    assert svg.count(">12</text>") == others
    assert svg.count(">1</text>") == 1


def test_what_is_printed_is_no_candidate() -> None:
    found = covr.loads(on("hexagon(2)") + "print 9 at hex(2, 3)\nprint 8 at hex(2, 0)").candidates()
    assert found.as_text().splitlines()[1].split() == ["8", "12", "9,12", "12"]


def test_sticks_that_are_possible_are_dashed() -> None:
    model = covr.loads("""
let room = area(sticks, "+-+-+\\n| | |\\n+-+-+")
let ends(x) = if x[1] mod 2 = 1 then {(x[1], x[2] - 1), (x[1], x[2] + 1)} else {(x[1] - 1, x[2]), (x[1] + 1, x[2])}
choose draw(x) for x in room
loop draw along ends(x)
given draw(sticks(1, 2))
show "o" of draw at x
""")
    found = model.candidates(count=9)
    assert found.as_text() == "+2+1+\n2 1 1\n+2+1+"
    svg = found.svg()
    assert svg.count('class="taken"') == svg.count('class="possible"') == 1
    assert svg.count(">1</text>") == 4


def test_a_model_without_a_board_is_a_list() -> None:
    assert run("toy").stdout.splitlines()[2:5] == ["all  take(1)", "all  take(4)", "all  take(5)"]


def test_objects() -> None:
    found = objects("queens", "-D", "n=4", "--count", "3")
    assert [o["type"] for o in found] == ["start"] + ["candidate"] * 16 + ["end"]
    assert found[2] == {
        "type": "candidate", "family": "queen", "args": [1, 2], "text": "queen(1, 2)", "verdict": "some", "count": 1,
        "given": False,
    }  # fmt: skip
    end = found[-1]
    assert (end["status"], end["exit"], end["complete"], end["answers"], end["cap"]) == ("found", 0, True, 2, None)


def test_no_answer_and_limits() -> None:
    none = run("queens", "-D", "n=3")
    assert (none.exit_code, none.stdout) == (1, "no solution\n")
    assert covr.load("queens", n=3).candidates().as_text() == "no solution"
    limited = run("queens", "-D", "n=30", "--limit-nodes", "40")
    assert limited.exit_code == 3
    assert "not known" in limited.stdout
    assert "what is shown is not all" in limited.stderr
    assert objects("queens", "-D", "n=30", "--limit-nodes", "0")[-1]["status"] == "unknown"


@pytest.mark.parametrize("model, word", (("pentominoes", "up to"), ("crew", "minimize")))
def test_a_goal_and_classes_are_refused(model: str, word: str) -> None:
    result = run(model)
    assert result.exit_code == 2
    assert "error[E510]" in result.stderr
    assert f"`{word}`" in result.stderr
    with pytest.raises(ModelErrors):
        covr.load(model).candidates()


def test_what_can_not_be_asked() -> None:
    assert run("queens", "--count", "0").exit_code == 2
    assert run("queens", "--verify").exit_code == 2
    assert run("queens", "-o", "marks.xyz").exit_code == 2
    assert "error[E505]" in run("queens", "--engine", "highs").stderr
    with pytest.raises(ValueError, match="cap"):
        covr.load("queens").candidates(count=0)


def test_progress_is_the_share_of_settled_choices() -> None:
    from covr.questions.candidates import CandidateRun

    asked = CandidateRun(covr.load("queens", n=5).compiled, Options())
    assert asked.progress().fraction == 0
    asked.table()
    assert asked.progress().fraction == 1
