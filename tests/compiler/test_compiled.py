"""A compiled model: names, other data, goals, remarks."""

from __future__ import annotations

import pytest

from covr.compiler import Compiled, CompileLimits, FromText, compile_model
from covr.dsl.diagnostics import ModelErrors
from covr.engine import search, validate
from tests.models import compiled, model_of

SUDOKU = '''
param box = 2
let n = box * box
let band(i) = (i - 1) div box
cells r, c in 1..n
values d in 1..n
param clue = grid(n, n) """
  1...
  ..1.
  .2..
  ....
"""
choose place(r, c, d)
exactly one place per r, c "cell {r},{c}"
exactly one place per r, d "row {r} contains {d}"
exactly one place per c, d "column {c} contains {d}"
exactly one place per band(r), band(c), d "box {band(r)},{band(c)} contains {d}"
given place(r, c, clue[r, c]) for (r, c) in clue
'''


def test_a_problem_is_in_normal_form_and_everything_has_its_name() -> None:
    c = compiled(SUDOKU)
    validate(c.problem)
    assert (c.problem.options, c.problem.items, c.problem.primary) == (64, 64, 64)
    assert c.problem.item_names[-1] == "box 1,1 contains 4"
    assert c.problem.item_names[0] == "cell 1,1"
    assert c.problem.option_names[6] == "place(1, 2, 3)"
    assert c.option("place", (1, 2, 3)) == 6
    assert c.option("place", (1, 2, 9)) is None
    assert [g.name for g in c.givens] == ["given place(1, 1, 1)", "given place(2, 3, 1)", "given place(3, 2, 2)"]


def test_other_clues_keep_the_matrix_and_other_sizes_do_not() -> None:
    c = compiled(SUDOKU)
    other = c.with_data({"clue": FromText("2..............1", "-D clue")})
    assert other.problem.members is c.problem.members
    assert [other.problem.option_names[o] for o in other.problem.given] == ["place(1, 1, 2)", "place(4, 4, 1)"]
    fresh = compiled(SUDOKU, clue=FromText("2..............1", "-D clue"))
    assert list(search(other.problem)) == list(search(fresh.problem))
    small = c.with_data({"box": 1, "clue": "."})
    assert small.problem.options == 1


def _names(c: Compiled) -> list[str]:
    return [c.problem.option_names[o] for o in range(c.problem.options)]


def test_a_set_that_is_given_leaves_its_members_and_takes_none() -> None:
    c = compiled(SUDOKU)
    some = c.with_data({"clue": {(1, 1): {1, 3}, (1, 2): 2, (4, 4): {4}}})
    lost = {f"place(1, 1, {d})" for d in (2, 4)} | {f"place(4, 4, {d})" for d in (1, 2, 3)}
    assert set(_names(c)) - set(_names(some)) == lost and [g.name for g in some.givens] == ["given place(1, 2, 2)"]
    assert some.problem == compiled(SUDOKU, clue={(1, 1): {1, 3}, (1, 2): 2, (4, 4): {4}}).problem
    forbidding = SUDOKU + "forbid place(1, 1, d) where d in {2, 4}\nforbid place(4, 4, d) where d != 4\n"
    assert some.problem == compiled(forbidding, clue={(1, 2): 2}).problem
    again = some.with_data({"clue": {(1, 1): 2}})
    assert again.problem == c.with_data({"clue": {(1, 1): 2}}).problem, "what one sudoku removes is there for the next"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("given p(1, {2, 3})", "p(1, 2) p(1, 3) p(2, 1) p(2, 2) p(2, 3)"),
        ("given p(1, 2..9)", "p(1, 2) p(1, 3) p(2, 1) p(2, 2) p(2, 3)"),
        ("given p({1}, {3})", "p(1, 3)"),
        ("given p(1, {2, 3})\ngiven p(1, {1, 3})", "p(1, 3) p(2, 1) p(2, 2) p(2, 3)"),
        ("given p(1, {2, 3})\ngiven p(1, {1})", "p(2, 1) p(2, 2) p(2, 3)"),
    ],
)
def test_sets_in_a_given_are_what_may_stand_there(text: str, left: str) -> None:
    c = compiled("choose p(a, b) for a in 1..2, b in 1..3\nexactly one p per a\n" + text)
    assert " ".join(_names(c)).replace(") p", ")  p").split("  ") == left.replace(") p", ")  p").split("  ")


def test_where_choices_have_sets_a_set_is_one_of_them() -> None:
    c = compiled("choose p(s) for s in {{1, 2}, {3}}\nexactly one p\ngiven p({3})")
    assert [g.name for g in c.givens] == ["given p({3})"] and c.problem.options == 2


@pytest.mark.parametrize(
    ("text", "code"),
    [("given p(1, {4, 5})", "E401"), ("given p(3, {1})", "E401"), ("given p(1, {2})\ngiven p(1, 3)", "E402")],
)
def test_a_set_without_a_choice_is_a_fault(text: str, code: str) -> None:
    with pytest.raises(ModelErrors) as caught:
        compiled("choose p(a, b) for a in 1..2, b in 1..3\nexactly one p per a\n" + text)
    (fault,) = caught.value.diagnostics
    assert fault.code == code


def test_faults_of_independent_statements_are_reported_together_in_order() -> None:
    text = "choose a(i) for i in 1..3 exactly -1 a at most 1..2 a given a(7) up to a(i) -> a(i)"
    with pytest.raises(ModelErrors) as caught:
        compiled(text)
    assert [d.code for d in caught.value.diagnostics] == ["E411", "E412", "E401"]


def test_a_matrix_beyond_a_limit_is_refused() -> None:
    text = "choose a(i) for i in 1..30 exactly one a per i at most one a per x in 1..30"
    for limits, code in (
        (CompileLimits(options=20), "E420"),
        (CompileLimits(items=20), "E421"),
        (CompileLimits(entries=100), "E422"),
    ):
        with pytest.raises(ModelErrors) as caught:
            compile_model(model_of(text), limits=limits)
        assert caught.value.diagnostics[0].code == code


def test_goals_are_told_in_the_models_sense() -> None:
    c = compiled("choose a(i) for i in 1..3 at most 2 a maximize i of a")
    *_, best = search(c.problem, goal="minimum")
    assert (c.goal, c.objective(best), c.value_of(-5)) == ("maximize", 5, 5)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("cells r, c in 1..3 choose rook(r, c) at most one rook per r", ["W201"]),
        ("choose a(i) for i in 1..3 exactly one a where i > 1", ["W201"]),
        ("choose a(i) for i in 1..3 at least one a", ["W202"]),
        ("choose a(i) for i in 1..3 at least one a minimize count of a", []),
        ("choose a(i) for i in 1..3 exactly one a", []),
    ],
)
def test_a_model_is_warned_of_what_it_does_not_use(text: str, codes: list[str]) -> None:
    found = [d.code for d in compiled(text).warnings]
    assert [code for code in found if code in ("W201", "W202")] == codes


@pytest.mark.parametrize(
    ("text", "help_"),
    [
        ("choose a(i) for i in 1..3 exactly 4 a", "3 choices reach it, 4 are wanted"),
        ("choose a(i) for i in 1..3 exactly one a per x in 1..4 where x = i", "0 choices reach it"),
        ("choose a(i) for i in 1..3 exactly one a", None),
    ],
)
def test_an_item_that_cannot_be_satisfied(text: str, help_: str | None) -> None:
    found = compiled(text).impossible
    assert (found.help if found else None) == help_
