"""Shapes: taken choices whose places are connected or form no ring, lines of loops, paths or trees, and areas.

All are read like rules: there is one shape for each value of the keys after `per`, and the condition says which choices
count. The places of a `connected` and its `per` together are treated as the keys of one rule. Places touch if their
whole numbers differ by 1 in one coordinate and in no other, or if their lattice says so; with `along`, if the set has
the pair, in either order. The ends of lines may be any values.

A rule about areas is read as two: which choices stand where, and which count where, both with the places as keys. There
is one side condition for each value of the keys after the second `per`. The same places serve all values, unless a key
depends on the choices that form the areas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property, reduce
from itertools import chain, count, islice, pairwise, product, repeat
from operator import add, itemgetter
from typing import Any

from covr.compiler.evaluate import EvalFault, Scope
from covr.compiler.evaluate.expressions import conjuncts, free_in_template, free_names, pattern_names, replace
from covr.compiler.evaluate.limits import CHOICE, met
from covr.compiler.evaluate.values import Map, Seq, Set, abbreviate, kind_of, show_value
from covr.compiler.lattices import SQUARE, Lattice, LatticeCell
from covr.compiler.lower.families import Family, Lowering
from covr.compiler.lower.groups import Within, allow_only, components
from covr.compiler.lower.keys import KeyPlan, head, key_values, plan_keys
from covr.compiler.lower.lowered import AreasDraft, CircuitDraft, ConnectionDraft, SideDraft, StatedItems
from covr.compiler.lower.marks import for_choice
from covr.compiler.lower.rules import RuleItems, Wanted, memberships, reached_by, rule_items, weighing
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.syntax import Area, AreaRule, Binary, Connected, Divide, Expr, Key, Loop, Name, Number, Rule
from covr.engine.problem import Forest, LateName
from covr.frozen import evolve, frozen

Place = tuple[Any, ...]


def connections(statement: Connected, lowering: Lowering) -> Iterator[ConnectionDraft]:
    """One `Connection`, as a draft, for each value of the keys that has a place. Raises EvalFault.

    Its vertices are the places of the board, by their positions there. Connections over most of the board share its
    edges. Cost: linear in choices, places and values of the keys if all keys are indices; else in places times values
    of the keys.
    """
    families, scope, declared = lowering.of(statement.families), lowering.scope, lowering.declared
    per = plan_keys(statement.keys, families[0], declared)
    board: dict[Place, None] = {}
    for family in families:
        board.update(key_values(plan_keys(statement.at, family, declared), scope))
    touching = _Touching(statement, board, scope)
    keys = (*statement.at, *statement.keys)
    plans = [plan_keys(keys, family, declared) for family in families]
    if statement.where is None and all(map(_are_indices, plans, families, repeat(len(statement.at)))):
        values, met = _at_indices(statement, families, lowering, plans)
    else:
        items = rule_items(_as_rule(statement, families, keys), families, lowering)
        values, met = _at_keys(items, families, len(plans[0].names) - len(per.names), lowering)
    standing: dict[Place, list[tuple[int, int]]] = {of: [] for of in values}  # choices, and where they stand
    source = StatedItems(statement, tuple(_names(statement, per, standing, scope)))
    ranks = touching.ranks
    before: Place | None = None  # choices that follow one another often stand at the very same place: it is not hashed
    rank = 0
    for number, place, of in met:
        if number not in lowering.dropped:
            if place != before:
                before, rank = place, ranks[place]
            standing[of].append((number, rank))
    for at, stands in enumerate(standing.values()):
        vertices = sorted({rank for _, rank in stands})
        yield ConnectionDraft(source, at, stands, touching.edges(vertices, shared=len(standing) > 1))


Met = Iterable[tuple[int, Place, Place]]
"""Choices, by number, each with a place where it stands and the values of the keys after `per`."""


def _are_indices(plan: KeyPlan, family: Family, places: int) -> bool:
    """Whether all keys are indices of the family, and those of the places range apart from those after `per`. places:
    how many keys stand for the places."""
    parts = components([groups for _, groups in plan.parts], plan.local)
    apart = all(part[-1] < places or part[0] >= places for part in parts)
    return apart and set(plan.names) <= {*family.indices} and not (plan.computed or plan.free)


def _at_indices(
    statement: Connected, families: Sequence[Family], lowering: Lowering, plans: Sequence[KeyPlan]
) -> tuple[Iterable[Place], Met]:
    """The values of the keys, and what stands where, if all keys are indices: each choice stands at one place, and no
    place needs to be looked at with every value of the keys."""
    values: dict[Place, None] = {}
    for family in families:
        values.update(key_values(plan_keys(statement.keys, family, lowering.declared), lowering.scope))
        lowering.scope.budget.step(CHOICE * len(family.choices), statement.span)
    width = len(plan_keys(statement.at, families[0], lowering.declared).names)
    met: list[Met] = []
    for family, plan in zip(families, plans, strict=True):
        index = {name: at for at, name in enumerate(family.indices)}
        columns = [[args[index[name]] for args in family.choices] for name in plan.names]
        numbers = range(family.first, family.first + len(family.choices))
        of: Iterable[Place] = zip(*columns[width:], strict=True) if columns[width:] else repeat(())
        met.append(zip(numbers, zip(*columns[:width], strict=True), of, strict=False))
    return values, chain.from_iterable(met)


def _at_keys(
    items: RuleItems, families: Sequence[Family], width: int, lowering: Lowering
) -> tuple[Iterable[Place], Met]:
    """The same as the keys of a rule. width: how many of the keys' names stand for the place."""
    keys = items.keys
    met = (
        (number, keys[at][:width], keys[at][width:])
        for family in families
        for number, reached in reached_by(items, family, lowering.scope, lowering.scope.budget.limits.entries)
        for at in reached
    )
    return map(itemgetter(slice(width, None)), keys), met


def shapes_of(word: str, connection: ConnectionDraft) -> list[ConnectionDraft]:
    """What a `connected`, `tree` or `forest` asks for: one piece, no ring, or both."""
    one = [connection] if word not in ("forest", "paths") else []
    return one if word == "connected" else [*one, evolve(connection, kind=Forest)]


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
    items = rule_items(_as_rule(statement, [family], statement.keys), [family], lowering)
    plan = items.key_plan
    vertices = _Vertices(statement, family, scope)
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
    source = StatedItems(statement, tuple(_names(statement, plan, dict.fromkeys(items.keys), scope)))
    stops = _stops(statement, plan, scope)
    for at, (key, lines) in enumerate(zip(items.keys, joined, strict=True)):
        places = [vertices.at(places) for places in stops(dict(zip(plan.names, key, strict=True)))]
        sides: list[SideDraft] = []
        if statement.word == "loop" or (statement.word == "path" and places):
            sides.append(CircuitDraft(source, at, _closed(lines, places)))
        elif statement.word != "loops":
            graph = ConnectionDraft(source, at, *_graph_of(lines, len(vertices.numbers)))
            sides += shapes_of(statement.word, graph)
        yield LineShape(source.names[at], lines, sides, _counts(statement, lines, places))


Counts = list[tuple[Mapping[int, int], Wanted]]


def _counts(statement: Loop, lines: Sequence[Line], stops: Sequence[frozenset[int]]) -> Counts:
    """How many lines meet at places, where the side conditions of a shape do not say it. stops: the vertices where it
    begins and ends."""
    counts: Counts = []
    if statement.word in ("path", "paths") and not statement.stops:
        counts += [(_meeting(lines, {w}), ((0, 2),)) for w in dict.fromkeys(w for _, *pair in lines for w in pair)]
        counts += [({o: 1 for o, _, _ in lines}, ((1, None),))] if statement.word == "path" else []
    elif statement.word == "path":
        counts += [(_meeting(lines, stop), ((1, 1),)) for stop in stops]
    elif statement.word in ("paths", "loops"):
        met = dict.fromkeys(w for _, *pair in lines for w in pair)
        ends = frozenset().union(*stops)
        counts += [(_meeting(lines, {w}), ((0, 0), (2, 2))) for w in met if w not in ends]
        counts += [(_meeting(lines, {w}), ((1, 1),)) for w in sorted(ends)]
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


class _Vertices:
    """The ends of the choices of a shape, as vertices. numbers: of each; an end where lines may cross is a vertex for
    each coordinate in which they go."""

    def __init__(self, statement: Loop, family: Family, scope: Scope) -> None:
        """Raises EvalFault for crossings that are no set."""
        self.numbers: dict[tuple[Any, int | None], int] = {}
        self._ends = Within(scope, family.indices).compile(statement.ends)
        self._statement = statement
        crossing = () if statement.crossing is None else scope.members(statement.crossing)({})
        self._crossing = frozenset(crossing.keys if isinstance(crossing, Map) else crossing)

    def of(self, env: dict[str, Any]) -> tuple[int, int]:
        """The two vertices that a choice joins. env: its indices. Raises EvalFault."""
        ends = _ends(self._ends(env), self._statement)
        axes = (
            [self._axis(end, ends) if end in self._crossing else None for end in ends]
            if self._crossing
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

    def _axis(self, end: Any, ends: tuple[Any, Any]) -> int:
        """The coordinate in which a line goes on from an end. Raises EvalFault where it is not straight."""
        one, other = (tuple(e) if type(e) is tuple else () for e in ends)
        if len(one) == len(other) and all(type(x) is int for x in (*one, *other)):
            differing = [k for k, (x, y) in enumerate(zip(one, other, strict=True)) if x != y]
            if len(differing) == 1:
                return differing[0]
        assert self._statement.crossing is not None
        joined = " and ".join(map(abbreviate, ends))
        message = f"lines cross straight on at {abbreviate(end)}, and one joins {joined}"
        help = "the ends of a line that crosses others differ in one coordinate"
        raise EvalFault(Diagnostic("E447", message, self._statement.crossing.span, help))


def _stops(statement: Loop, plan: KeyPlan, scope: Scope) -> Callable[[dict[str, Any]], list[frozenset[Any]]]:
    """The places where a path begins and ends, by the values of the keys: those of a set or list, or one."""
    runs = []
    for stop in statement.stops:
        expr = replace(stop, plan.replacements())
        message = "{name} is no key of this statement, and the ends of a path can use keys only"
        allow_only(plan.names, frozenset(plan.local), expr, message, "name it after `per`")
        runs.append(plan.within(scope).compile(expr))

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


def _ends(value: Any, statement: Loop | Divide) -> tuple[Any, Any]:
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


# --- areas -----------------------------------------------------------------------------------------------------------


def areas(statement: AreaRule, lowering: Lowering) -> Iterator[AreasDraft]:
    """One `Areas`, as a draft, for each value of the keys. Raises EvalFault. Time as that of a rule with the places and
    the keys as its keys."""
    rule, area, scope = statement.rule, statement.area, lowering.scope
    families, counted = lowering.of(area.families), lowering.of(rule.families)
    items = rule_items(evolve(rule, where=_about_keys(statement, counted)), counted, lowering)
    values = dict(zip(items.keys, items.wants, strict=True))
    anchors = _anchors(statement, items.key_plan, values, scope)
    if area.divided:
        walls = area.families[0].id
        divides = (s for s in lowering.model.statements if isinstance(s, Divide) and s.family.id == walls)
        ground = _divided(next(divides), lowering)
        standing: Mapping[Place, Sequence[tuple[int, int]]] = {}
    else:
        board: dict[Place, None] = {}
        for family in families:
            board.update(key_values(plan_keys(area.at, family, lowering.declared), scope))
        if area.word == "touching":
            board.update(dict.fromkeys(anchors.values()))
        touching = _Touching(area, board, scope)
        edges = touching.edges(range(len(board)), shared=False)
        ground = _Ground(touching.ranks, edges, (), ())
        standing = _standing(statement, families, touching.ranks, values, lowering)
    near: dict[int, list[int]] = {}
    for u, v in ground.edges:
        near.setdefault(u, []).append(v)
        near.setdefault(v, []).append(u)
    terms = _terms(statement, counted, ground.ranks, values, lowering)
    source = StatedItems(statement, tuple(_names(statement, items.key_plan, values, scope)))
    for at, (key, want) in enumerate(values.items()):
        held: tuple[int, ...] | None = None
        if area.anchor is not None:
            rank = _rank(anchors[key], ground.ranks, statement)
            held = (rank,) if area.word == "holding" else tuple(sorted(near.get(rank, ())))
        stands = standing.get(key, standing.get((), ()))
        yield AreasDraft(
            source, at, stands, ground.edges, ground.always, ground.cuts, terms[key], want, held,
            area.word == "holding",
        )  # fmt: skip


def division(statement: Divide, lowering: Lowering) -> Iterator[AreasDraft]:
    """The division of a `divide`, of which nothing is asked but that walls part areas."""
    ground = _divided(statement, lowering)
    plan = plan_keys((), lowering.families[statement.family.id], lowering.declared)
    source = StatedItems(statement, tuple(_names(statement, plan, {(): None}, lowering.scope)))
    yield AreasDraft(source, 0, (), ground.edges, ground.always, ground.cuts)


@frozen(eq=False)
class _Ground:
    """Where areas lie. ranks: per place its vertex.  edges, always, cuts: as in `AreasDraft`."""

    ranks: Mapping[Place, int]
    edges: tuple[tuple[int, int], ...]
    always: Sequence[int]
    cuts: Sequence[tuple[int, int, int]]


def _divided(statement: Divide, lowering: Lowering) -> _Ground:
    """The places of a `divide` and its walls. Raises EvalFault for a wall that parts no two places which touch."""
    scope, family = lowering.scope, lowering.families[statement.family.id]
    board = dict.fromkeys([(member,) for member in Within(scope, ()).members(statement.places)({})])
    place = Key(Name("x", statement.places.span), statement.places, statement.places.span)
    area = Area((statement.family,), True, (place,), None, "", None, statement.span)
    touching = _Touching(area, board, scope)
    edges = touching.edges(range(len(board)), shared=False)
    # A rule may name the squares of a board as one value, or by their coordinates.
    ranks = touching.ranks | {place: at for (place,), at in touching.ranks.items() if isinstance(place, tuple)}
    known = frozenset(edges)
    ends = Within(scope, family.indices).compile(statement.ends)
    cuts: list[tuple[int, int, int]] = []
    for number, args in enumerate(family.choices, family.first):
        if number in lowering.dropped:
            continue
        with for_choice(family, number):
            pair = _ends(ends(dict(zip(family.indices, args, strict=True))), statement)
            vertices = sorted(ranks.get((end,), -1) for end in pair)
            if tuple(vertices) not in known:
                message = f"{abbreviate(pair[0])} and {abbreviate(pair[1])} are no two places that touch"
                raise EvalFault(Diagnostic("E435", message, statement.ends.span, "a wall stands between neighbours"))
            cuts.append((number, vertices[0], vertices[1]))
    return _Ground(ranks, edges, range(len(board)), cuts)


def _about_keys(statement: AreaRule, families: Sequence[Family]) -> Expr | None:
    """The parts of the condition that mention neither places nor choices: they say which values the keys have."""
    keys = {name for key in statement.keys for name in _mentioned(key)}
    other = {name for family in families for name in family.indices}.union(*map(_mentioned, statement.area.at)) - keys
    kept = [part for part in conjuncts(statement.where) if other.isdisjoint(free_names(part))]
    return reduce(lambda a, b: Binary("and", a, b, a.span.to(b.span)), kept) if kept else None


def _mentioned(key: Expr | Key) -> Iterable[str]:
    return pattern_names(key.pattern) if isinstance(key, Key) else free_names(key)


def _anchors(statement: AreaRule, plan: KeyPlan, values: Iterable[Place], scope: Scope) -> dict[Place, Place]:
    """For each value of the keys, the place after `holding` or `touching`."""
    anchor = statement.area.anchor
    if anchor is None:
        return {}
    value = plan.within(scope).compile(replace(anchor, plan.replacements()))
    found: dict[Place, Place] = {}
    for key in values:
        place = value(dict(zip(plan.names, key, strict=True)))
        found[key] = place if isinstance(place, tuple) else (place,)
    return found


def _rank(place: Place, ranks: Mapping[Place, int], statement: AreaRule) -> int:
    """The vertex of a place, written as one value or as several. Raises EvalFault where there is none."""
    for known in (place, (place,)):
        if known in ranks:
            return ranks[known]
    anchor = statement.area.anchor
    assert anchor is not None
    shown = abbreviate(place[0] if len(place) == 1 else place)
    raise EvalFault(Diagnostic("E434", f"{shown} is no place of these areas", anchor.span))


def _standing(
    statement: AreaRule,
    families: Sequence[Family],
    ranks: Mapping[Place, int],
    values: Mapping[Place, object],
    lowering: Lowering,
) -> Mapping[Place, Sequence[tuple[int, int]]]:
    """Which choices stand where: for each value of the keys, or once for all of them, under ()."""
    area = statement.area
    own = {name for family in families for name in family.indices}
    hang = any(not own.isdisjoint(free_names(key.over if isinstance(key, Key) else key)) for key in statement.keys)
    keys = (*area.at, *(statement.keys if hang else ()))
    rule = Rule("exactly", Number(1, area.span), area.families, keys, None, None, span=area.span)
    found: dict[Place, list[tuple[int, int]]] = {of: [] for of in (values if hang else ((),))}
    for number, place, of, _ in _met(rule, families, len(area.at), lowering):
        if of in found:
            found[of].append((number, ranks[place]))
    return found


def _terms(
    statement: AreaRule,
    families: Sequence[Family],
    ranks: Mapping[Place, int],
    values: Mapping[Place, object],
    lowering: Lowering,
) -> Mapping[Place, Sequence[tuple[int, int, int]]]:
    """For each value of the keys, which choices count where, and for how much."""
    rule = evolve(statement.rule, kind="exactly", quantity=Number(1, statement.span), label=None,
                  keys=(*statement.area.at, *statement.keys))  # fmt: skip
    found: dict[Place, list[tuple[int, int, int]]] = {of: [] for of in values}
    for number, place, of, weight in _met(rule, families, len(statement.area.at), lowering):
        if of in found and place in ranks and weight:
            found[of].append((number, ranks[place], weight))
    return found


def _met(
    rule: Rule, families: Sequence[Family], places: int, lowering: Lowering
) -> Iterator[tuple[int, Place, Place, int]]:
    """Choices, each with a place that it reaches, the values of the other keys, and its weight. places: how many of the
    keys stand for the place."""
    scope = lowering.scope
    items = rule_items(rule, families, lowering)
    width = sum(len(names) for names, _ in items.key_plan.parts[:places])
    for family in families:
        weigh = weighing(rule, family, items.views[family.name], items.keys, scope)
        for number, reached in reached_by(items, family, scope, scope.budget.limits.entries):
            if number not in lowering.dropped:
                for at, weight in zip(reached, weigh(number, reached), strict=True):
                    yield number, items.keys[at][:width], items.keys[at][width:], weight


# --- names and edges -------------------------------------------------------------------------------------------------


def _as_rule(statement: Connected | Loop, families: Sequence[Family], keys: tuple[Expr | Key, ...]) -> Rule:
    """A rule over the same choices with these keys; its quantity is never used."""
    names = tuple(Name(f.name, statement.span) for f in families)
    return Rule("exactly", Number(1, statement.span), names, keys, statement.where, None, span=statement.span)


def _names(
    statement: Connected | Loop | AreaRule | Divide, plan: KeyPlan, keys: Mapping[Place, object], scope: Scope
) -> Iterator[str]:
    """The statement's label for each value of the keys; without one, the statement's head and those values."""
    label = statement.label
    text = None
    if label is not None:
        label = replace(label, plan.replacements())
        message = "{name} is no key of this statement, and its label can use keys only"
        allow_only(plan.names, frozenset(plan.local), label, message, "name it after `per`")
        text = plan.within(scope).template(label)
    said = head(statement)
    for key in keys:
        if text is not None and label is not None:
            try:
                yield str(text(dict(zip(plan.names, key, strict=True))))
            except EvalFault as fault:
                raise plan.met(fault, free_in_template(label), key) from None
        else:
            pairs = ", ".join(f"{n} = {show_value(v)}" for n, v in zip(plan.written, key, strict=True))
            yield f"{said} for {pairs}" if pairs else said


class _Touching:
    """Which places touch: neighbours on the board, or the pairs of `along`. ranks: per place of the board, its position
    in documented order, from 0."""

    def __init__(self, statement: Connected | Area, board: Mapping[Place, object], scope: Scope) -> None:
        self.statement = statement
        self.ranks = {place: at for at, place in enumerate(board)}
        self._corners = isinstance(statement, Connected) and statement.corners
        self._pairs: list[tuple[Place, Place]] | None = None
        if statement.along is not None:
            self._pairs = self._read(statement.along, scope)
        elif any(not _is_square(place) for place in board):
            place = next(p for p in board if not _is_square(p))
            shown = abbreviate(place[0] if len(place) == 1 else place)
            message = f"{shown} is no place of a board, so that nothing says which places touch"
            span = statement.at[0].span.to(statement.at[-1].span)
            raise EvalFault(Diagnostic("E423", message, span, "name the pairs that touch: `along PAIRS`"))
        elif self._corners and not _lattice(next(iter(board), ())).plain:
            message = (
                f"{abbreviate(next(iter(board))[0])} has no corners that `with corners` speaks of: it is no square"
            )
            raise EvalFault(
                Diagnostic("E423", message, statement.at[0].span, "name the pairs that touch: `along PAIRS`")
            )
        elif len(lattices := sorted({_lattice(place) for place in board})) > 1:
            one, other = lattices[:2]
            message = f"some of these places are of the lattice `{one.name}` and some of `{other.name}`"
            span = statement.at[0].span.to(statement.at[-1].span)
            raise EvalFault(Diagnostic("E423", message, span, "name the pairs that touch: `along PAIRS`"))

    def _read(self, along: Expr, scope: Scope) -> list[tuple[Place, Place]]:
        """The pairs of `along`, as places. They are sorted only if something is wrong, which is then told of the first
        one."""
        members = scope.members(along)({})
        every = members.keys if isinstance(members, Map) else members
        if type(every) is Set:
            found = [known for pair in every.parts if (known := self._known(pair))]
            if len(found) == len(every):
                return found
        return list(self._placed(every, along))

    def _known(self, pair: Any) -> tuple[Place, Place] | None:
        """A set or tuple of two places as these places; None if it is anything else."""
        if type(pair) is not Set and type(pair) is not tuple:
            return None
        ends: list[Any] = [
            (end,) if (end,) in self.ranks else end for end in (pair.parts if type(pair) is Set else pair)
        ]
        known = len(ends) == 2 and all(isinstance(end, tuple) and end in self.ranks for end in ends)
        return (ends[0], ends[1]) if known else None

    def _placed(self, every: Iterable[Any], along: Expr) -> Iterator[tuple[Place, Place]]:
        """The same in order, which tells what is wrong with one of them."""
        for pair in every:
            ends = list(pair) if isinstance(pair, Set | Seq | tuple) else []
            if len(ends) != 2:
                message = f"`along` names pairs of places, and {abbreviate(pair)} is {kind_of(pair)}"
                if ends:
                    message += f" of {len(ends)}"
                raise EvalFault(Diagnostic("E425", message, along.span, "write pairs `(a, b)`, or sets of two"))
            yield self._place(ends[0], along), self._place(ends[1], along)

    def _place(self, end: Any, along: Expr) -> Place:
        """An end in `along` as a place, which is the tuple of the values after `at`, even if there is only one."""
        for place in ((end,), end):
            if isinstance(place, tuple) and place in self.ranks:
                return place
        text = ", ".join(k.span.one_line for k in self.statement.at)
        message = f"{abbreviate(end)} is an end in `along`, and no place of `at {text}`"
        raise met(EvalFault(Diagnostic("E426", message, along.span)), f"the places are {self._some_places()}")

    def _some_places(self) -> str:
        places = [show_value(p[0] if len(p) == 1 else p) for p in list(self.ranks)[:4]]
        return ", ".join(places) + (", …" if len(self.ranks) > 4 else "") if places else "none"

    def edges(self, vertices: Sequence[int], shared: bool) -> tuple[tuple[int, int], ...]:
        """The pairs of vertices that touch, each once, the lower number first, in order. shared: the same tuple, with
        all pairs of the board, for all connections over at least half of its places."""
        if len(vertices) == len(self.ranks) or (shared and 2 * len(vertices) >= len(self.ranks)):
            return self._edges
        own = frozenset(vertices)
        return tuple([(u, v) for u in vertices for v in self._higher.get(u, ()) if v in own])

    @cached_property
    def _edges(self) -> tuple[tuple[int, int], ...]:
        ranks = self.ranks
        if self._pairs is not None:
            pairs = [(ranks[a], ranks[b]) for a, b in self._pairs]
            return tuple(sorted({(min(p), max(p)) for p in pairs if p[0] != p[1]}))
        flat = {_flat(place): v for place, v in ranks.items()}
        lattice = _lattice(next(iter(ranks), ()))
        if not lattice.plain:
            near = {(min(v, flat[n]), max(v, flat[n])) for at, v in flat.items() for n in lattice.near(at) if n in flat}
            return tuple(sorted(near))
        found = []
        steps: dict[int, list[tuple[int, ...]]] = {}  # to half of the places that touch one, by its coordinates
        for size in {*map(len, flat)}:
            every = [s for s in product((-1, 0, 1), repeat=size) if s > (0,) * size]
            steps[size] = [s for s in every if self._corners or sum(map(abs, s)) == 1]
        for place, v in flat.items():
            for step in steps[len(place)]:
                other = flat.get(tuple(map(add, place, step)))
                if other is not None:
                    found.append((min(v, other), max(v, other)))
        return tuple(sorted(found))

    @cached_property
    def _higher(self) -> Mapping[int, Sequence[int]]:
        """Per place, those that touch it and come after it, in order."""
        higher: dict[int, list[int]] = {}
        for u, v in self._edges:
            higher.setdefault(u, []).append(v)
        return higher


def _flat(place: Place) -> tuple[int, ...]:
    return tuple(x for part in place for x in (part if isinstance(part, tuple) else (part,)))


def _lattice(place: Place) -> Lattice:
    """The lattice of a place; squares stand for all places that are whole numbers and their tuples."""
    return place[0].lattice if len(place) == 1 and type(place[0]) is LatticeCell else SQUARE


def _is_square(place: Place) -> bool:
    """Whether a place is one that a board can have: one to three whole numbers, or one cell of a lattice."""
    if len(place) > 1 and any(type(part) is LatticeCell for part in place):
        return False
    flat = _flat(place)
    return 1 <= len(flat) <= 3 and all(type(x) is int for x in flat)


__all__ = ["areas", "connections", "division", "line_shapes", "shapes_of"]
