"""What is walked is counted, however it is asked for, so that no short model takes minutes before it is refused."""

from __future__ import annotations

import pytest

from covr.compiler import compile_model
from covr.compiler.evaluate.calls import _key
from covr.compiler.evaluate.limits import IN_SOURCE, WORD, Budget, CompileLimits, telling
from covr.compiler.evaluate.operators import holds
from covr.compiler.evaluate.values import TRUE, Piece, Rng, Seq, Set
from covr.dsl.diagnostics import ModelErrors, Source, Span
from covr.engine import Status
from covr.engine.base.limits import LimitReached, limits_checked_by
from covr.inputs.library import checked, open_model
from tests.shared import calls_of

pytestmark = pytest.mark.long

WALKS = {
    "choices": "choose f(i, j) for i in 1..300, j in 1..300\nexactly one f per i\n",
    "a rule": "cells j in 1..20\nchoose f(i) for i in 1..20000\nexactly one f per i mod 7, j where i mod 11 = j\n",
    "subsets": "choose f(s) for s in subsets(1..20, 7)\nat most one f\n",
    "functions": "let fib(n) = if n < 2 then n else fib(n - 1) + fib(n - 2)\n"
    "choose f(i) for i in 1..30 where fib(i mod 20) > 0\n",
}


@pytest.mark.parametrize("text", WALKS.values(), ids=list(WALKS))
def test_compiling_looks_at_the_limits_and_stops(text: str) -> None:
    with pytest.raises(LimitReached) as stopped, limits_checked_by(lambda: Status.LIMIT):
        compile_model(checked(Source("m", text)))
    assert stopped.value.status is Status.LIMIT


@pytest.mark.parametrize("op", ["=", "!=", "<", "<=", ">", ">="])
def test_comparing_long_texts_is_counted_by_their_length(op: str) -> None:
    span = Span(Source("m", "x"), 0, 1)
    budget = Budget(CompileLimits())
    holds(op, "a" * 6400, "a" * 6401, span, budget)
    assert budget.steps == 6400 // WORD


@pytest.mark.parametrize("op", ["=", "!=", "<", "<=", ">", ">=", "in"])
@pytest.mark.parametrize("kind", [Seq, tuple], ids=["lists", "tuples"])
def test_comparing_lists_and_tuples_of_long_texts_is_counted_by_their_length(op: str, kind: type) -> None:
    """However deep the texts are in them."""
    one, other = (kind([Seq(["a" * 6400, "b"]), "c" * 640 + end]) for end in "de")
    budget = Budget(CompileLimits())
    holds(op, one, Seq([other]) if op == "in" else other, Span(Source("m", "x"), 0, 1), budget)
    assert 7040 // WORD <= budget.steps < 7040 // WORD + 10


def test_an_equality_of_lists_of_long_texts_is_counted_by_their_length() -> None:
    """A model that compares such lists is refused before it has taken minutes."""
    long = "x" * 100_000
    text = f'let a = ["{long}", 0]\nchoose f(i) for i in 1..20000 where a != ["{long}", i]\n'
    with pytest.raises(ModelErrors) as errors:
        compile_model(checked(Source("m", text)))
    assert [d.code for d in errors.value.diagnostics] == ["E211"]


def test_moving_a_large_area_is_counted_before_it_is_moved() -> None:
    text = "let area = box(300, 300)\nchoose f(i) for i in 1..size(symmetries(area))\nexactly one f\n"
    with pytest.raises(ModelErrors) as errors:
        compile_model(checked(Source("m", text)), limits=CompileLimits(steps=800_000))
    assert [d.code for d in errors.value.diagnostics] == ["E211"]


def test_what_a_function_gave_for_the_same_numbers_is_not_computed_again() -> None:
    text = "let far(k) = sum([x * k for x in 1..1000])\nchoose f(i, k) for i in 1..30000, k in 1..2 where far(k) > 0\n"
    assert compile_model(checked(Source("m", text))).problem.options == 60_000


def test_a_value_is_kept_for_values_that_are_the_same_and_not_only_equal() -> None:
    """A piece equals its letter and a range a set, but a function may give something else for it."""
    cells = Set([(1, 1), (1, 2)])
    piece, same, turned = Piece("A", cells), Piece("A", cells), Piece("A", Set([(1, 1), (2, 1)]))
    assert _key((1, "A", (1, ("A", 2)), ())) == (1, "A", (1, ("A", 2)), ())
    assert _key((piece, (1, piece))) == _key((same, (1, same)))
    assert len({_key(("A",)), _key((piece,)), _key((turned,)), _key((Piece("B", cells),))}) == 4
    assert _key((TRUE,)) is None and _key((1, (TRUE,))) is None
    alike = [Rng(1, 3), Rng(1, 3), Set([1, 2, 3]), Set([1, 2, 3]), Seq([1]), Seq([1])]
    assert len({_key((value,)) for value in alike}) == len({_key(((1, value),)) for value in alike}) == len(alike)
    assert all(_key((value, 1)) == _key((value, 1)) for value in alike)


@pytest.mark.parametrize(("name", "most"), [("onesided_pentominoes", 400_000), ("bedlam_cube", 1_500_000)])
def test_symmetries_are_made_of_few_motions_and_functions_asked_once_for_a_piece(name: str, most: int) -> None:
    assert calls_of(lambda: compile_model(open_model(name)).symmetry) < most


LETTERS = "abcdefghijklmn"
EQUAL_HASHES = {  # few characters for numbers that Python gives one hash, as values, in tuples, and as arguments
    "a set": "choose x(t) for t in {i * 2305843009213693951 for i in 1..20000}\nexactly one x\n",
    "tuples": "choose x(t) for t in {(i * 2305843009213693951, 1) for i in 1..20000}\nexactly one x\n",
    "pairs": "choose x(t) for t in {i * 2305843009213693951 for i in 1..200} * {-1, -2} * (1..50)\nexactly one x\n",
    "a list": "choose x(t) for t in subsets([i * 2305843009213693951 for i in 1..20000], 1)\nexactly one x\n",
    "arguments": f"let s = {{-1, -2}}\nchoose x({', '.join(LETTERS)}) for {', '.join(f'{i} in s' for i in LETTERS)}\n"
    "exactly one x\n",
}


@pytest.mark.parametrize("text", EQUAL_HASHES.values(), ids=list(EQUAL_HASHES))
def test_telling_values_apart_whose_hashes_are_equal_is_counted(text: str) -> None:
    """A look-up compares as many as there are, which stood on no account: seconds in which nothing could stop it."""
    limits = CompileLimits(steps=2_000_000)
    with pytest.raises(ModelErrors, match="more than 2,000,000 steps") as fault:
        compile_model(checked(Source("m", text)), limits=limits)
    assert fault.value.diagnostics[0].span is not None


def test_where_numbers_may_be_negative_lists_take_as_many_steps() -> None:
    """`{-1, -2}` and `{1, 2}` are alike, and few calls are made beside."""
    steps = []
    for pair in ("{-1, -2}", "{1, 2}"):
        told: list[Budget] = []
        with telling(told.append):
            compile_model(checked(Source("m", f"choose x(t) for t in tuples({pair}, 12)\nexactly one x per t\n")))
        steps.append(told[0].steps)
    assert steps[0] == steps[1]


def test_loops_of_python_source_look_at_the_limits() -> None:
    """A statement that is written as one piece of Python asks whether to stop at least every `IN_SOURCE` steps."""
    text = (
        "choose x(i, j, k, m) for i in 1..36, j in 1..36, k in 1..36, m in 1..36 where i * i + j * j = k * k * m + 3\n"
    )
    looks = 0

    def look() -> None:
        nonlocal looks
        looks += 1

    told: list[Budget] = []
    with telling(told.append), limits_checked_by(look):
        compile_model(checked(Source("m", text)))
    assert looks >= told[0].steps // IN_SOURCE >= 5


def test_a_model_that_uses_up_its_steps_is_not_gone_through_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once loops of Python source have found that there are too many, closures are left just enough to say where."""
    monkeypatch.setattr("covr.compiler.lower.as_python.LAST_STEPS", 5_000)
    text = (
        "choose x(i, j, k, m) for i in 1..30, j in 1..30, k in 1..30, m in 1..30 where i * i + j * j = k * k * m + 3\n"
    )

    def refused() -> None:
        with pytest.raises(ModelErrors, match="more than 500,000 steps"):
            compile_model(checked(Source("m", text)), limits=CompileLimits(steps=500_000))

    assert calls_of(refused) < 1_000_000  # 10 times as many where closures begin anew


REFUSED = {
    "a set": "choose f(i) for i in {(x, y) for x in 1..10000, y in 1..10000 where x * y mod 7 = 1}",
    "three sets": "choose f(i) for i in {x + y + z for x in 1..400, y in 1..400, z in 1..400}",
    "a map": "let a = {x: {y for y in 1..10000 where x * y mod 7 = 2} for x in 1..10000} choose f(i) for i in a",
    "lists": "choose f(i) for i in [[(x, y) for y in 1..10000] for x in 1..10000]",
    "choices": "choose f(i, j) for i in 1..10000, j in 1..10000 where i * j mod 7 = 0",
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=list(REFUSED))
def test_walks_whose_size_is_known_are_refused_before_they_begin(text: str) -> None:
    def refused() -> None:
        with pytest.raises(ModelErrors) as caught:
            compile_model(checked(Source("m", text)))
        assert [fault.code for fault in caught.value.diagnostics] == ["E211"]
        assert caught.value.diagnostics[0].span is not None

    refused()
    assert calls_of(refused) < 20_000


ENDS = {
    "a first condition": "choose f(i) for i in {1} | {x for x in 1..10000, y in 1..10000 where x = 0}",
    "the first few": "choose f(i) for i in {x for x in 1..10000, y in 1..10000 where x > 9999 and y > 9999}",
    "what is looked up": "choose f(i, j) for i in 1..10000, j in 1..10000 where i + j = 3 and i < 2",
    "a pair of them": (
        "let p = {(a, a) for a in 1..9000} choose f(i, j) for (i, j) in p, (k, l) in p where k = i and l = 1"
    ),
    "one that is met": "choose f(i) for i in 1..1 where some(x in 1..10000, y in 1..10000 where x + y = 2)",
    "no first member": "choose f(i) for i in {1} | {(x, y) for x in {}, y in 1..100000000}",
}


@pytest.mark.parametrize("text", ENDS.values(), ids=list(ENDS))
def test_what_ends_before_its_walk_does_is_not_refused_for_the_size_of_that(text: str) -> None:
    assert compile_model(checked(Source("m", text))).problem.options >= 1
