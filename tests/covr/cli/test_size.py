"""`covr size` and `Model.size`, which were called `estimate`."""

from __future__ import annotations

import json
import warnings
from time import perf_counter

import pytest
from attrs import evolve

import covr as package
from covr.questions.options import CommandOptions, Options
from tests.covr.command import Covr, covr, write

pytestmark = pytest.mark.long

__all__ = ["covr"]

FREE = "choose a(i) for i in 1..1200\nat most one a per i\n"


def test_the_size_and_the_truth_stand_side_by_side(covr: Covr) -> None:
    result = covr("size", "queens", "-D", "n=10")
    assert result.exit_code == 0
    lines = {line.split()[0]: line for line in result.stdout.splitlines()}
    assert "about 16500" in lines["nodes"]
    assert "16448 nodes, 724 answers" in lines["exactly"]
    assert "1024 probes (seed 0)" in result.stderr


def test_the_same_seed_says_the_same(covr: Covr) -> None:
    words = ("size", "scott", "--probes", "300", "--json")
    rows = [json.loads(covr(*words, "--seed", seed).stdout.splitlines()[1]) for seed in ("5", "5", "6")]
    assert rows[0]["nodes"] == rows[1]["nodes"] != rows[2]["nodes"]
    assert (rows[0]["probes"], rows[0]["settled"], rows[0]["pruned"]) == (300, False, False)
    assert rows[0]["exact"] == {"nodes": 293045, "answers": 520}


def test_of_a_minimum_it_is_the_tree_without_pruning(covr: Covr) -> None:
    result = covr("size", "experts")
    assert "without pruning by cost" in result.stderr
    assert "time" not in result.stdout
    assert "answers" not in result.stdout


def test_a_size_beyond_any_number_is_told_as_such(covr: Covr) -> None:
    write("free.cover", FREE)
    result = covr("size", "free.cover", "--probes", "2", "--json")
    row = json.loads(result.stdout.splitlines()[1])
    assert row["nodes"] == {"mean": None, "error": None, "low": None, "high": None}
    assert "more than 10^308" in covr("size", "free.cover", "--probes", "2").stdout


def test_a_single_probe_knows_no_spread(covr: Covr) -> None:
    assert "by a single probe" in covr("size", "queens", "--probes", "1").stdout
    assert "as every probe says" in covr("size", "sudoku", "--probes", "3").stdout


def test_faults_are_told(covr: Covr) -> None:
    assert covr("size", "nothing").exit_code == 2
    assert covr("size", "queens", "--engine", "steam").exit_code == 2
    assert json.loads(covr("size", "nothing", "--json").stdout.splitlines()[0])["code"] == "E501"


def test_python_estimates_the_size_of_a_search() -> None:
    effort = package.load("queens").size(seed=1, probes=500)
    assert effort.exact is not None
    assert abs(effort.nodes.mean - effort.exact.nodes) < 5 * effort.nodes.error
    assert effort.answers is not None


def test_the_old_name_works_and_says_so_once(covr: Covr) -> None:
    words = ("queens", "--probes", "3", "--json")
    new, old, quiet = covr("size", *words), covr("estimate", *words), covr("estimate", *words, "--quiet")
    said = "`covr estimate` is called `covr size` now\n"
    assert old.exit_code == new.exit_code == 0
    assert (old.stderr.count(said), new.stderr.count(said), quiet.stderr) == (1, 0, "")
    kinds = [[json.loads(line)["type"] for line in one.stdout.splitlines()] for one in (new, old)]
    assert kinds == [["start", "size", "end"], ["start", "estimate", "end"]]


def test_the_old_name_is_listed_nowhere(covr: Covr) -> None:
    assert "estimate" not in covr("--help").stdout
    assert covr("estimate", "--help").exit_code == 0


def test_the_old_method_warns() -> None:
    model = package.load("queens")
    with pytest.warns(DeprecationWarning, match="`Model.size`"):
        old = model.estimate(seed=1, probes=5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert model.size(seed=1, probes=5).nodes == old.nodes


def test_the_limit_of_time_of_a_command_counts_from_its_beginning() -> None:
    asked = CommandOptions(limit_time=1000, began=perf_counter() - 990)
    left = asked.limits(3.0).seconds
    assert left is not None and 0 < left <= 10 and asked.elapsed(3.0) >= 990
    assert evolve(asked, seed=1).limits().seconds <= left  # type: ignore[operator]
    assert asked.alone() == Options(limit_time=1000) and asked.alone().limits(3.0).seconds == 997
    assert asked.limits(995.0).seconds <= 10  # type: ignore[operator]
