"""The sides of a problem as flat lists of numbers, which the kernel of kernels/sides/_sides.py copies.

A list of runs is two lists: the numbers of all runs, one run after another, and a list `…_begin` that says where each
run begins. The last entry of `…_begin`, after those of all runs, is where the last run ends. Numbers count from 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from covr.engine.base.heed import heeded
from covr.engine.prepare.totals import GroupedTotal, TotalSums
from covr.engine.problem import Problem
from covr.engine.sides import Circuit, Connection, Total
from covr.frozen import frozen


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
    """All connections, or all circuits, with vertices from 0 in each.

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
class SideArrays:
    """The sides of a problem: totals first, then connections, then circuits.

    of_begin, of: per option, the numbers of its sides.  implied: per option, an option of positive cost without which
    it can't be taken; -1 if none is known.
    """

    totals: TotalArrays
    connections: GraphArrays
    circuits: GraphArrays
    of_begin: Sequence[int]
    of: Sequence[int]
    implied: Sequence[int]


def side_arrays(problem: Problem) -> SideArrays:
    """The sides of a problem as flat lists. Time and space linear in the length of the sides, besides sorting."""
    totals = [side for side in problem.sides if isinstance(side, Total)]
    prepared = TotalSums(problem) if totals else None
    sums = [s for side in heeded(totals) for s in prepared.of(side)] if prepared is not None else []
    connections = [side for side in problem.sides if isinstance(side, Connection)]
    circuits = [side for side in problem.sides if isinstance(side, Circuit)]
    sides: list[list[int]] = [[] for _ in range(problem.options)]
    named: list[Iterable[int]] = [
        *((o for g in s.groups for _, held in g.values for o in held) for s in sums),
        *(sorted({o for o, _ in heeded(side.places)}) for side in connections),
        *((o for o, _, _ in side.ends) for side in circuits),
    ]
    for k, options in enumerate(named):
        for o in heeded(options):
            sides[o].append(k)
    begin, of = _flat(sides)
    return SideArrays(_totals(sums), _connections(connections), _circuits(circuits), begin, of, implied(problem))


def side_names(problem: Problem) -> list[str]:
    """What messages call each side, in the order of `SideArrays`, where a total may stand twice."""
    sums = TotalSums(problem)
    kinds = [[s for s in problem.sides if isinstance(s, kind)] for kind in (Total, Connection, Circuit)]
    totals = [side for side in kinds[0] if isinstance(side, Total) for _ in sums.of(side)]
    named = [*totals, *kinds[1], *kinds[2]]
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
        least, most = (sum(c for _, c in side.terms if c * sign > 0) for sign in (-1, 1))
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


def _flat(runs: Iterable[Iterable[int]]) -> tuple[list[int], list[int]]:
    begin = [0]
    flat: list[int] = []
    for run in heeded(runs):
        flat += run
        begin.append(len(flat))
    return begin, flat


def _totals(sums: Sequence[GroupedTotal]) -> TotalArrays:
    groups = [g for s in sums for g in s.groups]
    values = [value for g in groups for value in g.values]
    ranges = [r for s in sums for r in s.ranges]
    option_begin, options = _flat(held for _, held in values)
    return TotalArrays(
        _flat([0] * len(s.groups) for s in sums)[0],
        [g.item for g in groups],
        [g.empty for g in groups],
        _flat([0] * len(g.values) for g in groups)[0],
        [number for number, _ in values],
        option_begin,
        options,
        _flat([0] * len(s.ranges) for s in sums)[0],
        [low for low, _ in ranges],
        [high for _, high in ranges],
        [s.bits for s in sums],
    )


def _connections(connections: Sequence[Connection]) -> GraphArrays:
    places: list[list[int]] = []
    near: list[list[int]] = []
    begin = [0]
    for side in connections:
        number = {v: k for k, v in enumerate(sorted({v for _, v in heeded(side.places)}))}
        own: list[list[int]] = [[] for _ in number]
        beside: list[list[int]] = [[] for _ in number]
        before = None
        for place in heeded(sorted(side.places)):  # to sort what is sorted already takes no time
            if place != before:
                own[number[place[1]]].append(place[0])
            before = place
        for a, b in heeded(side.edges):
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
        for o, u, v in heeded(side.ends):
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
