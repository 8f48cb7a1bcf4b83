"""Clues that clingo leaves out: what stays leaves the answer the only one, and nothing less does, by trying all sets of
options."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from covr.engine.check import check
from covr.engine.problem import Connection, Problem, Total, build
from covr.engine.puzzles.clues import Uniqueness, flat, learns, thin_learned
from tests.each import each

pytest.importorskip("clingo", reason="this is what clingo does")


def random_problem(rng: Random) -> Problem:
    """Few options, some items, and side conditions of two kinds."""
    options = rng.randint(2, 7)
    bounds = sorted(((rng.randint(0, 1), rng.randint(1, 2)) for _ in range(rng.randint(0, 3))), reverse=True)
    held = [[i for i in range(len(bounds)) if rng.random() < 0.5] for _ in range(options)]
    own = sorted(rng.sample(range(options), rng.randint(1, options)))
    low = rng.randint(0, 2)
    sides: list[Total | Connection] = [Total(tuple((o, rng.choice((1, 2))) for o in own), ((low, low + 2),))]
    if rng.random() < 0.5:
        edges = tuple(pair for pair in combinations(range(options), 2) if rng.random() < 0.5)
        sides.append(Connection(tuple((o, o) for o in range(options)), edges))
    return build(bounds, held, sides=sides)


@each("seed", range(150))
def test_what_is_left_is_enough_and_minimal(seed: int) -> None:
    rng = Random(seed)
    problem = random_problem(rng)
    sets = [taken for n in range(problem.options + 1) for taken in combinations(range(problem.options), n)]
    answers = [taken for taken in sets if check(problem, taken) is None]

    def only(clues: list[int]) -> bool:
        return sum(set(clues) <= set(taken) for taken in answers) == 1

    for answer in rng.sample(answers, min(4, len(answers))):
        asked = Uniqueness(problem)
        assert learns(asked)
        units = [(o,) for o in answer]
        if len(units) > 3 and rng.random() < 0.5:
            units = [tuple(sorted(answer[:2])), *units[2:]]
        if not only(flat(units)):
            continue
        rng.shuffle(units)
        with asked:
            kept = thin_learned(asked, answer, units)
        assert kept is not None
        assert only(flat(kept))
        assert all(not only(flat(unit for unit in kept if unit != left)) for left in kept)
