"""`prefer` and goals in order: what is broken, what it costs, and what is proved. Random models of both meet all other
statements in tests/net."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import covr
from covr.cli.group import cli
from covr.cli.progress import sentence
from covr.compiler.lower.lowered import StageValue, current, stage_values, stages_of, taken_apart, together
from covr.dsl.diagnostics import ModelErrors
from covr.questions.run import Progress
from tests.shared import examples

ROTA = """
cells p in 1..3, d in 1..4
choose work(p, d)
exactly one work per d
"""


def broken(text: str) -> list[str]:
    """What the best answers of a rota break, which is the same for all of them."""
    answers = list(covr.loads(ROTA + text).solutions())
    found = {tuple(sorted(map(str, answer.broken))) for answer in answers}
    assert len(found) == 1, found
    assert len({answer.choices for answer in answers}) == len(answers)
    return list(found.pop())


@pytest.mark.parametrize(
    ("wishes", "said"),
    [
        ("prefer at most one work cost 2", ["at most one work: 3 too many, cost 6"]),
        ('prefer at least 6 work cost 5 "six"', ["six: 2 too few, cost 10"]),
        ("prefer exactly {0, 7} work cost 1", ["exactly {0, 7} work: 3 too few, cost 3"]),
        ("prefer exactly 1..2 total d of work cost 1", ["exactly 1..2 total d of work: 8 too many, cost 8"]),
        ("prefer at most 5 work cost 1", []),
        ('prefer at most one work per p where p < 3 cost p "{p}"', []),
        ('given work(2, 1) prefer if work(2, 1) then work(3, 1) cost 7 "both"', ["both: broken, cost 7"]),
        (
            'given work(1, d) for d in 1..4 prefer if work(1, d) then all work(p, d) for p in 2..3 cost d "{d}"',
            ["1: broken, cost 1", "2: broken, cost 2", "3: broken, cost 3", "4: broken, cost 4"],
        ),
        ("prefer exactly 0 work per p where p = 4 cost 9", []),
    ],
)
def test_what_is_broken(wishes: str, said: list[str]) -> None:
    assert broken(wishes) == said


def test_prices_join_the_goal_and_are_taken_from_what_is_maximized() -> None:
    wish = "prefer at most one work per p cost 1\n"
    least = covr.loads(ROTA + wish + "minimize p of work").solve()
    assert least is not None and least.cost == 4 + 3 and sum(b.cost for b in least.broken) == 3
    most = covr.loads(ROTA + wish + "maximize p of work").solve()
    assert most is not None and most.cost == 12 - 3 and most.proved
    alone = covr.loads(ROTA + wish)
    assert alone.goal == "minimize" and alone.count() == 36 and alone.minimum() == 1


def test_goals_are_reached_in_their_order(tmp_path: Path) -> None:
    file = tmp_path / "rota.cover"
    goals = "minimize p of work where d < 3\nthen maximize p * d of work\nthen minimize count of work where p = 2\n"
    file.write_text(ROTA + goals)
    result = CliRunner().invoke(cli, ["solve", str(file)])
    assert result.stdout.splitlines()[-1] == "minimum 2, proved; then maximum 24, proved; then minimum 0, proved"
    result = CliRunner().invoke(cli, ["solve", str(file), "--json"])
    *_, solution, end = map(json.loads, result.stdout.splitlines())
    assert (solution["cost"], solution["costs"], end["cost"], end["bound"]) == (2, [2, 24, 0], 2, 2)
    assert "broken" not in solution


@pytest.mark.parametrize("command", [["solve"], ["count"]])
def test_runs_in_files_tell_the_first_goal(command: list[str], tmp_path: Path) -> None:
    model, run = tmp_path / "rota.cover", tmp_path / "a.run"
    model.write_text(ROTA + "prefer at most one work per p cost 3\nthen maximize d of work where p = 1\n")
    plain = CliRunner().invoke(cli, [*command, str(model)])
    kept = CliRunner().invoke(cli, [*command, str(model), "--run", str(run)])
    assert (kept.exit_code, kept.stdout) == (plain.exit_code, plain.stdout)
    status = json.loads(CliRunner().invoke(cli, ["status", str(run), "--json"]).stdout)
    assert (status["best"], status["bound"]) == (3, 3)


@pytest.mark.parametrize(
    ("goal", "value", "words"),
    [("maximize p of work", 12, "maximum 12, proved"),
     ("minimize p of work\nthen maximize d of work where p = 1", 4, "minimum 4, proved; then maximum 10, proved")],
)  # fmt: skip
def test_answers_of_a_run_have_the_bound_of_the_first_goal(goal: str, value: int, words: str, tmp_path: Path) -> None:
    model, run = tmp_path / "rota.cover", tmp_path / "a.run"
    model.write_text(f"{ROTA}{goal}\n")
    CliRunner().invoke(cli, ["solve", str(model), "--run", str(run)])
    solution, _ = map(json.loads, CliRunner().invoke(cli, ["answers", str(run), "--json"]).stdout.splitlines()[-2:])
    assert (solution["cost"], solution["bound"], solution["proved"]) == (value, value, True)
    assert CliRunner().invoke(cli, ["answers", str(run)]).stdout.splitlines()[-1] == words


@given(st.data())
def test_costs_of_goals_in_order_are_taken_apart_again(data: st.DataObject) -> None:
    options = data.draw(st.integers(1, 5))
    kinds = data.draw(st.lists(st.sampled_from(["minimize", "maximize"]), min_size=1, max_size=4))
    costs = [data.draw(st.lists(st.integers(-9, 9), min_size=options, max_size=options)) for _ in kinds]
    stages = stages_of(kinds, costs)
    every = together(stages, costs)
    sums = []
    for taken in range(1 << options):
        own = tuple(sum(c for k, c in enumerate(goal) if taken >> k & 1) for goal in costs)
        whole = sum(c for k, c in enumerate(every) if taken >> k & 1)
        assert taken_apart(stages, whole) == own
        sums.append((whole, own))
    assert [own for _, own in sorted(sums)] == sorted(own for _, own in sums)
    bound = data.draw(st.integers(min(sums)[0] - 50, max(sums)[0] + 50))
    first = taken_apart(stages, bound)[0]
    assert all(own[0] >= first for whole, own in sums if whole >= bound)
    best = min(sums)
    values = stage_values(stages, best[0], best[0])
    signed = [-v if kind == "maximize" else v for kind, v in zip(kinds, best[1], strict=True)]
    assert [(v.value, v.bound) for v in values] == [(v, v) for v in signed]


CHOICES = [("work", p, d) for p in (1, 2, 3) for d in (1, 2, 3, 4)]


@settings(max_examples=examples(15))
@given(earlier=st.sets(st.sampled_from(CHOICES), min_size=1), gone=st.booleans(), wish=st.booleans())
def test_as_little_as_possible_changes(earlier: set[tuple[str, int, int]], gone: bool, wish: bool) -> None:
    """Among the best answers, held to all of them."""
    model = covr.loads(ROTA + ("prefer at most one work per p cost 1\n" if wish else ""))
    answers = [set(answer.as_tuples()) for answer in model.solutions()]
    fewest = min(len(answer ^ earlier) for answer in answers) + gone
    found = model.solve(near=[*earlier, *([("work", 9, 9)] if gone else [])])
    assert found is not None and found.changed is not None and found.proved
    added, removed = found.changed
    assert len(added) + len(removed) == len(set(found.as_tuples()) ^ earlier) + gone == fewest
    assert found.costs[-1] == fewest and set(found.as_tuples()) in answers


def test_an_answer_is_near_itself_and_a_file_is_read(tmp_path: Path) -> None:
    model, earlier = tmp_path / "rota.cover", tmp_path / "old.json"
    model.write_text(ROTA + "minimize d of work where p = 1\n")
    earlier.write_text(CliRunner().invoke(cli, ["solve", str(model), "--json"]).stdout)
    result = CliRunner().invoke(cli, ["solve", str(model), "--near", str(earlier)])
    assert result.stdout.splitlines()[-1] == "minimum 0, proved; then nothing changed, the fewest"
    for text in ("", "{}", "[1]", "queens", '{"choices": [{"family": "f", "args": [1]}]}'):
        earlier.write_text(text)
        result = CliRunner().invoke(cli, ["solve", str(model), "--near", str(earlier)])
        assert result.exit_code == 2 and "E522" in result.stderr
    assert CliRunner().invoke(cli, ["solve", str(model), "--near", str(tmp_path / "none")]).exit_code == 2


@pytest.mark.parametrize(
    ("wishes", "code"),
    [
        ("prefer at most one work cost -1", "E429"),
        ('prefer at most one work cost "x"', "E429"),
        ("prefer at most one work per p cost d", "E414"),
        ("prefer if work(p, 1) and work(p, 2) then work(p, d) cost d", "E414"),
        ("prefer connected work at p, d cost 1", "E118"),
        ("prefer at most one work cost 1\nup to work(p, d) -> work(4 - p, d)", "E428"),
        ("prefer at most 3 total 7 ^ (6 * p + d) of work cost 1", "E416"),
        ("choose f(i) for i in 1..20\nprefer at most 3 total 2 ^ i of f cost 1", "E420"),
        ("minimize 2 ^ 40 of work\nthen minimize 2 ^ 40 of work", "E416"),
    ],
)
def test_wrong_wishes_are_refused(wishes: str, code: str) -> None:
    with pytest.raises(ModelErrors) as caught:
        covr.loads(ROTA + wishes)
    assert [fault.code for fault in caught.value.diagnostics] == [code]


EITHER = """
cells p in 1..2, d in 1..6
choose work(p, d)
at most one work per p               "{p} works once at most"
exactly 2 work per p where p = 1     "1 works twice"
prefer at least 3 work per p cost 1  "{p} would like to work"
"""


def test_a_wish_about_choices_of_which_one_is_taken_has_two_sums() -> None:
    (wish,) = covr.loads(EITHER).compiled.lowered.wishes
    assert [(state.at, state.off) for state in wish.states] == [(0, -3), (0, -2), (1, -3), (1, -2)]
    (wish,) = covr.loads(EITHER.replace("at most one", "at most 2")).compiled.lowered.wishes
    assert len(wish.states) == 14


def test_rules_on_which_a_wish_relies_are_named_and_left_out_as_any_other() -> None:
    model = covr.loads(EITHER)
    assert {member.name for member in model.why().members} == {"1 works once at most", "1 works twice (p = 1)"}
    spare = covr.loads(EITHER.replace("exactly 2", "exactly 1")).spare()
    assert "1 works once at most" in [member.name for member in spare.alone]
    assert "2 works once at most" not in [member.name for member in spare.alone]


def test_questions_about_all_answers_name_the_wish() -> None:
    for goal, word in (("", "prefer"), ("\nmaximize p of work", "maximize")):
        model = covr.loads(ROTA + "prefer at most one work per p cost 1" + goal)
        with pytest.raises(ModelErrors) as caught:
            model.candidates()
        (fault,) = caught.value.diagnostics
        assert fault.code == "E510" and f"leave out `{word}`" in fault.help


def test_a_wish_is_shown_and_never_a_reason(tmp_path: Path) -> None:
    file = tmp_path / "rota.cover"
    file.write_text(ROTA + "exactly 5 work\nprefer at most 0 work per p cost 3\n")
    shown = CliRunner().invoke(cli, ["show", str(file)]).stdout
    assert "prefer at most 0 work per p cost 3" in shown
    why = CliRunner().invoke(cli, ["why", str(file)]).stdout
    assert "exactly 5 work" in why and "at most 0" not in why


def test_limits_and_runs_say_at_which_goal_they_are(tmp_path: Path) -> None:
    model, run = tmp_path / "rota.cover", tmp_path / "a.run"
    model.write_text(ROTA + "minimize p * d of work where d > 1\nthen maximize p of work\n")
    limits = ("solve", str(model), "--jobs", "1", "--engine", "sides", "--limit-nodes", "5")
    said = CliRunner().invoke(cli, [*limits])
    assert re.search(r"stopped after 5 nodes, at goal \d of 2: whether", said.stderr)
    end = json.loads(CliRunner().invoke(cli, [*limits, "--json"]).stdout.splitlines()[-1])
    assert [goal["goal"] for goal in end["goals"]] == ["minimize", "maximize"]
    assert end["goals"][0] == {"goal": "minimize", "value": end["cost"], "bound": end["bound"]}
    assert CliRunner().invoke(cli, ["solve", str(model), "--run", str(run)]).exit_code == 0
    said = "goal 2 of 2: minimum 9, proved; then maximum 6, proved; 100.0 % of the tree"
    assert said in CliRunner().invoke(cli, ["status", str(run)]).stdout
    status = json.loads(CliRunner().invoke(cli, ["status", str(run), "--json"]).stdout)
    assert [(goal["value"], goal["bound"]) for goal in status["goals"]] == [(9, 9), (6, 6)]


def test_which_goal_a_search_is_at() -> None:
    one, two = StageValue("minimize", 4, 4), StageValue("maximize", 3, 5)
    assert [current(values) for values in ((two, one), (one, two), (one, one))] == [1, 2, 2]
    told_now = sentence(Progress(None, 10, 1, 4, 4, stages=(one, two)), 5.0, 0.0, None)
    assert told_now == "goal 2 of 2, best 3, at most 5 (gap 66.7 %), 5 nodes/s"
