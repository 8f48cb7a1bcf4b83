"""Goals in order: `minimize …`, then `then maximize …`.

The costs of all goals become one: each goal is worth more than all that the goals after it can differ by together. So a
least sum is best for the first goal and, among the best for that, for the second; and whatever the engine does with
costs, it does with these: runs in files, bounds, linear programs, answers beside the best.

Source: the weighted sum of lexicographic optimisation; here with whole numbers, so that nothing is lost.
"""

from __future__ import annotations

from collections.abc import Sequence

from covr.frozen import frozen


@frozen
class Stage:
    """One of several goals in order. kind: `minimize`, `maximize`, or `near`, the number of changes from an earlier
    answer (near.py).  weight: what 1 of it is worth in the costs of the
    problem.  least, most: between which its costs lie whatever is taken, with the sign changed for `maximize`.
    offset: what is added to the cost of `near`."""

    kind: str
    weight: int
    least: int
    most: int
    offset: int = 0

    def value(self, cost: int) -> int:
        """A cost as a value of the goal: `maximize` counts the other way."""
        return -cost if self.kind == "maximize" else cost + self.offset


@frozen
class StageValue:
    """How far one goal is known. value: of the best answer.  bound: that no answer can beat, where one is known; the
    value itself if that is proved."""

    kind: str
    value: int
    bound: int | None

    @property
    def is_reached(self) -> bool:
        """Whether the value is proved the best."""
        return self.bound == self.value


def current(values: Sequence[StageValue]) -> int:
    """The number of the goal, from 1, that a search is at: the first of which the value is not proved, or the last."""
    return next((number for number, one in enumerate(values, 1) if not one.is_reached), len(values))


def stages_of(kinds: Sequence[str], costs: Sequence[Sequence[int]]) -> tuple[Stage, ...]:
    """The stages of goals. costs: for each goal what each choice costs; less is better."""
    stages: list[Stage] = []
    weight = 1
    for kind, own in zip(reversed(kinds), reversed(costs), strict=True):
        least, most = sum(c for c in own if c < 0), sum(c for c in own if c > 0)
        stages.append(Stage(kind, weight, least, most))
        weight *= most - least + 1
    return tuple(reversed(stages))


def together(stages: Sequence[Stage], costs: Sequence[Sequence[int]]) -> list[int]:
    """The costs of all goals as one."""
    return [sum(s.weight * c for s, c in zip(stages, own, strict=True)) for own in zip(*costs, strict=True)]


def taken_apart(stages: Sequence[Stage], cost: int) -> tuple[int, ...]:
    """The cost of each goal, from that of all as one; from a lower bound of it, lower bounds: that of the first goal,
    that of the second for answers which are as good for the first, and so on."""
    found = []
    for at, stage in enumerate(stages):
        rest = sum(s.weight * s.most for s in stages[at + 1 :])
        own = -((rest - cost) // stage.weight)  # rounded up
        found.append(own)
        cost -= own * stage.weight
    return tuple(found)


def told(stages: Sequence[Stage], best: int, bound: int | None) -> tuple[StageValue, ...]:
    """The value of each goal in the best answer, with what is proved of it. A bound of a later goal is known only where
    the goals before it are proved. best, bound: costs of all goals as one."""
    values = taken_apart(stages, best)
    bounds: Sequence[int | None] = [None] * len(stages) if bound is None else taken_apart(stages, bound)
    found: list[StageValue] = []
    proved = True
    for stage, value, least in zip(stages, values, bounds, strict=True):
        known = least if proved else None
        found.append(StageValue(stage.kind, stage.value(value), None if known is None else stage.value(known)))
        proved = proved and known == value
    return tuple(found)
