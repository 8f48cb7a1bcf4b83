"""Answers of a model ↔ answers as a board shows them.

A board shows an answer if each place of the layers that the kind calls its answer holds just what the answer's choices
show there. Crosses and dots, which solvers draw as notes, count for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from covr.links.board import Board, Layer, Place, Value
from covr.links.kind import Kind, OnBoard
from covr.questions.values import plain

if TYPE_CHECKING:
    from covr.compiler import Compiled

Drawn = frozenset[tuple[str, Place, Value]]  # what is drawn: layer, place and value


def drawn_on(board: Board, kind: Kind) -> Drawn:
    """The answer that a board shows, finished or not. What the puzzle itself says is no part of it."""
    return frozenset(
        (name, place, value)
        for name in {shown.layer for shown in shown_by(board, kind)}
        for place, value in board.layer(name).items()
    )


def shown_by(board: Board, kind: Kind) -> Sequence[OnBoard]:
    """What the choices of a model are on this board."""
    return kind.answer(board) if callable(kind.answer) else kind.answer


def drawn_by(compiled: Compiled, answer: Sequence[int], board: Board, kind: Kind) -> Drawn:
    """What an answer of the model draws on the board of its puzzle. answer: the numbers of its options."""
    shown = shown_by(board, kind)
    return frozenset(mark for option in answer for mark in _marks(compiled, option, shown))


def answer_layers(drawn: Drawn) -> Mapping[str, Layer]:
    """What is drawn, by layers, as a board holds it."""
    layers: dict[str, dict[Place, Value]] = {}
    for name, place, value in drawn:
        layers.setdefault(name, {})[place] = value
    return layers


def is_answer(compiled: Compiled, board: Board, kind: Kind) -> bool:
    """Whether what is drawn on a board is an answer of its puzzle.

    The model is searched for answers that draw this and nothing else. compiled: the model with the board's params.
    """
    from covr.engine import search
    from covr.engine.pieces.split import Prefix, subproblem

    wanted = drawn_on(board, kind)
    shown = shown_by(board, kind)
    marks = {o: frozenset(_marks(compiled, o, shown)) for o in range(compiled.problem.options)}
    makers: dict[tuple[str, Place, Value], list[int]] = {mark: [] for mark in wanted}
    wrong = []
    for option, made in marks.items():
        if not made <= wanted:
            wrong.append(option)
            continue
        for mark in made:
            makers[mark].append(option)
    if any(not found for found in makers.values()):
        return False
    given = {found[0] for found in makers.values() if len(found) == 1}
    if given.intersection(wrong) or set(compiled.problem.given).intersection(wrong):
        return False
    restricted = subproblem(compiled.problem, Prefix(tuple(given), tuple(wrong)))
    return any(drawn_by(compiled, answer, board, kind) == wanted for answer in search(restricted))


def _marks(compiled: Compiled, option: int, shown: Sequence[OnBoard]) -> Iterator[tuple[str, Place, Value]]:
    choice = compiled.choice(option)
    for each in shown:
        if each.family == choice.family:
            for place, value in each.places(*map(plain, choice.args)):
                yield (each.layer, place, value)
