"""`covr hint`, `covr grade` and `Model.hints`: words, pictures, faults, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import covr
from covr.cli.group import cli
from covr.cli.progress import sentence
from covr.dsl.diagnostics import ModelErrors
from covr.engine import Problem, build, reference
from covr.engine.proofs.decide import Ground
from covr.engine.proofs.way import WayStep
from covr.explain.hints import HintRun
from covr.questions.options import Options
from tests.constants import Constants
from tests.covr.command import run

pytestmark = pytest.mark.long

LATIN = """
title "A square"
cells r, c in 1..2
values d in 1..2
choose put(r, c, d)
exactly one put per r, c  "cell {r},{c}"
exactly one put per r, d  "row {r} has {d}"
exactly one put per c, d  "column {c} has {d}"
"""
LOCKED = "98.76.5..7..4.89.........8.5......69.7...54...4.6.....4..5..6....3.....2....1...."
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def test_a_path_leads_to_the_answer() -> None:
    model = covr.load("sudoku")
    path = model.hints()
    found = model.solve()
    assert found is not None
    answer = {str(choice) for choice in found}
    taken = {str(choice) for hint in path for choice in hint.taken}
    given = {str(c.choice) for c in model.candidates() if c.given}
    assert taken | given == answer
    assert taken.isdisjoint(given)
    assert path.whole and path.complete and not path.open
    assert path.grade.hardest == 1 and path.grade.figure == 1.0 and path.grade.proved


def test_the_first_step_is_given_alone() -> None:
    path = covr.load("sudoku", clue=LOCKED).hints(first=True)
    (hint,) = path
    assert path.complete and not path.whole
    assert [rule.name for rule in hint.reasons[0].rules] == ["column 2 contains 9", "box 2,0 contains 9"]
    assert [str(c) for c in hint.out] == ["place(7, 3, 9)", "place(9, 3, 9)"]
    assert hint.size == 2 and hint.proved and not hint.taken
    assert "| 4  9? -9 |" in str(hint)


def test_what_is_known_is_named() -> None:
    """Cell 1,2 can only hold 2, because 1 stands in cell 1,1."""
    (hint,) = covr.loads(LATIN + "given put(1, 1, 1)").hints(first=True)
    assert [str(c) for c in hint.reasons[0].known] == ["put(1, 1, 1)"]
    assert hint.as_text().splitlines()[-2:] == ["1  =2", "=2 =1"]


def test_a_picture_marks_reason_and_conclusion() -> None:
    (hint,) = covr.load("sudoku", clue=LOCKED).hints(first=True)
    svg = hint.svg()
    assert svg.count('<rect class="out"') == 2
    assert svg.count('<rect class="reason"') >= 3
    assert svg.count('<path class="out"') == 2
    assert 'class="taken"' not in svg
    for theme in ("dark", "print", "mono"):
        assert 'class="reason"' in hint.svg(theme)
    roles = {(m.at, m.text): m.role for p in hint.pictures() for m in p.marks if m.role}
    assert roles[(7, 3), "9"] == roles[(9, 3), "9"] == "out"
    assert roles[(7, 2), "9"] == "reason"


def test_totals_are_rules_too() -> None:
    model = covr.loads("""
        cells x in 1..3
        choose take(x)
        exactly 5 total 2 * x - 1 of take  "together 5"
    """)
    (hint,) = model.hints()
    assert [rule.name for rule in hint.reasons[0].rules] == ["together 5"]
    assert {str(c) for c in hint.taken} == {"take(3)"}
    assert {str(c) for c in hint.out} == {"take(1)", "take(2)"}


CUT = """
cells r, c in 1..3
choose dark(r, c)
connected dark at r, c  "dark squares hang together"
given dark(1, 1)
given dark(3, 1)
given dark(1, 3)
forbid dark(2, 1)
forbid dark(3, 2)
forbid dark(2, 3)
show "#" of dark at r, c
"""


def test_a_move_says_what_would_be_closed_off() -> None:
    said = run("hint", "-", "-n", "9", input=CUT).stdout
    assert said.splitlines()[0] == "no solution"
    open_ = CUT.replace("forbid dark(3, 2)\n", "")
    lines = run("hint", "-", input=open_).stdout.splitlines()
    assert lines[:3] == [
        "move 1: r1c2 is dark",
        "  because dark squares hang together: otherwise this part would be closed off",
        "  2 other moves follow from one rule each",
    ]
    moves = list(HintRun(covr.loads(open_).compiled).moves())
    assert {str(c) for m in moves for c in m.taken} == {"dark(1, 2)", "dark(2, 2)", "dark(3, 2)"}
    assert [m.more for m in moves] == [2, 1, 0] and [m.number for m in moves] == [1, 2, 3]
    (because,) = moves[0].reasons
    assert [str(c) for c in because.known] == ["dark(1, 1)"]
    roles = {m.at: m.role for p in moves[0].pictures() for m in p.marks if m.role}
    assert roles == {(1, 1): "reason", (1, 2): "taken"}


def test_a_move_says_where_a_line_would_end() -> None:
    text = """
        cells r, c in 1..3
        let lines = {{(r, c), (r, c + 1)} for r in 1..3, c in 1..2} | {{(r, c), (r + 1, c)} for r in 1..2, c in 1..3}
        choose draw(e) for e in lines
        loop draw along e  "one loop"
        forbid draw({(1, 1), (1, 2)})
    """
    (move, *_) = HintRun(covr.loads(text).compiled).moves()
    assert move.lines().__next__() == "move 1: rule out draw({(1, 1), (2, 1)})"
    assert "because one loop: otherwise a line would end there" in "\n".join(move.lines())


def test_lines_of_a_hint_are_marked_as_lines() -> None:
    """Not the squares around their ends: a band for each role, and a cross on what is ruled out."""
    moves = list(HintRun(covr.load("masyu").compiled).moves())
    for move in moves[:6]:
        svg = move.svg()
        kinds = {kind for kind in ("taken", "out") if f'<path class="{kind}"' in svg}
        assert kinds == {kind for kind in ("taken", "out") if getattr(move, kind)}
        assert ('class="crossed"' in svg) == bool(move.out)
        assert not any(f'<rect class="{kind}"' in svg for kind in ("taken", "out", "reason"))
        drawn = {m.option for p in move.pictures() for m in p.marks if m.role == "taken"}
        assert drawn == {choice.number for choice in move.taken}


def test_moves_are_the_steps_in_pieces() -> None:
    """Each takes one choice, or rules out what one reason does; nothing is left out, and nothing is told twice."""
    for model in (covr.load("sudoku"), covr.load("toy")):
        steps = model.hints()
        moves = list(HintRun(model.compiled).moves())
        for kind in ("taken", "out"):
            every = [choice for hint in steps for choice in getattr(hint, kind)]
            assert [c for move in moves for c in getattr(move, kind)] == every
        assert all((len(m.taken) == 1 and not m.out) or not m.taken for m in moves)
        assert [m.number for m in moves] == list(range(1, len(moves) + 1))


def test_helpers_are_not_told_of_but_their_rules_are() -> None:
    """That it glows at 1 is known of a family that nothing draws."""
    text = """
        cells x in 1..3
        choose lit(x)
        choose glow(x)
        exactly one glow per x where x = 1  "it glows at {x}"
        if glow(x) then lit(x) for x in 1..3  "where it glows, {x} is lit"
        exactly 1 lit  "one is lit"
        show "o" of lit at x
    """
    (move,) = HintRun(covr.loads(text).compiled).moves()
    assert list(move.lines()) == [
        "move 1: take lit(1)",
        "  because where it glows, 1 is lit",
        "  and because it glows at 1",
    ]
    steps = [str(c) for hint in covr.loads(text).hints() for c in hint.taken]
    assert steps == ["glow(1)", "lit(1)"]


# Nurikabe with a family for each island, whose rules take several steps to follow.
ISLANDS = '''
param clue = grid """
  .2..2
  .....
  4..3.
  .....
  ...2.
"""
let board = frame(clue)
let high = max({r for (r, c) in board})
let wide = max({c for (r, c) in board})
let most(k) = if clue[k] = "?" then size(board) else clue[k]

cells (r, c) in board
choose sea(r, c)
choose land(r, c, k) for k in clue where abs(r - k[1]) + abs(c - k[2]) < max(1, most(k))

exactly one sea or land per r, c   "r{r}c{c} is land or sea"
exactly clue[i, j] land per (i, j) in clue where k = (i, j)   "the island at r{i}c{j} has {clue[i, j]} squares"
connected land at r, c per k       "the island at {k} hangs together"
connected sea at r, c              "the sea hangs together"
at most 3 sea per i in 1..high - 1, j in 1..wide - 1 where i <= r <= i + 1 and j <= c <= j + 1
agree land on {(r, c), x} = k for x in neighbours((r, c)) & board   "islands do not touch"
given land(i, j, (i, j)) for (i, j) in clue

show "#" of sea at r, c as dark
print clue[r, c] at r, c for (r, c) in clue
'''


def test_a_look_ahead_says_how_a_reason_is_followed() -> None:
    """Without helpers, whose rules are said where they are used; or, if there is nothing else, with them."""
    moves = list(HintRun(covr.loads(ISLANDS).compiled).moves())
    assert list(moves[1].lines()) == [
        "move 2: r2c4 is sea",
        "  because r2c4 is land or sea",
        "  and because the island at r1c5 has 2 squares",
        "  and because islands do not touch on {(1, 4), (2, 4)}",
        "  and because islands do not touch on {(2, 4), (2, 5)}",
    ]
    assert list(moves[2].lines())[1:4] == [
        "  if r2c1 were not sea:",
        "    r1c1 is sea: r2c1 is land or sea; islands do not touch on {(1, 1), (2, 1)}; r1c1 is land or sea",
        "    but then this fails: the sea hangs together",
    ]
    assert list(moves[5].lines())[1:4] == [
        "  first, rule out land(4, 5, (3, 4)): r5c5 is land or sea; islands do not touch on {(4, 5), (5, 5)}; "
        "the sea hangs together; and 2 more rules",
        "  first, take land(3, 3, (3, 4)): islands do not touch on {(4, 4), (5, 4)}; the island at r3c4 has 3 squares; "
        "the island at (3, 4) hangs together; and 3 more rules",
        "  because r3c2 is land or sea",
    ]
    (because,) = moves[2].reasons
    assert because.ahead is not None and not because.ahead.facts
    roles = {m.at: m.role for p in moves[2].pictures() for m in p.marks if m.role}
    assert roles == {(1, 1): "reason", (2, 1): "taken"}


def test_a_reason_of_many_rules_is_not_listed(constants: Constants) -> None:
    move = list(HintRun(covr.loads(ISLANDS).compiled).moves())[2]
    constants("covr.explain.hints", MOST_PARTS=0)
    assert list(move.lines())[1] == "  because of 4 rules together: it takes a look 1 step ahead"


def test_rules_without_a_label_go_without_saying() -> None:
    said = run("hint", "heyawake").stdout
    assert "r5c4 is not shade: room h has 1 shaded" in said and "exactly one" not in said


@pytest.mark.parametrize("name", ["nurikabe", "masyu", "hitori"])
def test_hints_lead_to_the_end_of_connected_puzzles(name: str) -> None:
    path = covr.load(name).hints()
    found = covr.load(name).solve()
    assert path.whole and not path.open and found is not None
    answer = {str(choice) for choice in found}
    assert {str(c) for hint in path for c in hint.taken} <= answer
    assert answer.isdisjoint(str(c) for hint in path for c in hint.out)


def test_n_and_all_do_not_go_together() -> None:
    assert run("hint", "sudoku", "-n", "2", "--all").exit_code == 2


def test_where_nothing_follows() -> None:
    path = covr.load("queens").hints()
    assert not path and path.complete and path.whole and len(path.open) == 64
    result = run("hint", "queens")
    assert result.exit_code == 1
    assert result.stdout == "nothing follows: 64 choices are in some answers and not in others\n"


def test_where_nothing_more_follows() -> None:
    text = LATIN + "choose lamp()\nshow d of put at r, c\ngiven put(1, 1, 1)"
    result = run("hint", "-", "--all", input=text)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == "nothing more follows: 1 choice is in some answers and not in others"
    result = run("grade", "-", input=text)
    assert result.exit_code == 1
    assert result.stdout.startswith("not unique, grade 1.00")


def test_where_there_is_no_answer() -> None:
    for command in ("hint", "grade"):
        result = run(command, "queens", "-D", "n=3")
        assert (result.exit_code, result.stdout) == (1, "no solution\n")
    assert covr.load("queens", n=3).hints().solvable is False


def test_where_nothing_is_left() -> None:
    text = "cells x in 1..2\nchoose take(x)\nexactly one take\ngiven take(1)\n"
    result = run("hint", "-", input=text)
    assert (result.exit_code, result.stdout) == (1, "nothing is left to find\n")
    result = run("grade", "-", input=text)
    assert (result.exit_code, result.stdout) == (0, "grade 0.00: 0 steps, none\n")


@pytest.mark.parametrize(("model", "code"), [("pentominoes", "E510"), ("experts", "E510")])
def test_models_that_hints_do_not_suit_are_refused(model: str, code: str) -> None:
    for command in ("hint", "grade"):
        result = run(command, model)
        assert result.exit_code == 2
        assert f"error[{code}]" in result.output
    with pytest.raises(ModelErrors):
        covr.load(model).hints()


def test_a_limit_leaves_the_path_open() -> None:
    result = run("hint", "sudoku", "--limit-nodes", "0")
    assert result.exit_code == 3
    result = run("grade", "sudoku", "--limit-nodes", "0")
    assert (result.exit_code, result.stdout) == (3, "unknown\n")


def test_an_interrupt_ends_the_path() -> None:
    hints = HintRun(covr.load("sudoku").compiled, Options())
    for _ in hints.hints():
        hints.interrupt()
    path = hints.path()
    assert hints.status == "interrupted"
    assert len(path) == 1 and not path.whole and not path.complete


def test_json_says_what_the_words_say() -> None:
    lines = [json.loads(line) for line in run("hint", "toy", "--all", "--json").stdout.splitlines()]
    assert [line["type"] for line in lines] == ["start", "hint", "hint", "hint", "end"]
    assert [rule["name"] for rule in lines[1]["reasons"][0]["rules"]] == ["item a", "item d"]
    assert lines[1]["reasons"][0]["out"] == ["take(6)"]
    assert (lines[-1]["steps"], lines[-1]["exit"], lines[-1]["complete"]) == (3, 0, True)


def test_every_step_has_a_picture(tmp_path: Path) -> None:
    file = tmp_path / "steps.svg"
    assert run("hint", "sudoku", "--all", "-o", str(file)).exit_code == 0
    assert file.read_text("utf-8").count(">step ") == 5


def test_a_collection_is_graded(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.txt"
    file.write_text("\n".join((EASY, "rubbish", "." * 81, "55" + "." * 79)) + "\n", "utf-8")
    result = run("grade", "sudoku", "--each", f"clue={file}")
    assert result.exit_code == 2
    words = result.stdout.splitlines()
    assert words[0] == "grade 1.00: 5 steps, 5 of size 1"
    assert words[1:] == ["error", "not unique, grade 0.00: 0 steps, none", "no solution"]
    good = tmp_path / "good.txt"
    good.write_text(EASY + "\n", "utf-8")
    assert run("grade", "sudoku", "--each", f"clue={good}").exit_code == 0


def test_wrong_collections_are_refused(tmp_path: Path) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_text("", "utf-8")
    for each, code in (
        ("clue", "E504"),
        ("nothing=x", "E507"),
        ("clue=missing.txt", "E502"),
        (f"clue={empty}", "E506"),
    ):
        result = run("grade", "sudoku", "--each", each)
        assert (result.exit_code, f"error[{code}]" in result.output) == (2, True)


def test_a_matrix_has_hints_too(tmp_path: Path) -> None:
    file = tmp_path / "toy.dlx"
    file.write_text("a b c d e f g\nc e\na d g\nb c f\na d f\nb g\nd e g\n", "utf-8")
    result = run("hint", str(file), "--all")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == "grade 2.01: 3 steps, 2 of size 1, 1 of size 2"


def test_progress_of_hints_only_grows(constants: Constants) -> None:
    asked = HintRun(covr.load("sudoku").compiled)
    assert asked.progress().fraction == 0 and asked.progress().steps == 0
    shares = []
    for _ in asked.hints():
        shares.append(asked.progress().fraction or 0)
    assert shares == sorted(shares) and shares[-1] == 1.0
    assert asked.progress().steps == len(shares) and sentence(asked.progress(), 1, 1, None).startswith(
        "100.0 %, 5 steps"
    )
    constants("covr.cli.progress", EVERY_OBJECT=0.002)
    words = ["hint", "sudoku", "-D", f"clue={EASY}", "--all", "--json", "--progress"]
    lines = CliRunner().invoke(cli, words).stdout.splitlines()
    told = [json.loads(line) for line in lines if '"progress"' in line]
    assert told and all(line["steps"] >= 0 and 0 <= line["fraction"] <= 1 for line in told)


@pytest.mark.parametrize("name", ["nonogram", "tents"])
def test_every_step_of_other_puzzles_is_forced_by_its_reason_alone(name: str) -> None:
    """By the oracle: the conditions of the reason, and what is known before, have no answer in which a conclusion
    fails."""
    path = covr.load(name).hints()
    assert path.whole and not path.open
    problem = path.compiled.problem
    for hint in path:
        for reason in hint.step.reasons:
            for o in (*reason.taken, *reason.out):
                assert forced_alone(problem, hint.step, reason.conditions, o, o in reason.taken)


@pytest.mark.slow
def test_steps_of_a_kakuro_add_up_single_runs() -> None:
    """Each reason is proved again by trying all sums; and none is larger than a run with its squares and digits."""
    path = covr.load("kakuro").hints()
    assert path.whole and not path.open and path.grade.hardest <= 14
    problem = path.compiled.problem
    for hint in path:
        for reason in hint.step.reasons:
            ground = Ground(problem, hint.step.before_taken, hint.step.before_out)
            for o in (*reason.taken, *reason.out):
                wrong = o not in reason.taken
                assert not can_be(ground, list(reason.conditions), {o: wrong})


def can_be(ground: Ground, conditions: list[int], value: dict[int, bool]) -> bool:
    """Whether some options can have these values where some conditions hold; one option after the other is tried."""
    free = None
    for c in conditions:
        here = ground.members[c]
        left = [o for o in here if o not in value]
        sums = [[ground.terms.get(c, {}).get(o, 1)] for o in here if value.get(o)]
        least = most = sum(n for (n,) in sums)
        most += sum(ground.terms.get(c, {}).get(o, 1) for o in left)  # all count more than 0 here
        ranges = ground.sums[c] if c in ground.terms else ((ground.low[c], ground.high[c]),)
        if not any(low <= most and least <= high for low, high in ranges):
            return False
        if left and (free is None or len(left) < free[0]):
            free = len(left), left[0]
    if free is None:
        return True
    return any(can_be(ground, conditions, {**value, free[1]: v}) for v in (True, False))


def forced_alone(problem: Problem, step: WayStep, conditions: tuple[int, ...], option: int, taken: bool) -> bool:
    """Whether these items alone leave no other value to an option; all of their options that are open are tried."""
    open_ = sorted({o for c in conditions for o in problem.holders[c]} - step.before_taken - step.before_out)
    names = {i: k for k, i in enumerate(conditions)}
    held = {i: sum(o in step.before_taken for o in problem.holders[i]) for i in conditions}
    bounds = [(max(problem.low[i] - held[i], 0), max(problem.high[i] - held[i], 0)) for i in conditions]
    rows = [[names[i] for i in problem.option(o) if i in names] for o in open_]
    small = build(bounds, rows)
    return all((open_.index(option) in answer) == taken for answer in reference.answers(small))


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("experts", {"hint": "E510", "candidates": "E510", "make": "E510", "grade": "E510"}),
        ("pentominoes", {"hint": "E510", "candidates": "E510", "make": "E510", "compile": "E510"}),
        ("holes", {"hint": "E510", "candidates": "E510", "make": "E510", "compile": "E505"}),
        ("crossword", {"make": "E515"}),
    ],
)
def test_models_that_a_question_does_not_fit(name: str, codes: dict[str, str], tmp_path: Path) -> None:
    for command, code in codes.items():
        file = tmp_path / "a.zdd"
        result = run(command, name, *(["-o", str(file)] if command == "compile" else []))
        assert result.exit_code == 2 and f"error[{code}]" in result.stderr, (command, result.stderr)
        assert not file.exists()


def test_models_without_answers_say_so(tmp_path: Path) -> None:
    for command in ("hint", "grade", "candidates", "make"):
        result = run(command, "queens", "-D", "n=3")
        assert result.exit_code == 1 and result.stdout == "no solution\n", command
    result = run("compile", "queens", "-D", "n=3", "-o", str(tmp_path / "a.zdd"))
    assert (result.exit_code == 1 and "no solution" in result.stdout.lower()) or "0 solutions" in result.stdout


def test_choices_that_look_the_same_are_one_mark_in_a_hint() -> None:
    """Item 1 is held by options 2 and 4, which both hold item 4: so option 6 is ruled out, but item 4 is still held."""
    model = covr.loads("""
let sets = [{3, 5}, {1, 4, 7}, {2, 3, 6}, {1, 4, 6}, {2, 7}, {4, 5, 7}]
cells x in 1..7
choose take(k) for k in 1..6
exactly one take per x where x in sets[k]
show "o" of take at x where x in sets[k]
""")
    first = next(iter(model.hints()))
    assert [str(choice) for choice in first.out] == ["take(6)"]
    (picture,) = first.pictures()
    roles = {mark.at: mark.role for mark in picture.marks}
    assert len(picture.marks) == len(roles)
    assert (roles[1,], roles[4,], roles[5,], roles[7,]) == ("reason", "reason", "out", "reason")
