"""The view (estimates/view.py) of a node of the covering tree, in the numbers and costs of the problem."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from covr.engine.problem import Problem


class CoverView:
    """A copy of the tree's top level. Options that cost nothing were taken; none has a negative cost."""

    credit = 0

    def __init__(self, problem: Problem, tree: Any, items: Sequence[int], options: Sequence[int], base: int, unit: int):
        """items, options: the problem's numbers of the tree's.  A cover that costs the tree c costs base + unit·c."""
        self.problem = problem
        local_items, needs, local_options, costs, held = tree.local()
        taken, paid = tree.taken()
        self.paid, self.depth = base + unit * paid, len(taken)
        self.cutoff = unit * (tree.limit() - paid)
        self._needs: dict[int, int] = {items[i]: need for i, need in zip(local_items, needs, strict=True)}
        self._costs: dict[int, int] = {options[o]: unit * cost for o, cost in zip(local_options, costs, strict=True)}
        numbers: list[int] = list(self._needs)
        self._reach = {options[o]: [numbers[i] for i in run] for o, run in zip(local_options, held, strict=True)}
        self.place = {options[o]: o for o in local_options}  # the tree's number of a live option

    @cached_property
    def _holders(self) -> dict[int, list[int]]:
        holders: dict[int, list[int]] = {i: [] for i in self._needs}
        for o, reach in self._reach.items():
            for i in reach:
                holders[i].append(o)
        return holders

    def uncovered(self) -> list[int]:
        return list(self._needs)

    def need(self, item: int) -> int:
        return self._needs[item]

    def options(self, item: int) -> list[int]:
        return self._holders[item]

    def reach(self, option: int) -> list[int]:
        return self._reach[option]

    def cost(self, option: int) -> int:
        return self._costs[option]
