"""Tests whether an estimate is admissible, on small residual problems whose minimum is known exactly.

An estimate that returns too large a bound loses answers silently. Here its author can have it tested: on what is left
of a given problem when a few options are taken and only some of the others stay, or on small random problems with all
kinds of bounds, colours, and costs of both signs. A bound must not exceed the minimum. Options that the estimate
excludes must be in none of the completions that cost less than the cutoff, and options that it forces must be in all of
them. Prices are not tested, because the engine itself computes the bound that they give.

This can't prove that an estimate is right, but every fault that it reports is a real one.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from typing import Any

from attrs import evolve

from covr.engine.dispatch import search
from covr.engine.kernels.header import ASK, PYTHON
from covr.engine.kernels.loading import load
from covr.engine.minimum.estimates import EstimateFunction, find_estimate, hear
from covr.engine.prepare.masks import take_given
from covr.engine.problem import Problem, build
from covr.engine.settings import Settings
from covr.frozen import frozen

ROUNDS = 200  # how many residual problems are tried by default
SIZE = 10  # options that stay free in a residual problem
# Ranges of costs where bounds computed in floats go wrong, because neighbouring floats are further apart than costs.
LARGE = [(2**53, 2**53 + 9), (2**58 - 5, 2**58 + 5), (-(2**57), 2**57)]
BOUNDS = [(1, 1), (0, 1), (1, 99), (2, 99), (2, 3), (0, 2), (1, 2)]


@frozen
class Fault:
    """A fault of an estimate.

    problem: the small problem, its given options taken.  cutoff: the cutoff that the estimate was called with; None for
    no cutoff.  what: the fault in words.
    """

    problem: Problem
    cutoff: int | None
    what: str


def check_estimate(
    estimate: EstimateFunction, problem: Problem | None = None, rounds: int = ROUNDS, seed: int = 0
) -> Fault | None:
    """Test an estimate; returns the first fault found, or None.

    problem: the problem whose residual problems are tried; None for random problems.  rounds: how many are tried.
    The same seed tries the same problems. Exceptions that the estimate raises are passed on.
    """
    draw = random.Random(seed)
    for _ in range(rounds):
        small = mixed(draw) if problem is None else residual(problem, draw)
        for fault in _faults(estimate, small):
            return fault
    return None


def mixed(draw: random.Random) -> Problem:
    """A random problem of up to 6 items and 9 options."""
    bounds = sorted(draw.choices(BOUNDS, k=draw.randint(1, 6)), key=lambda b: b[0] == 0)
    options = []
    for _ in range(draw.randint(1, 9)):
        held = draw.sample(range(len(bounds)), draw.randint(1, min(4, len(bounds))))
        options.append([(i, draw.randint(0, 2) if bounds[i] == (0, 1) else 0) for i in held])
    low, high = draw.choice([(1, 1), (0, 9), (1, 5), (-3, 4), *LARGE])
    return build(bounds, options, costs=[draw.randint(low, high) for _ in options])


def residual(problem: Problem, draw: random.Random) -> Problem:
    """What is left of a problem when some options are taken, a few that could complete them stay free, and the rest are
    excluded."""
    options = list(range(problem.options))
    draw.shuffle(options)
    taken = set(problem.given)
    need = list(problem.low)
    for o in taken:
        for i in problem.option(o):
            need[i] -= 1
    reserve = draw.randint(1, 4)
    for o in options:
        if sum(n > 0 for n in need) <= reserve * max(len(problem.option(o)), 1):
            break
        if o not in taken and all(need[i] > 0 or problem.high[i] > problem.options for i in problem.option(o)):
            taken.add(o)
            for i in problem.option(o):
                need[i] -= 1
    useful = [o for o in options if o not in taken and any(need[i] > 0 for i in problem.option(o))]
    keep = sorted([*taken, *useful[:SIZE]])
    return _restricted(problem, keep, [k for k, o in enumerate(keep) if o in taken])


def _restricted(problem: Problem, keep: Sequence[int], given: Sequence[int]) -> Problem:
    return build(
        list(zip(problem.low, problem.high, strict=True)),
        [list(zip(problem.option(o), problem.option_colours(o), strict=True)) for o in keep],
        costs=[problem.costs[o] for o in keep] if problem.costs else (),
        given=given,
    )


def _faults(estimate: EstimateFunction, problem: Problem) -> Iterator[Fault]:
    paid = sum(problem.costs[o] for o in problem.given) if problem.costs else 0
    least = _least(problem)
    true = math.inf if least is None else least - paid
    for cutoff in (None, *([] if least is None else [least - paid, least - paid + 1])):
        view = _view(problem)
        if view is None:
            return
        said = estimate(view, cutoff)
        try:
            bound = hear(find_estimate(estimate), said, problem.options)
        except ValueError as error:
            yield Fault(problem, cutoff, str(error))
            return
        lower = math.inf if bound.lower is None else bound.lower
        if lower > true:
            yield Fault(problem, cutoff, f"it says {lower}, but {true} is enough")
        if cutoff is None:
            continue
        for o in bound.exclude:
            with_it = _least(evolve(problem, given=tuple(sorted({*problem.given, o}))))
            if with_it is not None and with_it - paid < cutoff:
                yield Fault(problem, cutoff, f"it excludes option {o}, but {with_it - paid} is possible with it")
        for o in bound.force:
            keep = [k for k in range(problem.options) if k != o]
            without = _least(_restricted(problem, keep, [k - (k > o) for k in problem.given]))
            if without is not None and without - paid < cutoff:
                yield Fault(problem, cutoff, f"it forces option {o}, but {without - paid} is possible without it")


def _least(problem: Problem) -> int | None:
    """The minimum, by Dancing Links without any estimate."""
    run = search(problem, goal="minimum", settings=Settings(engine="links", estimate="none"))
    for _ in run:
        pass
    return run.best


def _view(problem: Problem) -> Any:
    """The first node of the search, as an estimate sees it; None if the search ends before it asks for a bound."""
    paid = sum(problem.costs[o] for o in problem.given) if problem.costs else 0
    kernel = load("_general").General(problem, take_given(problem), True, PYTHON, paid, None)
    return kernel if kernel.run(1, 1) == ASK else None
