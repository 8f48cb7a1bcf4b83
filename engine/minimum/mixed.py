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
before there is a tree. Where linear programs are weak, the bound rises faster by that search's own rounds (rounds.py),
on graphs (pairs.py) and by symmetries (orbital.py): on PACE's vertex covers the tree's first bound is far below the
minimum. If an estimate is named, Dancing Links run alone, because only they use it.

Problems with sides have a search of their own, too (kernels/sides/_sides.py), and a tree whose linear program holds
what their sides imply (sided_tree.py). The search goes first for `FIRST` units of work, which is enough for small
problems; then both take turns, which are equally long until the tree has closed some of its gap. How much of its own
tree the search has done says little about what is left, and is not used. With the engine `mixed` the tree goes first.
Measured: benchmarks/sides.py.

Where the frontier is narrow, a third method takes turns with these two: the minimum item by item (sweep.py), which
begins after `WAIT` work and uses the prices of the tree's first bound. Its turns are short until it can tell from its
first sweeps, which take next to no time, that it will be done within `PROMISING` times the work so far, and before the
walk, if that can tell; then they are `FAVOUR` times as long. It needs memory, and gives up where that is not enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from attrs import evolve

from covr.engine.base.heed import look
from covr.engine.kernels.codes import DONE, FOUND, SLICE
from covr.engine.kernels.loading import load
from covr.engine.minimum.mixed_core import COARSEST, MixedCore, core
from covr.engine.minimum.mixed_tree import BoundTree
from covr.engine.minimum.priced import Priced, fits
from covr.engine.minimum.sweep import ITEM_BY_ITEM, MinimumSweep
from covr.engine.minimum.sweep_plan import order_sweep
from covr.engine.problem import Problem
from covr.engine.settings import Settings

if TYPE_CHECKING:
    from covr.engine.method import Method


Whole = Callable[[Sequence[int]], tuple[int, ...]]

# Work is counted in the units of the tree's kernel (_mixed.py).
ROOT = 200_000_000  # work the tree may do before the walk's first turn to get a bound at its root: about 0.4 s
TURN = 5_000_000  # work in the first turn of each: about 10 ms
FIRST = 20_000_000  # work of the search with sides before a tree is built beside it: about 40 ms
LINKED, MASKED = 12, 7  # the tree's work in the time of one update of Dancing Links, and of one of a walk on sets
FAVOUR = 8  # how many times as long a turn is for the one that is further along
COVERING = 2  # the tree's work in the time of one update of the search for covers
PATIENCE = 400_000_000  # work of the search for covers before a tree is built: about a second;
PER_MEMBER = 1000  # or this much work per member of the options, if that is more, since building a tree takes time
NEAR = 0.5  # share of its gap that the tree must close to get turns as long as those of the search for covers
PROGRESS = 0.01  # share of the way to the end that one of them must have come before it is favoured
UNDECIDED = 2  # how many times the tree's turn a walk on sets gets while neither has made that much progress
FEW, SHARE = 256, 64  # nodes in one slice of the walk: FEW, or 1/SHARE of the nodes it has done if that is more
FEW_SIDED = 16  # the same where there are sides, as a node takes up to some ms
WAIT = 200_000_000  # work before the first sweep: about 0.4 s;
WAIT_PER_MEMBER = 10_000  # or this much work per member of the core's options, since planning a sweep takes time
PROMISING = 8  # a sweep is favoured if it should be done within this many times the work so far
TASTE = 8  # how many times as short its turns are otherwise
TOGETHER = 16  # slices of tree and sweep in one call, some ms; limits and progress are looked at between calls
MANY = 2000  # options; with this many or more, sets take long to build, and the tree gets a longer turn first
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
) -> Method:
    """The same search with a tree beside it.

    method: the first search.  problem: what the tree searches; it suits `TREE` (plan.py).
    whole: turns option numbers of `problem` into an answer in the caller's numbers.  paid: what such an answer costs.
    covering: whether the first search is the one for covers.
    """
    mixed = Mixed(method, problem, settings, whole, paid, covering)
    return evolve(
        method,
        told=mixed.told,
        looks=True,
        even=False,
        kernel=mixed,
        run=mixed.run,
        answer=mixed.whole,
        bound=mixed.bound,
        lower=mixed.lower,
        fraction=lambda: None,
    )


class Mixed:
    """A kernel (see loading.py) that runs tree, walk and sweep by turns. Every slice of the tree or the sweep counts as
    a node."""

    def __init__(
        self,
        method: Method,
        problem: Problem,
        settings: Settings,
        whole: Whole,
        paid: Callable[[Sequence[int]], int],
        covering: bool = False,
    ) -> None:
        self.answers = 0
        self.code = -1
        self._best: tuple[int, ...] = ()
        self._first = method
        self._problem = problem
        self._whole, self._paid = whole, paid
        self._interpreted = settings.interpreted
        self._ceiling = settings.ceiling  # as a cost in the problem, not in the core
        self._core: MixedCore | None = None
        self._tree: BoundTree | None = None
        self._also: Sequence[int] = ()  # options that every answer takes, besides the given ones and those of the core
        self._told: int | None = None  # the bound that was known between the last two slices
        self._hero = ""  # what found the last answer or proved it the best; empty for the first search
        self._slices = 0
        self._walk: Priced | None = None
        self._sweep: MinimumSweep | None = None
        self._may_sweep = settings.engine in ("auto", "mixed") and problem.is_pure  # until its frontier proves too wide
        self._memory = settings.memory
        self._covering = covering
        self._weight = COVERING if covering else LINKED
        self._few = FEW if problem.is_pure else FEW_SIDED
        self._headstart = not problem.is_pure and settings.engine == "auto"
        self._barred = covering or not problem.is_pure  # whether a walk on sets is ruled out
        self._walking = True  # whose turn it is
        self._room = 0  # how many nodes may still be spent
        self._slice = 0  # how many nodes the walk's slice still has
        self._done = False
        self._found = False
        self._plan = self._turns()

    @property
    def nodes(self) -> int:
        """Nodes of the first search and the walk, and slices of the tree and the sweep."""
        return self._first.kernel.nodes + self._slices + (self._walk.kernel.nodes if self._walk is not None else 0)

    @property
    def updates(self) -> int:
        """Updates of the first search and the walk, and the number that fits into the time that tree and sweep have
        taken."""
        own = self._first.kernel.updates + (self._work + self._swept) // LINKED
        return own + (self._walk.kernel.updates if self._walk is not None else 0)

    def run(self, nodes: int, answers: int) -> int:
        """Go on for at most this many nodes and answers. Returns a result code (codes.py)."""
        self.code = -1
        self.code = self._run(self.nodes + nodes, self.answers + answers)
        self._told = self._known()
        return self.code

    def told(self) -> str:
        """Which engine found the last answer, or proved it the best."""
        first = self._first.name if self._first.told is None else self._first.told()
        return f"{self._hero} beside {first}" if self._hero else first

    def answer(self) -> list[int]:
        """The best answer, in the caller's numbers, given options included."""
        return list(self._best)

    def whole(self) -> tuple[int, ...]:
        """The best answer as a tuple; see `answer`."""
        return self._best

    def fraction(self) -> float:
        """How much of the work is done, from 0 to 1: the progress of whichever is further along."""
        swept = 0.0 if self._sweep is None else self._sweep.fraction()
        return 1.0 if self._done else max(self._share(), self._closed(), swept)

    def lower(self, ceiling: int) -> None:
        """Find only answers of at most this cost from now on."""
        if self._ceiling is None or ceiling < self._ceiling:
            self._ceiling = ceiling
            self._first.lower(ceiling)
            if self._tree is not None and self._core is not None:
                self._tree.lower(self._core.ceiling(ceiling))
                if self._walk is not None:
                    self._walk.lower(self._core.ceiling(ceiling))
                if self._sweep is not None:
                    self._sweep.lower(self._core.ceiling(ceiling))

    def bound(self) -> int | None:
        """The proved lower bound; None before the first node, or where there is no answer. It never falls. The value
        is that of the last pause between two slices, so another thread may ask for it."""
        return self._told

    def _known(self) -> int | None:
        """The lower bound at this moment."""
        known = (self._told, self._first.bound(), self._proved(), self._least())
        bounds = [b for b in known if b is not None]
        if not bounds:
            return None
        # A search only for answers cheaper than the best may have proved no more than that there is none.
        return min(max(bounds), self._paid(self._best)) if self.answers else max(bounds)

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

    def _run(self, end: int, until: int) -> int:
        slices = self._slices + TOGETHER
        while not self._done:
            look()
            self._room = end - self.nodes
            if self._room > 0:
                next(self._plan)
            elif self._walking:
                self._go()  # the walk may still find an answer, or end, before its next node
            if self._room <= 0 and not self._done and not self._found:
                return SLICE
            if self._found:
                self._found = False
                if self.answers >= until:
                    return FOUND
            if self._slices >= slices and not self._done:
                return SLICE
        return DONE

    def _turns(self) -> Iterator[None]:
        """The order of the turns, as a generator; every step does one slice."""
        turn, root = TURN, ROOT
        if self._covering:
            patience = max(PATIENCE, PER_MEMBER * len(self._problem.members))
            turn, root = max(TURN, patience // FAVOUR), 0
            while self._walked < patience or self._slice > 0:
                self._go()
                yield
        elif self._headstart:
            while self._walked < FIRST or self._slice > 0:
                self._go()
                yield
        self._walking = False
        self._plant()
        while True:
            end = self._work + turn * self._shares()[0] + self._delay()
            while self._tree is not None and (self._work < end or (self._tree.root is None and self._work < root)):
                self._grow()
                yield
            self._begin_sweep()
            before = self._swept
            while self._is_sweeping() and self._swept - before < turn * self._sweep_share() // TASTE:
                self._go_sweeping()
                yield
            self._begin_walk()
            self._walking = True
            until = self._walked + turn * self._shares()[1]
            while self._walked < until or self._slice > 0:
                self._go()
                yield
            self._walking = False
            turn *= 2

    def _shares(self) -> tuple[int, int]:
        """The factors by which the tree's turn and the walk's turn are longer than `turn`."""
        walked, closed = self._share(), self._closed()
        if self._covering:
            return 1, 1 if closed > NEAR else FAVOUR
        if not self._problem.is_pure:  # how much of its tree the search with sides has done says little
            return FAVOUR if closed > PROGRESS else 1, 1
        if walked > max(closed, PROGRESS):
            return 1, FAVOUR
        if closed > max(walked, PROGRESS):
            return FAVOUR, 1
        return 1, 1 if self._walk is None else UNDECIDED

    def _sweep_share(self) -> int:
        """`TASTE` times the factor by which the sweep's turn is longer than `turn`."""
        if self._sweep is None:
            return 1
        expected, walked, share = self._sweep.expected(), self._walked, self._share()
        if share > PROGRESS and expected > walked * (1 - share) / share:
            return 1
        return FAVOUR * TASTE if expected <= PROMISING * (self._work + walked + self._swept) else 1

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
        """The walk's work so far, in the tree's units."""
        if not self._problem.is_pure:
            return int(self._first.kernel.labour())  # type: ignore[attr-defined]
        kernel = self._first.kernel
        own = (kernel.labour if self._covering else kernel.updates) * self._weight  # type: ignore[attr-defined]
        return own + (self._walk.kernel.updates * MASKED if self._walk is not None else 0)

    def _delay(self) -> int:
        """How much longer the tree's turn is because sets for the walk would take long to build, in work."""
        if self._core is None or self._walk is not None or self._barred or len(self._core.options) < MANY:
            return 0
        return len(self._core.options) ** 2 // 2

    def _go(self) -> None:
        """A slice of the walk, or as much of it as there is room for: turns end after whole slices, wherever pauses
        fall, so that the pauses change nothing."""
        kernel = self._first.kernel if self._walk is None else self._walk.kernel
        if self._slice <= 0 and self._room > 0:
            self._slice = max(self._few, kernel.nodes // SHARE)
        nodes, before = max(min(self._room, self._slice), 0), kernel.nodes
        if self._walk is None:
            code = self._first.run(nodes, 1)
            answer = self._first.answer() if code == FOUND else ()
        else:
            code = kernel.run(nodes, 1)
            answer = self._outside(self._walk.answer()) if code == FOUND else ()
        self._slice -= kernel.nodes - before
        who = "" if self._walk is None else "sets in the order of reduced costs"
        if code == FOUND:
            self._slice = 0
            self._take(answer, who)
        elif code == DONE:
            self._done, self._hero = True, who

    def _plant(self) -> None:
        """Build the tree, unless it or its costs would be too large."""
        problem = self._problem
        if problem.items > MOST_ITEMS or problem.options * problem.items > WIDEST:
            return
        looks = load("_looks", self._interpreted).Looks(look)
        if not problem.is_pure:
            from covr.engine.minimum.sided_tree import plant  # most searches need none of it

            planted = plant(problem, self._ceiling, self._interpreted, looks)
            if planted is not None:
                self._core, self._tree = planted
                self._also = planted[1].also
            return
        own = core(problem)
        look()
        if own.unit < COARSEST or own.rows > LARGEST:
            return
        ceiling = own.dearest if self._ceiling is None else own.ceiling(self._ceiling)
        self._core, self._tree = own, BoundTree(own, load("_mixed", self._interpreted), ceiling, looks)
        look()

    def _begin_walk(self) -> None:
        """Let the walk go on with sets from now on, where `fits` allows it."""
        tree, own = self._tree, self._core
        if self._walk is None and tree is not None and own is not None and tree.root is not None and not self._barred:
            self._barred = not fits(own, tree.root)
            if not self._barred:
                self._walk = Priced(own, tree.root, tree.ceiling, self._interpreted)

    def _begin_sweep(self) -> None:
        """Plan a sweep once it is time, where the frontier is narrow enough."""
        tree, own = self._tree, self._core
        if not self._may_sweep or self._sweep is not None or tree is None or own is None or tree.root is None:
            return
        if self._work + self._walked < max(WAIT, WAIT_PER_MEMBER * own.members):
            return
        self._may_sweep = False
        order = order_sweep(own)
        if order is not None:
            prices, ceiling = tree.root.prices, tree.ceiling
            self._sweep = MinimumSweep(own, order, prices, ceiling, self._memory, self._interpreted)

    def _is_sweeping(self) -> bool:
        return self._sweep is not None and not self._sweep.gave_up and not self._done

    def _go_sweeping(self) -> None:
        """A slice of the sweep."""
        sweep = self._sweep
        assert sweep is not None
        self._slices += 1
        sweep.step()
        if sweep.found is not None:
            answer = self._outside(sweep.found)
            sweep.found = None
            self._take(answer, ITEM_BY_ITEM)
        if sweep.done:
            self._done, self._hero = True, ITEM_BY_ITEM

    def _outside(self, options: list[int]) -> tuple[int, ...]:
        """An answer of the core in the caller's numbers."""
        assert self._core is not None
        return self._whole([*self._also, *(self._core.numbers[o] for o in options)])

    def _grow(self) -> None:
        """A slice of the tree."""
        tree = self._tree
        assert tree is not None
        self._slices += 1  # also if the tree was closed when it was made: a limit of no nodes leaves the question open
        if not tree.done:
            tree.step()
        if tree.found is not None:
            answer = self._outside(tree.found)
            tree.found = None
            self._take(answer, "linear programs")
        if tree.done:
            self._done, self._hero = True, "linear programs"

    def _take(self, answer: tuple[int, ...], who: str) -> None:
        """Note a better answer, and which method found it."""
        self._best, self._hero = answer, who
        self.answers += 1
        self._found = True
        self.lower(self._paid(answer) - 1)

    def _share(self) -> float:
        """How much of its search tree the walk has done, from 0 to 1."""
        kernel = self._first.kernel if self._walk is None else self._walk.kernel
        told = getattr(kernel, "fraction", None)
        return float(told()) if told is not None else 0.0

    def _closed(self) -> float:
        """How much the tree has closed of the gap between its first bound and the best answer, from 0 to 1."""
        tree = self._tree
        if tree is None or tree.bound is None or tree.first is None:
            return 0.0
        whole = tree.ceiling + 1 - tree.first
        return 1.0 if whole <= 0 else min(max(tree.bound - tree.first, 0) / whole, 1.0)
