"""A problem with bounds 1, 1 and 0, 1 as sets of options: which options exclude each other, and what they hold.

The kernels on bit sets see nothing else of a problem. Secondary items and colours appear only in the masks: for each
pair of options one bit says whether they exclude each other, whatever the reason.
"""

from __future__ import annotations

from collections.abc import Sequence

from covr.engine.base.heed import heeded, look
from covr.engine.kernels.loading import load
from covr.engine.prepare.residual import Residual
from covr.engine.problem import Problem
from covr.frozen import frozen

WORD = 64  # bits in a word


@frozen(eq=False)
class Masks:
    """The live options of a problem, renumbered: first those with a primary item, then the *free* ones.

    Both parts keep the order of the problem's numbers. A set of options is `words` words of 64 bits; option b is
    bit b % 64 of word b // 64. Items are the primary items that are still to be covered, renumbered in order. All
    numbers count from 0.

    numbers: per option, its number in the problem.
    free: the number of the first free option; len(numbers) if there is none.
    begin, members: option b holds the items members[begin[b]:begin[b+1]], increasing; free options hold none.
    sizes: per item, how many options hold it.
    holders: the sets of the options that hold each item, item after item.
    compatible: the sets of the other options that can be taken together with each option, option after option.
    """

    numbers: Sequence[int]
    free: int
    words: int
    begin: Sequence[int]
    members: Sequence[int]
    sizes: Sequence[int]
    holders: Sequence[int]
    compatible: Sequence[int]

    @property
    def options(self) -> int:
        """How many options are live, free ones included."""
        return len(self.numbers)

    @property
    def items(self) -> int:
        """How many items are still to be covered."""
        return len(self.sizes)


def masks_fit(problem: Problem, residual: Residual, most: int) -> bool:
    """Whether `masks_memory` is at most so many bytes. Quicker than that where it is far below."""
    options, items = problem.options, problem.primary
    return _memory(options, items, options) <= most or masks_memory(problem, residual) <= most


def masks_memory(problem: Problem, residual: Residual) -> int:
    """Roughly how many bytes the masks and the search on them take."""
    options = sum(residual.live)
    needed = [need > 0 for need in heeded(residual.need)]
    items = sum(needed)
    starts, members = problem.starts, problem.members
    free = sum(
        residual.live[o] and True not in map(needed.__getitem__, members[starts[o] : starts[o + 1]])
        for o in heeded(range(problem.options))
    )
    return _memory(options, items, free)


def _memory(options: int, items: int, free: int) -> int:
    """`masks_memory` for so many options, unmet items and free options."""
    words, across = options // WORD + 1, items // WORD + 1
    levels = items + free
    return 8 * words * (options + items) + levels * (20 * words + 8 * across * 16) + 8 * across * options


def build_masks(problem: Problem, residual: Residual, interpreted: bool = False) -> Masks:
    """The masks of what `take_given` left of a problem with bounds 1, 1 and 0, 1.

    interpreted: whether to build them without a compiled kernel. Takes at most (total length of the options) ×
    (number of options) / 64 steps: one for each word of a set from which options are removed.
    """
    need, live = residual.need, residual.live
    kernel = load("_masks", interpreted)
    numbers, free, begin, own, rows, shades = kernel.arranged(
        problem.items, problem.primary, list(problem.starts), list(problem.members), list(problem.colours), list(need),
        live, look,
    )  # fmt: skip
    if problem.colours:
        _sort_by_colour(rows, shades)
    words = max(1, -(-len(numbers) // WORD))
    held = [rows[i] for i in heeded(range(problem.primary)) if need[i]]
    sizes = [len(row) for row in heeded(held)]
    compatible = kernel.compatible(len(numbers), words, rows, shades, look)
    holders = kernel.holders(words, held, look)
    return Masks(numbers, free, words, begin, own, sizes, holders, compatible)


def _sort_by_colour(rows: list[list[int]], shades: list[list[int]]) -> None:
    """Arrange the options of each item by the colours that they show there."""
    for i, shade in enumerate(heeded(shades)):
        if any(shade):
            order = sorted(range(len(shade)), key=shade.__getitem__)
            rows[i] = [rows[i][k] for k in order]
            shades[i] = [shade[k] for k in order]
