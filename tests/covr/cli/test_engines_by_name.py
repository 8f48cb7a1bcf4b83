"""`--engine NAME` before every kind of goal, with side conditions and without: the right value, or the refusal that
docs/command.md tells of."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from itertools import pairwise, product

import pytest

from covr.engine import ENGINES
from covr.questions.options import NEEDS
from tests.covr.command import Covr, covr, write

pytestmark = pytest.mark.long

__all__ = ["covr"]

MODEL = "cells p in 1..3, d in 1..4\nchoose work(p, d)\nexactly one work per d\nexpect {value}\n"
SIDE = "exactly 0..9 total d of work per p\n"  # which 10 breaks, the whole week of one person
Week = tuple[int, ...]  # who works on each day


def pay(week: Week) -> int:
    return sum(p * d for d, p in enumerate(week, 1))


def often(week: Week) -> int:
    return sum(2 * max(week.count(p) - 1, 0) for p in (1, 2, 3))


def repeated(week: Week) -> int:
    return sum(3 * (one == next) for one, next in pairwise(week))


OFTEN = "prefer at most 1 work per p cost 2"  # a wish that counts is a total, and so is one that says `if`
GOALS: dict[str, tuple[str, Callable[[Week], int]]] = {
    "": ("", pay),
    "minimize p * d of work": ("minimum", pay),
    "maximize p * d of work": ("maximum", pay),
    OFTEN: ("minimum", often),
    "prefer if work(p, d) then not work(p, d + 1) cost 3": ("minimum", repeated),
    f"{OFTEN}\nmaximize p * d of work": ("maximum", lambda week: pay(week) - often(week)),
}


def promise(goal: str, side: str) -> tuple[str, int]:
    """What is expected, and how many answers there are, or best ones."""
    weeks = [w for w in product((1, 2, 3), repeat=4) if not side or len({*w}) > 1]
    word, value = GOALS[goal]
    if not word:
        return f"{len(weeks)} solutions", len(weeks)
    best = (min if word == "minimum" else max)(map(value, weeks))
    return f"{word} {best}", sum(value(week) == best for week in weeks)


ANY_SIDE = ("auto", "sides", "reference", "sat", "clingo", "highs", "cpsat")


def refused(engine: str, goal: str, sided: bool, command: str) -> bool:
    """Whether the page says that an engine refuses."""
    if engine in ("highs", "cpsat") and not goal:
        return True
    if engine == "clingo" and command in ("count", "test"):
        return True
    return sided and not (engine in ANY_SIDE or (engine == "mixed" and bool(goal)))


@pytest.mark.parametrize("engine", [e for e in ENGINES if e != "cpsat"])  # not in one process with highspy
def test_an_engine_takes_a_goal_or_is_refused_as_is_told(covr: Covr, engine: str) -> None:
    if engine in NEEDS and find_spec(NEEDS[engine][0]) is None:
        pytest.skip(f"{NEEDS[engine][2]} is not installed")
    for goal, side in product(GOALS, ("", SIDE)):
        expected, number = promise(goal, side)
        write("m.cover", MODEL.format(value=expected) + side + goal + "\n")
        for command in ("solve", "count", "test"):
            result = covr(command, "m.cover", "--engine", engine)
            said = (command, engine, goal, side, result.stdout, result.stderr)
            if refused(engine, goal, bool(side) or "prefer" in goal, command):
                assert result.exit_code != 0 and "error[E505]: " in result.stderr, said
                continue
            assert result.exit_code == 0, said
            if command == "count":
                assert result.stdout == f"{number}\n", said
            elif command == "solve" and goal:
                assert f"\n{expected}, proved\n" in result.stdout, said


def test_a_run_that_is_kept_takes_mixed_with_side_conditions(covr: Covr) -> None:
    expected, number = promise(OFTEN, "")
    write("m.cover", MODEL.format(value=expected) + OFTEN + "\n")
    for more in ((), ("--run", "a.run")):
        assert covr("count", "m.cover", "--engine", "mixed", *more).stdout == f"{number}\n"
    assert f"{expected}, proved" in covr("solve", "m.cover", "--engine", "mixed", "--run", "b.run").stdout


def test_the_name_of_an_engine_of_earlier_versions_is_taken(covr: Covr) -> None:
    if find_spec("clingo") is None:
        pytest.skip("clingo is not installed")
    write("m.cover", "choose a(i) for i in 1..3\nexactly 2 a\n")
    named = covr("solve", "m.cover", "--all", "--engine", "sat", "--format", "line")
    assert named.exit_code == 0
    assert named.stdout == covr("solve", "m.cover", "--all", "--engine", "clingo", "--format", "line").stdout
    assert len(named.stdout.splitlines()) == 3
