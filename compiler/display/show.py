"""`show` statements, and what is drawn without them: the compiler's half of drawing an answer.

Places are found in the same way as the items of a rule: `at r, c` ranges over every value that the names can take, so
the picture shows the whole board whatever the answer contains. Statements with the same number of coordinates draw into
one picture.

A model without `show` is drawn from its `cells` and `values`. A family with cells among its indices is shown at these
cells; one that reaches cells through a rule (`exactly one put per x where x in s`) is shown at the cells that the rule
gives it. What is shown are the choice's values, or the initial of the family's name if it has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import attrs
from attrs import field, frozen

from covr.compiler.display.picture import Mark, Picture
from covr.compiler.display.regions import find_regions
from covr.compiler.evaluate import EvalFault, Scope
from covr.compiler.evaluate.names import free_names
from covr.compiler.evaluate.rewrite import conjuncts, replace
from covr.compiler.evaluate.values import order_key, show_value
from covr.compiler.lattices.lattice import Lattice, LatticeCell
from covr.compiler.lattices.square import SQUARE
from covr.compiler.lower.families import Family, choice_name
from covr.compiler.lower.fault_collector import FaultCollector
from covr.compiler.lower.groups import Group, closure, groups_of
from covr.compiler.lower.keys import KeyPlan, key_getter, key_values, plan_keys
from covr.compiler.lower.marks import for_choice
from covr.compiler.lower.walk import Walk
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.syntax import Agree, CheckedModel, Declare, Expr, Generator, Name, Rule, Show, Text

Env = dict[str, Any]
Place = tuple[int, ...]

KEPT: Final = 1 << 16  # for how many choices the marks or lines that they show are kept
TRIED: Final = 1_000  # with how many choices a `show` is tried out when nothing is solved


@frozen(eq=False)
class Drawing:
    """A `show` statement, compiled: what each choice of `family` marks, and the board that it is drawn on.

    places: of the board, sorted; regions: place → region number; axes: how many coordinates a place has, 0 for a list.
    marks: (place, text) of a choice on a board; lines: the texts of a choice in a list.
    printed: what stands on the board before anything is chosen: texts that depend on the place alone, such as the
    numbers of a dominosa. Only for families whose indices are not the places themselves.
    agrees: whether the family has an `agree` statement.
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
    agrees: bool = False
    lattice: Lattice | None = None
    known: dict[int, tuple[Any, ...]] = field(factory=dict, init=False, repr=False)


def drawings(
    model: CheckedModel, families: Mapping[str, Family], declared: Mapping[str, Group], scope: Scope
) -> tuple[Drawing, ...]:
    """A drawing for each `show` of the model or, if there is none, for each family. Raises ModelErrors."""
    shows = [s for s in model.statements if isinstance(s, Show)]
    if not shows:
        shows = [default_show(f, model, scope) for f in families.values()]
    agreeing = {shown.family.id for s in model.statements if isinstance(s, Agree) for shown in s.shown}
    found = []
    faults = FaultCollector()
    for s in shows:
        with faults.of(s):
            drawing = _prepare(s, families[s.family.id], model, declared, scope)
            found.append(attrs.evolve(drawing, agrees=s.family.id in agreeing))
    faults.raise_if_any()
    return tuple(found)


def try_out(drawing: Drawing, numbers: Iterable[int]) -> None:
    """Show some of the choices with these numbers, one at a time. Raises EvalFault if the `show` is faulty."""
    last = drawing.family.first + len(drawing.family.choices)
    own = [(number, 0) for number in numbers if drawing.family.first <= number < last]
    for _ in _shown(drawing, own[:TRIED]):
        pass


def default_show(family: Family, model: CheckedModel, scope: Scope) -> Show:
    """The `show` statement that a family gets if the model has none."""
    cells, values = _declared_names(model, "cells"), _declared_names(model, "values")
    span = family.statement.span
    shown: tuple[Expr, ...] = tuple(n for n in family.statement.indices if n.id in values)
    initial = Text(family.name[:1].upper(), span)
    own = tuple(n for n in family.statement.indices if n.id in cells)
    name = family.statement.name
    if own:
        return Show(shown or (initial,), name, own, None, None, None, span)
    for rule in model.statements:
        if isinstance(rule, Rule) and any(f.id == family.name for f in rule.families):
            keys = tuple(k for k in rule.keys if isinstance(k, Name) and k.id in cells)
            if keys and len(keys) == len(rule.keys):
                return Show(shown or (initial,), name, keys, rule.where, None, "outline", span)
    return Show((), name, (), None, None, None, span)


def _declared_names(model: CheckedModel, kind: str) -> frozenset[str]:
    generators: list[Generator] = []
    for statement in model.statements:
        if isinstance(statement, Declare) and statement.kind == kind:
            generators += statement.generators
    return frozenset(n for g in groups_of(generators) for n in g.names)


def _prepare(show: Show, family: Family, model: CheckedModel, declared: Mapping[str, Group], scope: Scope) -> Drawing:
    plan = plan_keys(show.at, family, declared)
    names = frozenset(plan.names)
    parts = conjuncts(show.where)
    values = key_values(plan, scope) if show.at else {}
    of_keys = [replace(c, plan.replacements()) for c in parts]
    narrow = [c for c in of_keys if free_names(c) & frozenset(plan.local) <= names]
    inside = plan.within(scope)
    checks = inside.tests(narrow)
    axes = _Axes(values, show)
    places, environments = [], []
    for key in values:
        env = dict(zip(plan.names, key, strict=True))
        try:
            shown = all(check(env) for check in checks)
        except EvalFault as fault:
            raise plan.met(fault, plan.names, key) from None
        if shown:
            places.append(axes.place(key))
            environments.append(env)
    regions: Mapping[Place, int] = {}
    if axes.count == 2:
        board = axes.lattice or SQUARE
        regions = find_regions(model, places, environments, frozenset(plan.local), scope, board)
    order = sorted(range(len(places)), key=lambda i: places[i])
    walk = _walk(show, plan, parts, family, declared, scope)
    texts = [inside.compile(v) for v in show.values]
    getters = [key_getter(plan, n, scope) for n in plan.names]

    def marks(env: Env) -> Iterator[tuple[Place, str]]:
        for _ in walk(env):
            text = " ".join(show_value(t(env)) for t in texts)
            key = tuple([get(env) for get in getters])
            if key in values:
                yield axes.place(key), text

    used = [free_names(v) & (names | frozenset(family.indices)) for v in show.values]
    of_place = bool(used) and all(u and u <= names for u in used) and not names & frozenset(family.indices)

    def printed() -> Iterator[Mark]:
        for i in order if of_place else ():
            yield Mark(places[i], " ".join(show_value(t(environments[i])) for t in texts), given=True)

    def lines(env: Env) -> Iterator[tuple[str, ...]]:
        for _ in walk(env):
            if texts:
                yield tuple(show_value(t(env)) for t in texts)
            else:
                yield (choice_name(family.name, tuple(env[i] for i in family.indices)),)

    shown_places = tuple(places[i] for i in order)
    return Drawing(show, family, shown_places, regions, marks, lines, axes.count, printed, lattice=axes.lattice)


def _walk(
    show: Show, plan: KeyPlan, parts: Sequence[Expr], family: Family, declared: Mapping[str, Group], scope: Scope
) -> Walk:
    """The bindings of a choice's free names: those of `at`, and declared names that the values or `where` mention."""
    mentioned = [*show.values, *parts]
    known = frozenset(family.indices)
    loose = {n for e in mentioned for n in free_names(e)} - known
    extra = [plan.local[n] for n in sorted(loose) if n in plan.local]
    groups = [g for g in closure([*plan.free, *extra], plan.local) if not set(g.names) <= known]
    return Walk(scope, groups, parts, known)


class _Axes:
    """Turns the values of `at` into coordinates: whole numbers stay as they are, other values become their ranks."""

    def __init__(self, keys: Mapping[tuple[Any, ...], None], show: Show) -> None:
        flat = [_flatten(key) for key in keys]
        self.lattice = self._lattice(keys, show)
        self.count = len(flat[0]) if flat else sum(1 for _ in show.at)
        if self.count > 3 or any(len(f) != self.count for f in flat):
            raise EvalFault(
                Diagnostic(
                    "E440",
                    "a picture has one, two or three coordinates",
                    show.at[0].span.to(show.at[-1].span),
                    help="show at a row and a column, or at a layer, a row and a column",
                )
            )
        self._ranks: list[dict[Any, int] | None] = []
        for axis in range(self.count):
            values = {f[axis] for f in flat}
            whole = all(type(v) is int for v in values)
            ranked = None if whole else {v: i for i, v in enumerate(sorted(values, key=order_key), 1)}
            self._ranks.append(ranked)

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
        flat = _flatten(key)
        return tuple(v if ranks is None else ranks[v] for v, ranks in zip(flat, self._ranks, strict=True))


def _flatten(key: tuple[Any, ...]) -> tuple[Any, ...]:
    flat: list[Any] = []
    for part in key:
        flat += part if isinstance(part, tuple) else (part,)
    return tuple(flat)


def draw(
    drawings_: Sequence[Drawing], chosen: Sequence[tuple[int, int]], given: frozenset[int], puzzle: bool = False
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
    return tuple([_board(axes, group, chosen, given, puzzle) for (axes, _), group in boards.items()] + pictures)


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


def _found(d: Drawing, number: int) -> tuple[Any, ...]:
    """What one choice shows."""
    family = d.family
    with for_choice(family, number):
        env = dict(zip(family.indices, family.choices[number - family.first], strict=True))
        return tuple(d.marks(env) if d.axes else d.lines(env))


def option_marks(drawings_: Sequence[Drawing], number: int) -> list[tuple[Place, str]]:
    """The places that one choice marks in pictures with coordinates, and what it shows there."""
    boards = [d for d in drawings_ if d.axes]
    return [mark for d in boards for _, mark in _shown(d, [(number, 0)])]


def _list(d: Drawing, chosen: Sequence[tuple[int, int]]) -> Picture:
    return Picture(axes=0, lines=tuple(line for _, line in _shown(d, chosen)))


def _board(
    axes: int, group: Sequence[Drawing], chosen: Sequence[tuple[int, int]], given: frozenset[int], puzzle: bool
) -> Picture:
    places = group[0].places if len(group) == 1 else tuple(sorted({p for d in group for p in d.places}))
    marks = []
    for d in group:
        marks += [Mark(at, text, o, o in given) for o, (at, text) in _shown(d, chosen)]
    marked = {m.at for m in marks}
    if puzzle:
        marks += [m for d in group for m in d.printed() if m.at not in marked]
    if not marked.issubset(places):
        places = tuple(sorted({*places, *marked}))
    for d in group:
        if d.show.other is not None and not puzzle:
            marks += [Mark(p, d.show.other) for p in d.places if p not in marked]
            marked.update(d.places)
    regions = {p: r for d in group for p, r in d.regions.items()}
    ends = list(zip(*places, strict=True))
    return Picture(
        axes=axes,
        low=tuple(min(e) for e in ends),
        high=tuple(max(e) for e in ends),
        places=places,
        marks=tuple(sorted(marks, key=lambda m: m.at)),
        regions=regions,
        outline=any(d.show.style == "outline" or _spreads(d) for d in group),
        tiles=any(d.agrees for d in group),
        lattice=group[0].lattice,
    )


def _spreads(d: Drawing) -> bool:
    """Whether a choice marks several places, so that it is drawn as a piece."""
    return d.show.style is None and d.show.where is not None
