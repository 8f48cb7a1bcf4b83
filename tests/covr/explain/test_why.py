"""`covr why`: what it says, and that what it says is true."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import covr
from covr.cli.group import cli
from covr.dsl.diagnostics import ModelErrors
from covr.engine import check
from covr.engine.proofs.certificate import Balance, Counting
from covr.explain.choice_words import find_choice
from covr.explain.why import Inquiry, explain
from covr.explain.why_text import Why
from covr.inputs.library import find_source
from covr.questions.options import Options
from tests.covr.command import run

pytestmark = pytest.mark.long

EULER = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
SCOTT = """
use "std/pentominoes"
let room = area '''
  .......#
  ........
  ........
  ...##...
  ...##...
  ........
  ........
  ........
'''
cells  x in room
values p in pentominoes
choose put(p, s) for s in placements(p, room)
exactly one put per p                       "piece {p} is used once"
exactly one put per x where x in s          "square {x} is covered once"
""".replace("'''", '"""')
MUTILATED = """
param n = 8
let board = {(r, c) for r in 1..n, c in 1..n where (r, c) not in {(1, 1), (n, n)}}
cells x in board
choose lay(a, b) for a in board, b in neighbours(a) & board where a < b
exactly one lay per x where x in {a, b}  "square {x} is covered once"
"""
ROOKS = """
cells r, c in 1..3
choose rook(r, c)
exactly one rook per r  "row {r}"
exactly one rook per c  "column {c}"
forbid rook(2, 2)
"""


def sudoku(**clues: int) -> covr.Model:
    """Project Euler's first sudoku with some digits changed: `r1c3=1`."""
    text = list(EULER)
    for place, digit in clues.items():
        text[(int(place[1]) - 1) * 9 + int(place[3]) - 1] = str(digit)
    return covr.load("sudoku", clue="".join(text))


def names(why: Why) -> list[str]:
    return [m.name for m in why.members]


# --- no answer ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", [1, 2, 4])
def test_a_digit_twice_in_a_unit_is_a_conflict_of_two_givens(row: int) -> None:
    """A wrong given that clashes with one other: both are named, and what they clash in."""
    why = sudoku(r1c3=3).why() if row == 1 else sudoku(**{f"r{row}c4": 7 if row == 2 else 4}).why()
    assert why.verdict == "conflict"
    assert why.minimal
    assert len(why.members) == 3
    assert sum(m.kind == "given" for m in why.members) == 2


@pytest.mark.parametrize(("place", "digit"), [("r1c3", 1), ("r9c1", 2), ("r3c1", 2), ("r5c5", 9), ("r4c2", 2)])
def test_a_wrong_given_is_named(place: str, digit: int) -> None:
    """One wrong given, however late it shows: leaving it out is a cure, and searches stay few."""
    inquiry = Inquiry(sudoku(**{place: digit}).compiled, Options())
    why = inquiry.explain()
    wrong = f"given place({place[1]}, {place[3]}, {digit})"
    assert (why.verdict, why.minimal, why.stopped) == ("conflict", True, False)
    assert wrong in [m.name for m in why.cures]
    assert wrong in names(why)
    assert len(why.members) <= 30
    assert inquiry.budget.searches < 1000


def test_the_conflict_is_one_and_minimal() -> None:
    """Checked anew: the items and givens alone have no answer, and have one without any of them."""
    model = sudoku(r9c1=2)
    why = model.why()
    problem = model.problem
    items = {problem.item_names.index(m.name) for m in why.members if m.kind == "rule"}
    givens = {m.name.removeprefix("given ") for m in why.members if m.kind == "given"}
    taken = [o for o in problem.given if str(model.compiled.choice(o)) in givens]
    assert len(items) + len(taken) == len(why.members)

    def text(items: set[int], taken: list[int]) -> str:
        """A model of plain sets that says the same."""
        rows = [sorted(items & set(problem.option(o))) for o in range(problem.options)]
        lines = [f"exactly one take per i in {{{', '.join(map(str, sorted(items)))}}} where i in o[2]"] if items else []
        options = ", ".join(f"[{o}, {{{', '.join(map(str, row))}}}]" for o, row in enumerate(rows) if row)
        given = [f"given take([{o}, {{{', '.join(map(str, rows[o]))}}}])" for o in taken if rows[o]]
        return "\n".join([f"choose take(o) for o in [{options}]", *lines, *given])

    assert covr.loads(text(items, taken)).solve() is None
    for item in items:
        assert covr.loads(text(items - {item}, taken)).solve() is not None
    for option in taken:
        assert covr.loads(text(items, [o for o in taken if o != option])).solve() is not None


def test_scotts_board_without_a_square_has_too_little_room() -> None:
    why = covr.loads(SCOTT).why()
    assert why.verdict == "counted"
    assert why.proof is not None
    assert isinstance(why.proof.found, Counting)
    assert (why.proof.found.need, why.proof.found.ratio, why.proof.found.room) == (12, 5, 59)
    text = str(why)
    assert "wants 12 choices" in text
    assert "that makes 60, and it has 59" in text


def test_scotts_board_with_a_square_more_has_too_much_room() -> None:
    """61 squares: the pieces cover 60 at most."""
    text = SCOTT.replace(".......#", "........").replace("...##...", "...#....", 1)
    assert "allows 12 choices" in (said := str(covr.loads(text).why()))
    assert "that makes 60, and it has 61" in said


def test_the_mutilated_chessboard_is_refuted_by_its_colours() -> None:
    why = covr.loads(MUTILATED).why()
    assert why.verdict == "counted"
    assert why.proof is not None
    assert isinstance(why.proof.found, Balance)
    assert [len(members) for _, members in why.proof.parts] == [32, 30]
    assert "- + - + - + - +" in str(why)


def test_why_compares_the_sums_of_a_kakuro() -> None:
    """One clue is wrong by 1, so that what the runs across want and what those down want is not the same."""
    why = covr.loads(find_source("kakuro").text.replace("  21  .", "  22  .", 1)).why()
    assert why.verdict == "counted"
    assert why.proof is not None
    assert [(weight, len(members)) for weight, members in why.proof.parts] == [(1, 10), (-1, 8)]
    text = str(why)
    assert "every choice adds as much to the 10 marked + as to the 8 marked -," in text
    assert "and together the first want 1 more" in text
    assert "  -  the run down from (1, 2) adds up to 17, the run down from (1, 3) adds up to 37 … and 6 more" in text


@pytest.mark.parametrize(
    ("model", "right", "wrong", "lines", "searches"),
    [
        ("skyscrapers", "right   3 . 4 . .", "right   3 . 5 . .", 40, 700),
        ("kakuro", "  14  .  .  #  6  .  .", "  15  .  .  #  6  .  .", 60, 2000),
    ],
)
def test_the_reason_of_a_wrong_sum_is_minimal(model: str, right: str, wrong: str, lines: int, searches: int) -> None:
    """Where covr's own searches are long, clingo's cores are asked for. The kakuro has two wrong clues, so that its
    sums agree."""
    pytest.importorskip("clingo")
    text = find_source(model).text.replace(right, wrong, 1).replace(". 17  .  .  .  .  8\n", ". 17  .  .  .  .  9\n", 1)
    inquiry = Inquiry(covr.loads(text).compiled, Options(limit_time=600.0))
    why = inquiry.explain()
    assert (why.verdict, why.minimal) == ("conflict", True)
    assert len(why.told) <= lines
    assert inquiry.budget.searches <= searches


def test_why_compares_two_sums() -> None:
    said = str(covr.loads('cells x in 1..3\nchoose a(x)\nexactly 3 total x of a\nexactly 5 total x of a "five"').why())
    assert "every choice adds as much to the one marked + as to the one marked -," in said
    assert "and together the second want 2 more" in said


def test_why_finds_a_reason_of_parity() -> None:
    assert "even number of these 7" in str(covr.load("langford", n=5).why())


def test_why_finds_a_reason_by_division() -> None:
    """Pieces of five squares on 24."""
    text = SCOTT.replace("exactly one put per p ", "at most 9 put per p ").replace("area '''", "area")
    head, _, rest = text.partition("let room")
    text = f"{head}let room = box(5, 5) - {{(1, 1)}}\ncells" + rest.partition("cells")[2]
    said = str(covr.loads(text).why())
    assert "every choice covers a multiple of 5 of these 24, and they want 24, which is none" in said


def test_why_counts_the_weeks_of_golfers() -> None:
    """12 players in threes: in 6 weeks each would meet 12 others, and there are 11."""
    said = str(
        covr.loads(
            "choose meet(w, g) for w in 1..6, g in subsets(1..12, 3)\n"
            "exactly one meet per w in 1..6, p in 1..12 where p in g\n"
            "at most one meet per q in subsets(1..12, 2) where size(q & g) = 2"
        ).why()
    )
    assert "and each of them covers at least 1 place of" in said
    said = str(
        covr.loads(
            "choose meet(w, g) for w in 1..4, g in subsets(1..8, 4)\n"
            "exactly one meet per w in 1..4, p in 1..8 where p in g\n"
            "at most one meet per q in subsets(1..8, 2) where size(q & g) = 2"
        ).why()
    )
    assert "wants 32 places covered," in said
    assert "and what covers 2 of them covers at least 3 of the rule" in said
    assert "that makes 48, and it has 28" in said


def test_why_finds_that_pigeons_lack_holes() -> None:
    text = "choose sit(p, h) for p in 1..4, h in 1..3\nexactly one sit per p\nat most one sit per h"
    assert "covers at least 1 place of the rule `at most one sit per h`" in str(covr.loads(text).why())


def test_an_item_that_nothing_satisfies_comes_first() -> None:
    why = covr.loads('cells i in 1..3\nchoose f(i) where i < 3\nexactly one f per i "{i} is met"').why()
    assert why.verdict == "impossible"
    assert str(why).startswith('no solution: nothing can satisfy "3 is met"')


def test_rules_alone_can_contradict_each_other() -> None:
    why = covr.load("queens", n=3).why()
    assert why.verdict == "conflict"
    assert {m.kind for m in why.members} == {"rule"}
    assert len({m.name for m in why.members}) == len(why.members), "equal labels are told apart"
    assert all(m.kind == "statement" for m in why.cures)


def test_a_given_of_two_statements_is_named_once() -> None:
    why = covr.loads(ROOKS + "given rook(1, 1)\ngiven rook(1, 2)\ngiven rook(1, 1)").why()
    assert names(why) == ["row 1", "given rook(1, 1)", "given rook(1, 2)"]
    assert {m.name for m in why.cures} == {"given rook(1, 1)", "given rook(1, 2)"}


def test_givens_are_named_by_their_labels() -> None:
    text = ROOKS + 'given rook(1, c) where c = 1 "the first"\ngiven rook(r, 1) where r = 3 "the second"'
    why = covr.loads(text).why()
    assert names(why) == ["column 1", "the first", "the second"]


def test_why_finds_that_colours_cannot_agree() -> None:
    """Tiles whose edges can't agree."""
    why = covr.loads(
        "cells i in 1..2\nvalues v in 1..2\nchoose tile(i, v)\nexactly one tile per i\n"
        'agree tile on 1 = v "the edge"\ngiven tile(1, 1)\ngiven tile(2, 2)'
    ).why()
    assert names(why) == ["the edge on 1", "given tile(1, 1)", "given tile(2, 2)"]


def test_a_budget_that_runs_out_is_said() -> None:
    why = sudoku(r1c3=1).why(limit_nodes=60)
    assert why.verdict == "conflict"
    assert not why.minimal
    assert why.stopped
    assert "at most these" in str(why)
    assert "not proved minimal" in str(why)
    why = sudoku(r1c3=1).why(limit_nodes=0)
    assert why.verdict == "unknown"
    assert str(why).startswith("not known")


def test_a_run_that_is_interrupted() -> None:
    inquiry = Inquiry(sudoku(r1c3=1).compiled, Options())
    inquiry.interrupt()
    assert inquiry.explain().verdict == "unknown"


# --- answers ------------------------------------------------------------------------------------------------


def test_a_model_with_an_answer_is_told_so() -> None:
    why = covr.load("queens", n=6).why()
    assert why.verdict == "answered"
    assert str(why).startswith("there is an answer\n")


def test_a_promise_to_be_unique() -> None:
    assert covr.load("sudoku").why().verdict == "unique"
    model = sudoku(r4c5=0, r8c4=0, r8c6=0)
    why = model.why()
    assert why.verdict == "several"
    assert all(check(model.problem, a.options) is None for a in why.answers)
    one, other = (a.as_dict()["place"] for a in why.answers)
    places = {f"({r}, {c})" for (r, c, d), (_, _, e) in zip(one, other, strict=True) if d != e}
    assert f"two answers that differ in {len(places)} places" in str(why)
    assert all(f"  {place}: " in str(why) for place in places)


# --- a choice -----------------------------------------------------------------------------------------------


def test_an_excluded_choice_has_its_reasons() -> None:
    why = covr.load("sudoku").why("place(1, 3, 5)")
    assert (why.verdict, why.minimal) == ("excluded", True)
    assert "given place(1, 1, 5)" in names(why)
    assert len(why.members) == 2


def test_a_forced_choice_has_its_reasons() -> None:
    why = covr.loads(ROOKS + "given rook(1, 1)").why("rook(2, 3)")
    assert (why.verdict, names(why)) == ("forced", ["row 2", "column 1", "given rook(1, 1)"])
    assert str(why).startswith("rook(2, 3) is in every answer\nthese 3 force it")


def test_a_free_choice_is_in_one_answer_and_not_in_another() -> None:
    model = covr.loads(ROOKS)
    why = model.why("rook(1, 1)")
    assert why.verdict == "free"
    with_it, without = ([str(c) for c in a] for a in why.answers)
    assert "rook(1, 1)" in with_it
    assert "rook(1, 1)" not in without


def test_a_given_choice_may_follow_from_the_others() -> None:
    model = covr.loads(ROOKS + "given rook(1, 1)\ngiven rook(2, 3)")
    assert "is given, and the others force it, too" in str(model.why("rook(2, 3)"))
    model = covr.loads(ROOKS + "given rook(1, 1)")
    assert "is given, and nothing else forces it" in str(model.why("rook(1, 1)"))
    model = sudoku(r1c3=1)
    assert "is given, and the others exclude it" in str(model.why("place(1, 3, 1)"))


def test_a_forbidden_choice_names_what_forbids_it() -> None:
    why = covr.loads(ROOKS).why("rook(2, 2)")
    assert why.verdict == "removed"
    assert why.removed is not None
    assert why.removed.name == "forbid rook(2, 2)"


def test_a_choice_of_a_model_without_an_answer_meets_its_conflict() -> None:
    assert covr.load("queens", n=3).why("queen(1, 1)").verdict == "conflict"


def test_how_a_choice_is_written() -> None:
    compiled = covr.load("sudoku").compiled
    asked = find_choice(compiled, "place(1,  box - 1, n - 4)")
    assert asked.name == "place(1, 2, 5)"
    experts = covr.load("experts").compiled
    assert find_choice(experts, "ask(bob)").name == "ask(bob)"
    soma = covr.load("pentominoes").compiled
    name = soma.problem.option_names[100]
    assert find_choice(soma, name).option == 100
    assert find_choice(soma, name.replace(" ", "")).option == 100


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("place(1, 3, 10)", "E509", "there is no choice `place(1, 3, 10)`"),
        ("plac(1, 3, 1)", "E509", "`plac` is not a family of choices"),
        ("place(1, 3)", "E509", "is written place(r, c, d)"),
        ("place(1, 3", "E002", "never closed"),
        ("1 + 1", "E509", "names no choice"),
        ("place(1, 3, x)", "E101", "`x` is not defined"),
        ("place(1, 3, nothing(1))", "E208", "`nothing` is not a function"),
        ("", "E", ""),
        ("place(1, 3, 1 div 0)", "E203", ""),
        ("place(1, 3, 1) where true", "E001", ""),
        ("given place(1, 3, 1)", "E001", ""),
        ("(" * 5000, "E", ""),
        ("place(9^9^9^9, 1, 1)", "E212", ""),
        ("\0", "E007", ""),
    ],
)
def test_what_is_no_choice(text: str, code: str, words: str) -> None:
    with pytest.raises(ModelErrors) as caught:
        explain(covr.load("sudoku").compiled, text)
    fault = caught.value.diagnostics[0]
    assert fault.code.startswith(code)
    assert words in fault.message


# --- the command --------------------------------------------------------------------------------------------


def test_why_explains_an_impossible_choice() -> None:
    result = run("why", "sudoku", "place(1, 3, 5)")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        "place(1, 3, 5) is in no answer",
        "these 2 exclude it, and none of them can be left out",
        "  row 1 contains 5       sudoku.cover:20",
        "  given place(1, 1, 5)   sudoku.cover:23",
    ]


def test_the_command_refuses_a_wrong_choice_with_a_guess() -> None:
    result = run("why", "sudoku", "place(1, 3, 10)")
    assert result.exit_code == 2
    assert "note: `d` is 10" in result.stderr
    assert "did you mean `place(1, 3, 1)`?" in result.stderr
    result = run("why", "sudoku", "place(1, 3, 10)", "--json")
    assert result.exit_code == 2
    assert [json.loads(line)["type"] for line in result.stdout.splitlines()] == ["error", "end"]


def test_the_command_with_nothing_to_say() -> None:
    result = run("why", "queens", "-D", "n=12", "queen(1, 1)", "--limit-nodes", "3")
    assert result.exit_code == 3
    assert result.stdout.startswith("not known")
    assert result.stderr.startswith("stopped after ")


def test_reasons_are_written_as_json() -> None:
    result = run("why", "-", "--json", input=ROOKS + "given rook(1, 1)\ngiven rook(1, 2)")
    start, why, end = map(json.loads, result.stdout.splitlines())
    assert (start["type"], why["type"], end["type"]) == ("start", "why", "end")
    assert why["verdict"] == "conflict"
    assert why["members"][0] == {"kind": "rule", "name": "row 1", "file": "<stdin>", "line": 4}
    assert (end["status"], end["exit"], end["complete"]) == ("explained", 0, True)
    result = run("why", "-", "--json", input=MUTILATED)
    proof = json.loads(result.stdout.splitlines()[1])["proof"]
    assert (proof["kind"], proof["modulus"], len(proof["weights"])) == ("balance", 0, 62)
    result = run("why", "-", "--json", input=SCOTT)
    proof = json.loads(result.stdout.splitlines()[1])["proof"]
    assert (proof["kind"], proof["ratio"], proof["need"], proof["room"]) == ("counting", [5, 1], 12, 59)


def test_solve_points_to_it() -> None:
    result = run("solve", "queens", "-D", "n=3")
    assert (result.exit_code, result.stdout) == (1, "no solution\n")
    assert result.stderr == "help: `covr why queens.cover -D n=3` says why\n"


def test_nothing_of_a_model_moves_the_cursor(tmp_path: Path) -> None:
    path = tmp_path / "m.cover"
    text = ROOKS.replace("row {r}", "\x1b[31mrow {r}") + "given rook(1, 1)\ngiven rook(1, 2)"
    path.write_text(text, encoding="utf-8")
    assert "\x1b" not in run("why", str(path)).output
    assert "\x1b" not in run("trace", str(path)).output


@pytest.mark.parametrize("name", ["crew", "experts", "macmahon", "set_partition", "toy", "dominosa", "star_battle"])
def test_the_gallery_can_be_asked(name: str) -> None:
    model = covr.load(name)
    choice = model.problem.option_names[0]
    why = model.why(choice, limit_time=1)
    assert why.verdict in ("forced", "excluded", "free", "unknown")
    assert str(why)


# --- an `if … then` that makes an item and a side ------------------------------------------------------------

EXCLUDING = "choose a(t) for t in 1..2\nexactly one a\nif a(t) then a(u) for u in 1..2 where u = t - 1\n"


def test_a_statement_that_makes_items_and_sides() -> None:
    """Counting looks at items only: a choice that can never be taken is an item, one that needs others a side."""
    why = covr.loads(EXCLUDING).why()
    assert why.verdict == "conflict"
    assert why.minimal
    assert names(why) == ["exactly one a", "if a(t) then a(u) for t = 1", "if a(t) then a(u) for t = 2"]


@pytest.mark.parametrize("command", ["solve", "count"])
def test_no_solution_is_said_with_the_choices_that_an_if_excludes(command: str, tmp_path: Path) -> None:
    """`covr check` knows it at once; who asks for answers is told as well, in words and as an object."""
    path = tmp_path / "m.cover"
    path.write_text(EXCLUDING, encoding="utf-8")
    said = CliRunner().invoke(cli, [command, str(path)])
    assert said.exit_code == 1
    assert "warning[W210]: `a(1)` can never be taken" in said.stderr
    objects = [json.loads(line) for line in CliRunner().invoke(cli, [command, str(path), "--json"]).stdout.splitlines()]
    assert [o["code"] for o in objects if o["type"] == "warning"].count("W210") == 1
    assert objects[-1]["status"] == "none"
