"""Linear programs for problems with sides: the same minima as brute force, and no bound or row that is too strong."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks._side_instances import bin_packing, facility, knapsack, network, round_trip
from covr.engine import Circuit, Connection, Limits, Problem, Settings, Status, Total, build, check, cost, search
from covr.engine.kernels.header import MIXED_UNBOUNDED as UNBOUNDED
from covr.engine.kernels.loading import load
from covr.engine.minimum.mixed_core import HeavyRow, most_of
from covr.engine.minimum.sided_tree import LARGEST_ROW, CuttingTree, cuts_of, plant, rows_of, total_rows
from covr.engine.prepare.sides import implied
from tests.engine.problems import brute
from tests.engine.sided import circuit, connection, sided, total

pytestmark = pytest.mark.long

compiled_only = pytest.mark.skipif(not load("_mixed").COMPILED, reason="too slow without the compiled kernel")
MIXED = Settings(engine="mixed")


def grown(
    problem: Problem, interpreted: bool = False, ceiling: int | None = None
) -> tuple[list[int], list[int], CuttingTree]:
    """What the tree finds by itself: the costs of its answers, each checked; its bounds, step by step; and the tree."""
    planted = plant(problem, ceiling, interpreted, None)
    assert planted is not None
    core, tree = planted
    paid, bounds = [], []
    while not tree.done:
        tree.step()
        if tree.bound is not None:
            bounds.append(core.whole(min(tree.bound, tree.ceiling + 1)))
        if tree.found is not None:
            answer = sorted([*problem.given, *tree.also, *(core.numbers[o] for o in tree.found)])
            assert check(problem, answer) is None
            paid.append(cost(problem, answer))
            tree.found = None
    return paid, bounds, tree


@given(st.integers(0, 2**40), st.booleans(), st.booleans())
def test_the_tree_finds_the_minimum_and_no_bound_is_above_it(seed: int, interpreted: bool, limited: bool) -> None:
    rng = random.Random(seed)
    problem = sided(rng, costs=True)
    costs = [cost(problem, answer) for answer in brute(problem)]
    ceiling = rng.choice(costs) - rng.choice((0, 1)) if limited and costs else None
    least = min((c for c in costs if ceiling is None or c <= ceiling), default=None)
    paid, bounds, _ = grown(problem, interpreted, ceiling)
    assert (paid[-1] if paid else None) == least
    assert all(b < a for a, b in pairwise(paid))
    assert least is None or all(bound <= least for bound in bounds)


@pytest.mark.parametrize("problems", [600, pytest.param(3000, marks=pytest.mark.slow)])
def test_what_hundreds_of_roots_prove_is_true(problems: int) -> None:
    """What the root proves holds for every answer."""
    if not load("_mixed").COMPILED:
        pytest.skip("too slow without the compiled kernel")
    added = 0
    for k in range(problems):
        problem = sided(random.Random(f"root {k}"), costs=True)
        least = min((cost(problem, answer) for answer in brute(problem)), default=None)
        planted = plant(problem, None, False, None)
        assert planted is not None
        core, tree = planted
        while not tree.done and tree.root is None:
            tree.step()
        if tree.root is not None and least is not None:
            assert core.whole(core.least(tree.root.bound)) <= least, k
        assert not tree.done or least is None or tree.found is not None or tree.root is not None, k
        added += tree._added
    assert added > problems / 60


@given(st.integers(0, 2**40))
def test_rows_of_totals_forbid_no_answer(seed: int) -> None:
    """Every set of options that a total allows is allowed by its rows, whose numbers the kernel can hold."""
    rng = random.Random(seed)
    options = rng.randint(1, 8)
    sides = tuple(total(rng, options) for _ in range(rng.randint(1, 3)))
    problem = build([], [[] for _ in range(options)], costs=[rng.randint(0, 3) for _ in range(options)], sides=sides)
    taken = set(rng.sample(range(options), 1)) if rng.random() < 0.2 else set()
    needs = [-1 if p in taken else p for p in implied(problem)]
    rows = list(total_rows(sides, taken, set(), needs))
    for row in rows:
        assert sum(abs(c) for _, c in row.terms) < UNBOUNDED
        assert [o for o, _ in row.terms] == sorted({o for o, _ in row.terms} - taken)
        assert 0 not in [c for _, c in row.terms] and abs(row.low) < UNBOUNDED
    for answer in brute(problem):
        if taken <= set(answer):
            assert all(meets(row, answer) for row in rows)


def meets(row: HeavyRow, answer: tuple[int, ...]) -> bool:
    there = sum(c for o, c in row.terms if o in answer)
    return row.low <= there and (row.high >= UNBOUNDED or there <= row.high)


def test_rows_of_totals_are_tight() -> None:
    (row,) = rows_of([(0, 4), (1, 6), (2, 8)], -5, 13, [-1] * 3)  # at most 6 of 2, 3 and 4, so 5 of 2, 3 and 3
    assert row == HeavyRow(0, 5, [(0, 2), (1, 3), (2, 3)])
    (row,) = rows_of([(0, 3), (1, 2)], 0, 4, [-1, -1])  # not both: at most 1 of 1 and 1
    assert row == HeavyRow(0, 1, [(0, 1), (1, 1)])
    (row,) = rows_of([(0, 3), (1, 5)], 0, 7, [2, 2, -1])  # both need option 2
    assert row.terms == [(0, 3), (1, 5), (2, -7)] and row.high == 0
    assert not list(rows_of([(0, 3), (1, -5)], -5, 3, [-1, -1]))
    far = [(0, 2**57), (1, 2**57 + 1), (2, -(2**56))]
    assert all(sum(abs(c) for _, c in row.terms) <= LARGEST_ROW for row in rows_of(far, 5, 2**57 + 7, [-1] * 3))


def test_a_switch_in_a_total_with_gaps_gives_the_rows_of_both_bounds() -> None:
    """If option 0 is taken, two or three of the four others; if not, any number of them. And both directions."""
    terms = ((0, 5), (1, 1), (2, 1), (3, 1), (4, 1))
    others = [(1, 1), (2, 1), (3, 1), (4, 1)]
    rows = list(total_rows([Total(terms, ((0, 4), (7, 8)))], (), (), [-1] * 5))
    assert HeavyRow(0, UNBOUNDED, [(0, -2), *others]) in rows  # at least 2
    assert HeavyRow(0, 4, [(0, 1), *others]) in [HeavyRow(max(r.low, 0), r.high, r.terms) for r in rows]  # at most 3
    rows = list(total_rows([Total(terms, ((0, 1), (7, 9)))], (), (), [-1] * 5))
    assert any([c for _, c in row.terms] == [-3, 1, 1, 1, 1] and row.high == 1 for row in rows)  # else at most 1


@given(st.integers(0, 2**40))
def test_cuts_forbid_nothing(seed: int) -> None:
    """Every answer meets the rows that any values whatever call for; the values themselves do not."""
    rng = random.Random(seed)
    problem = sided(rng, costs=True)
    shapes = [connection(rng, problem.options), circuit(rng, problem.options)]
    sides = [*problem.sides, rng.choice(shapes)]
    bounds = list(zip(problem.low, problem.high, strict=True))
    options = [[*zip(problem.option(o), problem.option_colours(o), strict=True)] for o in range(problem.options)]
    problem = build(bounds, options, given=problem.given, sides=sides)
    answers = list(brute(problem))
    for _ in range(4):
        x = [rng.choice((0.0, 0.0, 0.5, 1.0, rng.random())) for _ in range(problem.options)]
        for o in problem.given:
            x[o] = 1.0
        for cuts in cuts_of(problem, set(problem.given), set()):
            for row in cuts(x):
                assert sum(c * x[o] for o, c in row.terms) < row.low - 0.1
                assert all(meets(row, answer) for answer in answers)


@pytest.mark.parametrize("interpreted", [True, False])
@given(seed=st.integers(0, 2**40))
def test_least_cuts_equal_brute_force(interpreted: bool, seed: int) -> None:
    rng = random.Random(seed)
    size = rng.randint(2, 6)
    arcs = [(*rng.sample(range(size), 2), rng.choice((0.25, 0.5, 1.0, 3.0)), rng.choice((0.0, 0.5))) for _ in range(9)]
    net = load("_flow", interpreted).Flow(size, *zip(*arcs, strict=True))

    def crossing(near: list[bool]) -> float:
        return sum(there * (near[u] and not near[v]) + back * (near[v] and not near[u]) for u, v, there, back in arcs)

    flow, near = net.cut(0, 1, 1e9)
    assert near[0] and not near[1] and crossing(near) == pytest.approx(flow)
    sides = [[True, False, *(bool(bits >> k & 1) for k in range(size - 2))] for bits in range(1 << (size - 2))]
    assert flow == pytest.approx(min(map(crossing, sides)))


@pytest.mark.parametrize("interpreted", [True, False])
def test_a_graph_without_lines_is_cut_by_nothing(interpreted: bool) -> None:
    near: list[bool]
    flow, near = load("_flow", interpreted).Flow(3, [], [], [], []).cut(1, 2, 5.0)
    assert flow == 0 and near == [False, True, False]


def test_prices_never_overflow() -> None:
    """The greatest price leaves room for every sum, also once rows were added; where it can't, none are."""
    rows = [HeavyRow(-(2**27), 2**27, [(o, 2**24 + o) for o in range(8)]), HeavyRow(1, UNBOUNDED, [(0, 1), (3, 1)])]
    for unit in (1 << 6, 1 << 20, 1 << 32):
        for dearest in (1, 10**6, 2**32):
            most = most_of([dearest] * 8, [], [[]] * 8, rows, unit)
            if not most:
                continue
            prices = [most // row.steepest for row in rows]
            worst = sum(
                p * max(abs(r.low), r.high if r.high < UNBOUNDED else 0) for p, r in zip(prices, rows, strict=True)
            )
            worst += sum(p * abs(c) for p, r in zip(prices, rows, strict=True) for _, c in r.terms)
            assert worst + 8 * dearest * unit < 2**62
    assert most_of([2**60] * 8, [], [[]] * 8, rows, 1 << 20) == 0


@compiled_only
@pytest.mark.parametrize(
    ("problem", "least", "branches", "added"),
    [
        (knapsack(40, 1), -1145, 58, 0),
        (bin_packing(20, 8), 6, 50, 0),
        (facility(30, 10), 4184, 1, 0),
        (network(5, 5), 44, 13, 122),
        (round_trip(15), 1049, 0, 4),
        (round_trip(25), 1258, 0, 17),
    ],
    ids=["knapsack", "bin packing", "facility", "network", "trip 15", "trip 25"],
)
def test_larger_problems_take_pinned_work(problem: Problem, least: int, branches: int, added: int) -> None:
    paid, bounds, tree = grown(problem)
    assert paid[-1] == least and max(bounds) <= least
    assert (tree._count, tree._added) == (branches, added)


def small_rota() -> Problem:
    """Eight people for six days, as benchmarks/_board_rota.cover has it: hours at most, a wish for some days off."""
    rng = random.Random(1)
    people, days = 8, 6
    work = {
        (p, d, s): k
        for k, (p, d, s) in enumerate((p, d, s) for p in range(people) for d in range(days) for s in range(3))
    }
    bounds = [(need, need) for _ in range(days) for need in (2, 2, 1)] + [(0, 1)] * (people * days)
    rows = [[d * 3 + s, 3 * days + p * days + d] for p, d, s in work]
    for (p, d, s), k in work.items():
        for t in range(s):
            if d + 1 < days:
                rows[k].append(len(bounds))
                rows[work[p, d + 1, t]].append(len(bounds))
                bounds.append((0, 1))
    sides = [
        Total(
            tuple((work[p, d, s], (8, 8, 10)[s]) for d in range(days) for s in range(3)),
            ((0, rng.choice((32, 40))),),
        )
        for p in range(people)
    ]
    wishes = {(p, d) for p in range(people) for d in rng.sample(range(days), 3)}
    return build(bounds, rows, costs=[int((p, d) in wishes) for p, d, s in work], sides=sides)


@compiled_only
def test_a_rota_is_proved() -> None:
    problem = small_rota()
    paid, _, tree = grown(problem)
    run = search(problem, goal="minimum", settings=Settings(jobs=1))
    assert [cost(problem, a) for a in run][-1] == paid[-1] == run.bound
    assert (paid[-1], tree._count) == (7, 0)
    assert run.status is Status.EXHAUSTED
    alone = search(problem, goal="minimum", limits=Limits(nodes=20_000), settings=Settings(engine="sides"))
    list(alone)
    assert alone.status is Status.LIMIT


def test_the_engine_is_chosen_by_name_and_by_itself() -> None:
    problem = network(3, 4)
    for settings in (MIXED, Settings(engine="mixed", interpreted=True), Settings(engine="mixed", seed=5)):
        run = search(problem, goal="minimum", settings=settings)
        costs = [cost(problem, a) for a in run]
        assert costs[-1:] == [min(cost(problem, a) for a in brute(problem))] and run.bound == costs[-1]
    assert "linear programs" not in search(problem, goal="minimum", settings=Settings(engine="sides")).engine


def test_a_problem_that_the_rows_alone_refute_has_no_answer() -> None:
    """There is no answer, and none is invented: there is too little room, no way across, or no room for a loop."""
    heavy = Total(((0, 3), (1, 3)), ((5, 5),))
    apart = Connection(((0, 0), (1, 2)), ((0, 1), (1, 2)))
    loop = Circuit(((0, 0, 1), (1, 1, 2)))
    for one in (heavy, apart, loop):
        problem = build([(1, 1), (1, 1)], [[0], [1]], costs=[1, 2], sides=[one])
        run = search(problem, goal="minimum", settings=MIXED)
        assert list(run) == [] and run.status is Status.EXHAUSTED and run.bound is None


@compiled_only
def test_interpreted_trees_do_the_same() -> None:
    """The same answers and bounds step by step, the same branches, and the same rows added."""
    for k, problem in enumerate(
        [network(3, 4), round_trip(8), *(sided(random.Random(f"twin {k}"), costs=True) for k in range(20))]
    ):
        one, other = grown(problem), grown(problem, interpreted=True)
        assert one[:2] == other[:2], k
        assert (one[2]._count, one[2]._added) == (other[2]._count, other[2]._added), k
