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
nodes for X, 0.25 to 1.3 million for Z, where 0.75 and 0.59 million are true. Nor does it pay to search each part for
some nodes and to divide these by the share of its tree that is done: 300 nodes a part say V for 5 × 12 (1.5, where X
has 1.3), 2000 say Z (1.0), but the five best items together then take half as long as the classes themselves. For a
long search they would pay: solid pentominoes 3 × 4 × 5 (8), 11 million nodes, take 1.9 with I, which has the fewest
parts, and 1.2 with X, the next, as 2000 nodes a part tell in 0.4 million nodes. It was left out because the parts, and
with them the order of the answers, would then depend on the kernel. How many times more heads an item has than options
over the size of the group, which is 2.7 for that I and 2.2 for that X, says I for scott (1.0, where X has 1.3).

All this is compiled (_class_cut.py).

Source: solvers of packing puzzles such as BurrTools do this with one piece, where no symmetry moves a piece to another.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from covr.engine.base.heed import heeded, look
from covr.engine.kernels.loading import load
from covr.engine.pieces.split import Prefix
from covr.engine.prepare.residual import take_given
from covr.engine.problem import Problem
from covr.frozen import frozen

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


def cut_by_group(problem: Problem, images: Sequence[Permutation], flat: Any = None) -> tuple[ClassPart, ...]:
    """The parts, in order; none where no item is suitable, or the group is too large to be worthwhile.

    images: a group of permutations that carry the problem to itself, without the identity.  flat: `flat_images` of
    them, if that was worked out already.
    """
    residual = take_given(problem)
    if not images or not residual.feasible:
        return ()
    if flat is None:
        flat = flat_images(problem, images)
    met = [need <= 0 for need in heeded(residual.need[: problem.primary])]
    cut = load("_class_cut").ClassCut(problem, flat, len(images), look)
    limits = DEPTH, MOST_WORK, MOST_PARTS, WORTH, PAYS, TIED
    found = cut.parts_of(residual.live, met, limits, problem.is_exact)
    if len(found) > MOST_PARTS or len(found) * problem.options > MOST_BARRED:
        return ()
    return tuple([ClassPart(Prefix(taken, excluded), sort, alone) for taken, excluded, sort, alone in found])


def flat_images(problem: Problem, images: Sequence[Permutation]) -> Any:
    """The images of a group in the form in which kernels read them. Time and space: the size of the group times the
    number of options."""
    return load("_classes").flattened(images, problem.options, look)
