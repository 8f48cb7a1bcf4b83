"""The workers that search the pieces of a run: threads of this process, or others with the same methods (`Workers`).

The kernels release the GIL, so that threads search in parallel. All threads report through one queue. A better answer
is in the queue before anything that was proved with its help, and is therefore put on record before it.
"""

from __future__ import annotations

from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Protocol

from attrs import define

from covr.engine.base.heed import Stopped, heeding
from covr.engine.base.jobs import threads
from covr.engine.base.status import Status
from covr.engine.pieces.ledger import Improved, Task
from covr.engine.pieces.piece import Pieces
from covr.engine.pieces.piece_values import PieceBudget, PieceResult
from covr.engine.search import Answer
from covr.frozen import frozen

AHEAD = 2  # pieces that a worker has at a time, so that it need not wait for the next one


@frozen
class Finished:
    """The report that a worker is done with a piece. result: None if the worker was lost or told to stop; what it had
    proved of a minimum by then is in `bound`."""

    name: str
    result: PieceResult | None
    fault: BaseException | None = None
    bound: int | None = None


Report = Finished | Improved


@frozen
class Going:
    """A piece that is being searched. fraction: how much of it is done, from 0 to 1, as far as known.  bound: for a
    minimum, a proved lower bound on the cost of its answers; None if none is known."""

    name: str
    nodes: int
    fraction: float
    bound: int | None = None


class Workers(Protocol):
    """The interface of all kinds of workers. All calls come from one thread."""

    @property
    def size(self) -> int:
        """How many pieces are searched at the same time; it may change."""

    @property
    def ahead(self) -> int:
        """How many pieces they should be given in all, including those being searched, so that no worker waits."""

    @property
    def name(self) -> str:
        """The workers in words, such as `2 threads`."""

    def start(self, pieces: Pieces) -> None:
        """Prepare for the pieces of one search."""

    def submit(self, task: Task, budget: PieceBudget | None, alone: float | None) -> None:
        """Have a piece searched: `Pieces.search` with these arguments."""

    def lower(self, ceiling: int) -> None:
        """For a minimum: let all workers look only for answers of at most this cost."""

    def reports(self, seconds: float) -> list[Report]:
        """What was found and finished since the last call; waits at most so many seconds for the first report."""

    def going(self) -> list[Going]:
        """The pieces that are being searched, with their progress."""

    def stop(self) -> None:
        """Stop the workers at once, and wait until they have stopped."""


@define
class _WorkerWatch:
    """The `Watch` (piece_values.py) of a thread."""

    crew: Threads
    name: str
    nodes: int = 0
    fraction: float = 0.0
    bound: int | None = None

    def goes_on(self, nodes: int, fraction: float | None) -> bool:
        self.nodes, self.fraction = nodes, fraction or 0.0
        return not self.crew.over.is_set()

    def proved(self, bound: int) -> None:
        self.bound = bound

    def ceiling(self) -> int | None:
        return self.crew.ceiling

    def found(self, best: int, answer: Answer) -> None:
        self.crew.queue.put(Improved(best, answer))
        self.crew.offer(best - 1)


class Threads:
    """Workers that are threads of this process.

    ceiling: the most an answer may cost, shared by the threads. They lower it themselves, so that it takes effect
    before the better answer is on record.
    """

    def __init__(self, jobs: int | None) -> None:
        """jobs: as in jobs.py."""
        self.size = size = threads(jobs)
        self.ahead = AHEAD * size
        self.name = f"{size} thread{'' if size == 1 else 's'}"
        self.ceiling: int | None = None
        self.over = Event()
        self.queue: SimpleQueue[Report] = SimpleQueue()
        self._threads: list[Thread] = []
        self._watches: dict[str, _WorkerWatch] = {}

    def start(self, pieces: Pieces) -> None:
        self.over.clear()
        self.ceiling = None
        self._todo: SimpleQueue[tuple[Task, PieceBudget | None, float | None] | None] = SimpleQueue()
        for _ in range(self.size):
            thread = Thread(target=self._work, args=(pieces,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def submit(self, task: Task, budget: PieceBudget | None, alone: float | None) -> None:
        self._todo.put((task, budget, alone))

    def lower(self, ceiling: int) -> None:
        self.offer(ceiling)

    def offer(self, ceiling: int) -> None:
        """Lower the ceiling. A race with another thread may leave it too high for a moment, which only costs time,
        because every result names the ceiling with which it was searched."""
        if self.ceiling is None or ceiling < self.ceiling:
            self.ceiling = ceiling

    def reports(self, seconds: float) -> list[Report]:
        found: list[Report] = []
        try:
            found.append(self.queue.get(timeout=seconds))
            while True:
                found.append(self.queue.get_nowait())
        except Empty:
            return found

    def going(self) -> list[Going]:
        return [Going(w.name, w.nodes, w.fraction, w.bound) for w in tuple(self._watches.values())]

    def stop(self) -> None:
        self.over.set()
        for _ in self._threads:
            self._todo.put(None)
        for thread in self._threads:
            thread.join()
        self._threads.clear()

    def _stopped(self) -> Status | None:
        return Status.INTERRUPTED if self.over.is_set() else None

    def _work(self, pieces: Pieces) -> None:
        """The loop of a thread: search one piece after another."""
        while (next_one := self._todo.get()) is not None and not self.over.is_set():
            task, budget, alone = next_one
            watch = self._watches[task.name] = _WorkerWatch(self, task.name)
            result: PieceResult | None = None
            fault: BaseException | None = None
            try:
                with heeding(self._stopped):
                    result = pieces.search(task.prefix, budget, watch, alone)
            except Stopped:
                result = None
            except BaseException as error:  # raised again in the owner's thread
                fault = error
            bound = watch.bound
            if result is not None and not result.done and not result.is_cut:
                bound, result = result.bound, None
            del self._watches[task.name]
            self.queue.put(Finished(task.name, result, fault, bound))
