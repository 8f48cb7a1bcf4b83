"""Implied items: that they are implied, that they are found, and that the minimum stays what it was."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Bound, Problem, Settings, View, build, check, cost, search
from covr.engine.minimum.asked import triangles
from covr.engine.minimum.core import IMPLIED, core, narrow
from tests.engine.problems import brute, least, vertex_cover


@st.composite
def vertex_covers(draw: st.DrawFn) -> Problem:
    """Edges of a graph on up to 8 vertices, each wanting one of its ends, some wanting both."""
    edges = draw(st.sets(st.sampled_from(list(combinations(range(8), 2))), min_size=1, max_size=16).map(sorted))
    needs = draw(st.lists(st.sampled_from([1, 1, 1, 2]), min_size=len(edges), max_size=len(edges)))
    costs = draw(st.lists(st.integers(1, 4), min_size=8, max_size=8))
    return vertex_cover(8, edges, costs, needs)


def enriched(problem: Problem) -> Problem:
    """The problem with the implied items added."""
    options = [list(problem.option(o)) for o in range(problem.options)]
    found = triangles(problem.low, options)
    for k, (_, union) in enumerate(found, problem.items):
        for o in union:
            options[o].append(k)
    return build([*((n, 99) for n in problem.low), *((n, 99) for n, _ in found)], options, costs=problem.costs)


@given(vertex_covers())
def test_no_cover_is_lost(problem: Problem) -> None:
    assert sorted(brute(problem)) == sorted(brute(enriched(problem)))


@given(vertex_covers())
def test_the_minimum_stays(problem: Problem) -> None:
    run = search(problem, goal="minimum")
    answers = list(run)
    true = least(problem)
    assert run.best == run.bound == true
    assert true is None or (check(problem, answers[-1]) is None and cost(problem, answers[-1]) == true)


def test_they_are_the_triangles_of_a_graph() -> None:
    edges = list(combinations(range(5), 2))
    options = [[k for k, e in enumerate(edges) if v in e] for v in range(5)]
    assert sorted(triangles([1] * 10, options)) == [(2, list(t)) for t in combinations(range(5), 3)]
    assert triangles([2] * 10, options) == []
    wide = [list(range(60))] * 3
    assert triangles([1] * 60, wide) == []  # options hold too many items to look at all pairs


def test_estimates_in_python_see_the_problem_s_own_items() -> None:
    """Two rings of triangles hang together: the root stays open, and the rest is searched with implied items."""
    edges = sorted(
        {tuple(sorted(e)) for v in range(13) for e in ((v, (v + 1) % 13), (v, (v + 2) % 13), (v, (v + 5) % 13))}
    )
    options = [[k for k, e in enumerate(edges) if v in e] for v in range(13)]
    problem = build([(1, 13)] * len(edges), options, costs=[1] * 13)
    assert triangles(problem.low, options)
    depths = []

    def halves(view: View, cutoff: int | None) -> Bound:
        items = view.uncovered()
        assert set(items) <= set(range(problem.items)) and all(view.need(i) == 1 for i in items)
        assert all(set(view.reach(o)) <= set(items) and i in view.reach(o) for i in items for o in view.options(i))
        depths.append(view.depth)
        return Bound(0, prices={i: 1 / len(edges) for i in items})

    plain, asked = (search(problem, goal="minimum", settings=Settings(estimate=e)) for e in ("auto", halves))
    assert list(plain) and list(asked) and plain.best == asked.best == asked.bound == least(problem)
    assert depths


def test_a_core_is_narrowed() -> None:
    whole = core(build([(1, 9)] * 3, [[0], [0, 1], [1, 2], [2]], costs=[2, 4, 4, 6]))
    assert (whole.unit, whole.costs) == (2, [1, 2, 2, 3])
    left = narrow(whole, [0], [1, 2], [1, 1], [1, 2], [[0], [0, 1]], [(2, [0, 1])])
    assert left.items == [1, 2, IMPLIED] and left.options == [(0, 2), (0, 1, 2)] and left.needs == [1, 1, 2]
    assert (left.base, left.unit, left.costs, left.taken, left.depth) == (2, 4, [1, 1], [0], 1)
    assert left.cutoff(9) == 2 and left.cutoff(10) == 3
