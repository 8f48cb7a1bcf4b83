"""Answers of a model ↔ answers as a board shows them; a solver's notes, crosses and dots, are ignored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import attrs

from covr.engine import Problem, search
from covr.frozen import frozen
from covr.links.places import Board, Layer, Place, Value
from covr.links.table import Kind, OnBoard
from covr.questions.answer import plain

if TYPE_CHECKING:
    from covr.compiler import Compiled

Mark = tuple[str, Place, Value]  # layer, place and value
Drawn = frozenset[Mark]  # what is drawn


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


@frozen
class DrawnRules:
    """The problem of a model with what is drawn as further items.

    problem: its first items, one for each of `marks`, ask for an option that draws it; the model's own come after.
    others: the options that draw something else.  lost: what no option draws; it has no item.
    """

    problem: Problem
    marks: tuple[Mark, ...]
    others: tuple[int, ...]
    lost: tuple[Mark, ...]

    @property
    def whole(self) -> Problem:
        """The problem whose answers draw all of it, and nothing else. Not for boards on which something is lost."""
        from covr.engine.pieces.split import Prefix, subproblem

        return subproblem(self.problem, Prefix((), self.others))


def drawn_rules(compiled: Compiled, board: Board, kind: Kind) -> DrawnRules:
    """What is drawn on a board, as rules for its model. compiled: the model with the board's params. Linear time."""
    wanted = drawn_on(board, kind)
    shown = shown_by(board, kind)
    written = {(layer, place) for layer, place, _ in wanted}
    makers: dict[Mark, list[int]] = {mark: [] for mark in sorted(wanted, key=_by_place)}
    others = []
    for option in range(compiled.problem.options):
        made = frozenset(_marks(compiled, option, shown))
        if any(mark[0] not in kind.notes or mark[:2] in written for mark in made - wanted):
            others.append(option)
        for mark in made & wanted:
            makers[mark].append(option)
    lost = tuple(mark for mark, found in makers.items() if not found)
    marks = tuple(mark for mark, found in makers.items() if found)
    problem = _with_items(compiled.problem, [makers[mark] for mark in marks])
    return DrawnRules(problem, marks, tuple(others), lost)


def is_answer(compiled: Compiled, board: Board, kind: Kind) -> bool:
    """Whether what is drawn on a board is an answer of its puzzle. compiled: the model with the board's params."""
    rules = drawn_rules(compiled, board, kind)
    if rules.lost or set(rules.problem.given).intersection(rules.others):
        return False
    return next(search(rules.whole), None) is not None


def _with_items(problem: Problem, holders: Sequence[Sequence[int]]) -> Problem:
    """The problem with items before its own, each of which at least one of some options must hold."""
    more = len(holders)
    held: list[list[int]] = [[] for _ in range(problem.options)]
    for item, options in enumerate(holders):
        for option in options:
            held[option].append(item)
    starts, members, colours = [0], [], []
    for option, new in enumerate(held):
        members += [*new, *(item + more for item in problem.option(option))]
        colours += [*(0 for _ in new), *problem.option_colours(option)]
        starts.append(len(members))
    return attrs.evolve(
        problem.by_all(),
        low=(*(1 for _ in holders), *problem.low),
        high=(*(len(options) for options in holders), *problem.high),
        primary=problem.primary + more,
        starts=starts,
        members=members,
        colours=colours if any(colours) else (),
        item_names=(),
    )


def _by_place(mark: Mark) -> tuple[str, str, str]:
    return mark[0], str(mark[1]), str(mark[2])


def _marks(compiled: Compiled, option: int, shown: Sequence[OnBoard]) -> Iterator[Mark]:
    choice = compiled.choice(option)
    for each in shown:
        if each.family == choice.family:
            for place, value in each.places(*map(plain, choice.args)):
                yield (each.layer, place, value)
