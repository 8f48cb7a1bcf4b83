"""A problem as sets of options: who excludes whom, and what is left once the given options are taken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from covr.engine.base.limits import check_limits, with_limit_checks
from covr.engine.kernels.loading import Gatherer, Measured, Memo, load
from covr.engine.kernels.shared.words import WORD
from covr.engine.problem import Problem, refuse_sides
from covr.engine.settings import Settings
from covr.frozen import frozen

# --- residual --------------------------------------------------------------------------------------------------------
# What is left of a problem once its given options are taken.


@frozen
class Residual:
    """Where the search begins. Numbers are those of the problem.

    need: per item, how many more options it must have (0 when met). Capped at one more than the number of options, so
        that kernels can use 32 bits.
    room: per item, how many more options it may have; capped at the number of options.
    fixed: per item, the colour that given options show there, or 0.
    live: per option, 1 if it may still be taken, else 0.
    feasible: False if there is no answer because given options conflict or an item needs more than it may have.
    """

    need: Sequence[int]
    room: Sequence[int]
    fixed: Sequence[int]
    live: bytearray
    feasible: bool


def take_given(problem: Problem) -> Residual:
    """Take the given options, and drop the options that they exclude. Time linear in the total length of the options.

    Raises Unsuited if the problem has sides, because the searches that begin here know only items.
    """
    refuse_sides(problem, "a search that knows items only")
    n = problem.options
    need = [min(lo, n + 1) for lo in with_limit_checks(problem.low)]
    room = [min(h, n) for h in with_limit_checks(problem.high)]
    fixed = [0] * problem.items
    feasible = all(lo <= h for lo, h in with_limit_checks(zip(problem.low, problem.high, strict=True)))
    for o in with_limit_checks(problem.given):
        if not _fits(problem, o, room, fixed):
            feasible = False
            break
        for i, colour in zip(problem.option(o), problem.option_colours(o), strict=True):
            need[i] = max(need[i] - 1, 0)
            if colour:
                fixed[i] = colour
            else:
                room[i] -= 1
    if not problem.given and all(r > 0 for r in room):
        return Residual(need, room, fixed, bytearray(b"\1") * n, feasible)
    live = bytearray(n)
    given = set(problem.given)
    full = [r <= 0 or shown > 0 for r, shown in with_limit_checks(zip(room, fixed, strict=True))]
    starts, members = problem.starts, problem.members
    for o in with_limit_checks(range(n)):
        if True in map(full.__getitem__, members[starts[o] : starts[o + 1]]):
            live[o] = bool(problem.colours) and o not in given and _fits(problem, o, room, fixed)
        else:
            live[o] = o not in given
    return Residual(need, room, fixed, live, feasible)


def _fits(problem: Problem, o: int, room: Sequence[int], fixed: Sequence[int]) -> bool:
    if not problem.colours:
        return all(room[i] > 0 for i in problem.option(o))
    return all(
        (room[i] > 0 and fixed[i] in (0, colour)) if colour else (room[i] > 0 and not fixed[i])
        for i, colour in zip(problem.option(o), problem.option_colours(o), strict=True)
    )


# --- masks -----------------------------------------------------------------------------------------------------------
# A problem with bounds 1, 1 and 0, 1 as sets of options: which options exclude each other, and what they hold.
#
# The kernels on bit sets see nothing else of a problem. Secondary items and colours appear only in the masks: for each
# pair of options one bit says whether they exclude each other, whatever the reason.


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
    needed = [need > 0 for need in with_limit_checks(residual.need)]
    items = sum(needed)
    starts, members = problem.starts, problem.members
    free = sum(
        residual.live[o] and True not in map(needed.__getitem__, members[starts[o] : starts[o + 1]])
        for o in with_limit_checks(range(problem.options))
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
        live, check_limits,
    )  # fmt: skip
    if problem.colours:
        _sort_by_colour(rows, shades)
    words = max(1, -(-len(numbers) // WORD))
    held = [rows[i] for i in with_limit_checks(range(problem.primary)) if need[i]]
    sizes = [len(row) for row in with_limit_checks(held)]
    compatible = kernel.compatible(len(numbers), words, rows, shades, check_limits)
    holders = kernel.holders(words, held, check_limits)
    return Masks(numbers, free, words, begin, own, sizes, holders, compatible)


def _sort_by_colour(rows: list[list[int]], shades: list[list[int]]) -> None:
    """Arrange the options of each item by the colours that they show there."""
    for i, shade in enumerate(with_limit_checks(shades)):
        if any(shade):
            order = sorted(range(len(shade)), key=shade.__getitem__)
            rows[i] = [rows[i][k] for k in order]
            shades[i] = [shade[k] for k in order]


# --- exact -----------------------------------------------------------------------------------------------------------
# Chooses the kernel for an exact cover problem (bounds 1, 1 and 0, 1), to list every answer or to count them.
#
# Bit sets (masks.py, _bits.py) are chosen if they are compiled and the masks are not too large, otherwise links
# (_exact.py). Bit sets are two to ten times as fast on tilings, designs and sudoku, and not much faster where nodes are
# tiny. When both run interpreted, links need no preparation and do not count every item at every node: 300 nodes of a
# 16×16 sudoku take an eleventh of the time, of a domino tiling two thirds. Where nodes are costly for links, though,
# bit sets are faster even then: 8 times on the soma cube, 11 times on pentominoes. Problems with other bounds have
# their own sets; see masks.py.
#
# Links remain for problems whose masks would be too large: with them, 50 000 options of 5 items take 70 MB. Sparse sets
# instead of links (the "dancing cells" of Knuth's SSXCC, with early abort, and options sorted into the documented
# order) were tried. They gave the same answers and nodes, but as written they were slower, so they were left out. Over
# a million nodes links are 1.3 times as fast on queens 100 × 100, 1.4 times on social golfers with 71 920 options, 4.6
# times on a random cover with 60 022, and 2.7 times on a 16×16 sudoku, where cells spent three quarters of their time
# choosing the item by a scan of all counts. Over 50 000 nodes of a 25×25 sudoku, cells were 1.3 times as fast.


MASKS_MEMORY = 1 << 28  # bytes; larger masks cost more than they save


@frozen
class Lister:
    """A kernel that gives answers one by one.

    name: what messages call it.  gatherer: the same kernel, if it can gather answers; else None.
    """

    kernel: Measured
    name: str
    gatherer: Gatherer | None = None


class ExactCover:
    """A problem prepared for whichever kernel is asked for; its masks are built once."""

    def __init__(self, problem: Problem, settings: Settings):
        """Takes time linear in the total length of the options, and in the size of the masks if they are built."""
        self.problem, self.settings = problem, settings
        self.interpreted = settings.interpreted
        self.residual: Residual = take_given(problem)
        self.masks: Masks | None = self._masks()

    def _masks(self) -> Masks | None:
        engine = self.settings.engine
        if engine not in ("bits", "memo", "auto"):
            return None
        if engine == "auto" and not load("_bits", self.interpreted).COMPILED:
            return None
        if not masks_fit(self.problem, self.residual, MASKS_MEMORY):
            return None
        return build_masks(self.problem, self.residual, self.interpreted)

    def lister(self) -> Lister:
        """A kernel that lists every answer; the one on bit sets can also gather them."""
        if self.masks is None:
            module = load("_exact", self.interpreted)
            return Lister(
                module.Exact(self.problem, self.residual, check_limits), f"dancing links, exact cover ({speed(module)})"
            )
        return self.named(load("_bits", self.interpreted).Bits(self.masks, self.residual.feasible))

    def named(self, bits: Any) -> Lister:
        """The lister of a kernel that runs on the masks, which must exist."""
        return Lister(bits, f"bit sets, exact cover ({speed(load('_bits', self.interpreted))})", bits)

    def counter(self) -> tuple[Memo, str] | None:
        """A kernel that only counts answers, and its name; None if a lister counts as well, and without memory."""
        if self.masks is None or self.settings.engine == "bits" or not self.settings.memory:
            return None
        module = load("_bits", self.interpreted)
        kernel = module.Bits(self.masks, self.residual.feasible, self.settings.memory)
        return kernel, f"bit sets with a memo, exact cover ({speed(module)})"


def speed(module: Any) -> str:
    """'compiled' or 'interpreted': how a kernel's module runs."""
    return "compiled" if module.COMPILED else "interpreted"


# --- multiplicity ----------------------------------------------------------------------------------------------------
# A problem with any bounds as sets of options: which exclude each other, what they hold, and what items still need.
#
# _multiplicity.py searches these. Colours, and upper bounds that leave room for just one more option, appear in the
# `compatible` sets, as in masks.py. Other items matter only if they need options, or if they have room for more than
# one option but not for all.


MOST = 254  # the most options that may hold one item: counts are bytes, and 255 means "255 or more"


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
    """The sets of what `take_given` left; None if they would take more than MASKS_MEMORY, or a count would exceed MOST.

    interpreted: whether to build them without a compiled kernel. Time and space are those of `build_masks`.
    """
    need, room, live = residual.need, residual.room, residual.live
    starts, members, colours = problem.starts, problem.members, problem.colours
    numbers = [o for o in with_limit_checks(range(problem.options)) if live[o]]
    rows: list[list[int]] = [[] for _ in range(problem.items)]
    shades: list[list[int]] = [[] for _ in range(problem.items)]
    for b, o in enumerate(with_limit_checks(numbers)):
        for k in range(starts[o], starts[o + 1]):
            rows[members[k]].append(b)
            if colours:
                shades[members[k]].append(colours[k])
    words = max(1, -(-len(numbers) // 64))
    tight = [1 < room[i] < len(rows[i]) for i in with_limit_checks(range(problem.items))]
    kept = [i for i in with_limit_checks(range(problem.items)) if need[i] > 0 or tight[i]]
    if (
        any(len(rows[i]) > MOST or need[i] > MOST for i in with_limit_checks(kept))
        or _multiplicity_memory(len(numbers), words, len(kept)) > MASKS_MEMORY
    ):
        return None
    for i, shade in enumerate(with_limit_checks(shades)):
        if any(shade):
            order = sorted(range(len(shade)), key=shade.__getitem__)
            rows[i] = [rows[i][k] for k in order]
            shades[i] = [shade[k] for k in order]
    new = {i: k for k, i in enumerate(kept)}
    begin, own = [0], []
    for o in with_limit_checks(numbers):
        own += [new[i] for i in members[starts[o] : starts[o + 1]] if i in new]
        begin.append(len(own))
    kernel = load("_masks", interpreted)
    single = [i for i in with_limit_checks(range(problem.items)) if room[i] == 1]
    return BoundedSets(
        numbers,
        words,
        begin,
        own,
        kernel.holders(words, [rows[i] for i in kept], check_limits),
        kernel.compatible(len(numbers), words, [rows[i] for i in single], [shades[i] for i in single], check_limits),
        [need[i] for i in kept],
        [room[i] if tight[i] else 0 for i in kept],
    )


def _multiplicity_memory(options: int, words: int, items: int) -> int:
    """Roughly how many bytes the sets and the levels of the search take."""
    across = items // 64 + 1
    return 8 * options * words + (options + 2) * (8 * (words + 8) + 4 * 64 * across)
