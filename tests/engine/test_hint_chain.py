"""A reason told as a chain: each link follows from its condition alone, by every way to complete what is known."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import product

from covr.engine import Problem, build, reference
from covr.engine.check import check
from covr.engine.problem import Circuit, Total
from covr.engine.proofs.decide import Ground, chain_of, shortest
from covr.engine.proofs.way import Steps, implied_by_circuits
from tests.each import each
from tests.engine.one_condition import alone
from tests.engine.sided import sided
from tests.shared import seeds


def ways(problem: Problem, condition: int, value: Mapping[int, bool]) -> list[set[int]]:
    """Every set of options that meets one condition and has these values."""
    one = alone(problem, condition)
    free = [o for o in range(problem.options) if o not in value]
    held = {o for o, v in value.items() if v}
    every = [held | {o for o, v in zip(free, chosen, strict=True) if v} for chosen in product((0, 1), repeat=len(free))]
    return [taken for taken in every if check(one, tuple(sorted(taken))) is None]


@each("seed", seeds(9))
def test_every_link_follows_from_its_condition(seed: int) -> None:
    """With some of what is known as facts, of which the chain uses those that it names."""
    rng = random.Random(seed)
    found = 0
    for _ in range(25):
        problem = sided(rng, 7, costs=False)
        answers = [set(a) for a in reference.answers(problem)]
        if not answers:
            continue
        forced = set.intersection(*answers)
        excluded = set(range(problem.options)) - set.union(*answers)
        implied = implied_by_circuits(problem)
        for step in Steps(problem, sorted(answers[0]), forced, excluded):
            known = dict.fromkeys(step.before_taken, True) | dict.fromkeys(step.before_out, False)
            facts = {o: v for o, v in known.items() if rng.random() < 0.3}
            sure = {o: v for o, v in known.items() if o not in facts}
            ground = Ground(problem, step.before_taken - facts.keys(), step.before_out - facts.keys())
            facts = {o: v for o, v in facts.items() if o in ground.of}
            for reason in step.reasons:
                for o, right in [*((o, True) for o in reason.taken), *((o, False) for o in reason.out)]:
                    chain = chain_of(ground, frozenset(reason.conditions), o, not right, implied, facts)
                    if chain is None:
                        continue
                    found += 1
                    assert shortest([None, chain]) == chain
                    assert chain.facts <= facts.keys() and (chain.option, chain.taken) == (o, not right)
                    value = sure | {f: facts[f] for f in chain.facts} | {o: not right}
                    for link in chain.links:
                        assert implied.get(link.condition, link.condition) in reason.conditions or (
                            link.condition in reason.conditions
                        )
                        new = dict.fromkeys(link.taken, True) | dict.fromkeys(link.out, False)
                        assert new and value.keys().isdisjoint(new)
                        for every in ways(problem, link.condition, value):
                            assert all((p in every) == v for p, v in new.items())
                        value |= new
                    assert not ways(problem, chain.broken, value)
    assert found


@each("seed", seeds(9))
def test_what_a_circuit_implies_holds_wherever_it_does(seed: int) -> None:
    """Totals over the options at a vertex, with sums that hold 0 and 2, and such as do not."""
    rng = random.Random(500 + seed)
    found = 0
    for _ in range(20):
        options, vertices = rng.randint(1, 6), rng.randint(2, 4)
        ends = tuple((o, rng.randrange(vertices), rng.randrange(vertices)) for o in range(options))
        totals = []
        for v in range(vertices):
            here = [o for o, *at in ends if v in at]
            sums = rng.choice((((0, 0), (2, 2)), ((0, 2),), ((0, 0),), ((0, 0), (2, 3)), ((2, 2),)))
            if here:
                totals.append(Total(tuple((o, rng.choice((1, 1, 1, 2))) for o in here), sums))
        problem = build([], [[] for _ in range(options)], sides=[*totals, Circuit(ends)])
        implied = implied_by_circuits(problem)
        loops = ways(problem, len(totals), {}) if implied else []
        for c, by in implied.items():
            found += 1
            assert by == len(totals)
            met = ways(problem, c, {})
            assert all(loop in met for loop in loops)
    assert found
