"""Which options of a covering problem are equivalent: orbits of the group that maps the problem to itself.

The group is that of the graph of items and options, in which an option is coloured by its cost and an item by its need.
We find it ourselves (engine/symmetries) and spend at most a tenth of the search's work on it. If that is not enough to
find it all, the group and its orbits are smaller, which does no harm. The maps that a model declares (`up to`) are then
used as well: a map that carries what is left at a node to itself, which is checked there, makes an option equivalent to
its image. Where the whole group was found they can add nothing, and are not used.

Source: orbital branching, Ostrowski, Linderoth, Rossi and Smriglio (2011): if an option was tried and nothing better
was found, then no option of its orbit, in the problem that was left where it was tried, can do better. Orbits are
computed only after many nodes were spent below an option, so that this never costs more than it can save.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from covr.engine.symmetries.automorphisms import EVER, Move, explore, graph_of_cover, orbit_of

# The work of a search is counted in updates of its tree; that of finding symmetries, in edges of the graph visited.
SHARE = 10  # updates of the search that pay for visiting one edge,
FREE = 4_000_000  # after this many edges that are free, about a fifth of a second
BUILT = 20  # visits of an edge that take as long as making one in Python
# Updates of the tree below an option, per member of its level, after which its orbit is computed: at the start; at
# least, as orbits prove worth while; at most, as they do not.
AT_FIRST, LEAST, MOST = 100, 50, 1 << 40


class Orbits:
    """Finds orbits for a search whenever it asks, and keeps to its share of the work."""

    def __init__(self, maps: Sequence[Sequence[int]] = ()) -> None:
        """maps: those that the model declares, as for `declared_moves`."""
        self.spent = 0
        self.interval = AT_FIRST  # what a tree's `set_symmetric` is to be told
        self._maps = maps

    def answer(self, tree: Any, numbers: Sequence[int], updates: int) -> None:
        """Tell a tree (kernels/cover/_cover.py) that asks for it which options are equivalent to the one it tried, and
        when to ask again. numbers: per option of the tree's problem, its number in the maps.  updates: as for `of`."""
        _, needs, own, costs, options = tree.local()
        same = self.of(needs, options, costs, tree.branched(), [numbers[o] for o in own], updates)
        self.interval = min(2 * self.interval, MOST) if len(same) == 1 else max(self.interval // 4, LEAST)
        tree.set_symmetric(self.interval)
        tree.exclude(same)

    def of(
        self,
        needs: Sequence[int],
        options: Sequence[Sequence[int]],
        costs: Sequence[int],
        option: int,
        numbers: Sequence[int],
        updates: int,
    ) -> list[int]:
        """The options that were found to be equivalent to the given one, itself included, increasing.

        needs: per item.  options: their items.  costs: per option.  numbers: per option, its number in the maps.
        updates: the updates that the search has done so far.
        """
        build = BUILT * sum(map(len, options))
        left = FREE + updates // SHARE - self.spent - build
        if left <= 0:
            return [option]
        moves, complete, work = _moves(needs, options, costs, left)
        self.spent += build + work
        if not complete and self._maps:
            self.spent += build * len(self._maps)
            moves = [*moves, *declared_moves(needs, options, costs, numbers, self._maps)]
        return orbit_of(moves, len(options), option)


def orbit(
    needs: Sequence[int], options: Sequence[Sequence[int]], costs: Sequence[int], option: int, work: int = EVER
) -> list[int]:
    """The options that this much work (edges visited) finds to be equivalent to the given one, itself included,
    increasing."""
    return orbit_of(_moves(needs, options, costs, work)[0], len(options), option)


def _moves(
    needs: Sequence[int], options: Sequence[Sequence[int]], costs: Sequence[int], work: int
) -> tuple[Sequence[Move], bool, int]:
    """Generators of the group, whether they generate all of it, and the work done."""
    found = explore(graph_of_cover(needs, options, costs), len(options), work)
    return found.moves, found.complete, found.work


def declared_moves(
    needs: Sequence[int],
    options: Sequence[Sequence[int]],
    costs: Sequence[int],
    numbers: Sequence[int],
    maps: Sequence[Sequence[int]],
) -> list[Move]:
    """Those of the maps that carry this problem to itself.

    numbers: per option, its number in the maps.  maps: each maps a number to a number; a negative one means no image.
    Time O(length of the options), times the number of maps that keep all options among themselves.
    """
    place = {number: o for o, number in enumerate(numbers)}
    found: list[Move] = []
    for one in maps:
        moved = [place.get(one[number], -1) for number in numbers]
        if -1 not in moved and _carries(needs, options, costs, moved):
            found.append((range(len(moved)), moved))
    return found


def _carries(
    needs: Sequence[int], options: Sequence[Sequence[int]], costs: Sequence[int], moved: Sequence[int]
) -> bool:
    """Whether a permutation of the options preserves costs, and maps the options of every item to those of an item with
    the same need."""
    if any(costs[o] != costs[image] for o, image in enumerate(moved)):
        return False
    before: list[list[int]] = [[] for _ in needs]
    after: list[list[int]] = [[] for _ in needs]
    for o, held in enumerate(options):
        for i in held:
            before[i].append(o)
            after[i].append(moved[o])
    return sorted((need, run) for need, run in zip(needs, before, strict=True)) == sorted(
        (need, sorted(run)) for need, run in zip(needs, after, strict=True)
    )
