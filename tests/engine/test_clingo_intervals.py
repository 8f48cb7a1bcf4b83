"""What takes time and excludes each other is seen whatever a model calls it, and ordered as brute force orders it."""

from __future__ import annotations

import random
from itertools import pairwise, product

import pytest
from attrs import evolve

from covr.engine import Problem, Settings, Status, Total, build, check, cost, search
from covr.engine.kernels.header import DONE, FOUND
from covr.engine.outside.clingo_intervals import NAME, IntervalsKernel, intervals
from tests.constants import Constants

pytest.importorskip("clingo")

Steps = list[tuple[tuple[int, ...], int]]
"""Of each step the machines that it uses, and how long."""


def shop(
    jobs: list[Steps],
    horizon: int,
    summed: bool = False,
    ordered: bool = True,
    prices: tuple[int, ...] = (),
    slow: int = 0,
) -> Problem:
    """Steps of jobs on machines, by the instants at which each may begin. summed: whether one total says what must end
    before what, instead of one for each instant.  ordered: whether the steps of a job follow each other.
    prices: of the ends; the instants themselves without.  slow: instants within which a next step must begin, or 0."""
    start: dict[tuple[int, int, int], int] = {}
    for j, steps in enumerate(jobs):
        for k, (_, takes) in enumerate(steps):
            for t in range(horizon - takes + 1):
                start[j, k, t] = len(start)
    end = [len(start) + t for t in range(horizon + 1)]
    groups = {(j, k): place for place, (j, k) in enumerate({(j, k): 0 for j, k, _ in start})}
    instants: dict[tuple[int, int], int] = {}
    options: list[list[int]] = []
    for j, k, t in start:
        machines, takes = jobs[j][k]
        own = [(m, x) for m in machines for x in range(t, t + takes)]
        options.append([groups[j, k], *(len(groups) + 1 + instants.setdefault(key, len(instants)) for key in own)])
    options += [[len(groups)] for _ in end]
    follows = [((j, k), (j, k + 1)) for j, steps in enumerate(jobs) for k in range(len(steps) - 1) if ordered]
    follows += [((j, k), (-1, 0)) for j, steps in enumerate(jobs) for k in range(len(steps))]
    sides: list[Total] = []
    for one, then in follows:
        takes = jobs[one[0]][one[1]][1]
        ours = {t: o for (j, k, t), o in start.items() if (j, k) == one}
        theirs = {t: o for (j, k, t), o in start.items() if (j, k) == then} or dict(enumerate(end))
        within = slow if slow and then[0] >= 0 else horizon
        if summed:
            terms = sorted([(o, -t) for t, o in ours.items() if t] + [(o, t) for t, o in theirs.items() if t])
            sides.append(Total(tuple(terms), ((takes, takes + within),)))
            continue
        for t, o in ours.items():
            later = [(p, 1) for u, p in theirs.items() if t + takes <= u <= t + takes + within]
            sides.append(Total(tuple(sorted([(o, -1), *later])), ((0, len(later)),)))
    costs = [0] * len(start) + [*(prices[: len(end)] or range(len(end)))]
    bounds = [(1, 1)] * (len(groups) + 1) + [(0, 1)] * len(instants)
    return build(bounds, options, costs=costs, sides=sides)


def least(problem: Problem) -> int | None:
    """The cost of the cheapest answer, by trying every option of each group."""
    answers = map(sorted, product(*problem.holders[: problem.primary]))
    return min((cost(problem, a) for a in answers if check(problem, a) is None), default=None)


def drawn(rng: random.Random) -> Problem:
    """Up to four steps of two jobs, or of three; sometimes on two machines at once, or in any order."""
    jobs: list[Steps] = [
        [(tuple(rng.sample(range(3), rng.choice((1, 1, 1, 2)))), rng.randint(1, 3)) for _ in range(steps)]
        for steps in rng.choice(((2, 2), (1, 2), (1, 1, 1), (1, 2, 1)))
    ]
    prices = tuple(sorted(rng.randint(0, 9) for _ in range(20))) if rng.random() < 0.3 else ()
    problem = shop(jobs, rng.randint(3, 5), rng.random() < 0.5, rng.random() < 0.7, prices, rng.choice((0, 0, 1, 2)))
    given = rng.sample(range(problem.options), rng.randint(1, 2)) if rng.random() < 0.3 else []
    return evolve(problem, given=tuple(sorted(given)))


@pytest.mark.parametrize("calls", [1, 500])
def test_the_kernel_finds_the_first_end(calls: int, constants: Constants) -> None:
    """Beside brute force, up to each ceiling, in calls of clingo that come to their end and in short ones."""
    constants("covr.engine.outside.clingo_intervals", BRIEF=calls)
    rng, seen = random.Random(calls), 0
    for _ in range(60):
        problem = drawn(rng)
        found = intervals(problem)
        if found is None:
            continue
        seen += 1
        true = least(problem)
        for ceiling in (None, *(() if true is None else (true, true - 1))):
            kernel, best = IntervalsKernel(found, problem.given, ceiling), None
            while kernel.run(1, 1) != DONE:
                if kernel.code == FOUND:
                    answer = sorted([*kernel.answer(), *problem.given])
                    assert check(problem, answer) is None
                    best = cost(problem, answer)
                    kernel.lower(best - 1)
                assert kernel.bound is None or true is None or kernel.bound <= true
            assert best == (None if true is None or (ceiling is not None and ceiling < true) else true)
    assert seen > 30


def test_the_search_finds_the_first_end() -> None:
    rng = random.Random(5)
    for _ in range(30):
        problem = drawn(rng)
        run = search(problem, goal="minimum", settings=Settings(jobs=1))
        answers = list(run)
        assert run.status is Status.EXHAUSTED
        assert (cost(problem, answers[-1]) if answers else None) == least(problem)


def published(jobs: int, machines: int, longest: int, seed: int) -> list[Steps]:
    """Jobs that visit each machine once, in an order of their own."""
    rng = random.Random(seed)
    return [[((m,), rng.randint(1, longest)) for m in rng.sample(range(machines), machines)] for _ in range(jobs)]


@pytest.mark.parametrize("summed", [False, True])
def test_a_shop_takes_few_calls(summed: bool) -> None:
    """Six jobs on six machines: a tree of linear programs does not get there in a hundred times as many nodes."""
    problem = shop(published(6, 6, 10, 1), 70, summed)
    run = search(problem, goal="minimum", settings=Settings(jobs=1))
    answers = list(run)
    assert run.status is Status.EXHAUSTED and run.engine.startswith(NAME)
    assert check(problem, answers[-1]) is None
    assert run.counters.nodes < 1000


def test_what_is_about_anything_else_is_left_to_others() -> None:
    plain = shop([[((0,), 2), ((1,), 1)], [((1,), 2), ((0,), 3)]], 8)
    assert intervals(plain) is not None
    assert intervals(evolve(plain, costs=())) is None
    assert intervals(evolve(plain, costs=(1, *plain.costs[1:]))) is None  # a start has a price of its own
    assert intervals(evolve(plain, costs=plain.costs[::-1])) is None  # the later the cheaper
    roomy = next(i for i in range(plain.primary, plain.items) if len(plain.holders[i]) > 2)
    assert intervals(evolve(plain, high=(*plain.high[:roomy], 2, *plain.high[roomy + 1 :]))) is None  # two at once
    assert intervals(evolve(plain, high=(2, *plain.high[1:]))) is None  # begun twice
    three = Total(tuple((plain.holders[i][0], 1) for i in range(3)), ((0, 1),))
    assert intervals(evolve(plain, sides=(*plain.sides, three))) is None
    gap = Total(((plain.holders[0][0], 1), (plain.holders[1][3], 1)), ((0, 1),))
    assert intervals(evolve(plain, sides=(*plain.sides, gap))) is None  # an instant between two others


def test_what_excludes_each_other_moves_on() -> None:
    """The intervals that are read off say exactly which pairs of options go together."""
    rng = random.Random(2)
    for _ in range(6):
        problem = evolve(drawn(rng), given=())
        found = intervals(problem)
        if found is None:
            continue
        for one in found.apart:
            assert all(x <= y for bounds in (one.low, one.high) for x, y in pairwise(bounds))
            for k, o in enumerate(found.groups[one.a]):
                for n, p in enumerate(found.groups[one.b]):
                    if one.low[k] <= n <= one.high[k]:
                        assert least(evolve(problem, given=tuple(sorted((o, p))))) is None
