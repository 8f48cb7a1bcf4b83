"""Clues in the data of a model that are not what its `clue` statements say, for its only answer.

Such a `clue` is wrong, or the rule that reads the clue is, or the clue itself: then the answer is not the one that was
meant. Where the answer is not the only one, or not found within `NODES`, nothing is said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

from covr.compiler.clues import ClueReader, ClueSpot, clue_spots, clue_statements_of, standing_clues
from covr.compiler.evaluate.values import Map, abbreviate
from covr.dsl.diagnostics import Diagnostic
from covr.engine.base.limits import Limits
from covr.engine.base.status import Status
from covr.engine.dispatch import search

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.evaluate.values import Value
    from covr.dsl.source import Span

SECRET = "?"  # what stands for a clue, or a part of one, that is not told, as everywhere in the gallery
NODES = 20_000  # of the search for the only answer
MOST = 20  # clues that are reported, at most


def contradicted_clues(compiled: Compiled) -> list[Diagnostic]:
    """A warning W217 for each clue in the data that contradicts the model's only answer. Raises ModelErrors for a
    `clue` that can't be evaluated."""
    if compiled.is_matrix or not clue_statements_of(compiled) or compiled.goal is not None or compiled.has_symmetry:
        return []
    spots = clue_spots(compiled)
    reader = ClueReader(compiled, spots)
    problem = evolve(compiled.problem, costs=(), item_names=(), option_names=())
    run = search(problem, limits=Limits(answers=2, nodes=NODES))
    answers = list(run)
    if run.status is not Status.EXHAUSTED or len(answers) != 1:
        return []
    found = []
    standing = standing_clues(compiled, spots)
    for spot, stands, told in zip(spots, standing, reader.every(answers[0]), strict=True):
        if stands is not None and SECRET not in str(stands) and told and stands not in told:
            found.append(_warning(compiled, spot, stands, told[0]))
    return found[:MOST]


def _warning(compiled: Compiled, spot: ClueSpot, stands: Value, told: Value) -> Diagnostic:
    statement = spot.tellers[0][0]
    key = ", ".join(map(abbreviate, spot.key)) if isinstance(spot.key, tuple) else abbreviate(spot.key)
    message = f"`{spot.param}[{key}]` is {abbreviate(stands)}, and "
    message += f"would be {abbreviate(told)}"
    place = _origin(compiled, spot)
    notes = () if place is None else (f"so says `{statement.span.one_line}`",)
    help = "the answer is the only one; look at the clue, at the rule that reads it, and at the `clue`"
    return Diagnostic("W217", f"{message} for the model's answer", place or statement.span, help, notes)


def _origin(compiled: Compiled, spot: ClueSpot) -> Span | None:
    table = compiled.scope.value(spot.param)
    return table.origin(spot.key) if isinstance(table, Map) and table.origin is not None else None
