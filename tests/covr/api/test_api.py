"""The Python API: what it returns, and what it raises if the answer is not known."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import attrs
import pytest

import covr
from covr.questions.options import Options, OptionWords

QUEENS = """
title "Queens"
param n = 6
cells r, c in 1..n
choose queen(r, c)
exactly one queen per r
exactly one queen per c
at most one queen per r + c
at most one queen per r - c
show "Q" of queen at r, c
"""
CREW = """
param duties = table("id", "cost", "legs…") '''
  d1  6   1 2 3
  d2  5   4 5
  d3  7   6 7 8
  d9  8   4 5
'''
let legs = { l for d in duties, l in d.legs }
choose fly(d) for d in duties
exactly one fly per l in legs where l in d.legs
minimize d.cost of fly
show d.id of fly
""".replace("'''", '"""')
EXPERTS_MOST = """
cells i in 1..5
choose take(i)
at most one take per i div 2
maximize i of take
show i of take
"""


def test_solve_gives_a_picture() -> None:
    answer = covr.loads(QUEENS, n=4).solve()
    assert answer is not None
    assert str(answer) == ". Q . .\n. . . Q\nQ . . .\n. . Q ."
    assert answer.line == ".Q.....QQ.....Q."
    assert answer.as_tuples() == [("queen", 1, 2), ("queen", 2, 4), ("queen", 3, 1), ("queen", 4, 3)]
    assert answer.as_dict() == {"queen": [(1, 2), (2, 4), (3, 1), (4, 3)]}
    assert [str(choice) for choice in answer] == ["queen(1, 2)", "queen(2, 4)", "queen(3, 1)", "queen(4, 3)"]
    assert (len(answer), answer.cost, answer.proved) == (4, None, True)


def test_none_means_proved_none() -> None:
    model = covr.loads(QUEENS, n=3)
    assert model.solve() is None
    assert model.count() == 0
    assert not model.unique()


def test_a_limit_is_not_none() -> None:
    model = covr.loads(QUEENS, n=30)
    with pytest.raises(covr.Unfinished):
        model.solve(limit_nodes=3)
    with pytest.raises(covr.Unfinished):
        model.unique(limit_nodes=3)
    with pytest.raises(covr.Unfinished) as caught:
        covr.loads(QUEENS, n=10).count(limit_nodes=2000)
    assert 0 < caught.value.count < 724


def test_solutions_come_one_at_a_time() -> None:
    found = covr.loads(QUEENS, n=8).solutions()
    first = next(found)
    assert not found.complete
    rest = list(found)
    assert found.complete
    assert len({first, *rest}) == 92
    assert len(list(covr.loads(QUEENS, n=8).solutions(5))) == 5


def test_solutions_end_quietly_at_a_limit() -> None:
    found = covr.loads(QUEENS, n=8).solutions(limit_nodes=200)
    assert 0 < len(list(found)) < 92
    assert not found.complete
    assert found.status == "limit"
    assert found.counters.nodes == 200


def test_the_same_seed_gives_the_same_order() -> None:
    model = covr.loads(QUEENS, n=8)
    plain, one, again = (list(model.solutions(seed=seed)) for seed in (None, 7, 7))
    assert one == again
    assert set(one) == set(plain)


def test_minimize_gives_the_cheapest_answer() -> None:
    model = covr.loads(CREW)
    answer = model.solve()
    assert model.goal == "minimize"
    assert model.minimum() == 18
    assert answer is not None
    assert (answer.cost, answer.bound, answer.proved) == (18, 18, True)
    assert model.count() == 1
    assert [a.cost for a in model.solutions()] == [18]
    with pytest.raises(ValueError, match="does not maximize"):
        model.maximum()


def test_maximum_counts_as_the_model_does() -> None:
    model = covr.loads(EXPERTS_MOST)
    answer = model.solve()
    assert answer is not None
    assert answer.cost == model.maximum() == 1 + 3 + 5
    assert answer.as_dict() == {"take": [(1,), (3,), (5,)]}


def test_a_minimum_that_is_not_proved() -> None:
    model = covr.load("queen_domination", n=9)
    answer = model.solve(limit_nodes=60)
    assert answer is not None
    assert answer.cost is not None
    assert not answer.proved
    with pytest.raises(covr.Unfinished) as caught:
        model.minimum(limit_nodes=60)
    assert caught.value.found[0].cost == answer.cost
    assert caught.value.bound is not None
    assert caught.value.bound <= 5


def test_symmetry_lists_one_answer_of_each_class() -> None:
    raw = covr.loads(QUEENS)
    model = covr.loads(QUEENS + "up to queen(r, c) -> queen(c, r), queen(r, c) -> queen(n + 1 - r, c)")
    assert (raw.count(), model.count()) == (4, 1)
    assert model.unique()
    assert [model.solve()] == list(model.solutions())
    assert model.solve() == min(raw.solutions(), key=lambda a: a.options)


def test_a_model_is_solved_with_other_data() -> None:
    model = covr.loads(QUEENS)
    assert model.with_params(n=8).count() == 92
    assert model.params == {"n": 6}
    assert [a and len(a) for a in model.each("n", [3, 4, 5])] == [None, 4, 5]


def test_each_reads_a_collection(tmp_path: Path) -> None:
    file = tmp_path / "sizes"
    file.write_text("# sizes\n4\n3\n", encoding="utf-8")
    assert [a and len(a) for a in covr.loads(QUEENS).each("n", file)] == [4, None]


def test_faults_are_model_errors() -> None:
    with pytest.raises(covr.ModelErrors) as caught:
        covr.loads("choose queen(r, c)")
    assert caught.value.diagnostics[0].code.startswith("E1")
    with pytest.raises(covr.ModelErrors, match="no model `nonesuch`"):
        covr.load("nonesuch")
    with pytest.raises(covr.ModelErrors):
        covr.loads(QUEENS, m=3)
    with pytest.raises(covr.ModelErrors, match="no estimate `best`"):
        covr.loads(CREW).solve(estimate="best")


def test_why_there_is_no_answer() -> None:
    model = covr.loads("cells i in 1..2\nchoose f(i) where i = 1\nexactly one f per i")
    assert model.impossible is not None
    assert covr.loads(QUEENS).impossible is None


def test_an_estimate_may_be_a_function() -> None:
    assert covr.loads(CREW).minimum(estimate=lambda view, cutoff: 0) == 18


def test_options_and_keywords_are_one_table() -> None:
    assert set(OptionWords.__annotations__) == {field.name for field in attrs.fields(Options)}


def test_models_of_the_gallery_are_found_by_name() -> None:
    assert covr.gallery()["queens"].is_file()
    assert covr.load(covr.gallery()["queens"]).title == covr.load("queens").title


def test_everything_public_is_there_and_documented() -> None:
    for name in covr.__all__:
        assert getattr(covr, name)
    with pytest.raises(AttributeError):
        covr.nothing  # noqa: B018


def test_importing_covr_brings_in_nothing_heavy() -> None:
    code = "import sys, covr; print([m for m in ('lark', 'platformdirs', 'click', 'attrs') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
