"""The permutations that carry a problem to itself, and the group that they generate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from math import factorial, prod
from threading import Lock
from typing import Any

from attrs import define, field

from covr.engine.base.limits import COMPILED_STEPS, ENDLESS, check_limits
from covr.engine.kernels.loading import load
from covr.engine.problem import Areas, Circuit, Connection, Forest, Problem, Total
from covr.frozen import frozen

# --- group -----------------------------------------------------------------------------------------------------------
# A group of permutations given by generators: its order, its members, its orbits, and its stabilisers.
#
# A *base* is a sequence of points such that only the identity fixes all of them. Each base point is a level. A level
# keeps the group that fixes the base points above it, as generators and a *transversal*: for every point to which the
# level's base point can be moved, a member that does so. The order of the group is the product of the sizes of the
# transversals, and a permutation is a member if dividing by one transversal after another leaves the identity.
# Generators are added until every product of a transversal's member and a generator passes that test (Schreier's
# lemma).
#
# Permutations are tuples: image[p] is where p goes. Cost: memory of degree × the sizes of all orbits; time up to
# degree × the squares of those sizes × generators, so this is for groups of declared symmetries and for small problems.
# A search that finds all automorphisms gets their order without this (symmetries.py).
# Source: Sims (1970); Knuth, "Efficient representation of perm groups" (1991).


Permutation = tuple[int, ...]


def multiplied(first: Sequence[int], then: Sequence[int]) -> Permutation:
    """The product of two permutations: the one that does `first`, then `then`."""
    return tuple([then[p] for p in first])


def inverted(image: Sequence[int]) -> Permutation:
    """The inverse of a permutation."""
    back = [0] * len(image)
    for p, q in enumerate(image):
        back[q] = p
    return tuple(back)


@define
class _Stage:
    """A level: the members that fix the base points above it.

    point: the level's base point.  away: the transversal; for each point of the base point's orbit, a member that moves
    the base point there, and its inverse.
    """

    point: int
    generators: list[Permutation] = field(factory=list)
    away: dict[int, tuple[Permutation, Permutation]] = field(factory=dict)


class PermutationGroup:
    """The group that some permutations generate. The module says what it costs."""

    def __init__(self, degree: int, generators: Iterable[Sequence[int]], base: Sequence[int] = ()) -> None:
        """degree: how many points there are, numbered from 0.  base: the first base points, in this order."""
        self.degree = degree
        self._identity = tuple(range(degree))
        self._levels = [self._level(point) for point in base]
        for one in generators:
            self._add(0, tuple(one))

    @property
    def order(self) -> int:
        """How many members the group has."""
        order = 1
        for level in self._levels:
            order *= len(level.away)
        return order

    def __contains__(self, image: Sequence[int]) -> bool:
        return self._sifted(0, tuple(image))[0] == self._identity

    def generators(self, depth: int = 0) -> tuple[Permutation, ...]:
        """Strong generators of the subgroup that fixes the first `depth` base points."""
        return tuple(dict.fromkeys(g for level in self._levels[depth:] for g in level.generators))

    def stabiliser(self, point: int) -> PermutationGroup:
        """The subgroup of the members that fix a point."""
        return PermutationGroup(self.degree, PermutationGroup(self.degree, self.generators(), [point]).generators(1))

    def orbit(self, point: int) -> list[int]:
        """The points to which members move a point, itself included, increasing."""
        seen = {point}
        frontier = [point]
        generators = self.generators()
        while frontier:
            p = frontier.pop()
            for g in generators:
                if g[p] not in seen:
                    seen.add(g[p])
                    frontier.append(g[p])
        return sorted(seen)

    def _level(self, point: int) -> _Stage:
        return _Stage(point, away={point: (self._identity, self._identity)})

    def _sifted(self, depth: int, image: Permutation) -> tuple[Permutation, int]:
        """What is left of a permutation after dividing by the transversals from level `depth` on, and the level at
        which that ends."""
        for at in range(depth, len(self._levels)):
            level = self._levels[at]
            found = level.away.get(image[level.point])
            if found is None:
                return image, at
            if image[level.point] != level.point:
                image = multiplied(image, found[1])
        return image, len(self._levels)

    def _add(self, depth: int, image: Permutation) -> None:
        """Add a permutation that fixes the base points above level `depth`. A stack replaces recursion."""
        waiting = [(depth, image)]
        while waiting:
            depth, image = waiting.pop()
            rest, at = self._sifted(depth, image)
            if rest == self._identity:
                continue
            if at == len(self._levels):
                self._levels.append(self._level(next(p for p, q in enumerate(rest) if p != q)))
            for d in range(depth, at + 1):
                level = self._levels[d]
                level.generators.append(rest)
                waiting += [(d + 1, product) for product in self._grown(level, rest)]

    def _grown(self, level: _Stage, fresh: Permutation) -> list[Permutation]:
        """Extend a transversal by a new generator. Returns the products that fix the base point (Schreier's lemma)."""
        products = []
        frontier = [(p, fresh) for p in list(level.away)]
        while frontier:
            p, g = frontier.pop()
            there = multiplied(level.away[p][0], g)
            known = level.away.get(g[p])
            if known is not None:
                product = multiplied(there, known[1])
                if product != self._identity:
                    products.append(product)
                continue
            level.away[g[p]] = (there, inverted(there))
            frontier += [(g[p], other) for other in level.generators]
        return list(dict.fromkeys(products))


# --- automorphisms ---------------------------------------------------------------------------------------------------
# The symmetries of any problem, found by our own code (_automorphisms.py), without a library.
#
# A problem becomes a coloured graph: a vertex for every item, coloured by its bounds; one for every option, coloured by
# its cost and by whether it is given; and one for every colour that options show in an item. The name of such a colour
# does not matter, only which options agree on it. An automorphism of that graph permutes the options, and carries
# answers to answers of the same cost. Every permutation that merely renames items, options and the colours of an item
# is one.
#
# If the limit of work is reached, some symmetries may be missing. Those that were found are still symmetries, each
# checked edge by edge, and the reported order of the group is then a lower bound.


ONE_IMAGE = 100_000  # nodes of the search for one image of one vertex, before that image is given up
MOST_EDGES = 1_000_000  # visited to find the symmetries of a node or a problem beside its search: about 50 ms

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
    connection or forest brings its graph, whose vertices are joined to the options that stand there; a circuit likewise
    the vertices that its options join, and a vertex of another kind for each option that joins a vertex to itself.
    Areas bring their graph, and vertices for walls, demands, anchors and terms.
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
        if isinstance(side, Areas):
            _add_areas(side, vertex, join, m)
            continue
        kind = {Connection: 5, Circuit: 6, Forest: 10}[type(side)]
        whole = vertex((kind, 0, 0))
        places: dict[int, int] = {}

        def place(v: int, whole: int = whole, kind: int = kind, places: dict[int, int] = places) -> int:
            if v not in places:
                places[v] = vertex((kind, 1, 0), whole)
            return places[v]

        if not isinstance(side, Circuit):
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


def _add_areas(side: Areas, vertex: Callable[..., int], join: Callable[[int, int], None], first: int) -> None:
    """Add areas to the graph of a problem. vertex, join: as in `_add_sides`.  first: the vertex of option 0."""
    whole = vertex((7, 0, 0))
    always = set(side.always)
    places: dict[int, int] = {}

    def place(v: int) -> int:
        if v not in places:
            places[v] = vertex((7, 1, int(v in always)), whole)
        return places[v]

    for option, v in dict.fromkeys(side.places):
        join(place(v), first + option)
    for v in side.always:
        place(v)
    for u, v in side.edges:
        if u in places and v in places:
            join(place(u), place(v))
    for option, u, v in dict.fromkeys(side.cuts):
        vertex((7, 2, 0), place(u), place(v), first + option)
    for one in side.demands:
        # The sums are told by vertices, so that no number stands for different sums in different sides.
        asked = vertex((7, 3, 0 if one.anchors is None else 1 + one.waived), whole)
        for low, high in one.sums:
            vertex((8, low, high), asked)
        for v in one.anchors or ():
            vertex((7, 4, 0), asked, place(v))
        for option, v, weight in one.terms:
            vertex((9, weight, 0), asked, place(v), first + option)


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


def explore(graph: Graph, options: int, work: int = ENDLESS, interpreted: bool = False) -> Automorphisms:
    """The automorphisms of a graph that can be found with this much work (edges and vertices visited).

    options: how many vertices from `graph.shift` on are options. Raises LimitReached where a limit of the calling
    search is met.
    """
    search, moves = _searched(graph, options, work, interpreted)
    order = prod(size for _, size in search.orbits())
    order = max(order // _idle(graph, options), 1)
    return Automorphisms(options, moves, order, search.complete(), search.spent())


def moves_of(graph: Graph, options: int, work: int = ENDLESS) -> tuple[tuple[Move, ...], bool, int]:
    """The generators that `explore` finds, whether they generate all symmetries, and the work done. Half the time,
    since the order of the group isn't worked out."""
    search, moves = _searched(graph, options, work, False)
    return moves, search.complete(), search.spent()


def _searched(graph: Graph, options: int, work: int, interpreted: bool) -> tuple[Any, tuple[Move, ...]]:
    """The kernel after so much work, and the generators that it found."""
    search = load("_automorphisms", interpreted).AutomorphismKernel(graph.colours, graph.starts, graph.near, ONE_IMAGE)
    done = False
    while not done and search.spent() < work:
        check_limits()
        done = search.run(min(COMPILED_STEPS, work - search.spent()))
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
    """How many automorphisms move no option: those that only permute items held by the same options in the same way."""
    end = graph.shift + options
    alike: Counter[tuple[int, tuple[tuple[int, ...], ...]]] = Counter()
    for v in range(graph.shift):
        groups = []  # each option that holds the item without a colour; for each colour, -1 and the options showing it
        for w in graph.near[graph.starts[v] : graph.starts[v + 1]]:
            shown = sorted(graph.near[graph.starts[w] : graph.starts[w + 1]]) if w >= end else ()
            groups.append((w,) if w < end else (-1, *(u for u in shown if u != v)))
        alike[graph.colours[v], tuple(sorted(groups))] += 1
    return prod(factorial(k) for k in alike.values())


def automorphisms(problem: Problem, work: int = ENDLESS, interpreted: bool = False) -> Automorphisms:
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


# --- chain -----------------------------------------------------------------------------------------------------------
# Groups of any size, given by generators: order, members, orbits, stabilisers, and the smallest image of a set.
#
# What is done with such a group takes time in proportion to the number of points and the lengths of a few orbits, never
# to the number of its members: social golfers in 8 groups of 4 have 32! · 2! symmetries. The compiled part is in
# _chain.py and _smallest.py, which name the sources; symmetries.py does the same for small groups without it.
#
# A group of symmetries of a problem gets a base from the problem's graph (_base.py), mostly of a few options, which
# makes everything quick. Any other group takes all points as its base.
#
# Not here: the stabiliser of a set as a group. Only its order is worked out, from the automorphisms that turn up while
# a set is compared with its images.


MOST_WORK = 5_000_000_000  # images looked up to make a chain, at most: about ten seconds
MOST_ENTRIES = 100_000_000  # base points times points: a group that needs more is not worked out; 800 MB


class GroupTooLarge(Exception):
    """Raised when a group can't be worked out within `MOST_WORK` and `MOST_ENTRIES`. least: a lower bound on its
    order."""

    def __init__(self, least: int) -> None:
        super().__init__(least)
        self.least = least


class ChainGroup:
    """The group that some permutations generate. Threads may share it."""

    def __init__(
        self,
        degree: int,
        generators: Iterable[Sequence[int]],
        base: Sequence[int] | None = None,
        interpreted: bool = False,
    ) -> None:
        """degree: how many points there are, numbered from 0.  base: points such that only the identity fixes all of
        them; None for all points. Raises GroupTooLarge, and LimitReached where a limit of the calling search is met."""
        self.degree = degree
        self.given = tuple(dict.fromkeys(tuple(g) for g in generators))
        self.base = None if base is None else tuple(base)
        self.interpreted = interpreted
        moved = sorted({p for g in self.given for p, q in enumerate(g) if p != q})
        base = moved if base is None else base
        if len(base) * degree > MOST_ENTRIES:
            raise GroupTooLarge(1)
        chain = load("_chain", interpreted).Chain(degree, list(base))
        for image in self.given:
            chain.add(image)

        def look_on() -> None:
            check_limits()
            if chain.work() > MOST_WORK:
                raise GroupTooLarge(chain.order())

        look_on()
        chain.mix(COMPILED_STEPS, look_on)
        while not chain.complete(COMPILED_STEPS):
            look_on()
        chain.minima()
        self._chain = chain
        self._smallest: Any = load("_smallest", interpreted).Smallest(degree, chain)
        self.order: int = chain.order()
        self._lock = Lock()  # the kernel has room for one set at a time

    def __reduce__(self) -> tuple[type[ChainGroup], tuple[Any, ...]]:
        return ChainGroup, (self.degree, self.given, self.base, self.interpreted)

    def __contains__(self, image: Sequence[int]) -> bool:
        """Whether a permutation of the points is a member. With a base of a problem, it has to be a symmetry of it."""
        with self._lock:
            return bool(self._chain.holds(image))

    def generators(self) -> list[list[int]]:
        """Strong generators of the group: for each, the images of all points."""
        found: list[list[int]] = self._chain.generators()
        return found

    def lows(self, fixed: Sequence[int] = ()) -> list[int]:
        """Per point, the least point of its orbit under the members that fix certain points."""
        with self._lock:
            found: list[int] = self._fixing(fixed).lows()
        return found

    def orbit(self, point: int, fixed: Sequence[int] = ()) -> list[int]:
        """The points to which the members that fix certain points carry a point, itself included, increasing."""
        lows = self.lows(fixed)
        return [p for p in range(self.degree) if lows[p] == lows[point]]

    def order_fixing(self, fixed: Sequence[int]) -> int:
        """How many members fix certain points."""
        with self._lock:
            order: int = self._fixing(fixed).order()
        return order

    def _fixing(self, fixed: Sequence[int]) -> Any:
        self._smallest.follow(list(fixed))
        return self._smallest.top()

    def is_smallest(self, points: Sequence[int], most: int = ENDLESS) -> bool:
        """Whether a set of points, increasing, is the smallest of its images, compared as increasing lists. most: after
        this many images in vain, the answer is True, whether or not it is so."""
        with self._lock:
            return bool(self._smallest.is_smallest(points, most))

    def smallest(self, points: Sequence[int]) -> tuple[int, ...]:
        """The smallest of the images of a set of points."""
        best = sorted(points)
        while True:
            with self._lock:
                image = self._smallest.smaller(best)
            if image is None:
                return tuple(best)
            best = image

    def kept(self, points: Sequence[int]) -> int:
        """How many members carry a set of points to itself. So the set has `order` divided by this many images."""
        smallest = self.smallest(points)
        with self._lock:
            order: int = self._smallest.kept(smallest)
        return order


def group_of(problem: Problem, generators: Iterable[Sequence[int]], interpreted: bool = False) -> ChainGroup:
    """The group that some symmetries of a problem generate. Raises GroupTooLarge and LimitReached."""
    return ChainGroup(problem.options, generators, base_of(problem, interpreted), interpreted)


def base_of(problem: Problem, interpreted: bool = False) -> list[int]:
    """Options such that no symmetry of the problem, except for the identity, fixes all of them."""
    graph = graph_of(problem)
    check_limits()
    partition = load("_base", interpreted).Base(graph.colours, graph.starts, graph.near)
    return [v - graph.shift for v in partition.points(graph.shift, graph.shift + problem.options)]
