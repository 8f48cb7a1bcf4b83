"""Minimal sets of constraints by clingo: contradictory, and with an answer without any one, by all sets of options."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from itertools import product

import pytest

from covr.engine import Problem
from covr.engine.base.alone import Unsuited
from covr.engine.check import check
from covr.engine.proofs.conflict import ConflictBudget, Cores, Relaxing, Unit
from tests.each import each
from tests.engine.one_condition import alone
from tests.engine.sided import sided
from tests.shared import seeds

pytest.importorskip("clingo", reason="cores are those of clingo")


class Oracle:
    """Which constraints each set of options meets."""

    def __init__(self, problem: Problem, taken: frozenset[int], left_out: frozenset[int]) -> None:
        first = problem.items + problem.options
        self.met: list[set[int]] = []
        parts = {i: alone(problem, i) for i in range(problem.items)}
        parts |= {first + k: alone(problem, problem.items + k) for k in range(len(problem.sides))}
        for chosen in product((0, 1), repeat=problem.options):
            own = {o for o, v in enumerate(chosen) if v}
            if taken <= own and left_out.isdisjoint(own):
                here = tuple(sorted(own))
                met = {c for c, part in parts.items() if check(part, here) is None}
                self.met.append(met | {problem.items + o for o in problem.given if o in own})

    def possible(self, constraints: Iterable[int]) -> bool:
        wanted = set(constraints)
        return any(wanted <= met for met in self.met)


@each("seed", seeds(9))
def test_a_set_by_cores_is_contradictory_and_minimal(seed: int) -> None:
    rng = random.Random(seed)
    shrunk = 0
    for _ in range(12):
        problem = sided(rng, 5, costs=False)
        free = [o for o in range(problem.options) if o not in problem.given]
        some = frozenset(rng.sample(free, 1)) if free and rng.random() < 0.4 else frozenset()
        taken, left_out = (some, frozenset()) if rng.random() < 0.5 else (frozenset(), some)
        relaxing = Relaxing(problem, ConflictBudget(), taken=taken, left_out=left_out)
        oracle = Oracle(problem, taken, left_out)
        every = list(relaxing.everything)
        units: list[Unit] = [(c,) for c in every]
        beside: tuple[int, ...] = ()
        if rng.random() < 0.5 and len(every) > 2:
            rng.shuffle(every)
            beside, rest = tuple(every[:1]), every[1:]
            units = [tuple(rest[at : at + 2]) for at in range(0, len(rest), 2)]
        heard: list[Sequence[Unit]] = []
        try:
            cores = Cores(relaxing)
        except Unsuited:  # numbers that clingo can't hold
            continue
        found = cores.shrink(units, beside, heard.append)
        assert (found is None) == oracle.possible(every)
        if found is None:
            continue
        shrunk += 1
        kept, minimal = found
        assert minimal and set(kept) <= set(units) and all(set(kept) <= set(larger) for larger in heard)
        assert not oracle.possible((*beside, *(c for unit in kept for c in unit)))
        for one in kept:
            assert oracle.possible((*beside, *(c for unit in kept if unit != one for c in unit)))
        relaxing.budget.hard = True
        whole = relaxing.shrink([(c,) for c in relaxing.everything])
        assert whole.minimal and not oracle.possible(whole.constraints)
        for c in whole.constraints:
            assert oracle.possible(d for d in whole.constraints if d != c)
    assert shrunk
