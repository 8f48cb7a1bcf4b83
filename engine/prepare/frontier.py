"""The order in which items are decided, and a problem renumbered."""

from __future__ import annotations

import random
from collections.abc import Sequence

from covr.engine.base.limits import with_limit_checks
from covr.engine.prepare.masks import Residual
from covr.engine.problem import Problem, renumbered_sides
from covr.engine.witness import carried
from covr.frozen import evolve, frozen

# --- frontier --------------------------------------------------------------------------------------------------------
# The order in which items are decided one after another, and the bits that this takes: a plan for a count by frontier.
#
# Items are decided in some order. An option is taken, or not, when the first of its items is decided; so what is known
# of the items that were not decided yet is a set: those that options taken so far hold. An item can be in this set only
# from the time when the first option that holds it is decided. The items that can be in the set at the same time are
# the *frontier*; each has a bit, and bits are used again. There are at most 2 to the power of the frontier's width
# different sets, whatever the number of answers.
#
# The order is chosen greedily: next is the item of the frontier whose options bring the fewest new items into it, the
# one that has been there longest on ties. For a board of squares this goes along the shorter side.
#
# Source: Kawahara, Inoue, Iwashita, Minato, "Frontier-based search for enumerating all constrained subgraphs", 2017,
# for the frontier of graphs; counts by one row after another are much older.


WIDEST = 26  # bits of a frontier: with more there may be too many sets
MOST_STATES = 1 << 32  # decided items times sets, at most: some minutes
MOST_WORK = 4_000_000  # members of options, and pairs of neighbours, for which a plan is made: a second


@frozen
class Frontier:
    """A plan. Step k decides the k-th item of the order.

    bit: per step, the item's bit. required: per step, whether the item must be covered. begin, sets: the options that
    are decided at step k are sets[begin[k]:begin[k+1]], each as the bits of its other items. width: how many bits there
    are. free: how many options hold no item at all, so that each may be taken or left. limbs: how many words of 64 bits
    are enough for any number of ways.
    """

    bit: Sequence[int]
    required: Sequence[bool]
    begin: Sequence[int]
    sets: Sequence[int]
    width: int
    free: int
    limbs: int


def plan_frontier(problem: Problem, residual: Residual) -> Frontier | None:
    """The plan for what `residual` left of a problem with bounds 1, 1 and 0, 1; None where the frontier is wide, or
    where options show colours. Time about (members of options) + (pairs of items that share options)."""
    if problem.colours or len(problem.members) > MOST_WORK:
        return None
    rows = [problem.option(o) for o in with_limit_checks(range(problem.options)) if residual.live[o]]
    order = order_items(rows, [i for i in range(problem.items) if residual.need[i]])
    if order is None:
        return None
    place = {item: step for step, item in enumerate(order)}
    decided: list[list[Sequence[int]]] = [[] for _ in order]
    for row in with_limit_checks(rows):
        if row:
            decided[min(place[i] for i in row)].append(row)
    bits = _bits(order, decided)
    width = max(bits, default=-1) + 1
    if width > WIDEST or len(order) << width > MOST_STATES:
        return None
    begin, sets = [0], []
    for step, options in enumerate(decided):
        sets += [sum(1 << bits[place[i]] for i in row if place[i] != step) for row in options]
        begin.append(len(sets))
    required = [bool(residual.need[i]) for i in order]
    free = sum(not row for row in rows)
    return Frontier(bits, required, begin, sets, width, free, _limbs(rows, required, begin))


def order_items(rows: Sequence[Sequence[int]], needed: Sequence[int], widest: int = WIDEST) -> list[int] | None:
    """All items that are needed or that options hold, in the order in which they are decided; None where this takes
    long, or where the frontier is much wider than `widest` items. rows: per option, its items."""
    near: dict[int, int] = dict.fromkeys(needed, 0)
    work = 0
    for row in with_limit_checks(rows):
        held = sum(1 << i for i in row)
        work += len(row) * len(row)
        if work > MOST_WORK:
            return None
        for i in row:
            near[i] = near.get(i, 0) | held
    left = dict.fromkeys(sorted(near))
    open_: dict[int, None] = {}
    seen = 0
    order: list[int] = []
    while left:
        if not open_:
            open_[min(left, key=lambda i: (near[i].bit_count(), i))] = None
        if len(open_) > 2 * widest:
            return None
        best = min(open_, key=lambda i: (near[i] & ~seen).bit_count())
        order.append(best)
        new = near[best] & ~seen & ~(1 << best)
        seen |= near[best] | 1 << best
        del left[best], open_[best]
        while new:
            open_[(new & -new).bit_length() - 1] = None
            new &= new - 1
    return order


def _bits(order: Sequence[int], decided: Sequence[Sequence[Sequence[int]]]) -> list[int]:
    """Per step, the bit of its item: the lowest that is not in use from when the item joins the frontier until it is
    decided."""
    place = {item: step for step, item in enumerate(order)}
    bits = [-1] * len(order)
    unused: list[int] = []
    used = 0
    for step, options in enumerate(decided):
        for other in sorted({step, *(place[i] for row in options for i in row)}):
            if bits[other] >= 0:
                continue
            if unused:
                bits[other] = unused.pop()
            else:
                bits[other] = used
                used += 1
        unused.append(bits[step])
    return bits


def _limbs(rows: Sequence[Sequence[int]], required: Sequence[bool], begin: Sequence[int]) -> int:
    """A way is the result of at most `picks` choices of an option at an item that must be covered, and of one choice at
    each other item."""
    sizes = sorted((begin[k + 1] - begin[k] for k in range(len(required)) if required[k]), reverse=True)
    picks = len(required) // min((len(row) for row in rows if row), default=1)
    bits = sum(size.bit_length() for size in sizes[:picks])
    bits += sum((begin[k + 1] - begin[k] + 1).bit_length() for k in range(len(required)) if not required[k])
    return bits // 64 + 1


# --- shuffle ---------------------------------------------------------------------------------------------------------
# Renumbers a problem, by a seed or by cost, and tells how to give answers their old numbers back.


def shuffle(problem: Problem, seed: int) -> tuple[Problem, list[int]]:
    """The same problem with options and items in a random order, and for each new option its old number.

    Searches break ties between items by number, so renumbering the items (primary ones stay first) shuffles ties too.
    The order depends only on the seed and on the numbers of options, primary and secondary items. Takes time linear in
    the total length of the options.
    """
    rng = random.Random(seed)
    old_option = list(range(problem.options))
    _shuffle(old_option, rng)
    primary, secondary = list(range(problem.primary)), list(range(problem.primary, problem.items))
    _shuffle(primary, rng)
    _shuffle(secondary, rng)
    return rearranged(problem, old_option, primary + secondary), old_option


def _shuffle(numbers: list[int], rng: random.Random) -> None:
    """`rng.shuffle`, with looks at the limits: the same order, from the same random bits."""
    draw = rng.getrandbits
    for i in with_limit_checks(range(len(numbers) - 1, 0, -1)):
        bits = (i + 1).bit_length()
        k = draw(bits)
        while k > i:
            k = draw(bits)
        numbers[i], numbers[k] = numbers[k], numbers[i]


def rearranged(problem: Problem, old_option: Sequence[int], old_item: Sequence[int]) -> Problem:
    """The same problem with options and items in another order.

    old_option, old_item: for each new number, the old one; primary items must stay first. Takes time linear in the
    total length of the options, besides sorting within each option.
    """
    new_item = _inverse(old_item)
    new_option = _inverse(old_option)
    first, starts = problem.starts, [0]
    members: list[int] = []
    colours: list[int] = []
    renumbered = [new_item[i] for i in with_limit_checks(problem.members)]
    if problem.colours:
        for o in with_limit_checks(old_option):
            shown = slice(first[o], first[o + 1])
            run = sorted(zip(renumbered[shown], problem.colours[shown], strict=True))
            members += [i for i, _ in run]
            colours += [c for _, c in run]
            starts.append(len(members))
    else:
        for o in with_limit_checks(old_option):
            members += sorted(renumbered[first[o] : first[o + 1]])
            starts.append(len(members))
    made = Problem(
        low=tuple([problem.low[i] for i in with_limit_checks(old_item)]),
        high=tuple([problem.high[i] for i in with_limit_checks(old_item)]),
        primary=problem.primary,
        starts=starts,
        members=members,
        colours=colours if problem.colours else (),
        costs=[problem.costs[o] for o in with_limit_checks(old_option)] if problem.costs else (),
        given=tuple(sorted(new_option[o] for o in problem.given)),
        sides=renumbered_sides(problem.sides, new_option),
        projection=None if problem.projection is None else tuple(sorted(new_option[o] for o in problem.projection)),
    )
    return made if problem.witness is None else evolve(made, witness=carried(problem, old_option))


def renumbered(images: Sequence[int], numbers: Sequence[int]) -> list[int]:
    """A map of options in the numbers of a rearranged problem.

    images: per old option, its image by old number, or -1 for none.  numbers: per new option, its old number.
    """
    new = _inverse(numbers)
    return [new[images[old]] if images[old] >= 0 else -1 for old in numbers]


def _inverse(order: Sequence[int]) -> list[int]:
    result = [0] * len(order)
    for new, old in enumerate(with_limit_checks(order)):
        result[old] = new
    return result
