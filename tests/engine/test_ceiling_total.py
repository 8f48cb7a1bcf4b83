"""Answers under a ceiling for their costs, as the engine `sides` lists them: the ceiling is a total there."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from covr.api.model import load
from covr.engine.check import cost
from covr.engine.dispatch import search
from covr.engine.settings import Pace, Settings
from tests.engine.sided import sided


@given(st.integers(0, 10**9))
def test_under_a_ceiling_are_all_answers_that_cost_no_more(seed: int) -> None:
    rng = random.Random(seed)
    problem = sided(rng)
    every = sorted(tuple(sorted(answer)) for answer in search(problem, settings=Settings(engine="reference")))
    paid = [cost(problem, answer) for answer in every]
    for ceiling in {rng.choice(paid or [0]), min(paid, default=0) - 1, max(paid, default=0), 2**62}:
        found = search(problem, settings=Settings(engine="sides", ceiling=ceiling))
        assert sorted(tuple(sorted(answer)) for answer in found) == [
            answer for answer, cost in zip(every, paid, strict=True) if cost <= ceiling
        ]


def test_an_option_that_is_dearer_than_what_is_left_is_out() -> None:
    problem = load("cutting_stock").compiled.problem
    nodes = {}
    for patience in (2000, 1_000_000):
        found = search(problem, settings=Settings(engine="sides", ceiling=5, pace=Pace(ceiling=patience)))
        next(found)
        nodes[patience] = found.counters.nodes
    assert nodes[1_000_000] == 8665  # 123 054 where only the cost of what is taken is compared with the ceiling
    assert nodes[2000] == 2693  # with the reduced costs of a linear program, from the node 2000 on
