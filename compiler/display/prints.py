"""What a picture shows, and what `print` and `outline` add whatever the answer is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from operator import itemgetter
from typing import Any, Final

from attrs import field

from covr.compiler.evaluate import EvalFault, Scope
from covr.compiler.evaluate.expressions import conjuncts, free_names
from covr.compiler.evaluate.values import Seq, abbreviate, order_key, show_value
from covr.compiler.lattices import BALLS, HEX, STICKS, TRIANGLE, Lattice, LatticeCell
from covr.compiler.lower.families import Lowering
from covr.compiler.lower.groups import Within, allow_only, closure, groups_of
from covr.compiler.lower.marks import walked_groups
from covr.compiler.lower.walk import Walk
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.syntax import REGIONS, SHAPES, THROUGH, CheckedModel, Declare, Expr, Key, Name, Outline, Print, Rule, Show
from covr.frozen import evolve, frozen

# --- coordinates -----------------------------------------------------------------------------------------------------
# How the keys of `at` become coordinates.
#
# Whole numbers stay as they are; other values are numbered in the order in which they are met, so that a list or a
# table keeps its own order, and are written beside the board as headings.


Place = tuple[int, ...]


class Coordinates:
    """Turns the values of `at` into coordinates: whole numbers stay as they are, other values are numbered. keys: in
    the order in which the sets and lists of the statement are visited. plain: whether every key is its own place, as
    the row and the column of a square are."""

    def __init__(self, keys: Mapping[tuple[Any, ...], None], show: Show) -> None:
        kinds = set(map(type, chain.from_iterable(keys)))
        flat = list(keys) if kinds <= {int} else [flatten(key) for key in keys]
        self.lattice = self._lattice(keys, show) if LatticeCell in kinds else None
        self.count = len(flat[0]) if flat else sum(1 for _ in show.at)
        if self.count > 3 or set(map(len, flat)) - {self.count}:
            raise EvalFault(
                Diagnostic(
                    "E440",
                    "a picture has one, two or three coordinates",
                    show.at[0].span.to(show.at[-1].span),
                    help="show at a row and a column, or at a layer, a row and a column",
                )
            )
        self.values = [dict.fromkeys(map(itemgetter(axis), flat)) for axis in range(self.count)]
        self.ranks: list[dict[Any, int] | None] = []
        self._of_numbers = kinds <= {int}
        self.plain = self._of_numbers
        self.rank()

    def rank(self) -> None:
        """Number the values of each axis on which not all of them are whole numbers."""
        whole = [set(map(type, values)) <= {int} for values in self.values]
        self.ranks = [
            None if plain else {v: i for i, v in enumerate(values, 1)}
            for plain, values in zip(whole, self.values, strict=True)
        ]
        self.plain = self._of_numbers and not any(self.ranks)

    def _lattice(self, keys: Mapping[tuple[Any, ...], None], show: Show) -> Lattice | None:
        """The lattice of the places; None if they are of no lattice but squares and cubes."""
        found = {part.lattice for key in keys for part in key if type(part) is LatticeCell}
        if not found:
            return None
        if len(found) > 1 or any(len(key) > 1 or type(key[0]) is not LatticeCell for key in keys):
            raise EvalFault(
                Diagnostic(
                    "E441",
                    "the places of a picture are cells of one lattice, and nothing else",
                    show.at[0].span.to(show.at[-1].span),
                    help="show at a cell: `at x`, or `at hex(r, c)`",
                )
            )
        return found.pop()

    def place(self, key: tuple[Any, ...]) -> Place:
        """The place of a key that the board has."""
        if self.plain:
            return key
        flat = flatten(key)
        return tuple(v if ranks is None else ranks[v] for v, ranks in zip(flat, self.ranks, strict=True))

    def beside(self, key: tuple[Any, ...]) -> Place | None:
        """The place of a key that may lie outside the board, where it is counted in whole numbers; None if it has
        none."""
        flat = flatten(key)
        if len(flat) != self.count:
            return None
        place = []
        for value, ranks in zip(flat, self.ranks, strict=True):
            found = value if type(value) is int else None
            if ranks is not None and value in ranks:
                found = ranks[value]
            if found is None:
                return None
            place.append(found)
        return tuple(place)

    def numbers(self, axis: int) -> frozenset[int]:
        """The coordinates of the board's places on one axis."""
        ranks = self.ranks[axis]
        return frozenset(self.values[axis] if ranks is None else ranks.values())

    def headings(self) -> Iterator[tuple[int, int, str]]:
        """The axis, the number and the text of each value that is no whole number on its axis."""
        for axis, ranks in enumerate(self.ranks):
            for value, number in (ranks or {}).items():
                yield axis, number, show_value(value)


def share_ranks(boards: Sequence[Coordinates]) -> None:
    """Number the values of all statements that draw into one picture together."""
    alike: dict[tuple[int, Lattice | None], list[Coordinates]] = {}
    for one in boards:
        alike.setdefault((one.count, one.lattice), []).append(one)
    for group in alike.values():
        for axis, together in enumerate(zip(*(one.values for one in group), strict=True)):
            union = dict.fromkeys(v for values in together for v in values)
            if all(list(values) == sorted(values, key=order_key) for values in together):
                union = dict.fromkeys(sorted(union, key=order_key))
            for one in group:
                one.values[axis] = union
        for one in group:
            one.rank()


def flatten(key: tuple[Any, ...]) -> tuple[Any, ...]:
    """The coordinates of a key, those in tuples one by one."""
    flat: list[Any] = []
    for part in key:
        flat += part if isinstance(part, tuple) else (part,)
    return tuple(flat)


# --- picture ---------------------------------------------------------------------------------------------------------
# What the picture of an answer shows, before it is decided how to draw it.
#
# The compiler turns `show` statements (or the cells and values of a model) into pictures; `covr.draw` turns pictures
# into text and images. Coordinates are whole numbers here, counted as the model counts them.


@frozen
class Mark:
    """A text that stands at a place.

    at: the coordinates, as many as the picture has axes.
    text: what is shown there; may be longer than one character.
    option: the option number of the choice that shows it, or -1 if no choice does (an `else` text).
    given: whether that choice was given, or the text is printed on the board of the puzzle.
    faint: whether it is a pencil mark: the choice is possible, and not certain.
    note: what is said of a pencil mark, such as how many answers hold the choice; or empty.
    heat: in how many of all answers the choice is, from 0 to 1; negative if that is not to be shown.
    role: what the choice is in a hint: `reason`, `taken` or `out` (what follows from the reason); or empty.
    look: how the model wants it drawn: `plain` (no lines round the choice), `dark` (a filled square), `line` (lines
        between the places of the choice), `lines` (as many side by side as the text says), `circle`, `square` or
        `diamond` (the shape it stands in), `printed` (by a `print`), `divided` (printed as `below\\above` on a square
        with a diagonal), or empty.
    """

    at: tuple[int, ...]
    text: str
    option: int = -1
    given: bool = False
    faint: bool = False
    note: str = ""
    role: str = ""
    heat: float = -1.0
    look: str = ""


@frozen
class Inscription:
    """A text printed beside what is chosen: small in the corner of a place, in the margin, or between two places.

    at: the place, or one outside the board, which is its margin; a heading above a strip is at (0, column).
    to: the other place, if it stands between two.
    look: `dark`, `circle`, `square` or `diamond`, where a `print` says so with `as`; `heading` of a row or column.
    """

    at: tuple[int, ...]
    text: str
    to: tuple[int, ...] | None = None
    look: str = ""


# Places in the smallest box around a picture; a picture with a larger box is written as a list.
LARGEST_BOX = 1_000_000
LINES = ("line", "lines")  # the looks of marks that are joined by lines

# The names of colours that fill a shape or colour a line, in place of a text.
COLOUR_NAMES = frozenset(
    {"red", "orange", "yellow", "green", "blue", "purple", "pink", "brown", "white", "grey", "black"}
)


@frozen
class Stroke:
    """A line printed through places. kind: `line`, `arrow` (a circle at its beginning, a head at its end) or `bulb` (a
    disc at its beginning).  colour: the name of one, of a broad `line`."""

    kind: str
    places: tuple[tuple[int, ...], ...]
    colour: str = ""


@frozen
class Picture:
    """One `show` statement applied to one answer.

    axes: 2 for a grid (row, column), 3 for layers (layer, row, column), 1 for a strip, 0 for a list.
    low, high: the smallest and largest coordinate of each axis, over all places whether marked or not.
    places: every place that belongs to the board, in order; places inside low..high that are missing are holes.
    marks: in order of place; two choices may mark one place.
    regions: place → region number, where the model outlines regions (boxes of a sudoku, a star battle's fields).
    outlines: place → class number, where `outline` asks for thin lines between places of unlike classes.
    prints: what is printed, except in the middle of places, where it is among the marks.
    strokes: lines printed through places.
    outline: whether pieces are drawn: neighbouring places of one option belong together (`as outline`, or derived).
    tiles: whether the choices shown have an `agree` statement, so that four letters or words may name the colours of
        the north, east, south and west edges.
    pencil: whether it shows what is possible, not an answer: marks may be faint, and several choices may share a place.
    lines: for a list, one tuple of texts for each choice.
    lattice: of the places, if they are not squares, cubes or a strip.
    """

    axes: int
    low: tuple[int, ...] = ()
    high: tuple[int, ...] = ()
    places: tuple[tuple[int, ...], ...] = field(default=(), repr=False)
    marks: tuple[Mark, ...] = ()
    regions: dict[tuple[int, ...], int] = field(factory=dict, repr=False)
    outlines: dict[tuple[int, ...], int] = field(factory=dict, repr=False)
    prints: tuple[Inscription, ...] = ()
    strokes: tuple[Stroke, ...] = ()
    outline: bool = False
    tiles: bool = False
    pencil: bool = False
    lines: tuple[tuple[str, ...], ...] = ()
    lattice: Lattice | None = None

    def layer(self, number: int) -> Picture:
        """One layer of a picture with three axes, as a picture of two."""
        return evolve(
            self,
            axes=2,
            low=self.low[1:],
            high=self.high[1:],
            places=tuple(at[1:] for at in self.places if at[0] == number),
            marks=tuple(evolve(mark, at=mark.at[1:]) for mark in self.marks if mark.at[0] == number),
            regions={at[1:]: region for at, region in self.regions.items() if at[0] == number},
            outlines={at[1:]: field_ for at, field_ in self.outlines.items() if at[0] == number},
            prints=tuple(evolve(p, at=p.at[1:], to=p.to and p.to[1:]) for p in self.prints if p.at[0] == number),
            strokes=tuple(
                evolve(s, places=tuple(at[1:] for at in s.places)) for s in self.strokes if s.places[0][0] == number
            ),
        )

    def as_row(self) -> Picture:
        """A strip as the grid that looks the same: it has a single row, number 1."""
        return evolve(
            self,
            axes=2,
            low=(1, *self.low),
            high=(1, *self.high),
            places=tuple((1, *place) for place in self.places),
            marks=tuple(evolve(mark, at=(1, *mark.at)) for mark in self.marks),
            regions={(1, *place): region for place, region in self.regions.items()},
            outlines={(1, *place): number for place, number in self.outlines.items()},
            prints=tuple(p if len(p.at) > 1 else evolve(p, at=(1, *p.at)) for p in self.prints),
            strokes=tuple(evolve(s, places=tuple((1, *at) for at in s.places)) for s in self.strokes),
        )


# --- fitting ---------------------------------------------------------------------------------------------------------
# Which ways to draw there are on which board: what can't be drawn is refused, and not left out of a picture.


ELSEWHERE: Final[Mapping[str, str]] = {
    "regions": "an `outline` is for boards of squares, cubes, hexagons and triangles",
    "line": "lines are for boards of squares, hexagons, triangles and sticks",
    "lines": "lines side by side are for boards of squares, hexagons and triangles",
    "dark": "dark places are for boards of squares, cubes, hexagons, triangles and balls",
    **dict.fromkeys(SHAPES, "shapes are for boards of squares, cubes, hexagons, triangles and balls"),
}
ON_STICKS: Final = (REGIONS, "lines", "dark", *SHAPES)  # what sticks have no room for: they are lines themselves
IN_SPACE: Final = ("line", "lines")  # what layers of balls and cubes don't show


def check_style(style: str | None, axes: int, lattice: Lattice | None, span: Any) -> None:
    """Raises EvalFault where what a `show`, or an `outline` of what is chosen, asks for can't be drawn on its board.
    style: as in `Show`. axes: how many coordinates its places have."""
    refused = (
        (lattice is STICKS and style in ON_STICKS)
        or (lattice is BALLS and style == REGIONS)
        or (axes == 3 and style in IN_SPACE)
    )
    if style is not None and refused:
        board = "cubes" if lattice is None else lattice.name
        what = "no regions can be drawn on" if style == REGIONS else f"there is no `as {style}` on"
        raise EvalFault(Diagnostic("E442", f"{what} `{board}`", span, help=ELSEWHERE[style]))


# --- prints ----------------------------------------------------------------------------------------------------------
# `print` and `outline`: what the board shows whatever the answer is.
#
# Both speak of places: a `print` in its `at`, an `outline` by the names that its `for` binds, or that `cells` declares.
# They are drawn into the picture with as many coordinates.


Board = tuple[int, Lattice | None]  # how many coordinates its places have, and their lattice


@frozen
class Printed:
    """What is printed and outlined on each board, and the lines that are printed through its places."""

    strokes: Mapping[Board, Sequence[Stroke]] = field(factory=dict)
    prints: Mapping[Board, Sequence[Inscription]] = field(factory=dict)
    outlines: Mapping[Board, Mapping[Place, int]] = field(factory=dict)


NOTHING = Printed()


def printed_on(lowering: Lowering, boards: Sequence[Coordinates]) -> Printed:
    """What the `print` and `outline` statements of a model put on its boards. Raises ModelErrors."""
    prints: dict[Board, list[Inscription]] = {}
    outlines: dict[Board, dict[Place, int]] = {}
    strokes: dict[Board, list[Stroke]] = {}
    for statement in lowering.model.statements:
        with lowering.faults.of(statement):
            if isinstance(statement, Print) and statement.style in THROUGH:
                for board, stroke, text in _strokes(statement, boards, lowering):
                    strokes.setdefault(board, []).append(stroke)
                    prints.setdefault(board, []).extend([Inscription(stroke.places[0], text)] if text else [])
            elif isinstance(statement, Print):
                for board, inscription in _inscriptions(statement, boards, lowering):
                    prints.setdefault(board, []).append(inscription)
            elif isinstance(statement, Outline):
                for board, places in _outlines(statement, boards, lowering).items():
                    outlines.setdefault(board, {}).update(places)
    lowering.faults.raise_if_any()
    return Printed(strokes, prints, outlines)


def _inscriptions(
    statement: Print, boards: Sequence[Coordinates], lowering: Lowering
) -> Iterator[tuple[Board, Inscription]]:
    mentioned = [*statement.values, *statement.at, statement.where]
    groups = walked_groups(mentioned, statement.generators, lowering.declared)
    inside = Within(lowering.scope, {n for g in groups for n in g.names}.union(lowering.declared))
    texts = [inside.compile(v) for v in statement.values]
    keys = [inside.compile(e) for e in statement.at]
    span = statement.at[0].span.to(statement.at[-1].span) if statement.at else statement.span
    look = statement.style or ""
    for env in Walk(lowering.scope, groups, conjuncts(statement.where), frozenset())({}):
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
    statement: Print, boards: Sequence[Coordinates], lowering: Lowering
) -> Iterator[tuple[Board, Stroke, str]]:
    """The lines of a `print … as line`, each with the text that is printed where it begins, unless it is a colour."""
    mentioned = [*statement.values, *statement.at, statement.where]
    groups = walked_groups(mentioned, statement.generators, lowering.declared)
    inside = Within(lowering.scope, {n for g in groups for n in g.names}.union(lowering.declared))
    through, span = inside.compile(statement.at[0]), statement.at[0].span
    texts = [inside.compile(v) for v in statement.values]
    for env in Walk(lowering.scope, groups, conjuncts(statement.where), frozenset())({}):
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


def _outlines(statement: Outline, boards: Sequence[Coordinates], lowering: Lowering) -> dict[Board, dict[Place, int]]:
    """Board → place → the number of the value that it has."""
    declared, scope, generators = lowering.declared, lowering.scope, statement.generators
    if not generators:
        cells = [s for s in lowering.model.statements if isinstance(s, Declare) and s.kind == "cells"]
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


# --- regions ---------------------------------------------------------------------------------------------------------
# Where a picture's lines go: the boxes of a sudoku, the fields of a star battle.
#
# A rule outlines regions if its computed keys are functions of the picture's places alone (`band(r), band(c)` or
# `region[r, c]`), their values divide the board into more than one class, and every class is connected. The first such
# rule is used. Places in straight lines, such as rows and runs, are no regions.


LOOKED_AT = 32  # places of a board, at least, at which a rule is tried out before its keys are worked out for all


def find_regions(
    model: CheckedModel,
    environments: Mapping[Place, dict[str, Any]],
    indices: frozenset[str],
    scope: Scope,
    lattice: Lattice,
) -> Mapping[Place, int]:
    """Place → region number (from 0, in order of first place), or nothing where no rule outlines regions. environments:
    for each place, in order, the values of the names in `at`."""
    if not environments:
        return {}
    names = frozenset(next(iter(environments.values())))
    for rule in model.statements:
        if isinstance(rule, Rule) and rule.where is None:
            keys = _outlining(rule, names, indices)
            if keys and not _falls_apart(keys, environments, scope, lattice):
                regions = _classes(keys, environments, scope)
                if _are_lines(regions):
                    continue
                if regions and len(set(regions.values())) > 1 and _hang_together(regions, lattice):
                    return regions
    return {}


def _outlining(rule: Rule, names: frozenset[str], indices: frozenset[str]) -> list[Expr]:
    """The computed keys of a rule that depend on places only; none if a coordinate of the place is itself a key."""
    computed: list[Expr] = []
    for key in rule.keys:
        if isinstance(key, Key) or (isinstance(key, Name) and key.id in names):
            return []
        used = free_names(key) & indices
        if used and used <= names:
            computed.append(key)
    return computed


def _falls_apart(
    keys: Sequence[Expr], environments: Mapping[Place, dict[str, Any]], scope: Scope, lattice: Lattice
) -> bool:
    """Whether a look at some places that lie together shows that a class is not connected: a place has none of its own
    class beside it, and another place has that class. So the diagonals of a large board are not worked out."""
    some = _some_places(environments, lattice)
    classes = _classes(keys, {place: environments[place] for place in some}, scope)
    sizes = Counter(classes.values())
    for place, own in classes.items():
        beside = [classes.get(n) for n in lattice.near(place) if n in environments]
        if sizes[own] > 1 and None not in beside and own not in beside:
            return True
    return False


def _some_places(board: Mapping[Place, object], lattice: Lattice) -> list[Place]:
    """Some places round one of them, all within the board."""
    start = next(islice(board, len(board) // 2, None))
    found = {start: None}
    fresh = [start]
    while fresh and len(found) < LOOKED_AT:
        fresh = [n for at in fresh for n in lattice.near(at) if n in board and n not in found]
        found.update(dict.fromkeys(fresh))
        fresh = list(dict.fromkeys(fresh))
    return list(found)


def _classes(keys: Sequence[Expr], environments: Mapping[Place, dict[str, Any]], scope: Scope) -> dict[Place, int]:
    """Place → the number of its class; nothing if a key can't be worked out for some place."""
    names = next(iter(environments.values()))
    functions = [scope.compile(key, names) for key in keys]
    numbers: dict[tuple[Any, ...], int] = {}
    regions: dict[Place, int] = {}
    for place, env in environments.items():
        try:
            value = tuple([f(env) for f in functions])
        except EvalFault:
            return {}
        regions[place] = numbers.setdefault(value, len(numbers))
    return regions


def _are_lines(regions: Mapping[Place, int]) -> bool:
    """Whether the places of every region lie on one straight line."""
    ends: dict[int, tuple[Place, Place]] = {}
    for (r, c), region in regions.items():
        (a, b), (x, y) = ends.setdefault(region, ((r, c), (r, c)))
        if (a, b) == (x, y):
            ends[region] = (a, b), (r, c)
        elif (x - a) * (c - b) != (y - b) * (r - a):
            return False
    return True


def _hang_together(regions: Mapping[Place, int], lattice: Lattice) -> bool:
    """Whether every region is connected: its places touch."""
    seen: set[Place] = set()
    begun: set[int] = set()
    for start, region in regions.items():
        if start in seen:
            continue
        if region in begun:
            return False
        begun.add(region)
        stack = [start]
        seen.add(start)
        while stack:
            for n in lattice.near(stack.pop()):
                if n not in seen and regions.get(n) == region:
                    seen.add(n)
                    stack.append(n)
    return True
