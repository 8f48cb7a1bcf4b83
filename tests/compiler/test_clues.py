"""`clue` statements: what clues would be, given an answer, against counting by hand; and that they add no rule."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

import covr
from covr.compiler import Compiled
from covr.compiler.clues import ClueReader, clue_spots, standing_clues, with_clues, without_clues
from covr.dsl.diagnostics import ModelErrors
from tests.each import each

HEAD = '''
param told = grid(3, 3) """1...?...2"""
param rows = [1, "?", 3]
cells r, c in 1..3
values d in 1..2
choose f(r, c, d)
at most one f per r, c
choose g(r)
'''
LINES = {
    "count of f where r = i": lambda a, i, j: sum(r == i for r, _, _ in a["f"]),
    "count of f where d = 2 and abs(r - i) + abs(c - j) = 1": lambda a, i, j: sum(
        d == 2 and abs(r - i) + abs(c - j) == 1 for r, c, d in a["f"]
    ),
    "total d * j of f where c = j": lambda a, i, j: sum(d * j for _, c, d in a["f"] if c == j),
    "d of f where r = i and c = j": lambda a, i, j: next((d for r, c, d in a["f"] if (r, c) == (i, j)), None),
    "size(f) + (if i in g then 10 else 0)": lambda a, i, j: len(a["f"]) + 10 * ((i,) in a["g"]),
    "sum([e for (p, q, e) in f where p >= i])": lambda a, i, j: sum(e for p, _, e in a["f"] if p >= i),
}


def model(*lines: str) -> Compiled:
    return covr.loads(HEAD + "\n".join(lines)).compiled


def answers(compiled: Compiled, n: int = 12) -> Iterator[tuple[int, ...]]:
    rng = random.Random(5)
    problem = compiled.problem
    cells = [(r, c) for r in (1, 2, 3) for c in (1, 2, 3)]
    for _ in range(n):
        taken = [("f", (r, c, rng.choice((1, 2)))) for r, c in cells if rng.random() < 0.5]
        taken += [("g", (r,)) for r in (1, 2, 3) if rng.random() < 0.5]
        found = [compiled.option(family, args) for family, args in taken]
        assert all(o is not None and o < problem.options for o in found)
        yield tuple(sorted(o for o in found if o is not None))


def by_family(compiled: Compiled, answer: tuple[int, ...]) -> dict[str, set[tuple[Any, ...]]]:
    found: dict[str, set[tuple[Any, ...]]] = {"f": set(), "g": set()}
    for choice in compiled.choices(answer):
        found[choice.family].add(choice.args)
    return found


@each("line", list(LINES))
def test_what_is_told_is_what_counting_by_hand_says(line: str) -> None:
    compiled = model(f"clue told[i, j] = {line} for (i, j) in frame(told) where (i, j) != (2, 2)")
    spots = clue_spots(compiled)
    assert len(spots) == 9
    reader = ClueReader(compiled, spots)
    for answer in answers(compiled):
        taken = by_family(compiled, answer)
        wanted = [None if spot.key == (2, 2) else LINES[line](taken, *spot.key) for spot in spots]
        assert reader.clue_values(answer) == wanted


def test_a_name_of_the_for_that_is_an_index_is_the_same_in_both() -> None:
    compiled = model('clue rows[r] = count of f for r in 1..3 else "?"', "clue told[r, c] = count of f")
    spots = clue_spots(compiled)
    reader = ClueReader(compiled, spots)
    for answer in answers(compiled):
        taken = by_family(compiled, answer)["f"]
        told = dict(zip([(s.param, s.key) for s in spots], reader.clue_values(answer), strict=True))
        for r in (1, 2, 3):
            assert told["rows", r] == sum(p == r for p, _, _ in taken)
            for c in (1, 2, 3):
                assert told["told", (r, c)] == sum((p, q) == (r, c) for p, q, _ in taken)


def test_the_first_statement_that_tells_something_counts() -> None:
    compiled = model(
        'clue told[r, c] = "a" for r, c in 1..3 where (r, c, 1) in f',
        'clue told[r, c] = "b" for r, c in 1..3 where r in g',
    )
    reader = ClueReader(compiled, clue_spots(compiled))
    for answer in answers(compiled):
        taken = by_family(compiled, answer)
        for spot, value in zip(reader.spots, reader.clue_values(answer), strict=True):
            r, c = spot.key
            assert value == ("a" if (r, c, 1) in taken["f"] else "b" if (r,) in taken["g"] else None)


def test_the_data_lose_their_clues_and_nothing_else() -> None:
    compiled = model('clue told[i, j] = count of f for i in 1..2, j in 1..3 else "?"', 'clue rows[2] = 5 else "x"')
    spots = clue_spots(compiled)
    data = without_clues(compiled, spots)
    assert dict(data["told"].entries) == {(i, j): "?" for i in (1, 2) for j in (1, 2, 3)} | {(3, 3): 2}  # type: ignore[union-attr]
    assert data["told"].shape == (3, 3)  # type: ignore[union-attr]
    assert list(data["rows"]) == [1, "x", 3]  # type: ignore[arg-type, call-overload]
    assert standing_clues(compiled, spots) == [1, None, None, None, None, None, "?"]
    told = [7, None, None, None, None, None, 4]
    back = compiled.with_data(with_clues(compiled, spots, told))
    assert standing_clues(back, spots) == told


def test_it_adds_no_rule() -> None:
    without, others = model(), model(*(f"clue told[i, j] = {line} for i, j in 1..3" for line in LINES))
    assert others.problem == without.problem


def test_reading_many_answers_takes_nothing_of_the_limits() -> None:
    compiled = model("clue told[i, j] = sum([e for (p, q, e) in f]) for i, j in 1..3")
    reader = ClueReader(compiled, clue_spots(compiled))
    used = compiled.scope.budget.steps, compiled.scope.budget.values
    for answer in answers(compiled, 100):
        reader.clue_values(answer)
    assert (compiled.scope.budget.steps, compiled.scope.budget.values) == used


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("clue rows[r] = count of f for r in 1..3", "no entry of the list `rows` can be left out"),
        ('clue rows[r] = count of f for r in 1..4 else "?"', "has no entry 4"),
        ("clue told[i, j] = g for i, j in 1..3", "is a number, a text or a list of these"),
        ("clue told[i, j] = r of f for i, j in 1..3", "would be both"),
    ],
)
def test_what_can_be_no_clue_is_said(line: str, said: str) -> None:
    with pytest.raises(ModelErrors) as caught:
        compiled = model(line)
        reader = ClueReader(compiled, clue_spots(compiled))
        reader.clue_values(next(a for a in answers(compiled) if len(by_family(compiled, a)["f"]) > 3))
    (fault,) = caught.value.diagnostics
    assert fault.code == "E445" and said in fault.message


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("clue nothing[1] = count of f", "E114"),
        ("clue told[1] = count of h", "E102"),
        ("clue told[f] = 1", "E101"),
        ("clue told[i, j] = count of f where x = 1 for i, j in 1..3", "E101"),
    ],
)
def test_names_are_checked(line: str, code: str) -> None:
    with pytest.raises(ModelErrors) as caught:
        model(line)
    assert caught.value.diagnostics[0].code == code


def test_clue_is_a_name_wherever_no_param_follows() -> None:
    found = covr.loads(
        """
        param clue = grid(1, 2) \"""1.\"""
        choose f(x) for x in frame(clue)
        exactly clue[x] f per x in clue
        exactly 0 f per x in frame(clue) where x not in clue
        clue clue[y] = count of f where x = y for y in clue
        clue clue[x] = count of f for x in clue
        show "o" of f at x
        clue clue[y] = count of f where x = y for y in clue else "?"
        expect unique
        """
    )
    assert found.count() == 1
