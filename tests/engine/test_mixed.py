"""Branch and bound over linear programs finds the minima of brute force, whatever the items, colours and costs."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Bound, Limits, Problem, Settings, Status, View, build, check, cost, search
from covr.engine.kernels.header import DONE, FOUND
from covr.engine.kernels.loading import load
from covr.engine.minimum import mixed_tree
from covr.engine.minimum.mixed_core import COARSEST, core, strengthen
from covr.engine.minimum.mixed_tree import BoundTree
from covr.engine.minimum.priced import Priced, fits
from tests.constants import Constants
from tests.each import each
from tests.engine.problems import assignment, brute, domination, least, random_partition, toy
from tests.engine.schedules import mixed_pace
from tests.engine.strategies import problems
from tests.shared import seeds

pytestmark = pytest.mark.long

compiled_only = pytest.mark.skipif(not load("_mixed").COMPILED, reason="too slow without the compiled kernel")
COSTLY = ("zero", "one", "negative", "profit")
MIXED = Settings(engine="mixed")


def grown(
    problem: Problem, interpreted: bool = False, ceiling: int | None = None
) -> tuple[list[int], list[int | None]]:
    """What the tree finds by itself: the costs of its answers, each checked, and its bounds, step by step."""
    own = core(problem)
    assert own.unit >= COARSEST
    tree = BoundTree(own, load("_mixed", interpreted), own.dearest if ceiling is None else own.ceiling(ceiling))
    paid, bounds = [], []
    while not tree.done:
        tree.step()
        bounds.append(None if tree.bound is None else own.whole(tree.bound))
        if tree.found is not None:
            answer = sorted([*(own.numbers[o] for o in tree.found), *problem.given])
            assert check(problem, answer) is None
            paid.append(cost(problem, answer))
            tree.found = None
    return paid, bounds


@given(problems(costs=COSTLY), st.booleans())
def test_the_tree_finds_the_minimum(problem: Problem, interpreted: bool) -> None:
    true = least(problem)
    paid, bounds = grown(problem, interpreted)
    assert (paid[-1] if paid else None) == true
    assert all(b < a for a, b in pairwise(paid))
    for bound in bounds:
        assert true is None or bound is None or bound <= true


def walked(problem: Problem, interpreted: bool = False, step: int = 1 << 40) -> tuple[list[int], int, int] | None:
    """What the walk finds from the tree's first bound on: the costs of its answers, each checked, and its nodes and
    updates; None where it is not fit."""
    own = core(problem)
    tree = BoundTree(own, load("_mixed", interpreted), own.dearest)
    while tree.root is None and not tree.done:
        tree.step()
    if tree.root is None or not fits(own, tree.root):
        return None
    walk = Priced(own, tree.root, own.dearest, interpreted)
    paid, share = [], 0.0
    while (code := walk.kernel.run(step, 1)) != DONE:
        assert walk.kernel.fraction() >= share - 1e-9
        share = walk.kernel.fraction()
        if code == FOUND:
            answer = sorted([*(own.numbers[o] for o in walk.answer()), *problem.given])
            assert check(problem, answer) is None
            paid.append(cost(problem, answer))
            walk.lower(own.ceiling(paid[-1] - 1))
    assert walk.kernel.fraction() == 1.0
    return paid, walk.kernel.nodes, walk.kernel.updates


@given(problems(kinds=("exact", "secondary", "colours"), costs=COSTLY), st.booleans(), st.sampled_from([1, 3, 1 << 40]))
def test_the_walk_finds_the_minimum(problem: Problem, interpreted: bool, step: int) -> None:
    found = walked(problem, interpreted, step)
    if found is not None:
        true = least(problem)
        assert found[0][-1:] == ([] if true is None else [true])
        assert all(b < a for a, b in pairwise(found[0]))


@given(problems(kinds=("exact", "secondary", "colours", "mixed"), given=False))
def test_cliques_forbid_nothing(problem: Problem) -> None:
    """The same sets of options meet the rows as they were and as they are made."""
    tinted = {i for o in range(problem.options) for i, c in zip(*held(problem, o), strict=True) if c}
    order = [i for i in range(problem.items) if i not in tinted] + sorted(tinted)
    place = {i: k for k, i in enumerate(order)}
    pairs = [sorted((place[i], c) for i, c in zip(*held(problem, o), strict=True)) for o in range(problem.options)]
    rows = problem.items - len(tinted)
    lows, highs = [problem.low[i] for i in order], [problem.high[i] for i in order]
    options, shades = [[i for i, _ in p] for p in pairs], [[c for _, c in p] for p in pairs]
    better = strengthen(lows, highs, rows, options, shades if tinted else None)
    if better is None:
        return
    for answer in subsets(problem.options):
        old = fine(answer, lows, highs, rows, options, shades)
        kept = set(answer) <= set(better.kept)
        own = [better.options[better.kept.index(o)] for o in answer] if kept else []
        counts = [sum(k in rows for rows in own) for k in range(len(better.lows))]
        meets = all(lo <= c <= h for lo, c, h in zip(better.lows, counts, better.highs, strict=True))
        assert old == (kept and meets and fine(answer, [], [], 0, options, shades, rows))


def held(problem: Problem, option: int) -> tuple[list[int], list[int]]:
    return list(problem.option(option)), list(problem.option_colours(option))


def subsets(size: int) -> list[list[int]]:
    return [[o for o in range(size) if number >> o & 1] for number in range(1 << size)]


def fine(
    answer: list[int],
    lows: list[int],
    highs: list[int],
    rows: int,
    options: list[list[int]],
    shades: list[list[int]],
    first: int | None = None,
) -> bool:
    """Whether a set of options meets the first `rows` items, and shows one colour, or stands alone, in those from
    `first` on."""
    counts = [sum(i in options[o] for o in answer) for i in range(rows)]
    shown: dict[int, list[int]] = {}
    for o in answer:
        for i, c in zip(options[o], shades[o], strict=True):
            if i >= (rows if first is None else first):
                shown.setdefault(i, []).append(c)
    agree = all(len(by) == 1 or (0 not in by and len(set(by)) == 1) for by in shown.values())
    return agree and all(lows[i] <= counts[i] <= highs[i] for i in range(rows))


def test_colours_make_good_bounds() -> None:
    """Edge-matching squares: what can't lie beside one another is known to the linear program."""
    draw = random.Random(1)
    tiles = [[draw.randint(1, 3) for _ in range(4)] for _ in range(12)]
    sets: list[list[int | tuple[int, int]]] = []
    for cell in range(4):
        for west, east, north, south in tiles:
            r, c = divmod(cell, 2)
            across, down = 4 + r * 3 + c, 10 + r * 2 + c
            sets.append([cell, (across, west), (across + 1, east), (down, north), (down + 2, south)])
    problem = build([(1, 1)] * 4 + [(0, 1)] * 12, sets, costs=[draw.randint(1, 50) for _ in sets])
    links = search(problem, goal="minimum", settings=Settings(engine="links"))
    best = [cost(problem, a) for a in links][-1]
    paid, bounds = grown(problem)
    assert paid[-1] == best
    assert bounds[0] is not None and bounds[0] >= 0.9 * best


@compiled_only
@each("seed", seeds(60))
def test_larger_walks_against_links(seed: int) -> None:
    """Tilings with doubled options, other items and colours, of sizes about a word's."""
    draw = random.Random(seed)
    items, more = draw.randint(6, 16), draw.randint(0, 4)
    bounds = [(1, 1)] * items + [(0, 1)] * more
    sets: list[list[int | tuple[int, int]]] = []
    for _ in range(draw.choice([40, 63, 64, 65, 127, 128, 129, 200])):
        held = draw.sample(range(items), draw.randint(1, 4))
        other = draw.sample(range(items, items + more), draw.randint(0, min(2, more)))
        sets.append([*held, *((i, draw.randint(0, 2)) for i in other)])
    costs = [draw.randint(*draw.choice([(0, 9), (-20, 20), (1, 99)])) for _ in sets]
    problem = build(bounds, sets, costs=[*costs[:-1], 1])
    links = search(problem, goal="minimum", settings=Settings(engine="links"))
    best = [cost(problem, answer) for answer in links][-1:]
    compiled, interpreted = walked(problem), walked(problem, True)
    assert compiled == interpreted
    assert compiled is None or compiled[0][-1:] == best


@compiled_only
@each("seed", seeds(20))
def test_tree_and_walk_take_turns(seed: int) -> None:
    """Turns so short that each often has its go; the tree's best is the walk's ceiling and the other way round."""
    quick = evolve(MIXED, pace=mixed_pace(turn=1000, few=2))
    for problem in (random_partition(20, 60, seed), drawn(random.Random(seed), 24)):
        if not any(problem.costs):
            continue
        links = search(problem, goal="minimum", settings=Settings(engine="links"))
        best = [cost(problem, a) for a in links][-1:]
        run = search(problem, goal="minimum", settings=quick)
        paid = []
        while run.step(1):
            assert run.bound is None or not best or run.bound <= best[0]
            paid += [cost(problem, a) for a in run.waiting()]
        paid += [cost(problem, a) for a in run.waiting()]
        assert paid[-1:] == best
        assert all(b < a for a, b in pairwise(paid))
        assert (run.status, run.bound) == (Status.EXHAUSTED, best[0] if best else None)


@compiled_only
@pytest.mark.parametrize("room", [0, 1, 5])
def test_open_nodes_need_no_more_room(room: int, constants: Constants) -> None:
    """Beyond so many, the search goes deep first: the same minimum, and bounds that never fall."""
    problem = random_partition(40, 400, 0)
    wide, _ = grown(problem)
    constants(mixed_tree, OPEN=room)
    paid, bounds = grown(problem)
    assert paid[-1] == wide[-1]
    told = [bound for bound in bounds if bound is not None]
    assert told == sorted(told)
    assert told[-1] <= paid[-1]


@given(problems(costs=COSTLY), st.integers(-2, 2))
def test_a_ceiling_excludes_dearer_answers(problem: Problem, above: int) -> None:
    true = least(problem)
    ceiling = (0 if true is None else true) + above
    paid, _ = grown(problem, ceiling=ceiling)
    assert (paid[-1] if paid else None) == (true if true is not None and true <= ceiling else None)


@given(problems(costs=COSTLY), st.sampled_from([-(10**30), -3, -1, 0, 1, 10**30]), st.booleans())
def test_a_ceiling_of_the_search_is_heeded(problem: Problem, above: int, told: bool) -> None:
    """The ceiling stands in the settings, or is given while the search runs."""
    true = least(problem)
    ceiling = (0 if true is None else true) + above
    run = search(problem, goal="minimum", settings=Settings(engine="mixed", ceiling=None if told else ceiling))
    if told:
        run.lower_ceiling(ceiling)
    list(run)
    assert run.status is Status.EXHAUSTED
    assert run.best == (true if true is not None and true <= ceiling else None)


@given(problems(costs=COSTLY), st.sampled_from([None, 1, 7]))
def test_the_search_finds_the_minimum(problem: Problem, seed: int | None) -> None:
    run = search(problem, goal="minimum", settings=Settings(engine="mixed", seed=seed))
    answers = list(run)
    true = least(problem)
    assert run.status is Status.EXHAUSTED
    assert run.best == run.bound == true
    assert all(check(problem, a) is None for a in answers)
    assert [cost(problem, a) for a in answers][-1:] == ([] if true is None else [true])


@given(problems(costs=COSTLY))
def test_both_kernels_do_the_same(problem: Problem) -> None:
    assert grown(problem, True) == grown(problem, False)


def drawn(draw: random.Random, options: int) -> Problem:
    """A random problem of many items, one in three of them exact, with colours and doubled options."""
    items = draw.randint(3, 14)
    kinds = [(1, 1), (1, 1), (0, 1), (0, 1), (1, 99), (0, 3), (2, 4), (1, 2), (2, 2)]
    bounds = sorted(draw.choices(kinds, k=items), key=lambda b: b[0] == 0)
    tinted = [b == (0, 1) and draw.random() < 0.5 for b in bounds]
    sets: list[list[int | tuple[int, int]]] = []
    for _ in range(options):
        held = draw.sample(range(items), draw.randint(0, min(4, items)))
        sets.append([(i, draw.randint(0, 2) if tinted[i] else 0) for i in held])
        if draw.random() < 0.1:
            sets.append(sets[-1])
    low, high = draw.choice([(1, 1), (0, 9), (1, 99), (-9, 9), (-99, -1), (-50, 50)])
    scale = draw.choice([1, 1, 3, 1000])
    costs = [scale * draw.randint(low, high) for _ in sets]
    given_options = draw.sample(range(len(sets)), draw.choice([0, 0, 0, 1]))
    return build(bounds, sets, costs=costs, given=given_options)


@compiled_only
@each("seed", seeds(40))
def test_larger_problems_have_the_minimum_that_links_find(seed: int) -> None:
    """These have up to 70 options, for which brute force takes too long, and sizes at the borders of machine words."""
    draw = random.Random(seed)
    for size in (20, 40, 63, 64, 65):
        problem = drawn(draw, size)
        if not any(problem.costs):
            continue
        links = search(problem, goal="minimum", limits=Limits(nodes=200_000), settings=Settings(engine="links"))
        for _ in links:
            pass
        if links.status is not Status.EXHAUSTED:
            continue
        paid, bounds = grown(problem)
        assert (paid[-1] if paid else None) == links.best
        if links.best is not None:
            assert all(bound is None or bound <= links.best for bound in bounds)


@each("seed", seeds(12))
def test_large_costs_keep_the_minimum(seed: int) -> None:
    """Up to what units are made for, and beyond, where Dancing Links go on alone."""
    draw = random.Random(seed)
    plain = drawn(draw, 24)
    most = draw.choice([10**6, 10**9, 2 * 10**9, 10**15])
    problem = evolve(plain, costs=tuple(draw.randint(-most if seed % 2 else 0, most) for _ in range(plain.options)))
    links = search(problem, goal="minimum", settings=Settings(engine="links"))
    best = [cost(problem, answer) for answer in links][-1:]
    assert [cost(problem, answer) for answer in search(problem, goal="minimum", settings=MIXED)][-1:] == best
    if most < 10**15:
        paid, bounds = grown(problem)
        assert paid[-1:] == best
        assert all(bound is None or not best or bound <= best[0] for bound in bounds)
    else:
        assert "linear programs" not in search(problem, goal="minimum", settings=MIXED).engine


@compiled_only
def test_partitions_are_proved_by_few_nodes() -> None:
    """Where Dancing Links need a hundred times as many."""
    for seed in range(3):
        problem = random_partition(28, 200, seed)
        paid, bounds = grown(problem)
        links = search(problem, goal="minimum", settings=Settings(engine="links"))
        assert [cost(problem, a) for a in links][-1] == paid[-1]
        assert 100 * len(bounds) < links.counters.nodes


def test_the_first_bound_is_no_sum_of_costs() -> None:
    """A packing: its bound is nearly its optimum once the root is solved."""
    draw = random.Random(5)
    sets = [draw.sample(range(60), draw.randint(1, 4)) for _ in range(150)]
    problem = build([(0, 1)] * 60, sets, costs=[-draw.randint(1, 1000) for _ in sets])
    full = search(problem, goal="minimum", settings=MIXED)
    best = [cost(problem, a) for a in full][-1]
    short = search(problem, goal="minimum", settings=MIXED, limits=Limits(nodes=1))
    list(short)
    assert short.bound is not None
    assert best * 1.05 <= short.bound <= best


def test_nodes_are_met_exactly() -> None:
    for nodes in (0, 1, 2, 10):
        run = search(random_partition(60, 900, 1), goal="minimum", settings=MIXED, limits=Limits(nodes=nodes))
        list(run)
        assert run.counters.nodes <= nodes
        assert run.status is Status.EXHAUSTED or run.counters.nodes == nodes


def test_known_minima_are_found() -> None:
    run = search(assignment([[-3, -7, -5], [-6, -9, -1], [-4, -4, -8]]), goal="minimum", settings=MIXED)
    assert list(run)[-1] == (1, 3, 8)
    assert (run.best, run.bound) == (-21, -21)
    run = search(domination(5), goal="minimum", settings=MIXED)
    assert [len(a) for a in run][-1] == 3
    assert run.engine.startswith("linear programs beside dancing links")
    assert list(search(toy(), goal="minimum", settings=MIXED)) == [(0, 3, 4)]


def test_brute_force_agrees_with_itself() -> None:
    """The oracle of this page is not empty."""
    assert brute(toy()) == [(0, 3, 4)]


@given(problems(costs=COSTLY), st.integers(0, 999))
def test_prices_of_any_sign_are_heard(problem: Problem, seed: int) -> None:
    """A user's prices may be negative where an item is met exactly so often; elsewhere they then count as 0."""
    draw = random.Random(seed)
    wild = {i: draw.uniform(-9, 9) for i in range(problem.items)}

    def bound(view: View, cutoff: int | None) -> Bound:
        return Bound(view.credit, prices=wild)

    run = search(problem, goal="minimum", settings=Settings(estimate=bound))
    list(run)
    assert run.best == least(problem)


def test_prices_of_items_met_exactly_may_be_negative() -> None:
    """The best bound of this partition, 15, needs a negative price; as a cover it would be 9."""
    sets = [[0, 3], [1, 2, 3], [0, 2, 3], [0, 3], [3], [0]]
    problem = build([(1, 1)] * 4, sets, costs=[2, 8, 7, 1, 9, 7])

    def dual(view: View, cutoff: int | None) -> Bound:
        return Bound(view.credit, {0: 7.0, 1: 8.0, 2: 6.0, 3: -6.0})

    run = search(problem, goal="minimum", settings=Settings(engine="links", estimate=dual))
    run.step(1)
    assert run.bound == 15
    assert [cost(problem, a) for a in run][-1] == 15


PINNED = [
    ("partition 20/60", random_partition(20, 60, 1), (43, 405, 9), (63, 622)),
    ("partition 40/400", random_partition(40, 400, 0), (540, 6118, 5640), (6252, 125188)),
    ("assignment 8", assignment([[(7 * i * j + i) % 13 for j in range(8)] for i in range(8)]), (2, 12, 0), (27, 169)),
    ("domination 6", domination(6), (4, 75, 0), None),
]


@pytest.mark.parametrize(("name", "problem", "tree", "walk"), PINNED, ids=[p[0] for p in PINNED])
@pytest.mark.parametrize("interpreted", [False, True])
def test_work_is_pinned(
    name: str, problem: Problem, tree: tuple[int, int, int], walk: tuple[int, int] | None, interpreted: bool, slow: bool
) -> None:
    """Work of the tree (slices, steps of the simplex method, options settled by reduced costs) and of the walk (nodes,
    updates): a change here is a change of the search, to be made knowingly."""
    if len(problem.costs) > 100 and not load("_mixed").COMPILED:
        pytest.skip("too slow without the compiled kernel")
    if len(problem.costs) > 100 and interpreted and not slow:
        pytest.skip("takes 8 seconds; run with --slow")  # that both do the same is shown by the smaller ones
    own = core(problem)
    grows = BoundTree(own, load("_mixed", interpreted), own.dearest)
    slices = 0
    while not grows.done:
        grows.step()
        grows.found = None
        slices += 1
    assert (slices, grows.pivots, grows.fixings) == tree
    found = walked(problem, interpreted)
    assert (found and found[1:]) == walk
