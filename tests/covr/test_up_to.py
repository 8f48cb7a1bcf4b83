"""`up to`: what is searched for class by class is what sorting out every answer gives, whatever the model."""

from __future__ import annotations

import pytest

import covr
from covr.compiler import compile_model
from covr.compiler.compiled import Compiled
from covr.dsl.source import Source
from covr.inputs.library import checked, find_source
from covr.questions.options import Options
from covr.questions.run import Run

QUEENS = """
cells r, c in 1..n
choose queen(r, c)
exactly one queen per r
exactly one queen per c
at most one queen per r + c
at most one queen per r - c
up to queen(r, c) -> queen(c, n + 1 - r), queen(r, c) -> queen(r, n + 1 - c)
"""
WEIGHTED = "minimize abs(2 * r - n - 1) * abs(2 * c - n - 1) of queen\n"
LOOSE = "choose spare(r)\nat most 2 spare\n"
DOMINOES = """
let room = box(6, 6)
cells x in room
choose put(s) for s in placements({(1, 1), (1, 2)}, room)
exactly one put per x where x in s
up to symmetries(room)
"""

MODELS = {
    "scott": "scott",
    "soma": "soma",
    "langford": "langford",
    "queens 7": "let n = 7" + QUEENS,
    "queens 8": "let n = 8" + QUEENS,
    "a queen is given, which breaks most": "let n = 8" + QUEENS + "given queen(1, 5)\n",
    "one on an axis": "let n = 7" + QUEENS + "given queen(4, 4)\n",
    "a queen is forbidden": "let n = 8" + QUEENS + "forbid queen(1, 1)\n",
    "the best": "let n = 8" + QUEENS + WEIGHTED,
    "more than exact": "let n = 6" + QUEENS + LOOSE,
    "dominoes": DOMINOES,
    "nobody": "let n = 3" + QUEENS,
    "several in a row": "let n = 4\ncells r, c in 1..n\nchoose on(r, c)\nexactly 2 on per r\nexactly 2 on per c\n"
    "up to on(r, c) -> on(c, r), on(r, c) -> on(n + 1 - r, c)\n",
    "nothing is asked": "choose f(i) for i in 1..4\nat most 2 f\nup to f(i) -> f(5 - i)\n",
}


def compiled(name: str) -> Compiled:
    text = MODELS[name]
    return compile_model(checked(Source("<test>", text) if "\n" in text else find_source(text)))


def sorted_out(model: Compiled, options: Options, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """The old way: every answer is looked at."""
    with monkeypatch.context() as patch:
        patch.setattr(Run, "_search_classes", lambda *rest: None)
        return list(Run(model, options).answers())


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
def test_some_of_them(name: str) -> None:
    model = compiled(name)
    every = list(Run(model, Options(jobs=1)).answers())
    for limit in (1, 3, len(every), len(every) + 1):
        run = Run(model, Options(jobs=1))
        assert list(run.upto(limit)) == every[:limit]
        assert run.complete == (limit > len(every))
        counting = Run(model, Options(jobs=1, limit_answers=limit))
        assert counting.count().value == min(limit, len(every))
        assert counting.complete == (limit > len(every))
    short = Run(model, Options(jobs=1, limit_nodes=20))
    found = list(short.answers())
    assert found == every[: len(found)] and not short.complete and short.reached == "nodes"


def hold_that_answers_are_verified(model: Compiled) -> None:
    """Listed and counted, each answer is checked by code of its own."""
    run = Run(model, Options(jobs=1, verify=True))
    number = len(list(run.answers()))
    assert number and run.verified is not None and run.verified.done
    counting = Run(model, Options(jobs=1, verify=True))
    assert counting.count().value == number
    assert counting.verified is not None and counting.verified.done


@pytest.mark.parametrize("name", ["queens 8", "dominoes", "the best"])
def test_they_are_verified_in_the_old_way(name: str) -> None:
    hold_that_answers_are_verified(compiled(name))


def test_an_interrupt() -> None:
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
    assert figures == {"scott": (8, 36852), "soma": (48, 4260), "queens 8": (8, 214)}


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
