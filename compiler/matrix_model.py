"""A matrix that is asked like a model; a model near an earlier answer; a puzzle unsolved."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

import attrs

from covr.compiler.clues import ClueSpot, clue_spots, clue_statements_of, standing_clues
from covr.compiler.compiled import Choice, Compiled, CompiledModel
from covr.compiler.display.prints import Coordinates, Mark, Picture, Place
from covr.compiler.evaluate.bind import bind
from covr.compiler.evaluate.values import show_value
from covr.compiler.lattices import Lattice, LatticeCell
from covr.compiler.lower.families import Family
from covr.compiler.lower.lowered import Lowered, Stage
from covr.dsl.diagnostics import Diagnostic, ModelErrors, Source, Span
from covr.dsl.scope import walk
from covr.dsl.syntax import CheckedModel, Choose, Given, Name, Outline, Print, Show
from covr.engine import Problem
from covr.engine.problem import MAX_COST
from covr.frozen import evolve, frozen

# --- matrix model ----------------------------------------------------------------------------------------------------
# A matrix that comes from a file instead of a model, and can be asked the same questions as a compiled model.
#
# Its choices are the options, called by their names or, if two share a name, by name and number. An answer is drawn as
# a list. If options have costs, the total cost is minimised; where a file says `Maximize`, costs are its values with
# the opposite sign.


FAMILY = "option"


class MatrixModel(Compiled):
    """A matrix with one family of choices, one for each option. Made by `compile_problem`."""

    is_matrix = True

    def __init__(self, problem: Problem, source: Source, maximises: bool = False) -> None:
        names = list(problem.option_names) or [str(o + 1) for o in range(problem.options)]
        items = list(problem.item_names) or [str(i + 1) for i in range(problem.items)]
        problem = attrs.evolve(problem, item_names=tuple(items), option_names=tuple(names))
        super().__init__(_lowered(problem, names, Span(source, 0, 0), maximises), problem)
        self.model = CheckedModel(source, None, (), ())
        self.scope = bind(self.model)

    def choice(self, option: int) -> Choice:
        return Choice(FAMILY, self.lowered.families[FAMILY].choices[option], option)

    @cached_property
    def impossible(self) -> Diagnostic | None:
        reached = [0] * self.problem.items
        for i in self.problem.members:
            reached[i] += 1
        for i in range(self.problem.primary):
            if reached[i] < self.problem.low[i]:
                help = f"{reached[i]} options reach it, {self.problem.low[i]} are wanted"
                message = f"nothing can satisfy the item `{self.problem.item_names[i]}`"
                return Diagnostic("W203", message, None, help, word="no solution")
        return None

    def pictures(self, answer: Sequence[int]) -> tuple[Picture, ...]:
        return (Picture(0, lines=tuple((self.problem.option_names[o],) for o in sorted(answer))),)

    def with_data(self, overrides: Mapping[str, object]) -> Compiled:
        bind(self.model, overrides)
        return self


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


# --- near ------------------------------------------------------------------------------------------------------------
# A model that asks, after all its goals, for as little change as possible from an answer that was given before.


@frozen
class Near:
    """An earlier answer. options: the numbers of its choices that still exist.  gone: the names of the others."""

    options: frozenset[int]
    gone: tuple[str, ...]


def near(compiled: Compiled, options: Collection[int], gone: Collection[str]) -> CompiledModel:
    """The model with one more goal, the last: that an answer differs as little as possible from an earlier one.
    options, gone: as in `Near`. `up to` is left out, since its answers look alike and are not equally near.

    Raises ModelErrors E522 for a matrix, if nothing is left of the earlier answer, and where costs would become too
    large.
    """
    if not isinstance(compiled, CompiledModel):
        raise _refused("`near` goes with a model, not with a matrix")
    if gone and not options:
        help = "was it an answer of another model, or with other data?"
        raise _refused("no choice of the earlier answer exists in this model", help)
    old = Near(frozenset(options), tuple(gone))
    compiled = compiled.without_symmetry()
    lowered, problem = compiled.lowered, compiled.problem
    own = [0 if compiled.is_own(o) else -1 if o in old.options else 1 for o in range(problem.options)]
    stages = lowered.stages
    if not stages and lowered.goal is not None:
        least, most = sum(c for c in problem.costs if c < 0), sum(c for c in problem.costs if c > 0)
        stages = (Stage(lowered.goal, 1, least, most),)
    last = Stage("near", 1, -len(old.options), own.count(1), len(old.options) + len(old.gone))
    weight = last.most - last.least + 1
    costs = [weight * c + o for c, o in zip(problem.costs or [0] * problem.options, own, strict=True)]
    if sum(map(abs, costs)) >= MAX_COST:
        raise _refused("with `near` the costs of all choices together are too large")
    stages = (*(evolve(stage, weight=stage.weight * weight) for stage in stages), last)
    changed = evolve(
        lowered,
        problem=evolve(lowered.problem, costs=tuple(costs)),
        stages=stages,
        goal=lowered.goal or "minimize",
    )
    return CompiledModel(compiled.model, compiled.scope, changed, old)


def _refused(message: str, help: str = "") -> ModelErrors:
    return ModelErrors([Diagnostic("E522", message, None, help)])


# --- unsolved --------------------------------------------------------------------------------------------------------
# What to show of a puzzle: its board or, if it has none, its givens in words.
#
# A model that shows only lists has nothing to draw before it is solved, unless its lists show what is given. Then the
# given choices are listed by their names; if there are none, one line says so.


Board = tuple[int, Lattice | None]  # how many coordinates its places have, and their lattice


def unsolved(compiled: Compiled) -> tuple[Picture, ...]:
    """The pictures of the unsolved puzzle without lists that show nothing; never empty. Clues in the data of which no
    statement but rules speaks, so that neither a `print` nor a `given` shows them, stand at their places, or are
    listed."""
    drawn = tuple(p for p in _with_clues(compiled.puzzle(), compiled) if p.places or p.lines)
    if drawn:
        return drawn
    given = [(str(compiled.choice(option)),) for option in compiled.problem.given]
    return (Picture(0, lines=tuple(given) or ((_none_given(compiled.problem.options),),)),)


def _with_clues(pictures: tuple[Picture, ...], compiled: Compiled) -> tuple[Picture, ...]:
    """The pictures with the clues that they do not show."""
    marks: dict[Board, list[Mark]] = {}
    lines: list[tuple[str, ...]] = []
    boards = {(d.axes, d.lattice): d.coordinates for d in compiled.drawings if d.axes}
    for found in _unshown(compiled).values():
        placed = [_place(spot.key, boards) for spot, _ in found]
        for (spot, text), at in zip(found, placed, strict=True):
            if at is not None and None not in placed:
                marks.setdefault(at[0], []).append(Mark(at[1], text, given=True, look="printed"))
            else:
                lines.append((f"{spot.param}[{show_value(spot.key).removeprefix('(').removesuffix(')')}]", text))
    with_marks = [
        evolve(p, marks=tuple(sorted([*p.marks, *marks.get((p.axes, p.lattice), ())], key=lambda m: m.at)))
        for p in pictures
    ]
    return (*with_marks, *([Picture(0, lines=tuple(lines))] if lines else []))


def _unshown(compiled: Compiled) -> Mapping[str, list[tuple[ClueSpot, str]]]:
    """The clues that stand in each param of which only rules and `clue` statements speak, as texts."""
    asked = {s.param.id for s in clue_statements_of(compiled)}
    hidden = asked - _spoken_of(compiled) if asked else asked
    if not hidden:
        return {}
    try:
        spots = clue_spots(compiled)
    except ModelErrors:  # which `covr make` reports
        return {}
    found: dict[str, list[tuple[ClueSpot, str]]] = {}
    for spot, value in zip(spots, standing_clues(compiled, spots), strict=True):
        if value is not None and spot.param in hidden:
            found.setdefault(spot.param, []).append((spot, show_value(value)))
    return found


def _spoken_of(compiled: Compiled) -> frozenset[str]:
    """The params of which a `show`, `print`, `outline` or `given` speaks, directly or through definitions."""
    speaking = [s for s in compiled.model.statements if isinstance(s, Given | Outline | Print | Show)]
    names = {node.id for s in speaking for node in walk(s) if isinstance(node, Name)}
    return frozenset(names).union(*(compiled.scope.depends(name) for name in names))


def _place(key: Any, boards: Mapping[Board, Coordinates]) -> tuple[Board, Place] | None:
    """The board and the place on it that the key of a clue names; None if it names none."""
    parts = key if type(key) is tuple else (key,)
    lattices: set[Lattice | None] = {part.lattice for part in parts if type(part) is LatticeCell}
    for board, coordinates in boards.items():
        at = coordinates.beside(parts) if {board[1]} == (lattices or {None}) else None
        if at is not None and all(part in coordinates.numbers(axis) for axis, part in enumerate(at)):
            return board, at
    return None


def _none_given(choices: int) -> str:
    """The line for a puzzle without givens. choices: how many there are."""
    if choices < 2:
        return "the only choice is not given" if choices else "there are no choices"
    return f"none of the {choices:,} choices is given"
