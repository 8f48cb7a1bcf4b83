"""Conflict sets contradict themselves, and no part of a minimal one does."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from covr.engine import Problem, build, check
from covr.engine.proofs.conflict import ConflictBudget, Relaxing, refute
from tests.engine.problems import brute, langford, queens
from tests.engine.strategies import problems


def possible(problem: Problem, constraints: tuple[int, ...], taken: frozenset[int], left_out: frozenset[int]) -> bool:
    """Whether some set of options meets these constraints, found by brute force."""
    items = {c for c in constraints if c < problem.items}
    given = tuple(sorted(taken | {c - problem.items for c in constraints if c >= problem.items}))
    low = [problem.low[i] if i in items else 0 for i in range(problem.items)]
    # An item that is left out is one that no option is in.
    rows = [
        [(i, c) for i, c in zip(problem.option(o), problem.option_colours(o), strict=True) if i in items]
        for o in range(problem.options)
    ]
    order = sorted(range(problem.items), key=lambda i: low[i] == 0)
    number = {i: at for at, i in enumerate(order)}
    bounds = [(low[i], problem.high[i] if i in items else problem.options) for i in order]
    relaxed = build(bounds, [[(number[i], c) for i, c in row] for row in rows], given=given)
    return any(left_out.isdisjoint(answer) for answer in brute(relaxed))


@st.composite
def demands(draw: st.DrawFn) -> tuple[Problem, frozenset[int], frozenset[int]]:
    """A problem, options that must be taken, and options that may not."""
    problem = draw(problems())
    free = [o for o in range(problem.options) if o not in problem.given]
    marked = draw(st.sets(st.sampled_from(free), max_size=1)) if free else set()
    taken = draw(st.booleans())
    return problem, frozenset(marked if taken else ()), frozenset(() if taken else marked)


@given(demands())
def test_a_conflict_is_one_and_is_minimal(demand: tuple[Problem, frozenset[int], frozenset[int]]) -> None:
    problem, taken, left_out = demand
    relaxing = Relaxing(problem, ConflictBudget(), taken=taken, left_out=left_out)
    verdict = relaxing.solve(relaxing.everything)
    assert not verdict.open
    assert possible(problem, relaxing.everything, taken, left_out) == (not verdict.none)
    if verdict.answer is not None:
        assert check(problem, verdict.answer) is None
        assert taken <= set(verdict.answer)
        assert left_out.isdisjoint(verdict.answer)
        return
    conflict = relaxing.shrink([(c,) for c in relaxing.everything])
    assert conflict.minimal
    members = conflict.constraints
    assert not possible(problem, members, taken, left_out)
    for one in members:
        assert possible(problem, tuple(c for c in members if c != one), taken, left_out)


@given(problems())
def test_the_reason_of_a_refutation_is_one(problem: Problem) -> None:
    found = refute(problem)
    assert (found is None) == bool(brute(problem))
    if found is not None:
        members = (*found.items, *(problem.items + o for o in found.given))
        assert not possible(problem, members, frozenset(), frozenset())


@given(problems(), st.data())
def test_units_are_kept_whole(problem: Problem, data: st.DataObject) -> None:
    assume(not brute(problem))
    relaxing = Relaxing(problem, ConflictBudget())
    cut = data.draw(st.integers(0, len(relaxing.everything)))
    units = [u for u in (relaxing.everything[:cut], relaxing.everything[cut:]) if u]
    conflict = relaxing.shrink(units)
    assert conflict.minimal
    assert set(conflict.units) <= set(units)
    assert relaxing.solve(conflict.constraints).none


def test_a_known_conflict_is_found() -> None:
    """Three queens: the rows alone can't be met along the diagonals."""
    relaxing = Relaxing(queens(3), ConflictBudget())
    conflict = relaxing.shrink([(c,) for c in relaxing.everything])
    assert conflict.minimal
    assert len(conflict.units) < len(relaxing.everything)


def test_a_budget_that_is_spent_proves_nothing() -> None:
    problem = langford(6)
    relaxing = Relaxing(problem, ConflictBudget(nodes=0))
    assert relaxing.solve(relaxing.everything).open
    conflict = relaxing.shrink([(c,) for c in relaxing.everything])
    assert not conflict.minimal
    assert conflict.constraints == relaxing.everything


def test_the_same_conflict_is_found_every_time() -> None:
    found = set()
    for _ in range(3):
        relaxing = Relaxing(langford(5), ConflictBudget())
        found.add(relaxing.shrink([(c,) for c in relaxing.everything], orders=2))
    assert len(found) == 1


def test_an_interrupt_ends_it() -> None:
    budget = ConflictBudget()
    budget.interrupt()
    relaxing = Relaxing(langford(6), budget)
    assert relaxing.solve(relaxing.everything).open
    assert budget.spent
