"""A problem as the kernel that builds decision diagrams needs it: an order of the options, and states as bits.

**The order.** The diagram is small if few items are *open* at any time: begun by an option that is decided, and not yet
finished. So the items are put in an order, and the options follow their first item that must be covered; those without
such an item come where their last item is. Several orders of the items are compared by how many items they keep open:
the order of the numbers, and some that begin at a corner and go on with the item that opens the fewest others.

**States.** An item that may be covered once takes one bit of a state, another one a field of as many bits as its count
or its colours need. An item that cannot matter any more takes none.

Cost: time and space linear in the length of the options, except for the orders, which need a bit for each pair of
items; problems of more than `MOST_ORDERED` items keep the order of their numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from covr.engine.base.limits import with_limit_checks
from covr.engine.kernels.shared.words import WORD
from covr.engine.prepare.masks import Residual, take_given
from covr.engine.problem import Problem
from covr.frozen import frozen

MOST_ORDERED = 3000  # items: with more, only the order of the numbers is tried
WIDEST = 28  # bits of a field, so that it fits 32 bits with a sign

Lists = tuple[list[int], ...]


@frozen
class DiagramInput:
    """What the kernel is given (see _diagram.py), and what its numbers mean.

    numbers: per option of the kernel, its number in the problem.  feasible: false if it is known that there is no
    answer; the lists are then empty.
    """

    numbers: tuple[int, ...]
    width: int
    tests: Lists
    fields: Lists
    ends: Lists
    blocks: Lists
    feasible: bool


def prepare(problem: Problem) -> DiagramInput:
    """The form of a problem without sides, in which every option tells answers apart, that the kernel needs.

    Raises Unsuited for other problems, and ValueError for a bound or a number of colours that takes too many bits."""
    residual = take_given(problem)
    live = [o for o in range(problem.options) if residual.live[o]]
    holders: list[list[int]] = [[] for _ in range(problem.items)]
    for o in with_limit_checks(live):
        for i in problem.option(o):
            holders[i].append(o)
    if not residual.feasible or any(residual.need[i] > len(row) for i, row in enumerate(holders)):
        return DiagramInput((), 1, ([0], [], [], [0], [], []), ([],) * 6, ([0], [], [], [], [0], []), ([],) * 5, False)
    items, order = best_order(problem, residual, live, holders)
    return _encoded(problem, residual, items, order, holders)


# --- the order ---


def best_order(
    problem: Problem, residual: Residual, live: Sequence[int], holders: Sequence[Sequence[int]]
) -> tuple[list[int], tuple[int, ...]]:
    """An order of the items, and the order of the live options that follows from it, in which few items are open."""
    orders = [list(range(problem.items))]
    if problem.items <= MOST_ORDERED:
        orders += _walks(problem, live, holders)
    found = [(order, _by_items(problem, residual, live, order)) for order in with_limit_checks(orders, 1)]
    return min(found, key=lambda pair: openness(problem, pair[1]))


def openness(problem: Problem, order: Sequence[int]) -> float:
    """How large a diagram may become if options are decided in that order: for each option, two to the power of half
    the number of the items that are open there. Only for comparisons."""
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for at, o in enumerate(with_limit_checks(order)):
        for i in problem.option(o):
            first.setdefault(i, at)
            last[i] = at
    steps = [0] * (len(order) + 1)
    for i, at in first.items():
        steps[at] += 1
        steps[last[i]] -= 1
    total = 0.0
    for open_ in accumulate(steps):
        total += 2.0 ** min(open_ / 2, 1000)
    return total


def _by_items(problem: Problem, residual: Residual, live: Sequence[int], order: Sequence[int]) -> tuple[int, ...]:
    place = {i: at for at, i in enumerate(order)}
    places = {}
    for o in with_limit_checks(live):
        items = problem.option(o)
        needed = [place[i] for i in items if residual.need[i]]
        after = [place[i] for i in items]
        places[o] = (min(needed) if needed else max(after, default=problem.items), o)
    return tuple(sorted(live, key=places.__getitem__))


def _walks(problem: Problem, live: Sequence[int], holders: Sequence[Sequence[int]]) -> list[list[int]]:
    """Orders that begin at items with few neighbours, and go on with the item that opens the fewest others; of equals
    with the one that was opened first."""
    used = [i for i in range(problem.items) if holders[i]]
    near = [0] * problem.items
    for o in with_limit_checks(live):
        items = problem.option(o)
        mask = 0
        for i in items:
            mask |= 1 << i
        for i in items:
            near[i] |= mask
    fewest = sorted(used, key=lambda i: (near[i].bit_count(), i))
    starts = fewest[:1]
    if fewest and fewest[-1] != fewest[0]:
        starts.append(max(used, key=lambda i: (-near[i].bit_count(), i)))
    return [_walk(start, used, near) for start in starts]


def _walk(start: int, used: Sequence[int], near: Sequence[int]) -> list[int]:
    opened, done = 1 << start, 0
    front = {start: 0}  # the open items, each with the step at which it was opened
    order: list[int] = []
    waiting = iter(sorted(used, key=lambda i: (near[i].bit_count(), i)))
    for step in with_limit_checks(range(1, len(used) + 1), 16):
        if not front:
            start = next(i for i in waiting if not done >> i & 1)
            opened |= 1 << start
            front[start] = step
        item = min(front, key=lambda i: ((near[i] & ~opened).bit_count(), front[i], i))
        del front[item]
        done |= 1 << item
        order.append(item)
        fresh = near[item] & ~opened
        opened |= fresh
        while fresh:
            low = fresh & -fresh
            front[low.bit_length() - 1] = step
            fresh ^= low
    seen = set(order)
    return order + [i for i in range(len(near)) if i not in seen]


# --- states ---


def _places(
    problem: Problem, residual: Residual, holders: Sequence[Sequence[int]]
) -> tuple[dict[int, int], dict[int, int], list[tuple[int, int, int, int]], dict[int, dict[int, int]]]:
    """Where a state keeps what it says of each item: per item that may be covered once, its bit; per other item, its
    field; per field its bits, limit, cap and least count; per item with colours, the code of each colour."""
    bits: dict[int, int] = {}
    field_of: dict[int, int] = {}
    sizes: list[tuple[int, int, int, int]] = []
    codes: dict[int, dict[int, int]] = {}
    for i, row in enumerate(holders):
        if not row or residual.fixed[i]:
            continue
        need, room = residual.need[i], residual.room[i]
        shades = {problem.option_colours(o)[problem.option(o).index(i)] for o in row} if problem.colours else {0}
        if shades == {0}:
            if room >= len(row) and not need:
                continue
            if room == 1:
                bits[i] = len(bits)
                continue
            limit = room if room < len(row) else 0
            cap = limit or need
        else:
            coloured = sorted(shades - {0})
            codes[i] = {colour: n for n, colour in enumerate(coloured, 1)}
            codes[i][0] = limit = cap = len(coloured) + 1
        if cap.bit_length() > WIDEST:
            raise ValueError(f"a count up to {cap} is too large for a decision diagram")
        field_of[i] = len(sizes)
        sizes.append((cap.bit_length(), limit, cap, need))
    return bits, field_of, sizes, codes


def _encoded(
    problem: Problem,
    residual: Residual,
    item_order: Sequence[int],
    order: Sequence[int],
    holders: Sequence[Sequence[int]],
) -> DiagramInput:
    at = {o: v for v, o in enumerate(order)}
    bits, field_of, sizes, codes = _places(problem, residual, holders)
    used, fields = len(bits), ([], [], [], [], [], [])  # type: tuple[int, Lists]
    for size, limit, cap, need in sizes:
        if used % WORD + size > WORD:
            used += WORD - used % WORD
        for numbers, value in zip(fields, (used // WORD, used % WORD, (1 << size) - 1, limit, cap, need), strict=True):
            numbers.append(value)
        used += size
    tests: Lists = ([0], [], [], [0], [], [])
    ending: list[list[int]] = [[] for _ in order]
    for i in (*bits, *field_of):
        ending[max(at[o] for o in holders[i])].append(i)
    first: list[int] = []  # per option, the bit of its first item that must be covered once; -1 if it has none
    position = {i: n for n, i in enumerate(item_order)}
    ends: Lists = ([0], [], [], [], [0], [])
    for v, o in enumerate(with_limit_checks(order)):
        words: dict[int, int] = {}
        needed = [i for i in problem.option(o) if i in bits and residual.need[i]]
        first.append(bits[min(needed, key=position.__getitem__)] if needed else -1)
        colours = problem.option_colours(o)
        for i, colour in zip(problem.option(o), colours, strict=True):
            if i in bits:
                words[bits[i] // WORD] = words.get(bits[i] // WORD, 0) | 1 << bits[i] % WORD
            elif i in field_of:
                tests[4].append(field_of[i])
                tests[5].append(codes[i][colour] if i in codes else 0)
        tests[1].extend(words)
        tests[2].extend(words.values())
        tests[0].append(len(tests[1]))
        tests[3].append(len(tests[4]))
        _end(ending[v], bits, field_of, residual, ends)
    blocks = _blocks(first, [bool(row) for row in ending])
    return DiagramInput(tuple(order), max(1, -(-used // WORD)), tests, fields, ends, blocks, True)


def _blocks(first: Sequence[int], ends: Sequence[bool]) -> Lists:
    """The lists `cut`, `word`, `mask`, `end` and `ending` of the kernel. first: per option, the bit of the item that
    its block has in common; -1 for none.  ends: per option, whether something expires after it."""
    n = len(first)
    stop, ending = [0] * n, [n] * (n + 1)
    for v in range(n - 1, -1, -1):
        stop[v] = stop[v + 1] if v + 1 < n and first[v + 1] == first[v] >= 0 else v + 1
        ending[v] = v if ends[v] else ending[v + 1]
    word = [max(bit, 0) // WORD for bit in first]
    mask = [1 << bit % WORD if bit >= 0 else 0 for bit in first]
    return [int(bit < 0) for bit in first], word, mask, stop, ending


def _end(items: Sequence[int], bits: dict[int, int], field_of: dict[int, int], residual: Residual, ends: Lists) -> None:
    """Append what happens after an option that is the last one of these items."""
    need: dict[int, int] = {}
    gone: dict[int, int] = {}
    for i in items:
        if i in bits:
            word, bit = bits[i] // WORD, 1 << bits[i] % WORD
            gone[word] = gone.get(word, 0) | bit
            need[word] = need.get(word, 0) | (bit if residual.need[i] else 0)
        else:
            ends[5].append(field_of[i])
    ends[1].extend(gone)
    ends[2].extend(need[word] for word in gone)
    ends[3].extend(((1 << WORD) - 1) ^ mask for mask in gone.values())
    ends[0].append(len(ends[1]))
    ends[4].append(len(ends[5]))
