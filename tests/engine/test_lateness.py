"""Only a bounded amount of work is done between two looks at the limits. The work is counted and not timed;
tests/engine/lateness.py measures the time.

What is counted are the lines of Python that run. A pass over all options in one line counts as one line for each.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable
from importlib import import_module
from types import FrameType
from typing import Any

import pytest
from attrs import evolve

from covr.engine import Limits, Problem, Settings, Status, search
from covr.engine.base.limits import limits_checked_by
from covr.engine.batch import BatchTemplate
from covr.engine.checks import LONG, Checks, Mistake
from covr.engine.prepare import frontier as shuffle
from covr.engine.sampling.probe import Probing
from covr.engine.sampling.sample import Drawer, suits
from tests.constants import Constants
from tests.engine import lateness
from tests.engine.problems import alike, queens

pytestmark = pytest.mark.long

OPTIONS = 31_000
MOST = 30_000  # lines: fewer than there are options
ENGINE = f"{os.sep}engine{os.sep}"


class Lines:
    """Counts the lines of Python that run between two looks.

    most: the largest number.  where: the lines at which it became more than `MOST`."""

    def __init__(self) -> None:
        self.now = self.most = self.looks = 0
        self.where: list[str] = []
        self.line = self._line  # bound once, as it is returned for every line

    def __call__(self) -> Status | None:
        """A look."""
        self.looks += 1
        self.most = max(self.now, self.most)
        self.now = 0
        return None

    def trace(self, frame: FrameType, event: str, _: Any) -> Any:
        # Others import a module, for example, which only the first question does.
        return self.line if ENGINE in frame.f_code.co_filename else None

    def _line(self, frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            self.now += 1
            if self.now == MOST:
                self.where.append(f"{frame.f_code.co_filename}:{frame.f_lineno}")
        return self.line


def lines(ask: Callable[[], object]) -> Lines:
    """The lines between looks while a question is asked."""
    seen = Lines()
    before = sys.gettrace()
    with limits_checked_by(seen):
        sys.settrace(seen.trace)
        try:
            ask()
        finally:
            sys.settrace(before)
    seen.most = max(seen.now, seen.most)
    return seen


def pairs() -> Problem:
    return alike((1, 1), 2, OPTIONS)


def cover() -> Problem:
    return lateness.cover(2000, 3, OPTIONS)


def some_given(problem: Problem) -> Problem:
    return evolve(problem, given=tuple(range(0, problem.options, 4)))


def first(problem: Problem, **how: Any) -> None:
    """Ask for the first answer, for a few slices."""
    run = search(problem, **how)
    for _ in range(4):
        run.step_once(10_000)


QUESTIONS: dict[str, tuple[Callable[[], Problem], Callable[[Problem], object]]] = {
    "pairs, few answers": (pairs, lambda p: first(p, limits=Limits(answers=1))),
    "pairs, links": (pairs, lambda p: first(p, settings=Settings(engine="links"))),
    "pairs, shuffled": (pairs, lambda p: first(p, settings=Settings(engine="links", seed=1))),
    "pairs, minimum": (lambda: lateness.paid(pairs()), lambda p: first(p, goal="minimum")),
    "pairs, maximum": (lambda: lateness.paid(pairs(), -1), lambda p: first(p, goal="minimum")),
    "pairs, draws": (pairs, suits),
    "pairs, some given": (lambda: some_given(pairs()), lambda p: first(p, limits=Limits(answers=1))),
    "cover, minimum": (lambda: lateness.paid(cover()), lambda p: first(p, goal="minimum")),
    "cover, every answer": (cover, first),
    "size": (pairs, lambda p: Probing(p).run(probes=1)),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_pass_over_all_options_is_without_a_look(question: str) -> None:
    make, ask = QUESTIONS[question]
    problem = make()
    seen = lines(lambda: ask(problem))
    assert seen.looks > 5
    assert seen.most < MOST, seen.where


def test_masks_are_made_with_looks_in_between() -> None:
    problem = alike((1, 1), 2, 8000)
    seen = lines(lambda: Drawer(problem))
    assert seen.most < MOST, seen.where


@pytest.mark.parametrize("count", [0, 1, 2, 3, 63, 64, 65, 1000, 5000])
def test_shuffling_with_looks_gives_the_order_of_the_library(count: int) -> None:
    for seed in range(20):
        own, known = list(range(count)), list(range(count))
        shuffle._shuffle(own, random.Random(seed))
        random.Random(seed).shuffle(known)
        assert own == known


def test_long_answers_are_checked_by_the_compiled_checker_at_once() -> None:
    problem = alike((1, 1), 1, LONG + 1)
    whole = tuple(range(LONG + 1))
    checks = Checks(problem)
    seen = lines(lambda: checks([whole]))
    assert seen.most < LONG, seen.where  # Python takes several lines for each option
    with pytest.raises(Mistake, match="item"):
        Checks(problem)([whole[:-1]])
    with pytest.raises(Mistake):
        checks([(*whole[:-1], LONG - 1)])


def test_a_batch_takes_another_budget_without_new_masks(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = queens(10)
    few, many = 2, 100_000
    budgets = (few, many, few, None)
    asked = [(o,) for o in range(10)]
    for interpreted in (False, True):
        template = BatchTemplate(problem, limit=3, interpreted=interpreted)
        assert template.native
        monkeypatch.setattr(import_module("covr.engine.batch"), "build_masks", None)
        told = [list(template.solve(asked, budget=budget).counts) for budget in budgets]
        monkeypatch.undo()
        for budget, counts in zip(budgets, told, strict=True):
            fresh = BatchTemplate(problem, limit=3, budget=budget, interpreted=interpreted)
            assert counts == list(fresh.solve(asked).counts)
            assert all(c < 0 for c in counts) == (budget == few)
        with pytest.raises(ValueError, match="budget"):
            template.solve([(0,)], budget=-1)


def test_questions_of_later_turns_use_the_masks_of_the_first(
    monkeypatch: pytest.MonkeyPatch, constants: Constants
) -> None:
    from covr.engine.puzzles import candidates

    made = []

    def counting(*args: Any, **named: Any) -> BatchTemplate:
        made.append(args)
        return BatchTemplate(*args, **named)

    monkeypatch.setattr(candidates, "BatchTemplate", counting)
    constants(candidates, QUICK=20)
    problem = queens(8)
    found = candidates.CandidateSearch(problem, cap=3)
    assert found.run().complete
    assert len(made) == 1
