"""A run becomes a folder of pieces, and processes answer these, each beside any number of others.

A process claims a piece, searches it as a piece of a run is searched (engine/pieces/), and writes what came of it. A
piece that takes long is cut, and any process may take its parts. So no process hands out work:

- a process takes the parts of its own piece first, and then, if it is to, free ones of all others;
- one that finds none waits, and says so. Those at work then cut their pieces, unless more than half is done;
- a piece with which two processes were lost is cut before it is searched, so that it fits into a limit of time.
"""

from __future__ import annotations

import heapq
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attrs import define, evolve

from covr.dsl.diagnostics import ModelErrors
from covr.engine.base.limits import LimitReached, Status, limits_checked_by
from covr.engine.pieces.ledger import Ask, Improved, Nobody, PieceBudget, PieceResult, Task
from covr.engine.pieces.piece import Finished, Going, Pieces, Report
from covr.engine.pieces.piece_search import ALONE, TELLING
from covr.engine.pieces.piece_work import MOST_PARTS
from covr.engine.search import Answer
from covr.faults import usage_error
from covr.questions.options import Options
from covr.runs import folder_claims as claims
from covr.runs import folder_results as results
from covr.runs import record
from covr.runs.folder_claims import Claims
from covr.runs.folder_results import HEAD, Bests, DamagedResult, Head, already, make, read, unwritable
from covr.runs.question import RecordedQuestion, how_of, model_of, question_of
from covr.runs.record import damaged, open_record, read_contents
from covr.runs.recorded import RecordedRun, ask_of

if TYPE_CHECKING:
    from covr.compiler import Compiled

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
        """The first open piece below this one that no process works at; None if there is none."""
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

    cut_after: seconds; a piece that takes much longer is cut again by the process that searches it.
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


# --- work -------------------------------------------------------------------------------------------------------------


PARTS: Final = 16  # what a piece is cut into for those that wait
LOST: Final = 2  # processes that are lost with a piece before it is cut
DONE_ENOUGH: Final = 0.5  # share of a piece: with more of it done, it is not cut for those that wait
POLL: Final = 2.0  # seconds between two looks of a process that waits for work


@define
class Worked:
    """What a process did. number: of its piece, from 1; None if there was none for it.  done, cut: how many pieces.
    nodes: that it searched.  over: whether its piece is done as a whole.  others: whether others are at work on what is
    left.  status: `exhausted`, or what ended it: a limit or an interrupt."""

    number: int | None = None
    done: int = 0
    cut: int = 0
    nodes: int = 0
    over: bool = False
    others: bool = False
    status: Status = Status.EXHAUSTED


class FolderWorker:
    """A process that answers pieces."""

    def __init__(self, head: Head, limit_time: float | None = None) -> None:
        """Compile the model that the folder holds. limit_time: seconds, from now. Raises ModelErrors E709."""
        self.head = head
        self._until = None if limit_time is None else time.monotonic() + limit_time
        self._stop = False
        self.worked = Worked()
        self._tree = PieceTree(head)
        self._compiled = compiled = model_of(head.folder / HEAD, head.contents)
        self._pieces = Pieces(compiled.problem, self._ask(compiled))
        self._bests = Bests(head, compiled.problem)
        self._hungry = claims.Hungry(head.folder)

    def _ask(self, compiled: Compiled) -> Ask:
        head = self.head
        options = Options(seed=question_of(head.contents).seed, jobs=1, **how_of(head.contents))
        kept, symmetry = head.contents.about.get(record.KEY), compiled.symmetry
        parts = None
        if kept is not None and symmetry is not None and not head.minimum:
            parts = record.classes_of(kept, symmetry.group(), compiled.problem, head.folder / HEAD)
        return ask_of(compiled, head.goal, evolve(options.settings(head.ceiling), jobs=1), parts)

    def interrupt(self) -> None:
        self._stop = True

    def run(self, number: int | None, others: bool = False) -> Worked:
        """Answer a piece, by default the first free one. others: then all other free ones. Raises ModelErrors E706,
        E712."""
        tasks, worked = self.head.tasks, self.worked
        if number is not None and not 1 <= number <= len(tasks):
            raise no_piece(self.head, number)
        try:
            if number is None and not others:
                number = self._first_free()
            if number is not None:
                worked.number = number
                self._work_on([tasks[number - 1]], wait=False)
                worked.over = self._is_over(tasks[number - 1])
            if others and not self._ended:
                self._work_on(random.sample(tasks, len(tasks)), wait=True)
                worked.over = all(map(self._is_over, tasks))
            if number is None and not others:
                worked.over = all(map(self._is_over, tasks))
        except OSError as error:
            raise unwritable(self.head.folder, error) from None
        finally:
            self._hungry.unsay()
        if self._ended and not worked.over:
            worked.status = Status.INTERRUPTED if self._stop else Status.LIMIT
        worked.others = not worked.over and not self._ended
        return worked

    # --- which piece is next ---

    def _first_free(self) -> int | None:
        """The number of the first piece that no process works at; if there is none, of the first with a free part."""
        held = claims.Claims(self.head.folder)
        second = None
        for number, root in enumerate(self.head.tasks, 1):
            taken = [held.is_held(self.head.key(task)) for task in self._tree.open_ones(root)]
            if taken and not any(taken):
                return number
            if second is None and not all(taken):
                second = number
        return second

    def _work_on(self, roots: list[Task], wait: bool) -> None:
        """Answer the free pieces below these. wait: until all are done, by whomever."""
        while not self._ended:
            held = claims.Claims(self.head.folder)
            task = next((t for root in roots if (t := self._tree.free(root, held)) is not None), None)
            if task is not None:
                self._hungry.unsay()
                self._take(task)
                continue
            roots = [root for root in roots if not self._is_over(root)]
            if not roots or not wait:
                return
            self._hungry.say()
            time.sleep(POLL)

    def _is_over(self, root: Task) -> bool:
        return next(self._tree.open_ones(root), None) is None

    @property
    def _ended(self) -> bool:
        return self._stop or (self._until is not None and time.monotonic() >= self._until)

    # --- a piece ---

    def _take(self, task: Task) -> None:
        """Claim a piece and answer it, if nobody else is quicker."""
        head = self.head
        key = head.key(task)
        claim = claims.take(head.folder, key)
        if claim is None:
            return
        with claim:
            if self._has_result(task):  # written by another since this one looked
                return
            self._bests.look(at_once=True)
            result = self._answer(task, claim)
            if result is None:
                return
            if head.minimum:
                result = evolve(result, best=self._bests.cost, answer=self._bests.answer)
            if results.write(head, task, result):
                self.worked.done += result.done
                self.worked.cut += not result.done
            claims.clear(head.folder, key)
        self.worked.nodes += result.nodes + result.wasted

    def _has_result(self, task: Task) -> bool:
        try:
            return results.read(self.head, task) is not None
        except results.DamagedResult:
            return False

    def _answer(self, task: Task, claim: claims.Claim) -> PieceResult | None:
        """What comes of a piece; None if this process is to end first. Raises ModelErrors E704."""
        if not self._pieces.knows(task.prefix):
            raise damaged(self.head.folder / HEAD, "a piece names choices that there are not")
        best = self._bests.cost
        if self.head.minimum and best is not None and task.bound is not None and task.bound >= best:
            return PieceResult(True, bound=task.bound)
        if claim.lost >= LOST and (cut := self._cut(task, PieceResult(False))) is not None:
            return cut
        result, hurried = self._search(task, claim, True)
        if hurried and result is not None:
            return self._cut(task, result) or self._search(task, claim, False)[0]
        return result

    def _search(self, task: Task, claim: claims.Claim, hurry: bool) -> tuple[PieceResult | None, bool]:
        """Search a piece. hurry: cut it if others wait. Returns what came of it, and whether it is to be cut."""
        watch = _PieceWatch(self, claim, hurry)
        budget = self.head.budget
        alone = self.head.cut_after if budget is None else None
        try:
            with limits_checked_by(lambda: Status.INTERRUPTED if self._ended else None):
                result = self._pieces.search(task.prefix, budget, watch, alone)
        except LimitReached:
            return None, False
        if result.done or result.is_cut:
            return result, False
        return (result, True) if watch.hurried else (None, False)

    def _cut(self, task: Task, spent: PieceResult) -> PieceResult | None:
        """A piece that is cut without being searched to its end; None if it can't be cut."""
        if not task.name and self._pieces.ask.classes is not None:
            return None  # its parts are made by its search
        children, weights, nodes, updates = self._pieces.cut(task.prefix, PARTS)
        if not children:
            return None
        return evolve(spent, children=children, weights=weights, nodes=nodes, updates=updates, wasted=spent.nodes)


class _PieceWatch:
    """Watches the search of a piece (engine/pieces/ledger.py)."""

    def __init__(self, worker: FolderWorker, claim: claims.Claim, hurry: bool) -> None:
        self._worker, self._claim, self._hurry = worker, claim, hurry
        self.hurried = False

    def goes_on(self, nodes: int, fraction: float | None) -> bool:
        if self._worker._ended:
            return False
        if self._hurry and self._claim.hungry and fraction is not None and fraction < DONE_ENOUGH:
            self.hurried = True
            return False
        return True

    def proved(self, bound: int) -> None:
        pass

    def ceiling(self) -> int | None:
        bests = self._worker._bests
        bests.look()
        return None if bests.cost is None else bests.cost - 1

    def found(self, best: int, answer: Answer) -> None:
        self._worker._bests.offer(best, answer)


def no_piece(head: Head, number: int) -> ModelErrors:
    """The error for a number of no piece (E712)."""
    many = len(head.tasks)
    return usage_error(
        "E712", f"there is no piece {number} in `{head.folder}`",
        help=f"they are numbered from 1 to {many}, as in `--array=1-{many}`",
    )  # fmt: skip
