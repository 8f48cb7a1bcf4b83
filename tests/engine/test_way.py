"""The steps of a path: each reason alone forces what it says, and none of fewer conditions forces anything new."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import combinations

import pytest
from attrs import evolve

from covr.engine import Problem, build
from covr.engine.proofs import way as module
from covr.engine.proofs.ground import strikers, struck
from covr.engine.proofs.way import Steps, WayStep
from covr.engine.reference import answers
from covr.engine.sides import Total


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


@pytest.mark.parametrize("seed", range(80))
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


@pytest.mark.parametrize("seed", range(40))
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
