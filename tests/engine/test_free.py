"""Free options beside more others than fit into a machine word: every engine counts each of them as taken and as
left."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import pytest

from covr.engine import Limits, Problem, Settings, Status, batch, build, check, count, search
from covr.engine.kernels.header import DONE
from covr.engine.kernels.loading import load
from covr.engine.pieces.ledger import Ask, Nobody, PieceBudget
from covr.engine.pieces.piece import Pieces
from covr.engine.pieces.split import Prefix, Rest, Splitter
from covr.engine.prepare.masks import WORD, ExactCover
from covr.engine.sampling.sample import Drawer
from covr.engine.settings import Pace, ThreadPace
from tests.each import each
from tests.engine.problems import blocks, queens
from tests.engine.uniform import chances

pytestmark = pytest.mark.long


def queens_and_flags(n: int, flags: int) -> Problem:
    """n queens beside flags, each of which has an item of its own that may be met once."""
    board = queens(n)
    bounds = [*zip(board.low, board.high, strict=True), *[(0, 1)] * flags]
    own = [board.option(o) for o in range(board.options)]
    return build(bounds, [*own, *([board.items + k] for k in range(flags))])


KNOWN = [
    ("one of 64, two free", blocks([64], 2), 256),
    ("eight queens, three flags", queens_and_flags(8, 3), 736),
    ("one of 63, three free", blocks([63], 3), 504),
    ("one of 65, three free", blocks([65], 3), 520),
    ("64 by 2, three free", blocks([64, 2], 3), 1024),
    ("one of 130, two free", blocks([130], 2), 520),
    ("one of 62, free ones across a word", blocks([62], 4), 992),
    ("free alone, across a word", build([(0, 1)] * 1, [[0]] * 66), 67),
]
PROBLEMS = pytest.mark.parametrize(("problem", "value"), [k[1:] for k in KNOWN], ids=[k[0] for k in KNOWN])
INTERPRETED = pytest.mark.parametrize("interpreted", [False, True])


@PROBLEMS
@INTERPRETED
@pytest.mark.parametrize("engine", ["auto", "bits", "memo", "links"])
def test_counts_and_lists(problem: Problem, value: int, engine: str, interpreted: bool) -> None:
    settings = Settings(engine=engine, interpreted=interpreted)
    run = search(problem, settings=settings)
    answers = list(run)
    assert (len(set(answers)), len(answers), run.status) == (value, value, Status.EXHAUSTED)
    assert all(check(problem, answer) is None for answer in answers)
    for memory in (0, 150, 1000, 1 << 20):
        counted = count(problem, settings=Settings(engine=engine, interpreted=interpreted, memory=memory))
        assert (counted.value, counted.status) == (value, Status.EXHAUSTED)


@PROBLEMS
def test_answers_come_in_the_order_of_links(problem: Problem, value: int) -> None:
    runs = [search(problem, settings=Settings(engine=engine)) for engine in ("links", "bits")]
    assert list(runs[0]) == list(runs[1])
    assert runs[0].counters.nodes == runs[1].counters.nodes


@PROBLEMS
@pytest.mark.parametrize("jobs", [2, 3])
def test_threads_and_limits_are_heeded(problem: Problem, value: int, jobs: int) -> None:
    pace = Pace(threads=ThreadPace(alone=3, slice=7))
    settings = Settings(jobs=jobs, pace=pace)
    assert list(search(problem, settings=settings)) == list(search(problem, settings=Settings(engine="links")))
    assert count(problem, settings=settings).value == value
    assert len(list(search(problem, limits=Limits(answers=5), settings=settings))) == 5
    shuffled = list(search(problem, settings=Settings(jobs=jobs, seed=3, pace=pace)))
    assert len(set(shuffled)) == len(shuffled) == value


@PROBLEMS
@pytest.mark.parametrize("goal", ["list", "count"])
def test_pieces_count_free_options(problem: Problem, value: int, goal: str) -> None:
    pieces = Pieces(problem, Ask(goal))
    open_, total = [Prefix()], 0
    while open_:
        result = pieces.search(open_.pop(), PieceBudget(150), Nobody())
        open_ += result.children
        total += result.count
    assert total == value


@PROBLEMS
def test_rests_of_a_split(problem: Problem, value: int) -> None:
    splitter = Splitter(problem)
    rests: list[Rest] = [splitter.rest(prefix) for prefix in splitter.cut(Prefix(), 9).prefixes]
    assert sum(count(rest.problem).value for rest in rests) == value


@PROBLEMS
def test_batches_count_free_options(problem: Problem, value: int) -> None:
    answers = list(search(problem, settings=Settings(engine="links")))
    givens = [[], [0], [problem.options - 1], [0, problem.options - 1]]
    found = batch(problem, givens, limit=10**6)
    assert list(found.counts) == [sum(set(taken) <= set(answer) for answer in answers) for taken in givens]


@PROBLEMS
@INTERPRETED
def test_draws_are_uniform_among_free_options(problem: Problem, value: int, interpreted: bool) -> None:
    drawer = Drawer(problem, Settings(interpreted=interpreted))
    assert drawer.total() == value
    rng = random.Random(1)
    drawn = Counter(drawer.draw(rng) for _ in range(50))
    assert all(check(problem, answer) is None for answer in drawn)
    if value < 600:
        assert set(chances(drawer).values()) == {Fraction(1, value)}


@each("free", range(7))
@pytest.mark.parametrize("others", [1, 62, 63, 64, 65, 127, 128, 129, 257])
def test_every_start_of_the_free_ones(others: int, free: int) -> None:
    """The free options begin in any place of a word, and reach into the next."""
    problem = blocks([others], free)
    masks = ExactCover(problem, Settings(engine="bits")).masks
    assert masks is not None and masks.words == -(-(others + free) // WORD)
    make: list[Callable[[], object]] = [
        lambda i=interpreted, m=memory: load("_bits", i).Bits(masks, True, m)  # type: ignore[misc]
        for interpreted in (False, True)
        for memory in (None, 0, 1 << 12)
    ]
    for one in make:
        kernel = one()
        while kernel.run(50, 1000) != DONE:  # type: ignore[attr-defined]
            pass
        assert kernel.answers == others << free  # type: ignore[attr-defined]
        assert kernel.fraction() == 1.0  # type: ignore[attr-defined]
