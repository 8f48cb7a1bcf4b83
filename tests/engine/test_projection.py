"""Answers that count as one because they agree in the options that tell answers apart (`Problem.projection`).

The law: what a search finds are the distinct parts of all answers, each exactly once.
"""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from attrs import evolve

from covr.engine import Circuit, Limits, Problem, Settings, Status, Total, build, check, cost, count, search
from covr.engine.base.alone import Unsuited
from covr.engine.batch import batch
from covr.engine.counting.part_count import BoundedParts, ExactParts, PartCount
from covr.engine.kernels.header import DONE
from covr.engine.outside import clingo
from covr.engine.pieces.ledger import Ask
from covr.engine.pieces.piece import Pieces
from covr.engine.prepare.frontier import shuffle
from covr.engine.prepare.masks import build_masks, build_sets, take_given
from covr.engine.proofs.trace import trace
from covr.engine.puzzles.candidates import CandidateSearch
from covr.engine.sampling.probe import Probing
from covr.engine.sampling.sample import suits
from covr.engine.settings import CountPace, Pace
from tests.each import each
from tests.engine.sided import side_by_side, sided
from tests.shared import seeds

pytestmark = pytest.mark.long

Part = tuple[int, ...]


def random_projection(seed: int) -> Problem:
    """A small random problem, half of them with sides, in which some options tell answers apart."""
    rng = random.Random(f"told/{seed}")
    problem = sided(rng)
    share = rng.choice((0.0, 0.2, 0.5, 0.8, 1.0))
    told = tuple(o for o in range(problem.options) if rng.random() < share)
    return evolve(problem, sides=problem.sides if rng.random() < 0.5 else (), projection=told)


def answers(problem: Problem) -> list[Part]:
    """Every answer, by trying every set of options."""
    every = range(problem.options)
    return [a for k in range(problem.options + 1) for a in combinations(every, k) if check(problem, a) is None]


def parts(problem: Problem, ceiling: int | None = None) -> set[Part]:
    """What the options that tell answers apart take in all answers of at most this cost."""
    return {problem.projected(a) for a in answers(problem) if ceiling is None or cost(problem, a) <= ceiling}


def found(problem: Problem, settings: Settings, limits: Limits = Limits()) -> list[Part]:  # noqa: B008
    run = search(problem, settings=settings, limits=limits)
    listed = [problem.projected(a) for a in run]
    assert run.counters.answers == len(listed)
    return listed


def ways(problem: Problem) -> list[Settings]:
    every = [Settings(), Settings(seed=3), Settings(engine="sides"), Settings(engine="reference"), Settings(jobs=2)]
    every.append(Settings(interpreted=True))
    if clingo.INSTALLED and not problem.sides:
        every += [Settings(engine="clingo"), Settings(engine="clingo", seed=5)]
    return every


@each("seed", seeds(150))
def test_every_way_finds_every_part_once(seed: int) -> None:
    problem = random_projection(seed)
    wanted = parts(problem)
    for settings in ways(problem):
        listed = found(problem, settings)
        assert len(listed) == len(wanted) and set(listed) == wanted, settings
        if settings.engine != "clingo":
            assert count(problem, settings=settings).value == len(wanted)
    for most in (1, 2, 3):
        few = found(problem, Settings(), Limits(answers=most))
        assert len(set(few)) == len(few) == min(most, len(wanted)) and set(few) <= wanted
        assert count(problem, Limits(answers=most)).value == len(few)


@each("seed", seeds(80))
def test_ceilings_and_minima_are_those_of_brute_force(seed: int) -> None:
    rng = random.Random(seed)
    plain = sided(rng, costs=True)
    problem = evolve(plain, projection=tuple(o for o in range(plain.options) if rng.random() < 0.5))
    costs = sorted({cost(problem, a) for a in answers(problem)})
    run = search(problem, goal="minimum")
    assert [cost(problem, a) for a in run][-1:] == costs[:1] and run.status is Status.EXHAUSTED
    for ceiling in costs[:3]:
        for engine in ("auto", "reference"):
            listed = found(problem, Settings(ceiling=ceiling, engine=engine))
            assert len(set(listed)) == len(listed) and set(listed) == parts(problem, ceiling)


@pytest.mark.parametrize("options", [1, 63, 64, 65, 127, 128, 129])
def test_any_number_of_options_may_stand_around(options: int) -> None:
    """The small problem stands among options that every answer takes, and options that answers may take or leave."""
    for seed in range(4):
        small = random_projection(seed)
        while small.options > options:
            seed += 100
            small = random_projection(seed)
        rest = options - small.options
        left = random.Random(seed).randint(0, rest)
        free = min(2, rest - left)
        forced = build([(1, 1)] * left, [[i] for i in range(left)])
        more = build([(1, 1)] * (rest - left - free), [*([i] for i in range(rest - left - free)), *([[]] * free)])
        problem = evolve(
            side_by_side([forced, small, more]), projection=tuple(o + left for o in small.projection or ()), costs=()
        )
        wanted = {tuple(o + left for o in part) for part in parts(small)}
        assert problem.options == options
        for settings in (Settings(), Settings(seed=1), Settings(interpreted=True)):
            listed = found(problem, settings)
            assert len(listed) == len(wanted) and set(listed) == wanted
        everything = evolve(problem, projection=tuple(range(options)))
        assert count(everything).value == count(problem.by_all()).value


@each("seed", seeds(20))
def test_parts_of_separate_problems_multiply(seed: int) -> None:
    several = [random_projection(3 * seed + k) for k in range(3)]
    whole = side_by_side(several)
    told: list[int] = []
    first = 0
    for one in several:
        told += [o + first for o in one.projection or ()]
        first += one.options
    product = 1
    for one in several:
        product *= len(parts(one))
    if product <= 2000:
        assert count(evolve(whole, projection=tuple(told))).value == product


@each("seed", range(10))
def test_a_shuffled_problem_keeps_its_parts(seed: int) -> None:
    problem = random_projection(seed)
    shuffled, numbers = shuffle(problem, seed)
    assert {tuple(sorted(numbers[o] for o in part)) for part in parts(shuffled)} == parts(problem)


def exact(seed: int) -> Problem:
    """A small random problem with bounds 1, 1 and 0, 1, in which some options tell answers apart."""
    problem = random_projection(seed)
    lows = tuple(min(low, 1) for low in problem.low)
    return evolve(problem, sides=(), costs=(), low=lows, high=(1,) * problem.items)


@each("seed", seeds(120))
def test_a_count_with_a_memo_is_the_number_of_parts(seed: int) -> None:
    problem = exact(seed)
    wanted = len(parts(problem))
    residual = take_given(problem.by_all())
    for memory in (0, 1 << 20) if residual.feasible else ():
        masks = build_masks(problem.by_all(), residual)
        own = PartCount(ExactParts(masks), masks.numbers, problem.projection or (), memory)
        while own.run(1 + seed % 3, 1) != DONE:
            assert own.value is None
        assert own.value == wanted
    assert count(problem).value == wanted


@each("seed", seeds(300))
def test_a_count_with_a_memo_holds_for_any_bounds(seed: int) -> None:
    problem = evolve(random_projection(seed), sides=(), costs=())
    wanted = len(parts(problem))
    residual = take_given(problem.by_all())
    for memory in (0, 1 << 20) if residual.feasible else ():
        sets = build_sets(problem.by_all(), residual)
        assert sets is not None
        own = PartCount(BoundedParts(sets), sets.numbers, problem.projection or (), memory)
        while own.run(1 + seed % 3, 1) != DONE:
            assert own.value is None
        assert own.value == wanted
    assert count(problem).value == wanted


def test_a_memo_for_bounds_counts_components_one_by_one() -> None:
    """Forty boards side by side, with three options of five taken and a helper, are far too many to list."""
    one = build([(3, 3), (1, 2)], [[0], [0], [0], [0], [0], [1], [1], [1]])
    whole = evolve(side_by_side([one] * 40), projection=tuple(8 * k + o for k in range(40) for o in range(5)))
    counted = count(whole, Limits(nodes=200_000))
    assert (counted.value, counted.status) == (10**40, Status.EXHAUSTED)


@pytest.mark.parametrize("turn", [1, 2])
def test_both_ways_to_count_take_turns(turn: int) -> None:
    quick = Settings(pace=Pace(least=1, counts=CountPace(parts=turn)))
    for seed in range(60):
        problem = exact(seed)
        wanted = len(parts(problem))
        assert count(problem, settings=quick).value == wanted
        for most in (1, 2, 5):
            assert count(problem, Limits(answers=most), quick).value == min(most, wanted)
        few = count(problem, Limits(nodes=4))
        assert few.counters.nodes <= 4 and few.value <= wanted
        assert few.status is Status.LIMIT or few.value == wanted


def test_components_are_counted_one_by_one() -> None:
    """Forty boards side by side, with three parts each, are far too many to list."""
    one = build([(1, 1), (1, 1)], [[0], [0], [0], [1], [1], [0, 1]])
    whole = evolve(side_by_side([one] * 40), projection=tuple(6 * k + o for k in range(40) for o in (0, 1, 5)))
    assert len(parts(evolve(one, projection=(0, 1, 5)))) == 4
    counted = count(whole, Limits(nodes=200_000))
    assert (counted.value, counted.status) == (4**40, Status.EXHAUSTED)


def test_no_node_is_spent_on_other_ways_to_take_the_rest() -> None:
    """Two options tell answers apart, and the rest is free: the nodes do not grow with the 2^60 ways to take it."""
    problem = evolve(build([(1, 1)], [[0], [0], *([[]] * 60)]), projection=(0, 1))
    run = search(problem)
    assert len(list(run)) == 2 and run.counters.nodes < 200


def test_a_batch_counts_parts() -> None:
    problem = build([(1, 2), (1, 1)], [[0], [0], [1], [1], [1]], projection=[0, 1])
    assert list(batch(problem, [[], [0], [0, 1], [2]], limit=9).counts) == [3, 2, 1, 3]


def test_what_is_no_part_is_refused() -> None:
    for told in ([2], [-1], [0, 0], [0.5]):
        with pytest.raises(ValueError, match=r"projection|tells"):
            build([(1, 1)], [[0], [0]], projection=told)  # type: ignore[arg-type]


def test_whatever_knows_of_no_parts_refuses() -> None:
    problem = build([(1, 1)], [[0], [0], []], projection=[0])
    assert not problem.is_pure and not problem.is_exact and not problem.is_cover and not suits(problem)
    for engine in ("links", "bits", "memo", "cover", "mixed"):
        with pytest.raises(Unsuited):
            search(problem, settings=Settings(engine=engine))
    with pytest.raises(Unsuited):
        Pieces(problem, Ask("all", Settings()))
    with pytest.raises(Unsuited):
        CandidateSearch(problem)
    with pytest.raises(Unsuited):
        Probing(problem, "all", 0)
    with pytest.raises(Unsuited):
        next(trace(problem))


def test_the_sides_are_kept() -> None:
    """A loop and a total, each with helpers that do not count."""
    loop = build([], [[]] * 4, sides=[Circuit(((0, 0, 1), (1, 0, 1), (2, 0, 1)))], projection=[0, 3])
    assert set(found(loop, Settings())) == {(), (0,), (3,), (0, 3)}
    total = build([], [[]] * 3, sides=[Total(((0, 1), (1, 2), (2, 3)), ((3, 3),))], projection=[2])
    assert set(found(total, Settings())) == {(), (2,)}
