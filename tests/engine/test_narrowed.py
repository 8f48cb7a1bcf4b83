"""What is left between a bound and a known answer has the same minimum as the whole: never a cheaper one is lost."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from covr.engine import Problem, check, cost
from covr.engine.kernels.loading import load
from covr.engine.minimum import narrowed
from covr.engine.minimum.mixed_core import COARSEST, core
from covr.engine.minimum.mixed_tree import BoundTree
from covr.engine.minimum.narrowed import narrow
from tests.engine.problems import brute, least
from tests.engine.strategies import problems


def rooted(problem: Problem, ceiling: int | None) -> tuple[object, ...] | None:
    """The core, and what is proved at its root for answers up to a ceiling; None where the root ends the search."""
    own = core(problem)
    if own.unit < COARSEST:
        return None
    tree = BoundTree(own, load("_mixed", False), own.dearest if ceiling is None else own.ceiling(ceiling))
    while not tree.done and tree.root is None and tree.found is None:
        tree.step()
    return None if tree.root is None else (own, tree.root)


@given(problems(costs=("zero", "one", "negative", "profit")), st.booleans(), st.data())
def test_the_minimum_is_that_of_the_whole(problem: Problem, early: bool, data: st.DataObject) -> None:
    answers = brute(problem)
    assume(answers)
    best = data.draw(st.sampled_from(answers))
    paid = cost(problem, best)
    known = data.draw(st.integers(paid - 1, paid + 5)) if early else None
    found = rooted(problem, known)
    assume(found is not None)
    own, root = found  # type: ignore[misc]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(narrowed, "FEWEST", 0)
        patch.setattr(narrowed, "SHARE", 0)
        less, numbers = narrow(problem, own, root, own.ceiling(paid - 1), best) or (None, [])
    assert less is not None
    assert least(less) == least(problem)
    assert [numbers[o] for o in less.given] == list(problem.given)
    inner = brute(less)
    assert set(best) <= set(numbers) and tuple(map(numbers.index, best)) in inner
    assert all(check(problem, tuple(numbers[o] for o in answer)) is None for answer in inner)
