"""Chooses how a question is answered, and says why: the one place where methods are chosen.

`WAYS` are the ways to share time: which methods take turns, and on how many threads. `KERNELS` are the kernels of one
search on one thread. `TREE` is the tree of linear programs, which searches beside other methods, and `HIGHS` the
process that has turns with it. The first way and the first kernel whose conditions all hold are used; the last of each
answers every question. Each condition has a sentence for where it does not hold. dispatch.py, single.py and
pieces/piece.py ask here, and `covr show --plan` prints the same conditions (dispatch.py). The turns of methods are in
their timetables (turns.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from covr.engine.base.alone import threads, threads_for_minimum
from covr.engine.base.limits import Limits, with_limit_checks
from covr.engine.problem import Problem, only_totals, with_areas
from covr.engine.search import KernelSearch, Search
from covr.engine.settings import USUAL_PACE, Settings
from covr.engine.turns import Method
from covr.frozen import evolve, frozen

TELLING = ("auto", "sides", "reference")  # engines that can tell answers apart by some of their options
OUTSIDE = ("highs", "cpsat")  # engines that are other people's solvers, for a minimum
SIDED = ("auto", "sides", "reference", *OUTSIDE)  # engines that support at least totals


def holds_sides(engine: str, goal: str) -> bool:
    """Whether an engine takes a question about a problem with totals, at least: `mixed` does so for a best value only.
    goal: as in `Query`."""
    return engine in SIDED or (engine == "mixed" and goal == "minimum")


SECOND = 1_000_000_000  # work that takes about a second (turns.py)
FEW = 2  # answers: for more than so many, the ways to first answers do not pay


@frozen
class Query:
    """What is asked. goal: 'all' or 'minimum'.  within: `a piece` if it is only a part of a longer search; else
    empty."""

    problem: Problem
    goal: str
    limits: Limits
    settings: Settings
    within: str = ""


@frozen
class Condition:
    """One condition for a way. holds: at most linear time in the size of the problem.  unless: says what is so where it
    does not hold, as the end of a sentence."""

    holds: Callable[[Query], bool]
    unless: str


@frozen
class Approach:
    """One way to answer. why: what it is good for.  place: what begins it, as `module:function` below covr.engine. For
    a way it takes a question's parts and makes a search, or a method for a search on one thread; for a kernel it takes
    what is prepared (single.py) and makes a method, or None where it turns out not to fit."""

    name: str
    place: str
    why: str
    conditions: tuple[Condition, ...]

    def against(self, question: Query) -> str | None:
        """Why this way is not for the question; None if it is. The first condition that does not hold says it."""
        for condition in self.conditions:
            if not condition.holds(question):
                return condition.unless
        return None

    @property
    def function(self) -> Callable[..., Any]:
        """What begins it. Its module is imported now, since most questions need few of them."""
        module, name = self.place.split(":")
        function: Callable[..., Any] = getattr(import_module(f"covr.engine.{module}"), name)
        return function

    def start(self, question: Query) -> Search:
        """A search that is ready to run. Raises LimitReached at a limit (limits.py), and ValueError for settings that
        the way can't follow."""
        asked = (question.problem, question.goal, question.limits, question.settings)
        begun: Search | Method = self.function(*asked)
        return KernelSearch(begun, *asked) if isinstance(begun, Method) else begun


def way_of(question: Query) -> Approach:
    """The way to answer a question: the first that nothing speaks against. Raises LimitReached at a limit."""
    return next(way for way in with_limit_checks(WAYS, 1) if way.against(question) is None)


def begin(question: Query) -> Search:
    """A search for a question, ready to run; raises as `Approach.start`."""
    question = plain(question)
    return way_of(question).start(question)


def plain(question: Query) -> Query:
    """The question without what does not matter to it: a minimum, and the first answer, are the same whichever options
    tell answers apart."""
    few = question.goal == "minimum" or question.limits.answers == 1
    return evolve(question, problem=question.problem.by_all()) if few else question


def kernels_of(question: Query) -> Iterator[Approach]:
    """The kernels that nothing speaks against, the best first. One that turns out not to fit when it is made leaves
    the question to the next; the last one fits always."""
    return (kernel for kernel in KERNELS if kernel.against(question) is None)


def has_tree(question: Query) -> bool:
    """Whether the tree of linear programs searches beside the kernel."""
    return TREE.against(question) is None


# --- conditions ---


def _goal(goal: str, other: str) -> Condition:
    return Condition(lambda q: q.goal == goal, f"{other} is asked for")


def _engine(*names: str) -> Condition:
    said = " or ".join(f"`{name}`" for name in names)
    return Condition(lambda q: q.settings.engine in names, f"the engine is not {said}")


def _is_cover(question: Query) -> bool:
    from covr.engine.minimum.core import is_suited

    return is_suited(question.problem)


def _has_time_for_highs(question: Query) -> bool:
    return question.limits.seconds is None or question.limits.seconds * SECOND > question.settings.pace.highs


def _is_small(question: Query) -> bool:
    from covr.engine.minimum.mixed_core import MOST

    return sum(map(abs, question.problem.costs)) < MOST


def has_usual_estimate(question: Query) -> bool:
    """Whether no estimate is asked for."""
    from covr.engine.minimum.estimates import auto

    return [estimate.bound for estimate in question.settings.estimates] == [auto]


def _has_highs(question: Query) -> bool:
    from covr.engine.outside.process import available

    return available(question.problem)


def _is_compiled(question: Query) -> bool:
    from covr.engine.kernels.loading import load

    return question.settings.engine == "bits" or bool(load("_multiplicity", question.settings.interpreted).COMPILED)


def _may_share_minimum(question: Query) -> bool:
    pure = not question.problem.sides
    if question.settings.engine == "auto" and question.problem.joins_pairs:
        return False  # one search for covers is quicker
    return question.settings.engine in (("auto", "cover", "mixed", "links") if pure else ("auto", "sides"))


def _is_best_cut(question: Query) -> bool:
    """Whether a minimum is quicker in parts: not where linear programs bound it well, since each part has its own,
    which know nothing of what those of the others have proved."""
    problem = question.problem
    return problem.is_pure or not only_totals(problem.sides) or not has_tree(question)


def _may_share(question: Query) -> bool:
    settings, pure = question.settings, question.problem.is_pure
    return settings.engine in (("auto", "bits", "memo", "links") if pure else ("auto", "sides"))


MINIMUM, EVERY = _goal("minimum", "no best value"), _goal("all", "a best value")
AUTO = _engine("auto")
NO_SEED = Condition(lambda q: q.settings.seed is None, "a seed asks for one order")
COMPILED = Condition(lambda q: not q.settings.interpreted, "the kernels are to be interpreted")
NO_NODES = Condition(lambda q: q.limits.nodes is None, "only one search on one thread keeps a limit of nodes exactly")
NO_CEILING = Condition(lambda q: q.settings.ceiling is None, "there is a ceiling for the costs")
PURE = Condition(lambda q: q.problem.is_pure, "there are side conditions, or only some options tell answers apart")
ALL_TELL = Condition(lambda q: q.problem.projection is None, "only some options tell answers apart")
ANY_COST = Condition(lambda q: any(q.problem.costs), "all costs are 0")
COVER = Condition(_is_cover, "it is no covering problem")
WHOLE = Condition(lambda q: not q.within, "it is a part of a longer search")
NO_PIECE = Condition(lambda q: q.within != "a piece", "pieces of a cover are searched by one kernel")

TREE = Approach(
    "linear programs", "minimum.mixed:beside", "bounds are often tight: set partitioning, packing, duties",
    (
        MINIMUM, ALL_TELL, _engine("auto", "mixed"), ANY_COST,
        Condition(lambda q: not with_areas(q.problem.sides), "linear programs know no areas"),
        Condition(_is_small, "its sums of costs are too large for exact linear programs"),
        Condition(has_usual_estimate, "another estimate is asked for, which only Dancing Links use"),
    ),
)  # fmt: skip

HIGHS = Approach(
    "HiGHS beside it", "minimum.mixed:beside",
    f"HiGHS may be quicker for what takes longer than {USUAL_PACE.highs / SECOND:g} s",
    (
        WHOLE, *TREE.conditions,
        Condition(lambda q: only_totals(q.problem.sides), "HiGHS knows no connections, loops and areas"),
        AUTO,
        Condition(lambda q: q.settings.jobs != 1, "one thread is asked for"),
        NO_SEED, COMPILED, NO_NODES,
        Condition(lambda q: q.limits.memory is None, "there is a limit of memory"),
        Condition(_has_time_for_highs, "there is too little time"),
        Condition(_has_highs, "HiGHS or a second processor is missing, or costs are too large"),
    ),
)  # fmt: skip


WAYS = (
    Approach("clingo alone", "outside.clingo:ClingoSearch", "it is asked for", (_engine("clingo"), WHOLE)),
    Approach(
        "first answers", "portfolio:first_answers",
        "for some problems the order decides everything, so several ways take turns",
        (
            EVERY,
            Condition(lambda q: (q.limits.answers or FEW + 1) <= FEW, f"more than {FEW} answers are asked for"),
            NO_NODES, AUTO, NO_SEED, COMPILED,
        ),
    ),
    Approach(
        "parts on threads", "pieces.piece_search:start", "several threads are asked for",
        (
            MINIMUM, WHOLE,
            Condition(lambda q: threads_for_minimum(q.settings.jobs) > 1, "only one thread is asked for"),
            NO_NODES,
            Condition(_may_share_minimum, "the engine searches on one thread only"),
            Condition(_is_best_cut, "linear programs for the whole are quicker where all side conditions are totals"),
        ),
    ),
    Approach(
        "linear programs beside the search for covers", "single:with_tree", "they provide a bound that rises",
        (MINIMUM, NO_SEED, COMPILED, COVER, AUTO, NO_PIECE, *TREE.conditions),
    ),
    Approach(
        "parts on threads", "pieces.parallel:start", "what takes long is divided among threads",
        (
            EVERY,
            Condition(lambda q: threads(q.settings.jobs) > 1, "there is one thread"),
            ALL_TELL, NO_CEILING, NO_NODES,
            Condition(_may_share, "the engine searches on one thread only"),
            COMPILED,
        ),
    ),
    Approach("one kernel", "single:start", "answers every question", ()),
)  # fmt: skip

CLASSES = Approach(
    "parts of a group", "pieces.class_search:begin_classes", "most answers that only repeat others are never met",
    (EVERY, PURE, _engine("auto", "bits", "links", "memo"), COMPILED, NO_SEED),
)  # fmt: skip

KERNELS = (
    Approach(
        "the kernel for side conditions", "single:sides_method", "knows totals, connections, loops and areas",
        (
            Condition(
                lambda q: q.settings.engine == "sides"
                or (not q.problem.is_pure and q.settings.engine in ("auto", "mixed")),
                "there are no side conditions, and all options tell answers apart",
            ),
        ),
    ),
    Approach("the oracle", "single:oracle_method", "is asked for, in tests", (_engine("reference"),)),
    Approach("a solver of others", "single:outside_method", "is asked for", (_engine(*OUTSIDE),)),
    Approach(
        "exact covers on sets or links", "single:exact_method", "every item is met exactly once, or at most once",
        (
            EVERY, NO_CEILING,
            Condition(lambda q: q.problem.is_exact, "some items may be met more than once"),
        ),
    ),
    Approach(
        "branch and bound for covers", "single:cover_method", "every rule is `at least`, or `at most one` of two",
        (MINIMUM, _engine("auto", "cover"), COVER),
    ),
    Approach(
        "sets with bounds", "single:bounds_method", "nodes on sets of options are quicker than on links",
        (
            EVERY, NO_CEILING, _engine("auto", "bits"),
            Condition(_is_compiled, "sets are slower than links where nothing is compiled"),
        ),
    ),
    Approach(
        "dancing links with bounds", "single:links_method", "takes every problem, and asks an estimate at nodes", ()
    ),
)  # fmt: skip
