"""From a problem, a goal and settings to a kernel that is ready to run, and the way back for its answers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

from covr.engine import reference
from covr.engine.cover import Covering, is_suited
from covr.engine.estimates import Bound, Estimate, EstimateFunction
from covr.engine.estimates.auto import auto
from covr.engine.estimates.classic import classic
from covr.engine.estimates.none import none
from covr.engine.estimates.relaxed import value
from covr.engine.kernels import ASK, DONE, FOUND, SLICE, Kernel, load
from covr.engine.masks import build_masks, masks_memory
from covr.engine.problem import Problem
from covr.engine.residual import take_given
from covr.engine.settings import Settings
from covr.engine.shift import shift
from covr.engine.shuffle import shuffle

GOALS = {"all": "every answer", "minimum": "ever cheaper answers, down to the cheapest"}

NATIVE: dict[EstimateFunction, int] = {none: 0, classic: 1, auto: 1}  # what the kernel has in compiled form, by number
MASKS_MEMORY = 1 << 28  # bytes; beyond, the masks of a problem cost more than they save
ASKED = 2  # any other: the kernel stops and asks


@frozen
class Setup:
    """A kernel and what surrounds it.

    name: the engine in words.  run: one slice.  answer: the last answer in the caller's numbers.
    root_bound: the proved lower bound from the root, once known.
    """

    name: str
    kernel: Kernel
    run: Callable[[int, int], int]
    answer: Callable[[], tuple[int, ...]]
    root_bound: Callable[[], int | None]


def prepare(problem: Problem, goal: str, settings: Settings) -> Setup:
    """Renumber (seed), shift costs, take what is given, and choose the kernel. Linear time."""
    searched, numbers = (problem, None) if settings.seed is None else shuffle(problem, settings.seed)
    ceiling = settings.ceiling
    if settings.engine == "reference":
        oracle = _Oracle(searched, goal, ceiling)
        return Setup("reference", oracle, oracle.run, lambda: _back(oracle.answer(), (), numbers), lambda: None)
    interpreted = settings.interpreted or settings.engine == "interpreted"
    if goal == "all" and ceiling is None and searched.is_exact:
        exact, name = _exact(searched, settings.engine, interpreted)
        return Setup(name, exact, exact.run, lambda: _back(exact.answer(), problem.given, numbers), lambda: None)
    if goal == "minimum" and settings.engine in ("auto", "cover") and is_suited(searched):
        covering = Covering(searched, ceiling, settings.estimates, interpreted)
        return Setup(
            covering.name,
            covering,
            covering.run,
            lambda: _back(covering.answer(), problem.given, numbers),
            covering.bound,
        )
    module = load("_general", interpreted)
    searched, base = shift(searched)
    bounded = goal == "minimum" or ceiling is not None
    given_cost = sum(searched.costs[o] for o in searched.given) if searched.costs else 0
    estimate = _cascade(settings.estimates)
    general = module.General(
        searched,
        take_given(searched),
        goal == "minimum",
        NATIVE.get(estimate.bound, ASKED) if bounded else 0,
        given_cost,
        None if ceiling is None else ceiling - base + 1,
    )

    def root_bound() -> int | None:
        value = general.root_bound()
        return None if value is None else value + base

    return Setup(
        f"dancing links with bounds ({_speed(module)})" + (f", estimate {estimate.name}" if bounded else ""),
        general,
        _asking(general, estimate),
        lambda: _back(general.answer(), problem.given, numbers),
        root_bound,
    )


def _exact(problem: Problem, engine: str, interpreted: bool) -> tuple[Kernel, str]:
    """The kernel for bounds 1, 1 and 0, 1, and its name.

    Bits where they are compiled and the masks are not too large: interpreted, links are faster.
    """
    residual = take_given(problem)
    module = load("_bits", interpreted)
    if engine == "bits" or (engine == "auto" and module.COMPILED):
        memory = masks_memory(problem, residual)
        if memory is not None and memory <= MASKS_MEMORY:
            masks = build_masks(problem, residual, interpreted)
            return module.Bits(masks, residual.feasible), f"bit sets, exact cover ({_speed(module)})"
    module = load("_exact", interpreted)
    return module.Exact(problem, residual), f"dancing links, exact cover ({_speed(module)})"


def _speed(module: Any) -> str:
    return "compiled" if module.COMPILED else "interpreted"


def _back(options: Sequence[int], given: Sequence[int], numbers: Sequence[int] | None) -> tuple[int, ...]:
    own = options if numbers is None else [numbers[o] for o in options]
    return tuple(sorted([*own, *given]))


def _cascade(estimates: Sequence[Estimate]) -> Estimate:
    """Several estimates as one, in this order; the general kernel uses the numbers alone."""
    if len(estimates) == 1 and estimates[0].bound in NATIVE:
        return estimates[0]

    def bound(view: Any, cutoff: int | None) -> float:
        best = -math.inf
        for estimate in estimates:
            said = estimate.bound(view, cutoff)
            if isinstance(said, Bound):
                said = max(said.lower, -math.inf if said.prices is None else value(view, said.prices))
            if said != said:
                raise ValueError(f"the estimate {estimate.name} is not a number")
            best = max(best, said)
            if cutoff is not None and best >= cutoff:
                break
        return best

    return Estimate(", ".join(e.name for e in estimates), bound)


def _asking(general: Any, estimate: Estimate) -> Callable[[int, int], int]:
    """`run` for a kernel that asks for the bound of a node whenever it needs one."""

    def run(nodes: int, answers: int) -> int:
        last_node, last_answer = general.nodes + nodes, general.answers + answers
        code: int = general.run(nodes, answers)
        while code == ASK:
            lower = estimate.bound(general, general.cutoff_left())
            assert not isinstance(lower, Bound)
            general.tell(None if lower == math.inf else math.ceil(lower))
            code = general.run(last_node - general.nodes, last_answer - general.answers)
        return code

    return run


class _Oracle:
    """The reference in a kernel's clothes."""

    def __init__(self, problem: Problem, goal: str, ceiling: int | None):
        self.nodes = self.updates = self.answers = 0
        self.code = -1
        self._steps = reference.explore(problem, goal, ceiling)
        self._node_waits = False
        self._answer: tuple[int, ...] = ()

    def run(self, nodes: int, answers: int) -> int:
        self.code = -1
        self.code = self._run(self.nodes + nodes, self.answers + answers)
        return self.code

    def _run(self, end: int, until: int) -> int:
        while True:
            if self._node_waits:
                if self.nodes >= end:
                    return SLICE
                self.nodes += 1
                self._node_waits = False
            step = next(self._steps, "done")
            if step == "done":
                return DONE
            if step is None:
                self._node_waits = True
                continue
            assert isinstance(step, tuple)
            self._answer = step
            self.answers += 1
            if self.answers >= until:
                return FOUND

    def answer(self) -> list[int]:
        return list(self._answer)
