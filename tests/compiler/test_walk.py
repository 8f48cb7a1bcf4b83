"""A walk finds exactly what a filter over the product finds, in the same order, and looks at far less."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covr.compiler.groups import groups_of
from covr.compiler.rewrite import conjuncts
from covr.compiler.scope import Scope
from covr.compiler.walk import Walk
from covr.dsl.syntax import Forbid
from tests.compiler.lowering import model_of

NAMES = ["i", "j", "r", "c"]


def walk_of(generators: str, condition: str, known: dict[str, int]) -> tuple[Walk, Scope, Forbid]:
    model = model_of(f"let s = {{1, 3, 5}}\nforbid q(0) for {generators} where {condition}")
    forbid = next(s for s in model.statements if isinstance(s, Forbid))
    scope = Scope(model.definitions)
    return Walk(scope, groups_of(forbid.generators), conjuncts(forbid.where), frozenset(known)), scope, forbid


terms = st.sampled_from([*NAMES, "1", "3", "i + 1", "r - c", "c + 1", "i + j", "2 - r", "j - 1", "-i", "2 * j"])
comparisons = st.builds(
    lambda a, o, b: f"{a} {o} {b}", terms, st.sampled_from(["=", "<", "<=", ">", ">=", "!="]), terms
)
chains = st.builds(lambda a, b, c: f"{a} <= {b} < {c}", terms, terms, terms)
inside = st.builds(lambda a, s: f"{a} in {s}", st.sampled_from(NAMES), st.sampled_from(["s", "1..c", "{r, i}", "{}"]))
tuples_in = st.sampled_from(["(i, j) in {(1, 2), (3, 3)}", "(i, j) in box(2, 2)", "(r, c) = (1, 1)"])
atoms = st.one_of(comparisons, chains, inside, tuples_in)
conditions = st.recursive(
    atoms, lambda x: st.builds(lambda a, o, b: f"({a}) {o} ({b})", x, st.sampled_from(["and", "or"]), x), max_leaves=5
)
generators = st.sampled_from(
    ["i, j in 1..4", "(i, j) in box(3, 3)", "i in 1..4, j in i..4", "j in 1..3, i in {1, 4, 2}", "(i, j) in {(1, 1)}"]
)


@settings(max_examples=400, deadline=None)
@given(generators, conditions, st.integers(1, 4), st.integers(1, 4))
def test_a_walk_is_a_filter_over_the_product(generators: str, condition: str, r: int, c: int) -> None:
    known = {"r": r, "c": c}
    walk, scope, forbid = walk_of(generators, condition, known)
    found = [(env["i"], env["j"]) for env in walk(dict(known))]
    check = scope.truth(forbid.where, [*NAMES]) if forbid.where else None
    everything = scope.generate(forbid.generators, None, dict(known))
    expected = [(e["i"], e["j"]) for e in everything if check is None or check({**known, **e})]
    assert found == expected


def steps(generators: str, condition: str, known: dict[str, object]) -> int:
    """How many bindings a walk looks at."""
    walk, scope, _ = walk_of(generators, condition, {})
    walk = Walk(scope, walk.groups, conjuncts(walk_of(generators, condition, {})[2].where), frozenset(known))
    list(walk(dict(known)))
    before = scope.budget.steps
    list(walk(dict(known)))
    return scope.budget.steps - before


@pytest.mark.parametrize(
    ("generators", "condition", "known", "most"),
    [
        ("i in 1..1000", "i <= r <= i + 1", {"r": 500}, 2),
        ("i in 1..1000", "i = r or i = r + 5", {"r": 500}, 2),
        ("(i, j) in box(50, 50)", "r = i or c = j or r + c = i + j or r - c = i - j", {"r": 25, "c": 25}, 200),
        ("i in 1..1000", "i in s", {"r": 1}, 3),
        ("i, j in 1..1000", "i = r and j = i + 1", {"r": 7}, 2),
        ("i in 1..1000, j in 1..1000", "i <= r <= i + 1 and j <= c <= j + 1", {"r": 7, "c": 9}, 6),
    ],
)
def test_a_walk_looks_only_at_what_the_condition_leaves(
    generators: str, condition: str, known: dict[str, object], most: int
) -> None:
    assert steps(generators, condition, known) <= most


def test_what_a_condition_guards_is_not_evaluated_early() -> None:
    walk, _, _ = walk_of("i in 0..4, j in 0..4", "i != 0 and j = 12 div i", {})
    expected = [(i, j) for i, j in product(range(5), range(5)) if i and j == 12 // i]
    assert [(e["i"], e["j"]) for e in walk({})] == expected
