"""Totals of different numbers as sets of numbers: what some answer takes is what trying all answers tells."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from covr.engine.outside.clingo import control_of
from covr.engine.outside.clingo_answers import TakenOptions
from covr.engine.outside.clingo_rules import NumberSets, Rules
from covr.engine.outside.clingo_shares import RuleWriter, new_atoms
from covr.engine.problem import Problem, Total, build
from tests.each import each

pytest.importorskip("clingo", reason="the questions are clingo's")


def runs(places: int, numbers: list[int], apart: set[int]) -> Problem:
    """Each place takes one of the numbers; those in `apart`, by position, are taken once at most."""
    bounds = [(1, 1)] * places + [(0, 1)] * len(apart)
    item = {k: places + n for n, k in enumerate(sorted(apart))}
    options = [[p, *([item[k]] if k in item else [])] for p in range(places) for k in range(len(numbers))]
    return build(bounds, options)


def total(problem: Problem, numbers: list[int], rng: Random) -> Total:
    terms = [(o, numbers[o % len(numbers)]) for o in range(problem.options) if numbers[o % len(numbers)]]
    low = rng.randint(-2, 14)
    second = low + 2 + rng.randint(0, 4)
    ranges = ((low, low), (second, second + rng.randint(0, 2))) if rng.random() < 0.4 else ((low, low),)
    return Total(tuple(terms), ranges)


@each("seed", range(60))
def test_what_some_answer_takes(seed: int) -> None:
    rng = Random(seed)
    places = rng.randint(1, 3)
    numbers = rng.sample(range(-2, 9), rng.randint(places, 5))
    apart = set(range(len(numbers))) if rng.random() < 0.7 else set(rng.sample(range(len(numbers)), len(numbers) - 1))
    problem = runs(places, numbers, apart)
    totals = [total(problem, numbers, rng) for _ in range(3)]
    asked = TakenOptions(problem, problem.options, lambda: False)
    switches = asked.switches(totals)
    rows = [[p * len(numbers) + k for k in range(len(numbers))] for p in range(places)]
    for _ in range(6):
        on = [k for k in range(3) if rng.random() < 0.5]
        expected = []
        for taken in product(*rows):
            columns = [o % len(numbers) for o in taken]
            different = all(columns.count(k) <= 1 for k in apart)
            added = [sum(c for o, c in totals[k].terms if o in taken) for k in on]
            if different and all(
                any(low <= s <= high for low, high in totals[k].sums) for k, s in zip(on, added, strict=True)
            ):
                expected.append(taken)
        known = expected[0] if expected else ()
        found = asked.ask([switches[k] for k in on], known, None, None)
        assert found == (frozenset(o for taken in expected for o in taken) if expected else None)


@pytest.mark.parametrize(
    ("places", "numbers", "apart", "sums"),
    [
        (2, [1, 2, 3], {0, 1, 2}, [3, 4, 5]),
        (2, [1, 2, 3], {0, 1}, None),  # 3 may be there twice
        (2, [0, 2, 3], {0, 1, 2}, None),  # where 0 is taken, no option of the total is
        (6, list(range(1, 14)), set(range(13)), None),  # 1716 sets
    ],
)
def test_which_totals_are_written_so(places: int, numbers: list[int], apart: set[int], sums: list[int] | None) -> None:
    problem = runs(places, numbers, apart)
    terms = tuple((o, numbers[o % len(numbers)]) for o in range(problem.options) if numbers[o % len(numbers)])
    control, new = control_of(["1"]), new_atoms()
    with control.backend() as backend:
        atoms = Rules(problem, control, backend, new).atoms
        found = NumberSets(problem, atoms).sums(Total(terms, ((3, 3),)), RuleWriter(backend, new))
    assert (None if found is None else sorted(found)) == sums
