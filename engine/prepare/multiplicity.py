"""A problem with any bounds as sets of options: which exclude each other, what they hold, and what items still need.

_multiplicity.py searches these. Colours, and upper bounds that leave room for just one more option, appear in the
`compatible` sets, as in masks.py. Other items matter only if they need options, or if they have room for more than one
option but not for all.
"""

from __future__ import annotations

from collections.abc import Sequence

from covr.engine.base.heed import heeded, look
from covr.engine.kernels.loading import load
from covr.engine.prepare.residual import Residual
from covr.engine.problem import Problem
from covr.frozen import frozen

MOST = 254  # the most options that may hold one item: counts are bytes, and 255 means "255 or more"
MEMORY = 1 << 27  # the most bytes that the sets and the levels of the search may take


@frozen(eq=False)
class BoundedSets:
    """The live options of a problem, renumbered in order, and the items that matter, renumbered in order.

    A set of options is `words` words of 64 bits; see masks.py.

    numbers: per option, its number in the problem.
    begin, members: option b holds the items members[begin[b]:begin[b+1]], increasing.
    holders: the sets of the options that hold each item, item after item.
    compatible: the sets of the other options that each option does not exclude by itself, option after option.
    needs: per item, how many more options it must have.
    rooms: per item, how many more options it may have, if that is more than 1 and fewer than hold it; else 0.
    """

    numbers: Sequence[int]
    words: int
    begin: Sequence[int]
    members: Sequence[int]
    holders: Sequence[int]
    compatible: Sequence[int]
    needs: Sequence[int]
    rooms: Sequence[int]


def build_sets(problem: Problem, residual: Residual, interpreted: bool = False) -> BoundedSets | None:
    """The sets of what `take_given` left; None if they would take more than MEMORY, or if a count would exceed MOST.

    interpreted: whether to build them without a compiled kernel. Time and space are those of `build_masks`.
    """
    need, room, live = residual.need, residual.room, residual.live
    starts, members, colours = problem.starts, problem.members, problem.colours
    numbers = [o for o in heeded(range(problem.options)) if live[o]]
    rows: list[list[int]] = [[] for _ in range(problem.items)]
    shades: list[list[int]] = [[] for _ in range(problem.items)]
    for b, o in enumerate(heeded(numbers)):
        for k in range(starts[o], starts[o + 1]):
            rows[members[k]].append(b)
            if colours:
                shades[members[k]].append(colours[k])
    words = max(1, -(-len(numbers) // 64))
    tight = [1 < room[i] < len(rows[i]) for i in heeded(range(problem.items))]
    kept = [i for i in heeded(range(problem.items)) if need[i] > 0 or tight[i]]
    if (
        any(len(rows[i]) > MOST or need[i] > MOST for i in heeded(kept))
        or _memory(len(numbers), words, len(kept)) > MEMORY
    ):
        return None
    for i, shade in enumerate(heeded(shades)):
        if any(shade):
            order = sorted(range(len(shade)), key=shade.__getitem__)
            rows[i] = [rows[i][k] for k in order]
            shades[i] = [shade[k] for k in order]
    new = {i: k for k, i in enumerate(kept)}
    begin, own = [0], []
    for o in heeded(numbers):
        own += [new[i] for i in members[starts[o] : starts[o + 1]] if i in new]
        begin.append(len(own))
    kernel = load("_masks", interpreted)
    single = [i for i in heeded(range(problem.items)) if room[i] == 1]
    return BoundedSets(
        numbers,
        words,
        begin,
        own,
        kernel.holders(words, [rows[i] for i in kept], look),
        kernel.compatible(len(numbers), words, [rows[i] for i in single], [shades[i] for i in single], look),
        [need[i] for i in kept],
        [room[i] if tight[i] else 0 for i in kept],
    )


def _memory(options: int, words: int, items: int) -> int:
    """Roughly how many bytes the sets and the levels of the search take."""
    across = items // 64 + 1
    return 8 * options * words + (options + 2) * (8 * (words + 8) + 4 * 64 * across)
