"""The minimum of any problem: two methods that take turns.

    tree     reduces the problem to a core (mixed_core.py) and searches it with bounds from linear programs
             (mixed_tree.py)
    walk     enumerates ever cheaper answers, pruned by the reduced costs of the tree's first bound (priced.py); where
             that does not apply, or there is no tree, the walk is the first search, for example Dancing Links alone

The tree goes first, since building it takes about as long as setting up Dancing Links.

All methods share the answers they find, and have turns by what they gain (turns.py), measured in work, never in
seconds. Where bounds are tight, as in set partitioning and packing, the tree ends the search. Where they are not, as in
tilings with random costs, no tree of linear programs is small, and the only way is to run through the answers quickly.
For the walk, progress is the part of its search tree that it has finished; for the tree, the part it has closed of the
gap between its first bound and the best answer.

Covering problems have a search of their own (cover.py). It goes first, and once it has taken longer than 0.3 s
it leaves one ninth of the time to the tree. Where there are many more options than items, its local search has cores
(core_descent.py). Where linear programs are weak, the bound rises faster by that search's own ways on graphs (core.py)
and by symmetries (orbital.py). If an estimate is named, Dancing Links run alone, because only they use it.

Problems with sides have a search of their own, too (kernels/sides/_sides.py), and a tree whose linear program holds
what their sides imply (sided_tree.py). The search goes first for `first` units of work, which is enough for small
problems. Then the hard rules alone are answered (hard_rules.py), clingo makes that answer cheaper part by part, and
learns cores (outside/clingo.py). With the engine `mixed` the tree goes first. After the first turns, columns that are
alike are put in order (alike.py) for all but the walk.

Where the frontier is narrow, the minimum is also found item by item (sweep.py), with the prices of the tree's first
bound. It needs memory, and gives up where that is not enough. Where a single total is all that joins the options,
or sets of which one is taken, a method for just that goes first (one_total.py); so does one that fills bins, where it
is about bins that are alike (bins.py), and one that orders what takes time on machines
(outside/clingo_intervals.py).

Where a problem is too large for the tree, or its first linear program does not end in its first turn, the prices of its
rows give a bound (integer_program.py), and packings are annealed (annealed.py). HiGHS takes the tree's place where
there is none, if it is installed (integer_program.py); on one thread also where neither tree nor walk is halfway after
`late` work. Small problems never load it, which takes an eighth of a second. After `Pace.highs` work it also runs in a
process (`HIGHS` in plan.py), on another processor. It has a turn there whenever it has found something: an answer,
which is checked, or a bound. Which of several cheapest answers is given then depends on who is first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from attrs import evolve

from covr.engine.base.alone import Unsuited
from covr.engine.base.limits import check_limits
from covr.engine.check import cost
from covr.engine.kernels.header import DONE, FOUND, SLICE
from covr.engine.kernels.loading import Kernel, load
from covr.engine.minimum import integer_program
from covr.engine.minimum.integer_program import ProgramKernel, RowPriceKernel
from covr.engine.minimum.mixed_core import COARSEST, MOST_ROWS, WIDEST, MixedCore, core
from covr.engine.minimum.mixed_tree import BoundTree
from covr.engine.settings import Settings
from covr.engine.turns import CheapestTurns, Entrant, Method, entrant, once
from covr.engine.witness import worth

if TYPE_CHECKING:
    from covr.engine.minimum.one_total import OneTotal, SumKernel
    from covr.engine.minimum.sweep import MinimumSweep
    from covr.engine.outside.clingo import Learner
    from covr.engine.single import Prepared

# Work is counted in the units of the tree's kernel (_mixed.py), `UNIT` nanoseconds each.
UNIT = 2
LINKED, MASKED = 12, 7  # the tree's work in the time of one update of Dancing Links, and of one of a walk on sets
PER_WORD = 3  # words of 64 options for each work that an update of a walk on longer sets is; 60 to 95 ns with 63 words
NEAR = 0.5  # share of the way that tree or walk must have come for HiGHS to stay away, or the tree to pass covers by
SHARE = 64  # a slice of the walk has `MixedPace.few` nodes, or 1/SHARE of those it has done if that is more
TREE, PROVER, LEARNER, PARTS = "linear programs", "integer program", "clingo", "parts of the answer anew"  # rows
PROCESS = f"{integer_program.NAME}, in a process"
SWEEP, PRICES, HEAT, SUMS, HARD = "item by item", "prices of rows", "annealing", "one total", "the hard rules first"
WALK, COVERS, BINS, INTERVALS = "the walk", "the search for covers", "like bins", "what comes first"
REASONS = {
    SUMS: "goes through sums, where nothing else joins options",
    BINS: "fills bins that are alike, one by one",
    INTERVALS: "orders what takes time, where all others are slow",
    TREE: "are quicker where bounds are tight",
    PRICES: "bounds programs of any size",
    HEAT: "finds good packings where no tree fits",
    PROVER: "holds more rows than our own linear programs",
    PROCESS: "is on another processor, and has a turn when it has found something",
    SWEEP: "is quicker where the frontier is narrow",
    PARTS: "finds better answers where many rules hang together",
    LEARNER: "learns cores where linear programs are weak",
    WALK: "is quicker where linear programs are weak",
    COVERS: "is quicker where linear programs are weak",
    HARD: "finds an answer where the goal is made of wishes",
}
PROGRAM_ROOT = 1_000_000_000  # work, in nanoseconds, that its linear program may take before the walk's first turn
MOST_ITEMS = 2 * MOST_ROWS  # for a tree: more would hardly merge into so few rows


def beside(
    method: Method,
    prepared: Prepared,
    covering: bool = False,
    learner: Learner | None = None,
    ordering: Method | None = None,
    asks: bool = False,
) -> Method:
    """The same search with a tree beside it.

    method: the first search.  prepared: the question, which suits `TREE` (plan.py).
    covering: whether the first search is the one for covers, of the problem or of what its answers leave out.
    learner: clingo, if it is to have turns.  ordering: what orders intervals, where the problem is about nothing else.
    asks: whether HiGHS may run in a process.
    """
    mixed = Mixed(method, prepared, covering, learner, ordering, asks)
    return evolve(
        method,
        naming=mixed.naming,
        looks=True,
        even=False,
        kernel=mixed,
        run=mixed.run,
        answer=mixed.whole,
        bound=mixed.bound,
        lower=mixed.lower,
        fraction=lambda: None,
        stop=mixed.stop,
    )


class Mixed(CheapestTurns):
    """Tree, sweep and walk by turns."""

    def __init__(
        self,
        method: Method,
        prepared: Prepared,
        covering: bool,
        learner: Learner | None,
        ordering: Method | None,
        asks: bool,
    ) -> None:
        problem, settings = prepared.searched, prepared.settings
        self._problem, self._whole, self._covering = problem, prepared.whole, covering
        self._interpreted, self._memory = settings.interpreted, settings.memory
        self._times = times = settings.pace.mixed
        self._few = times.few if problem.is_pure else times.few_sided
        self._first = evolve(method, works=self._first_work, slice=lambda: self._walk_slice(method.kernel))
        self._walk: Method = self._first
        self._core: MixedCore | None = None
        self._tree: BoundTree | None = None
        self._also: Sequence[int] = ()  # options that every answer takes, besides the given ones and those of the core
        self._sweep: MinimumSweep | None = None
        self._has_tried = False  # whether a tree was to be made
        # HiGHS searches for the engine `auto`; on two processors it comes later, in a process beside all this.
        usual = settings.engine == "auto" and settings.seed is None and not settings.interpreted
        self._covers_rest = covering and not problem.is_cover  # linear programs bound packings better than covers
        self._learner = learner if usual else None
        self._open = prepared.opening if self._learner else None
        self._opening = once(lambda: self._open and self._open())
        sums = settings.engine == "auto" and settings.seed is None
        self._total = self._staged() if sums else None
        self._seen = self._see(settings.ceiling, ordering) if sums and not covering else None
        self._sums: SumKernel | None = None
        self._alone = settings.jobs is not None
        self._pricing: RowPriceKernel | None = None
        self._program: ProgramKernel | None = None
        self._asked: ProgramKernel | None = None  # what reads from the process of HiGHS
        self._barred = covering or not problem.is_pure  # whether a walk on sets is ruled out
        super().__init__(
            self._table(settings, asks, usual), partial(cost, prepared.problem), settings.ceiling, settings.pace
        )
        self.worth = worth(problem)
        if isinstance(method.kernel, CheapestTurns):
            self._inner = {COVERS: method.kernel}

    def _table(self, settings: Settings, asks: bool, usual: bool) -> Sequence[Entrant]:
        times, pure = self._times, self._problem.is_pure
        row = partial(entrant, "best values", REASONS, UNIT * times.turn)
        head = times.first if self._covers_rest or (not pure and settings.engine == "auto") else 0
        if self._covering and not self._covers_rest:
            head = self._late(len(self._problem.members)) // UNIT
        sweeps = pure and settings.engine in ("auto", "mixed")
        programs = usual and (not self._covering or self._covers_rest)
        root = 0 if self._covering and not self._covers_rest else 2 * times.late
        walk = row(COVERS if self._covering else WALK, self._walking, share=self._walk_share)
        rows = [
            row(
                TREE, once(self._plant), share=self._tree_share,
                holds=lambda: self._tree is not None and self._tree.root is None and self._tree.work < root,
            ),
            row(
                PRICES, once(self._price_rows, self._lacks_tree),
                may=lambda: self._pricing is None or not self._pricing.over,
                holds=lambda: self._pricing is not None and self._pricing.begins(),
            ),
            row(HEAT, once(self._anneal, self._lacks_tree)),
            row(
                PROVER, once(self._begin_program, self._is_wanted),
                begins=lambda: 0 if self._tree is None else UNIT * times.late,
                may=lambda: programs if self._program is None else self._program.believed,
                holds=lambda: self._tree is None and self._program is not None and self._program.starts(PROGRAM_ROOT),
            ),
            row(
                SWEEP, once(self._begin_sweep, self._has_root), share=self._sweep_share,
                begins=lambda: self._late(0 if self._core is None else self._core.members),
                may=lambda: sweeps if self._sweep is None else not self._sweep.gave_up,
            ),
        ]  # fmt: skip
        if asks:
            rows.append(
                row(
                    PROCESS, once(self._begin_process), begins=lambda: settings.pace.highs, urgent=self._has_news,
                    may=lambda: self._asked is None or self._has_news(),
                )
            )  # fmt: skip
        learner = self._learner
        if learner is not None:
            improver = learner.improver(self._known)
            if improver is not None:
                rows.append(row(PARTS, improver.method, may=lambda: improver.able, most=1))
            rows.append(row(LEARNER, learner.method, may=lambda: learner.able))
        if self._open is not None:
            rows.insert(0, row(HARD, self._opening, may=self._is_open))
        rows.insert(0 if head else len(rows), evolve(walk, first=UNIT * head) if head else walk)
        seen = self._seen
        if seen is not None:
            rows.insert(0, row(seen[0], lambda: seen[1]))
        elif self._total is not None:
            rows.insert(0, row(SUMS, once(self._add_up), may=lambda: self._sums is None or not self._sums.over))
        return rows

    # --- when methods begin, and how much of their way they have done ---

    def _late(self, members: int) -> int:
        """The work after which what takes long to prepare begins. members: of the options that it reads."""
        return UNIT * max(self._times.late, self._times.per_member * members)

    def _tree_share(self) -> float:
        """How much of the gap the tree has closed; beside covers and with sides, only once it is near the end."""
        closed = self._closed()
        return closed if closed > NEAR or (self._problem.is_pure and not self._covering) else 0.0

    def _walk_share(self) -> float:
        """How much of its own tree the walk has done; with sides that says little."""
        return self._share() if self._problem.is_pure else 0.0

    def _sweep_share(self) -> float:
        """How near the end the sweep is: the work of all so far, as a part of that and of what the sweep expects."""
        return 0.0 if self._sweep is None else self.work / (self.work + UNIT * self._sweep.expected() + 1)

    def _known(self) -> tuple[int, ...]:
        """The best answer; without options if there is none."""
        return self._best

    def _is_open(self) -> bool:
        """Whether the hard rules have a turn: until they have an answer, and after that no other has one, either."""
        if HARD not in self.spent and (self._cost is not None and self._walked > self._times.first):
            return False
        opening = self._opening()
        return opening is not None and not opening.kernel.answers

    def stop(self) -> None:
        """Stop HiGHS and clingo, if they run."""
        for program in (self._program, self._asked):
            if program is not None:
                program.stop()
        if self._learner is not None:
            self._learner.stop()

    def naming(self) -> str:
        """Which engine found the last answer, or proved it the best."""
        first = self._first.title
        return first if self.hero in (None, self._first) else f"{self.hero.name} beside {first}"

    def fraction(self) -> float:
        """How much of the work is done, from 0 to 1: the progress of whichever is further along."""
        swept = 0.0 if self._sweep is None else self._sweep.fraction()
        return max(self._share(), self._closed(), swept)

    @property
    def _walked(self) -> int:
        """The walks' work so far, in the tree's units."""
        own = self._first_work()
        return (own if self._walk is self._first else own + self._walk.work) // UNIT

    def _first_work(self) -> int:
        kernel: Any = self._first.kernel
        if self._covering:
            return int(kernel.work)
        if not self._problem.is_pure:
            return UNIT * int(kernel.labour())
        return UNIT * int(kernel.updates * LINKED)

    def _walk_slice(self, kernel: Kernel) -> int:
        return max(self._few, kernel.nodes // SHARE)

    def _share(self) -> float:
        """How much of its search tree the walk has done, from 0 to 1."""
        told = getattr(self._walk.kernel, "fraction", None)
        return float(told()) if told is not None else 0.0

    def _closed(self) -> float:
        """How much the tree has closed of the gap between its first bound and the best answer, from 0 to 1."""
        tree = self._tree
        if tree is None or tree.bound is None or tree.first is None:
            return 0.0
        whole = tree.ceiling + 1 - tree.first
        return 1.0 if whole <= 0 else min(max(tree.bound - tree.first, 0) / whole, 1.0)

    # --- methods, each loaded when it is first needed: most searches end before ---

    def _plant(self) -> Method | None:
        """The tree; None if it or its costs would be too large."""
        self._has_tried = True
        problem = self._problem
        if problem.items > MOST_ITEMS or problem.options * problem.items > WIDEST:
            return None
        looks = load("_looks", self._interpreted).Looks(check_limits)
        if not problem.is_pure:
            from covr.engine.minimum.alike import ordered  # most searches need none of it
            from covr.engine.minimum.sided_tree import plant

            problem = self._problem = ordered(problem)
            if self._learner is not None:
                self._learner.problem = problem
            planted = plant(problem, self.ceiling, self._interpreted, looks)
            if planted is None:
                return None
            self._core, self._tree = planted
            self._also = planted[1].also
        else:
            own = core(problem)
            check_limits()
            if own.unit < COARSEST or own.rows > MOST_ROWS:
                return None
            ceiling = own.dearest if self.ceiling is None else own.ceiling(self.ceiling)
            self._core, self._tree = own, BoundTree(own, load("_mixed", self._interpreted), ceiling, looks)
            check_limits()
        return self._sliced("linear programs", SliceKernel(self._tree), self._proved)

    def _proved(self) -> int | None:
        """The tree's lower bound for all answers; those above its ceiling cost at least the ceiling plus 1."""
        if self._tree is None or self._core is None or self._tree.bound is None:
            return None
        return self._core.whole(min(self._tree.bound, self._tree.ceiling + 1))

    def _least(self) -> int | None:
        """The sweep's lower bound for all answers."""
        if self._sweep is None or self._core is None or self._sweep.bound is None:
            return None
        return self._core.whole(self._sweep.bound)

    def _has_root(self) -> bool:
        """Whether the tree's first linear program has ended."""
        return self._tree is not None and self._tree.root is not None

    def _lacks_tree(self) -> bool:
        """Whether there is no tree, or one whose first linear program has not ended in its first turn."""
        unbounded = self._tree is None or (self._tree.root is None and not self._tree.done)
        return self._has_tried and unbounded and not self._covering

    def _price_rows(self) -> Method | None:
        """The prices of rows; None where there are none."""
        if not integer_program.can_price_rows(self._problem, self._interpreted):
            return None
        self._pricing = RowPriceKernel(self._problem, self.ceiling, self._interpreted)
        return integer_program.row_price_method(self._pricing)

    def _anneal(self) -> Method | None:
        """Annealing; None where the problem is no packing."""
        from covr.engine.minimum import annealed

        if not annealed.available(self._problem, self._interpreted):
            return None
        prices = () if self._pricing is None else self._pricing.per_item()
        kernel = annealed.AnnealingKernel(self._problem, prices, self.ceiling, self._interpreted)
        return annealed.method(kernel, self._whole)

    def _begin_program(self) -> Method | None:
        """Give the problem to HiGHS; None where it can't be."""
        problem = self._problem
        if not integer_program.available(problem):
            return None
        try:
            made = self._pricing.program() if self._pricing is not None else None
            self._program = ProgramKernel(problem, lambda: self._cost, self.ceiling, program=made)
        except Unsuited:
            return None
        return integer_program.method(self._program, self._whole)

    def _begin_process(self) -> Method:
        """HiGHS in a process, which begins now."""
        from covr.engine.outside.process import SolverProcess

        problem, self.outside = self._problem, ("highs",)
        self._asked = ProgramKernel(
            problem, lambda: self._cost, self.ceiling, lambda *_: SolverProcess(problem), (problem.options, [])
        )
        return integer_program.method(self._asked, self._whole, PROCESS)

    def _has_news(self) -> bool:
        """Whether HiGHS has reported something from its process."""
        return self._asked is not None and self._asked.has_news

    def _is_wanted(self) -> bool:
        """Whether HiGHS should have turns: there is no tree, or tree and walk have come less than halfway."""
        if self._tree is None:
            return self._has_tried
        return self._alone and max(self._share(), self._closed()) < NEAR

    def _staged(self) -> OneTotal | None:
        """The stages of one total; None where there is more to the problem."""
        if len(self._problem.sides) != 1:
            return None
        from covr.engine.minimum.one_total import staged

        return staged(self._problem)

    def _add_up(self) -> Method | None:
        """The stages of one total."""
        from covr.engine.minimum import one_total

        assert self._total is not None
        self._sums = one_total.SumKernel(self._total, self.ceiling)
        return one_total.method(self._sums, self._problem.given, self._whole)

    def _see(self, ceiling: int | None, ordering: Method | None) -> tuple[str, Method] | None:
        """A row for just what the problem is about, what takes time or bins that are alike; None for all else."""
        if ordering is not None or not self._problem.sides or self._total is not None:
            return None if ordering is None else (INTERVALS, ordering)
        from covr.engine.minimum import bins

        found = bins.like_bins(self._problem)
        return None if found is None else (BINS, bins.method(bins.BinsKernel(found, ceiling), self._whole))

    def _begin_sweep(self) -> Method | None:
        """The sweep; None where the frontier is too wide."""
        from covr.engine.minimum.sweep import ITEM_BY_ITEM, MinimumSweep, order_sweep

        tree, own = self._tree, self._core
        assert tree is not None and own is not None and tree.root is not None
        order = order_sweep(own)
        if order is None:
            return None
        self._sweep = MinimumSweep(own, order, tree.root.prices, tree.ceiling, self._memory, self._interpreted)
        return self._sliced(ITEM_BY_ITEM, SliceKernel(self._sweep), self._least)

    def _walking(self) -> Method:
        """The first search or, where `fits` allows it once the tree has prices, the walk on sets."""
        tree, own = self._tree, self._core
        if self._walk is self._first and tree is not None and own is not None and tree.root and not self._barred:
            from covr.engine.minimum.priced import Priced, fits

            self._barred = not fits(own, tree.root)
            if not self._barred:
                walk = Priced(own, tree.root, tree.ceiling, self._interpreted)
                self._walk = Method(
                    "sets in the order of reduced costs", walk.kernel, walk.kernel.run,
                    lambda: self._outside(walk.answer()), lower=lambda ceiling: walk.lower(own.ceiling(ceiling)),
                    works=lambda: UNIT * max(MASKED, walk.words // PER_WORD) * walk.kernel.updates,
                    slice=lambda: self._walk_slice(walk.kernel),
                )  # fmt: skip
        return self._walk

    def _sliced(self, name: str, kernel: SliceKernel, bound: Callable[[], int | None]) -> Method:
        """The tree or the sweep as a method."""
        own, search = self._core, kernel.search
        assert own is not None
        return Method(
            name, kernel, kernel.run, lambda: self._outside(kernel.answer()), bound,
            lower=lambda ceiling: search.lower(own.ceiling(ceiling)), works=lambda: UNIT * search.work, slice=lambda: 1,
        )  # fmt: skip

    def _outside(self, options: list[int]) -> tuple[int, ...]:
        """An answer of the core in the caller's numbers."""
        assert self._core is not None
        return self._whole([*self._also, *(self._core.numbers[o] for o in options)])


class SliceKernel:
    """The tree or the sweep as a kernel (see loading.py): each of its slices counts as a node."""

    def __init__(self, search: BoundTree | MinimumSweep) -> None:
        self.search = search
        self.nodes = self.answers = 0
        self.code = -1
        self._answer: list[int] = []

    @property
    def updates(self) -> int:
        """The number of updates of Dancing Links that fits into the time it has taken."""
        return self.search.work // LINKED

    def run(self, nodes: int, answers: int) -> int:
        """Go on for at most so many slices, up to an answer. DONE may come with an answer."""
        search, end = self.search, self.nodes + nodes
        self.code = SLICE
        while self.code == SLICE and self.nodes < end:
            self.nodes += 1  # also if it was closed when it was made: a limit of no nodes leaves the question open
            if not search.done:
                search.step()
            if search.found is not None:
                self._answer, search.found = search.found, None
                self.answers += 1
                self.code = FOUND
            if search.done:
                self.code = DONE
        return self.code

    def answer(self) -> list[int]:
        """The last answer, in the core's numbers."""
        return self._answer
