"""`covr candidates` and `Model.candidates`: verdicts, pictures, faults."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import covr
from covr.cli.group import cli
from covr.draw.board import RIM
from covr.draw.elements import DROP, THEMES, DrawnBlock, text_width
from covr.draw.inscribed import margins
from covr.draw.pencil import draw_pencilled
from covr.draw.pieces import links, one_text, possible_links
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


@pytest.mark.parametrize("clue", ["...\n.3.\n...", "3.3\n...\n3.3", ".2.\n2.2\n.2.", "3.\n..", "222\n2.2\n222"])
def test_lines_that_all_answers_have_are_drawn_and_those_of_some_are_dashed(clue: str) -> None:
    model = covr.load("slitherlink", clue=clue)
    drawn = [{(link.one, link.other) for link in links(answer.pictures[0])} for answer in model.solutions()]
    all_, some = set.intersection(*drawn), set.union(*drawn)
    table = model.candidates()
    (picture,) = table.pictures()
    assert {(link.one, link.other) for link in links(picture)} == all_
    possible = possible_links(picture)
    assert {(link.one, link.other) for link in possible} == some and len(possible) == len(some)
    assert ("stroke-dasharray" in table.svg()) == (all_ != some)
    strokes = sum(table.as_text().count(sign) for sign in "-|")
    assert (strokes > 0) == bool(all_)


@pytest.mark.parametrize("n", (4, 5, 6, 8))
def test_counts_are_those_of_the_answers(n: int) -> None:
    model = covr.load("queens", n=n)
    tally: dict[str, int] = {}
    for answer in model.solutions():
        for choice in answer.choices:
            tally[str(choice)] = tally.get(str(choice), 0) + 1
    table = model.candidates(count=10_000)
    assert {str(c): c.count for c in table if c.count} == tally


def test_candidates_of_queens_are_shown_as_text() -> None:
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


def test_pencil_marks_are_shown_as_text(tmp_path: Path) -> None:
    assert covr.loads(LATIN).candidates().as_text() == "12 12\n12 12"
    assert covr.loads(LATIN + "given put(1, 1, 2)").candidates().as_text() == "2 1\n1 2"
    assert covr.loads(LATIN).candidates(count=5).as_text() == "1:1,2:1 1:1,2:1\n1:1,2:1 1:1,2:1"
    # A count that reached its cap is not repeated in every cell.
    assert covr.load("sudoku", clue="." * 81).candidates(count=1).as_text().count("123456789") == 81


def test_pencil_marks_are_drawn(tmp_path: Path) -> None:
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


SPARSE = "98.76.5..7..4.89.........8.5......69.7...54...4.6.....4..5..6....3.....2........."
NINE = """
cells r, c in 1..3
values v in 1..9
choose put(r, c, v)
exactly one put per r, c
exactly one put per v
show v of put at r, c
"""
CORNERS = '\nprint "24×" at r, c for r in 1..3, c in 1..3'
SIGNS = """
print "<" at (r, c), (r, c + 1) for r in 1..3, c in 1..2
print "^" at (r, c), (r + 1, c) for r in 1..2, c in 1..3
"""
Box = tuple[float, float, float, float]


def boxes(block: DrawnBlock, kind: str) -> list[Box]:
    """The left, top, right and bottom of every text, or every line, of a class."""
    found = []
    for element in "".join(block.body).replace("<", "\n<").split("\n"):
        had = dict(re.findall(r'([\w-]+)="([^"]*)"', element))
        if had.get("class") != kind:
            continue
        if "d" in had:
            numbers = [float(x) for x in re.findall(r"-?[\d.]+", had["d"])]
            found.append((min(numbers[::2]), min(numbers[1::2]), max(numbers[::2]), max(numbers[1::2])))
            continue
        text, size = html.unescape(element.partition(">")[2]), float(had["font-size"])
        x, wide, middle = float(had["x"]), text_width(text, size), float(had["y"]) - DROP * size
        left = x - wide / 2 if "text-anchor" in had else x
        found.append((left, middle - 0.42 * size, left + wide, middle + 0.42 * size))  # as high as figures are
    return found


@pytest.mark.parametrize(
    ("model", "count"),
    [
        (NINE, None),
        (NINE, 100_000),
        (NINE + CORNERS, None),
        (NINE + 'print 1000 at r, c for r in 1..3, c in 1..3', 20_000),
        (NINE + SIGNS, None),
        (NINE + SIGNS + CORNERS, None),
        (NINE + 'print "×" at (r, c), (r + 1, c) for r in 1..2, c in 1..3', None),
        (NINE.replace("1..9", "101..130").replace("exactly one put per v", "at most one put per v"), None),
        (covr.load("dominoes", h=4, w=4), None),
        (covr.load("dominoes", h=3, w=4), 100),
        (covr.load("sudoku", clue=SPARSE), 900),
        (covr.load("nonogram", rows=["1 1", "1", "1 1", "1"], columns=["1", "2", "1", "1 1"]), 10),
    ],
)  # fmt: skip
def test_no_pencil_mark_overlaps_anything_or_leaves_its_cell(model: str | covr.Model, count: int | None) -> None:
    """Neither another mark nor what is printed in corners and between cells. Only one mark has each text in a cell."""
    model = covr.loads(model) if isinstance(model, str) else model
    table = model.candidates(count=count)
    (picture,) = table.pictures()
    block = draw_pencilled(picture, THEMES["light"])
    marks = boxes(block, "pencil")
    single = one_text(picture)
    pencilled = [(m.at, m.text) for m in picture.marks if m.faint or (single and m.note)]
    assert len(marks) == len(pencilled) == len(set(pencilled)) > 0
    (top, left), (bottom, right) = picture.low, picture.high
    above, before = margins(picture)[2], margins(picture)[0]
    wide = (block.width - 2 * RIM - sum(margins(picture)[:2])) / (right - left + 1)
    high = (block.height - 2 * RIM - sum(margins(picture)[2:])) / (bottom - top + 1)
    for x1, y1, x2, y2 in marks:
        column, row = (x1 - RIM - before) // wide, (y1 - RIM - above) // high
        assert x2 <= RIM + before + (column + 1) * wide and y2 <= RIM + above + (row + 1) * high
    others = [b for kind in ("corner", "sign", "between") for b in boxes(block, kind)]
    for k, one in enumerate(marks):
        for other in (*marks[:k], *others):
            apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
            assert apart, (one, other)


def test_choices_that_look_the_same_are_one_mark() -> None:
    """How many answers show it is known if the choices exclude each other; a cell of dominoes has several of them."""
    text = covr.load("dominoes", h=2, w=3).candidates(count=100).as_text()
    assert text == "3 3 3\n3 3 3", "all three answers cover each cell"
    assert covr.load("dominoes").candidates(count=2).as_text().split() == ["o?"] * 64
    # Two choices of different families may both be in an answer: then nothing is said.
    both = """
cells x in 1..2
choose a(x)  choose b(x)
at least one a or b per x
show "*" of a at x
show "*" of b at x
"""
    pictures = covr.loads(both).candidates(count=50).pictures()
    assert [[(m.at, m.note) for m in p.marks] for p in pictures] == [[((1,), ""), ((2,), "")]]


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


def test_candidates_are_written_as_json() -> None:
    found = objects("queens", "-D", "n=4", "--count", "3")
    assert [o["type"] for o in found] == ["start"] + ["candidate"] * 16 + ["end"]
    assert found[2] == {
        "type": "candidate", "family": "queen", "args": [1, 2], "text": "queen(1, 2)", "verdict": "some", "count": 1,
        "given": False,
    }  # fmt: skip
    end = found[-1]
    assert (end["status"], end["exit"], end["complete"], end["answers"], end["cap"]) == ("found", 0, True, 2, None)


def test_no_answer_and_spent_limits_are_told_apart() -> None:
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
