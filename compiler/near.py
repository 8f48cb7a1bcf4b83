"""A model that asks, after all its goals, for as little change as possible from an answer that was given before."""

from __future__ import annotations

from collections.abc import Collection

from covr.compiler.compiled import Compiled
from covr.compiler.compiled_model import CompiledModel
from covr.compiler.lower.stages import Stage
from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.engine.problem import MAX_COST
from covr.frozen import evolve, frozen


@frozen
class Near:
    """An earlier answer. options: the numbers of its choices that still exist.  gone: the names of the others."""

    options: frozenset[int]
    gone: tuple[str, ...]


def near(compiled: Compiled, options: Collection[int], gone: Collection[str]) -> CompiledModel:
    """The model with one more goal, the last: that as few choices as possible are taken, left out or gone that an
    earlier answer had or had not. options, gone: as in `Near`. `up to` is left out, since its answers look alike and
    are not equally near.

    Raises ModelErrors E522 for a matrix, for an earlier answer of which nothing is left, and where the costs would
    become too large.
    """
    if not isinstance(compiled, CompiledModel):
        raise _refused("`near` goes with a model, not with a matrix")
    if gone and not options:
        help = "was it an answer of another model, or with other data?"
        raise _refused("no choice of the earlier answer exists in this model", help)
    old = Near(frozenset(options), tuple(gone))
    compiled = compiled.without_symmetry()
    lowered, problem = compiled.lowered, compiled.problem
    own = [0 if compiled.is_own(o) else -1 if o in old.options else 1 for o in range(problem.options)]
    stages = lowered.stages
    if not stages and lowered.goal is not None:
        least, most = sum(c for c in problem.costs if c < 0), sum(c for c in problem.costs if c > 0)
        stages = (Stage(lowered.goal, 1, least, most),)
    last = Stage("near", 1, -len(old.options), own.count(1), len(old.options) + len(old.gone))
    weight = last.most - last.least + 1
    costs = [weight * c + o for c, o in zip(problem.costs or [0] * problem.options, own, strict=True)]
    if sum(map(abs, costs)) >= MAX_COST:
        raise _refused("with `near` the costs of all choices together are too large")
    stages = (*(evolve(stage, weight=stage.weight * weight) for stage in stages), last)
    changed = evolve(
        lowered,
        problem=evolve(lowered.problem, costs=tuple(costs)),
        stages=stages,
        goal=lowered.goal or "minimize",
    )
    return CompiledModel(compiled.model, compiled.scope, changed, old)


def _refused(message: str, help: str = "") -> ModelErrors:
    return ModelErrors([Diagnostic("E522", message, None, help)])
