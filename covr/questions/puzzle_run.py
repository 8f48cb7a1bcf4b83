"""What is common to all runs that make puzzles: what is wished for, where they stand, their limits and their clock."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from attrs import field

from covr.engine.base.deadline import Deadline
from covr.engine.base.status import Counters, Status
from covr.engine.base.whole import whole
from covr.engine.puzzles.clues import Uniqueness
from covr.frozen import frozen
from covr.questions.clue_choices import refuse_unfit
from covr.questions.found import Progress
from covr.questions.made_puzzle import MadePuzzle
from covr.questions.options import Options

SECONDS = 60.0  # that may pass without a puzzle where no limit is given and not the fewest clues are looked for

if TYPE_CHECKING:
    from covr.compiler import Compiled


def _range(_: object, __: object, grade: tuple[float, float] | None) -> None:
    if grade is not None and not 0 <= grade[0] <= grade[1]:
        raise ValueError(f"no grade lies from {grade[0]} to {grade[1]}")


@frozen
class Wish:
    """What a puzzle is to be like.

    family: of the clues; None for the one that the model's data speak of.  fewest: look for the fewest clues.
    symmetry: a name in patterns.py, or None.  at_most: the most clues, or None.
    minimal: with a symmetry, whether no single clue may be one too many, and not only none with its partners.
    fits: a further test of each puzzle, or None; those that fail it are thrown away.
    grade: the least and the greatest grade (as `covr grade` gives it), or None. ValueError for an empty range.
    """

    family: str | None = None
    fewest: bool = False
    symmetry: str | None = None
    at_most: int | None = None
    minimal: bool = False
    fits: Callable[[MadePuzzle], bool] | None = None
    grade: tuple[float, float] | None = field(default=None, validator=_range)


class PuzzleRun(ABC):
    """Puzzles of one model. Iterate over `puzzles` once.

    seed: makes the same puzzles again.  status: `solved` once all are made; `exhausted` if there is nothing to make
    them of; `limit` or `interrupted`.  made, tried, thrown: how many puzzles there are, how many attempts were made in
    all, and how many of these were thrown away.  in_vain: whether it ended because too many in a row were.
    unfit: how many random answers since the last puzzle have others beside them under all clues that may be given.
    unpaired: how many places of clues have no partner under the symmetry that is asked for.
    others: external solvers to suggest to the user; there are none for this question."""

    others: tuple[str, ...] = ()
    _asked: Uniqueness  # holds the limits and the clock; set by whoever inherits from this

    def __init__(self, compiled: Compiled, options: Options, wish: Wish, number: int) -> None:
        """Raises ModelErrors E510 for a model of whose answers only some count, E505 for an engine that can't answer
        this, and ValueError for numbers that are not whole numbers from 1."""
        refuse_unfit(compiled)
        options.ask(False)
        if wish.at_most is not None:
            whole(wish.at_most, "at_most", 0)
        self.number = whole(number, "number", 1)
        self.compiled, self.options, self.wish = compiled, options, wish
        self.seed = random.SystemRandom().randrange(1 << 32) if options.seed is None else options.seed
        self.status = Status.RUNNING
        self.made = self.tried = self.thrown = 0
        self.in_vain = False
        self.unfit = self.unpaired = 0
        self._in_a_row = 0  # attempts since the last puzzle
        self._nodes = self._questions = 0  # of attempts made by other processes

    @abstractmethod
    def puzzles(self) -> Iterator[MadePuzzle]:
        """Yields the puzzles as they are made: fewer than asked for if a limit or Ctrl-C ends the run."""

    @abstractmethod
    def progress(self) -> Progress:
        """The share of the puzzles that are made. May be called from any thread."""

    @abstractmethod
    def interrupt(self) -> None:
        """Ask to stop; may be called from any thread."""

    @property
    def own_limit(self) -> bool:
        """Whether the run ends after `SECONDS` without a puzzle, as no other limit was given."""
        return self.options.limit_time is None and self.options.limit_nodes is None and not self.wish.fewest

    def _allow(self) -> None:
        """Let `SECONDS` pass from now on until the next puzzle, if there is no other limit."""
        if self.own_limit:
            self.clock.most = self.clock.spent + SECONDS

    @property
    @abstractmethod
    def uniform(self) -> bool:
        """Whether every answer had the same chance; known once the first puzzle is made."""

    @property
    def counters(self) -> Counters:
        """The work so far; the answers are the puzzles made."""
        return Counters(nodes=self._asked.nodes + self._nodes, answers=self.made)

    @property
    def questions(self) -> int:
        """How often it was asked whether an answer is the only one, or random ones were looked for."""
        return self._asked.questions + self._questions

    @property
    def seconds(self) -> float:
        """The time spent making puzzles, with what `spend` and `clock` added."""
        return self._asked.clock.spent

    @property
    def clock(self) -> Deadline:
        """The clock of the limit of time. Whoever lets it run has the time between two puzzles counted as well."""
        return self._asked.clock

    def spend(self, seconds: float) -> None:
        """Add time that the caller spent on a puzzle, if the limit of time is to cover both."""
        self._asked.clock.spend(seconds)

    def reserve(self, seconds: float) -> None:
        """Leave so many seconds of the limit of time, if there is one, to the caller, who needs them at the end."""
        if self.options.limit_time is not None:
            self._asked.clock.most = max(self.options.limit_time - seconds, 0.0)
