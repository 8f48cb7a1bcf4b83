"""A compiled problem: all that can be asked of it, and the way back from an answer to names and pictures."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

from attrs import field

from covr.compiler.display.prints import Picture, Printed, printed_on
from covr.compiler.display.show import Drawing, draw, drawings, try_out
from covr.compiler.evaluate import EvalFault, Scope
from covr.compiler.evaluate.bind import bind, rebind
from covr.compiler.evaluate.limits import CompileLimits
from covr.compiler.evaluate.values import Map, Set, Value, kind_of
from covr.compiler.evaluate.values.showing import Show
from covr.compiler.lower.families import FaultCollector, Lowering, choice_name, items_of
from covr.compiler.lower.lowered import Lowered, StageValue, stage_values, taken_apart
from covr.compiler.lower.marks import GivenChoice
from covr.compiler.lower.matrix import lower, regive
from covr.compiler.lower.symmetry import Symmetry, build_symmetry
from covr.compiler.review.remarks import impossible, warnings
from covr.dsl.diagnostics import Diagnostic, ModelErrors, Span
from covr.dsl.parser import gc_paused
from covr.dsl.scope import walk
from covr.dsl.syntax import CheckedModel, Clue, Expect, Given, Name, Param, UpTo
from covr.engine.problem import Problem, Total
from covr.frozen import evolve, frozen

if TYPE_CHECKING:
    from covr.compiler.grids import Takes
    from covr.compiler.matrix_model import Near

# --- compiled --------------------------------------------------------------------------------------------------------
# What can be asked of a compiled problem, whether it was written as a model or read as a matrix.


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


class Compiled(ABC):
    """The matrix, and everything needed to turn an answer back into names and a picture. Nothing in it changes.

    `CompiledModel` is made from a model, `MatrixModel` (matrix_model.py) from a matrix in a file. What a matrix does
    not have, such as wishes, is empty here. Answers are option numbers.

    - lowered: the problem with the numbers of its choices; items of a matrix have no origins
    - problem: the matrix, with names
    - goal: `minimize`, `maximize` or None
    - model: what it was made from; a matrix has the name of its file here and no statements
    - scope: the values of the names in the model
    - is_matrix: whether it was made from a matrix, which has no statements to remark on
    """

    model: CheckedModel
    scope: Scope
    is_matrix = False

    def __init__(self, lowered: Lowered, problem: Problem) -> None:
        self.lowered = lowered
        self.problem = problem
        self.goal = lowered.goal

    @property
    def rules_alone(self) -> Problem:
        """The problem without what wishes rely on: for a question of what holds once some rules are left out."""
        return self.problem

    @property
    def givens(self) -> tuple[GivenChoice, ...]:
        """The choices that `given` statements take, in the order of the statements, each with its name."""
        return self.lowered.givens

    @property
    def title(self) -> str:
        """The model's title, filled in; empty where it has none. Raises ModelErrors."""
        return ""

    @property
    def has_symmetry(self) -> bool:
        """Whether the model has an `up to` statement. The group itself is not computed."""
        return any(isinstance(s, UpTo) for s in self.model.statements)

    def without_symmetry(self) -> Compiled:
        """The same model without its `up to`: every answer counts by itself. Nothing is lowered again."""
        return self

    @property
    def symmetry(self) -> Symmetry | None:
        """The group of `up to`; None where the model has none. Raises ModelErrors for a map that is no symmetry."""
        return None

    @property
    @abstractmethod
    def impossible(self) -> Diagnostic | None:
        """Why there is no answer, if a single item is enough to show it; otherwise None."""

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """The warnings about the model as a whole, in source order."""
        return ()

    @property
    def expectations(self) -> tuple[Expectation, ...]:
        """The `expect` lines, in source order. Raises ModelErrors."""
        return ()

    @property
    def parameters(self) -> tuple[tuple[str, str, str | None, Any], ...]:
        """Each param: its name, its default and its condition as written, and its value here."""
        return ()

    @property
    def drawings(self) -> tuple[Drawing, ...]:
        """What each of the model's `show` statements draws; empty for a matrix. Raises ModelErrors."""
        return ()

    @abstractmethod
    def choice(self, option: int) -> Choice:
        """The choice behind an option number."""

    def is_own(self, option: int) -> bool:
        """Whether an option is a choice of covr's own, which shows how far a wish is broken."""
        return self.lowered.option_choices[option] >= self.lowered.own

    def choices(self, answer: Sequence[int]) -> tuple[Choice, ...]:
        """The choices of an answer, in documented order, without covr's own."""
        return tuple(self.choice(o) for o in sorted(answer) if not self.is_own(o))

    def option(self, family: str, args: tuple[Any, ...]) -> int | None:
        """The option number of a choice; None where there is no such choice or it is forbidden."""
        number = self.lowered.families[family].number(args) if family in self.lowered.families else None
        option = -1 if number is None else self.lowered.choice_options[number]
        return None if option < 0 else option

    def objective(self, answer: Sequence[int]) -> int | None:
        """The goal's value for an answer, as the model counts it, of several goals that of the first; None without a
        goal."""
        return None if self.goal is None else self.value_of(self.cost(answer))

    def cost(self, answer: Sequence[int]) -> int:
        """What an answer costs in the engine, where less is better."""
        return sum(self.problem.costs[o] for o in answer)

    def value_of(self, cost: int) -> int:
        """A cost of the engine as a value of the goal: `maximize` counts the other way. Turns bounds into bounds."""
        stages = self.lowered.stages
        if stages:
            return stages[0].value(taken_apart(stages, cost)[0])
        return -cost if self.goal == "maximize" else cost

    def stages(self, cost: int, bound: int | None = None) -> tuple[StageValue, ...]:
        """The value of each of several goals in order, with what is proved of it; nothing for one goal. cost, bound: as
        the engine counts them."""
        return stage_values(self.lowered.stages, cost, bound) if self.lowered.stages else ()

    def changed(self, answer: Sequence[int]) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """The choices that an answer has and an earlier one (`near`) had not, and the other way round; None without
        one."""
        return None

    def broken(self, answer: Sequence[int]) -> tuple[Broken, ...]:
        """The wishes that an answer breaks, in the order of the statements and of their items."""
        return ()

    def try_drawings(self) -> None:  # noqa: B027 - a matrix has nothing to try
        """Draw some of the choices, one at a time, as a test. Raises ModelErrors if a `show` fails for one of them."""

    @abstractmethod
    def pictures(self, answer: Sequence[int]) -> tuple[Picture, ...]:
        """What an answer looks like: one picture for each board that `show` draws on, then the lists."""

    def puzzle(self) -> tuple[Picture, ...]:
        """What the model looks like before it is solved: its givens, and what is printed on the board."""
        return self.pictures(self.problem.given)

    def unfinished(self, taken: Sequence[int]) -> tuple[Picture, ...]:
        """What it looks like while it is solved by hand: some options are taken, and the rest is open."""
        return self.pictures(taken)

    @abstractmethod
    def with_data(self, overrides: Mapping[str, object]) -> Compiled:
        """This model with other data. Cheap if only `given` statements depend on the params that change. Raises
        ModelErrors as `compile_model` does; a matrix has no params, so it takes no overrides."""

    def only_givens_use(self, names: frozenset[str]) -> bool:
        """Whether the matrix, givens apart, is the same whatever the values of these params are."""
        return True


# --- compiled model --------------------------------------------------------------------------------------------------
# A model with its data, compiled: the matrix, and the way back from an answer to names and a picture.


class Names(Sequence[str]):
    """Names of items or options, each built only when it is read: a large matrix has more names than anyone reads."""

    def __init__(self, size: int, make: Callable[[int], str]) -> None:
        self._size, self._make = size, make

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[str]: ...
    def __getitem__(self, at: int | slice) -> str | Sequence[str]:
        if isinstance(at, slice):
            return [self._make(i) for i in range(self._size)[at]]
        return self._make(range(self._size)[at])


class CompiledModel(Compiled):
    """A model with its data, lowered. Made by `compile_model`."""

    def __init__(self, model: CheckedModel, scope: Scope, lowered: Lowered, near: Near | None = None) -> None:
        self.near = near
        self.model = model
        self.scope = scope
        names = Names(lowered.problem.items, self._item_name)
        choices = Names(lowered.problem.options, lambda o: str(self.choice(o)))
        super().__init__(lowered, evolve(lowered.problem, item_names=names, option_names=choices))

    def _item_name(self, item: int) -> str:
        origin = self.lowered.origins[item]
        return origin.name(self.scope)

    @cached_property
    def title(self) -> str:
        with FaultCollector.raising():
            return "" if self.model.title is None else self.scope.template(self.model.title)({})

    def without_symmetry(self) -> CompiledModel:
        statements = tuple(s for s in self.model.statements if not isinstance(s, UpTo))
        return CompiledModel(evolve(self.model, statements=statements), self.scope, self.lowered)

    @cached_property
    def rules_alone(self) -> Problem:
        # As they are lowered, wishes rely on rules of which at most one choice is taken.
        counted = {id(wish.source) for wish in self.lowered.wishes if wish.counts}
        if not counted:
            return self.problem
        problem, lowered = self.problem, self.lowered
        high, sides = list(problem.high), list(problem.sides)
        for i, origin in enumerate(lowered.origins):
            if id(origin.source) in counted:
                high[i] = problem.options
        for k, origin in enumerate(lowered.side_origins):
            side = sides[k]
            if id(origin.source) in counted and isinstance(side, Total):
                most = sum(abs(weight) for _, weight in side.terms)
                sides[k] = evolve(side, sums=((-most, most),))
        return evolve(problem, high=tuple(high), sides=tuple(sides))

    @cached_property
    def symmetry(self) -> Symmetry | None:
        statements = [s for s in self.model.statements if isinstance(s, UpTo)]
        with FaultCollector.raising():
            return build_symmetry(
                statements, self.lowered.families, self.lowered.choice_options, self.problem, self.scope
            )

    @cached_property
    def impossible(self) -> Diagnostic | None:
        return impossible(self.lowered, self.scope)

    @cached_property
    def warnings(self) -> tuple[Diagnostic, ...]:
        return tuple(sorted(warnings(self.model, self.lowered), key=Diagnostic.order))

    @cached_property
    def expectations(self) -> tuple[Expectation, ...]:
        found = []
        faults = FaultCollector()
        for s in self.model.statements:
            if isinstance(s, Expect):
                with faults.of(s):
                    value = None if s.value is None else self.scope.compile(s.value)({})
                    settings = {name.id: self.scope.compile(e)({}) for name, e in s.settings}
                    if s.value is not None and value is not None and type(value) is not int:
                        message = f"what is expected is a whole number, and this is {kind_of(value)}"
                        raise EvalFault(Diagnostic("E417", message, s.value.span))
                    found.append(Expectation(s.kind, value, settings, s.span))
        faults.raise_if_any()
        return tuple(found)

    @property
    def parameters(self) -> tuple[tuple[str, str, str | None, Any], ...]:
        return tuple(
            (d.name.id, d.value.span.text, d.where.span.text if d.where else None, self.scope.value(d.name.id))
            for d in self.model.definitions
            if isinstance(d, Param)
        )

    def choice(self, option: int) -> Choice:
        number = self.lowered.option_choices[option]
        for family in self.lowered.families.values():
            if number < family.first + len(family.choices):
                return Choice(family.name, family.choices[number - family.first], option, family.forms)
        return Choice(f"{self._state(number)}", (), option)

    def _state(self, number: int) -> str:
        """What a choice of covr's own is called, which tells how far a wish is broken."""
        wish = next(w for w in self.lowered.wishes if 0 <= number - w.first < len(w.states))
        state = wish.states[number - wish.first]
        name = wish.source.name(state.at, self.scope)
        return f"{name}: {'kept' if not state.off else f'off by {state.off}'}"

    def changed(self, answer: Sequence[int]) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        if self.near is None:
            return None
        taken = {o for o in answer if not self.is_own(o)}
        added, lost = sorted(taken - self.near.options), sorted(self.near.options - taken)
        return tuple(str(self.choice(o)) for o in added), (*(str(self.choice(o)) for o in lost), *self.near.gone)

    def broken(self, answer: Sequence[int]) -> tuple[Broken, ...]:
        if not self.lowered.wishes:
            return ()
        taken = {self.lowered.option_choices[o] for o in answer}
        return tuple(
            Broken(wish.source.name(state.at, self.scope), state.off if wish.counts else None, state.cost)
            for wish in self.lowered.wishes
            for number, state in enumerate(wish.states, wish.first)
            if state.off and number in taken
        )

    @property
    def _lowering(self) -> Lowering:
        return Lowering(self.model, self.scope, self.lowered)

    @cached_property
    def drawings(self) -> tuple[Drawing, ...]:
        with FaultCollector.raising():
            return drawings(self._lowering)

    @cached_property
    def printed(self) -> Printed:
        """What is on the boards whatever the answer. Raises ModelErrors."""
        boards = [drawing.coordinates for drawing in self.drawings if drawing.axes]
        with FaultCollector.raising():
            return printed_on(self._lowering, boards)

    def try_drawings(self) -> None:
        options = self.lowered.choice_options
        with FaultCollector.raising():
            assert self.printed is not None
            for drawing in self.drawings:
                try_out(drawing, [n for n in range(len(options)) if options[n] >= 0])

    def pictures(self, answer: Sequence[int]) -> tuple[Picture, ...]:
        chosen = [(self.lowered.option_choices[o], o) for o in sorted(answer)]
        with FaultCollector.raising():
            return draw(self.drawings, chosen, frozenset(self.problem.given), self.printed)

    def puzzle(self) -> tuple[Picture, ...]:
        given = self.problem.given
        with FaultCollector.raising():
            chosen = [(self.lowered.option_choices[o], o) for o in given]
            return draw(self.drawings, chosen, frozenset(given), self.printed, puzzle=True)

    def unfinished(self, taken: Sequence[int]) -> tuple[Picture, ...]:
        with FaultCollector.raising():
            chosen = [(self.lowered.option_choices[o], o) for o in sorted(taken)]
            return draw(self.drawings, chosen, frozenset(self.problem.given), self.printed, puzzle=True)

    def with_data(self, overrides: Mapping[str, object]) -> Compiled:
        with FaultCollector.raising():
            scope = rebind(self.scope, overrides)
        if self.only_givens_use(frozenset(overrides)):
            return CompiledModel(self.model, scope, regive(self.lowered, self.model, scope))
        return CompiledModel(self.model, scope, lower(self.model, scope))

    def only_givens_use(self, names: frozenset[str]) -> bool:
        return not (names & self._matrix_names)

    @cached_property
    def _matrix_names(self) -> frozenset[str]:
        """The params that any statement other than `given`, `clue` and `expect` depends on, directly or through
        definitions."""
        used: set[str] = set()
        for statement in self.model.statements:
            if not isinstance(statement, Given | Clue | Expect):
                used |= _mentioned(statement)
        return frozenset(used).union(*(self.scope.depends(name) for name in used))


def _mentioned(statement: object) -> frozenset[str]:
    return frozenset(node.id for node in walk(statement) if isinstance(node, Name))


def compile_model(
    model: CheckedModel, overrides: Mapping[str, object] | None = None, *, limits: CompileLimits | None = None
) -> Compiled:
    """Evaluate a checked model with its data and lower it. overrides: values of params, as Python values or as
    `FromText` from the command line. Raises ModelErrors with every fault found, in source order; E606 alone for a link
    with data that its kind can't have. Time linear in the size of the matrix."""
    given, limits = dict(overrides or {}), limits or CompileLimits()

    def takes_of(name: str) -> Takes | None:
        others = {other: value for other, value in given.items() if other != name}
        try:
            with FaultCollector.raising():
                scope = bind(model, others, limits=limits, at_once=items_of)
                return taken_by(CompiledModel(model, scope, lower(model, scope)), name)
        except ModelErrors:
            return None

    try:
        with gc_paused(), FaultCollector.raising():
            scope = bind(model, given, limits=limits, at_once=items_of, takes_of=takes_of)
            return CompiledModel(model, scope, lower(model, scope))
    except ModelErrors as errors:
        if overrides or not model.source.linked or not BY_DATA.issuperset([d.code for d in errors.diagnostics]):
            raise
        said = f"`{model.source.name}` is no puzzle of its kind: {errors.diagnostics[0].message}"
        raise ModelErrors([Diagnostic("E606", said, None, "")]) from None


def taken_by(compiled: Compiled, name: str) -> Takes:
    """A function that says which values the model accepts at a place, by trying them if that is quick."""
    from covr.compiler.grids import taken_beside

    default = next(d.value for d in compiled.model.definitions if d.name.id == name)
    beside = taken_beside(lambda: compiled.scope.evaluate(default))

    def taken(data: Map) -> bool:
        try:
            compiled.with_data({name: data})
        except ModelErrors:
            return False
        return True

    if not compiled.only_givens_use(frozenset([name])) or not taken(Map({})):
        return beside

    def takes(place: tuple[int, int], value: Value) -> bool:
        together = int("".join(map(str, value))) if isinstance(value, Set) else None
        return taken(Map({place: value})) and not (together is not None and taken(Map({place: together})))

    return takes


# The faults that are due to a link's data where the rules are right: what is given contradicts a rule, or is too large.
BY_DATA = frozenset({"E210", "E211", "E212", "E220", "E401", "E402", "E411", "E420", "E421"})
