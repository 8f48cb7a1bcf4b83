"""Random probes: the average over all ways down is the tree, exactly."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from fractions import Fraction

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Problem, build, reference, search
from covr.engine.kernels.loading import load
from covr.engine.prepare.sides import side_arrays
from covr.engine.sampling.probe import FEWEST, SETTLED, Probe, ProbeTree, SidedTree, tree_of, tree_size
from tests.each import each
from tests.engine.problems import brute, coloured_path, domination, langford, queens, rooks
from tests.engine.side_puzzles import knight
from tests.engine.sided import sided
from tests.engine.strategies import problems
from tests.shared import seeds

pytestmark = pytest.mark.long


def ways_down(tree: ProbeTree | SidedTree) -> Iterator[tuple[Fraction, Probe]]:
    """Every probe there is, with its chance: each draw is made in every way, one after another."""
    drawn: list[int] = []
    sizes: list[int] = []
    while True:
        chance, at = Fraction(1), 0
        sizes.clear()

        def pick(shares: Sequence[int]) -> int:
            nonlocal chance, at
            if at == len(drawn):
                drawn.append(0)
            k = drawn[at]
            at += 1
            sizes.append(len(shares))
            chance *= Fraction(shares[k], sum(shares))
            return k

        probe = tree.probe(pick, Fraction)
        yield chance, probe
        while drawn and drawn[-1] == sizes[len(drawn) - 1] - 1:
            drawn.pop()
        if not drawn:
            return
        drawn[-1] += 1


def whole_tree(problem: Problem, goal: str) -> tuple[int, int]:
    """Nodes and answers of the tree that nothing prunes: the reference of a problem without costs, or of one where
    what is not wanted without being asked for is struck from the last rows."""
    if goal == "all":
        steps = list(reference.explore(evolve(problem, costs=())))
        return steps.count(None), len(steps) - steps.count(None)
    costs = problem.costs or [0] * problem.options
    items = [dict(zip(problem.option(o), problem.option_colours(o), strict=True)) for o in range(problem.options)]
    nodes = answers = 0

    def allowed(o: int, taken: tuple[int, ...]) -> bool:
        for i, colour in items[o].items():
            shown = [items[t][i] for t in taken if i in items[t]]
            if len(shown) >= problem.high[i] if not colour else any(c != colour for c in shown):
                return False
        return True

    def below(taken: tuple[int, ...], live: tuple[int, ...]) -> None:
        nonlocal nodes, answers
        nodes += 1
        wants = [problem.low[i] - sum(i in items[t] for t in taken) for i in range(problem.primary)]
        ways = [(sum(i in items[o] for o in live) - w + 1, i) for i, w in enumerate(wants) if w > 0]
        if ways:
            most, item = min(ways)
            row = [o for o in live if item in items[o]][: max(most, 0)]
        else:
            answers += 1
            row = [o for o in live if costs[o] < 0]
        for o in row:
            live = tuple(x for x in live if x != o)
            below((*taken, o), tuple(x for x in live if allowed(x, (*taken, o))))

    taken: tuple[int, ...] = ()
    for o in problem.given:
        if not allowed(o, taken):
            return 0, 0
        taken = (*taken, o)
    below(taken, tuple(o for o in range(problem.options) if o not in taken and allowed(o, taken)))
    return nodes, answers


@given(problems(), st.sampled_from(["all", "minimum"]))
def test_the_average_over_all_ways_down_is_the_tree(problem: Problem, goal: str) -> None:
    tree = ProbeTree(problem, goal)
    nodes, answers = whole_tree(problem, goal)
    if not tree.feasible:
        assert answers == 0
        return
    every = list(ways_down(tree))
    assert sum(chance for chance, _ in every) == 1
    assert sum(chance * probe.nodes for chance, probe in every) == nodes
    assert sum(chance * probe.answers for chance, probe in every) == answers


@pytest.mark.parametrize(
    "problem", [queens(6), langford(4), coloured_path(4, 2), rooks(2)], ids=["queens", "langford", "path", "rooks"]
)
def test_probes_of_known_trees_are_right_on_average(problem: Problem) -> None:
    run = search(problem)
    answers = len(list(run))
    every = list(ways_down(ProbeTree(problem)))
    assert sum(chance * probe.nodes for chance, probe in every) == run.counters.nodes
    assert sum(chance * probe.answers for chance, probe in every) == answers


def test_free_options_have_no_spread() -> None:
    """Any of them may be taken or left: every way down stands for the same."""
    free = build([(0, 99)], [[0]] * 12)
    sizes = {probe.answers for _, probe in ways_down(ProbeTree(free))}
    assert max(sizes) <= 2 * 2**12
    size = tree_size(free, probes=4096)
    assert size.answers is not None
    assert abs(size.answers.mean - 2**12) <= 5 * size.answers.error


@pytest.mark.parametrize(("problem", "nodes"), [(queens(8), 1199), (langford(8), 0), (queens(10), 16448)])
def test_estimates_are_near(problem: Problem, nodes: int) -> None:
    if not nodes:
        run = search(problem)
        list(run)
        nodes = run.counters.nodes
    size = tree_size(problem)
    assert size.settled
    assert size.nodes.error <= SETTLED * size.nodes.mean
    assert abs(size.nodes.mean - nodes) <= 4 * size.nodes.error
    assert size.nodes.low <= size.nodes.mean <= size.nodes.high


def test_the_same_seed_says_the_same() -> None:
    first, again, other = (tree_size(queens(9), seed=seed) for seed in (3, 3, 4))
    assert first == again
    assert first.nodes != other.nodes
    assert first.probes >= FEWEST
    assert tree_size(queens(9), probes=77).probes == 77


def test_it_stops_when_the_time_is_over_or_it_is_asked_to() -> None:
    size = tree_size(queens(20), seconds=0.0)
    assert (size.probes, size.settled) == (1, False)
    assert math.isinf(size.nodes.error)


def test_trees_beyond_any_number_are_infinite() -> None:
    """A float ends at 1.8e308; what is larger is infinite, not an error."""
    size = tree_size(build([(0, 1)] * 1030, [[i] for i in range(1030)]), probes=2)
    assert math.isinf(size.nodes.mean)


def test_a_minimum_is_the_tree_without_bounds() -> None:
    size = tree_size(domination(3), "minimum")
    assert size.answers is None
    nodes, _ = whole_tree(domination(3), "minimum")
    assert abs(size.nodes.mean - nodes) <= 4 * size.nodes.error


def branches(problem: Problem, interpreted: bool = False) -> tuple[int, int]:
    """Nodes and answers of the tree with sides, each node reached anew from the root."""
    kernel = load("_sides", interpreted).Sides(evolve(problem, costs=()), side_arrays(problem), False, False, 0)

    def below(path: tuple[tuple[int, bool], ...]) -> tuple[int, int]:
        if not (kernel.restart() and all(kernel.go(o, taken) for o, taken in path)):
            return 1, 0
        o, _, _ = kernel.next_option()
        if o < 0:
            return 1, 1
        one, other = below((*path, (o, True))), below((*path, (o, False)))
        return 1 + one[0] + other[0], one[1] + other[1]

    return below(())


@each("seed", seeds(60))
def test_the_average_of_all_probes_is_the_tree_with_sides(seed: int) -> None:
    problem = sided(random.Random(f"probe/{seed}"))
    tree = tree_of(problem, "all")
    assert isinstance(tree, SidedTree)
    found = list(ways_down(tree))
    assert sum(chance for chance, _ in found) == 1
    assert sum(chance * probe.answers for chance, probe in found) == len(brute(problem))
    assert sum(chance * probe.nodes for chance, probe in found) == branches(problem)[0] == branches(problem, True)[0]


def test_how_many_tours_a_knight_has() -> None:
    size = tree_size(knight(6), seed=1, probes=4000)
    assert size.answers is not None
    assert size.answers.low / 1.3 < 9862 < size.answers.high * 1.3
