"""A puzzle whose clues are data that rules read, as a `MadePuzzle`: the model with these data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covr.compiler import Choice
from covr.compiler.evaluate.values import abbreviate
from covr.engine.base.limits import Limits
from covr.engine.dispatch import search
from covr.engine.puzzles.puzzle_attempts import Attempt
from covr.faults import usage_error
from covr.questions.answer import Answer
from covr.questions.made_puzzle import MadePuzzle
from covr.questions.puzzle_records import recorded

if TYPE_CHECKING:
    from covr.questions.clue_maker import ClueMaker


def told_puzzle(maker: ClueMaker, attempt: Attempt, named: bool) -> MadePuzzle:
    """The puzzle of an attempt, with the only answer of the model that has its clues as data. named: as `recorded`
    takes it."""
    puzzle = maker.with_clues(attempt.answer, attempt.clues)
    told = maker.reader.told(attempt.answer)
    (answer,) = search(puzzle.problem, limits=Limits(answers=2))
    clues = []
    for at in attempt.clues:
        spot = maker.spots[at]
        where = spot.key if isinstance(spot.key, tuple) else (spot.key,)
        clues.append(Choice(spot.param, (*where, told[at]), at))
    made = MadePuzzle(
        compiled=puzzle,
        clues=tuple(clues),
        answer=Answer(puzzle, answer),
        line="",
        record="",
        minimal=attempt.minimal,
        bound=attempt.bound,
        grade=attempt.grade,
    )
    told_made = recorded(made, dict.fromkeys(spot.param for spot in maker.spots), named)
    if not told_made.readable:
        names = " and ".join(f"`{name}`" for name in dict.fromkeys(spot.param for spot in maker.spots))
        text = abbreviate(told_made.record)
        raise usage_error(
            "E445",
            f"the clues of a puzzle can't be written so that {names} would be read back: {text}",
            help="let the `clue` say other words, without signs that have a meaning in such data",
        )
    return told_made
