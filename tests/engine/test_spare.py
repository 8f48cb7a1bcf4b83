"""What is spare in random problems, by brute force: the answers of the problem without it."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import product

from attrs import evolve

from covr.engine import Circuit, Connection, Problem, build
from covr.engine.check import check
from covr.engine.proofs.conflict import ConflictBudget, Relaxing, Unit
from covr.engine.proofs.spare import SpareUnits, Sparing, breaches
from tests.each import each
from tests.engine.problems import only_sides
from tests.engine.sided import circuit, connection, sided, total
from tests.shared import seeds

Answers = frozenset[tuple[int, ...]]


def everything(problem: Problem) -> tuple[int, ...]:
    return Relaxing(problem, ConflictBudget()).everything


def alone(problem: Problem, constraint: int) -> Problem:
    """A problem with the same options, and only this constraint."""
    free: list[list[tuple[int, int]]] = [[] for _ in range(problem.options)]
    first_side = problem.items + problem.options
    if constraint >= first_side:
        return build([], free, sides=[problem.sides[constraint - first_side]])
    if constraint >= problem.items:
        return build([], free, given=[constraint - problem.items])
    for option, colour in problem.column(constraint):
        free[option].append((0, colour))
    return build([(problem.low[constraint], problem.high[constraint])], free)


def kept_by(problem: Problem, constraint: int) -> Answers:
    """All sets of options that keep one constraint."""
    one = alone(problem, constraint)
    sets = product((False, True), repeat=problem.options)
    every = (tuple(o for o, taken in enumerate(chosen) if taken) for chosen in sets)
    return frozenset(answer for answer in every if check(one, answer) is None)


class Brute:
    """All answers of a problem without some of its units, as far as they are told apart."""

    def __init__(self, problem: Problem, units: Sequence[Unit]) -> None:
        self.problem, self.units = problem, units
        self.kept = {c: kept_by(problem, c) for c in everything(problem)}
        self.whole = self.without(())

    def without(self, numbers: Iterable[int]) -> frozenset[tuple[int, ...]]:
        gone = {c for number in numbers for c in self.units[number]}
        sets = [kept for c, kept in self.kept.items() if c not in gone]
        every = frozenset(
            tuple(o for o, taken in enumerate(chosen) if taken)
            for chosen in product((False, True), repeat=self.problem.options)
        )
        return frozenset(map(self.problem.projected, reduce(frozenset.intersection, sets, every)))

    def spare(self, numbers: Iterable[int]) -> bool:
        return self.without(numbers) == self.whole


def units_of(problem: Problem, rng: random.Random) -> list[Unit]:
    """Some constraints, one by one or several together; some are in no unit and stay."""
    left = [c for c in everything(problem) if rng.random() < 0.9]
    rng.shuffle(left)
    units = []
    while left:
        size = rng.choice((1, 1, 1, 2, 3))
        units.append(tuple(sorted(left[:size])))
        left = left[size:]
    return units


def drawn(seed: int) -> Problem:
    """A random problem, half of them with more givens, some in which some options tell answers apart."""
    rng = random.Random(seed)
    problem = sided(rng, 7)
    if rng.random() < 0.3:
        problem = evolve(problem, sides=())
    if rng.random() < 0.5:
        answers = sorted(Brute(problem, []).whole)
        pool = rng.choice(answers) if answers else range(problem.options)
        given = rng.sample(list(pool), rng.randint(0, len(pool)))
        problem = evolve(problem, given=tuple(sorted({*problem.given, *given})))
    if rng.random() < 0.3:
        telling = rng.sample(range(problem.options), rng.randint(0, problem.options))
        problem = evolve(problem, projection=tuple(sorted(telling)))
    return problem


@each("seed", seeds(40))
def test_what_is_spare_by_brute_force(seed: int) -> None:
    for number in range(5 * seed, 5 * seed + 5):
        problem = drawn(number)
        units = units_of(problem, random.Random(number))
        found = Sparing(problem, units, ConflictBudget()).find()
        brute = Brute(problem, units)
        assert list(found.alone) == [n for n in range(len(units)) if brute.spare([n])], number
        assert not found.open and found.minimal
        assert brute.spare(found.together) and set(found.together) <= set(found.alone), number
        rest = [n for n in found.alone if n not in found.together]
        assert not any(brute.spare([*found.together, n]) for n in rest), number


@each("seed", seeds(60))
def test_a_breach_leads_to_what_breaks_a_constraint(seed: int) -> None:
    rng = random.Random(seed)
    options = rng.randint(1, 7)
    side = rng.choice((connection, circuit, total))(rng, options)
    problem = only_sides(options, side)
    (constraint,) = everything(problem)
    kept = kept_by(problem, constraint)
    for chosen in product((False, True), repeat=options):
        answer = tuple(o for o, taken in enumerate(chosen) if taken)
        said = [_leads_to(problem, constraint, answer)]
        assert said == [answer not in kept], (answer, side)


def _leads_to(problem: Problem, constraint: int, answer: tuple[int, ...]) -> bool:
    """Whether one of the breaches of a constraint holds for a set of options."""
    for breach in breaches(problem, constraint):
        if not breach.left_out.isdisjoint(answer):
            continue
        own = range(problem.options)
        options = problem.options + breach.added
        rest = [o for o in own if o not in answer]
        larger = Problem(low=(), high=(), primary=0, starts=[0] * (options + 1), members=[])
        asked = Relaxing(larger, ConflictBudget(), taken=answer, left_out=rest, sides=breach.sides)
        if asked.solve(()).answer is not None:
            return True
    return False


def test_a_budget_leaves_what_is_open() -> None:
    problem = drawn(3)
    units = [(c,) for c in everything(problem)]
    found = Sparing(problem, units, ConflictBudget(nodes=0)).find()
    assert found == SpareUnits((), tuple(range(len(units))), (), False)


def test_what_is_cut_is_a_connection_or_a_circuit() -> None:
    """Both are met above."""
    kinds = {type(side) for seed in range(200) for side in drawn(seed).sides}
    assert {Connection, Circuit} <= kinds
