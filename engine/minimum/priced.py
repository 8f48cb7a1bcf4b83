"""Exact covers on sets of options in the order of their reduced costs (_priced.py), begun from the bound at a root.

This applies to cores whose items are to be met exactly once or at most once, and whose options each hold at least one
of the former. It uses the prices of the linear program (mixed_tree.py): an answer costs at least their bound plus the
reduced costs of its options, where negative ones count as 0 because the bound already contains them.

Measured against doing without it, as the sweep (sweep.py) and the tree end most of these problems, too; CPU seconds of
a search for the minimum, without and with: costs-pent6x10 9.4 and 0.55, costs-pent4x15 0.97 and 0.31; with random costs
pent-8x8c 1.85 and 0.25, pent-6x10 1.56 and 0.59, queens-12 0.33 and 0.12, ypent-10x10 0.32 and 0.17, soma 0.20 and
0.14; random partitions of 30 items by 600 options 0.23 and 0.15, of 40 by 1000 0.46 and 0.14; rand-60-350 took 1.24 s,
and was still open after 20 s without it.

Measured again on a busier machine, CPU seconds and nodes without and with: costs-pent6x10 open after 15 s (225 666) and
0.51 (120 764), costs-pent4x15 0.98 (42 548) and 0.21 (28 679), costs-queens13 0.12 (9839) and 0.07 (3788), triples
20/600 0.28 (18 370) and 0.08 (23 302). Only crews 50/1000, which the tree ends, takes longer with it: 7.6 to 8.1
(119 960) and 9.1 to 9.6 (550 068). It takes no part in squares 4, assignment 40, packing 60/1000, nurses 16,
independent 40/6 and bus-t1.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from covr.engine.kernels.loading import load
from covr.engine.minimum.mixed_core import MixedCore
from covr.engine.minimum.mixed_tree import Root
from covr.engine.prepare.masks import MASKS_MEMORY
from covr.engine.witness import Lost


class Priced:
    """The kernel, and the translation of its answers into the core's option numbers. words: 64 options in each, that an
    update reads."""

    def __init__(self, core: MixedCore, root: Root, ceiling: int, interpreted: bool = False) -> None:
        """core: one for which `fits` holds.  root: its bound and reduced costs.  ceiling: the most an answer may cost
        in the core."""
        self._core, self._root = core, root
        needy = [i for i in range(core.rows) if core.lows[i] > 0]
        covered = {i for o in root.taken for i in core.options[o]}
        place = {i: k for k, i in enumerate(i for i in needy if i not in covered)}
        self._numbers = sorted(root.free, key=lambda o: (max(root.reduced[o], 0), o))
        rows: list[list[int]] = [[] for _ in core.lows]
        shades: list[list[int]] = [[] for _ in core.lows]
        begin, members = [0], []
        for b, o in enumerate(self._numbers):
            for k, i in enumerate(core.options[o]):
                rows[i].append(b)
                if core.shades is not None:
                    shades[i].append(core.shades[o][k])
            members += [place[i] for i in core.options[o] if i in place]
            begin.append(len(members))
        for i, shade in enumerate(shades):
            if any(shade):
                order = sorted(range(len(shade)), key=shade.__getitem__)
                rows[i] = [rows[i][k] for k in order]
                shades[i] = [shade[k] for k in order]
            else:
                shades[i] = []
        self.words = words = max(1, -(-len(self._numbers) // 64))
        masks = load("_masks", interpreted)
        own = [rows[i] for i in place]
        self.kernel: Any = load("_priced", interpreted).PricedKernel(
            words,
            begin,
            members,
            masks.holders(words, own),
            masks.compatible(len(self._numbers), words, rows, shades),
            [max(root.reduced[o], 0) for o in self._numbers],
            [core.costs[o] for o in self._numbers],
            family(own, begin, members),
            [len(row) for row in own],
            sum(core.costs[o] for o in root.taken),
            core.barrier(ceiling) - root.bound,
            ceiling,
        )
        if core.witness is not None and core.worth <= ceiling:
            self._watch(core.witness)

    def _watch(self, witness: Collection[int]) -> None:
        """Hold the kernel to the core's witness. Raises Lost if what the root has settled excludes it."""
        left = set(witness) - set(self._root.taken)
        if not set(self._root.taken) <= set(witness) or not left <= set(self._numbers):
            raise Lost("sets in the order of reduced costs: what the root has settled")

        def describe(what: str, option: int) -> str:
            own = self._core.numbers[self._numbers[option]]
            return f"sets in the order of reduced costs, {what}: option {own} is not tried"

        self.kernel.watch([int(o in left) for o in self._numbers], self._core.worth, describe)

    def lower(self, ceiling: int) -> None:
        """Find only answers of at most this cost in the core from now on."""
        self.kernel.lower(self._core.barrier(ceiling) - self._root.bound, ceiling)

    def answer(self) -> list[int]:
        """The options of the answer, in the core's numbers."""
        return [*self._root.taken, *(self._numbers[b] for b in self.kernel.answer())]


def fits(core: MixedCore, root: Root) -> bool:
    """Whether this search applies to the core, and its sets would take at most `MASKS_MEMORY` bytes."""
    lows, highs = core.lows, core.highs
    if not all((lows[i] == highs[i] == 1) or (lows[i] == 0 and highs[i] == 1) for i in range(core.rows)):
        return False
    if len(root.free) ** 2 // 8 + core.rows * (core.rows + len(root.free)) // 4 > MASKS_MEMORY:
        return False
    return all(any(i < core.rows and lows[i] for i in core.options[o]) for o in root.free)


def family(rows: Sequence[Sequence[int]], begin: Sequence[int], members: Sequence[int]) -> list[int]:
    """Items no two of which share an option, together in as many options as possible: a greedy choice. Starting from
    each item in turn, the item with the most options that still fits is added again and again; the best start wins.

    rows: per item its options.  begin, members: option b holds the items members[begin[b]:begin[b + 1]].
    Time O(items² + items · length of the options)."""
    meets = [0] * len(rows)
    for b in range(len(begin) - 1):
        held = members[begin[b] : begin[b + 1]]
        mask = sum(1 << i for i in held)
        for i in held:
            meets[i] |= mask
    order = sorted(range(len(rows)), key=lambda i: -len(rows[i]))
    best: list[int] = []
    most = 0
    for start in range(len(rows)):
        chosen, barred = [start], meets[start]
        for i in order:
            if not barred >> i & 1:
                chosen.append(i)
                barred |= meets[i]
        size = sum(len(rows[i]) for i in chosen)
        if size > most:
            best, most = chosen, size
    return sorted(best)
