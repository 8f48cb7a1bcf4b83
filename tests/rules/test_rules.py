"""Every filling of tiny boards: the answers of a kind's model are those that the rule, told anew, allows; each once."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from covr.compiler import Compiled, compile_model
from covr.inputs.library import open_model
from covr.links.answers import drawn_by
from covr.links.board import SECRET, Board
from covr.links.kind import Kind
from covr.links.table import kinds
from covr.questions.options import Options
from covr.questions.run import Run
from tests.rules.drawn import SIZES, draw_board, fillings, many, pen
from tests.rules.loops import LOOPS
from tests.rules.numbers import NUMBERS
from tests.rules.regions import REGIONS
from tests.rules.shading import SHADING
from tests.rules.sheet import Sheet, marks

RULES = {**SHADING, **LOOPS, **NUMBERS, **REGIONS}
MOST = 700  # fillings of a board that are looked at; `--slow` looks at more
MOST_SLOW = 4096


def boards(kind: Kind, each: int) -> Iterator[Board]:
    """Tiny boards of a kind, so many of each size."""
    random = Random(kind.name)
    for high, wide in SIZES:
        for _ in range(each):
            board = draw_board(kind, random, high, wide)
            if board is None:
                break
            yield board


def answers(compiled: Compiled) -> list[tuple[int, ...]]:
    return list(Run(compiled, Options()).answers())


def test_every_kind_has_a_rule() -> None:
    assert set(RULES) == set(kinds())


@pytest.mark.parametrize("kind", kinds().values(), ids=list(kinds()))
def test_the_answers_are_what_the_rule_allows(kind: Kind, slow: bool) -> None:
    for board in boards(kind, 12 if slow else 1):
        what = pen(kind, board)
        if many(what) > (MOST_SLOW if slow else MOST) or SECRET in board.layer("clue").values() and callable(kind.answer):
            continue
        sheet = Sheet(board)
        right = {marks(row) for row in fillings(what) if RULES[kind.name](sheet, row)}
        compiled = compile_model(open_model(kind.model), kind.params(board))
        found = [frozenset(drawn_by(compiled, one, board, kind)) for one in answers(compiled)]
        within = {each for each in found if all((layer, place) in what and value in what[layer, place] for layer, place, value in each)}
        assert within == right, board
        assert len(found) == len(set(found)), board
