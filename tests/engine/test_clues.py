"""Clues that leave only one answer are compared with the list of all answers."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from threading import Timer

import pytest
from attrs import evolve

from covr.engine import Limits, Problem, Settings, Status, build, reference
from covr.engine.base.limits import LimitReached
from covr.engine.prepare.bitsets import bits_of
from covr.engine.problem import Unsuited
from covr.engine.puzzles import clues as drawing
from covr.engine.puzzles import fewest_clues as clue_bound
from covr.engine.puzzles import fewest_clues as fewer_clues
from covr.engine.puzzles.clues import RandomAnswers, Uniqueness, Unit, flat, thin
from covr.engine.puzzles.fewest_clues import ClueBound, Differences, FewestClues, FewestSearch, covering
from covr.engine.symmetries import group_of
from tests.constants import Constants
from tests.each import each
from tests.engine.features import answers_of, draw
from tests.engine.problems import latin
from tests.engine.symmetric import chained, latin_squares, paratopies, slow_kernels
from tests.shared import seeds

pytestmark = pytest.mark.long

MOST_UNITS = 10  # units of which all sets are tried


def is_only(answers: list[tuple[int, ...]], answer: tuple[int, ...], clues: list[int]) -> bool:
    return [a for a in answers if set(a) >= set(clues)] == [answer]


def units_of(rng: random.Random, answer: tuple[int, ...]) -> list[Unit]:
    """The options of an answer as clues: some left out, and some together."""
    clues = [o for o in answer if rng.random() < 0.9]
    rng.shuffle(clues)
    units: list[Unit] = []
    together = rng.random() < 0.3
    while clues:
        size = rng.choice((1, 1, 2)) if together else 1
        units.append(tuple(sorted(clues[:size])))
        clues = clues[size:]
    return sorted(units)


def fewest_of(answers: list[tuple[int, ...]], answer: tuple[int, ...], units: list[Unit]) -> int:
    """The least number of clues, by trying all sets of units."""
    return min(
        len(flat(some))
        for size in range(len(units) + 1)
        for some in combinations(units, size)
        if is_only(answers, answer, flat(some))
    )


@each("seed", seeds(40))
def test_sets_of_clues_are_minimal_and_the_fewest_are_fewest(seed: int) -> None:
    rng = random.Random(seed)
    tried = 0
    while tried < 4:
        case = draw(rng, size=rng.choice(("tiny", "tiny", "words")))
        answers = answers_of(case)
        if not answers or case.problem.projection is not None:
            continue
        answer = tuple(rng.choice(answers))
        units = units_of(rng, answer)
        if len(units) > MOST_UNITS:
            continue
        tried += 1
        asked = Uniqueness(case.problem, settings=Settings(engine=rng.choice(("auto", "auto", "links"))))
        if not is_only(answers, answer, flat(units)):
            other = asked.other(answer, flat(units))
            assert other in answers and other != answer and set(other) >= set(flat(units))
            continue
        kept = thin(asked, answer, units, rng)
        assert set(kept) <= set(units) and is_only(answers, answer, flat(kept))
        for unit in kept:
            assert not is_only(answers, answer, flat(u for u in kept if u != unit))
        found = FewestSearch(asked, answer, units, rng).run()
        assert found.proved and found.minimal and found.status is Status.EXHAUSTED
        assert is_only(answers, answer, flat(found.units))
        assert found.size == found.bound == fewest_of(answers, answer, units)


@pytest.mark.parametrize(("n", "least", "most"), ((2, 1, 1), (3, 2, 3), (4, 4, 5)))
def test_critical_sets_of_latin_squares_are_as_small_as_published(n: int, least: int, most: int, slow: bool) -> None:
    """The smallest critical sets have 1, 2 and 4 cells (Curran and van Rees, 1978): over all squares of the side, or
    over some of the 576 of side 4."""
    problem = latin(n)
    every = list(reference.answers(problem)) if n < 4 else list(_all(problem))[:: 12 if slow else 48]
    asked, rng = Uniqueness(problem), random.Random(n)
    sizes = Counter(_fewest(asked, answer, rng).size for answer in every)
    assert min(sizes) == least and max(sizes) <= most


# Latin squares of side 5: one of each kind that differs in more than names and roles.
FIVE = (("01234", "12340", "23401", "34012", "40123"), ("01234", "10342", "23401", "34120", "42013"))


def test_critical_sets_of_side_five_and_six_are_as_small_as_published() -> None:
    """6 is the least over all squares of side 5, and 9 of side 6, where the cyclic one has as few."""
    asked, rng = Uniqueness(latin(5)), random.Random(1)
    sizes = [_fewest(asked, square_of(rows), rng).size for rows in FIVE]
    assert sizes == [6, 7]
    cyclic = square_of([[(r + c) % 6 for c in range(6)] for r in range(6)])
    assert _fewest(Uniqueness(latin(6)), cyclic, rng).size == 9


@slow_kernels
@pytest.mark.parametrize(
    ("n", "classes", "least"),
    [(2, 1, 1), (3, 1, 2), (4, 2, 4), (5, 2, 6), pytest.param(6, 12, 9, marks=pytest.mark.slow)],
)
def test_no_latin_square_of_a_side_does_with_fewer_clues(n: int, classes: int, least: int) -> None:
    """1, 2, 4, 6 and 9 for the sides from 2 to 6: one square of each class under all symmetries, of which side 6 has
    12. It is enough that the others need as many clues; the cyclic square of side 6 has as few, see above."""
    rng = random.Random(1)
    problem, generators = latin_squares(n)
    assert problem == latin(n)
    found = list(chained(problem, group_of(problem, [*generators, *paratopies(n)]), Settings()))
    assert len(found) == classes
    asked = Uniqueness(problem)
    results = [FewestSearch(asked, a, [(o,) for o in a], rng, least=least).run() for a in found]
    assert all(result.bound >= least for result in results)
    if n < 6:
        assert min(_fewest(asked, a, rng).size for a in found) == least


def square_of(rows: Sequence[Sequence[int | str]]) -> tuple[int, ...]:
    """A Latin square as an answer of `squares`."""
    n = len(rows)
    return tuple((r * n + c) * n + int(rows[r][c]) for r in range(n) for c in range(n))


def _all(problem: Problem) -> list[tuple[int, ...]]:
    from covr.engine import search

    return list(search(problem))


def _fewest(asked: Uniqueness, answer: tuple[int, ...], rng: random.Random) -> FewestClues:
    found = FewestSearch(asked, answer, [(o,) for o in answer], rng).run()
    assert found.proved
    return found


def test_units_are_weighed_by_their_clues() -> None:
    """Two clues of one are cheaper than a unit of three, although one unit would do."""
    problem = build([(1, 1)] * 5, [[0], [1], [2], [3], [4], [0, 1, 2, 3, 4], [3, 4], [0, 1]])
    answer = (0, 1, 2, 3, 4)
    found = FewestSearch(Uniqueness(problem), answer, [(0,), (1, 2, 4), (3,)], random.Random(1)).run()
    assert (found.units, found.size, found.bound) == (((0,), (3,)), 2, 2)


def test_a_cover_is_weighed() -> None:
    problem = covering([0b011, 0b110], [2, 5, 2])
    assert problem.costs == (2, 5, 2) and list(problem.option(1)) == [0, 1] and problem.is_cover


@each("seed", seeds(20))
def test_random_answers_are_answers_in_every_way(seed: int, constants: Constants) -> None:
    rng = random.Random(seed)
    for _ in range(4):
        case = draw(rng, size="tiny")
        answers = answers_of(case)
        if answers is None or case.problem.projection is not None:
            continue
        for nodes in (20_000, 0):
            constants(drawing, QUICK=nodes)
            source = RandomAnswers(Uniqueness(case.problem))
            drawn = [source.draw(random.Random(7)) for _ in range(3)]
            if not answers:
                assert drawn == [None] * 3
                continue
            assert drawn[0] == drawn[1] == drawn[2] and drawn[0] in answers
            if not nodes and len(answers) > 1 and answers != [()]:
                assert source.way == "built" or source.uniform


def test_few_answers_are_drawn_uniformly() -> None:
    source = RandomAnswers(Uniqueness(latin(3)))
    rng = random.Random(5)
    drawn = Counter(source.draw(rng) for _ in range(1200))
    assert source.uniform and len(drawn) == 12
    assert sum((k - 100) ** 2 / 100 for k in drawn.values()) < 31.3  # chi square, 11 degrees of freedom, p = 0.001


def test_limits_and_interrupts_stop_every_question() -> None:
    problem = latin(9)
    asked = Uniqueness(problem, Limits(nodes=10))
    with asked, pytest.raises(LimitReached) as stopped:
        while True:
            asked.answers(())
    assert stopped.value.status is Status.LIMIT and asked.nodes >= 10
    asked = Uniqueness(problem)
    asked.interrupt()
    with asked, pytest.raises(LimitReached) as stopped:
        asked.answers(())
    assert stopped.value.status is Status.INTERRUPTED


def test_a_search_for_the_fewest_that_is_stopped_keeps_the_best() -> None:
    problem = latin(7)
    answer = next(iter(_first(problem)))
    asked = Uniqueness(problem)
    timer = Timer(0.3, asked.interrupt)
    timer.start()
    with asked:
        found = FewestSearch(asked, answer, [(o,) for o in answer], random.Random(1)).run()
    timer.cancel()
    assert found.status in (Status.INTERRUPTED, Status.EXHAUSTED) and 0 <= found.bound <= found.size < 49
    assert Uniqueness(problem).other(answer, flat(found.units)) is None


def _first(problem: Problem) -> list[tuple[int, ...]]:
    from covr.engine import search

    return list(search(problem, limits=Limits(answers=1)))


def test_answers_by_some_options_are_refused() -> None:
    with pytest.raises(Unsuited):
        Uniqueness(evolve(latin(2), projection=(0, 1)))


@each("seed", seeds(20))
def test_leaving_out_several_at_once_keeps_the_same_clues(seed: int) -> None:
    problem = latin(5)
    source, rng = RandomAnswers(Uniqueness(problem)), random.Random(seed)
    answer = source.draw(rng)
    assert answer is not None
    asked = Uniqueness(problem)
    order: list[Unit] = [(o,) for o in answer]
    random.Random(seed).shuffle(order)
    kept: list[Unit] = []
    while order:
        unit = order.pop()
        if asked.other(answer, flat(kept) + flat(order)) is not None:
            kept.append(unit)
    alone, asked.questions = asked.questions, 0
    assert thin(asked, answer, [(o,) for o in answer], random.Random(seed)) == sorted(kept)
    assert asked.questions <= alone + 3


@each("seed", seeds(30))
def test_the_kernel_leaves_out_the_same_units_as_single_questions(seed: int) -> None:
    """Compiled and interpreted, with units of several options; with a limit of nodes questions are asked singly."""
    rng = random.Random(seed)
    problem = latin(4)
    answer = RandomAnswers(Uniqueness(problem)).draw(rng)
    assert answer is not None
    clues = list(answer)
    rng.shuffle(clues)
    units: list[Unit] = []
    while clues:
        size = rng.choice((1, 1, 2, 3))
        units.append(tuple(sorted(clues[:size])))
        clues = clues[size:]
    singly = Uniqueness(problem, Limits(nodes=10**9))
    expected = thin(singly, answer, units, random.Random(seed))
    for interpreted in (False, True):
        asked = Uniqueness(problem, settings=Settings(interpreted=interpreted))
        assert thin(asked, answer, units, random.Random(seed)) == expected
        assert asked.questions == singly.questions and asked.nodes == singly.nodes


def test_drawing_a_built_answer_reaches_every_answer(constants: Constants) -> None:
    """In one search with shuffled ways: all 576 squares of side 4 come up, none much more often than others, and the
    interpreted kernel draws the same ones."""
    constants(drawing, QUICK=0)
    problem = latin(4)
    source, rng = RandomAnswers(Uniqueness(problem)), random.Random(8)
    drawn = Counter(source.draw(rng) for _ in range(12_000))
    assert source.way == "built" and len(drawn) == 576 and max(drawn.values()) < 4 * 12_000 / 576
    twins = [RandomAnswers(Uniqueness(problem, settings=Settings(interpreted=i))) for i in (False, True)]
    for seed in range(5):
        assert twins[0].draw(random.Random(seed)) == twins[1].draw(random.Random(seed))


def random_cuts(rng: random.Random, units: int, many: int) -> list[int]:
    """Different sets of units as bits."""
    return sorted(
        {bits_of(rng.sample(range(units), rng.randint(1, 4))) for _ in range(many)}, key=lambda _: rng.random()
    )


def hits(units: set[int] | Sequence[int], cuts: Sequence[int]) -> bool:
    held = bits_of(units)
    return all(held & bits for bits in cuts)


def cheapest(cuts: Sequence[int], sizes: Sequence[int]) -> int:
    """The least cost of units that hit all of these, by trying all sets."""
    return min(
        sum(sizes[k] for k in some)
        for many in range(len(sizes) + 1)
        for some in combinations(range(len(sizes)), many)
        if hits(some, cuts)
    )


@each("seed", seeds(20))
def test_a_walk_finds_sets_that_hit_all_differences(seed: int, constants: Constants) -> None:
    """Cheapest ones, and none cheaper; with differences learnt on the way; compiled and interpreted alike."""
    constants(fewer_clues, ROOM=4)
    rng = random.Random(seed)
    sizes = [rng.choice((1, 1, 2, 3)) if seed % 2 else 1 for _ in range(9)]
    cuts = random_cuts(rng, 9, rng.randint(1, 20))
    results = []
    for interpreted in (False, True):
        differences = Differences(sizes, random.Random(seed), interpreted)
        walk = differences.walk()
        seen = []
        for k, bits in enumerate(cuts):
            differences.learn(bits)
            differences.learn(bits)
            least = cheapest(cuts[: k + 1], sizes)
            found = walk.find(least, 3000)
            assert found is not None and hits(found, cuts[: k + 1]) and sum(sizes[u] for u in found) == least
            assert walk.find(least - 1, 200) is None
            seen.append(found)
        assert differences.missed_by(seen[-1]) == [] and sorted(differences.missed_by(())) == sorted(cuts)
        walk.start(range(9))
        assert walk.find(sum(sizes), 0) == set(range(9))
        results.append(seen)
    assert results[0] == results[1]


def test_a_walk_forgets_the_larger_half_where_there_are_too_many(constants: Constants) -> None:
    constants(fewer_clues, MOST_ROOM=10)
    differences = Differences([1] * 12, random.Random(1))
    walk = differences.walk()
    cuts = [bits_of(range(k + 1)) for k in range(11)]
    for bits in reversed(cuts):
        differences.learn(bits)
    assert sorted(differences.known) == sorted([*cuts[1:6], cuts[0]])
    assert walk.find(1, 100) == {0}


@each("seed", range(10))
def test_the_bound_grows_to_what_the_differences_prove_and_not_beyond(seed: int, constants: Constants) -> None:
    constants(clue_bound, FIRST=2, ADDED=1)
    rng = random.Random(seed)
    sizes = [rng.choice((1, 1, 2)) for _ in range(9)]
    cuts = random_cuts(rng, 9, 15)
    differences = Differences(sizes, rng)
    for bits in cuts:
        differences.learn(bits)
    proof = ClueBound(Uniqueness(latin(3)), differences, sizes)
    bounds, found = [], None
    while found is None:
        found = proof.turn()
        bounds.append(proof.bound)
    assert hits(found, cuts) and sum(sizes[k] for k in found) == bounds[-1] == cheapest(cuts, sizes)
    assert bounds == sorted(bounds)


@each("seed", seeds(12))
def test_the_kernel_shrinks_a_difference_as_single_questions_do(seed: int) -> None:
    """Compiled and interpreted, with units of several options; and what is left is minimal."""
    rng = random.Random(seed)
    problem = latin(4)
    answer = RandomAnswers(Uniqueness(problem)).draw(rng)
    assert answer is not None
    given, clues = list(answer[:2]), list(answer) if seed % 3 else list(answer[2:])
    problem = evolve(problem, given=tuple(given)) if seed % 2 else problem
    rng.shuffle(clues)
    units: list[Unit] = []
    while clues:
        size = rng.choice((1, 1, 2, 3))
        units.append(tuple(sorted(clues[:size])))
        clues = clues[size:]
    if Uniqueness(problem).other(answer, flat(units)) is not None:
        pytest.skip("these clues leave another answer")
    everything = set(range(len(units)))
    for interpreted in (False, True):
        asked = Uniqueness(problem, settings=Settings(interpreted=interpreted))
        other = asked.other(answer, given)
        assert other is not None
        lacks = [k for k in everything if not set(units[k]) <= set(other)]
        random.Random(seed).shuffle(lacks)
        asked.questions = asked.nodes = 0
        quick = asked.nearest(units, lacks)
        assert quick is not None and set(quick) <= set(lacks)
        nodes, questions = asked.nodes, asked.questions
        singly = Uniqueness(problem, Limits(nodes=10**9), Settings(interpreted=interpreted))
        assert singly.nearest(units, lacks) is None
        search = FewestSearch(singly, answer, units, rng)
        assert search._nearest(lacks) == set(quick)
        assert (singly.questions, singly.nodes) == (questions, nodes)
        for k in quick:
            if len(quick) > 1:
                assert asked.other(answer, flat(units[u] for u in (everything - set(quick)) | {k})) is None
        assert asked.other(answer, flat(units[u] for u in everything - set(quick))) is not None
