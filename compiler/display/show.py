"""`show`: which place an answer's choices have, and what is drawn there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, Final

from attrs import field

from covr.compiler.display.by_default import Default, default_show, is_told, listed, mistakable
from covr.compiler.display.prints import (
    NOTHING,
    Coordinates,
    Inscription,
    Mark,
    Picture,
    Place,
    Printed,
    check_style,
    find_regions,
    share_ranks,
)
from covr.compiler.evaluate import EvalFault, Scope
from covr.compiler.evaluate.expressions import conjuncts, free_names, replace
from covr.compiler.evaluate.values import show_value
from covr.compiler.lattices import BALLS, SQUARE, STICKS, Lattice
from covr.compiler.lower.families import Family, Lowering
from covr.compiler.lower.groups import closure, groups_of
from covr.compiler.lower.keys import KeyPlan, key_getter, key_values_as_met, plan_keys
from covr.compiler.lower.marks import for_choice
from covr.compiler.lower.walk import Walk
from covr.dsl.syntax import REGIONS, SHAPES, Agree, CheckedModel, Expr, Key, Outline, Show
from covr.engine.problem import Problem
from covr.frozen import evolve, frozen

# --- places ----------------------------------------------------------------------------------------------------------
# The places of a board, with the values that the names after `at` have there. Each is made when it is asked for: a
# board of 1000 × 1000 squares would be a million dictionaries.


Env = dict[str, Any]
KeyValue = tuple[Any, ...]


class BoardPlaces(Mapping[Place, Env]):
    """Place → the values of the names after `at`, in the order of the places. keys: place → the values of these names,
    or None where the place itself consists of them."""

    def __init__(self, names: Sequence[str], keys: Mapping[Place, KeyValue | None]) -> None:
        self._names = names
        self._keys = keys

    def __getitem__(self, place: Place) -> Env:
        key = self._keys[place]
        return dict(zip(self._names, place if key is None else key, strict=True))

    def __iter__(self) -> Iterator[Place]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, place: object) -> bool:
        return place in self._keys


def places_of(
    plan: KeyPlan, values: Mapping[KeyValue, None], checks: Sequence[Callable[[Env], bool]], axes: Coordinates
) -> BoardPlaces:
    """The places of the keys that pass all checks. Raises EvalFault."""
    keys = [key for key in values if _holds(plan, key, checks)] if checks else list(values)
    if axes.plain:
        ordered = sorted(keys)
        return BoardPlaces(plan.names, values if ordered == list(values) else dict.fromkeys(ordered))
    return BoardPlaces(plan.names, dict(sorted(((axes.place(key), key) for key in keys), key=itemgetter(0))))


def _holds(plan: KeyPlan, key: KeyValue, checks: Sequence[Callable[[Env], bool]]) -> bool:
    env = dict(zip(plan.names, key, strict=True))
    try:
        return all(check(env) for check in checks)
    except EvalFault as fault:
        raise plan.met(fault, plan.names, key) from None


# --- alike -----------------------------------------------------------------------------------------------------------
# Choices that show the same text at the same place, such as all ways to put a domino there, are one pencil mark.


def alike(marks: Iterable[Mark]) -> list[list[Mark]]:
    """The marks that choices make, those with the same text at the same place together, in the order of the first."""
    found: dict[tuple[tuple[int, ...], str], list[Mark]] = {}
    for mark in marks:
        if mark.option >= 0:
            found.setdefault((mark.at, mark.text), []).append(mark)
    return list(found.values())


def exclude_each_other(problem: Problem, options: Sequence[int]) -> bool:
    """Whether an item that all of these options hold lets an answer take only one of them. If not, they may still
    exclude each other for other reasons."""
    if len(options) < 2:
        return True
    shared = set(problem.option(options[0])).intersection(*(problem.option(o) for o in options[1:]))
    return not problem.colours and any(problem.high[i] == 1 for i in shared)


# --- show ------------------------------------------------------------------------------------------------------------
# `show` statements: the compiler's half of drawing an answer.
#
# Places are found as the items of a rule are: `at r, c` ranges over every value that the names can take, so the picture
# shows the whole board whatever the answer is. Statements with as many coordinates draw into one picture.


KEPT: Final = 1 << 16  # for how many choices the marks or lines that they show are kept
NO_PICTURE: Final = ("E440", "E441")  # what is wrong of places that make no picture
LOOKS: Final = ("plain", "dark", "line", "lines", *SHAPES)
BLACK: Final = "#"  # a printed text that makes a square black
LINES: Final = ("line", "lines")  # what joins places and leaves room for a text in their middle
TRIED: Final = 1_000  # with how many choices a `show` is tried out when nothing is solved


@frozen(eq=False)
class Drawing:
    """A `show` statement, compiled: what each choice of `family` marks, and the board that it is drawn on.

    places: of the board, sorted; regions: place → region number; axes: how many coordinates a place has, 0 for a list.
    marks: (place, text) of a choice on a board; lines: the texts of a choice in a list.
    printed: what stands on the board before anything is chosen: texts that depend on the place alone, such as the
    numbers of a dominosa. Only for families whose indices are not the places themselves.
    coordinates: how keys become places.  agrees: whether the family has an `agree` statement.
    lattice: of the places, if they are not squares, cubes or a strip.
    known: what choices show, kept because answers share most of their choices.
    """

    show: Show
    family: Family = field(repr=False)
    places: tuple[Place, ...] = field(repr=False)
    regions: Mapping[Place, int] = field(repr=False)
    marks: Callable[[Env], Iterator[tuple[Place, str]]] = field(repr=False)
    lines: Callable[[Env], Iterator[tuple[str, ...]]] = field(repr=False)
    axes: int
    printed: Callable[[], Iterator[Mark]] = field(repr=False)
    coordinates: Coordinates = field(repr=False)
    agrees: bool = False
    lattice: Lattice | None = None
    known: dict[int, tuple[Any, ...]] = field(factory=dict, init=False, repr=False)


def drawings(lowering: Lowering) -> tuple[Drawing, ...]:
    """A drawing for each `show` of the model or, if there is none, for each family. Raises ModelErrors."""
    model, faults = lowering.model, lowering.faults
    shows = [s for s in model.statements if isinstance(s, Show)]
    if not shows:
        return _by_default(lowering)
    agreeing = _agreeing(model)
    found = []
    planned = []
    for s in shows:
        with faults.of(s):
            planned.append(_planned(s, lowering.families[s.family.id], lowering))
    share_ranks([plan.coordinates for plan in planned])
    for plan in planned:
        with faults.of(plan.show):
            drawing = _prepare(plan, lowering)
            found.append(evolve(drawing, agrees=plan.family.name in agreeing))
    faults.raise_if_any()
    return tuple(found)


def _agreeing(model: CheckedModel) -> frozenset[str]:
    """The families of `agree` statements."""
    return frozenset(shown.family.id for s in model.statements if isinstance(s, Agree) for shown in s.shown)


def _by_default(lowering: Lowering) -> tuple[Drawing, ...]:
    """What covr draws of each family by itself; what it can't draw, or what a board does not tell, is a list."""
    model, faults = lowering.model, lowering.faults
    agreeing = _agreeing(model)
    boards: dict[tuple[int, Lattice | None], list[tuple[Default, _Planned]]] = {}
    lists = []
    for family in lowering.families.values():
        default = default_show(family, lowering)
        with faults.of(default.show):
            try:
                plan = _planned(default.show, family, lowering)
            except EvalFault as fault:
                if fault.diagnostic.code not in NO_PICTURE:
                    raise
                plan = _planned(listed(default.show), family, lowering)
            axes = plan.coordinates
            if plan.show.at:
                boards.setdefault((axes.count, axes.lattice), []).append((default, plan))
            else:
                lists.append(_prepare(plan, lowering))
    faults.raise_if_any()
    share_ranks([plan.coordinates for group in boards.values() for _, plan in group])
    outlined = any(isinstance(s, Outline) for s in model.statements)
    found = []
    for group in boards.values():
        together = [default for default, _ in group]
        named = mistakable(together)
        together = [evolve(default, named=named) for default in together]
        for default, (_, plan) in zip(together, group, strict=True):
            with faults.of(plan.show):
                drawing = _prepare(plan, lowering, default.text)
                found.append(evolve(drawing, agrees=plan.family.name in agreeing))
                parted = outlined or bool(drawing.regions)
                if not is_told(default, together, plan.coordinates, plan.values, drawing.marks, parted):
                    lists.append(_prepare(_planned(listed(plan.show), plan.family, lowering), lowering))
    faults.raise_if_any()
    return tuple(found + lists)


@frozen(eq=False)
class _Planned:
    """A `show` with the plan of its places, their values and coordinates."""

    show: Show
    family: Family
    plan: KeyPlan
    values: Mapping[tuple[Any, ...], None]
    coordinates: Coordinates


def _planned(show: Show, family: Family, lowering: Lowering) -> _Planned:
    """Where a `show` draws. Raises EvalFault."""
    own = {n: g for g in groups_of(show.generators) for n in g.names}
    plan = plan_keys(show.at, family, {**lowering.declared, **own})
    values = dict.fromkeys(key_values_as_met(plan, lowering.scope)) if show.at else {}
    coordinates = Coordinates(values, show)
    check_style(show.style, coordinates.count, coordinates.lattice, show.span)
    return _Planned(show, family, plan, values, coordinates)


def try_out(drawing: Drawing, numbers: Iterable[int]) -> None:
    """Show some of the choices with these numbers, one at a time. Raises EvalFault if the `show` is faulty."""
    last = drawing.family.first + len(drawing.family.choices)
    own = [(number, 0) for number in numbers if drawing.family.first <= number < last]
    for _ in _shown(drawing, own[:TRIED]):
        pass


def _prepare(planned: _Planned, lowering: Lowering, written: Callable[[Env], str] | None = None) -> Drawing:
    """written: what is written for a choice, if not the values of the `show`."""
    scope = lowering.scope
    show, family, plan, axes = planned.show, planned.family, planned.plan, planned.coordinates
    values = planned.values
    names = frozenset(plan.names)
    parts = conjuncts(show.where)
    of_keys = [replace(c, plan.replacements()) for c in parts]
    narrow = [c for c in of_keys if free_names(c) & frozenset(plan.local) <= names]
    inside = plan.within(scope)
    found = places_of(plan, values, inside.tests(narrow), axes)
    regions: Mapping[Place, int] = {}
    if axes.count == 2:
        board = axes.lattice or SQUARE
        regions = find_regions(lowering.model, found, frozenset(plan.local), scope, board)
    walk = _walk(show, plan, parts, family, scope)
    texts = [inside.compile(v) for v in show.values]
    getters = [key_getter(plan, n, scope) for n in plan.names]
    said = written or (lambda env: " ".join(show_value(t(env)) for t in texts))

    def marks(env: Env) -> Iterator[tuple[Place, str]]:
        for _ in walk(env):
            text = said(env)
            key = tuple([get(env) for get in getters])
            if key in values:
                yield axes.place(key), text

    used = [free_names(v) & (names | frozenset(family.indices)) for v in show.values]
    of_place = bool(used) and all(u and u <= names for u in used) and not names & frozenset(family.indices)

    def printed() -> Iterator[Mark]:
        for place, env in found.items() if of_place else ():
            yield Mark(place, " ".join(show_value(t(env)) for t in texts), given=True)

    def lines(env: Env) -> Iterator[tuple[str, ...]]:
        for _ in walk(env):
            if texts:
                yield tuple(show_value(t(env)) for t in texts)
            else:
                yield (family.name_of(tuple(env[i] for i in family.indices)),)

    return Drawing(show, family, tuple(found), regions, marks, lines, axes.count, printed, axes, lattice=axes.lattice)


def _walk(show: Show, plan: KeyPlan, parts: Sequence[Expr], family: Family, scope: Scope) -> Walk:
    """The bindings of a choice's free names: those of `at`, and declared names that the values or `where` mention."""
    mentioned = [*show.values, *parts]
    known = frozenset(family.indices)
    loose = {n for e in mentioned for n in free_names(e)} - known
    extra = [plan.local[n] for n in sorted(loose) if n in plan.local]
    groups = [g for g in closure([*plan.free, *extra], plan.local) if not set(g.names) <= known]
    return Walk(scope, groups, parts, known)


def draw(
    drawings_: Sequence[Drawing],
    chosen: Sequence[tuple[int, int]],
    given: frozenset[int],
    printed: Printed = NOTHING,
    puzzle: bool = False,
) -> tuple[Picture, ...]:
    """The pictures of an answer. chosen: (choice number, option number) of each choice taken; given: option numbers.

    puzzle: draw the unsolved puzzle: `chosen` are the givens, and what is printed on the board is added.
    """
    pictures = []
    boards: dict[tuple[int, Lattice | None], list[Drawing]] = {}
    for d in drawings_:
        if d.axes == 0:
            pictures.append(_list(d, chosen))
        else:
            boards.setdefault((d.axes, d.lattice), []).append(d)
    found = [_board(key, group, chosen, given, printed, puzzle) for key, group in boards.items()]
    return tuple(found + pictures)


def _shown(d: Drawing, chosen: Sequence[tuple[int, int]]) -> Iterator[tuple[int, Any]]:
    """What each choice of the drawing's family shows, with its option number: a place and a text, or a list's line."""
    first, last = d.family.first, d.family.first + len(d.family.choices)
    for number, option in chosen:
        if first <= number < last:
            found = d.known.get(number)
            if found is None:
                found = _found(d, number)
                if len(d.known) < KEPT:
                    d.known[number] = found
            for shown in found:
                yield option, shown


def shown_of_choice(d: Drawing, number: int) -> list[Any]:
    """What one choice of the drawing's family shows: places, each with a text, or a list's lines."""
    return [shown for _, shown in _shown(d, [(number, 0)])]


def _found(d: Drawing, number: int) -> tuple[Any, ...]:
    """What one choice shows."""
    family = d.family
    with for_choice(family, number):
        env = dict(zip(family.indices, family.choices[number - family.first], strict=True))
        return tuple(d.marks(env) if d.axes else d.lines(env))


def option_marks(drawings_: Sequence[Drawing], number: int) -> list[tuple[Place, str]]:
    """The places that one choice marks in pictures with coordinates, and what it shows there."""
    boards = [d for d in drawings_ if d.axes]
    return [mark for d in boards for mark in shown_of_choice(d, number)]


def _list(d: Drawing, chosen: Sequence[tuple[int, int]]) -> Picture:
    return Picture(axes=0, lines=tuple(line for _, line in _shown(d, chosen)))


def _board(
    board: tuple[int, Lattice | None],
    group: Sequence[Drawing],
    chosen: Sequence[tuple[int, int]],
    given: frozenset[int],
    printed: Printed,
    puzzle: bool,
) -> Picture:
    places = group[0].places if len(group) == 1 else tuple(sorted({p for d in group for p in d.places}))
    marks = []
    fields: dict[Place, set[str]] = {}
    for d in group:
        if d.show.style == REGIONS:
            for _, (at, text) in _shown(d, chosen):
                fields.setdefault(at, set()).add(text)
            continue
        marks += [Mark(at, text, o, o in given, look=_look(d, text)) for o, (at, text) in _shown(d, chosen)]
    inside, beside = _printed(board, group, printed, places)
    marked = {m.at for m in marks if m.look not in LINES}
    taken = {m.at for m in inside}
    if puzzle:
        marks += [m for d in group for m in d.printed() if m.at not in marked | taken]
    more = {*marked, *(m.at for m in marks), *taken}
    if more.difference(places):  # without a set of all places
        places = tuple(sorted({*places, *more}))
    marked |= taken
    beside, marks = _once(beside, marks)
    for d in group:
        if d.show.other is not None and not puzzle:
            marks += [
                Mark(p, d.show.other, look=_black(d, d.show.other, other=True)) for p in d.places if p not in marked
            ]
            marked.update(d.places)
    marks += inside
    regions = {p: r for d in group for p, r in d.regions.items()} | _numbered(fields)
    low, high = _corners(places)
    outlines = printed.outlines.get(board, {})
    return Picture(
        axes=board[0],
        low=low,
        high=high,
        places=places,
        marks=tuple(sorted(marks, key=lambda m: m.at)),
        regions=regions,
        outlines={place: outlines[place] for place in places if place in outlines} if outlines else {},
        prints=(*beside, *_headings(board, group, low)),
        strokes=tuple(printed.strokes.get(board, ())),
        outline=any(d.show.style == "outline" or _spreads(d) for d in group),
        tiles=any(d.agrees for d in group),
        lattice=board[1],
    )


def _look(d: Drawing, text: str) -> str:
    """How a text of a choice is drawn."""
    return d.show.style if d.show.style in LOOKS else _black(d, text)


def _black(d: Drawing, text: str, other: bool = False) -> str:
    """`dark` for a `#` that fills its square, as one that is printed does; it is written where pieces have lines.
    other: whether it is written where no choice shows anything."""
    filled = text == BLACK and d.show.style in (None, "dark") and d.lattice is not STICKS
    return "dark" if filled and (other or not _is_spread(d)) else ""


def _is_spread(d: Drawing) -> bool:
    """Whether the places of a choice are found by a condition, so that there may be several."""
    own = frozenset(d.family.indices)
    return any(isinstance(key, Key) or not free_names(key) <= own for key in d.show.at)


def _printed(
    board: tuple[int, Lattice | None], group: Sequence[Drawing], printed: Printed, all_places: Sequence[Place]
) -> tuple[list[Mark], list[Inscription]]:
    """What is printed in the middle of places, and what in corners, margins and between places.

    A text stands in a corner where a choice may be written in the middle; sticks and balls have no room for that. A
    black or divided square outside the board belongs to it. Margins are what lies around the box of all squares or
    cubes, and all that is no place of another lattice.
    """
    stated = printed.prints.get(board, ())
    if not stated:
        return [], []
    inside, beside = [], []
    places = frozenset(all_places)
    axes, lattice = board
    box = lattice is None
    written: frozenset[Place] = frozenset()
    if any(p.to is None and p.at in places for p in stated) and lattice not in (STICKS, BALLS):
        written = frozenset().union(*(_written(d) for d in group))
    low, high = _corners(places)
    for p in stated:
        divided = "\\" in p.text and p.text != "\\" and box and axes == 2
        if p.look in SHAPES and p.at in written:
            inside.append(Mark(p.at, "", given=True, look=p.look))
        if p.to is not None or (p.at in written and p.look != "dark"):
            beside += [p] if p.text else []
        elif p.text == BLACK or divided or p.look == "dark":
            inside.append(Mark(p.at, p.text or BLACK, given=True, look="divided" if divided else "dark"))
        elif p.look:
            inside.append(Mark(p.at, p.text, given=True, look=p.look))
        elif p.at in places or (box and all(a <= x <= b for a, x, b in zip(low, p.at, high, strict=True))):
            inside.append(Mark(p.at, p.text, given=True, look="printed"))
        else:
            beside.append(p)
    return inside, beside


def _corners(places: Collection[Place]) -> tuple[Place, Place]:
    """The least and the greatest coordinate of each axis; nothing where there is no place."""
    axes = [itemgetter(axis) for axis in range(len(next(iter(places), ())))]
    return tuple([min(map(axis, places)) for axis in axes]), tuple([max(map(axis, places)) for axis in axes])


def _numbered(fields: Mapping[Place, set[str]]) -> dict[Place, int]:
    """Place → a number for what is shown there; places where several texts are possible are in no region."""
    numbers: dict[str, int] = {}
    known = {at: next(iter(texts)) for at, texts in sorted(fields.items()) if len(texts) == 1}
    return {at: numbers.setdefault(text, len(numbers)) for at, text in known.items()}


def _once(beside: Sequence[Inscription], marks: Sequence[Mark]) -> tuple[list[Inscription], list[Mark]]:
    """Where an answer writes on each clue what the clue says, as the letter of a pentomino, that is written once, as
    something given. If any clue differs from what the answer writes on it, all stay in their corners: a sum may happen
    to be the digit below it."""
    corners = {p.at: p.text for p in beside if p.to is None}
    said = {(m.at, m.text) for m in marks if m.option >= 0 and m.at in corners}
    if not said <= corners.items():
        return list(beside), list(marks)
    kept = [p for p in beside if p.to is not None or (p.at, p.text) not in said]
    return kept, [evolve(m, given=True) if (m.at, m.text) in said else m for m in marks]


def _written(d: Drawing) -> frozenset[Place]:
    """The places where some choice of a drawing writes a text; all its places, if there are too many choices."""
    if d.show.style in ("dark", REGIONS, *LINES):
        return frozenset()
    if len(d.family.choices) > KEPT:
        return frozenset(d.places)
    found: set[Place] = set()
    for number in range(d.family.first, d.family.first + len(d.family.choices)):
        try:
            found.update(at for _, (at, text) in _shown(d, [(number, 0)]) if text.strip() and not _black(d, text))
        except EvalFault:  # of a choice that may never be shown
            continue
    return frozenset(found)


def _headings(board: tuple[int, Lattice | None], group: Sequence[Drawing], low: Place) -> list[Inscription]:
    """The values beside rows and above columns that are not counted in whole numbers."""
    axes, lattice = board
    if axes not in (1, 2) or lattice is not None or not low:
        return []
    found = []
    for axis, number, text in group[0].coordinates.headings():
        if axes == 1:
            found.append(Inscription((0, number), text, look="heading"))
        else:
            at = (number, low[1] - 1) if axis == 0 else (low[0] - 1, number)
            found.append(Inscription(at, text, look="heading"))
    return found


def _spreads(d: Drawing) -> bool:
    """Whether a choice marks several places, so that it is drawn as a piece."""
    return d.show.style is None and d.show.where is not None
