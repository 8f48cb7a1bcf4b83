"""A walk finds exactly what a filter over the product finds, in the same order, and looks at far less."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covr import loads
from covr.compiler.evaluate import EvalFault
from covr.compiler.evaluate.expressions import conjuncts
from covr.compiler.evaluate.limits import SEARCH, CompileLimits
from covr.compiler.evaluate.scope import Scope
from covr.compiler.lower.as_python import closures_only
from covr.compiler.lower.groups import groups_of
from covr.compiler.lower.walk import Walk
from covr.dsl.diagnostics import ModelErrors
from covr.dsl.syntax import Choose, Forbid
from tests.models import model_of
from tests.shared import examples

pytestmark = pytest.mark.long

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


@settings(max_examples=examples(400), deadline=None)
@given(generators, conditions, st.integers(1, 4), st.integers(1, 4))
def test_a_walk_is_a_filter_over_the_product(generators: str, condition: str, r: int, c: int) -> None:
    known = {"r": r, "c": c}
    walk, scope, forbid = walk_of(generators, condition, known)
    found = [(env["i"], env["j"]) for env in walk(dict(known))]
    check = scope.truth(forbid.where, [*NAMES]) if forbid.where else None
    everything = scope.generate(forbid.generators, None, dict(known))
    expected = [(e["i"], e["j"]) for e in everything if check is None or check({**known, **e})]
    assert found == expected


backwards = st.sampled_from(
    [
        "r in {i, j}", "r in [i, c_, 3]".replace("c_", "j + 1"), "(r, c) in {(i, j), (j, i)}", "{r, c} <= {i, j, 3}",
        "{i, j, i + j} >= {r, c}", "r * c = i + 2 * j", "i - j = r - c", "r + c in i..i + j", "r in s and c in {j}",
        "r in {12 div (i - 2), j}", "{r, c} - {r, c} <= {i}", "c != 2 and r in {i, 2 * j}", "{r} in {{i}, {j}}",
    ]
)  # fmt: skip


@settings(max_examples=examples(200), deadline=None)
@given(generators, backwards, st.sampled_from(["", " and i < 3", " and i != r", " or j = c"]), st.data())
def test_a_condition_read_backwards_is_the_same_filter(
    generators: str, condition: str, more: str, data: st.DataObject
) -> None:
    """Walked again and again with other values, by an index from the second time on: as a walk that begins afresh,
    which has none, and as a filter over the product where nothing fails."""
    text = condition + more
    walk, scope, forbid = walk_of(generators, text, {"r": 0, "c": 0})
    assert forbid.where is not None
    check = scope.truth(forbid.where, NAMES)
    for _ in range(4):
        known = {"r": data.draw(st.integers(1, 6)), "c": data.draw(st.integers(1, 6))}
        found, fault = _walked(walk, known)
        assert (found, fault) == _walked(walk_of(generators, text, {"r": 0, "c": 0})[0], known)
        if "div" not in text:
            everything = [{**known, **e} for e in scope.generate(forbid.generators, None, dict(known))]
            assert found == [(e["i"], e["j"]) for e in everything if check(e)]


def _walked(walk: Walk, known: dict[str, int]) -> tuple[list[tuple[int, int]], str]:
    """What a walk finds before it ends or fails, and the code of the fault."""
    found = []
    try:
        for env in walk(dict(known)):
            found.append((env["i"], env["j"]))
    except EvalFault as fault:
        return found, fault.diagnostic.code
    return found, ""


@pytest.mark.parametrize("condition", ["r in {i, i * j}", "{r} <= {i, j}", "r * 1 = i * j + 0 * i"])
def test_a_condition_read_backwards_looks_only_at_what_it_leaves(condition: str) -> None:
    walk, scope, _ = walk_of("i in 1..100, j in 1..100", condition, {"r": 0})
    for r in (1, 97):
        list(walk({"r": r}))
    before = scope.budget.steps
    found = len(list(walk({"r": 97})))
    assert scope.budget.steps - before <= 2 * found + SEARCH


def steps(generators: str, condition: str, known: dict[str, object]) -> int:
    """How many steps a walk takes: one for each binding it looks at, SEARCH for each source it asks for some."""
    walk, scope, _ = walk_of(generators, condition, {})
    walk = Walk(scope, walk.groups, conjuncts(walk_of(generators, condition, {})[2].where), frozenset(known))
    list(walk(dict(known)))
    before = scope.budget.steps
    list(walk(dict(known)))
    return scope.budget.steps - before


@pytest.mark.parametrize(
    ("generators", "condition", "known", "bindings", "searches"),
    [
        ("i in 1..1000", "i <= r <= i + 1", {"r": 500}, 2, 2),
        ("i in 1..1000", "i = r or i = r + 5", {"r": 500}, 2, 2),
        # The diagonals bind i from nothing, then j: a search for every row, twice.
        ("(i, j) in box(50, 50)", "r = i or c = j or r + c = i + j or r - c = i - j", {"r": 25, "c": 25}, 200, 155),
        ("i in 1..1000", "i in s", {"r": 1}, 3, 1),
        ("i, j in 1..1000", "i = r and j = i + 1", {"r": 7}, 2, 2),
        ("i in 1..1000, j in 1..1000", "i <= r <= i + 1 and j <= c <= j + 1", {"r": 7, "c": 9}, 6, 6),
    ],
)
def test_a_walk_looks_only_at_what_the_condition_leaves(
    generators: str, condition: str, known: dict[str, object], bindings: int, searches: int
) -> None:
    assert steps(generators, condition, known) <= bindings + SEARCH * searches


@pytest.mark.parametrize(
    "condition",
    [
        "i + j + k = 5", "k = i + j + 10000", "k > i + j + 1000 and k < i + j + 900",
        "k = -1 or k = -2", "k in {-1, -2} and i + j > 0",
    ],
)  # fmt: skip
def test_a_walk_that_finds_nothing_counts_what_it_looked_for(condition: str) -> None:
    model = model_of(f"choose p(i, j, k) for i, j, k in 1..300 where {condition}")
    choose = model.statements[0]
    assert isinstance(choose, Choose)
    scope = Scope(model.definitions, limits=CompileLimits(steps=200_000))
    walk = Walk(scope, groups_of(choose.generators), conjuncts(choose.where), frozenset())
    with pytest.raises(EvalFault) as told:
        list(walk({}))
    assert told.value.diagnostic.code == "E211"


def test_a_large_condition_counts_for_its_size() -> None:
    text = "i * j"
    for _ in range(9):
        text = f"({text} + {text})"
    walk, scope, _ = walk_of("i, j in 1..10", f"{text} = 5 * 512", {})
    assert len(list(walk({}))) == 2
    assert scope.budget.steps > 100 * 2**9


def test_many_ors_are_not_multiplied_out() -> None:
    condition = " and ".join(f"(i != {k} or i != {k + 1})" for k in range(60))
    walk, _, _ = walk_of("i in 1..9, j in 1..2", condition, {})
    assert len(list(walk({}))) == 18


def test_what_a_condition_guards_is_not_evaluated_early() -> None:
    walk, _, _ = walk_of("i in 0..4, j in 0..4", "i != 0 and j = 12 div i", {})
    expected = [(i, j) for i, j in product(range(5), range(5)) if i and j == 12 // i]
    assert [(e["i"], e["j"]) for e in walk({})] == expected


def test_many_small_conditions_count_as_one_large_one_does() -> None:
    walk, scope, _ = walk_of("i, j in 1..100", " and ".join(["i * j > 0"] * 100), {})
    assert len(list(walk({}))) == 10_000
    assert scope.budget.steps > 10_000 * 300


def test_a_set_that_no_walk_comes_to_is_not_evaluated() -> None:
    """Although it would be part of an index."""
    walk, _, _ = walk_of("i in 1..4, j in {12 div 0}", "i * i > 99 and r in {j}", {"r": 0})
    for _ in range(3):
        assert not list(walk({"r": 1}))


PIECES = '''let shapes = pieces """
AAA
.DD
"""
cells x in box(3, 3)
values p in shapes
choose put(p, s) for s in placements(p, box(3, 3))
at most one put per x where x in s
'''
LETTERS = {  # a condition from which a walk finds the piece, and one that says the same and is only checked
    'p = "D"': 'not (p != "D")',
    '"D" = p': 'not ("D" != p)',
    'p in {"D", "E"}': 'not (p not in {"D", "E"})',
    'p = "A" or p = "D"': 'not (p != "A" and p != "D")',
    '(p, x) = ("D", (2, 2))': 'not ((p, x) != ("D", (2, 2)))',
    '(p, x) in {("D", (2, 2)), ("A", (1, 1))}': 'not ((p, x) not in {("D", (2, 2)), ("A", (1, 1))})',
}
OF_PIECES = (
    "forbid put(p, s) for x in box(3, 3) where {}",
    "given put(p, min(placements(p, box(3, 3)))) for x in box(3, 3) where {}",
    "at least one put per p, x where {}",
    "exactly one put per p, k in placements(p, box(3, 2)), x in box(2, 2) where {} and k = s",
    "choose own(p, x, s) for s in placements(p, box(3, 3)), x in box(2, 2) where {}",
    "choose own(p, x, k) for p in shapes, x in box(2, 2), k in 1..size(placements(p, box(3, 3))) where {}",
    "choose own(p, x, s) for (p, x) in {{(k, (c, 2)) for k in shapes, c in 1..3}}, s in placements(p, box(3, 3)) "
    "where {}",
)


@pytest.mark.parametrize("statement", OF_PIECES)
@pytest.mark.parametrize("condition", LETTERS)
def test_a_piece_that_is_found_by_its_letter_knows_its_cells(statement: str, condition: str) -> None:
    """A walk that looks for the piece finds what one does that goes through all pieces."""
    found, checked = (_compiled(PIECES + statement.format(f"({c})")) for c in (condition, LETTERS[condition]))
    assert found == checked
    assert isinstance(found, tuple), found


def _compiled(text: str) -> object:
    try:
        compiled = loads(text).compiled
    except ModelErrors as errors:
        return [(d.code, d.message) for d in errors.diagnostics]
    problem = compiled.problem
    options = [sorted(problem.option(o)) for o in range(problem.options)]
    return problem.items, options, list(problem.option_names), list(problem.given)


@pytest.mark.parametrize("found", ["[(2, 1), (1, 2), (3, 3)]", "((3, 3), (2, 1), (1, 2))", "{(2, 1), (3, 3), (1, 2)}"])
def test_a_list_in_a_condition_leaves_the_order_of_the_set(found: str) -> None:
    """Choices come in the order of their set, whatever the order of the list that tells which of them there are."""
    model = loads(f"choose f(i, j) for (i, j) in box(3, 3) where (i, j) in {found}").compiled
    with closures_only():
        reference = loads(f"choose f(i, j) for (i, j) in box(3, 3) where (i, j) in {found}").compiled
    assert [*model.problem.option_names] == [*reference.problem.option_names] == ["f(1, 2)", "f(2, 1)", "f(3, 3)"]


def test_pieces_of_the_same_letter_have_their_own_cells() -> None:
    """Twelve places of a domino, and six of three in a row, though both are called A and equal each other."""
    text = 'let short = pieces """\nAA\n"""\nlet long = pieces """\nAAA\n"""\n'
    text += (
        "choose put(i, s) for i in 1..2, p in [short, long][i], s in placements(p, box(3, 3))\nexactly one put per i"
    )
    compiled = loads(text).compiled
    assert [len(compiled.problem.holders[i]) for i in range(2)] == [12, 6]
