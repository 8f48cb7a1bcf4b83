"""Nonograms wider than the one in the gallery: as many answers as brute force finds, and most without guessing."""

from __future__ import annotations

import random
from itertools import groupby, product

import pytest

from covr.api.model import Model, load
from covr.engine import Limits, Settings, Status, search
from covr.engine.portfolio import EARLY, LINKED
from covr.engine.settings import USUAL_PACE
from covr.engine.turns import NODE
from tests.each import each
from tests.shared import seeds

Line = tuple[bool, ...]
SOON = USUAL_PACE.first.turn // (EARLY * LINKED * NODE)  # nodes of the first turn on links


def blocks(line: Line) -> str:
    """The numbers before a line."""
    return " ".join(str(len(list(run))) for black, run in groupby(line) if black)


def board(rows: list[Line]) -> Model:
    """The puzzle that a picture answers."""
    return load("nonogram", rows=[blocks(r) for r in rows], columns=[blocks(c) for c in zip(*rows, strict=True)])


def test_blocks_of_a_wide_board_are_in_order_and_apart() -> None:
    """Beyond the ninth square as well."""
    wide = tuple(c in (10, 12) for c in range(1, 13))
    assert board([wide]).count() == 1
    touching = load("nonogram", rows=["1 1"], columns=[*[""] * 9, "1", "1", ""])
    assert touching.count() == 0


@each("seed", seeds(12))
def test_two_rows_have_as_many_answers_as_brute_force_finds(seed: int) -> None:
    draw = random.Random(seed)
    width = draw.randint(10, 13)
    rows = [tuple(draw.random() < 0.6 for _ in range(width)) for _ in range(2)]
    columns = [blocks(c) for c in zip(*rows, strict=True)]
    every = list(product((False, True), repeat=width))
    fitting = [[line for line in every if blocks(line) == blocks(row)] for row in rows]
    found = sum(
        all(blocks(c) == told for c, told in zip(zip(*pair, strict=True), columns, strict=True))
        for pair in product(*fitting)
    )
    assert board(rows).count() == found


def smooth(draw: random.Random, n: int) -> list[Line]:
    """A random picture with long blocks."""
    cells = list(product(range(n), repeat=2))
    black = {x for x in cells if draw.random() < 0.53}
    for _ in range(2):
        around = {(r, c): sum((r + i, c + j) in black for i, j in product((-1, 0, 1), repeat=2)) for r, c in cells}
        black = {x for x in cells if around[x] + draw.random() > 4.9}
    return [tuple((r, c) in black for c in range(n)) for r in range(n)]


@pytest.mark.parametrize("seed", [2, 20, 22])
def test_what_blocks_must_cover_decides_most_boards(seed: int) -> None:
    """Without that, thousands of nodes would be searched."""
    problem = board(smooth(random.Random(seed), 20)).compiled.problem
    run = search(problem, limits=Limits(answers=2))
    assert len(list(run)) == 1
    assert run.status is Status.EXHAUSTED
    assert SOON < run.counters.nodes < SOON + problem.options + problem.primary


def test_what_the_first_nodes_leave_open_is_decided_by_weighing_items() -> None:
    """Dropping options in Python took five times as long as this whole search."""
    problem = board(smooth(random.Random(2), 20)).compiled.problem
    run = search(problem, limits=Limits(answers=2))
    assert len(list(run)) == 1 and run.status is Status.EXHAUSTED
    assert run.engine.startswith("items weighed by dead ends (")
    assert run.counters.nodes == SOON + 699


def test_an_answer_that_comes_soon_is_found_on_links() -> None:
    """Sets take ten times as long to prepare; the answer and the nodes are the same."""
    problem = load("nonogram").compiled.problem
    run = search(problem, limits=Limits(answers=1))
    other = search(problem, settings=Settings(engine="bits"))
    assert list(run) == [next(iter(other))]
    assert run.engine.startswith("dancing links, exact cover (") and run.counters.nodes < SOON
