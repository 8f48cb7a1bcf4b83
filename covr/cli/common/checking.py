"""`covr solve --check-estimate`: tests whether estimates are admissible on residual problems of this model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from covr.output.exits import FOUND, NONE
from covr.output.streams import known
from covr.questions.options import Options

if TYPE_CHECKING:
    from covr.compiler import Compiled


def try_estimates(compiled: Compiled, options: Options) -> int:
    """Test each estimate that `--estimate` names on small residual problems whose minimum is known, and print the
    result.

    Nothing is solved. Returns exit code 1 if a bound is too high, as such an estimate loses answers.
    """
    from covr.engine import find_estimate
    from covr.engine.check_estimate import ROUNDS, check_estimate

    if compiled.goal is None:
        raise click.UsageError("--check-estimate is about a model with `minimize` or `maximize`.")
    names = options.estimate.split(",") if isinstance(options.estimate, str) else [options.estimate]
    code = FOUND
    for name in names:
        estimate = find_estimate(name.strip() if isinstance(name, str) else name)
        fault = check_estimate(estimate.bound, compiled.problem, seed=options.seed or 0)
        if fault is None:
            click.echo(f"{estimate.name}: no fault found on {ROUNDS} residual problems")
        else:
            code = known(NONE)
            click.echo(f"{estimate.name}: {fault.what}")
    return code
