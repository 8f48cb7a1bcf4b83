"""What a question is about: a compiled model, or a matrix that the caller brings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from covr.compiler.lower.stages import StageValue
    from covr.compiler.lower.symmetry import Symmetry
    from covr.engine import Problem


class Subject(Protocol):
    """All that a `Run` needs to know about its subject. `Compiled` implements this, and so does `covr.Problem`."""

    @property
    def problem(self) -> Problem:
        """The matrix that is searched; its costs are to be minimised, whatever the goal is."""

    @property
    def goal(self) -> str | None:
        """`minimize`, `maximize` or None."""

    @property
    def symmetry(self) -> Symmetry | None:
        """The group under which answers count as one; None if every answer counts by itself."""

    def objective(self, answer: Sequence[int], /) -> int | None:
        """The goal's value for an answer, in option numbers; None without a goal."""

    def stages(self, cost: int, bound: int | None = None, /) -> tuple[StageValue, ...]:
        """The value of each of several goals in order, with what is proved of it; nothing for one goal. cost, bound: as
        the engine counts them."""

    def value_of(self, cost: int, /) -> int:
        """A cost of the engine as a value of the goal; `maximize` has the opposite sign."""
