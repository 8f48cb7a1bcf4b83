"""A matrix that comes from a file instead of a model, presented as a compiled model.

Its choices are the options. Each is called by its name or, if two options share a name, by its name and number. An
answer is drawn as the list of its options. A matrix has no params, no symmetry and no promises; if its options have
costs, the total cost is minimised.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import attrs

from covr.compiler.compiled import Choice, Compiled
from covr.compiler.display.picture import Picture
from covr.compiler.evaluate.bind import bind
from covr.compiler.lower.families import Family
from covr.compiler.lower.lowered import Lowered
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.source import Source, Span
from covr.dsl.syntax import CheckedModel, Choose, Name
from covr.engine import Problem

FAMILY = "option"


class MatrixModel(Compiled):
    """The compiled model of a matrix: one family, with a choice for each option. Made by `compile_problem`."""

    is_matrix = True

    def __init__(self, problem: Problem, source: Source) -> None:
        names = list(problem.option_names) or [str(o + 1) for o in range(problem.options)]
        items = list(problem.item_names) or [str(i + 1) for i in range(problem.items)]
        self._plain = len(set(names)) == len(names)
        choices = tuple((name,) if self._plain else (name, o + 1) for o, name in enumerate(names))
        self._problem = attrs.evolve(problem, item_names=tuple(items), option_names=tuple(names))
        model = CheckedModel(source, None, (), ())
        super().__init__(model, bind(model), self._lowered(choices, Span(source, 0, 0)))
        self.problem = self._problem

    def _lowered(self, choices: tuple[tuple[Any, ...], ...], span: Span) -> Lowered:
        indices = ("name",) if self._plain else ("name", "number")
        statement = Choose(Name(FAMILY, span), tuple(Name(n, span) for n in indices), (), None, span)
        numbers = {args: k for k, args in enumerate(choices)}
        every = tuple(range(len(choices)))
        family = Family(FAMILY, statement, indices, {}, (), 0, choices, numbers)
        goal = "minimize" if self._problem.costs else None
        return Lowered(self._problem, {FAMILY: family}, {}, every, every, (), {}, (), goal)

    def _item_name(self, item: int) -> str:
        return self._problem.item_names[item]

    def choice(self, option: int) -> Choice:
        return Choice(FAMILY, self.lowered.families[FAMILY].choices[option], option)

    @cached_property
    def impossible(self) -> Diagnostic | None:
        """Why there is no answer, if a single item is enough to show it; otherwise None."""
        reached = [0] * self.problem.items
        for i in self.problem.members:
            reached[i] += 1
        for i in range(self.problem.primary):
            if reached[i] < self.problem.low[i]:
                help = f"{reached[i]} options reach it, {self.problem.low[i]} are wanted"
                message = f"nothing can satisfy the item `{self.problem.item_names[i]}`"
                return Diagnostic("W203", message, None, help, word="no solution")
        return None

    @cached_property
    def warnings(self) -> tuple[Diagnostic, ...]:
        return ()

    def pictures(self, answer: Sequence[int]) -> tuple[Picture, ...]:
        return (Picture(0, lines=tuple((self.problem.option_names[o],) for o in sorted(answer))),)

    def puzzle(self) -> tuple[Picture, ...]:
        return self.pictures(self.problem.given)

    def with_data(self, overrides: Mapping[str, object]) -> Compiled:
        """This model itself. Raises ModelErrors if there are overrides, because a matrix has no params."""
        bind(self.model, overrides)
        return self


def compile_problem(problem: Problem, name: str) -> Compiled:
    """A matrix as a compiled model, so that it can be asked the same questions. name: what messages call it."""
    return MatrixModel(problem, Source(name, ""))
