"""The pieces of a search are the search: its answers in documented order, their number, and the cheapest."""

from __future__ import annotations

import pickle
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Limits, Problem, Settings, Status, build, check, cost, search
from covr.engine.pieces import piece_work
from covr.engine.pieces.ledger import Ask, Improved, Learned, Ledger, Nobody, PieceBudget, PieceResult, Settled
from covr.engine.pieces.piece import Pieces, Threads, search_piece
from covr.engine.pieces.piece_search import PiecedSearch
from covr.engine.pieces.piece_work import pack, unpack
from covr.engine.pieces.split import Prefix
from tests.constants import Constants
from tests.engine.in_pieces import Answer, Memory, in_pieces, is_odd
from tests.engine.problems import coloured_path, covering_code, domination, langford, least, queens, rooks, steiner
from tests.engine.strategies import problems

pytestmark = pytest.mark.long


@pytest.fixture
def small(constants: Constants) -> None:
    """Budgets of a few nodes are looked at."""
    constants(piece_work, COMPILED_STEPS=3, FAR=0.5)


@given(st.lists(st.lists(st.integers(0, 70_000), unique=True).map(sorted)))
def test_packed_answers_come_back(answers: list[list[int]]) -> None:
    assert list(unpack(pack(answers))) == [tuple(a) for a in answers]


@pytest.mark.parametrize("data", [b"", b"X", b"H" + bytes(8), b"H" + bytes(8) + b"no", pack([(1, 2)])[:-1]])
def test_damaged_packs_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="packed answers"):
        list(unpack(data))


@pytest.mark.usefixtures("small")
@given(problems(), st.integers(1, 12), st.integers(0, 99), st.sampled_from([None, 7]))
def test_answers_come_in_order(problem: Problem, nodes: int, seed: int, shuffled: int | None) -> None:
    settings = Settings(seed=shuffled)
    whole = search(problem, settings=settings)
    expected = list(whole)
    ledger, store = in_pieces(problem, Ask("list", settings), nodes, seed)
    assert [a for name in ledger.leaves() for a in store.read(name)] == expected
    assert ledger.totals.count == len(expected)
    assert ledger.totals.nodes == whole.counters.nodes or not Pieces(problem, Ask("list")).feasible
    assert abs(ledger.totals.weight - 1) < 1e-9


@pytest.mark.usefixtures("small")
@given(problems(), st.integers(1, 12), st.integers(0, 99))
def test_pieces_add_up_to_the_count(problem: Problem, nodes: int, seed: int) -> None:
    expected = list(search(problem))
    ledger, _ = in_pieces(problem, Ask("count"), nodes, seed)
    assert ledger.totals.count == len(expected)
    odd, _ = in_pieces(problem, Ask("count", keep=is_odd), nodes, seed)
    assert odd.totals.count == sum(map(is_odd, expected))


@pytest.mark.usefixtures("small")
@given(problems(), st.integers(1, 12), st.integers(0, 99), st.integers(-3, 6))
def test_minima_are_found_and_ceilings_heeded(problem: Problem, nodes: int, seed: int, ceiling: int) -> None:
    expected = least(problem)
    ledger, store = in_pieces(problem, Ask("minimum"), nodes, seed)
    assert ledger.totals.best == expected == ledger.bound
    if expected is not None:
        assert ledger.answer is not None
        assert check(problem, ledger.answer) is None and cost(problem, ledger.answer) == expected
    known: int | None = None
    for change in store.changes:  # whoever proves with the help of an answer comes after it
        if isinstance(change, Improved):
            known = change.best
        elif isinstance(change, Settled) and change.result.bound is not None and change.result.done:
            assert known is not None and change.result.bound >= (expected or 0)
    settings = Settings(ceiling=ceiling)
    cheap, store = in_pieces(problem, Ask("list", settings), nodes, seed)
    found = [a for name in cheap.leaves() for a in store.read(name)]
    assert found == list(search(problem, settings=settings))


class Stopping(Nobody):
    """A watch that stops the piece after so many looks. bounds: what was proved by then."""

    def __init__(self, looks: int, ceiling: int | None) -> None:
        super().__init__(ceiling)
        self.looks, self.bounds = looks, list[int]()

    def goes_on(self, nodes: int, fraction: float | None) -> bool:
        self.looks -= 1
        return self.looks > 0

    def proved(self, bound: int) -> None:
        self.bounds.append(bound)


@pytest.mark.usefixtures("small")
@given(problems(), st.integers(1, 12), st.integers(0, 99))
def test_what_a_stopped_piece_has_proved_is_a_bound(problem: Problem, nodes: int, seed: int) -> None:
    rng, expected = random.Random(seed), least(problem)
    pieces, ledger = Pieces(problem, Ask("minimum")), Ledger(minimum=True, store=Memory())
    while not ledger.over:
        task = ledger.take()
        if task is not None:
            watch = Stopping(rng.choice([1, 2, 5, 99]), ledger.ceiling)
            result = pieces.search(task.prefix, PieceBudget(nodes, 3), watch)
            assert watch.bounds == sorted(set(watch.bounds)), "each is better than those before"
            for bound in watch.bounds:
                ledger.learn(task.name, bound)
            if result.best is not None and result.answer is not None:
                ledger.improve(result.best, result.answer)
            if not ledger.settle(task.name, result):
                ledger.give_back(task.name)
        assert expected is None or ledger.bound is None or ledger.bound <= expected
        ledger.flush()
    assert ledger.totals.best == expected == ledger.bound


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_minimum_that_a_limit_stops_has_a_bound(jobs: int) -> None:
    store = Memory()
    ledger = Ledger(minimum=True, store=store)
    found = PiecedSearch(domination(12), Ask("minimum"), ledger, Threads(jobs), Limits(nodes=1))
    assert [check(domination(12), answer) for answer in found]
    assert found.status is Status.LIMIT
    assert found.bound is not None and found.best is not None
    assert 0 < found.bound <= 6 <= found.best  # six queens are needed
    told = [change.task.bound for change in store.changes if isinstance(change, Learned)]
    assert told[-1:] == [found.bound]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    "problem", [domination(6), covering_code(3, 3), steiner(15)], ids=["domination", "code", "steiner"]
)
@pytest.mark.parametrize("nodes", [1, 10])
def test_minima_of_symmetric_covers_are_found(problem: Problem, nodes: int) -> None:
    whole = search(problem, goal="minimum")
    *_, best = whole
    ledger, _ = in_pieces(problem, Ask("minimum"), nodes)
    assert ledger.totals.best == cost(problem, best) == ledger.bound
    assert ledger.totals.cuts > 0 or nodes > 1


@pytest.mark.parametrize(
    "problem", [queens(7), langford(7), coloured_path(6, 2), rooks(4)], ids=["queens", "langford", "path", "rooks"]
)
def test_a_piece_may_be_searched_by_itself(problem: Problem) -> None:
    expected = list(search(problem))
    result = search_piece(problem, Prefix(), Ask("list"))
    assert result.done and list(unpack(result.answers or b"")) == expected
    assert search_piece(problem, Prefix(), Ask("count")).count == len(expected)


def test_a_wrong_goal_is_refused() -> None:
    with pytest.raises(ValueError, match="no goal `best`"):
        Pieces(queens(4), Ask("best"))


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize(
    "problem", [queens(8), langford(8), coloured_path(6, 2), rooks(4)], ids=["queens", "langford", "path", "rooks"]
)
def test_a_search_in_pieces_counts_like_any_other(problem: Problem, jobs: int, constants: Constants) -> None:
    constants("covr.engine.pieces.piece_search", BATCH=0.0)
    whole = search(problem)
    expected = list(whole)
    for limit in (None, 5):
        store = Memory()
        ledger = Ledger(store=store, budget=PieceBudget(40, 20))
        found = PiecedSearch(problem, Ask("list"), ledger, Threads(jobs), Limits(answers=limit), store.read)
        assert list(found) == expected[:limit]
        assert found.status is (Status.SOLVED if limit else Status.EXHAUSTED)
        if limit is None:
            assert (found.counters.nodes, found.counters.answers) == (whole.counters.nodes, len(expected))
    ledger = Ledger(budget=PieceBudget(40))
    counted = PiecedSearch(problem, Ask("count"), ledger, Threads(jobs))
    assert counted.count() == len(expected) and counted.fraction == 1.0


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("jobs", [1, 3])
def test_threads_find_the_minimum(jobs: int) -> None:
    problem = steiner(15)
    ledger = Ledger(minimum=True, budget=PieceBudget(5))
    run = PiecedSearch(problem, Ask("minimum"), ledger, Threads(jobs))
    *_, best = run
    assert (run.status, run.best, run.bound) == (Status.EXHAUSTED, 9, 9)
    assert check(problem, best) is None and cost(problem, best) == 9


def test_limits_and_interrupts_leave_the_ledger_open(monkeypatch: pytest.MonkeyPatch) -> None:
    for limits in (Limits(nodes=0), Limits(seconds=0.0)):
        ledger = Ledger(budget=PieceBudget(1000))
        run = PiecedSearch(queens(12), Ask("count"), ledger, Threads(2), limits)
        assert run.count() < 14200 and run.status is Status.LIMIT
        rest = PiecedSearch(queens(12), Ask("count"), ledger, Threads(2))
        assert rest.count() == 14200
    ledger = Ledger(budget=PieceBudget(1000))
    run = PiecedSearch(queens(12), Ask("count"), ledger, Threads(2))
    run.interrupt()
    run.count()
    assert run.status is Status.INTERRUPTED


def test_a_fault_in_a_thread_is_raised() -> None:
    def break_(answer: Answer) -> bool:
        raise ZeroDivisionError

    run = PiecedSearch(queens(6), Ask("count", keep=break_), Ledger(), Threads(2))
    with pytest.raises(ZeroDivisionError):
        run.count()
    assert run.status is Status.INTERRUPTED


def test_results_are_small_values() -> None:
    result = search_piece(queens(8), Prefix((0,)), Ask("list"))
    assert isinstance(result, PieceResult) and len(pickle.dumps(result)) < 1000


def test_a_count_whose_memo_pays_is_not_cut() -> None:
    n = 12
    places = [[r * n + c, r * n + c + 1] for r in range(n) for c in range(n - 1)]
    places += [[r * n + c, r * n + n + c] for r in range(n - 1) for c in range(n)]
    dominoes = build([(1, 1)] * (n * n), places)
    result = search_piece(dominoes, Prefix(), Ask("count", Settings(engine="memo")), PieceBudget(20000))
    assert result.done and result.count == 53060477521960000
    assert not search_piece(dominoes, Prefix(), Ask("count", Settings(engine="links")), PieceBudget(20000)).done
