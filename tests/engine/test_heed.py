"""Limits between slices: whatever walks a large problem looks at them, and what waits to be read is bounded."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from itertools import pairwise
from random import Random

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Limits, Settings, Status, search
from covr.engine.base.alone import threads
from covr.engine.base.limits import EVERY, LimitReached, check_limits, limits_checked_by, with_limit_checks
from covr.engine.kernels.loading import load
from covr.engine.minimum.asked import triangles
from covr.engine.minimum.core import core
from covr.engine.pieces.parallel import ParallelSearch
from covr.engine.pieces.piece import Threads
from covr.engine.pieces.split import Prefix, Splitter, split, subproblem
from covr.engine.prepare.bitsets import from_words, to_words
from covr.engine.prepare.ceiling import shift
from covr.engine.prepare.frontier import shuffle
from covr.engine.prepare.masks import ExactCover, take_given
from covr.engine.problem import Problem, build
from covr.engine.sampling.probe import ProbeTree, SparseTree
from covr.engine.settings import Pace, ThreadPace
from tests.constants import Constants, constants_of
from tests.engine.problems import alike, random_cover
from tests.engine.strategies import problems

pytestmark = pytest.mark.long


def row(options: int) -> Problem:
    return alike((1, 1), options, options)


def pairs(items: int) -> Problem:
    return alike((1, 1), 2, 2 * items)


def paid(problem: Problem, sign: int) -> Problem:
    """The same with costs of one sign."""
    return evolve(problem, costs=tuple(sign * (1 + o % 7) for o in range(problem.options)))


def lifted(problem: Problem) -> object:
    """What `shift` makes of costs below 0, once it is known who holds what."""
    problem = paid(problem, -1)
    assert problem.holders
    return shift(problem)


def linked(problem: Problem) -> object:
    """The links of a problem."""
    return load("_general").General(problem, take_given(problem), False, 0, 0, None, (), check_limits)


def forced(items: int) -> Problem:
    return alike((1, 1), 1, items)


class Looks:
    """Counts looks, and stops at one of them."""

    def __init__(self, most: int) -> None:
        self.most, self.seen = most, 0

    def __call__(self) -> Status | None:
        self.seen += 1
        return Status.LIMIT if self.seen >= self.most else None


WALKS: dict[str, Callable[[Problem], object]] = {
    "splitter": Splitter,
    "split": lambda p: split(p, 32),
    "rest": lambda p: Splitter(p).rest(Prefix()),
    "subproblem": lambda p: subproblem(p, Prefix((0,), (1,))),
    "shuffle": lambda p: shuffle(p, 1),
    "masks": lambda p: ExactCover(p, Settings(engine="bits")),
    "probe": lambda p: SparseTree(p).probe(lambda shares: 0),
    "core": lambda p: core(paid(p, 1)),
    "shift": lifted,
    "links": linked,
    "triangles": lambda p: triangles(p.low, [p.option(o) for o in range(p.options)]),
}


@pytest.mark.parametrize("walk", WALKS)
def test_whatever_walks_a_large_problem_looks_at_the_limits(walk: str) -> None:
    problem = pairs(4 * EVERY)
    with pytest.raises(LimitReached) as stopped, limits_checked_by(Looks(2)):
        WALKS[walk](problem)
    assert stopped.value.status is Status.LIMIT


def test_looks_are_as_far_apart_as_was_asked_for() -> None:
    looks = Looks(1000)
    with limits_checked_by(looks):
        assert list(with_limit_checks(range(100), 10)) == list(range(100))
    assert looks.seen == 10
    check_limits()  # nobody is asked any more
    assert looks.seen == 10


# The second one takes five seconds, whatever its size is from 8000 on: then all the work that is allowed is done.
@pytest.mark.parametrize(
    ("make", "size"), [(row, 31_000), pytest.param(forced, 20_000, marks=pytest.mark.slow)], ids=["row", "forced"]
)
def test_splitting_is_bounded_work(make: Callable[[int], Problem], size: int) -> None:
    problem = make(size)  # here, and not where the tests are collected: every process would make all of them
    looks = Looks(100_000)
    with limits_checked_by(looks):
        cut = split(problem, 32)
    assert looks.seen < 40_000
    assert len(cut.prefixes) <= 32
    assert sum(len(p.excluded) for p in cut.prefixes) <= problem.options


def test_what_is_not_split_is_counted_by_one_thread() -> None:
    run = search(row(31_000), settings=Settings(jobs=2))
    assert run.count() == 31_000
    assert run.status is Status.EXHAUSTED


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("engine", ["auto", "links"])
def test_a_search_that_is_stopped_before_it_is_ready(engine: str, jobs: int) -> None:
    run = search(pairs(20_000), limits=Limits(seconds=0.0), settings=Settings(engine=engine, jobs=jobs))
    assert list(run) == []
    assert run.status is Status.LIMIT
    assert run.counters.answers == 0
    with limits_checked_by(lambda: Status.INTERRUPTED):
        assert search(pairs(5000), settings=Settings(engine="bits", jobs=jobs)).status is Status.INTERRUPTED


def test_a_first_answer_lists_no_others() -> None:
    problem = pairs(3000)
    run = search(problem, limits=Limits(answers=1))
    assert len(next(run)) == 3000
    assert run._kernel.now.kernel.answers == 1  # type: ignore[attr-defined]
    assert run.status is Status.SOLVED


def test_a_step_leaves_no_more_numbers_than_it_may(constants: Constants) -> None:
    constants(import_module("covr.engine.search"), MOST_WAITING=10_000)
    run = search(pairs(200), settings=Settings(jobs=1))
    assert run.step(100_000)
    assert 10_000 < sum(map(len, run.waiting())) < 20_000  # those before the last slice, and those of the slice


def test_threads_run_ahead_by_numbers() -> None:
    pace = Pace(threads=ThreadPace(alone=0, ahead=5000, own=2000, slice=100))
    problem = pairs(12)
    run = ParallelSearch(problem, settings=Settings(jobs=2, pace=pace))
    found = []
    for answer in run:
        found.append(answer)
        assert run._crew is not None
        assert run._crew.held <= 5000 + 2000 + 3 * 100 * 12
    assert found == list(search(problem, settings=Settings(jobs=1)))


def test_more_threads_than_are_of_use_are_not_made() -> None:
    assert threads(100_000) <= 1024
    assert threads(3) == 3
    assert Threads(100_000).size == threads(100_000)


@given(problems(), st.integers(0, 1000), st.sampled_from(["all", "minimum"]))
def test_probes_on_lists_are_those_on_sets(problem: Problem, seed: int, goal: str) -> None:
    found = []
    for tree in (ProbeTree(problem, goal), SparseTree(problem, goal)):
        rng = Random(seed)
        found.append(tree.probe(lambda shares, rng=rng: rng.randrange(len(shares)), Fraction))  # type: ignore[misc]
    assert found[0] == found[1]


@given(problems(), st.integers(1, 40))
def test_a_split_without_kept_sets_is_the_same(problem: Problem, parts: int) -> None:
    splitting = import_module("covr.engine.pieces.split")
    kept = split(problem, parts)
    with constants_of(splitting, DENSE=-1):
        assert split(problem, parts) == kept


@given(st.lists(st.integers(0, 2**64 - 1), max_size=9))
def test_words_and_sets_are_turned_into_each_other(words: list[int]) -> None:
    assert to_words(from_words(words), len(words)) == words


def test_a_step_among_free_options_looks_at_the_limits() -> None:
    looks = Looks(50)
    with pytest.raises(LimitReached), limits_checked_by(looks):
        SparseTree(build([(0, 1)] * 5000, [[i] for i in range(5000)])).probe(lambda shares: 0)
    assert looks.seen == 50


def test_a_minimum_cover_looks_between_few_updates() -> None:
    """The first level alone takes some 10⁸; its reductions are only added to the updates when they are done."""
    run = search(random_cover(400, 20_000, 6), goal="minimum", limits=Limits(nodes=200), settings=Settings(jobs=1))
    seen: list[int] = []

    def stop() -> Status | None:
        seen.append(run.counters.updates)
        return None

    with limits_checked_by(stop):
        assert list(run)
    assert run.status is Status.LIMIT
    assert run.counters.updates > 30_000_000
    assert max(b - a for a, b in pairwise(seen)) < 10_000_000


def test_a_first_cover_takes_no_look_at_all_options_for_each_of_its_own() -> None:
    """50 000 of 100 000 options: looking for the best among all would be 5 · 10⁹ steps, several seconds."""
    problem = evolve(pairs(50_000), high=(100_000,) * 50_000)
    run = search(paid(problem, 1), goal="minimum", limits=Limits(seconds=60), settings=Settings(jobs=1))
    looks = Looks(1000)
    with limits_checked_by(looks):
        assert [len(answer) for answer in run] == [50_000]
    assert run.status is Status.EXHAUSTED
