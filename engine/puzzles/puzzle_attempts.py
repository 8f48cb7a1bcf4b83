"""Attempts at puzzles, here or in several processes, and how hard a puzzle is."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from queue import SimpleQueue
from random import Random
from threading import Condition, Thread
from time import monotonic
from typing import IO, Any, Protocol

from attrs import evolve

from covr.engine.base.alone import apart
from covr.engine.base.limits import LimitReached, Limits, Status, limits_checked_by
from covr.engine.problem import Problem
from covr.engine.puzzles.clues import RandomAnswers, Uniqueness, Unit, flat, learns, thin, thin_learned
from covr.engine.puzzles.fewest_clues import FewestSearch
from covr.engine.search import Answer
from covr.engine.settings import Settings
from covr.frozen import frozen

# --- hint grade ------------------------------------------------------------------------------------------------------
# How hard a puzzle is, from the sizes of the steps that lead to its answer (proofs/way.py).
#
# The figure is `h + e / (e + 100)`: h is the size of the hardest step, and the effort e is the sum of size - 1 over all
# steps. So puzzles are ordered by their hardest step first, and then by how much there is to do. No further step ever
# makes the figure smaller, so a puzzle that is too hard is recognised before the path ends.


FULL = 100  # the effort at which a grade is half a point above its hardest step


def figure_of(sizes: Iterable[int]) -> float:
    """The grade of a path with steps of these sizes, rounded to two decimals; 0 without steps."""
    hardest = effort = 0
    for size in sizes:
        hardest = max(hardest, size)
        effort += size - 1
    return round(hardest + effort / (effort + FULL), 2)


def grade_within(
    problem: Problem, answer: Sequence[int], low: float, high: float, stopped: Callable[[], bool]
) -> float | None:
    """The grade of a problem whose only answer this is, if it lies from `low` to `high`, else None. Also None if
    `stopped` ended the path early."""
    from covr.engine.proofs.way import Steps  # only graded puzzles need it

    forced = set(answer)
    steps = Steps(problem, answer, forced, set(range(problem.options)) - forced, stopped=stopped, most=high)
    sizes: list[int] = []
    for step in steps:
        sizes.append(step.size)
        if figure_of(sizes) > high:
            return None
    figure = figure_of(sizes)
    return figure if steps.finished and low <= figure <= high else None


# --- puzzle attempts -------------------------------------------------------------------------------------------------
# Attempts at puzzles: a random answer, and clues that leave it the only one.
#
# Attempts are numbered from 0. What an attempt makes depends on the seed and on its number, and on nothing else. So
# they may be made in any order and in several processes (puzzle_attempts.py), and the puzzles are always the same.
#
# An attempt draws a random answer (clues.py). All its clues together must leave it the only one. Then clues
# are left out one at a time until none can be (clues.py), or the fewest are looked for (fewest_clues.py). A puzzle that
# is not as ordered is thrown away. If the problem has one answer only, no attempt makes a puzzle. The first one asks
# for that at once: leaving out all clues one at a time would say the same much later, and a puzzle that is thrown away
# would never say it.


@frozen
class UnitPattern:
    """Which clues of an answer are given together. Places are numbers.

    stands: per option that may be a clue, the places where it is drawn.  images: per such option, the places where a
    clue must be drawn, too, if this option is one."""

    stands: Mapping[int, tuple[int, ...]]
    images: Mapping[int, tuple[int, ...]]

    def units(self, clues: Sequence[int]) -> list[Unit]:
        """These options of an answer in units; those that lack a partner are left out."""
        at: dict[int, list[int]] = {}
        for o in clues:
            for place in self.stands[o]:
                at.setdefault(place, []).append(o)
        partners: dict[int, set[int]] = {o: set() for o in clues}
        alone: set[int] = set()
        for o in clues:
            for place in self.images[o]:
                there = at.get(place)
                if not there:
                    alone.add(o)
                    continue
                for other in there:
                    partners[o].add(other)
                    partners[other].add(o)
        found: list[Unit] = []
        seen: set[int] = set()
        for o in clues:
            if o not in seen:
                unit = _reached(o, partners)
                seen |= unit
                if not unit & alone:
                    found.append(tuple(sorted(unit)))
        return found


def _reached(start: int, partners: Mapping[int, set[int]]) -> set[int]:
    found, todo = {start}, [start]
    while todo:
        fresh = partners[todo.pop()] - found
        found |= fresh
        todo += fresh
    return found


@frozen
class PuzzleOrder:
    """What puzzles are to be like. It can be pickled.

    problem: its given options are those that every puzzle gives beside its clues.  clues: the options that may be
    clues.  pattern: which of them are given together; None: none.  seed: of the random numbers.
    fewest: look for the fewest clues.  at_most: the most clues, or None.
    tight: whether no single clue may be one too many, and not only none with its partners.
    grade: the least and the greatest grade, or None; then all sides of the problem must be totals.
    """

    problem: Problem
    clues: frozenset[int]
    seed: int
    pattern: UnitPattern | None = None
    fewest: bool = False
    at_most: int | None = None
    tight: bool = False
    grade: tuple[float, float] | None = None

    @property
    def throws(self) -> bool:
        """Whether an attempt may make a puzzle that is not as ordered."""
        return self.at_most is not None or self.tight or self.grade is not None

    def maker(self, limits: Limits, settings: Settings) -> PuzzleMaker:
        """What makes attempts at such puzzles. Raises Unsuited if only some options tell answers apart."""
        return PuzzleMaker(self, limits, settings)


class AttemptOutcome(Enum):
    """What came of an attempt."""

    MADE = "made"
    REJECTED = "rejected"  # the puzzle was not as ordered
    AMBIGUOUS = "ambiguous"  # all clues together leave more than one answer
    NOTHING = "nothing"  # there is no answer
    ALONE = "alone"  # there is one answer only, so that no clues are needed


@frozen
class Attempt:
    """What came of an attempt.

    answer: the random answer.  clues: increasing.  rival: if ambiguous, another answer that takes all clues.
    bound: if the fewest were looked for, no fewer clues suffice.  minimal: whether it is known that no clue can be left
    out.  grade: if a range of grades was ordered.  uniform: whether every answer had the same chance.
    status: `solved`, or why the search for the fewest clues was stopped.  nodes, questions: of this attempt.
    """

    number: int
    outcome: AttemptOutcome
    answer: Answer = ()
    clues: tuple[int, ...] = ()
    rival: Answer = ()
    bound: int | None = None
    minimal: bool = True
    grade: float | None = None
    uniform: bool = False
    status: Status = Status.SOLVED
    nodes: int = 0
    questions: int = 0


class Maker(Protocol):
    """Makes attempts; what each makes depends on its order and its number alone."""

    def attempt(self, number: int) -> Attempt:
        """Make the attempt of that number. Raises LimitReached at a limit or an interrupt."""

    def interrupt(self) -> None:
        """Ask to stop; may be called from any thread."""


class Order(Protocol):
    """What puzzles are to be like. It can be pickled."""

    def maker(self, limits: Limits, settings: Settings) -> Maker:
        """What makes attempts at such puzzles."""


class PuzzleMaker:
    """Makes attempts. For one thread at a time; `interrupt` may be called from any.

    asked: holds the limits and the clock, and counts nodes and questions.  fewest: the search for the fewest clues that
    is running, or None."""

    def __init__(self, order: PuzzleOrder, limits: Limits, settings: Settings) -> None:
        """Raises Unsuited if only some options tell answers apart."""
        self.order = order
        self.asked = Uniqueness(order.problem, limits, settings)
        self.source = RandomAnswers(self.asked)
        self.fewest: FewestSearch | None = None

    @property
    def throws(self) -> bool:
        """Whether an attempt may make a puzzle that is not as ordered."""
        return self.order.throws

    def interrupt(self) -> None:
        self.asked.interrupt()

    def attempt(self, number: int) -> Attempt:
        """Make the attempt of that number. Raises LimitReached at a limit or an interrupt, except in the search for the
        fewest clues: then the best set so far is the puzzle."""
        nodes, questions = self.asked.nodes, self.asked.questions
        with self.asked, limits_checked_by(self.asked.stop):
            made = self._attempt(number, Random(f"{self.order.seed}/{number}"))
        return evolve(
            made,
            uniform=self.source.uniform,
            nodes=self.asked.nodes - nodes,
            questions=self.asked.questions - questions,
        )

    def _attempt(self, number: int, rng: Random) -> Attempt:
        order = self.order
        answer = self.source.draw(rng)
        if answer is None:
            return Attempt(number, AttemptOutcome.NOTHING)
        if number == 0 and self.asked.other(answer, ()) is None:
            return Attempt(number, AttemptOutcome.ALONE, answer)
        clues = [o for o in answer if o in order.clues]
        units: list[Unit] = [(o,) for o in clues] if order.pattern is None else order.pattern.units(clues)
        rival = self.asked.other(answer, flat(units))
        if rival is not None:
            return Attempt(number, AttemptOutcome.AMBIGUOUS, answer, rival=rival)
        bound, minimal, status = None, True, Status.SOLVED
        if order.fewest:
            self.fewest = FewestSearch(self.asked, answer, units, rng)
            found = self.fewest.run()
            self.fewest = None
            kept, bound, minimal = flat(found.units), found.bound, found.minimal
            if not found.proved:
                status = found.status
        else:
            kept = flat(self._thinned(answer, units, rng))
        made = Attempt(number, AttemptOutcome.MADE, answer, tuple(sorted(kept)), (), bound, minimal, status=status)
        return self._judged(made)

    def _thinned(self, answer: Answer, units: list[Unit], rng: Random) -> list[Unit]:
        """What is left of these units; minimal. Raises LimitReached."""
        if learns(self.asked):
            kept = thin_learned(self.asked, answer, rng.sample(units, len(units)))
            if kept is not None:
                return kept
        return thin(self.asked, answer, units, rng)

    def _judged(self, made: Attempt) -> Attempt:
        """The attempt, thrown away if the puzzle is not as ordered. A search for the fewest clues that was stopped has
        no time left for a grade: what it found is kept only if any grade will do."""
        order = self.order
        rejected = evolve(made, outcome=AttemptOutcome.REJECTED)
        if order.at_most is not None and len(made.clues) > order.at_most:
            return rejected
        if order.tight and not self._tight(made):
            return rejected
        if order.grade is not None:
            given = tuple(sorted({*order.problem.given, *made.clues}))
            low, high = order.grade
            twin = evolve(self.asked.problem, given=given)
            grade = grade_within(twin, made.answer, low, high, lambda: self.asked.stopping)
            self.asked.check_limits()
            return rejected if grade is None else evolve(made, grade=grade)
        return made

    def _tight(self, made: Attempt) -> bool:
        """Whether no single clue can be left out."""
        asked, clues = self.asked, made.clues
        return all(asked.other(made.answer, [o for o in clues if o != left]) is not None for left in clues)


# --- puzzle processes ------------------------------------------------------------------------------------------------
# Attempts at puzzles in several processes.
#
# Each process is sent the order, and then the numbers of attempts, one at a time; it sends back what came of each. What
# an attempt makes depends on its number alone (puzzle_attempts.py), so the puzzles do not depend on the number of
# processes. Everything is pickled, and goes through standard input and output:
#
#     to the process     (order, limits, settings); then numbers; None asks it to stop what it is doing
#     from the process   an Attempt for each number; a Status where it was stopped, or a limit was reached, before that
#
# If a process ends in any other way, its number is given to another one. Ctrl-C is for the process that started them.
# If that one ends, for whatever reason, their standard input is closed, and they end as well.


PATIENCE = 5.0  # seconds that processes may take to hand over what they have, once they are asked to stop


class AttemptNumbers:
    """The numbers of the attempts, each handed out once, in order; those that were handed back come first.

    end: the first number that may not be handed out yet. May be used from any thread."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._next = self.end = 0
        self._returned: list[int] = []
        self._closed = False

    def take(self) -> int | None:
        """The next number; waits until there is one. None if no more are to be handed out."""
        with self._changed:
            while not self._closed:
                if (number := self._first()) is not None:
                    return number
                self._changed.wait()
            return None

    def take_now(self) -> int | None:
        """The next number; None if there is none at the moment."""
        with self._changed:
            return self._first()

    def _first(self) -> int | None:
        if self._returned:
            self._returned.sort()
            return self._returned.pop(0)
        if self._next < self.end:
            self._next += 1
            return self._next - 1
        return None

    def hand_back(self, number: int) -> None:
        """Let another process have this number."""
        with self._changed:
            self._returned.append(number)
            self._changed.notify_all()

    def allow(self, end: int) -> None:
        """Let all numbers below this one be handed out."""
        with self._changed:
            self.end = max(self.end, end)
            self._changed.notify_all()

    def close(self) -> None:
        """Hand out no more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


class PuzzleProcesses:
    """Processes that make attempts.

    found: what came of them, in any order; each time a process ends, None. alive: how many processes are still running,
    as far as was read from `found`."""

    def __init__(self, order: Order, limits: Limits, settings: Settings, numbers: AttemptNumbers, many: int) -> None:
        """limits: for each of the processes.  many: how many processes. Returns at once."""
        self.found: SimpleQueue[Attempt | Status | None] = SimpleQueue()
        self.alive = many
        self._numbers = numbers
        self._children: deque[subprocess.Popen[bytes]] = deque()
        self._stopped = False
        self._threads = [
            Thread(target=self._work, args=((order, limits, settings),), name="covr-puzzles", daemon=True)
            for _ in range(many)
        ]
        for thread in self._threads:
            thread.start()

    def stop(self, patience: float = PATIENCE) -> None:
        """Ask all processes to hand over what they have, and to end; kill those that have not after `patience`
        seconds."""
        until = monotonic() + patience
        self._numbers.close()
        self._stopped = True
        for child in tuple(self._children):
            assert child.stdin is not None
            with suppress(OSError, ValueError):
                _send(child.stdin, None)
        for thread in self._threads:
            thread.join(max(until - monotonic(), 0.0))
        self.kill()

    def kill(self) -> None:
        """End all processes at once."""
        self._numbers.close()
        self._stopped = True
        for child in tuple(self._children):
            if child.poll() is None:
                child.kill()

    def _work(self, job: Any) -> None:
        try:
            child = subprocess.Popen(
                [sys.executable, "-m", "covr.engine.puzzles.puzzle_attempts"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **apart(),
                env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
            )  # fmt: skip
        except (OSError, ValueError):
            self.found.put(None)
            return
        self._children.append(child)
        number: int | None = None
        try:
            assert child.stdin is not None and child.stdout is not None
            _send(child.stdin, job)
            while not self._stopped and (number := self._numbers.take()) is not None:
                _send(child.stdin, number)
                came = pickle.load(child.stdout)
                self.found.put(came)
                if not isinstance(came, Attempt):
                    break
                number = None
        except Exception:  # the process was killed, or its pipe is closed
            if number is not None:
                self._numbers.hand_back(number)
        finally:
            child.kill()
            for pipe in (child.stdin, child.stdout):
                with suppress(OSError):
                    assert pipe is not None
                    pipe.close()
            child.wait()
            self.found.put(None)


def _send(pipe: IO[bytes], what: Any) -> None:
    pipe.write(pickle.dumps(what))
    pipe.flush()


def main() -> None:
    """Make the attempts that standard input asks for."""
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    order, limits, settings = pickle.load(source)
    maker: Maker | None = None
    asked: SimpleQueue[int | None] = SimpleQueue()

    def listen() -> None:
        try:
            while (number := pickle.load(source)) is not None:
                asked.put(number)
        except (EOFError, OSError, pickle.UnpicklingError):
            os._exit(0)  # whoever asked has ended
        if maker is None:  # which may take long, where a model is compiled
            os._exit(0)
        maker.interrupt()
        asked.put(None)

    Thread(target=listen, daemon=True).start()
    maker = order.maker(limits, settings)
    with suppress(OSError):
        while (number := asked.get()) is not None:
            try:
                _send(sink, maker.attempt(number))
            except LimitReached as stopped:
                _send(sink, stopped.status)
                break
    os._exit(0)


if __name__ == "__main__":
    main()
