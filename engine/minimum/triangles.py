"""Items that three others imply: triangles.

Where every option in items a, b, c of need 1 is in exactly two of them (or, as sets of options, c is the symmetric
difference of a and b), the three needs add up to twice as many options as their union must have, at least 3/2, and so
it has at least 2: an item that the linear program does not know. In a vertex cover these are the triangles of the
graph; in a sudoku's unavoidable sets, three rows of which any two may be swapped. Such an item is a row with right-hand
side 2 and strengthens every estimate as one that the modeller adds would.

Source: the odd-cycle inequalities of Padberg (1973), for set covering Cornuéjols and Sassano (1989). Only the case that
costs nothing to find is looked for: sets of options are told apart by sums of random numbers modulo 2, so that a
symmetric difference is looked up. Measured: unavoidable sets 487 nodes → 4, vertex covers 14 000 → 4 400. Cuts from
other triples are weakened by the options in one of them; HiGHS, which makes many kinds, gains little from them on the
benchmark's other problems.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from covr.engine.heed import heeded

PAIRS = 8  # pairs of items that share an option, per member of the options: larger problems are not searched
MOST = 1_000_000  # such pairs, at most


def triangles(needs: Sequence[int], options: Sequence[Sequence[int]]) -> list[tuple[int, list[int]]]:
    """The implied items: their need, and the options that hold them, increasing.

    needs: per item; only items of need 1 are looked at.  options: their items. Time linear in the length of the options
    times PAIRS; nothing is found where options hold too many items for that.
    """
    pairs = sum([len(option) * (len(option) - 1) // 2 for option in options])
    if pairs > min(PAIRS * sum(map(len, options)), MOST):
        return []
    draw = random.Random(1)
    holders: list[set[int]] = [set() for _ in needs]
    mark = [0] * len(needs)
    for o, option in enumerate(heeded(options)):
        number = draw.getrandbits(62)
        for i in option:
            holders[i].add(o)
            mark[i] ^= number
    place = {mark[i]: i for i, need in enumerate(needs) if need == 1}
    found: dict[tuple[int, ...], list[int]] = {}
    for option in heeded(options):
        for k, a in enumerate(option):
            if needs[a] != 1:
                continue
            for b in option[:k]:
                c = place.get(mark[a] ^ mark[b])
                if c is not None and needs[b] == 1 and holders[a] ^ holders[b] == holders[c]:
                    found[tuple(sorted((a, b, c)))] = sorted(holders[a] | holders[b])
    return [(2, union) for union in found.values()]
