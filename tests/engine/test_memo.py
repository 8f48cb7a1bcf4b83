"""Counting with a memo: never wrong, however small the table is, and fast where the same is met again."""

from __future__ import annotations

from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Counted, Limits, Problem, Settings, Status, build, count, search
from covr.engine.kernels import loading as kernels
from covr.engine.kernels.header import SLICE
from covr.engine.prepare.masks import ExactCover
from tests.constants import Constants
from tests.engine.problems import brute, coloured_path, dominoes, langford, pairings, queens, rooks, toy
from tests.engine.strategies import problems

pytestmark = pytest.mark.long

EXACT = ("exact", "secondary", "colours")
ROOM = [0, 150, 1000, 1 << 20]  # bytes: no entry, one bucket or two, some, more than enough


def counted(problem: Problem, memory: int, interpreted: bool) -> Counted:
    return count(problem, settings=Settings(engine="memo", memory=memory, interpreted=interpreted))


@given(problems(kinds=EXACT, costs=("none",)), st.sampled_from(ROOM))
def test_counts_of_random_problems(problem: Problem, memory: int) -> None:
    both = {counted(problem, memory, interpreted) for interpreted in (True, False)}
    assert len(both) == 1
    assert {(c.value, c.status) for c in both} == {(len(brute(problem)), Status.EXHAUSTED)}


@given(st.lists(st.lists(st.integers(0, 11), min_size=1, max_size=3, unique=True), max_size=40), st.sampled_from(ROOM))
def test_counts_of_larger_problems(options: list[list[int]], memory: int) -> None:
    """Large enough for entries to be found again and to be replaced; half of the items are secondary."""
    problem = build([(1, 1)] * 8 + [(0, 1)] * 4, options)
    assert counted(problem, memory, False).value == count(problem, settings=Settings(engine="links")).value


@pytest.mark.parametrize("memory", ROOM)
@pytest.mark.parametrize("interpreted", [True, False])
def test_counts_with_a_memo_are_the_known_ones(memory: int, interpreted: bool) -> None:
    for problem, value in [
        (toy(), 1),
        (queens(6), 4),
        (langford(7), 52),
        (rooks(3), 34),
        (coloured_path(3, 2), 16),
        (dominoes(4, 4), 36),
        (pairings(8), 105),
    ]:
        assert counted(problem, memory, interpreted).value == value


@pytest.mark.parametrize("interpreted", [True, False])
def test_counts_beyond_a_machine_word(interpreted: bool) -> None:
    assert counted(build([], [[]] * 200), 1 << 24, interpreted).value == 2**200
    assert counted(pairings(16), 1 << 24, interpreted).value == prod(range(1, 16, 2))
    chain = build([(1, 1)] * 90, [[i] for i in range(90) for _ in range(5)])
    assert counted(chain, 1 << 24, interpreted).value == 5**90


def test_a_memo_saves_what_it_should() -> None:
    whole, saved = (count(dominoes(6, 6), settings=Settings(engine=e)) for e in ("bits", "memo"))
    assert whole.value == saved.value == 6728
    assert whole.counters.nodes == 25695
    assert saved.counters.nodes < whole.counters.nodes // 50


@pytest.mark.parametrize("window", [1, 3])
def test_a_memo_that_does_not_pay_is_switched_off(constants: Constants, window: int) -> None:
    """It is switched on again, and off once more, and the count stays what it is."""
    module = kernels.load("_memo", interpreted=True)
    constants(module, WINDOW=window, FIRST_PAUSE=2)
    for pay in (0, 3, 1 << 40):
        constants(module, PAY=pay)
        assert counted(langford(7), 1 << 20, True).value == 52
        assert counted(pairings(8), 1 << 20, True).value == 105
        assert counted(rooks(3), 1 << 20, True).value == 34


@given(problems(kinds=EXACT, costs=("none",)), st.sampled_from(ROOM))
def test_slices_of_one_node_are_one_go(problem: Problem, memory: int) -> None:
    settings = Settings(engine="memo", memory=memory)
    kernel = ExactCover(problem, settings).counter()
    if not memory:
        assert kernel is None  # every answer is met
        return
    assert kernel is not None
    bits = kernel[0]
    whole = count(problem, settings=settings)
    seen = 0
    while bits.run(1, 1) == SLICE:
        assert seen <= bits.answers <= whole.value
        seen = bits.answers
    assert (bits.answers, bits.nodes, bits.updates) == (
        whole.value,
        whole.counters.nodes,
        whole.counters.updates,
    )


def test_a_count_that_ends_early_says_how_many_there_are_at_least() -> None:
    some = count(pairings(20), Limits(nodes=500), Settings(engine="memo"))
    assert some.status is Status.LIMIT
    assert 0 < some.value < prod(range(1, 20, 2))
    enough = count(pairings(20), Limits(answers=10**6), Settings(engine="memo"))
    assert (enough.value, enough.status) == (10**6, Status.SOLVED)


def test_a_search_that_has_begun_goes_on_without_memo() -> None:
    run = search(pairings(8), settings=Settings(engine="memo"))
    assert len({next(run), next(run)}) == 2
    assert "memo" not in run.engine
    assert run.count() == 105


def test_a_memory_below_nothing_is_refused() -> None:
    with pytest.raises(ValueError):
        Settings(memory=-1)
