"""The parts of a split are the whole: its answers, in order, and its nodes."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Problem, Settings, search, validate
from covr.engine.pieces.split import Prefix, Splitter, split, subproblem
from tests.engine.problems import coloured_path, langford, queens, rooks
from tests.engine.strategies import problems

pytestmark = pytest.mark.long


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


@given(problems(), st.lists(st.integers(1, 6), max_size=3), st.sampled_from(["links", "bits", "reference"]))
def test_what_is_left_has_the_same_answers_and_nodes(problem: Problem, parts: list[int], engine: str) -> None:
    settings = Settings(engine=engine)
    splitter = Splitter(problem)
    prefixes = [Prefix()]
    above = 0
    for size in parts:
        cuts = [splitter.cut(p, size) for p in prefixes]
        above += sum(c.nodes for c in cuts)
        prefixes = [p for c in cuts for p in c.prefixes]
    found, nodes = [], above
    for prefix in prefixes if splitter.feasible else []:
        rest = splitter.rest(prefix)
        validate(rest.problem)
        assert not problem.is_cover or rest.problem.is_cover
        assert not problem.is_exact or rest.problem.is_exact
        run = search(rest.problem, settings=settings)
        parts_found = list(run)
        answers = [rest.whole(a) for a in parts_found]
        assert [rest.part(a) for a in answers] == [tuple(sorted(a)) for a in parts_found]
        assert answers == list(search(subproblem(problem, prefix), settings=settings))
        found += answers
        nodes += run.counters.nodes
    whole = search(problem, settings=settings)
    assert found == list(whole)
    assert nodes == whole.counters.nodes or not splitter.feasible


def test_as_many_parts_as_were_asked_for() -> None:
    cut = split(queens(8), 50)
    assert 50 <= len(cut.prefixes) < 60
    assert pickle.loads(pickle.dumps(cut)) == cut
    assert split(queens(8), 1).prefixes == (Prefix(),)
