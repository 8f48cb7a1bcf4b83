"""Wrong use is told, and never a crash: views asked for what does not exist, searches shared by threads, estimates that
say nothing sensible."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction
from threading import Event, Thread
from typing import Any

import pytest

from covr.engine import Bound, Problem, Settings, Status, View, build, search
from covr.engine.sampling.sample import Drawer
from tests.engine.engines import by
from tests.engine.problems import assignment, domination, queens

WRONG = [-1, -(2**40), 10**7, 10**9, 2**31, 2**63, 10**30]
PROBLEMS: list[tuple[str, Problem]] = [
    ("links", domination(6)),
    ("cover", domination(6)),
    ("interpreted", domination(4)),
    ("links", assignment([[5, 2, 7], [1, 8, 3], [4, 4, 4]])),
]


@pytest.mark.parametrize(("engine", "problem"), PROBLEMS)
def test_a_view_knows_no_items_and_options_but_its_own(engine: str, problem: Problem) -> None:
    asked = 0

    def curious(view: View, cutoff: int | None) -> float:
        nonlocal asked
        asked += 1
        m, n = view.problem.items, view.problem.options
        for item in (*WRONG, m, m + 1):
            for ask in (view.need, view.options):
                with pytest.raises(IndexError, match="there is no item"):
                    ask(item)
        for option in (*WRONG, n, n + 1):
            for ask in (view.reach, view.cost):
                with pytest.raises(IndexError, match="there is no option"):
                    ask(option)
        return view.credit

    run = search(problem, goal="minimum", settings=by(engine, estimate=curious))
    plain = search(problem, goal="minimum", settings=by(engine, estimate="none"))
    assert list(run)[-1:] and asked
    list(plain)
    assert run.best == plain.best


@pytest.mark.parametrize(("engine", "problem"), PROBLEMS)
def test_a_view_tells_of_what_is_met_or_gone_as_well(engine: str, problem: Problem) -> None:
    """A met item needs nothing; every option of the problem has a cost and a reach."""

    def thorough(view: View, cutoff: int | None) -> float:
        wanted = set(view.uncovered())
        for i in range(view.problem.items):
            if i not in wanted:
                assert (view.need(i), list(view.options(i))) == (0, [])
        live = {o for i in wanted for o in view.options(i)}
        for o in range(view.problem.options):
            assert view.cost(o) == view.problem.costs[o]
            assert o not in live or list(view.reach(o)) == [i for i in view.problem.option(o) if i in wanted]
        return view.credit

    assert list(search(problem, goal="minimum", settings=by(engine, estimate=thorough)))


@pytest.mark.parametrize("engine", ["links", "cover"])
def test_a_view_that_was_kept_reads_nothing_foreign(engine: str) -> None:
    """It may be out of date, or refuse; numbers stay checked."""
    kept: list[View] = []

    def hoarder(view: View, cutoff: int | None) -> float:
        kept.append(view)
        return view.credit

    problem = domination(5)
    run = search(problem, goal="minimum", settings=by(engine, estimate=hoarder))
    list(run)
    for view in kept[:50]:
        for o in range(problem.options):
            view.cost(o), view.reach(o)
        for i in range(problem.items):
            view.need(i), view.options(i)
        with pytest.raises(IndexError):
            view.cost(problem.options)


Use = Callable[[Any], object]


@pytest.mark.parametrize("goal", ["all", "minimum"])
@pytest.mark.parametrize("use", [next, lambda run: run.step(1), lambda run: run.count(), lambda run: run.only_count()])
def test_a_search_serves_one_thread_at_a_time(goal: str, use: Use) -> None:
    """An estimate stands still inside the search of another thread, so that there is no race about it."""
    inside, leave = Event(), Event()

    def slow(view: View, cutoff: int | None) -> float:
        inside.set()
        assert leave.wait(60)
        return view.credit

    ceiling = 99 if goal == "all" else None
    settings = Settings(engine="links", estimate=slow, ceiling=ceiling)
    run = search(domination(3), goal=goal, settings=settings)
    found: list[object] = []
    thread = Thread(target=lambda: found.extend(run))
    thread.start()
    assert inside.wait(60)
    try:
        with pytest.raises(RuntimeError, match="running already"):
            use(run)
    finally:
        leave.set()
        thread.join()
    assert found and run.status is Status.EXHAUSTED, "the one who was first is not disturbed"


def test_an_estimate_can_not_search_its_own_search() -> None:
    def selfish(view: View, cutoff: int | None) -> float:
        next(run)
        return 0

    run = search(domination(4), goal="minimum", settings=Settings(engine="links", estimate=selfish))
    with pytest.raises(RuntimeError, match="running already"):
        next(run)


@pytest.mark.parametrize("engine", ["bits", "links", "auto"])
def test_many_threads_share_out_the_answers_or_are_told(engine: str) -> None:
    """No answer is lost or given twice, and there is no segfault."""
    run = search(queens(7), settings=by(engine))
    found: list[tuple[int, ...]] = []
    wrong: list[BaseException] = []

    def reader() -> None:
        while True:
            try:
                found.append(next(run))
            except RuntimeError:
                continue
            except StopIteration:
                return
            except BaseException as fault:
                wrong.append(fault)
                raise

    threads = [Thread(target=reader) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert sorted(found) == sorted(search(queens(7)))


def test_a_drawer_is_for_one_thread() -> None:
    drawer = Drawer(queens(6))
    with drawer._alone, pytest.raises(RuntimeError, match="running already"):
        drawer.draw(random.Random(1))
    assert len(drawer.draw(random.Random(1))) == 6


NONSENSE = {
    "None": (None, "its bound is None"),
    "text": ("3", "its bound is '3'"),
    "nan": (math.nan, "its bound is nan"),
    "True": (True, "its bound is True"),
    "a list": ([1], r"its bound is \[1\]"),
    "minus infinity": (-math.inf, "says -inf, which is no bound"),
    "a Bound of None": (Bound(None), "its bound is None"),  # type: ignore[arg-type]
    "a price of nan": (Bound(0, prices={0: math.nan}), "its price of item 0 is nan"),
    "a price that is text": (Bound(0, prices={0: "1"}), "its price of item 0 is '1'"),  # type: ignore[dict-item]
    "prices in a list": (Bound(0, prices=[1.0]), "prices that are no mapping"),  # type: ignore[arg-type]
    "an option that is none": (Bound(0, exclude=[None]), "an option in `exclude` of the estimate"),  # type: ignore[list-item]
    "a number of options": (Bound(0, force=3), "no options in `force`"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("engine", ["links", "cover", "interpreted"])
@pytest.mark.parametrize("case", NONSENSE)
def test_an_estimate_that_makes_no_sense_is_named(engine: str, case: str) -> None:
    said, match = NONSENSE[case]

    def odd(view: View, cutoff: int | None) -> Any:
        return said

    with pytest.raises(ValueError, match=match) as fault:
        list(search(domination(6), goal="minimum", settings=by(engine, estimate=odd)))
    assert "the estimate odd" in str(fault.value)


@pytest.mark.parametrize("engine", ["links", "cover"])
@pytest.mark.parametrize("said", [0, -0.5, Fraction(-1, 3), -(10**400), -1e308, Bound(0, {}, [10**30, -5], [2**40])])
def test_numbers_of_every_kind_are_heard(engine: str, said: Any) -> None:
    settings = by(engine, estimate=lambda view, cutoff: said)
    run = search(domination(5), goal="minimum", settings=settings)
    list(run)
    assert run.best == 3


@pytest.mark.parametrize("engine", ["links", "cover"])
@pytest.mark.parametrize("said", [10**400, 1e308, math.inf, Bound(math.inf)])
def test_and_no_completion_is_none(engine: str, said: Any) -> None:
    problem = build([(1, 1), (1, 1), (1, 1)], [[0, 1], [1, 2], [0, 2]], costs=[1, 1, 1])
    run = search(problem, goal="minimum", settings=by(engine, estimate=lambda view, cutoff: said))
    assert not list(run) and run.status is Status.EXHAUSTED
