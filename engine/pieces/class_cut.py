"""A search cut by a group of symmetries: parts that together meet at least one answer of every class, and few more.

First an item is chosen that every answer covers exactly once. Options of the item that are carried into each other by
members of the group that leave the item in place need not all be tried: one of each such set is taken at the start of a
part. If the group moves the item to others, an answer has one option at each of them, and the first of these in the
order of the parts decides: a part excludes every option, at whatever item, that a member of the group carries to an
option taken by an earlier part. The group of a part consists of the members that fix the option taken. If it has more
members than the identity, the part is cut again by it where an item makes that worthwhile.

The best item is the one with the fewest parts; among equals, the one whose parts leave the fewest options. Measured as
the nodes of all parts, times the size of the group, over the nodes of the whole search (sizes in brackets): scott (8)
1.4 with the piece X, whose four parts were the fewest, 1.5 with I and 2.0 with W, 2.3 and more with any square; soma
(48) 0.9 with Z (2 parts), 1.1 with L, 3.9 with the corner; pentominoes 6 × 10 (4) 1.0 with X, 1.2 with W and I, 2.4 and
more with squares; MacMahon (8) 1.1 with the tile of two colours face to face (2 parts), 0.6 with a square in the middle
(41 parts), 4.1 with the worst tile; 12 queens (8) 1.0 with a row in the middle, 1.8 with the first; pentominoes 5 × 12
(4) 1.4 with X, which is taken, 1.1 with Z, 1.2 with W. Tried without success: to predict this. The options left in all
parts, added up or in any power from 2 to 8, over the size of each part's group or not, say X for 5 × 12 as well, and a
square or P for soma. Random probes (Knuth's estimator, probe.py) of the parts of an item take longer than the search:
200 for one item of 5 × 12 take 0.06 to 0.26 s, all classes 0.1 s; and with three seeds they say 0.4 to 0.9 million
nodes for X, 0.25 to 1.3 million for Z, where 0.75 and 0.59 million are true.

Source: solvers of packing puzzles such as BurrTools do this with one piece, where no symmetry moves a piece to another.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import field, frozen

from covr.engine.bitsets import bit_set
from covr.engine.heed import heeded, look
from covr.engine.kernels.loading import load
from covr.engine.pieces.split import Prefix, members
from covr.engine.prepare.residual import take_given
from covr.engine.problem import Problem

Permutation = Sequence[int]

MOST_WORK = 300_000  # images of options looked at to choose an item, at most: about 50 ms
DEPTH = 3  # options that a part takes, at most
MOST_PARTS = 4096  # parts, at most
MOST_BARRED = 1 << 25  # parts times options, at most
PAYS = 0.7  # a part is cut again by an item if at most this share of the item's options begins a new part,
WORTH = 16  # and if there are at most this many new parts: each costs as much as hundreds of nodes
TIED = 6  # items with equally few parts that are compared by the options they leave, at most


@frozen
class ClassPart:
    """A part of the search.

    prefix: the options taken and excluded.
    sort: parts with the same first option have the same number; the images of an answer are met only in these.
    alone: whether no other image of its answers is met in any part, so that each is the only one met of its class.
    """

    prefix: Prefix
    sort: int
    alone: bool


@frozen
class _Here:
    """What is left in a part. images: the group that fixes the options taken, without the identity.  live: the set of
    the options that may still be taken (bitsets.py).  met: the primary items that are already covered."""

    images: Sequence[Permutation] = field(repr=False)
    live: int = field(repr=False)
    met: frozenset[int] = field(repr=False)


@frozen
class _Choice:
    """An item to cut by. heads: the option that begins each part.  options: how many the item has left.  bound: whether
    every member of the group leaves the item in place."""

    item: int
    heads: tuple[int, ...]
    options: int
    bound: bool


def cut_by_group(problem: Problem, images: Sequence[Permutation]) -> tuple[ClassPart, ...]:
    """The parts, in order; none where no item is suitable, or the group is too large to be worthwhile.

    images: a group of permutations that carry the problem to itself, without the identity.
    """
    residual = take_given(problem)
    if not images or not residual.feasible:
        return ()
    live = bit_set([o for o in heeded(range(problem.options)) if residual.live[o]])
    met = frozenset(i for i in range(problem.primary) if residual.need[i] <= 0)
    parts: list[ClassPart] = []
    root = _Here(images, live, met)
    moves = _Moves(problem)
    choice = _choose(moves, root, 1.0)
    if choice is None:
        return ()
    gone = 0
    for sort, head in enumerate(choice.heads):
        if not gone >> head & 1:
            _part(moves, root, choice, head, gone, Prefix(), sort, True, parts)
        gone |= _orbit(head, images)
        look()
    if len(parts) > MOST_PARTS or len(parts) * problem.options > MOST_BARRED:
        return ()
    return tuple(parts)


def _part(
    moves: _Moves,
    above: _Here,
    choice: _Choice,
    head: int,
    gone: int,
    prefix: Prefix,
    sort: int,
    alone: bool,
    parts: list[ClassPart],
) -> None:
    """Add the part that takes an option, or the parts that it is cut into. gone: the set of the options excluded here,
    besides those of the prefix."""
    problem = moves.problem
    rivals = moves.rivals(head)
    taken = (*prefix.taken, head)
    barred = (gone & above.live | bit_set(prefix.excluded)) & ~rivals
    here = _Here(
        [image for image in above.images if image[head] == head],
        above.live & ~(rivals | barred | 1 << head),
        above.met | {i for i in problem.option(head) if i < problem.primary},
    )
    own = Prefix(taken, tuple(members(barred)))
    alone = alone and choice.bound
    further = None
    if here.images and len(taken) < DEPTH and problem.is_exact and len(parts) < MOST_PARTS:
        further = _choose(moves, here, PAYS)
    if further is not None and len(further.heads) > WORTH:
        further = None
    if further is None:
        parts.append(ClassPart(own, sort, alone and not here.images))
        return
    tried = 0
    for other in further.heads:
        if not tried >> other & 1:
            _part(moves, here, further, other, tried, own, sort, alone, parts)
        tried |= _orbit(other, here.images)


def _orbit(option: int, images: Sequence[Permutation]) -> int:
    """The set of the options to which these permutations carry one, itself included."""
    return bit_set(sorted({option, *(image[option] for image in images)}))


def _choose(moves: _Moves, here: _Here, share: float) -> _Choice | None:
    """The best item to cut by, among those of whose options at most this share begins a part; None if there is none."""
    problem = moves.problem
    sizes = {
        i: held
        for i in range(problem.primary)
        if problem.low[i] == problem.high[i] == 1 and i not in here.met
        if (held := (moves.holders[i] & here.live).bit_count())
    }
    left, size = MOST_WORK, len(here.images) + 1
    found: list[_Choice] = []
    fewest = problem.options
    for i, held in sorted(sizes.items(), key=lambda entry: (entry[1], entry[0])):
        if held > fewest * size or left <= 0:
            break
        fixing = [image for image in here.images if moves.moved(i, image) == i]
        left -= 3 * size
        if held > fewest * (len(fixing) + 1):
            continue
        heads = _heads(members(moves.holders[i] & here.live), fixing)
        left -= len(heads) * (len(fixing) + 1)
        if len(heads) <= share * held:
            found.append(_Choice(i, heads, held, len(fixing) + 1 == size))
            fewest = min(fewest, len(heads))
    if not found:
        return None
    tied = sorted((c for c in found if len(c.heads) == fewest), key=lambda c: (-c.options, c.item))[:TIED]
    return min(tied, key=lambda c: (_weight(moves, here, c), c.item)) if len(tied) > 1 else tied[0]


def _heads(row: Sequence[int], fixing: Sequence[Permutation]) -> tuple[int, ...]:
    """The first of each set of options that these members of the group carry into each other."""
    heads: list[int] = []
    seen: set[int] = set()
    for o in row:
        if o not in seen:
            heads.append(o)
            seen.update([o, *(image[o] for image in fixing)])
    return tuple(heads)


class _Moves:
    """Where permutations that carry the problem to itself move its items, and which options exclude each other. What
    was worked out is kept.

    holders: per item, the set of its options.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.holders = [bit_set(row) for row in heeded(problem.holders, 64)]
        self._kernel = load("_classes").Moves(
            problem.starts, problem.members, problem.holders, [min(high, 2) for high in problem.high]
        )
        self._known: dict[tuple[int, int], int] = {}

    def moved(self, item: int, image: Permutation) -> int:
        """The item to which a permutation moves an item; where no option distinguishes several items, one stands for
        all."""
        known = self._known.get((item, id(image)))
        if known is None:
            known = self._known[item, id(image)] = self._kernel.moved(item, image)
            assert known >= 0, "a symmetry carries items to items"
        return known

    def rivals(self, option: int) -> int:
        """The set of the options that can't be taken together with one because of an item that has room for one."""
        problem, found = self.problem, 0
        for i, own in zip(problem.option(option), problem.option_colours(option), strict=True):
            if problem.high[i] > 1:
                continue
            against = self.holders[i]
            if own:
                against &= ~bit_set([o for o, colour in problem.column(i) if colour == own])
            found |= against
        return found & ~(1 << option)


def _weight(moves: _Moves, here: _Here, choice: _Choice) -> int:
    """How many options are left in all parts together."""
    gone = total = 0
    for head in choice.heads:
        if gone >> head & 1:
            continue
        left = here.live & ~gone
        for i in moves.problem.option(head):
            if moves.problem.high[i] == 1:
                left &= ~moves.holders[i]
        total += left.bit_count()
        gone |= _orbit(head, here.images)
    return total
