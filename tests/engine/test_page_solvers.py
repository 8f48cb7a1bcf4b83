"""The solvers of the playground: the engine finds in them what it calls, and the answers are those of brute force."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from covr.engine import Problem, Settings, Status, build, search
from covr.engine.base.alone import Unsuited
from covr.engine.outside.clingo import ClingoSearch
from tests.engine.page_solvers import own_clingo
from tests.engine.problems import brute, least, queens
from tests.engine.sided import sided

__all__ = ["own_clingo"]  # a fixture of all tests here

ROOT = Path(__file__).parents[2]
CLINGO = Settings(engine="clingo")
pytestmark = [pytest.mark.skipif(find_spec("clingo") is None, reason="clingo is not installed"), pytest.mark.long]


def taken(tree: ast.AST, module: str) -> set[str]:
    """The names that are taken of a module, by whatever name it is held."""
    held = {module, f"self._{module}"}
    return {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and ast.unparse(node.value) in held}


def test_highs_of_the_page_has_every_name_that_the_engine_takes_of_it() -> None:
    own = ast.parse((ROOT / "studio" / "playground" / "highspy.py").read_text("utf-8"))
    has = {node.name for node in own.body if isinstance(node, ast.ClassDef)}
    has |= {ast.unparse(name) for node in own.body if isinstance(node, ast.Assign) for name in node.targets}
    files = [ast.parse(path.read_text("utf-8")) for path in (ROOT / "engine" / "outside").glob("*.py")]
    wanted = set().union(*(taken(tree, "highspy") for tree in files))
    assert {"Highs", "HighsLp"} < wanted <= has


def drawn(count: int) -> list[Problem]:
    """Random problems with every kind of side that clingo can hold."""
    found = []
    for seed in range(count):
        problem = sided(Random(seed))
        try:
            list(search(problem, settings=CLINGO))
        except Unsuited:
            continue
        found.append(problem)
    assert len(found) > count // 2
    return found


def test_every_answer_is_found_once_and_the_least_cost(own_clingo: Any) -> None:
    for problem in drawn(40):
        run = search(problem, settings=CLINGO)
        assert sorted(run) == sorted(brute(problem)) and run.status is Status.EXHAUSTED
        if problem.costs:
            best = search(problem, goal="minimum", settings=CLINGO)
            list(best)
            assert (best.best, best.status) == (least(problem), Status.EXHAUSTED)


def test_calls_that_a_limit_ended_begin_anew_with_twice_as_many(own_clingo: Any) -> None:
    """Eight pigeons in seven holes take some hundred conflicts, and ten are allowed at a time."""
    limits, run = [], own_clingo.run

    def counted(program: str, options: str) -> Any:
        limits.extend(int(number) for number in re.findall(r"--solve-limit=(\d+)", options))
        return run(program, options)

    own_clingo.run = counted
    problem = build([(1, 1)] * 8 + [(0, 1)] * 7, [[p, 8 + h] for p in range(8) for h in range(7)])
    asked = ClingoSearch(problem)
    asked.called = 10
    assert not list(asked) and asked.status is Status.EXHAUSTED
    assert len(limits) > 3 and limits[0] == 10 and all(b >= 2 * a for a, b in pairwise(limits))


def test_an_error_of_the_program_is_no_answer(own_clingo: Any) -> None:
    """clingo goes on after an error, and calls what it has read of a program without answers."""
    own_clingo.run = lambda program, options: (85, "UNSATISFIABLE")
    with pytest.raises(RuntimeError, match="85"):
        list(search(queens(4), settings=CLINGO))
    own_clingo.run = lambda program, options: (33, "")
    with pytest.raises(MemoryError):
        list(search(queens(4), settings=CLINGO))


@pytest.mark.slow
@pytest.mark.parametrize(
    "of", ["clingo", "clingo_ceiling", "clingo_sets", "clingo_switched", "clingo_taken", "learned_clues"]
)
def test_it_passes_the_tests_of_clingo(of: str) -> None:
    words = ["-q", "-p", "no:cacheprovider", "-p", "tests.engine.page_solvers", f"tests/engine/test_{of}.py"]
    done = subprocess.run([sys.executable, "-m", "pytest", *words], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:]
