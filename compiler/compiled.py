"""What can be asked of a compiled problem, whether it was written as a model or read as a matrix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from attrs import field

from covr.compiler.display.picture import Picture
from covr.compiler.display.show import Drawing
from covr.compiler.evaluate import Scope
from covr.compiler.evaluate.values.unambiguous import Show
from covr.compiler.lower.families import choice_name
from covr.compiler.lower.lowered import Lowered
from covr.compiler.lower.marks import GivenChoice
from covr.compiler.lower.stages import StageValue
from covr.compiler.lower.symmetry import Symmetry
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.source import Span
from covr.dsl.syntax import CheckedModel
from covr.engine import Problem
from covr.frozen import frozen


@frozen
class Choice:
    """A choice of an answer. number: its option number in the problem. forms: as in `Family`."""

    family: str
    args: tuple[Any, ...]
    number: int
    forms: tuple[Show, ...] = field(default=(), eq=False, repr=False)

    def __str__(self) -> str:
        return choice_name(self.family, self.args, self.forms)


@frozen
class Expectation:
    """An `expect` line, evaluated. kind: `solutions`, `unique`, `none` or `minimum`; settings: what `with` sets."""

    kind: str
    value: int | None
    settings: Mapping[str, Any]
    span: Span = field(eq=False, repr=False)


@frozen
class Broken:
    """A wish that an answer breaks. name: the label of its rule, filled in, or what stands for it.  off: how much there
    is too much, or, negative, too little; None for an `if … then`.  cost: what that costs."""

    name: str
    off: int | None
    cost: int

    @property
    def how(self) -> str:
        """By how much it is broken, in words."""
        return "broken" if self.off is None else f"{abs(self.off)} too {'many' if self.off > 0 else 'few'}"

    def __str__(self) -> str:
        return f"{self.name}: {self.how}, cost {self.cost}"


class Compiled(Protocol):
    """The matrix, and everything needed to turn an answer back into names and a picture. Nothing in it changes.

    `CompiledModel` (compiled_model.py) is made from a model, `MatrixModel` (matrix_model.py) from a matrix in a file.
    """

    @property
    def is_matrix(self) -> bool:
        """Whether it was made from a matrix that nobody wrote as a model: it has no statements to remark on."""

    @property
    def model(self) -> CheckedModel:
        """What it was made from; a matrix has the name of its file here and no statements."""

    @property
    def scope(self) -> Scope:
        """The values of the names in the model."""

    @property
    def lowered(self) -> Lowered:
        """The problem with the numbers of its choices. Items of a matrix have no origins."""

    @property
    def problem(self) -> Problem:
        """The matrix, with names."""

    @property
    def rules_alone(self) -> Problem:
        """The same for whoever leaves out rules to see what then holds: wishes hold nothing back in it."""

    @property
    def goal(self) -> str | None:
        """`minimize`, `maximize` or None."""

    @property
    def givens(self) -> tuple[GivenChoice, ...]:
        """The choices that `given` statements take, in the order of the statements, each with its name."""

    @property
    def title(self) -> str:
        """The model's title, filled in; empty where it has none. Raises ModelErrors."""

    @property
    def has_symmetry(self) -> bool:
        """Whether the model has an `up to` statement. The group itself is not computed."""

    def without_symmetry(self) -> Compiled:
        """The same model without its `up to`: every answer counts by itself."""

    @property
    def symmetry(self) -> Symmetry | None:
        """The group of `up to`; None where the model has none. Raises ModelErrors for a map that is no symmetry."""

    @property
    def impossible(self) -> Diagnostic | None:
        """Why there is no answer, if a single item is enough to show it; otherwise None."""

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """The warnings about the model as a whole, in source order."""

    @property
    def expectations(self) -> tuple[Expectation, ...]:
        """The `expect` lines, in source order. Raises ModelErrors."""

    @property
    def parameters(self) -> tuple[tuple[str, str, str | None, Any], ...]:
        """Each param: its name, its default and its condition as written, and its value here."""

    @property
    def drawings(self) -> tuple[Drawing, ...]:
        """What each of the model's `show` statements draws; empty for a matrix. Raises ModelErrors."""

    def choice(self, option: int) -> Choice:
        """The choice behind an option number."""

    def is_own(self, option: int, /) -> bool:
        """Whether an option is a choice of covr's own, which tells how far a wish is broken."""

    def choices(self, answer: Sequence[int]) -> tuple[Choice, ...]:
        """The choices of an answer, in documented order."""

    def option(self, family: str, args: tuple[Any, ...]) -> int | None:
        """The option number of a choice; None where there is no such choice or it is forbidden."""

    def objective(self, answer: Sequence[int], /) -> int | None:
        """The goal's value for an answer, as the model counts it; None for a model without a goal."""

    def value_of(self, cost: int, /) -> int:
        """A cost of the engine as a value of the goal: `maximize` counts the other way."""

    def cost(self, answer: Sequence[int], /) -> int:
        """What an answer costs in the engine, where less is better."""

    def stages(self, cost: int, bound: int | None = None, /) -> tuple[StageValue, ...]:
        """The value of each of several goals in order, with what is proved of it; nothing for one goal."""

    def changed(self, answer: Sequence[int], /) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """The choices that an answer has and an earlier one (`near`) had not, and the other way round; None without
        one."""

    def broken(self, answer: Sequence[int], /) -> tuple[Broken, ...]:
        """The wishes that an answer breaks, in the order of the statements and of their items."""

    def try_drawings(self) -> None:
        """Draw some of the choices, one at a time, as a test. Raises ModelErrors if a `show` fails for one of them."""

    def pictures(self, answer: Sequence[int]) -> tuple[Picture, ...]:
        """What an answer looks like: one picture for each board that `show` draws on, then the lists."""

    def puzzle(self) -> tuple[Picture, ...]:
        """What the model looks like before it is solved: its givens, and what is printed on the board."""

    def unfinished(self, taken: Sequence[int], /) -> tuple[Picture, ...]:
        """What it looks like while it is solved by hand."""

    def with_data(self, overrides: Mapping[str, object]) -> Compiled:
        """This model with other data. Cheap if only `given` statements depend on the params that change.

        Raises ModelErrors as `compile_model` does; a matrix has no params, so it takes no overrides.
        """

    def only_givens_use(self, names: frozenset[str]) -> bool:
        """Whether the matrix, givens apart, is the same whatever the values of these params are."""
