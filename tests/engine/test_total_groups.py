"""Groups of a total's options say what the total says, and are the same where the kernel is interpreted."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from covr.engine import Problem, Total, build
from covr.engine.kernels.loading import load
from covr.engine.prepare import sides as totals
from covr.engine.prepare.sides import GroupedTotal, TotalSums


def drawn(rng: Random) -> tuple[Problem, Total]:
    """A problem of a few items, some of which show colours, and a total."""
    if rng.random() < 0.3:  # different numbers in some places, as in a cage
        places, numbers = rng.choice(((2, 3), (3, 3), (2, 4)))
        rows = [[p, places + k] for p in range(places) for k in range(numbers)]
        terms = tuple((o, 1 + o % numbers) for o in range(len(rows)))
        least = rng.randint(2, 6)
        return build([(1, 1)] * places + [(0, 1)] * numbers, rows), Total(terms, ((least, least + rng.randint(0, 2)),))
    options, items = rng.randint(1, 7), rng.randint(1, 5)
    primary = rng.randint(0, items)
    bounds = [rng.choice(((1, 1), (1, 1), (1, 2))) for _ in range(primary)]
    bounds += [rng.choice(((0, 1), (0, 1), (0, 2))) for _ in range(items - primary)]
    coloured = rng.random() < 0.3
    entries = [
        [
            (i, rng.choice((0, 1, 2))) if coloured and bounds[i] == (0, 1) else i
            for i in sorted(rng.sample(range(items), rng.randint(0, min(items, 3))))
        ]
        for _ in range(options)
    ]
    ones = rng.random() < 0.3
    own = sorted(rng.sample(range(options), rng.randint(1, options)))
    terms = tuple([(o, 1 if ones else rng.choice((1, 2, 2, 3, 4, 6, -2, 10**19))) for o in own])
    edges = sorted(rng.sample(range(-6, 15), 4))
    sums = ((edges[0], edges[1]), (edges[2] + 1, edges[3] + 1))[: rng.randint(0, 2)]
    return build(bounds, entries), Total(terms, sums)


def allows(grouped: GroupedTotal, taken: set[int]) -> bool | None:
    """Whether it allows these options; None if a group has two of them, or lacks one that it must have."""
    whole = 0
    for group in grouped.groups:
        added = [value for value, options in group.values for o in options if o in taken]
        if len(added) > 1:
            return None
        whole += added[0] if added else group.empty
    return any(low <= whole <= high for low, high in grouped.ranges)


@pytest.mark.parametrize("interpreted", [False, True])
def test_groups_say_what_the_total_says(monkeypatch: pytest.MonkeyPatch, interpreted: bool) -> None:
    monkeypatch.setattr(totals, "load", lambda name: load(name, interpreted=interpreted))
    several = compared = 0
    for seed in range(400):
        problem, total = drawn(Random(seed))
        prepared = TotalSums(problem).of(total)
        several += len(prepared) > 1
        for row in product((False, True), repeat=problem.options):
            taken = {o for o, told in enumerate(row) if told}
            if any(
                not low <= len(taken.intersection(held)) <= high
                for low, high, held in zip(problem.low, problem.high, problem.holders, strict=True)
            ):
                continue
            told = any(low <= sum(c for o, c in total.terms if o in taken) <= high for low, high in total.sums)
            assert [allows(one, taken) for one in prepared] == [told] * len(prepared), (seed, taken)
            compared += 1
    assert several > 5 and compared > 1000


def test_groups_are_the_same_where_the_kernel_is_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    problems = [drawn(Random(seed)) for seed in range(400)]
    found = [TotalSums(problem).of(total) for problem, total in problems]
    monkeypatch.setattr(totals, "load", lambda name: load(name, interpreted=True))
    assert [TotalSums(problem).of(total) for problem, total in problems] == found
