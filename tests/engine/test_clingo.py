"""Searches by clingo against brute force."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from math import comb
from random import Random

import pytest
from attrs import evolve

from benchmarks._side_instances import facility
from covr.api.model import loads
from covr.engine import (
    Areas,
    Circuit,
    Connection,
    Forest,
    Limits,
    Problem,
    Settings,
    Status,
    Total,
    build,
    cost,
    search,
)
from covr.engine.base.alone import Unsuited
from covr.engine.kernels.header import DONE, FOUND
from covr.engine.kernels.loading import load
from covr.engine.outside import clingo_graphs, clingo_rules, clingo_shares
from covr.engine.outside import clingo_shares as clingo_calls
from covr.engine.outside.clingo import ClingoSearch
from covr.engine.outside.clingo_shares import Shared, shared
from covr.engine.proofs import conflict
from covr.engine.puzzles import candidates
from covr.engine.puzzles.candidates import Presence
from covr.engine.search import SearchKernel
from tests.constants import Constants
from tests.each import each
from tests.engine.clingo_problems import paths
from tests.engine.problems import brute, queens
from tests.engine.sided import sided
from tests.fuzz.by_clingo import ask, made
from tests.fuzz.sided import many
from tests.net.learned import check_best

pytestmark = [pytest.mark.skipif(find_spec("clingo") is None, reason="clingo is not installed"), pytest.mark.long]

CLINGO = Settings(engine="clingo")


def drawn(count: int, seed: int) -> list[tuple[Problem, list[tuple[int, ...]], Random]]:
    """Random problems with sides that clingo can hold, each with its answers."""
    found = []
    for k in range(count):
        rng = Random(seed * count + k)
        problem = sided(rng)
        try:
            search(problem, settings=CLINGO)
        except Unsuited:
            assert any(isinstance(side, Total) for side in problem.sides)
            continue
        found.append((problem, sorted(brute(problem)), rng))
    assert len(found) > count // 2
    return found


@pytest.mark.parametrize("seed", [None, 5])
def test_every_answer_is_found_once(seed: int | None) -> None:
    for problem, answers, _ in drawn(60, 1):
        run = search(problem, settings=evolve(CLINGO, seed=seed))
        assert sorted(run) == answers
        assert run.status is Status.EXHAUSTED and run.counters.answers == len(answers)


def test_short_totals_of_ones_allow_what_they_say() -> None:
    """They are written as clauses, and longer ones as weights; numbers that are allowed may have gaps."""
    for n in range(6):
        for allowed in range(2 ** (n + 2)):
            sums = [k for k in range(n + 2) if allowed >> k & 1]
            runs = [k for k in sums if k - 1 not in sums]
            ends = [k for k in sums if k + 1 not in sums]
            total = Total(tuple((o, 1) for o in range(n)), tuple(zip(runs, ends, strict=True)))
            problem = build([(0, 1)] * n, [[o] for o in range(n)], sides=(total,))
            found = Counter(map(len, search(problem, settings=CLINGO)))
            assert found == {k: comb(n, k) for k in sums if k <= n}


def test_what_is_shared_out_among_totals(monkeypatch: pytest.MonkeyPatch) -> None:
    told: Counter[bool] = Counter()

    def noting(problem: Problem) -> Iterator[Shared]:
        for one in shared(problem):
            told[one.side is not None] += 1
            yield one

    monkeypatch.setattr(clingo_rules, "shared", noting)
    met = 0
    for k in range(40):
        problem = paths(Random(k))
        answers = sorted(brute(problem))
        met += len(answers) > 1
        assert sorted(search(problem, settings=CLINGO)) == answers, k
    assert met > 10 and min(told[False], told[True]) > 10


def test_kernels_change_nothing_but_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules that are written one by one, and shares that are looked for by an interpreted kernel, give the same answers
    in the same order, if connections and loops are rules."""
    problems = [paths(Random(k)) for k in range(40)] + [problem for problem, _, _ in drawn(40, 1)]
    problems = [one for one in problems if not any(isinstance(side, Areas | Forest) for side in one.sides)]
    monkeypatch.setattr(clingo_graphs, "graph_sides", lambda control: None)
    quick = [list(search(problem, settings=CLINGO)) for problem in problems]
    out = [list(shared(problem)) for problem in problems]
    assert sum(map(len, out)) > 20
    monkeypatch.setattr(clingo_calls, "calls", lambda: None)
    monkeypatch.setattr(clingo_shares, "load", lambda name: load(name, interpreted=True))
    assert [list(search(problem, settings=CLINGO)) for problem in problems] == quick
    assert [list(shared(problem)) for problem in problems] == out


def test_calls_of_few_conflicts_find_the_same() -> None:
    for problem, answers, rng in drawn(60, 2):
        run = search(problem, settings=CLINGO)
        found = []
        while run.status is Status.RUNNING:
            run.step_once(rng.choice((1, 2, 5)))
            found += run.waiting()
        assert sorted(found) == answers


def test_pauses_change_nothing_where_calls_have_a_length() -> None:
    """Where pauses fall depends on the time that a slice takes; the order of answers must not."""
    orders = set()
    for pause in (1, 2, 7, 1000):
        run = ClingoSearch(queens(8))
        run.called = 20
        kernel, found = SearchKernel(run), []
        while kernel.run(pause, 1) != DONE:
            if kernel.code == FOUND:
                found.append(kernel.whole())
        assert len(set(found)) == 92
        orders.add(tuple(found))
    assert len(orders) == 1


def test_answers_that_differ_in_some_options() -> None:
    for problem, answers, rng in drawn(60, 3):
        share = rng.choice((0.0, 0.3, 0.7, 1.0))
        problem = evolve(problem, projection=tuple(o for o in range(problem.options) if rng.random() < share))
        parts = sorted({problem.projected(a) for a in answers})
        assert sorted(map(problem.projected, search(problem, settings=CLINGO))) == parts


@pytest.mark.parametrize("seed", [None, 5])
def test_minima_are_proved(seed: int | None) -> None:
    for problem, answers, _ in drawn(60, 4):
        least = min((cost(problem, a) for a in answers), default=None)
        run = search(problem, goal="minimum", settings=evolve(CLINGO, seed=seed))
        found = list(run)
        assert run.status is Status.EXHAUSTED
        assert set(found) <= set(answers)
        assert run.best == run.bound == least
        paid = [cost(problem, a) for a in found]
        assert paid == sorted(set(paid), reverse=True)


def test_answers_up_to_a_cost() -> None:
    for problem, answers, rng in drawn(60, 5):
        if problem.costs and answers:
            most = cost(problem, rng.choice(answers)) - rng.choice((0, 1))
            found = sorted(search(problem, settings=evolve(CLINGO, ceiling=most)))
            assert found == [a for a in answers if cost(problem, a) <= most]


def test_a_ceiling_that_is_lowered() -> None:
    for problem, answers, rng in drawn(40, 6):
        if problem.costs and answers:
            most = cost(problem, rng.choice(answers)) - 1
            run = search(problem, goal="minimum", settings=CLINGO)
            run.lower_ceiling(most)
            least = min((cost(problem, a) for a in answers if cost(problem, a) <= most), default=None)
            assert [cost(problem, a) for a in run][-1:] == ([] if least is None else [least])


def test_short_calls_and_turns_beside_linear_programs_prove_the_same_minimum() -> None:
    for k in range(40):
        rng = Random(400 + k)
        try:
            check_best(sided(rng, most=7), rng)
        except Unsuited:
            continue


def test_a_second_call_finds_only_cheaper_answers() -> None:
    """A vertex cover of a ring, by calls of one conflict each."""
    n = 15
    problem = build([(1, 2)] * n, [[i, (i + 1) % n] for i in range(n)], costs=[1] * n)
    run = ClingoSearch(problem, "minimum", settings=evolve(CLINGO, ceiling=n))
    run.called = 1
    paid = []
    while run.step(1):
        paid += [cost(problem, a) for a in run.waiting()]
        assert run.bound is None or run.bound <= 8
    paid += [cost(problem, a) for a in run.waiting()]
    assert paid == sorted(set(paid), reverse=True) and paid[-1] == 8 == run.bound


def test_clingo_proves_what_is_counted_where_places_hang_together() -> None:
    """The fewest squares of 6 by 6 that hang together and are beside all others: linear programs alone took 11 s."""
    text = "cells r, c in 1..6 choose s(r, c) "
    text += "at least one s per i in 1..6, j in 1..6 where abs(i - r) + abs(j - c) <= 1 "
    text += "connected s at r, c minimize 1 of s"
    problem = loads(text).compiled.problem
    run = search(problem, goal="minimum", limits=Limits(nodes=500_000), settings=Settings(jobs=1))
    list(run)
    assert (run.best, run.status) == (14, Status.EXHAUSTED)
    assert "clingo" in run.engine


def test_depots_are_proved_by_the_linear_programs_beside_clingo() -> None:
    problem = facility(40, 15)
    run = search(problem, goal="minimum", limits=Limits(nodes=3000), settings=Settings(jobs=1))
    list(run)
    assert run.status == Status.LIMIT, "also where a method overshoots the limit"
    run = search(problem, goal="minimum", limits=Limits(nodes=40_000), settings=Settings(jobs=1))
    list(run)
    assert (run.best, run.status) == (5093, Status.EXHAUSTED)


def test_colours_and_bounds_give_the_answers_of_brute_force() -> None:
    rng = Random(7)
    for _ in range(60):
        bounds = [(1, 1), (0, rng.randint(1, 3)), (rng.randint(0, 2), rng.randint(2, 3)), (0, 1), (0, 1)]
        bounds.sort(key=lambda b: b[0] == 0)
        options = [
            [
                (i, rng.randint(0, 2)) if (low, high) == (0, 1) else (i, 0)
                for i, (low, high) in enumerate(bounds)
                if rng.random() < 0.5
            ]
            for _ in range(9)
        ]
        problem = build(bounds, options, given=[0] if rng.random() < 0.3 else [])
        assert sorted(search(problem, settings=CLINGO)) == sorted(brute(problem))


def test_limits_of_answers_and_of_nodes_are_heeded() -> None:
    assert len(list(search(queens(6), limits=Limits(answers=3), settings=CLINGO))) == 3
    run = search(queens(20), limits=Limits(nodes=1), settings=CLINGO)
    assert len(list(run)) <= 1 and run.status is Status.LIMIT


def test_an_interrupt_ends_it() -> None:
    run = search(queens(30), settings=CLINGO)
    next(run)
    run.interrupt()
    assert list(run) == [] and run.status is Status.INTERRUPTED


def test_what_hangs_in_the_air_is_no_answer() -> None:
    """A ring of vertices away from the root holds itself up, but has no foundation."""
    ring = [(u, u + 1) for u in range(10, 15)] + [(10, 15)]
    places = tuple((o, v) for o, v in enumerate([0, *range(10, 16)]))
    problem = build([], [[] for _ in places], given=[0], sides=[Connection(places, tuple(ring))])
    assert list(search(problem, settings=CLINGO)) == [(0,)]
    loops = Circuit(((0, 0, 1), (1, 1, 2), (2, 0, 2), (3, 5, 6), (4, 6, 7), (5, 5, 7)))
    problem = build([], [[] for _ in range(6)], sides=[loops])
    assert sorted(search(problem, settings=CLINGO)) == [(0, 1, 2), (3, 4, 5)]


def test_roots_that_are_known_and_graphs_that_are_shared() -> None:
    """Families in one graph, each beginning at a given option, or at the options of an item that must be met."""
    rng = Random(8)
    met = 0
    for _ in range(150):
        vertices = rng.randint(2, 6)
        edges = tuple((u, v) for v in range(vertices) for u in range(v) if rng.random() < 0.4)
        stand = [[rng.randrange(vertices) for _ in range(rng.choice((1, 1, 2)))] for _ in range(9)]
        families = [range(5), range(3, 9)]
        bounds = [rng.choice(((1, 1), (1, 2), (2, 3))) for _ in families] + [(0, 1)]
        options = [[i for i, f in enumerate(families) if o in f and rng.random() < 0.6] for o in range(9)]
        shown = [[*row, (2, rng.randint(1, 2))] if rng.random() < 0.3 else row for row in options]
        sides = [Connection(tuple((o, v) for o in f for v in stand[o]), edges) for f in families]
        given = [rng.randrange(9)] if rng.random() < 0.2 else []
        problem = build(bounds, shown, given=given, sides=sides)
        answers = sorted(brute(problem))
        met += bool(answers)
        assert sorted(search(problem, settings=CLINGO)) == answers
    assert met > 50


def test_candidates_are_those_of_all_answers(constants: Constants) -> None:
    constants(candidates, BRIEF=1)
    learned = 0
    for problem, answers, _ in drawn(80, 9):
        times = [sum(o in a for a in answers) for o in range(problem.options)]
        right = [Presence.NONE if not t else Presence.ALL if t == len(answers) else Presence.SOME for t in times]
        asked = candidates.CandidateSearch(problem)
        found = asked.run()
        assert ([*found.verdicts], found.complete, found.solvable) == (right, True, bool(answers))
        learned += asked._forces
    assert learned > 10


def test_what_contradicts_itself_is_told_by_clingo_too(constants: Constants) -> None:
    constants(conflict, BRIEF=0)
    none = 0
    for problem, answers, _ in drawn(80, 10):
        asked = conflict.Relaxing(problem, conflict.ConflictBudget())
        verdict = asked.solve(asked.everything)
        assert verdict.none is not bool(answers) and (verdict.answer is None or verdict.answer in answers)
        if not answers:
            none += 1
            least = asked.shrink([(c,) for c in asked.everything], orders=1)
            assert least.minimal and asked.solve(least.constraints).none
            assert all(not asked.solve(set(least.constraints) - {c}).none for c in least.constraints)
    assert none > 10


def test_candidates_of_a_masyu_without_pearls_take_few_nodes() -> None:
    """Without clingo, 700 000 nodes were not enough for a board of 14 by 14."""
    lines = [(r * 9 + c, r * 9 + c + d) for r in range(9) for c in range(9) for d in (1, 9) if d == 9 or c < 8]
    lines = [(u, v) for u, v in lines if v < 81]
    loop = Circuit(tuple((o, u, v) for o, (u, v) in enumerate(lines)))
    asked = candidates.CandidateSearch(build([], [[] for _ in lines], sides=[loop]))
    found = asked.run()
    assert found.complete and set(found.verdicts) == {Presence.SOME}
    assert asked.nodes < 20_000
    asked = candidates.CandidateSearch(build([], [[] for _ in lines], sides=[loop]), limits=Limits(seconds=0))
    assert not asked.run().complete and asked.status is Status.LIMIT


def test_numbers_that_are_too_large_are_refused() -> None:
    large = Total(((0, 2**30), (1, 2**30)), ((0, 2**30),), "weight")
    with pytest.raises(Unsuited, match="the total `weight`, whose numbers add up to 2\\^31 or more"):
        search(build([], [[], []], sides=[large]), settings=CLINGO)
    with pytest.raises(Unsuited, match="costs below 2\\^31"):
        search(build([(1, 1)], [[0], [0]], costs=[2**40, 1]), goal="minimum", settings=CLINGO)


@each("seed", range(4))
def test_every_way_to_ask_clingo_tells_what_brute_force_tells(seed: int) -> None:
    assert many(40, seed, make=made, ask=ask) == []


def test_a_minimum_in_steps_of_one_node_comes_to_an_end() -> None:
    """Cores are lost at the end of a call, and a call of one conflict does not prove that there is no answer here."""
    options = [[0, 2, 6], [0, 3, 6, 7], [0, 4, 6, 7], [0, 5, 6, 7], [1, 2, 6], [1, 3, 6, 7], [1, 4, 6, 7], [1, 5, 6, 7]]
    bounds = [(2, 2), (1, 2), *[(0, 1)] * 4, *[(0, 2)] * 2]
    run = search(build(bounds, options, costs=(1, 2, 2, 3, 1, 0, 1, 0)), goal="minimum", settings=CLINGO)
    steps = 0
    while run.step(1):
        steps += 1
        assert steps < 200
    assert run.status is Status.EXHAUSTED and run.best is None and not brute(run.problem)


def test_costs_that_are_spread_do_not_split_cores_for_ever() -> None:
    """Without strata, each core takes as little as the smallest cost from all others: eight minutes, and no end."""
    terms = enumerate((-20255, -23206, 72783, 49489, -59454, 13986, 22323, 63822, -98386))
    costs = (29425, 479883, -246209, -52144, 298725, 538666, 401912, 884073, 256353)
    total = Total(tuple(terms), ((-82660, -82660), (109091, 109092)))
    run = search(build([], [[]] * 9, costs=costs, sides=[total]), goal="minimum", settings=CLINGO)
    assert list(run)[-1] == (2, 5, 6) and run.bound == run.best == 694369
    assert run.counters.nodes < 200
