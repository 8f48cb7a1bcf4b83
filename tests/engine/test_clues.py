"""Clues that leave an answer the only one, against the list of all answers."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from threading import Timer

import pytest
from attrs import evolve

from covr.engine import Limits, Problem, Settings, Status, build, reference
from covr.engine import random_answers as drawing
from covr.engine.clues import Uniqueness, Unit, flat, thin
from covr.engine.fewest_clues import FewestClues, FewestSearch, covering
from covr.engine.heed import Stopped
from covr.engine.random_answers import RandomAnswers
from covr.engine.sides import Unsuited
from tests.engine.features import draw
from tests.engine.test_candidates import answers_of
from tests.engine.test_chain_classes import chained, group_of, latin, paratopies, slow_kernels

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


def squares(n: int) -> Problem:
    """Latin squares of side n; option (r * n + c) * n + v."""
    cells = range(n * n)
    options = [
        [r * n + c, n * n + r * n + v, 2 * n * n + c * n + v] for r in range(n) for c in range(n) for v in range(n)
    ]
    return build([(1, 1)] * (3 * len(cells)), options)


@pytest.mark.parametrize("seed", range(40))
def test_sets_of_clues_are_minimal_and_the_fewest_are_fewest(seed: int) -> None:
    rng = random.Random(seed)
    tried = 0
    while tried < 4:
        case = draw(rng, size=rng.choice(("tiny", "tiny", "words")))
        answers = answers_of(case)
        if not answers or case.problem.told is not None:
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
def test_critical_sets_of_latin_squares(n: int, least: int, most: int, slow: bool) -> None:
    """The smallest critical sets have 1, 2 and 4 cells (Curran and van Rees, 1978): over all squares of the side, or
    over some of the 576 of side 4."""
    problem = squares(n)
    every = list(reference.answers(problem)) if n < 4 else list(_all(problem))[:: 12 if slow else 48]
    asked, rng = Uniqueness(problem), random.Random(n)
    sizes = Counter(_fewest(asked, answer, rng).size for answer in every)
    assert min(sizes) == least and max(sizes) <= most


# Latin squares of side 5: one of each kind that differs in more than names and roles.
FIVE = (("01234", "12340", "23401", "34012", "40123"), ("01234", "10342", "23401", "34120", "42013"))


def test_critical_sets_of_latin_squares_of_side_five_and_six() -> None:
    """6 is the least over all squares of side 5, and 9 of side 6, where the cyclic one has as few."""
    asked, rng = Uniqueness(squares(5)), random.Random(1)
    sizes = [_fewest(asked, square_of(rows), rng).size for rows in FIVE]
    assert sizes == [6, 7]
    cyclic = square_of([[(r + c) % 6 for c in range(6)] for r in range(6)])
    assert _fewest(Uniqueness(squares(6)), cyclic, rng).size == 9


@slow_kernels
@pytest.mark.parametrize(
    ("n", "classes", "least"),
    [(2, 1, 1), (3, 1, 2), (4, 2, 4), (5, 2, 6), pytest.param(6, 12, 9, marks=pytest.mark.slow)],
)
def test_the_least_over_all_latin_squares_of_a_side(n: int, classes: int, least: int) -> None:
    """1, 2, 4, 6 and 9 for the sides from 2 to 6: one square of each class under all symmetries, of which side 6 has
    12. It is enough that the others need as many clues; the cyclic square of side 6 has as few, see above."""
    rng = random.Random(1)
    problem, generators = latin(n)
    assert problem == squares(n)
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


@pytest.mark.parametrize("seed", range(20))
def test_random_answers_are_answers_in_every_way(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    for _ in range(4):
        case = draw(rng, size="tiny")
        answers = answers_of(case)
        if answers is None or case.problem.told is not None:
            continue
        for nodes in (20_000, 0):
            monkeypatch.setattr(drawing, "COUNTING", nodes)
            source = RandomAnswers(Uniqueness(case.problem))
            drawn = [source.draw(random.Random(7)) for _ in range(3)]
            if not answers:
                assert drawn == [None] * 3
                continue
            assert drawn[0] == drawn[1] == drawn[2] and drawn[0] in answers
            if not nodes and len(answers) > 1 and answers != [()]:
                assert source.way == "built" or source.uniform


def test_few_answers_are_drawn_uniformly() -> None:
    source = RandomAnswers(Uniqueness(squares(3)))
    rng = random.Random(5)
    drawn = Counter(source.draw(rng) for _ in range(1200))
    assert source.uniform and len(drawn) == 12
    assert sum((k - 100) ** 2 / 100 for k in drawn.values()) < 31.3  # chi square, 11 degrees of freedom, p = 0.001


def test_limits_and_interrupts_stop_every_question() -> None:
    problem = squares(9)
    asked = Uniqueness(problem, Limits(nodes=10))
    with asked, pytest.raises(Stopped) as stopped:
        while True:
            asked.answers(())
    assert stopped.value.status is Status.LIMIT and asked.nodes >= 10
    asked = Uniqueness(problem)
    asked.interrupt()
    with asked, pytest.raises(Stopped) as stopped:
        asked.answers(())
    assert stopped.value.status is Status.INTERRUPTED


def test_a_search_for_the_fewest_that_is_stopped_keeps_the_best() -> None:
    problem = squares(7)
    answer = next(iter(_first(problem)))
    asked = Uniqueness(problem)
    timer = Timer(0.3, asked.interrupt)
    timer.start()
    with asked:
        found = FewestSearch(asked, answer, [(o,) for o in answer], random.Random(1)).run()
    timer.cancel()
    assert found.status in (Status.INTERRUPTED, Status.EXHAUSTED) and 0 < found.bound <= found.size < 49
    assert Uniqueness(problem).other(answer, flat(found.units)) is None


def _first(problem: Problem) -> list[tuple[int, ...]]:
    from covr.engine import search

    return list(search(problem, limits=Limits(answers=1)))


def test_answers_by_some_options_are_refused() -> None:
    with pytest.raises(Unsuited):
        Uniqueness(evolve(squares(2), told=(0, 1)))


@pytest.mark.parametrize("seed", range(20))
def test_leaving_out_several_at_once_keeps_the_same_clues(seed: int) -> None:
    problem = squares(5)
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


@pytest.mark.parametrize("seed", range(30))
def test_the_kernel_leaves_out_the_same_units_as_single_questions(seed: int) -> None:
    """Compiled and interpreted, with units of several options; with a limit of nodes questions are asked singly."""
    rng = random.Random(seed)
    problem = squares(4)
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


def test_drawing_a_built_answer_reaches_every_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one search with shuffled ways: all 576 squares of side 4 come up, none much more often than others, and the
    interpreted kernel draws the same ones."""
    monkeypatch.setattr(drawing, "COUNTING", 0)
    problem = squares(4)
    source, rng = RandomAnswers(Uniqueness(problem)), random.Random(8)
    drawn = Counter(source.draw(rng) for _ in range(12_000))
    assert source.way == "built" and len(drawn) == 576 and max(drawn.values()) < 4 * 12_000 / 576
    twins = [RandomAnswers(Uniqueness(problem, settings=Settings(interpreted=i))) for i in (False, True)]
    for seed in range(5):
        assert twins[0].draw(random.Random(seed)) == twins[1].draw(random.Random(seed))


def test_exchanging_clues_finds_smaller_sets() -> None:
    """From a minimal set of clues of a sudoku of side 4, and never to a set that leaves another answer."""
    problem = sudoku(2)
    answer = RandomAnswers(Uniqueness(problem)).draw(random.Random(3))
    assert answer is not None
    asked, rng = Uniqueness(problem), random.Random(1)
    search = FewestSearch(asked, answer, [(o,) for o in answer], rng)
    start = set(range(16))
    sizes = []
    best: set[int] | None = start
    while best is not None:
        sizes.append(len(best))
        assert asked.other(answer, [answer[k] for k in best]) is None
        best = search._exchange.turn(best, 300)
    assert sizes[-1] <= 5 < sizes[0] and sizes == sorted(sizes, reverse=True)


def sudoku(b: int) -> Problem:
    n = b * b
    options = [
        [r * n + c, n * n + r * n + v, 2 * n * n + c * n + v, 3 * n * n + (r // b * b + c // b) * n + v]
        for r in range(n)
        for c in range(n)
        for v in range(n)
    ]
    return build([(1, 1)] * (4 * n * n), options)
