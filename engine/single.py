"""Makes the kernel of one search on one thread, and translates its answers back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from covr.engine.base.limits import Limits, check_limits, with_limit_checks
from covr.engine.check import cost
from covr.engine.kernels.header import DONE, FOUND, PYTHON, SLICE
from covr.engine.kernels.loading import load
from covr.engine.plan import HIGHS, TELLING, Query, has_tree, has_usual_estimate, holds_sides, kernels_of
from covr.engine.plan import begin as begin_query
from covr.engine.prepare.ceiling import at_most_cost, items_raise_costs, shift
from covr.engine.prepare.masks import (
    MASKS_MEMORY,
    ExactCover,
    Residual,
    build_masks,
    build_sets,
    masks_fit,
    speed,
    take_given,
)
from covr.engine.problem import MAX_COST, Problem, Side, refuse_projection, refuse_sides
from covr.engine.search import DEFAULTS, NO_LIMITS, KernelSearch, SearchKernel, check_goal
from covr.engine.settings import Settings
from covr.engine.turns import Method, Successive
from covr.engine.witness import watch, watch_sides, without_spare
from covr.frozen import evolve, frozen

if TYPE_CHECKING:
    from covr.engine.counting.part_count import PartCount
    from covr.engine.minimum.narrowed import RootPrices

# --- bounded ---------------------------------------------------------------------------------------------------------
# A search with bounds on costs, or of what no other kernel takes: Dancing Links that ask an estimate at nodes.
#
# Where all answers up to a ceiling are listed or counted, the kernel is exchanged once it has taken long (`Exchanged`):
# for one that knows the prices of a linear program (minimum/narrowed.py), and tries the same in the same order, or, to
# count, for one that looks at no costs any more.


def links_method(prepared: Prepared) -> Method:
    """Dancing Links with bounds, and a tree of linear programs beside them if there is one."""
    settings, goal = prepared.settings, prepared.goal
    module = load("_general", prepared.interpreted)
    ceiling = settings.ceiling
    searched, base = shift(prepared.searched)
    minimum, bounded = goal == "minimum", goal == "minimum" or ceiling is not None
    given_cost = sum(searched.costs[o] for o in searched.given) if searched.costs else 0
    residual = take_given(searched)
    native, name, asking = _estimated(prepared) if bounded else (0, "", None)
    cutoff = None if ceiling is None else ceiling - base + 1

    def kernel(
        own: Residual, below: int | None, prices: Sequence[int] = (), more: Sequence[int] = (), base: int = 0
    ) -> Any:
        return module.General(searched, own, minimum, native, given_cost, below, prices, check_limits, more, base)

    general = kernel(residual, cutoff)
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
    if not bounded:
        return evolve(method, counting=lambda: _by_items(prepared, method, residual))
    if minimum or ceiling is None or not has_usual_estimate(prepared.query):
        return prepared.with_tree(method)
    return _exchanged_for_prices(prepared, method, searched, residual, ceiling - base, kernel)


def _exchanged_for_prices(
    prepared: Prepared, method: Method, searched: Problem, residual: Residual, ceiling: int, kernel: Callable[..., Any]
) -> Method:
    """The method, exchanged for one that knows the prices of a linear program once it has taken long.

    searched: with shifted costs, and ceiling in these.  kernel: as of `links_method`.
    """

    @cache
    def known() -> RootPrices | None:
        from covr.engine.minimum.narrowed import fits_program, root_prices

        return root_prices(searched, residual, ceiling, prepared.interpreted) if fits_program(searched) else None

    def sharper() -> Method | None:
        found = known()
        if found is None:
            return None
        left = evolve(residual, feasible=residual.feasible and found.feasible)
        top = sum([max(paid, 0) for paid in with_limit_checks(searched.costs)]) + 1
        sharp = kernel(left, min(ceiling + 1, top), found.items, found.more, found.base)
        return evolve(
            method, kernel=sharp, run=sharp.run, answer=lambda: prepared.whole(sharp.answer()), fraction=sharp.fraction
        )  # fmt: skip

    def without_costs() -> Method | None:
        from covr.engine.minimum.narrowed import cheap_enough

        found = known()
        plain = None if found is None else cheap_enough(searched, residual, found, ceiling)
        if plain is None:
            return sharper()
        made = prepared.of_another(plain)
        return made.counting() or made

    return exchanged(method, sharper, without_costs, prepared.settings.pace.ceiling)


def exchanged(
    method: Method,
    better: Callable[[], Method | None],
    counter: Callable[[], Method | None],
    patience: int,
    key: Callable[[tuple[int, ...]], tuple[int, ...]] = tuple,
) -> Method:
    """A method that lists all answers up to a ceiling, and is exchanged for another one once it has taken long.

    better: makes one that lists the same answers, in any order; None for none.  counter: the same of one that counts
    them.  patience: nodes before that.  key: what tells answers apart.
    """

    def made(kernel: Exchanged, counting: Callable[[], Method | None]) -> Method:
        return evolve(
            method, kernel=kernel, run=kernel.run, answer=kernel.whole, fraction=kernel.fraction, gatherer=None,
            naming=lambda: kernel.now.title, looks=True, even=False, counting=counting,
        )  # fmt: skip

    def counting() -> Method:
        return made(Exchanged(method, counter, patience, None), lambda: None)

    return made(Exchanged(method, better, patience, key), counting)


class Exchanged(Successive):
    """A method as a kernel (see loading.py) that another one takes the place of, once it has had `patience` nodes. The
    other one begins anew; answers that were given before are left out."""

    def __init__(
        self,
        first: Method,
        better: Callable[[], Method | None],
        patience: int,
        key: Callable[[tuple[int, ...]], tuple[int, ...]] | None,
    ) -> None:
        """better: makes the other one, or None; it may raise LimitReached.  key: what tells answers apart; None where
        only their number is wanted, which the other one counts from the first on."""
        super().__init__(first)
        self._first = first
        self._better, self._patience, self._key = better, patience, key
        self._waits = True  # whether the other one is still to be made
        self._seen: set[tuple[int, ...]] = set()  # what the first one has found, and the other one has not
        self.answers = 0

    def fraction(self) -> float | None:
        """How much of its tree is done, for the one that is further."""
        told = [part for one in (self._first, self.now) if (part := one.fraction()) is not None]
        return max(told, default=None)

    def run(self, nodes: int, answers: int) -> int:
        """Go on for at most so many nodes and answers; returns a code of header.py. Raises LimitReached at a limit that
        is reached while the other one is made."""
        end, until = self.nodes + nodes, self.answers + answers
        self.code, code = -1, SLICE
        while code != DONE and self.answers < until and self.nodes < end:
            if self._waits and self.now.kernel.nodes >= self._patience:
                self._exchange()
            left = end - self.nodes
            if self._waits:
                left = min(left, self._patience - self.now.kernel.nodes)
            code = self._go_on(left, until - self.answers)
        self.code = FOUND if self.answers >= until else DONE if code == DONE else SLICE
        return self.code

    def _exchange(self) -> None:
        other = self._better()
        self._waits = False
        if other is None:
            self._seen.clear()
            return
        self._follow(other)

    def _go_on(self, nodes: int, answers: int) -> int:
        """Run the present method, and count the answers that are new."""
        kernel, key = self.now.kernel, self._key
        if key is None:
            code = self.now.run(nodes, answers + self.answers - kernel.answers)
            self.answers = max(self.answers, kernel.answers)
            return code
        singly, before = self._waits or bool(self._seen), kernel.answers
        code = self.now.run(nodes, 1 if singly else answers)
        found = kernel.answers - before
        if found and singly:
            told = key(self.now.answer())
            if self._waits:
                self._seen.add(told)
            elif told in self._seen:
                self._seen.remove(told)
                found = 0
        self.answers += found
        return code


def _estimated(prepared: Prepared) -> tuple[int, str, Callable[[Any], Callable[[int, int], int]]]:
    """What a kernel is told of the estimate, what the estimate adds to its name, and what makes `run` of the kernel."""
    from covr.engine.minimum import asked

    estimate = asked.cascade(prepared.settings.estimates)
    hearing = prepared.goal == "minimum"
    native = asked.NATIVE.get(estimate.bound, PYTHON)
    return native, f", estimate {estimate.name}", lambda general: asked.asking(general, estimate, hearing)


# --- single ----------------------------------------------------------------------------------------------------------
# Makes the kernel of one search on one thread, as plan.py has chosen it, and translates its answers back.


FAR = MAX_COST  # more than any cost, and more than any sum of costs that the kernel for sides forms


def begin(
    problem: Problem,
    goal: str = "all",
    limits: Limits = NO_LIMITS,
    settings: Settings = DEFAULTS,
) -> KernelSearch:
    """A search by one kernel on one thread, in the order that the settings define. Preparation takes linear time.

    Raises ValueError for an unknown goal.
    """
    return KernelSearch(prepare(problem, goal, settings), problem, goal, limits, settings)


def start(problem: Problem, goal: str, limits: Limits, settings: Settings) -> Method:
    """`prepare`, as an `Approach` (plan.py)."""
    return prepare(problem, goal, settings, limits)


def with_tree(problem: Problem, goal: str, limits: Limits, settings: Settings) -> Method:
    """The search for covers, with linear programs beside it, as an `Approach`: it is quicker than they are, and they
    provide a bound that keeps rising."""
    prepared = Prepared(problem, problem, goal, settings, limits=limits)
    return prepared.with_tree(prepare(problem, goal, settings), covering=True)


@frozen
class Prepared:
    """A question to a kernel. problem: as it was given.  searched: as the kernel sees it, renumbered if there is a
    seed.  numbers: for each of its options, the number in the problem; None if all are the same.  limits: of the
    question; None if it is only a part of a longer search."""

    problem: Problem
    searched: Problem
    goal: str
    settings: Settings
    numbers: Sequence[int] | None = None
    limits: Limits | None = None

    @property
    def interpreted(self) -> bool:
        """Whether the kernel is to run as Python."""
        return self.settings.interpreted

    @property
    def query(self) -> Query:
        """What is asked of the kernel."""
        within = "a piece" if self.limits is None else ""
        return Query(self.searched, self.goal, self.limits or NO_LIMITS, self.settings, within)

    @property
    def has_tree(self) -> bool:
        """Whether a tree of linear programs searches beside the kernel."""
        return has_tree(self.query)

    def whole(self, options: Sequence[int]) -> tuple[int, ...]:
        """An answer of the problem, from the options that the kernel takes."""
        if self.numbers is None and not self.problem.given:
            return tuple(sorted(options))
        own = options if self.numbers is None else [self.numbers[o] for o in options]
        return tuple(sorted([*own, *self.problem.given]))

    def of_another(self, problem: Problem) -> Method:
        """A method for all answers of another problem, in its own numbers, without the ceiling."""
        return prepare(problem, "all", evolve(self.settings, ceiling=None, seed=None))

    def with_tree(self, method: Method, covering: bool = False) -> Method:
        """The method, with a tree of linear programs beside it if there is one. covering: whether the method is the
        search for covers."""
        if not self.has_tree:
            return method
        from covr.engine.minimum.mixed import beside

        learner = None
        if self.searched.sides:
            from covr.engine.outside.clingo import Learner

            learner = Learner(self.searched, self.whole)
        return beside(method, self, covering, learner, self.ordering(), HIGHS.against(self.query) is None)

    def ordering(self) -> Method | None:
        """What orders intervals, where the problem is about nothing else; it is only asked where clingo may be."""
        settings = self.settings
        if not self.searched.sides or settings.engine != "auto" or settings.seed is not None or settings.interpreted:
            return None
        from covr.engine.outside import clingo_intervals

        found = clingo_intervals.intervals(self.searched)
        if found is None:
            return None
        kernel = clingo_intervals.IntervalsKernel(found, self.searched.given, settings.ceiling)
        return kernel.method(clingo_intervals.NAME, self.whole, 1)

    def opening(self) -> Method:
        """The search for an answer that looks at no costs."""
        from covr.engine.minimum import hard_rules

        settings = evolve(self.settings, ceiling=None, jobs=1)
        search = begin_query(Query(hard_rules.hard(self.searched), "all", Limits(answers=1), settings))
        assert isinstance(search, KernelSearch), "on one thread"
        kernel = hard_rules.HardRules(self.searched, SearchKernel(search))
        return hard_rules.method(kernel, self.whole, lambda: search.work)


def prepare(problem: Problem, goal: str, settings: Settings, limits: Limits | None = None) -> Method:
    """Renumber the problem if there is a seed, shift the costs, take the given options, and make the kernel that
    plan.py has chosen. Linear time. limits: as in `Prepared`.

    Raises ValueError for an unknown goal, and for one that the engine does not support.
    """
    check_goal(goal)
    if goal == "minimum":
        problem = problem.by_all()
    if problem.sides and not holds_sides(settings.engine, goal):
        refuse_sides(problem, f"the engine `{settings.engine}`")
    if settings.engine not in TELLING:
        refuse_projection(problem, f"the engine `{settings.engine}`")
    searched, numbers = (problem, None) if settings.seed is None else _shuffled(problem, settings.seed)
    prepared = Prepared(problem, searched, goal, settings, numbers, limits)
    for kernel in kernels_of(prepared.query):
        method: Method | None = kernel.function(prepared)
        if method is not None:
            return method
    raise AssertionError("the last kernel takes every question")


def _shuffled(problem: Problem, seed: int) -> tuple[Problem, Sequence[int]]:
    from covr.engine.prepare.frontier import shuffle

    return shuffle(problem, seed)


def oracle_method(prepared: Prepared) -> Method:
    """The reference search, slow and obvious."""
    oracle = _Oracle(prepared.searched, prepared.goal, prepared.settings.ceiling)
    # Its answers hold the given options.
    whole = evolve(prepared, problem=evolve(prepared.problem, given=())).whole
    return Method("reference", oracle, oracle.run, lambda: whole(oracle.answer()), lower=oracle.lower)


def outside_method(prepared: Prepared) -> Method:
    """A solver of others, for a minimum. Raises ValueError for another goal."""
    from covr.engine.outside import solvers

    engine = prepared.settings.engine
    if prepared.goal != "minimum":
        raise ValueError(f"the engine `{engine}` is only for a minimum")
    outside = solvers.Outside(engine, prepared.searched, prepared.settings.ceiling)
    return Method(
        solvers.OUTSIDE[engine], outside, outside.run, lambda: prepared.whole(outside.answer()), outside.bound,
        lower=outside.lower, stop=outside.stop,
    )  # fmt: skip


def cover_method(prepared: Prepared) -> Method:
    """Branch and bound for covers, of the problem or of what a packing of pairs leaves out."""
    from covr.engine.minimum.cover import Covering, rest_of
    from covr.engine.prepare.frontier import renumbered

    settings, numbers, searched = prepared.settings, prepared.numbers, prepared.searched
    maps = settings.symmetries if numbers is None else [renumbered(one, numbers) for one in settings.symmetries]
    covers = searched if searched.is_cover else rest_of(searched)
    base = 0 if covers is searched else sum(searched.costs)
    ceiling = None if settings.ceiling is None else settings.ceiling - base
    covering = Covering(covers, ceiling, settings.estimates, prepared.interpreted, maps, settings.pace)

    def answer() -> tuple[int, ...]:
        options = covering.answer()
        return prepared.whole(options if covers is searched else [*{*range(searched.options)}.difference(options)])

    def bound() -> int | None:
        least = covering.bound()
        return None if least is None else base + least

    return Method(
        covering.name, covering, covering.run, answer, bound, lower=lambda most: covering.lower(most - base), looks=True
    )


def exact_method(prepared: Prepared) -> Method:
    """Exact covers on sets of options, or on links."""
    exact = ExactCover(prepared.searched, prepared.settings)
    lister, whole = exact.lister(), prepared.whole
    kernel = lister.kernel

    def counting() -> Method | None:
        counter = exact.counter()
        if counter is None:
            return None
        memo, title = counter
        from covr.engine.counting.frontier_count import MEMO_NODE

        own = Method(title, memo, memo.run, tuple, fraction=memo.fraction, spared=lambda: memo.spared, node=MEMO_NODE)
        return _by_items(prepared, own, exact.residual) or own

    return Method(
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


def sides_method(prepared: Prepared, implied: Sequence[Side] = ()) -> Method:
    """The kernel that can search any problem, with or without sides. implied: sides that all answers up to the ceiling
    are known to keep; without any, they are looked for once the search has taken long."""
    from covr.engine.prepare.sides import side_arrays, side_names

    problem, goal, settings = prepared.searched, prepared.goal, prepared.settings
    module = load("_sides", settings.interpreted)
    shifted, base = shift(problem)
    ceiling = settings.ceiling
    bounded = goal == "minimum" or ceiling is not None
    cutoff = FAR if ceiling is None else min(max(ceiling - base + 1, -FAR), FAR)
    kept = problem
    if goal == "all" and ceiling is not None:
        kept = evolve(problem, sides=(*problem.sides, at_most_cost(shifted, cutoff - 1), *implied))
        bounded = items_raise_costs(shifted)
    kernel = module.Sides(shifted, side_arrays(kept), goal == "minimum", bounded, cutoff)
    if shifted.witness is not None and goal == "minimum":
        watch_sides(kernel, shifted, side_names(shifted))

    def root_bound() -> int | None:
        value = kernel.root_bound()
        return None if value is None else value + base

    kind = "totals, connections and loops"
    if not problem.sides:
        kind = "items weighed by dead ends" if problem.projection is None else "answers by some options"

    def counting() -> Method | None:
        if problem.sides:
            return _side_count(prepared, method)
        memo = _part_count(problem, settings)
        if memo is None:
            return None
        from covr.engine.counting.part_count import count_by_parts

        name = f"answers by some options, with a memo by turns ({speed(module)})"
        return count_by_parts(name, kernel, memo, settings.pace)

    method = Method(
        f"{kind} ({speed(module)})",
        kernel,
        kernel.run,
        lambda: prepared.whole(kernel.answer()),
        root_bound,
        lower=lambda ceiling: kernel.lower(min(max(ceiling - base, -FAR), FAR)),
        gatherer=kernel if goal == "all" else None,
        whole=prepared.whole,
        fraction=kernel.fraction,
        counting=counting if goal == "all" else lambda: None,
    )
    if goal == "all" and ceiling is not None and not implied and any(problem.costs):
        return _sided_ceiling(prepared, method, ceiling)
    return prepared.with_tree(method)


def _sided_ceiling(prepared: Prepared, method: Method, ceiling: int) -> Method:
    """The kernel for sides under a ceiling, to which what a linear program proves is told once it has taken long."""

    def sharper() -> Method | None:
        from covr.engine.minimum.narrowed import too_dear

        side = too_dear(prepared.searched, ceiling, prepared.interpreted)
        return None if side is None else sides_method(prepared, (side,))

    return exchanged(method, sharper, sharper, prepared.settings.pace.ceiling, prepared.problem.projected)


def _side_count(prepared: Prepared, search: Method) -> Method | None:
    """The search, and a sweep beside it, to count answers; None where no sweep suits, or the settings ask for none."""
    from covr.engine.counting.side_sweep import count_by_sweep, suits

    settings = prepared.settings
    if settings.engine != "auto" or settings.ceiling is not None or not settings.memory:
        return None
    if not suits(prepared.searched):
        return None
    return count_by_sweep(search, prepared.searched, settings.memory, settings.pace)


def _part_count(problem: Problem, settings: Settings) -> PartCount[Any] | None:
    """A count with a memo for a problem of which some options tell answers apart; None where there is none for it, or
    the settings ask for none."""
    if problem.projection is None or problem.sides or settings.engine != "auto" or settings.ceiling is not None:
        return None
    if not settings.memory:
        return None
    from covr.engine.counting.part_count import BoundedParts, ExactParts, PartCount

    whole = problem.by_all()
    residual = take_given(whole)
    if not residual.feasible:
        return None
    if whole.is_exact:
        if not masks_fit(whole, residual, MASKS_MEMORY):
            return None
        masks = build_masks(whole, residual, settings.interpreted)
        return PartCount(ExactParts(masks), masks.numbers, problem.projection, settings.memory)
    sets = build_sets(whole, residual, settings.interpreted)
    if sets is None:
        return None
    return PartCount(BoundedParts(sets), sets.numbers, problem.projection, settings.memory)


def bounds_method(prepared: Prepared) -> Method | None:
    """A kernel on sets of options for a problem with bounds; None where the sets would be too large."""
    interpreted = prepared.settings.interpreted
    module = load("_multiplicity", interpreted)
    residual = take_given(prepared.searched)
    sets = build_sets(prepared.searched, residual, interpreted)
    kernel = sets and module.Multiplicity(sets, residual.feasible)
    if not kernel or not kernel.ready:
        return None
    name = f"bit sets with bounds ({speed(module)})"
    method = Method(name, kernel, kernel.run, lambda: prepared.whole(kernel.answer()), fraction=kernel.fraction)

    def counting() -> Method | None:
        from covr.engine.counting.frontier_count import STATE

        return _by_items(prepared, evolve(method, node=STATE), residual)

    return evolve(method, counting=counting)


def _by_items(prepared: Prepared, search: Method, residual: Residual) -> Method | None:
    """The search that has not begun, and a count item by item beside it; None where none suits, or the settings ask for
    none."""
    settings = prepared.settings
    if settings.engine != "auto" or settings.interpreted or not settings.memory or prepared.searched.colours:
        return None
    from covr.engine.counting.frontier_count import count_by_items

    return count_by_items(search, prepared.searched, residual, settings.memory, settings.pace)


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
