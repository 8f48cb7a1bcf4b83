"""The rules of a model as rows of named choices, and in the engine's words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from attrs import field

from covr.compiler.lower.lowered import ItemOrigin, StatedItems
from covr.engine.base.limits import check_limits, with_limit_checks
from covr.engine.outside.clingo_answers import SwitchedItem
from covr.engine.problem import AreaDemand, Areas, Circuit, Connection, Forest, Problem, Side, Total, build, options_of
from covr.frozen import frozen

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.puzzles.clue_switches import SwitchedRules

# --- clue rows -------------------------------------------------------------------------------------------------------
# Numbers of options, items and vertices differ from one model to the same with other data; names do not.


Row = tuple[Any, ...]  # which rule: its statement, its kind, its key, and which of those with the same key it is
Edges = tuple[tuple[int, int], ...]
GIVEN = "given"
ITEM, TOTAL, CONNECTION, FOREST, CIRCUIT, AREAS = "item", "total", "connection", "forest", "circuit", "areas"


@frozen
class RowContent:
    """What a rule says.
    shape: its kind, and its numbers: an item's bounds, or a total's sums; of areas also the vertices of each demand.
    terms: per option, its colour, its coefficient, the vertices where it stands or those that it joins; in areas the
    vertices where it stands, the edges that it cuts, and (demand, vertex, weight).
    edges: of the graph of a connection or of areas, whose vertices have other numbers in another model."""

    shape: tuple[Any, ...]
    terms: Mapping[int, Any] = field(repr=False)
    edges: tuple[tuple[int, int], ...] = field(default=(), repr=False, eq=False)

    def among(self, options: Collection[int]) -> RowContent:
        """The same where only these options are left."""
        if all(o in options for o in self.terms):
            return self
        return RowContent(self.shape, {o: what for o, what in self.terms.items() if o in options}, self.edges)

    def same(self, other: RowContent) -> bool:
        """Whether both say the same, whatever numbers the vertices have."""
        if self.terms.keys() != other.terms.keys() or self._reached != other._reached:
            return False
        if self.shape[0] == AREAS:
            return self.terms == other.terms and self.edges == other.edges
        return self._graph == other._graph if self.shape[0] in (CONNECTION, CIRCUIT) else self.terms == other.terms

    @property
    def _reached(self) -> tuple[Any, ...]:
        """The shape with those numbers that the terms can reach: "at least" is compiled with the highest of them."""
        if self.shape[0] == ITEM:
            return (ITEM, self.shape[1], min(self.shape[2], len(self.terms)))
        if self.shape[0] != TOTAL:
            return self.shape
        low, high = self._ends
        return (TOTAL, tuple([(max(a, low), min(b, high)) for a, b in self.shape[1] if a <= high and b >= low]))

    @property
    def _ends(self) -> tuple[int, int]:
        """The least and the greatest sum of a total."""
        return sum(c for c in self.terms.values() if c < 0), sum(c for c in self.terms.values() if c > 0)

    @cached_property
    def _graph(self) -> tuple[Counter[Any], Counter[Any]]:
        """The vertices where options stand, each as these options, and the edges between them."""
        standing: dict[int, list[int]] = {}
        for o, vertices in self.terms.items():
            for v in vertices:
                standing.setdefault(v, []).append(o)
        named = {v: tuple(sorted(own)) for v, own in standing.items()}
        joined = Counter(tuple(sorted((named[u], named[v]))) for u, v in self.edges if u in named and v in named)
        return Counter(named.values()), joined

    @property
    def empty(self) -> bool:
        """Whether it holds whatever is taken, so that compiling may leave it out."""
        kind = self.shape[0]
        if kind == ITEM:
            return bool(self.shape[1] == 0 and len(self.terms) <= self.shape[2])
        if kind == TOTAL:
            low, high = self._ends
            return any(a <= low and high <= b for a, b in self.shape[1])
        if kind == AREAS:  # a demand of one place may fail where no area is
            return not (self.terms or self.shape[1]) and all(anchors is None for _, anchors, _ in self.shape[2])
        return kind == CONNECTION and len(self.terms) <= 1


def united(contents: Iterable[RowContent]) -> RowContent | None:
    """All that a row ever had; None if it is not the same row everywhere."""
    contents = list(contents)
    largest = max(contents, key=lambda content: len(content.terms))
    if any(content.shape != largest.shape and not content.terms.keys() <= largest.terms.keys() for content in contents):
        return None
    if any(not content.same(largest.among(content.terms)) for content in contents if content.shape != largest.shape):
        return None
    terms = dict(largest.terms)
    for content in contents:
        for o, what in content.terms.items():
            terms.setdefault(o, what)
    if len(terms) == len(largest.terms):
        return largest
    return None if largest.edges else RowContent(largest.shape, terms)


@frozen
class ModelRows:
    """The options of a model, and its rules. Options have the numbers that `ChoiceNumbers` gives them."""

    options: frozenset[int] = field(repr=False)
    rows: Mapping[Row, RowContent] = field(repr=False)


class ChoiceNumbers:
    """Numbers for choices, the same in every model. Those of the first model that is read are its own options."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, tuple[Any, ...]], int] = {}
        self._texts: list[str] = []  # of the choices that the first model does not have
        self.names: list[tuple[str, tuple[Any, ...]]] = []
        self.first = 0  # how many choices the first model has

    def __len__(self) -> int:
        return len(self.names)

    def read(self, compiled: Compiled) -> ModelRows:
        """The rules of a model. Time linear in its size. Raises LimitReached."""
        check_limits()
        own, begun = [], bool(self.names)
        for o in with_limit_checks(range(compiled.problem.options)):
            choice = compiled.choice(o)
            name = choice.family, choice.args
            number = self._numbers.get(name)
            if number is None:
                number = self._numbers[name] = len(self.names)
                self.names.append(name)
                if begun:
                    self._texts.append(str(choice))
            own.append(number)
        if not begun:
            self.first = len(self.names)
        return ModelRows(frozenset(own), _rows(compiled, own))

    def in_order(self, numbers: Iterable[int]) -> list[int]:
        """These numbers: first those of the first model, then the others by the names of their choices, which do not
        depend on the models that were read before."""
        return sorted(numbers, key=lambda o: (o, "") if o < self.first else (self.first, self._texts[o - self.first]))


def _rows(compiled: Compiled, own: list[int]) -> dict[Row, RowContent]:
    problem, lowered = compiled.problem, compiled.lowered
    rows: dict[Row, RowContent] = {}
    again: Counter[Row] = Counter()

    def add(origin: ItemOrigin, shape: tuple[Any, ...], terms: Mapping[int, Any], edges: Edges = ()) -> None:
        source = origin.source
        row: tuple[Any, ...]
        if isinstance(source, StatedItems):  # an `if … then` has many rows of one name, and how many depends on options
            matrix = shape[0] in (ITEM, TOTAL)
            row = id(origin.statement), *shape, source.names[origin.at], frozenset(terms) if matrix else None
        else:
            # Areas that a key of their choices parts have no key, and which of them there are depends on the clues.
            own_key = source.keys[origin.at]
            row = id(origin.statement), shape[0], shape[2] if shape[0] == AREAS and not own_key else own_key
        again[row] += 1
        rows[*row, again[row]] = RowContent(shape, terms, edges)

    for o in problem.given:
        rows["given", GIVEN, own[o]] = RowContent((ITEM, 1, 1), {own[o]: 0})
    for i, origin in enumerate(with_limit_checks(lowered.origins)):
        add(origin, (ITEM, problem.low[i], problem.high[i]), {own[o]: colour for o, colour in problem.column(i)})
    for side, origin in zip(with_limit_checks(problem.sides), lowered.side_origins, strict=True):
        if isinstance(side, Total):
            add(origin, (TOTAL, side.sums), {own[o]: c for o, c in side.terms})
        elif isinstance(side, Connection | Forest):
            places: dict[int, tuple[int, ...]] = {}
            for o, v in side.places:
                places[own[o]] = (*places.get(own[o], ()), v)
            add(origin, (CONNECTION if isinstance(side, Connection) else FOREST,), places, side.edges)
        elif isinstance(side, Areas):
            shape = (AREAS, side.always, tuple((one.sums, one.anchors, one.waived) for one in side.demands))
            add(origin, shape, _of_areas(side, own), side.edges)
        else:
            add(origin, (CIRCUIT,), {own[o]: (u, v) for o, u, v in side.ends})
    return rows


def _of_areas(side: Areas, own: Sequence[int]) -> dict[int, Any]:
    """Per option, where it stands, what it cuts, and where it counts. own: the number of each option."""
    found: dict[int, tuple[list[Any], list[Any], list[Any]]] = {own[o]: ([], [], []) for o in options_of(side)}
    for o, v in side.places:
        found[own[o]][0].append(v)
    for o, u, v in side.cuts:
        found[own[o]][1].append((u, v))
    for k, one in enumerate(side.demands):
        for o, v, weight in one.terms:
            found[own[o]][2].append((k, v, weight))
    return {o: tuple(map(tuple, parts)) for o, parts in found.items()}


# --- clue words ------------------------------------------------------------------------------------------------------


class RuleWords:
    """Puts rules about some options into the engine's words. wide: the options.  local: their numbers there."""

    def __init__(self, wide: Sequence[int]) -> None:
        self.wide = wide
        self.local = {o: k for k, o in enumerate(self.wide)}

    def always(self, rules: SwitchedRules) -> Problem:
        """What holds with any clues."""
        rows = [content.among(self.local) for content, cause in rules.rows.values() if not cause.switched]
        items = sorted((row for row in rows if row.shape[0] == ITEM), key=lambda row: not row.shape[1])
        options: list[list[int | tuple[int, int]]] = [[] for _ in self.wide]
        for i, row in enumerate(with_limit_checks(items)):
            for o, colour in row.terms.items():
                options[self.local[o]].append((i, colour) if colour else i)
        bounds = [(row.shape[1], row.shape[2]) for row in items]
        return build(bounds, options, sides=[self._side(row) for row in rows if row.shape[0] != ITEM])

    def rule(self, row: RowContent) -> SwitchedItem | Side:
        """What a row says, of these options."""
        row = row.among(self.local)
        if row.shape[0] != ITEM:
            return self._side(row)
        column = tuple(sorted((self.local[o], colour) for o, colour in row.terms.items()))
        return SwitchedItem(row.shape[1], row.shape[2], column)

    def _side(self, row: RowContent) -> Side:
        terms = sorted((self.local[o], what) for o, what in row.terms.items())
        if row.shape[0] in (CONNECTION, FOREST):
            return (Connection if row.shape[0] == CONNECTION else Forest)(
                tuple([(o, v) for o, places in terms for v in places]), row.edges
            )
        if row.shape[0] == CIRCUIT:
            return Circuit(tuple([(o, u, v) for o, (u, v) in terms]))
        if row.shape[0] == AREAS:
            counted = [
                tuple(sorted((o, v, weight) for o, (_, _, here) in terms for at, v, weight in here if at == k))
                for k in range(len(row.shape[2]))
            ]
            return Areas(
                tuple((o, v) for o, (places, _, _) in terms for v in places),
                row.edges,
                tuple(AreaDemand(found, *one) for found, one in zip(counted, row.shape[2], strict=True)),
                row.shape[1],
                tuple((o, u, v) for o, (_, cuts, _) in terms for u, v in cuts),
            )
        return Total(tuple(terms), row.shape[1])
