"""`print` and `outline`: what the board shows whatever the answer is.

Both speak of places: a `print` in its `at`, an `outline` by the names that its `for` binds, or that `cells` declares.
They are drawn into the picture with as many coordinates.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import field

from covr.compiler.display.coordinates import Coordinates, Place
from covr.compiler.display.fitting import check_style
from covr.compiler.display.picture import COLOUR_NAMES, Inscription, Stroke
from covr.compiler.evaluate import EvalFault, Scope
from covr.compiler.evaluate.rewrite import conjuncts
from covr.compiler.evaluate.values import Seq, abbreviate, show_value
from covr.compiler.lattices.balls import BALLS
from covr.compiler.lattices.hexagons import HEX
from covr.compiler.lattices.lattice import Lattice, LatticeCell
from covr.compiler.lattices.sticks import STICKS
from covr.compiler.lattices.triangles import TRIANGLE
from covr.compiler.lower.fault_collector import FaultCollector
from covr.compiler.lower.groups import Group, closure, groups_of
from covr.compiler.lower.local_scope import Within, allow_only
from covr.compiler.lower.marks import walked_groups
from covr.compiler.lower.walk import Walk
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.syntax import THROUGH, CheckedModel, Declare, Outline, Print
from covr.frozen import frozen

Board = tuple[int, Lattice | None]  # how many coordinates its places have, and their lattice


@frozen
class Printed:
    """What is printed and outlined on each board, and the lines that are printed through its places."""

    strokes: Mapping[Board, Sequence[Stroke]] = field(factory=dict)
    prints: Mapping[Board, Sequence[Inscription]] = field(factory=dict)
    outlines: Mapping[Board, Mapping[Place, int]] = field(factory=dict)


NOTHING = Printed()


def printed_on(
    model: CheckedModel, boards: Sequence[Coordinates], declared: Mapping[str, Group], scope: Scope
) -> Printed:
    """What the `print` and `outline` statements of a model put on its boards. Raises ModelErrors."""
    prints: dict[Board, list[Inscription]] = {}
    outlines: dict[Board, dict[Place, int]] = {}
    strokes: dict[Board, list[Stroke]] = {}
    faults = FaultCollector()
    for statement in model.statements:
        with faults.of(statement):
            if isinstance(statement, Print) and statement.style in THROUGH:
                for board, stroke, text in _strokes(statement, boards, declared, scope):
                    strokes.setdefault(board, []).append(stroke)
                    prints.setdefault(board, []).extend([Inscription(stroke.places[0], text)] if text else [])
            elif isinstance(statement, Print):
                for board, inscription in _inscriptions(statement, boards, declared, scope):
                    prints.setdefault(board, []).append(inscription)
            elif isinstance(statement, Outline):
                for board, places in _outlines(statement, model, boards, declared, scope).items():
                    outlines.setdefault(board, {}).update(places)
    faults.raise_if_any()
    return Printed(strokes, prints, outlines)


def _inscriptions(
    statement: Print, boards: Sequence[Coordinates], declared: Mapping[str, Group], scope: Scope
) -> Iterator[tuple[Board, Inscription]]:
    mentioned = [*statement.values, *statement.at, statement.where]
    groups = walked_groups(mentioned, statement.generators, declared)
    inside = Within(scope, {n for g in groups for n in g.names}.union(declared))
    texts = [inside.compile(v) for v in statement.values]
    keys = [inside.compile(e) for e in statement.at]
    span = statement.at[0].span.to(statement.at[-1].span) if statement.at else statement.span
    look = statement.style or ""
    for env in Walk(scope, groups, conjuncts(statement.where), frozenset())({}):
        text = " ".join(show_value(t(env)) for t in texts)
        key = tuple([k(env) for k in keys])
        if len(key) == 2 and all(isinstance(part, tuple | LatticeCell) for part in key):
            (board, one), (other_board, other) = (_place((part,), boards, span) for part in key)
            if board != other_board or not _meet(board, one, other):
                raise _homeless(
                    f"{abbreviate(key)} are not two squares that touch" if board == (2, None)
                    else f"there is no border between {abbreviate(key)}",
                    span,
                    "a text stands between two squares, or cubes of one layer, that have a side or a corner in common, "
                    "or between two hexagons or triangles that touch",
                )  # fmt: skip
            if text:
                yield board, Inscription(min(one, other), text, max(one, other))
        elif text or look:
            board, place = _place(key, boards, span)
            if look == "dark":
                check_style(look, *board, span)
            yield board, Inscription(place, text, look=look)


def _strokes(
    statement: Print, boards: Sequence[Coordinates], declared: Mapping[str, Group], scope: Scope
) -> Iterator[tuple[Board, Stroke, str]]:
    """The lines of a `print … as line`, each with the text that is printed where it begins, unless it is a colour."""
    mentioned = [*statement.values, *statement.at, statement.where]
    groups = walked_groups(mentioned, statement.generators, declared)
    inside = Within(scope, {n for g in groups for n in g.names}.union(declared))
    through, span = inside.compile(statement.at[0]), statement.at[0].span
    texts = [inside.compile(v) for v in statement.values]
    for env in Walk(scope, groups, conjuncts(statement.where), frozenset())({}):
        passed = through(env)
        places = list(passed) if isinstance(passed, Seq) else []
        if len(places) < 2:
            raise _homeless(
                f"{abbreviate(passed)} is no list of places",
                span,
                f"`as {statement.style}` runs through at least two places: `at [(1, 1), (1, 2)]`",
            )
        met = [_place((at,), boards, span) for at in places]
        board = met[0][0]
        for value, (_, at) in zip(places, met, strict=True):
            axes = next(one for one in boards if (one.count, one.lattice) == board)
            if not all(part in axes.numbers(axis) for axis, part in enumerate(at)):
                raise _homeless(f"{abbreviate(value)} is not on the board", span, "a line runs through its places only")
        if any(other != board or (board[0] == 3 and at[0] != met[0][1][0]) for other, at in met):
            raise _homeless(f"{abbreviate(passed)} lies on two boards", span, "a line stays on one board, or one layer")
        if board[1] in (STICKS, BALLS):
            raise _homeless(
                f"no line can be printed through `{board[1].name}`",
                span,
                "`as line`, `arrow` and `bulb` are for boards of squares, cubes, hexagons and triangles",
            )
        assert statement.style is not None
        text = " ".join(show_value(t(env)) for t in texts)
        colour = text if statement.style == "line" and text in COLOUR_NAMES else ""
        yield board, Stroke(statement.style, tuple(at for _, at in met), colour), "" if colour else text


def _place(key: tuple[Any, ...], boards: Sequence[Coordinates], span: Any) -> tuple[Board, Place]:
    """The board that a key speaks of, and the place on it or beside it."""
    kinds = {part.lattice for part in key if type(part) is LatticeCell}
    for board in boards:
        if kinds == (set() if board.lattice is None else {board.lattice}):
            place = board.beside(key)
            if place is not None and (board.count < 3 or place[0] in board.numbers(0)):
                return (board.count, board.lattice), place
    raise _homeless(
        f"{abbreviate(key if len(key) != 1 else key[0])} is no place of a picture",
        span,
        "a place has as many coordinates as the `at` of a `show`",
    )


def _meet(board: Board, one: Place, other: Place) -> bool:
    """Whether two places have a border on which something can be printed."""
    lattice = board[1]
    if lattice is not None:
        return lattice in (HEX, TRIANGLE) and other in lattice.near(one)
    steps = [abs(a - b) for a, b in zip(one, other, strict=True)]
    return len(steps) > 1 and max(steps) == 1 and (len(steps) == 2 or steps[0] == 0)


def _homeless(message: str, span: Any, help: str) -> EvalFault:
    return EvalFault(Diagnostic("E442", message, span, help=help))


def _outlines(
    statement: Outline, model: CheckedModel, boards: Sequence[Coordinates], declared: Mapping[str, Group], scope: Scope
) -> dict[Board, dict[Place, int]]:
    """Board → place → the number of the value that it has."""
    generators = statement.generators
    if not generators:
        cells = [s for s in model.statements if isinstance(s, Declare) and s.kind == "cells"]
        generators = tuple(g for s in cells for g in s.generators)
    own = groups_of(generators)
    names = [n for g in own for n in g.names]
    allow_only(names, declared, statement.value, "{name} has no value in this `outline`", "bind it with `for`")
    groups = [
        *closure([g for o in own for g in [declared[u] for u in sorted(o.uses) if u in declared]], declared),
        *own,
    ]
    groups = list(dict.fromkeys(g for g in groups if g in own or not set(g.names) & set(names)))
    value = Within(scope, {n for g in groups for n in g.names}).compile(statement.value)
    numbers: dict[Any, int] = {}
    found: dict[Board, dict[Place, int]] = {}
    for env in Walk(scope, groups, (), frozenset())({}):
        number = numbers.setdefault(value(env), len(numbers))
        board, place = _place(tuple([env[n] for n in names]), boards, statement.value.span)
        if board[1] in (STICKS, BALLS):
            raise _homeless(
                f"`{board[1].name}` have no sides between which a line could run",
                statement.value.span,
                "an `outline` is for boards of squares, cubes, hexagons and triangles",
            )
        found.setdefault(board, {})[place] = number
    return found
