"""What a run has found, and how far it has come, as frozen values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covr.frozen import frozen

if TYPE_CHECKING:
    from covr.compiler.lower.stages import StageValue

OptionNumbers = tuple[int, ...]


@frozen
class Best:
    """The best answer found.  value: the goal's value, None if the model has no goal.
    bound: a value that no answer can beat, as far as is proved.  proved: whether `value` is proved the best there
    is.  stages: the value of each of several goals in order, with what is proved of it; nothing for one goal."""

    answer: OptionNumbers
    value: int | None
    bound: int | None
    proved: bool
    stages: tuple[StageValue, ...] = ()


@frozen
class Count:
    """The result of a count. value: how many answers were counted: all of them if `complete`, else a lower bound."""

    value: int
    complete: bool


@frozen
class Progress:
    """How far a run has come. fraction: how much of the tree of its current search is done, from 0 to 1; None if the
    engine can't tell.  nodes, answers: of all its searches.  best, bound: for a model with a goal, as far as known.
    stages: of several goals in order, the value of each in the best answer, with what is proved of it; nothing for one
    goal, and before there is an answer.
    tried: where puzzles are made, how many attempts there were; `answers` are the puzzles then.
    doing: what is tried now, in words; empty where that is not said.
    steps: of a path of hints, so far; the fraction is that of the choices that are known then."""

    fraction: float | None
    nodes: int
    answers: int
    best: int | None
    bound: int | None
    tried: int | None = None
    steps: int | None = None
    stages: tuple[StageValue, ...] = ()
    doing: str = ""
