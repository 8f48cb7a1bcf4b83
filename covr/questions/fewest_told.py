"""The fewest clues of an answer where clues are data that rules read, with proof, as fewest_clues.py finds the fewest
that are choices.

Another answer of the blank model is excluded by a set of clues exactly if the set holds one of its *difference*: the
clues that would be others for it. So the fewest clues are a minimum cover of all differences. That is so if an answer
with the same clues is an answer of the model with these clues, as a `clue` says; but what clues do to a model is up to
its rules. So each difference, before it counts, is confirmed by the model itself: compiled with all clues but those of
the difference, it has several answers. And each set that is to be the best has one answer by the model itself. What the
proof then rests on is that clues which are left out never make an answer the only one, as everything does that leaves
out clues.

Where a difference is not confirmed, the model alone is asked from then on: the difference of a set that is not enough
is all that it lacks, made smaller as long as the rest is not enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

from covr.engine.puzzles.clues import Uniqueness, Unit, flat
from covr.engine.puzzles.fewest_clues import FewestSearch

if TYPE_CHECKING:
    from covr.questions.clue_question import ClueQuestion


class FewestTold(FewestSearch):
    """Looks for the fewest clues of one answer. `run` may be called once."""

    def __init__(self, asked: Uniqueness, question: ClueQuestion, units: Sequence[Unit], rng: Random) -> None:
        """units: clues (numbers of spots) that leave the answer the only one, also by the model itself."""
        super().__init__(asked, question.answer, units, rng)
        self._question = question
        self._all = frozenset(range(len(units)))
        self._plain = False  # whether the model alone is asked

    def _clues(self, units: set[int] | frozenset[int]) -> list[int]:
        return flat(self._units[k] for k in sorted(units))

    def _minimal(self, units: set[int]) -> set[int]:
        order = [self._units[k] for k in sorted(units)]
        self._rng.shuffle(order)
        return {self._number[at] for at in self._question.thinned(order)}

    def _lacking(self, given: set[int]) -> set[int] | None:
        clues = self._clues(given)
        if not self._plain:
            unlike = self._question.unlike(clues)
            if unlike is None:
                return None
            lacks = {self._number[at] for at in unlike if at in self._number}
            if lacks and not lacks & given:
                return lacks
            self._plain = True
        return None if self._question.alone(clues) else set(self._all - given)

    def _surely_lacking(self, given: set[int]) -> set[int] | None:
        lacks = self._lacking(given)
        if lacks is not None or self._plain or self._question.alone(self._clues(given)):
            return lacks
        self._question.rivals = None  # the model says otherwise, and it is right
        return self._lacking(given)

    def _shrink(self, given: set[int], lacks: set[int]) -> set[int]:
        found = super()._shrink(given, lacks)
        if self._plain or not self._question.alone(self._clues(self._all - found)):
            return found
        self._plain = True
        left = self._lacking(given)
        return set() if left is None else super()._shrink(given, left)

    def _near(self, order: Sequence[int]) -> None:
        return None


__all__ = ["FewestTold"]
