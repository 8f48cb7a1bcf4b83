"""The ways to ask for the answers of a problem by features (features.py): every engine, every detour, each held to what
is known.

A way is a function of a case and a random source, which chooses engines and sizes. It asserts; it returns whom it has
asked, for the tally. `tiny_detours` makes budgets so small that threads, pieces and restarts set in at once.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from attrs import evolve

from covr.engine import (
    BatchTemplate,
    Limits,
    Problem,
    Settings,
    Status,
    check,
    cost,
    count,
    plan,
    search,
)
from covr.engine.base.alone import wanted
from covr.engine.dispatch import search_classes
from covr.engine.kernels.header import DONE, FOUND
from covr.engine.kernels.loading import load
from covr.engine.outside import clingo
from covr.engine.pieces import piece_search as pieced_module
from covr.engine.pieces import piece_work
from covr.engine.pieces.ledger import Ask, Change, Ledger, Nobody, PieceBudget, Settled, Totals
from covr.engine.pieces.piece import Pieces, Threads
from covr.engine.pieces.piece_search import PiecedSearch
from covr.engine.pieces.piece_work import unpack
from covr.engine.pieces.split import Prefix, Splitter
from covr.engine.prepare.frontier import plan_count
from covr.engine.prepare.masks import ExactCover, build_sets, take_given
from covr.engine.sampling.sample import Drawer, suits
from covr.engine.settings import CountPace, FirstPace, MixedPace, Pace, ThreadPace
from covr.engine.symmetries import ChainGroup
from tests.engine.back_ends import ALL
from tests.engine.engines import by
from tests.engine.features import Answer, Case, best_of
from tests.engine.swaps import swaps
from tests.engine.symmetric import closure, smallest

Way = Callable[[Case, random.Random], str]

# Threads and turns begin after a few nodes.
EARLY = Pace(
    least=1, highs=0, first=FirstPace(turn=10_000, restart=2),
    mixed=MixedPace(turn=20_000, late=2000, per_member=0, few=3),
    counts=CountPace(patience=3, parts=2), threads=ThreadPace(alone=2, slice=5, parts=3, parts_a_thread=2, ahead=2),
)  # fmt: skip
early = partial(Settings, pace=EARLY)

LIST = 1500  # answers that are listed at most
LINKS = 40_000  # answers that are counted one by one at most
SLOW_ITEMS, SLOW_OPTIONS = 150, 150  # beyond, nothing interpreted is asked
LARGE_ITEMS = 5000
ENDLESS = 50_000  # nodes, after which a count with a memo is left
ROOM = (0, 150, 1000, 20_000, 1 << 20)  # bytes of memo
QUICK = ("auto", "none", "classic")  # estimates that ask no Python at a node
ESTIMATED = (*QUICK, "price", "dual", "lagrange", "price,dual", "classic,lagrange")


class Skipped(Exception):
    """The way does not suit the case."""


def only(suited: bool) -> None:
    if not suited:
        raise Skipped


def is_small(case: Case) -> bool:
    """Whether what is slow may be asked."""
    p = case.problem
    return p.items <= SLOW_ITEMS and p.options <= SLOW_OPTIONS and case.count <= 200 and p.options < 40


def is_listable(case: Case) -> bool:
    return case.count <= LIST and case.count * (case.problem.items + case.problem.options) <= 150_000


def verify(case: Case, found: Sequence[Answer]) -> None:
    """All answers, each once."""
    assert len(set(found)) == len(found), "an answer is given twice"
    assert len(found) == case.count, f"{len(found)} answers of {case.count}"
    for answer in found:
        fault = check(case.problem, answer)
        assert fault is None, f"{answer}: {fault}"
    if case.answers is not None:
        assert sorted(found) == list(case.answers)


def asked(case: Case, rng: random.Random, engines: Sequence[str]) -> Settings:
    """An engine of these, perhaps interpreted, perhaps shuffled."""
    small = is_small(case)
    slow = ("reference", "interpreted")
    engine = rng.choice([e for e in engines if small or e not in slow])
    if engine == "clingo":
        only(clingo.INSTALLED and case.count <= 300)
    interpreted = small and rng.random() < 0.1
    return by(engine, pace=EARLY, interpreted=interpreted, seed=rng.choice((None, None, rng.randrange(100))))


def named(settings: Settings) -> str:
    return settings.engine + (" interpreted" if settings.interpreted else "")


def judged(problem: Problem, feature: str) -> Case | None:
    """A problem as links see it; None where they do not see its end within a thousand nodes."""
    run = search(problem, limits=Limits(nodes=1000), settings=early(engine="links"))
    answers = tuple(sorted(run))
    if run.status is not Status.EXHAUSTED:
        return None
    assert all(check(problem, answer) is None for answer in answers)
    best = best_of(answers, problem.costs or [0] * problem.options)
    return Case(problem, len(answers), best, frozenset({feature}), answers)


# --- every answer ---


def listed(case: Case, rng: random.Random) -> str:
    only(is_listable(case))
    engines = ("auto", "auto", "bits", "bits", "links", "memo", "cover", "clingo", "interpreted", "reference")
    settings = asked(case, rng, engines)
    run = search(case.problem, settings=settings)
    verify(case, list(run))
    assert run.status is Status.EXHAUSTED and run.fraction == 1.0
    assert run.counters.answers == case.count
    return f"list {named(settings)}"


def ordered(case: Case, rng: random.Random) -> str:
    """Two engines in the documented order, from the same nodes, cut off by limits or not."""
    only(is_listable(case))
    engines = ["auto", "bits", "links", "memo", *(("interpreted", "reference") if is_small(case) else ())]
    limits = rng.choice((Limits(), Limits(), Limits(nodes=rng.randint(0, 60)), Limits(answers=rng.randint(3, 9))))
    one, two = (
        search(case.problem, limits=limits, settings=by(engine, pace=EARLY)) for engine in rng.sample(engines, 2)
    )
    assert list(one) == list(two), f"{one.engine} and {two.engine}"
    # The reference enters a node where others know at once that there is none, and needs one more for that.
    assert one.status is two.status or (not case.count and "reference" in (one.engine, two.engine))
    if case.count and not limits.answers:  # the reference enters a node where the given options leave none
        assert one.counters.nodes == two.counters.nodes, f"nodes of {one.engine} and {two.engine}"
    return f"order {one.settings.engine}, {two.settings.engine}"


def counted(case: Case, rng: random.Random) -> str:
    settings = evolve(asked(case, rng, ("auto", "auto", "memo", "bits", "links", "reference")), memory=rng.choice(ROOM))
    only(case.count <= LINKS or settings.engine in ("auto", "memo"))
    found = count(case.problem, Limits(nodes=ENDLESS), settings)
    only(found.status is not Status.LIMIT)
    assert found.status is Status.EXHAUSTED
    assert found.value == case.count, f"{found.value} answers of {case.count}"
    return f"count {named(settings)}"


def limited(case: Case, rng: random.Random) -> str:
    """A count that need not go on to the end; a memo may see all of it at once."""
    only(case.problem.items < LARGE_ITEMS and case.count <= LINKS)
    most = rng.choice((1, 2, 3, 5, 40, case.count or 1, case.count + 1))
    settings = evolve(asked(case, rng, ("auto", "bits", "memo", "links", "reference")), jobs=rng.choice((1, 1, 1, 2)))
    only(most <= LIST)
    found = count(case.problem, Limits(answers=most), settings)
    right = case.count if found.status is Status.EXHAUSTED else most
    assert found.value == right <= case.count, f"{found.value} answers of {case.count}, at most {most}"
    assert found.status in (Status.EXHAUSTED, Status.SOLVED)
    return f"limited count {named(settings)}"


def stepped(case: Case, rng: random.Random) -> str:
    """A search in steps of a few nodes: nothing is lost between two of them, and it never goes back."""
    only(is_listable(case) and case.count <= 300 and case.problem.options <= 300)
    goal = rng.choice(("all", "all", "minimum"))
    settings = asked(case, rng, ("auto", "auto", "bits", "links", "cover", "mixed", "reference"))
    run = search(case.problem, goal=goal, settings=settings)
    listing, found, done = rng.random() < 0.7 or goal == "minimum", [], 0.0
    more, sizes = True, rng.choice(((1,), (1, 2, 3), (1, 7, 50)))
    while more:
        more = run.step(rng.choice(sizes), listing)
        found += run.waiting()
        if goal == "minimum" and case.least is not None and rng.random() < 0.1:  # somebody else knows nearly as much
            run.lower_ceiling(case.least + rng.choice((0, 1, 5)))
        fraction = run.measure()
        if fraction is not None and goal == "all":
            assert done - 1e-9 <= fraction <= 1, f"{fraction} after {done}"
            done = fraction
    assert run.status is Status.EXHAUSTED
    if goal == "minimum":
        assert run.best == run.bound == case.least, f"best {run.best}, bound {run.bound}, right {case.least}"
        assert all(check(case.problem, answer) is None for answer in found)
    elif listing:
        verify(case, found)
    assert goal == "minimum" or run.counters.answers == case.count
    return f"steps, {goal}, {named(settings)}"


def on_bits(case: Case, rng: random.Random) -> str:
    """The back ends of the sets of options, in slices of any size: the same answers, nodes and updates."""
    only(case.problem.is_exact and case.problem.items < LARGE_ITEMS and case.count <= LIST)
    memory = rng.choice((None, *ROOM))
    interpreted = is_small(case) and rng.random() < 0.3
    masks = ExactCover(case.problem, early(engine="bits")).masks
    only(masks is not None)
    assert masks is not None
    feasible = take_given(case.problem).feasible
    one, two = (
        load("_bits", False).Bits(masks, feasible, memory, rng.choice(ALL)),
        load("_bits", interpreted).Bits(masks, feasible, memory, 64),
    )
    slice_ = rng.choice((1, 2, 7, 100, 10_000))
    for _ in range(ENDLESS):
        code = one.run(slice_, 1)
        assert code == two.run(slice_, 1)
        assert (one.nodes, one.updates, one.answers) == (two.nodes, two.updates, two.answers)
        if code == FOUND:
            taken = one.answer()
            assert taken == two.answer()
            fault = check(case.problem, sorted([*taken, *case.problem.given]))
            assert fault is None, fault
        if code == DONE:
            assert one.answers == case.count, f"{one.answers} answers of {case.count}"
            return f"back ends of bits{' interpreted' if interpreted else ''}{'' if memory is None else ' with memo'}"
    raise Skipped


def by_frontier(case: Case, rng: random.Random) -> str:
    """Item by item, in slices of any size and with any room; there is a plan only where the frontier is narrow."""
    only(case.problem.is_pure and not case.problem.colours)
    residual = take_given(case.problem)
    plan = plan_count(case.problem, residual)
    only(plan is not None and residual.feasible)
    interpreted = is_small(case) and rng.random() < 0.3
    kernel = load("_sweep", interpreted).SweepKernel(plan, None, rng.choice((1 << 16, 1 << 24)))
    slice_ = rng.choice((1, 2, 7, 100, 10_000))
    while not kernel.is_full and kernel.nodes < ENDLESS and kernel.run(slice_) != DONE:
        assert kernel.value is None
    only(kernel.value is not None)
    assert kernel.value == case.count, f"{kernel.value} answers of {case.count}"
    return f"frontier{' interpreted' if interpreted else ''}"


def on_bounds(case: Case, rng: random.Random) -> str:
    """The twins of the sets with bounds, on any problem."""
    only(is_small(case))
    residual = take_given(case.problem)
    sets = build_sets(case.problem, residual)
    only(sets is not None)
    for interpreted, width in (*((False, width) for width in ALL), (True, 0)):
        kernel = load("_multiplicity", interpreted).Multiplicity(sets, residual.feasible, width)
        if kernel.ready:
            found = []
            while (code := kernel.run(rng.choice((1, 5, 1000)), 1)) != DONE:
                if code == FOUND:
                    found.append(tuple(sorted([*kernel.answer(), *case.problem.given])))
            verify(case, found)
    return "twins of bounds"


def threaded(case: Case, rng: random.Random) -> str:
    """Two or three threads: the answers of one, in its order."""
    only(is_listable(case) and case.problem.items < LARGE_ITEMS)
    engine = rng.choice(("auto", "bits", "links", "memo"))
    settings = early(engine=engine, jobs=rng.choice((2, 3)), seed=rng.choice((None, 4)), memory=rng.choice(ROOM))
    if rng.random() < 0.4:
        value = count(case.problem, settings=settings).value
        assert value == case.count, f"{value} answers of {case.count}"
        return f"threads, count {engine}"
    run = search(case.problem, settings=settings)
    found = list(run)
    verify(case, found)
    assert run.status is Status.EXHAUSTED
    assert found == list(search(case.problem, settings=evolve(settings, jobs=1)))
    return f"threads, list {engine}"


def few(case: Case, rng: random.Random) -> str:
    """The first answer or two, by taking turns."""
    only(case.problem.items < LARGE_ITEMS and case.count <= LINKS)
    wanted_ = rng.choice((1, 2))
    run = search(case.problem, limits=Limits(answers=wanted_), settings=early())
    found = list(run)
    assert len(set(found)) == len(found) == min(wanted_, case.count)
    assert all(check(case.problem, answer) is None for answer in found)
    assert (run.status is Status.EXHAUSTED) == (case.count < wanted_)
    return "first answers in turns"


def batched(case: Case, rng: random.Random) -> str:
    """Instances, each with options taken beforehand."""
    p = case.problem
    only(case.answers is not None or (is_listable(case) and case.count <= 300))
    every = case.answers or tuple(search(p, settings=early(engine="links")))
    givens = [[rng.randrange(-1, p.options) for _ in range(rng.randint(0, 2))] for _ in range(3)] if p.options else [[]]
    limit = rng.choice((1, 2, 10**4))
    template = BatchTemplate(p, limit=limit, interpreted=is_small(case) and rng.random() < 0.2)
    result = template.solve(givens)
    for taken, number, found in zip(givens, result.counts, result, strict=True):
        right = {answer for answer in every if {o for o in taken if o >= 0} <= set(answer)}
        assert number == len(found) == len(set(found)), f"{number} counted, {len(found)} given"
        assert number == min(limit, len(right)), f"{number} of {len(right)} with {taken}"
        assert set(found) <= right
    return "batch" + (" in one call" if template.native else "")


# --- by some options ---


def parted(case: Case, rng: random.Random) -> str:
    """Some options tell answers apart (`Problem.projection`): the different parts of all answers are listed and
    counted, each once, whether or not a memo helps."""
    p = case.problem
    only(p.items < LARGE_ITEMS and is_listable(case) and case.count <= 300)
    every = case.answers or tuple(search(p, settings=early(engine="links")))
    share = rng.choice((0.0, 0.1, 0.3, 0.7, 1.0))
    problem = evolve(p, projection=tuple(o for o in range(p.options) if rng.random() < share))
    ceiling = rng.choice([cost(p, a) for a in every]) if every and rng.random() < 0.2 else None
    wanted_ = {problem.projected(a) for a in every if ceiling is None or cost(p, a) <= ceiling}
    engines = ("auto", "auto", "auto", "sides", *(("reference",) if is_small(case) else ()))
    settings = early(
        engine=rng.choice(engines), seed=rng.choice((None, None, 5)), memory=rng.choice(ROOM), ceiling=ceiling,
        interpreted=is_small(case) and rng.random() < 0.1,
    )  # fmt: skip
    what = rng.choice(("count", "count", "list", "few"))
    most = rng.randint(1, 4) if what == "few" else None
    if what == "count":
        found = count(problem, Limits(nodes=ENDLESS), settings)
        only(found.status is not Status.LIMIT)
        assert found.value == len(wanted_), f"{found.value} parts of {len(wanted_)}"
    else:
        run = search(problem, limits=Limits(nodes=ENDLESS, answers=most), settings=settings)
        answers = list(run)
        only(run.status is not Status.LIMIT)
        parts = [problem.projected(a) for a in answers]
        assert len(set(parts)) == len(parts) and set(parts) <= wanted_, "a part that is none, or given twice"
        assert len(parts) == min(most or len(wanted_), len(wanted_)), f"{len(parts)} parts of {len(wanted_)}"
        assert all(check(p, a) is None for a in answers)
    return f"by some options, {what} {named(settings)}"


def classed(case: Case, rng: random.Random) -> str:
    """One answer of each class, the smallest: of the group that all swaps generate, or one of them."""
    p = case.problem
    only(case.answers is not None)
    assert case.answers is not None
    generators = swaps(p)
    only(bool(generators))
    images = closure(generators, p.options) if rng.random() < 0.7 else None
    images = images or closure([rng.choice(generators)], p.options)
    assert images
    engine = rng.choice(("auto", "auto", "links", "bits", "memo"))
    settings = early(engine=engine, jobs=rng.choice((1, 1, 1, 1, 2)), memory=rng.choice(ROOM))
    chain = rng.random() < 0.3
    group = ChainGroup(p.options, images) if chain else images
    run = search_classes(p, group, settings=settings)
    only(run is not None)
    assert run is not None
    wanted_ = {smallest(answer, images) for answer in case.answers}
    told = f"classes {engine}{' of a chain' if chain else ''}"
    if rng.random() < 0.4:
        value = run.count()
        assert value == len(wanted_), f"{value} classes of {len(wanted_)}"
        return f"{told}, count"
    found = list(run)
    assert len(found) == len(set(found)) and set(found) == wanted_, f"{found}, not {sorted(wanted_)}"
    assert run.status is Status.EXHAUSTED
    return told


# --- in pieces ---


class _Memory:
    """A store that lives in memory."""

    def __init__(self) -> None:
        self.packs: dict[str, bytes] = {}

    def write(self, changes: Sequence[Change], totals: Totals) -> None:
        for change in changes:
            if isinstance(change, Settled) and change.result.answers is not None:
                self.packs[change.task.name] = change.result.answers

    def read(self, name: str) -> Iterator[Answer]:
        return unpack(self.packs[name])


def pieced(case: Case, rng: random.Random) -> str:
    """Pieces of a few nodes, taken in any order."""
    only(case.count <= 100 and case.problem.items + case.problem.options < 200)
    goal = rng.choice(("list", "count", "minimum"))
    engine = rng.choice(("auto", "links", "memo", "bits", *(("mixed",) if goal == "minimum" else ())))
    settings = early(engine=engine, seed=rng.choice((None, 7)), memory=rng.choice(ROOM))
    pieces, store = Pieces(case.problem, Ask(goal, settings)), _Memory()
    ledger = Ledger(minimum=goal == "minimum", store=store)
    tasks = []
    while not ledger.over:
        while (task := ledger.take()) is not None:
            tasks.append(task)
        if tasks:
            task = tasks.pop(rng.randrange(len(tasks)))
            budget = PieceBudget(rng.choice((1, 4, 30)), 3)
            ledger.settle(task.name, pieces.search(task.prefix, budget, Nobody(ledger.ceiling)))
        ledger.flush()
    if goal == "minimum":
        assert ledger.totals.best == ledger.bound == case.least
        if case.least is not None:
            assert ledger.answer is not None and check(case.problem, ledger.answer) is None
            assert cost(case.problem, ledger.answer) == case.least
    else:
        assert ledger.totals.count == case.count, f"{ledger.totals.count} answers of {case.count}"
    if goal == "list":
        verify(case, [answer for name in ledger.leaves() for answer in store.read(name)])
    return f"pieces, {goal}"


def pieced_on_threads(case: Case, rng: random.Random) -> str:
    """The same by those who search in threads."""
    only(case.count <= 100 and case.problem.items + case.problem.options < 200)
    goal = rng.choice(("list", "count", "minimum"))
    store = _Memory()
    ledger = Ledger(minimum=goal == "minimum", store=store)
    run = PiecedSearch(case.problem, Ask(goal), ledger, Threads(2), read=store.read)
    if goal == "count":
        assert run.count() == case.count
    elif goal == "list":
        verify(case, list(run))
    else:
        found = list(run)
        assert run.best == run.bound == case.least
        assert all(check(case.problem, answer) is None for answer in found)
    assert run.status is Status.EXHAUSTED
    return f"pieces on threads, {goal}"


def cut(case: Case, rng: random.Random) -> str:
    """What is left below the prefixes of a split adds up."""
    only(case.count <= LIST and case.problem.items + case.problem.options < 700)
    splitter = Splitter(case.problem)
    rests = [splitter.rest(prefix) for prefix in splitter.cut(Prefix(), rng.choice((2, 5, 12))).prefixes]
    assert sum(count(rest.problem).value for rest in rests) == case.count
    return "split"


def drawn(case: Case, rng: random.Random) -> str:
    """Answers at random, through the memo."""
    only(case.problem.items < LARGE_ITEMS and case.count <= LINKS)
    only(suits(case.problem))
    interpreted = is_small(case) and rng.random() < 0.1
    drawer = Drawer(case.problem, early(interpreted=interpreted, memory=rng.choice(ROOM)))
    assert drawer.total() == case.count, f"{drawer.total()} answers of {case.count}"
    for _ in range(min(case.count, 3)):
        assert check(case.problem, drawer.draw(rng)) is None
    return "draws"


# --- costs ---


def estimates(case: Case) -> Sequence[str]:
    return ESTIMATED if is_small(case) else QUICK


def cheapest(case: Case, rng: random.Random) -> str:
    p = case.problem
    engines = ("auto", "auto", "auto", "cover", "links", "mixed", "bits", "memo", "interpreted", "reference")
    settings = evolve(asked(case, rng, engines), estimate=rng.choice(estimates(case)))
    only(p.items < LARGE_ITEMS)
    only(case.count <= LINKS or p.options <= 20)
    if rng.random() < 0.1:  # which are looked at before they are used
        maps = [rng.sample(range(p.options), p.options) for _ in range(2)]
        settings = evolve(settings, symmetries=[*maps, [*range(p.options)][::-1]])
    if rng.random() < 0.2:
        return _capped(case, evolve(settings, ceiling=(case.least or 0) + rng.choice((-3, -1, 0, 0, 1, 9))))
    return _minimum(case, settings)


def _capped(case: Case, settings: Settings) -> str:
    """The minimum, if it costs no more than the ceiling."""
    assert settings.ceiling is not None
    run = search(case.problem, goal="minimum", limits=Limits(nodes=ENDLESS), settings=settings)
    found = list(run)
    only(run.status is not Status.LIMIT)
    right = None if case.least is None or case.least > settings.ceiling else case.least
    paid = [cost(case.problem, answer) for answer in found]
    assert all(check(case.problem, answer) is None for answer in found)
    assert all(c <= settings.ceiling for c in paid)
    assert run.best == min(paid, default=None) == right, f"best {run.best} of {right}, at most {settings.ceiling}"
    return f"minimum under a ceiling, {named(settings)}, {settings.estimate}"


def _minimum(case: Case, settings: Settings) -> str:
    run = search(case.problem, goal="minimum", limits=Limits(nodes=ENDLESS), settings=settings)
    found = list(run)
    only(run.status is not Status.LIMIT)
    assert run.status is Status.EXHAUSTED
    paid = [cost(case.problem, answer) for answer in found]
    assert paid == sorted(set(paid), reverse=True), "not ever cheaper"
    assert all(check(case.problem, answer) is None for answer in found)
    assert run.best == run.bound == case.least, f"best {run.best}, bound {run.bound}, right {case.least}"
    assert min(paid, default=None) == case.least
    return f"minimum {named(settings)}, {settings.estimate}"


def outside(solver: str) -> Way:
    """HiGHS or CP-SAT, which can't be loaded into one process."""

    def way(case: Case, rng: random.Random) -> str:
        only(is_small(case))
        try:
            wanted("highspy" if solver == "highs" else "ortools.sat.python.cp_model", solver, "")
        except ValueError:
            raise Skipped from None
        return _minimum(case, early(engine=solver))

    return way


def with_highs(case: Case, rng: random.Random) -> str:
    """HiGHS beside our own search, from the beginning; the limits of nodes would forbid it."""
    asked = plan.Query(case.problem, "minimum", Limits(), early(jobs=None))
    only(is_small(case) and plan.HIGHS.against(asked) is None)
    run = search(case.problem, goal="minimum", settings=early(jobs=None))
    paid = []
    while run.step(1):
        time.sleep(rng.choice((0.0, 0.05)))  # HiGHS takes that long to begin
    for answer in run.waiting():
        assert check(case.problem, answer) is None
        paid.append(cost(case.problem, answer))
    assert paid == sorted(set(paid), reverse=True), "not ever cheaper"
    assert run.status is Status.EXHAUSTED
    assert run.best == run.bound == case.least, f"best {run.best}, bound {run.bound}, right {case.least}"
    return "minimum with HiGHS beside"


def under_a_ceiling(case: Case, rng: random.Random) -> str:
    """Every answer that costs so much at most: how many cheapest there are, or more."""
    only(bool(case.problem.costs) and case.least is not None and case.problem.items < LARGE_ITEMS)
    assert case.best is not None
    least, right = case.best
    only(right <= LIST)
    ceiling = least
    if case.answers is not None:
        ceiling += rng.choice((-1, 0, 0, 1, 5))
        right = sum(cost(case.problem, answer) <= ceiling for answer in case.answers)
    settings = evolve(
        asked(case, rng, ("auto", "auto", "links", "bits", "memo", "reference")),
        estimate=rng.choice(estimates(case)), ceiling=ceiling, pace=Pace(ceiling=rng.choice((0, 20, 2000))),
    )  # fmt: skip
    run = search(case.problem, limits=Limits(nodes=ENDLESS), settings=settings)
    found = list(run)
    only(run.status is not Status.LIMIT)
    assert len(found) == len(set(found)) == right, f"{len(found)} answers of {right} at {ceiling}"
    assert all(check(case.problem, answer) is None and cost(case.problem, answer) <= ceiling for answer in found)
    return f"ceiling {named(settings)}, {settings.estimate}"


WAYS: dict[str, tuple[Way, float]] = {  # with how often each is asked
    "listed": (listed, 3),
    "ordered": (ordered, 1),
    "counted": (counted, 3),
    "limited": (limited, 0.3),
    "stepped": (stepped, 0.7),
    "on_bits": (on_bits, 1.5),
    "by_frontier": (by_frontier, 1),
    "on_bounds": (on_bounds, 0.3),
    "threaded": (threaded, 0.1),
    "few": (few, 0.4),
    "batched": (batched, 0.5),
    "parted": (parted, 1),
    "classed": (classed, 0.7),
    "pieced": (pieced, 0.4),
    "pieced_on_threads": (pieced_on_threads, 0.01),
    "cut": (cut, 0.4),
    "drawn": (drawn, 0.7),
    "cheapest": (cheapest, 3),
    "highs": (outside("highs"), 0.02),
    "cpsat": (outside("cpsat"), 0),  # only by itself
    "with_highs": (with_highs, 0.01),
    "under_a_ceiling": (under_a_ceiling, 1.5),
}

DETOURS = (
    (piece_work, "COMPILED_STEPS", 3), (piece_work, "FAR", 0.5), (piece_work, "BRIEF", 3),
    (pieced_module, "ALONE", dict.fromkeys(("list", "count", "minimum"), 0.0)), (pieced_module, "BRIEF", 5),
)  # fmt: skip


@contextmanager
def tiny_detours() -> Iterator[None]:
    """Pieces after a few nodes; threads and turns have `EARLY`."""
    before = [(module, name, getattr(module, name)) for module, name, _ in DETOURS]
    try:
        for module, name, value in DETOURS:
            setattr(module, name, value)
        yield
    finally:
        for module, name, value in before:
            setattr(module, name, value)
