"""A run becomes a folder of pieces, and these are a tree."""

from __future__ import annotations

import heapq
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from covr.dsl.diagnostics import ModelErrors
from covr.engine.pieces.ledger import Ask, Improved, Nobody, PieceBudget, PieceResult, Task
from covr.engine.pieces.piece import Finished, Going, Pieces, Report
from covr.engine.pieces.piece_search import ALONE, TELLING
from covr.engine.pieces.piece_work import MOST_PARTS
from covr.engine.search import Answer
from covr.faults import usage_error
from covr.questions.options import Options
from covr.runs.folder.claims import Claims
from covr.runs.folder.results import DamagedResult, Head, already, make, read
from covr.runs.question import RecordedQuestion, how_of, model_of, question_of
from covr.runs.record import open_record, read_contents
from covr.runs.recorded import RecordedRun

# --- The pieces of a folder as a tree: those that it began with, and the parts of those that were cut since -----------


class PieceTree:
    """The pieces of a folder, as far as they were looked at. damaged: results that can't be read; their pieces count as
    open."""

    def __init__(self, head: Head) -> None:
        self._head = head
        self._over: set[str] = set()  # names of pieces that are done, with all of their parts
        self._parts: dict[str, tuple[Task, ...]] = {}  # per name of a piece that is cut
        self.damaged: dict[str, DamagedResult] = {}

    def open_ones(self, root: Task) -> Iterator[Task]:
        """The pieces below this one that are neither done nor cut when they are reached, in documented order."""
        pending = [root]
        while pending:
            task = pending.pop()
            if not self.is_over(task) and not self._look(task):
                yield task
            if not self.is_over(task):
                pending += reversed(self._parts.get(task.name, ()))

    def free(self, root: Task, claims: Claims) -> Task | None:
        """The first open piece below this one at which nobody is at work; None if there is none."""
        for task in self.open_ones(root):
            if not claims.is_held(self._head.key(task)):
                return task
        return None

    def is_over(self, task: Task) -> bool:
        """Whether the piece is known to be done, with all of its parts."""
        return task.name in self._over

    def _look(self, task: Task) -> bool:
        parts = self._parts.get(task.name)
        if parts is None:
            try:
                outcome = read(self._head, task)
            except DamagedResult as fault:
                self.damaged[task.name] = fault
                return False
            self.damaged.pop(task.name, None)
            if outcome is None:
                return False
            if outcome.result.done:
                self._over.add(task.name)
                return True
            self._parts[task.name] = parts = outcome.children
        if all(part.name in self._over for part in parts):
            self._over.add(task.name)
        return True


# --- split -----------------------------------------------------------------------------------------------------------
# A run becomes a folder of pieces: it is cut, in its own file, until enough pieces are open, and these are written.
#
# The run goes on as always (recorded.py), but its workers cut instead of searching: the heaviest pieces first. Only the
# first piece of a new run is searched for a moment, which shows how fast the search is, and ends most short ones.


TRIALS: Final = 20  # pieces of a search for classes that are searched at most, to see how fast it is
ENDING: Final = ".pieces"  # of a folder's name, if none is given


def split(file: Path, number: int, folder: Path, cut_after: float) -> int:
    """Cut a run until so many pieces are open, and make a folder of them. Returns how many there are: the first cut may
    make more, and a small search has fewer.

    cut_after: seconds; a piece that takes much longer is cut again by whoever searches it.
    Raises ModelErrors E701 to E709 as any session of a run does, E711 if there is such a folder, E714 if nothing is
    left to be searched.
    """
    if folder.exists():
        raise already(folder)
    crew = _Cutters(number)
    record = open_record(file)
    try:
        question = question_of(record.contents)
        compiled = model_of(file, record.contents)
        options = Options(seed=question.seed, jobs=1, **how_of(record.contents))
        run = RecordedRun(compiled, options, record, crew)
    except BaseException:
        record.close()
        raise
    crew.run = run
    try:
        _drive(run, question)
    finally:
        run.close()
    contents = read_contents(file)
    stage = max(contents.pieces, default=0)
    if crew.ask is None or not any(p.is_open for p in contents.pieces.get(stage, ())):
        raise nothing_left(file)
    return make(folder, contents, stage, crew.ask, cut_after)


def _drive(run: RecordedRun, question: RecordedQuestion) -> None:
    """Ask the question of the run; what is found is in its file already."""
    if question.command == "count":
        run.count()
    elif run.compiled.goal is not None and not question.listed:
        run.first()
    else:
        for _ in run.answers(limit=question.limit):
            pass


class _Cutters:
    """The workers (engine/pieces/piece.py) of a run that is cut. run: what they stop when enough pieces are open."""

    size = 1
    ahead = 1 << 40  # all pieces that are open
    name = "a split"

    def __init__(self, number: int) -> None:
        self.number = number
        self.run: RecordedRun | None = None
        self.ask: Ask | None = None
        self._pieces: Pieces | None = None
        self._heavy: list[tuple[float, str, Task]] = []  # what may be cut, heaviest first
        self._whole = 0  # how many can't be cut
        self._new: list[tuple[Task, float]] = []  # what is tried first, and for how many seconds
        self._trials = 0
        self._ceiling: int | None = None

    def start(self, pieces: Pieces) -> None:
        self.ask, self._pieces = pieces.ask, pieces
        self._heavy, self._new, self._whole, self._trials, self._ceiling = [], [], 0, 0, None

    def submit(self, task: Task, budget: PieceBudget | None, alone: float | None) -> None:
        if alone is not None and self._trials < TRIALS:
            self._new.append((task, alone))
        else:
            heapq.heappush(self._heavy, (-task.weight, task.name, task))

    def lower(self, ceiling: int) -> None:
        self._ceiling = ceiling if self._ceiling is None else min(ceiling, self._ceiling)

    def reports(self, seconds: float) -> list[Report]:
        if self._pieces is None or self.run is None:
            return []
        if self._new:
            return self._try(*self._new.pop())
        if self._heavy and len(self._heavy) + self._whole < self.number:
            return self._cut()
        self.run.interrupt()
        time.sleep(min(seconds, 0.01))
        return []

    def _try(self, task: Task, alone: float) -> list[Report]:
        assert self._pieces is not None and self.ask is not None
        self._trials += 1
        found: list[Report] = []
        result = self._pieces.search(task.prefix, None, _Finding(self._ceiling, found), alone)
        if (task.name or self.ask.classes is None) and result.seconds * TELLING >= ALONE[self.ask.goal]:
            self._trials = TRIALS  # its pace is known now
            for other, _ in self._new:
                heapq.heappush(self._heavy, (-other.weight, other.name, other))
            self._new.clear()
        return [*found, Finished(task.name, result)]

    def _cut(self) -> list[Report]:
        assert self._pieces is not None
        weight, name, task = heapq.heappop(self._heavy)
        parts = int(min(max(-weight * self.number + 1, 2), MOST_PARTS))
        children, weights, nodes, updates = self._pieces.cut(task.prefix, parts)
        if not children:
            self._whole += 1
            return []
        return [Finished(name, PieceResult(False, nodes=nodes, updates=updates, children=children, weights=weights))]

    def going(self) -> list[Going]:
        return []

    def stop(self) -> None:
        self._pieces = None


class _Finding(Nobody):
    """A watch that reports the better answers of a piece."""

    def __init__(self, ceiling: int | None, found: list[Report]) -> None:
        super().__init__(ceiling)
        self._found = found

    def found(self, best: int, answer: Answer) -> None:
        super().found(best, answer)
        self._found.append(Improved(best, answer))


def nothing_left(file: Path) -> ModelErrors:
    """The error for a run that has no open piece (E714)."""
    return usage_error(
        "E714", f"nothing is left to be searched in `{file}`", help=f"`covr resume {file}` says what was found"
    )
