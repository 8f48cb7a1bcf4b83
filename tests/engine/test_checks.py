"""Every answer is checked before it is given: both checkers come to the same verdict, and a search that returns a wrong
answer is found out."""

from __future__ import annotations

import random
import sys
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

import covr
from covr.engine import Limits, Mistake, Problem, Settings, batch, build, check, checks, search
from covr.engine.checks import Checks
from covr.engine.kernels.loading import load
from covr.engine.pieces.ledger import Ask, Ledger
from covr.engine.pieces.piece import Threads
from covr.engine.pieces.piece_search import PiecedSearch
from covr.engine.sampling.sample import Drawer
from covr.engine.search import KernelSearch
from tests.engine.problems import brute, queens
from tests.engine.strategies import problems

pytestmark = pytest.mark.long


@given(problems(), st.data(), st.booleans())
def test_both_checkers_say_the_same(problem: Problem, data: st.DataObject, interpreted: bool) -> None:
    """The checkers agree on answers, on sets that differ from an answer by one option, and on arbitrary sets of
    options."""
    checker = load("_check", interpreted).Checker(problem)
    numbers = st.lists(st.integers(-1, problem.options), max_size=problem.options + 1)
    tried = [tuple(data.draw(numbers)), tuple(sorted(set(data.draw(numbers)))), *brute(problem)[:20]]
    tried += [answer[1:] for answer in tried] + [(*answer[:-1], problem.options - 1) for answer in tried if answer]
    for answer in tried:
        right = check(problem, answer) is None
        assert checker.first_wrong([answer]) == (-1 if right else 0), answer
        assert checker.first_wrong([answer]) == (-1 if right else 0), "nothing stays behind"
    good = [answer for answer in tried if check(problem, answer) is None]
    assert checker.first_wrong(good) == -1
    for wrong in [answer for answer in tried if check(problem, answer) is not None][:1]:
        assert checker.first_wrong([*good, wrong, *good]) == len(good)


@pytest.mark.parametrize("items", [1, 63, 64, 65, 127, 128, 129, 257])
@pytest.mark.parametrize("interpreted", [False, True])
def test_items_across_words_are_checked(items: int, interpreted: bool) -> None:
    """Sets of items end and begin at words: every single item that is left out or met twice is seen."""
    problem = build([(1, 1)] * items, [[i] for i in range(items)] * 2)
    checker = load("_check", interpreted).Checker(problem)
    whole = tuple(range(items))
    assert checker.first_wrong([whole, tuple(o + items for o in whole)]) == -1
    for i in range(items):
        assert checker.first_wrong([whole[:i] + whole[i + 1 :]]) == 0
        assert checker.first_wrong([tuple(sorted([*whole, i + items]))]) == 0


# --- a lie is never given ---

EIGHT = queens(8)
FALSE = (0, 1, 2)


def lying(monkeypatch: pytest.MonkeyPatch, after: int = 0) -> None:
    """From now on searches that list say that FALSE is an answer, once they have said so many."""
    take = KernelSearch._take
    said = 0

    def false(self: KernelSearch) -> None:
        nonlocal said
        keep = self._keep_all

        def keep_all(answers: list[tuple[int, ...]]) -> None:
            nonlocal said
            keep([FALSE if said + k >= after else a for k, a in enumerate(answers)])
            said += len(answers)

        monkeypatch.setattr(self, "_keep_all", keep_all)
        take(self)
        monkeypatch.delattr(self, "_keep_all")

    monkeypatch.setattr(KernelSearch, "_take", false)


@pytest.mark.parametrize("after", [0, 1, 5, 20, 91])
@pytest.mark.parametrize("settings", [Settings(), Settings(engine="links"), Settings(seed=3), Settings(jobs=2)])
def test_a_search_that_lies(monkeypatch: pytest.MonkeyPatch, settings: Settings, after: int) -> None:
    lying(monkeypatch, after)
    given: list[tuple[int, ...]] = []
    with pytest.raises(Mistake, match="is no answer"):
        for answer in search(EIGHT, settings=settings):
            given.append(answer)
    assert FALSE not in given


@pytest.mark.parametrize("limits", [Limits(answers=1), Limits(answers=2)])
def test_a_wrong_answer_is_noticed_under_any_limit(monkeypatch: pytest.MonkeyPatch, limits: Limits) -> None:
    lying(monkeypatch)
    with pytest.raises(Mistake):
        next(search(EIGHT, limits=limits))


@pytest.mark.parametrize("engine", ["auto", "links", "cover", "reference"])
def test_wrong_minima_are_noticed(monkeypatch: pytest.MonkeyPatch, engine: str) -> None:
    problem = build([(1, 99)] * 3, [[0, 1], [1, 2], [2]], costs=[1, 1, 1])
    mixed = evolve(problem, high=(1, 1, 99))
    lying(monkeypatch)
    for one in (evolve(problem, low=(2, 2, 2), primary=3, given=()), mixed):
        if not brute(one):
            continue
        with pytest.raises(Mistake):
            list(search(one, goal="minimum", settings=Settings(engine=engine)))


def test_an_answer_above_the_ceiling_is_a_mistake() -> None:
    problem = build([(1, 1)], [[0], [0]], costs=[5, 9])
    with pytest.raises(Mistake, match="costs 9 where at most 5"):
        Checks(problem, ceiling=5).paid((1,))


@pytest.mark.parametrize("goal", ["list", "minimum"])
def test_answers_of_pieces_are_checked(monkeypatch: pytest.MonkeyPatch, goal: str) -> None:
    """Whoever found it, and wherever it was kept: what is read is looked at."""
    problem = EIGHT if goal == "list" else evolve(EIGHT, costs=[o % 7 for o in range(EIGHT.options)])
    ledger = Ledger(minimum=goal == "minimum")
    run = PiecedSearch(problem, Ask(goal), ledger, Threads(1), read=lambda name: iter([FALSE]))
    if goal == "minimum":
        run._better.append(FALSE)
    with pytest.raises(Mistake):
        next(run)
    run.halt()


def test_random_draws_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    drawer = Drawer(EIGHT)
    way = drawer.ways(drawer.root)[0]
    monkeypatch.setattr(
        drawer, "ways", lambda node, count=None: (evolve(way, count=count, node=evolve(node, alive=0, active=0)),)
    )
    with pytest.raises(Mistake):
        drawer.draw(random.Random(1))


class _Crooked:
    """The batch's kernel, but for one number in its results."""

    def __init__(self, kernel: Any, at: int) -> None:
        self._kernel, self._at = kernel, at

    def __getattr__(self, name: str) -> Any:
        return getattr(self._kernel, name)

    def results(self) -> tuple[Sequence[int], Sequence[int], Sequence[int]]:
        counts, ends, options = self._kernel.results()
        changed = array("i", options)
        changed[self._at] = (changed[self._at] + 1) % EIGHT.options
        return counts, ends, changed


@pytest.mark.parametrize("at", [0, 9, 23])
def test_answers_of_batches_are_checked(monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    givens = [[o] for o in (3, 12, 20)]
    right = batch(EIGHT, givens)
    assert [len(found) for found in right] == [1, 1, 1]
    plain = load("_batch")

    class Module:
        @staticmethod
        def Batch(*args: Any) -> _Crooked:
            return _Crooked(plain.Batch(*args), at)

    monkeypatch.setattr(sys.modules["covr.engine.batch"], "load", lambda name, interpreted=False: Module)
    with pytest.raises(Mistake, match="batch"):
        batch(EIGHT, givens)


def test_a_batch_without_what_was_given() -> None:
    """An answer of the problem that is none of the instance."""
    answer = next(search(EIGHT))
    other = next(o for o in range(EIGHT.options) if o not in answer)
    flat, ends = array("i", answer), array("q", [len(answer)])
    Checks(EIGHT).batch(flat, ends, array("i", [1]), array("i", [answer[2]]), array("i", [0, 1]))
    with pytest.raises(Mistake):
        Checks(EIGHT).batch(flat, ends, array("i", [1]), array("i", [other]), array("i", [0, 1]))


def test_the_command_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """An internal error that says so, with the exit code of one, and no answer."""
    from covr.cli.group import cli

    monkeypatch.delenv("COVR_TRACEBACK", raising=False)
    lying(monkeypatch)
    with pytest.raises(SystemExit) as left:
        cli.main(["solve", "queens"])
    assert left.value.code == 2
    said = capsys.readouterr()
    assert "a mistake in covr itself (Mistake: what was found is no answer" in said.err
    assert "no solution" not in said.out
    model = covr.load("queens")
    with pytest.raises(Mistake):
        model.solve()
    with pytest.raises(Mistake):
        list(model.solutions())


def test_few_is_few() -> None:
    """Small questions don't pay for the compiled checker: none is made for them."""
    looking = Checks(EIGHT)
    found = list(search(EIGHT))
    looking(found[: checks.FEW])
    assert looking._checker is None
    looking(found)
    assert looking._checker is not None


def test_a_run_file_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from covr.cli.group import cli

    file = tmp_path / "q.run"
    cli.main(["solve", "queens", "--all", "--run", str(file), "-q"], standalone_mode=False)
    monkeypatch.setattr("covr.runs.recorded.read_answers", lambda *_: iter([FALSE]))
    monkeypatch.delenv("COVR_TRACEBACK", raising=False)
    capsys.readouterr()
    with pytest.raises(SystemExit) as left:
        cli.main(["answers", str(file)])
    assert left.value.code == 2
    assert "is no answer" in capsys.readouterr().err
