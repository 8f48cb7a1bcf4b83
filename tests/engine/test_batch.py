"""A batch is its instances, one by one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from random import Random
from threading import Event
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Limits, Problem, build, search
from covr.engine.base.limits import ENDLESS
from covr.engine.batch import CHUNK, UNKNOWN, BatchResult, BatchTemplate, _joined, batch
from covr.engine.kernels.loading import load
from tests.engine.back_ends import ALL
from tests.engine.problems import coloured_path, langford, queens, rooks
from tests.engine.strategies import problems


def one_by_one(problem: Problem, givens: Sequence[Sequence[int]], limit: int) -> list[list[tuple[int, ...]]]:
    instances = (evolve(problem, given=tuple(sorted({*taken, *problem.given}))) for taken in givens)
    return [list(search(p, limits=Limits(answers=limit))) for p in instances]


@given(problems(), st.data(), st.integers(1, 3), st.booleans())
def test_a_batch_is_answered_as_one_by_one(
    problem: Problem, data: st.DataObject, limit: int, interpreted: bool
) -> None:
    numbers = st.lists(st.integers(0, problem.options - 1), max_size=3) if problem.options else st.just([])
    givens = data.draw(st.lists(numbers, max_size=5))
    template = BatchTemplate(problem, limit=limit, interpreted=interpreted)
    found = list(template.solve(givens))
    assert found == one_by_one(problem, givens, limit)


@given(problems(kinds=("exact", "secondary", "colours"), costs=("none",)), st.data())
def test_any_number_of_threads_finds_the_same(problem: Problem, data: st.DataObject) -> None:
    numbers = st.lists(st.integers(-1, problem.options - 1), max_size=3)
    givens = data.draw(st.lists(numbers, max_size=9))
    template = BatchTemplate(problem, limit=2)
    results = [BatchResult.join(template.stream(givens, jobs=jobs, chunk=2)) for jobs in (1, 2, 3)]
    assert list(results[0]) == list(results[1]) == list(results[2])
    assert results[0].nodes == results[1].nodes == results[2].nodes


@pytest.mark.parametrize("problem", [queens(6), langford(4), coloured_path(4, 2)], ids=["queens", "langford", "path"])
@pytest.mark.parametrize("interpreted", [False, True])
def test_every_pair_of_options_may_be_given(problem: Problem, interpreted: bool) -> None:
    pairs = [(a, b) for a in range(problem.options) for b in range(0, problem.options, 3)]
    template = BatchTemplate(problem, limit=3, interpreted=interpreted)
    assert template.native
    assert list(template.solve(pairs)) == one_by_one(problem, pairs, 3)


def test_blanks_repetitions_and_conflicts_are_heeded() -> None:
    problem = queens(6)
    first = next(search(problem))
    givens = [[-1, first[2], -1, first[2]], [0, 1], [], [-1]]
    found = list(batch(problem, givens, limit=2))
    assert found[0][0] == first
    assert [len(answers) for answers in found] == [1, 0, 2, 2]


def test_what_the_kernel_does_not_know_is_searched_all_the_same() -> None:
    problem = rooks(2)
    assert not BatchTemplate(problem).native
    assert list(batch(problem, [[0], [0, 1], []], limit=9)) == one_by_one(problem, [[0], [0, 1], []], 9)


def test_streams_as_instances_come() -> None:
    asked = []

    def instances() -> object:
        for k in range(10 * CHUNK):
            asked.append(k)
            yield [k % 36]

    first = next(BatchTemplate(queens(6)).stream(instances()))  # type: ignore[arg-type]
    assert len(first) == len(asked) == CHUNK


def test_a_reader_that_leaves_stops_the_threads() -> None:
    stream = BatchTemplate(queens(6)).stream(([k % 36] for k in range(100_000)), jobs=2, chunk=10)
    assert [len(part) for part in islice(stream, 3)] == [10, 10, 10]
    stream.close()  # type: ignore[attr-defined]


def test_a_batch_can_be_stopped_early() -> None:
    stop = Event()
    stop.set()
    template = BatchTemplate(build([(1, 1)] * 14, [[a, b] for a in range(14) for b in range(a)]), limit=2**20)
    result = template.solve([[]], stop)
    assert result.nodes < 10**6


def test_wrong_batches_are_refused() -> None:
    with pytest.raises(IndexError):
        batch(queens(4), [[16]])
    with pytest.raises(ValueError):
        batch(queens(4), [[0]], limit=0)


@pytest.mark.parametrize("problem", [langford(8), rooks(4)], ids=["native", "one by one"])
def test_an_instance_that_takes_too_long_is_given_up(problem: Problem) -> None:
    first = next(search(problem))
    result = BatchTemplate(problem, limit=10**4, budget=30).solve([list(first), [], [-1], list(first)])
    assert list(result.counts) == [1, UNKNOWN, UNKNOWN, 1]
    assert list(result) == [[first], [], [], [first]]


def kernels(template: BatchTemplate) -> list[Any]:
    """The kernel of a template on every back end, and interpreted."""
    masks, numbers = template._masks, template._renumber
    made = [template._module.Batch(masks, numbers, template.limit, ENDLESS, lanes) for lanes in ALL]
    return [*made, load("_batch", interpreted=True).Batch(masks, numbers, template.limit, ENDLESS)]


def planted(items: int, options: int, seed: int) -> tuple[Problem, list[list[int]]]:
    """A random exact cover problem in which an answer is planted, with secondary items and colours; and instances that
    are given some of that answer, some options that are none of it, blanks and repetitions."""
    chance = Random(seed)
    coloured = chance.randrange(0, 4)
    order = chance.sample(range(items), items)
    rows: list[list[int]] = []
    while order:
        size = min(len(order), chance.randint(1, 6))
        rows.append(sorted(order[:size]))
        del order[:size]
    planted = len(rows)
    while len(rows) < options:
        rows.append(sorted(chance.sample(range(items), chance.randint(1, min(items, 5)))))
    shaded = [
        [*row, *((items + k, chance.randint(1, 2)) for k in range(coloured) if chance.random() < 0.1)] for row in rows
    ]
    mixed = chance.sample(range(len(rows)), len(rows))
    own = [mixed.index(o) for o in range(planted)]
    problem = build([(1, 1)] * items + [(0, 1)] * coloured, [shaded[o] for o in mixed])
    givens = [
        [*chance.sample(own, chance.randint(planted // 3, planted)), *chance.choices([-1, *range(len(rows))], k=extra)]
        for extra in (0, 0, 0, 1, 2)
    ]
    return problem, [[*given, *given[:1]] for given in givens]


@pytest.mark.parametrize(
    ("items", "options"),
    [(1, 3), (7, 30), (63, 64), (64, 65), (65, 129), (120, 513), (512, 700), (513, 600), (1100, 1500)],
)
def test_every_back_end_visits_the_same_nodes(items: int, options: int) -> None:
    for seed in range(4):
        problem, givens = planted(items, options, seed)
        template = BatchTemplate(problem, limit=3, budget=400)
        if not template.native:
            continue
        flat, begin = _joined(givens)
        told = []
        for kernel in kernels(template):
            kernel.set_budget(400)
            kernel.load(flat, begin)
            while kernel.run(7):
                pass
            told.append((kernel.visited, *map(list, kernel.results())))
            told[-1] += (kernel.largest(flat), *map(list, kernel.draw(seed + 1, 300)))
        assert all(other == told[0] for other in told)
        known = [k for k, count in enumerate(told[0][1]) if count != UNKNOWN]
        found = list(template.solve(givens))
        assert [found[k] for k in known] == one_by_one(problem, [[o for o in givens[k] if o >= 0] for k in known], 3)


@given(problems(kinds=("exact", "secondary", "colours"), costs=("none",)), st.data())
def test_every_back_end_gives_the_same_answers(problem: Problem, data: st.DataObject) -> None:
    numbers = st.lists(st.integers(-1, problem.options - 1), max_size=3)
    givens = data.draw(st.lists(numbers, min_size=1, max_size=5))
    template = BatchTemplate(problem, limit=4)
    if template.native:
        flat, begin = _joined(givens)
        told = []
        for kernel in kernels(template):
            kernel.load(flat, begin)
            kernel.run(ENDLESS)
            told.append((kernel.visited, *map(list, kernel.results())))
        assert all(other == told[0] for other in told)
