"""First answers are right, and as many as there are, whichever method finds them."""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice, product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from covr.api.model import load
from covr.engine import Limits, Problem, Settings, Status, build, check, cost, portfolio, search
from covr.engine.outside import clingo
from covr.engine.portfolio import SEEDS, FirstAnswerPortfolio, Restarts
from covr.engine.single import prepare
from tests.constants import Constants
from tests.each import each
from tests.engine.problems import brute, langford, queens
from tests.engine.schedules import first_pace
from tests.engine.sided import sided
from tests.engine.strategies import problems
from tests.shared import seeds

learner = pytest.mark.skipif(not clingo.INSTALLED, reason="clingo is not installed")


@given(problems(costs=("none", "one")), st.integers(1, 2), st.integers(0, 6), st.booleans())
@example(build([(1, 1)], [[0], [0]], given=(0, 1)), 1, 0, False)
@example(build([(1, 1)], [[0], [0]], given=(0, 1)), 1, 0, True)
def test_the_ways_together_find_what_there_is(problem: Problem, limit: int, patience: int, with_clingo: bool) -> None:
    answers = set(search(problem))
    pace = first_pace(turn=3000 * patience, restart=2, called=2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clingo, "INSTALLED", clingo.INSTALLED and with_clingo)
        run = search(problem, limits=Limits(answers=limit), settings=Settings(pace=pace))
        found = list(run)
    assert isinstance(run._kernel, FirstAnswerPortfolio)
    assert len(found) == len(set(found)) == min(limit, len(answers))
    assert set(found) <= answers
    assert run.counters.answers == len(found)
    assert run.status is (Status.SOLVED if len(found) == limit else Status.EXHAUSTED)


@given(
    problems(costs=("zero", "one", "negative", "profit")),
    st.integers(1, 2),
    st.integers(0, 6),
    st.integers(-1, 4),
    st.booleans(),
)
def test_under_a_ceiling_they_find_none_that_costs_more(
    problem: Problem, limit: int, patience: int, above: int, with_clingo: bool
) -> None:
    """Best answers are listed so: one of them is to be found as soon as any answer is."""
    paid = [cost(problem, answer) for answer in search(problem)]
    ceiling = min(paid, default=0) + above
    pace = first_pace(turn=3000 * patience, restart=2, called=2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clingo, "INSTALLED", clingo.INSTALLED and with_clingo)
        run = search(problem, limits=Limits(answers=limit), settings=Settings(pace=pace, ceiling=ceiling))
        found = list(run)
    assert isinstance(run._kernel, FirstAnswerPortfolio)
    right = sum(one <= ceiling for one in paid)
    assert len(set(found)) == len(found) == min(limit, right)
    assert all(check(problem, answer) is None and cost(problem, answer) <= ceiling for answer in found)
    assert run.status is (Status.SOLVED if right >= limit else Status.EXHAUSTED)


def test_a_short_search_has_the_documented_first_answers() -> None:
    for problem in (queens(8), langford(8)):
        assert list(search(problem, limits=Limits(answers=2))) == list(islice(search(problem), 2))


def test_a_question_that_a_short_search_ends_waits_for_nothing_else() -> None:
    """Hexiamonds on 3 by 12: 19 088 nodes, which take 5 ms, and clingo and restarts more than 300."""
    run = search(load("hexiamonds", side=3, long=12).compiled.problem, limits=Limits(answers=1))
    assert list(run) == [] and run.status is Status.EXHAUSTED
    assert run.counters.nodes < 20_000
    names = [method.name for method in run._kernel.methods]
    assert names == [f"{kind}, exact cover (compiled)" for kind in ("dancing links", "bit sets")]


def test_restarts_find_what_the_documented_order_does_not(constants: Constants) -> None:
    constants(clingo, INSTALLED=False)
    problem = langford(40)
    run = search(problem, limits=Limits(answers=1))
    (answer,) = run
    assert check(problem, answer) is None
    assert "restarted with seed" in run.engine
    assert run.counters.nodes < 200_000
    again = search(problem, limits=Limits(answers=1))
    assert (list(again), again.counters) == ([answer], run.counters)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=30))
def test_restarts_are_the_same_wherever_pauses_fall(pauses: list[int]) -> None:
    """Each seed has its nodes, the ninth twice as many, and all are counted."""

    def restarts() -> Restarts:
        return Restarts(lambda seed: prepare(langford(24), "all", Settings(seed=seed)), 3)

    whole, paused = restarts(), restarts()
    for pause in pauses:
        paused.run(pause, 1)
    whole.run(sum(pauses), 1)
    assert (paused.nodes, paused.updates, paused.seed) == (whole.nodes, whole.updates, whole.seed)
    most, seed = sum(pauses), 1
    while most > 3 << (seed - 1) // SEEDS:
        most -= 3 << (seed - 1) // SEEDS
        seed += 1
    assert whole.seed == seed and whole.nodes == sum(pauses)


def rows_told(rng: random.Random, n: int) -> Problem:
    """Squares are black or not: so many of them in each row and column, and on each diagonal."""
    black = {x for x in product(range(n), repeat=2) if rng.random() < 0.5}
    held = Counter(line for x in black for line in lines(*x))
    told = {line: None for x in product(range(n), repeat=2) for line in lines(*x)}
    at = {line: i for i, line in enumerate(sorted(told, key=lambda line: not held[line]))}
    options = [[at[line] for line in lines(*x)] for x in product(range(n), repeat=2)]
    return build([(held[line], held[line]) for line in at], options)


def lines(r: int, c: int) -> list[tuple[str, int]]:
    """The lines through a square."""
    return [("row", r), ("column", c), ("down", r - c), ("up", r + c)]


@learner
def test_clingo_learns_from_counts_before_there_are_restarts() -> None:
    """The documented order, eight restarts and CaDiCaL were tried first: CaDiCaL took eight times as long for what
    battleships of 14 by 14 count."""
    problem = rows_told(random.Random(0), 16)
    run = search(problem, limits=Limits(answers=1))
    (answer,) = run
    assert check(problem, answer) is None
    assert run.engine == "clingo"
    assert run.counters.nodes < 20_000
    again = search(problem, limits=Limits(answers=1))
    assert (list(again), again.counters) == ([answer], run.counters)


def test_time_and_interrupts_end_it() -> None:
    problem = build([(1, 1)] * 31, [[a, b] for a in range(31) for b in range(a)])  # odd: none, and not soon
    run = search(problem, limits=Limits(answers=1, seconds=0.2))
    assert list(run) == []
    assert run.status is Status.LIMIT
    run = search(problem, limits=Limits(answers=1))
    run.step(100)
    run.interrupt()
    assert list(run) == []
    assert run.status is Status.INTERRUPTED


@learner
@pytest.mark.parametrize(("wide", "first"), [(3, False), (11, True)])
def test_who_begins_where_options_are_dealt_out_among_totals(wide: int, first: bool) -> None:
    """clingo does, where there are many: the documented order knows little of such totals."""
    clues = {(r, 0): r for r in range(wide)} | {(r, wide - 1): r for r in range(wide)}
    told = "\n".join(" ".join(str(clues.get((r, c), ".")) for c in range(wide)) for r in range(wide))
    problem = load("numberlink", clue=f"\n{told}\n").compiled.problem
    turns = FirstAnswerPortfolio(problem, Settings())
    assert (turns.naming() == "clingo") is first
    assert len(list(search(problem, limits=Limits(answers=1)))) == 1


@each("seed", seeds(30))
def test_the_ways_together_find_what_meets_sides(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = Settings(pace=first_pace(turn=300_000, restart=1))
    monkeypatch.setattr(portfolio, "_depth", lambda problem: 1)
    problem = sided(random.Random(f"turns/{seed}"))
    answers = set(brute(problem))
    for limit in (1, 2):
        run = search(problem, limits=Limits(answers=limit), settings=quick)
        assert isinstance(run._kernel, FirstAnswerPortfolio)
        found = list(run)
        assert len(found) == len(set(found)) == min(limit, len(answers))
        assert set(found) <= answers
        assert run.status is (Status.SOLVED if len(found) == limit else Status.EXHAUSTED)


@each("seed", seeds(60))
def test_under_a_ceiling_they_find_what_meets_sides(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(f"ceiling/{seed}")
    monkeypatch.setattr(portfolio, "_depth", lambda problem: 1)
    problem = sided(rng, costs=True)
    paid = sorted(cost(problem, answer) for answer in brute(problem))
    ceiling = (paid[0] if paid else 0) + rng.choice((-1, 0, 0, 1, 3))
    right = sum(one <= ceiling for one in paid)
    pace = first_pace(turn=rng.choice((30_000, 300_000)), restart=1)
    for limit in (1, 2):
        run = search(problem, limits=Limits(answers=limit), settings=Settings(pace=pace, ceiling=ceiling))
        assert isinstance(run._kernel, FirstAnswerPortfolio)
        found = list(run)
        assert len(found) == len(set(found)) == min(limit, right)
        assert all(check(problem, answer) is None and cost(problem, answer) <= ceiling for answer in found)
        assert run.status is (Status.SOLVED if right >= limit else Status.EXHAUSTED)
