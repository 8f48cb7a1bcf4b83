"""Pieces of a search with side conditions: the same answers, each once, in an order that no cut changes."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from attrs import evolve

from covr.engine import Limits, Problem, Settings, Status, check, cost, count, search
from covr.engine.pieces import piece_work
from covr.engine.pieces.ledger import Ask, Ledger
from covr.engine.pieces.parallel import SidedSplitter, splitter_of
from covr.engine.pieces.piece import Pieces, Threads
from covr.engine.pieces.piece_search import PiecedSearch
from covr.engine.pieces.split import Prefix, Splitter, subproblem
from covr.engine.settings import Pace, ThreadPace
from tests.constants import Constants
from tests.engine.in_pieces import Memory, in_pieces, is_odd
from tests.engine.problems import brute, queens
from tests.engine.side_puzzles import killer, knapsack, knight, magic, slitherlink
from tests.engine.sided import sided

pytestmark = pytest.mark.long

Answer = tuple[int, ...]


@pytest.fixture
def small(constants: Constants) -> None:
    """Budgets of a few nodes are looked at."""
    constants(piece_work, COMPILED_STEPS=3, FAR=0.5)


def in_order(problem: Problem) -> list[Answer]:
    splitter = splitter_of(problem)
    assert isinstance(splitter, SidedSplitter)
    return sorted(brute(problem), key=splitter.key)


def some(name: str, count: int, **more: bool) -> Sequence[Problem]:
    return [sided(random.Random(f"{name}/{k}"), **more) for k in range(count)]


@pytest.mark.parametrize("parts", [2, 3, 7, 40])
def test_parts_share_the_answers_among_them(parts: int) -> None:
    for problem in some("parts", 60):
        splitter = SidedSplitter(problem)
        cut = splitter.cut(Prefix(), parts)
        assert len(cut.prefixes) == len(cut.weights) == len(set(cut.prefixes))
        assert sum(cut.weights) <= 1 + 1e-9
        found: list[Answer] = []
        for prefix in cut.prefixes:
            rest = splitter.rest(prefix)
            own = [rest.whole(a) for a in brute(rest.problem)]
            assert all(rest.whole(rest.part(a)) == a for a in own)
            assert all(set(prefix.taken) <= set(a) and not set(prefix.excluded) & set(a) for a in own)
            assert sorted(brute(subproblem(problem, prefix))) == sorted(own)
            found += sorted(own, key=splitter.key)
        assert found == in_order(problem)


@pytest.mark.parametrize("parts", [2, 5])
def test_a_part_is_cut_like_the_whole(parts: int) -> None:
    for problem in some("again", 40):
        splitter = SidedSplitter(problem)
        prefixes = [p for first in splitter.cut(Prefix(), 3).prefixes for p in splitter.cut(first, parts).prefixes]
        found = [a for p in prefixes for r in [splitter.rest(p)] for a in sorted(map(r.whole, brute(r.problem)), key=splitter.key)]  # fmt: skip # noqa: E501
        assert found == in_order(problem)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("shuffled", [None, 7])
@pytest.mark.parametrize("nodes", [1, 4, 12])
def test_pieces_have_all_answers_in_order(nodes: int, shuffled: int | None) -> None:
    orders = set()
    for k, problem in enumerate(some(f"list {nodes}", 25)):
        ledger, store = in_pieces(problem, Ask("list", Settings(seed=shuffled)), nodes, k)
        found = [a for name in ledger.leaves() for a in store.read(name)]
        assert sorted(found) == sorted(brute(problem))
        assert ledger.totals.count == len(found)
        assert abs(ledger.totals.weight - 1) < 1e-9
        if shuffled is None:
            assert found == in_order(problem)
        again, store = in_pieces(problem, Ask("list", Settings(seed=shuffled)), nodes + 3, k + 1)
        assert [a for name in again.leaves() for a in store.read(name)] == found
        orders.add(len(list(ledger.leaves())))
    assert max(orders) > 1


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("nodes", [1, 4, 12])
def test_counts_in_pieces(nodes: int) -> None:
    for k, problem in enumerate(some(f"count {nodes}", 25)):
        answers = brute(problem)
        assert in_pieces(problem, Ask("count"), nodes, k)[0].totals.count == len(answers)
        assert in_pieces(problem, Ask("count", keep=is_odd), nodes, k)[0].totals.count == sum(map(is_odd, answers))


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("nodes", [1, 4, 12])
def test_pieces_have_the_minimum_and_heed_ceilings(nodes: int) -> None:
    for k, problem in enumerate(some(f"minimum {nodes}", 25, costs=True)):
        answers = brute(problem)
        least = min((cost(problem, a) for a in answers), default=None)
        ledger, _ = in_pieces(problem, Ask("minimum"), nodes, k)
        assert ledger.totals.best == least == ledger.bound
        if least is not None:
            assert ledger.answer is not None and check(problem, ledger.answer) is None
            assert cost(problem, ledger.answer) == least
            cheap, store = in_pieces(problem, Ask("list", Settings(ceiling=least + 1)), nodes, k)
            found = [a for name in cheap.leaves() for a in store.read(name)]
            assert sorted(found) == sorted(a for a in answers if cost(problem, a) <= least + 1)


@pytest.mark.parametrize("problem", [magic(3), slitherlink(5, 1, 0.4), killer(6, 2, 3, 1), knight(6)])
def test_threads_find_what_one_thread_finds(problem: Problem) -> None:
    pace = Pace(threads=ThreadPace(alone_sided=3, slice=50))
    alone = list(search(problem))
    for jobs in (2, 3) if len(alone) < 5000 else (3,):
        counted = count(problem, settings=Settings(jobs=jobs, pace=pace))
        assert (counted.value, counted.status) == (len(alone), Status.EXHAUSTED)
        assert counted.counters.answers == len(alone)
        assert count(problem, settings=Settings(jobs=jobs, seed=3, pace=pace)).value == len(alone)
        assert list(search(problem, settings=Settings(jobs=jobs, pace=pace))) == alone


def test_random_counts_on_threads() -> None:
    pace = Pace(threads=ThreadPace(alone_sided=1))
    for problem in some("threads", 60):
        assert count(problem, settings=Settings(jobs=2, pace=pace)).value == len(brute(problem))


def test_it_counts_on_threads() -> None:
    """Long enough for threads to begin by themselves."""
    run = search(knight(6), settings=Settings(jobs=2))
    assert run.count() == 9862
    assert "on 2 threads" in run.engine
    limited = search(knight(6), limits=Limits(answers=50), settings=Settings(jobs=2))
    assert list(limited) == list(search(knight(6), limits=Limits(answers=50)))


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_search_in_pieces_finds_all_answers_in_order(jobs: int) -> None:
    problem = knight(6)
    store = Memory()
    whole = PiecedSearch(problem, Ask("list"), Ledger(store=store), Threads(jobs), read=store.read)
    found = list(whole)
    assert whole.status is Status.EXHAUSTED and len(found) == 9862
    assert found == sorted(found, key=SidedSplitter(problem).key)
    rng = random.Random(4)
    weights = [rng.randint(20, 60) for _ in range(24)]
    things = knapsack(weights, [w + rng.randint(-5, 5) for w in weights], sum(weights) // 2)
    best = PiecedSearch(things, Ask("minimum"), Ledger(minimum=True), Threads(jobs))
    answers = list(best)
    assert best.best == best.bound == cost(things, answers[-1])
    assert best.best == cost(things, list(search(things, goal="minimum"))[-1])


def test_without_sides_nothing_changes() -> None:
    assert type(splitter_of(queens(5))) is Splitter
    pieces = Pieces(queens(6), Ask("list"))
    assert pieces.arranged([(2, 1), (0, 5)]) == [(2, 1), (0, 5)]
    assert evolve(queens(6), sides=()).is_pure
