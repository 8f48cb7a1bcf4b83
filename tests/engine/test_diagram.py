"""Decision diagrams against the oracle: what they hold, count, draw, order and restrict."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterable
from itertools import islice

import pytest
from attrs import evolve

from covr.engine import Problem, build
from covr.engine.base.alone import Unsuited
from covr.engine.diagrams.diagram import (
    Diagram,
    TooLarge,
    build_diagram,
    cheapest,
    graphillion,
    graphviz,
    in_order,
    restrict,
)
from covr.engine.kernels.loading import load
from covr.engine.prepare.diagram import prepare
from covr.engine.problem import Total
from covr.engine.reference import explore
from tests.constants import Constants
from tests.each import each
from tests.engine.problems import dominoes_by_square
from tests.shared import seeds

pytestmark = pytest.mark.long

ROOM = 1 << 28  # bytes


def random_problem(rng: random.Random) -> Problem:
    """Small, or with so many items that the sets of a state straddle words; every kind of bound and option."""
    small = rng.random() < 0.8
    items = rng.randint(1, 7) if small else rng.randint(60, 140)
    exact = rng.random() < 0.5
    bounds = []
    for _ in range(items):
        if exact:
            bounds.append(rng.choice([(1, 1), (1, 1), (0, 1)]))
        else:
            low = rng.choice([0, 0, 1, 1, 2, 3])
            bounds.append((low, max(low, rng.choice([0, 1, 1, 2, 3, 50]))))
    bounds.sort(key=lambda b: b[0] == 0)
    options: list[list[tuple[int, int]]] = []
    colourful = rng.random() < 0.5
    if small:
        for _ in range(rng.randint(0, 11)):
            held = rng.sample(range(items), rng.randint(0, min(items, 4)))
            options.append([_entry(rng, i, bounds, colourful) for i in held])
        if options and rng.random() < 0.3:
            options.append(list(rng.choice(options)))  # a doubled option
        if rng.random() < 0.2:
            options.append([])
    else:
        left = list(range(items))
        rng.shuffle(left)
        while left:
            size = rng.randint(3, 25)
            held, left = left[:size], left[size:]
            options.append([_entry(rng, i, bounds, colourful) for i in held])
            if rng.random() < 0.3:
                options.append([_entry(rng, i, bounds, colourful) for i in held])
    given = [o for o in range(len(options)) if rng.random() < 0.04]
    return build(bounds, options, given=given)


def _entry(rng: random.Random, i: int, bounds: list[tuple[int, int]], colourful: bool) -> tuple[int, int]:
    return i, rng.randint(0, 3) if colourful and bounds[i] == (0, 1) else 0


def answers_of(problem: Problem) -> list[tuple[int, ...]]:
    return sorted(answer for answer in explore(problem) if answer is not None)


@pytest.mark.parametrize("interpreted", [False, True])
@each("seed", seeds(25))
def test_a_diagram_has_exactly_the_answers(seed: int, interpreted: bool) -> None:
    rng = random.Random(seed)
    for _ in range(8 if interpreted else 20):
        problem = random_problem(rng)
        expected = answers_of(problem)
        diagram = build_diagram(problem, ROOM, interpreted)
        assert diagram.fault() is None
        assert sorted(diagram.paths()) == expected
        assert diagram.count == len(expected)
        assert diagram.per_option() == [sum(o in a for a in expected) for o in range(problem.options)]
        assert list(in_order(diagram)) == expected
        keys = list(zip(diagram.level, diagram.low, diagram.high, strict=True))[2:]
        assert len(set(keys)) == len(keys)
        some = tuple(o for o in range(problem.options) if rng.random() < 0.4)
        assert (some in diagram) == (some in expected)


@each("seed", seeds(15))
def test_restricting_is_filtering(seed: int) -> None:
    rng = random.Random(100 + seed)
    for _ in range(12):
        problem = random_problem(rng)
        diagram = build_diagram(problem, ROOM)
        wanted = [o for o in range(problem.options) if rng.random() < 0.1]
        unwanted = [o for o in range(problem.options) if rng.random() < 0.1]
        expected = [a for a in answers_of(problem) if set(wanted) <= set(a) and not set(unwanted) & set(a)]
        part = restrict(diagram, wanted, unwanted)
        assert part.fault() is None
        assert list(in_order(part)) == expected
        assert part.count == len(expected)


@each("seed", seeds(15))
def test_the_cheapest_come_first(seed: int) -> None:
    rng = random.Random(200 + seed)
    for _ in range(12):
        problem = random_problem(rng)
        costs = [rng.choice([-5, -1, 0, 0, 1, 2, 2**50]) for _ in range(problem.options)]
        expected = answers_of(problem)
        found = list(cheapest(build_diagram(problem, ROOM), costs))
        assert sorted(answer for _, answer in found) == expected
        assert all(paid == sum(costs[o] for o in answer) for paid, answer in found)
        assert [paid for paid, _ in found] == sorted(paid for paid, _ in found)


def test_draws_are_uniform() -> None:
    diagram = build_diagram(dominoes_by_square(4, 4), ROOM)
    answers = list(in_order(diagram))
    assert len(answers) == 36
    rng, draws = random.Random(5), 18_000
    seen = dict.fromkeys(answers, 0)
    for _ in range(draws):
        seen[diagram.draw(rng)] += 1
    mean = draws / len(answers)
    assert sum((times - mean) ** 2 / mean for times in seen.values()) < 66.6  # 35 degrees of freedom, p = 0.001
    with pytest.raises(ValueError, match="no answer"):
        build_diagram(dominoes_by_square(3, 3), ROOM).draw(rng)


def test_many_answers_are_listed_in_order(constants: Constants) -> None:
    constants("covr.engine.diagrams.diagram", MOST_SORTED=3)
    free = build([(0, 1), (0, 2), (0, 1)], [[0], [0], [1], [1], [1], [2], []])
    for problem in (dominoes_by_square(4, 6), free):
        assert list(in_order(build_diagram(problem, ROOM))) == answers_of(problem)


@each("seed", range(10))
def test_answers_are_divided_by_their_first_options(seed: int, constants: Constants) -> None:
    """Whatever the order of the diagram, and where some answers are parts of others."""
    rng = random.Random(300 + seed)
    constants("covr.engine.diagrams.diagram", MOST_SORTED=rng.randint(1, 5), AT_ONCE=rng.randint(1, 6))
    for _ in range(10):
        problem = random_problem(rng)
        assert list(in_order(build_diagram(problem, ROOM))) == answers_of(problem)


def test_the_first_answer_of_a_large_diagram_takes_few_walks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each restriction is a walk over the whole diagram; one for each option of the answer would be 50."""
    walks: list[int] = []

    def counting(diagram: Diagram, wanted: Iterable[int] = (), unwanted: Iterable[int] = ()) -> Diagram:
        walks.append(len(diagram))
        return restrict(diagram, wanted, unwanted)

    monkeypatch.setattr("covr.engine.diagrams.diagram.restrict", counting)
    diagram = build_diagram(dominoes_by_square(10, 10), ROOM)
    assert next(in_order(diagram)) == min(islice(in_order(diagram), 1000))
    assert sum(walks) < 12 * 2 * len(diagram)


def test_dominoes_on_sixteen_by_sixteen_are_counted() -> None:
    if not load("_diagram").COMPILED:
        pytest.skip("takes a minute where the kernels are not compiled")
    diagram = build_diagram(dominoes_by_square(16, 16), ROOM)
    assert diagram.count == 2444888770250892795802079170816
    per_option = diagram.per_option()
    assert sum(per_option) == 128 * diagram.count


@pytest.mark.parametrize("interpreted", [False, True])
def test_memory_is_bounded(interpreted: bool) -> None:
    with pytest.raises(TooLarge) as caught:
        build_diagram(dominoes_by_square(10, 10), 200_000, interpreted)
    assert caught.value.wanted > caught.value.most == 200_000
    assert caught.value.nodes > 0


@pytest.mark.parametrize("interpreted", [False, True])
def test_room_that_grows_changes_nothing(interpreted: bool) -> None:
    given = prepare(dominoes_by_square(6, 6))
    kernels = []
    for first in (2, 1 << 12):
        kernel = load("_diagram", interpreted).Builder(
            len(given.numbers), given.width, given.tests, given.fields, given.ends, given.blocks, ROOM, first
        )
        while kernel.run(7) == 0:
            pass
        kernels.append((kernel.root, kernel.size, kernel.work, kernel.nodes()))
    assert kernels[0] == kernels[1]


def test_what_no_diagram_holds_is_refused() -> None:
    problem = dominoes_by_square(2, 2)
    for told in (problem, evolve(problem, sides=(Total(((0, 1),), ((0, 0),)),))):
        with pytest.raises(Unsuited):
            build_diagram(evolve(told, projection=(0,)), ROOM)


def test_faults_are_found() -> None:
    good = build_diagram(dominoes_by_square(2, 3), ROOM)
    assert good.fault() is None
    rng = random.Random(1)
    for _ in range(300):
        lists = [array("i", numbers) for numbers in (good.level, good.low, good.high)]
        lists[rng.randrange(3)][rng.randrange(len(good.level))] = rng.randint(-2, len(good.level) + 2)
        bad = Diagram(good.options, good.order, *lists, good.root)
        if bad.fault() is None:
            assert all(set(a) <= set(range(good.options)) for a in bad.paths())
    assert Diagram(1, (0, 0), array("i", [2, 2]), array("i", [0, 0]), array("i", [0, 0]), 1).fault()


def test_graphillion_reads_what_is_exported() -> None:
    diagram = build_diagram(dominoes_by_square(3, 4), ROOM)
    lines = list(graphillion(diagram))
    assert lines[-1] == "."
    nodes = {"B": set(), "T": {frozenset()}}  # type: dict[str, set[frozenset[int]]]
    name = ""
    for line in lines[:-1]:
        name, option, low, high = line.split()
        nodes[name] = nodes[low] | {a | {diagram.order[int(option) - 1]} for a in nodes[high]}
    assert nodes[name] == {frozenset(a) for a in diagram.paths()}
    assert list(graphillion(build_diagram(dominoes_by_square(3, 3), ROOM))) == ["B", "."]
    drawn = list(graphviz(diagram, [f'"{o}"\\' for o in range(diagram.options)]))
    assert sum("label=" in line for line in drawn) == len(diagram) + 2


def test_graphillion_itself_reads_it() -> None:
    setset = pytest.importorskip("graphillion").setset
    for size in ((3, 4), (3, 3)):
        diagram = build_diagram(dominoes_by_square(*size), ROOM)
        setset.set_universe([f"option {o}" for o in diagram.order])
        found = setset.loads("".join(f"{line}\n" for line in graphillion(diagram)))
        assert {frozenset(a) for a in found} == {frozenset(f"option {o}" for o in a) for a in diagram.paths()}
