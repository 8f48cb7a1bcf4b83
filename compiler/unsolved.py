"""What to show of a puzzle: its board or, if it has none, its givens in words.

A model that shows only lists has nothing to draw before it is solved, unless its lists show what is given. Then the
given choices are listed by their names; if there are none, one line says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from covr.compiler.clues import ClueSpot, clue_spots, clue_statements_of, standing_clues
from covr.compiler.compiled import Compiled
from covr.compiler.display.coordinates import Coordinates, Place
from covr.compiler.display.picture import Mark, Picture
from covr.compiler.evaluate.values import show_value
from covr.compiler.lattices.lattice import Lattice, LatticeCell
from covr.dsl.diagnostics import ModelErrors
from covr.dsl.syntax import Given, Name, Outline, Print, Show
from covr.dsl.walk import walk
from covr.frozen import evolve

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
    told = {s.param.id for s in clue_statements_of(compiled)}
    hidden = told - _spoken_of(compiled) if told else told
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
