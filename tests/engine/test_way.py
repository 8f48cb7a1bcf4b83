"""The steps of a path: each reason alone forces what it says, and none of fewer conditions forces anything new."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import combinations, product

import pytest
from attrs import evolve

from covr.engine import Problem, build
from covr.engine.problem import Total
from covr.engine.proofs import way as module
from covr.engine.proofs.decide import Ground, strikers, struck
from covr.engine.proofs.way import Steps, TotalPairs, WayStep
from covr.engine.reference import answers
from tests.each import each
from tests.engine.sided import sided
from tests.shared import seeds

pytestmark = pytest.mark.long


def random_problem(rng: random.Random) -> Problem | None:
    """A small problem with bounds, perhaps colours, totals and given options, that has an answer; or None."""
    options = rng.randint(3, 9)
    items = rng.randint(2, 6)
    kind = rng.choice(("exact", "exact", "bounds", "colours", "totals"))
    bounds = []
    for _ in range(items):
        if kind in ("bounds", "totals"):
            low = rng.randint(0, 2)
            bounds.append((low, low + rng.randint(0, 2)))
        else:
            bounds.append((rng.choice((1, 1, 0)), 1))
    bounds.sort(key=lambda b: b[0] == 0)
    rows = []
    for _ in range(options):
        row: list[int | tuple[int, int]] = []
        for i in rng.sample(range(items), rng.randint(1, min(3, items))):
            coloured = kind == "colours" and bounds[i] == (0, 1)
            row.append((i, rng.randint(0, 2)) if coloured else i)
        rows.append(row)
    sides = []
    if kind == "totals":
        for _ in range(rng.randint(1, 2)):
            terms = tuple((o, rng.choice((-1, 1, 2, 3))) for o in sorted(rng.sample(range(options), 3)))
            low = rng.randint(0, 3)
            sides.append(Total(terms, ((low, low), (low + 2, low + 3))))
    given = rng.sample(range(options), rng.choice((0, 0, 1)))
    problem = build(bounds, rows, given=given, sides=sides)
    return problem if next(answers(problem), None) is not None else None


def forced_by(problem: Problem, conditions: Iterable[int], known: WayStep, option: int, taken: bool) -> bool:
    """Whether the oracle finds no answer of these conditions alone, with what was known and the option's other
    value."""
    kept = set(conditions)
    items = [i for i in range(problem.items) if i in kept]
    at = {i: n for n, i in enumerate(items)}
    rows = []
    for o in range(problem.options):
        pairs = zip(problem.option(o), problem.option_colours(o), strict=True)
        rows.append([(at[i], c) for i, c in pairs if i in at])
    out = known.before_out | ({option} if taken else set())
    forbidden = [Total(((o, 1),), ((0, 0),)) for o in sorted(out)]
    sides = [side for k, side in enumerate(problem.sides) if problem.items + k in kept]
    given = sorted(known.before_taken | (set() if taken else {option}))
    if out & set(given):
        return True
    bounds = [(problem.low[i], problem.high[i]) for i in items]
    alone = build(bounds, rows, given=given, sides=[*sides, *forbidden])
    return next(answers(alone), None) is None


def path_of(problem: Problem, work: int = module.WORK) -> tuple[list[WayStep], Steps, set[int], set[int]]:
    found = list(answers(problem))
    forced = set(range(problem.options)).intersection(*found)
    excluded = set(range(problem.options)).difference(*found)
    steps = Steps(problem, found[0], forced, excluded, work)
    return list(steps), steps, forced, excluded


def conclusions(step: WayStep) -> list[tuple[tuple[int, ...], int, bool]]:
    """Each conclusion of a step, with the conditions that are said to force it."""
    return [
        (reason.conditions, o, taken)
        for reason in step.reasons
        for taken in (True, False)
        for o in (reason.taken if taken else reason.out)
    ]


@each("seed", seeds(80))
def test_every_step_follows_from_its_reason_alone_and_from_no_smaller_one(seed: int) -> None:
    rng = random.Random(seed)
    done = 0
    while done < 4:
        problem = random_problem(rng)
        if problem is None:
            continue
        done += 1
        steps, path, forced, excluded = path_of(problem)
        assert path.finished
        assert path.taken == forced | set(problem.given)
        assert path.out == excluded
        conditions = range(problem.items + len(problem.sides))
        for step in steps:
            assert {len(reason.conditions) for reason in step.reasons} == {step.size}
            known = step.before_taken | step.before_out
            for reason, o, taken in conclusions(step):
                assert o not in known
                assert forced_by(problem, reason, step, o, taken)
            assert step.proved
            for smaller in combinations(conditions, step.size - 1):
                for o in (forced | excluded) - known:
                    assert not forced_by(problem, smaller, step, o, o in forced), (smaller, o)


@each("seed", seeds(60))
def test_steps_from_connections_and_circuits_follow_from_their_reasons_alone(seed: int) -> None:
    """Whatever the work; and where a step is said to have a smallest reason, nothing new follows from fewer
    conditions."""
    rng = random.Random(seed + 5000)
    done = 0
    while done < 3:
        problem = evolve(sided(rng, 8, False), costs=())
        if all(isinstance(side, Total) for side in problem.sides) or next(answers(problem), None) is None:
            continue
        done += 1
        steps, path, forced, excluded = path_of(problem, work=rng.choice((0, 300, module.WORK)))
        assert path.finished
        assert (path.taken, path.out) == (forced | set(problem.given), excluded)
        conditions = range(problem.items + len(problem.sides))
        for step in steps:
            for reason, o, taken in conclusions(step):
                assert forced_by(problem, reason, step, o, taken)
            if step.proved and step.size < 4:
                for smaller in combinations(conditions, step.size - 1):
                    for o in (forced | excluded) - step.before_taken - step.before_out:
                        assert not forced_by(problem, smaller, step, o, o in forced), (smaller, o)


@each("seed", seeds(40))
def test_with_hardly_any_work_the_steps_are_right_and_do_not_claim_too_much(seed: int) -> None:
    rng = random.Random(seed + 1000)
    done = 0
    while done < 5:
        problem = random_problem(rng)
        if problem is None:
            continue
        done += 1
        steps, path, forced, excluded = path_of(problem, work=rng.choice((0, 30, 200)))
        assert path.finished
        conditions = range(problem.items + len(problem.sides))
        for step in steps:
            for reason, o, taken in conclusions(step):
                assert forced_by(problem, reason, step, o, taken)
            if step.proved:
                for smaller in combinations(conditions, step.size - 1):
                    for o in (forced | excluded) - step.before_taken - step.before_out:
                        assert not forced_by(problem, smaller, step, o, o in forced)


def test_a_pair_that_only_search_finds() -> None:
    """Two cells with the same two candidates take these from a third: two cells, and an item for each of the two."""
    # Items: three cells, then values 1, 2, 3, each at most once.
    options = [(c, 3 + d) for c, values in ((0, (0, 1)), (1, (0, 1)), (2, (0, 1, 2))) for d in values]
    problem = build([(1, 1)] * 3 + [(0, 1)] * 3, options)
    steps, _path, forced, excluded = path_of(problem)
    assert forced == {6}
    assert excluded == {4, 5}
    assert next((step.size, step.proved, step.reasons[0].conditions) for step in steps) == (4, True, (0, 1, 3, 4))


def test_a_total_alone_forces_what_its_smallest_and_largest_sum_do_not_tell() -> None:
    """3a + 5b + 7c = 8 or 12: b is needed in both, and the bounds 0 and 15 say nothing."""
    problem = build([], [[], [], []], sides=[Total(((0, 3), (1, 5), (2, 7)), ((8, 8), (12, 12)))])
    steps, _path, forced, excluded = path_of(problem)
    assert (forced, excluded) == ({1}, set())
    assert [(step.size, step.reasons[0].taken) for step in steps] == [(1, (1,))]


@each("seed", seeds(60))
def test_pairs_with_totals_force_what_all_their_assignments_agree_on(seed: int) -> None:
    """Every assignment of the members of two conditions is tried. Pairs that force no more than each alone are left
    out, because what one condition forces is a step before."""
    rng = random.Random(seed)
    done = 0
    while done < 6:
        options = rng.randint(4, 8)
        rows: list[list[int]] = [[0] * (rng.random() < 0.6) + [1] * (rng.random() < 0.3) for _ in range(options)]
        sides = []
        counts = [rng.choice((-2, -1, 1, 2, 3, 5)) for _ in range(options)]
        for _ in range(rng.randint(1, 2)):
            terms = tuple((o, counts[o]) for o in range(options) if rng.random() < 0.6)
            low = rng.randint(-2, 8)
            sides.append(Total(terms, ((low, low), (low + 3, low + 3 + rng.randint(0, 1)))))
        problem = build([(rng.randint(0, 1), 1), (0, rng.randint(1, 2))], rows, sides=[s for s in sides if s.terms])
        ground = Ground(problem, set(), set())
        alone = {c: agreed(ground, (c,)) for c in ground.members}
        if any(values is None or values for values in alone.values()):
            continue
        pairs = list(combinations(sorted(ground.members), 2))
        wanted = {pair: agreed(ground, pair) for pair in pairs if any(c in ground.terms for c in pair)}
        if any(values is None for values in wanted.values()):
            continue
        done += 1
        finder = TotalPairs(ground)
        found = {(c, d): set(values) for c, d, values in finder}
        for pair, values in found.items():
            assert values == wanted[pair], (problem, pair)
        if finder.sure:
            assert found == {pair: values for pair, values in wanted.items() if values}


def agreed(ground: Ground, conditions: tuple[int, ...]) -> set[tuple[int, bool]] | None:
    """The values that all assignments that meet these conditions agree on; None if there is no such assignment."""
    members = sorted({o for c in conditions for o in ground.members[c]})
    found: set[tuple[int, bool]] | None = None
    for values in product((False, True), repeat=len(members)):
        taken = {o for o, v in zip(members, values, strict=True) if v}
        if not any(ground.violated(c, taken) for c in conditions):
            here = set(zip(members, values, strict=True))
            found = here if found is None else found & here
    return found


def test_a_total_with_too_many_sums_claims_no_proof() -> None:
    """Its single conclusion is found by search, and is smallest; a pair found before that would not be known to be."""
    big = 1 << 40
    problem = build(
        [(1, 1), (0, 1), (0, 1)],
        [(0, 1), (0,), (1,), (), (), ()],
        sides=[Total(((3, 3 * big), (4, 5 * big), (5, 7 * big)), ((8 * big, 8 * big), (12 * big, 12 * big)))],
    )
    steps, path, forced, _excluded = path_of(problem)
    assert path.finished
    assert forced == {4}
    assert [(step.size, step.reasons[0].taken) for step in steps] == [(1, (4,))]


def test_stopping_ends_the_path() -> None:
    problem = build([(1, 1)] * 3 + [(0, 1)] * 3, [(c, 3 + d) for c in range(3) for d in range(3) if (c, d) != (2, 0)])
    evolved = evolve(problem, given=(0,))
    found = next(answers(evolved))
    steps = Steps(evolved, found, set(found), set(), stopped=lambda: True)
    assert list(steps) == []
    assert not steps.finished


def test_what_is_struck_and_by_which_options() -> None:
    problem = build([(1, 1), (0, 2), (0, 1)], [(0, 1), (0,), (1,), (1, (2, 1)), ((2, 1),), ((2, 2),)])
    assert struck(problem, [0]) == {1}
    assert struck(problem, [0, 2]) == {1, 3}
    assert struck(problem, [4]) == {5}
    assert strikers(problem, {0, 4}, [1, 5]) == (0, 4)
    assert strikers(problem, set(), [1]) == ()
