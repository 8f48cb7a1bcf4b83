"""Counting arguments: found where there are some, and never wrong."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from covr.engine import Problem, build
from covr.engine.problem import Total
from covr.engine.proofs.certificate import Balance, Counting, balance, counting, holds
from tests.engine.problems import brute, dominoes_on, langford, toy
from tests.engine.strategies import problems


def mutilated(n: int) -> list[tuple[int, int]]:
    return [x for x in product(range(n), repeat=2) if x not in ((0, 0), (n - 1, n - 1))]


@pytest.mark.parametrize("n", [4, 8, 12])
def test_the_mutilated_chessboard_is_out_of_balance(n: int) -> None:
    cells = mutilated(n)
    problem = dominoes_on(cells)
    found = balance(problem)
    assert found is not None
    assert holds(problem, found)
    assert (found.modulus, abs(found.total)) == (0, 2)
    assert all(abs(w) == 1 for w in found.weights.values())
    white = {sum(cells[i]) % 2 for i, w in found.weights.items() if w == 1}
    assert len(white) == 1


def test_parity_proves_that_there_is_no_answer() -> None:
    """Langford's pairs of 5 do not exist, because of the places of even number."""
    found = balance(langford(5))
    assert found is not None
    assert found.modulus == 2
    assert holds(langford(5), found)
    assert balance(langford(4)) is None


def test_counting_proves_that_there_is_no_answer() -> None:
    """Three pieces of two squares on five squares."""
    problem = build([(1, 1)] * 3 + [(0, 1)] * 5, [[p, 3 + s, 4 + s] for p in range(3) for s in range(4)])
    groups = [range(3), range(3, 8)]
    found = counting(problem, groups)
    assert found == Counting(0, 1, Fraction(2), 3, 5)
    assert holds(problem, found, groups)
    more = build([(1, 1)] * 3 + [(0, 1)] * 6, [[p, 3 + s, 4 + s] for p in range(3) for s in range(5)])
    assert counting(more, [range(3), range(3, 9)]) is None


def sums(rows: list[int], columns: list[int]) -> Problem:
    """A digit from 1 to 3 in each square, with a sum for each row and column."""
    squares = list(product(range(len(rows)), range(len(columns))))
    options = [(at, d) for at in range(len(squares)) for d in (1, 2, 3)]
    sides = [
        Total(tuple((o, d) for o, (at, d) in enumerate(options) if squares[at][way] == line), ((wanted, wanted),))
        for way, lines in enumerate((rows, columns))
        for line, wanted in enumerate(lines)
    ]
    return build([(1, 1)] * len(squares), [[at] for at, _ in options], sides=sides)


def test_sums_across_and_down_are_compared() -> None:
    problem = sums([5, 4, 6], [7, 9])
    found = balance(problem)
    assert found is not None
    assert holds(problem, found)
    first = problem.items + problem.options
    assert sorted(found.weights) == list(range(first, first + 5))
    assert (found.modulus, abs(found.total)) == (0, 1)
    assert balance(sums([5, 4, 6], [7, 8])) is None


def test_sums_of_even_numbers_are_even() -> None:
    """By the rest after division: 2 and 4 never add up to 7."""
    problem = build([], [[], []], sides=[Total(((0, 2), (1, 4)), ((7, 7),))])
    found = balance(problem)
    assert found is not None
    assert (found.modulus, found.weights) == (2, {2: 1})
    assert holds(problem, found)


@given(problems(given=False), st.data())
def test_what_is_found_of_totals_holds_and_is_right(problem: Problem, data: st.DataObject) -> None:
    sides = []
    for _ in range(data.draw(st.integers(1, 3))):
        coefficients = data.draw(st.lists(st.integers(-3, 3), min_size=problem.options, max_size=problem.options))
        terms = tuple((o, c) for o, c in enumerate(coefficients) if c)
        low = data.draw(st.integers(-4, 6))
        sides.append(Total(terms, ((low, low + data.draw(st.sampled_from([0, 0, 0, 1]))),)))
    whole = evolve(problem, sides=tuple(sides))
    found = balance(whole, simplest=9)
    if found is not None:
        assert holds(whole, found)
        assert not brute(whole)


def test_a_false_certificate_of_totals_does_not_hold() -> None:
    problem = sums([5, 4, 6], [7, 9])
    first = problem.items + problem.options
    right = {first: 1, first + 1: 1, first + 2: 1, first + 3: -1, first + 4: -1}
    assert holds(problem, Balance(right, 0, -1))
    assert not holds(problem, Balance(right, 0, 1))
    assert not holds(problem, Balance({**right, first: 2}, 0, 4))
    wide = evolve(problem, sides=(evolve(problem.sides[0], sums=((5, 6),)), *problem.sides[1:]))
    assert not holds(wide, Balance(right, 0, -1))
    assert not holds(sums([5, 4, 6], [7, 8]), Balance(right, 0, 0))


def test_a_false_certificate_does_not_hold() -> None:
    assert not holds(toy(), Balance({0: 1}, 0, 1))
    assert not holds(toy(), Balance({0: 1, 3: -1}, 0, 1))
    assert not holds(toy(), Counting(0, 1, Fraction(1), 1, 0), [[0], [1]])


@given(problems(given=False), st.data())
def test_what_is_found_holds_and_is_right(problem: Problem, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, problem.items))
    groups = [range(cut), range(cut, problem.items)]
    for found in (balance(problem, simplest=9), counting(problem, groups)):
        if found is not None:
            assert holds(problem, found, groups)
            assert not brute(problem)
