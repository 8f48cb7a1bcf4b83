"""The walk among packings: what it finds are answers, it is the same walk compiled and interpreted, and among the ways
to a first answer it neither changes what is proved nor repeats an answer."""

from __future__ import annotations

from array import array
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Limits, Problem, Settings, build, check, portfolio, search
from covr.engine.base.limits import Status
from covr.engine.kernels.header import FOUND, SLICE
from covr.engine.kernels.loading import load
from covr.engine.pieces.split import Prefix, Splitter
from tests.engine.problems import brute, queens
from tests.engine.schedules import first_pace
from tests.engine.strategies import problems

pytestmark = pytest.mark.long

ALONE = Settings(jobs=1, pace=first_pace(10**6, turn=3_000_000))
exact = problems(kinds=("exact", "secondary"), costs=("none",), given=False)


def walk(problem: Problem, seed: int = 1, interpreted: bool = False, heat: int = 0) -> Any:
    starts, members = array("i", problem.starts), array("i", problem.members)
    module = load("_packing_walk", interpreted)
    kernel = module.PackingWalk(problem.items, problem.primary, starts, members, seed)
    if heat:
        kernel.heat(heat)
    return kernel


def is_coverable(problem: Problem) -> bool:
    return problem.primary > 0 and set(range(problem.primary)) <= set(problem.members)


@given(exact, st.integers(1, 2**64 - 1), st.integers(0, 3))
def test_what_it_finds_is_an_answer(problem: Problem, seed: int, heat: int) -> None:
    """An answer of the oracle; where there is none, it finds none. With so few options it finds one if there is one."""
    if not is_coverable(problem):
        return
    kernel, wanted = walk(problem, seed, heat=heat), [*brute(problem)]
    code = kernel.run(20_000, 1)
    assert code == (FOUND if wanted else SLICE)
    if wanted:
        assert tuple(kernel.answer()) in wanted
        assert kernel.uncovered() == 0 and kernel.answers == 1 and kernel.nodes <= 20_000
    else:
        assert (kernel.nodes, kernel.answers) == (20_000, 0)


@given(exact, st.integers(1, 2**64 - 1), st.integers(0, 2), st.lists(st.integers(1, 40), max_size=6))
def test_it_is_one_walk_however_it_is_run(problem: Problem, seed: int, heat: int, slices: list[int]) -> None:
    if not is_coverable(problem):
        return
    compiled, interpreted, whole = [walk(problem, seed, by, heat) for by in (False, True, False)]
    for steps in slices:
        assert compiled.run(steps, 1) == interpreted.run(steps, 1)
        assert (compiled.nodes, compiled.updates) == (interpreted.nodes, interpreted.updates)
        assert compiled.answer() == interpreted.answer()
        assert check(problem, compiled.answer()) is None or compiled.uncovered() > 0
        if compiled.uncovered() == 0:
            return
    whole.run(sum(slices), 1)
    assert (whole.answer(), whole.updates) == (compiled.answer(), compiled.updates)


@pytest.mark.parametrize("n", [60, 100])
def test_queens_are_found_by_it(n: int) -> None:
    """In about as many steps as there are rows and columns; two answers are two."""
    problem = queens(n)
    kernel = walk(problem)
    assert kernel.run(1 << 40, 1) == FOUND and check(problem, kernel.answer()) is None
    assert kernel.nodes < 4 * n
    run = search(problem, limits=Limits(answers=2), settings=ALONE)
    first, second = [*run]
    assert check(problem, first) is None and check(problem, second) is None and first != second
    assert "a walk among packings" in run.engine
    again = search(problem, limits=Limits(answers=2), settings=ALONE)
    assert [*again] == [first, second]


def latin(side: int, holes: int, seed: int) -> Problem:
    """A Latin square of which so many squares are empty; the others are given."""
    draw = Random(seed)
    rows, columns, colours = [draw.sample(range(side), side) for _ in range(3)]
    cells = [(r, c) for r in range(side) for c in range(side)]
    full = {(rows[r], columns[c]): colours[(r + c) % side] for r, c in cells}
    square = side * side
    options = [[r * side + c, square + r * side + k, 2 * square + c * side + k] for r, c in cells for k in range(side)]
    given = [(r * side + c) * side + full[r, c] for r, c in draw.sample(cells, square - holes)]
    return build([(1, 1)] * (3 * square), options, given=sorted(given))


def test_heat_finds_latin_squares() -> None:
    """In some thousand steps, where the walk without heat finds none in ten times as many."""
    problem = latin(24, 288, 1)
    rest = Splitter(problem).rest(Prefix())
    kernel, cold = walk(rest.problem, heat=20), walk(rest.problem)
    assert kernel.run(300_000, 1) == FOUND
    assert check(problem, rest.whole(tuple(kernel.answer()))) is None
    assert cold.run(10 * kernel.nodes, 1) == SLICE


def test_a_large_latin_square_is_found_by_annealing() -> None:
    """With half of its 3600 squares empty, by way of what the given ones leave; the same answer each time."""
    problem = latin(60, 1800, 1)
    found = [search(problem, limits=Limits(answers=1), settings=Settings(jobs=1)) for _ in range(2)]
    (answer,), (again,) = [[*run] for run in found]
    assert check(problem, answer) is None and answer == again
    assert "annealing among packings" in found[0].engine


def test_given_options_stay_taken() -> None:
    plain = queens(70)
    taken = (3, 70 + 40, 69 * 70 + 21)
    problem = build(
        [*zip(plain.low, plain.high, strict=True)],
        [[*map(int, plain.option(o))] for o in range(plain.options)],
        given=taken,
    )
    run = search(problem, limits=Limits(answers=1), settings=ALONE)
    (answer,) = run
    assert check(problem, answer) is None and set(taken) <= set(answer)
    assert "a walk among packings" in run.engine


def test_where_there_is_none_others_prove_it() -> None:
    """The walk has its turns, and another way ends the search: more pigeons than holes, beside what has answers."""
    pigeons, holes, loose = 7, 6, 900
    options = [[p, pigeons + loose + h] for p in range(pigeons) for h in range(holes)]
    options += [[pigeons + k] for k in range(loose) for _ in range(8)]  # more than a pigeon has: pigeons come first
    problem = build([(1, 1)] * (pigeons + loose) + [(0, 1)] * holes, options)
    assert problem.options > portfolio.LARGE
    run = search(problem, limits=Limits(answers=1), settings=ALONE)
    assert [*run] == [] and run.status is Status.EXHAUSTED
