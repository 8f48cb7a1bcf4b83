"""One search on one thread: chooses the kernel for a problem, a goal and settings, and translates its answers back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from covr.engine.base.limits import Limits
from covr.engine.check import cost
from covr.engine.kernel_search import KernelSearch
from covr.engine.kernels.codes import DONE, FOUND, SLICE
from covr.engine.kernels.loading import load
from covr.engine.prepare.exact import MASKS_MEMORY, ExactCover, speed
from covr.engine.prepare.masks import build_masks, masks_fit
from covr.engine.prepare.residual import take_given
from covr.engine.problem import MAX_COST, Problem
from covr.engine.search import DEFAULTS, NO_LIMITS, check_goal
from covr.engine.settings import Settings
from covr.engine.setup import Setup
from covr.engine.sides import refuse_sides, refuse_told

if TYPE_CHECKING:
    from covr.engine.counting.part_count import PartCount

FAR = MAX_COST  # more than any cost, and more than any sum of costs that the kernel for sides forms
TELLING = ("auto", "sides", "reference")  # engines that can tell answers apart by some of their options
OUTSIDE = ("highs", "cpsat")  # engines that are other people's solvers, for a minimum
SIDED = ("auto", "sides", "reference", *OUTSIDE)  # engines that support at least totals


def begin(
    problem: Problem,
    goal: str = "all",
    limits: Limits = NO_LIMITS,
    settings: Settings = DEFAULTS,
    brief: bool = False,
) -> KernelSearch:
    """A search by one kernel on one thread, in the order that the settings define. Preparation takes linear time.

    brief: whether to spend little time on the bound at the root, because another search provides a better one.

    Raises ValueError for an unknown goal.
    """
    return KernelSearch(prepare(problem, goal, settings, brief), problem, goal, limits, settings)


def suits(problem: Problem, goal: str, limits: Limits, settings: Settings) -> bool:
    """One kernel on one thread answers every question."""
    return True


def start(problem: Problem, goal: str, limits: Limits, settings: Settings) -> KernelSearch:
    """`begin`, in the form that an `Engine` (dispatch.py) needs."""
    return begin(problem, goal, limits, settings)


def prepare(problem: Problem, goal: str, settings: Settings, brief: bool = False) -> Setup:
    """Renumber the problem if there is a seed, shift the costs, take the given options, and choose the kernel. Linear
    time. brief: as in `begin`.

    Raises ValueError for an unknown goal, and for one that the engine does not support.
    """
    check_goal(goal)
    if goal == "minimum":
        problem = problem.by_all()
    searched, numbers = (problem, None) if settings.seed is None else _shuffled(problem, settings.seed)
    ceiling = settings.ceiling
    if problem.sides and settings.engine not in SIDED and not (settings.engine == "mixed" and goal == "minimum"):
        refuse_sides(problem, f"the engine `{settings.engine}`")
    if settings.engine not in TELLING:
        refuse_told(problem, f"the engine `{settings.engine}`")
    if settings.engine == "sides" or (not problem.is_pure and settings.engine in ("auto", "mixed")):
        from covr.engine.minimum import mixed

        setup = _sides_setup(searched, goal, settings, problem.given, numbers)
        if not mixed.suits(searched, goal, settings):
            return setup
        given = problem.given

        def answer_of(options: Sequence[int]) -> tuple[int, ...]:
            return _back(options, given, numbers)

        return mixed.beside(setup, searched, settings, answer_of, lambda answer: cost(problem, answer))
    if settings.engine == "reference":
        oracle = _Oracle(searched, goal, ceiling)
        return Setup(
            "reference",
            oracle,
            oracle.run,
            lambda: _back(oracle.answer(), (), numbers),
            lower=oracle.lower,
        )
    if settings.engine in OUTSIDE:
        if goal != "minimum":
            raise ValueError(f"the engine `{settings.engine}` is only for a minimum")
        from covr.engine.outside import solvers

        outside = solvers.Outside(settings.engine, searched, ceiling)
        name = solvers.OUTSIDE[settings.engine]
        return Setup(
            name,
            outside,
            outside.run,
            lambda: _back(outside.answer(), problem.given, numbers),
            outside.bound,
            lower=outside.lower,
            stop=outside.stop,
        )
    interpreted = settings.interpreted or settings.engine == "interpreted"
    if goal == "all" and ceiling is None and searched.is_exact:
        return _exact_setup(ExactCover(searched, settings), problem.given, numbers)
    if goal == "minimum" and settings.engine in ("auto", "cover") and _is_cover(searched):
        from covr.engine.minimum.cover import Covering
        from covr.engine.prepare.shuffle import renumbered

        maps = settings.symmetries if numbers is None else [renumbered(one, numbers) for one in settings.symmetries]
        covering = Covering(searched, ceiling, settings.estimates, interpreted, maps)
        return Setup(
            covering.name,
            covering,
            covering.run,
            lambda: _back(covering.answer(), problem.given, numbers),
            covering.bound,
            lower=covering.lower,
            looks=True,
        )
    if goal == "all" and ceiling is None and settings.engine in ("auto", "bits"):
        bounded_sets = _bounds_setup(searched, settings, problem.given, numbers)
        if bounded_sets is not None:
            return bounded_sets
    from covr.engine.bounded import bounded_setup

    def whole(options: Sequence[int]) -> tuple[int, ...]:
        return _back(options, problem.given, numbers)

    return bounded_setup(problem, searched, goal, settings, interpreted, brief, whole)


def _shuffled(problem: Problem, seed: int) -> tuple[Problem, Sequence[int]]:
    from covr.engine.prepare.shuffle import shuffle

    return shuffle(problem, seed)


def _is_cover(problem: Problem) -> bool:
    from covr.engine.minimum.core import is_suited

    return is_suited(problem)


def _exact_setup(exact: ExactCover, given: Sequence[int], numbers: Sequence[int] | None) -> Setup:
    lister = exact.lister()
    kernel = lister.kernel

    def whole(options: Sequence[int]) -> tuple[int, ...]:
        return _back(options, given, numbers)

    def counting() -> Setup | None:
        counter = exact.counter()
        if counter is None:
            return None
        memo, title = counter
        if exact.settings.engine == "auto" and not exact.problem.colours:
            from covr.engine.counting.frontier_count import CountByFrontier

            memo = CountByFrontier(memo, exact.problem, exact.residual, exact.settings.memory)
        return Setup(title, memo, memo.run, tuple, fraction=memo.fraction, spared=lambda: memo.spared)

    return Setup(
        lister.name,
        kernel,
        kernel.run,
        lambda: whole(kernel.answer()),
        counting=counting,
        exact=exact,
        gatherer=lister.gatherer,
        whole=whole,
        fraction=kernel.fraction,
    )


def _sides_setup(
    problem: Problem, goal: str, settings: Settings, given: Sequence[int], numbers: Sequence[int] | None
) -> Setup:
    """The kernel that can search any problem, with or without sides."""
    from covr.engine.prepare.shift import shift
    from covr.engine.prepare.sides import side_arrays

    module = load("_sides", settings.interpreted)
    shifted, base = shift(problem)
    ceiling = settings.ceiling
    bounded = goal == "minimum" or ceiling is not None
    cutoff = FAR if ceiling is None else min(max(ceiling - base + 1, -FAR), FAR)
    kernel = module.Sides(shifted, side_arrays(problem), goal == "minimum", bounded, cutoff)

    def root_bound() -> int | None:
        value = kernel.root_bound()
        return None if value is None else value + base

    kind = "totals, connections and loops"
    if not problem.sides:
        kind = "items weighed by dead ends" if problem.told is None else "answers by some options"

    def counting() -> Setup | None:
        memo = _part_count(problem, settings)
        if memo is None:
            return None
        from covr.engine.counting.part_count import CountInTurns

        turns = CountInTurns(kernel, memo)
        name = f"answers by some options, with a memo by turns ({speed(module)})"
        return Setup(name, turns, turns.run, tuple, fraction=turns.fraction)

    return Setup(
        f"{kind} ({speed(module)})",
        kernel,
        kernel.run,
        lambda: _back(kernel.answer(), given, numbers),
        root_bound,
        lower=lambda ceiling: kernel.lower(min(max(ceiling - base, -FAR), FAR)),
        gatherer=kernel if goal == "all" else None,
        whole=lambda options: _back(options, given, numbers),
        fraction=kernel.fraction,
        counting=counting if goal == "all" else lambda: None,
    )


def _part_count(problem: Problem, settings: Settings) -> PartCount[Any] | None:
    """A count with a memo for a problem of which some options tell answers apart; None where there is none for it, or
    the settings ask for none."""
    if problem.told is None or problem.sides or settings.engine != "auto" or settings.ceiling is not None:
        return None
    from covr.engine.counting.part_count import PartCount
    from covr.engine.counting.part_nodes import BoundedParts, ExactParts
    from covr.engine.prepare.multiplicity import build_sets

    whole = problem.by_all()
    residual = take_given(whole)
    if not residual.feasible:
        return None
    if whole.is_exact:
        if not masks_fit(whole, residual, MASKS_MEMORY):
            return None
        masks = build_masks(whole, residual, settings.interpreted)
        return PartCount(ExactParts(masks), masks.numbers, problem.told, settings.memory)
    sets = build_sets(whole, residual, settings.interpreted)
    if sets is None:
        return None
    return PartCount(BoundedParts(sets), sets.numbers, problem.told, settings.memory)


def _bounds_setup(
    problem: Problem, settings: Settings, given: Sequence[int], numbers: Sequence[int] | None
) -> Setup | None:
    """A kernel on sets of options for a problem with bounds; None where links should be used instead."""
    from covr.engine.prepare.multiplicity import build_sets

    module = load("_multiplicity", settings.interpreted)
    if not module.COMPILED and settings.engine == "auto":
        return None
    residual = take_given(problem)
    sets = build_sets(problem, residual, settings.interpreted)
    kernel = sets and module.Multiplicity(sets, residual.feasible)
    if not kernel or not kernel.ready:
        return None
    return Setup(
        f"bit sets with bounds ({speed(module)})",
        kernel,
        kernel.run,
        lambda: _back(kernel.answer(), given, numbers),
        fraction=kernel.fraction,
    )


def _back(options: Sequence[int], given: Sequence[int], numbers: Sequence[int] | None) -> tuple[int, ...]:
    if numbers is None and not given:
        return tuple(sorted(options))
    own = options if numbers is None else [numbers[o] for o in options]
    return tuple(sorted([*own, *given]))


class _Oracle:
    """The reference search (reference.py) with the interface of a kernel."""

    def __init__(self, problem: Problem, goal: str, ceiling: int | None):
        self.nodes = self.updates = self.answers = 0
        self.code = -1
        from covr.engine import reference

        self._steps = reference.explore(problem, goal, ceiling)
        self._problem, self._ceiling = problem, ceiling
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
            if self._ceiling is not None and cost(self._problem, step) > self._ceiling:
                continue
            self._answer = step
            self.answers += 1
            if self.answers >= until:
                return FOUND

    def answer(self) -> list[int]:
        return list(self._answer)

    def lower(self, ceiling: int) -> None:
        """Find only answers of at most this cost from now on."""
        self._ceiling = ceiling if self._ceiling is None else min(self._ceiling, ceiling)
