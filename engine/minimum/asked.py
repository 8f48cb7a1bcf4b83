"""What a search with bounds asks at its nodes."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import Any

from covr.engine.base.limits import with_limit_checks
from covr.engine.kernels.header import ASK, CLASSIC
from covr.engine.minimum.estimates import Bound, Estimate, EstimateFunction, auto, classic, hear, none, value
from covr.engine.symmetries import MOST_EDGES

# --- triangles -------------------------------------------------------------------------------------------------------
# Triangles: items that are implied by three others.
#
# Suppose that every option in one of three items a, b, c of need 1 is in exactly two of them; in other words, that c,
# as a set of options, is the symmetric difference of a and b. Each option of their union then meets two of the three
# needs, so at least 3/2 of these options must be taken, and therefore at least 2. This is an item of need 2 that the
# linear program does not imply. In a vertex cover, these are the triangles of the graph; among a sudoku's unavoidable
# sets, three rows of which any two may be swapped. Such an item strengthens every estimate, just as if the modeller had
# added it.
#
# Source: the odd-cycle inequalities of Padberg (1973), for set covering Cornuéjols and Sassano (1989). Only the case
# that is easy to find is looked for: each set of options has a hash, the sum modulo 2 of random numbers of its members,
# so that a symmetric difference can be looked up. Measured: unavoidable sets 487 nodes → 4, vertex covers 14 000 → 4
# 400. Cuts from other triples are weakened by options that are in only one of the three; HiGHS, which makes many kinds
# of cuts, gains little from them on the other problems of the benchmark.


PAIRS = 8  # pairs of items that share an option, per member of an option: problems with more pairs are not searched


def triangles(needs: Sequence[int], options: Sequence[Sequence[int]]) -> list[tuple[int, list[int]]]:
    """The implied items: their need, and the options that hold them, increasing.

    needs: per item; only items of need 1 are looked at.  options: their items. Time linear in the length of the options
    times PAIRS; nothing is found where options hold too many items for that.
    """
    pairs = sum([len(option) * (len(option) - 1) // 2 for option in with_limit_checks(options)])
    if pairs > min(PAIRS * sum(map(len, with_limit_checks(options))), MOST_EDGES):
        return []
    draw = random.Random(1)
    holders: list[set[int]] = [set() for _ in needs]
    mark = [0] * len(needs)
    for o, option in enumerate(with_limit_checks(options)):
        number = draw.getrandbits(62)
        for i in option:
            holders[i].add(o)
            mark[i] ^= number
    place = {mark[i]: i for i, need in enumerate(with_limit_checks(needs)) if need == 1}
    found: dict[tuple[int, ...], list[int]] = {}
    for option in with_limit_checks(options):
        for k, a in enumerate(option):
            if needs[a] != 1:
                continue
            for b in option[:k]:
                c = place.get(mark[a] ^ mark[b])
                if c is not None and needs[b] == 1 and holders[a] ^ holders[b] == holders[c]:
                    found[tuple(sorted((a, b, c)))] = sorted(holders[a] | holders[b])
    return [(2, union) for union in found.values()]


# --- asked -----------------------------------------------------------------------------------------------------------
# What a search with bounds asks at its nodes: compiled estimates, Python's own, or several at once.
#
# This is loaded only where there are bounds: without them, a search on links needs no estimate.


NATIVE: dict[EstimateFunction, int] = {none: 0, classic: CLASSIC, auto: CLASSIC}  # estimates compiled in the kernel


def cascade(estimates: Sequence[Estimate]) -> Estimate:
    """Several estimates combined into one, called in this order: it returns their highest bound, and all options that
    any of them excludes or forces."""
    if len(estimates) == 1 and estimates[0].bound in NATIVE:
        return estimates[0]

    def bound(view: Any, cutoff: int | None) -> Bound:
        best: int | None = None
        gone: dict[int, None] = {}
        sure: dict[int, None] = {}
        for estimate in estimates:
            said = hear(estimate, estimate.bound(view, cutoff), view.problem.options)
            gone.update(dict.fromkeys(said.exclude))
            sure.update(dict.fromkeys(said.force))
            if said.lower is None:
                return Bound(math.inf)
            lower = said.lower if said.prices is None else max(said.lower, value(view, said.prices))
            best = lower if best is None else max(best, lower)
            if cutoff is not None and best >= cutoff:
                break
        assert best is not None, "no estimate was asked"
        return Bound(best, exclude=gone, force=sure)

    return Estimate(", ".join(e.name for e in estimates), bound)


def asking(general: Any, estimate: Estimate, hearing: bool) -> Callable[[int, int], int]:
    """`run` for a kernel that asks a Python estimate for the bound of a node whenever it needs one.

    hearing: whether the kernel excludes and forces the options that the estimate names. It must not when every answer
    is listed, since the documented order would be lost.
    """

    def run(nodes: int, answers: int) -> int:
        last_node, last_answer = general.nodes + nodes, general.answers + answers
        code: int = general.run(nodes, answers)
        while code == ASK:
            said = estimate.bound(general, general.cutoff_left())
            assert isinstance(said, Bound)
            lower = None if said.lower == math.inf else said.lower
            general.tell(lower, *((said.exclude, said.force) if hearing else ()))
            code = general.run(last_node - general.nodes, last_answer - general.answers)
        return code

    return run
