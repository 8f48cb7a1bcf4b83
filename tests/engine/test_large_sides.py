"""Connections and loops of unusual size and shape: long graphs, many families, boards in parts, and no loop at all."""

from __future__ import annotations

import pytest

import covr
from covr.engine import Circuit, Connection, Limits, Problem, Settings, Status, build, search
from covr.engine.base.limits import LimitReached, limits_checked_by
from covr.engine.outside import clingo
from covr.engine.outside.clingo import ClingoSearch

pytestmark = pytest.mark.long

LONG = 10**6
learner = pytest.mark.skipif(not clingo.INSTALLED, reason="clingo is not installed")
ENGINES = [pytest.param("clingo", marks=learner), "sides", "auto"]


def answers(problem: Problem, engine: str, most: int | None = None) -> list[tuple[int, ...]]:
    run = search(problem, limits=Limits(answers=most), settings=Settings(engine=engine))
    found = sorted(run)
    assert run.status in (Status.EXHAUSTED, Status.SOLVED)
    return found


@pytest.fixture(scope="module")
def path() -> tuple[tuple[int, int], ...]:
    return tuple((v, v + 1) for v in range(LONG - 1))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_graph_of_a_million_places_of_which_few_are_used(engine: str, path: tuple[tuple[int, int], ...]) -> None:
    at = Connection(((0, 0), (1, LONG - 1), (2, 1), (3, LONG - 2)), path)
    assert answers(build([(1, 1)], [[0], [0], [], []], sides=[at]), engine) == [(0,), (0, 2), (1,), (1, 3)]


@learner
def test_a_stop_is_heeded_while_a_graph_is_written(path: tuple[tuple[int, int], ...]) -> None:
    left = [3]

    def stop() -> Status | None:
        left[0] -= 1
        return Status.LIMIT if left[0] < 0 else None

    places = tuple((o, o) for o in range(50_000))
    with limits_checked_by(stop), pytest.raises(LimitReached):
        ClingoSearch(build([], [[] for _ in places], sides=[Connection(places, path)]))
    assert left[0] == -1


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("shared", [True, False])
def test_a_thousand_families_have_their_answers(engine: str, shared: bool) -> None:
    """Both ends of a path of three are taken, so the middle is; one family has another way around."""
    edges = ((0, 1), (1, 2))
    rows, sides, bounds = [], [], [(2, 2)] * 1000
    for k in range(1000):
        rows += [[k], [], [k]]
        sides.append(Connection(tuple((3 * k + i, i) for i in range(3)), edges if shared else (*edges,)))
    every = tuple(range(3000))
    assert answers(build(bounds, rows, sides=sides), engine, 2) == [every]
    around = Connection(((0, 0), (1, 1), (2, 2), (3000, 3)), ((0, 1), (0, 3), (1, 2), (2, 3)))
    more = build(bounds, [*rows, []], sides=[around, *sides[1:]])
    assert answers(more, engine, 4) == [every, (*every, 3000), (0, *every[2:], 3000)]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_board_in_two_parts_has_the_answers_of_each(engine: str) -> None:
    """What must be met lies in both: there is no answer. Where it need not, each part has its own answers."""
    squares = [*range(20), *range(30, 50)]
    edges = tuple((v, v + 1) for v in squares if v + 1 in squares)
    places = tuple(enumerate(squares))
    both = build([(1, 1)] * 2, [[0]] + [[]] * 38 + [[1]], sides=[Connection(places, edges)])
    assert answers(both, engine) == []
    free = build([], [[] for _ in places], sides=[Connection(places, edges)])
    assert len(answers(free, engine)) == 2 * (20 * 21 // 2) + 1


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("options", "ends"),
    [
        (0, ()),
        (3, ()),
        (1, ((0, 0, 1),)),
        (40, tuple((v, v, v + 1) for v in range(40))),
        (40, tuple((v, v // 2, v + 1) for v in range(1, 40))),
    ],
    ids=["nothing", "no lines", "a line", "a path", "a tree"],
)
def test_where_no_loop_can_be_there_is_no_answer(
    options: int, ends: tuple[tuple[int, int, int], ...], engine: str
) -> None:
    assert answers(build([], [[] for _ in range(options)], sides=[Circuit(ends)]), engine, 2) == []


@pytest.mark.parametrize(
    "text",
    [
        "cells i in 1..1 choose line(i) loop line along (i, i + 1)",
        "cells i in 1..9 choose line(i) loop line along (i, i + 1)",
        "cells i in {1, 2, 4, 5} choose a(i) connected a at i given a(1) given a(5)",
        "cells i in {1, 2, 4, 5} choose a(i) connected a at i exactly 3 a",
    ],
)
def test_a_model_without_an_answer_is_no_fault(text: str) -> None:
    assert covr.loads(text).solve() is None
