"""A search with bounds on costs, or of what no other kernel takes: Dancing Links that ask an estimate at nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from covr.engine.base.heed import look
from covr.engine.kernels.header import PYTHON
from covr.engine.kernels.loading import load
from covr.engine.method import Method
from covr.engine.prepare.exact import speed
from covr.engine.prepare.residual import Residual, take_given
from covr.engine.prepare.shift import shift
from covr.engine.witness import watch, without_spare

if TYPE_CHECKING:
    from covr.engine.problem import Problem
    from covr.engine.single import Prepared


def links_method(prepared: Prepared) -> Method:
    """Dancing Links with bounds, and a tree of linear programs beside them if there is one. Where something else
    provides a better bound, little time is spent on that of the root."""
    settings, goal = prepared.settings, prepared.goal
    module = load("_general", prepared.interpreted)
    ceiling = settings.ceiling
    searched, base = shift(prepared.searched)
    minimum, bounded = goal == "minimum", goal == "minimum" or ceiling is not None
    given_cost = sum(searched.costs[o] for o in searched.given) if searched.costs else 0
    residual = take_given(searched)
    native, prices, name, asking = _estimated(prepared, searched, residual) if bounded else (0, (), "", None)
    cutoff = None if ceiling is None else ceiling - base + 1
    general = module.General(searched, residual, minimum, native, given_cost, cutoff, prices, look)
    if minimum and searched.witness is not None:
        watch(general, without_spare(searched), "dancing links")

    def root_bound() -> int | None:
        value = general.root_bound()
        return None if value is None else value + base

    method = Method(
        f"dancing links with bounds ({speed(module)}){name}",
        general,
        general.run if asking is None else asking(general),
        lambda: prepared.whole(general.answer()),
        root_bound,
        lower=lambda ceiling: general.lower(ceiling - base + 1),
        fraction=general.fraction,
    )
    return prepared.with_tree(method)


def _estimated(
    prepared: Prepared, searched: Problem, residual: Residual
) -> tuple[int, Sequence[int], str, Callable[[Any], Callable[[int, int], int]]]:
    """What a kernel is told of the estimate, the prices at the root, what the estimate adds to its name, and what makes
    `run` of the kernel."""
    from covr.engine.minimum import asked
    from covr.engine.minimum.estimates.auto import auto
    from covr.engine.minimum.relaxation import BRIEF, EFFORT, root_prices

    estimate = asked.cascade(prepared.settings.estimates)
    effort = BRIEF if prepared.brief or prepared.has_tree else EFFORT
    prices = root_prices(searched, residual, prepared.interpreted, effort) if estimate.bound is auto else ()
    hearing = prepared.goal == "minimum"
    native = asked.NATIVE.get(estimate.bound, PYTHON)
    return native, prices, f", estimate {estimate.name}", lambda general: asked.asking(general, estimate, hearing)
