"""The linear program of a node is the one that its decisions leave, however the kernel came there."""

from __future__ import annotations

import random
from typing import Any

import pytest

from benchmarks._side_instances import bin_packing, facility, knapsack
from covr.engine.kernels.header import MIXED_OPTIMAL as OPTIMAL
from covr.engine.kernels.header import MIXED_UNBOUNDED as UNBOUNDED
from covr.engine.kernels.header import MIXED_WAIT as WAIT
from covr.engine.kernels.loading import load
from covr.engine.minimum.mixed_core import MixedCore, core
from covr.engine.minimum.mixed_tree import BoundTree, kernel_of
from covr.engine.minimum.sided_tree import plant
from tests.engine.problems import domination, random_packing, random_partition

pytestmark = pytest.mark.long

SLICE = 1 << 40  # work: as much as it takes
NEAR = 1e-5  # how far values and sums may be off; costs are perturbed by about a millionth


def sided_core(problem: Any) -> MixedCore:
    planted = plant(problem, None, False, None)
    assert planted is not None
    return planted[0]


CORES = {
    "partition": lambda: core(random_partition(20, 60, 1)),
    "packing": lambda: core(random_packing(15, 50, 2)),
    "domination": lambda: core(domination(6)),
    "knapsack": lambda: sided_core(knapsack(30, 2)),
    "bin packing": lambda: sided_core(bin_packing(8, 4)),
    "facility": lambda: sided_core(facility(10, 5)),
}


def solved(kernel: Any) -> int:
    code = WAIT
    while code == WAIT:
        code = kernel.solve(SLICE)
    return int(code)


def value(own: MixedCore, kernel: Any) -> float:
    """What the program is worth, after all rows of the core were looked at."""
    x = dict(kernel.fractions()) | dict.fromkeys(kernel.taken(), 1.0)
    sums = [0.0] * own.rows
    for o, part in x.items():
        for i in own.options[o]:
            if i < own.rows:
                sums[i] += part
    bounds = [*zip(own.lows, own.highs, sums, strict=False)][: own.rows]
    for row in own.heavy:
        bounds.append((row.low, row.high, sum(a * x.get(o, 0.0) for o, a in row.terms)))
    for low, high, found in bounds:
        size = NEAR * (1 + abs(found))
        assert low - size <= found <= (found if high >= UNBOUNDED else high) + size
    return sum(own.costs[o] * part for o, part in x.items())


@pytest.mark.parametrize("name", CORES)
@pytest.mark.parametrize("interpreted", [False, True])
def test_programs_are_worth_the_same_by_any_way(name: str, interpreted: bool) -> None:
    """A kernel that takes, drops and frees options, and brings its values up to date each time, comes to the same
    programs as one that begins with what is settled."""
    own, module = CORES[name](), load("_mixed", interpreted)
    steps = 60 if interpreted else 600
    for seed in range(1 if interpreted else 4):
        rng = random.Random(f"{name} {seed}")
        kernel = kernel_of(own, module, own.dearest + 1)
        assert kernel.propagate()
        compared, marks = 0, [kernel.standing()]
        for _ in range(steps):
            frees = kernel.frees_left()
            if not frees or rng.random() < 0.2:
                marks = marks[: rng.randint(1, len(marks))]
                kernel.undo(marks[-1])
                continue
            way = kernel.take if rng.random() < 0.4 else kernel.drop
            if not way(rng.choice(frees)) or solved(kernel) != OPTIMAL:
                kernel.undo(marks[-1])
                continue
            marks.append(kernel.standing())
            fresh = kernel_of(own, module, own.dearest + 1)
            assert all((fresh.take if taken else fresh.drop)(o) for o, taken in kernel.settled(0))
            assert sorted(fresh.settled(0)) == sorted(kernel.settled(0))
            assert solved(fresh) == OPTIMAL
            mine, other = value(own, kernel), value(own, fresh)
            assert abs(mine - other) <= NEAR * (1 + sum(map(abs, own.costs)))
            compared += 1
        assert compared > steps // 10


@pytest.mark.parametrize("name", CORES)
def test_what_is_worth_all_that_an_answer_may_cost_is_solved(name: str) -> None:
    """Where only answers are wanted that cost as little as the program is worth, perturbed costs exceed that: the
    search branches at solved programs nevertheless."""
    own, module = CORES[name](), load("_mixed", False)
    root = kernel_of(own, module, own.dearest)
    assert root.propagate() and solved(root) == OPTIMAL
    ceiling = own.least(root.bound())
    tree = BoundTree(own, module, ceiling)
    branched = 0
    kernel = tree._kernel

    class Heard:
        """The kernel, which is watched."""

        def __getattr__(self, what: str) -> Any:
            return getattr(kernel, what)

        def fractions(self) -> Any:
            nonlocal branched
            branched += 1
            value(own, kernel)
            return kernel.fractions()

    tree._kernel = Heard()
    for _ in range(3000):
        if tree.done:
            break
        tree.step()
        tree.found = None
        assert tree.bound is None or tree.bound <= ceiling or tree.done
    assert branched
