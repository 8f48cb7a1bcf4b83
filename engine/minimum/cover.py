"""Minimum cover: reductions, local search, a tree, and what helps it, by turns.

A covering problem (`Problem.is_cover`) is first reduced to its core (core.py). Then these have turns (turns.py):

    descent   local search on what is left at the root (_descent.py), from a greedy cover; a spell of it is a node
    root      the root is bounded, and options are excluded and forced, until nothing changes; once. If something is
              gained by that, what is left then becomes a core, with implied items (asked.py)
    tree      branch and bound (_cover.py)
    cores     local search in cores of good options (core_descent.py), where there are many more options than items:
              bounds of such problems rise so slowly that at first only better covers help
    graph     where what is left at the root is a graph, a search of its own (core.py)
    orbits    where there are many symmetries, a search that branches on orbits (orbital.py)

All of them look only for covers that are better than the best one. On 10⁵ options any of them may take seconds, so each
checks the limits while it works (limits.py, _looks.py), and may raise LimitReached. A cover that was found by then is
reported first.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import gcd
from typing import Any

from attrs import evolve

from covr.engine.base.limits import check_limits
from covr.engine.check import cost
from covr.engine.kernels.header import ASK, CLASSIC, DONE, DUAL, FOUND, LAGRANGE, PRICE, PYTHON, SLICE
from covr.engine.kernels.loading import load
from covr.engine.minimum.asked import triangles
from covr.engine.minimum.core import (
    HOPE,
    LARGEST,
    Core,
    CoverView,
    Orbits,
    PairGraph,
    VertexCoverSearch,
    core,
    graph,
    narrow,
)
from covr.engine.minimum.estimates import ESTIMATES, Estimate, hear
from covr.engine.minimum.orbital import Orbital, OrbitalStart
from covr.engine.problem import Problem
from covr.engine.settings import USUAL_PACE, Pace
from covr.engine.turns import CheapestTurns, Entrant, Method, entrant
from covr.engine.witness import watch_core, worth

FAR = LARGEST + 1  # units of cost in a core: more than any cover of a core costs
DESCENT, ROOT, TREE, CORES = "local search", "the root", "branch and bound", "local search in cores"  # rows
GRAPH, ORBITS = "vertex covers", "branching on orbits"
REASONS = {
    DESCENT: "finds good covers early",
    ROOT: "leaves less to all others",
    TREE: "proves the minimum",
    CORES: "finds better covers where there are many more options than items",
    GRAPH: "bounds vertex covers better",
    ORBITS: "decides about many equivalent options at once",
}
UPDATE, ENTRY = 4, 3  # work of an update of a tree, and of an entry that local search reads, in nanoseconds
SLOW = 50  # times as much where kernels are interpreted
SPELL = 100_000  # entries that local search reads in a node: a third of a millisecond
STUBBORN = 3  # before the root is bounded, local search goes on for this many times the work up to its last success
OFTEN, SHARE = 16, 64  # a slice of a search has `OFTEN` nodes, or 1/SHARE of those it has done if that is more
WIDE = 8  # options per item from which on local search goes on in cores
CORES_AFTER = 1_600_000_000  # work of all others before that: 1.6 s

Ground = tuple[Sequence[int], Sequence[Sequence[int]], Sequence[int]]

NATIVE = {
    "auto": PRICE | DUAL | LAGRANGE,
    "none": 0,
    "classic": CLASSIC,
    "price": PRICE,
    "dual": PRICE | DUAL,
    "lagrange": PRICE | DUAL | LAGRANGE,
}


class Covering(CheapestTurns):
    """A kernel (see loading.py) for the cheapest cover. Its bound and its ceiling are for all covers of the problem."""

    def __init__(
        self,
        problem: Problem,
        ceiling: int | None,
        estimates: Sequence[Estimate],
        interpreted: bool = False,
        maps: Sequence[Sequence[int]] = (),
        pace: Pace = USUAL_PACE,
    ):
        """problem: `is_suited`.  ceiling: the most a cover may cost.  estimates: a cascade.  maps: of options; they may
        be symmetries."""
        self.problem, self._interpreted, self._maps = problem, interpreted, maps
        self.module = load("_cover", interpreted)
        self.looks = load("_looks", interpreted).Looks(check_limits)
        self._slow = 1 if self.module.COMPILED else SLOW
        self.sparing = any(e.name == "auto" for e in estimates)
        self.estimates = estimates
        speed = "compiled" if self.module.COMPILED else "interpreted"
        self.name = f"branch and bound for covers ({speed}), estimate " + ", ".join(e.name for e in estimates)
        self.symmetries = Orbits(maps)
        self._start = OrbitalStart()
        self._tree: TreeKernel | None = None
        self._descent: DescentKernel | None = None  # of what is left at the root of that tree
        self._made: dict[str, Method] = {}  # the methods by their rows
        self._settled = False  # whether the tree's root is bounded, and what is left a core
        super().__init__(self._rows(pace), partial(cost, problem), ceiling, pace)
        self.worth = worth(problem)

    def _rows(self, pace: Pace) -> Sequence[Entrant]:
        row = partial(entrant, "covers", REASONS, pace.least)

        def is_open() -> bool:
            return not self._planted().is_bounded

        return (
            row(
                DESCENT, self._descend, may=lambda: CORES not in self._made,
                holds=lambda: not self._settled and self._pays(),
            ),
            row(ROOT, lambda: self._made[TREE], may=is_open, holds=is_open),
            row(GRAPH, lambda: self._reduced().get(GRAPH)),
            row(TREE, lambda: self._reduced()[TREE]),
            row(CORES, self._enter_cores, begins=lambda: CORES_AFTER),
            row(ORBITS, self._branch_on_orbits),
        )  # fmt: skip

    def answer(self) -> list[int]:
        """The options of the best cover, without given ones."""
        given = set(self.problem.given)
        return [o for o in self._best if o not in given]

    def _pays(self) -> bool:
        """Whether local search has found a better cover lately, for all that it has done."""
        return self._descent is not None and self._descent.work < STUBBORN * self._descent.paid

    # --- the methods ---

    def _part(self, kernel: TreeKernel | DescentKernel | Orbital, rest: Core, name: str, unit: int = UPDATE) -> Method:
        """A search of a core as a method. unit: nanoseconds of its work."""

        def bound() -> int | None:
            least = kernel.bound()
            return None if least is None else rest.base + rest.unit * least

        return Method(
            name, kernel, kernel.run, lambda: self._whole(rest, rest.outside(kernel.answer())), bound,
            lower=lambda ceiling: kernel.lower(rest.cutoff(ceiling)), looks=True, even=False,
            works=lambda: unit * self._slow * kernel.work, slice=lambda: self._slice(kernel.nodes),
        )  # fmt: skip

    def _slice(self, nodes: int) -> int:
        """How many nodes a slice has of a search that has visited so many; one of the root until it is bounded."""
        return max(OFTEN, nodes // SHARE) if self._settled else 1

    def _planted(self) -> TreeKernel:
        """The tree, with its root reduced."""
        if self._tree is None:
            rest = core(self.problem)
            cutoff = sum(rest.costs) + 1
            self._set_tree(rest, cutoff if self.ceiling is None else min(cutoff, rest.cutoff(self.ceiling)))
        assert self._tree is not None
        return self._tree

    def _set_tree(self, rest: Core, cutoff: int) -> None:
        """Make a tree for a core, and reduce its root."""
        self._tree = TreeKernel(self, rest, cutoff)
        self._made.pop(DESCENT, None)
        self._made[TREE] = self._part(self._tree, rest, self.name)

    def _descend(self) -> Method:
        """Local search of what is left at the root; the tree where nothing is."""
        tree = self._planted()
        if tree.over:
            return self._made[TREE]
        if DESCENT not in self._made:
            _, needs, numbers, costs, options = tree.tree.local(0)
            descent = load("_descent", self._interpreted).Descent(needs, options, costs, looks=self.looks)
            descent.greedy()
            self._descent = DescentKernel(descent, tree, (needs, options, costs), numbers, SPELL // self._slow)
            self._made[DESCENT] = self._part(self._descent, tree.core, DESCENT, ENTRY)
        return self._made[DESCENT]

    def _reduced(self) -> dict[str, Method]:
        """The methods once the root is bounded, and what is left there is a core, if something is gained by it."""
        whole = self._planted()
        if not (self._settled or whole.over):
            tree = whole.tree
            items, needs, numbers, costs, options = tree.local(0)
            taken = tree.taken(0)[0]
            pairs = graph(needs, options, costs) if self.sparing else None
            if pairs is not None:
                self._begin_graph(evolve(pairs, numbers=[numbers[o] for o in pairs.numbers]), whole.core, taken)
            implied = triangles(needs, options)
            if implied or gcd(*costs) > 1:
                above = whole.core.base + whole.core.unit * tree.limit()
                rest = narrow(whole.core, taken, items, needs, numbers, options, implied)
                self._set_tree(rest, rest.cutoff(above - 1))
        self._settled = True
        return self._made

    def _begin_graph(self, pairs: PairGraph, rest: Core, taken: Sequence[int]) -> None:
        """Begin a search for vertex covers of what is left at the root."""
        bound = self._made[TREE].bound()
        assert bound is not None
        kernel = VertexCoverSearch(pairs, rest, taken, load("_vertex_cover", self._interpreted), bound, self.looks)
        self._made[GRAPH] = Method(
            GRAPH, kernel, kernel.run, lambda: self._whole(rest, kernel.answer()), kernel.bound,
            lower=lambda ceiling: kernel.lower(ceiling + 1), looks=True, even=False,
            works=lambda: UPDATE * self._slow * kernel.work, slice=lambda: self._slice(kernel.nodes),
        )  # fmt: skip

    def _branch_on_orbits(self) -> Method | None:
        """The search by orbits, once it is time for it."""
        tree = self._planted()
        if ORBITS not in self._made and self._settled and self.sparing:
            rest, cutoff, done = tree.core, tree.tree.limit(), tree.tree.updates
            found = self._start.made(rest, cutoff, done, self.module, self.looks, self._maps)
            if found is not None:
                self._made[ORBITS] = self._part(found, rest, ORBITS)
        return self._made.get(ORBITS)

    def _enter_cores(self) -> Method | None:
        """Local search in cores of good options, where there are many."""
        first = self._descent
        if CORES not in self._made and self._settled and first is not None and first.is_wide:
            from covr.engine.minimum.core_descent import CoreDescent

            begun = first.near(self._best)
            descent = CoreDescent(*first.ground, begun, self._interpreted, self.looks)
            cores = DescentKernel(descent, first.tree, first.ground, first.numbers, first.spell)
            self._made[CORES] = self._part(cores, first.tree.core, CORES, ENTRY)
        return self._made.get(CORES)

    def _whole(self, rest: Core, chosen: list[int]) -> tuple[int, ...]:
        """A cover in the problem's numbers, without options that cost nothing and are not needed."""
        problem = self.problem
        spare = [o for o in rest.taken if problem.costs[o] == 0 and o not in problem.given]
        over = [-low for low in problem.low]
        for o in chosen if spare else ():
            for i in problem.option(o):
                over[i] += 1
        gone = set()
        for o in reversed(spare):
            if all(over[i] > 0 or i >= problem.primary for i in problem.option(o)):
                gone.add(o)
                for i in problem.option(o):
                    over[i] -= 1
        return tuple([o for o in chosen if o not in gone])


class TreeKernel:
    """Branch and bound as a kernel (see loading.py), with its root reduced. over: whether nothing is left to search."""

    def __init__(self, search: Covering, rest: Core, cutoff: int) -> None:
        """search: the whole search.  cutoff: only covers of the core that cost less are wanted."""
        self._search, self.core = search, rest
        native, self._asked = 0, []
        for estimate in search.estimates:
            if estimate.name in NATIVE and estimate.bound is ESTIMATES[estimate.name].bound:
                native |= NATIVE[estimate.name]
            else:
                native |= PYTHON
                self._asked.append(estimate)
        self.answers = 0
        self.code = -1
        self._answer: list[int] = []
        self._fresh = False  # whether the root's reductions have found a cover
        self.over = not rest.feasible or cutoff <= 0
        self.tree: Any = None
        if self.over:
            return
        self.tree = tree = search.module.Cover(rest.needs, rest.options, rest.costs, cutoff, native, search.looks)
        tree.set_symmetric(search.symmetries.interval)
        tree.set_hope(HOPE if search.sparing else FAR)
        if rest.witness is not None:
            watch_core(tree, rest, "the search for covers")
        self.over = not tree.reduce()
        if self.over and not tree.ended():
            self._answer, paid = tree.taken(0)
            self._fresh = paid < cutoff

    @property
    def nodes(self) -> int:
        return 0 if self.tree is None else int(self.tree.nodes)

    @property
    def updates(self) -> int:
        """The updates so far (_cover_levels.py)."""
        return 0 if self.tree is None else int(self.tree.updates)

    work = updates

    @property
    def is_bounded(self) -> bool:
        """Whether it has come beyond the root."""
        return self.over or bool(self.tree.height() > 0)

    def bound(self) -> int | None:
        """The proved lower bound, as a cost in the core; None if there is no cover."""
        return None if self.tree is None else int(self.tree.bound())

    def lower(self, cutoff: int) -> None:
        """From now on, look only for covers that cost less than this."""
        if self.tree is not None:
            self.tree.lower(min(max(cutoff, 0), self.tree.limit()))

    def answer(self) -> list[int]:
        """The last cover."""
        return self._answer

    def run(self, nodes: int, answers: int) -> int:
        """Search at most so many nodes, up to a better cover."""
        self.code = -1
        if self.over:
            self.code, self._fresh = FOUND if self._fresh else DONE, False
            self.answers += self.code == FOUND
            return self.code
        tree, end = self.tree, self.tree.nodes + nodes
        limit, code = tree.limit(), ASK
        try:
            while code == ASK:
                code = tree.run(end - tree.nodes, 1)
                if code == ASK:
                    self._tell()
        finally:
            if tree.limit() < limit:
                self._answer = tree.answer()
                self.answers += 1
        self.code = code
        return self.code

    def _tell(self) -> None:
        """Answer a question from the tree: which options are equivalent to the one that was tried, or what a Python
        estimate returns."""
        if self.tree.wants_orbit():
            self._search.symmetries.answer(self.tree, self.core.numbers, self._search.updates)
        else:
            self._estimate()

    def _estimate(self) -> None:
        """Call the Python estimates in turn; prices, `exclude` and `force` are taken from the last one that names
        any."""
        tree, rest, problem = self.tree, self.core, self._search.problem
        view = CoverView(problem, tree, rest)
        lower, prices, gone, sure = 0, None, set(), set()
        for estimate in self._asked:
            said = hear(estimate, estimate.bound(view, view.cutoff), problem.options)
            prices = said.prices if said.prices is not None else prices
            gone |= set(said.exclude)
            sure |= set(said.force)
            lower = max(lower, FAR if said.lower is None else min(-(-said.lower // rest.unit), FAR))
            if lower * rest.unit >= view.cutoff:
                break
        place = view.place
        tree.tell(
            lower,
            None if prices is None else [prices.get(i, 0) / rest.unit for i in view.rows],
            [place[o] for o in gone if o in place],
            [place[o] for o in sure if o in place],
        )


class DescentKernel:
    """Local search of what is left at a root, as a kernel (see loading.py); a spell is a node.

    descent: a `Descent` or `CoreDescent`.  tree: whose root it is.  ground: needs, options and costs.
    numbers: per option, its number in the core.  spell: entries.
    """

    updates = 0

    def __init__(self, descent: Any, tree: TreeKernel, ground: Ground, numbers: list[int], spell: int) -> None:
        self.descent, self.tree, self.ground, self.numbers, self.spell = descent, tree, ground, numbers, spell
        self._forced, self._paid = tree.tree.taken(0)
        self._limit = int(tree.tree.limit())
        self.nodes = self.answers = 0
        self.work = int(descent.spent())
        self.paid = 0  # its work when it found its last cover
        self.code = -1

    @property
    def is_wide(self) -> bool:
        """Whether there are many more options than items."""
        needs, options, _ = self.ground
        return len(options) >= WIDE * len(needs)

    def bound(self) -> int | None:
        """What the tree has proved, which is needed before the tree has a turn."""
        return self.tree.bound()

    def lower(self, cutoff: int) -> None:
        """From now on, offer only covers that cost less than this."""
        self._limit = min(self._limit, cutoff)

    def answer(self) -> list[int]:
        """The best cover."""
        return [*self._forced, *(self.numbers[o] for o in self.descent.answer())]

    def run(self, nodes: int, answers: int) -> int:
        """At most so many spells, up to a better cover."""
        self.code, end = -1, self.nodes + nodes
        while not self._offers() and self.nodes < end:
            before = self.descent.spent()
            self.nodes += 1
            try:
                self.descent.run(self.spell, self.tree.tree.bound() - self._paid)
            except BaseException:
                self._offers()
                raise
            finally:
                self.work += max(self.descent.spent() - before, self.spell)
        return self.code

    def _offers(self) -> bool:
        """Whether there is a cover that is better than all before."""
        cost = self._paid + self.descent.value()
        self.code = FOUND if cost < self._limit else SLICE
        if self.code == FOUND:
            self._limit, self.paid = cost, self.work
            self.answers += 1
        return self.code == FOUND

    def near(self, best: Sequence[int]) -> list[int]:
        """The cover that local search goes on from in cores, in its numbers: the best one of all, if it is a cover of
        what is left here, or its own. best: in the problem's numbers."""
        needs, options, costs = self.ground
        mine = [*self.descent.answer()]
        known = {*best}
        begun = [k for k, o in enumerate(self.numbers) if self.tree.core.numbers[o] in known]
        left = list(needs)
        for o in begun:
            for i in options[o]:
                left[i] -= 1
        fits = max(left, default=0) <= 0 and sum(costs[o] for o in begun) < sum(costs[o] for o in mine)
        return begun if fits else mine


def rest_of(problem: Problem) -> Problem:
    """The covering problem whose covers are what the answers of a packing leave out. problem: it `joins_pairs`."""
    kept = problem.witness
    return evolve(
        problem,
        low=(1,) * problem.items,
        high=(problem.options,) * problem.items,
        primary=problem.items,
        costs=tuple([-cost for cost in problem.costs]),
        witness=None if kept is None else tuple(o for o in range(problem.options) if o not in frozenset(kept)),
    )
