"""A search with bounds on costs, or of what no other kernel takes: Dancing Links that ask an estimate at nodes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from covr.engine.base.heed import look
from covr.engine.kernels.header import ASK, CLASSIC, PYTHON
from covr.engine.kernels.loading import load
from covr.engine.method import Method
from covr.engine.minimum.estimates import Bound, Estimate, EstimateFunction, hear
from covr.engine.minimum.estimates.auto import auto
from covr.engine.minimum.estimates.classic import classic
from covr.engine.minimum.estimates.none import none
from covr.engine.minimum.estimates.relaxed import value
from covr.engine.minimum.relaxation import BRIEF, EFFORT, root_prices
from covr.engine.prepare.exact import speed
from covr.engine.prepare.residual import take_given
from covr.engine.prepare.shift import shift

if TYPE_CHECKING:
    from covr.engine.single import Prepared

NATIVE: dict[EstimateFunction, int] = {none: 0, classic: CLASSIC, auto: CLASSIC}  # estimates compiled in the kernel


def links_method(prepared: Prepared) -> Method:
    """Dancing Links with bounds, and a tree of linear programs beside them if there is one. Where something else
    provides a better bound, little time is spent on that of the root."""
    settings, goal, interpreted = prepared.settings, prepared.goal, prepared.interpreted
    module = load("_general", interpreted)
    ceiling = settings.ceiling
    searched, base = shift(prepared.searched)
    bounded = goal == "minimum" or ceiling is not None
    given_cost = sum(searched.costs[o] for o in searched.given) if searched.costs else 0
    estimate = _cascade(settings.estimates)
    residual = take_given(searched)
    priced = bounded and estimate.bound is auto
    effort = BRIEF if prepared.brief or prepared.has_tree else EFFORT
    general = module.General(
        searched,
        residual,
        goal == "minimum",
        NATIVE.get(estimate.bound, PYTHON) if bounded else 0,
        given_cost,
        None if ceiling is None else ceiling - base + 1,
        root_prices(searched, residual, interpreted, effort) if priced else (),
        look,
    )

    def root_bound() -> int | None:
        value = general.root_bound()
        return None if value is None else value + base

    method = Method(
        f"dancing links with bounds ({speed(module)})" + (f", estimate {estimate.name}" if bounded else ""),
        general,
        _asking(general, estimate, goal == "minimum"),
        lambda: prepared.whole(general.answer()),
        root_bound,
        lower=lambda ceiling: general.lower(ceiling - base + 1),
        fraction=general.fraction,
    )
    return prepared.with_tree(method)


def _cascade(estimates: Sequence[Estimate]) -> Estimate:
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


def _asking(general: Any, estimate: Estimate, hearing: bool) -> Callable[[int, int], int]:
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
