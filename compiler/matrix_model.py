"""A matrix that comes from a file instead of a model, and can be asked the same questions as a compiled model.

Its choices are the options. Each is called by its name or, if two options share a name, by its name and number. An
answer is drawn as the list of its options. A matrix has no params, no symmetry and no promises; if its options have
costs, the total cost is minimised. A file may say `Maximize`; then costs are its values with the opposite sign.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import attrs

from covr.compiler.answer_reader import AnswerReader
from covr.compiler.compiled import Broken, Choice, Compiled, Expectation
from covr.compiler.display.picture import Picture
from covr.compiler.display.show import Drawing
from covr.compiler.evaluate.bind import bind
from covr.compiler.lower.families import Family
from covr.compiler.lower.lowered import Lowered
from covr.compiler.lower.marks import GivenChoice
from covr.compiler.lower.symmetry import Symmetry
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.source import Source, Span
from covr.dsl.syntax import CheckedModel, Choose, Name
from covr.engine import Problem

FAMILY = "option"


class MatrixModel(AnswerReader):
    """A matrix with one family of choices, one for each option; it implements `Compiled`. Made by `compile_problem`."""

    is_matrix = True
    givens: tuple[GivenChoice, ...] = ()
    title = ""
    has_symmetry = False
    symmetry: Symmetry | None = None
    warnings: tuple[Diagnostic, ...] = ()
    expectations: tuple[Expectation, ...] = ()
    parameters: tuple[tuple[str, str, str | None, Any], ...] = ()
    drawings: tuple[Drawing, ...] = ()

    def __init__(self, problem: Problem, source: Source, maximises: bool = False) -> None:
        names = list(problem.option_names) or [str(o + 1) for o in range(problem.options)]
        items = list(problem.item_names) or [str(i + 1) for i in range(problem.items)]
        problem = attrs.evolve(problem, item_names=tuple(items), option_names=tuple(names))
        super().__init__(_lowered(problem, names, Span(source, 0, 0), maximises), problem)
        self.model = CheckedModel(source, None, (), ())
        self.scope = bind(self.model)

    def without_symmetry(self) -> MatrixModel:
        """A matrix says nothing of symmetries."""
        return self

    def choice(self, option: int) -> Choice:
        """The choice behind an option number."""
        return Choice(FAMILY, self.lowered.families[FAMILY].choices[option], option)

    @property
    def rules_alone(self) -> Problem:
        """The problem itself, as a matrix has no wishes."""
        return self.problem

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

    def changed(self, answer: Sequence[int]) -> None:
        """Nothing: a matrix is not near an earlier answer."""

    def broken(self, answer: Sequence[int]) -> tuple[Broken, ...]:
        """Nothing: a matrix has no wishes."""
        return ()

    def try_drawings(self) -> None:
        """Do nothing, because a matrix has no `show` that might fail."""

    def pictures(self, answer: Sequence[int]) -> tuple[Picture, ...]:
        """What an answer looks like: the list of its options."""
        return (Picture(0, lines=tuple((self.problem.option_names[o],) for o in sorted(answer))),)

    def puzzle(self) -> tuple[Picture, ...]:
        """The given options."""
        return self.pictures(self.problem.given)

    def unfinished(self, taken: Sequence[int]) -> tuple[Picture, ...]:
        """The options that are taken."""
        return self.pictures(taken)

    def with_data(self, overrides: Mapping[str, object]) -> Compiled:
        """This model itself. Raises ModelErrors if there are overrides, because a matrix has no params."""
        bind(self.model, overrides)
        return self

    def only_givens_use(self, names: frozenset[str]) -> bool:
        """Always true, because nothing depends on params."""
        return True


def _lowered(problem: Problem, names: list[str], span: Span, maximises: bool) -> Lowered:
    """The problem with a choice for each option: its name or, if two options share a name, its name and number."""
    plain = len(set(names)) == len(names)
    indices = ("name",) if plain else ("name", "number")
    choices = tuple((name,) if plain else (name, o + 1) for o, name in enumerate(names))
    statement = Choose(Name(FAMILY, span), tuple(Name(n, span) for n in indices), (), None, span)
    numbers = {args: k for k, args in enumerate(choices)}
    every = tuple(range(len(choices)))
    family = Family(FAMILY, statement, indices, {}, (), 0, choices, numbers)
    goal = ("maximize" if maximises else "minimize") if problem.costs else None
    return Lowered(problem, {FAMILY: family}, {}, every, every, (), {}, (), goal)


def compile_problem(problem: Problem, name: str, maximises: bool = False) -> Compiled:
    """A matrix as a compiled model, so that it can be asked the same questions. name: what messages call it.
    maximises: whether its values are the costs with the opposite sign, and are to be as large as possible."""
    return MatrixModel(problem, Source(name, ""), maximises)
