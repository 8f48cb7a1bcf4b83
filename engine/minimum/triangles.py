"""Triangles: items that are implied by three others.

Suppose that every option in one of three items a, b, c of need 1 is in exactly two of them; in other words, that c, as
a set of options, is the symmetric difference of a and b. Each option of their union then meets two of the three needs,
so at least 3/2 of these options must be taken, and therefore at least 2. This is an item of need 2 that the linear
program does not imply. In a vertex cover, these are the triangles of the graph; among a sudoku's unavoidable sets,
three rows of which any two may be swapped. Such an item strengthens every estimate, just as if the modeller had added
it.

Source: the odd-cycle inequalities of Padberg (1973), for set covering Cornuéjols and Sassano (1989). Only the case that
is easy to find is looked for: each set of options has a hash, the sum modulo 2 of random numbers of its members, so
that a symmetric difference can be looked up. Measured: unavoidable sets 487 nodes → 4, vertex covers 14 000 → 4 400.
Cuts from other triples are weakened by options that are in only one of the three; HiGHS, which makes many kinds of
cuts, gains little from them on the other problems of the benchmark.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from covr.engine.base.heed import heeded

PAIRS = 8  # pairs of items that share an option, per member of an option: problems with more pairs are not searched
MOST = 1_000_000  # such pairs in all: problems with more are not searched


def triangles(needs: Sequence[int], options: Sequence[Sequence[int]]) -> list[tuple[int, list[int]]]:
    """The implied items: their need, and the options that hold them, increasing.

    needs: per item; only items of need 1 are looked at.  options: their items. Time linear in the length of the options
    times PAIRS; nothing is found where options hold too many items for that.
    """
    pairs = sum([len(option) * (len(option) - 1) // 2 for option in heeded(options)])
    if pairs > min(PAIRS * sum(map(len, heeded(options))), MOST):
        return []
    draw = random.Random(1)
    holders: list[set[int]] = [set() for _ in needs]
    mark = [0] * len(needs)
    for o, option in enumerate(heeded(options)):
        number = draw.getrandbits(62)
        for i in option:
            holders[i].add(o)
            mark[i] ^= number
    place = {mark[i]: i for i, need in enumerate(heeded(needs)) if need == 1}
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
