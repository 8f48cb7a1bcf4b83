"""How hard a puzzle is, from the sizes of the steps that lead to its answer (proofs/way.py).

The figure is `h + e / (e + 100)`: h is the size of the hardest step, and the effort e is the sum of size - 1 over all
steps. So puzzles are ordered by their hardest step first, and then by how much there is to do. No further step ever
makes the figure smaller, so a puzzle that is too hard is recognised before the path ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from covr.engine.problem import Problem
from covr.engine.proofs.way import Steps

FULL = 100  # the effort at which a grade is half a point above its hardest step


def figure_of(sizes: Iterable[int]) -> float:
    """The grade of a path with steps of these sizes, rounded to two decimals; 0 without steps."""
    hardest = effort = 0
    for size in sizes:
        hardest = max(hardest, size)
        effort += size - 1
    return round(hardest + effort / (effort + FULL), 2)


def grade_within(
    problem: Problem, answer: Sequence[int], low: float, high: float, stopped: Callable[[], bool]
) -> float | None:
    """The grade of a problem whose only answer this is, if it lies from `low` to `high`, else None. Also None if
    `stopped` ended the path early."""
    forced = set(answer)
    steps = Steps(problem, answer, forced, set(range(problem.options)) - forced, stopped=stopped, most=high)
    sizes: list[int] = []
    for step in steps:
        sizes.append(step.size)
        if figure_of(sizes) > high:
            return None
    figure = figure_of(sizes)
    return figure if steps.finished and low <= figure <= high else None
