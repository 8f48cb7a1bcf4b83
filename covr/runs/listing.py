"""The answers in a run file, in documented order: those of the finished pieces, or the best one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import define, field

from covr.engine.base.status import Counters, Status
from covr.faults import usage_error
from covr.questions.options import Options
from covr.runs.contents import Contents, OptionNumbers, PieceRow
from covr.runs.question import question_of
from covr.runs.reading import read_answers

if TYPE_CHECKING:
    from covr.questions.found import Best
    from covr.questions.verify import Verified


@define
class Listing:
    """The answers of a run that are in its file.

    complete: whether these are all answers of the problem.  best: whether this is only one answer, the best so far.
    proved: whether it is proved that none is better.
    """

    file: Path
    contents: Contents
    complete: bool
    best: bool = False
    proved: bool = False
    bound: int | None = None
    _leaves: Sequence[PieceRow] = field(factory=tuple)
    _stage: int = 0

    def __iter__(self) -> Iterator[OptionNumbers]:
        if self.best:
            yield from (found.answer for found in self.contents.best.get(0, ())[-1:])
            return
        for piece in self._leaves:
            if piece.count:
                yield from read_answers(self.file, self._stage, piece.name)


def listing(file: Path, contents: Contents) -> Listing:
    """The answers in a run file. Raises ModelErrors E708 for a run that only counts."""
    question = question_of(contents)
    if question.command == "count":
        raise usage_error(
            "E708", f"`{file}` counts: it holds no answers", help="`covr solve MODEL --all --run FILE` keeps them"
        )
    goal = json.loads(contents.about["goal"])
    stage = 0 if goal is None else 1
    pieces = contents.pieces.get(stage, ())
    if goal is not None and not any(p.count for p in pieces):
        totals = contents.totals(0)
        over = bool(contents.pieces.get(0)) and not any(p.is_open for p in contents.pieces[0])
        return Listing(file, contents, over and not question.listed, True, over, totals.best if over else None)
    leaves = sorted((p for p in pieces if not p.is_open and not p.children), key=lambda p: p.name)
    complete = bool(pieces) and not any(p.is_open for p in pieces)
    return Listing(file, contents, complete, False, True, leaves=leaves, stage=stage)


@define
class ListedRun:
    """A run that is read from its file, as an `Ending` for writers. It does not search, so its work is always 0.

    whole: whether the answers shown are all answers of the problem.
    """

    options: Options = field(factory=Options)
    best: Best | None = None
    whole: bool = False
    bound: int | None = None
    reached: str | None = None
    fraction: float | None = None
    verified: Verified | None = None
    lacks_sat: bool = False
    counters: Counters = field(factory=Counters)
    session_nodes: int = 0
    seconds: float = 0.0
    engine: str = ""

    @property
    def status(self) -> Status:
        """As of `Run`."""
        return Status.EXHAUSTED if self.whole else Status.SOLVED

    @property
    def complete(self) -> bool:
        """As of `Run`."""
        return self.whole
