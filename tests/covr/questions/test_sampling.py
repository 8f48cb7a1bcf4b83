"""`covr sample` and `Model.sample`: what is drawn, from what, and whether it looks uniform."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import islice

import pytest

import covr as package
from covr.api.model import Model
from covr.api.problem import Unfinished
from covr.engine import Problem, Status, check, search
from covr.engine.base.limits import LimitReached
from covr.engine.sampling.sample import Drawer
from covr.questions import sampling
from covr.questions.options import Options
from covr.questions.sampling import Sampling
from tests.constants import Constants
from tests.covr.command import Covr, covr, write
from tests.engine.uniform import looks_uniform

pytestmark = pytest.mark.long

__all__ = ["covr"]

QUEENS = """
let area = box(8, 8)
cells x in area
choose queen(x)
exactly one queen per r in 1..8 where r = x[1]
exactly one queen per c in 1..8 where c = x[2]
at most one queen per x[1] + x[2]
at most one queen per x[1] - x[2]
up to symmetries(area)
"""
ROOKS = "cells r, c in 1..3\nchoose rook(r, c)\nat most 2 rook per r\nexactly one rook per c\n"
# A given on one side: some members of the group carry answers to what is none.
TWINS = """
let area = box(3, 3)
cells x in area
choose put(x)
at least one put per r in 1..3 where r = x[1]
at least one put per c in 1..3 where c = x[2]
exactly 4 put
given put((1, 2))
up to symmetries(area)
"""
BEST = "choose a(i) for i in 1..6\nexactly 3..6 a\nminimize count of a\n"


def of_text(text: str) -> Model:
    return package.loads(text)


@pytest.fixture(scope="module")
def scott() -> Model:
    return package.load("scott")


def test_scotts_520_tilings_have_the_same_chance(scott: Model) -> None:
    drawer, rng = Drawer(scott.problem), random.Random(7)
    drawn = Counter(drawer.draw(rng) for _ in range(520 * 20))
    assert looks_uniform(drawn, 520)


def test_a_biased_sampler_does_not_pass(scott: Model) -> None:
    """A sampler is biased if at every node it takes each way that leads to an answer equally often, however many
    answers lie on it."""
    drawer, rng = Drawer(scott.problem), random.Random(7)
    drawer.total()
    drawn: Counter[tuple[int, ...]] = Counter()
    for _ in range(520 * 20):
        node, taken = drawer.root, []
        while node.active:
            way = rng.choice([way for way in drawer.ways(node) if way.count])
            node = way.node
            taken.append(way.option)
        drawn[tuple(taken)] += 1
    assert len(drawn) > 400
    assert not looks_uniform(drawn, 520)


def test_its_65_classes_have_the_same_chance(scott: Model) -> None:
    drawn = Counter(answer.options for answer in scott.sample(65 * 20, seed=3))
    assert set(drawn) <= {answer.options for answer in scott.solutions()}
    assert looks_uniform(drawn, 65)


def test_classes_of_different_sizes_have_the_same_chance() -> None:
    """One of the twelve ways to place eight queens is its own half turn, so its class is half as large."""
    model = package.loads(QUEENS)
    assert model.count() == 12
    symmetry = model.compiled.symmetry
    assert symmetry is not None
    assert {len(symmetry.orbit(answer.options)) for answer in model.solutions()} == {4, 8}
    assert looks_uniform(Counter(a.options for a in model.sample(12 * 40, seed=1)), 12)


def test_classes_are_what_counts_as_one(scott: Model) -> None:
    symmetry = scott.compiled.symmetry
    assert symmetry is not None
    every = set(search(scott.problem))
    assert len(every) == 520
    canonical = {answer.options for answer in scott.solutions()}
    left = set(every)
    while left:
        alike = symmetry.orbit(left.pop())
        assert alike <= every
        assert min(alike) in canonical
        left -= alike


def test_listed_where_bounds_are_others() -> None:
    model = of_text(ROOKS)
    sample = model.sample(27 * 20, seed=2)
    assert (sample.method, sample.uniform, sample.total) == ("listed", True, model.count())
    assert looks_uniform(Counter(a.options for a in sample), model.count())


def test_listing_again_draws_the_same(constants: Constants) -> None:
    model = of_text(ROOKS)
    before = [a.options for a in model.sample(50, seed=5)]
    constants(sampling, HELD=3)
    assert [a.options for a in model.sample(50, seed=5)] == before


def test_of_a_goal_the_best_answers_are_drawn() -> None:
    sample = of_text(BEST).sample(20 * 20, seed=1)
    assert sample.uniform
    assert {answer.cost for answer in sample} == {3}
    assert all(answer.proved for answer in sample)
    assert looks_uniform(Counter(a.options for a in sample), 20)


def test_with_other_bounds_and_a_symmetry_that_moves_the_given() -> None:
    model = of_text(TWINS)
    classes = model.count()
    sample = model.sample(classes * 20, seed=1)
    assert (sample.method, sample.total) == ("listed", None)
    assert looks_uniform(Counter(a.options for a in sample), classes)


def test_distinct_answers_are_drawn(scott: Model) -> None:
    assert len({a.options for a in package.load("langford", n=7).sample(12, seed=1, distinct=True)}) == 12
    every = scott.sample(100, seed=1, distinct=True)
    assert sorted(a.options for a in every) == sorted(a.options for a in scott.solutions())
    best = of_text(BEST).sample(30, seed=1, distinct=True)
    assert len({a.options for a in best}) == len(best) == 20


def test_the_same_seed_draws_the_same(scott: Model) -> None:
    first, again, other = ([a.options for a in scott.sample(9, seed=seed)] for seed in (1, 1, 2))
    assert first == again != other
    told = scott.sample(3)
    assert [a.options for a in scott.sample(3, seed=told.seed)] == [a.options for a in told]


def test_where_counting_takes_too_long_it_says_so() -> None:
    model = package.load("queens", n=16)
    sample = model.sample(3, seed=1, limit_nodes=20_000)
    assert (sample.uniform, sample.method, sample.total) == (False, "restarts", None)
    assert repr(sample) == "<Sample: 3 answers, not uniform>"
    assert all(check(model.problem, a.options) is None for a in sample)
    assert len({a.options for a in sample}) == 3
    with pytest.raises(Unfinished):
        model.sample(3, seed=1, limit_nodes=20_000, exact=True)


def test_a_goal_whose_best_is_not_known_is_refused() -> None:
    with pytest.raises(Unfinished):
        package.load("queen_domination", n=8).sample(2, limit_nodes=5)


def test_no_answer_gives_an_empty_sample() -> None:
    sample = package.load("queens", n=3).sample(4)
    assert len(sample) == 0
    assert list(sample) == []


def test_it_can_be_interrupted() -> None:
    run = Sampling(package.load("queens", n=16).compiled, Options(seed=1))
    run.interrupt()
    assert list(run.draw(3)) == []
    assert run.status == "interrupted"
    run = Sampling(package.load("queens", n=8).compiled, Options(seed=1))
    drawing = run.draw(10**9)
    assert len(list(islice(drawing, 3))) == 3
    run.interrupt()
    assert len(list(drawing)) <= 1
    assert run.status == "interrupted"


# --- the command ---


def stopped(problem: Problem) -> bool:
    """Stands for a count that has met its limit."""
    raise LimitReached(Status.LIMIT)


@pytest.mark.parametrize("method", ["memo", "listed", "restarts"])
def test_drawing_is_limited_in_time(monkeypatch: pytest.MonkeyPatch, constants: Constants, method: str) -> None:
    """However many are asked for; with a clock that is wound on after the third."""
    text = {"memo": QUEENS.replace("up to symmetries(area)", ""), "listed": ROOKS, "restarts": QUEENS}[method]
    if method == "listed":
        constants(sampling, HELD=0)
    if method == "restarts":
        monkeypatch.setattr(sampling, "suits", stopped)
    asked = Sampling(package.loads(text).compiled, Options(limit_time=1000, seed=1))
    drawn = asked.draw(10**6 if method != "listed" else 3)
    if method == "listed":
        asked._drawing.most = 0.0
    for _ in range(0 if method == "listed" else 3):
        next(drawn)
    asked._drawing.spend(1001.0)
    assert list(drawn) == []
    assert asked.status is Status.LIMIT
    assert asked.method == method


def test_the_command_says_how(covr: Covr) -> None:
    result = covr("sample", "queens", "-n", "3", "--seed", "1", "--format", "line")
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 3
    assert result.stderr == "drawn uniformly at random from 92 solutions (seed 1)\n"
    assert covr("sample", "queens", "-n", "3", "--seed", "1", "--format", "line").stdout == result.stdout
    assert "the classes of 520 solutions" in covr("sample", "scott").stderr
    assert "minimum 2, proved" in covr("sample", "experts").stdout


def test_the_command_says_when_it_is_not_uniform(covr: Covr) -> None:
    words = ("sample", "queens", "-D", "n=16", "--limit-nodes", "20000", "--seed", "1")
    result = covr(*words)
    assert result.exit_code == 0
    assert "not uniform" in result.stderr
    rows = [json.loads(line) for line in covr(*words, "--json").stdout.splitlines()]
    assert [row["type"] for row in rows] == ["start", "sample", "solution", "end"]
    assert rows[1] == {
        "type": "sample", "uniform": False, "method": "restarts", "total": None, "distinct": False, "seed": 1,
    }  # fmt: skip
    assert covr(*words, "--exact").exit_code == 3


def test_the_command_draws_from_no_answers_and_from_few(covr: Covr) -> None:
    result = covr("sample", "queens", "-D", "n=3")
    assert (result.exit_code, result.stdout) == (1, "no solution\n")
    write("best.cover", BEST)
    result = covr("sample", "best.cover", "-n", "30", "--distinct", "--format", "line")
    assert len(result.stdout.splitlines()) == 20
    assert "20 solutions" in result.stderr


def test_the_command_writes_files_and_tables(covr: Covr) -> None:
    assert covr("sample", "queens", "-n", "4", "-o", "sheet.svg").exit_code == 0
    assert covr("sample", "queens", "-n", "4", "-o", "rows.csv").exit_code == 0
    assert covr("sample", "queens", "-n", "2", "--format", "csv").stdout.count("\n") == 17
    assert covr("sample", "queens", "--json", "--format", "csv").exit_code == 2
    assert covr("sample", "nothing", "--json").exit_code == 2


PAIRS = "cells r, c in 1..4\nchoose x(r, c)\nexactly 2 x per r\nexactly 2 x per c\n"


def test_many_answers_with_other_bounds_are_drawn_from_a_diagram(constants: Constants) -> None:
    constants(sampling, QUICK=0)
    sample = of_text(PAIRS).sample(90 * 20, seed=1)
    assert (sample.method, sample.uniform, sample.total) == ("diagram", True, 90)
    assert looks_uniform(Counter(a.options for a in sample), 90)
    assert [a.options for a in of_text(PAIRS).sample(20, seed=1)] == [a.options for a in sample[:20]]
    few = of_text(PAIRS).sample(80, seed=1, distinct=True)
    assert len({a.options for a in few}) == 80 and few.method == "listed"
    none = of_text(PAIRS + "exactly 9 x\n").sample(3, seed=1)
    assert (len(none), none.total) == (0, 0)


def test_classes_are_drawn_from_a_diagram(constants: Constants) -> None:
    constants(sampling, QUICK=0)
    model = of_text(TWINS)
    classes = model.count()
    sample = model.sample(classes * 20, seed=1)
    assert sample.method == "diagram" and looks_uniform(Counter(a.options for a in sample), classes)


def test_answers_are_listed_where_the_diagram_does_not_fit(
    monkeypatch: pytest.MonkeyPatch, constants: Constants
) -> None:
    constants(sampling, QUICK=0)

    def full(self: object) -> int:
        raise sampling.TooLarge(1, 2, 3)

    monkeypatch.setattr(sampling.DiagramDrawer, "total", full)
    sample = of_text(PAIRS).sample(5, seed=1)
    assert (sample.method, sample.uniform, sample.total) == ("listed", True, 90)


def test_answers_beyond_a_million_are_drawn_from_a_diagram() -> None:
    sample = of_text(PAIRS.replace("1..4", "1..7")).sample(3, seed=1)
    assert (sample.method, sample.total) == ("diagram", 3_110_940)
