"""Random problems by features: every way to ask says what is known; counts of unions are products."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from math import prod

import pytest
from attrs import evolve

from covr.engine import Limits, Problem, Settings, Status, build, check, count, search
from covr.engine.kernels.loading import is_compiled
from covr.engine.sampling.sample import Drawer
from tests.each import each
from tests.engine import features as f
from tests.engine.ways import WAYS, Skipped, tiny_detours
from tests.fuzz.problems import COMMON, Tally, many, shrink
from tests.shared import IN_GATE, of_oracle

pytestmark = pytest.mark.long

FAST = is_compiled("_bits") and not os.environ.get("COVR_INTERPRETED")
CHUNKS, CHUNK = (of_oracle(5000) // 250, 250) if FAST else (4, 40)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_problems_have_no_faults(chunk: int) -> None:
    tally = many(CHUNK, 11, start=chunk * CHUNK)
    assert not tally.faults, tally.faults[0]
    assert tally.problems == CHUNK


@pytest.mark.slow
def test_a_million_problems_show_no_fault() -> None:
    tally = many(1_000_000, 1, 4 * 3600)
    assert not tally.faults, tally.faults[0]
    assert tally.problems == 1_000_000


@pytest.mark.skipif(not FAST, reason="takes minutes interpreted")
@pytest.mark.parametrize("size", [s for s in f.SIZES if s != "tiny"] + ["tangled"])
def test_larger_problems_have_no_faults(size: str) -> None:
    tally = many(1 if size == "huge" else 40, 12, size=size)
    assert not tally.faults, tally.faults[0]


@pytest.mark.parametrize("name", COMMON)
def test_every_way_is_taken(name: str) -> None:
    """No way is left out by its own conditions."""
    tally = many(12, 13, size="tiny", ways=[name])
    assert not tally.faults, tally.faults[0]
    if name not in ("linear", "highs", "with_highs"):  # which need packages that may be missing
        assert tally.ways


def test_every_feature_is_drawn() -> None:
    rng = random.Random(1)
    drawn = set().union(*(f.draw(rng).features for _ in range(2000)))
    assert drawn >= {
        "one of n", "long options", "at most one", "empty options", "free options", "forced options", "dead options",
        "no answer", "bounds", "covering", "colours", "paths of colours", "doubled options", "any", "given",
        *f.KNOWN,
    }  # fmt: skip


BLOCKS: list[Callable[[random.Random], f.Block]] = [
    *f.SMALL[:-4],
    lambda rng: f.random_block(rng),
    lambda rng: f.impossible(rng.randint(1, 4), rng),
    lambda rng: f.structured("dominoes", 4),
    lambda rng: f.path(1, 3),
    lambda rng: f.nearly(n := rng.randint(1, 5), n - rng.randint(0, 1)),
    lambda rng: f.dressed(f.small_block(rng), rng, 3),
]


@pytest.mark.parametrize("make", BLOCKS, ids=lambda m: str(BLOCKS.index(m)))
def test_closed_forms_equal_brute_force(make: Callable[[random.Random], f.Block]) -> None:
    """What is known of a block is what trying every subset says."""
    rng = random.Random(2)
    for _ in range(40):
        block = make(rng)
        if len(block.options) > f.FEW:
            continue
        low, high = rng.choice(((0, 0), (0, 2), (-2, 2), (-3, 0), (-(2**61), 2**61)))
        costs = [rng.randint(low, high) for _ in block.options]
        answers = f.subsets(block.bounds, block.options, block.given)
        assert len(answers) == block.count
        assert f.best_of(answers, costs) == block.best(costs)


@each("rows", range(2, 7))
def test_trying_every_subset_gives_numbers_that_everybody_knows(rows: int) -> None:
    """The oracle against numbers that everybody knows: rooks, and bounds one by one."""
    board = [((r, 0), (rows + c, 0)) for r in range(min(rows, 3)) for c in range(min(rows, 3))]
    exact = [((1, 1) if i % rows < 3 else (0, 1)) for i in range(2 * rows)]
    assert len(f.subsets(exact, board)) == (2 if rows == 2 else 6)
    for low in range(4):
        for high in range(4):
            found = f.subsets([(low, high)], [((0, 0),)] * rows)
            assert found == [a for a in f.subsets([], [()] * rows) if low <= len(a) <= high]


def test_counts_of_unions_are_products() -> None:
    """A law that needs no oracle: the parts are counted by the engine, too, alone and together."""
    rng = random.Random(3)
    for k in range(150 if FAST else 20):
        blocks = [b for _ in range(3) for b in f.tiny(rng)]
        apart = [count(f.union([block], None).problem).value for block in blocks]
        whole = f.union(blocks, rng).problem
        settings = Settings(engine=("auto", "memo", "links", "bits")[k % 4])
        if prod(apart) < 20_000:
            assert count(whole, settings=settings).value == prod(apart)


BESIDE = [*((s, k) for s in (1, *f.STRADDLING) for k in range(4)), *((s, 2) for s in f.LARGER)]


# In the gate every other pair, so that each size is met, and each number of free ones.
@pytest.mark.parametrize(
    ("size", "free"), [(s, k) for s, k in BESIDE if not IN_GATE or (s + k) % 2 == 0 or s in f.LARGER]
)
def test_free_options_beside_any_number_of_others_are_counted_right(size: int, free: int) -> None:
    """The same in every way that is quick, for each number of others, with nothing left to chance."""
    if not FAST and size > 65:
        pytest.skip("takes minutes interpreted")
    rng = random.Random(size + free)
    pair, bounded = f.one(2), f.some(2, 0, 1)
    bounded = evolve(bounded, bounds=((0, 1), (0, 2)), options=tuple(((0, 0), (1, 0)) for _ in range(2)))
    others = [f.one(size), f.forced(size), f.at_most(size)]
    for block, beside in [*((b, pair) for b in others), *((b, bounded) for b in others), (f.nearly(size, size), pair)]:
        case = f.union([block, f.empty(free), beside], rng, [[1] * size, [-1] * free, [3, 4]])
        with tiny_detours():
            for name in ("listed", "counted", "on_bits", "drawn", "cheapest", "under_a_ceiling"):
                try:
                    WAYS[name][0](case, random.Random(1))
                except Skipped:
                    continue
        assert count(case.problem).value == case.count


@pytest.mark.skipif(not FAST, reason="numbers of Python have no 16 bits")
@pytest.mark.parametrize(
    "blocks",
    [
        pytest.param([f.broad(2, f.HUGE), f.flags(2)], id="2", marks=pytest.mark.slow),
        pytest.param([f.broad(1, f.HUGE), f.one(3)], id="1"),
    ],
)
def test_more_items_than_16_bits_hold(blocks: list[f.Block]) -> None:
    case = f.union(blocks, random.Random(1), [[5] * len(b.options) for b in blocks])
    assert len(list(search(case.problem))) == count(case.problem).value == case.count
    run = search(case.problem, goal="minimum", limits=Limits(nodes=10_000))
    assert len(list(run)) >= 1
    assert run.best == run.bound == case.least


def test_what_is_wrong_is_made_small() -> None:
    """A way that trips over two options that exclude each other, at some cost: that is all that is left."""

    def trips(case: f.Case, rng: random.Random) -> str:
        p = case.problem
        pairs = [(a, b) for a in range(p.options) for b in range(a) if set(p.option(a)) & set(p.option(b))]
        assert not (pairs and any(c > 3 for c in p.costs))
        return "trips"

    rng = random.Random(4)
    case = f.draw(rng, size="words")
    while not (case.problem.costs and max(case.problem.costs) > 3 and "one of n" in case.features):
        case = f.draw(rng, size="tiny")
    small, _ = shrink(case, trips, 0)
    p = small.problem
    assert (p.options, p.items, sorted(p.costs), p.given) == (2, 1, [0, 4], ())


def test_what_is_wrong_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong number of answers is found, with what is needed to look for it."""

    def wrong(case: f.Case, rng: random.Random) -> str:
        assert "empty options" not in case.features, "these are not counted"
        return "wrong"

    monkeypatch.setitem(WAYS, "counted", (wrong, 1.0))
    tally = many(200, 5, ways=["counted"])
    assert tally.faults
    assert "of seed 5, counted" in tally.faults[0] and "these are not counted" in tally.faults[0]
    assert "build([" in tally.faults[0]
    assert isinstance(tally, Tally) and f"{len(tally.faults)} faults" in str(tally)


def test_a_case_can_be_built_again() -> None:
    rng = random.Random(6)
    for _ in range(50):
        case = f.draw(rng, size="tiny")
        again: Problem = eval(case.text, {"build": build})
        assert evolve(again, item_names=()) == case.problem


@pytest.mark.skipif(not FAST, reason="takes minutes interpreted")
def test_counts_beyond_a_word() -> None:
    """Dozens of blocks: counts of up to 60 digits, by a memo, and answers drawn through it."""
    rng = random.Random(5)
    counted = 0
    for k in range(60):
        small = [f.small_block(rng) for _ in range(rng.randint(10, 60))]
        blocks = [b for b in small if b.count and all(low <= 1 == high for low, high in b.bounds)]
        blocks.append(rng.choice((f.flags, f.empty))(rng.choice((1, 63, 64, 65, 140))))
        case = f.union(blocks, rng)
        found = count(case.problem, Limits(nodes=100_000), Settings(memory=rng.choice((1 << 14, 1 << 20, 1 << 24))))
        if found.status is not Status.EXHAUSTED:
            continue
        assert found.value == case.count
        counted += case.count > 1 << 64
        if k % 10 == 0:
            drawer = Drawer(case.problem)
            assert drawer.total() == case.count
            assert all(check(case.problem, drawer.draw(rng)) is None for _ in range(3))
    assert counted >= 10


@pytest.mark.parametrize("bounds", [(3, 2), (2, 1)])
def test_a_limit_of_nodes_where_there_is_none(bounds: tuple[int, int]) -> None:
    """Engines know it without a node and the reference doesn't: a status of its own is nothing wrong there."""
    case = f.tried(build([bounds], [[0]] * (bounds[0] // 3 * 3)))
    for source in range(1500):
        WAYS["ordered"][0](case, random.Random(source))
