"""What a search with bounds asks at its nodes: compiled estimates, Python's own, or several at once.

This is loaded only where there are bounds: without them, a search on links needs no estimate.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from covr.engine.kernels.header import ASK, CLASSIC
from covr.engine.minimum.estimates import Bound, Estimate, EstimateFunction, hear
from covr.engine.minimum.estimates.auto import auto
from covr.engine.minimum.estimates.classic import classic
from covr.engine.minimum.estimates.none import none
from covr.engine.minimum.estimates.relaxed import value

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
