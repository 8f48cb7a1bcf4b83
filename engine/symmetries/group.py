"""A group of permutations given by generators: its order, its members, its orbits, and its stabilisers.

A *base* is a sequence of points such that only the identity fixes all of them. Each base point is a level. A level
keeps the group that fixes the base points above it, as generators and a *transversal*: for every point to which the
level's base point can be moved, a member that does so. The order of the group is the product of the sizes of the
transversals, and a permutation is a member if dividing by one transversal after another leaves the identity.
Generators are added until every product of a transversal's member and a generator passes that test (Schreier's lemma).

Permutations are tuples: image[p] is where p goes. Cost: memory of degree × the sizes of all orbits; time up to
degree × the squares of those sizes × generators, so this is for groups of declared symmetries and for small problems.
A search that finds all automorphisms gets their order without this (automorphisms.py).
Source: Sims (1970); Knuth, "Efficient representation of perm groups" (1991).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import define, field

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
