"""Orbital branching: a search for minimum covers that decides about whole orbits of options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from covr.engine.kernels.header import DONE, DUAL, FOUND, LAGRANGE, PRICE, SLICE
from covr.engine.minimum.core import BUILT, HOPE, SHARE, Core, declared_moves
from covr.engine.symmetries import MOST_EDGES, Automorphisms, explore, graph_of_cover, moves_of, orbits
from covr.frozen import frozen

# --- orbital parts ---------------------------------------------------------------------------------------------------
# What a search by orbits (orbital.py) has left at a node, and which orbit it branches on.


@frozen
class OpenCover:
    """What is left of a covering problem at a node.

    needs: per item, at least 1.  options: their items, by place in `needs`.  costs: per option, at least 1.
    numbers: per option, its number at the root.  taken, paid: the options taken so far, as at the root; their cost.
    """

    needs: Sequence[int]
    options: Sequence[Sequence[int]]
    costs: Sequence[int]
    numbers: Sequence[int]
    taken: tuple[int, ...]
    paid: int

    def without(self, gone: Sequence[int], taken: Sequence[int]) -> OpenCover:
        """What is left when some options (places here) are left out, and others taken."""
        need = list(self.needs)
        for o in taken:
            for i in self.options[o]:
                need[i] -= 1
        place: dict[int, int] = {}
        for i, k in enumerate(need):
            if k > 0:
                place[i] = len(place)
        decided = {*gone, *taken}
        options, costs, numbers = [], [], []
        for o, held in enumerate(self.options):
            kept = tuple([place[i] for i in held if i in place]) if o not in decided else ()
            if kept:
                options.append(kept)
                costs.append(self.costs[o])
                numbers.append(self.numbers[o])
        return OpenCover(
            [need[i] for i in place],
            options,
            costs,
            numbers,
            (*self.taken, *(self.numbers[o] for o in taken)),
            self.paid + sum(self.costs[o] for o in taken),
        )


@frozen
class Waiting:
    """A node that waits to be searched: `rest` without the options `gone`, and with those of `taken`.

    bound: no cover here costs less.  share: of the whole search.
    """

    rest: OpenCover
    gone: Sequence[int]
    taken: Sequence[int]
    bound: int
    share: float


def chosen(rest: OpenCover, among: Sequence[Sequence[int]], leaving: bool) -> Sequence[int]:
    """The orbit to branch on. leaving: whether one of its options is left out, or else taken. Of several, the first.

    Where one is left out, an orbit of many options whose items have few: the largest sum of need / holders over all
    items of all its options. Where one is taken, an orbit of options that hold many items, among them a scarce one: the
    largest product of their number with the largest need / holders; then the largest orbit.
    """
    held = [0] * len(rest.needs)
    for option in rest.options:
        for i in option:
            held[i] += 1
    pressure = [need / count for need, count in zip(rest.needs, held, strict=True)]
    if leaving:
        return max(among, key=lambda orbit: len(orbit) * sum(pressure[i] for i in rest.options[orbit[0]]))
    worth = {}
    for orbit in among:
        items = rest.options[orbit[0]]
        worth[orbit[0]] = (max(pressure[i] for i in items) * len(items), len(orbit))
    return max(among, key=lambda orbit: worth[orbit[0]])


# --- orbital ---------------------------------------------------------------------------------------------------------
# Orbital branching: a search for minimum covers that decides about whole orbits of equivalent options.
#
# At a node the symmetries of what is left of the problem are worked out anew (engine/symmetries.py), so that the
# search uses those that appear only after some decisions, and not just those that the decisions left over. Let O be an
# orbit of options, o one of them, and every member of O costs the same. There are two ways to branch:
#
#     in   o is taken; or all of O is left out
#     out  o is left out; or all of O is taken
#
# Both are complete: a cover that takes (leaves out) any option of O is carried by a symmetry to one of the same cost
# that takes (leaves out) o. Where most options are taken, as in Steiner triples, to leave one out is what decides most,
# and to take a whole orbit soon costs too much; elsewhere it is the other way round. Which is the rarer is judged by
# what may still be spent: more than half the cost of all options, or not.
#
# Every node is reduced and bounded by the kernel of the plain search (_cover.py) as its first level. Where no symmetry
# is left, that same kernel goes on with the rest by itself.
#
#     node     a part of the search: what is left of its parent, what is left out and what is taken of that
#     share    how much of the search a node is, if each of the two parts at every branching counts for half
#     work     updates of the kernels, and what finding symmetries took, in the time of so many updates
#
# Source: Ostrowski, Linderoth, Rossi and Smriglio (2011), "Orbital branching"; they branch by `in`, on the largest
# orbit. CPU seconds for a proof that nothing is better than the known minimum, without the local search that precedes
# it:
#
#                   in, largest   out, largest   as here   nodes branched on by orbits, all nodes
#     stn45         0.49          0.16           0.10      11, 2717
#     stn81         not in 20     0.39           0.23      49, 5943
#     C(9,4,3)      0.40          not in 15      0.25      42, 4405
#     C(9,5,4)      0.08          1.9            0.05      12, 300
#     scpclr10      4.1           not in 15      2.5       145, 6453
#
# Before, the whole search took 0.41 s for stn45 and 7.4 s for scpclr10, now 0.24 s and 3.9 s, and stn81 stayed at a
# bound of 28. What did not pay: the smallest orbit (4 to 14 times as long); on stn81, an orbit of the options with the
# most items (36 times) or the scarcest ones (8 times); to hand over as soon as the group has fewer than 100 members
# (3.4 times on stn81, 18 times on C(9,4,3)); to look for symmetries below, in the plain search (nothing gained). Orders
# of the groups that appear on the way are not needed, and to work them out took a fifth of the time on scpclr10.
#
# Nor does it pay where symmetries are many, but each moves only a few options: random covers with eight pairs of
# options that may be swapped took 1.7 to 2.4 times as long. So there must be at most as many orbits as each
# has options on average.
#
# Symmetry alone is no proof: scpcyc06 has none left after three decisions, each of which leaves it wide open. The best
# bound of linear programs there is 48, and the minimum 60.


FIRST = 2_000_000  # updates of the plain search before this one: some milliseconds, in which small problems are solved
LARGEST = 200_000  # members of the options, at most: the graph of more takes a second to make


class Orbital:
    """A search for covers that cost less than a cutoff, one node or one slice of the plain search at a time."""

    def __init__(
        self,
        needs: Sequence[int],
        options: Sequence[Sequence[int]],
        costs: Sequence[int],
        cutoff: int,
        module: Any,
        looks: Any = None,
        group: Automorphisms | None = None,
        numbers: Sequence[int] = (),
        maps: Sequence[Sequence[int]] = (),
        estimates: int = PRICE | DUAL | LAGRANGE,
    ) -> None:
        """needs, options, costs: as for the kernel's `Levels`.  module: _cover.py, loaded.  looks: as there.

        group: the symmetries at the root, if they are known.  maps: further ones that a model declares, by the options'
        `numbers`; see `declared_moves`.  estimates: as for the kernel.
        """
        self.cutoff = cutoff
        self.nodes = 0  # nodes of the search by orbits, and of the plain search below them
        self.branched = 0  # nodes that were branched on by orbits
        self.share = 0.0  # how much of the search is done
        self.found: list[int] = []  # the last cover
        self.answers = 0
        self.code = -1
        self._module, self._looks, self._estimates = module, looks, estimates
        self._group, self._numbers, self._maps = group, numbers, maps
        self._work = 0
        self._below: Any = None  # the kernel with the last of the waiting nodes, if the plain search is there
        self._rest: OpenCover | None = None  # what the kernel began with
        self._floor = 0  # the bound of the node in that kernel
        self._whole = OpenCover(needs, options, costs, range(len(options)), (), 0)
        self._waiting = [Waiting(self._whole, (), (), 0, 1.0)]

    @property
    def done(self) -> bool:
        """Whether there is no cheaper cover."""
        return not self._waiting

    @property
    def work(self) -> int:
        """The work so far; see the module."""
        return self._work + (int(self._below.updates) if self._below is not None else 0)

    updates = work

    def run(self, nodes: int, answers: int) -> int:
        """Go on for at most so many nodes, up to a better cover."""
        self.code, end = DONE if self.done else SLICE, self.nodes + nodes
        while self.code == SLICE and self.nodes < end:
            cutoff = self.cutoff
            try:
                self.step(end - self.nodes)
            finally:
                self.answers += self.cutoff < cutoff
            self.code = FOUND if self.cutoff < cutoff else DONE if self.done else SLICE
        return self.code

    def answer(self) -> list[int]:
        """The last cover."""
        return self.found

    def bound(self) -> int:
        """No cover costs less than this, nor than the cutoff."""
        least = min((part.bound for part in self._waiting), default=self.cutoff)
        if self._below is not None and self._rest is not None:
            others = min((part.bound for part in self._waiting[:-1]), default=self.cutoff)
            own = max(self._floor, self._rest.paid + int(self._below.bound()))
            least = max(least, min(others, own))
        return min(least, self.cutoff)

    def lower(self, cutoff: int) -> None:
        """Find only covers that cost less than this from now on."""
        if cutoff < self.cutoff:
            self.cutoff = cutoff
            if self._below is not None and self._rest is not None:
                self._below.lower(min(max(cutoff - self._rest.paid, 0), self._below.limit()))

    def step(self, nodes: int) -> None:
        """Search a node, or at most so many nodes of the plain search below one.

        Raises what the looks raise; the search can go on from there.
        """
        if self._below is not None:
            self._search(nodes)
        elif self._waiting:
            self._enter()

    def _close(self) -> None:
        """Finish the last of the waiting nodes."""
        self.share += self._waiting.pop().share
        if self._below is not None:
            self._work += self._below.updates
            self._below = self._rest = None

    def _enter(self) -> None:
        """Reduce and bound the last of the waiting nodes, and branch on it or leave it to the plain search."""
        part = self._waiting[-1]
        self.nodes += 1
        if part.bound >= self.cutoff:
            self._close()
            return
        rest = part.rest.without(part.gone, part.taken)
        self._work += 2 * BUILT * sum(map(len, part.rest.options))
        if rest.paid >= self.cutoff:
            self._close()
            return
        if not rest.needs:
            self._offer(rest, (), rest.paid)
            self._close()
            return
        kernel = self._module.Cover(
            rest.needs, rest.options, rest.costs, self.cutoff - rest.paid, self._estimates, self._looks
        )
        if not self._bounded(kernel, rest):
            self._work += kernel.updates
            self._close()
            return
        bound = max(part.bound, rest.paid + int(kernel.bound()))
        left = self._left(kernel, rest)
        orbits = self._orbits(left)
        if not orbits:
            kernel.set_hope(HOPE)
            self._below, self._rest, self._floor = kernel, rest, bound
            return
        self._work += kernel.updates
        self._branch(left, orbits, bound, part.share)

    def _bounded(self, kernel: Any, rest: OpenCover) -> bool:
        """Reduce and bound the first level of a kernel; returns whether anything is left to do."""
        if not kernel.reduce():
            taken, paid = kernel.taken(0)
            if not kernel.ended():
                self._offer(rest, taken, rest.paid + paid)
            return False
        while kernel.height() == 0:  # the options that its bound excludes are taken out again and again
            if self._run(kernel, rest, 1) == DONE:
                return False
        return bool(kernel.bound() < kernel.limit())

    def _run(self, kernel: Any, rest: OpenCover, nodes: int) -> int:
        """Let a kernel search some nodes, and note the cover that it finds. Returns its code."""
        limit = kernel.limit()
        try:
            return int(kernel.run(nodes, 1))
        finally:
            if kernel.limit() < limit:
                self._offer(rest, kernel.answer(), rest.paid + kernel.limit())

    def _offer(self, rest: OpenCover, taken: Sequence[int], cost: int) -> None:
        """Note a cover, if it is better than all before. taken: places in `rest`."""
        if cost < self.cutoff:
            self.cutoff = cost
            self.found = [*rest.taken, *(rest.numbers[o] for o in taken)]

    def _left(self, kernel: Any, rest: OpenCover) -> OpenCover:
        """What is left at the first level of a kernel that began with `rest`."""
        _, needs, numbers, costs, options = kernel.local(0)
        taken, paid = kernel.taken(0)
        return OpenCover(
            needs,
            options,
            costs,
            [rest.numbers[o] for o in numbers],
            (*rest.taken, *(rest.numbers[o] for o in taken)),
            rest.paid + paid,
        )

    def _orbits(self, rest: OpenCover) -> list[list[int]]:
        """The orbits with more than one option."""
        members = sum(map(len, rest.options))
        whole, group = self._whole, self._group
        if group is not None and (rest.needs, rest.options) == (list(whole.needs), list(whole.options)):
            moves, complete = group.moves, group.complete
        else:
            graph = graph_of_cover(rest.needs, rest.options, rest.costs)
            moves, complete, work = moves_of(graph, len(rest.options), MOST_EDGES)
            self._work += BUILT * members + work
        if not complete and self._maps:
            self._work += BUILT * members * len(self._maps)
            numbers = [self._numbers[o] for o in rest.numbers]
            moves = (*moves, *declared_moves(rest.needs, rest.options, rest.costs, numbers, self._maps))
        return [orbit for orbit in orbits(moves, len(rest.options)) if len(orbit) > 1]

    def _branch(self, rest: OpenCover, among: Sequence[Sequence[int]], bound: int, share: float) -> None:
        """Replace the last of the waiting nodes by its two parts. bound: its own."""
        leaving = 2 * (self.cutoff - 1 - rest.paid) > sum(rest.costs)
        orbit = chosen(rest, among, leaving)
        cost = sum(rest.costs[o] for o in orbit)
        self.branched += 1
        self._waiting.pop()
        if leaving:
            self._waiting.append(Waiting(rest, orbit[:1], (), bound, share / 2))
            self._waiting.append(Waiting(rest, (), orbit, max(bound, rest.paid + cost), share / 2))
        else:
            self._waiting.append(Waiting(rest, orbit, (), bound, share / 2))
            self._waiting.append(Waiting(rest, (), orbit[:1], bound, share / 2))

    def _search(self, nodes: int) -> None:
        """A slice of the plain search."""
        kernel, rest = self._below, self._rest
        assert rest is not None
        before = kernel.nodes
        try:
            code = self._run(kernel, rest, nodes)
        finally:
            self.nodes += kernel.nodes - before
        if code == DONE:
            self._close()


def _is_rich(group: Automorphisms) -> bool:
    """Whether there are at most as many orbits as each has options on average."""
    return len(orbits(group.moves, group.options)) ** 2 <= group.options


class OrbitalStart:
    """Decides whether and when a search for covers gets this one beside it."""

    def __init__(self) -> None:
        self._next = FIRST
        self._never = False

    def made(
        self, core: Core, cutoff: int, updates: int, module: Any, looks: Any, maps: Sequence[Sequence[int]]
    ) -> Orbital | None:
        """The search, if it is time for it and there are symmetries enough.

        core: what is searched.  cutoff: as for `Orbital`.  updates: those of the plain search so far.
        module, looks, maps: as for `Orbital`; the maps are those of the problem's options.
        """
        if self._never or updates < self._next:
            return None
        members = core.members
        self._never = members > LARGEST
        edges = updates // SHARE - BUILT * members  # that are paid for, once the graph is made
        if self._never or edges < 0:
            return None
        options = len(core.options)
        group = explore(graph_of_cover(core.needs, core.options, core.costs), options, edges)
        if not _is_rich(group):
            self._next = SHARE * updates
            self._never = group.complete
            return None
        self._never = True
        return Orbital(core.needs, core.options, core.costs, cutoff, module, looks, group, core.numbers, maps)
