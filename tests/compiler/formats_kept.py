"""What a format keeps of a problem: everything that can be compared, and what dlx has no words for."""

from __future__ import annotations

import attrs

from covr.compiler.formats.dlx import MOST_TIMES
from covr.engine import Problem


def parts(problem: Problem) -> dict[str, object]:
    """Everything in a problem, names too, whatever kind of sequence holds it."""
    return {name: tuple(v) if hasattr(v, "__len__") else v for name, v in attrs.asdict(problem, recurse=False).items()}


def reachable(problem: Problem) -> Problem:
    """The problem as dlx has it: without bounds that no answer reaches, and without costs that are all 0."""
    low, high = list(problem.low), list(problem.high)
    for i in range(problem.items):
        high[i] = min(high[i], MOST_TIMES)
        if low[i] > high[i]:
            low[i] = high[i] = problem.options + 1
    return attrs.evolve(problem, low=tuple(low), high=tuple(high), costs=problem.costs if any(problem.costs) else ())
