"""The view (estimates/view.py) of a node of the covering tree, in the numbers and costs of the problem."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from covr.engine.minimum.core import IMPLIED, Core
from covr.engine.problem import Problem


class CoverView:
    """A copy of the tree's top level. Options that cost nothing were taken; none has a negative cost."""

    credit = 0

    def __init__(self, problem: Problem, tree: Any, core: Core):
        """core: the core that the tree searches."""
        self.problem = problem
        items, options, base, unit = core.items, core.numbers, core.base, core.unit
        local_items, needs, local_options, costs, held = tree.local()
        taken, paid = tree.taken()
        self.paid, self.depth = base + unit * paid, core.depth + len(taken)
        self.cutoff = unit * (tree.limit() - paid)
        self.rows = [items[i] for i in local_items]  # all of the tree's items at the node, implied ones as IMPLIED
        self._needs: dict[int, int] = {i: need for i, need in zip(self.rows, needs, strict=True) if i != IMPLIED}
        self._costs: dict[int, int] = {options[o]: unit * cost for o, cost in zip(local_options, costs, strict=True)}
        self._reach = {
            options[o]: [self.rows[i] for i in run if self.rows[i] != IMPLIED]
            for o, run in zip(local_options, held, strict=True)
        }
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
        return self._needs.get(self._item(item), 0)

    def options(self, item: int) -> list[int]:
        return list(self._holders.get(self._item(item), ()))

    def reach(self, option: int) -> list[int]:
        if self._option(option) in self._reach:
            return list(self._reach[option])
        return [i for i in self.problem.option(option) if i in self._needs]

    def cost(self, option: int) -> int:
        found = self._costs.get(self._option(option))
        return self.problem.costs[option] if found is None else found

    def _item(self, item: int) -> int:
        if not 0 <= item < self.problem.items:
            raise IndexError(f"there is no item {item}: they are 0 to {self.problem.items - 1}")
        return item

    def _option(self, option: int) -> int:
        if not 0 <= option < self.problem.options:
            raise IndexError(f"there is no option {option}: they are 0 to {self.problem.options - 1}")
        return option
