"""A problem with sides as flat lists of numbers, which the kernel of kernels/_sides.py copies.

A list `begin` beside a list of numbers says where each run begins, with the end of the last one at its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import frozen

from covr.engine.heed import heeded
from covr.engine.prepare.totals import GroupedTotal, sums_of
from covr.engine.problem import Problem
from covr.engine.sides import Circuit, Connection, Total


@frozen
class TotalArrays:
    """All totals.

    group_begin: of the groups of each; group_item, group_empty: as in `TotalGroup`.  value_begin: of the values of each
    group; value: numbers.  option_begin: of the options of each value; options.  range_begin: of the sums of each, as
    `low` and `high`; bits: as in `GroupedTotal`.
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

    vertex_begin: of the vertices of each, in all of them.  place_begin, place: per vertex, the options that stand
    there, or the ends (places in `option`) that meet there.  near_begin, near: per vertex its neighbours, numbered in
    its own graph; connections only.  end_begin: of the ends of each; option, u, v: of an end; circuits only.
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

    of_begin, of: per option its sides.  implied: per option, one that costs something and without which it can't be
    taken; -1 where none is known.
    """

    totals: TotalArrays
    connections: GraphArrays
    circuits: GraphArrays
    of_begin: Sequence[int]
    of: Sequence[int]
    implied: Sequence[int]


def side_arrays(problem: Problem) -> SideArrays:
    """Time and space linear in the length of the sides and of the options they name, beside sorting."""
    sums = [s for side in heeded(problem.sides) if isinstance(side, Total) for s in sums_of(problem, side)]
    connections = [side for side in problem.sides if isinstance(side, Connection)]
    circuits = [side for side in problem.sides if isinstance(side, Circuit)]
    sides: list[list[int]] = [[] for _ in range(problem.options)]
    named: list[Iterable[int]] = [
        *((o for g in s.groups for _, held in g.values for o in held) for s in sums),
        *(sorted({o for o, _ in side.places}) for side in connections),
        *((o for o, _, _ in side.ends) for side in circuits),
    ]
    for k, options in enumerate(named):
        for o in options:
            sides[o].append(k)
    begin, of = _flat(sides)
    return SideArrays(_totals(sums), _connections(connections), _circuits(circuits), begin, of, implied(problem))


def implied(problem: Problem) -> list[int]:
    """Per option one that it can't be taken without, by a total alone; -1 for none.

    It is the dearest that is found, shares no item with the option, and costs something. Only those with the greatest
    numbers of a total are looked at, so that time is linear, beside sorting.
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
    for run in runs:
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
        number = {v: k for k, v in enumerate(sorted({v for _, v in side.places}))}
        own: list[list[int]] = [[] for _ in number]
        beside: list[list[int]] = [[] for _ in number]
        for o, v in sorted(set(side.places)):
            own[number[v]].append(o)
        for a, b in side.edges:
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
        for o, u, v in side.ends:
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
