"""A search for covers that is stopped again and again, in the middle of any stage."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from covr.engine import Problem, Status, check, cost
from covr.engine.base.limits import LimitReached, limits_checked_by
from covr.engine.kernels.header import DONE, FOUND
from covr.engine.minimum.cover import Covering
from covr.engine.minimum.estimates import ESTIMATES
from covr.engine.settings import Pace


def stopped_anywhere(
    problem: Problem, rng: Random, interpreted: bool, true: int | None, nodes: Sequence[int] = (1000,)
) -> int | None:
    """The minimum that the search finds. Whatever is stopped in the middle of a stage must have drawn no false
    conclusion, and lost no cover. true: the minimum, or None where there is no cover.  nodes: how many in one call."""
    kernel = Covering(problem, None, [ESTIMATES["auto"]], interpreted, pace=Pace(least=1))
    kernel.looks.set_pulse(rng.choice((1, 5, 40)))
    best: int | None = None
    stops = 0

    def stop() -> Status | None:
        nonlocal stops
        if stops == 40 or rng.random() < 0.5:
            return None
        stops += 1
        return Status.LIMIT

    with limits_checked_by(stop):
        while kernel.code != DONE:
            try:
                kernel.run(rng.choice(nodes), 1)
            except LimitReached:
                assert kernel.code in (-1, FOUND)
            bound = kernel.bound()
            assert bound is None or true is None or bound <= true
            if kernel.code == FOUND:
                answer = sorted(kernel.answer())
                assert check(problem, answer) is None
                assert best is None or cost(problem, answer) < best
                best = cost(problem, answer)
    return best
