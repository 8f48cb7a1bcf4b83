"""How hard a path of hints is: what `covr grade` says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from covr.engine.puzzles.hint_grade import figure_of
from covr.frozen import frozen

if TYPE_CHECKING:
    from covr.explain.hint import Hint


@frozen
class Grade:
    """How hard a path is.

    hardest: the size of its hardest step; 0 if no step was needed.  steps: per size, how many there are.
    proved: whether every step is proved to have a smallest reason.
    figure: `hardest + e / (e + 100)`, rounded to two decimals, where the effort e is the sum of size - 1 over all
    steps: puzzles are ordered by their hardest step first, and then by how much there is to do.
    """

    hardest: int
    steps: dict[int, int]
    proved: bool
    figure: float

    def __str__(self) -> str:
        sizes = ", ".join(f"{count} of size {size}" for size, count in self.steps.items()) or "none"
        return f"grade {self.figure:.2f}: {sum(self.steps.values())} steps, {sizes}"


def grade_of(hints: Iterable[Hint]) -> Grade:
    """The grade of a path."""
    hints = tuple(hints)
    steps = dict(sorted(Counter(hint.size for hint in hints).items()))
    return Grade(max(steps, default=0), steps, all(h.proved for h in hints), figure_of(h.size for h in hints))
