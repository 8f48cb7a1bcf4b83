"""What can be said about an answer, whether it answers a model or a matrix."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from covr.compiler.compiled import Choice
from covr.compiler.lower.lowered import Lowered
from covr.compiler.lower.stages import StageValue, taken_apart, told
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

    def is_own(self, option: int) -> bool:
        """Whether an option is a choice of covr's own, which tells how far a wish is broken."""
        return self.lowered.option_choices[option] >= self.lowered.own

    def choices(self, answer: Sequence[int]) -> tuple[Choice, ...]:
        """The choices of an answer, in documented order, without those that tell how far wishes are broken."""
        return tuple(self.choice(o) for o in sorted(answer) if not self.is_own(o))

    def option(self, family: str, args: tuple[Any, ...]) -> int | None:
        """The option number of a choice; None where there is no such choice or it is forbidden."""
        number = self.lowered.families[family].number(args) if family in self.lowered.families else None
        option = -1 if number is None else self.lowered.choice_options[number]
        return None if option < 0 else option

    def objective(self, answer: Sequence[int]) -> int | None:
        """The goal's value for an answer, as the model counts it; None for a model without a goal. Of several goals in
        order it is that of the first."""
        return None if self.goal is None else self.value_of(self.cost(answer))

    def cost(self, answer: Sequence[int]) -> int:
        """What an answer costs in the engine, where less is better."""
        return sum(self.problem.costs[o] for o in answer)

    def value_of(self, cost: int) -> int:
        """A cost of the engine as a value of the goal: `maximize` counts the other way. Of a lower bound it is a bound
        of the value."""
        stages = self.lowered.stages
        if stages:
            return stages[0].value(taken_apart(stages, cost)[0])
        return -cost if self.goal == "maximize" else cost

    def stages(self, cost: int, bound: int | None = None) -> tuple[StageValue, ...]:
        """The value of each of several goals in order, with what is proved of it; nothing for one goal. cost, bound: as
        the engine counts them."""
        return told(self.lowered.stages, cost, bound) if self.lowered.stages else ()
