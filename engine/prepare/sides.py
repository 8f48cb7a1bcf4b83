"""The sides of a problem as flat lists of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Sized
from itertools import accumulate, chain
from math import gcd
from typing import Any

from covr.engine.base.limits import ENDLESS, check_limits, with_limit_checks
from covr.engine.kernels.loading import load
from covr.engine.problem import AreaDemand, Areas, Circuit, Connection, Forest, Problem, Total, gathered, options_of
from covr.frozen import frozen

Terms = list[tuple[int, int]]

# --- totals ----------------------------------------------------------------------------------------------------------
# Totals prepared for the kernel: groups of options that exclude each other, and sums as sets of bits.
#
# A total's options are divided into *groups*. The options of a group all hold one item that may have only one of them,
# so a group adds one of its coefficients to the sum, or nothing. If the item must have an option, and all its options
# are in the group, the group always adds one of its coefficients. Every group is shifted so that the least number that
# it can add is 0, and then all numbers are divided by their greatest common divisor; the allowed sums are shifted and
# divided to match. So every sum is at least 0, and sums above the largest allowed one need not be distinguished. If few
# enough sums are left, the sums that can be reached are represented as a set of bits.
#
# If k disjoint items together hold all of a total's options, and each of them must have exactly one option and has no
# others, every answer takes exactly k of these options. Then the total may be stated a second time, in groups of
# *other* items (for a cage of a puzzle, its digits instead of its cells). For this, every coefficient is raised by a
# number so large that a sum shows how many options were taken. The second total allows the same answers, but finds
# things that the first cannot: for example, that no set of k different digits which includes a given one adds up to the
# sum.
#
# Source: finding the reachable sums by dynamic programming on bits is from Trick, "A dynamic programming approach for
# consistency and propagation for knapsack constraints", 2003. Adding up groups, and the second total, are ours.


MOST_BITS = 1 << 13  # of a set of sums: totals that allow larger sums are checked by bounds, and have no second total
MOST_WORDS = 1 << 18  # the most 64-bit words for the sums that can be reached: one row for every group


@frozen
class TotalGroup:
    """Options of which an answer takes at most one.

    values: pairs of a number, at least 0, and the options that add it to the sum, by increasing number.  empty: what
    the group adds if none of its options is taken.  item: the item of the group if it must have an option, one of
    these or another one; -1 if there is no such item.
    """

    values: tuple[tuple[int, tuple[int, ...]], ...]
    empty: int
    item: int


@frozen
class GroupedTotal:
    """A total for the kernel.

    ranges: the sums that are allowed, as increasing pairs of least and greatest; if there are none, there is no answer.
    bits: the largest allowed sum plus 1, if sums are represented as sets of bits; 0 if only bounds are checked.
    """

    groups: tuple[TotalGroup, ...]
    ranges: tuple[tuple[int, int], ...]
    bits: int


class TotalSums:
    """Prepares the totals of a problem."""

    def __init__(self, problem: Problem) -> None:
        """Time linear in the length of the options."""
        sizes = [len(held) for held in problem.holders]
        arrays = problem.low, problem.high, problem.starts, problem.members, problem.colours, sizes
        self._grouping = load("_grouping").Grouping(*arrays)
        self._groups: dict[tuple[int, int], TotalGroup] = {}  # of single options

    def of(self, total: Total) -> list[GroupedTotal]:
        """The total and, where that helps, the same in other groups. Time about linear in the length of its options."""
        grouping, terms = self._grouping, dict(total.terms)
        options = [*terms]
        alone: dict[int, list[int]] = grouping.alone(options)
        if not alone and {*terms.values()} == {1}:
            most = len(terms)
            ranges = [(max(lo, 0), min(hi, most)) for lo, hi in total.sums if lo <= most and hi >= 0]
            return [_grouped([TotalGroup(((1, (o,)),), 0, -1) for o in terms], ranges)]
        exact: list[int] = grouping.exact(alone)
        if not exact and len(alone) == sum(map(len, alone.values())):  # no two options exclude each other
            return [self._single(terms, total.sums)]
        first = self._sums(terms, total.sums, grouping.groups(options, alone, exact))
        if sum([len(alone[i]) for i in exact]) < len(terms):
            return [first]
        whole = set(exact)
        others = grouping.groups(options, {i: held for i, held in alone.items() if i not in whole}, [])
        if len(others) == len(terms):
            return [first]
        count, least = len(exact), min(terms.values())
        high = count * (max(terms.values()) - least)
        step = high + 1
        ranges = []
        for lo, hi in total.sums:
            lo, hi = max(lo - count * least, 0), min(hi - count * least, high)
            if lo <= hi:
                ranges.append((lo + count * step, hi + count * step))
        raised = {o: c - least + step for o, c in terms.items()}
        if ranges and ranges[-1][1] < MOST_BITS:
            return [first, self._sums(raised, ranges, others)]
        return [first]

    def _single(self, terms: dict[int, int], sums: Sequence[tuple[int, int]]) -> GroupedTotal:
        """The total with a group for each term."""
        unit = gcd(*terms.values()) or 1
        base = -sum([c for c in terms.values() if c < 0])
        groups = [self._group(o, c // unit) for o, c in terms.items()]
        most = (base + sum([c for c in terms.values() if c > 0])) // unit
        return _grouped(groups, _within(sums, base, unit, most))

    def _group(self, option: int, weight: int) -> TotalGroup:
        """The group of a single option."""
        known = self._groups.get((option, weight))
        if known is None:
            values = ((max(weight, 0), (option,)),)
            known = self._groups[option, weight] = TotalGroup(values, max(-weight, 0), -1)
        return known

    def _sums(
        self, terms: dict[int, int], sums: Sequence[tuple[int, int]], groups: list[tuple[int, list[int]]]
    ) -> GroupedTotal:
        """The total of these terms in these groups, each with its item, or -1."""
        made, base, unit = self._grouping.values(terms, groups)
        most = sum([max(values[-1][0], empty) for values, empty, _ in made])
        return _grouped([TotalGroup(*one) for one in made], _within(sums, base, unit, most))


def _within(sums: Sequence[tuple[int, int]], base: int, unit: int, most: int) -> list[tuple[int, int]]:
    """Ranges of sums, raised by `base` and divided by `unit`, from 0 to `most`; empty ones left out."""
    found = [(max(-(-(lo + base) // unit), 0), min((hi + base) // unit, most)) for lo, hi in sums]
    return [(lo, hi) for lo, hi in found if lo <= hi]


def _grouped(groups: Sequence[TotalGroup], ranges: Sequence[tuple[int, int]]) -> GroupedTotal:
    bits = ranges[-1][1] + 1 if ranges else 0
    if bits > MOST_BITS or (bits + 63) // 64 * (len(groups) + 1) > MOST_WORDS:
        bits = 0
    return GroupedTotal(tuple(groups), tuple(ranges), bits)


# --- sides -----------------------------------------------------------------------------------------------------------
# The sides of a problem as flat lists of numbers, which the kernel of kernels/sides/_sides.py copies.
#
# A list of runs is two lists: the numbers of all runs, one run after another, and a list `…_begin` that says where each
# run begins. The last entry of `…_begin`, after those of all runs, is where the last run ends. Numbers count from 0.


@frozen
class TotalArrays:
    """All totals of a problem; `GroupedTotal` and `TotalGroup` describe them.

    group_begin: where the groups of each total begin.  group_item, group_empty: per group, its `item` and `empty`.
    value_begin, value: the values of each group.  option_begin, options: the options of each value.  range_begin, low,
    high: the ranges of each total, both ends included.  bits: per total, its `bits`.
    """

    group_begin: Sequence[int]
    group_item: Sequence[int]
    group_empty: Sequence[int]
    value_begin: Sequence[int]
    value: Sequence[int]
    option_begin: Sequence[int]
    options: Sequence[int]
    range_begin: Sequence[int]
    low: Sequence[int]
    high: Sequence[int]
    bits: Sequence[int]


@frozen
class GraphArrays:
    """All connections and forests, or all circuits, with vertices from 0 in each.

    vertex_begin: where the vertices of each graph begin in a list of all vertices.  place_begin, place: per vertex, the
    options that stand there or, in circuits, the ends (indices into `option`) that meet there.

    Of connections only: near_begin, near: per vertex, its neighbours, numbered in its own graph.

    Of circuits only: end_begin: where the ends of each circuit begin.  option, u, v: per end, its option and the two
    vertices that it joins, numbered in its own graph.
    """

    vertex_begin: Sequence[int]
    place_begin: Sequence[int]
    place: Sequence[int]
    near_begin: Sequence[int]
    near: Sequence[int]
    end_begin: Sequence[int]
    option: Sequence[int]
    u: Sequence[int]
    v: Sequence[int]


@frozen
class AreaArrays:
    """All areas of a problem; _sides_areas.py describes the fields. Spots, edges and anchors are numbered over all of
    them."""

    spot_begin: Sequence[int]
    stand_begin: Sequence[int]
    stand: Sequence[int]
    always: Sequence[int]
    link_begin: Sequence[int]
    link_to: Sequence[int]
    link_edge: Sequence[int]
    edge_begin: Sequence[int]
    edge_one: Sequence[int]
    edge_other: Sequence[int]
    cut_begin: Sequence[int]
    cut: Sequence[int]
    demand_begin: Sequence[int]
    slot: Sequence[int]
    term_begin: Sequence[int]
    term: Sequence[int]
    term_weight: Sequence[int]
    sum_begin: Sequence[int]
    sum_low: Sequence[int]
    sum_high: Sequence[int]
    anchor_begin: Sequence[int]
    anchor: Sequence[int]
    asks: Sequence[int]
    adds: Sequence[int]


@frozen
class SideArrays:
    """The sides of a problem: totals first, then connections, forests, circuits and areas. forests: how many of them
    there are among the `connections`, at the end.

    of_begin, of: per option, the numbers of its sides.  implied: per option, an option of positive cost without which
    it can't be taken; -1 if none is known.
    """

    totals: TotalArrays
    connections: GraphArrays
    forests: int
    circuits: GraphArrays
    areas: AreaArrays
    of_begin: Sequence[int]
    of: Sequence[int]
    implied: Sequence[int]


def side_arrays(problem: Problem) -> SideArrays:
    """The sides of a problem as flat lists. Time and space linear in the length of the sides, besides sorting."""
    totals = [side for side in problem.sides if isinstance(side, Total)]
    prepared = TotalSums(problem) if totals else None
    sums = [s for side in with_limit_checks(totals) for s in prepared.of(side)] if prepared is not None else []
    forests = [side for side in problem.sides if isinstance(side, Forest)]
    connections: list[Connection | Forest] = [side for side in problem.sides if isinstance(side, Connection)]
    connections += forests
    circuits = [side for side in problem.sides if isinstance(side, Circuit)]
    areas = [side for side in gathered(problem.sides) if isinstance(side, Areas)]
    sides: list[list[int]] = [[] for _ in range(problem.options)]
    named: list[Iterable[int]] = [
        *((o for g in s.groups for _, held in g.values for o in held) for s in sums),
        *(sorted({o for o, _ in with_limit_checks(side.places)}) for side in connections),
        *((o for o, _, _ in side.ends) for side in circuits),
        *map(options_of, areas),
    ]
    for k, options in enumerate(named):
        for o in with_limit_checks(options):
            sides[o].append(k)
    begin, of = _flat(sides)
    graphs = _connections(connections), len(forests), _circuits(circuits), _areas(areas)
    return SideArrays(_totals(sums), *graphs, begin, of, implied(problem))


def side_names(problem: Problem) -> list[str]:
    """What messages call each side, in the order of `SideArrays`, where a total may stand twice."""
    sums = TotalSums(problem)
    kinds = [[s for s in problem.sides if isinstance(s, kind)] for kind in (Total, Connection, Forest, Circuit, Areas)]
    totals = [side for side in kinds[0] if isinstance(side, Total) for _ in sums.of(side)]
    named = [*totals, *kinds[1], *kinds[2], *kinds[3]]
    return [f"the {type(side).__name__.lower()} {side.name or problem.sides.index(side)}" for side in named]


def implied(problem: Problem) -> list[int]:
    """Per option, another option without which it can't be taken, because of a single total; -1 if none is found.

    The other option has a positive cost, shares no item with the first, and is the dearest of those found. In each
    total only the two options with the smallest and the two with the largest coefficients are tried, so that the time
    is linear, besides sorting.
    """
    found = [-1] * problem.options
    if not any(problem.costs):
        return found
    for side in problem.sides:
        if not isinstance(side, Total) or not side.sums:
            continue
        low, high = side.sums[0][0], side.sums[-1][1]
        weights = [c for _, c in side.terms]
        least, most = sum([c for c in weights if c < 0]), sum([c for c in weights if c > 0])
        pair = 2 * max(map(abs, weights), default=0)  # the most that two options can change
        if most - pair >= low and least + pair <= high:
            continue
        ends = [*sorted(side.terms, key=lambda t: t[1])[:2], *sorted(side.terms, key=lambda t: -t[1])[:2]]
        for o, c in side.terms:
            above, below = most - max(c, 0) + c, least - min(c, 0) + c
            for p, d in ends:
                if p == o or problem.costs[p] <= 0 or (found[o] >= 0 and problem.costs[p] <= problem.costs[found[o]]):
                    continue
                needed = above - max(d, 0) < low or below - min(d, 0) > high
                if needed and set(problem.option(o)).isdisjoint(problem.option(p)):
                    found[o] = p
    return found


def at_most(terms: Terms, high: int, implied: Sequence[int]) -> tuple[Terms, int, int]:
    """A tighter form of a row with positive coefficients that add up to at most `high`, and its bounds.

    Where every option needs one and the same other option (goods served by a depot need the depot), `high` is
    multiplied by that option. Otherwise what an option adds is lowered together with `high`, as long as the same sets
    of options fit.
    """
    needed = {implied[o] for o, _ in terms}
    one = needed.pop()
    if not needed and one >= 0 and high > 0 and all(o != one for o, _ in terms):
        return sorted([*terms, (one, -high)]), -high, 0
    most = sum(c for _, c in terms)
    lowered: dict[int, int] = {}
    for o, c in sorted(terms, key=lambda term: -term[1]):
        slack = high - (most - c)  # what is left of the room if all others are taken
        if 0 < slack < c <= high:
            lowered[o] = c - slack
            high, most = high - slack, most - slack
    return [(o, lowered.get(o, c)) for o, c in terms], 0, high


def _flat(runs: Iterable[Iterable[Any]]) -> tuple[list[int], list[Any]]:
    held = [*map(tuple, runs)]
    check_limits()
    return _begins(held), [*chain.from_iterable(held)]


def _begins(runs: Iterable[Sized]) -> list[int]:
    """Where each run begins, and where the last one ends."""
    check_limits()
    return [0, *accumulate(map(len, runs))]


def _totals(sums: Sequence[GroupedTotal]) -> TotalArrays:
    groups = [g for s in sums for g in s.groups]
    values = [value for g in groups for value in g.values]
    ranges = [r for s in sums for r in s.ranges]
    option_begin, options = _flat(held for _, held in values)
    return TotalArrays(
        _begins([s.groups for s in sums]),
        [g.item for g in groups],
        [g.empty for g in groups],
        _begins([g.values for g in groups]),
        [number for number, _ in values],
        option_begin,
        options,
        _begins([s.ranges for s in sums]),
        [low for low, _ in ranges],
        [high for _, high in ranges],
        [s.bits for s in sums],
    )


def _connections(connections: Sequence[Connection | Forest]) -> GraphArrays:
    places: list[list[int]] = []
    near: list[list[int]] = []
    begin = [0]
    for side in connections:
        number = {v: k for k, v in enumerate(sorted({v for _, v in with_limit_checks(side.places)}))}
        own: list[list[int]] = [[] for _ in number]
        beside: list[list[int]] = [[] for _ in number]
        before = None
        for place in with_limit_checks(sorted(side.places)):  # to sort what is sorted already takes no time
            if place != before:
                own[number[place[1]]].append(place[0])
            before = place
        for a, b in with_limit_checks(side.edges):
            if a in number and b in number:
                beside[number[a]].append(number[b])
                beside[number[b]].append(number[a])
        places += own
        near += beside
        begin.append(len(places))
    return GraphArrays(begin, *_flat(places), *_flat(near), [0], [], [], [])


def _circuits(circuits: Sequence[Circuit]) -> GraphArrays:
    places: list[list[int]] = []
    begin, end_begin = [0], [0]
    option: list[int] = []
    us: list[int] = []
    vs: list[int] = []
    for side in circuits:
        number = {v: k for k, v in enumerate(sorted({v for _, *pair in side.ends for v in pair}))}
        own: list[list[int]] = [[] for _ in number]
        for o, u, v in with_limit_checks(side.ends):
            own[number[u]].append(len(option))
            if u != v:
                own[number[v]].append(len(option))
            option.append(o)
            us.append(number[u])
            vs.append(number[v])
        places += own
        begin.append(len(places))
        end_begin.append(len(option))
    return GraphArrays(begin, *_flat(places), [0], [], end_begin, option, us, vs)


def _areas(areas: Sequence[Areas]) -> AreaArrays:
    stands: list[list[int]] = []
    links: list[list[tuple[int, int]]] = []
    always: list[bool] = []
    ends: list[tuple[int, int]] = []
    cuts: list[list[int]] = []
    terms: list[list[tuple[int, int]]] = []
    slot: list[int] = []
    anchors: list[list[int]] = []
    spot_begin, edge_begin, demand_begin = [0], [0], [0]
    for side in with_limit_checks(areas, 1):
        met = set(side.always)
        named = {v for _, v in side.places}.union(met)
        spot = {v: len(stands) + k for k, v in enumerate(sorted(named))}
        stands += [[] for _ in spot]
        links += [[] for _ in spot]
        always += [v in met for v in spot]
        for o, v in with_limit_checks(dict.fromkeys(side.places)):
            stands[spot[v]].append(o)
        own = [(u, v) for u, v in with_limit_checks(side.edges) if u in spot and v in spot]
        edge = {pair: len(ends) + k for k, pair in enumerate(own)}
        for (u, v), number in with_limit_checks(edge.items()):
            links[spot[u]].append((spot[v], number))
            links[spot[v]].append((spot[u], number))
        ends += [(spot[u], spot[v]) for u, v in own]
        cuts += [[] for _ in own]
        for o, u, v in with_limit_checks(side.cuts):
            if (u, v) in edge:
                cuts[edge[u, v]].append(o)
        for one in with_limit_checks(side.demands, 16):
            slot.append(len(terms))
            terms += _terms_at(one, spot)
            anchors.append([spot[v] for v in one.anchors or () if v in spot])
        spot_begin.append(len(stands))
        edge_begin.append(len(ends))
        demand_begin.append(len(slot))
    demands = [one for side in areas for one in side.demands]
    link_begin, link = _flat(links)
    term_begin, term = _flat(terms)
    sum_begin, sums = _flat(one.sums for one in demands)
    return AreaArrays(
        spot_begin,
        *_flat(stands),
        always,
        link_begin,
        *_halves(link),
        edge_begin,
        *_halves(ends),
        *_flat(cuts),
        demand_begin,
        slot,
        term_begin,
        *_halves(term),
        sum_begin,
        *_halves([(min(max(a, -ENDLESS), ENDLESS), min(max(b, -ENDLESS), ENDLESS)) for a, b in sums]),
        *_flat(anchors),
        [0 if one.anchors is None else 2 if one.waived else 1 for one in demands],
        [all(weight > 0 for _, _, weight in one.terms) for one in demands],
    )


def _terms_at(demand: AreaDemand, spot: Mapping[int, int]) -> Iterable[list[tuple[int, int]]]:
    """Per spot, the options that count there, and their weights. spot: the vertices that have one, in order."""
    here: dict[int, list[tuple[int, int]]] = {v: [] for v in spot}
    for o, v, weight in with_limit_checks(demand.terms):
        if v in here:
            here[v].append((o, weight))
    return here.values()


def _halves(pairs: Iterable[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """The first numbers of some pairs, and the second ones."""
    pairs = list(pairs)
    return [one for one, _ in pairs], [other for _, other in pairs]
