"""Conditions on switches: another answer is found, or none is, as trying all sets of options tells; and what is named
as enough for that is enough."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from covr.engine.outside.clingo_answers import OtherAnswers
from covr.engine.problem import build
from tests.each import each
from tests.engine.switched import allowed, random_switched

pytest.importorskip("clingo", reason="switches are those of clingo")


@each("seed", range(120))
def test_other_answers_are_those_of_all_sets_of_options(seed: int) -> None:
    rng = Random(seed)
    options, switches = rng.randint(1, 6), rng.randint(1, 4)
    bounds = [(0, rng.randint(1, 3)) for _ in range(rng.randint(0, 3))]
    problem = build(bounds, [[i for i in range(len(bounds)) if rng.random() < 0.5] for _ in range(options)])
    switched = random_switched(rng, options, switches)
    sets = [taken for n in range(options + 1) for taken in combinations(range(options), n)]
    answer = rng.choice(sets)
    telling = sorted(rng.sample(range(options), rng.randint(1, options)))
    asked = OtherAnswers(problem, switched, answer, telling, lambda: False)

    def others(on: set[int], lacking: list[int]) -> set[tuple[int, ...]]:
        return {
            taken
            for taken in sets
            if set(taken) & set(telling) != set(answer) & set(telling)
            and (not lacking or not set(lacking) <= set(taken))
            and allowed(problem, switched, switches, on, taken)
        }

    for _ in range(6):
        on = set(rng.sample(range(1, switches + 1), rng.randint(0, switches)))
        lacking = sorted(rng.sample(range(options), rng.randint(1, options))) if rng.random() < 0.3 else []
        wanted = others(on, lacking)
        found = asked.ask(sorted(on), None, lacking)
        assert asked.settled
        if found is None:
            assert not wanted
            assert set(asked.core) <= on
            assert not others(set(asked.core), lacking)
        else:
            assert found in wanted
        assert asked.has(sorted(on), None) == bool(others(on, []))
        assert asked.settled
