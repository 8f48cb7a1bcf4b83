"""Areas: rules about the connected pieces of taken places, and a board that walls divide.

A rule about areas is read as two: which choices stand where, and which count where, both with the places as keys. There
is one side condition for each value of the keys after the second `per`. The same places serve all values, unless a key
depends on the choices that form the areas.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce

from covr.compiler.evaluate import EvalFault, Scope
from covr.compiler.evaluate.expressions import conjuncts, free_names, pattern_names, replace
from covr.compiler.evaluate.values import abbreviate
from covr.compiler.lower.families import Family, Lowering
from covr.compiler.lower.groups import Within
from covr.compiler.lower.keys import KeyPlan, key_values, plan_keys
from covr.compiler.lower.lines import joined_ends
from covr.compiler.lower.lowered import AreasDraft, StatedItems
from covr.compiler.lower.marks import for_choice
from covr.compiler.lower.rules import reached_by, rule_items, weighing
from covr.compiler.lower.shapes import Place, Touching, stated_names
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.syntax import Area, AreaRule, Binary, Divide, Expr, Key, Name, Number, Rule
from covr.frozen import evolve, frozen


def areas(statement: AreaRule, lowering: Lowering) -> Iterator[AreasDraft]:
    """One `Areas`, as a draft, for each value of the keys. Raises EvalFault. Time as that of a rule with the places and
    the keys as its keys."""
    rule, area, scope = statement.rule, statement.of_areas, lowering.scope
    families, counted = lowering.of(area.families), lowering.of(rule.families)
    items = rule_items(evolve(rule, where=_about_keys(statement, counted)), counted, lowering)
    values = dict(zip(items.keys, items.wants, strict=True))
    anchors = _anchors(statement, items.key_plan, values, scope)
    if area.divided:
        walls = area.families[0].id
        divides = (s for s in lowering.model.statements if isinstance(s, Divide) and s.family.id == walls)
        ground = _ground_of(next(divides), lowering)
        standing: Mapping[Place, Sequence[tuple[int, int]]] = {}
    else:
        board: dict[Place, None] = {}
        for family in families:
            board.update(key_values(plan_keys(area.at, family, lowering.declared), scope))
        if area.word == "touching":
            board.update(dict.fromkeys(anchors.values()))
        touching = Touching(area, board, scope)
        edges = touching.edges(range(len(board)), shared=False)
        ground = _Ground(touching.ranks, edges, (), ())
        standing = _standing(statement, families, touching.ranks, values, lowering)
    near: dict[int, list[int]] = {}
    for u, v in ground.edges:
        near.setdefault(u, []).append(v)
        near.setdefault(v, []).append(u)
    terms = _terms(statement, counted, ground.ranks, values, lowering)
    source = StatedItems(statement, tuple(stated_names(statement, items.key_plan, values, scope)))
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
    ground = _ground_of(statement, lowering)
    plan = plan_keys((), lowering.families[statement.family.id], lowering.declared)
    source = StatedItems(statement, tuple(stated_names(statement, plan, {(): None}, lowering.scope)))
    yield AreasDraft(source, 0, (), ground.edges, ground.always, ground.cuts)


@frozen(eq=False)
class _Ground:
    """Where areas lie. ranks: per place its vertex.  edges, always, cuts: as in `AreasDraft`."""

    ranks: Mapping[Place, int]
    edges: tuple[tuple[int, int], ...]
    always: Sequence[int]
    cuts: Sequence[tuple[int, int, int]]


def _ground_of(statement: Divide, lowering: Lowering) -> _Ground:
    """The ground of a `divide`, which is made once for all rules about its areas."""
    walls = statement.family.id
    if walls not in lowering.divided:
        lowering.divided[walls] = _divided(statement, lowering)
    return lowering.divided[walls]  # type: ignore[no-any-return]


def _divided(statement: Divide, lowering: Lowering) -> _Ground:
    """The places of a `divide` and its walls. Raises EvalFault for a wall that parts no two places which touch."""
    scope, family = lowering.scope, lowering.families[statement.family.id]
    board = dict.fromkeys([(member,) for member in Within(scope, ()).members(statement.places)({})])
    place = Key(Name("x", statement.places.span), statement.places, statement.places.span)
    area = Area((statement.family,), True, (place,), None, "", None, statement.span)
    touching = Touching(area, board, scope)
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
            pair = joined_ends(ends(dict(zip(family.indices, args, strict=True))), statement)
            vertices = sorted(ranks.get((end,), -1) for end in pair)
            if tuple(vertices) not in known:
                message = f"{abbreviate(pair[0])} and {abbreviate(pair[1])} are no two places that touch"
                raise EvalFault(Diagnostic("E435", message, statement.ends.span, "a wall stands between neighbours"))
            cuts.append((number, vertices[0], vertices[1]))
    return _Ground(ranks, edges, range(len(board)), cuts)


def _about_keys(statement: AreaRule, families: Sequence[Family]) -> Expr | None:
    """The parts of the condition that mention neither places nor choices: they say which values the keys have."""
    keys = {name for key in statement.keys for name in _mentioned(key)}
    other = {name for family in families for name in family.indices}.union(
        *map(_mentioned, statement.of_areas.at)
    ) - keys
    kept = [part for part in conjuncts(statement.where) if other.isdisjoint(free_names(part))]
    return reduce(lambda a, b: Binary("and", a, b, a.span.to(b.span)), kept) if kept else None


def _mentioned(key: Expr | Key) -> Iterable[str]:
    return pattern_names(key.pattern) if isinstance(key, Key) else free_names(key)


def _anchors(statement: AreaRule, plan: KeyPlan, values: Iterable[Place], scope: Scope) -> dict[Place, Place]:
    """For each value of the keys, the place after `holding` or `touching`."""
    anchor = statement.of_areas.anchor
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
    anchor = statement.of_areas.anchor
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
    area = statement.of_areas
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
                  keys=(*statement.of_areas.at, *statement.keys))  # fmt: skip
    found: dict[Place, list[tuple[int, int, int]]] = {of: [] for of in values}
    for number, place, of, weight in _met(rule, families, len(statement.of_areas.at), lowering):
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
        for number, reached in reached_by(items, family, scope):
            if number not in lowering.dropped:
                for at, weight in zip(reached, weigh(number, reached), strict=True):
                    yield number, items.keys[at][:width], items.keys[at][width:], weight


__all__ = ["areas", "division"]
