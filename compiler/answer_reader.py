"""What can be said about an answer, whether it answers a model or a matrix."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from covr.compiler.compiled import Choice
from covr.compiler.lower.lowered import Lowered
from covr.engine import Problem


class AnswerReader(ABC):
    """Reads answers, which are option numbers, as choices and as values of the goal."""

    def __init__(self, lowered: Lowered, problem: Problem) -> None:
        self.lowered = lowered
        self.problem = problem
        self.goal = lowered.goal

    @abstractmethod
    def choice(self, option: int) -> Choice:
        """The choice behind an option number."""

    def choices(self, answer: Sequence[int]) -> tuple[Choice, ...]:
        """The choices of an answer, in documented order."""
        return tuple(self.choice(o) for o in sorted(answer))

    def option(self, family: str, args: tuple[Any, ...]) -> int | None:
        """The option number of a choice; None where there is no such choice or it is forbidden."""
        number = self.lowered.families[family].number(args) if family in self.lowered.families else None
        option = -1 if number is None else self.lowered.choice_options[number]
        return None if option < 0 else option

    def objective(self, answer: Sequence[int]) -> int | None:
        """The goal's value for an answer, as the model counts it; None for a model without a goal."""
        if self.goal is None:
            return None
        return self.value_of(sum(self.problem.costs[o] for o in answer))

    def value_of(self, cost: int) -> int:
        """A cost of the engine as a value of the goal: `maximize` counts the other way."""
        return -cost if self.goal == "maximize" else cost
