"""The progress of a run, read from its file, even while another process works on it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from covr.compiler.lower.stages import StageValue
from covr.engine.pieces.ledger import Totals
from covr.frozen import frozen
from covr.runs.contents import Contents
from covr.runs.lock import holder, is_held
from covr.runs.question import RecordedQuestion, goals_of, name_of, question_of, stages_told, value_of
from covr.runs.reading import read_contents


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
        stages=stages_told(contents.about, best[-1].cost if best else None, bound),
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
    from covr.output.stream import goal_fields

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
