"""HiGHS and CP-SAT on the same problems: outside opinions, where they are installed."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from covr.engine import Settings, build, search
from covr.engine.extras import wanted
from covr.engine.outside import Row, rows
from tests.engine.problems import queens

ROOT = Path(__file__).parents[2]
PACKAGES = {"highs": "highspy", "cpsat": "ortools"}
every_engine = pytest.mark.parametrize(
    "engine",
    [
        pytest.param(n, marks=pytest.mark.skipif(not importlib.util.find_spec(p), reason=f"{p} is not installed"))
        for n, p in PACKAGES.items()
    ],
)


@every_engine
def test_the_same_minima_of_random_mixed_problems(engine: str) -> None:
    program = [sys.executable, "-m", "tests.engine.outside_opinion", engine, "150"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(program, capture_output=True, text=True, cwd=ROOT, env=environment)
    assert done.stdout == "compared 153\n", done.stdout + done.stderr


def test_rows_say_what_the_problem_says() -> None:
    problem = build([(2, 3), (1, 9), (0, 1), (0, 5)], [[0, 1], [0, (2, 1)], [0, (2, 2)], [0, 2, 3]], given=[3])
    variables, found = rows(problem)
    assert variables == 6
    assert found == [
        Row(2, 3, ((0, 1), (1, 1), (2, 1), (3, 1))),
        Row(1, None, ((0, 1),)),
        Row(None, 1, ((3, 1), (4, 1), (5, 1))),
        Row(0, None, ((4, 1), (1, -1))),
        Row(0, None, ((5, 1), (2, -1))),
        Row(1, None, ((3, 1),)),
    ]


@pytest.mark.parametrize("engine", PACKAGES)
def test_they_only_minimise(engine: str) -> None:
    with pytest.raises(ValueError, match="only for a minimum"):
        search(queens(4), settings=Settings(engine=engine))


def test_a_missing_package_is_named() -> None:
    with pytest.raises(ValueError, match=r"the engine `x` needs the package nowhere: pip install 'covr\[y\]'"):
        wanted("nowhere.at.all", "y", "the engine `x`")
