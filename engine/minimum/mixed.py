"""The minimum of any problem: two methods that take turns.

    tree     reduces the problem to a core (mixed_core.py) and searches it with bounds from linear programs
             (mixed_tree.py)
    walk     enumerates ever cheaper answers, pruned by the reduced costs of the tree's first bound (priced.py); where
             that does not apply, or there is no tree, the walk is the first search, for example Dancing Links alone

The tree goes first, since building it takes about as long as setting up Dancing Links. Over 200 small problems
(`python -m benchmarks seeds`) the times added up to 0.67 s that way, to 0.89 s when Dancing Links were given 5000
updates first, and to 1.6 s when they were given 200 000.

Tree and walk take turns, which become longer and longer, and share the answers they find. Where bounds are tight, as in
set partitioning and packing, the tree ends the search. Where they are not, as in tilings with random costs, no tree of
linear programs is small, and the only way is to run through the answers quickly. The one that is further along gets
turns `FAVOUR` times as long. For the walk, progress is the part of its search tree that it has finished; for the tree,
the part it has closed of the gap between its first bound and the best answer. All turns are measured in work, never in
seconds. Measured: on the bus drivers (CSPLib 022) the tree proves every instance in a tenth of the time HiGHS takes,
while the walk gets nowhere near the end; on pentominoes with random costs the walk proves the cheapest answer in less
time than it takes to list all answers, while the tree has closed a hundredth of the gap.

Covering problems have a search of their own (cover.py). It goes first, and once it has taken longer than a second it
leaves one ninth of the time to the tree. Where there are many more options than items, its local search has cores
(core_descent.py): on rail516 the tree found the cheapest cover, 182, after 11 s, now it is found and proved after 2 s,
before there is a tree. Where linear programs are weak, the bound rises faster by that search's own rounds (core.py),
on graphs (core.py) and by symmetries (orbital.py): on PACE's vertex covers the tree's first bound is far below
the minimum. If an estimate is named, Dancing Links run alone, because only they use it.

Problems with sides have a search of their own, too (kernels/sides/_sides.py), and a tree whose linear program holds
what their sides imply (sided_tree.py). The search goes first for `first` units of work, which is enough for small
problems, and for a quarter of that where it gets nowhere. Then the hard rules alone are answered (hard_rules.py), and
clingo makes that answer cheaper part by part (outside/clingo.py). From then on a method's turns become twice as long
when one has closed some of the gap between bound and answer, and half as long when it has not (`_pays`). With the
engine `mixed` the tree goes first. After the first turns, columns that are alike are put in order (alike.py) for all
but the walk.

Where the frontier is narrow, a third method takes turns with these two: the minimum item by item (sweep.py), which
begins after `wait` work (`MixedPace`) and uses the prices of the tree's first bound. Its turns are short until it can
tell from its first sweeps, which take next to no time, that it will be done within `PROMISING` times the work so far,
and before the walk, if that can tell; then they are `FAVOUR` times as long. It needs memory, and gives up where that is
not enough.

Where a single total is all that joins the options, or sets of which one is taken, a method for just that goes first
(one_total.py).

Where there are sides, clingo has turns as well, if it is installed (outside/clingo.py): linear programs are weak
for what is counted where places hang together.

Where a problem is too large for the tree, or its first linear program does not end in its first turn, the prices of its
rows give a bound (integer_program.py), and packings are annealed (annealed.py). HiGHS takes the tree's place where
there is none, if it is installed (integer_program.py); on one thread also where neither tree nor walk is halfway after
`late` work, or sooner where the tree has stopped gaining, and where after `soon` work few options are left between the
tree's first bound and the best answer (narrowed.py). Small problems never load it, which takes an eighth of a second.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from attrs import evolve

from covr.engine.base.alone import Unsuited
from covr.engine.base.limits import check_limits
from covr.engine.kernels.header import DONE, FOUND, SLICE
from covr.engine.kernels.loading import Kernel, load
from covr.engine.minimum import integer_program
from covr.engine.minimum.integer_program import ProgramKernel, RowPriceKernel
from covr.engine.minimum.mixed_core import COARSEST, MixedCore, core
from covr.engine.minimum.mixed_tree import BoundTree
from covr.engine.problem import Problem
from covr.engine.settings import Settings
from covr.engine.turns import CheapestTurns, Entrant, Method, Timetable
from covr.engine.witness import worth

if TYPE_CHECKING:
    from covr.engine.minimum.one_total import OneTotal, SumKernel
    from covr.engine.minimum.sweep import MinimumSweep
    from covr.engine.outside.clingo import Learner

Whole = Callable[[Sequence[int]], tuple[int, ...]]

# Work is counted in the units of the tree's kernel (_mixed.py), `UNIT` nanoseconds each.
UNIT = 2
TRIED, DONE_BY_THEN = 4, 0.05  # see `_gets_on`
LINKED, MASKED = 12, 7  # the tree's work in the time of one update of Dancing Links, and of one of a walk on sets
PER_WORD = 3  # words of 64 options for each work that an update of a walk on longer sets is; 60 to 95 ns with 63 words
FAVOUR = 8  # how many times as long a turn is for the one that is further along
COVERING = 2  # the tree's work in the time of one update of the search for covers
NEAR = 0.5  # share of its gap that the tree must close to get turns as long as those of the search for covers
PROGRESS = 0.01  # share of the way to the end that one of them must have come before it is favoured
NOTABLE = 0.05  # share of the gap by which a turn must raise the bound for the next one to be longer
UNDECIDED = 2  # how many times the tree's turn a walk on sets gets while neither has made that much progress
TIGHT = 50  # the gap between bound and answer is small if this many times as much is no more than the answer's cost
SHARE = 64  # a slice of the walk has `MixedPace.few` nodes, or 1/SHARE of those it has done if that is more
PROMISING = 8  # a sweep is favoured if it should be done within this many times the work so far
TASTE = 8  # how many times as short its turns are otherwise
MANY = 2000  # options; with this many or more, sets take long to build, and the tree gets a longer turn first
TREE, PROVER, LEARNER, PARTS = "linear programs", "integer program", "clingo", "parts of the answer anew"  # rows
PROGRAM = 4  # how many times as long as those of the others its turns are
HEATED = 16  # how many times as long as those of the walk the turns of annealing are
PROGRAM_ROOT = 1_000_000_000  # work, in nanoseconds, that its linear program may take before the walk's first turn
LARGEST = 2000  # rows of a linear program, at most; the inverse of its basis takes 8 · rows² bytes
WIDEST = 1 << 31  # options times items, at most, for a tree: building it needs that many bits
MOST_ITEMS = 2 * LARGEST  # items, at most, for a tree: more would hardly merge into `LARGEST` rows


def beside(
    method: Method,
    problem: Problem,
    settings: Settings,
    whole: Whole,
    paid: Callable[[Sequence[int]], int],
    covering: bool = False,
    learner: Learner | None = None,
    opening: Callable[[], Method] | None = None,
) -> Method:
    """The same search with a tree beside it.

    method: the first search.  problem: what the tree searches; it suits `TREE` (plan.py).
    whole: turns option numbers of `problem` into an answer in the caller's numbers.  paid: what such an answer costs.
    covering: whether the first search is the one for covers.  learner: clingo, if it is to have turns.  opening: makes
    the search for an answer to the hard rules alone (hard_rules.py).
    """
    mixed = Mixed(method, problem, settings, whole, paid, covering, learner, opening)
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
        problem: Problem,
        settings: Settings,
        whole: Whole,
        paid: Callable[[Sequence[int]], int],
        covering: bool,
        learner: Learner | None,
        opening: Callable[[], Method] | None,
    ) -> None:
        self._problem, self._whole, self._covering = problem, whole, covering
        self._interpreted, self._memory = settings.interpreted, settings.memory
        self._times = times = settings.pace.mixed
        self._few = times.few if problem.is_pure else times.few_sided
        self._first = evolve(method, works=self._first_work, slice=lambda: self._walk_slice(method.kernel))
        self._walk: Method = self._first
        self._core: MixedCore | None = None
        self._tree: BoundTree | None = None
        self._also: Sequence[int] = ()  # options that every answer takes, besides the given ones and those of the core
        self._sweep: MinimumSweep | None = None
        self._planted: Method | None = None
        self._sweeping: Method | None = None
        self._may_plant = True  # until it is tried
        self._may_sweep = settings.engine in ("auto", "mixed") and problem.is_pure  # until its frontier proves too wide
        # HiGHS searches for the engine `auto`; on two processors it comes later, in a process beside all this.
        usual = settings.engine == "auto" and settings.seed is None and not settings.interpreted
        self._may_program = usual and not covering
        self._learner = learner if usual else None
        self._paying: dict[str, float] = {}  # how many times as long the turns of a row are as they would be otherwise
        self._mark: tuple[int | None, int | None] = (None, None)  # best cost and bound when the last turn ended
        self._open = opening if self._learner else None
        self._opening: Method | None = None
        sums = settings.engine == "auto" and settings.seed is None
        self._total = self._staged() if sums else None
        self._sums: SumKernel | None = None
        self._summing: Method | None = None
        self._alone = settings.jobs is not None
        self._may_price = not covering  # until it is tried
        self._narrowed_at: int | None = None  # the best cost at which it was looked what is left
        self._may_anneal = not covering  # until it is tried
        self._annealing: Method | None = None
        self._pricing: RowPriceKernel | None = None
        self._priced: Method | None = None
        self._program: ProgramKernel | None = None
        self._programming: Method | None = None
        self._barred = covering or not problem.is_pure  # whether a walk on sets is ruled out
        super().__init__(self._timetable(settings), paid, settings.ceiling, settings.pace)
        self.worth = worth(problem)

    def _timetable(self, settings: Settings) -> Timetable:
        times = self._times
        turn, root, head = times.turn, times.root, 0
        if self._covering:
            head = max(times.patience, times.per_member * len(self._problem.members))
            turn, root = max(turn, head // FAVOUR), 0
        elif not self._problem.is_pure and settings.engine == "auto":
            head = times.first
        what = "the search for covers" if self._covering else "the walk"

        def walks(work: int | Callable[[], int]) -> Entrant:
            return Entrant(what, self._walking, work, "is quicker where linear programs are weak")

        def tree_turn() -> int:
            return UNIT * int(turn * self._shares()[0] + self._delay() / self.scale)

        def goes_on() -> bool:
            return self._swept * UNIT - self.began < UNIT * int(turn * self.scale) * self._sweep_share() // TASTE

        tree = Entrant(
            TREE, self._tree_method, tree_turn,
            "are quicker where bounds are tight",
            holds=lambda: self._tree is not None and self._tree.root is None and self._tree.work < root,
        )  # fmt: skip
        sweep = Entrant(
            "item by item", self._sweep_method, UNIT * turn // TASTE, "is quicker where the frontier is narrow",
            may=lambda: self._sweep is None or not self._sweep.gave_up,
            holds=goes_on,
        )  # fmt: skip
        pricing = Entrant(
            "prices of rows", self._pricing_method, UNIT * turn, "bounds programs of any size",
            may=lambda: self._pricing is None or not self._pricing.over,
            holds=lambda: self._pricing is not None and self._pricing.begins(),
        )  # fmt: skip
        annealing = Entrant(
            "annealing",
            self._annealing_method,
            UNIT * turn * HEATED,
            "finds good packings where no tree fits",
        )
        program = Entrant(
            PROVER, self._program_method, UNIT * turn * PROGRAM,
            "holds more rows than our own linear programs",
            may=self._has_program,
            holds=lambda: self._tree is None and self._program is not None and self._program.starts(PROGRAM_ROOT),
        )  # fmt: skip
        opening = Entrant(
            "the hard rules first", self._opening_method, UNIT * head,
            "finds an answer where the goal is made of wishes",
            may=self._is_open,
        )  # fmt: skip
        summing = Entrant(
            "one total", self._sum_method, UNIT * (head // TRIED or turn),
            "goes through sums, where nothing else joins options",
            may=lambda: self._sums is None or not self._sums.over,
        )  # fmt: skip
        sums = (summing,) if self._total is not None else ()
        walk = walks(lambda: UNIT * turn * self._shares()[1])
        first = walks(UNIT * head)
        if not self._covering:
            first = evolve(first, work=UNIT * head // TRIED, holds=lambda: self._gets_on(UNIT * head))
        openings = () if self._open is None else (opening,)
        rounds = (*sums, tree, pricing, annealing, program, sweep, *self._clingo_rows(UNIT * turn), walk)
        if self._learner:
            rounds = (*openings, *map(self._pays, rounds))
        return Timetable((*sums, *([first, *openings] if head else [])), rounds, 2)

    def _clingo_rows(self, work: int) -> tuple[Entrant, ...]:
        """The rows of clingo: parts of the answer anew, and cores; none without it. work: of a turn."""
        learner = self._learner
        if learner is None:
            return ()
        improver = learner.improver(self._known)
        better, weak = (
            "finds better answers where many rules hang together",
            "learns cores where linear programs are weak",
        )
        return (
            Entrant(PARTS, improver.method, work, better, may=lambda: improver.able),
            Entrant(LEARNER, learner.method, work, weak, may=lambda: self._is_learning(learner)),
        )

    def _known(self) -> tuple[int, ...]:
        """The best answer; without options if there is none."""
        return self._best

    def _pays(self, row: Entrant) -> Entrant:
        """The row with turns that are twice as long after each that has closed some of the gap between the bound and
        the best answer, and half as long after each that has not."""
        name, work, after = row.name, row.work, row.after
        least = 1 / PROGRAM if name in (PROVER, LEARNER) else 1 / FAVOUR
        most = 2 if name == PARTS else FAVOUR  # parts gain for long after they no longer matter

        def turn() -> int:
            return int((work if isinstance(work, int) else work()) * self._paying.get(name, 1))

        def settle() -> None:
            after()
            (best, bound), self._mark = self._mark, (self._cost, self._bound)
            gained = best != self._cost
            if best is not None and bound is not None and self._cost is not None and self._bound is not None:
                gap = best - bound
                gained = best - self._cost > PROGRESS * gap or self._bound - bound > NOTABLE * gap
            factor = self._paying.get(name, 1)
            self._paying[name] = min(max(2 * factor, 1), most) if gained else max(min(factor / 2, 1), least)

        return evolve(row, work=turn, after=settle)

    def _is_open(self) -> bool:
        """Whether the hard rules have a turn: until they have an answer, and after that no other has one, either."""
        if self._opening is None:
            return self._cost is None or self._walked <= self._times.first
        return not self._opening.kernel.answers

    def _is_learning(self, learner: Learner) -> bool:
        """Whether clingo has a turn. Each of its calls is as long as all before, so the others must have done as much
        work before it, or more where its calls gain little."""
        return learner.due(int(min(self._paying.get(LEARNER, 1), 1) * (self.work - learner.work)))

    def stop(self) -> None:
        """Stop HiGHS and clingo, if they run."""
        if self._program is not None:
            self._program.stop()
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

    # --- shares ---

    def _gets_on(self, work: int) -> bool:
        """Whether the search with sides goes on with its first turn after one TRIED-th of it: if it has done more than
        DONE_BY_THEN of its own tree. work: the turn takes no more."""
        return self._first_work() < work and self._share() > DONE_BY_THEN

    def _shares(self) -> tuple[int, int]:
        """The factors by which the tree's turn and the walk's turn are longer than the round's."""
        walked, closed = self._share(), self._closed()
        if self._covering:
            return 1, 1 if closed > NEAR else FAVOUR
        if not self._problem.is_pure:  # how much of its tree the search with sides has done says little
            return FAVOUR if self._is_tight() else 1, 1
        if walked > max(closed, PROGRESS):
            return 1, FAVOUR
        if closed > max(walked, PROGRESS):
            return FAVOUR, 1
        return 1, 1 if self._walk is self._first else UNDECIDED

    def _sweep_share(self) -> int:
        """`TASTE` times the factor by which the sweep's turn is longer than the round's."""
        if self._sweep is None:
            return 1
        expected, walked, share = self._sweep.expected(), self._walked, self._share()
        if share > PROGRESS and expected > walked * (1 - share) / share:
            return 1
        return FAVOUR * TASTE if expected <= PROMISING * (self._work + walked + self._swept) else 1

    def _delay(self) -> int:
        """How much longer the tree's turn is because sets for the walk would take long to build, in work."""
        if self._core is None or self._walk is not self._first or self._barred or len(self._core.options) < MANY:
            return 0
        return len(self._core.options) ** 2 // 2

    @property
    def _swept(self) -> int:
        """The sweep's work so far, in the tree's units."""
        return self._sweep.work if self._sweep is not None else 0

    @property
    def _work(self) -> int:
        """The tree's work so far."""
        return self._tree.work if self._tree is not None else 0

    @property
    def _walked(self) -> int:
        """The walks' work so far, in the tree's units."""
        own = self._first_work()
        return (own if self._walk is self._first else own + self._walk.work) // UNIT

    def _first_work(self) -> int:
        kernel: Any = self._first.kernel
        if not self._problem.is_pure:
            return UNIT * int(kernel.labour())
        return UNIT * int(kernel.labour * COVERING if self._covering else kernel.updates * LINKED)

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

    def _tree_method(self) -> Method | None:
        """The tree; None if it or its costs would be too large."""
        if self._may_plant:
            self._may_plant = False
            self._plant()
            tree, own = self._tree, self._core
            if tree is not None and own is not None:
                self._planted = self._sliced("linear programs", SliceKernel(tree), self._proved)
        return self._planted

    def _plant(self) -> None:
        problem = self._problem
        if problem.items > MOST_ITEMS or problem.options * problem.items > WIDEST:
            return
        looks = load("_looks", self._interpreted).Looks(check_limits)
        if not problem.is_pure:
            from covr.engine.minimum.alike import ordered  # most searches need none of it
            from covr.engine.minimum.sided_tree import plant

            problem = self._problem = ordered(problem)
            if self._learner is not None:
                self._learner.problem = problem
            planted = plant(problem, self.ceiling, self._interpreted, looks)
            if planted is not None:
                self._core, self._tree = planted
                self._also = planted[1].also
            return
        own = core(problem)
        check_limits()
        if own.unit < COARSEST or own.rows > LARGEST:
            return
        ceiling = own.dearest if self.ceiling is None else own.ceiling(self.ceiling)
        self._core, self._tree = own, BoundTree(own, load("_mixed", self._interpreted), ceiling, looks)
        check_limits()

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

    def _is_unbounded(self) -> bool:
        """Whether there is no tree, or one whose first linear program has not ended in its first turn."""
        return self._tree is None or (self._tree.root is None and not self._tree.done)

    def _pricing_method(self) -> Method | None:
        """The prices of rows, where the tree has no bound; None where there are none."""
        if self._may_price and not self._may_plant and self._is_unbounded():
            self._may_price = False
            if integer_program.can_price_rows(self._problem, self._interpreted):
                self._pricing = RowPriceKernel(self._problem, self.ceiling, self._interpreted)
                self._priced = integer_program.row_price_method(self._pricing)
        return self._priced

    def _annealing_method(self) -> Method | None:
        """Annealing, where the tree has no bound; None where the problem is no packing."""
        if self._may_anneal and not self._may_plant and self._is_unbounded():
            self._may_anneal = False
            from covr.engine.minimum import annealed

            if annealed.available(self._problem, self._interpreted):
                prices = () if self._pricing is None else self._pricing.per_item()
                kernel = annealed.AnnealingKernel(self._problem, prices, self.ceiling, self._interpreted)
                self._annealing = annealed.method(kernel, self._whole)
        return self._annealing

    def _opening_method(self) -> Method | None:
        """The search for an answer to the hard rules alone."""
        if self._opening is None and self._open is not None:
            self._opening = self._open()
        return self._opening

    def _program_method(self) -> Method | None:
        """HiGHS, once it is wanted; None where it is not, or not yet."""
        if self._program is not None and not self._program.believed:
            self._may_program = False
            return None
        if self._program is None:
            asked = self._narrowed()
            if asked is not None or self._is_wanted():
                self._begin_program(*(asked or (self._problem, None)))
        return self._programming

    def _begin_program(self, problem: Problem, numbers: Sequence[int] | None) -> None:
        """Give a problem to HiGHS. numbers: of its options, in ours; None if they are the same."""
        self._may_program = integer_program.available(problem)
        if not self._may_program:
            return
        try:
            made = self._pricing.program() if self._pricing is not None and problem is self._problem else None
            program = ProgramKernel(problem, lambda: self._cost, self.ceiling, program=made)
        except Unsuited:
            self._may_program = False
            return

        def whole(options: Sequence[int]) -> tuple[int, ...]:
            return self._whole(options if numbers is None else [numbers[o] for o in options])

        self._program = program
        self._programming = integer_program.method(program, whole)

    def _narrowed(self) -> tuple[Problem, Sequence[int]] | None:
        """What is left between the tree's first bound and the best answer, once that is little and the tree has been
        at it for a while; None before."""
        tree, own = self._tree, self._core
        if not self._alone or tree is None or own is None or tree.root is None or self._cost is None:
            return None
        if not self._problem.is_pure or self._work + self._walked < self._times.soon or self._narrowed_at == self._cost:
            return None
        self._narrowed_at = self._cost
        from covr.engine.minimum.narrowed import narrow

        return narrow(self._problem, own, tree.root, own.ceiling(self._cost - 1), self._best)

    def _has_program(self) -> bool:
        """Whether HiGHS has a turn. Its turns may be much longer than granted, so it has no more than its share."""
        program = self._program
        if program is None or not self._may_program or not program.believed:
            return self._may_program and program is None
        return program.work <= PROGRAM * self._paying.get(PROVER, 1) * (self.work - program.work)

    def _is_tight(self) -> bool:
        """Whether the gap between the bound and the best answer is small, so that linear programs close it soon."""
        best, bound = self._cost, self._bound
        return best is not None and bound is not None and TIGHT * (best - bound) <= abs(best)

    def _is_wanted(self) -> bool:
        """Whether HiGHS should have turns: there is no tree, or tree and walk have come less than halfway."""
        if self._tree is None:
            return not self._may_plant
        late, spent = self._times.late, self._work + self._walked
        if self._paying.get(TREE, 1) < 1 and not self._is_tight():  # it has stopped gaining
            late //= FAVOUR
        return self._alone and spent > late and max(self._share(), self._closed()) < NEAR

    def _staged(self) -> OneTotal | None:
        """The stages of one total; None where there is more to the problem."""
        if len(self._problem.sides) != 1:
            return None
        from covr.engine.minimum.one_total import staged

        return staged(self._problem)

    def _sum_method(self) -> Method | None:
        """The stages of one total; None where there is more to the problem."""
        if self._total is not None and self._summing is None:
            from covr.engine.minimum import one_total

            self._sums = one_total.SumKernel(self._total, self.ceiling)
            self._summing = one_total.method(self._sums, self._problem.given, self._whole)
        return self._summing

    def _sweep_method(self) -> Method | None:
        """The sweep, planned once it is time; None where the frontier is too wide."""
        tree, own = self._tree, self._core
        if self._may_sweep and tree is not None and own is not None and tree.root is not None:
            if self._work + self._walked < max(self._times.wait, self._times.wait_per_member * own.members):
                return None
            self._may_sweep = False
            from covr.engine.minimum.sweep import ITEM_BY_ITEM, MinimumSweep, order_sweep

            order = order_sweep(own)
            if order is not None:
                prices, ceiling = tree.root.prices, tree.ceiling
                self._sweep = MinimumSweep(own, order, prices, ceiling, self._memory, self._interpreted)
                self._sweeping = self._sliced(ITEM_BY_ITEM, SliceKernel(self._sweep), self._least)
        return self._sweeping

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
