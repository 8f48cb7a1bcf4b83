"""Laws of the values: equality, order, hashing."""

from __future__ import annotations

import pickle
from functools import cmp_to_key
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from covr.compiler.evaluate.values import (
    FALSE,
    TRUE,
    Map,
    Piece,
    Record,
    Rng,
    Seq,
    Set,
    Value,
    in_documented_order,
    measure,
    order_key,
    show_value,
)

leaves = st.one_of(
    st.integers(-3, 3),
    st.sampled_from(["", "a", "b", "1"]),
    st.sampled_from([TRUE, FALSE]),
    st.builds(Rng, st.integers(-2, 3), st.integers(-3, 4)),
)


def _larger(inner: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    some = st.lists(inner, max_size=3)
    return st.one_of(
        some.map(tuple),
        some.map(Seq),
        some.map(Set),
        st.dictionaries(inner, inner, max_size=2).map(Map),
        some.map(lambda items: Record(tuple("abc"[: len(items)]), tuple(items))),
    )


values: st.SearchStrategy[Value] = st.recursive(leaves, _larger, max_leaves=6)


@given(values, values)
def test_order_is_total_and_agrees_with_equality(a: Value, b: Value) -> None:
    before, after, same = order_key(a) < order_key(b), order_key(b) < order_key(a), a == b
    assert [before, after, same].count(True) == 1
    assert not same or (hash(a) == hash(b) and order_key(a) == order_key(b))


sets = st.lists(values, max_size=3).map(Set)


@given(
    st.lists(values, max_size=6)
    | st.lists(sets, max_size=6)
    | st.lists(st.lists(sets, max_size=3).map(tuple), max_size=6)
    | st.lists(st.lists(sets, max_size=3).map(Set), max_size=6)
)
def test_sorting_is_sorting_by_key(some: list[Value]) -> None:
    def compare(a: Value, b: Value) -> int:
        return -1 if order_key(a) < order_key(b) else int(order_key(b) < order_key(a))

    assert list(in_documented_order(some)) == sorted(some, key=cmp_to_key(compare))


@given(values, values, values)
def test_order_is_transitive(a: Value, b: Value, c: Value) -> None:
    if order_key(a) < order_key(b) and order_key(b) < order_key(c):
        assert order_key(a) < order_key(c)


@given(values)
def test_values_can_be_stored_printed_and_measured(a: Value) -> None:
    hash(a)
    again = pickle.loads(pickle.dumps(a))
    assert again == a and getattr(again, "_hash", -1) == -1, "another process has other hashes"
    assert isinstance(show_value(a), str)
    weight, depth, length = measure(a)
    assert weight >= 1 and depth >= 0 and length >= 0


def parts_of(value: Value) -> list[Value] | None:
    """The parts that count for the measure of a tuple, list, set or record; None for any other value."""
    if type(value) in (tuple, Seq, Set):
        return list(value)  # type: ignore[arg-type]
    return list(value.items) if type(value) is Record else None


@given(values | st.lists(st.tuples(st.integers(), st.integers())).map(Set) | st.lists(st.integers()).map(Seq))
def test_a_measure_is_made_of_those_of_the_parts(a: Value) -> None:
    parts = parts_of(a)
    if parts is not None:
        measures = [measure(part) for part in parts]
        weight, depth, length = tuple(zip(*measures, strict=True)) or ((), (), ())
        assert measure(a) == (1 + sum(weight), 1 + max(depth, default=0), sum(length))


@given(st.integers(-5, 5), st.integers(-5, 5), st.integers(-7, 7))
def test_a_range_is_the_set_of_its_members(low: int, high: int, x: int) -> None:
    lazy, written = Rng(low, high), Set(range(low, high + 1))
    assert lazy == written and written == lazy and hash(lazy) == hash(written)
    assert list(lazy) == list(written) and len(lazy) == len(written)
    assert (x in lazy) == (x in written)


def test_long_ranges_cost_nothing() -> None:
    a, b = Rng(1, 10**30), Rng(1, 10**30)
    assert a == b and hash(a) == hash(b) and 10**29 in a and a.size == 10**30
    assert Rng(1, 10**30) < Rng(2, 10**30)
    assert order_key(a) < order_key(Rng(1, 10**30 + 1))
    assert show_value(a) == f"1..{10**30}"


def test_unlike_kinds_are_never_equal() -> None:
    alike = [1, TRUE, "1", (1,), Seq([1]), Set([1]), Map({1: 1}), Record(("a",), (1,))]
    assert len(set(alike)) == len(alike)
    assert FALSE != 0


def test_a_piece_is_the_text_of_its_letter() -> None:
    piece = Piece("A", Set([(1, 1)]))
    assert piece == "A" and hash(piece) == hash("A") and piece in Set(["A"])
    assert show_value((piece, 1)) == "(A, 1)"
    assert pickle.loads(pickle.dumps(piece)).cells == piece.cells


FOLD = 2**61 - 1  # Python gives numbers that differ by this one hash


def test_lists_and_sets_of_numbers_with_equal_hashes_have_hashes_of_their_own() -> None:
    """Python gives -1 and -2 one hash, and tuples of them as well: tables of 16384 such lists took a minute to fill."""
    for one, other in ((-1, -2), (1, 1 + FOLD), (0, FOLD)):
        rows = list(product((one, other), repeat=10))
        assert len({hash(Seq(row)) for row in rows}) == len(rows)
        assert len({hash(Seq([row, 5])) for row in rows}) == len(rows)
    assert len({hash(Set([i * FOLD, 1])) for i in range(500)}) == 500


@given(st.lists(st.sampled_from([-2, -1, 0, 1, FOLD, 1 + FOLD, "a", (-1, 2), (-2, 2)]), max_size=5))
def test_equal_lists_and_sets_have_equal_hashes_whatever_they_hold(items: list[Value]) -> None:
    assert hash(Seq(items)) == hash(Seq(tuple(items)))
    assert hash(Set(items)) == hash(Set(items[::-1])) == hash(Set.in_order(in_documented_order(set(items))))
    assert hash(Set(range(-3, 3))) == hash(Rng(-3, 2))
