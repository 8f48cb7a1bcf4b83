"""The minimum of any problem: two ways that take turns.

    tree     the problem is made a core (mixed_core.py) and searched by bounds of linear programs (mixed_tree.py)
    walk     answer after answer, cut off by the reduced costs of the tree's first bound (priced.py); where that is not
             fit, or there is no tree, the first search: Dancing Links, as they would be alone

The tree begins: making it takes about as long as making Dancing Links ready. Over 200 small problems (`python -m
benchmarks seeds`) the sum of the times was 0.67 s that way, 0.89 s where Dancing Links had 5000 updates before, and
1.6 s where they had 200 000.

Tree and walk take turns, which become longer and longer, and share what they find. Where bounds are tight, as in set
partitioning and packing, the tree ends the search; where they are not, as in tilings with random costs, no tree of
linear programs is small, and going through the answers fast is all there is. Which one has come further is told by
how much of its tree the walk has done, and by how much of the gap between its first bound and the best answer the tree
has closed: it gets `FAVOUR` times as long. All turns are measured in work, never in seconds. Measured: of the bus
drivers (CSPLib 022) the tree proves all in a tenth of HiGHS's time, where the walk sees nothing of the end; of
pentominoes with random costs the walk proves the cheapest in less than it takes to list them all, where the tree has
closed a hundredth of the gap.

Covering problems have a search of their own (cover.py), whose bound is that of its root. It goes first, and where it
takes longer than a second it leaves the tree one part in nine of the time, for the sake of a bound that rises: of
Steiner triples (stn81) from 27 to 31 in three seconds of the tree, of scpnre1 from 21 to 24; rail516 is proved in 8 s
(182), where the search for covers alone has 184 after 14 s. Where rows imply others, as in PACE's hitting sets, the
tree begins far below. Whoever names an estimate has Dancing Links alone, which hear it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from attrs import evolve

from covr.engine.heed import look
from covr.engine.kernels.codes import DONE, FOUND, SLICE
from covr.engine.kernels.loading import load
from covr.engine.minimum.estimates.auto import auto
from covr.engine.minimum.mixed_core import COARSEST, MOST, MixedCore, core
from covr.engine.minimum.mixed_tree import BoundTree
from covr.engine.minimum.priced import Priced, fits
from covr.engine.problem import Problem
from covr.engine.settings import Settings

if TYPE_CHECKING:
    from covr.engine.setup import Setup

Whole = Callable[[Sequence[int]], tuple[int, ...]]

ROOT = 200_000_000  # work that the tree may do before the walk's first turn, until its root is bounded: about 0.4 s
TURN = 5_000_000  # work of the first turn of each: about 10 ms
LINKED, MASKED = 12, 7  # an update of Dancing Links, or on sets, takes as long as so much work of the tree
FAVOUR = 8  # so many times as long is the turn of who has come further
COVERING = 2  # an update of the search for covers takes as long as so much work of the tree
PATIENCE = 400_000_000  # work of the search for covers before there is a tree: about a second;
PER_MEMBER = 1000  # and so much per member of the options, if that is more, since a tree must first be made
NEAR = 0.5  # of its gap, from which on the tree has as long a turn as the search for covers
PROGRESS = 0.01  # of the way to the end, at least, for that
UNDECIDED = 2  # so many times as long as the tree's is the turn of a walk on sets while neither has got there
FEW, SHARE = 256, 64  # nodes in one go of the walk: so many, or this share of those it has done, if that is more
TOGETHER = 16  # slices of the tree in one go, some ms: between goes, limits and whoever looks on are heeded
MANY = 2000  # options, of which many make sets that take long to be made: the tree has a longer turn before
LARGEST = 2000  # rows of a linear program; the inverse of its basis takes eight times their square in bytes
WIDEST = 1 << 31  # options times items, beyond which there is no tree: so many bits are needed to make it;
MOST_ITEMS = 2 * LARGEST  # so is one where more items than this would have to be merged into as few rows


def suits(problem: Problem, goal: str, settings: Settings) -> bool:
    """Whether a question is one for this search."""
    return (
        goal == "minimum"
        and problem.is_pure
        and settings.engine in ("auto", "mixed")
        and any(problem.costs)
        and sum(map(abs, problem.costs)) < MOST
        and [e.bound for e in settings.estimates] == [auto]
    )


def suits_cover(problem: Problem, settings: Settings) -> bool:
    """Whether the search for covers is to have a tree beside it."""
    return settings.engine == "auto" and suits(problem, "minimum", settings)


def beside(
    setup: Setup,
    problem: Problem,
    settings: Settings,
    whole: Whole,
    paid: Callable[[Sequence[int]], int],
    covering: bool = False,
) -> Setup:
    """The same search with a tree beside it. setup: the first search.  problem: what the tree searches; `suits`.
    whole: from option numbers of `problem` to an answer in the caller's numbers.  paid: what such an answer costs.
    covering: whether the first search is that for covers."""
    mixed = Mixed(setup, problem, settings, whole, paid, covering)
    return evolve(
        setup,
        told=mixed.told,
        looks=True,
        even=False,
        kernel=mixed,
        run=mixed.run,
        answer=mixed.whole,
        root_bound=mixed.bound,
        lower=mixed.lower,
        fraction=lambda: None,
    )


class Mixed:
    """A kernel (see loading.py) made of both. Every slice of the tree counts as a node."""

    def __init__(
        self,
        setup: Setup,
        problem: Problem,
        settings: Settings,
        whole: Whole,
        paid: Callable[[Sequence[int]], int],
        covering: bool = False,
    ) -> None:
        self.answers = 0
        self.code = -1
        self._best: tuple[int, ...] = ()
        self._first = setup
        self._problem = problem
        self._whole, self._paid = whole, paid
        self._interpreted = settings.interpreted
        self._ceiling = settings.ceiling  # in the problem
        self._core: MixedCore | None = None
        self._tree: BoundTree | None = None
        self._told: int | None = None  # the bound between the last two slices
        self._hero = ""  # who found the last answer or proved it the best; the first search, where nobody is named
        self._slices = 0
        self._walk: Priced | None = None
        self._covering = covering
        self._weight = COVERING if covering else LINKED
        self._barred = covering  # whether sets are not fit
        self._walking = True  # whose turn it is
        self._room = 0  # how many nodes may still be spent
        self._done = False
        self._found = False
        self._plan = self._turns()

    @property
    def nodes(self) -> int:
        """Nodes of the first search and the walk, and slices of the tree."""
        return self._first.kernel.nodes + self._slices + (self._walk.kernel.nodes if self._walk is not None else 0)

    @property
    def updates(self) -> int:
        """Of the first search and the walk, and as many as the tree could have done instead."""
        own = self._first.kernel.updates + self._work // LINKED
        return own + (self._walk.kernel.updates if self._walk is not None else 0)

    def run(self, nodes: int, answers: int) -> int:
        """Search on for at most so many nodes and answers."""
        self.code = -1
        self.code = self._run(self.nodes + nodes, self.answers + answers)
        self._told = self._known()
        return self.code

    def told(self) -> str:
        """Who found the last answer, or proved it the best."""
        first = self._first.name if self._first.told is None else self._first.told()
        return f"{self._hero} beside {first}" if self._hero else first

    def answer(self) -> list[int]:
        """The best answer, in the caller's numbers, given options included."""
        return list(self._best)

    def whole(self) -> tuple[int, ...]:
        """The same as an answer."""
        return self._best

    def fraction(self) -> float:
        """How much is done, by the one that has come further."""
        return 1.0 if self._done else max(self._share(), self._closed())

    def lower(self, ceiling: int) -> None:
        """From now on, only answers of at most this cost."""
        if self._ceiling is None or ceiling < self._ceiling:
            self._ceiling = ceiling
            self._first.lower(ceiling)
            if self._tree is not None and self._core is not None:
                self._tree.lower(self._core.ceiling(ceiling))
                if self._walk is not None:
                    self._walk.lower(self._core.ceiling(ceiling))

    def bound(self) -> int | None:
        """The proved lower bound; None before the first node, or where there is no answer. It is that of the last
        moment between two slices, so that another thread may ask for it, and never falls."""
        return self._told

    def _known(self) -> int | None:
        """The bound as of now."""
        bounds = [b for b in (self._told, self._first.root_bound(), self._proved()) if b is not None]
        if not bounds:
            return None
        # Who looks only below the best answer may have proved just that nothing is below it.
        return min(max(bounds), self._paid(self._best)) if self.answers else max(bounds)

    def _proved(self) -> int | None:
        """What the tree proves of all answers: those beyond the ceiling cost more than that."""
        if self._tree is None or self._core is None or self._tree.bound is None:
            return None
        return self._core.whole(min(self._tree.bound, self._tree.ceiling + 1))

    def _run(self, end: int, until: int) -> int:
        slices = self._slices + TOGETHER
        while not self._done:
            look()
            self._room = end - self.nodes
            if self._room > 0:
                next(self._plan)
            elif self._walking:
                self._go()  # it may still find an answer or the end, before its next node
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
        """The plan; every step is a slice."""
        turn, root = TURN, ROOT
        if self._covering:
            patience = max(PATIENCE, PER_MEMBER * len(self._problem.members))
            turn, root = max(TURN, patience // FAVOUR), 0
            while self._walked < patience:
                self._go()
                yield
        self._walking = False
        self._plant()
        while True:
            end = self._work + turn * self._shares()[0] + self._delay()
            while self._tree is not None and (self._work < end or (self._tree.root is None and self._work < root)):
                self._grow()
                yield
            self._begin_walk()
            self._walking = True
            until = self._walked + turn * self._shares()[1]
            while self._walked < until:
                self._go()
                yield
            self._walking = False
            turn *= 2

    def _shares(self) -> tuple[int, int]:
        """How many times as long as `turn` the tree's and the walk's turns are."""
        walked, closed = self._share(), self._closed()
        if self._covering:
            return 1, 1 if closed > NEAR else FAVOUR
        if walked > max(closed, PROGRESS):
            return 1, FAVOUR
        if closed > max(walked, PROGRESS):
            return FAVOUR, 1
        return 1, 1 if self._walk is None else UNDECIDED

    @property
    def _work(self) -> int:
        """What the tree has done."""
        return self._tree.work if self._tree is not None else 0

    @property
    def _walked(self) -> int:
        """What the walk has done, in the tree's measure."""
        own = self._first.kernel.updates * self._weight
        return own + (self._walk.kernel.updates * MASKED if self._walk is not None else 0)

    def _delay(self) -> int:
        """The work that making sets for the walk is worth."""
        if self._core is None or self._walk is not None or self._barred or len(self._core.options) < MANY:
            return 0
        return len(self._core.options) ** 2 // 2

    def _go(self) -> None:
        """A slice of the walk."""
        kernel = self._first.kernel if self._walk is None else self._walk.kernel
        nodes = min(self._room, max(FEW, kernel.nodes // SHARE))
        if self._walk is None:
            code = self._first.run(nodes, 1)
            answer = self._first.answer() if code == FOUND else ()
        else:
            code = kernel.run(nodes, 1)
            answer = self._outside(self._walk.answer()) if code == FOUND else ()
        who = "" if self._walk is None else "sets in the order of reduced costs"
        if code == FOUND:
            self._take(answer, who)
        elif code == DONE:
            self._done, self._hero = True, who

    def _plant(self) -> None:
        """Make the tree, unless that is too large, or its costs are."""
        problem = self._problem
        if problem.items > MOST_ITEMS or problem.options * problem.items > WIDEST:
            return
        own = core(problem)
        if own.unit < COARSEST or own.rows > LARGEST:
            return
        ceiling = own.dearest if self._ceiling is None else own.ceiling(self._ceiling)
        self._core, self._tree = own, BoundTree(own, load("_mixed", self._interpreted), ceiling)

    def _begin_walk(self) -> None:
        """On sets from now on, where they are fit."""
        tree, own = self._tree, self._core
        if self._walk is None and tree is not None and own is not None and tree.root is not None and not self._barred:
            self._barred = not fits(own, tree.root)
            if not self._barred:
                self._walk = Priced(own, tree.root, tree.ceiling, self._interpreted)

    def _outside(self, options: list[int]) -> tuple[int, ...]:
        """An answer of the core in the caller's numbers."""
        assert self._core is not None
        return self._whole([self._core.numbers[o] for o in options])

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
        """A better answer, and who found it."""
        self._best, self._hero = answer, who
        self.answers += 1
        self._found = True
        self.lower(self._paid(answer) - 1)

    def _share(self) -> float:
        """How much of its tree the walk has done, from 0 to 1."""
        kernel = self._first.kernel if self._walk is None else self._walk.kernel
        told = getattr(kernel, "fraction", None)
        return float(told()) if told is not None else 0.0

    def _closed(self) -> float:
        """How much of the gap between its first bound and the best answer the tree has closed, from 0 to 1."""
        tree = self._tree
        if tree is None or tree.bound is None or tree.first is None:
            return 0.0
        whole = tree.ceiling + 1 - tree.first
        return 1.0 if whole <= 0 else min(max(tree.bound - tree.first, 0) / whole, 1.0)
