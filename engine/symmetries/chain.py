"""Groups of any size, given by generators: order, members, orbits, stabilisers, and the smallest image of a set.

What is done with such a group takes time in proportion to the number of points and the lengths of a few orbits, never
to the number of its members: social golfers in 8 groups of 4 have 32! · 2! symmetries. The compiled part is in
_chain.py and _smallest.py, which name the sources; group.py does the same for small groups without it.

A group of symmetries of a problem gets a base from the problem's graph (_base.py), mostly of a few options, which makes
everything quick. Any other group takes all points as its base.

Not here: the stabiliser of a set as a group. Only its order is worked out, from the automorphisms that turn up while a
set is compared with its images.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from threading import Lock
from typing import Any

from covr.engine.base.heed import look
from covr.engine.kernels.loading import load
from covr.engine.problem import Problem
from covr.engine.symmetries.automorphisms import EVER, graph_of

SLICE = 5_000_000  # images looked up between two checks of the limits: some milliseconds
MOST_WORK = 5_000_000_000  # images looked up to make a chain, at most: about ten seconds
MOST_ENTRIES = 100_000_000  # base points times points: a group that needs more is not worked out; 800 MB

Permutation = Sequence[int]


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
        generators: Iterable[Permutation],
        base: Sequence[int] | None = None,
        interpreted: bool = False,
    ) -> None:
        """degree: how many points there are, numbered from 0.  base: points such that only the identity fixes all of
        them; None for all points. Raises GroupTooLarge, and Stopped where a limit of the calling search is met."""
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
            look()
            if chain.work() > MOST_WORK:
                raise GroupTooLarge(chain.order())

        look_on()
        chain.mix(SLICE, look_on)
        while not chain.complete(SLICE):
            look_on()
        chain.minima()
        self._chain = chain
        self._smallest: Any = load("_smallest", interpreted).Smallest(degree, chain)
        self.order: int = chain.order()
        self._lock = Lock()  # the kernel has room for one set at a time

    def __reduce__(self) -> tuple[type[ChainGroup], tuple[Any, ...]]:
        return ChainGroup, (self.degree, self.given, self.base, self.interpreted)

    def __contains__(self, image: Permutation) -> bool:
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

    def is_smallest(self, points: Sequence[int], most: int = EVER) -> bool:
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


def group_of(problem: Problem, generators: Iterable[Permutation], interpreted: bool = False) -> ChainGroup:
    """The group that some symmetries of a problem generate. Raises GroupTooLarge and Stopped."""
    return ChainGroup(problem.options, generators, base_of(problem, interpreted), interpreted)


def base_of(problem: Problem, interpreted: bool = False) -> list[int]:
    """Options such that no symmetry of the problem, except for the identity, fixes all of them."""
    graph = graph_of(problem)
    look()
    partition = load("_base", interpreted).Base(graph.colours, graph.starts, graph.near)
    return [v - graph.shift for v in partition.points(graph.shift, graph.shift + problem.options)]
