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
(41 parts), 4.1 with the worst tile; 12 queens (8) 1.0 with a row in the middle, 1.8 with the first. Source: solvers of
packing puzzles such as BurrTools do this with one piece, where no symmetry moves a piece to another.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import field, frozen

from covr.engine.heed import heeded, look
from covr.engine.pieces.split import Prefix
from covr.engine.prepare.residual import take_given
from covr.engine.problem import Problem

Permutation = Sequence[int]
Moves = dict[tuple[int, int], int]  # (item, id of a permutation): the item to which the permutation moves it

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
    """What is left in a part. images: the group that fixes the options taken, without the identity.  live: the options
    that may still be taken.  met: the primary items that are already covered."""

    images: Sequence[Permutation] = field(repr=False)
    live: frozenset[int] = field(repr=False)
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
    live = frozenset(o for o in heeded(range(problem.options)) if residual.live[o])
    met = frozenset(i for i in range(problem.primary) if residual.need[i] <= 0)
    parts: list[ClassPart] = []
    root = _Here(images, live, met)
    moves: Moves = {}
    choice = _choose(problem, moves, root, 1.0)
    if choice is None:
        return ()
    gone: set[int] = set()
    for sort, head in enumerate(choice.heads):
        orbit = {head, *(image[head] for image in images)}
        if head not in gone:
            _part(problem, moves, root, choice, head, gone, Prefix(), sort, True, parts)
        gone |= orbit
        look()
    if len(parts) > MOST_PARTS or len(parts) * problem.options > MOST_BARRED:
        return ()
    return tuple(parts)


def _part(
    problem: Problem,
    moves: Moves,
    above: _Here,
    choice: _Choice,
    head: int,
    gone: set[int],
    prefix: Prefix,
    sort: int,
    alone: bool,
    parts: list[ClassPart],
) -> None:
    """Add the part that takes an option, or the parts that it is cut into."""
    rivals = {o for i in problem.option(head) if problem.high[i] == 1 for o in _against(problem, i, head)}
    taken = (*prefix.taken, head)
    barred = (gone & above.live | set(prefix.excluded)) - rivals
    here = _Here(
        [image for image in above.images if image[head] == head],
        above.live - rivals - barred - {head},
        above.met | {i for i in problem.option(head) if i < problem.primary},
    )
    own = Prefix(taken, tuple(sorted(barred)))
    alone = alone and choice.bound
    further = None
    if here.images and len(taken) < DEPTH and problem.is_exact and len(parts) < MOST_PARTS:
        further = _choose(problem, moves, here, PAYS)
    if further is not None and len(further.heads) > WORTH:
        further = None
    if further is None:
        parts.append(ClassPart(own, sort, alone and not here.images))
        return
    tried: set[int] = set()
    for other in further.heads:
        if other not in tried:
            _part(problem, moves, here, further, other, tried, own, sort, alone, parts)
        tried |= {other, *(image[other] for image in here.images)}


def _against(problem: Problem, item: int, head: int) -> list[int]:
    """The options that can't be taken together with `head` because of an item that has room for one."""
    if not problem.colours:
        return [o for o in problem.holders[item] if o != head]
    shown = dict(problem.column(item))
    own = shown[head]
    return [o for o, colour in shown.items() if o != head and (own == 0 or colour != own)]


def _choose(problem: Problem, moves: Moves, here: _Here, share: float) -> _Choice | None:
    """The best item to cut by, among those of whose options at most this share begins a part; None if there is none."""
    rows = {
        i: row
        for i in range(problem.primary)
        if problem.low[i] == problem.high[i] == 1 and i not in here.met
        if (row := [o for o in problem.holders[i] if o in here.live])
    }
    left, size = MOST_WORK, len(here.images) + 1
    found: list[_Choice] = []
    fewest = problem.options
    for i in sorted(rows, key=lambda i: (len(rows[i]), i)):
        row = rows[i]
        if len(row) > fewest * size or left <= 0:
            break
        fixing = [image for image in here.images if _moved(problem, moves, i, image) == i]
        left -= 3 * size
        if len(row) > fewest * (len(fixing) + 1):
            continue
        heads = _heads(row, fixing)
        left -= len(heads) * (len(fixing) + 1)
        if len(heads) <= share * len(row):
            found.append(_Choice(i, heads, len(row), len(fixing) + 1 == size))
            fewest = min(fewest, len(heads))
    if not found:
        return None
    tied = sorted((c for c in found if len(c.heads) == fewest), key=lambda c: (-c.options, c.item))[:TIED]
    return min(tied, key=lambda c: (_weight(problem, here, c), c.item)) if len(tied) > 1 else tied[0]


def _heads(row: Sequence[int], fixing: Sequence[Permutation]) -> tuple[int, ...]:
    """The first of each set of options that these members of the group carry into each other."""
    heads: list[int] = []
    seen: set[int] = set()
    for o in row:
        if o not in seen:
            heads.append(o)
            seen.update([o, *(image[o] for image in fixing)])
    return tuple(heads)


def _moved(problem: Problem, moves: Moves, item: int, image: Permutation) -> int:
    """The item to which a permutation that carries the problem to itself moves an item; where no option distinguishes
    several items, one stands for all. moves: the results so far, which are kept."""
    known = moves.get((item, id(image)))
    if known is None:
        known = moves[item, id(image)] = _moved_anew(problem, item, image)
    return known


def _moved_anew(problem: Problem, item: int, image: Permutation) -> int:
    row = problem.holders[item]
    candidates = set(problem.option(image[row[0]]))
    for o in (row[-1], row[len(row) // 2], *row):  # neighbours have much in common
        candidates.intersection_update(problem.option(image[o]))
        if len(candidates) == 1:
            return candidates.pop()
    alike = [i for i in candidates if len(problem.holders[i]) == len(row) and problem.high[i] == problem.high[item]]
    assert alike, "a symmetry carries items to items"
    return item if item in alike else min(alike)


def _weight(problem: Problem, here: _Here, choice: _Choice) -> int:
    """How many options are left in all parts together."""
    gone: set[int] = set()
    total = 0
    for head in choice.heads:
        if head in gone:
            continue
        left = here.live - gone
        for i in problem.option(head):
            if problem.high[i] == 1:
                left = left.difference(problem.holders[i])
        total += len(left)
        gone |= {head, *(image[head] for image in here.images)}
    return total
