"""The constraints of a question why, in the names of the model, and grouped as an author thinks of them.

A constraint is a rule's item (numbered as the item), a given choice (`items + option`) or a side (after these), as in
engine/proofs/conflict.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import attrs

from covr.compiler.clues import clue_statements_of
from covr.compiler.evaluate.names import free_names
from covr.compiler.evaluate.values import show_value
from covr.compiler.lower.lowered import AgreeItems
from covr.dsl.source import Span
from covr.engine.proofs.conflict import Unit
from covr.explain.item_names import key_words
from covr.explain.member import Member
from covr.explain.wording import at, labelled_spans

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.lower.lowered import ItemOrigin
    from covr.engine import Problem


class Constraints:
    """Names and groups of the constraints of a problem."""

    def __init__(self, compiled: Compiled, problem: Problem) -> None:
        """problem: that of the model's rules."""
        self.compiled, self.problem = compiled, problem

    def said(self, constraints: Iterable[int]) -> tuple[list[Unit], Unit]:
        """The constraints that are said if a reason rests on them, those with the same name together; and the rules
        without a label, if there are others."""
        spans = labelled_spans(self.compiled)
        units: dict[tuple[str, str], list[int]] = {}
        quiet = []
        for c in constraints:
            member = self.member(c)
            if member.kind == "given" or at(member.span) in spans:
                units.setdefault((member.kind, member.name), []).append(c)
            else:
                quiet.append(c)
        if all(kind == "given" for kind, _ in units):
            return [], ()
        return [tuple(unit) for unit in units.values()], tuple(quiet)

    def clues(self, constraints: Iterable[int]) -> list[Unit]:
        """The rules that hold a clue each, with those of the same name together."""
        rules: dict[str, list[int]] = {}
        for c in constraints:
            if not self.is_matrix and not self.is_given(c) and self._is_of_clue(c):
                rules.setdefault(self.member(c).name, []).append(c)
        return [tuple(unit) for unit in rules.values()]

    def clues_first(self, constraints: Sequence[int]) -> tuple[list[Unit], Unit]:
        """The rules that hold a clue each, and all others; none of either if there is no such rule."""
        clues = self.clues(constraints)
        told = {c for unit in clues for c in unit}
        return clues, tuple(c for c in constraints if c not in told) if clues else ()

    def _is_of_clue(self, constraint: int) -> bool:
        """Whether a rule's label tells the clue in a param of which a `clue` statement speaks."""
        label = getattr(self._origin(constraint).statement, "label", None)
        parts = () if label is None else (part for part in label.parts if not isinstance(part, str))
        return any(not self._told_params.isdisjoint(free_names(part)) for part in parts)

    @cached_property
    def _told_params(self) -> frozenset[str]:
        """The params of which `clue` statements say what stands there."""
        return frozenset(statement.param.id for statement in clue_statements_of(self.compiled))

    def statements(self, constraints: Iterable[int]) -> list[Unit]:
        """Constraints as the statements they come from."""
        kept = set(constraints)
        blocks = [tuple(c for c in block if c in kept) for block in self.blocks]
        spans: dict[tuple[int, int], list[int]] = {}
        for option, (_, span) in [] if self.is_matrix else self._givens.items():
            if self.problem.items + option in kept:
                spans.setdefault((span.start, span.end), []).append(self.problem.items + option)
        alone = [(c,) for c in kept if self.is_given(c)] if self.is_matrix else []
        return [u for u in (*blocks, *map(tuple, spans.values()), *alone) if u]

    @cached_property
    def blocks(self) -> list[tuple[int, ...]]:
        """The items and sides of each statement, in source order; for a matrix, each by itself."""
        sides = range(self.first_side, self.first_side + len(self.problem.sides))
        if self.is_matrix:
            return [(c,) for c in (*range(self.problem.items), *sides)]
        blocks: dict[int, list[int]] = {}
        for item, origin in enumerate(self.compiled.lowered.origins):
            blocks.setdefault(id(origin.source), []).append(item)
        for side, origin in zip(sides, self.compiled.lowered.side_origins, strict=True):
            blocks.setdefault(id(origin.source), []).append(side)
        return sorted(map(tuple, blocks.values()), key=lambda b: self._span(b[0]).start)

    @cached_property
    def _givens(self) -> dict[int, tuple[str, Span]]:
        """For each given option, its name and its place."""
        named: dict[int, tuple[str, Span]] = {}
        if self.is_matrix:
            return {o: (self.problem.option_names[o], self._nowhere) for o in self.problem.given}
        for given in self.compiled.givens:
            named.setdefault(self.compiled.lowered.choice_options[given.number], (given.name, given.span))
        return named

    @property
    def is_matrix(self) -> bool:
        """Whether there is no model: items and options have names, and no statements."""
        lowered = self.compiled.lowered
        return len(lowered.origins) < self.problem.items or len(lowered.side_origins) < len(self.problem.sides)

    @property
    def first_side(self) -> int:
        """The constraint that is the first side."""
        return self.problem.items + self.problem.options

    def is_given(self, constraint: int) -> bool:
        """Whether a constraint is a given choice."""
        return self.problem.items <= constraint < self.first_side

    @property
    def _nowhere(self) -> Span:
        return Span(self.compiled.model.source, 0, 0)

    def _origin(self, constraint: int) -> ItemOrigin:
        """Where an item or a side comes from."""
        lowered = self.compiled.lowered
        if constraint < self.problem.items:
            return lowered.origins[constraint]
        return lowered.side_origins[constraint - self.first_side]

    def source(self, constraints: Sequence[int]) -> object:
        """What makes the items of one statement."""
        return self._origin(constraints[0]).source

    def _span(self, constraint: int) -> Span:
        return self._nowhere if self.is_matrix else self._origin(constraint).statement.span

    def member(self, constraint: int) -> Member:
        """A constraint in the model's names."""
        if self.is_given(constraint):
            return Member("given", *self._givens[constraint - self.problem.items])
        side = constraint - self.first_side
        name = self.problem.item_names[constraint] if side < 0 else str(self.problem.sides[side].name)
        span = self._span(constraint)
        if self.is_matrix:
            return Member("rule", name, span)
        origin = self._origin(constraint)
        key = key_words(origin) if side < 0 else ""
        if key:
            return Member("rule", f"{name} ({key})", span, name, key)
        if isinstance(origin.source, AgreeItems):
            key = show_value(origin.source.keys[origin.at])
            return Member("rule", name, span, name.removesuffix(f" on {key}"), key)
        return Member("rule", name, span)

    def statement(self, constraint: int) -> Member:
        """The statement that a constraint comes from."""
        span = self._span(constraint)
        if self.is_matrix:
            return attrs.evolve(self.member(constraint), span=span)
        return Member("statement", span.one_line, span)
