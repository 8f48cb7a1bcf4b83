"""A search for one answer of each class of a group that is too large to be listed, cut into parts.

The answer that is wanted of each class is its smallest member, where answers are compared as increasing lists. If an
answer is the smallest of its images, so is every beginning of its list: a smaller image of the first k options would
begin a smaller image of the answer. So the beginnings form a tree, and everything below one that is not the smallest of
its images may be left out. A part is a beginning that is: it takes these options and no other that is less than the
last of them. No two parts share an answer, and no answer that is wanted is outside all parts. Whether an answer is
wanted can be told from the answer alone (`ChainGroup.is_smallest`); parts need not know of each other.

A beginning goes on with an option c only if c is the least of its orbit under the members of the group that fix the
beginning, option by option; then no option whose orbit has a smaller least member can be in any answer below, and all
of these are excluded. That costs little and leaves short searches. That an option of some item has to be taken bounds c
from above.

Beginnings are extended, those with the most options left first, while their number and the work stay within limits. So
the parts depend on nothing but the problem and the generators of the group. What is small is not extended, because a
search of it takes less than cutting it. A beginning is compared with a limited number of images: some could take
seconds, and one that is kept for nothing costs only time.

Measured on one thread, to count all classes (their number in brackets), the cutting included: Latin squares of side 5
(2) 0.05 s, of side 6 (22) 0.6 s, one-factorizations of K8 (6) 0.1 s, Steiner triple systems on 13 points (2) 0.1 s, on
15 points (80) 38 s. There, nearly all the time is spent on showing that the 80 systems are the smallest of their 15!
images: 0.4 s for each. With 100 images instead of 1000 the search has nine times as many nodes, and takes as long; four
times as many parts save no time. Social golfers in 8 groups of 4, with 71 920 options for two weeks, are out of reach:
to make the chain takes 5 s, and to compare a beginning 0.2 s.

Source: orderly generation, Faradžev (1978) and Read (1978); orbits of stabilisers as in Kaski and Östergård,
"Classification Algorithms for Codes and Designs" (2006); the comparison with all images is Linton's (2004). Canonical
augmentation (McKay 1998) would not need the smallest member, but that is the one that is promised.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator

from attrs import field

from covr.engine.base.heed import look
from covr.engine.pieces.class_cut import ClassPart
from covr.engine.pieces.split import Prefix, Splitter, members
from covr.engine.prepare.bitsets import bit_set
from covr.engine.prepare.residual import take_given
from covr.engine.problem import Problem
from covr.engine.symmetries.chain import ChainGroup
from covr.frozen import frozen

MOST_PARTS = 4096  # parts, at most,
MOST_BARRED = 1 << 25  # and parts times options
MOST_TRIED = 20_000  # beginnings compared with their images, at most,
MOST_LOOKED = 10_000_000  # and these times options: some seconds
MOST_IMAGES = 1000  # images that a beginning is compared with, at most, before it counts as the smallest
SMALL = 12  # options left: with fewer a beginning is not extended


@frozen
class _Beginning:
    """A beginning. taken: its options besides the given ones, increasing.  live: the set of the options that may follow
    it.  open: the same, with those that are excluded.  need, room: per item, see residual.py."""

    taken: tuple[int, ...]
    live: int = field(repr=False)
    open: int = field(repr=False)
    need: tuple[int, ...] = field(repr=False)
    room: tuple[int, ...] = field(repr=False)
    ended: bool = False  # whether nothing may follow

    @property
    def prefix(self) -> Prefix:
        """The beginning as a prefix of the search."""
        left = self.open if self.ended else self.open & ~self.live
        return Prefix(self.taken, tuple(members(left)))


def cut_by_chain(problem: Problem, group: ChainGroup, most: int = MOST_PARTS) -> tuple[ClassPart, ...]:
    """The parts, increasing; none where the given options contradict each other.

    group: of symmetries of the problem, all of which carry the given options to given options.  most: how many parts
    there may be, about. Raises Stopped where a limit of the calling search is met.
    """
    cutter = _Cutter(problem, group)
    root = cutter.root()
    if root is None:
        return ()
    most = min(most, MOST_BARRED // max(problem.options, 1))
    tried = min(MOST_TRIED, MOST_LOOKED // max(problem.options, 1))
    heap = [(-root.live.bit_count(), root.taken, root)]
    final: list[_Beginning] = []
    while heap and len(heap) + len(final) < most and cutter.tried < tried:
        _, _, one = heapq.heappop(heap)
        for longer in cutter.longer(one):
            if longer.ended or longer.live.bit_count() < SMALL:
                final.append(longer)
            else:
                heapq.heappush(heap, (-longer.live.bit_count(), longer.taken, longer))
    final += [one for _, _, one in heap]
    final.sort(key=lambda one: (one.taken, one.ended))
    return tuple(ClassPart(one.prefix, 0, False) for one in final)


class _Cutter:
    """Extends beginnings. tried: how many were compared with their images."""

    def __init__(self, problem: Problem, group: ChainGroup) -> None:
        self._problem, self._group = problem, group
        self._sets = Splitter(problem)
        self.tried = 0

    def root(self) -> _Beginning | None:
        """The empty beginning; None where there is no answer."""
        residual = take_given(self._problem)
        if not residual.feasible:
            return None
        live = bit_set([o for o in range(self._problem.options) if residual.live[o]])
        return _Beginning((), live, live, tuple(residual.need[: self._problem.primary]), tuple(residual.room))

    def longer(self, one: _Beginning) -> Iterator[_Beginning]:
        """The beginnings that are longer by one option and the smallest of their images, increasing; if nothing more is
        needed, the beginning itself comes first, to which nothing may be added."""
        unmet = [i for i, need in enumerate(one.need) if need > 0]
        last = self._problem.options
        for i in unmet:
            held = one.live & self._sets.holders(i)
            if held.bit_count() < one.need[i]:
                return
            last = min(last, held.bit_length() - 1)
        if not unmet:
            yield _Beginning(one.taken, one.live, one.open, one.need, one.room, True)
        lows = self._group.lows(one.taken)
        orbits: dict[int, list[int]] = {}
        for o in members(one.live):
            orbits.setdefault(lows[o], []).append(o)
        live = one.live
        for head, orbit in sorted(orbits.items()):
            if head > last:
                return
            if orbit[0] == head:
                left = self._taken(one, live & ~(1 << head), head)
                if left is not None and self._is_smallest(left.taken):
                    yield left
            live &= ~bit_set(orbit)

    def _is_smallest(self, taken: tuple[int, ...]) -> bool:
        self.tried += 1
        look()
        return self._group.is_smallest(taken, MOST_IMAGES)

    def _taken(self, one: _Beginning, live: int, option: int) -> _Beginning | None:
        """What is left once an option is taken; None if some item can't be met any more."""
        need, room = list(one.need), list(one.room)
        open_ = one.open & ~(1 << option)
        sets, problem = self._sets, self._problem
        for i, colour in zip(problem.option(option), problem.option_colours(option), strict=True):
            if i < len(need) and need[i] > 0:
                need[i] -= 1
            gone = 0
            if colour:
                gone = sets.holders(i) & ~sets.shade(i, colour)
            else:
                room[i] -= 1
                if room[i] <= 0:
                    gone = sets.holders(i)
            live &= ~gone
            open_ &= ~gone
        for i, n in enumerate(need):
            if n > 0 and (live & sets.holders(i)).bit_count() < n:
                return None
        return _Beginning((*one.taken, option), live, open_, tuple(need), tuple(room))
