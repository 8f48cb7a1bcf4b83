"""Lines: the choices of a `loop`, `path`, `tree` and the like, each of which joins two ends.

They are read like rules: there is one shape for each value of the keys after `per`, and the condition says which
choices count. The ends of lines may be any values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from itertools import count, islice, pairwise
from typing import Any

from covr.compiler.evaluate import EvalFault, Scope
from covr.compiler.evaluate.expressions import replace
from covr.compiler.evaluate.limits import CHOICE
from covr.compiler.evaluate.values import Map, Seq, Set, abbreviate, kind_of, order_key
from covr.compiler.lower.families import Family, Lowering
from covr.compiler.lower.groups import Within, allow_only
from covr.compiler.lower.keys import KeyPlan
from covr.compiler.lower.lowered import AreasDraft, CircuitDraft, ConnectionDraft, SideDraft, StatedItems
from covr.compiler.lower.marks import for_choice
from covr.compiler.lower.rules import RuleItems, Wanted, memberships, rule_items
from covr.compiler.lower.shapes import as_rule, shapes_of, stated_names
from covr.dsl.diagnostics import Diagnostic, Span
from covr.dsl.syntax import AreaRule, Divide, Expr, Loop, Stretch, draws
from covr.engine.problem import LateName
from covr.frozen import frozen

Line = tuple[int, int, int]
"""A choice and the two vertices that it joins; from the first to the second, if it has a direction."""


@frozen(eq=False)
class LineShape:
    """What a `loop`, `loops`, `path`, `paths`, `tree` or `forest` along lines asks for. name: for messages.
    lines: those that it speaks of.  sides: side conditions.  counts: of how many lines, each with a weight, how many
    are taken."""

    name: str | LateName
    lines: Sequence[Line]
    sides: Sequence[SideDraft]
    counts: Sequence[tuple[Mapping[int, int], Wanted]]


def line_shapes(statement: Loop, lowering: Lowering) -> Iterator[LineShape]:
    """What is asked for each value of the keys. Raises EvalFault where a choice does not have two ends. Time linear in
    the number of shapes that choices reach.

    A path from A to B is a loop through one vertex in the place of both, with one line at either. Other paths are lines
    without a ring, of which one ends at each of the places, and none or two meet anywhere else; or two at most
    everywhere, where the places are not named.
    """
    family, scope = lowering.families[statement.family.id], lowering.scope
    vertices = _Vertices(statement, family, scope)
    items, joined = _joined(statement, vertices, lowering)
    plan = items.key_plan
    source = StatedItems(statement, tuple(stated_names(statement, plan, dict.fromkeys(items.keys), scope)))
    vertices.check_crossing()
    stops, through = _stops(statement, plan, scope), _through(statement, plan, vertices, scope)
    for at, (key, lines) in enumerate(zip(items.keys, joined, strict=True)):
        places = [vertices.at(places) for places in stops(dict(zip(plan.names, key, strict=True)))]
        sides: list[SideDraft] = []
        if statement.word == "loop" or (statement.word == "path" and places):
            sides.append(CircuitDraft(source, at, _closed(lines, places)))
        elif statement.word != "loops":
            graph = ConnectionDraft(source, at, *_graph_of(lines, len(vertices.numbers)))
            sides += shapes_of(statement.word, graph)
        passed = [min(vertices.at([place])) for place in through(dict(zip(plan.names, key, strict=True)))]
        sides += _in_order(source, at, lines, places[:1], passed, len(vertices.numbers))
        counts: Counts = [(_meeting(lines, {v}), ((2, 2),)) for v in passed]
        yield LineShape(source.names[at], lines, sides, _counts(statement, lines, places) + counts)


def _joined(statement: Loop, vertices: _Vertices, lowering: Lowering) -> tuple[RuleItems, list[list[Line]]]:
    """The lines of a statement for each value of its keys."""
    family, scope = lowering.families[statement.family.id], lowering.scope
    items = rule_items(as_rule(statement, [family], statement.keys), [family], lowering)
    scope.budget.step(CHOICE * len(family.choices), statement.span)
    joined: list[list[Line]] = [[] for _ in items.keys]
    for number, reached in memberships(items, family, scope):
        if number in lowering.dropped:
            continue
        env = dict(zip(family.indices, family.choices[number - family.first], strict=True))
        with for_choice(family, number):
            u, v = vertices.of(env)
        for at in reached:
            joined[at].append((number, u, v))
    return items, joined


def stretches(statement: AreaRule, lowering: Lowering) -> Iterator[AreasDraft]:
    """One `Areas`, as a draft, for each value of the keys and each loop or path whose lines they speak of; with
    `holding`, for each line that may pass the place. Raises EvalFault. Time as that of the loop, for each value.

    The graph is that of the lines, without what leaves SET. A piece of n places that is no whole loop has n - 1 lines;
    the lines of a loop have 2n ends in a piece, whether it is the whole loop or not.
    """
    stretch, scope = statement.area, lowering.scope
    assert isinstance(stretch, Stretch)
    family = lowering.families[stretch.family.id]
    drawn = next(s for s in lowering.model.statements if draws(s, family.name))
    assert isinstance(drawn, Loop)
    vertices = _Vertices(drawn, family, scope, stretch.span if stretch.straight else None)
    shapes = [lines for lines in _joined(drawn, vertices, lowering)[1] if lines]
    items = rule_items(statement.rule, [family], lowering)
    plan = items.key_plan
    own: list[set[int]] = [set() for _ in items.keys]
    for number, reached in memberships(items, family, scope):
        for at in reached:
            own[at].add(number)
    inside, holds = _part_of(stretch, plan, vertices, scope)
    source = StatedItems(statement, tuple(stated_names(statement, plan, dict.fromkeys(items.keys), scope)))
    closed = drawn.word in ("loop", "loops") and not stretch.straight
    for at, (key, want) in enumerate(zip(items.keys, items.wants, strict=True)):
        env = dict(zip(plan.names, key, strict=True))
        within = inside(env)
        held = holds(env, within)
        want = tuple([(_places(low, closed, stretch), _places(high, closed, stretch)) for low, high in want])
        for lines in shapes:
            if own[at].issuperset(o for o, _, _ in lines):
                places, edges, terms = _pieces(lines, within, len(vertices.numbers), closed and stretch.places)
                for anchors in held:
                    yield AreasDraft(source, at, places, edges, (), (), terms, want, anchors, waived=bool(anchors))


def _places(number: int | None, closed: bool, stretch: Stretch) -> int | None:
    """What a number of places, or of lines, is among those that a demand adds up."""
    if number is None or not stretch.places:
        return number
    return 2 * number if closed else number - 1


def _pieces(
    lines: Sequence[Line], within: AbstractSet[int], fresh: int, ends: bool
) -> tuple[list[tuple[int, int]], list[tuple[int, int]], list[tuple[int, int, int]]]:
    """The graph of lines without what leaves some vertices, and terms: ends there, or whole lines. fresh: as in
    `_graph_of`."""
    own = count(fresh)
    places: list[tuple[int, int]] = []
    edges: list[tuple[int, int]] = []
    terms: list[tuple[int, int, int]] = []
    for o, *pair in lines:
        met = [w for w in pair if w in within]
        places += [(o, w) for w in dict.fromkeys(met)]
        if len(met) == 2:
            middle = next(own)
            places.append((o, middle))
            edges += [(w, middle) for w in dict.fromkeys(met)]
            terms += [] if ends else [(o, middle, 1)]
        terms += [(o, w, met.count(w)) for w in dict.fromkeys(met)] if ends else []
    return places, edges, terms


def _part_of(
    stretch: Stretch, plan: KeyPlan, vertices: _Vertices, scope: Scope
) -> tuple[
    Callable[[dict[str, Any]], AbstractSet[int]],
    Callable[[dict[str, Any], AbstractSet[int]], Sequence[tuple[int, ...] | None]],
]:
    """By the values of the keys: the vertices in which stretches lie, and those that they hold, one by one."""
    span = stretch.anchor.span if stretch.anchor is not None else stretch.span
    over, anchor = (
        None if part is None else _of_keys(part, plan, scope, "stretches") for part in (stretch.within, stretch.anchor)
    )
    everywhere = frozenset(vertices.numbers.values())

    def inside(env: dict[str, Any]) -> AbstractSet[int]:
        return everywhere if over is None else vertices.at(_members(over(env), stretch.within))

    def holds(env: dict[str, Any], within: AbstractSet[int]) -> Sequence[tuple[int, ...] | None]:
        if anchor is None:
            return [None]
        place = anchor(env)
        found = vertices.at([place]) if over is None else vertices.at([place]) & within
        if not found or place not in vertices.ends:
            raise EvalFault.at(span, "E434", f"{abbreviate(place)} is no place of these stretches")
        return [(v,) for v in sorted(found)]

    return inside, holds


def _of_keys(expr: Expr, plan: KeyPlan, scope: Scope, what: str) -> Callable[[dict[str, Any]], Any]:
    """An expression by the values of the keys. Raises EvalFault for other indices. what: it is for, in words."""
    replaced = replace(expr, plan.replacements())
    message = f"{{name}} is no key of this statement, and {what} can use keys only"
    allow_only(plan.names, frozenset(plan.local), replaced, message, "name it after `per`")
    return plan.within(scope).compile(replaced)


def _members(value: Any, expr: Expr | None) -> Iterable[Any]:
    """The members of a set, list or map."""
    if isinstance(value, Set | Seq | Map):
        return value.keys if isinstance(value, Map) else value
    assert expr is not None
    raise EvalFault.at(expr.span, "E209", f"this is {kind_of(value)}, not a set or list to walk")


Counts = list[tuple[Mapping[int, int], Wanted]]


def _counts(statement: Loop, lines: Sequence[Line], stops: Sequence[frozenset[int]]) -> Counts:
    """How many lines meet at places, where the side conditions of a shape do not say it. stops: the vertices where it
    begins and ends."""
    counts: Counts = []
    met: dict[int, dict[int, int]] = {}  # per vertex, the lines that end there, each with how many of its ends
    for o, u, v in lines:
        for w in (u, v):
            here = met.setdefault(w, {})
            here[o] = here.get(o, 0) + 1
    if statement.word in ("path", "paths") and not statement.stops:
        counts += [(here, ((0, 2),)) for here in met.values()]
        counts += [({o: 1 for o, _, _ in lines}, ((1, None),))] if statement.word == "path" else []
    elif statement.word == "path":
        counts += [(_meeting(lines, stop), ((1, 1),)) for stop in stops]
    elif statement.word in ("paths", "loops"):
        ends = frozenset().union(*stops)
        counts += [(here, ((0, 0), (2, 2))) for w, here in met.items() if w not in ends]
        counts += [(met.get(w, {}), ((1, 1),)) for w in sorted(ends)]
    if statement.directed:
        way = [(o, (u, v)) for o, u, v in lines]
        first, last = stops if statement.word == "path" and stops else ((), ())
        for side, none in ((0, last), (1, first)):  # a path does not leave its end, and does not enter its beginning
            at: dict[int, dict[int, int]] = {}
            for o, pair in way:
                at.setdefault(pair[side], {})[o] = 1
            counts += [(terms, ((0, 0 if w in none else 1),)) for w, terms in at.items()]
    return counts


def _meeting(lines: Sequence[Line], vertices: AbstractSet[int]) -> dict[int, int]:
    """The lines that end at some vertices, each with how many of its ends lie there."""
    return {o: n for o, u, v in lines if (n := (u in vertices) + (v in vertices))}


def _closed(lines: Sequence[Line], stops: Sequence[frozenset[int]]) -> Sequence[Line]:
    """The lines of a path, closed to a loop: one vertex in the place of those where it begins and ends."""
    ends = frozenset().union(*stops)
    one = min(ends, default=0)
    return [(o, one if u in ends else u, one if v in ends else v) for o, u, v in lines] if ends else lines


def _graph_of(lines: Sequence[Line], fresh: int) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Where lines stand, and the edges of a graph in which those that are taken hang together, or form a ring, as the
    lines do: each stands at its two ends, and at a vertex of its own between them; at two of these if its ends are one.
    fresh: a number from which on there are no vertices."""
    own = count(fresh)
    places: list[tuple[int, int]] = []
    edges: list[tuple[int, int]] = []
    for o, u, v in lines:
        way = [u, *islice(own, 1 + (u == v)), v]
        places += [(o, w) for w in dict.fromkeys(way)]
        edges += [(min(pair), max(pair)) for pair in pairwise(way)]
    return places, edges


def _in_order(
    source: StatedItems,
    at: int,
    lines: Sequence[Line],
    begins: Sequence[AbstractSet[int]],
    passed: Sequence[int],
    fresh: int,
) -> Iterator[AreasDraft]:
    """What makes a path pass some vertices in order: without each of them, the one before it hangs together with where
    the path begins. fresh: as in `_graph_of`."""
    for before, here in pairwise(passed):
        loose = count(fresh)
        apart = [(o, next(loose) if u == here else u, next(loose) if v == here else v) for o, u, v in lines]
        terms = [(o, before, 1) for o, *pair in lines if before in pair]
        yield AreasDraft(
            source, at, *_graph_of(apart, next(loose)), terms=terms, want=((1, None),), anchors=tuple(sorted(*begins))
        )


class _Vertices:
    """The ends of the choices of a shape, as vertices. numbers: of each; an end where lines may cross is a vertex for
    each coordinate in which they go."""

    def __init__(self, statement: Loop, family: Family, scope: Scope, straight: Span | None = None) -> None:
        """straight: of what wants straight lines everywhere. Raises EvalFault for crossings that are no set."""
        self.numbers: dict[tuple[Any, int | None], int] = {}
        self._ends = Within(scope, family.indices).compile(statement.ends)
        self._statement, self._family = statement, family
        crossing = () if statement.crossing is None else scope.members(statement.crossing)({})
        self._crossing = frozenset(crossing.keys if isinstance(crossing, Map) else crossing)
        self._straight = straight

    def of(self, env: dict[str, Any]) -> tuple[int, int]:
        """The two vertices that a choice joins. env: its indices. Raises EvalFault."""
        ends = joined_ends(self._ends(env), self._statement)
        axes = (
            [self._axis(end, ends) if self._straight or end in self._crossing else None for end in ends]
            if self._straight or self._crossing
            else (None,) * 2
        )
        u, v = (self.numbers.setdefault(pair, len(self.numbers)) for pair in zip(ends, axes, strict=True))
        return u, v

    def at(self, places: Iterable[Any]) -> frozenset[int]:
        """The vertices at some places; one without lines where there is none yet."""
        own = frozenset(places)
        for end in own.difference(end for end, _ in self.numbers):
            self.numbers[end, None] = len(self.numbers)
        return frozenset(number for (end, _), number in self.numbers.items() if end in own)

    def check_crossing(self) -> None:
        """Raises EvalFault for a place of `crossing at` where no line ends, or lines of three directions do."""
        crossing = self._statement.crossing
        span = None if crossing is None else crossing.span
        ways = Counter(end for end, _ in self.numbers)
        for place in sorted(self._crossing, key=order_key):
            if ways[place] > 2:
                message = f"lines go on in {ways[place]} directions at {abbreviate(place)}, and two cross"
                raise EvalFault(Diagnostic("E447", message, span))
            if not ways[place] and place not in self.ends:
                raise EvalFault(Diagnostic("E447", f"no line ends at {abbreviate(place)}, so that none cross", span))

    @cached_property
    def ends(self) -> AbstractSet[Any]:
        """Where choices of the family end, whether they are in the matrix or not."""
        every = (dict(zip(self._family.indices, args, strict=True)) for args in self._family.choices)
        return frozenset(end for env in every for end in joined_ends(self._ends(env), self._statement))

    def crossed(self, place: Any) -> bool:
        """Whether lines may cross there."""
        return place in self._crossing

    def _axis(self, end: Any, ends: tuple[Any, Any]) -> int:
        """The coordinate in which a line goes on from an end. Raises EvalFault where it is not straight."""
        one, other = (tuple(e) if type(e) is tuple else () for e in ends)
        if len(one) == len(other) and all(type(x) is int for x in (*one, *other)):
            differing = [k for k, (x, y) in enumerate(zip(one, other, strict=True)) if x != y]
            if len(differing) == 1:
                return differing[0]
        joined = " and ".join(map(abbreviate, ends))
        if self._straight:
            message = f"a straight stretch may hold {abbreviate(end)}, and a line joins {joined}"
            help = "the ends of a line differ in one coordinate"
            raise EvalFault(Diagnostic("E447", message, self._straight, help))
        assert self._statement.crossing is not None
        message = f"lines cross straight on at {abbreviate(end)}, and one joins {joined}"
        help = "the ends of a line that crosses others differ in one coordinate"
        raise EvalFault(Diagnostic("E447", message, self._statement.crossing.span, help))


def _stops(statement: Loop, plan: KeyPlan, scope: Scope) -> Callable[[dict[str, Any]], list[frozenset[Any]]]:
    """The places where a path begins and ends, by the values of the keys: those of a set or list, or one."""
    runs = [_of_keys(stop, plan, scope, "the ends of a path") for stop in statement.stops]

    def found(env: dict[str, Any]) -> list[frozenset[Any]]:
        values = [run(env) for run in runs]
        each = [
            frozenset(v.keys if isinstance(v, Map) else v) if isinstance(v, Set | Seq | Map) else frozenset((v,))
            for v in values
        ]
        if len(each) == 2 and each[0] & each[1]:
            both = abbreviate(next(iter(each[0] & each[1])))
            span = statement.stops[0].span.to(statement.stops[1].span)
            raise EvalFault(
                Diagnostic("E446", f"this path begins and ends at {both}", span, "a closed way is a `loop`")
            )
        return each

    return found


def _through(
    statement: Loop, plan: KeyPlan, vertices: _Vertices, scope: Scope
) -> Callable[[dict[str, Any]], Sequence[Any]]:
    """The places after `through`, by the values of the keys."""
    if statement.through is None:
        return lambda env: ()
    run, span = _of_keys(statement.through, plan, scope, "the places of a path"), statement.through.span
    stops = _stops(statement, plan, scope)

    def found(env: dict[str, Any]) -> Sequence[Any]:
        value = run(env)
        if not isinstance(value, Seq):
            raise EvalFault.at(span, "E448", f"the places of a path are a list, and this is {kind_of(value)}")
        places, ends = list(value), frozenset().union(*stops(env))
        for k, place in enumerate(places):
            wrong = (
                "twice" if place in places[:k]
                else "where it begins or ends" if place in ends
                else "where lines may cross" if vertices.crossed(place)
                else "" if place in vertices.ends
                else "where no line ends"
            )  # fmt: skip
            if wrong:
                raise EvalFault.at(span, "E448", f"the path is to pass {abbreviate(place)} {wrong}")
        return places

    return found


def joined_ends(value: Any, statement: Loop | Divide) -> tuple[Any, Any]:
    """The two members of a set, list or tuple."""
    if isinstance(value, Set | Seq | tuple):
        members = list(value)
        if len(members) == 2:
            return members[0], members[1]
        what = f"{kind_of(value)} of {len(members)}: {abbreviate(value)}"
    else:
        what = f"{kind_of(value)}: {abbreviate(value)}"
    word = "division" if isinstance(statement, Divide) else statement.word
    message = f"a choice of a {word} joins two ends, and this is {what}"
    raise EvalFault(Diagnostic("E424", message, statement.ends.span, "a pair `(a, b)`, or a set or list of two"))


__all__ = ["LineShape", "joined_ends", "line_shapes", "stretches"]
