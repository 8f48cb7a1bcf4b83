"""A search in pieces, as a `Search`: hands the open pieces of a ledger to workers, and their results to the ledger.

    begin    the first piece is the whole search. It runs alone for `ALONE` seconds, which is enough for most searches.
             If it is not done then, it is cut, and its pace sets the budget of a piece: what takes `SECONDS`
    go on    the workers take pieces from the ledger, two each, so that none has to wait
    end      when no piece is open, at a limit, or on request

All of this happens in a thread of its own, the *clerk*; only the clerk changes the ledger and its store. So a slow
reader of answers does not delay the search. Answers are returned in documented order, each once its piece is in the
store; for a minimum, every better answer is returned once it is in the store. The reader may ask the ledger which
pieces are done; everything else in it belongs to the clerk.

A limit stops the search after the current slices. Unfinished pieces are then dropped, except for better answers of a
minimum; this loses at most a few seconds' work per worker.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from threading import Condition, Thread

from attrs import evolve, field

from covr.engine.base.alone import threads
from covr.engine.base.limits import BRIEF, LOOK, Counters, Limits, Status
from covr.engine.pieces.ledger import Ask, Improved, Ledger, PieceBudget, PieceResult, Totals
from covr.engine.pieces.piece import Finished, Pieces, Threads, Workers
from covr.engine.problem import Problem
from covr.engine.search import NO_LIMITS, Answer, Search
from covr.engine.settings import Settings
from covr.frozen import frozen

ALONE = {"list": 0.25, "count": 0.25, "minimum": 2.0}  # seconds that the first piece may take before it is cut
SECONDS = {"list": 1.0, "count": 1.0, "minimum": 2.0}  # seconds that a piece should take
TELLING = 5  # the pace is told from a piece that takes at least `ALONE` divided by this
CROWD = 200  # workers: one clerk can serve this many with pieces of `SECONDS`; for more workers, pieces are longer
EVEN = 6.0  # budgets: with more than CROWD workers, no piece may take longer, because at the end all wait for the last
BATCH = 0.2  # seconds between two writes, at least
LOST = 5  # workers that may be lost with the same piece before the run fails


def farthest(workers: int) -> float | None:
    """How many budgets a piece may take before it is cut; None for the usual limit (piece_work.py)."""
    return EVEN if workers > CROWD else None


@frozen
class PieceSearchView:
    """The progress of a search in pieces, for other threads. nodes, answers: including those of pieces that are being
    searched.  bound: see `Ledger.bound`.  open: pieces that are not done.  going: pieces that are being searched."""

    totals: Totals = field(factory=Totals)
    fraction: float = 0.0
    nodes: int = 0
    bound: int | None = None
    open: int = 1
    going: int = 0


class PiecedSearch(Search):
    """A `Search` in pieces.

    read: for 'list', reads the answers of a finished piece from the ledger's store; called in the reader's thread.
    """

    def __init__(
        self, problem: Problem, ask: Ask, ledger: Ledger, workers: Workers, limits: Limits = NO_LIMITS,
        read: Callable[[str], Iterator[Answer]] | None = None,
    ) -> None:  # fmt: skip
        """The search does not begin yet. ledger: one for this problem and question; some of its pieces may be done."""
        super().__init__(problem, "minimum" if ask.goal == "minimum" else "all", limits, ask.settings)
        self.ask, self._ledger, self._workers, self._read_piece = ask, ledger, workers, read
        self._nodes_before = ledger.totals.nodes + ledger.totals.wasted
        self._change = Condition()  # notifies the reader when something was written
        self._view = PieceSearchView(ledger.totals, ledger.totals.weight, ledger.totals.nodes, None)
        self._better: deque[Answer] = deque()
        self._fault: BaseException | None = None
        self._next: str | None = ""  # for 'list': the piece that is read next
        self._reader: Iterator[Answer] = iter(())
        self._given = 0
        self._clerk: Thread | None = None
        if ledger.answer is not None:
            self._better.append(ledger.answer)
            self._best = ledger.totals.best

    # --- progress ---

    @property
    def engine(self) -> str:
        return f"{self._ledger.engine or 'pieces'} on {self._workers.name}"

    @property
    def view(self) -> PieceSearchView:
        """The progress, at most a twentieth of a second old."""
        return self._view

    @property
    def counters(self) -> Counters:
        totals = self._view.totals
        answers = self._given if self.ask.goal == "list" else totals.count
        return Counters(self._view.nodes, totals.updates, answers)

    @property
    def best(self) -> int | None:
        return self._best

    @property
    def bound(self) -> int | None:
        if self.goal != "minimum":
            return None
        return self._best if self.status is Status.EXHAUSTED else self._view.bound

    @property
    def fraction(self) -> float | None:
        return 1.0 if self.status is Status.EXHAUSTED else self._view.fraction

    @property
    def session_nodes(self) -> int:
        """Nodes searched since this search began, including those that will be searched again."""
        return self._view.nodes + self._view.totals.wasted - self._nodes_before

    def interrupt(self) -> None:
        self._stop = True

    def halt(self) -> None:
        """Stop, and wait until all workers have stopped; finished pieces are kept. A status of `running` becomes
        `interrupted`; any other stays."""
        self._stop = True
        if self._clerk is not None:
            self._clerk.join()

    # --- reading ---

    def __next__(self) -> Answer:
        if self.goal == "minimum":
            return self._next_better()
        while self._given != self.limits.answers:
            for answer in self._reader:
                self._given += 1
                self._look_at(answer)
                if self._given == self.limits.answers:
                    self.halt()
                    self.status = Status.SOLVED
                return answer
            if not self._next_piece():
                break
        raise StopIteration

    def count(self) -> int:
        self._wait(lambda: False)
        return self._view.totals.count

    def step(self, nodes: int, listing: bool = True) -> bool:
        end = self.counters.nodes + nodes
        self._wait(lambda: self.counters.nodes >= end)
        return self.status is Status.RUNNING

    def _next_better(self) -> Answer:
        self._wait(lambda: bool(self._better))  # answers of earlier sessions are there already
        if not self._better:
            raise StopIteration
        better = self._better.popleft()
        self._look_at(better)
        return better

    def _look_at(self, answer: Answer) -> None:
        """Raise Mistake if this is not an answer, whatever found it and wherever it was stored."""
        if self._checks is not None:
            self._checks([answer])
            if self.problem.costs:
                self._checks.paid(answer)

    def _next_piece(self) -> bool:
        """Go on to the next piece, and wait until it is done. Returns False if there is none."""
        assert self._read_piece is not None
        if self._next is None:
            self._wait(lambda: False)
            return False
        ledger, near = self._ledger, self._next
        self._wait(lambda: ledger.is_done(ledger.leaf(near)))
        name = ledger.leaf(near)
        if not ledger.is_done(name):
            return False
        self._reader = self._read_piece(name)
        self._next = ledger.after(name)
        return True

    def _wait(self, ready: Callable[[], bool]) -> None:
        """Wait until `ready` returns True or the search is over."""
        if self._clerk is None:
            self._clerk = Thread(target=self._work, daemon=True)
            self._clerk.start()
        with self._change:
            while not ready() and self.status is Status.RUNNING:
                self._change.wait(1.0)
        if self._fault is not None:
            fault, self._fault = self._fault, None
            raise fault

    # --- the clerk ---

    def _work(self) -> None:
        status = Status.INTERRUPTED
        try:
            if self._ledger.over:
                self._observe()
                status = Status.EXHAUSTED
                return
            with self._heeding():
                pieces = Pieces(self.problem, self.ask)
            if self.status is not Status.RUNNING:
                status = self.status
                return
            self._workers.start(pieces)
            try:
                with self.clock:
                    status = self._run()
            finally:
                self._workers.stop()
                self._reports(0.0)
                self._flush()
                if self.goal == "minimum":  # pieces that were stopped have proved something, too
                    self._view = evolve(self._view, bound=self._ledger.bound)
        except BaseException as fault:  # the reader raises it
            self._fault = fault
        finally:
            with self._change:
                self.status = status
                self._change.notify_all()

    def _run(self) -> Status:
        ledger, written = self._ledger, 0.0  # written: seconds of the clock at the last write
        if ledger.ceiling is not None:
            self._workers.lower(ledger.ceiling)
        while True:
            self._hand_out()
            self._reports(LOOK)
            if self.seconds - written >= BATCH or len(ledger) == 0:
                written = self.seconds
                self._flush()
            self._observe()
            if ledger.over:
                return Status.EXHAUSTED
            if self._stop:
                return Status.INTERRUPTED
            if self._limited():
                return Status.LIMIT

    def _hand_out(self) -> None:
        """Give the workers enough pieces. The first piece is handed out alone."""
        ledger, far = self._ledger, farthest(self._workers.size)
        while len(ledger.taken) < self._workers.ahead:
            task = ledger.take()
            if task is None:
                return
            alone = ALONE[self.ask.goal] if ledger.budget is None else None
            self._workers.submit(task, ledger.budget and evolve(ledger.budget, far=far), alone)

    def _reports(self, seconds: float) -> None:
        for report in self._workers.reports(seconds):
            if isinstance(report, Improved):
                if self._ledger.improve(report.best, report.answer):
                    self._workers.lower(report.best - 1)
            else:
                self._finished(report)

    def _finished(self, report: Finished) -> None:
        ledger, result = self._ledger, report.result
        if report.fault is not None:
            raise report.fault
        if result is None:
            ledger.learn(report.name, report.bound)
            lost = next((t.lost for t in ledger.taken if t.name == report.name), 0)
            if lost >= LOST:
                raise RuntimeError(f"{LOST} workers were lost with the same piece")
            ledger.give_back(report.name)
            return
        if ledger.budget is None and self._is_telling(report.name, result):
            seconds = max(result.seconds, 1e-3)
            nodes = (result.nodes if result.done else result.wasted) / seconds * SECONDS[self.ask.goal]
            nodes *= max(self._workers.size / CROWD, 1.0)
            ledger.budget = PieceBudget(max(int(nodes), BRIEF))
        ledger.settle(report.name, result)

    def _is_telling(self, name: str, result: PieceResult) -> bool:
        """Whether the pace of the search can be told from this piece. Where classes are wanted, the first piece is not
        searched, and the next may be very small."""
        if self.ask.classes is None:
            return True
        return name != "" and result.seconds * TELLING >= ALONE[self.ask.goal]

    def _flush(self) -> None:
        """Write all changes to the store, and then notify the reader."""
        ledger = self._ledger
        better = ledger.answer if ledger.totals.best != self._best else None
        if not ledger.flush():
            return
        with self._change:
            if better is not None:
                self._best = ledger.totals.best
                self._better.append(better)
            self._change.notify_all()

    def _observe(self) -> None:
        ledger, totals = self._ledger, self._ledger.totals
        going = self._workers.going()
        for one in going:
            ledger.learn(one.name, one.bound)
        weight = {task.name: task.weight for task in ledger.taken}
        ahead = sum(weight.get(g.name, 0.0) * g.fraction for g in going)
        self._view = PieceSearchView(
            totals,
            max(min(totals.weight + ahead, 1.0), self._view.fraction),
            totals.nodes + sum(g.nodes for g in going),
            ledger.bound if self.goal == "minimum" else None,
            len(ledger),
            len(going),
        )

    def _limited(self) -> bool:
        nodes = self.limits.nodes
        return super()._limited() or (nodes is not None and self.session_nodes >= nodes)


def start(problem: Problem, goal: str, limits: Limits, settings: Settings) -> PiecedSearch:
    """As an `Approach` (plan.py): a minimum on several threads. Which of several best answers is found depends on which
    thread is first."""
    ask = Ask("minimum", evolve(settings, jobs=1, symmetries=()))
    return PiecedSearch(problem, ask, Ledger(minimum=True), Threads(threads(settings.jobs)), limits)
