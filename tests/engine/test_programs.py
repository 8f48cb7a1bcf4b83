"""Linear programs beside Dancing Links, which is what a minimum gets unless another engine is asked for."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Counters, Limits, Problem, Search, Settings, Status, build, check, cost, plan, search
from covr.engine.base.limits import LimitReached, limits_checked_by
from covr.engine.kernels.loading import load
from covr.engine.minimum import mixed
from covr.engine.pieces.ledger import Ask, PieceBudget
from covr.engine.pieces.piece import Pieces, search_piece
from covr.engine.pieces.split import Prefix
from covr.engine.priors import SHARES
from covr.engine.search import KernelSearch
from tests.each import each
from tests.engine import rota as rotas
from tests.engine.problems import least, random_packing
from tests.engine.schedules import mixed_pace
from tests.engine.strategies import pair_packings, problems


@pytest.fixture(scope="module")
def rota() -> Problem:
    return rotas.rota()


compiled_only = pytest.mark.skipif(not load("_mixed").COMPILED, reason="too slow without the compiled kernel")
COSTLY = ("zero", "one", "negative", "profit")


def test_a_rota_is_one_linear_program(rota: Problem) -> None:
    """A search in the documented order stays at 44 for ten minutes."""
    run = search(rota, goal="minimum")
    found = list(run)
    assert run.counters == Counters(1, 13343, 1)
    assert run.engine.startswith("linear programs beside dancing links")
    assert [cost(rota, a) for a in found] == [14]
    assert (run.status, run.best, run.bound) == (Status.EXHAUSTED, 14, 14)


def test_a_packing_is_proved_without_asking() -> None:
    """Before, its bound was the sum of all costs and the search without end."""
    problem = random_packing(60, 200, 1)
    run = search(problem, goal="minimum", limits=Limits(nodes=1000))
    found = list(run)
    assert run.status is Status.EXHAUSTED
    assert check(problem, found[-1]) is None
    assert cost(problem, found[-1]) == run.bound == run.best
    links = search(problem, goal="minimum", limits=Limits(nodes=1000), settings=Settings(engine="links"))
    list(links)
    assert links.status is Status.LIMIT
    assert links.bound is not None and run.best is not None
    assert links.bound < 2 * run.best


def test_a_piece_of_a_rota_is_not_stuck(rota: Problem) -> None:
    done = search_piece(rota, Prefix(), Ask("minimum"))
    assert done.done
    assert done.best == done.bound == 14
    assert done.nodes == 1


def test_a_seed_is_one_order(rota: Problem) -> None:
    """By itself, an order of Dancing Links stays far above the minimum; what it finds depends on the seed alone."""

    def order(seed: int) -> tuple[list[int], Counters]:
        run = search(rota, goal="minimum", settings=Settings(seed=seed, engine="links"), limits=Limits(nodes=600))
        assert type(run) is KernelSearch
        return [cost(rota, a) for a in run], run.counters

    assert order(2) == order(2) == ([74, 64], Counters(600, 9320, 2))
    assert order(3) == ([84, 74, 64, 54, 44, 34], Counters(600, 10253, 6))


def test_who_asks_for_something_else_gets_it(rota: Problem) -> None:
    """An estimate, an engine, a question that is none of a minimum of costs."""
    for settings in (Settings(estimate="classic"), Settings(engine="links"), Settings(estimate=lambda v, c: 0)):
        assert not plan.has_tree(plan.Query(rota, "minimum", Limits(), settings))
    assert not plan.has_tree(plan.Query(rota, "all", Limits(), Settings()))
    one_order = plan.Query(rota, "minimum", Limits(), Settings(seed=1))
    assert plan.has_tree(one_order)
    assert plan.way_of(one_order).place == "single:start"


def proved_step_by_step(run: Search, problem: Problem, true: int | None) -> list[int | None]:
    """Make every step of a search, which must prove the minimum and find ever cheaper answers. Returns the bounds
    between the steps."""
    paid, bounds = [], []
    while run.step(1):
        bounds.append(run.bound)
        paid += [cost(problem, answer) for answer in run.waiting()]
    for answer in run.waiting():
        assert check(problem, answer) is None
        paid.append(cost(problem, answer))
    assert run.status is Status.EXHAUSTED
    assert all(b < a for a, b in pairwise(paid))
    assert run.best == (paid[-1] if paid else None) == true == run.bound
    return bounds


@given(problems(costs=COSTLY), st.integers(1, 4), st.sampled_from([1, 300_000]))
def test_the_minimum_whoever_finds_it(problem: Problem, begin: int, turn: int) -> None:
    """Beside brute force, in turns so short that all have theirs, and as they are."""
    true = least(problem)
    pace = mixed_pace(turn=turn, late=turn, few=begin)
    run = search(problem, goal="minimum", settings=Settings(pace=pace))
    bounds = proved_step_by_step(run, problem, true)
    assert all(bound is None or true is None or bound <= true for bound in bounds)


@given(
    problems(costs=COSTLY), st.integers(-5, 20), st.integers(0, 6), st.booleans(), st.sampled_from(["auto", "links"])
)
def test_a_ceiling_may_be_told_in_between(problem: Problem, ceiling: int, after: int, early: bool, engine: str) -> None:
    true = least(problem)
    run = search(problem, goal="minimum", settings=Settings(engine, ceiling=ceiling if early else None))
    run.step(after)
    before = run.waiting()
    if not early:
        run.lower_ceiling(ceiling)
    later = list(run)
    assert all(cost(problem, answer) <= ceiling for answer in later)
    assert run.status is Status.EXHAUSTED
    if true is not None and true <= ceiling:
        assert cost(problem, (before + later)[-1]) == true == run.bound
    else:
        assert run.bound is None or run.bound <= max(ceiling + 1, true or 0)


@given(problems(costs=COSTLY), st.integers(0, 30), st.integers(1, 3), st.sampled_from(["auto", "links"]))
def test_steps_and_limits_change_nothing(problem: Problem, nodes: int, step: int, engine: str) -> None:
    settings = Settings(engine)
    whole, steps = (search(problem, goal="minimum", settings=settings) for _ in range(2))
    found = list(whole)
    parts = []
    while steps.step(step):
        parts += steps.waiting()
    assert parts + steps.waiting() == found
    assert steps.counters == whole.counters
    short = search(problem, goal="minimum", limits=Limits(nodes=nodes), settings=settings)
    assert list(short) == found[: short.counters.answers]
    assert short.counters.nodes <= nodes
    assert short.status is Status.EXHAUSTED or short.counters.nodes == nodes


@given(problems(costs=COSTLY), st.integers(1, 9))
def test_pieces_have_the_same_minimum(problem: Problem, nodes: int) -> None:
    """Cut as often as can be, a piece's bound never says too much."""
    true = least(problem)
    pieces = Pieces(problem, Ask("minimum"))
    open_ones, best, bounds = [Prefix()], None, []
    while open_ones:
        done = pieces.search(open_ones.pop(), PieceBudget(nodes))
        if done.best is not None and (best is None or done.best < best):
            best = done.best
        if done.done and done.bound is not None:
            bounds.append(done.bound)
        open_ones += done.children
    assert best == true
    assert min(bounds, default=None) == true


def test_who_looks_on_can_stop_it(rota: Problem) -> None:
    """Between two slices, and while an order is made ready; what was found stays."""
    run = search(rota, goal="minimum", settings=Settings(ceiling=13))
    calls = 0

    def stop() -> Status | None:
        nonlocal calls
        calls += 1
        return Status.LIMIT if calls > 3 else None

    with limits_checked_by(stop):
        try:
            while run.step(1):
                pass
        except LimitReached:
            pytest.fail("a search stops by its status")
    assert run.status in (Status.LIMIT, Status.EXHAUSTED)
    again = search(rota, goal="minimum", limits=Limits(seconds=0))
    assert list(again) == []
    assert again.status is Status.LIMIT


@compiled_only
@each("seed", range(10))
def test_orders_and_tree_take_turns(seed: int) -> None:
    """Items that no walk on sets is fit for, in turns so short that each often has its go."""
    draw = random.Random(seed)
    bounds = [draw.choice([(2, 4), (1, 3), (3, 3), (0, 2), (2, 60)]) for _ in range(12)]
    bounds.sort(key=lambda b: b[0] == 0)
    sets = [draw.sample(range(12), draw.randint(2, 4)) for _ in range(40)]
    problem = build(bounds, sets, costs=[draw.randint(-9, 40) for _ in sets])
    links = search(problem, goal="minimum", settings=Settings(engine="links"), limits=Limits(nodes=300_000))
    paid = [cost(problem, a) for a in links]
    run = search(problem, goal="minimum", settings=Settings(pace=mixed_pace(turn=1000, late=1000)))
    mine = [cost(problem, a) for a in run]
    assert run.status is Status.EXHAUSTED
    if links.status is Status.EXHAUSTED:
        assert mine[-1:] == paid[-1:]
    else:
        assert not paid or mine[-1] <= paid[-1]


@compiled_only
@each("seed", range(4))
def test_pauses_within_a_turn_change_nothing(seed: int) -> None:
    """Wherever the search pauses, its turns end where they would: the work is the same to the last update."""
    quick = Settings(pace=mixed_pace(10**6, turn=100_000, late=100_000))
    draw = random.Random(seed)
    sets = [draw.sample(range(30), draw.randint(2, 5)) for _ in range(150)]
    costs = [10 * len(s) + draw.randint(0, 30) for s in sets]
    bounds = [(1, 1)] * 20 + ([(0, 1)] * 10 if seed % 2 else [(0, 2)] * 10)
    problem = build(bounds, [sorted(s) for s in sets], costs=costs)
    whole = search(problem, goal="minimum", settings=quick)
    found = list(whole)
    for pause in (7, 100, 1000):
        run = search(problem, goal="minimum", settings=quick)
        while run.step(pause):
            pass
        assert run.waiting() == found
        assert run.counters == whole.counters


@given(problems(kinds=("cover",), costs=("one", "profit", "zero", "negative")), st.integers(1, 50), st.integers(1, 4))
def test_covers_have_the_same_minimum_with_a_tree_beside(problem: Problem, turn: int, few: int) -> None:
    """Beside brute force, in turns so short that both have theirs."""
    true = least(problem)
    pace = mixed_pace(turn=turn, late=turn, per_member=0, few=few)
    run = search(problem, goal="minimum", settings=Settings(pace=pace))
    bounds = proved_step_by_step(run, problem, true)
    told = [bound for bound in bounds if bound is not None]
    assert told == sorted(told)
    assert all(true is None or bound <= true for bound in told)


@given(pair_packings(), st.integers(1, 50), st.sampled_from(["auto", "cover"]), st.sampled_from([None, 1]))
def test_packings_of_pairs_have_the_same_minimum_by_what_they_leave_out(
    problem: Problem, turn: int, engine: str, seed: int | None
) -> None:
    """Beside brute force, alone and in turns so short that linear programs have theirs."""
    assert problem.joins_pairs
    true = least(problem)
    pace = mixed_pace(turn=turn, first=turn, few=1)
    run = search(problem, goal="minimum", settings=Settings(pace=pace, engine=engine, seed=seed))
    told = [bound for bound in proved_step_by_step(run, problem, true) if bound is not None]
    assert all(true is not None and bound <= true for bound in told)
    below = search(problem, goal="minimum", settings=Settings(engine=engine, seed=seed, ceiling=-5))
    answers = list(below)
    assert below.status is Status.EXHAUSTED
    assert (cost(problem, answers[-1]) if answers else None) == (true if true is not None and true <= -5 else None)


@compiled_only
def test_independent_vertices_are_what_a_small_cover_leaves_out() -> None:
    """150 vertices, a tenth of all pairs joined: as many nodes as a search for vertex covers needs."""
    rng = random.Random(5)
    pairs = [(a, b) for a in range(150) for b in range(a) if rng.random() < 0.1]
    options = [[k for k, pair in enumerate(pairs) if v in pair] for v in range(150)]
    problem = build([(0, 1)] * len(pairs), options, costs=[-1] * 150)
    run = search(problem, goal="minimum", settings=Settings(jobs=1), limits=Limits(nodes=60_000))
    assert list(run) and run.status is Status.EXHAUSTED


@compiled_only
def test_the_bound_of_a_cover_rises(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steiner triples of 27 points: the root says 9, the tree soon more. (18 is true.)"""
    points = range(27)

    def digits(p: int) -> tuple[int, int, int]:
        return p // 9, p // 3 % 3, p % 3

    lines = [
        (a, b, c)
        for a in points
        for b in range(a + 1, 27)
        for c in range(b + 1, 27)
        if all(sum(xs) % 3 == 0 for xs in zip(digits(a), digits(b), digits(c), strict=True))
    ]
    rows = [[k for k, line in enumerate(lines) if p in line] for p in points]
    problem = build([(1, 27)] * len(lines), rows, costs=[1] * 27)
    assert problem.is_cover
    monkeypatch.setitem(SHARES["best values"], mixed.COVERS, 1 / 64)  # leaves the time to the tree
    alone = search(problem, goal="minimum", settings=Settings(engine="cover"))
    alone.step(1)
    run = search(
        problem, goal="minimum", settings=Settings(pace=mixed_pace(late=1000, per_member=0, turn=20_000, few=1))
    )
    bounds = []
    while run.step(1):
        bounds.append(run.bound)
    assert run.best == run.bound == 18
    told = [bound for bound in bounds if bound is not None]
    assert told == sorted(told)
    assert len(set(told)) > 2
    assert told[0] == alone.bound
