"""Cuts a search with side conditions into subproblems.

The search itself (kernels/sides/_sides.py) decides options in an order that depends on what failed before, so its tree
can't be cut. The parts are those of another tree: at each node the next option that is still live, in a fixed
*sequence*, is taken in one branch and left out in the other. Only items are looked at here; the sides hold in every
part, because the options taken before are its given options, which count in totals, stand at their places and are lines
of the loop.

So the parts are in lexicographic order of the sequence. Once the answers of each part are sorted like this (`key`), the
answers of all parts, one after another, have an order that depends only on the problem, however it was cut.

The sequence: the options of the item that has the fewest ways at the root, then those of the next item, and so on; then
all others. Within an item it is that of the numbers.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence

from attrs import evolve, field

from covr.engine.base.heed import look
from covr.engine.pieces.split import Path, Prefix, Rest, Split, Splitter
from covr.engine.problem import Problem
from covr.engine.sides import restricted_sides
from covr.engine.witness import below, carried
from covr.frozen import frozen

STEPS = 50  # nodes that a cut may split for each part it is to make: on long chains of forced options it ends early


@frozen
class _Branch:
    """A node that is not split yet. at: how far the sequence was searched for live options.  live: one bit each.
    need, room: per item, as in `Splitter`."""

    prefix: Prefix
    weight: float
    at: int
    live: int = field(repr=False)
    need: tuple[int, ...] = field(repr=False)
    room: tuple[int, ...] = field(repr=False)


class SidedSplitter(Splitter):
    """A `Splitter` for a problem with sides. Threads may share it.

    sequence: the options in the order in which they are decided.
    """

    def __init__(self, problem: Problem) -> None:
        """Time and space: those of a `Splitter`, and sorting."""
        super().__init__(evolve(problem, sides=()))
        self.problem = problem
        need, live = self._root.need, self._root.live
        ways = {i: (live & self.holders(i)).bit_count() - need[i] for i in range(len(need)) if need[i] > 0}
        first = (o for i in sorted(ways, key=lambda i: (ways[i], i)) for o in problem.holders[i])
        self.sequence = tuple(dict.fromkeys((*first, *range(problem.options))))
        self._place = [0] * problem.options
        for place, o in enumerate(self.sequence):
            self._place[o] = place

    def key(self, answer: Iterable[int]) -> tuple[int, ...]:
        """Answers sorted by this are in the order of the parts."""
        return (*sorted(self._place[o] for o in answer), len(self.sequence))

    def cut(self, prefix: Prefix, parts: int) -> Split:
        """Like `Splitter.cut`. Nodes are those of the tree described above, not those of the search."""
        if not self.feasible:
            return Split((), 0, 0)
        node = self._node(prefix)
        first = _Branch(prefix, 1.0, 0, node.live, node.need, node.room)
        heap: list[tuple[int, Path, _Branch]] = [(-node.live.bit_count(), (), first)]
        final: list[tuple[Path, _Branch]] = []
        nodes = updates = 0
        while heap and len(heap) + len(final) < parts and nodes < STEPS * parts:
            look()
            _, name, branch = heapq.heappop(heap)
            if not branch.live:
                final.append((name, branch))
                continue
            nodes += 1
            for way, child in self._ways(branch):
                updates += (branch.live & ~child.live).bit_count()
                heapq.heappush(heap, (-child.live.bit_count(), (*name, way), child))
        final += [(name, branch) for _, name, branch in heap]
        if len(final) == 1:
            return Split((prefix,), 0, 0, (1.0,))
        ordered = [branch for _, branch in sorted(final, key=lambda f: f[0])]
        return Split(tuple(b.prefix for b in ordered), nodes, updates, tuple(b.weight for b in ordered))

    def rest(self, prefix: Prefix) -> Rest:
        """Like `Splitter.rest`, but the options taken stay, as given options, and so do all items. The search of the
        rest has an order of its own. Time linear in the length of the problem."""
        problem, live = self.problem, self._node(prefix).live
        taken = {*problem.given, *prefix.taken}
        numbers = [o for o in range(problem.options) if live >> o & 1 or o in taken]
        new = {o: k for k, o in enumerate(numbers)}
        starts: list[int] = [0]
        members: list[int] = []
        colours: list[int] = []
        for o in numbers:
            members += self.options[o]
            colours += self.colours[o]
            starts.append(len(members))
        left = Problem(
            low=problem.low,
            high=problem.high,
            primary=problem.primary,
            starts=starts,
            members=members,
            colours=colours if problem.colours else (),
            costs=[problem.costs[o] for o in numbers] if problem.costs else (),
            given=tuple(sorted(new[o] for o in taken)),
            sides=restricted_sides(problem.sides, new),
            witness=carried(problem, numbers) if below(problem, prefix.taken, prefix.excluded) is not None else None,
        )
        return Rest(left, tuple(numbers), (), 0)

    def _ways(self, branch: _Branch) -> list[tuple[int, _Branch]]:
        """The branches at a node that items allow: 0 takes the next live option, 1 leaves it out."""
        at = branch.at
        while not branch.live >> self.sequence[at] & 1:
            at += 1
        o = self.sequence[at]
        left = branch.live & ~(1 << o)
        unmet = [i for i in self.options[o] if i < len(branch.need) and branch.need[i] > 0]
        ways = min(((branch.live & self.holders(i)).bit_count() - branch.need[i] + 1 for i in unmet), default=2)
        need, room = list(branch.need), list(branch.room)
        live = self._take(left, need, room, o)
        taken, excluded = branch.prefix.taken, branch.prefix.excluded
        share = branch.weight / max(ways, 1)
        found: list[tuple[int, _Branch]] = []
        if self._can_be_met(live, need):
            prefix = Prefix((*taken, o), excluded)
            found.append((0, _Branch(prefix, share, at, live, tuple(need), tuple(room))))
        if ways > 1:
            prefix = Prefix(taken, tuple(sorted((*excluded, o))))
            found.append((1, _Branch(prefix, branch.weight - share, at, left, branch.need, branch.room)))
        return found

    def _can_be_met(self, live: int, need: Sequence[int]) -> bool:
        """Whether every item still has as many live options as it needs."""
        return all((live & self.holders(i)).bit_count() >= n for i, n in enumerate(need) if n > 0)


def splitter_of(problem: Problem) -> Splitter:
    """What cuts the search of a problem."""
    return SidedSplitter(problem) if problem.sides else Splitter(problem)
