"""How far a run is, read from its file, and the answers in it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import define, field

from covr.compiler.lower.lowered import StageValue
from covr.engine.base.limits import Counters, Status
from covr.engine.pieces.ledger import Totals
from covr.faults import usage_error
from covr.frozen import frozen
from covr.questions.options import Options
from covr.runs.contents import Contents, OptionNumbers, PieceRow, holder, is_held
from covr.runs.question import RecordedQuestion, goal_values, goals_of, name_of, question_of, value_of
from covr.runs.record import read_answers, read_contents

if TYPE_CHECKING:
    from covr.questions.run import Best
    from covr.questions.verify import Verified

# --- The answers in a run file, in documented order: those of the finished pieces, or the best one --------------------


@define
class Listing:
    """The answers of a run that are in its file.

    complete: whether these are all.  best: whether this is the best one so far, and proved: whether none is better.
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
    """A run that is read from its file, as an `Ending` for writers. whole: whether it has all answers."""

    options: Options = field(factory=Options)
    best: Best | None = None
    whole: bool = False
    bound: int | None = None
    reached: str | None = None
    fraction: float | None = None
    verified: Verified | None = None
    lacks_clingo: bool = False
    counters: Counters = field(factory=Counters)
    session_nodes: int = 0
    seconds: float = 0.0
    engine: str = ""

    @property
    def status(self) -> Status:
        return Status.EXHAUSTED if self.whole else Status.SOLVED

    @property
    def complete(self) -> bool:
        return self.whole


# --- The progress of a run, read from its file, even while another process works on it --------------------------------


@frozen
class Standing:
    """The progress of a run.

    state: `running`; `done`; `new`; or what ended its last session: `limit`, `interrupted`, `solved` (as many answers
        as were wanted), `killed`.
    process: the number of the process that runs it, or None.  sessions, seconds: how many sessions there were, and how
    long they took together.  stage: the current search: `minimum`, `list` or `count`.  fraction: how much of its tree
    is done, from 0 to 1.  best, bound: for a model with a goal, as values of the goal.  answers: how many are counted
    or listed; None for a minimum.
    goals, stages: how many goals there are in order, and of several the value of each in the best answer, with what is
    proved of it.
    done, open, cuts: how many pieces are finished, open and cut.  nodes, wasted: the nodes searched so far, and those
    that had to be searched again.
    left: seconds, at the pace so far.  written: when the last piece was written, in seconds since 1970.
    """

    question: RecordedQuestion
    model: str
    title: str
    state: str
    process: int | None
    sessions: int
    seconds: float
    stage: str
    fraction: float
    answers: int | None
    best: int | None
    bound: int | None
    goals: int
    stages: tuple[StageValue, ...]
    done: int
    open: int
    cuts: int
    nodes: int
    wasted: int
    left: float | None
    written: float

    @property
    def rate(self) -> float:
        """Nodes per second, over all sessions."""
        return (self.nodes + self.wasted) / self.seconds if self.seconds > 0 else 0.0


def standing(file: Path) -> Standing:
    """The progress of the run in a file, as of its last transaction. Raises ModelErrors E701, E703, E704, E707."""
    import json

    running = is_held(file)
    contents = read_contents(file)
    question, seal = question_of(contents), contents.seal
    goal = json.loads(contents.about["goal"])
    number = max(contents.pieces, default=0)
    totals = contents.totals(number)
    pieces = contents.pieces.get(number, ())
    minimum = goal is not None and number == 0
    best = contents.best.get(0, ())
    bound = _bound(contents, totals) if minimum else (best[-1].cost if best else None)
    every = [contents.totals(k) for k in contents.pieces]
    seconds = seal.seconds + (max(time.time() - seal.written, 0.0) if running else 0.0)
    left = None
    if 0.001 <= totals.weight < 1 and seconds > 0:
        left = seconds * (1 - totals.weight) / totals.weight
    return Standing(
        question=question,
        model=name_of(contents),
        title=contents.about["title"],
        state=_state(seal.status, running),
        process=holder(file) if running else None,
        sessions=seal.sessions,
        seconds=seconds,
        stage="minimum" if minimum else ("count" if question.command == "count" else "list"),
        fraction=min(totals.weight, 1.0) if any(p.is_open for p in pieces) or not pieces else 1.0,
        answers=None if minimum else totals.count,
        best=value_of(contents.about, best[-1].cost) if best else None,
        bound=None if bound is None else value_of(contents.about, bound),
        goals=goals_of(contents.about),
        stages=goal_values(contents.about, best[-1].cost if best else None, bound),
        done=totals.pieces,
        open=sum(p.is_open for p in pieces) if pieces else 1,
        cuts=totals.cuts,
        nodes=sum(t.nodes for t in every),
        wasted=sum(t.wasted for t in every),
        left=left,
        written=seal.written,
    )


def _state(status: str, running: bool) -> str:
    if running:
        return "running"
    return {"running": "killed", "exhausted": "done"}.get(status, status)


def _bound(contents: Contents, totals: Totals) -> int | None:
    """The proved lower bound, like `Ledger.bound`."""
    open_ones = [piece.bound for piece in contents.pieces.get(0, ()) if piece.is_open]
    known = [b for b in (*open_ones, totals.bound, totals.best) if b is not None]
    return None if None in open_ones or not contents.pieces.get(0) else min(known, default=None)


def as_json(standing: Standing) -> dict[str, Any]:
    """The fields of `covr status --json`."""
    from covr.output.writers import goal_fields

    return {
        "command": standing.question.words,
        "model": standing.model,
        "title": standing.title,
        "state": standing.state,
        "process": standing.process,
        "sessions": standing.sessions,
        "seconds": round(standing.seconds, 3),
        "stage": standing.stage,
        "fraction": round(standing.fraction, 9),
        "answers": standing.answers,
        "best": standing.best,
        "bound": standing.bound,
        **goal_fields(standing.stages),
        "pieces": {"done": standing.done, "open": standing.open, "cut": standing.cuts},
        "nodes": standing.nodes,
        "wasted": standing.wasted,
        "rate": round(standing.rate),
        "left": None if standing.left is None else round(standing.left, 1),
        "written": round(standing.written, 3),
    }
