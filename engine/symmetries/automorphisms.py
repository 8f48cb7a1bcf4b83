"""The symmetries of any problem, found by our own code (_automorphisms.py), without a library.

A problem becomes a coloured graph: a vertex for every item, coloured by its bounds; one for every option, coloured by
its cost and by whether it is given; and one for every colour that options show in an item. The name of such a colour
does not matter, only which options agree on it. An automorphism of that graph permutes the options, and carries answers
to answers of the same cost. Every permutation that merely renames items, options and the colours of an item is one.

If the limit of work is reached, some symmetries may be missing. Those that were found are still symmetries, each
checked edge by edge, and the reported order of the group is then a lower bound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from math import factorial, prod
from typing import Any

from attrs import field

from covr.engine.base.heed import look
from covr.engine.kernels.loading import load
from covr.engine.problem import Problem
from covr.engine.sides import Connection, Total
from covr.frozen import frozen

SLICE = 1_000_000  # edges looked at between two checks of the limits: some milliseconds
ONE_IMAGE = 100_000  # nodes of the search for one image of one vertex, before that image is given up
EVER = 1 << 62  # edges: no limit

Move = tuple[Sequence[int], Sequence[int]]


@frozen
class Automorphisms:
    """The symmetries that were found.

    options: how many options the problem has.
    moves: generators of the group; for each, the options that it moves and, in the same order, their images.
    order: how many permutations of the options the group has; a lower bound if it is not complete.
    complete: whether the generators generate all symmetries of the problem.
    work: edges and vertices visited.
    """

    options: int
    moves: tuple[Move, ...] = field(repr=False)
    order: int
    complete: bool
    work: int

    @cached_property
    def generators(self) -> tuple[tuple[int, ...], ...]:
        """The generators as permutations of all options. Time and space: the number of generators times the number of
        options."""
        found = []
        for moved, images in self.moves:
            image = list(range(self.options))
            for o, other in zip(moved, images, strict=True):
                image[o] = other
            found.append(tuple(image))
        return tuple(found)


@frozen
class Graph:
    """A coloured graph. colours: per vertex.  near: the neighbours of vertex v are near[starts[v]:starts[v + 1]].

    shift: the vertex of option 0; the other options follow.
    """

    colours: Sequence[int] = field(repr=False)
    starts: Sequence[int] = field(repr=False)
    near: Sequence[int] = field(repr=False)
    shift: int = 0


def graph_of(problem: Problem) -> Graph:
    """The graph of a problem: items, options, and the colours shown in items. Linear time, apart from sorting the kinds
    of vertices."""
    m, n = problem.items, problem.options
    holders = problem.holders
    given = set(problem.given)
    kinds: list[tuple[int, int, int]] = [
        (0, problem.low[i], min(problem.high[i], max(len(holders[i]), problem.low[i]))) for i in range(m)
    ]
    kinds += [(1, problem.costs[o] if problem.costs else 0, int(o in given)) for o in range(n)]
    near: list[list[int]] = [[] for _ in range(m + n)]
    shades: dict[tuple[int, int], int] = {}
    for o in range(n):
        for i, colour in zip(problem.option(o), problem.option_colours(o), strict=True):
            other = i
            if colour:
                at = (i, colour)
                if at not in shades:
                    other = shades[at] = len(kinds)
                    kinds.append((2, 0, 0))
                    near.append([i])
                    near[i].append(other)
                other = shades[at]
            near[m + o].append(other)
            near[other].append(m + o)
    if not problem.is_pure:
        _add_sides(problem, kinds, near)
    return _packed(kinds, near, m)


def _add_sides(problem: Problem, kinds: list[tuple[int, int, int]], near: list[list[int]]) -> None:
    """Add the side conditions to the graph of a problem: a vertex for each, and vertices for what it distinguishes.

    A total has a neighbour for each of its coefficients, to which the options with that coefficient are joined. A
    connection brings its graph, whose vertices are joined to the options that stand there; a circuit likewise the
    vertices that its options join, and a vertex of another kind for each option that joins a vertex to itself.
    """
    m = problem.items
    sums: dict[object, int] = {}

    def vertex(kind: tuple[int, int, int], *others: int) -> int:
        kinds.append(kind)
        near.append([])
        for other in others:
            join(len(kinds) - 1, other)
        return len(kinds) - 1

    def join(one: int, other: int) -> None:
        near[one].append(other)
        near[other].append(one)

    for side in problem.sides:
        if isinstance(side, Total):
            total = vertex((3, sums.setdefault(side.sums, len(sums)), 0))
            shared: dict[int, int] = {}
            for option, coefficient in side.terms:
                if coefficient not in shared:
                    shared[coefficient] = vertex((4, coefficient, 0), total)
                join(shared[coefficient], m + option)
            continue
        kind = 5 if isinstance(side, Connection) else 6
        whole = vertex((kind, 0, 0))
        places: dict[int, int] = {}

        def place(v: int, whole: int = whole, kind: int = kind, places: dict[int, int] = places) -> int:
            if v not in places:
                places[v] = vertex((kind, 1, 0), whole)
            return places[v]

        if isinstance(side, Connection):
            for option, v in dict.fromkeys(side.places):
                join(place(v), m + option)
            for u, v in side.edges:
                if u in places and v in places:
                    join(place(u), place(v))
        else:
            for option, u, v in side.ends:
                if u == v:
                    vertex((kind, 2, 0), place(u), m + option)
                else:
                    join(place(u), m + option)
                    join(place(v), m + option)


def graph_of_cover(needs: Sequence[int], options: Sequence[Sequence[int]], costs: Sequence[int]) -> Graph:
    """The graph of a covering problem. needs: per item.  options: their items.  costs: per option."""
    m = len(needs)
    kinds: list[tuple[int, int, int]] = [(0, need, 0) for need in needs]
    kinds += [(1, cost, 0) for cost in costs]
    near: list[list[int]] = [[] for _ in kinds]
    for o, held in enumerate(options):
        near[m + o] = list(held)
        for i in held:
            near[i].append(m + o)
    return _packed(kinds, near, m)


def _packed(kinds: Sequence[tuple[int, int, int]], near: Sequence[Sequence[int]], shift: int) -> Graph:
    """The graph with colours numbered in the order of the kinds, and all neighbours in one list."""
    number = {kind: colour for colour, kind in enumerate(sorted(set(kinds)))}
    starts: list[int] = [0]
    flat: list[int] = []
    for row in near:
        flat += row
        starts.append(len(flat))
    return Graph([number[kind] for kind in kinds], starts, flat, shift)


def explore(graph: Graph, options: int, work: int = EVER, interpreted: bool = False) -> Automorphisms:
    """The automorphisms of a graph that can be found with this much work (edges and vertices visited).

    options: how many vertices from `graph.shift` on are options. Raises Stopped where a limit of the calling search is
    met.
    """
    search, moves = _searched(graph, options, work, interpreted)
    order = prod(size for _, size in search.orbits())
    order = max(order // _idle(graph, options), 1)
    return Automorphisms(options, moves, order, search.complete(), search.spent())


def moves_of(graph: Graph, options: int, work: int = EVER) -> tuple[tuple[Move, ...], bool, int]:
    """The generators that `explore` finds, whether they generate all symmetries, and the work done. Half the time,
    since the order of the group isn't worked out."""
    search, moves = _searched(graph, options, work, False)
    return moves, search.complete(), search.spent()


def _searched(graph: Graph, options: int, work: int, interpreted: bool) -> tuple[Any, tuple[Move, ...]]:
    """The kernel after so much work, and the generators that it found."""
    search = load("_automorphisms", interpreted).AutomorphismKernel(graph.colours, graph.starts, graph.near, ONE_IMAGE)
    done = False
    while not done and search.spent() < work:
        look()
        done = search.run(min(SLICE, work - search.spent()))
    moves = []
    for moved, images in search.generators():
        pairs = [
            (v - graph.shift, w - graph.shift)
            for v, w in zip(moved, images, strict=True)
            if graph.shift <= v < graph.shift + options
        ]
        if pairs:
            pairs.sort()
            moves.append(([o for o, _ in pairs], [image for _, image in pairs]))
    return search, tuple(moves)


def _idle(graph: Graph, options: int) -> int:
    """How many automorphisms move no option: those that only permute items held by the same options in the same
    way."""
    end = graph.shift + options
    alike: Counter[tuple[int, tuple[tuple[int, ...], ...]]] = Counter()
    for v in range(graph.shift):
        groups = []  # each option that holds the item without a colour; for each colour, -1 and the options showing it
        for w in graph.near[graph.starts[v] : graph.starts[v + 1]]:
            shown = sorted(graph.near[graph.starts[w] : graph.starts[w + 1]]) if w >= end else ()
            groups.append((w,) if w < end else (-1, *(u for u in shown if u != v)))
        alike[graph.colours[v], tuple(sorted(groups))] += 1
    return prod(factorial(k) for k in alike.values())


def automorphisms(problem: Problem, work: int = EVER, interpreted: bool = False) -> Automorphisms:
    """The symmetries of a problem. work: how many edges and vertices of its graph may be visited."""
    return explore(graph_of(problem), problem.options, work, interpreted)


def orbits(moves: Sequence[Move], options: int) -> list[list[int]]:
    """The orbits of the options: what the moves carry into each other. Each is increasing; they are in the order of
    their first options."""
    root = list(range(options))

    def find(o: int) -> int:
        while root[o] != o:
            root[o] = root[root[o]]
            o = root[o]
        return o

    for moved, images in moves:
        for o, other in zip(moved, images, strict=True):
            a, b = find(o), find(other)
            root[max(a, b)] = min(a, b)
    found: dict[int, list[int]] = {}
    for o in range(options):
        found.setdefault(find(o), []).append(o)
    return list(found.values())


def orbit_of(moves: Sequence[Move], options: int, option: int) -> list[int]:
    """The orbit of one option, itself included, increasing."""
    return next(orbit for orbit in orbits(moves, options) if option in orbit)
