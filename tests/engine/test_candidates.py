"""Candidates are compared with the set of all answers, which brute force or another engine lists."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

import pytest

from covr.engine import Limits, Problem, Settings, Status, build, search
from covr.engine.puzzles import candidates as module
from covr.engine.puzzles.candidates import Candidates, CandidateSearch, Presence, without
from tests.constants import Constants, constants_of
from tests.each import each
from tests.engine.features import answers_of, draw
from tests.engine.problems import dominoes_by_square, queens
from tests.shared import seeds


def verify(problem: Problem, answers: list[tuple[int, ...]], found: Candidates, cap: int | None) -> None:
    assert found.complete
    assert found.solvable == bool(answers)
    tally = [0] * problem.options
    for answer in answers:
        for o in answer:
            tally[o] += 1
    for o, times in enumerate(tally):
        expected = Presence.NONE if not times else Presence.ALL if times == len(answers) else Presence.SOME
        assert found.verdicts[o] is expected, o
        if cap is not None:
            assert found.counts is not None
            assert found.counts[o] == (times if found.cap is None else min(times, found.cap)), o
    if found.total is not None:
        assert found.total == len(answers)
    if cap is None:
        assert found.counts is None


@each("seed", seeds(60))
def test_what_all_answers_say(seed: int) -> None:
    rng = random.Random(seed)
    tried = 0
    while tried < 4:
        case = draw(rng, size=rng.choice(("tiny", "tiny", "words")))
        answers = answers_of(case)
        if answers is None:
            continue
        tried += 1
        cap = rng.choice((None, None, 1, 2, 5, 1000))
        settings = Settings(seed=rng.choice((None, 3)), engine=rng.choice(("auto", "auto", "links")))
        found = CandidateSearch(case.problem, cap=cap, settings=settings).run()
        verify(case.problem, answers, found, cap)


@each("seed", seeds(30))
def test_short_turns_say_the_same(seed: int, constants: Constants) -> None:
    """Turns have only a few nodes and hardly any answers are listed, so that questions decide nearly everything."""
    constants(module, QUICK=2, FIRST_LISTED=1, LARGER=3)
    rng = random.Random(seed)
    tried = 0
    while tried < 4:
        case = draw(rng, size="tiny")
        answers = answers_of(case)
        if answers is None:
            continue
        tried += 1
        cap = rng.choice((None, 1, 3))
        verify(case.problem, answers, CandidateSearch(case.problem, cap=cap).run(), cap)


@pytest.mark.parametrize("size", (1, 63, 64, 65, 127, 128, 129))
@pytest.mark.parametrize("cap", (None, 2))
def test_sizes_about_that_of_a_word_are_counted_right(size: int, cap: int | None) -> None:
    """n options of which one is taken, two free ones, one that nothing can hold together with what is forced."""
    bounds = [(1, 1), (1, 1)]
    options: list[list[int]] = [[0] for _ in range(size)] + [[], []] + [[1], [0, 1]]
    problem = build(bounds, options, given=[size + 2])
    answers = list(search(problem, settings=Settings(engine="links")))
    assert len(answers) == 4 * size
    verify(problem, answers, CandidateSearch(problem, cap=cap).run(), cap)


def test_few_questions_settle_many_options() -> None:
    """Counters: an answer strikes off most questions before they are asked."""
    asked = CandidateSearch(queens(20))
    found = asked.run()
    assert set(found.verdicts) == {Presence.SOME}
    assert asked.questions == 74


def test_a_limit_leaves_what_is_known_and_nothing_wrong() -> None:
    problem = queens(12)
    whole = CandidateSearch(problem).run()
    for nodes in (0, 1, 10, 100, 300, 1000):
        run = CandidateSearch(problem, limits=Limits(nodes=nodes))
        part = run.run()
        assert run.nodes <= nodes
        assert part.complete == (run.status is Status.EXHAUSTED)
        for now, then in zip(part.verdicts, whole.verdicts, strict=True):
            assert now in (then, Presence.OPEN)
    assert CandidateSearch(problem, limits=Limits(seconds=0.0)).run().solvable is None
    assert CandidateSearch(problem, limits=Limits(memory=1)).run().solvable is None


def test_it_can_be_interrupted() -> None:
    run = CandidateSearch(queens(60), cap=10**6)
    Timer(0.2, run.interrupt).start()
    found = run.run()
    assert run.status is Status.INTERRUPTED
    assert not found.complete


def test_time_is_kept_although_a_question_is_hard() -> None:
    # Thirteen pigeons, twelve holes: no answer, which no search sees in time.
    pigeons, holes = 13, 12
    bounds = [(1, 1)] * pigeons + [(0, 1)] * holes
    problem = build(bounds, [[p, pigeons + h] for p in range(pigeons) for h in range(holes)])
    run = CandidateSearch(problem, limits=Limits(seconds=0.3), settings=Settings(engine="links"))
    found = run.run()
    assert run.status is Status.LIMIT
    assert found.solvable is None
    assert set(found.verdicts) == {Presence.OPEN}
    assert run.clock.spent < 5


@pytest.mark.parametrize("cap", (0, -1, 1.5, True))
def test_a_cap_is_a_whole_number(cap: int) -> None:
    with pytest.raises(ValueError, match="cap"):
        CandidateSearch(queens(4), cap=cap)


def test_a_problem_without_an_option_lacks_its_answers() -> None:
    problem = build([(1, 1), (0, 1)], [[0, (1, 1)], [(1, 2)], [0], []], given=[3])
    left, numbers = without(problem, 1)
    assert numbers == [0, 2, 3]
    assert [tuple(left.option(o)) for o in range(3)] == [(0, 1), (0,), ()]
    assert left.given == (2,)
    mapped = {tuple(numbers[o] for o in answer) for answer in search(left)}
    assert mapped == {answer for answer in search(problem) if 1 not in answer}


# --- exact counts through a diagram ---


@contextmanager
def few_turns() -> Iterator[None]:
    """Lists and questions get next to nothing in their turns, so that the diagram is ready first."""
    with constants_of(module, QUICK=1, FIRST_LISTED=1, MOST_LISTED=1):
        yield


@each("seed", seeds(30))
def test_a_diagram_counts_as_the_other_ways_do(seed: int) -> None:
    rng = random.Random(1000 + seed)
    tried = 0
    while tried < 4:
        case = draw(rng, size="tiny")
        answers = answers_of(case)
        if answers is None or not case.problem.is_pure:
            continue
        tried += 1
        cap = rng.choice((1, 3, 1000))
        other = CandidateSearch(case.problem, cap=cap, settings=Settings(engine="links")).run()
        with few_turns():
            asked = CandidateSearch(case.problem, cap=cap)
            found = asked.run()
        verify(case.problem, answers, found, cap)
        verify(case.problem, answers, other, cap)
        assert found.verdicts == other.verdicts


def test_counts_too_large_to_list_are_exact() -> None:
    found = CandidateSearch(dominoes_by_square(8, 8), cap=10**7).run()
    assert found.total == 12988816 and found.cap is None and found.counts is not None
    assert sum(found.counts) == 32 * 12988816


def test_without_room_for_a_diagram_the_other_ways_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: object, slices: int) -> None:
        raise module.TooLarge(1, 2, 3)

    monkeypatch.setattr(module.DiagramBuilder, "step", full)
    with few_turns():
        asked = CandidateSearch(dominoes_by_square(6, 6), cap=3)
        found = asked.run()
    assert found.complete and found.cap == 3 and found.counts == (3,) * 60
    assert asked._builder is None


def test_a_diagram_heeds_limits() -> None:
    with few_turns():
        asked = CandidateSearch(dominoes_by_square(16, 16), cap=10**12, limits=Limits(seconds=0.2))
        found = asked.run()
    assert asked.status is Status.LIMIT and not found.complete
    assert CandidateSearch(dominoes_by_square(4, 4), cap=3, limits=Limits(nodes=10**9))._diagrams is False
    assert CandidateSearch(dominoes_by_square(4, 4), limits=Limits())._diagrams is False
