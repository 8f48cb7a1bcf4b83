"""The parts of a split are the whole: its answers, in order, and its nodes."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Problem, Settings, search, validate
from covr.engine.split import Prefix, split, subproblem
from tests.engine.problems import coloured_path, langford, queens, rooks
from tests.engine.strategies import problems


@given(problems(), st.integers(1, 12), st.sampled_from(["links", "bits", "reference"]))
def test_the_parts_are_the_whole(problem: Problem, parts: int, engine: str) -> None:
    settings = Settings(engine=engine)
    whole = search(problem, settings=settings)
    answers = list(whole)
    cut = split(problem, parts)
    found = []
    for prefix in cut.prefixes:
        part = subproblem(problem, prefix)
        validate(part)
        found += search(part, settings=settings)
    assert found == answers


@pytest.mark.parametrize(
    "problem", [queens(8), langford(8), coloured_path(5, 2), rooks(3)], ids=["queens", "langford", "path", "rooks"]
)
@pytest.mark.parametrize("engine", ["links", "bits", "reference"])
@pytest.mark.parametrize("parts", [1, 5, 40, 10**6])
def test_nodes_add_up(problem: Problem, engine: str, parts: int) -> None:
    settings = Settings(engine=engine)
    whole = search(problem, settings=settings)
    answers = list(whole)
    cut = split(problem, parts)
    searches = [search(subproblem(problem, p), settings=settings) for p in cut.prefixes]
    assert [a for s in searches for a in s] == answers
    assert cut.nodes + sum(s.counters.nodes for s in searches) == whole.counters.nodes


def test_as_many_parts_as_were_asked_for() -> None:
    cut = split(queens(8), 50)
    assert 50 <= len(cut.prefixes) < 60
    assert pickle.loads(pickle.dumps(cut)) == cut
    assert split(queens(8), 1).prefixes == (Prefix(),)
