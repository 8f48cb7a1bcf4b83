"""What is known of the rules of clues in an attempt at a puzzle, and the rivals of an answer that these rules leave.

An attempt has to come out the same whatever was made before it, and in whatever process (puzzle_attempts.py). What
clingo finds depends on the rules that it is told, in their order; and these on the models in which what clues do was
seen. So an attempt knows what can be learned from the answers with which the attempts before it and itself begin, at
most `TAUGHT` of them, and what it finds out by itself is forgotten with it. Answers to begin with are drawn anyway: it
costs nothing where one process makes all attempts, in their order. Measured, ten akaris of 10 × 10: with all that the
attempts before found out the model is compiled 72 to 78 times, so 126 to 137 times, and 176 times with what the answer
that the first one begins with teaches. Ten slitherlinks of 10 × 10 take 57 either way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from covr.engine.base.extras import Unsuited
from covr.questions.clue_rivals import ClueRivals
from covr.questions.clue_singles import ClueSingles
from covr.questions.clue_switches import ClueSwitches, SwitchedRules

if TYPE_CHECKING:
    from covr.compiler.evaluate.values import Value
    from covr.engine.search import Answer
    from covr.questions.clue_rows import ChoiceNumbers

TAUGHT = 12  # answers that attempts begin with, of which every later attempt knows
HOPELESS = 2  # answers in a row whose clues had no switches, after which none are looked for in that way

Told = Sequence["Value | None"]


class ClueRules:
    """The rules of clues, as far as an attempt knows them."""

    def __init__(
        self, switches: Callable[[], ClueSwitches], begun: Callable[[int], Told | None], stopped: Callable[[], bool]
    ) -> None:
        """switches: makes one that knows nothing.  begun: all clues of the answer that the attempt of a number begins
        with; None if there is no answer.  stopped: as of `ClueRivals`."""
        self._new, self._begun, self._stopped = switches, begun, stopped
        self._taught: ClueSwitches | None = None
        self._answers = 0  # with which the first attempts begin, that taught it
        self._puzzling = 0  # of these, in a row, whose clues could not be told apart
        self._switches: ClueSwitches | None = None  # of this attempt
        self._singles: ClueSingles | None = None  # in their place, where what clues do can't be told apart
        self._mixed = 0  # answers in a row where it could not
        self._failed = 0  # answers in a row whose clues had no switches

    def begin(self, number: int) -> None:
        """Know what the attempt of this number knows at its beginning. Raises Stopped."""
        answers = min(number + 1, TAUGHT)
        if self._taught is None or self._answers > answers:  # an attempt that was handed back
            self._singles = None
            self._taught, self._answers, self._puzzling = self._new(), 0, 0
        while self._answers < answers:
            told = self._begun(self._answers)
            if told is not None and self._puzzling < HOPELESS:
                self._puzzling = 0 if self._taught.of(told) is not None else self._puzzling + 1
            self._answers += 1
        self._switches, self._mixed, self._failed = self._taught.copy(), self._puzzling, 0

    def rivals(self, answer: Answer, told: Told) -> ClueRivals | None:
        """Rivals of an answer with these clues, by switches; None if there are none. Raises Stopped."""
        switches = self._switches
        if switches is None:
            return None
        try:
            found = ClueRivals(self._rules(switches, told), answer, switches.names, self._stopped)
        except Unsuited:
            self._failed += 1
            if self._failed == HOPELESS:
                self._switches = None
            return None
        self._failed = 0
        return found

    @property
    def names(self) -> ChoiceNumbers | None:
        """The numbers of choices; None if no rules are looked for."""
        return None if self._switches is None else self._switches.names

    def of(self, told: Told) -> SwitchedRules | None:
        """The rules with these clues; None if no rules are looked for. Raises Stopped."""
        return None if self._switches is None else self._rules(self._switches, told)

    def _rules(self, switches: ClueSwitches, told: Told) -> SwitchedRules:
        rules = switches.of(told) if self._mixed < HOPELESS else None
        self._mixed = 0 if rules is not None else self._mixed + 1
        if rules is None:
            self._singles = self._singles or ClueSingles(switches.blank, switches.read)
            rules = self._singles.of(told)
        return rules


__all__ = ["ClueRules"]
