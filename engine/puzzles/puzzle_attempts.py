"""Attempts at puzzles: a random answer, and clues that leave it the only one.

Attempts are numbered from 0. What an attempt makes depends on the seed and on its number, and on nothing else. So they
may be made in any order and in several processes (puzzle_processes.py), and the puzzles are always the same.

An attempt draws a random answer (random_answers.py). All its clues together must leave it the only one. Then clues are
left out one at a time until none can be (clues.py), or the fewest are looked for (fewest_clues.py). A puzzle that is
not as ordered is thrown away. If the problem has one answer only, no attempt makes a puzzle. The first one asks for
that at once: leaving out all clues one at a time would say the same much later, and a puzzle that is thrown away would
never say it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from random import Random
from typing import Protocol

from attrs import evolve

from covr.engine.base.heed import heeding
from covr.engine.base.limits import Limits
from covr.engine.base.status import Status
from covr.engine.problem import Problem
from covr.engine.puzzles.clues import Uniqueness, Unit, flat, thin
from covr.engine.puzzles.fewest_clues import FewestSearch
from covr.engine.puzzles.hint_grade import grade_within
from covr.engine.puzzles.learned_clues import learns, thin_learned
from covr.engine.puzzles.random_answers import RandomAnswers
from covr.engine.search import Answer
from covr.engine.settings import Settings
from covr.frozen import frozen


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
    THROWN = "thrown"  # the puzzle was not as ordered
    UNFIT = "unfit"  # all clues together leave more than one answer
    NOTHING = "nothing"  # there is no answer
    ALONE = "alone"  # there is one answer only, so that no clues are needed


@frozen
class Attempt:
    """What came of an attempt.

    answer: the random answer.  clues: increasing.  rival: if unfit, another answer that takes all clues.
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
        """Make the attempt of that number. Raises Stopped at a limit or an interrupt."""

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
        """Ask to stop; may be called from any thread."""
        self.asked.interrupt()

    def attempt(self, number: int) -> Attempt:
        """Make the attempt of that number. Raises Stopped at a limit or an interrupt, except in the search for the
        fewest clues: then the best set so far is the puzzle."""
        nodes, questions = self.asked.nodes, self.asked.questions
        with self.asked, heeding(self.asked.stop):
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
            return Attempt(number, AttemptOutcome.UNFIT, answer, rival=rival)
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
        """What is left of these units; minimal. Raises Stopped."""
        if learns(self.asked):
            kept = thin_learned(self.asked, answer, rng.sample(units, len(units)))
            if kept is not None:
                return kept
        return thin(self.asked, answer, units, rng)

    def _judged(self, made: Attempt) -> Attempt:
        """The attempt, thrown away if the puzzle is not as ordered. A search for the fewest clues that was stopped has
        no time left for a grade: what it found is kept only if any grade will do."""
        order = self.order
        thrown = evolve(made, outcome=AttemptOutcome.THROWN)
        if order.at_most is not None and len(made.clues) > order.at_most:
            return thrown
        if order.tight and not self._tight(made):
            return thrown
        if order.grade is not None:
            given = tuple(sorted({*order.problem.given, *made.clues}))
            low, high = order.grade
            twin = evolve(self.asked.problem, given=given)
            grade = grade_within(twin, made.answer, low, high, lambda: self.asked.stopping)
            self.asked.heed()
            return thrown if grade is None else evolve(made, grade=grade)
        return made

    def _tight(self, made: Attempt) -> bool:
        """Whether no single clue can be left out."""
        asked, clues = self.asked, made.clues
        return all(asked.other(made.answer, [o for o in clues if o != left]) is not None for left in clues)
