"""The order in which items are decided, what a sweep over them needs to know, and a problem renumbered."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import reduce
from operator import and_

from covr.engine.base.limits import MOST_STEPS, with_limit_checks
from covr.engine.kernels.shared.words import WORD
from covr.engine.prepare.masks import Residual
from covr.engine.problem import Problem, renumbered_sides
from covr.engine.witness import carried
from covr.frozen import evolve, frozen

# --- order -----------------------------------------------------------------------------------------------------------
# The order in which the items of a problem are decided one after another, and the bits that this takes.
#
# At an item's turn all of its options that are still open are decided: together, in one step, if at most one of them
# may be taken, else in a step for each. When the last option of an item is decided, the item is complete. The items of
# which some options are decided and others not are the *frontier*.
#
# An item needs bits from the first step that decides one of its options until it is complete; then they are used again.
# How many: one that need only be covered k times k bits, because more is no different; one that has room for k options
# k bits, unless no more than k hold it.
#
# The order is chosen greedily: next is the item of the frontier whose options bring the fewest new items into it, the
# one that has been there longest on ties. For a board of squares this goes along the shorter side.
#
# Source: Kawahara, Inoue, Iwashita, Minato, "Frontier-based search for enumerating all constrained subgraphs", 2017,
# for the frontier of graphs; counts by one row after another are much older.


MOST_STATES = 1 << 32  # steps times sets of the frontier that a count may have: some minutes


@frozen
class SweepOrder:
    """In which order options are decided, and the bits of the items.

    rows: per option, its items.  lows, highs: per item, how many of its options must and may be taken.
    steps: per step, the options it decides, of which at most one may be taken.
    done: per step, the items that are complete after it.
    shift, size: per item, its lowest bit, and how many it has.  width: how many bits there are.
    """

    rows: Sequence[Sequence[int]]
    lows: Sequence[int]
    highs: Sequence[int]
    steps: Sequence[Sequence[int]]
    done: Sequence[Sequence[int]]
    shift: Sequence[int]
    size: Sequence[int]
    width: int


def order_options(
    rows: Sequence[Sequence[int]], lows: Sequence[int], highs: Sequence[int], widest: int = WORD
) -> SweepOrder | None:
    """The order for options without colours; None where the frontier is wide, or where an item can't be met. Time about
    (members of options) + (pairs of items that share options).

    rows, lows, highs: as in SweepOrder.  widest: bits of a frontier that is not wide."""
    order = order_items(rows, len(lows), widest)
    if order is None:
        return None
    holders: list[list[int]] = [[] for _ in lows]
    for o, row in with_limit_checks(enumerate(rows)):
        for i in row:
            holders[i].append(o)
    left = [len(held) for held in holders]
    if any(low > min(high, many) or many > 0 == high for low, high, many in zip(lows, highs, left, strict=True)):
        return None
    size = [low if high >= many else high for low, high, many in zip(lows, highs, left, strict=True)]
    decided = bytearray(len(rows))
    steps = [[o] for o, row in enumerate(rows) if not row]
    for i in with_limit_checks(order, 64):
        own = [o for o in holders[i] if not decided[o]]
        for o in own:
            decided[o] = 1
        steps += [own] if highs[i] == 1 and own else [[o] for o in own]
    done: list[list[int]] = []
    shift = [-1] * len(lows)
    taken = width = 0
    for step in with_limit_checks(steps):
        for i in (i for o in step for i in rows[o]):
            left[i] -= 1
            if shift[i] < 0 and size[i]:
                shift[i] = _gap(taken, size[i])
                taken |= bits_of(shift[i], size[i])
                width = max(width, shift[i] + size[i])
        if width > widest:
            return None
        done.append(list(dict.fromkeys([i for o in step for i in rows[o] if not left[i]])))
        for i in done[-1]:
            taken &= ~bits_of(shift[i], size[i])
    return SweepOrder(rows, lows, highs, steps, done, shift, size, width)


def order_items(rows: Sequence[Sequence[int]], items: int, widest: int) -> list[int] | None:
    """All items, in the order in which they are decided; None where this takes long, or where the frontier is much
    wider than `widest` items. rows: per option, its items."""
    near = [0] * items
    work = 0
    for row in with_limit_checks(rows):
        held = sum(1 << i for i in row)
        work += len(row) * len(row)
        if work > MOST_STEPS:
            return None
        for i in row:
            near[i] |= held
    left = dict.fromkeys(range(items))
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


def bits_of(shift: int, size: int) -> int:
    """So many bits from the given one on."""
    return (1 << size) - 1 << shift if size else 0


def _gap(taken: int, size: int) -> int:
    """The lowest place where so many bits in a row are free."""
    place = 0
    while taken & bits_of(place, size):
        place += 1
    return place


# --- plan ------------------------------------------------------------------------------------------------------------
# What a sweep over the items costs, step by step. A count has no costs and no prices.
#
# The prices y of the items, which may be any whole numbers, make a bound: with rc[o] = cost[o] - (sum of y over the
# items of o), every answer costs (sum of rc over its options) + (sum of y[i] times the number of its options that hold
# i). So its cost is the sum of
#
#     first                   low[i] y[i], or high[i] y[i] where y[i] < 0, over all items, and all negative rc
#     rc[o], or -rc[o]        for each option that is taken with rc > 0, or left with rc < 0
#     y[i] > 0                for each option that holds i when i is covered `low[i]` times already
#     -y[i] > 0               for each option less than `high[i]` that holds i
#
# all of which but the first are 0 or more, and known at the step that causes them: so what a state has cost is at the
# same time a bound for every answer that begins with it. The sweep is shortest with the prices of a linear program.
#
# Source: Puchinger and Stuckey, "Automating branch-and-bound for dynamic programs", 2008; Bergman, Cire, van Hoeve and
# Hooker, "Decision Diagrams for Optimization", 2016.


@frozen
class SweepPlan:
    """What a sweep over the items needs to know: which options are decided when, and what that costs, in units.

    begin: step k decides the options begin[k]:begin[k+1] of the following lists, of which at most one may be taken.
    number: per option, its number in the core.  block: the bits of which none may be set.  lowest, upper: the lowest
    bits of its items; the others.  price: what it costs to take it, where the others of the step are left.
    over_begin, over_bit, over_price: what it costs in addition, for each bit that is set, likewise as ranges.
    leave: per step, what it costs to leave all of its options.
    shut: per step, the bits with each of which none of its options may be taken.
    must, clear: per step, the bits that must be set after it, and those that are then cleared.  lack_begin, lack_bit,
    lack_price: what it costs after the step, for each bit that is not set.
    width: how many bits there are.  first: what every answer costs.  free: how many more options may be taken or left,
    in a count.
    """

    begin: Sequence[int]
    number: Sequence[int]
    block: Sequence[int]
    upper: Sequence[int]
    lowest: Sequence[int]
    price: Sequence[int]
    over_begin: Sequence[int]
    over_bit: Sequence[int]
    over_price: Sequence[int]
    leave: Sequence[int]
    shut: Sequence[int]
    must: Sequence[int]
    clear: Sequence[int]
    lack_begin: Sequence[int]
    lack_bit: Sequence[int]
    lack_price: Sequence[int]
    width: int
    first: int
    free: int = 0


def plan_sweep(order: SweepOrder, costs: Sequence[int], prices: Sequence[int], free: int = 0) -> SweepPlan:
    """The plan with these costs of options and prices of items, in units. Time linear in the order."""
    lows, highs = order.lows, order.highs
    y = [_useful(order, i, price) for i, price in enumerate(prices)]
    rc = [cost - sum([y[i] for i in held]) for cost, held in zip(costs, order.rows, strict=True)]
    first = sum(p * (lows[i] if p > 0 else highs[i]) for i, p in enumerate(y))
    first += sum(c for c in rc if c < 0)
    begin, over_begin, lack_begin = [0], [0], [0]
    number: list[int] = []
    block, upper, lowest, price = [], [], [], []
    over_bit: list[int] = []
    over_price: list[int] = []
    lack_bit: list[int] = []
    lack_price: list[int] = []
    leave, shut, must, clear = [], [], [], []
    bits = [bits_of(shift, size) for shift, size in zip(order.shift, order.size, strict=True)]
    last = [1 << order.shift[i] + order.size[i] - 1 if order.size[i] else 0 for i in range(len(lows))]
    bounded = [order.size[i] == highs[i] for i in range(len(lows))]
    for step, done in with_limit_checks(zip(order.steps, order.done, strict=True)):
        skip = sum(max(-rc[o], 0) for o in step)
        for o in step:
            held = order.rows[o]
            number.append(o)
            block.append(sum(last[i] for i in held if bounded[i]))
            low = sum(1 << order.shift[i] for i in held if order.size[i])
            lowest.append(low)
            upper.append(sum(bits[i] for i in held) & ~low)
            price.append(skip + rc[o])
            for i in held:
                if y[i] > 0 and not (bounded[i] and highs[i] == lows[i]):
                    over_bit.append(1 << order.shift[i] + lows[i] - 1)
                    over_price.append(y[i])
            over_begin.append(len(over_bit))
        leave.append(skip)
        shut.append(reduce(and_, block[begin[-1] :]))
        begin.append(len(number))
        must.append(sum(1 << order.shift[i] + lows[i] - 1 for i in done if lows[i]))
        clear.append(sum(bits[i] for i in done))
        for i in done:
            if y[i] < 0:
                for k in range(lows[i], highs[i]):
                    lack_bit.append(1 << order.shift[i] + k)
                    lack_price.append(-y[i])
        lack_begin.append(len(lack_bit))
    return SweepPlan(
        begin, number, block, upper, lowest, price, over_begin, over_bit, over_price, leave, shut, must, clear,
        lack_begin, lack_bit, lack_price, order.width, first, free,
    )  # fmt: skip


def _useful(order: SweepOrder, i: int, price: int) -> int:
    """The price of an item, or 0 where it would add nothing to the bound, or can't be told from its bits."""
    if price > 0:
        return price if order.lows[i] else 0
    return price if order.size[i] == order.highs[i] else 0


def plan_count(problem: Problem, residual: Residual) -> SweepPlan | None:
    """The plan to count what `residual` left of a problem; None where the frontier is wide, where given options
    conflict or an item can't be met, or where options show colours."""
    if problem.colours or not residual.feasible:
        return None
    rows = [problem.option(o) for o in with_limit_checks(range(problem.options)) if residual.live[o]]
    held = [row for row in rows if row]
    order = order_options(held, residual.need, residual.room, MOST_STATES.bit_length() - 1)
    if order is None or len(order.steps) << order.width > MOST_STATES:
        return None
    return plan_sweep(order, [0] * len(held), [0] * problem.items, len(rows) - len(held))


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
