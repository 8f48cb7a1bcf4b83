"""`up to`: what is searched for class by class is what sorting out every answer gives, whatever the model."""

from __future__ import annotations

import pytest

import covr
from covr.inputs.library import find_source
from covr.questions.options import Options
from covr.questions.run import Run
from tests.covr.questions.up_to import (
    MODELS,
    compiled,
    hold_that_answers_are_verified,
    sorted_out,
)


@pytest.mark.parametrize("name", MODELS)
def test_the_classes_are_those_of_all_answers(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = compiled(name)
    want = sorted_out(model, Options(jobs=1), monkeypatch)
    run = Run(model, Options(jobs=1))
    found = list(run.answers())
    assert sorted(found) == sorted(want)
    assert run.complete
    assert model.symmetry is not None and all(map(model.symmetry.is_canonical, found))
    for jobs in (1, 2):
        counting = Run(model, Options(jobs=jobs))
        counted = counting.count()
        assert (counted.value, counted.complete) == (len(want), True)
        assert list(Run(model, Options(jobs=jobs)).answers()) == found
    assert sorted(Run(model, Options(seed=3, jobs=1)).answers()) == sorted(want)


@pytest.mark.parametrize("name", ["queens 8", "scott", "a queen is given, which breaks most"])
def test_a_limit_gives_the_first_classes(name: str) -> None:
    model = compiled(name)
    every = list(Run(model, Options(jobs=1)).answers())
    for limit in (1, 3, len(every), len(every) + 1):
        run = Run(model, Options(jobs=1))
        assert list(run.answers(limit=limit)) == every[:limit]
        assert run.complete == (limit > len(every))
        counting = Run(model, Options(jobs=1, limit_answers=limit))
        assert counting.count().value == min(limit, len(every))
        assert counting.complete == (limit > len(every))
    short = Run(model, Options(jobs=1, limit_nodes=20))
    found = list(short.answers())
    assert found == every[: len(found)] and not short.complete and short.reached == "nodes"


@pytest.mark.parametrize("name", ["queens 8", "dominoes", "the best"])
def test_they_are_verified_in_the_old_way(name: str) -> None:
    hold_that_answers_are_verified(compiled(name))


def test_an_interrupt_leaves_the_search_incomplete() -> None:
    run = Run(compiled("scott"), Options(jobs=1))
    seen = []
    for answer in run.answers():
        seen.append(answer)
        run.interrupt()
    assert seen and not run.complete


def test_they_take_a_fraction_of_the_nodes() -> None:
    """Pinned: nodes of the whole search, and of that for the classes."""
    figures = {}
    for name in ("scott", "soma", "queens 8"):
        model = compiled(name)
        assert model.symmetry is not None
        run = Run(model, Options(jobs=1))
        list(run.answers())
        figures[name] = (model.symmetry.size, run.counters.nodes)
    assert figures == {"scott": (8, 36864), "soma": (48, 4260), "queens 8": (8, 217)}


@pytest.mark.parametrize("jobs", [1, 2, 3])
@pytest.mark.parametrize("room", ["trapezoid", "long_hexagon"])
def test_threads_count_no_answer_again_that_one_thread_has_counted(room: str, jobs: int) -> None:
    """Threads begin in the middle of a part whose answers need no comparison, and later parts need one."""
    text = find_source("hexiamond_shapes").text.replace("param room = chevron(3, 6)", f"param room = {room}")
    assert covr.loads(text).count(jobs=jobs) == {"trapezoid": 76, "long_hexagon": 856}[room]


@pytest.mark.parametrize(("removed", "times"), [("forbid a", 1), ("forbid a where i != 2", 2)])
@pytest.mark.parametrize(("h", "w", "classes"), [(2, 2, 1), (2, 3, 2), (4, 4, 9)])
def test_symmetries_that_only_exchange_removed_choices_change_no_count(
    removed: str, times: int, h: int, w: int, classes: int
) -> None:
    """What they make of the others is made by other symmetries, too. times: in how many ways the rest can be taken."""
    model = covr.loads(
        f"cells x in box({h}, {w})\n"
        f"choose put(s) for s in placements({{(1, 1), (1, 2)}}, box({h}, {w}))\n"
        "exactly one put per x where x in s\n"
        f"choose a(i) for i in 1..3\n{removed}\n"
        f"up to symmetries(box({h}, {w})), a(i) -> a(4 - i)\n"
    )
    assert model.count() == len(list(model.solutions())) == times * classes
